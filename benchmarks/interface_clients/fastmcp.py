"""FastMCP's client; run by benchmarks/clients.py in an environment that has it."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from importlib import import_module
from typing import Any

sys.path.pop(0)  # this file's own folder, in which its name would hide the library's


async def main(transport: str, target: list[str], calls: list[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    """Call each tool in turn."""
    fastmcp = import_module("fastmcp")
    where = target[0]
    if transport == "stdio":
        where = import_module("fastmcp.client.transports").StdioTransport(command=target[0], args=target[1:])
    told: dict[str, str] = {}
    async with fastmcp.Client(where) as client:
        told["tools/list"] = f"{len(await client.list_tools())} tools"
        browsing = ""
        for name, asked in calls:
            arguments = {key: browsing if value == "SESSION" else value for key, value in asked.items()}
            result = await client.call_tool(name, arguments, raise_on_error=False)
            browsing = next(iter(re.findall("tab_[0-9a-f]{32}", str(result))), browsing)
            told[name] = "ok" if not result.is_error and result.structured_content else "failed"
        return {"revision": str(getattr(client, "protocol_version", "?")), **told}


print(json.dumps(asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])))))
