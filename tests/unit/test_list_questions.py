"""Questions for several things, and the noun for these things."""

from __future__ import annotations

import pytest

from wellread.reading.list_questions import listed_stem

ONE_FACT = """
What does the Petrel lantern cost?
What happens in winter?
What is this lantern made of?
What was Mars named after?
Which Paris hotel is the oldest?
Which Mars rover landed first?
Which United States president was born here?
What has the lantern cost?
What causes tides?
What makes engines run?
What comes with the lanterns that are sold?
Which gas is in the lamp?
Which bus goes to Athens?
How much does the bus cost?
What always happens at noon?
Which of the ferries runs on Sunday?
What are tides?
What are the hairs on the stem called?
Name the president of the United States
Give me the price of the lanterns
What hours is the shop open?
Was kostet die Lampe?
Welche Farbe haben die T\u00fcren?
Welche Mars-Sonde landete zuerst?
Nenne die Hauptstadt von Frankreich
Quel est le prix des lampes ?
Que fais-tu dans les ports ?
Nomme le capitaine des bateaux
\u00bfCu\u00e1l es el precio de los barcos?
\u00bfQu\u00e9 haces en los barcos?
Qual \u00e8 il prezzo delle lampade?
Qual \u00e9 o pre\u00e7o das l\u00e2mpadas?
Welke haven is de grootste?
Welke haven buiten Rotterdam is groot?
\u4ec0\u4e48\u65f6\u5019\u5f00\u95e8?
"""
SEVERAL_THINGS = """
bread: Which breads are sold on Sunday?
ferr: Please list all the ferries to Tarn
ferr: List every ferry
bread: What kinds of bread are there?
keeper: Who are the keepers of the lamp?
part: What parts are in the box?
caus: What were the main causes of the war?
brot: Welche glutenfreien Brote gibt es?
fahr: Welche F\u00e4hren fahren am Sonntag?
farb: Welche Farben hat die Lampe?
fahr: Nenne alle F\u00e4hren
pain: Quels pains sont vendus le dimanche ?
piec: Quelles sont les pi\u00e8ces de la lampe ?
bateau: Liste tous les bateaux
curso: \u00bfQu\u00e9 cursos hay en invierno?
barco: Enumera todos los barcos
treni: Quali treni partono la domenica?
peca: Quais s\u00e3o as pe\u00e7as da l\u00e2mpada?
bot: Welke boten vertrekken op zondag?
\u9762\u5305: \u9762\u5305\u6709\u54ea\u4e9b?
\u6e21\u8239: \u6e21\u8239\u306e\u4e00\u89a7
"""


@pytest.mark.parametrize("question", ONE_FACT.strip().splitlines())
def test_question_for_one_fact(question: str) -> None:
    assert not listed_stem(question)


@pytest.mark.parametrize("line", SEVERAL_THINGS.strip().splitlines())
def test_question_for_several_things(line: str) -> None:
    stem, _, question = line.partition(": ")
    assert listed_stem(question) == stem
