"""Sentences are compared with the text that they cite by their quantities and negations."""

from __future__ import annotations

import json
from functools import partial

import pytest

from effort import work_grows_in_proportion
from wellread.apps.serialize import citations_from
from wellread.citations.support import unsupported_terms
from wellread.reading.answering import uncovered_text
from wellread.types import Claim, Passage


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
