"""shell_exec: a command in the sandbox, over the workspace; only where a sandbox works, and with approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, string_argument, string_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.sandbox.sandbox import Sandbox
    from wellread.worker.program_runner import ProgramResult

MAX_RECEIPT_CHARS = 80


def shell_tool(cell: Sandbox) -> Tool:
    """Return the tool that runs commands in `cell`."""

    async def run(arguments: Mapping[str, object]) -> ToolResult:
        command = string_argument(arguments, "command")
        result = await cell.run(command)
        short = " ".join(command.split())[:MAX_RECEIPT_CHARS]
        return ToolResult(_result_text(result), tainted=True, receipts=(f"command run: {short} ({_status(result)})",))

    return Tool(
        "shell_exec",
        "Run a shell command in the workspace; no network.",
        arguments_schema(("command",), command=string_schema(max_length=20_000)),
        run,
        effect=Effect.WORLD,
        preview=lambda arguments: Preview(
            "run in the workspace, without network", [("command", string_argument(arguments, "command"))]
        ),
    )


def _result_text(result: ProgramResult) -> str:
    output = f"{_status(result)}\n{result.output}"
    if result.cut:
        output += "\n(the output was cut and the command ended)"
    return output


def _status(result: ProgramResult) -> str:
    if result.status is None:
        return "its time ran out"
    return f"exit status {result.status}"
