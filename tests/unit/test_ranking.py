# ruff: noqa: RUF001 - the languages' own signs
"""Ranking by words and by meaning together, when the best is weak, and which texts are the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.index.relevance import reciprocal_rank_fusion
from wellread.index.search_terms import is_spaced, tokens
from wellread.rank.bm25 import score_bm25
from wellread.rank.diversify import PassageLimits, diversified
from wellread.rank.near_duplicate import is_near_duplicate, jaccard_similarity, shingles
from wellread.rank.ranking import Ranker, rank_passages
from wellread.rank.vectors import cosine
from wellread.types import Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.rank.ranking import RankedPassages

hundred = settings(max_examples=100, deadline=None)


def passage(text: str, url: str = "http://a.example/") -> Passage:
    return Passage(text=text, url=url, title=None, snapshot_id="sha256:0", start=0, end=len(text))


async def told(question: str, *texts: str) -> RankedPassages:
    return await Ranker(question).rank([passage(text) for text in texts], PassageLimits(8, 5))


@pytest.mark.anyio
async def test_question_of_two_parts_gets_a_passage_of_each() -> None:
    texts = (
        "Rye bread is baked at 230 degrees.",
        "Of 412 customers, most preferred rye bread with a crust.",
        "Pebbles.",
    )
    best = await told("Did customers prefer a crust, and at how many degrees is rye bread baked?", *texts)
    assert {passage.text for passage in best.passages} == set(texts[:2])
    simple = await told("How many customers preferred a crust?", *texts)
    assert [passage.text for passage in simple.passages] == [texts[1]]


# --------------------------------------------------------------------------------------------------- fusion


def fused(rankings: list[list[int]]) -> dict[int, float]:
    return reciprocal_rank_fusion(enumerate(ranking, 1) for ranking in rankings)


@given(st.lists(st.lists(st.integers(0, 9), unique=True, max_size=10), max_size=5), st.randoms())
@hundred
def test_fusion_does_not_depend_on_the_order_of_the_rankings(rankings: list[list[int]], chance: object) -> None:
    shuffled = list(rankings)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis's own kind of Random
    assert fused(rankings) == fused(shuffled)


def test_what_both_rankings_hold_goes_before_what_one_holds_alone() -> None:
    scores = fused([[1, 2], [3, 2]])
    assert max(scores, key=scores.__getitem__) == 2


def test_fused_ranks_follow_from_words_and_meaning_together() -> None:
    passages = [passage("whelk"), passage("whelk drills"), passage("snail"), passage("sand")]
    similar = {0: 0.1, 1: 0.9, 2: 0.8, 3: 0.0}
    best = rank_passages(passages, score_bm25("whelk drills", passages), PassageLimits(4, 1), similar=similar)
    assert [it.text for it in best.passages] == ["whelk drills", "whelk", "snail", "sand"]
    assert not best.weak


@pytest.mark.parametrize(("nearest", "weak"), [(0.34, True), (0.36, False)])
def test_by_meaning_the_best_is_weak_below_the_bound_of_the_cosine(nearest: float, *, weak: bool) -> None:
    passages = [passage("whelk"), passage("sand")]
    best = rank_passages(passages, score_bm25("limpets", passages), PassageLimits(4, 1), similar={0: nearest, 1: 0.0})
    assert best.weak is weak


# ----------------------------------------------------------------------------------------------------- weak


SANDS = ["The harbour master counts the boats.", "Bread is sold on Fridays.", "The choir sings in the chapel in May."]
LANGUAGES = {
    "en": ("Why do limpets return to their scar?", "Limpets return to their home scar when the tide ebbs.", SANDS),
    "de": (
        "Warum kehren Napfschnecken an ihren Platz zurück?",
        "Eine Napfschnecke kehrt bei Ebbe an ihren alten Platz zurück.",
        ["Der Hafenmeister zählt die Boote.", "Freitags wird Brot verkauft.", "Der Chor singt im Mai."],
    ),
    "ru": (
        "Куда возвращаются морские блюдечки во время отлива?",
        "Во время отлива морское блюдечко возвращается на своё место.",
        ["Начальник порта считает лодки.", "По пятницам продают хлеб.", "В мае в часовне поёт хор."],
    ),
    "ar": (
        "لماذا تعود الرخويات إلى مكانها عند الجزر؟",
        "تعود الرخويات عند الجزر إلى مكانها القديم على الصخرة.",
        ["يعد مدير الميناء القوارب.", "يباع الخبز يوم الجمعة.", "تغني الجوقة في الكنيسة."],
    ),
    "tr": (
        "Deniz minareleri neden yerlerine geri döner?",
        "Bir deniz minaresi sular çekilince eski yerine geri döner.",
        ["Liman başkanı tekneleri sayar.", "Cuma günleri ekmek satılır.", "Koro mayısta şarkı söyler."],
    ),
    "ja": (
        "カサガイはなぜ元の場所に戻るのですか",
        "カサガイは潮が引くと元の場所に戻り、殻を岩に密着させる。",
        ["港長は船の数を数える。", "金曜日にパンが売られる。", "五月に合唱団が礼拝堂で歌う。"],
    ),
    "th": (
        "หอยหมวกเจ๊กกลับไปที่เดิมทำไม",
        "เมื่อน้ำลง หอยหมวกเจ๊กจะกลับไปที่เดิมบนก้อนหิน",
        ["นายท่านับเรือทุกเช้า", "ขนมปังขายทุกวันศุกร์", "คณะนักร้องร้องเพลงในเดือนพฤษภาคม"],
    ),
    "zh": (
        "帽贝为什么回到原来的位置",
        "退潮时帽贝会回到原来的位置，把壳紧贴在岩石上。",
        ["港务长清点船只。", "星期五卖面包。", "五月唱诗班在教堂唱歌。"],
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_in_every_language_the_answer_comes_first_and_is_not_weak(language: str) -> None:
    question, answer, others = LANGUAGES[language]
    best = await told(question, *others, answer)
    assert best.passages[0].text == answer
    assert not best.weak


@pytest.mark.parametrize("language", LANGUAGES)
async def test_in_every_language_what_does_not_answer_is_weak(language: str) -> None:
    question, _, others = LANGUAGES[language]
    assert (await told(question, *others)).weak


async def test_nothing_to_rank_is_weak() -> None:
    assert await told("whelks") == ([], True)


@pytest.mark.parametrize(("question", "covered"), [("whelks eat crabs", [1.0, 0.0]), ("", [0.0, 0.0])])
def test_what_a_passage_covers_is_a_share_of_the_question(question: str, covered: Sequence[float]) -> None:
    assert score_bm25(question, [passage("Whelks eat crabs."), passage("Sun.")]).covered == pytest.approx(covered)


# --------------------------------------------------------------------------------------------------- choice


def test_no_more_pages_are_chosen_from_than_are_wanted() -> None:
    many = [passage(f"whelk {at}", f"http://{at}.example/") for at in range(6)]
    assert diversified(many, range(6), PassageLimits(passages=6, pages=2)) == [0, 1]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=14), st.integers(0, 8), st.integers(1, 4))
@hundred
def test_choices_are_bounded_distinct_and_in_order(drawn: list[tuple[int, int]], count: int, pages: int) -> None:
    given_ = [passage(f"words {word}", f"http://{url}.example/") for url, word in drawn]
    picked = diversified(given_, range(len(given_)), PassageLimits(count, pages))
    assert picked == sorted(set(picked))
    assert len(picked) <= count
    assert len({given_[at].url for at in picked}) <= pages
    assert len({given_[at].text for at in picked}) == len(picked)


# -------------------------------------------------------------------------------------------------- vectors


numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6))
@hundred
def test_cosine_is_bounded_and_symmetric(pairs: list[tuple[float, float]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    assert -1 <= cosine(one, other) <= 1
    assert cosine(one, other) == pytest.approx(cosine(other, one))
    assert math.isclose(cosine(one, one), 1.0, abs_tol=1e-9) or not any(one)


def test_vectors_of_any_size_have_an_angle() -> None:
    assert cosine([1e308, 1e307], [1e308, -1e307]) == pytest.approx(cosine([1.0, 0.1], [1.0, -0.1]))
    assert cosine([0.0, 0.0], [1.0, 0.0]) == 0


# ------------------------------------------------------------------------------------------------- likeness


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_copy_with_another_end_is_alike_and_other_texts_are_not(language: str) -> None:
    _, answer, others = LANGUAGES[language]
    long = " ".join((answer, *others) * 1)
    assert is_near_duplicate(shingles(long), shingles(f"{long} {answer}"))
    assert not is_near_duplicate(shingles(long), shingles(" ".join(others[1:])))


def test_case_accents_and_marks_make_no_difference() -> None:
    one, other = shingles("The *lamp* of the café was changed."), shingles("the lamp of the CAFE, was changed")
    assert jaccard_similarity(one, other) == 1


@pytest.mark.parametrize("text", ["", "one", "?!"])
def test_the_shortest_texts_are_like_themselves_alone(text: str) -> None:
    assert is_near_duplicate(shingles(text), shingles(text))
    assert not is_near_duplicate(shingles(text), shingles("six words that are quite others"))


@given(st.text(max_size=60), st.text(max_size=60))
@hundred
def test_likeness_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    assert (
        0
        <= jaccard_similarity(shingles(one), shingles(other))
        == jaccard_similarity(shingles(other), shingles(one))
        <= 1
    )
    assert jaccard_similarity(shingles(one), shingles(one)) == 1


def test_tokens_with_and_without_spaces() -> None:
    assert tokens("The café, 東京タワー and แมว") == [
        "the", "cafe", "東", "京", "タ", "ワ", "ー", "and", "แ", "ม", "ว",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "spaced"), [("why", True), ("", True), ("東京タワー", False), ("Was ist 東京?", True), ("แมวดำ", False)]
)
def test_a_text_is_spaced_when_most_of_it_is(text: str, *, spaced: bool) -> None:
    assert is_spaced(text) is spaced
