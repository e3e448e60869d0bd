"""The assistant's other rooms joined to its talk: memory, knowledge, schedules, tasks, and letters on their way."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from wellread.assistant import conversations, tasks
from wellread.assistant.bell import IDLE_S
from wellread.assistant.channels.letters import plain, written
from wellread.assistant.events import unheard
from wellread.assistant.listing import listed
from wellread.assistant.loop import Assistant
from wellread.assistant.memory.memory import Memory
from wellread.assistant.memory.store import saying, silence
from wellread.assistant.memory.turns import USER, Turn
from wellread.assistant.outbox import Courier, LetterRow
from wellread.assistant.ports import CONVERSATION, LETTERS, TERMINAL, ToolResult
from wellread.assistant.schedule.runner import Runner
from wellread.assistant.schedule.tables import RunRow
from wellread.assistant.tools.knowledge import knowledge_tools
from wellread.assistant.tools.memory import memory_tools
from wellread.assistant.tools.schedule import Place, schedule_tools
from wellread.assistant.tools.tasks import task_tools
from wellread.errors import UnavailableError
from wellread.net.background import beside

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence

    from sqlalchemy.orm import Session

    from wellread.assistant.database import Database
    from wellread.assistant.knowledge.knowledge import Knowledge
    from wellread.assistant.listing import Conversation
    from wellread.assistant.loop import Parts
    from wellread.assistant.outbox import Send
    from wellread.assistant.ports import TextModel, Tool
    from wellread.assistant.schedule.jobs import Job
    from wellread.ports import Clock

_log = logging.getLogger(__name__)

LISTED = 50
"""Conversations that are listed: who looks for an older one searches the memory."""
LEARNING_S = 15.0
"""How long closing waits for what is being learned of the last turn."""


class Remembering:
    """Recalls before a turn, keeps it after, and learns of it once the answer is out."""

    def __init__(self, database: Database, clock: Clock, model: TextModel | None) -> None:
        """Take the store, and who is asked for facts; without a model none are learned."""
        self.memory = Memory(database, clock, erase=erase_traces)
        self._database = database
        self._clock = clock
        self._model = model
        self._due = anyio.Event()

    async def recall(self, turn: conversations.Turn) -> ToolResult:
        """Say what has to do with the turn's message, and does not stand in the prompt anyhow."""
        present = {f"{it.turn_id}:{it.role}" for it in turn.seen}
        told = await self.memory.recall(turn.asked, present=present)
        turn.recalled = [fact.id for fact in told.facts]
        return ToolResult(told.text, tainted=told.tainted)

    async def keep(self, turn: conversations.Turn) -> None:
        """Keep a turn that has ended. One that was to forget leaves nothing: it would say again what is forgotten."""
        if _forgets(turn):
            await self._database.run(lambda session: conversations.erase(session, [turn.id]))
            await self._database.wipe()
        elif not turn.scheduled:  # a clock that repeats what the user once said tells nothing new of him
            said = ((USER, turn.asked, False), ("assistant", turn.text, turn.tainted))
            await self.memory.keep([self._turn(turn, *it) for it in said if it[1]], recalled=turn.recalled)
            self._due.set()

    def _turn(self, turn: conversations.Turn, speaker: str, text: str, tainted: bool) -> Turn:  # noqa: FBT001 - a row
        return Turn(
            id=f"{turn.id}:{speaker}", conversation=turn.conversation_id, speaker=speaker, text=text,
            at_ms=self._clock.now_ms(), tainted=tainted,
        )  # fmt: skip

    @asynccontextmanager
    async def learning(self) -> AsyncGenerator[None, None]:
        """Learn of turns while the block lasts; its end waits a little for the last one."""
        async with beside(self._learn_always):
            yield
            with anyio.move_on_after(LEARNING_S):
                if self._due.is_set() or self.memory.busy:
                    await self._learn()

    async def _learn_always(self) -> None:
        while True:
            await self._due.wait()
            await self._learn()

    async def _learn(self) -> None:
        self._due = anyio.Event()
        if self._model is None:
            return
        try:
            for learned in await self.memory.learn(self._model):
                for told in learned.told:
                    _log.warning("facts of %s: %s", learned.exchange, told)
        except Exception:  # noqa: BLE001 - logged; the turn is kept, and is looked at again with the next one
            _log.exception("looking for facts failed")


class Rooms:
    """What the rooms give to the talk: tools, what is known, and what becomes of a turn."""

    def __init__(
        self, database: Database, clock: Clock, knowledge: Knowledge, zone: str, model: TextModel | None
    ) -> None:
        """Take the store, the user's zone, and who is asked for facts; nothing is read here."""
        self.database = database
        self.remembering = Remembering(database, clock, model)
        self.runner: Runner | None = None
        """Who is told when a schedule has become different."""
        self._clock = clock
        self.knowledge = knowledge
        self._zone = zone

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools over the rooms."""

        def place() -> Place:
            return Place(LETTERS.get(), CONVERSATION.get(), self._zone)

        return (
            *knowledge_tools(self.knowledge),
            *memory_tools(self.remembering.memory),
            *schedule_tools(self.database, self._clock, place, changed=self._ring),
            *task_tools(self.database, self._clock, self._zone),
        )

    def _ring(self) -> None:
        if self.runner is not None:
            self.runner.ring()

    async def open_tasks(self, _turn: conversations.Turn) -> ToolResult:
        """Say which of the user's tasks matter now."""
        now = tasks.Now(self._clock.now_ms(), self._zone)
        return ToolResult("\n".join(await self.database.run(lambda session: tasks.summary(session, now))))


class Household(Assistant):
    """The assistant, and what it does between turns: what is due, and letters to the terminal."""

    def __init__(self, parts: Parts, rooms: Rooms, show: Send | None) -> None:
        """Take the parts; `show` brings a letter to the terminal. Without it letters wait for one that does."""
        super().__init__(parts)
        self.rooms = rooms
        self._shown = {TERMINAL: show} if show else {}
        self.courier = Courier(rooms.database, parts.clock, self._shown)
        self.runner = Runner(rooms.database, parts.clock, self._run, model=parts.asker, told=self.ring)
        rooms.runner = self.runner

    def join(self, channels: Mapping[str, Send]) -> None:
        """Carry letters to these channels too, from the next duty on."""
        self._shown |= channels
        self.courier = Courier(self.rooms.database, self.parts.clock, self._shown)

    def ring(self) -> None:
        """Say that there are letters."""
        self.courier.ring()

    @asynccontextmanager
    async def on_duty(self) -> AsyncGenerator[None, None]:
        """Do what is due and carry letters while the block lasts; a store that fails is asked again later."""
        async with beside(self._watch):
            yield

    async def _watch(self) -> None:
        async with anyio.create_task_group() as group:
            for duty in (self.runner.run, self.courier.run):
                group.start_soon(_again, duty)

    async def conversations(self, channel: str, *, count: int = LISTED) -> list[Conversation]:
        """Return the conversations that were held in one place, the last first."""
        return await self.rooms.database.run(lambda session: listed(session, channel=channel, count=count))

    async def deliver(self) -> None:
        """Show the letters that wait, and return."""
        for channel in self._shown:
            await self.courier.deliver(channel)

    async def _run(self, job: Job) -> str:
        """Do a job as a turn of the conversation that it was made in, or of one of its own; return the letter."""
        LETTERS.set(job.channel)
        there = await self.parts.book.channel(job.chat) is not None
        conversation = job.chat if there else await self.open(job.channel)
        words = f"[{job.name}; scheduled: {job.said}. Nobody can be asked now.]\n{job.task}"
        reply = await self.perform(conversation, words, unheard)
        return plain(reply) if job.channel == TERMINAL else written(reply)


async def _again(duty: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await duty()
        except* UnavailableError as errors:
            _log.warning("%s", errors.exceptions[0])
        await anyio.sleep(IDLE_S)


def erase_traces(session: Session, turns: Sequence[str], fact: str) -> None:
    """Delete elsewhere what the memory has just forgotten: turns by the memory's ids, reports and letters by words."""
    gone = {turn.partition(":")[0] for turn in turns}
    gone.update(saying(fact, conversations.bodies(session)))  # schedules speak in turns that no memory keeps
    silence(session, fact, LetterRow.id, LetterRow.body)
    silence(session, fact, RunRow.id, RunRow.result)
    conversations.erase(session, sorted(gone))


def _forgets(turn: conversations.Turn) -> bool:
    return any(getattr(part, "tool_name", "") == "memory_forget" for step in turn.steps for part in step.parts)
