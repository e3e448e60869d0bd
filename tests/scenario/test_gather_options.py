"""A gather with a will: its sites, its pages, its order, and no passages far below the best one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scenario.gathers import ANSWER, QUESTION, counts, listing, page
from wellread.errors import InvalidInput
from wellread.ports import Query
from wellread.search.site_filter import checked_sites, with_site_words

if TYPE_CHECKING:
    from scenario.story import Pages, Tell

pytestmark = pytest.mark.anyio

HITS = ("http://a.example/1", "http://www.a.example/2", "http://b.example/3", "http://nota.example/4")


def pages() -> Pages:
    return {url: page(f"village {url[-1]}", f"{ANSWER} Says {url[-1]}.") for url in HITS}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"sites": ["a.example"]}, HITS[:2]),
        ({"sites": ["https://www.b.example/x"]}, HITS[2:3]),
        ({"exclude_sites": ["a.example"]}, HITS[2:]),
        ({"sites": ["a.example", "b.example"], "exclude_sites": ["b.example"]}, HITS[:2]),
        ({}, HITS),
    ],
)
async def test_sites_of_a_gather(tell: Tell, options: dict[str, Any], expected: tuple[str, ...]) -> None:
    evidence = await listing(tell(pages()), HITS).gather(QUESTION, **options)
    assert sorted(read.url for read in evidence.pages) == sorted(expected)
    assert {hit.url for hit in evidence.hits} == set(expected)


async def test_given_pages_are_read_without_a_search(tell: Tell) -> None:
    pipeline = listing(tell(pages()), ["http://b.example/3"])
    evidence = await pipeline.gather(QUESTION, urls=[HITS[0], "http://gone.example/"])
    assert counts(pipeline) == []
    assert [read.url for read in evidence.pages] == [HITS[0]]
    assert [missed.url for missed in evidence.missed] == ["http://gone.example/"]
    assert "Limpets return" in evidence.passages[0].text


async def test_simple_question_gets_one_passage(tell: Tell) -> None:
    story = tell({HITS[0]: page("village", ANSWER), HITS[2]: page("limpets", "")})
    evidence = await listing(story, HITS).gather(QUESTION)
    assert len(evidence.passages) == 1
    assert ANSWER in evidence.passages[0].text


async def test_passages_in_the_order_of_their_page(tell: Tell) -> None:
    text = "".join(f"<p>Limpets return to their scar, note {at}. {'More words of it. ' * 25}</p>" for at in range(3))
    story = tell({HITS[0]: f"<main><h1>Notes</h1>{text}<p>{ANSWER} {'More words of it. ' * 25}</p></main>"})
    pipeline = listing(story, HITS[:1])
    evidence = await pipeline.gather(QUESTION, order="page")
    starts = [passage.start for passage in evidence.passages]
    by_score = await pipeline.gather(QUESTION)
    assert len(starts) > 1
    assert starts == sorted(starts)
    assert [passage.score for passage in by_score.passages] == sorted(
        (passage.score for passage in evidence.passages), reverse=True
    )


@pytest.mark.parametrize(
    "options",
    [
        {"gather_top": 51},
        {"order": "date"},
        {"sites": "a.example"},
        {"sites": ["a b"]},
        {"sites": [f"{at}.example" for at in range(21)]},
        {"cookies": {"a": "b"}},
    ],
)
async def test_wrong_option_of_a_gather_is_refused(tell: Tell, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        await listing(tell({}), HITS).gather(QUESTION, **options)


def test_words_for_search_services() -> None:
    query = Query(text="tides", sites=checked_sites(["a.example", "b.example"]), exclude_sites=("c.example",))
    assert with_site_words(query).text == "tides (site:a.example OR site:b.example) -site:c.example"
    assert with_site_words(Query(text="tides", sites=("a.example",))).text == "tides site:a.example"
    assert with_site_words(Query(text="tides")).text == "tides"
