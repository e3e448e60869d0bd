"""Many URLs in one call: order, errors in their places, bounded work, and an end that leaves nothing running."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import anyio
import pytest

from scenario.interfaces import settings
from scenario.test_pipeline import answer, article
from wellread import sync
from wellread.apps.commands.demo import HOME, SITE
from wellread.errors import InvalidInput, InvalidUrl, Unrecorded, WellreadError
from wellread.net.ordered_results import MAX_AHEAD_PER_WORKER
from wellread.types import Page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scenario.story import Story, Tell
    from wellread.types import Request, Response

COUNT = 60


def shown(result: Page | WellreadError) -> str:
    return result.code if isinstance(result, WellreadError) else result.url


def urls(count: int = COUNT, hosts: int = 9) -> list[str]:
    return [f"http://h{number % hosts}.example/{number}" for number in range(count)]


class Meter:
    """Lets fetches of a story end in a mixed-up order, and counts those under way, in all and of a host."""

    def __init__(self, story: Story) -> None:
        self.most = self.most_of_host = 0
        self._under_way: list[str] = []
        self._fetch = story.web.fetch
        story.web.fetch = self.fetch  # type: ignore[method-assign]  # the story's own pages, later

    async def fetch(self, request: Request) -> Response:
        host = request.url.split("/")[2]
        self._under_way.append(host)
        self.most = max(self.most, len(self._under_way))
        self.most_of_host = max(self.most_of_host, self._under_way.count(host))
        try:
            for _ in range(hash(request.url) % 7 + 1):
                await anyio.lowlevel.checkpoint()
            return await self._fetch(request)
        finally:
            self._under_way.remove(host)


def story_of(tell: Tell, asked: list[str]) -> Story:
    dead = answer(404)
    return tell({url: dead if number % 5 == 3 else article("crabs", 2) for number, url in enumerate(asked)})


async def test_results_come_in_the_order_of_the_urls(tell: Tell) -> None:
    asked = urls()
    meter = Meter(story := story_of(tell, asked))
    results = [shown(result) async for result in story.pipeline.read_many(asked, concurrency=6)]
    assert results == ["gone" if number % 5 == 3 else url for number, url in enumerate(asked)]
    assert 1 < meter.most <= 6
    assert meter.most_of_host <= 2


async def test_an_error_stands_in_the_place_of_its_page(tell: Tell) -> None:
    story = tell({"http://a.example/": article("crabs"), "http://b.example/": answer(404)})
    asked = ["http://b.example/", "no url", "http://[", "http://a.example/"]
    results = [shown(result) async for result in story.pipeline.read_many(asked)]
    assert results == ["gone", "unreachable", "unreachable", "http://a.example/"]


async def test_urls_are_drawn_as_their_turn_comes_near(tell: Tell) -> None:
    asked = urls(1_000)
    drawn = 0

    def source() -> Iterator[str]:
        nonlocal drawn
        for url in asked:
            drawn += 1
            yield url

    results = story_of(tell, asked[:50]).pipeline.read_many(source(), concurrency=3)
    for _ in range(5):
        await anext(results)
    assert drawn <= 5 + 3 * MAX_AHEAD_PER_WORKER
    await results.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(results)


async def test_leaving_the_loop_ends_the_work(tell: Tell) -> None:
    story = story_of(tell, urls())
    before = asyncio.all_tasks()
    async for _ in story.pipeline.read_many(urls()):
        break
    while asyncio.all_tasks() != before:
        await anyio.lowlevel.checkpoint()


async def test_a_cancelled_wait_loses_no_result(tell: Tell) -> None:
    results = story_of(tell, urls(3)).pipeline.read_many(urls(3))
    with anyio.CancelScope() as scope:
        scope.cancel()
        await anext(results)
    assert [shown(result) async for result in results] == urls(3)


@pytest.mark.parametrize(
    ("given", "options"), [("http://a.example/", {}), ([], {"concurrency": 0}), ([], {"cursor": "x"})]
)
def test_what_cannot_be_read_at_a_time_is_refused(tell: Tell, given: object, options: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        tell({}).pipeline.read_many(given, **options)  # type: ignore[arg-type]  # wrong on purpose


def test_many_pages_without_an_event_loop(tmp_path: Path) -> None:
    with sync.Web(settings(tmp_path), replay=SITE) as web:
        page, missing, wrong = web.read_many([HOME + "faq", HOME + "nowhere", "http://["], max_length=200)
        for _ in web.read_many([HOME + "faq"] * 50):
            break
    assert isinstance(page, Page)
    assert page.truncated
    assert isinstance(missing, Unrecorded)
    assert isinstance(wrong, InvalidUrl)
