"""Gathering: which pages make the answer, what is told on the way, and what is named when time or pages run out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parts import replace_parts
from scenario.gathers import ANSWER, QUESTION, counts, listing, page, steps_of, urls
from scenario.loopback import FETCH, serving, then_resets, then_silence, whole
from wellread import Settings, Web
from wellread.config import CacheSettings, GatherSettings, NetSettings, SearchSettings
from wellread.errors import InvalidInput, Timeout, Unreachable
from wellread.ports import Access, Query
from wellread.search.providers.searxng import SearXNG
from wellread.types import Found, Gathered, Missed, Page
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scenario.story import Pages, Tell
    from wellread.types import Request, Response

hundred = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

# ------------------------------------------------------------------------------------------ told as it comes


async def test_order_of_the_steps_of_a_gather(tell: Tell) -> None:
    hits = urls(4)
    story = tell({hits[0]: page("one", ANSWER), hits[1]: Unreachable("down"), hits[2]: page("two"), hits[3]: page("3")})
    steps = await steps_of(listing(story, hits, pages=3, concurrency=1))
    assert [type(step) for step in steps] == [Found, Page, Missed, Page, Page, Gathered]
    told = steps[-1]
    assert isinstance(told, Gathered)
    assert told.pages == tuple(step for step in steps if isinstance(step, Page))
    assert told.missed == tuple(step for step in steps if isinstance(step, Missed))
    assert ANSWER in told.passages[0].text


ENDLESS: dict[str, Any] = {"timeout_s": 3_600.0, "page_timeout_s": 3_600.0}  # Any: fields of the section
"""Of a gather that no deadline ends."""


async def test_a_page_is_told_while_a_slower_one_is_still_being_read(tell: Tell) -> None:
    story = tell({url: page(url[7:9]) for url in urls(2)})
    go_on, fetch = anyio.Event(), story.web.fetch

    async def held(request: Request) -> Response:
        if request.url == urls(2)[0]:
            await go_on.wait()
        return await fetch(request)

    story.web.fetch = held  # type: ignore[method-assign]  # holds one page back
    with anyio.fail_after(60):
        async with listing(story, urls(2), **ENDLESS).gathering(QUESTION) as steps:
            first = [await anext(steps), await anext(steps)]
            assert isinstance(first[1], Page)
            assert first[1].url == urls(2)[1]
            go_on.set()
            rest = [step async for step in steps]
    told = rest[-1]
    assert isinstance(told, Gathered)
    assert [it.url for it in told.pages] == urls(2)


async def test_leaving_the_block_ends_the_work(tell: Tell) -> None:
    story = tell({url: page(url[7:9]) for url in urls(5)})
    ended, fetch = [], story.web.fetch

    async def endless(request: Request) -> Response:
        if request.url != urls(1)[0]:
            try:
                await anyio.sleep_forever()
            finally:
                ended.append(request.url)
        return await fetch(request)

    story.web.fetch = endless  # type: ignore[method-assign]  # never answers but once
    with anyio.fail_after(60):
        async with listing(story, urls(5), **ENDLESS).gathering(QUESTION) as steps:
            async for step in steps:
                if isinstance(step, Page):
                    break
    assert len(ended) >= 2


async def test_what_is_raised_inside_the_block_leaves_it_as_it_is(tell: Tell) -> None:
    story = tell({url: page(url[7:9]) for url in urls(2)})
    with pytest.raises(LookupError, match="mine"):
        async with listing(story, urls(2)).gathering(QUESTION):
            raise LookupError("mine")


async def test_an_empty_question_is_refused_before_anything_is_asked(tell: Tell) -> None:
    pipeline = listing(tell({}), urls(2))
    with pytest.raises(InvalidInput):
        await pipeline.gather("  ")
    assert counts(pipeline) == []


@pytest.mark.parametrize("wrong", [{"gather_top": 0}, {"gather_top": -1}, {"num_results": 0}])
async def test_less_than_one_page_or_result_is_refused(tell: Tell, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as caught:
        await listing(tell({}), urls(2)).gather(QUESTION, **wrong)
    assert caught.value.hint == "use at least 1"


# ------------------------------------------------------------------------------------------------- deadline


async def test_gather_at_its_deadline(tell: Tell) -> None:
    hits = urls(6)
    story = tell({url: page(url[7:9], ANSWER) for url in hits})
    fetch = story.web.fetch

    async def slow(request: Request) -> Response:
        if request.url in hits[1:4]:
            await anyio.sleep_forever()
        return await fetch(request)

    story.web.fetch = slow  # type: ignore[method-assign]  # three pages never come
    with anyio.fail_after(60):
        told = await listing(story, hits, timeout_s=2.0).gather(QUESTION)
    assert [it.url for it in told.pages] == hits[:1]
    assert ANSWER in told.passages[0].text
    assert {(it.url, it.code) for it in told.missed} == {
        *((url, "timeout") for url in hits[1:4]), *((url, "not_reached") for url in hits[4:]),
    }  # fmt: skip
    assert all("2 s" in it.reason for it in told.missed)


async def test_hits_beyond_the_target_are_not_missed_at_the_deadline(tell: Tell) -> None:
    class Slow:
        async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            del texts
            await anyio.sleep_forever()
            raise AssertionError

    story = tell({url: page(url[7:9], ANSWER) for url in urls(6)})
    with anyio.fail_after(60):
        told = await listing(story, urls(6), embedder=Slow(), pages=2, timeout_s=3.0).gather(QUESTION)
    assert len(told.pages) == 2
    assert told.missed == ()
    assert [notice.code for notice in told.notices] == ["embeddings_failed"]
    assert told.passages


async def test_a_search_that_outlasts_the_deadline_is_a_timeout_with_a_hint(tell: Tell) -> None:
    class Silent:
        async def search(self, query: Query) -> Found:
            del query
            await anyio.sleep_forever()
            raise AssertionError

    pipeline = listing(tell({}), [], timeout_s=0.05)
    replace_parts(pipeline, searcher=Silent())
    with anyio.fail_after(60), pytest.raises(Timeout) as caught:
        await pipeline.gather(QUESTION)
    assert "gather.timeout_s" in caught.value.hint


# ----------------------------------------------------------------------------------------------- duplicates


async def test_nearly_the_same_text_counts_once_and_makes_room_for_the_next(tell: Tell) -> None:
    original = page("limpets", ANSWER)
    mirror = original.replace("note 5", "note five").replace("<p></p>", "<p>Shared by a mirror.</p>")
    hits = urls(3)
    story = tell({hits[0]: original, hits[1]: mirror, hits[2]: page("whelks")})
    told = await listing(story, hits, pages=2, concurrency=1).gather(QUESTION)
    assert [it.url for it in told.pages] == [hits[0], hits[2]]
    assert told.missed == (Missed(hits[1], "duplicate", f"the same text as {hits[0]}"),)


async def test_pages_of_one_template_about_other_things_are_no_duplicates(tell: Tell) -> None:
    story = tell({url: page(f"village {url[8]}") for url in urls(5)})
    told = await listing(story, urls(5)).gather(QUESTION)
    assert len(told.pages) == 5


async def test_another_spelling_of_an_address_is_not_read_again(tell: Tell) -> None:
    hits = ["http://a.example/x", "https://www.a.example/x/?utm_source=mail", "http://b.example/"]
    story = tell({url: page(url[7:9], ANSWER) for url in hits})
    told = await listing(story, hits, concurrency=1).gather(QUESTION)
    assert story.asked() == [hits[0], hits[2]]
    assert [(it.url, it.code) for it in told.missed] == [(hits[1], "duplicate")]


async def test_another_address_of_a_dead_page_is_tried(tell: Tell) -> None:
    hits = ["http://a.example/x", "https://a.example/x"]
    story = tell({hits[0]: Unreachable("down"), hits[1]: page("a", ANSWER)})
    told = await listing(story, hits, concurrency=1).gather(QUESTION)
    assert [it.url for it in told.pages] == hits[1:]


# --------------------------------------------------------------------------------------- whatever happens


@given(
    fates=st.lists(st.sampled_from(["good", "dead", "twin"]), min_size=1, max_size=14),
    top=st.integers(1, 5),
    known=st.booleans(),
)
@hundred
def test_gather_accounts_for_every_hit(tell: Tell, fates: list[str], top: int, *, known: bool) -> None:
    """Properties 11, 12 and 13 of seed 001: limits, failures and sources of a gather."""

    async def scene() -> None:
        hits = urls(len(fates))
        good = {url: page(f"village {at}", ANSWER if known else "") for at, url in enumerate(hits)}
        pages: Pages = {}
        for url, fate in zip(hits, fates, strict=True):
            pages[url] = Unreachable("down") if fate == "dead" else page("same") if fate == "twin" else good[url]
        story = tell(pages)
        running: set[str] = set()
        at_once, fetch = [0], story.web.fetch

        async def counted(request: Request) -> Response:
            running.add(request.url)
            at_once.append(len(running))
            await anyio.lowlevel.checkpoint()
            try:
                return await fetch(request)
            finally:
                running.discard(request.url)

        story.web.fetch = counted  # type: ignore[method-assign]  # notes how many are under way
        pipeline = listing(story, hits)
        told = await pipeline.gather(QUESTION, gather_top=top)
        assert max(at_once) <= 3
        named = [*(it.url for it in told.pages), *(it.url for it in told.missed)]
        assert len(told.pages) <= top
        assert sorted(named) == sorted(set(named)) == sorted(story.asked())
        alive = sum(fate == "good" for fate in fates[:10]) + ("twin" in fates[:10])
        assert len(told.pages) >= min(top, alive)
        sources = {it.url: it.snapshot_id for it in told.pages}
        assert all(sources[it.url] == it.snapshot_id for it in told.passages)
        assert all(verdict.ok for verdict in await pipeline.verify(told))

    anyio.run(scene)


# --------------------------------------------------------------------------------------- over real HTTP


async def test_four_unreadable_hits_are_replaced_and_named(tmp_path: Path) -> None:
    async with serving() as server:
        good = [f"/good{at}" for at in range(5)]
        order = ["/dead", good[0], "/gone", "/slow", "/wall", *good[1:]]
        server.paths |= {path: whole(page(path, ANSWER).encode(), Content_Type="text/html") for path in good}
        server.paths["/dead"] = then_resets(b"")
        server.paths["/slow"] = then_silence(b"")
        server.paths["/wall"] = whole(b"<title>Just a moment...</title>", "403 Forbidden", Content_Type="text/html")
        asked = SearXNG().request(Query(text=QUESTION, count=10), Access(base_url=server.url("")))
        results = [{"url": server.url(path), "title": path, "content": ""} for path in order]
        found = json.dumps({"query": QUESTION, "results": results, "unresponsive_engines": []}).encode()
        server.paths[asked.url.removeprefix(server.url(""))] = whole(found, Content_Type="application/json")
        settings = Settings(
            net=NetSettings(allow_hosts=(f"127.0.0.1:{server.port}",), per_host=4),
            fetch=FETCH,
            cache=CacheSettings(dir=tmp_path),
            search=SearchSettings(providers=("searxng",), urls={"searxng": Address(server.url(""))}),
            gather=GatherSettings(page_timeout_s=5.0),
        )
        with anyio.fail_after(60):
            async with Web(settings) as web:
                told = await web.gather(QUESTION)
                verdicts = await web.verify(told.passages)
        assert sorted(it.url for it in told.pages) == sorted(server.url(path) for path in good)
        assert {it.url.rpartition("/")[2]: it.code for it in told.missed} == {
            "dead": "unreachable", "gone": "gone", "slow": "timeout", "wall": "challenge",
        }  # fmt: skip
        assert all(verdict.ok for verdict in verdicts)
        assert told.passages
