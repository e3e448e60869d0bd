"""Manners towards servers: retries, robots.txt, few requests at a time, and none of it in a replay."""

from __future__ import annotations

from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest
import stamina

from scenario.loopback import (
    FETCH,
    Server,
    client_for,
    fetched,
    head,
    moved,
    reset,
    then_silence,
    whole,
    without_end,
)
from wellread.config import Settings
from wellread.errors import (
    RateLimited,
    Robots,
    Timeout,
)
from wellread.net.client import Client
from wellread.net.transport import Hop, HopResponse
from wellread.testing import FakeClock
from wellread.types import Request, header

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from anyio.abc import SocketStream


pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("no_pauses")]


# ------------------------------------------------------------------------------------------------------------- retries


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
async def test_a_passing_failure_is_asked_again(server: Server, status: int) -> None:
    server.paths["/"] = [whole(b"wait", f"{status} Oops", Retry_After="0"), whole(b"now")]
    assert (await fetched(server)).body == b"now"


async def test_a_lasting_failure_is_handed_back_with_its_body(server: Server) -> None:
    server.paths["/"] = whole(b"we are down", "503 Oops")
    response = await fetched(server, fetch=replace(FETCH, attempts=3))
    assert (response.status, response.body) == (503, b"we are down")
    assert len(server.requests) == 3


async def test_connection_broken_before_the_first_byte_is_retried(server: Server) -> None:
    breaks = True

    async def handler(stream: SocketStream, _: bytes) -> None:
        nonlocal breaks
        breaks, broke = False, breaks
        await (reset(stream) if broke else stream.send(whole(b"now")))

    server.paths["/"] = handler
    assert (await fetched(server)).body == b"now"


async def test_a_retry_after_beyond_the_deadline_is_not_waited_for(server: Server) -> None:
    server.paths["/"] = whole(b"slow down", "429 Too Many Requests", Retry_After="30")
    response = await fetched(server)
    assert (response.status, header(response.headers, "retry-after")) == (429, "30")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "method"), [("503 Oops", "POST"), ("404 Not Found", "GET"), ("501 Never", "GET"), ("403 No", "GET")]
)
async def test_what_a_repetition_cannot_mend_or_might_harm_is_asked_once(
    server: Server, status: str, method: str
) -> None:
    server.paths["/"] = whole(b"", status)
    assert (await fetched(server, method=method)).status == int(status[:3])
    assert len(server.requests) == 1


# -------------------------------------------------------------------------------------------------------------- robots


async def test_robots_txt_binds_agents_but_not_people(server: Server) -> None:
    server.paths.update(
        {"/robots.txt": whole(b"User-agent: *\nDisallow: /no"), "/no": whole(b"no"), "/yes": whole(b"y")}
    )
    async with client_for(server) as client:
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url("/no")))
        assert (await client.fetch(Request(url=server.url("/yes")))).body == b"y"
        assert (await client.fetch(Request(url=server.url("/no"), user_asked=True))).body == b"no"
    assert server.asked() == ["/robots.txt", "/yes", "/no"]


async def test_robots_txt_can_be_switched_off(server: Server) -> None:
    server.paths.update({"/robots.txt": whole(b"User-agent: *\nDisallow: /"), "/": whole(b"x")})
    async with client_for(server, robots=False) as client:
        await client.fetch(Request(url=server.url()))
    assert server.asked() == ["/"]


async def test_the_place_of_a_redirect_has_its_own_robots_txt(server: Server, other: Server) -> None:
    server.paths["/"] = moved(other.url("/no"))
    other.paths["/robots.txt"] = whole(b"User-agent: wellread\nDisallow: /no")
    async with client_for(server, other) as client:
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url()))
    assert other.asked() == ["/robots.txt"]


async def test_redirected_and_unreachable_robots_txt(server: Server) -> None:
    server.paths.update({"/robots.txt": moved("/r"), "/r": whole(b"User-agent: *\nDisallow: /no"), "/": whole(b"x")})
    async with client_for(server) as client:
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url("/no")))
    server.paths["/r"] = moved("/robots.txt")
    async with client_for(server) as client:
        assert (await client.fetch(Request(url=server.url()))).body == b"x"


async def test_a_failing_robots_txt_forbids_all_and_is_not_a_missing_one(server: Server) -> None:
    server.paths.update({"/robots.txt": whole(b"", "503 Oops"), "/": whole(b"x")})
    async with client_for(server) as client:
        with pytest.raises(Robots, match="answered 503"):
            await client.fetch(Request(url=server.url()))
    assert set(server.asked()) == {"/robots.txt"}


async def test_an_endless_robots_txt_counts_as_far_as_it_must(server: Server) -> None:
    start = head() + b"User-agent: *\nDisallow: /no\n"
    server.paths.update({"/robots.txt": without_end(start, b"# filler\n" * 5_000), "/": whole(b"x")})
    async with client_for(server) as client:
        assert (await client.fetch(Request(url=server.url()))).body == b"x"
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url("/no")))


async def test_a_silent_robots_txt_is_part_of_the_deadline(server: Server) -> None:
    server.paths["/robots.txt"] = then_silence(b"")
    async with client_for(server) as client:
        with pytest.raises(Timeout, match=r"reading the robots\.txt of 127\.0\.0\.1"):
            await client.fetch(Request(url=server.url(), timeout_s=0.2))


async def test_several_reads_of_a_site_ask_for_its_robots_txt_once(server: Server) -> None:
    server.paths.update({f"/{n}": whole(b"x") for n in range(5)})
    async with client_for(server) as client, anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(client.fetch, Request(url=server.url(f"/{number}")))
    assert Counter(server.asked())["/robots.txt"] == 1


# ---------------------------------------------------------------------------------------------------------- politeness


async def test_a_host_is_asked_few_things_at_a_time(server: Server) -> None:
    busy = most = 0
    met = anyio.Event()

    async def handler(stream: SocketStream, _: bytes) -> None:
        nonlocal busy, most
        busy, most = busy + 1, max(most, busy + 1)
        if busy == 3:
            met.set()
        await met.wait()
        await anyio.sleep(0.02)  # long enough for a fourth to show itself
        busy -= 1
        await stream.send(whole(b"x"))

    server.paths.update({f"/{n}": handler for n in range(8)})
    async with client_for(server, per_host=3) as client, anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(client.fetch, Request(url=server.url(f"/{number}"), user_asked=True))
    assert most == 3


async def test_requests_to_a_host_start_apart(server: Server) -> None:
    server.paths["/"] = whole(b"x")
    async with client_for(server, min_interval_s=0.1) as client:
        began = anyio.current_time()
        for _ in range(3):
            await client.fetch(Request(url=server.url(), user_asked=True))
        assert anyio.current_time() - began >= 0.2


async def test_a_turn_that_comes_after_the_deadline_is_refused_at_once(server: Server) -> None:
    server.paths.update({"/robots.txt": whole(b"User-agent: *\nCrawl-delay: 10"), "/": whole(b"x")})
    async with client_for(server) as client:
        await client.fetch(Request(url=server.url()))
        began = anyio.current_time()
        with pytest.raises(RateLimited) as caught:
            await client.fetch(Request(url=server.url(), timeout_s=5))
    assert anyio.current_time() - began < 5  # neither the turn was waited for nor the deadline
    assert caught.value.retry_after_s == pytest.approx(10, abs=5)  # less what a slow machine took meanwhile


# -------------------------------------------------------------------------------------------------------------- replay


async def test_nobody_is_waited_for_in_a_replay() -> None:
    told = {"/robots.txt": [(200, b"User-agent: *\nCrawl-delay: 9")], "/": [(503, b""), (200, b"now")]}

    class Recording:
        @asynccontextmanager
        async def send(self, hop: Hop) -> AsyncGenerator[HopResponse, None]:
            async def chunks() -> AsyncGenerator[bytes, None]:
                yield body

            status, body = told[hop.target.path].pop(0)
            headers = (("Retry-After", "9"),)
            yield HopResponse(
                status=status, reason="", http_version="1.1", headers=headers, chunks=chunks(), replayed=True
            )

        async def aclose(self) -> None: ...

    with stamina.set_testing(False):
        client = Client(Settings(), Recording(), clock=FakeClock())
        began = anyio.current_time()
        response = await client.fetch(Request(url="http://example.com/"))
    assert (response.body, response.replayed) == (b"now", True)
    assert anyio.current_time() - began < 9
