"""Letters: one for each thing that is told, in order, tried again when it pays, marked when it may have arrived."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
import pytest
from sqlalchemy import select

from wellread.assistant import wakeup
from wellread.assistant.leases import LeaseWatch
from wellread.assistant.outbox import (
    MAX_PAUSE_MS,
    MAX_RETRY_MS,
    OutboxMessage,
    OutboxRow,
    OutboxState,
    OutboxWorker,
    claim_next,
    enqueue,
    mark_sent,
    pause_ms,
    prune,
    release_dead,
)
from wellread.errors import Auth, RateLimited, Timeout, Unreachable, Upstream, WellreadError
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from wellread.assistant.database import UserStore


@dataclass
class Channel:
    """A channel that answers as it is told to, and then takes everything."""

    answers: list[WellreadError] = field(default_factory=list)
    arrived: list[str] = field(default_factory=list)

    async def send(self, letter: OutboxMessage) -> None:
        if self.answers:
            raise self.answers.pop(0)
        self.arrived.append(letter.text)


async def leave(store: UserStore, body: str, *, chat: str = "me", key: str = "", now_ms: int = 0) -> str:
    return await store.run(
        lambda session: enqueue(
            session,
            account="owner",
            channel="terminal",
            chat=chat,
            body=body,
            key=key or body,
            now_ms=now_ms or FakeClock().now_ms(),
        )
    )


async def states(store: UserStore) -> list[str]:
    return await store.run(lambda session: list(session.scalars(select(OutboxRow.state).order_by(OutboxRow.number))))


async def test_the_same_thing_is_told_by_one_letter_only(store: UserStore) -> None:
    first = await leave(store, "the tide is out", key="run 1")
    assert await leave(store, "the tide is out, again", key="run 1") == first
    channel = Channel()
    assert await OutboxWorker(store, FakeClock(), {"terminal": channel.send}).deliver("terminal") == 1
    assert channel.arrived == ["the tide is out"]


async def test_order_of_messages_within_and_between_chats(store: UserStore) -> None:
    for body, chat in (("one", "me"), ("two", "me"), ("other", "you")):
        await leave(store, body, chat=chat)
    clock, channel = FakeClock(), Channel([RateLimited("slowly", retry_after_s=7)])
    courier = OutboxWorker(store, clock, {"terminal": channel.send})
    await courier.deliver("terminal")
    assert channel.arrived == ["other"]
    clock.advance(6.999)
    assert await courier.deliver("terminal") == 0
    clock.advance(0.001)
    await courier.deliver("terminal")
    assert channel.arrived == ["other", "one", "two"], "the service's own figure is kept to, to the millisecond"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (Timeout("no answer"), "(possibly sent before)\nhello"),
        (Unreachable("broken off"), "(possibly sent before)\nhello"),
        (Upstream("failed", status=502), "(possibly sent before)\nhello"),
        (RateLimited("slowly"), "hello"),
        (Auth("no key"), "hello"),
    ],
)
async def test_a_letter_that_may_have_arrived_says_so_when_it_goes_again(
    store: UserStore, error: WellreadError, text: str
) -> None:
    await leave(store, "hello")
    clock, channel = FakeClock(), Channel([error])
    courier = OutboxWorker(store, clock, {"terminal": channel.send})
    await courier.deliver("terminal")
    clock.advance(MAX_PAUSE_MS / 1_000)
    await courier.deliver("terminal")
    assert channel.arrived == [text]


async def test_refused_message_does_not_stop_the_next_one(store: UserStore) -> None:
    await leave(store, "to nobody")
    await leave(store, "to somebody")
    channel = Channel([Upstream("no such chat", status=400)])
    await OutboxWorker(store, FakeClock(), {"terminal": channel.send}).deliver("terminal")
    assert channel.arrived == ["to somebody"]
    assert await states(store) == [OutboxState.FAILED, OutboxState.SENT]


async def test_a_letter_is_given_up_after_a_day_and_kept(store: UserStore) -> None:
    await leave(store, "hello")
    clock = FakeClock()
    clock.advance((MAX_RETRY_MS + 1) / 1_000)
    channel = Channel([Unreachable("still down")])
    await OutboxWorker(store, clock, {"terminal": channel.send}).deliver("terminal")
    assert await states(store) == [OutboxState.FAILED]


async def test_a_clock_that_is_put_back_does_not_hold_up_a_letter(store: UserStore) -> None:
    await leave(store, "hello")
    clock, channel = FakeClock(), Channel([RateLimited("slowly", retry_after_s=5)])
    courier = OutboxWorker(store, clock, {"terminal": channel.send})
    await courier.deliver("terminal")
    clock.advance(-3_600)
    await courier.deliver("terminal")
    assert channel.arrived == ["hello"]


async def test_expired_lease_marks_nothing_of_its_successor(store: UserStore) -> None:
    await leave(store, "hello")
    now_ms = FakeClock().now_ms()
    slow = await store.run(lambda session: claim_next(session, "terminal", owner="slow", now_ms=now_ms))
    assert slow is not None
    assert await store.run(lambda session: claim_next(session, "terminal", owner="next", now_ms=now_ms)) is None
    assert await store.run(lambda session: release_dead(session, {slow.id: slow.attempts})) == 1
    again = await store.run(lambda session: claim_next(session, "terminal", owner="next", now_ms=now_ms))
    assert again is not None
    assert again.maybe_sent
    await store.run(lambda session: mark_sent(session, slow, owner="slow", now_ms=now_ms))
    assert await states(store) == [OutboxState.SENDING]
    assert await store.run(lambda session: release_dead(session, {slow.id: slow.attempts})) == 0


async def test_a_courier_that_is_rung_carries_at_once(store: UserStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wakeup, "MAX_SLEEP_S", 3_600)  # it would look by itself, but not in time
    channel = Channel()
    arrived = anyio.Event()

    async def send(letter: OutboxMessage) -> None:
        await channel.send(letter)
        arrived.set()

    courier = OutboxWorker(store, FakeClock(), {"terminal": send})
    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(courier.run)
            await leave(store, "hello")
            courier.ring()
            await arrived.wait()
            tasks.cancel_scope.cancel()
    assert channel.arrived == ["hello"]


async def test_old_delivered_messages_are_deleted(store: UserStore) -> None:
    await leave(store, "arrives")
    await OutboxWorker(store, FakeClock(), {"terminal": Channel().send}).deliver("terminal")
    await leave(store, "waits")
    await store.run(lambda session: prune(session, FakeClock().now_ms() + 1))
    assert await states(store) == [OutboxState.PENDING]


@pytest.mark.parametrize(("attempts", "pause"), [(1, 1_000), (2, 2_000), (5, 16_000), (99, MAX_PAUSE_MS)])
def test_each_pause_is_twice_as_long_up_to_a_limit(attempts: int, pause: int) -> None:
    assert pause_ms(Timeout("no answer"), attempts) == pause
    assert pause_ms(RateLimited("slowly", retry_after_s=900), attempts) == 900_000


def test_only_what_does_not_stir_for_a_lease_is_dead() -> None:
    watch = LeaseWatch(10)
    assert watch.dead({"a": 1, "b": 1}, 0) == []
    assert watch.dead({"a": 1, "b": 2}, 9) == []
    assert watch.dead({"a": 1, "b": 2}, 10) == ["a"]
    assert watch.dead({"b": 2}, 12) == []
    assert watch.dead({"b": 2}, 19) == ["b"]
