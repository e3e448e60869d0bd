"""Sentences are compared with the text that they cite by their quantities and negations."""

from __future__ import annotations

from functools import partial

from effort import work_grows_in_proportion
from wellread.citations.support import unsupported_terms


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
