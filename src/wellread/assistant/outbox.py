"""Outgoing messages: stored until their channel has taken them, sent once, or marked where that is not certain.

A message is committed together with the work that it reports. It is marked as being sent before it is sent, and as sent
after that. A process that dies in between leaves a message that may have arrived: it is sent again, with a mark.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import anyio
from sqlalchemy import ColumnElement, Index, String, Text, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from wellread.assistant.database import Base, Private, Store, changed_rows, new_id
from wellread.assistant.leases import LeaseWatch
from wellread.assistant.wakeup import WakeupSignal, pause_s
from wellread.errors import Auth, ConfigError, PluginError, Quota, RateLimited, Timeout, WellreadError
from wellread.ports import Clock

SEND_TIMEOUT_S = 60.0
"""How long a channel may take for one message."""

LEASE_S = SEND_TIMEOUT_S + 15
"""After so long without an end, the process that was sending a message is dead."""

MAX_PAUSE_MS = 300_000
MAX_RETRY_MS = 86_400_000
"""How long a message is tried for; then it stays as failed."""

POSSIBLY_SENT_MARK = "(possibly sent before)"


class OutboxState(StrEnum):
    """The state of a message."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


class OutboxRow(Private, Base):
    """One message for one chat."""

    __tablename__ = "outbox"
    __table_args__ = (Index("ix_outbox_state_channel", "state", "channel"),)

    number: Mapped[int] = mapped_column(primary_key=True)
    """In the order of writing, which is the order of sending within a chat."""
    id: Mapped[str] = mapped_column(String(32), unique=True)
    key: Mapped[str] = mapped_column(String(200), unique=True)
    """The event that the message reports: no event is reported by two messages."""
    channel: Mapped[str] = mapped_column(String(64))
    chat: Mapped[str] = mapped_column(String(200))
    body: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    owner: Mapped[str] = mapped_column(String(32))
    """The process that sends it, or did last."""
    attempts: Mapped[int]
    maybe_sent: Mapped[bool]
    created_ms: Mapped[int]
    deferred_ms: Mapped[int]
    """When it was last put off; `next_ms` means nothing to a clock that was put back before it."""
    next_ms: Mapped[int]
    sent_ms: Mapped[int | None]
    error: Mapped[str] = mapped_column(Text)


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A message for a channel to send."""

    id: str
    """The same at every try, for channels that recognise a message (a Message-ID, an idempotency key)."""
    channel: str
    chat: str
    account: str
    """The account that the message is for."""
    body: str
    maybe_sent: bool
    """An earlier try may have arrived."""
    attempts: int

    @property
    def text(self) -> str:
        """The body, and above it the mark where it may have arrived before."""
        if not self.maybe_sent:
            return self.body
        return f"{POSSIBLY_SENT_MARK}\n{self.body}"


Send = Callable[[OutboxMessage], Awaitable[None]]
"""Sends a message by a channel; returns when it has arrived, raises a WellreadError when it has not or may not have."""


def enqueue(session: Session, *, account: str, channel: str, chat: str, body: str, key: str, now_ms: int) -> str:
    """Store a message for the user of `account`, within the transaction of the work it reports; return its id.

    A second message with the same `key` is not stored: the id of the first is returned.
    """
    first = select(OutboxRow.id).where(OutboxRow.key == key)
    if known_id := session.scalar(first):
        return known_id
    row = OutboxRow(
        id=new_id(), user_id=account, key=key, channel=channel, chat=chat, body=body, state=OutboxState.PENDING,
        owner="", attempts=0, maybe_sent=False, created_ms=now_ms, deferred_ms=now_ms, next_ms=now_ms,
        sent_ms=None, error="",
    )  # fmt: skip
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:  # another process has just stored the same message
        return session.scalars(first).one()
    return row.id


def claim_next(session: Session, channel: str, *, owner: str, now_ms: int) -> OutboxMessage | None:
    """Return the next message of a channel, marked as being sent; messages of one chat go one after another."""
    row = session.scalars(
        select(OutboxRow)
        .where(*_in_front(channel), or_(OutboxRow.next_ms <= now_ms, OutboxRow.deferred_ms > now_ms))
        .order_by(OutboxRow.number)
        .limit(1)
    ).first()
    if row is None:
        return None
    message = OutboxMessage(row.id, row.channel, row.chat, row.user_id, row.body, row.maybe_sent, row.attempts + 1)
    is_taken = _change(
        session, message.id, OutboxRow.state == OutboxState.PENDING, OutboxRow.attempts == row.attempts,
        state=OutboxState.SENDING, owner=owner, attempts=message.attempts,
    )  # fmt: skip
    if not is_taken:  # another process was faster
        return None
    return message


def mark_sent(session: Session, message: OutboxMessage, *, owner: str, now_ms: int) -> None:
    """Mark a message as sent, unless another process has taken it over meanwhile."""
    _change(session, message.id, OutboxRow.owner == owner, state=OutboxState.SENT, sent_ms=now_ms, error="")


def postpone(session: Session, message: OutboxMessage, error: WellreadError, *, owner: str, now_ms: int) -> None:
    """Store the error of a message, and the time of its next try, if any."""
    row = session.scalars(select(OutboxRow).where(OutboxRow.id == message.id)).one()
    is_final = not _may_mend(error) or now_ms - row.created_ms > MAX_RETRY_MS
    _change(
        session, message.id, OutboxRow.owner == owner, OutboxRow.state == OutboxState.SENDING,
        state=OutboxState.FAILED if is_final else OutboxState.PENDING,
        error=f"{error.code}: {error.message}"[:1_000],
        maybe_sent=row.maybe_sent or _may_have_arrived(error),
        deferred_ms=now_ms,
        next_ms=now_ms + pause_ms(error, message.attempts),
    )  # fmt: skip


def release_dead(session: Session, ids: Mapping[str, int]) -> int:
    """Free messages whose sender has died (id to its last seen `attempts`); return how many. They may have arrived."""
    return sum(
        _change(
            session, key, OutboxRow.state == OutboxState.SENDING, OutboxRow.attempts == attempts,
            state=OutboxState.PENDING, maybe_sent=True, next_ms=0,
        )
        for key, attempts in ids.items()
    )  # fmt: skip


def prune(session: Session, before_ms: int) -> None:
    """Delete messages that were sent before `before_ms`."""
    session.execute(delete(OutboxRow).where(OutboxRow.state == OutboxState.SENT, OutboxRow.sent_ms < before_ms))


def pause_ms(error: WellreadError, attempts: int) -> int:
    """Return the pause before the next try: the service's own, else twice as long each time."""
    if isinstance(error, RateLimited) and error.retry_after_s is not None:
        return max(1_000, round(error.retry_after_s * 1_000))
    return min(MAX_PAUSE_MS, 1_000 << min(attempts - 1, 20))


def _in_front(channel: str) -> tuple[ColumnElement[bool], ...]:
    """Pending messages of a channel that have none before them in their chat."""
    earlier = aliased(OutboxRow)
    waits = (
        select(earlier.id)
        .where(
            earlier.channel == OutboxRow.channel,
            earlier.chat == OutboxRow.chat,
            earlier.number < OutboxRow.number,
            earlier.state.in_((OutboxState.PENDING, OutboxState.SENDING)),
        )
        .exists()
    )
    return OutboxRow.state == OutboxState.PENDING, OutboxRow.channel == channel, ~waits


def _may_mend(error: WellreadError) -> bool:
    return error.retryable or isinstance(error, Auth | Quota | ConfigError | PluginError)


def _may_have_arrived(error: WellreadError) -> bool:
    """Tell whether a message may have arrived: a refusal means no, silence means maybe."""
    return error.retryable and not isinstance(error, RateLimited)


def _change(session: Session, key: str, *unless: ColumnElement[bool], **values: object) -> bool:
    return changed_rows(session, update(OutboxRow).where(OutboxRow.id == key, *unless).values(**values)) == 1


class OutboxWorker:
    """Sends the messages of a store, or of the one user that it is opened for, one at a time for each channel."""

    def __init__(self, store: Store, clock: Clock, channels: Mapping[str, Send], *, lease_s: float = LEASE_S) -> None:
        self._store = store
        self._clock = clock
        self._channels = channels
        self._lease_s = lease_s
        self._owner = new_id()
        self._wakeups = {channel: WakeupSignal() for channel in channels}
        self._roads = {channel: anyio.Lock() for channel in channels}

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that messages are sent by."""
        return tuple(self._channels)

    def ring(self) -> None:
        """Wake the senders; without it new messages are found within `wakeup.MAX_SLEEP_S`."""
        for wakeup in self._wakeups.values():
            wakeup.ring()

    async def run(self) -> None:
        """Send messages until cancelled.

        Raises:
            UnavailableError: the store does not answer.
        """
        async with anyio.create_task_group() as tasks:
            for channel in self._channels:
                tasks.start_soon(self._serve, channel)

    async def deliver(self, channel: str) -> int:
        """Send the due messages of one channel, after those on their way there; return how many have arrived."""
        sent = 0
        async with self._roads[channel]:
            while message := await self._store.run(
                lambda session: claim_next(session, channel, owner=self._owner, now_ms=self._clock.now_ms())
            ):
                sent += await self._send(message)
        return sent

    async def _serve(self, channel: str) -> None:
        watch = LeaseWatch(self._lease_s)
        while True:
            await self._take_back(channel, watch)
            await self.deliver(channel)
            await self._wakeups[channel].wait(await self._store.run(lambda session: self._pause_s(session, channel)))

    async def _send(self, message: OutboxMessage) -> bool:
        try:
            with anyio.fail_after(SEND_TIMEOUT_S):
                await self._channels[message.channel](message)
        except (WellreadError, TimeoutError) as error:
            failure = (
                error
                if isinstance(error, WellreadError)
                else Timeout(f"{message.channel} took over {SEND_TIMEOUT_S:.0f} s")
            )
            await self._store.run(
                lambda session: postpone(session, message, failure, owner=self._owner, now_ms=self._clock.now_ms())
            )
            return False
        with anyio.CancelScope(shield=True):  # it has arrived: whoever closes now waits until that is known
            await self._store.run(
                lambda session: mark_sent(session, message, owner=self._owner, now_ms=self._clock.now_ms())
            )
        return True

    async def _take_back(self, channel: str, watch: LeaseWatch) -> None:
        def under_way(session: Session) -> dict[str, int]:
            rows = session.execute(
                select(OutboxRow.id, OutboxRow.attempts).where(
                    OutboxRow.state == OutboxState.SENDING,
                    OutboxRow.channel == channel,
                    OutboxRow.owner != self._owner,
                )
            )
            return {row.id: row.attempts for row in rows}

        attempts_by_id = await self._store.run(under_way)
        dead = {key: attempts_by_id[key] for key in watch.dead(attempts_by_id, anyio.current_time())}
        if dead:
            await self._store.run(lambda session: release_dead(session, dead))

    def _pause_s(self, session: Session, channel: str) -> float:
        next_ms = session.scalar(select(func.min(OutboxRow.next_ms)).where(*_in_front(channel)))
        return pause_s(next_ms, self._clock.now_ms())
