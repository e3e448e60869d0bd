"""The assistant's loop: receive a message, route it, ask the model, run tools, ask for approvals, answer, record."""

from __future__ import annotations

import math
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from pydantic_ai.messages import ModelRequest, ToolReturnPart

from wellread.assistant import context, unbacked_claims
from wellread.assistant.conversations import PENDING, REFUSED, RUNNING, Approval
from wellread.assistant.dispatch import NOT_APPROVED_TEXT, CallOutcome
from wellread.assistant.models.model_client import ModelQuestion
from wellread.assistant.router import Intent
from wellread.assistant.tool_selection import named_services
from wellread.assistant.tool_types import AUTHOR, CONVERSATION, Effect, ToolResult
from wellread.assistant.turn_events import Asked, Heard, Noted, Reply, Used, Using
from wellread.errors import WellreadError
from wellread.net.held_lease import held_lease

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from pydantic_ai.messages import ModelMessage, ToolCallPart

    from wellread.assistant.context import ContextBuilder
    from wellread.assistant.conversations import ConversationStore, ConversationTurn, EarlierMessage
    from wellread.assistant.dispatch import ToolDispatcher
    from wellread.assistant.models.model_client import ModelAnswer, ModelClient
    from wellread.assistant.models.model_usage import UsageLedger
    from wellread.assistant.router import Router
    from wellread.assistant.turn_events import Tell
    from wellread.ports import Clock, Leases, TextModel


_UNDONE = {
    PENDING: "It was not done: the question has expired.",
    REFUSED: NOT_APPROVED_TEXT,
    RUNNING: "It was begun and cut off: whether it was done is not known. Do not do it again unless the user says so.",
}
"""What the model is told of an action that has no result, by the state of its question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantParts:
    """The parts of the assistant."""

    chat: ModelClient
    action: ModelClient
    router: Router
    briefing: ContextBuilder
    dispatch: ToolDispatcher
    conversations: ConversationStore
    ledger: UsageLedger
    clock: Clock
    asker: TextModel
    """For packages that ask questions of their own: facts, reports. The intent model's, or else the chat model's."""
    leases: Leases
    """Replicas that share them take turns in a conversation."""
    ended: Sequence[Callable[[ConversationTurn], Awaitable[None]]] = ()
    """Called with each turn that has come to its end: what it opened is put away, what it told may be remembered."""
    steps: int = 10


class Assistant:
    """Talks with one user, or with the people of one group."""

    def __init__(self, parts: AssistantParts) -> None:
        """Take the parts."""
        self.parts = parts
        self._turns: dict[str, anyio.Lock] = {}

    async def open(self, channel: str) -> str:
        """Start a conversation; return its id."""
        return await self.parts.conversations.open(channel)

    async def hear(self, conversation_id: str, text: str, tell: Tell, *, author: str) -> Reply:
        """Answer a message of the account `author`; `tell` gets the events of the turn.

        Raises:
            Gone: there is no such conversation.
            UnavailableError, Budget, ConfigError: no model answers, or a cap is reached.
        """
        async with self._in_turn(conversation_id, author):
            turn, earlier = await self.parts.conversations.begin(conversation_id, text, author=author)
            intent = await self.parts.router.intent(turn.id, text)
            return await self._work(turn, earlier, tell, tools=intent is not Intent.CHAT)

    async def perform(self, conversation_id: str, task: str, tell: Tell, *, author: str) -> Reply:
        """Do a task that the account `author` scheduled, with nobody present: actions that need approval wait for it.

        Raises:
            Gone, UnavailableError, Budget, ConfigError: as `hear`.
        """
        async with self._in_turn(conversation_id, author):
            turn, earlier = await self.parts.conversations.begin(conversation_id, task, author=author, scheduled=True)
            return await self._work(turn, earlier, tell, tools=True)

    async def decide(self, approval_id: str, tell: Tell, *, agreed: bool, by: str) -> Reply:
        """Take the decision of the account `by` on an action: do it, once, or drop it; then go on with the turn.

        Raises:
            Consent: it was decided before, or its time is over.
            Gone: there is no such question for this account, or its turn has ended.
            UnavailableError, Budget, ConfigError: as `hear`.
        """
        approval = await self.parts.conversations.take_up(approval_id, agreed=agreed, by=by)
        async with self._in_turn(approval.conversation_id, by):
            if agreed:
                await tell(Using(tool=approval.tool, arguments=approval.arguments))
                result = await self.parts.dispatch.act(approval)
                await self.parts.conversations.record(approval_id, result)
                await tell(Used(tool=approval.tool, receipts=result.receipts))
            turn, earlier, approvals = await self.parts.conversations.resume(approval.turn_id)
            if any(
                question.state == PENDING and question.expires_ms > self.parts.clock.now_ms() for question in approvals
            ):
                return await self._reply(turn)
            for question in approvals:
                _take_up(turn, question)
            return await self._work(turn, earlier, tell, tools=True)

    async def _work(
        self, turn: ConversationTurn, earlier: Sequence[EarlierMessage], tell: Tell, *, tools: bool
    ) -> Reply:
        """Ask the model and run its tool calls, until it makes no more calls."""
        before, instructions = await self._brief(turn, earlier, tools=tools)
        for _ in range(self.parts.steps):
            answer = await self._ask(turn, before, instructions, tell, tools=tools)
            turn.steps.append(answer.message)
            turn.text = "\n\n".join(filter(None, (turn.text, answer.text)))
            if answer.cut:
                turn.notes.append(answer.cut)
            if not answer.calls:
                return await self._end(turn, tell)
            outcomes = [await self._do(turn, call, tell) for call in answer.calls]
            done = [outcome for outcome in outcomes if isinstance(outcome, CallOutcome)]
            turn.steps.append(ModelRequest(parts=[outcome.part() for outcome in done]))
            if approvals := [outcome for outcome in outcomes if isinstance(outcome, Approval)]:
                return await self._wait(turn, approvals, tell)
            if len(outcomes) == 1 and done[0].simple and not answer.text:
                turn.text = done[0].result.text
                return await self._end(turn, tell)
        turn.notes.append(f"stopped after {self.parts.steps} rounds of tools")
        return await self._end(turn, tell)

    async def _brief(
        self, turn: ConversationTurn, earlier: Sequence[EarlierMessage], *, tools: bool
    ) -> tuple[list[ModelMessage], str]:
        before, heard_others = context.recent_history(earlier)
        turn.seen = earlier[len(earlier) - len(before) :]
        notes = await self.parts.briefing.known(turn)
        turn.tainted = turn.tainted or heard_others or notes.tainted
        turn.read += [message.text for message in earlier if message.role == "user"]
        turn.services |= named_services(turn.asked, self.parts.dispatch.tools.values())
        turn.services.update(*(message.services for message in earlier))
        names = self.parts.dispatch.tools if tools else ()
        fixed = self.parts.briefing.fixed(self.parts.clock.now_ms(), names)
        return before, f"{fixed}\n\n{notes.text}".strip()

    async def _ask(
        self, turn: ConversationTurn, before: list[ModelMessage], instructions: str, tell: Tell, *, tools: bool
    ) -> ModelAnswer:
        async def hear(piece: str) -> None:
            await tell(Heard(text=piece))

        question = ModelQuestion(
            turn_id=turn.id,
            instructions=instructions,
            messages=[*before, *turn.steps],
            tools=self.parts.dispatch.definitions(turn.services) if tools else (),
        )
        model = self.parts.action if tools else self.parts.chat
        try:
            return await model.ask(question, hear)
        except WellreadError:
            await self.parts.conversations.end(turn)  # what was done so far keeps its receipts
            raise

    async def _do(self, turn: ConversationTurn, call: ToolCallPart, tell: Tell) -> CallOutcome | Approval:
        await tell(Using(tool=call.tool_name, arguments=call.args_as_dict(raise_if_invalid=False)))
        outcome = await self.parts.dispatch.call(turn, call)
        tool = self.parts.dispatch.tools.get(call.tool_name)
        changes = tool is not None and tool.effect is not Effect.NONE
        if isinstance(outcome, Approval):
            turn.undone = True
            return outcome
        turn.undone = turn.undone or (changes and outcome.failed)
        turn.tainted = turn.tainted or outcome.result.tainted
        turn.read.append(outcome.result.text)
        turn.receipts += outcome.result.receipts
        await tell(Used(tool=call.tool_name, receipts=outcome.result.receipts, failed=outcome.failed))
        return outcome

    async def _wait(self, turn: ConversationTurn, approvals: list[Approval], tell: Tell) -> Reply:
        await self.parts.conversations.wait(turn, approvals)
        for approval in approvals:
            await tell(Asked(approval=approval))
        return await self._reply(turn)

    async def _end(self, turn: ConversationTurn, tell: Tell) -> Reply:
        """End the turn. Changes have receipts; where there is none, a note says that nothing was changed."""
        if not turn.receipts and (turn.undone or unbacked_claims.is_unbacked(turn.text)):
            turn.notes.append(unbacked_claims.NOTHING_CHANGED_NOTE)
        for note in turn.notes:
            await tell(Noted(text=note))
        await self.parts.conversations.end(turn)
        for hook in self.parts.ended:
            await hook(turn)
        return await self._reply(turn)

    async def _reply(self, turn: ConversationTurn) -> Reply:
        pending = await self.parts.conversations.pending(turn.conversation_id)
        return Reply(
            conversation_id=turn.conversation_id,
            turn_id=turn.id,
            text=turn.text,
            receipts=tuple(turn.receipts),
            notes=tuple(turn.notes),
            asked=tuple(approval for approval in pending if approval.turn_id == turn.id),
            tainted=turn.tainted,
            spent=await self.parts.ledger.turn(turn.id),
        )

    @asynccontextmanager
    async def _in_turn(self, conversation_id: str, author: str) -> AsyncGenerator[None, None]:
        """Run one turn of a conversation at a time, over all replicas; in this process, in the order of the messages.

        Raises:
            SharedStateFailed: the server of the leases does not answer.
        """
        lock = self._turns.setdefault(conversation_id, anyio.Lock())
        async with lock, held_lease(self.parts.leases, f"conversation {conversation_id}", wait_s=math.inf):
            conversation_token, author_token = CONVERSATION.set(conversation_id), AUTHOR.set(author)
            try:
                yield
            finally:
                CONVERSATION.reset(conversation_token)
                AUTHOR.reset(author_token)
        if not lock.statistics().tasks_waiting and not lock.locked():
            self._turns.pop(conversation_id, None)


def _take_up(turn: ConversationTurn, approval: Approval) -> None:
    """Put the result of an approval into the turn, as the answer to the model's call."""
    result = ToolResult(_UNDONE.get(approval.state, approval.result), tainted=approval.tainted)
    outcome = CallOutcome(call_id=approval.call_id, tool=approval.tool, result=result)
    last = turn.steps[-1]
    parts: list[ToolReturnPart] = [part for part in last.parts if isinstance(part, ToolReturnPart)]
    turn.steps[-1] = ModelRequest(parts=[*parts, outcome.part()])
    turn.tainted = turn.tainted or approval.tainted
    turn.undone = turn.undone or approval.state == REFUSED
    turn.receipts += approval.receipts
