"""Places and rates: who may begin, who waits, and who is told when to come back."""

from __future__ import annotations

from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from wellread.apps.operations.admission import Admission
from wellread.errors import RateLimited
from wellread.net.local_state import MAX_NAMES, LocalState
from wellread.sections import ServerSettings
from wellread.testing import FakeClock
from wellread.worker.child import resident_bytes


def admission(clock: FakeClock | None = None, *, memory: int = 0, **limits: int) -> Admission:
    settings = ServerSettings(**limits)  # type: ignore[arg-type]  # names checked there
    clock = clock or FakeClock()
    return Admission(settings, clock=clock, pace=LocalState(clock.monotonic), memory=lambda: memory)


async def test_one_waits_for_a_place_and_the_next_is_sent_away() -> None:
    places = admission(concurrency=1, queue=1)
    begun, done = anyio.Event(), anyio.Event()

    async def second() -> None:
        async with places.place(None):
            begun.set()
            await done.wait()

    async with anyio.create_task_group() as tasks:
        async with places.place(None):
            tasks.start_soon(second)
            while not places.waiting:
                await anyio.lowlevel.checkpoint()
            assert not places.open
            with pytest.raises(RateLimited) as caught:
                async with places.place(None):
                    raise AssertionError
            assert caught.value.retry_after_s
            assert not begun.is_set()
        await begun.wait()
        assert (places.running, places.waiting) == (1, 0)
        done.set()
    assert (places.running, places.waiting, places.open) == (0, 0, True)


async def test_one_who_gives_up_waiting_leaves_no_trace() -> None:
    places = admission(concurrency=1, queue=1, key_concurrency=2)
    async with places.place("a"), anyio.create_task_group() as tasks:

        async def wait() -> None:
            async with places.place("a"):
                raise AssertionError

        tasks.start_soon(wait)
        while not places.waiting:
            await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    assert (places.running, places.waiting) == (0, 0)
    async with places.place("a"):
        assert places.running == 1


async def test_one_key_cannot_take_the_places_of_the_others() -> None:
    places = admission(concurrency=4, key_concurrency=1)
    async with places.place("a"):
        with pytest.raises(RateLimited, match="a has 1 calls"):
            async with places.place("a"):
                raise AssertionError
        async with places.place("b"), places.place(None), places.place(None):
            assert places.running == 4


async def test_no_work_is_begun_on_the_last_of_the_memory() -> None:
    places = admission(memory=101, max_memory_bytes=100)
    with pytest.raises(RateLimited, match="memory"):
        async with places.place(None):
            raise AssertionError
    assert not places.open
    assert admission(memory=101, max_memory_bytes=0).open


def test_memory_is_measured_ten_times_a_second_at_most() -> None:
    clock, sizes = FakeClock(), [101, 99]
    settings = ServerSettings(max_memory_bytes=100)
    places = Admission(settings, clock=clock, pace=LocalState(clock.monotonic), memory=lambda: sizes.pop(0))
    assert not places.open
    clock.advance(0.05)
    assert not places.open
    clock.advance(0.1)
    assert places.open


async def test_requests_are_counted_by_the_minute_and_refill_evenly() -> None:
    clock = FakeClock()
    places = admission(clock, key_per_min=6)
    for _ in range(6):
        await places.count("a")
    with pytest.raises(RateLimited) as caught:
        await places.count("a")
    assert caught.value.retry_after_s == 10
    await places.count("b")
    clock.advance(10)
    await places.count("a")
    with pytest.raises(RateLimited):
        await places.count("a")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not tell")
def test_the_size_of_this_process_grows_with_what_it_holds() -> None:
    before = resident_bytes()
    held = bytearray(b"x" * 64_000_000)
    assert 60_000_000 < resident_bytes() - before < 200_000_000
    assert len(held) == 64_000_000


async def test_pauses_of_many_sites_give_no_caller_a_new_quota() -> None:
    state = LocalState(FakeClock().monotonic)
    admission = Admission(ServerSettings(key_per_min=2), clock=FakeClock(), pace=state, memory=lambda: 0)
    for _ in range(2):
        await admission.count("http.ann")
    for number in range(MAX_NAMES + 1):
        await state.pause(f"pause h{number}.example", 120.0)
    with pytest.raises(RateLimited):
        await admission.count("http.ann")
