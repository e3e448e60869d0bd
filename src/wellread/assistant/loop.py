"""The assistant's story: hear, sort, ask the model, use tools, ask the user where it matters, answer, keep books."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from pydantic_ai.messages import ModelRequest, ToolReturnPart

from wellread.assistant import claims, context
from wellread.assistant.conversations import PENDING, REFUSED, RUNNING, Approval
from wellread.assistant.dispatch import NOT_AGREED, Outcome
from wellread.assistant.events import Asked, Heard, Noted, Reply, Used, Using
from wellread.assistant.models.speaker import Question
from wellread.assistant.offer import named
from wellread.assistant.ports import AUTHOR, CONVERSATION, Effect, ToolResult
from wellread.assistant.router import Intent
from wellread.errors import WellreadError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from pydantic_ai.messages import ModelMessage, ToolCallPart

    from wellread.assistant.context import Briefing
    from wellread.assistant.conversations import Book, Message, Turn
    from wellread.assistant.dispatch import Dispatch
    from wellread.assistant.events import Tell
    from wellread.assistant.models.speaker import Answer, Speaker
    from wellread.assistant.models.usage import Ledger
    from wellread.assistant.ports import TextModel
    from wellread.assistant.router import Router
    from wellread.ports import Clock


_UNDONE = {
    PENDING: "It was not done: the question has expired.",
    REFUSED: NOT_AGREED,
    RUNNING: "It was begun and cut off: whether it was done is not known. Do not do it again unless the user says so.",
}
"""What the model is told of an action that has no result, by the state of its question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the assistant is made of."""

    chat: Speaker
    action: Speaker
    router: Router
    briefing: Briefing
    dispatch: Dispatch
    book: Book
    ledger: Ledger
    clock: Clock
    asker: TextModel
    """For rooms that have a question of their own: facts, reports. The intent model's, or else the chat model's."""
    ended: Sequence[Callable[[Turn], Awaitable[None]]] = ()
    """Called with each turn that has come to its end: what it opened is put away, what it told may be remembered."""
    steps: int = 10


class Assistant:
    """Talks with one user, or with the people of one group."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts."""
        self.parts = parts
        self._turns: dict[str, anyio.Lock] = {}

    async def open(self, channel: str) -> str:
        """Begin a conversation; return its id."""
        return await self.parts.book.open(channel)

    async def hear(self, conversation_id: str, text: str, tell: Tell, *, author: str) -> Reply:
        """Answer a message that the account `author` wrote; `tell` gets what happens on the way.

        Raises:
            Gone: there is no such conversation.
            UnavailableError, Budget, ConfigError: no model answers, or a cap is reached.
        """
        async with self._in_turn(conversation_id, author):
            turn, said = await self.parts.book.begin(conversation_id, text, author=author)
            intent = await self.parts.router.intent(turn.id, text)
            return await self._work(turn, said, tell, tools=intent is not Intent.CHAT)

    async def perform(self, conversation_id: str, task: str, tell: Tell, *, author: str) -> Reply:
        """Do what the account `author` scheduled earlier, with nobody there: what needs the user's word waits for it.

        Raises:
            Gone, UnavailableError, Budget, ConfigError: as `hear`.
        """
        async with self._in_turn(conversation_id, author):
            turn, said = await self.parts.book.begin(conversation_id, task, author=author, scheduled=True)
            return await self._work(turn, said, tell, tools=True)

    async def decide(self, approval_id: str, tell: Tell, *, agreed: bool, by: str) -> Reply:
        """Take the word of the account `by` on an action: do it, once, or leave it; then go on with the turn.

        Raises:
            Consent: it was decided before, or its time is over.
            Gone: there is no such question for this account, or its turn has ended.
            UnavailableError, Budget, ConfigError: as `hear`.
        """
        approval = await self.parts.book.take_up(approval_id, agreed=agreed, by=by)
        async with self._in_turn(approval.conversation_id, by):
            if agreed:
                await tell(Using(tool=approval.tool, arguments=approval.arguments))
                result = await self.parts.dispatch.act(approval)
                await self.parts.book.record(approval_id, result)
                await tell(Used(tool=approval.tool, receipts=result.receipts))
            turn, said, asked = await self.parts.book.resume(approval.turn_id)
            if any(it.state == PENDING and it.expires_ms > self.parts.clock.now_ms() for it in asked):
                return await self._reply(turn)
            for it in asked:
                _take_up(turn, it)
            return await self._work(turn, said, tell, tools=True)

    async def _work(self, turn: Turn, said: Sequence[Message], tell: Tell, *, tools: bool) -> Reply:
        """Ask the model and do what it wants, until it has nothing more to ask for."""
        before, instructions = await self._brief(turn, said, tools=tools)
        for _ in range(self.parts.steps):
            answer = await self._ask(turn, before, instructions, tell, tools=tools)
            turn.steps.append(answer.message)
            turn.text = "\n\n".join(filter(None, (turn.text, answer.text)))
            if answer.cut:
                turn.notes.append(answer.cut)
            if not answer.calls:
                return await self._end(turn, tell)
            outcomes = [await self._do(turn, call, tell) for call in answer.calls]
            done = [it for it in outcomes if isinstance(it, Outcome)]
            turn.steps.append(ModelRequest(parts=[it.part() for it in done]))
            if wanted := [it for it in outcomes if isinstance(it, Approval)]:
                return await self._wait(turn, wanted, tell)
            if len(outcomes) == 1 and done[0].simple and not answer.text:
                turn.text = done[0].result.text
                return await self._end(turn, tell)
        turn.notes.append(f"stopped after {self.parts.steps} rounds of tools")
        return await self._end(turn, tell)

    async def _brief(self, turn: Turn, said: Sequence[Message], *, tools: bool) -> tuple[list[ModelMessage], str]:
        before, heard_others = context.history(said)
        turn.seen = said[len(said) - len(before) :]
        known = await self.parts.briefing.known(turn)
        turn.tainted = turn.tainted or heard_others or known.tainted
        turn.read += [it.text for it in said if it.role == "user"]
        turn.services |= named(turn.asked, self.parts.dispatch.tools.values()).union(*(it.services for it in said))
        names = self.parts.dispatch.tools if tools else ()
        fixed = self.parts.briefing.fixed(self.parts.clock.now_ms(), names)
        return before, f"{fixed}\n\n{known.text}".strip()

    async def _ask(
        self, turn: Turn, before: list[ModelMessage], instructions: str, tell: Tell, *, tools: bool
    ) -> Answer:
        async def hear(piece: str) -> None:
            await tell(Heard(text=piece))

        question = Question(
            turn_id=turn.id,
            instructions=instructions,
            messages=[*before, *turn.steps],
            tools=self.parts.dispatch.definitions(turn.services) if tools else (),
        )
        try:
            return await (self.parts.action if tools else self.parts.chat).ask(question, hear)
        except WellreadError:
            await self.parts.book.end(turn)  # what was done so far keeps its receipts
            raise

    async def _do(self, turn: Turn, call: ToolCallPart, tell: Tell) -> Outcome | Approval:
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

    async def _wait(self, turn: Turn, wanted: list[Approval], tell: Tell) -> Reply:
        await self.parts.book.wait(turn, wanted)
        for it in wanted:
            await tell(Asked(approval=it))
        return await self._reply(turn)

    async def _end(self, turn: Turn, tell: Tell) -> Reply:
        """Close the books. What was done has a receipt; where there is none, words alone shall not suggest it."""
        if not turn.receipts and (turn.undone or claims.unfounded(turn.text)):
            turn.notes.append(claims.NOTHING_DONE)
        for note in turn.notes:
            await tell(Noted(text=note))
        await self.parts.book.end(turn)
        for each in self.parts.ended:
            await each(turn)
        return await self._reply(turn)

    async def _reply(self, turn: Turn) -> Reply:
        pending = await self.parts.book.pending(turn.conversation_id)
        return Reply(
            conversation_id=turn.conversation_id,
            turn_id=turn.id,
            text=turn.text,
            receipts=tuple(turn.receipts),
            notes=tuple(turn.notes),
            asked=tuple(it for it in pending if it.turn_id == turn.id),
            tainted=turn.tainted,
            spent=await self.parts.ledger.turn(turn.id),
        )

    @asynccontextmanager
    async def _in_turn(self, conversation_id: str, author: str) -> AsyncGenerator[None, None]:
        """One turn of a conversation at a time."""
        lock = self._turns.setdefault(conversation_id, anyio.Lock())
        async with lock:
            held, wrote = CONVERSATION.set(conversation_id), AUTHOR.set(author)
            try:
                yield
            finally:
                CONVERSATION.reset(held)
                AUTHOR.reset(wrote)
        if not lock.statistics().tasks_waiting and not lock.locked():
            self._turns.pop(conversation_id, None)


def _take_up(turn: Turn, approval: Approval) -> None:
    """Put what came of a question where the model finds the answer to its call."""
    result = ToolResult(_UNDONE.get(approval.state, approval.result), tainted=approval.tainted)
    outcome = Outcome(call_id=approval.call_id, tool=approval.tool, result=result)
    last = turn.steps[-1]
    parts: list[ToolReturnPart] = [part for part in last.parts if isinstance(part, ToolReturnPart)]
    turn.steps[-1] = ModelRequest(parts=[*parts, outcome.part()])
    turn.tainted = turn.tainted or approval.tainted
    turn.undone = turn.undone or approval.state == REFUSED
    turn.receipts += approval.receipts
