"""The forms of an MCP tool result: whichever part a client shows its model, the piece in it is whole."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client
from mcp import types as mcp

from scenario.interfaces import ERAS, FAQ, LONG, QUESTION, serving, settings, stdio
from wellread import Web, tools
from wellread.apps.commands.demo import SITE
from wellread.apps.mcp_clients import SHOWS_BOTH, result_form
from wellread.apps.operations import render_text
from wellread.errors import RateLimited, Upstream

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.sections import McpAnswers

COPILOT = mcp.Implementation(name="github-copilot-developer", version="1.0.25")
NEXT_CALL = re.compile(r"To read on, call (\w+) with (\{.*\})\Z")


def text(result: mcp.CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, mcp.TextContent))


async def read_all(folder: Path, answers: McpAnswers, **options: Any) -> tuple[mcp.CallToolResult, bool]:
    """Return the whole reference page in one piece, and whether the tools have an output schema."""
    async with serving(settings(folder, mcp_answers=answers)) as root, Client(f"{root}/mcp", **options) as client:
        listed = (await client.list_tools()).tools
        result = await client.call_tool("web_read", {"url": LONG, "max_length": 200_000})
    return result, all(tool.output_schema is not None for tool in listed)


async def last_words(folder: Path) -> str:
    async with Web(settings(folder), replay=SITE) as web:
        page = await web.read(LONG, max_length=200_000)
    assert page.cursor is None
    return page.text.rstrip()[-60:]


@pytest.mark.parametrize("era", ERAS)
async def test_answers_both_are_whole(tmp_path: Path, era: str) -> None:
    result, has_schemas = await read_all(tmp_path, "both", mode=era)
    last = await last_words(tmp_path)
    assert last in text(result)
    assert last in result.structured_content["text"]
    assert has_schemas


async def test_answers_text_alone(tmp_path: Path) -> None:
    result, has_schemas = await read_all(tmp_path, "text")
    assert await last_words(tmp_path) in text(result)
    assert result.structured_content is None
    assert not has_schemas


async def test_answers_structured_as_json(tmp_path: Path) -> None:
    result, has_schemas = await read_all(tmp_path, "structured")
    assert json.loads(text(result)) == result.structured_content
    assert await last_words(tmp_path) in result.structured_content["text"]
    assert has_schemas


@pytest.mark.parametrize("era", ERAS)
async def test_auto_for_unknown_client(tmp_path: Path, era: str) -> None:
    result, has_schemas = await read_all(tmp_path, "auto", mode=era)
    last = await last_words(tmp_path)
    assert last in text(result)
    assert last in result.structured_content["text"]
    assert has_schemas


@pytest.mark.parametrize("era", ERAS)
async def test_auto_for_client_that_shows_both(tmp_path: Path, era: str) -> None:
    result, has_schemas = await read_all(tmp_path, "auto", mode=era, client_info=COPILOT)
    assert await last_words(tmp_path) in text(result)
    assert result.structured_content is None
    assert not has_schemas


async def test_auto_list_is_private(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, Client(f"{root}/mcp") as client:
        assert (await client.list_tools()).cache_scope == "private"
    async with serving(settings(tmp_path, mcp_answers="both")) as root, Client(f"{root}/mcp") as client:
        assert (await client.list_tools()).cache_scope == "public"


async def test_auto_over_stdio(tmp_path: Path) -> None:
    async with Client(stdio(tmp_path), client_info=COPILOT) as client:
        page = await client.call_tool("web_read", {"url": FAQ})
    assert page.structured_content is None
    assert "hermit crab" in text(page)


@pytest.mark.parametrize("answers", ["both", "text", "structured"])
async def test_error_is_whole_in_each_form(tmp_path: Path, answers: McpAnswers) -> None:
    async with serving(settings(tmp_path, mcp_answers=answers)) as root, Client(f"{root}/mcp") as client:
        result = await client.call_tool("web_read", {"url": "http://127.0.0.1/"})
    assert result.is_error
    for fact in ("blocked_address", "only public addresses", "http://127.0.0.1/"):
        assert fact in text(result)
        assert (answers == "text") == (result.structured_content is None)
        assert answers == "text" or fact in json.dumps(result.structured_content)


def test_error_text_has_status_and_wait() -> None:
    limited = render_text.failure_text(
        RateLimited("too many", url="https://a.example/", hint="ask less", retry_after_s=90)
    )
    for fact in ("rate_limited", "too many", "ask less", "90 s", "https://a.example/", "may work later"):
        assert fact in limited
    assert "503" in render_text.failure_text(Upstream("it failed", status=503))


def test_error_text_cuts_urls_of_redirects() -> None:
    url = "https://b.example/" + "call-web_read-now/" * 900
    error = RateLimited(f"https://a.example/ redirects to {url}", url=url, hint=f"open {url} later")
    assert len(render_text.failure_text(error)) < 900


async def test_cursor_call_stands_at_the_end(tmp_path: Path) -> None:
    pieces, name, arguments = [], "web_read", {"url": LONG}
    async with serving(settings(tmp_path)) as root, Client(f"{root}/mcp") as client:
        while name:
            result = await client.call_tool(name, arguments)
            pieces.append(result.structured_content["text"])
            assert pieces[-1].strip() in text(result)
            following = NEXT_CALL.search(text(result))
            cursor = result.structured_content["cursor"]
            assert (following is None) == (cursor is None)
            name, arguments = (following[1], json.loads(following[2])) if following else ("", {})
            assert arguments.get("cursor") == cursor
    assert len(pieces) > 1
    assert "".join(pieces).rstrip().endswith(await last_words(tmp_path))


async def test_index_list_call_stands_at_the_end(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, Client(f"{root}/mcp") as client:
        for url in (FAQ, LONG):
            await client.call_tool("index_add", {"url": url})
        first = text(await client.call_tool("index_list", {"limit": 1}))
        following = NEXT_CALL.search(first)
        assert following is not None
        second = text(await client.call_tool(following[1], json.loads(following[2])))
    assert {url for url in (FAQ, LONG) if url in first} | {url for url in (FAQ, LONG) if url in second} == {FAQ, LONG}
    assert NEXT_CALL.search(second) is None


async def test_asked_lists_are_in_the_text(tmp_path: Path) -> None:
    asked = {"url": LONG, "include": ["links", "headings"], "max_length": 500}
    async with serving(settings(tmp_path)) as root, Client(f"{root}/mcp") as client:
        result = await client.call_tool("web_read", asked)
        plain = await client.call_tool("web_read", {"url": LONG, "max_length": 500})
    lists = result.structured_content
    assert lists["headings"]
    assert lists["links"]
    assert all(link in text(result) for link in lists["links"])
    assert all(heading["text"] in text(result) for heading in lists["headings"])
    assert text(result).count("<web-text id=") == text(plain).count("<web-text id=") + 1


async def test_gathered_pages_are_in_the_text(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, Client(f"{root}/mcp") as client:
        await client.call_tool("index_add", {"url": FAQ})
        result = await client.call_tool("web_gather", {"question": QUESTION, "include": ["pages"]})
    assert result.structured_content["pages"]
    assert all(page["text"].strip() in text(result) for page in result.structured_content["pages"])


@pytest.mark.parametrize("name", ["openai", "anthropic", "pydantic_ai", "langchain"])
async def test_tool_set_shows_whole_page(tmp_path: Path, name: str) -> None:
    async with Web(settings(tmp_path), replay=SITE) as web:
        kit = getattr(tools, name)(web)
        shown = await kit.call("web_read", {"url": LONG, "max_length": 200_000})
        piece = await kit.call("web_read", {"url": LONG, "max_length": 500})
    assert await last_words(tmp_path) in shown
    assert NEXT_CALL.search(piece)


def test_forms_by_setting_and_client() -> None:
    assert result_form("auto", None) == result_form("auto", "claude-code") == "both"
    for name, client in SHOWS_BOTH.items():
        assert result_form("auto", name) == "text"
        assert result_form("both", name) == "both"
        assert result_form("structured", name) == "structured"
        assert client.shows_both
        assert client.sends_name
