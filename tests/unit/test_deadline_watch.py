"""The thread that rings alarms: after a fork, and with many alarms."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from wellread.apps.system_clock import SystemClock
from wellread.testing import FakeClock
from wellread.worker.deadline_watch import DeadlineWatch

FORKED = """
import os, sys, threading
from wellread.apps.system_clock import SystemClock
from wellread.worker.deadline_watch import DeadlineWatch
from wellread.worker.worker_pool import TaskHandle, TaskLimits, WorkerPool

clock, rung = SystemClock(), threading.Event()
pool, watch = WorkerPool("time:sleep", TaskLimits(children=1), clock), DeadlineWatch(clock)
watch.call_later(0, rung.set)
rung.wait()
assert pool._slots.take(0, TaskHandle())
with pool._lock, pool._slots._lock, watch._alarms._changed:  # as threads of the parent may at any time
    child = os.fork()
    if not child:
        sys.setswitchinterval(1e-6)
        alarms = [threading.Event() for _ in range(32)]
        threads = [threading.Thread(target=watch.call_later, args=(0, alarm.set)) for alarm in alarms]
        for thread in threads:
            thread.start()
        rang = all(alarm.wait(20) for alarm in alarms)
        pool.warm()
        pool.close()
        os._exit(not (rang and pool._slots.take(0, TaskHandle())))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no fork")
def test_forked_process_has_alarms_and_slots_of_its_own() -> None:
    # Python 3.12 and later warn of a fork beside threads, which is the case here.
    command = [sys.executable, "-W", "ignore", "-c", FORKED]
    subprocess.run(command, check=True, timeout=60)


def test_earlier_alarm_rings_first() -> None:
    watch, order, done = DeadlineWatch(SystemClock()), list[str](), threading.Event()
    watch.call_later(60, done.set)
    watch.call_later(0.02, done.set)
    watch.call_later(0.01, lambda: order.append("first"))
    watch.call_later(0.005, lambda: order.append("cancelled")).cancel()
    assert done.wait(20)
    assert order == ["first"]


def test_alarm_waits_for_the_clock() -> None:
    clock, rung, checked = FakeClock(), threading.Event(), threading.Event()
    watch = DeadlineWatch(clock)
    watch.call_later(0.01, rung.set)
    watch.call_later(0, checked.set)
    assert checked.wait(20)
    assert not rung.wait(0.05)
    clock.advance(0.01)
    assert rung.wait(20)


def cpu_s_of_tasks(alarm_count: int) -> float:
    watch = DeadlineWatch(SystemClock())
    for _ in range(alarm_count):
        watch.call_later(600, threading.Event().set)
    started = time.process_time()
    for _ in range(500):
        watch.call_later(300, threading.Event().set).cancel()
    return time.process_time() - started


def test_task_costs_about_the_same_beside_many_alarms() -> None:
    assert min(cpu_s_of_tasks(4_000) for _ in range(3)) <= 6 * min(cpu_s_of_tasks(40) for _ in range(3))
