"""What operators learn of the work: spans that go on with the caller's, logs, and metrics, with no secrets in them."""

from __future__ import annotations

import io
import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from scenario.interfaces import FAQ, LONG, QUESTION, http, serving, settings
from wellread import Web
from wellread.apps.http import api_keys, logs
from wellread.apps.tracing import TracedRenderer, Tracer
from wellread.errors import UnreadableError
from wellread.ports import Rendering
from wellread.testing import FakeClock
from wellread.types import Request, Response

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from opentelemetry.sdk.trace import ReadableSpan

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}
CALLER = trace.SpanContext(int(TRACE, 16), 0x00F067AA0BA902B7, is_remote=True, trace_flags=trace.TraceFlags(1))
MEMORY = InMemorySpanExporter()


@pytest.fixture(scope="module", autouse=True)
def _provider() -> None:
    """The provider is one for the whole process."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(MEMORY))
    trace.set_tracer_provider(provider)


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    MEMORY.clear()
    yield MEMORY
    MEMORY.clear()


@pytest.fixture
def told() -> Iterator[io.StringIO]:
    before = logging.root.handlers[:], logging.root.level, logging.getLogger("wellread").level
    out = io.StringIO()
    logs.configure("json", out)
    yield out
    logging.root.handlers[:] = before[0]
    logging.root.setLevel(before[1])
    logging.getLogger("wellread").setLevel(before[2])


def ours(spans: InMemorySpanExporter) -> dict[str, list[ReadableSpan]]:
    found: dict[str, list[ReadableSpan]] = {}
    for span in spans.get_finished_spans():
        if span.name.startswith("wellread."):
            found.setdefault(span.name.removeprefix("wellread."), []).append(span)
    return found


async def test_gather_is_one_trace_below_that_of_the_caller(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    async with http(settings(tmp_path)) as client:
        for url in (FAQ, LONG):
            await client.post("/v1/index/add", json={"url": url})
        spans.clear()
        await client.post("/v1/gather", json={"question": QUESTION}, headers=PARENT)
        gathered = ours(spans)
        spans.clear()
        await client.post("/v1/read", json={"url": FAQ, "fresh": True}, headers=PARENT)
        read = ours(spans)
    assert set(gathered) == {"web_gather", "search", "read", "rank"}
    assert set(read) == {"web_read", "read", "fetch", "guard", "extract"}
    for each in (*gathered.values(), *read.values()):
        assert all(f"{span.context.trace_id:032x}" == TRACE for span in each if span.context)
    (extract,) = read["extract"]
    assert extract.attributes
    assert extract.attributes["wellread.page_type"]
    assert {span.attributes["wellread.cached"] for span in gathered["read"] if span.attributes} == {True}


async def test_a_call_by_mcp_goes_on_with_the_trace_in_its_meta(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    async with serving(settings(tmp_path)) as root, Client(f"{root}/mcp") as client:
        # The SDK's client puts its own span into the meta, which goes on with this one.
        with trace.use_span(trace.NonRecordingSpan(CALLER)):
            await client.call_tool("web_read", {"url": FAQ})
    (read,) = ours(spans)["web_read"]
    assert read.context
    assert f"{read.context.trace_id:032x}" == TRACE


async def test_traces_logs_and_metrics_have_no_private_text(
    tmp_path: Path, spans: InMemorySpanExporter, told: io.StringIO
) -> None:
    key, kept = api_keys.new_key("alice")
    secrets = ["s3cret", "opensesame", key, "petrel", "wedding", "/faq", "private-words"]
    async with http(settings(tmp_path, keys={"alice": kept})) as client:
        client.headers["authorization"] = f"Bearer {key}"
        for path, given in (
            ("/v1/read", {"url": FAQ}),
            ("/v1/read", {"url": "http://user:opensesame@a.example/private-words"}),
            ("/v1/read", {"url": FAQ + "?token=s3cret"}),
            ("/v1/read", {"url": "http://127.0.0.1/private-words?token=s3cret"}),
            ("/v1/search", {"query": "petrel private-words"}),
            ("/v1/gather", {"question": "Why wedding private-words?"}),
        ):
            await client.post(path, json=given)
        counted = (await client.get("/metrics")).text
    written = " ".join(span.to_json() for spans_ in ours(spans).values() for span in spans_)
    assert "blocked_address" in written
    for secret in secrets:
        assert secret not in written + told.getvalue() + counted, secret


async def test_log_line_of_an_operation(tmp_path: Path, told: io.StringIO) -> None:
    key, kept = api_keys.new_key("alice")
    async with http(settings(tmp_path, keys={"alice": kept})) as client:
        sent = PARENT | {"authorization": f"Bearer {key}", "x-request-id": "r-7"}
        await client.post("/v1/read", json={"url": FAQ}, headers=sent)
        await client.post("/v1/read", json={"url": "http://127.0.0.1/"}, headers=sent | {"x-request-id": "r-8"})
    first, second = lines(told)
    about = {"event": "done", "operation": "web_read", "caller": "alice", "level": "info", "trace": TRACE}
    assert about.items() <= first.items()
    assert (first["request"], first["code"]) == ("r-7", "ok")
    assert (second["request"], second["code"]) == ("r-8", "blocked_address")
    assert first["seconds"] >= 0


def test_what_libraries_log_comes_out_the_same_way(told: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").error("the port sticks")
    assert [(line["event"], line["logger"]) for line in lines(told)] == [("the port sticks", "uvicorn.error")]


async def test_metrics_tell_steps_cache_bytes_browsers_and_the_queue(tmp_path: Path) -> None:
    async with http(settings(tmp_path)) as client:
        for _ in range(2):
            await client.post("/v1/read", json={"url": FAQ})
        await client.post("/v1/read", json={"url": FAQ + "-none"})
        counted = (await client.get("/metrics")).text
    values = dict(line.rsplit(" ", 1) for line in counted.splitlines() if not line.startswith("#"))
    assert values['wellread_cache_total{result="hit"}'] == "1.0"
    assert values['wellread_cache_total{result="miss"}'] == "1.0"
    assert values['wellread_steps_total{code="unrecorded",step="fetch"}'] == "1.0"
    assert values['wellread_step_seconds_count{step="extract"}'] == "1.0"
    assert float(values["wellread_fetched_bytes_total"]) > 1_000
    assert values["wellread_browsers"] == values["wellread_browser_tabs"] == "0.0"
    assert values["wellread_operations_waiting"] == "0.0"


async def test_span_of_a_failed_rendering_has_only_its_code(spans: InMemorySpanExporter) -> None:
    class Screen:
        fails = False

        async def render(self, request: Request) -> Rendering:
            if self.fails:
                raise UnreadableError(f"{request.url} is bad")
            return Rendering(response=Response(url=request.url, status=200, headers=(), body=b"12345"))

    heard: list[tuple[str, str, Any]] = []
    tracer = Tracer(FakeClock())
    tracer.observe = lambda step, code, _seconds, facts: heard.append((step, code, dict(facts)))
    screen = Screen()
    traced = TracedRenderer(screen, tracer)
    await traced.render(Request(url="http://a.example/s3cret"))
    screen.fails = True
    with pytest.raises(UnreadableError):
        await traced.render(Request(url="http://a.example/s3cret"))
    assert heard == [("render", "ok", {"status": 200, "bytes": 5}), ("render", "unreadable", {})]
    good, bad = ours(spans)["render"]
    assert "s3cret" not in good.to_json() + bad.to_json()
    assert bad.attributes
    assert bad.attributes["error.type"] == "unreadable"


async def test_a_web_without_a_server_tells_whoever_listens(tmp_path: Path) -> None:
    heard = []
    given = settings(tmp_path)
    async with Web(replace(given)) as web:
        web.tracer.observe = lambda step, code, _seconds, _facts: heard.append((step, code))
        await web.search("nothing")
    assert heard == [("search", "ok")]


def lines(out: io.StringIO) -> list[dict[str, Any]]:  # Any: JSON
    return [json.loads(line) for line in out.getvalue().splitlines()]
