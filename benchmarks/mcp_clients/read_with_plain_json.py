"""A client of the bare specification over stdio; VARIANT says what it forwards to its model, and its name.

`structured` forwards `structuredContent` alone; `both` forwards both parts, under the name of a client that does so.
Sources: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle, and for the revision without
`initialize` https://modelcontextprotocol.io/specification/2026-07-28/basic
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import report
from long_page import LAST

NAMES = {"structured": "structured-only", "both": "github-copilot-developer"}


class Connection:
    """One server process, and one request at a time."""

    def __init__(self, command: list[str]) -> None:
        """Start the server."""
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._requests = 0

    def send(self, message: dict[str, Any]) -> None:
        """Write one message on a line of its own."""
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._server.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a request; notifications before it are passed over."""
        self._requests += 1
        self.send({"id": self._requests, "method": method, "params": params})
        assert self._server.stdout is not None
        for line in self._server.stdout:
            message = json.loads(line)
            if message.get("id") == self._requests:
                result: dict[str, Any] = message["result"]
                return result
        raise AssertionError("the server has gone away")

    def close(self) -> None:
        """Let the server end."""
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait(30)


def main() -> None:
    """Call the tool."""
    target, variant = report.target(), os.environ["VARIANT"]
    info = {"name": NAMES[variant], "version": "1.0.0"}
    envelope: dict[str, Any] = {}
    connection = Connection(target.command)
    if target.revision == "2025-11-25":
        hello = {"protocolVersion": target.revision, "capabilities": {}, "clientInfo": info}
        assert connection.ask("initialize", hello)["protocolVersion"] == target.revision
        connection.send({"method": "notifications/initialized"})
    else:
        prefix = "io.modelcontextprotocol/"
        meta = {"protocolVersion": target.revision, "clientInfo": info, "clientCapabilities": {}}
        envelope = {"_meta": {prefix + name: value for name, value in meta.items()}}
    tools = connection.ask("tools/list", envelope)["tools"]
    name, arguments = report.call()
    result = connection.ask("tools/call", {"name": name, "arguments": arguments, **envelope})
    connection.close()
    structured = json.dumps(result["structuredContent"], ensure_ascii=False) if "structuredContent" in result else ""
    text = structured
    if variant == "both":
        text = "\n".join([block["text"] for block in result["content"] if block["type"] == "text"] + [structured])
        assert not any("outputSchema" in tool for tool in tools), "a schema promises structured content"
        assert text.count(LAST) == 1, "the model pays twice"
    report.report(f"plain JSON, {info['name']}", "", text, target.revision)


main()
