"""Two replicas of one service, with what they share at a Redis server."""

from __future__ import annotations

import gc
import math
import signal
import socket
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest

from scenario.loopback import whole
from scenario.replica_processes import PAGE, serving_replica
from talking import Deeds, talking
from wellread.apps import bot_runtime
from wellread.apps.build import Web
from wellread.apps.http import api_keys, problems
from wellread.apps.operations.browser_sessions import Sessions
from wellread.apps.profile_grants import Caller
from wellread.apps.shared_stores import open_shared_state
from wellread.assistant.channels.port import ChannelHealth
from wellread.config import CacheSettings, ExtractSettings, NetSettings, Settings
from wellread.errors import Gone, RateLimited, SharedStateFailed, WrongReplica
from wellread.net import held_lease
from wellread.net.local_state import LocalState
from wellread.net.postgres import postgres_engine
from wellread.sections import RenderSettings, ServerSettings, SharedSettings
from wellread.store.postgres_snapshots import _EVICT_EVERY, PostgresSnapshots
from wellread.testing import Call, FakeClock
from wellread.types import PageSnapshot, Request, Response
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from anyio.abc import SocketStream

    from postgres import Postgres
    from redis_server import RedisServer
    from scenario.loopback import Server
    from wellread.browser.browse.browse_session import BrowseSession

pytestmark = pytest.mark.anyio

DELAY_S = 0.3


@dataclass
class Visits:
    """A handler that answers slowly with a page, and notes when it was asked."""

    pause_s: float = 0.0
    times: list[float] = field(default_factory=list)

    async def __call__(self, stream: SocketStream, _: bytes) -> None:
        self.times.append(anyio.current_time())
        await anyio.sleep(self.pause_s)  # a slow server is what is tested
        await stream.send(whole(PAGE.encode(), Content_Type="text/html", Connection="close"))


@asynccontextmanager
async def replica(
    server: Server, redis: RedisServer, folder: Path, *, robots: bool = False, snapshots: str = ""
) -> AsyncIterator[Web]:
    settings = Settings(
        net=NetSettings(allow_hosts=(f"127.0.0.1:{server.port}",), robots=robots, per_host=8),
        cache=CacheSettings(dir=folder),
        extract=ExtractSettings(processes=0),
        render=RenderSettings(enabled=False),
        shared=SharedSettings(url=Address(redis.url), snapshots=Address(snapshots) if snapshots else None),
    )
    async with Web(settings) as web:
        yield web


async def test_crawl_delay_holds_over_replicas(server: Server, redis: RedisServer, tmp_path: Path) -> None:
    visits = Visits()
    server.anything = visits
    server.paths["/robots.txt"] = whole(f"User-agent: *\nCrawl-delay: {DELAY_S}\n".encode())
    async with (
        replica(server, redis, tmp_path / "a", robots=True) as first,
        replica(server, redis, tmp_path / "b", robots=True) as second,
        anyio.create_task_group() as tasks,
    ):
        for number in range(3):
            tasks.start_soon(first.parts.fetcher.fetch, Request(url=server.url(f"/a{number}")))
            tasks.start_soon(second.parts.fetcher.fetch, Request(url=server.url(f"/b{number}")))
    assert len(visits.times) == 6
    assert min(later - earlier for earlier, later in pairwise(visits.times)) >= DELAY_S


async def test_retry_after_holds_over_replicas(server: Server, redis: RedisServer, tmp_path: Path) -> None:
    server.anything = whole(b"later", "429 Too Many Requests", Retry_After="100")
    async with replica(server, redis, tmp_path / "a") as first, replica(server, redis, tmp_path / "b") as second:
        for web in (first, second):
            with pytest.raises(RateLimited):
                await web.read(server.url())
    assert len(server.requests) == 1


async def test_one_fetch_of_a_page_over_replicas(
    server: Server, redis: RedisServer, postgres_server: Postgres, tmp_path: Path
) -> None:
    visits = Visits(pause_s=0.3)
    server.anything = visits
    url, pages = server.url("/tides"), []

    async def read(web: Web) -> None:
        pages.append(await web.read(url, max_length=300))

    with postgres_server.database() as database:
        async with (
            replica(server, redis, tmp_path / "a", snapshots=database) as first,
            replica(server, redis, tmp_path / "b", snapshots=database) as second,
        ):
            async with anyio.create_task_group() as tasks:
                for web in (first, second, first, second):
                    tasks.start_soon(read, web)
            evidence = await first.gather("tide moon", urls=[url])
            following = await second.read(url, cursor=pages[0].cursor)
            verdicts = await second.verify(evidence)
            problems = (first.problem, second.problem)
    assert len(visits.times) == 1
    assert len({page.text for page in pages}) == 1
    assert following.snapshot_id == pages[0].snapshot_id
    assert verdicts
    assert all(verdict.ok for verdict in verdicts)
    assert problems == (None, None)


async def test_page_indexed_at_one_replica_is_found_at_the_other(
    server: Server, redis: RedisServer, postgres_server: Postgres, tmp_path: Path
) -> None:
    server.anything = Visits()
    url = server.url("/tides")
    with postgres_server.database() as database:
        async with (
            replica(server, redis, tmp_path / "a", snapshots=database) as first,
            replica(server, redis, tmp_path / "b", snapshots=database) as second,
        ):
            assert await first.index(url)
            found = await second.search("tide moon", provider="local")
            assert not await second.index(url)
            assert await second.forget(url)
            assert (await second.search("tide moon", provider="local")).hits == ()
    assert [hit.url for hit in found.hits] == [url]
    assert not (tmp_path / "b" / "index.db").exists()


async def test_archive_in_shared_snapshots(postgres_server: Postgres) -> None:
    clock = FakeClock()
    with postgres_server.database() as url:
        engine = postgres_engine(url, setting="shared.snapshots", timeout_s=5)
        store = PostgresSnapshots(engine, clock=clock, ttl_s=60, max_bytes=1_000)
        assert store.body("archive") is None
        store.put_body("archive", Response(url="https://a.example/a.zip", status=200, headers=(), body=b"PK"))
        store.put_body("large", Response(url="https://a.example/b.zip", status=200, headers=(), body=b"P" * 1_001))
        clock.advance(61)
        copy = store.body("archive")
        assert copy is not None
        assert (copy.response.body, copy.fresh, store.body("large")) == (b"PK", False, None)
        for number in range(_EVICT_EVERY):
            clock.advance(1)
            store.put_body(f"{number}", Response(url="https://a.example/", status=200, headers=(), body=b"P" * 100))
        assert [store.body(f"{number}") is None for number in (0, _EVICT_EVERY - 1)] == [True, False]
        store.close()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # pg8000 leaves the socket of a failed connection open
async def test_silent_database_of_snapshots_is_asked_once() -> None:
    clock = FakeClock()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(5)
        url = f"postgresql://wellread@127.0.0.1:{silent.getsockname()[1]}/name"
        engine = postgres_engine(url, setting="shared.snapshots", timeout_s=0.05)
        store = PostgresSnapshots(engine, clock=clock, ttl_s=60, max_bytes=1_000)
        assert [store.body(f"{number}") for number in range(20)] == [None] * 20
        assert "timed out" in (store.last_problem or "")
        silent.accept()[0].close()
        clock.advance(6)
        assert store.by_id("sha256:0") is None
        silent.accept()[0].close()
        silent.setblocking(False)
        with pytest.raises(BlockingIOError):
            silent.accept()
    gc.collect()


async def test_nothing_is_requested_without_a_pace(server: Server, redis: RedisServer, tmp_path: Path) -> None:
    server.anything = Visits()
    async with replica(server, redis, tmp_path) as web:
        page = await web.read(server.url("/known"))
        redis.stop()
        try:
            with pytest.raises(SharedStateFailed, match=r"shared\.url"):
                await web.read(server.url("/new"))
            assert (await web.read(server.url("/known"))).text == page.text
        finally:
            redis.start()
    assert server.asked() == ["/known"]


async def test_lost_lease_cancels_its_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_lease, "BEAT_S", 0.01)
    monkeypatch.setattr(LocalState, "outlives_holder", True)  # as a lease at a server does
    state = LocalState()

    async def work() -> None:
        async with held_lease.held_lease(state, "work", wait_s=1):
            state._leases["work"] = ("another", anyio.current_time() + 100)
            await anyio.sleep_forever()

    with anyio.fail_after(5), pytest.raises(SharedStateFailed, match="lost"):
        await work()
    assert await state.acquire("work", "another", 1)


async def test_lease_of_a_dead_holder_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    state = LocalState()
    assert await state.acquire("work", "dead", 0.2)
    async with held_lease.held_lease(state, "work", wait_s=5) as has_waited:
        assert has_waited


class Polling:
    """A channel that notes when it begins to listen."""

    name = "telegram"

    def __init__(self) -> None:
        self.state = ChannelHealth()
        self.begun = anyio.Event()

    async def listen(self) -> None:
        self.begun.set()
        await anyio.sleep_forever()


async def test_one_replica_polls_a_bot(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_runtime, "STANDBY_S", 0.2)
    token = Secret("123:secret")
    first, second = Polling(), Polling()
    async with (
        aclosing(open_shared_state(Address(redis.url))) as state,
        aclosing(open_shared_state(Address(redis.url))) as other_state,
        anyio.create_task_group() as tasks,
    ):

        async def serve_first() -> None:
            with scope:
                await bot_runtime.listen_alone(first, token, state)  # type: ignore[arg-type]  # listens alone

        scope = anyio.CancelScope()
        tasks.start_soon(serve_first)
        await first.begun.wait()
        tasks.start_soon(bot_runtime.listen_alone, second, token, other_state)  # type: ignore[arg-type]  # as above
        with anyio.move_on_after(0.6):
            await second.begun.wait()
        assert not second.begun.is_set()
        assert second.state.detail == "another replica listens"
        scope.cancel()
        with anyio.fail_after(10):
            await second.begun.wait()
        tasks.cancel_scope.cancel()


async def test_turns_of_a_conversation_over_replicas(redis: RedisServer, tmp_path: Path) -> None:
    deeds = Deeds()
    looking, going_on, asked = anyio.Event(), anyio.Event(), anyio.Event()

    async def hold(_: object) -> None:
        looking.set()
        await going_on.wait()

    def answer(_: object) -> str:
        asked.set()
        return "You asked for the sea."

    deeds.hold = hold
    settings = Settings(cache=CacheSettings(dir=tmp_path), shared=SharedSettings(url=Address(redis.url)))
    async with (
        talking(tmp_path, [Call("look"), "The sea is calm."], tools=deeds.tools, settings=settings) as first,
        talking(tmp_path, [answer], settings=settings) as second,
        anyio.create_task_group() as tasks,
    ):
        second.conversation = first.conversation
        tasks.start_soon(first.say, "Look at the sea")
        await looking.wait()
        tasks.start_soon(second.say, "What did I ask?")
        with anyio.move_on_after(0.5):
            await asked.wait()
        assert not asked.is_set()
        going_on.set()
        with anyio.fail_after(20):
            await asked.wait()
    texts = [getattr(part, "content", "") for message in second.model.asked[0].messages for part in message.parts]
    assert texts[:3] == ["Look at the sea", "The sea is calm.", "What did I ask?"]


async def test_browser_session_of_another_replica_names_it() -> None:
    async with AsyncExitStack() as stack:

        def browse(_url: str, **_options: object) -> AbstractAsyncContextManager[BrowseSession]:
            snapshot = PageSnapshot(url="https://a.example/", title="", content="")
            tab = SimpleNamespace(document=1, url=snapshot.url, snapshot=snapshot, lines=())
            return nullcontext(tab)  # type: ignore[arg-type]  # no more of it is used

        first, second = (Sessions(browse, ServerSettings(), replica=name) for name in ("one", "two"))
        stack.push_async_callback(first.aclose)
        handle, _ = await first.open("https://a.example/", Caller("http", "alice"))
        with pytest.raises(WrongReplica, match="one") as caught:
            async with second.step(handle, "alice"):
                pytest.fail("a session of another replica")
        with pytest.raises(WrongReplica):
            await second.close(handle, "alice")
        with pytest.raises(Gone):
            async with first.step(handle, "bob"):
                pytest.fail("a session of another caller")
    problem = problems.of(caught.value)
    assert (problem.status, problem.fields["replica"]) == (421, "one")


@pytest.mark.slow
async def test_replicas_as_processes_one_of_them_killed(
    server: Server, redis: RedisServer, postgres_server: Postgres, tmp_path: Path
) -> None:
    """The quota is exact over both; a fetch of the killed one is taken over, once."""
    (key, alice_hash), (other_key, bob_hash) = api_keys.new_key("alice"), api_keys.new_key("bob")
    taken, answered = anyio.Event(), anyio.Event()

    async def hang(stream: SocketStream, _: bytes) -> None:
        taken.set()
        await stream.receive()

    server.paths["/stuck"] = hang
    with postgres_server.database() as database:
        settings = {
            "net.allow_hosts": f"127.0.0.1:{server.port}", "net.robots": "false", "render.enabled": "false",
            "server.keys": f"alice={alice_hash},bob={bob_hash}", "server.key_per_min": "20", "server.logs": "none",
            "shared.url": redis.url, "shared.snapshots": database, "extract.processes": "0",
        }  # fmt: skip
        common = [word for name, setting in settings.items() for word in ("--set", f"{name}={setting}")]
        folders = [["--set", f"cache.dir={tmp_path / name}"] for name in "ab"]
        async with (
            serving_replica([*common, *folders[0]], key) as (process, first),
            serving_replica([*common, *folders[1]], key) as (_, second),
            anyio.create_task_group() as tasks,
        ):
            body = {"url": server.url("/stuck")}
            answers: list[httpx2.Response] = []

            async def read(client: httpx2.AsyncClient) -> None:
                with suppress(httpx2.RemoteProtocolError, httpx2.ReadError):  # of the replica that is killed
                    answers.append(await client.post("/v1/read", json=body))
                    answered.set()

            tasks.start_soon(read, first)
            with anyio.fail_after(60):
                await taken.wait()
            server.paths["/stuck"] = whole(PAGE.encode(), Content_Type="text/html")
            tasks.start_soon(read, second)
            await anyio.sleep(0.5)  # the second waits for the lease
            assert server.asked() == ["/stuck"]
            process.send_signal(signal.SIGKILL)
            with anyio.fail_after(30):
                await answered.wait()  # until the lease of the dead replica has ended
            assert answers[0].status_code == 200
            assert server.asked() == ["/stuck", "/stuck"]
            async with serving_replica([*common, *folders[0]], key) as (_, third):
                snapshot_id = answers[0].json()["snapshot_id"]
                again = (await third.post("/v1/read", json=body)).json()
                assert (again["snapshot_id"], server.asked()) == (snapshot_id, ["/stuck", "/stuck"])
                began = anyio.current_time()
                bob = {"authorization": f"Bearer {other_key}"}
                statuses = [(await client.get("/v1/none", headers=bob)).status_code for client in (second, third) * 15]
                refilled_count = math.ceil((anyio.current_time() - began) / 3)
            assert 20 <= statuses.count(404) <= 20 + refilled_count
            assert 429 in statuses
