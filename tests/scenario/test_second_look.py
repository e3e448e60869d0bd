"""When a page is read a second time in the browser, and which of two readings is handed on; no browser, no network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from scenario.story import Story
from wellread.errors import BlockedAddress, BrowserFailed, Empty, InvalidInput, WellreadError
from wellread.ports import Rendering
from wellread.reading.pipeline import Pipeline
from wellread.testing import HTML
from wellread.types import Request, Response

if TYPE_CHECKING:
    from collections.abc import Iterator

URL = "https://boats.example/"
LONG = "<title>Boats</title><h1>Boats</h1>" + "<p>Every boat that leaves at dawn is written into the ledger.</p>" * 20
SHELL = "<title>Boats</title><p>Loading</p><script>go()</script>"
BARE = "<title>Boats</title><div id=app></div><script>go()</script>"


@dataclass
class Screen:
    """A renderer that shows what it was told to."""

    shows: str | WellreadError
    status: int = 200
    is_provisional: bool = False
    asked: list[Request] = field(default_factory=list)

    async def render(self, request: Request) -> Rendering:
        self.asked.append(request)
        if isinstance(self.shows, WellreadError):
            raise self.shows
        response = Response(url=request.url, status=self.status, headers=HTML, body=self.shows.encode())
        return Rendering(response=response, is_provisional=self.is_provisional)


class Twice:
    def __init__(self, page: str, screen: Screen) -> None:
        self.story = Story({URL: page})
        self.screen = screen
        self.pipeline = Pipeline(replace(self.story.pipeline.parts, renderer=screen))


Make = Callable[..., Twice]


@pytest.fixture
def made() -> Iterator[list[Twice]]:
    told: list[Twice] = []
    yield told
    for each in told:
        each.story.store.close()
        each.story.index.close()


@pytest.fixture
def twice(made: list[Twice]) -> Make:
    def make(page: str, shows: str | WellreadError, **screen: object) -> Twice:
        made.append(Twice(page, Screen(shows, **screen)))  # type: ignore[arg-type]  # names checked there
        return made[-1]

    return make


@pytest.mark.parametrize("page", [SHELL, BARE])
async def test_what_scripts_would_show_is_rendered(twice: Make, page: str) -> None:
    """Property 8 of seed 001: a thin page is rendered, if its scripts would show more."""
    look = twice(page, LONG)
    read = await look.pipeline.read(URL)
    assert read.rendered
    assert read.word_count > 200


@pytest.mark.parametrize("page", [LONG + "<script>go()</script>", "<title>x</title><p>Closed today.</p>"])
async def test_what_is_long_or_has_no_scripts_is_not(twice: Make, page: str) -> None:
    look = twice(page, LONG)
    assert not (await look.pipeline.read(URL)).rendered
    assert look.screen.asked == []


async def test_a_gather_and_a_find_look_twice_too(twice: Make) -> None:
    look = twice(BARE, LONG)
    assert (await look.pipeline.find(URL, "ledger")).total == 20


async def test_a_find_looks_through_the_rendered_page_where_that_is_wanted(twice: Make) -> None:
    look = twice(LONG, LONG + "<p>By script.</p>")
    assert (await look.pipeline.find(URL, "by script")).total == 0
    found = await look.pipeline.find(URL, "by script", render="always")
    assert (found.total, found.rendered) == (1, True)
    with pytest.raises(InvalidInput, match="render"):
        await look.pipeline.find(URL, "x", render="sometimes")  # type: ignore[arg-type]  # what no type checker saw


async def test_a_find_says_that_it_looked_through_less_than_was_wanted(twice: Make) -> None:
    found = await twice(LONG, BrowserFailed("lost")).pipeline.find(URL, "by script", render="always")
    assert (found.total, found.rendered) == (0, False)
    assert [notice.code for notice in found.notices] == ["not_rendered"]


async def test_a_failure_to_render_leaves_the_first_reading_and_says_why(twice: Make) -> None:
    look = twice(SHELL, BrowserFailed("no Chromium was found", hint="install one"))
    page = await look.pipeline.read(URL)
    assert not page.rendered
    (notice,) = [notice for notice in page.notices if notice.code == "not_rendered"]
    assert "no Chromium was found" in notice.detail
    assert "install one" in notice.detail


async def test_the_reason_is_not_kept_with_the_page(twice: Make) -> None:
    look = twice(SHELL, BrowserFailed("lost"))
    await look.pipeline.read(URL)
    look.screen.shows = LONG
    again = await look.pipeline.read(URL)
    assert again.rendered
    assert all(notice.code != "not_rendered" for notice in again.notices)
    assert len(look.story.asked()) == 1


async def test_an_empty_page_that_cannot_be_rendered_is_still_empty(twice: Make) -> None:
    look = twice(BARE, BrowserFailed("no Chromium was found", hint="install one"))
    with pytest.raises(Empty) as caught:
        await look.pipeline.read(URL)
    assert "install one" in caught.value.hint


async def test_what_is_refused_in_the_browser_is_refused(twice: Make) -> None:
    look = twice(SHELL, BlockedAddress("it leads inwards"))
    with pytest.raises(BlockedAddress):
        await look.pipeline.read(URL)


async def test_a_rendering_that_lost_what_was_there_is_not_handed_on(twice: Make) -> None:
    some = "<title>x</title>" + "<p>A boat came in at noon today.</p>" * 4 + "<script>go()</script>"
    look = twice(some, "<title>x</title><p>Error.</p>")
    page = await look.pipeline.read(URL)
    assert not page.rendered
    assert "noon" in page.text


async def test_a_bot_check_in_the_browser_is_no_page(twice: Make) -> None:
    look = twice(SHELL, "<title>x</title><p>Verify you are human</p>", status=403)
    page = await look.pipeline.read(URL)
    assert any(notice.code == "not_rendered" for notice in page.notices)


async def test_a_page_that_was_still_loading_is_not_kept_as_the_page(twice: Make) -> None:
    look = twice(BARE, LONG, is_provisional=True)
    first = await look.pipeline.read(URL, max_length=300)
    await look.pipeline.read(URL)
    assert len(look.screen.asked) == 2
    rest = await look.pipeline.read(URL, cursor=first.cursor)
    assert rest.cached


async def test_always_renders_first_and_never_does_not(twice: Make) -> None:
    look = twice(LONG, LONG + "<p>By script.</p>")
    assert "By script" in (await look.pipeline.read(URL, render="always")).text
    assert look.story.asked() == []
    assert "By script" not in (await look.pipeline.read(URL, render="never")).text


async def test_another_word_for_render_is_refused(twice: Make) -> None:
    with pytest.raises(InvalidInput, match="render"):
        await twice(LONG, LONG).pipeline.read(URL, render="sometimes")  # type: ignore[arg-type]  # what no type checker saw
