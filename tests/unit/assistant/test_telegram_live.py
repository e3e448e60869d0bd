"""How a growing answer is shown: at its pace, again before a draft expires, and by edits where there are no drafts."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from wellread.assistant.channels.telegram.client import ChatTopic
from wellread.assistant.channels.telegram.streaming_message import EditPace, StreamingMessage
from wellread.assistant.turn_events import Heard, Used, Using
from wellread.errors import InvalidInput, RateLimited, Unreachable, WellreadError

if TYPE_CHECKING:
    from wellread.assistant.channels.telegram.formatting import MessagePart

QUICK = EditPace(pause_s=0.05, group_s=0.15, again_s=0.2)


@dataclass
class Wire:
    """Notes what is shown and when; fails as told."""

    fails: list[WellreadError | None] = field(default_factory=list)
    shown: list[tuple[str, str, float]] = field(default_factory=list)
    changed: anyio.Event = field(default_factory=anyio.Event)

    async def draft(self, _topic: ChatTopic, _number: int, text: str) -> None:
        self._note("draft", text)

    async def say(self, _topic: ChatTopic, piece: MessagePart) -> int:
        self._note("say", piece.text)
        return 5

    async def edit(self, _topic: ChatTopic, _message: int, piece: MessagePart) -> None:
        self._note("edit", piece.text)

    async def until(self, count: int) -> None:
        with anyio.fail_after(60):
            while len(self.shown) < count:
                await self.changed.wait()

    def _note(self, how: str, text: str) -> None:
        if self.fails and (error := self.fails.pop(0)):
            self.shown.append(("failed", text, anyio.current_time()))
            self._ring()
            raise error
        self.shown.append((how, text, anyio.current_time()))
        self._ring()

    def _ring(self) -> None:
        self.changed.set()
        self.changed = anyio.Event()

    def pauses(self) -> list[float]:
        times = [at for _, _, at in self.shown]
        return [later - earlier for earlier, later in itertools.pairwise(times)]


def live(wire: Any, chat: int = 7) -> StreamingMessage:  # Any: stands in for the wire
    return StreamingMessage(wire, ChatTopic(chat), 3, QUICK, drafts=True)


async def test_quick_words_are_shown_at_the_allowed_pace() -> None:
    wire = Wire()
    growing = live(wire)
    async with growing.shown():
        await wire.until(1)
        for word in ("one ", "two ", "three"):
            await growing.tell(Heard(text=word))
        await wire.until(2)
        await growing.tell(Using(tool="web_search", arguments={}))
        await wire.until(3)
        await growing.tell(Used(tool="web_search"))
        await growing.tell(Heard(text="four"))
        await wire.until(4)
    assert [text for _, text, _ in wire.shown] == [
        "", "one two three", "one two three\n\n\u00b7 web_search \u2026", "one two three\n\nfour",
    ]  # fmt: skip
    assert min(wire.pauses()) >= QUICK.pause_s * 0.9


async def test_unchanged_draft_is_sent_again_before_it_expires() -> None:
    wire = Wire()
    async with live(wire).shown():
        await wire.until(3)
    assert {(how, text) for how, text, _ in wire.shown} == {("draft", "")}
    assert min(wire.pauses()) >= QUICK.again_s * 0.9


async def test_a_pause_that_telegram_asks_for_is_kept() -> None:
    wire = Wire(fails=[RateLimited("slow", retry_after_s=0.3)])
    growing = live(wire)
    async with growing.shown():
        await wire.until(1)
        await growing.tell(Heard(text="one"))
        await wire.until(2)
    assert wire.pauses()[0] >= 0.27


async def test_where_there_are_no_drafts_one_message_is_edited() -> None:
    wire = Wire(fails=[InvalidInput("method not found")])
    growing = live(wire)
    async with growing.shown():
        await growing.tell(Heard(text="one"))
        await wire.until(2)
        await growing.tell(Heard(text=" two"))
        await wire.until(3)
    assert [(how, text) for how, text, _ in wire.shown] == [("failed", "one"), ("say", "one"), ("edit", "one two")]
    assert (growing.drafts, growing.message) == (False, 5)


async def test_pace_of_edits_in_a_group() -> None:
    wire = Wire()
    growing = live(wire, chat=-7)
    async with growing.shown():
        for number, word in enumerate(("one", " two", " three"), 1):
            await growing.tell(Heard(text=word))
            await wire.until(number)
    ended = anyio.current_time()
    assert [how for how, _, _ in wire.shown] == ["say", "edit", "edit"]
    assert min(wire.pauses()) >= QUICK.group_s * 0.9
    assert ended - wire.shown[-1][2] >= QUICK.pause_s * 0.9


async def test_first_message_of_unknown_delivery_is_not_repeated() -> None:
    wire = Wire(fails=[Unreachable("gone")])
    growing = live(wire, chat=-7)
    async with growing.shown():
        await growing.tell(Heard(text="one"))
        await wire.until(1)
        await growing.tell(Heard(text=" two"))
        with anyio.move_on_after(QUICK.pause_s * 4):
            await wire.until(2)
    assert [how for how, _, _ in wire.shown] == ["failed"]
