"""Weighs the languages that a page declares where they differ: how many say so, the script and the words of its text."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from wellread.dates.named_months import primary_language

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MIN_LETTERS = 40
MIN_SHARE = 0.5
"""A script is that of a text when so many of its letters are of it."""
MIN_WORDS = 0.02
"""Less than this share of a language's function words tells nothing."""

_WORDS = """
en the of and to in is that for with was are on as be by this from have not
de der die das und ist nicht mit von zu den ein eine auf dem des sich wird auch im wie um sind
fr le la les des et est une dans pour que qui sur pas avec plus par du au ce sont
es el la los las que de en un una por con para es del se no al su más como
pt o a os as que de em um uma por com para é do da não se no na mais como
it il la che di un una per con del della è non i le in sono da gli nel più
nl de het een en van is dat niet op te voor met zijn die er aan ook wordt bij
sv och att det som en på är av för inte den till med har om ett de kan var
da og at det er en på af for ikke den til med har som de et kan var blev
nb og at det er en på av for ikke den til med har som de et kan var ble
fi ja on ei että se hän oli mutta kun myös joka ovat kuin sen niin tai jos
et ja on ei et see oli aga kui ka mis ning või selle tema kes
lv un ir no ar ka par uz kas tas bet arī vai kā pēc
lt ir yra kad su bet tai iš į kaip apie per nuo už jis
pl i w na z że nie się do jest to o jak za po ale co od przez
cs a v na je se že s z do o to i za pro jako ale který jsou
sk a v na je sa že s z do o to i za pre ako ale ktorý sú
sl in v na je se da z za so ki tudi pa po ne bi
hr i u na je se da za od su s o ne kao koji ali što
sr i u na je se da za od su s o ne kao koji ali и у на је се да за од су
bg и на в за се да от с не е са по като но ще
mk и на во за се да од со не е што како но ќе
uk і в на з що не до та у за це як від але є він
ru и в на с что не по к за из это как от но он для
be і ў на з што не да у за гэта як ад але ён
ro și în de la cu nu o un pe care este din mai pentru sau să
hu a az és hogy nem is egy de van meg mint volt csak már vagy
el και το η ο να του της με για που από στο δεν είναι
tr ve bir bu için de da ile çok olarak daha kadar gibi ama olan
az və bir bu üçün ilə də da daha kimi olan edir
id dan yang di untuk dengan ini dari pada tidak adalah itu akan dalam oleh
ms dan yang di untuk dengan ini dari pada tidak adalah itu akan dalam oleh ialah
vi và của là có cho không được các một trong với những đã này
sw na ya wa kwa ni katika la za hii cha kuwa
ca el la els les que de i en un una per amb no és del
eu eta da ez bat du dira zen ere egin den
gl o a os as que de e en un unha por con non é do da
sq dhe në të për një me nga që është se
is og að í á er sem til við með um ekki það
af die en van is dat nie in om te vir met het 'n
fil ang ng sa na at mga ay si ni para
ar في من على إلى أن التي هذا عن مع كان
fa و در به از که این را با است برای
ur کے میں کی ہے اور سے کو کا یہ نے
he של את על לא זה עם הוא כי גם
hi के में की है और से को का यह ने
mr आणि आहे या ते व की हे च्या
ne र को छ मा ले हो यो
kk және бұл мен үшін деп да де бір
""".strip().splitlines()

_SCRIPTS = {
    "Latn": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
    "Cyrl": "\u0400-\u052f",
    "Grek": "\u0370-\u03ff\u1f00-\u1fff",
    "Arab": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
    "Hebr": "\u0590-\u05ff",
    "Deva": "\u0900-\u097f",
    "Beng": "\u0980-\u09ff",
    "Guru": "\u0a00-\u0a7f",
    "Gujr": "\u0a80-\u0aff",
    "Taml": "\u0b80-\u0bff",
    "Telu": "\u0c00-\u0c7f",
    "Knda": "\u0c80-\u0cff",
    "Mlym": "\u0d00-\u0d7f",
    "Sinh": "\u0d80-\u0dff",
    "Thai": "\u0e00-\u0e7f",
    "Laoo": "\u0e80-\u0eff",
    "Mymr": "\u1000-\u109f",
    "Geor": "\u10a0-\u10ff",
    "Ethi": "\u1200-\u137f",
    "Khmr": "\u1780-\u17ff",
    "Armn": "\u0530-\u058f",
    "Kore": "\uac00-\ud7af",
    "Jpan": "\u3040-\u30ff",
    "Hani": "\u3400-\u9fff",
}
_LETTERS = {script: re.compile(f"[{letters}]") for script, letters in _SCRIPTS.items()}
_WRITTEN = {
    "Cyrl": "ru uk be bg mk sr kk ky mn tg tt ba cv os uz az bs",
    "Arab": "ar fa ur ps ckb ku sd ug pa az",
    "Hebr": "he yi",
    "Deva": "hi mr ne sa kok mai",
    "Beng": "bn as",
    "Kore": "ko",
    "Jpan": "ja",
    "Hani": "zh ja yue wuu ko",
    "Ethi": "am ti",
    "Grek": "el",
    "Thai": "th",
    "Geor": "ka",
    "Armn": "hy",
    "Guru": "pa",
    "Gujr": "gu",
    "Taml": "ta",
    "Telu": "te",
    "Knda": "kn",
    "Mlym": "ml",
    "Sinh": "si",
    "Laoo": "lo",
    "Mymr": "my",
    "Khmr": "km",
}
_ALSO_LATIN = frozenset(["sr", "bs", "uz", "az", "kk", "ku", "tg", "tt", "pa"])
_OF_SCRIPT = {script: frozenset(languages.split()) for script, languages in _WRITTEN.items()}
_OTHER_SCRIPTS = frozenset().union(*_OF_SCRIPT.values()) - _ALSO_LATIN
_FUNCTION_WORDS = {row.split()[0]: frozenset(row.split()[1:]) for row in _WORDS}


def weighed(tags: Sequence[str], sample: Callable[[], str]) -> str | None:
    """Return the declared tag (BCP 47) that is most likely the page's; the first where they agree.

    `sample` returns text of the page. Where the languages of `tags` differ, the function words of the text decide, then
    the number of declarations. Where the text is in a script that no declared language is written in, the language of
    that script is returned if there is only one.
    """
    if not tags:
        return None
    languages = [primary_language(tag) or "" for tag in tags]
    text = sample()
    script = _script(text)
    fitting = [tag for tag, language in zip(tags, languages, strict=True) if _fits(language, script)]
    if not fitting:
        only = _OF_SCRIPT.get(script or "", frozenset())
        return next(iter(only)) if len(only) == 1 else tags[0]
    if len({primary_language(tag) for tag in fitting}) == 1:
        return fitting[0]
    counts = Counter(primary_language(tag) or "" for tag in fitting)
    shares = _shares(text, counts)
    best = max(counts, key=lambda language: (shares.get(language, 0.0), counts[language]))
    return next(tag for tag in fitting if primary_language(tag) == best)


def _script(text: str) -> str | None:
    """Return the script of most letters of a text; Japanese and Korean before the Chinese characters they hold."""
    counts = {script: len(letters.findall(text)) for script, letters in _LETTERS.items()}
    total = sum(counts.values())
    if total < MIN_LETTERS:
        return None
    for script in ("Jpan", "Kore"):
        if (
            counts[script]
            and counts[script] + counts["Hani"] >= MIN_SHARE * total
            and counts[script] * 8 >= counts["Hani"]
        ):
            return script
    script = max(counts, key=lambda name: counts[name])
    return script if counts[script] >= MIN_SHARE * total else None


def _fits(language: str, script: str | None) -> bool:
    if script is None:
        return True
    if script == "Latn":
        return language not in _OTHER_SCRIPTS
    return language in _OF_SCRIPT[script]


def _shares(text: str, languages: Counter[str]) -> dict[str, float]:
    """Return for each language which share of the words are function words of it, none where all tell little."""
    words = text.casefold().split()
    shares = {
        language: sum(word.strip(".,;:!?\"'") in _FUNCTION_WORDS.get(language, ()) for word in words)
        / (len(words) or 1)
        for language in languages
    }
    return shares if max(shares.values()) >= MIN_WORDS else {}
