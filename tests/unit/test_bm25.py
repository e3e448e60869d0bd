"""The passage ranker: the best evidence first, from more than one page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.index.relevance import bm25
from wellread.index.search_terms import QueryTerms
from wellread.rank.bm25 import score_bm25
from wellread.rank.diversify import PassageLimits
from wellread.rank.ranking import rank_passages
from wellread.types import Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

hundred = settings(max_examples=100, deadline=None)


def passage(
    text: str, url: str = "http://a.example/", title: str | None = None, headings: Sequence[str] = ()
) -> Passage:
    return Passage(
        text=text, url=url, title=title, snapshot_id="sha256:0", start=0, end=len(text), headings=tuple(headings)
    )


def best(query: str, passages: Sequence[Passage], count: int = 8) -> list[Passage]:
    return rank_passages(passages, score_bm25(query, passages), PassageLimits(count, len(passages))).passages


def told(query: str, *texts: str) -> list[str]:
    return [it.text for it in best(query, [passage(text) for text in texts])]


def test_answering_passage_comes_first() -> None:
    assert told("what do whelks eat", "Sun.", "Crabs eat algae.", "Whelks eat crabs.") == [
        "Whelks eat crabs.",
        "Crabs eat algae.",
    ]


def test_scores_fall_from_first_to_last_and_stay_above_zero() -> None:
    found = best("whelks eat crabs", [passage(text) for text in ("whelks", "whelks eat", "crabs eat whelks", "sand")])
    scores = [it.score for it in found]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0


def test_adjacent_query_words_rank_before_scattered_ones() -> None:
    apart, together = "The lamp of the red boat, a big one.", "The boat has a big red lamp, of the one."
    assert told("big red lamp", apart, together) == [together, apart]
    assert told("大红灯", "灯是红的又是大的。", "一盏大红灯挂着。")[0] == "一盏大红灯挂着。"


def test_a_word_in_every_passage_still_counts_for_something() -> None:
    assert told("whelks", "whelks one", "whelks two") == ["whelks one", "whelks two"]


def test_headings_and_titles_count_but_less_than_the_text() -> None:
    others = [passage(f"Nothing here, number {number}.") for number in range(5)]
    in_text, in_heading = passage("Whelks."), passage("Sand.", headings=["Whelks"])
    in_title = passage("Rocks.", title="Whelks")
    found = best("whelks", [*others, in_title, in_heading, in_text])
    assert [it.text for it in found] == ["Whelks.", "Sand.", "Rocks."]


def test_no_page_takes_more_than_half_while_others_wait() -> None:
    many = [passage(f"Whelks whelks {number}.") for number in range(6)]
    others = [
        passage(f"A whelk among many other words, {n} of them of no use.", f"http://b.example/{n}") for n in "abc"
    ]
    found = best("whelks", [*many, *others], count=6)
    assert [it.url for it in found].count("http://a.example/") == 3
    assert [it.url for it in found[3:]] == [it.url for it in others]


def test_places_that_nobody_else_wants_go_to_the_best_page() -> None:
    many = [passage(f"Whelks whelks {number}.") for number in range(6)]
    other = passage("A whelk among many other words that are of no use here.", url="http://b.example/")
    found = best("whelks", [*many, other], count=6)
    assert [it.url for it in found].count("http://a.example/") == 5
    assert found[-1].url == "http://b.example/"


def test_passages_that_say_the_same_count_once() -> None:
    twice = [passage("Whelks eat."), passage("*Whelks* eat!", url="http://b.example/")]
    assert len(best("whelks", twice)) == 1


def test_of_equal_passages_the_first_given_comes_first() -> None:
    assert told("whelks", "Whelks b.", "Whelks a.") == ["Whelks b.", "Whelks a."]


@pytest.mark.parametrize("query", ["", "?!", "limpets"])
def test_a_query_that_nothing_answers_gives_nothing(query: str) -> None:
    assert told(query, "Whelks eat crabs.", "") == []


def test_nothing_to_rank_gives_nothing() -> None:
    assert best("whelks", []) == []


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        ("谁吃螃蟹", "海螺吃螃蟹。", "海螺吃海藻。"),
        ("電波塔", "東京タワーは電波塔です。", "東京は日本の首都です。"),
        ("แมวดำ", "บ้านนี้มีแมวดำอยู่หนึ่งตัว", "บ้านนี้มีสุนัขอยู่หนึ่งตัว"),
        ("Dampfschiff", "Die Donaudampfschifffahrt.", "Die Donau fließt."),
        ("книги", "Он читал книгу вечером.", "Он гулял вечером."),
    ],
)
def test_other_languages_are_ranked_as_well(query: str, right: str, wrong: str) -> None:
    assert told(query, wrong, right)[0] == right


texts = st.lists(st.text(alphabet="abc d中文.", max_size=40), max_size=12)


@given(texts, st.text(alphabet="abc d中文", max_size=10), st.integers(0, 8))
@hundred
def test_the_answer_is_bounded_unaltered_and_the_same_each_time(texts: list[str], query: str, count: int) -> None:
    given_ = [passage(text, url=f"http://a.example/{at % 3}") for at, text in enumerate(texts)]
    found = best(query, given_, count=count)
    assert len(found) <= count
    assert all(replace(it, score=0.0) in given_ and it.score > 0 for it in found)
    assert [it.score for it in found] == sorted((it.score for it in found), reverse=True)
    assert found == best(query, given_, count=count)


@given(texts, st.integers(1, 8))
@hundred
def test_share_of_one_page_among_the_passages(texts: list[str], count: int) -> None:
    given_ = [passage(text, url=f"http://a.example/{at % 3}") for at, text in enumerate(texts)]
    every = best("abc 中", given_, count=100)
    found = best("abc 中", given_, count=count)
    assert len(found) == min(count, len(every))
    for url in {it.url for it in found}:
        if [it.url for it in found].count(url) > max(1, count // 2):
            shown = [it.text for it in found]
            assert all(it.text in shown for it in every if it.url not in _over(found, count))


def _over(found: Sequence[Passage], count: int) -> set[str]:
    urls = [it.url for it in found]
    return {url for url in urls if urls.count(url) >= max(1, count // 2)}


@given(texts)
@hundred
def test_scores_do_not_depend_on_the_order_of_the_texts(texts: list[str]) -> None:
    asked = QueryTerms("abc 中")
    counts = [asked.count(text) for text in texts]
    assert bm25(asked.weights, counts) == bm25(asked.weights, counts[::-1])[::-1]
