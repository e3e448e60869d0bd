"""Inbox of a channel: each incoming item is stored before it is acknowledged, and handled once or reported as cut off.

    waiting ──take──► working ──answer──► done
                         └── the process died ──► done, and a message says that it was cut off

The answer is a message in the outbox, stored in the same transaction that marks the item as done. Items of one chat are
handled one after another, in the order in which they came.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from sqlalchemy import String, Text, UniqueConstraint, delete, select, update
from sqlalchemy.orm import Mapped, mapped_column

from wellread.assistant.database import Base, Private, changed_rows
from wellread.assistant.outbox import enqueue
from wellread.assistant.wakeup import MAX_SLEEP_S, WakeupSignal
from wellread.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence

    from sqlalchemy.orm import Session

    from wellread.assistant.channels.port import ChannelContext

WAITING, WORKING, ENDED = "waiting", "working", "done"
MAX_BUSY_CHATS = 8
"""Chats that are served at a time."""
DAY_MS = 86_400_000
RETENTION_MS = 30 * DAY_MS
"""How long what has ended is known again."""
MAX_OFFSET_AGE_MS = 6 * DAY_MS
"""How long a place in the service's list means something. After a week of silence Telegram counts from anew (Bot API,
Update: update_id), and an old, higher place would let go of what nobody has seen."""

_log = logging.getLogger(__name__)


class InboxRow(Private, Base):
    """One incoming item of a channel: a message, a file, a pressed button."""

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
class InboxItem:
    """One incoming item of a channel."""

    number: int
    key: str
    chat: str
    account: str
    """Whose message it is; in a group, the group's."""
    body: str


@dataclass(frozen=True, slots=True)
class InboxAnswer:
    """The answer to an item: a message to a conversation of the same account."""

    conversation: str
    body: str


def keep(session: Session, channel: str, items: Sequence[InboxItem], *, place: int | None, now_ms: int) -> int:
    """Store the new items of `items`, and the place after them; return the number of new items."""
    known_keys = set(
        session.scalars(
            select(InboxRow.key).where(InboxRow.channel == channel, InboxRow.key.in_([item.key for item in items]))
        )
    )
    new_items = {item.key: item for item in items if item.key not in known_keys}
    session.add_all(
        InboxRow(
            user_id=item.account,
            channel=channel,
            key=item.key,
            chat=item.chat,
            body=item.body,
            state=WAITING,
            created_ms=now_ms,
        )
        for item in new_items.values()
    )
    if place is not None:
        session.merge(OffsetRow(channel=channel, place=place, at_ms=now_ms))
    return len(new_items)


def place(session: Session, channel: str, now_ms: int) -> int | None:
    """Return the place in the service's list to read on from; None where it is not known or no longer valid."""
    row = session.get(OffsetRow, channel)
    if row is None or now_ms - row.at_ms >= MAX_OFFSET_AGE_MS:
        return None
    return row.place


def prune(session: Session, before_ms: int) -> None:
    """Delete the items that have ended and were created before `before_ms`."""
    session.execute(delete(InboxRow).where(InboxRow.state == ENDED, InboxRow.created_ms < before_ms))


class Inbox:
    """The incoming items of one channel, and the tasks that handle them."""

    def __init__(
        self, channel: str, context: ChannelContext, answer: Callable[[InboxItem], Awaitable[InboxAnswer | None]]
    ) -> None:
        """Take the function that answers an item; None from it sends no answer."""
        self._channel = channel
        self._context = context
        self._answer = answer
        self._busy: set[str] = set()
        self._wakeup = WakeupSignal()
        self._resting = False
        self._idle = anyio.Event()

    async def keep(self, items: Sequence[InboxItem], *, place: int | None = None) -> int:
        """Store items, each once; return the number of new items."""
        now = self._context.clock.now_ms()
        new = await self._context.store.run(
            lambda session: keep(session, self._channel, items, place=place, now_ms=now)
        )
        self._wakeup.ring()
        return new

    async def place(self) -> int | None:
        """Return the place in the service's list to read on from."""
        now = self._context.clock.now_ms()
        return await self._context.store.run(lambda session: place(session, self._channel, now))

    async def run(self, cut_off: Callable[[InboxItem], Awaitable[InboxAnswer]]) -> None:
        """Answer items until cancelled; `cut_off` answers the items that an earlier process left unfinished.

        Raises:
            UnavailableError: the store does not answer.
        """
        await self._context.store.run(lambda session: prune(session, self._context.clock.now_ms() - RETENTION_MS))
        for unfinished in await self._context.store.run(self._under_way):
            await self._end(unfinished, await cut_off(unfinished))
        async with anyio.create_task_group() as tasks:
            while True:
                while not self._resting and len(self._busy) < MAX_BUSY_CHATS and (item := await self._take()):
                    self._busy.add(item.chat)
                    tasks.start_soon(self._do, item)
                if self._resting and not self._busy:
                    self._idle.set()
                await self._wakeup.wait(MAX_SLEEP_S)

    async def rest(self) -> None:
        """Take up no more items, and return when all items in work have ended."""
        self._resting = True
        self._wakeup.ring()
        await self._idle.wait()

    def _under_way(self, session: Session) -> list[InboxItem]:
        rows = session.scalars(
            select(InboxRow)
            .where(InboxRow.channel == self._channel, InboxRow.state == WORKING)
            .order_by(InboxRow.number)
        )
        return [_item(row) for row in rows]

    async def _take(self) -> InboxItem | None:
        return await self._context.store.run(lambda session: take(session, self._channel, self._busy))

    async def _do(self, item: InboxItem) -> None:
        try:
            await self._end(item, await self._answer(item))
        except UnavailableError:  # the store: the thing stays marked, and is told as cut off after the next start
            _log.exception("the answer to %s %s is lost", self._channel, item.key)
        finally:
            self._busy.discard(item.chat)
            self._wakeup.ring()

    async def _end(self, item: InboxItem, answer: InboxAnswer | None) -> None:
        key = f"{self._channel}:{item.key}"
        now = self._context.clock.now_ms()

        def end(session: Session) -> None:
            row = InboxRow.number == item.number
            session.execute(update(InboxRow).where(row).values(state=ENDED, body=""))
            if answer is not None and answer.body:
                enqueue(
                    session, account=item.account, channel=self._channel, chat=answer.conversation, body=answer.body,
                    key=key, now_ms=now,
                )  # fmt: skip

        with anyio.CancelScope(shield=True):  # it is done: whoever closes now waits until that is known
            await self._context.store.run(end)
        self._context.ring()


def take(session: Session, channel: str, busy: Collection[str]) -> InboxItem | None:
    """Return the next item of a chat that is not busy, marked as in work."""
    row = session.scalars(
        select(InboxRow)
        .where(InboxRow.channel == channel, InboxRow.state == WAITING, InboxRow.chat.not_in(busy))
        .order_by(InboxRow.number)
        .limit(1)
    ).first()
    if row is None:
        return None
    item = _item(row)
    claim = update(InboxRow).where(InboxRow.number == row.number, InboxRow.state == WAITING).values(state=WORKING)
    if not changed_rows(session, claim):  # another process was faster
        return None
    return item


def _item(row: InboxRow) -> InboxItem:
    return InboxItem(row.number, row.key, row.chat, row.user_id, row.body)
