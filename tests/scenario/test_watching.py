"""Watched pages: changes are told with their diffs and snapshot ids, noise is not, and webhooks are signed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sqlite3
from contextlib import asynccontextmanager, closing, contextmanager
from http.server import BaseHTTPRequestHandler
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest

from scenario.interfaces import serving as serving_interfaces
from scenario.loopback import Server, serving, whole
from sites import HttpServer
from warm import run as warm
from wellread import Settings, Web
from wellread.apps.commands.demo import HOME, SITE
from wellread.apps.http.api_keys import new_key
from wellread.config import CacheSettings, ExtractSettings, NetSettings
from wellread.crawl.watch_store import CLAIM_S, FILE_NAME, MAX_DUE, MAX_WATCHES
from wellread.errors import ConfigError, Empty, Gone, InvalidInput, WellreadError
from wellread.sections import ServerSettings
from wellread.tools import openai
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from anyio.abc import SocketStream

    from wellread.crawl.watch_store import Watch, WatchVersion
    from wellread.crawl.watcher import Watcher

pytestmark = pytest.mark.anyio

SECRET = "a secret for webhooks"
PROSE = "Twice a day the water leaves the pools and comes back, and brings crabs, weed and small fish with it. " * 5


def page(part: str, head: str = "") -> bytes:
    html = f"<html><head><title>Pools</title>{head}</head><body><main><h1>Pools</h1><p>{PROSE}</p>{part}</main></body>"
    return whole(html.encode(), Content_Type="text/html")


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as server:
        yield server


@contextmanager
def receiver() -> Iterator[tuple[int, list[tuple[dict[str, str], bytes]], list[int], Event]]:
    """Receive webhooks; the statuses to answer with can be set, and the event is set by the first message."""
    received = Event()
    messages: list[tuple[dict[str, str], bytes]] = []
    statuses: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            messages.append(({name.lower(): text for name, text in self.headers.items()}, body))
            self.send_response(statuses.pop() if statuses else 204)
            self.send_header("Content-Length", "0")
            self.end_headers()
            received.set()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    http = HttpServer(("127.0.0.1", 0), Handler)
    Thread(target=http.serve_forever, args=(0.05,), daemon=True).start()
    yield http.server_address[1], messages, statuses, received
    http.shutdown()
    http.server_close()


@asynccontextmanager
async def watching(folder: Path, *ports: int, secret: str | None = SECRET) -> AsyncIterator[Watcher]:
    net = NetSettings(
        allow_hosts=tuple(f"127.0.0.1:{port}" for port in ports), webhook_secret=Secret(secret) if secret else None
    )
    settings = Settings(net=net, cache=CacheSettings(dir=folder), extract=ExtractSettings(processes=0))
    async with Web(settings) as web:
        with web.watcher() as watcher:
            yield watcher


async def test_a_change_is_told_with_diff_and_snapshots(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("<p>The lamp is red.</p>")
    async with watching(tmp_path, server.port) as watcher:
        first = await watcher.add(server.url("/pools"))
        server.paths["/pools"] = page("<p>The lamp is blue.</p>")
        (changed,) = await watcher.check_due([first.id])
        (unchanged,) = await watcher.check_due([first.id])
        versions = watcher.store.versions(first.id, limit=9)
    assert (first.state, changed.state, unchanged.state) == ("new", "changed", "unchanged")
    assert changed.diff.splitlines()[-2:] == ["- The lamp is red.", "+ The lamp is blue."]
    assert (changed.earlier_snapshot_id, changed.snapshot_id) == (first.snapshot_id, versions[0].snapshot_id)
    assert changed.snapshot_id != first.snapshot_id
    assert [version.diff for version in versions] == [changed.diff, ""]


async def test_only_due_pages_are_checked(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("")
    async with watching(tmp_path, server.port) as watcher:
        await watcher.add(server.url("/pools"))
        assert await watcher.check_due() == []
        watch = watcher.store.watches()[0]
        assert [due.id for due in watcher.store.claim_due(watch.next_at)] == [watch.id]
        assert watcher.store.claim_due(watch.next_at) == []


async def test_all_due_pages_are_checked_in_batches(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wellread.crawl.watch_store.MAX_DUE", 2)
    due_counts: list[int] = []
    async with watching(tmp_path, server.port) as watcher:
        store = watcher.store
        for number in range(5):
            store.add(
                server.url(f"/{number}"), every_s=60, selector=None, find=None, webhook=None, keep=1, user_asked=False
            )
        monkeypatch.setattr("wellread.crawl.watcher._CONCURRENCY", 1)

        async def absent(stream: SocketStream, _request: bytes) -> None:
            due_counts.append(store.due_count(watcher._now()))
            await stream.send(whole(b"", "404 Not Found"))

        server.paths.update({f"/{number}": absent for number in range(5)})
        outcomes = await watcher.check_due()
    assert [outcome.id for outcome in outcomes] == [1, 2, 3, 4, 5]
    assert due_counts == [3, 3, 1, 1, 0]


async def test_a_page_is_due_again_after_a_check_that_was_killed(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("")
    async with watching(tmp_path, server.port) as watcher:
        await watcher.add(server.url("/pools"), every_s=86_400)
        due_at = watcher.store.watches()[0].next_at
        assert watcher.store.claim_due(due_at)  # and then the process is killed
        assert not watcher.store.claim_due(due_at + CLAIM_S - 1)
        assert watcher.store.claim_due(due_at + CLAIM_S)


@pytest.mark.parametrize("text_of_other", ["green", "blue"])
async def test_a_change_is_told_after_that_of_another_check(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch, text_of_other: str
) -> None:
    def lamp(color: str) -> bytes:
        return page(f"<p>The lamp is {color}.</p>").replace(b"\r\n", f'\r\nETag: "{color}"\r\n'.encode(), 1)

    server.paths["/pools"] = lamp("red")
    async with watching(tmp_path, server.port) as watcher:
        first = await watcher.add(server.url("/pools"))
        store = watcher.store
        add_version = store.add_version

        def add_second(watch: Watch, now: float, earlier: WatchVersion | None, **fields: Any) -> WatchVersion | None:
            monkeypatch.setattr(store, "add_version", add_version)  # another check comes between, once
            text = fields["text"].replace("blue", text_of_other)
            add_version(watch, now, earlier, snapshot_id="sha256:other", title=None, text=text, diff="of the other")
            store.store_validators(watch, "sha256:other", etag=f'"{text_of_other}"', last_modified=None)
            return add_version(watch, now, earlier, **fields)

        monkeypatch.setattr(store, "add_version", add_second)
        server.paths["/pools"] = lamp("blue")
        (outcome,) = await watcher.check_due([first.id])
        versions, watch = store.versions(first.id, limit=9), store.watch(first.id)
        store.store_validators(watch, first.snapshot_id, etag='"red"', last_modified=None)
        assert store.watch(first.id) == watch  # a check that read the first version ends late
    assert "The lamp is blue." in versions[0].text
    assert watch.etag == '"blue"'
    if text_of_other == "blue":
        assert (outcome.state, outcome.snapshot_id, len(versions)) == ("unchanged", "sha256:other", 2)
    else:
        assert (outcome.state, outcome.earlier_snapshot_id, len(versions)) == ("changed", "sha256:other", 3)
        assert outcome.diff.splitlines()[-2:] == ["- The lamp is green.", "+ The lamp is blue."]


async def test_a_page_whose_addition_is_cancelled_is_not_watched(tmp_path: Path, server: Server) -> None:
    async with watching(tmp_path, server.port) as watcher:
        with anyio.CancelScope() as scope:

            async def cancel(_stream: SocketStream, _request: bytes) -> None:
                scope.cancel()

            server.paths["/pools"] = cancel
            await watcher.add(server.url("/pools"))
        assert scope.cancelled_caught
        assert watcher.store.watches() == []


async def test_a_selector_and_words_narrow_the_text(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("<p class=price>10 EUR</p><p>Crabs: two</p>")
    async with watching(tmp_path, server.port) as watcher:
        by_selector = await watcher.add(server.url("/pools"), selector="main > .price")
        with pytest.raises(InvalidInput, match=f"is watched already, as number {by_selector.id}"):
            await watcher.add(server.url("/pools"), selector="main > .price")
        by_words = await watcher.add(server.url("/pools"), find="crabs:")
        server.paths["/pools"] = page("<p class=price>12 EUR</p><p>Crabs: two</p>")
        price = await watcher.check_due([by_selector.id, by_words.id])
        server.paths["/pools"] = page("<p class=price>12 EUR</p><p>Crabs: three</p>")
        crabs = await watcher.check_due([by_selector.id, by_words.id])
    assert [outcome.state for outcome in price] == ["changed", "unchanged"]
    assert price[0].diff == "- 10 EUR\n+ 12 EUR"
    assert [outcome.state for outcome in crabs] == ["unchanged", "changed"]


async def test_a_page_that_fails_is_no_change(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("")
    async with watching(tmp_path, server.port) as watcher:
        first = await watcher.add(server.url("/pools"))
        server.paths["/pools"] = whole(b"gone", "404 Not Found")
        (failed,) = await watcher.check_due([first.id])
        error = watcher.store.watch(first.id).error
        server.paths["/pools"] = page("")
        (again,) = await watcher.check_due([first.id])
    assert (failed.state, again.state) == ("failed", "unchanged")
    assert isinstance(failed.error, Gone)
    assert (error or "").startswith("gone")


async def refusal(watcher: Watcher, url: str, **options: Any) -> WellreadError:  # Any: of one option each
    with pytest.raises(WellreadError) as raised:
        await watcher.add(url, **options)
    return raised.value


async def test_what_cannot_be_watched_is_refused(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("")
    url = server.url("/pools")
    async with watching(tmp_path, server.port, secret=None) as watcher:
        assert isinstance(await refusal(watcher, url, selector="a {"), InvalidInput)
        assert isinstance(await refusal(watcher, url, selector=".a", find="b"), InvalidInput)
        assert isinstance(await refusal(watcher, url, every_s=1.0), InvalidInput)
        assert isinstance(await refusal(watcher, url, webhook=url), ConfigError)
        assert isinstance(await refusal(watcher, url, selector=".absent"), Empty)
        assert isinstance(await refusal(watcher, server.url("/none")), Gone)
        assert watcher.store.watches() == []


async def test_history_is_bounded(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("")
    async with watching(tmp_path, server.port) as watcher:
        first = await watcher.add(server.url("/pools"), keep=2)
        for number in ("one", "two", "three"):
            server.paths["/pools"] = page(f"<p>Now {number}.</p>")
            await watcher.check_due([first.id])
        assert len(watcher.store.versions(first.id, limit=9)) == 2
        watcher.store.remove(first.id)
        assert watcher.store.versions(first.id, limit=9) == []


async def test_a_webhook_is_signed_and_sent_again(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("<p>The lamp is red.</p>")
    with receiver() as (port, messages, statuses, _):
        async with watching(tmp_path, server.port, port) as watcher:
            first = await watcher.add(server.url("/pools"), webhook=f"http://127.0.0.1:{port}/hook")
            assert messages == []
            statuses.append(500)
            server.paths["/pools"] = page("<p>The lamp is blue.</p>")
            (changed,) = await watcher.check_due([first.id])
            (again,) = await watcher.check_due([first.id])
    assert changed.webhook_error is not None
    assert (again.state, again.webhook_error, len(messages)) == ("unchanged", None, 2)
    headers, body = messages[1]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
    message = json.loads(body)
    assert (message["event"], message["diff"]) == ("watch.changed", changed.diff)
    assert SECRET not in body.decode()


async def test_unsent_changes_stay_beyond_the_history(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("")
    with receiver() as (port, messages, statuses, _):
        async with watching(tmp_path, server.port, port) as watcher:
            first = await watcher.add(server.url("/pools"), webhook=f"http://127.0.0.1:{port}/hook", keep=1)
            statuses += [500, 500]
            for number in ("one", "two", "three"):
                server.paths["/pools"] = page(f"<p>Now {number}.</p>")
                await watcher.check_due([first.id])
            versions = watcher.store.versions(first.id, limit=9)
    diffs = [json.loads(body)["diff"].splitlines()[-1] for _, body in messages[2:]]
    assert diffs == ["+ Now one.", "+ Now two.", "+ Now three."]
    assert len(versions) == 1


async def test_oldest_changes_for_a_dead_webhook_are_dropped(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wellread.crawl.watch_store.MAX_UNSENT", 2)
    server.paths["/pools"] = page("")
    with receiver() as (port, messages, statuses, _):
        async with watching(tmp_path, server.port, port) as watcher:
            first = await watcher.add(server.url("/pools"), webhook=f"http://127.0.0.1:{port}/hook", keep=1)
            statuses.extend([500] * 9)
            outcomes = []
            for number in ("one", "two", "three", "four"):
                server.paths["/pools"] = page(f"<p>Now {number}.</p>")
                outcomes += await watcher.check_due([first.id])
            stored = watcher.store.versions(first.id, limit=9)
            dropped = watcher.store.watch(first.id).dropped
            statuses.clear()
            messages.clear()
            (sent,) = await watcher.check_due([first.id])
    notices = [[(notice.code, notice.count) for notice in outcome.notices] for outcome in (*outcomes, sent)]
    assert notices == [[], [], [("webhooks_dropped", 1)], [("webhooks_dropped", 1)], []]
    assert (len(stored), dropped) == (2, 2)
    assert [json.loads(body)["diff"].splitlines()[-1] for _, body in messages] == ["+ Now three.", "+ Now four."]


async def test_callers_have_watches_of_their_own(tmp_path: Path, server: Server) -> None:
    server.paths["/pools"] = page("<p>The lamp is red.</p>")
    keys = {name: new_key(name) for name in ("ann", "bob")}
    net = NetSettings(allow_hosts=(f"127.0.0.1:{server.port}",))
    settings = Settings(
        net=net, cache=CacheSettings(dir=tmp_path), extract=ExtractSettings(processes=0),
        server=ServerSettings(port=0, keys={name: stored for name, (_, stored) in keys.items()}),
    )  # fmt: skip
    web = Web(settings)
    async with serving_interfaces(settings, web=web) as root, httpx2.AsyncClient(base_url=root, timeout=60) as http:

        async def watch(name: str, **arguments: object) -> dict[str, Any]:  # Any: JSON
            headers = {"authorization": f"Bearer {keys[name][0]}"}
            answer: dict[str, Any] = (await http.post("/v1/watch", json=arguments, headers=headers)).json()
            return answer

        added = await watch("ann", action="add", url=server.url("/pools"), every_s=60)
        watch_id = added["watches"][0]["id"]
        server.paths["/pools"] = page("<p>The lamp is blue.</p>")
        assert (await watch("bob"))["watches"] == []
        for action in ("run", "diff", "remove"):
            assert (await watch("bob", action=action, id=watch_id))["code"] == "invalid_input"
        assert (await watch("bob", action="run"))["checks"] == []
        (check,) = (await watch("ann", action="run", id=watch_id))["checks"]
        assert (check["state"], check["diff"].splitlines()[-1]) == ("changed", "+ The lamp is blue.")
        assert (await watch("ann", action="diff", id=watch_id))["changes"][0]["diff"] == check["diff"]
        with web.watcher() as owner, web.watcher("ann") as ann:
            assert owner.store.watches() == []
            next_at = owner.store.next_at()
            assert next_at is not None
            assert [due.id for due in owner.store.claim_due(next_at)] == [watch_id]
            fields: dict[str, Any] = {"every_s": 60.0, "selector": None, "find": None, "webhook": None}
            for number in range(MAX_WATCHES - 1):
                ann.store.add(server.url(f"/pools/{number}"), keep=1, user_asked=False, **fields)
            with pytest.raises(InvalidInput, match="there are 50 watches already"):
                ann.store.add(server.url("/more"), keep=1, user_asked=False, **fields)
            assert (await openai(web).call("web_watch", {"action": "run"})) == "Nothing to show."
            assert len(ann.store.claim_due(next_at)) == MAX_DUE
            assert ann.store.due_count(next_at) == MAX_WATCHES - 1 - MAX_DUE
        assert (await watch("ann", action="remove", id=watch_id))["watches"][0]["id"] == watch_id


async def test_locked_file_does_not_stop_other_calls(tmp_path: Path) -> None:
    settings = Settings(cache=CacheSettings(dir=tmp_path), extract=ExtractSettings(processes=0))
    results: list[object] = []
    async with Web(settings) as web, openai(web) as kit:
        with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other_process:
            other_process.execute("begin exclusive")

            async def watch() -> None:
                results.append(await kit.call("web_watch", {"action": "run"}))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(watch)
                await anyio.wait_all_tasks_blocked()
                assert results == []
                other_process.execute("rollback")
    assert results == ["Nothing to show."]


async def test_twenty_changes_are_told_and_twenty_noises_not(tmp_path: Path, server: Server) -> None:
    def part(number: int, price: int, views: int) -> bytes:
        return page(f"<p>Boat {number} costs {price} EUR.</p><p>{views} views</p><p>Updated {views} minutes ago</p>")

    async with watching(tmp_path, server.port) as watcher:
        for number in range(40):
            server.paths[f"/boat/{number}"] = part(number, 10, 5)
            await watcher.add(server.url(f"/boat/{number}"))
        for number in range(40):
            server.paths[f"/boat/{number}"] = part(number, 12 if number < 20 else 10, 17)
        outcomes = await watcher.check_due(range(1, 41))
    assert [outcome.state for outcome in outcomes] == ["changed"] * 20 + ["unchanged"] * 20
    assert all(f"+ Boat {outcome.id - 1} costs 12 EUR." in outcome.diff for outcome in outcomes[:20])


def test_the_command_takes_urls_in_place_of_numbers(tmp_path: Path) -> None:
    url, replay = f"{HOME}faq", ("--replay", str(SITE))
    assert warm("watch", "add", url, *replay, home=tmp_path).out == f"new\t1\t{url}\n"
    idle = warm("watch", "run", *replay, home=tmp_path)
    assert (idle.code, idle.out) == (0, "")
    assert f"— 0 checked; next: {url} at 20" in idle.err
    assert warm("watch", "run", url, *replay, home=tmp_path).out == f"unchanged\t1\t{url}\n"
    assert "no change of watch 1 yet" in warm("watch", "diff", url, home=tmp_path).err
    assert "neither the number nor the URL" in warm("watch", "diff", HOME, home=tmp_path).err
    assert warm("watch", "remove", url.removeprefix("http://"), home=tmp_path).out == f"removed\t1\t{url}\n"
    assert "no page is watched; to add one: wellread watch add URL" in warm("watch", "run", home=tmp_path).err


def test_the_command_names_what_is_wrong(tmp_path: Path) -> None:
    for words in (
        ["add"],
        ["add", "http://a.example/", "--every", "soon"],
        ["diff", "x"],
        ["remove", "7"],
        ["run", "1", "--loop"],
    ):
        done = warm("watch", *words, home=tmp_path)
        assert done.code == 4, words
        assert "invalid_input" in done.err
    assert warm("watch", home=tmp_path).out == ""
