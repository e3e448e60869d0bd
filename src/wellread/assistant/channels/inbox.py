"""What people have sent, kept before the service is told so: each thing is worked on once, or told as cut off.

    waiting ──take──► working ──answer──► done
                         └── the process died ──► done, and a letter says that it was cut off

The answer is a letter in the outbox, left in the same transaction that marks the thing as done. Things of one chat are
worked on one after another, in the order in which they came.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from sqlalchemy import String, Text, UniqueConstraint, delete, select, update
from sqlalchemy.orm import Mapped, mapped_column

from wellread.assistant.bell import IDLE_S, Bell
from wellread.assistant.database import Base, Private, changes
from wellread.assistant.outbox import post
from wellread.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence

    from sqlalchemy.orm import Session

    from wellread.assistant.channels.port import House

WAITING, WORKING, ENDED = "waiting", "working", "done"
SLOTS = 8
"""Chats that are served at a time."""
DAY_MS = 86_400_000
KEPT_MS = 30 * DAY_MS
"""How long what has ended is known again."""
OFFSET_MS = 6 * DAY_MS
"""How long a place in the service's list means something. After a week of silence Telegram counts from anew (Bot API,
Update: update_id), and an old, higher place would let go of what nobody has seen."""

_log = logging.getLogger(__name__)


class InboxRow(Private, Base):
    """One thing that somebody has sent."""

    __tablename__ = "inbox"
    __table_args__ = (UniqueConstraint("channel", "key"),)

    number: Mapped[int] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(String(64), index=True)
    key: Mapped[str] = mapped_column(String(64))
    """What the service calls it: the same thing that comes twice is kept once."""
    chat: Mapped[str] = mapped_column(String(200))
    body: Mapped[str] = mapped_column(Text)
    """As the service wrote it; empty once it is done."""
    state: Mapped[str] = mapped_column(String(16))
    created_ms: Mapped[int]


class OffsetRow(Base):
    """How far a channel has read its service's list."""

    __tablename__ = "offsets"

    channel: Mapped[str] = mapped_column(String(64), primary_key=True)
    place: Mapped[int]
    at_ms: Mapped[int]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that somebody has sent."""

    number: int
    key: str
    chat: str
    account: str
    """Whose message it is; in a group, the group's."""
    body: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered: a letter to a conversation of the same account."""

    conversation: str
    body: str


def keep(session: Session, channel: str, items: Sequence[Item], *, place: int | None, now_ms: int) -> int:
    """Keep what is new of `items`, and the place after them; return how many were new."""
    known = set(
        session.scalars(
            select(InboxRow.key).where(InboxRow.channel == channel, InboxRow.key.in_([it.key for it in items]))
        )
    )
    fresh = {it.key: it for it in items if it.key not in known}
    session.add_all(
        InboxRow(
            user_id=it.account,
            channel=channel,
            key=it.key,
            chat=it.chat,
            body=it.body,
            state=WAITING,
            created_ms=now_ms,
        )
        for it in fresh.values()
    )
    if place is not None:
        session.merge(OffsetRow(channel=channel, place=place, at_ms=now_ms))
    return len(fresh)


def place(session: Session, channel: str, now_ms: int) -> int | None:
    """Return where to read on in the service's list; None where that is not known, or no longer means anything."""
    row = session.get(OffsetRow, channel)
    return row.place if row and now_ms - row.at_ms < OFFSET_MS else None


def prune(session: Session, before_ms: int) -> None:
    """Forget what has ended, and came before a moment."""
    session.execute(delete(InboxRow).where(InboxRow.state == ENDED, InboxRow.created_ms < before_ms))


class Inbox:
    """The things that one channel's people have sent, and who works on them."""

    def __init__(self, channel: str, house: House, answer: Callable[[Item], Awaitable[Answer | None]]) -> None:
        """Take who answers; `None` is no answer at all."""
        self._channel = channel
        self._house = house
        self._answer = answer
        self._busy: set[str] = set()
        self._bell = Bell()
        self._resting = False
        self._idle = anyio.Event()

    async def keep(self, items: Sequence[Item], *, place: int | None = None) -> int:
        """Keep things, each once; return how many were new."""
        now = self._house.clock.now_ms()
        new = await self._house.store.run(lambda session: keep(session, self._channel, items, place=place, now_ms=now))
        self._bell.ring()
        return new

    async def place(self) -> int | None:
        """Return where to read on in the service's list."""
        now = self._house.clock.now_ms()
        return await self._house.store.run(lambda session: place(session, self._channel, now))

    async def run(self, cut_off: Callable[[Item], Awaitable[Answer]]) -> None:
        """Have things answered until cancelled; `cut_off` tells of what an earlier process did not bring to its end.

        Raises:
            UnavailableError: the store does not answer.
        """
        await self._house.store.run(lambda session: prune(session, self._house.clock.now_ms() - KEPT_MS))
        for begun in await self._house.store.run(self._under_way):
            await self._end(begun, await cut_off(begun))
        async with anyio.create_task_group() as tasks:
            while True:
                while not self._resting and len(self._busy) < SLOTS and (item := await self._take()):
                    self._busy.add(item.chat)
                    tasks.start_soon(self._do, item)
                if self._resting and not self._busy:
                    self._idle.set()
                await self._bell.wait(IDLE_S)

    async def rest(self) -> None:
        """Take nothing up any more, and return when what was begun has come to its end."""
        self._resting = True
        self._bell.ring()
        await self._idle.wait()

    def _under_way(self, session: Session) -> list[Item]:
        rows = session.scalars(
            select(InboxRow)
            .where(InboxRow.channel == self._channel, InboxRow.state == WORKING)
            .order_by(InboxRow.number)
        )
        return [_item(row) for row in rows]

    async def _take(self) -> Item | None:
        return await self._house.store.run(lambda session: take(session, self._channel, self._busy))

    async def _do(self, item: Item) -> None:
        try:
            await self._end(item, await self._answer(item))
        except UnavailableError:  # the store: the thing stays marked, and is told as cut off after the next start
            _log.exception("the answer to %s %s is lost", self._channel, item.key)
        finally:
            self._busy.discard(item.chat)
            self._bell.ring()

    async def _end(self, item: Item, said: Answer | None) -> None:
        key = f"{self._channel}:{item.key}"
        now = self._house.clock.now_ms()

        def end(session: Session) -> None:
            row = InboxRow.number == item.number
            session.execute(update(InboxRow).where(row).values(state=ENDED, body=""))
            if said is not None and said.body:
                post(
                    session, account=item.account, channel=self._channel, chat=said.conversation, body=said.body,
                    key=key, now_ms=now,
                )  # fmt: skip

        with anyio.CancelScope(shield=True):  # it is done: whoever closes now waits until that is known
            await self._house.store.run(end)
        self._house.ring()


def take(session: Session, channel: str, busy: Collection[str]) -> Item | None:
    """Return the next thing of a chat that nobody works for, marked as being worked on."""
    row = session.scalars(
        select(InboxRow)
        .where(InboxRow.channel == channel, InboxRow.state == WAITING, InboxRow.chat.not_in(busy))
        .order_by(InboxRow.number)
        .limit(1)
    ).first()
    if row is None:
        return None
    item = _item(row)
    mine = update(InboxRow).where(InboxRow.number == row.number, InboxRow.state == WAITING).values(state=WORKING)
    return item if changes(session, mine) else None


def _item(row: InboxRow) -> Item:
    return Item(row.number, row.key, row.chat, row.user_id, row.body)
