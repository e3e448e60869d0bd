"""shell_exec: a command in the sandbox, over the workspace; offered only where a sandbox holds, and asked for first."""

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

    async def run(given: Mapping[str, object]) -> ToolResult:
        command = said(given, "command")
        ran = await cell.run(command)
        short = " ".join(command.split())[:RECEIPT_CHARS]
        return ToolResult(_told(ran), tainted=True, receipts=(f"command run: {short} ({_status(ran)})",))

    return Tool(
        "shell_exec",
        "Run a shell command in the workspace; no network.",
        takes(("command",), command=text(longest=20_000)),
        run,
        effect=Effect.WORLD,
        preview=lambda given: Preview("run in the workspace, without network", [("command", said(given, "command"))]),
    )


def _told(ran: Ran) -> str:
    return f"{_status(ran)}\n{ran.output}" + ("\n(the output was cut and the command ended)" if ran.cut else "")


def _status(ran: Ran) -> str:
    return "its time ran out" if ran.status is None else f"exit status {ran.status}"
