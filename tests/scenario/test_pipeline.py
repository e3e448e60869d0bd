"""The story of reading and gathering, told over `DictWeb`; properties are those of the extraction system's design."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wellread.errors import (
    Auth,
    Challenge,
    Gone,
    InvalidCursor,
    RateLimited,
    Timeout,
    Unreachable,
    Upstream,
    WellreadError,
)
from wellread.output import print_document
from wellread.types import Request, Response, snapshot_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scenario.story import Pages, Story, Tell

hundred = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

TIDE = "The tide comes in over the flat rocks and leaves a pool where small crabs wait for the dark"


def prose(topic: str, sentences: int = 12) -> str:
    lines = [f"{TIDE}, {i % 7} times over, while {topic} number {i} is told." for i in range(sentences)]
    return "".join(f"<p>{' '.join(lines[i : i + 3])}</p>" for i in range(0, len(lines), 3))


def article(topic: str, sentences: int = 12) -> str:
    return (
        f"<html lang=en><head><title>{topic}</title></head><body><nav><a href=/>Home</a></nav>"
        f"<main><article><h1>All about {topic}</h1>{prose(topic, sentences)}</article></main>"
        "<footer>Imprint</footer></body></html>"
    )


def answer(status: int, body: bytes = b"<p>no</p>", **headers: str) -> Response:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url="http://a.example/", status=status, headers=(("content-type", "text/html"), *named), body=body)


async def test_a_page_is_read_as_clean_text_with_its_facts(tell: Tell) -> None:
    story = tell({"http://a.example/crab": article("crabs")})
    page = await story.pipeline.read("http://a.example/crab")
    assert page.title == "All about crabs"
    assert "All about crabs" in page.text
    assert "Imprint" not in page.text
    assert page.language == "en"
    assert page.status == 200
    assert not page.truncated


async def test_a_cached_page_costs_no_request_and_says_so(tell: Tell) -> None:
    story = tell({"http://a.example/": article("crabs")})
    first = await story.pipeline.read("http://a.example/")
    second = await story.pipeline.read("http://a.example/")
    assert (first.cached, second.cached) == (False, True)
    assert first.text == second.text
    assert len(story.asked()) == 1


@given(minutes=st.floats(min_value=0, max_value=59.9))
@hundred
def test_second_read_within_an_hour(tell: Tell, minutes: float) -> None:
    """Property 14 of seed 001: a second read within 60 minutes makes no request."""

    async def scene() -> None:
        story = tell({"http://a.example/": article("crabs")})
        await story.pipeline.read("http://a.example/")
        story.clock.advance(minutes * 60)
        assert (await story.pipeline.read("http://a.example/")).cached
        assert len(story.asked()) == 1

    anyio.run(scene)


async def test_conditional_request_after_an_hour(tell: Tell) -> None:
    page = replace(answer(200, article("crabs").encode()), headers=(("content-type", "text/html"), ("ETag", '"v1"')))
    pages: Pages = {"http://a.example/": page}
    story = tell(pages)
    first = await story.pipeline.read("http://a.example/")
    story.clock.advance(3601)
    pages["http://a.example/"] = answer(304, b"")
    second = await story.pipeline.read("http://a.example/")
    assert ("If-None-Match", '"v1"') in story.web.asked[1].headers
    assert (second.text, second.cached) == (first.text, True)
    await story.pipeline.read("http://a.example/")
    assert len(story.asked()) == 2


Failure = tuple[Response | WellreadError, type[WellreadError]]
FAILURES: list[Failure] = [
    (answer(404), Gone),
    (answer(410), Gone),
    (answer(401), Auth),
    (answer(429, Retry_After="7"), RateLimited),
    (answer(500), Upstream),
    (answer(403, b"<title>Just a moment...</title>"), Challenge),
    (Timeout("slow"), Timeout),
    (Unreachable("gone fishing"), Unreachable),
]


@given(failure=st.sampled_from(FAILURES), times=st.integers(1, 3))
@hundred
def test_failure_is_not_cached(tell: Tell, failure: Failure, times: int) -> None:
    """Property 15 of seed 001: a failure is not cached."""

    async def scene() -> None:
        pages: Pages = {"http://a.example/": failure[0]}
        story = tell(pages)
        for _ in range(times):
            with pytest.raises(failure[1]):
                await story.pipeline.read("http://a.example/")
        pages["http://a.example/"] = article("crabs")
        page = await story.pipeline.read("http://a.example/")
        assert not page.cached
        assert len(story.asked()) == times + 1

    anyio.run(scene)


async def test_a_rate_limited_page_says_when_to_come_back(tell: Tell) -> None:
    story = tell({"http://a.example/": answer(429, Retry_After="7")})
    with pytest.raises(RateLimited) as caught:
        await story.pipeline.read("http://a.example/")
    assert caught.value.retry_after_s == 7


async def test_a_partial_page_is_flagged_and_never_taken_from_the_cache(tell: Tell) -> None:
    half = replace(answer(200, article("crabs", 40).encode()), partial="connection reset after 2000 bytes")
    story = tell({"http://a.example/": half})
    page = await story.pipeline.read("http://a.example/", max_length=500)
    assert "partial_body" in {notice.code for notice in page.notices}
    following = await story.pipeline.read("http://a.example/", cursor=page.cursor, max_length=500)
    assert following.start == len(page.text)
    await story.pipeline.read("http://a.example/")
    assert len(story.asked()) == 2


async def test_ten_callers_of_one_page_cost_one_request(tell: Tell) -> None:
    story = tell({"http://a.example/": article("crabs")})
    async with anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(story.pipeline.read, "http://a.example/")
    assert len(story.asked()) == 1


async def test_pieces_of_a_long_page_without_a_request(tell: Tell) -> None:
    story = tell({"http://a.example/": article("crabs", 300)})
    whole = await story.pipeline.read("http://a.example/")
    pieces = [await story.pipeline.read("http://a.example/", max_length=900)]
    while pieces[-1].truncated:
        pieces.append(await story.pipeline.read("http://a.example/", cursor=pieces[-1].cursor, max_length=900))
    assert "".join(piece.text for piece in pieces) == whole.text
    assert all(len(piece.text) <= 900 for piece in pieces)
    assert len(pieces) > 10
    assert len(story.asked()) == 1


async def test_old_cursor_of_a_changed_page_reads_the_old_snapshot(
    tell: Tell,
) -> None:
    pages: Pages = {"http://a.example/": article("crabs", 60)}
    story = tell(pages)
    read = story.pipeline.read
    whole = await read("http://a.example/")
    first = await read("http://a.example/", max_length=900)
    pages["http://a.example/"] = article("whelks", 60)
    assert "whelks" in (await read("http://a.example/", max_length=900, fresh=True)).text
    assert "whelks" in (await read("http://a.example/", max_length=900)).text
    told, piece = [first.text], first
    while piece.truncated:
        piece = await read("http://a.example/", cursor=piece.cursor, max_length=900)
        told.append(piece.text)
    assert "".join(told) == whole.text
    assert "".join(told).count("crabs number") == 60


async def test_cursor_of_a_deleted_snapshot_of_an_unchanged_page(tell: Tell) -> None:
    pages: Pages = {"http://a.example/": article("crabs", 100)}
    story = tell(pages)
    first = await story.pipeline.read("http://a.example/", max_length=900)
    story.store.clear()
    second = await story.pipeline.read("http://a.example/", cursor=first.cursor, max_length=900)
    assert second.start == len(first.text)
    story.store.clear()
    pages["http://a.example/"] = article("whelks", 100)
    with pytest.raises(InvalidCursor):
        await story.pipeline.read("http://a.example/", cursor=first.cursor)


@given(count=st.integers(1, 8), chars=st.text("abcdefgh ", min_size=5, max_size=60))
@hundred
def test_headings_and_paragraph_breaks_are_kept(tell: Tell, count: int, chars: str) -> None:
    """Property 6 of seed 001: paragraph breaks and headings are kept."""

    async def scene() -> None:
        marks = [f"Part {i} {chars.strip()}".strip() for i in range(count)]
        body = "".join(f"<h2>{mark}</h2>{prose(f'topic {i}', 6)}" for i, mark in enumerate(marks))
        story = tell({"http://a.example/": f"<main><h1>Whole</h1>{body}</main>"})
        page = await story.pipeline.read("http://a.example/")
        lines = page.text.split("\n\n")
        folded = [" ".join(mark.split()) for mark in marks]
        assert [line[3:] for line in lines if line.startswith("## ")] == folded
        assert sum("number" in line for line in lines) == 2 * count

    anyio.run(scene)


@given(sentences=st.integers(1, 120), title=st.text("abc XYZ", min_size=1, max_size=30))
@hundred
def test_fields_of_every_page(tell: Tell, sentences: int, title: str) -> None:
    """Property 17 of seed 001: a page has its address, text, confidence, method and times."""

    async def scene() -> None:
        url = "http://a.example/x"
        story = tell({url: article(title.strip() or "t", sentences)})
        page = await story.pipeline.read(url)
        assert page.final_url == url
        assert page.text.strip()
        assert 0 <= page.confidence <= 1
        assert page.extraction_method
        assert min(page.fetch_time_ms, page.extraction_time_ms, page.total_time_ms) >= 0
        kept = story.store.by_id(page.snapshot_id)
        assert kept is not None
        assert page.snapshot_id == snapshot_id(print_document(kept.extraction.document, "markdown").text)

    anyio.run(scene)


# ------------------------------------------------------------------------------------------------ gather


async def indexed(tell: Tell, pages: Mapping[str, str]) -> Story:
    story = tell(dict(pages))
    for url in pages:
        await story.pipeline.index(url)
    story.store.clear()
    story.web.asked.clear()
    return story


async def test_an_empty_index_says_why_there_is_nothing(tell: Tell) -> None:
    told = await tell({}).pipeline.gather("where do crabs live")
    assert told.passages == ()
    assert [outcome.code for outcome in told.outcomes] == ["no_results"]
    assert "index" in told.outcomes[0].detail


async def test_gathered_passages_prove_true_and_fall_when_altered(tell: Tell) -> None:
    story = await indexed(tell, {f"http://a.example/{t}": article(t) for t in ("crabs", "whelks", "limpets")})
    told = await story.pipeline.gather("whelks number 3")
    assert told.passages[0].url == "http://a.example/whelks"
    assert all(verdict.ok for verdict in await story.pipeline.verify(told.passages))
    forged = replace(told.passages[0], text=told.passages[0].text.replace("tide", "tithe"))
    assert not (await story.pipeline.verify([forged]))[0].ok


@given(total=st.integers(1, 9), top=st.integers(1, 5), dead=st.sets(st.integers(0, 8), max_size=4))
@hundred
def test_gather_with_gone_pages(tell: Tell, total: int, top: int, dead: set[int]) -> None:
    """Properties 12 and 13 of seed 001: a page that fails does not end a gather, and every passage has its source."""

    async def scene() -> None:
        urls = [f"http://a.example/{i}" for i in range(total)]
        story = await indexed(tell, {url: article(f"crabs {i}") for i, url in enumerate(urls)})
        story.web.pages = {**story.web.pages, **{urls[i]: Gone("gone") for i in dead if i < total}}
        told = await story.pipeline.gather("crabs", gather_top=top)
        alive = total - len([i for i in dead if i < total])
        assert len(told.pages) == min(alive, top)
        assert {missed.code for missed in told.missed} <= {"gone"}
        assert len(told.pages) + len(told.missed) == len(story.asked())
        if alive < top:
            assert len(told.missed) == total - alive
        sources = {page.url: page.snapshot_id for page in told.pages}
        assert all(sources[passage.url] == passage.snapshot_id for passage in told.passages)
        assert all(verdict.ok for verdict in await story.pipeline.verify(told.passages))

    anyio.run(scene)


async def test_no_more_than_three_pages_are_read_at_a_time(tell: Tell) -> None:
    """Property 11 of seed 001: a gather reads 3 pages at a time and 5 in all."""
    story = await indexed(tell, {f"http://a.example/{i}": article(f"crabs {i}") for i in range(8)})
    running: list[int] = []
    peak: list[int] = []
    three = anyio.Event()
    fetch = story.web.fetch

    async def counted(request: Request) -> Response:
        running.append(1)
        peak.append(len(running))
        if len(running) == 3:
            three.set()
        await three.wait()
        running.pop()
        return await fetch(request)

    story.web.fetch = counted  # type: ignore[method-assign] # counts, then does the same
    with anyio.fail_after(60):
        told = await story.pipeline.gather("crabs", num_results=8)
    assert len(told.pages) == 5
    assert max(peak) == 3


async def test_two_addresses_of_one_text_count_once_and_the_second_is_named(tell: Tell) -> None:
    same = article("crabs")
    story = await indexed(tell, {"http://a.example/1": same, "http://a.example/2": same})
    told = await story.pipeline.gather("crabs")
    assert len(told.pages) == 1
    assert [missed.code for missed in told.missed] == ["duplicate"]
