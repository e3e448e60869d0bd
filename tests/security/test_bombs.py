"""Documents made to choke their parsers: answered in time, quiet afterwards, and no process outlives its parent."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import anyio.lowlevel
import pytest
from anyio import to_thread

from machine import slowness_by_the_clock
from parts import replace_parts
from processes import started
from scenario.story import Story
from wellread.apps import local_reading
from wellread.apps.system_clock import SystemClock
from wellread.config import ExtractSettings
from wellread.errors import Timeout, TooLarge, UnreadableError, Unsupported
from wellread.reading.installed_extractors import installed_extractors
from wellread.reading.sandbox import SandboxedReader, pack_answer
from wellread.reading.snapshot_building import DocumentReader, print_extraction
from wellread.types import Block, Extraction, Kind, Metadata, Response, Span
from wellread.worker.shared_counts import SharedCounts
from wellread.worker.worker_pool import TaskHandle, TaskLimits, WorkerPool, _TaskSlot, _TaskSlots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
LIMIT_S = 1.0
"""Kept short, so that what takes ten seconds by default takes no longer here."""

MEMORY_BYTES = 400_000_000

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def read_all(only: str = "") -> dict[str, Any]:
    """Return what the benchmark of all bombs tells of one run, in a process of its own."""
    command = [sys.executable, str(ROOT / "benchmarks" / "bombs.py"), "--timeout", str(LIMIT_S), "--json"]
    done = subprocess.run([*command, "--only", only], capture_output=True, text=True, check=True, timeout=300)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def late(told: dict[str, Any]) -> set[str]:
    # Printing and packing come on top of the child's time; machines that test much at once are slow.
    return {row["name"] for row in told["rows"] if row["wall_s"] > LIMIT_S + 4}


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return read_all()


@linux
def test_every_bomb_is_answered_within_its_deadline(told: dict[str, Any]) -> None:
    assert len(told["rows"]) >= 25
    # One that is late is read again: others on the machine make it later only.
    assert {name for name in late(told) if all(name in late(read_all(name)) for _ in range(2))} == set()
    assert {row["outcome"] for row in told["rows"] if "characters" not in row["outcome"]} <= {
        *("timeout", "too_large", "unreadable", "empty")
    }


@linux
def test_no_bomb_fills_the_memory_of_the_parent_or_the_child(told: dict[str, Any]) -> None:
    assert [row for row in told["rows"] if row["grown_mb"] >= 64 or row["child_mb"] >= 1_000] == []


@linux
def test_after_the_bombs_nothing_goes_on(told: dict[str, Any]) -> None:
    assert told["afterwards"]["wall_s"] > 0.05
    assert told["afterwards"]["elsewhere_s"] <= 0.02
    assert told["left"] == 0


# ------------------------------------------------------------------------------------------- the children


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    """Children that have time for what they do, on a busy machine too."""
    made = WorkerPool(
        "security.obedient:obey", TaskLimits(timeout_s=60, memory_bytes=MEMORY_BYTES, children=1), SystemClock()
    )
    yield made
    made.close()


def test_a_child_answers_one_task_after_the_other(pool: WorkerPool) -> None:
    assert pool.run(b"hello", "a") == b"hello"
    assert pool.run(b"pid", "a") == pool.run(b"pid", "b")
    assert pool.run(b"print", "a") == b"print"


@pytest.mark.parametrize(
    ("task", "error", "said"),
    [
        (b"grow", TooLarge, "takes more than 400 MB"),
        (b"flood", TooLarge, "takes more than 400 MB"),
        (b"crash", UnreadableError, "crash"),
        (b"raise", UnreadableError, "KeyError"),
    ],
)
def test_what_a_document_does_to_its_child_costs_that_document(
    pool: WorkerPool, task: bytes, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said) as caught:
        pool.run(task, "the page")
    assert getattr(caught.value, "hint", "") or task == b"raise"
    assert pool.run(b"and on", "the next one") == b"and on"


def test_what_takes_too_long_costs_that_document() -> None:
    pool = WorkerPool(
        "security.obedient:obey", TaskLimits(timeout_s=0.5, memory_bytes=MEMORY_BYTES, children=1), SystemClock()
    )
    try:
        with pytest.raises(Timeout, match=r"within 0\.5 s") as caught:
            pool.run(b"spin", "the page")
        assert caught.value.hint
        pool.limits = TaskLimits(timeout_s=60, memory_bytes=MEMORY_BYTES, children=1)
        assert pool.run(b"and on", "the next one") == b"and on"
    finally:
        pool.close()


def test_a_task_can_be_cancelled_from_another_thread(pool: WorkerPool) -> None:
    call = TaskHandle()
    pool.run(b"ready", "a")
    threading.Timer(0.05, call.cancel).start()
    with pytest.raises(UnreadableError, match="ended with -9"):
        pool.run(b"spin", "a", call)


def test_a_child_without_work_leaves_and_is_replaced() -> None:
    pool = WorkerPool("security.obedient:obey", TaskLimits(idle_s=1, children=1), SystemClock())
    first = int(pool.run(b"pid", "a"))
    assert has_ended(first)
    assert int(pool.run(b"pid", "a")) != first
    pool.close()


def test_closing_ends_the_children(pool: WorkerPool) -> None:
    child = int(pool.run(b"pid", "a"))
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_where_no_interpreter_can_be_started_the_way_out_is_named(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(Unsupported) as caught:
        pool.run(b"hello", "a")
    assert "extract.processes=0" in caught.value.hint


def has_ended(pid: int, within_s: float = 30.0) -> bool:
    """Wait for the end of a process that need not be a child of this one; idle, it would leave after a minute."""
    try:
        watch = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watch], [], [], within_s)[0])
    finally:
        os.close(watch)


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11])


ORPHAN = """
import sys
from wellread.apps.system_clock import SystemClock
from wellread.worker.worker_pool import TaskLimits, WorkerPool
pool = WorkerPool("security.obedient:obey", TaskLimits(timeout_s=60), SystemClock())
print(pool.run(b"pid", "a").decode(), flush=True)
pool.run(b"spin" if sys.argv[1] == "busy" else b"", "a")
sys.stdin.read()
"""


@linux
@pytest.mark.parametrize("state", ["busy", "idle"])
def test_no_child_outlives_a_parent_that_is_killed(state: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    with started(
        [sys.executable, "-c", ORPHAN, state], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        before = cpu_ticks(child)
        while state == "busy" and cpu_ticks(child) < before + 10:
            pass  # until it is deep in its work
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert has_ended(child)


# ------------------------------------------------------------------------------------------- through the pipeline


BOMB = "<h1>Low water</h1><p>The pools lie dry.</p>" + "<div></span>" * 90_000


def story_with(shelter: SandboxedReader) -> Story:
    story = Story({"https://a.example/": BOMB, "https://b.example/": "<h1>Low water</h1><p>The pools lie dry.</p>"})
    replace_parts(story.pipeline, sandbox=shelter)
    return story


@pytest.fixture
def shelter() -> Iterator[SandboxedReader]:
    made = local_reading.worker_pool(ExtractSettings(timeout_s=3.0, processes=1))
    yield SandboxedReader(DocumentReader(installed_extractors()), SystemClock(), made)
    assert made is not None
    made.close()


@pytest.fixture
def patient() -> Iterator[SandboxedReader]:
    """A shelter for pages that are read to their end, on a busy machine too."""
    made = local_reading.worker_pool(ExtractSettings(timeout_s=60.0, processes=1))
    yield SandboxedReader(DocumentReader(installed_extractors()), SystemClock(), made)
    assert made is not None
    made.close()


async def test_a_bomb_is_a_timeout_and_the_loop_goes_on_meanwhile(shelter: SandboxedReader) -> None:
    story = story_with(shelter)
    read: list[str] = []

    async def others() -> None:
        while not read:
            await story.pipeline.read("https://b.example/")  # from the store: the one child is busy
            steps.append(1)

    steps: list[int] = []
    await story.pipeline.read("https://b.example/")  # loads the reader, which takes seconds on a busy machine
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(others)
        with pytest.raises(Timeout) as caught:
            await story.pipeline.read("https://a.example/")
        read.append("over")
    assert "extract.timeout_s" in caught.value.hint
    assert len(steps) > 5


async def test_who_stops_waiting_stops_the_work(patient: SandboxedReader) -> None:
    await to_thread.run_sync(patient.extract, answer("<b a=1>" * 600 + "<p>The pools lie dry.</p>" * 600), "balanced")
    assert patient._pool is not None
    child = next(iter(patient._pool._all))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(story_with(patient).pipeline.read, "https://a.example/")
        while not child.busy:
            await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    assert await to_thread.run_sync(child._process.wait, 60) == -signal.SIGKILL


def answer(html: str) -> Response:
    return Response(url="https://c.example/", status=200, headers=(("content-type", "text/html"),), body=html.encode())


def test_a_suspect_page_reads_the_same_in_a_child_as_here(patient: SandboxedReader) -> None:
    page = "<title>Low water</title><main><h2>Pools</h2><p>They lie <a href='/dry'>dry</a>.</p><font a=1>" * 2_000
    here = SandboxedReader(DocumentReader(installed_extractors()), SystemClock()).extract(answer(page), "balanced")
    there = patient.extract(answer(page), "balanced")
    assert there.extraction == here.extraction
    assert there.prints.canonical == here.prints.canonical
    assert there[2:] == here[2:]
    assert patient._pool is not None
    assert patient._pool._all


ORDINARY = "<h1>Low water</h1>" + "<p>The <b>pools</b> lie <i>dry</i>.</p>" * 1_000


def test_ordinary_page_is_read_in_a_child(shelter: SandboxedReader) -> None:
    shelter.extract(answer(ORDINARY), "balanced")
    assert shelter._pool is not None
    assert shelter._pool._all


def test_ordinary_page_needs_no_child_for_suspects_only(shelter: SandboxedReader) -> None:
    assert shelter._pool is not None
    shelter._pool.close()
    here = SandboxedReader(DocumentReader(installed_extractors()), SystemClock(), shelter._pool, suspects_only=True)
    here.extract(answer(ORDINARY), "balanced")
    assert not shelter._pool._all


async def test_child_loads_while_the_page_is_fetched(shelter: SandboxedReader) -> None:
    assert shelter._pool is not None
    shelter._pool.close()
    await shelter.warm()
    (child,) = shelter._pool._all
    shelter.extract(answer(ORDINARY), "balanced")
    assert shelter._pool._all == {child}


def test_slow_task_lends_its_slot(pool: WorkerPool) -> None:
    """One child is allowed, and busy without end: the next task runs beside it, not after it."""
    call = TaskHandle()
    pool.run(b"ready", "a")
    (child,) = pool._all
    slow = threading.Thread(target=lambda: suppressed(pool, call))
    slow.start()
    while not child.busy:
        pass
    try:
        assert pool.run(b"hello", "the next page") == b"hello"
        assert slow.is_alive()
    finally:
        call.cancel()
        slow.join()
    assert pool.run(b"hello", "a page after both") == b"hello"


def take(slots: _TaskSlots, call: TaskHandle | None = None) -> _TaskSlot | None:
    return slots.take(0, call or TaskHandle())


def test_slots_are_bounded_however_many_are_slow() -> None:
    slots = _TaskSlots(2)
    tasks = [slot for slot in (take(slots), take(slots)) if slot]
    for slot in tasks:
        slot.lend()
    more = [slot for slot in (take(slots), take(slots)) if slot]
    assert (len(tasks), len(more)) == (2, 2)
    for slot in more:
        slot.lend()
    assert take(slots) is None
    for slot in tasks + more:
        slot.release()
        slot.lend()  # too late: it has no slot any more
    assert [take(slots) is None for _ in range(3)] == [False, False, True]


def test_slow_task_lends_its_slot_when_another_slow_one_ends() -> None:
    slots = _TaskSlots(1)
    first = take(slots)
    assert first is not None
    first.lend()
    second = take(slots)
    assert second is not None
    second.lend()  # refused for now: the first runs beside already
    assert take(slots) is None
    first.release()
    assert take(slots) is not None


def test_task_that_has_waited_longest_gets_the_next_slot() -> None:
    slots, call, order = _TaskSlots(1), TaskHandle(), list[str]()
    first = take(slots)
    assert first is not None

    def wait(name: str, handle: TaskHandle) -> None:
        slot = slots.take(60, handle)
        if slot is not None:
            order.append(name)
            slot.release()

    waiting = []
    for name, handle in (("a", TaskHandle()), ("cancelled", call), ("b", TaskHandle()), ("c", TaskHandle())):
        waiting.append(threading.Thread(target=wait, args=(name, handle)))
        waiting[-1].start()
        while len(slots._waiting) < len(waiting):
            pass
    call.cancel()
    waiting[1].join()
    first.release()
    for thread in waiting:
        thread.join()
    assert order == ["a", "b", "c"]
    assert take(slots) is not None


def test_slots_that_other_processes_leave_free_are_taken() -> None:
    running = SharedCounts(2)
    first, second = _TaskSlots(1), _TaskSlots(1)
    first.share(running, 0, 2)
    second.share(running, 1, 2)
    here = [slot for slot in (take(first), take(first), take(first)) if slot]
    assert len(here) == 2
    there = take(second)
    assert there is not None  # its own slot, whatever others have
    here[0].release()
    assert take(first) is None
    there.release()
    assert take(first) is not None


def test_waiting_task_gets_the_slot_that_another_process_frees() -> None:
    running, slots = SharedCounts(2), _TaskSlots(1)
    slots.share(running, 0, 2)
    running.set(1, 1)
    assert take(slots) is not None
    granted = list[_TaskSlot | None]()
    waiting = threading.Thread(target=lambda: granted.append(slots.take(20, TaskHandle())))
    waiting.start()
    while not slots._waiting:
        pass
    running.set(1, 0)
    waiting.join()
    assert granted != [None]


class InterruptedHandle(TaskHandle):
    def waiting(self, _wake: Callable[[], None]) -> NoReturn:
        raise KeyboardInterrupt


def test_interrupted_wait_for_a_slot_loses_no_slot() -> None:
    slots = _TaskSlots(1)
    first = take(slots)
    assert first is not None
    with pytest.raises(KeyboardInterrupt):
        slots.take(60, InterruptedHandle())
    first.release()
    assert take(slots) is not None


def test_cancelled_wait_for_a_slot_starts_no_child(pool: WorkerPool) -> None:
    call, busy = TaskHandle(), TaskHandle()
    pool.run(b"ready", "a")
    (child,) = pool._all
    slow = threading.Thread(target=lambda: suppressed(pool, busy))
    slow.start()
    while not child.busy:
        pass
    call.cancel()
    with pytest.raises(Timeout):
        pool.run(b"hello", "a page that nobody waits for", call)
    assert pool._all == {child}
    busy.cancel()
    slow.join()


def test_warmed_child_that_left_unused_is_replaced() -> None:
    pool = WorkerPool("security.obedient:obey", TaskLimits(idle_s=1, children=1), SystemClock())
    pool.warm()
    (child,) = pool._all
    assert has_ended(child._process.pid)
    assert pool.run(b"hello", "a") == b"hello"
    pool.close()


def suppressed(pool: WorkerPool, call: TaskHandle) -> None:
    with suppress(UnreadableError):
        pool.run(b"spin", "the endless page", call)


def is_unharmed(interface: str) -> bool:
    """Tell whether the endless page ended soon after 5 s, and other pages were read meanwhile.

    Soon is one second on the machine that the bounds were set on.
    """
    command = [sys.executable, str(ROOT / "benchmarks" / "deadline.py"), "--only", interface, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    row = json.loads(done.stdout)[interface]
    assert row["outcome"] == "timeout"
    is_soon = row["endless_s"] < 5 + slowness_by_the_clock()
    return bool(is_soon and row["reads_beside"] >= 2 and not row["failed_beside"])


@pytest.mark.parametrize(
    "interface",
    ["serve", *(pytest.param(name, marks=pytest.mark.slow) for name in ("library", "mcp"))],  # by the same dispatcher
)
def test_endless_page_ends_and_others_are_read_beside_it(interface: str) -> None:
    # Measured again when it is late: others on the machine make it later only.
    assert any(is_unharmed(interface) for _ in range(3))


def test_errors_of_the_child_are_the_errors_of_the_extractor(patient: SandboxedReader) -> None:
    broken = Response(url="https://c.example/a.pdf", status=200, headers=(), body=b"%PDF-1.7 nothing")
    with pytest.raises(Unsupported, match=r"is damaged \(PDF\)") as caught:
        patient.extract(broken, "balanced")
    assert caught.value.url == "https://c.example/a.pdf"


def test_without_children_everything_is_read_here() -> None:
    assert local_reading.worker_pool(ExtractSettings(processes=0)) is None
    shelter = SandboxedReader(DocumentReader(installed_extractors()), SystemClock())
    told = shelter.extract(answer("<div>" * 600 + "<p>The pools lie dry.</p>"), "balanced").extraction
    assert "".join(span.text for block in told.document for span in block.spans) == "The pools lie dry."


class TakenOver(WorkerPool):
    """Children that a page has taken over: they answer what it likes."""

    def __init__(self, says: bytes) -> None:
        self.limits = TaskLimits()
        self.says = says

    def run(self, task: bytes, what: str, call: TaskHandle | None = None) -> bytes:
        del task, what, call
        return self.says


def says(document: tuple[Block, ...]) -> bytes:
    return pack_answer(print_extraction(Extraction(document=document, metadata=Metadata(), method="html")))


def nested(depth: int) -> Block:
    block = Block(Kind.PARAGRAPH, (Span("deep"),))
    for _ in range(depth):
        block = Block(Kind.QUOTE, (), (block,))
    return block


def test_a_child_that_was_taken_over_hands_back_no_more_than_it_may() -> None:
    suspect = answer("<b a=1>" * 600 + "<p>The pools lie dry.</p>" * 600)
    for document in ((nested(600),), (Block(Kind.PARAGRAPH, (Span("x"),) * 400_000),)):
        held = SandboxedReader(DocumentReader(installed_extractors()), SystemClock(), TakenOver(says(document)))
        with pytest.raises(UnreadableError, match="pieces"):
            held.extract(suspect, "balanced")


def test_damaged_answer_of_a_child_that_was_taken_over() -> None:
    honest = says((Block(Kind.PARAGRAPH, (Span("The pools lie dry."),)),))
    suspect = answer("<b a=1>" * 600 + "<p>The pools lie dry.</p>" * 600)
    for says_what in (honest[:20], honest[:-40], honest[:-1], b"+" + b"\xff" * 90):
        held = SandboxedReader(DocumentReader(installed_extractors()), SystemClock(), TakenOver(says_what))
        with pytest.raises(UnreadableError, match="invalid result"):
            held.extract(suspect, "balanced")
