"""Counts with their nouns in messages."""

from __future__ import annotations

import pytest

from wellread.text.counts import count_of


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (0, "page", "0 pages"),
        (1, "page", "1 page"),
        (1_234, "page", "1,234 pages"),
        (1, "query", "1 query"),
        (2, "query", "2 queries"),
        (2, "process", "2 processes"),
        (2, "match", "2 matches"),
        (1, "declared item", "1 declared item"),
    ],
)
def test_count_with_noun(count: int, noun: str, text: str) -> None:
    assert count_of(count, noun) == text
