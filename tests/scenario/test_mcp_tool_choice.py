"""Fewer MCP tools on request: by name, or the profile `slim`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from mcp import Client, MCPError

from scenario.interfaces import serving, settings
from wellread.apps.cli import app
from wellread.apps.commands.demo import HOME
from wellread.apps.mcp import SLIM_TOOLS
from wellread.reading.page_printing import estimated_tokens

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("search", "read"), ["web_search", "web_read"]),
        (("index_list", "web_find"), ["web_find", "index_list"]),
        (("slim",), list(SLIM_TOOLS)),
    ],
)
async def test_server_offers_the_named_tools(tmp_path: Path, names: tuple[str, ...], expected: list[str]) -> None:
    async with serving(settings(tmp_path, mcp_tools=names)) as root, Client(f"{root}/mcp") as client:
        tools = (await client.list_tools()).tools
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("web_gather", {"question": "When?"})
    assert [tool.name for tool in tools] == expected


async def test_slim_tools_take_few_tokens_and_work(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, mcp_tools=("slim",))) as root, Client(f"{root}/mcp") as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("web_read", {"url": HOME})
    definitions = json.dumps([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])
    assert estimated_tokens(definitions) < 2_000
    assert not result.is_error


def test_unknown_tool_is_named() -> None:
    result = CliRunner().invoke(app, ["mcp", "--tools", "search,reed"])
    assert result.exit_code == 3
    assert "reed" in result.stderr
