"""The official SDK's `Client` of the 2.x line, in either protocol revision; run by benchmarks/clients.py."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from typing import Any

from mcp import Client, StdioServerParameters


async def main(transport: str, target: list[str], calls: list[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    """Call each tool in turn."""
    where: Any = StdioServerParameters(command=target[0], args=target[1:]) if transport == "stdio" else target[0]
    told: dict[str, str] = {}
    async with Client(where, mode=os.environ.get("MODE", "auto")) as client:
        told["tools/list"] = f"{len((await client.list_tools()).tools)} tools"
        browsing = ""
        for name, asked in calls:
            arguments = {key: browsing if value == "SESSION" else value for key, value in asked.items()}
            result = await client.call_tool(name, arguments)
            browsing = next(iter(re.findall("tab_[0-9a-f]{32}", str(result))), browsing)
            told[name] = "ok" if not result.is_error and result.structured_content else "failed"
        return {"revision": client.protocol_version, **told}


print(json.dumps(asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])))))
