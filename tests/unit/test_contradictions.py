"""Contradictions between sentences of different pages: planted ones are reported, near misses are not."""

from __future__ import annotations

import pytest

from planted_contradictions import CONTRADICTIONS, NEAR_MISSES
from wellread.reading.contradictions import contradictions
from wellread.types import Claim, Passage


def claim(text: str, url: str) -> Claim:
    passage = Passage(text=text, url=url, title=None, snapshot_id="sha256:0", start=0, end=len(text))
    return Claim(text=text, passages=(passage,))


@pytest.mark.parametrize(("kind", "first", "second"), CONTRADICTIONS)
def test_planted_contradiction_is_reported(kind: str, first: str, second: str) -> None:
    claims = [claim(first, "https://a.example/"), claim(second, "https://b.example/")]
    assert [(pair.kind, pair.claims) for pair in contradictions(claims)] == [(kind, tuple(claims))]


@pytest.mark.parametrize(("first", "second"), NEAR_MISSES)
def test_near_miss_is_not_reported(first: str, second: str) -> None:
    assert contradictions([claim(first, "https://a.example/"), claim(second, "https://b.example/")]) == []


def test_sentences_of_one_page_are_not_compared() -> None:
    _, first, second = CONTRADICTIONS[0]
    assert contradictions([claim(first, "https://a.example/"), claim(second, "https://a.example/")]) == []
