"""LangChain: the `ToolMessage` that an agent appends for its model."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

import report


async def main() -> None:
    """Read the page with a tool of the adapter."""
    target = report.target()
    where: dict[str, Any] = {"transport": "streamable_http", "url": target.url}
    if target.transport == "stdio":
        where = {"transport": "stdio", "command": target.command[0], "args": target.command[1:]}
    client = import_module("langchain_mcp_adapters.client").MultiServerMCPClient({"wellread": where})
    name, arguments = report.call()
    async with client.session("wellread") as session:
        load = import_module("langchain_mcp_adapters.tools").load_mcp_tools
        tool = next(tool for tool in await load(session) if tool.name == name)
        message = await tool.ainvoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
    blocks = message.content if isinstance(message.content, list) else [message.content]
    text = "\n".join(block["text"] if isinstance(block, dict) else block for block in blocks)
    report.report("langchain-mcp-adapters", "langchain-mcp-adapters", text)


asyncio.run(main())
