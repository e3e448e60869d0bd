"""Killed at each step between the model's answer and the mark: nothing is lost, and what may be double says so."""

from __future__ import annotations

import json
import multiprocessing
import signal
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio
import pytest

from accounts import owned
from scenario import clockwork
from wellread.assistant.database import Database
from wellread.assistant.outbox import POSSIBLY_SENT_MARK
from wellread.assistant.schedule import job_store
from wellread.assistant.schedule.jobs import JobState, RunState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.process import BaseProcess
    from pathlib import Path

    from sqlalchemy.orm import Session

    from wellread.assistant.schedule.jobs import JobRun

T = TypeVar("T")
DONE = "tide table is done"
NOW = 1_790_000_000_000


LEASE_S = 0.3
"""Of processes that are killed, so that what they left is soon free; theirs is the only store."""


def started(url: str, deliveries: Path, step: str, lease_s: float = LEASE_S) -> BaseProcess:
    """Serve in a process of its own; one server forks them all, so that none has to load the libraries again."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["scenario.clockwork"])
    process = context.Process(target=anyio.run, args=(clockwork.serve, url, str(deliveries), step, lease_s))
    process.start()
    return process


def served(url: str, deliveries: Path, step: str) -> int | None:
    """Serve until it ends or is killed; return its exit code."""
    process = started(url, deliveries, step)
    process.join(60)
    return process.exitcode


def asked(url: str) -> str:
    """Leave a job that was due once, long ago; return its id."""
    wish = job_store.JobRequest(
        task="read the tide table",
        name="tide table",
        when="in two minutes",
        channel="terminal",
        chat="me",
        author="owner",
        zone="UTC",
    )
    return told(url, lambda session: job_store.create(session, wish, NOW)).id


def told(url: str, work: Callable[[Session], T]) -> T:
    database = Database.open(url)
    try:
        return anyio.run(owned(database).run, work)
    finally:
        database.close()


def lines(deliveries: Path, kind: str) -> list[str]:
    found = [json.loads(line) for line in deliveries.read_text(encoding="utf-8").splitlines()]
    return [line[kind] for line in found if kind in line]


@pytest.mark.parametrize("step", clockwork.STEPS)
def test_process_killed_at_any_step(step: str, tmp_path: Path) -> None:
    url, deliveries = f"sqlite:///{tmp_path}/assistant.db", tmp_path / "deliveries"
    job = asked(url)
    assert served(url, deliveries, step) == -signal.SIGKILL
    assert served(url, deliveries, "none") == 0

    runs: Sequence[JobRun] = told(url, lambda session: job_store.runs(session, job))
    sent = lines(deliveries, "sent")
    assert lines(deliveries, "acted") == ["tide table"], "what acts is never done again"
    if step in clockwork.STEPS[:2]:
        assert [each.state for each in runs] == [RunState.INTERRUPTED]
        assert len(sent) == 1
        assert "was interrupted; it may have done part of its work, and is not repeated" in sent[0]
        return
    assert [each.state for each in runs] == [RunState.DONE]
    assert told(url, lambda session: job_store.find(session, job)).state is JobState.DONE
    certain = [each for each in sent if not each.startswith(POSSIBLY_SENT_MARK)]
    assert {each.removeprefix(f"{POSSIBLY_SENT_MARK}\n") for each in sent} == {DONE}
    assert len(certain) <= 1
    assert len(sent) == {"after the mark": 1, "after the commit, before the send": 1}.get(step, 2)
    assert len(set(lines(deliveries, "id"))) == 1, "a channel that knows letters again can drop the double itself"


def test_killed_again_and_again_it_still_arrives(tmp_path: Path) -> None:
    url, deliveries = f"sqlite:///{tmp_path}/assistant.db", tmp_path / "deliveries"
    asked(url)
    for step in ("after the commit, before the send", "in the send", "after the send, before the mark"):
        assert served(url, deliveries, step) == -signal.SIGKILL
    assert served(url, deliveries, "none") == 0
    sent = lines(deliveries, "sent")
    assert all(each.startswith(POSSIBLY_SENT_MARK) for each in sent)
    assert {each.removeprefix(f"{POSSIBLY_SENT_MARK}\n") for each in sent} == {DONE}
    assert lines(deliveries, "acted") == ["tide table"]


def test_many_processes_on_one_store_act_once_and_tell_it_once(store_url: str, tmp_path: Path) -> None:
    deliveries = tmp_path / "deliveries"
    names = [f"job {number}" for number in range(8)]
    for name in names:
        wish = job_store.JobRequest(
            task=name, when="in two minutes", channel="terminal", chat=name, author="owner", zone="UTC"
        )
        told(store_url, partial(job_store.create, request=wish, now_ms=NOW))
    processes = [started(store_url, deliveries, "none", lease_s=60) for _ in range(3)]
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert sorted(lines(deliveries, "acted")) == names
    assert sorted(lines(deliveries, "sent")) == [f"{name} is done" for name in names]
