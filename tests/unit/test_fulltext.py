"""Bags of terms: the same scores as BM25 over the texts themselves, alone and in windows, in any language."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.assistant import fulltext
from wellread.assistant.fulltext import OWN_WORDS_WEIGHT, Bags, bag, best_indices, rules_mark
from wellread.assistant.token_count import count_tokens
from wellread.index.relevance import bm25
from wellread.index.search_terms import QueryTerms

WORDS = [
    "the",
    "whelk",
    "keeps",
    "to",
    "lower",
    "shore",
    "\u5317\u4eac\u5927\u5b66",
    "\u0434\u043e\u043c",
    "stra\u00dfe",
    "42",
]
WORDS += ["\u0e41\u0e21\u0e27\u0e19\u0e2d\u0e19", "caf\u00e9"]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def by_hand(question: str, some: list[str]) -> list[float]:
    asked = QueryTerms(question)
    return bm25(asked.weights, [asked.count(text) for text in some])


@settings(max_examples=150, deadline=None)
@given(question=texts, some=st.lists(texts, max_size=8))
def test_bags_score_as_the_texts_themselves_would(question: str, some: list[str]) -> None:
    assert np.allclose(Bags([bag(text) for text in some]).scores(question), by_hand(question, some))


@settings(max_examples=150, deadline=None)
@given(question=texts, some=st.lists(st.tuples(st.sampled_from("ab"), texts), max_size=8))
def test_score_of_a_window_of_three_texts(question: str, some: list[tuple[str, str]]) -> None:
    some.sort(key=lambda each: each[0])
    joined = [
        " ".join(text for near, (other, text) in enumerate(some) if abs(near - at) <= 1 and other == group)
        for at, (group, _) in enumerate(some)
    ]
    alone = by_hand(question, [text for _, text in some])
    expected = [window + OWN_WORDS_WEIGHT * own for window, own in zip(by_hand(question, joined), alone, strict=True)]
    bags = Bags([bag(text) for _, text in some])
    assert np.allclose(bags.window_scores(question, [group for group, _ in some]), expected)


def test_most_telling_words_of_a_very_long_question() -> None:
    common = [f"word{number}" for number in range(400)]
    some = [" ".join(common)] * 20 + [" ".join([*common, "zirbelkiefer"])]
    question = " ".join([*common, "zirbelkiefer"])
    scores = Bags([bag(text) for text in some]).scores(question)
    assert next(best_indices(scores, 1)) == 20
    assert Bags([bag("nothing alike")]).scores(question).tolist() == [0.0]


def test_order_of_equal_texts() -> None:
    bags = Bags([bag("a whelk"), bag("a limpet"), bag("a whelk")])
    assert list(best_indices(bags.scores("whelk"), 5)) == [2, 0]
    assert list(best_indices(Bags([]).scores("whelk"), 5)) == []


def test_a_bag_knows_by_which_rules_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made = bag("a whelk")
    assert made.startswith(rules_mark())
    monkeypatch.setattr(fulltext, "RULES", "another/16.0.0")
    assert not made.startswith(rules_mark())
    assert bag("a whelk").startswith(rules_mark())


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("\u5317\u4eac", 2)])
def test_tokens_are_a_quarter_of_the_bytes_rounded_up(text: str, count: int) -> None:
    assert count_tokens(text) == count
