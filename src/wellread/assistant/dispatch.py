"""Carries out the model's tool calls: checks the arguments, asks the policy, runs the tool, marks the result."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic_ai.messages import ToolReturnPart

from wellread.assistant.policy import approval_reason, preview_text
from wellread.assistant.tool_selection import SERVICE_OPENER_NAME, service_opener, tool_definition
from wellread.assistant.tool_types import TURN_TAINTED, Effect, Preview, ToolResult
from wellread.errors import PluginError, WellreadError
from wellread.schemas import check, fault
from wellread.text.prompt_quoting import quoted_web_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pydantic_ai.messages import ToolCallPart
    from pydantic_ai.tools import ToolDefinition

    from wellread.assistant.conversations import Approval, ConversationStore, ConversationTurn
    from wellread.assistant.tool_types import Tool

_log = logging.getLogger(__name__)

BROKEN_TOOL_TEXT = "the tool has a bug and failed; do not try it again"
MAX_RESULT_CHARS = 24_000
"""Most characters of one result that the model sees."""
NOT_APPROVED_TEXT = "The user did not agree: it was not done. Do not try it in another way."


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutcome:
    """The outcome of one call."""

    call_id: str
    tool: str
    result: ToolResult
    failed: bool = False
    simple: bool = False

    def part(self) -> ToolReturnPart:
        """Return it as the model sees it: outside text between marks that it cannot forge."""
        text = self.result.text[:MAX_RESULT_CHARS] or "(nothing)"
        content = quoted_web_text(text, self.tool) if self.result.tainted else text
        return ToolReturnPart(tool_name=self.tool, content=content, tool_call_id=self.call_id)


class ToolDispatcher:
    """The tools, by name."""

    def __init__(self, tools: Iterable[Tool], conversations: ConversationStore) -> None:
        """Take the tools.

        Raises:
            PluginError: two of one name, a schema that is none, or one that changes the world and cannot say how.
        """
        self.tools: dict[str, Tool] = {}
        self._conversations = conversations
        for tool in tools:
            if tool.name in self.tools:
                raise PluginError(f"two tools are named {tool.name!r}", hint="rename or remove one of them")
            if tool.effect is Effect.WORLD and tool.preview is None and tool.async_preview is None:
                raise PluginError(
                    f"the tool {tool.name!r} needs approval but has no preview", hint="add a preview to the tool"
                )
            check(tool.parameters, f"tool {tool.name!r}")
            self.tools[tool.name] = tool
        if opener_tool := service_opener(self.tools.values()):
            self.tools[opener_tool.name] = opener_tool

    def definitions(self, services: Collection[str] = ()) -> list[ToolDefinition]:
        """Return the tool definitions for a request: those that every request has room for, and those of `services`."""
        has_room = SERVICE_OPENER_NAME not in self.tools
        return [
            tool_definition(tool)
            for tool in self.tools.values()
            if has_room or not tool.service or tool.service in services
        ]

    async def call(self, turn: ConversationTurn, call: ToolCallPart) -> CallOutcome | Approval:
        """Carry out a call, or return the approval it needs. A failure becomes the outcome; it is not raised."""
        tool = self.tools.get(call.tool_name)
        if tool is None:
            return _failed(call, f"there is no tool {call.tool_name[:60]!r}; there are {', '.join(self.tools)}")
        try:
            arguments = call.args_as_dict(raise_if_invalid=True)
        except (ValueError, AssertionError):  # no JSON, or no object
            return _failed(call, "the arguments are not a JSON object; send the call again")
        if problem := fault(dict(arguments), tool.parameters):
            return _failed(call, f"wrong arguments: {problem[:300]}; send the call again")
        turn.services |= {str(arguments["name"]) if tool.name == SERVICE_OPENER_NAME else tool.service} - {""}
        reason = approval_reason(tool, arguments, tainted=turn.tainted, spelled=[turn.asked, *turn.read])
        if reason is None:
            return await self._run(tool, arguments, call.tool_call_id, tainted=turn.tainted)
        question = self._conversations.question(turn, call.tool_call_id, tool.name, arguments)
        return await self._asked(replace(question, reason=reason), tool, call)

    async def _asked(self, question: Approval, tool: Tool, call: ToolCallPart) -> CallOutcome | Approval:
        try:
            return replace(question, preview=await preview(tool, question.arguments))
        except WellreadError as error:
            return _failed(call, error_text(error), tainted=True)  # what was looked up may speak in it
        except Exception:  # noqa: BLE001 - as in `_run`
            _log.exception("the tool %s cannot say what it would do", tool.name)
            return _failed(call, BROKEN_TOOL_TEXT)

    async def act(self, approval: Approval) -> ToolResult:
        """Do an approved action, if its preview is still the same."""
        tool = self.tools.get(approval.tool)
        if tool is None:
            return ToolResult(f"there is no tool {approval.tool!r} any more: it was not done")
        try:
            now = await preview(tool, approval.arguments)
        except WellreadError as error:
            return ToolResult(f"it was not done: {error_text(error)}", tainted=True)
        if now != approval.preview:
            return ToolResult(f"it was not done: it would now be something else:\n{now}", tainted=True)
        return (await self._run(tool, approval.arguments, approval.call_id, tainted=True)).result

    async def _run(self, tool: Tool, arguments: Mapping[str, object], call_id: str, *, tainted: bool) -> CallOutcome:
        token = TURN_TAINTED.set(tainted)
        try:
            result = await tool.run(arguments)
        except WellreadError as error:
            # An error of the web, of a service, or in the middle of reading, may quote words of others.
            quotes = tool.effect is not Effect.OWN or error.url is not None
            result = ToolResult(error_text(error), tainted=tainted or quotes)
            return CallOutcome(call_id=call_id, tool=tool.name, result=result, failed=True)
        except Exception:  # noqa: BLE001 - a tool may be anybody's: its bug is logged, and the conversation goes on
            _log.exception("the tool %s failed", tool.name)
            return CallOutcome(call_id=call_id, tool=tool.name, result=ToolResult(BROKEN_TOOL_TEXT), failed=True)
        finally:
            TURN_TAINTED.reset(token)
        result = replace(result, receipts=tuple(" ".join(receipt.split()) for receipt in result.receipts))
        return CallOutcome(call_id=call_id, tool=tool.name, result=result, simple=tool.simple)


async def preview(tool: Tool, arguments: Mapping[str, object]) -> str:
    """Return the preview of a call."""
    if tool.async_preview is not None:
        return preview_text(await tool.async_preview(arguments))
    if tool.preview is not None:
        return preview_text(tool.preview(arguments))
    return preview_text(Preview(tool.name, [("with", json.dumps(dict(arguments), ensure_ascii=False))]))


def error_text(error: WellreadError) -> str:
    """Return an error as a text that the model can act on."""
    hint = f" Hint: {error.hint}" if error.hint else ""
    return f"{error.code}: {error.message}.{hint}"


def _failed(call: ToolCallPart, text: str, *, tainted: bool = False) -> CallOutcome:
    return CallOutcome(call_id=call.tool_call_id, tool=call.tool_name, result=ToolResult(text, tainted), failed=True)
