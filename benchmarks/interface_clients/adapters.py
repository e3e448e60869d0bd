"""langchain-mcp-adapters; run by benchmarks/clients.py in an environment that has it."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from importlib import import_module
from typing import Any


async def main(transport: str, target: list[str], calls: list[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    """Call each tool in turn."""
    where: dict[str, Any] = {"transport": "streamable_http", "url": target[0]}
    if transport == "stdio":
        where = {"transport": "stdio", "command": target[0], "args": target[1:]}
    client = import_module("langchain_mcp_adapters.client").MultiServerMCPClient({"wellread": where})
    told: dict[str, str] = {}
    load = import_module("langchain_mcp_adapters.tools").load_mcp_tools
    async with client.session("wellread") as session:
        tools = {tool.name: tool for tool in await load(session)}
        told["tools/list"] = f"{len(tools)} tools"
        browsing = ""
        for name, asked in calls:
            arguments = {key: browsing if value == "SESSION" else value for key, value in asked.items()}
            result = await tools[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
            browsing = next(iter(re.findall("tab_[0-9a-f]{32}", str(result))), browsing)
            told[name] = "ok" if result.status == "success" and result.content else "failed"
    return {"revision": "2025-11-25", **told}


print(json.dumps(asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])))))
