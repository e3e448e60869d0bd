"""One assistant out of all its rooms: told a fact, asked later, set to work by the clock, and asked for consent."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import anyio
from sqlalchemy import event

from accounts import owned
from talking import settings_in
from wellread.apps.assistant_database import assistant_store
from wellread.apps.build import Web, assistant
from wellread.assistant import wakeup
from wellread.assistant.conversation_list import list_conversations as listed_in
from wellread.assistant.outbox import OutboxRow
from wellread.assistant.schedule import job_store
from wellread.assistant.turn_events import Reply, ignore_event
from wellread.sections import RenderSettings, ScheduleSettings, StoreSettings
from wellread.testing import Call, FakeClock, ScriptedModel
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    import pytest

    from wellread.apps.assistant_runtime import AssistantRuntime
    from wellread.assistant.outbox import OutboxMessage
    from wellread.assistant.user_assistant import UserAssistant
    from wellread.config import Settings

MONDAY = datetime(2026, 9, 21, 10, 0, tzinfo=UTC)
FACT = json.dumps([{"fact": "The user's boat is called Petrel.", "category": "personal"}])


@dataclass
class Day:
    """A household for as long as one process lives, its models, and the letters that its terminal showed."""

    home: AssistantRuntime
    me: UserAssistant
    chat: ScriptedModel
    small: ScriptedModel
    clock: FakeClock
    shown: list[OutboxMessage] = field(default_factory=list)
    arrived: anyio.Event = field(default_factory=anyio.Event)

    async def say(self, conversation: str, text: str) -> Reply:
        return await self.me.hear(conversation, text, ignore_event, author="owner")

    async def letter(self) -> str:
        """Wait for the next letter; whoever has moved the clock tells the runner, as time itself would."""
        self.home.runner.ring()
        with anyio.fail_after(60):
            await self.arrived.wait()
        self.arrived = anyio.Event()
        return self.shown[-1].text


@asynccontextmanager
async def living(
    folder: Path, clock: FakeClock, script: Sequence[Any], *, facts: Sequence[str] = ("[]",), store: str | None = None
) -> AsyncGenerator[Day, None]:  # Any: steps, or functions that make them
    chat, small = ScriptedModel(script), ScriptedModel(_small(facts), repeat=True)
    models = {"chat": chat.model(), "intent": small.model()}
    given = replace(settings(folder), store=StoreSettings(url=Address(store) if store else None))
    day: Day

    async def show(letter: OutboxMessage) -> None:
        day.shown.append(letter)
        day.arrived.set()

    async with Web(given) as web, assistant(given, web, models=models, clock=clock, show=show) as home:
        day = Day(home, await home.owner(), chat, small, clock)
        async with home.on_duty():
            yield day


def settings(folder: Path) -> Settings:
    given = settings_in(folder / "store", workspace=folder / "desk")
    return replace(given, render=RenderSettings(enabled=False), schedule=ScheduleSettings(timezone="Europe/Berlin"))


def _small(facts: Sequence[str]) -> list[Any]:  # Any: functions that make steps
    """A small model that sorts every message as work, and reads `facts` in one exchange after another."""
    left = list(facts)

    def answer(asked: Any) -> Any:
        if asked.instructions.startswith("Sort"):
            return Call("answer", {"intent": "action"})
        return left.pop(0) if len(left) > 1 else left[0]

    return [answer]


async def test_a_fact_is_kept_a_wish_is_done_in_time_and_consent_is_asked(tmp_path: Path, store_url: str) -> None:
    clock = FakeClock(MONDAY)
    async with living(tmp_path, clock, ["A fine name for a boat."], facts=[FACT], store=store_url) as first:
        told = await first.say(await first.me.open("chat"), "My boat is called Petrel.")
        assert told.receipts == ()

    script = [
        "She is the Petrel.",
        Call("schedule_create", {"when": "every weekday at 9", "task": "Say how the sea is.", "name": "sea"}),
        [Call("memory_search", {"query": "boat"}), Call("file_write", {"path": "sea.txt", "text": "calm"})],
    ]
    async with living(tmp_path, clock, script, store=store_url) as second:
        talk = await second.me.open("chat")
        await second.say(talk, "What is my boat called?")
        known = second.chat.asked[0].instructions
        assert "The user's boat is called Petrel." in known
        assert "My boat is called Petrel." in known
        made = await second.say(talk, "Tell me every weekday at nine how the sea is")
        when = "at 09:00 on Monday through Friday (Europe/Berlin), next Tue 22 Sep 2026, 09:00 (Europe/Berlin)"
        assert made.receipts == (f"schedule created: sea, {when}",)
        clock.advance(24 * 3_600)
        body = await second.letter()
        assert "file_write waits for your approval: write a new file sea.txt\ntext: calm" in body
        assert f"wellread chat --conversation {talk}" in body
        assert "scheduled: every weekday at 9" in str(second.chat.asked[2].messages[-1])
        assert not (tmp_path / "desk" / "sea.txt").exists()

    clock.advance(10 * 3_600)  # the user was asleep
    async with living(tmp_path, clock, ["It is in sea.txt.", "The sea is calm."], store=store_url) as third:
        (asked,) = await third.me.parts.conversations.pending(talk)
        reply = await third.me.decide(asked.id, ignore_event, agreed=True, by="owner")
        assert reply.receipts == ("file written: sea.txt, 4 bytes",)
        assert (tmp_path / "desk" / "sea.txt").read_text() == "calm"
        assert third.shown == [], "what was shown before the restart is not shown again"
        clock.advance(24 * 3_600)
        assert await third.letter() == "The sea is calm.\n\u2014 nothing was changed"


async def test_conversations_are_listed_by_what_they_were_about(tmp_path: Path, store_url: str) -> None:
    clock = FakeClock(MONDAY)
    named = [json.dumps({"topic": topic, "facts": []}) for topic in ("Boats", "Paint")]
    async with living(tmp_path, clock, ["A fine name."] * 3, facts=[*named, "[]"], store=store_url) as first:
        boats, other = await first.me.open("chat"), await first.me.open("telegram:1")
        for talk, words in ((boats, "My boat is called Petrel."), (boats, "Which paint?"), (other, "Hello")):
            clock.advance(60)
            await first.say(talk, words)
        assert len(first.small.asked) <= 6, "one question to sort a message, one for facts and topic together"
    async with living(tmp_path, clock, [], store=store_url) as later:
        (listed,) = await later.me.conversations("chat")
        assert (listed.id, listed.messages, listed.opening) == (boats, 4, "My boat is called Petrel.")
        assert set(listed.topics) == {"Boats", "Paint"}
        assert listed.last_ms - listed.begun_ms == 120_000
        everything = await later.me.store.run(listed_in)
        assert [it.id for it in everything] == [other, boats]
        assert await later.me.parts.conversations.find(boats[:8]) == boats


async def test_a_day_in_which_nothing_happens_asks_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wakeup, "MAX_SLEEP_S", 3_600)  # only the ring makes them look in time
    clock = FakeClock(MONDAY)
    async with living(tmp_path, clock, ["The sea is calm."]) as day:
        wish = job_store.JobRequest(
            task="Say how the sea is.", when="in 25 hours", channel="terminal", chat="me", author="owner", zone="UTC"
        )
        await day.me.store.run(lambda session: job_store.create(session, wish, clock.now_ms()))
        looked: list[object] = []
        event.listen(day.home.database._engine, "before_cursor_execute", lambda *told: looked.append(told[2]))
        for _ in range(24):
            before = len(looked)
            clock.advance(3_600)
            day.home.runner.ring()
            day.home.courier.ring()
            with anyio.fail_after(60):
                while len(looked) < before + 5:  # what the runner asks in one look, or nearly
                    await anyio.lowlevel.checkpoint()
        assert (day.chat.asked, day.small.asked, day.shown) == ([], [], [])
        clock.advance(2 * 3_600)
        assert (await day.letter()).startswith("The sea is calm.")
        assert len(day.chat.asked) == 1


async def test_a_letter_that_nobody_saw_is_shown_when_a_terminal_opens(tmp_path: Path) -> None:
    clock = FakeClock(MONDAY)
    create = Call("schedule_create", {"when": "in two minutes", "task": "Remind the user of the kettle."})
    async with living(tmp_path, clock, [create]) as first:
        await first.say(await first.me.open("chat"), "Remind me of the kettle in two minutes")
    clock.advance(600)
    chat = ScriptedModel(["The water in the kettle is hot by now."])
    given = settings(tmp_path)
    database = assistant_store(given)
    store = owned(database)
    models = {"chat": chat.model()}
    async with Web(given) as web, assistant(given, web, models=models, clock=clock) as served, served.on_duty():
        with anyio.fail_after(60):
            while not await store.run(lambda session: session.query(OutboxRow).count()):
                pass
    database.close()
    async with living(tmp_path, clock, []) as later:
        await later.home.deliver()
        assert [letter.text.split("\n") for letter in later.shown] == [
            ["The water in the kettle is hot by now.", "\u2014 nothing was changed"]
        ]


async def test_forgotten_fact_is_gone_from_all_tables(tmp_path: Path) -> None:
    clock = FakeClock(MONDAY)
    create = Call("schedule_create", {"when": "in two minutes", "task": "Say what is told."})
    script = ["A fine name for a boat.", create, "The user's boat is called Petrel."]
    async with living(tmp_path, clock, script, facts=[FACT]) as first:
        await first.say(await first.me.open("chat"), "My boat is called Petrel.")
        await first.say(await first.me.open("chat"), "Tell me in two minutes what you know")
        clock.advance(180)
        assert (await first.letter()).startswith("The user's boat is called Petrel.\n")

    def forget(asked: Any) -> Call:  # Any: what the model was asked
        found = asked.results()[-1].split("Ids of these facts, for memory_forget:\n- ")[1]
        return Call("memory_forget", {"id": found.partition(":")[0]})

    async with living(tmp_path, clock, [Call("memory_search", {"query": "boat"}), forget, "Hello."]) as second:
        reply = await second.say(await second.me.open("chat"), "Forget what my boat is called")
        assert reply.receipts == ("forgotten: The user's boat is called Petrel.",)
        await second.say(await second.me.open("chat"), "What is my boat called?")
        assert "Petrel" not in second.chat.asked[-1].instructions
    files = b"".join(path.read_bytes() for path in (tmp_path / "store").glob("assistant.db*"))
    assert b"Petrel" not in files


async def test_the_users_tasks_stand_in_the_instructions(tmp_path: Path) -> None:
    clock = FakeClock(MONDAY)
    script = [Call("task_create", {"title": "paint the hull", "due": "Friday"}), "The hull."]
    async with living(tmp_path, clock, script) as day:
        talk = await day.me.open("chat")
        await day.say(talk, "I have to paint the hull by Friday")
        await day.say(talk, "What is left to do?")
        assert "paint the hull, due Fri 25 Sep 2026" in day.chat.asked[1].instructions
