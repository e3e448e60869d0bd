"""shell_exec: a command in the sandbox, over the workspace; only where a sandbox works, and with approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.ports import Effect, Preview, Tool, ToolResult
from wellread.assistant.tools.schemas import said, takes, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.sandbox.cell import Cell
    from wellread.worker.program import Ran

RECEIPT_CHARS = 80


def shell_tool(cell: Cell) -> Tool:
    """Return the tool that runs commands in `cell`."""

    async def run(arguments: Mapping[str, object]) -> ToolResult:
        command = said(arguments, "command")
        result = await cell.run(command)
        short = " ".join(command.split())[:RECEIPT_CHARS]
        return ToolResult(_told(result), tainted=True, receipts=(f"command run: {short} ({_status(result)})",))

    return Tool(
        "shell_exec",
        "Run a shell command in the workspace; no network.",
        takes(("command",), command=text(longest=20_000)),
        run,
        effect=Effect.WORLD,
        preview=lambda arguments: Preview(
            "run in the workspace, without network", [("command", said(arguments, "command"))]
        ),
    )


def _told(result: Ran) -> str:
    text = f"{_status(result)}\n{result.output}"
    if result.cut:
        text += "\n(the output was cut and the command ended)"
    return text


def _status(result: Ran) -> str:
    if result.status is None:
        return "its time ran out"
    return f"exit status {result.status}"
