"""Sentences are compared with the text that they cite by their quantities and negations."""

from __future__ import annotations

import json
from functools import partial

import pytest

from effort import work_grows_in_proportion
from wellread.apps.serialize import citations_from
from wellread.citations.support import unsupported_in, unsupported_terms
from wellread.citations.verification import with_support
from wellread.reading.answering import uncovered_text
from wellread.types import Claim, Passage, Verdict


def _with_clauses(count: int) -> tuple[str, str]:
    return "abcd, " * count, "not abcd, " * count + "x, abcd. " + "".join(f"not abcd w{at:05}, " for at in range(count))


def _of_different_words(count: int) -> tuple[str, str]:
    words = [f"{chr(97 + at % 26)}{chr(97 + at // 26 % 26)}{chr(97 + at // 676)}d" for at in range(count)]
    return ", ".join(words), ", ".join(f"not {word}" for word in words)


def test_clauses_cost_in_proportion() -> None:
    small, large = (partial(unsupported_terms, *_with_clauses(count)) for count in (160, 640))
    assert work_grows_in_proportion(small, large)


def test_different_clauses_cost_in_proportion() -> None:
    small, large = (partial(unsupported_terms, *_of_different_words(count)) for count in (500, 2000))
    assert work_grows_in_proportion(small, large)


def test_negations_in_a_row_cost_in_proportion() -> None:
    small, large = (partial(unsupported_terms, "not abcd", "abcd " + "not " * count) for count in (1000, 4000))
    assert work_grows_in_proportion(small, large)


def test_negation_behind_hundreds_of_clauses() -> None:
    words = (f"{chr(97 + at // 26)}{chr(97 + at % 26)}mast" for at in range(230))
    museum = "The old harbour museum of Sandle Point Bay"
    evidence = " ".join(f"{museum} has a {word} in summer." for word in words)
    statement, denial = f"{museum} is open on winter mornings.", f"{museum} is not open on winter mornings."
    assert unsupported_terms(statement, f"{evidence} {denial}") == ("the negation 'not'",)


def _passages(count: int) -> list[Passage]:
    return [
        Passage(text=f"t{at}", url=f"https://a.example/{at}", title=None, snapshot_id="x", start=0, end=2)
        for at in range(count)
    ]


def _numbered_claims(passages: list[Passage]) -> list[str]:
    claims = [Claim(text=passage.text, passages=(passage,)) for passage in passages]
    return uncovered_text("", claims, passages)


def test_numbers_of_citations_cost_in_proportion() -> None:
    small, large = (partial(_numbered_claims, _passages(count)) for count in (500, 2000))
    assert work_grows_in_proportion(small, large)


@pytest.mark.parametrize("key", ["findings", "contradictions", "not_found", "left_out"])
def test_report_without_a_key_is_not_verified_in_silence(key: str) -> None:
    report: dict[str, object] = {"question": "q", "text": "Invented.", "citations": []}
    report |= {"findings": [], "contradictions": [], "not_found": [], "left_out": []}
    del report[key]
    assert [key in row.reason for row in citations_from(json.dumps(report)).uncovered] == [True]


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("20 people came.", "Twenty-five people came."),
        ("Five people came.", "Twenty-five people came."),
        ("The summit is 2,000 m high.", "The summit is two thousand three hundred metres high."),
        ("5元的费用。", "费用三百零五元。"),
        ("It is 5 °C here.", "It is -5 °C here."),
        ("It is -5 °C here.", "It is 5 °C here."),
        ("The balance is $200.", "The balance is -$200."),
        ("The balance is $-200.", "The balance is $200."),
        ("The ticket costs 5 lira.", "The ticket costs 5 euros."),
        ("The fuse holds 5 volts.", "The fuse holds 5 amperes."),
        ("The dose is 5 ng.", "The dose is 5 mg."),
        ("The ticket costs 5 zorkmids.", "The ticket costs 5 euros."),
    ],
)
def test_other_number_or_unit_is_refused(sentence: str, text: str) -> None:
    assert unsupported_terms(sentence, text)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("25 people came.", "Twenty-five people came."),
        ("Twenty-five people came.", "25 people came."),
        ("The tour takes 150 minutes.", "The tour takes one hundred and fifty minutes."),
        ("The tour takes one hundred and fifty minutes.", "The tour takes 150 minutes."),
        ("费用35000元。", "费用三万五千元。"),
        ("费用305元。", "费用三百零五元。"),
        ("The tour takes 1 hour.", "The tour takes one hour."),
        ("It costs one million dollars.", "It costs $1 million."),
        ("Der Weg misst 21 km.", "Der Weg misst einundzwanzig km."),
        ("Le chemin mesure 25 km.", "Le chemin mesure vingt-cinq km."),
        ("El camino mide 35 km.", "El camino mide treinta y cinco km."),
        ("It is -5 °C here.", "It is minus 5 °C here."),
        ("The path has 5 to 7 km.", "The path has 5-7 km."),
        ("200,000 people came.", "Two hundred thousand people came."),
        ("2,300,000 people came.", "Two million three hundred thousand people came."),
        ("The summit is 2,300 m high.", "The summit is two thousand three hundred metres high."),
        ("2 to 3 million people came.", "Two or three million people came."),
    ],
)
def test_same_number_in_words_or_digits_is_supported(sentence: str, text: str) -> None:
    assert unsupported_terms(sentence, text) == ()


MUSHROOM = (
    "The mushroom must never be eaten raw, because it holds a strong poison that only boiling removes. It is red."
)


def _passage(text: str) -> Passage:
    return Passage(text=text, url="https://a.example/", title=None, snapshot_id="x", start=0, end=len(text))


@pytest.mark.parametrize(
    "sentence",
    [
        "Yes, you can eat it raw.",
        "You can eat it raw for a day.",
        "You can eat a mushroom.",
        "It is not bad for you.",
        "Do it now: put it all in the pot and eat.",
        "Oui, on le dit et il y va.",
        "\u0434\u0430, \u0435\u0448\u044c",
        "\uc0dd\uc73c\ub85c \uba39\uc5b4\ub3c4 \ub429\ub2c8\ub2e4",
        "Yes, it is.",
        "",
    ],
)
def test_sentence_without_long_words_needs_its_short_ones(sentence: str) -> None:
    assert unsupported_in(Claim(text=sentence, passages=(_passage(MUSHROOM),)))


@pytest.mark.parametrize("sentence", ["It is red.", "The mushroom is red.", "It is raw or red."])
def test_sentence_of_short_words_of_its_passage_is_supported(sentence: str) -> None:
    text = MUSHROOM.replace("never be eaten raw", "be cooked when it is raw")
    assert unsupported_in(Claim(text=sentence, passages=(_passage(text),))) == ()


@pytest.mark.parametrize("padding", [" " * 20_000, "\u200b" * 20_000, "The mushroom must never be eaten raw. " * 1_000])
def test_words_behind_a_long_padding_are_compared(padding: str) -> None:
    claim = Claim(text=f"{padding}Bill Gates owns 99 % of the moon.", passages=(_passage(MUSHROOM),))
    verdict = with_support([Verdict(claim.passages[0], ok=True, reason="stands")], [claim])[0]
    assert not verdict.ok
    assert "unsupported" in verdict.reason


def test_passage_that_denies_at_its_far_end() -> None:
    text = "The mushroom is safe when raw. " + "It is red. " * 2_000 + "The mushroom is not safe when raw."
    assert unsupported_in(Claim(text="When raw, the mushroom is safe.", passages=(_passage(text),)))


def test_sentences_of_contradictions_are_checked() -> None:
    passage = {"text": MUSHROOM, "url": "https://a.example/", "title": None, "snapshot_id": "x", "start": 0}
    passage["end"] = len(MUSHROOM)
    sentence = {"text": "9,000 doctors eat the mushroom daily.", "passages": [passage]}
    report = {"question": "q", "text": "", "findings": [], "citations": [passage], "not_found": [], "left_out": []}
    report["contradictions"] = [{"kind": "numbers", "claims": [sentence]}]
    result = citations_from(json.dumps(report))
    assert [claim.text for claim in result.claims] == [sentence["text"]]
    verdicts = [Verdict(cited, ok=True, reason="stands") for cited in result.passages]
    assert [verdict.ok for verdict in with_support(verdicts, result.claims)] == [False]
