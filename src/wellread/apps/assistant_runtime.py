"""The assistants of this machine's users, and the background work between turns.

A scheduled job runs as the user who scheduled it, and messages go to the user they belong to. Nothing else here reaches
beyond one user: `AssistantRuntime.of(account)` opens the assistant of one, and all its parts belong to that user alone.
"""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from wellread.apps.fact_erasure import erase_traces
from wellread.assistant import conversations, task_list
from wellread.assistant.channels.message_text import markdown_reply, terminal_reply
from wellread.assistant.memory.memory_store import waiting_accounts
from wellread.assistant.memory.turns import USER, MemoryTurn
from wellread.assistant.memory.user_memory import UserMemory
from wellread.assistant.outbox import OutboxWorker
from wellread.assistant.schedule.runner import Runner
from wellread.assistant.tool_types import AUTHOR, CONVERSATION, MESSAGE_CHANNEL, TERMINAL, ToolResult
from wellread.assistant.tools.knowledge_tools import knowledge_tools
from wellread.assistant.tools.memory_tools import memory_tools
from wellread.assistant.tools.schedule_tools import ScheduleContext, schedule_tools
from wellread.assistant.tools.task_tools import task_tools
from wellread.assistant.turn_events import ignore_event
from wellread.assistant.wakeup import MAX_SLEEP_S
from wellread.errors import UnavailableError
from wellread.net.background_tasks import run_beside

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence

    from wellread.assistant.database import Database, UserStore
    from wellread.assistant.knowledge.knowledge_base import KnowledgeBase
    from wellread.assistant.outbox import Send
    from wellread.assistant.schedule.jobs import ScheduledJob
    from wellread.assistant.tool_types import Tool
    from wellread.assistant.user_assistant import UserAssistant
    from wellread.assistant.users import User, Users
    from wellread.ports import Clock, TextModel

    Make = Callable[[User, "WorkSignals"], Awaitable[UserAssistant]]

_log = logging.getLogger(__name__)

LEARNING_S = 15.0
"""How long closing waits for what is being learned of the last turn."""


class WorkSignals:
    """Signals from users' assistants that there is work to do between turns."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self.to_learn = anyio.Event()
        self.runner: Runner | None = None
        """Notified of changed schedules."""

    def ring_schedules(self) -> None:
        """Report that a schedule has changed."""
        if self.runner is not None:
            self.runner.ring()


class TurnMemory:
    """The memory around a turn: recalls facts before it, and keeps the turn after it."""

    def __init__(self, store: UserStore, clock: Clock, work: WorkSignals) -> None:
        """Take the user's store, and the signals that start learning."""
        self.memory = UserMemory(store, clock, erase=erase_traces)
        self._store = store
        self._clock = clock
        self._work = work

    async def recall(self, turn: conversations.ConversationTurn) -> ToolResult:
        """Return the facts about the turn's message that are not in the prompt already."""
        present = {f"{message.turn_id}:{message.role}" for message in turn.seen}
        recalled = await self.memory.recall(turn.asked, present=present)
        turn.recalled = [fact.id for fact in recalled.facts]
        return ToolResult(recalled.text, tainted=recalled.tainted)

    async def keep(self, turn: conversations.ConversationTurn) -> None:
        """Keep a turn that has ended. One that forgot a fact is not kept: it would repeat the forgotten text."""
        if _has_forgotten(turn):
            await self._store.run(lambda session: conversations.erase_turns(session, [turn.id]))
            await self._store.wipe()
        elif not turn.scheduled:  # a clock that repeats what the user once said tells nothing new of him
            messages = ((USER, turn.asked, False), ("assistant", turn.text, turn.tainted))
            await self.memory.keep(
                [self._turn(turn, *message) for message in messages if message[1]], recalled=turn.recalled
            )
            self._work.to_learn.set()

    def _turn(self, turn: conversations.ConversationTurn, speaker: str, text: str, tainted: bool) -> MemoryTurn:  # noqa: FBT001 - a row
        return MemoryTurn(
            id=f"{turn.id}:{speaker}", conversation=turn.conversation_id, speaker=speaker, text=text,
            at_ms=self._clock.now_ms(), tainted=tainted,
        )  # fmt: skip


class UserServices:
    """The services of one user's assistant: tools, context sources, and the memory of turns."""

    def __init__(self, store: UserStore, clock: Clock, knowledge: KnowledgeBase, zone: str, work: WorkSignals) -> None:
        """Take the user's store and zone; nothing is read here."""
        self.turn_memory = TurnMemory(store, clock, work)
        self.knowledge = knowledge
        self._store = store
        self._clock = clock
        self._zone = zone
        self._work = work

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools of knowledge base, memory, schedule and tasks."""

        def place() -> ScheduleContext:
            return ScheduleContext(MESSAGE_CHANNEL.get(), CONVERSATION.get(), AUTHOR.get(), self._zone)

        return (
            *knowledge_tools(self.knowledge),
            *memory_tools(self.turn_memory.memory),
            *schedule_tools(self._store, self._clock, place, changed=self._work.ring_schedules),
            *task_tools(self._store, self._clock, self._zone),
        )

    async def open_tasks(self, _turn: conversations.ConversationTurn) -> ToolResult:
        """Return the user's tasks that matter now."""
        now = task_list.LocalNow(self._clock.now_ms(), self._zone)
        return ToolResult("\n".join(await self._store.run(lambda session: task_list.summary(session, now))))


class AssistantRuntime:
    """The users' assistants, and the work between turns: scheduled jobs, outgoing messages, and learning."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        users: Users,
        make: Make,
        *,
        show: Send | None = None,
        learn: bool,
    ) -> None:
        """Take the function that makes a user's assistant; `learn` enables the search for facts in turns.

        `show` prints a message in the terminal, which belongs to the owner. Without it messages wait for a terminal.
        """
        self.users = users
        self.clock = clock
        self.database = database
        self._make = make
        self._learn_facts = learn
        self._opened: dict[str, UserAssistant] = {}
        self._opening = anyio.Lock()
        self._learning = anyio.Lock()
        self._work = WorkSignals()
        self._terminal = OutboxWorker(database.for_user(users.owner), clock, {TERMINAL: show} if show else {})
        self.courier = OutboxWorker(database.for_all_users(), clock, {})
        self.runner = Runner(database.for_all_users(), clock, self._run, model=self._reporter, told=self.ring)
        self._work.runner = self.runner

    async def of(self, account: str) -> UserAssistant:
        """Return the assistant of the user, or the group, that an account names."""
        async with self._opening:
            if account not in self._opened:
                self._opened[account] = await self._make(self.users.of(account), self._work)
            return self._opened[account]

    async def owner(self) -> UserAssistant:
        """Return the assistant of the person at the terminal."""
        return await self.of(self.users.owner.account)

    def join(self, channels: Mapping[str, Send]) -> None:
        """Deliver messages to these channels too, from the next `on_duty` on."""
        self.courier = OutboxWorker(self.database.for_all_users(), self.clock, channels)

    def ring(self) -> None:
        """Report that there are messages to deliver."""
        self.courier.ring()
        self._terminal.ring()

    @asynccontextmanager
    async def on_duty(self) -> AsyncGenerator[None, None]:
        """Run scheduled jobs and deliver messages while the block lasts; a store that fails is retried later."""
        async with run_beside(self._watch):
            yield

    async def _watch(self) -> None:
        async with anyio.create_task_group() as group:
            for duty in (self.runner.run, self.courier.run, self._terminal.run):
                group.start_soon(_retry_forever, duty)

    async def deliver(self) -> None:
        """Show the messages that wait for the terminal, and return."""
        for channel in self._terminal.channels:
            await self._terminal.deliver(channel)

    async def _run(self, job: ScheduledJob) -> str:
        """Run a job as a turn of its conversation, or of a new one; return the message for the user."""
        MESSAGE_CHANNEL.set(job.channel)
        assistant = await self.of(job.user_id)
        conversation = job.chat
        if await assistant.parts.conversations.channel(conversation) is None:
            conversation = await assistant.open(job.channel)
        prompt = f"[{job.name}; scheduled: {job.said}. Nobody can be asked now.]\n{job.task}"
        reply = await assistant.perform(conversation, prompt, ignore_event, author=job.author)
        if job.channel == TERMINAL:
            return terminal_reply(reply)
        return markdown_reply(reply)

    async def _reporter(self, job: ScheduledJob) -> TextModel:
        return (await self.of(job.user_id)).parts.asker

    # ------------------------------------------------------------------------------------------- learning

    @asynccontextmanager
    async def learning(self) -> AsyncGenerator[None, None]:
        """Learn from turns while the block lasts; its end waits a little for the last one."""
        async with run_beside(self._learn_always):
            yield
            with anyio.move_on_after(LEARNING_S):
                if self._work.to_learn.is_set() or self._learning.locked():
                    await self._learn()

    async def _learn_always(self) -> None:
        while True:
            await self._work.to_learn.wait()
            await self._learn()

    async def _learn(self) -> None:
        """Look for facts in the turns of each user, with separate requests for each user."""
        self._work.to_learn = anyio.Event()
        if not self._learn_facts:
            return
        try:
            async with self._learning:
                for account in await self.database.for_all_users().run(waiting_accounts):
                    assistant = await self.of(account)
                    for learned in await assistant.memory.learn(assistant.parts.asker):
                        for failure in learned.told:
                            _log.warning("facts of %s: %s", learned.exchange, failure)
        except Exception:  # noqa: BLE001 - logged; the turn is kept, and is looked at again with the next one
            _log.exception("looking for facts failed")


async def _retry_forever(duty: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await duty()
        except* UnavailableError as errors:
            _log.warning("%s", errors.exceptions[0])
        await anyio.sleep(MAX_SLEEP_S)


def _has_forgotten(turn: conversations.ConversationTurn) -> bool:
    return any(getattr(part, "tool_name", "") == "memory_forget" for step in turn.steps for part in step.parts)
