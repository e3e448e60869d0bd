"""A gather without an answer: what is read from kept snapshots, and how the rest is told in words and by numbers."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scenario.gathers import ANSWER, QUESTION, listing, page, urls
from scenario.interfaces import connected, http, settings
from wellread import sync, wrapped
from wellread.apps import exit_codes
from wellread.apps.cli import app
from wellread.apps.commands.demo import HOME, SITE
from wellread.errors import Gone, RateLimited, Unreachable
from wellread.reading.pipeline import Pipeline
from wellread.types import Found, Gathered, Hit, Missed, ProviderOutcome

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from scenario.story import Pages, Story, Tell
    from wellread.ports import Query

LAMP = "Why was the lamp of the lighthouse changed?"

# -------------------------------------------------------------------------------------------- what is kept


async def indexed(tell: Tell) -> tuple[Story, Pages, str]:
    """Keep the page that answers in the index alone; return the web that has it, too, and its URL."""
    url = urls(1)[0]
    pages: Pages = {url: page("limpets", ANSWER)}
    story = tell(pages)
    await story.pipeline.index(url)
    story.store.clear()
    return story, pages, url


async def test_indexed_page_is_read_from_the_index_without_network(tell: Tell) -> None:
    story, pages, url = await indexed(tell)
    pages.clear()
    told = await story.pipeline.gather(QUESTION)
    assert ANSWER in told.passages[0].text
    (notice,) = (notice for notice in told.notices if notice.code == "kept_snapshot")
    assert url in notice.detail
    assert "unreachable" in notice.detail
    assert "2026-01-01" in notice.detail
    assert notice in told.pages[0].notices
    assert told.pages[0].cached
    assert told.missed == ()
    assert all(verdict.ok for verdict in await story.pipeline.verify(told.passages))


async def test_stale_snapshot_replaces_an_unreachable_page(tell: Tell) -> None:
    url = urls(1)[0]
    pages: Pages = {url: page("limpets", ANSWER)}
    story = tell(pages)
    await story.pipeline.read(url)
    story.clock.advance(7_200)
    pages[url] = RateLimited("asked too often", url=url)
    told = await listing(story, [url]).gather(QUESTION)
    assert ANSWER in told.passages[0].text
    assert [notice.code for notice in told.notices] == ["kept_snapshot"]


async def test_of_two_copies_the_newer_one_is_taken(tell: Tell) -> None:
    url = urls(1)[0]
    pages: Pages = {url: page("limpets", "Limpets return to their scar for no reason that anybody knows.")}
    story = tell(pages)
    await story.pipeline.index(url)
    story.clock.advance(7_200)
    pages[url] = page("limpets", ANSWER)
    await story.pipeline.read(url)
    story.clock.advance(7_200)
    pages.clear()
    told = await story.pipeline.gather(QUESTION)
    assert any(ANSWER in passage.text for passage in told.passages)


async def test_a_page_that_is_gone_is_missed_whatever_is_kept(tell: Tell) -> None:
    story, pages, url = await indexed(tell)
    pages[url] = Gone(f"{url} answered 404", url=url)
    told = await story.pipeline.gather(QUESTION)
    assert [missed.code for missed in told.missed] == ["gone"]
    assert told.passages == ()


async def test_another_search_service_cannot_make_the_index_tell(tell: Tell) -> None:
    story, pages, url = await indexed(tell)
    pages.clear()
    told = await listing(story, [url]).gather(QUESTION)
    assert [missed.code for missed in told.missed] == ["unreachable"]
    assert told.passages == ()


# ---------------------------------------------------------------------------------- the notice and its words


class Down:
    """A `Searcher` whose services failed, and whose local index had nothing either."""

    async def search(self, query: Query) -> Found:
        ended = (
            ProviderOutcome(provider="brave", code="quota"),
            ProviderOutcome(provider="mojeek", code="timeout"),
            ProviderOutcome(provider="local", code="no_results"),
        )
        return Found(query=query.text, hits=(), outcomes=ended)


def unserved(story: Story) -> Pipeline:
    return Pipeline(replace(story.pipeline.parts, searcher=Down()))


async def test_that_no_search_service_answered_is_told(tell: Tell) -> None:
    (notice,) = (await unserved(tell({})).gather(QUESTION)).notices
    assert notice.code == "no_passages"
    assert notice.detail == "no search service answered (brave: quota, mojeek: timeout)"


async def test_that_the_search_found_nothing_is_told(tell: Tell) -> None:
    (notice,) = (await listing(tell({}), []).gather(QUESTION)).notices
    assert notice.code == "no_passages"
    assert notice.detail == "the search found nothing"


async def test_that_no_page_could_be_read_is_told_with_the_reasons(tell: Tell) -> None:
    hits = urls(3)
    story = tell({hits[0]: Gone("gone"), hits[1]: Unreachable("down"), hits[2]: Gone("gone")})
    (notice,) = (await listing(story, hits).gather(QUESTION)).notices
    assert notice.code == "no_passages"
    assert notice.detail == "none of the pages found could be read (2 gone, 1 unreachable)"


async def test_that_no_page_has_a_word_of_the_question_is_told(tell: Tell) -> None:
    story = tell({url: page(url[7:9]) for url in urls(2)})
    told = await listing(story, urls(2)).gather("Quantum chromodynamics lattice")
    (notice,) = told.notices
    assert (notice.code, told.passages) == ("no_passages", ())
    assert notice.detail == "no page that was read contains a word of the question (2 pages)"


async def test_passages_that_are_all_weak_are_handed_on_and_called_so(tell: Tell) -> None:
    story = tell({url: page(url[7:9]) for url in urls(2)})
    told = await listing(story, urls(2)).gather("Does quantum chromodynamics on a lattice explain how a boat floats?")
    assert told.passages
    (notice,) = told.notices
    assert (notice.code, notice.count) == ("weak_passages", len(told.passages))
    assert notice.detail in wrapped(told)


async def test_a_good_answer_has_no_notice(tell: Tell) -> None:
    story = tell({url: page(url[7:9], ANSWER) for url in urls(1)})
    assert (await listing(story, urls(1)).gather(QUESTION)).notices == ()


# ------------------------------------------------------------------------------------------------ the interfaces


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder whose local index holds a page of the site, read from its recording, and whose cache is empty."""
    with sync.Web(settings(tmp_path), replay=SITE) as web:
        assert web.index(HOME + "faq")
    assert command(tmp_path, "cache", "clear").exit_code == 0
    return tmp_path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A recording in which none of these pages is."""
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nquiet\n"
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://other.example/\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    file = tmp_path / "elsewhere.warc"
    file.write_bytes(head.encode() + answer + b"\r\n\r\n")
    return file


def command(library: Path, name: str, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["--set", f"cache.dir={library}", name, *arguments])


def test_an_index_made_by_a_replay_answers_without_the_recording(library: Path, elsewhere: Path) -> None:
    done = command(library, "gather", LAMP, "--provider", "local", "--replay", str(elsewhere))
    assert done.exit_code == 0
    assert "storm petrels" in done.stdout
    assert "kept_snapshot" in done.stderr
    assert "unrecorded" in done.stderr


@pytest.mark.parametrize("shape", [(), ("--json",), ("--jsonl",), ("--wrapped",)])
def test_exit_code_of_a_gather_without_search_services(library: Path, elsewhere: Path, shape: tuple[str, ...]) -> None:
    done = command(library, "gather", "zebra", "--provider", "tavily", "--replay", str(elsewhere), *shape)
    assert done.exit_code == 5
    assert "no_passages" in done.output


def test_exit_code_of_a_search_without_search_services(library: Path, elsewhere: Path) -> None:
    done = command(library, "search", "zebra", "--provider", "tavily", "--replay", str(elsewhere), "--json")
    assert done.exit_code == 5
    assert json.loads(done.stdout)["hits"] == []


@pytest.mark.parametrize("name", ["search", "gather"])
def test_what_is_honestly_not_there_is_done(library: Path, elsewhere: Path, name: str) -> None:
    done = command(library, name, "zebra", "--provider", "local", "--replay", str(elsewhere))
    assert done.exit_code == 0
    assert "no_results" in done.stderr


@pytest.mark.parametrize(
    ("codes", "number"),
    [
        (["gone", "unreachable", "robots"], 5),
        (["not_reached"], 5),
        (["robots", "gone"], 6),
        (["robots", "blocked_address"], 4),
    ],
)
def test_exit_code_of_a_gather_without_readable_pages(codes: list[str], number: int) -> None:
    missed = tuple(Missed(url, code, "") for url, code in zip(urls(len(codes)), codes, strict=True))
    told = Gathered(
        query=QUESTION,
        hits=tuple(Hit(title=each.url, url=each.url) for each in missed),
        pages=(),
        passages=(),
        missed=missed,
        outcomes=(),
        search_time_ms=0,
        gather_time_ms=0,
    )
    assert exit_codes.gather_exit_code(told) == number


async def test_every_other_interface_tells_of_it_too(tmp_path: Path) -> None:
    async with http(settings(tmp_path)) as client:
        answer = (await client.post("/v1/gather", json={"question": "zebra"})).json()
    assert [notice["code"] for notice in answer["notices"]] == ["no_passages"]
    async with connected(tmp_path, "http", "auto") as client:
        result = await client.call_tool("web_gather", {"question": "zebra"})
    assert "Warning: no_passages: the search found nothing" in str(result.content)
