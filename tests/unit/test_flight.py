"""Single flight: one piece of work per key, shared results and failures, and no caller left behind."""

from __future__ import annotations

import anyio
import pytest

from wellread.errors import Unreachable, WellreadError
from wellread.reading.single_flight import SingleFlight


async def test_those_who_come_while_work_runs_share_its_result() -> None:
    flight: SingleFlight[int] = SingleFlight(WellreadError)
    started, finish = anyio.Event(), anyio.Event()
    runs: list[int] = []
    results: list[int] = []

    async def work() -> int:
        runs.append(1)
        started.set()
        await finish.wait()
        return 7

    async def caller() -> None:
        results.append(await flight.run("key", work))

    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(caller)
        await started.wait()
        finish.set()
    assert results == [7] * 5
    assert len(runs) == 1


async def test_a_failure_is_shared_and_then_forgotten() -> None:
    flight: SingleFlight[int] = SingleFlight(WellreadError)
    started, finish = anyio.Event(), anyio.Event()
    failures: list[str] = []

    async def work() -> int:
        started.set()
        await finish.wait()
        raise Unreachable("down")

    async def caller() -> None:
        with pytest.raises(Unreachable) as caught:
            await flight.run("key", work)
        failures.append(caught.value.message)

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(caller)
        await started.wait()
        finish.set()
    assert failures == ["down"] * 3

    async def better() -> int:
        return 1

    assert await flight.run("key", better) == 1


async def test_when_the_one_who_flies_is_cancelled_another_takes_over() -> None:
    flight: SingleFlight[str] = SingleFlight(WellreadError)
    first_started = anyio.Event()
    results: list[str] = []

    async def never() -> str:
        first_started.set()
        await anyio.sleep_forever()
        raise AssertionError

    async def second_work() -> str:
        return "second"

    async def second() -> None:
        results.append(await flight.run("key", second_work))

    async with anyio.create_task_group() as tasks:
        doomed = anyio.CancelScope()

        async def first() -> None:
            with doomed:
                await flight.run("key", never)

        tasks.start_soon(first)
        await first_started.wait()
        tasks.start_soon(second)
        await anyio.lowlevel.checkpoint()
        doomed.cancel()
    assert results == ["second"]


async def test_different_keys_do_not_wait_for_one_another() -> None:
    flight: SingleFlight[int] = SingleFlight(WellreadError)
    finish = anyio.Event()

    async def slow() -> int:
        await finish.wait()
        return 1

    async def quick() -> int:
        return 2

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(flight.run, "slow", slow)
        assert await flight.run("quick", quick) == 2
        finish.set()
