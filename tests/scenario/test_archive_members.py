"""Members of archives through the pipeline, the command line and the operations: one fetch, cursors, citations."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from unit.archive_files import TEXT, zip_file
from wellread.apps.cli import app
from wellread.apps.operations.arguments import ReadArguments
from wellread.apps.operations.handlers import HandlerContext, read
from wellread.config import Settings
from wellread.errors import BlockedAddress, InvalidInput, InvalidUrl
from wellread.net import guard
from wellread.output import print_document
from wellread.rank.passages import passages
from wellread.types import Response

if TYPE_CHECKING:
    from pathlib import Path

    from scenario.story import Story, Tell

pytestmark = pytest.mark.anyio

URL = "https://files.example/tides.zip"
LONG = "\n\n".join(f"On day {day} {TEXT}" for day in range(1, 60))
MEMBERS = {"a.md": LONG, "b.md": f"# Weather\n\n{TEXT * 6}", "page.html": f"<h1>Shore</h1><p>{TEXT * 6}</p>"}


def answer(url: str = URL, **changes: object) -> Response:
    response = Response(
        url=url,
        status=200,
        headers=(("content-type", "application/zip"), ("etag", '"1"')),
        body=zip_file(MEMBERS),
    )
    return replace(response, **changes)  # type: ignore[arg-type]  # fields of a response


async def test_two_members_cost_one_fetch(tell: Tell) -> None:
    story = tell({URL: answer()})
    listed = await story.pipeline.read(URL)
    first = await story.pipeline.read(f"{URL}!/a.md")
    second = await story.pipeline.read(URL, member="b.md")
    assert story.asked() == [URL]
    assert "| b.md |" in listed.text
    assert ("On day 59" in first.text, second.title) == (True, "Weather")
    assert (first.url, second.final_url) == (f"{URL}!/a.md", f"{URL}!/b.md")
    assert first.snapshot_id != second.snapshot_id


async def test_member_of_a_download_link(tell: Tell) -> None:
    link = "https://files.example/get?id=5"
    story = tell({link: answer(link)})
    page = await story.pipeline.read(link, member="b.md")
    again = await story.pipeline.read(page.final_url)
    assert story.asked() == [link]
    assert (again.text, again.cached) == (page.text, True)


async def test_cursor_continues_its_member(tell: Tell) -> None:
    story = tell({URL: answer()})
    piece = await story.pipeline.read(URL, member="a.md", max_length=1500)
    text = piece.text
    await story.pipeline.read(URL, member="b.md")
    while piece.cursor:
        piece = await story.pipeline.read(piece.url, cursor=piece.cursor, max_length=1500)
        text += piece.text
    assert text == (await story.pipeline.read(URL, member="a.md")).text
    assert story.asked() == [URL]


async def test_cited_member_is_proven(tell: Tell) -> None:
    story = tell({URL: answer()})
    page = await story.pipeline.read(URL, member="b.md")
    snapshot = story.store.by_id(page.snapshot_id)
    assert snapshot is not None
    cited = passages(print_document(snapshot.extraction.document, "markdown"), snapshot, chars=400)
    assert {passage.url for passage in cited} == {f"{URL}!/b.md"}
    verdicts = await story.pipeline.verify(cited, read_again=True)
    assert [verdict.reason for verdict in verdicts] == ["stands"] * len(cited)


async def test_name_with_dots_has_its_own_key(tell: Tell) -> None:
    secret = "https://files.example/page"
    hostile = zip_file({"../page": f"Planted. {TEXT * 6}"})
    story = tell({URL: answer(body=hostile), secret: f"<p>{TEXT * 9}"})
    page = await story.pipeline.read(URL, member="../page")
    assert page.text.startswith("Planted")
    assert "Planted" not in (await story.pipeline.read(secret)).text


async def test_stale_archive_is_revalidated(tell: Tell) -> None:
    story = tell({URL: answer()})
    await story.pipeline.read(URL, member="a.md")
    story.clock.advance(7200)
    story.web.pages = {URL: Response(url=URL, status=304, headers=(), body=b"")}
    page = await story.pipeline.read(URL, member="b.md")
    assert page.title == "Weather"
    assert dict(story.web.asked[-1].headers)["If-None-Match"] == '"1"'


async def test_member_of_a_page(tell: Tell) -> None:
    story = tell({URL: f"<p>{TEXT * 9}"})
    with pytest.raises(InvalidInput) as caught:
        await story.pipeline.read(f"{URL}!/a.md")
    assert "%21" in caught.value.hint


async def test_download_of_a_member(tell: Tell, tmp_path: Path) -> None:
    story = tell({URL: answer()})
    with pytest.raises(InvalidInput, match="is a member of an archive") as caught:
        await story.pipeline.download(f"{URL}!/a.md", to=tmp_path)
    assert f"download {URL}" in caught.value.hint
    assert story.asked() == []


async def test_member_given_twice(tell: Tell) -> None:
    story = tell({URL: answer()})
    with pytest.raises(InvalidInput, match="already"):
        await story.pipeline.read(f"{URL}!/a.md", member="b.md")


async def test_literal_path_with_the_separator(tell: Tell) -> None:
    url = "https://files.example/wow!/page"
    story = tell({url: f"<p>{TEXT * 9}"})
    assert TEXT.strip() in (await story.pipeline.read(url)).text
    assert story.asked() == [url]


async def test_html_member_is_not_rendered(tell: Tell) -> None:
    story = tell({URL: answer()})
    page = await story.pipeline.read(URL, member="page.html", render="always")
    assert "not_rendered" in [warning.code for warning in page.notices]


@pytest.mark.parametrize("url", ["http://127.0.0.1/x.zip!/a.md", "http://169.254.169.254/x.zip!/https://a.example/"])
def test_guard_sees_the_archive(url: str) -> None:
    from wellread.apps.build import _cache_key

    with pytest.raises(BlockedAddress):
        _cache_key(guard.read_policy(Settings().net), url, "balanced")
    with pytest.raises(InvalidUrl):
        _cache_key(guard.read_policy(Settings().net), "file:///etc/x.zip!/a.md", "balanced")


async def test_operation_reads_a_member(tell: Tell) -> None:
    story = tell({URL: answer()})
    page = await read(means_of(story), ReadArguments(url=URL, member="b.md"))
    assert page.title == "Weather"


def means_of(story: Story) -> HandlerContext:
    async def tell(_event: object) -> None:
        """Drop the event."""

    nothing: Any = None  # Any: neither a browser nor files are used
    web: Any = story.pipeline  # Any: the part of a `Web` that reads
    return HandlerContext(web=web, sessions=nothing, workspace=nothing, caller=None, tell=tell)


def test_member_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tides.zip"
    path.write_bytes(zip_file(MEMBERS))
    done = CliRunner().invoke(app, ["extract", str(path), "--member", "b.md", "--json"])
    assert json.loads(done.stdout)["title"] == "Weather"
    listed = CliRunner().invoke(app, ["extract", str(path)])
    assert "| b.md |" in listed.stdout
    refused = CliRunner().invoke(app, ["extract", str(path), str(path), "--member", "b.md"])
    assert refused.exit_code == 2
