"""The `ClientSession` of the official SDK, 1.x line; run by benchmarks/clients.py in an environment that has it."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from importlib import import_module
from typing import Any


async def main(transport: str, target: list[str], calls: list[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    """Call each tool in turn."""
    mcp = import_module("mcp")
    if transport == "stdio":
        opened = import_module("mcp.client.stdio").stdio_client(
            mcp.StdioServerParameters(command=target[0], args=target[1:])
        )
    else:
        opened = import_module("mcp.client.streamable_http").streamablehttp_client(target[0])
    told: dict[str, str] = {}
    async with opened as streams, mcp.ClientSession(streams[0], streams[1]) as session:
        hello = await session.initialize()
        told["tools/list"] = f"{len((await session.list_tools()).tools)} tools"
        browsing = ""
        for name, asked in calls:
            arguments = {key: browsing if value == "SESSION" else value for key, value in asked.items()}
            result = await session.call_tool(name, arguments)
            browsing = next(iter(re.findall("tab_[0-9a-f]{32}", str(result))), browsing)
            told[name] = "ok" if not result.isError and result.structuredContent else "failed"
        return {"revision": str(hello.protocolVersion), **told}


print(json.dumps(asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])))))
