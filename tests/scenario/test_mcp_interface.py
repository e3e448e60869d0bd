"""The MCP interface through the SDK's own client, by stdio and by HTTP, in both protocol revisions."""

from __future__ import annotations

import base64
import json
from itertools import cycle
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp import types as mcp
from mcp.client.streamable_http import streamable_http_client

from scenario.interfaces import ERAS, FAQ, LONG, PDF, QUESTION, connected, http, serving, settings, stdio
from wellread.apps.commands.demo import HOME
from wellread.apps.operations.page_registry import PAGES
from wellread.apps.operations.registry import BY_NAME, OPERATIONS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

WAYS = [(transport, era) for transport in ("stdio", "http") for era in ERAS]
TOKENS = 10_000
BYTES_PER_TOKEN = 3
"""Fewer than any script needs in the usual vocabularies, so that the estimate is on the safe side."""


@pytest.fixture(params=WAYS, ids=["-".join(way) for way in WAYS])
async def client(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Client]:
    transport, era = request.param
    async with connected(tmp_path, transport, era) as client:
        assert client.protocol_version == ERAS[era]
        yield client


def text(result: mcp.CallToolResult) -> str:
    first = result.content[0]
    assert isinstance(first, mcp.TextContent)
    return first.text


def told(result: mcp.CallToolResult) -> dict[str, Any]:  # Any: JSON
    assert not result.is_error, text(result)
    data = result.structured_content
    assert isinstance(data, dict)
    return data


def size(result: mcp.CallToolResult) -> int:
    """Return the bytes of the larger part: clients show a model one of them."""
    parts = result.model_dump(mode="json", by_alias=True)
    return max(len(json.dumps(parts[name], ensure_ascii=False).encode()) for name in ("content", "structuredContent"))


async def test_every_tool_result_fits_its_schema_and_10000_tokens(client: Client) -> None:
    """One connection for all, since starting a server is what takes the time."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == [operation.name for operation in OPERATIONS]
    calls: list[tuple[str, dict[str, object]]] = [
        ("index_add", {"url": FAQ}),
        ("index_add", {"url": LONG}),
        ("index_list", {"limit": 1}),
        ("web_search", {"query": "lamp"}),
        ("web_read", {"url": LONG}),
        ("web_read", {"url": LONG, "include": ["links", "headings", "images", "posts"], "max_length": 500}),
        ("web_read_many", {"urls": [LONG, FAQ, "http://127.0.0.1/", LONG]}),
        ("web_gather", {"question": QUESTION}),
        ("web_gather", {"question": QUESTION, "include": ["pages"], "gather_top": 1}),
        ("web_answer", {"question": QUESTION}),
        ("web_answer", {"question": QUESTION, "include": ["gathered"]}),
        ("web_research", {"question": QUESTION}),
        ("web_research", {"question": QUESTION, "include": ["findings", "contradictions"], "pages": 3}),
        ("web_find", {"url": FAQ, "pattern": "storm petrels"}),
        ("web_facts", {"url": LONG}),
        ("web_facts", {"url": FAQ, "selectors": {"title": "h1"}, "schema": {"properties": {"title": {}}}}),
        ("web_map", {"url": FAQ, "search": "petrels"}),
        ("web_crawl", {"url": FAQ, "limit": 3}),
        ("web_watch", {"action": "add", "url": FAQ}),
        ("web_watch", {"action": "run", "id": 1}),
        ("web_watch", {"action": "diff", "id": 1}),
        ("web_watch", {}),
        ("web_download", {"url": PDF}),
        ("index_remove", {"url": FAQ}),
    ]
    for name, arguments in calls:
        result = await client.call_tool(name, arguments)
        Draft202012Validator(tools[name].output_schema or {}).validate(told(result))
        if "include" not in arguments:
            assert size(result) < TOKENS * BYTES_PER_TOKEN, name
    assert {name for name, _ in calls} == set(tools) - {each.name for each in PAGES}


async def test_failures_say_what_would_help_in_both_parts_of_the_result(
    client: Client, request: pytest.FixtureRequest
) -> None:
    hint = "a server reads only public addresses for its callers"
    if "stdio" in request.node.callspec.id:  # the owner is the caller
        hint = "to allow a private address, the user sets net.allow_hosts=HOST:PORT, a setting of wellread"
    refused = await client.call_tool("web_read", {"url": "http://127.0.0.1/"})
    assert refused.is_error
    assert text(refused).startswith("blocked_address: ")
    assert f". Hint: {hint}. URL: http://127.0.0.1/" in text(refused)
    assert refused.structured_content["error"]["code"] == "blocked_address"
    misspelt = await client.call_tool("web_read", {"ulr": FAQ})
    assert misspelt.is_error
    assert "did you mean url?" in text(misspelt)
    with pytest.raises(MCPError) as caught:
        await client.call_tool("web_fetch", {})
    assert caught.value.code == -32602


async def test_long_page_by_cursors_and_as_a_resource(client: Client) -> None:
    first = await client.call_tool("web_read", {"url": LONG})
    pieces = [told(first)]
    while cursor := pieces[-1]["cursor"]:
        assert cursor in text(first) or len(pieces) > 1
        pieces.append(told(await client.call_tool("web_read", {"url": LONG, "cursor": cursor})))
        assert pieces[-1]["cached"]
    whole = "".join(piece["text"] for piece in pieces)
    assert len(whole) == pieces[0]["total_chars"]
    link = first.content[1]
    assert isinstance(link, mcp.ResourceLink)
    assert link.name == LONG.split("/")[2]
    contents = (await client.read_resource(link.uri)).contents[0]
    assert isinstance(contents, mcp.TextResourceContents)
    assert whole.strip() in contents.text


async def test_a_gather_reports_its_steps_on_the_stream_of_the_request(client: Client) -> None:
    for url in (FAQ, LONG):
        await client.call_tool("index_add", {"url": url})
    steps: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, total, message))

    gathered = told(await client.call_tool("web_gather", {"question": QUESTION}, progress_callback=note))
    assert [step for step, _, _ in steps] == [1, 2, 3]
    assert steps[0][2] == "2 results"
    assert {message for _, _, message in steps[1:]} == {f"read {FAQ}", f"read {LONG}"}
    assert all(total is not None and step <= total for step, total, _ in steps)
    assert gathered["passages"]
    steps.clear()
    research = told(await client.call_tool("web_research", {"question": QUESTION}, progress_callback=note))
    assert steps[0][2] == f"{len(research['plan']['queries'])} queries"
    assert len(steps) == 1 + len(research["plan"]["queries"])
    assert all(total is not None and step <= total for step, total, _ in steps)


async def test_a_download_is_linked_listed_and_read_as_a_resource(client: Client, tmp_path: Path) -> None:
    result = await client.call_tool("web_download", {"url": PDF})
    saved, link = told(result), result.content[1]
    assert isinstance(link, mcp.ResourceLink)
    assert (tmp_path / "downloads" / saved["name"]).read_bytes().startswith(b"%PDF")
    assert [resource.uri for resource in (await client.list_resources()).resources] == [link.uri]
    contents = (await client.read_resource(link.uri)).contents[0]
    assert isinstance(contents, mcp.BlobResourceContents)
    assert base64.b64decode(contents.blob).startswith(b"%PDF")
    assert len((await client.list_resource_templates()).resource_templates) == 2


@pytest.mark.parametrize(
    "uri", ["wellread://downloads/..%2Findex.db", "wellread://page/sha256:00", "file:///etc/passwd", "wellread://page/"]
)
async def test_a_resource_that_is_none_is_refused(tmp_path: Path, uri: str) -> None:
    async with connected(tmp_path, "http", "auto") as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
    assert caught.value.code == -32602
    assert caught.value.data["code"] == "gone"


async def test_tools_say_what_they_do_to_the_world(tmp_path: Path) -> None:
    async with connected(tmp_path, "http", "auto") as client:
        listed = await client.list_tools()
        assert "never instructions" in (client.instructions or "")
    for tool in listed.tools:
        operation, hints = BY_NAME[tool.name], tool.annotations
        assert hints is not None
        assert tool.title == operation.title
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
            operation.read_only,
            operation.destructive,
            operation.idempotent,
            operation.open_world,
        )
        Draft202012Validator.check_schema(tool.input_schema)
        assert all(field["description"] for field in tool.input_schema["properties"].values())
    assert listed.ttl_ms > 0
    assert {operation.name for operation in OPERATIONS if not operation.read_only} == {
        "web_watch", "web_download", "index_add", "index_remove", "browse_url", "page_click", "page_type",
        "page_select", "page_press", "page_hover", "page_drag", "page_scroll", "page_back", "page_upload",
        "page_evaluate", "page_close",
    }  # fmt: skip


async def test_a_client_that_reads_text_only_gets_all_of_it_as_text(tmp_path: Path) -> None:
    async with Client(stdio(tmp_path, "--answers", "text")) as client:
        assert all(tool.output_schema is None for tool in (await client.list_tools()).tools)
        page = await client.call_tool("web_read", {"url": FAQ})
        assert page.structured_content is None
        assert "hermit crab" in text(page)
        assert '<web-text id="' in text(page)


async def test_what_a_page_says_cannot_end_its_own_quotation(tmp_path: Path) -> None:
    async with connected(tmp_path, "http", "auto") as client:
        hostile = await client.call_tool("web_read", {"url": HOME + "hostile"})
    name = text(hostile).split('<web-text id="')[1].split('"')[0]
    assert text(hostile).rstrip().endswith(f'</web-text id="{name}">')
    assert name not in told(hostile)["text"]


async def test_a_client_of_either_revision_is_served_by_one_server(tmp_path: Path) -> None:
    async with (
        serving(settings(tmp_path)) as root,
        Client(f"{root}/mcp", mode="legacy") as old,
        Client(f"{root}/mcp", mode="auto") as new,
    ):
        assert {old.protocol_version, new.protocol_version} == set(ERAS.values())
        for client in (old, new):
            assert told(await client.call_tool("web_read", {"url": FAQ}))["title"]


async def test_session_gets_json_or_events_for_progress(tmp_path: Path) -> None:
    hello = {"protocolVersion": ERAS["legacy"], "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    accepted = {"accept": "application/json, text/event-stream"}
    async with http(settings(tmp_path)) as client:

        async def ask(method: str, params: dict[str, Any], **headers: str) -> httpx2.Response:
            given = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return await client.post("/mcp", json=given, headers=accepted | headers)

        opened = await ask("initialize", hello)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        call = {"name": "web_read", "arguments": {"url": FAQ}}
        read = await ask("tools/call", call, **session)
        assert [each.headers["content-type"] for each in (opened, read)] == ["application/json"] * 2
        assert read.json()["result"]["structuredContent"]["title"]
        await ask("tools/call", {"name": "index_add", "arguments": {"url": FAQ}}, **session)
        asked = {"name": "web_gather", "arguments": {"question": QUESTION}, "_meta": {"progressToken": "p"}}
        told = await ask("tools/call", asked, **session)
        assert told.headers["content-type"].startswith("text/event-stream")
        assert told.text.index("notifications/progress") < told.text.index('"result"')


class Alternating(httpx2.AsyncBaseTransport):
    """Sends each request to the next of several servers, as a load balancer does."""

    def __init__(self, roots: list[str]) -> None:
        self.statuses: list[tuple[str, int]] = []
        self._ports = cycle(httpx2.URL(root).port for root in roots)
        self._transport = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.url = request.url.copy_with(port=next(self._ports))
        request.headers["host"] = f"{request.url.host}:{request.url.port}"
        response = await self._transport.handle_async_request(request)
        self.statuses.append((request.method, response.status_code))
        return response

    async def aclose(self) -> None:
        await self._transport.aclose()


@pytest.mark.parametrize("era", ERAS)
async def test_client_whose_requests_reach_two_replicas_in_turn(tmp_path: Path, era: str) -> None:
    steps: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert message
        assert total is None or progress <= total
        steps.append(progress)

    async with (
        serving(settings(tmp_path / "a", mcp_stateless=True)) as first,
        serving(settings(tmp_path / "b", mcp_stateless=True)) as second,
    ):
        balancer = Alternating([first, second])
        async with (
            httpx2.AsyncClient(transport=balancer, timeout=60) as sender,
            Client(streamable_http_client(f"{first}/mcp", http_client=sender), mode=era) as client,
        ):
            assert client.protocol_version == ERAS[era]
            assert len((await client.list_tools()).tools) == len(OPERATIONS)
            for _ in range(2):
                told(await client.call_tool("index_add", {"url": FAQ}))
            for _ in range(3):
                assert told(await client.call_tool("web_read", {"url": FAQ}))["title"]
            told(await client.call_tool("web_gather", {"question": QUESTION}, progress_callback=note))
    assert steps == [1, 2]
    assert {status for method, status in balancer.statuses if method == "POST"} <= {200, 202}
    assert {status for method, status in balancer.statuses if method != "POST"} <= {405}


async def test_a_server_that_cannot_open_tells_its_callers_why(tmp_path: Path) -> None:
    broken = stdio(tmp_path)
    broken.args[broken.args.index("--replay") + 1] = str(tmp_path / "nowhere.warc.gz")
    with anyio.fail_after(60):
        async with Client(broken) as client:
            result = await client.call_tool("web_read", {"url": FAQ})
    assert result.is_error
    assert "nowhere.warc.gz" in text(result)
