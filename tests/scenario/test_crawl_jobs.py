"""Crawls as jobs over HTTP: pages in pieces, events, cancellation, webhooks, and a restart of the server."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from jsonschema import Draft202012Validator

from crawl_web import CrawlWeb, serving
from scenario.interfaces import http
from scenario.test_watching import receiver
from wellread import Web
from wellread.apps.http.api_keys import new_key
from wellread.crawl.webhooks import signature
from wellread.sections import ServerSettings
from wellread.tools import openai
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    import httpx2

    from wellread import Settings

pytestmark = pytest.mark.anyio


@pytest.fixture
def web() -> Iterator[CrawlWeb]:
    with serving(CrawlWeb(6)) as web:
        yield web


def settings(folder: Path, web: CrawlWeb, **changes: Any) -> Settings:  # Any: fields of the section `net`
    base = web.settings(folder)
    return replace(base, server=ServerSettings(port=0), net=replace(base.net, **changes))


@asynccontextmanager
async def client_of(given: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    async with http(given, web=Web(given)) as client:
        yield client


async def started(client: httpx2.AsyncClient, *urls: str, **options: Any) -> str:  # Any: of one argument each
    answer = await client.post("/v1/crawl", json={"urls": urls, "depth": 20, **options})
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


async def first_record(client: httpx2.AsyncClient, job: str) -> None:
    """Wait until the job has a record."""
    async with client.stream("GET", f"/v1/crawl/{job}/events") as answer:
        async for line in answer.aiter_lines():
            if line == "event: record":
                break


async def events(client: httpx2.AsyncClient, job: str, cursor: int = 0) -> list[tuple[str, dict[str, Any]]]:
    """Return the events of a job until its end; Any: JSON."""
    found = []
    async with client.stream("GET", f"/v1/crawl/{job}/events", params={"cursor": cursor}) as answer:
        name = ""
        async for line in answer.aiter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                found.append((name, json.loads(line.removeprefix("data: "))))
    return found


async def test_a_job_gives_events_then_pages_in_pieces(tmp_path: Path, web: CrawlWeb) -> None:
    async with client_of(settings(tmp_path, web)) as client:
        job = await started(client, web.url(1))
        told = await events(client, job)
        assert [name for name, _ in told] == ["record"] * (len(told) - 1) + ["done"]
        assert (told[-1][1]["state"], told[-1][1]["progress"]["counts"]["states"]["new"]) == ("done", 6)
        assert "text" not in told[0][1]
        again = await events(client, job, cursor=told[1][1]["cursor"])
        assert again == told[2:]
        pages: list[dict[str, Any]] = []
        cursor = 0
        while piece := (await client.get(f"/v1/crawl/{job}/pages", params={"limit": 4, "cursor": cursor})).json():
            if not piece["pages"]:
                break
            pages += piece["pages"]
            cursor = piece["cursor"]
        assert [page["url"] for page in pages] == [fields["url"] for _, fields in told[:-1]]
        assert {page["url"] for page in pages if "text" in page} == {
            url for url in web.expected() if url.startswith(web.url(1, ""))
        }


async def test_a_cancelled_job_ends_and_its_pages_stay(tmp_path: Path, web: CrawlWeb) -> None:
    async with client_of(settings(tmp_path, web)) as client:
        job = await started(client, web.url(3))  # the host with a delay
        await first_record(client, job)
        assert (await client.delete(f"/v1/crawl/{job}")).json()["state"] == "cancelled"
        status = (await client.get(f"/v1/crawl/{job}")).json()
        assert status["state"] == "cancelled"
        pages = (await client.get(f"/v1/crawl/{job}/pages")).json()
        assert pages["pages"]
        paths = (await client.get("/openapi.json")).json()["paths"]
        for path, answer in (("/v1/crawl/{job_id}", status), ("/v1/crawl/{job_id}/pages", pages)):
            described = paths[path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            Draft202012Validator(described).validate(answer)


async def test_a_paused_job_stays_paused_until_it_is_resumed(tmp_path: Path, web: CrawlWeb) -> None:
    given = settings(tmp_path, web)
    async with client_of(given) as client:
        job = await started(client, web.url(3))
        await first_record(client, job)
        assert (await client.post(f"/v1/crawl/{job}/pause")).json()["state"] == "paused"
        assert (await events(client, job))[-1][1]["state"] == "paused"  # the stream of events ends
    async with client_of(given) as client:  # the server starts again
        assert [status["state"] for status in (await client.get("/v1/crawl")).json()["jobs"]] == ["paused"]
        cursor = (await events(client, job))[-2][1]["cursor"]
        assert (await client.post(f"/v1/crawl/{job}/resume")).json()["state"] in {"waiting", "running"}
        told = await events(client, job, cursor)
        assert told[-1][1]["state"] == "done"
        lines = (await client.get(f"/v1/crawl/{job}/pages.jsonl")).text.splitlines()
        urls = [json.loads(line)["url"] for line in lines]
        assert len(set(urls)) == len(urls)
        assert urls[-1] == told[-2][1]["url"]
        assert (await client.post(f"/v1/crawl/{job}/pause")).json()["state"] == "done"


async def test_bytes_of_a_job_count_over_a_pause(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = settings(tmp_path, web)
    async with client_of(given) as client:
        job = await started(client, web.url(3))
        await first_record(client, job)
        before = (await client.post(f"/v1/crawl/{job}/pause")).json()["progress"]
    monkeypatch.setattr("wellread.apps.http.crawl_jobs.MAX_BYTES", before["bytes_read"])
    async with client_of(given) as client:
        await client.post(f"/v1/crawl/{job}/resume")
        after = (await events(client, job))[-1][1]["progress"]
    assert after["stopped_by"] == "bytes"
    assert (after["bytes_read"], after["counts"]) == (before["bytes_read"], before["counts"])


async def test_file_of_pages_while_lines_are_written(tmp_path: Path, web: CrawlWeb) -> None:
    given = settings(tmp_path, web)
    async with client_of(given) as client:
        job = await started(client, web.url(1), limit=1)
        assert (await client.get(f"/v1/crawl/{job}/pages.jsonl")).status_code == 200
        await events(client, job)
        line = b'{"url": "' + b"x" * 1_000_000 + b'"}\n'
        file = given.cache.dir / "crawls" / job / "pages.jsonl"
        file.write_bytes(line * 20 + b'{"url": "half a li')
        async with client.stream("GET", f"/v1/crawl/{job}/pages.jsonl") as answer:
            pieces = answer.aiter_bytes()
            received = await anext(pieces)
            with file.open("ab") as growing:
                growing.write(b'ne"}\n' + line)
            async for piece in pieces:
                received += piece
    assert received == line * 20


async def test_a_job_that_was_resumed_waits_over_a_restart(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = settings(tmp_path, web)
    with monkeypatch.context() as patch:
        patch.setattr("wellread.apps.http.crawl_jobs.MAX_RUNNING", 0)
        async with client_of(given) as client:
            job = await started(client, web.url(1), limit=1)
            await client.post(f"/v1/crawl/{job}/pause")
            assert (await client.post(f"/v1/crawl/{job}/resume")).json()["state"] == "waiting"
    async with client_of(given) as client:
        assert (await events(client, job))[-1][1]["state"] == "done"


async def test_a_paused_job_can_be_cancelled(tmp_path: Path, web: CrawlWeb) -> None:
    async with client_of(settings(tmp_path, web)) as client:
        job = await started(client, web.url(3))
        assert (await client.post(f"/v1/crawl/{job}/pause")).json()["state"] == "paused"
        assert (await client.delete(f"/v1/crawl/{job}")).json()["state"] == "cancelled"
        assert (await client.post(f"/v1/crawl/{job}/resume")).json()["state"] == "cancelled"


async def test_a_job_continues_when_the_server_starts_again(tmp_path: Path, web: CrawlWeb) -> None:
    given = settings(tmp_path, web)
    async with client_of(given) as client:
        job = await started(client, web.url(3))
        await first_record(client, job)
    async with client_of(given) as client:
        told = await events(client, job)
    assert told[-1][1]["state"] == "done"
    urls = [fields["url"] for name, fields in told if name == "record"]
    assert len(set(urls)) == len(urls)
    assert set(urls) >= {url for url in web.expected() if url.startswith(web.url(3, ""))}


async def test_a_cursor_continues_behind_lines_that_failed(tmp_path: Path, web: CrawlWeb) -> None:
    given = settings(tmp_path, web)
    async with client_of(settings(tmp_path, web, allow_hosts=())) as client:
        job = await started(client, web.url(1), web.url(4))
        *_, (_, failed), (_, end) = await events(client, job)
    assert (end["state"], failed["state"]) == ("done", "failed")
    job_file, pages_file = (given.cache.dir / "crawls" / job / name for name in ("job.json", "pages.jsonl"))
    job_file.write_text(json.dumps(json.loads(job_file.read_text()) | {"state": "running"}))  # as after a power cut
    async with client_of(given) as client:
        continued = await events(client, job, cursor=failed["cursor"])
        assert {web.url(1), web.url(4)} <= {fields.get("url") for _, fields in continued}
        assert await events(client, job) == continued
        text = pages_file.read_bytes()
        middle = text.index(b"\n") // 2
        pages_file.write_bytes(bytes(middle) + text[middle:])
        assert await events(client, job) == continued[1:], "a damaged line is passed over"


async def test_the_end_of_a_job_is_posted_signed(tmp_path: Path, web: CrawlWeb) -> None:
    with receiver() as (port, messages, _, received):
        base = settings(tmp_path, web)
        address = f"127.0.0.1:{port}"
        given = settings(tmp_path, web, allow_hosts=(*base.net.allow_hosts, address), webhook_secret=Secret("s"))
        given = replace(given, server=replace(given.server, webhook_hosts=(address,)))
        async with client_of(given) as client:
            body = {"urls": [web.url(1)], "limit": 1, "webhook": f"http://{address}/"}
            job = (await client.post("/v1/crawl", json=body)).json()
            await events(client, job["id"])
            assert await anyio.to_thread.run_sync(received.wait, 30)
            assert "webhook_secret" not in (await client.get(f"/v1/crawl/{job['id']}")).json()
    headers, message_body = messages[0]
    message = json.loads(message_body)
    assert (message["event"], message["id"], message["state"]) == ("crawl.ended", job["id"], "done")
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    expected = signature(Secret(job["webhook_secret"]), message_id, timestamp, message_body)
    assert headers["webhook-signature"] == expected
    assert expected != signature(Secret("s"), message_id, timestamp, message_body)


async def test_a_webhook_that_a_restart_broke_off_is_posted(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unanswered(*_: object, **_options: object) -> None:
        await anyio.sleep_forever()

    with receiver() as (port, messages, _, received):
        base = settings(tmp_path, web)
        address = f"127.0.0.1:{port}"
        given = settings(tmp_path, web, allow_hosts=(*base.net.allow_hosts, address), webhook_secret=Secret("s"))
        given = replace(given, server=replace(given.server, webhook_hosts=(address,)))
        with monkeypatch.context() as patch:
            patch.setattr("wellread.crawl.webhooks.send_webhook", unanswered)
            async with client_of(given) as client:
                job = await started(client, web.url(1), limit=1, webhook=f"http://{address}/")
                await events(client, job)
                paused = await started(client, web.url(3), webhook=f"http://{address}/")
                await client.post(f"/v1/crawl/{paused}/pause")
                with anyio.fail_after(20):  # the answer does not wait for the webhook
                    assert (await client.delete(f"/v1/crawl/{paused}")).json()["state"] == "cancelled"
        assert not messages
        async with client_of(given):
            with anyio.fail_after(30):
                while len(messages) < 2:
                    await anyio.to_thread.run_sync(received.wait, 30)
                    received.clear()
    assert {json.loads(body)["id"] for _, body in messages} == {job, paused}


async def test_a_webhook_to_a_host_for_reads_is_refused(tmp_path: Path, web: CrawlWeb) -> None:
    async with client_of(settings(tmp_path, web, webhook_secret=Secret("s"))) as client:
        answer = await client.post("/v1/crawl", json={"urls": [web.url(1)], "webhook": web.url(1)})
    assert (answer.status_code, answer.json()["code"]) == (403, "blocked_address")


async def test_jobs_of_one_caller_do_not_starve_another(tmp_path: Path, web: CrawlWeb) -> None:
    (alice, alice_hash), (bob, bob_hash) = new_key("alice"), new_key("bob")
    given = settings(tmp_path, web)
    given = replace(given, server=replace(given.server, keys={"alice": alice_hash, "bob": bob_hash}))
    async with client_of(given) as client:
        client.headers["authorization"] = f"Bearer {alice}"
        for _ in range(5):
            await started(client, web.url(3))  # the host with a delay
        client.headers["authorization"] = f"Bearer {bob}"
        job = await started(client, web.url(1), limit=1)
        assert (await events(client, job))[-1][1]["state"] == "done"
        client.headers["authorization"] = f"Bearer {alice}"
        assert (await client.post("/v1/crawl", json={"urls": [web.url(3)]})).status_code == 429


async def test_ended_jobs_of_others_stay(tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wellread.apps.http.crawl_jobs.MAX_ENDED", 1)
    (alice, alice_hash), (bob, bob_hash) = new_key("alice"), new_key("bob")
    given = settings(tmp_path, web)
    given = replace(given, server=replace(given.server, keys={"alice": alice_hash, "bob": bob_hash}))
    async with client_of(given) as client:
        client.headers["authorization"] = f"Bearer {bob}"
        job_of_bob = await started(client, web.url(1), limit=1)
        await events(client, job_of_bob)
        client.headers["authorization"] = f"Bearer {alice}"
        jobs = []
        for _ in range(3):
            jobs.append(await started(client, web.url(1), limit=1))
            await events(client, jobs[-1])
        statuses = [(await client.get(f"/v1/crawl/{job}")).status_code for job in jobs]
        assert statuses == [404, 200, 200]  # the oldest are deleted when the next job starts
        client.headers["authorization"] = f"Bearer {bob}"
        assert (await client.get(f"/v1/crawl/{job_of_bob}/pages")).json()["pages"]


@pytest.mark.parametrize("change", [{"arguments": {"urls": ["x"], "from_a_later_version": 1}}, {"created_at": None}])
async def test_a_job_file_of_another_version_is_passed_over(
    tmp_path: Path, web: CrawlWeb, change: dict[str, object]
) -> None:
    given = settings(tmp_path, web)
    folder = given.cache.dir / "crawls" / "old"
    folder.mkdir(parents=True)
    arguments = {"urls": ["x"], "include": [], "exclude": []}
    fields = {"id": "old", "caller": "", "state": "waiting", "created_at": 0.0, "arguments": arguments} | change
    fields = {name: content for name, content in fields.items() if content is not None}
    (folder / "job.json").write_text(json.dumps(fields), encoding="utf-8")
    async with client_of(given) as client:
        assert (await client.get("/v1/crawl/old")).status_code == 404


async def test_jobs_of_others_and_wrong_arguments_are_refused(tmp_path: Path, web: CrawlWeb) -> None:
    (alice, alice_hash), (bob, bob_hash) = new_key("alice"), new_key("bob")
    given = settings(tmp_path, web)
    given = replace(given, server=replace(given.server, keys={"alice": alice_hash, "bob": bob_hash}))
    async with client_of(given) as client:
        client.headers["authorization"] = f"Bearer {alice}"
        job = await started(client, web.url(1), limit=1)
        bodies: list[dict[str, object]] = [
            {},
            {"urls": []},
            {"urls": ["x"], "user_asked": True},
            {"urls": ["x"], "limit": 10**6},
            {"urls": ["x"], "include": ["*a" * 21]},
            {"urls": ["x"], "exclude": ["a" * 501]},
        ]
        for body in bodies:
            assert (await client.post("/v1/crawl", json=body)).status_code == 400, body
        assert (await client.post("/v1/crawl", json={"urls": ["x"], "webhook": "http://a.example/"})).status_code >= 400
        assert (await client.get(f"/v1/crawl/{job}/pages", params={"cursor": "x"})).status_code == 400
        client.headers["authorization"] = f"Bearer {bob}"
        for path in ("", "/pages", "/events"):
            assert (await client.get(f"/v1/crawl/{job}{path}")).status_code == 404
        assert (await client.delete(f"/v1/crawl/{job}")).status_code == 404


async def test_a_small_crawl_stores_pages_for_read(tmp_path: Path, web: CrawlWeb) -> None:
    async with client_of(settings(tmp_path, web)) as client:
        answer = await client.post("/v1/crawl/pages", json={"url": web.url(1), "limit": 3})
        result = answer.json()
        assert (len(result["urls"]), result["stopped_by"]) == (3, "limit")
        assert result["hint"].startswith("ended by limit=3; a higher one goes further.")
        requests = len(web.requests)
        page = (await client.post("/v1/read", json={"url": result["urls"][1]["url"]})).json()
        assert page["snapshot_id"] == result["urls"][1]["snapshot_id"]
        assert len(web.requests) == requests


async def test_a_small_crawl_names_its_bound_and_hints(tmp_path: Path, web: CrawlWeb) -> None:
    web.redirects[web.url(1)] = "http://[/"
    async with Web(settings(tmp_path, web)) as reader, openai(reader) as tools:
        text = await tools.call("web_crawl", {"url": web.url(1), "limit": 1})
    assert "The crawl ended by limit=1; a higher one goes further." in text
    assert "Hint for invalid_url: " in text


@pytest.mark.parametrize("place", ["http://[/", "http:///", "http://%zz/", "http://a:99999999/", "//", "mailto:a@b"])
async def test_a_redirect_to_no_url_fails_that_url(tmp_path: Path, web: CrawlWeb, place: str) -> None:
    web.redirects[web.url(1)] = place
    async with client_of(settings(tmp_path, web)) as client:
        job = await started(client, web.url(1))
        (_, record), (name, end) = await events(client, job)
    assert (record["state"], record["error"]["code"]) == ("failed", "invalid_url")
    assert (name, end["state"]) == ("done", "done")


async def test_a_bug_ends_its_job_and_not_the_server(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "s3cret"

    def broken(*_: object) -> None:
        raise ValueError(secret)

    given = settings(tmp_path, web)
    async with client_of(given) as client:
        with monkeypatch.context() as patch:
            patch.setattr("wellread.crawl.crawler.pacing.next_start", broken)
            job = await started(client, web.url(1))
            _, end = (await events(client, job))[-1]
        assert (end["state"], end["error"]["code"]) == ("failed", "error")
        assert job in caplog.text
        assert secret not in caplog.text + json.dumps(end)
        other = await started(client, web.url(1), limit=1)
        assert (await events(client, other))[-1][1]["state"] == "done"
    async with client_of(given) as client:
        assert (await client.get(f"/v1/crawl/{job}")).json()["state"] == "failed"
