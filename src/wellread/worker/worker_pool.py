"""The parent's side: a few child processes, started when first needed, each killed at its deadline and replaced.

A task that takes long lends its slot to the next one, so that a hostile page costs its own time and no other page's.

Plain child processes running this interpreter, not `multiprocessing`: nothing is pickled, nobody's main module runs
again, and a script needs no guard around its last line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import deque
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from wellread.errors import Timeout, TooLarge, UnreadableError, Unsupported, WellreadError
from wellread.frozen import frozen
from wellread.worker.after_fork import renew_after_fork
from wellread.worker.child import ANSWER, BEGIN, END, EXHAUSTED, HEAD, PIPE_BYTES, TASK
from wellread.worker.deadline_watch import DeadlineWatch

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import IO

    from wellread.ports import Clock
    from wellread.worker.shared_counts import SharedCounts

MAX_ANSWER_BYTES: Final = 1 << 26
_START: Final = (
    "import json, sys; arguments = json.loads(sys.argv[1]); sys.path[:] = arguments.pop('path'); "
    "from wellread.worker.child import serve; serve(**arguments)"
)
_START_TIMEOUT_S: Final = 20.0
"""For the interpreter to start and to load the modules that the work needs."""
SLOW_AFTER_S: Final = 1.0
"""A task that runs longer gives its slot to the next one: 1,495 of 1,497 real pages take less CPU time (WCXB)."""
SHARED_WAIT_S: Final = 0.05
"""The wait between two looks at the slots of other processes."""
_EXIT_TIMEOUT_S: Final = 2.0
_NO_CHILD_HINT: Final = (
    "set extract.processes=0 to read pages in the main process, without protection against hostile pages"
)
_HINT: Final = "the page may be made to overload parsers; for other pages, raise extract.{setting}"


@frozen
class TaskLimits:
    """Limits of one task, and of the tasks at once."""

    timeout_s: float = 10.0
    memory_bytes: int = 1_000_000_000
    """Address space of a child."""
    idle_s: int = 60
    """A child without a task ends after this time."""
    children: int = 2
    """Tasks that run at once. As many slow ones may run beside them, so that a few hostile pages delay no other."""


@dataclass(frozen=True, slots=True)
class ChildDeath:
    """The end of a child that died, or was killed, over a task."""

    exit_code: int | None
    expired: bool
    """It was killed at the deadline, and the step in work has no outcome."""
    oversized: bool
    """It was killed because its answer was too large."""

    @property
    def crashed(self) -> bool:
        """Whether nobody killed it for what it did: another child may fare better."""
        return not (self.expired or self.oversized)


class TaskHandle:
    """The caller's handle of one task; `cancel` may come from any thread, and kills the child that works on it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._wake: Callable[[], None] | None = None
        self.cancelled = False

    def cancel(self) -> None:
        """Kill the child of a running task, and end the wait for a slot; a finished task is not affected."""
        with self._lock:
            self.cancelled = True
            wake = self._wake
            if self._child is not None:
                self._child.kill()
        if wake is not None:
            wake()

    @contextmanager
    def waiting(self, wake: Callable[[], None]) -> Generator[None, None, None]:
        """Have `cancel` call `wake` while the block lasts."""
        with self._lock:
            self._wake = wake
        try:
            yield
        finally:
            with self._lock:
                self._wake = None

    def give_to(self, child: _Child | None) -> None:
        """Set the child that works on the task now; a task that was cancelled before does not start."""
        with self._lock:
            self._child = child
            if self.cancelled and child is not None:
                child.kill()


class WorkerPool:
    """Child processes that all serve one function, `module:name`. Safe in threads."""

    def __init__(self, work: str, limits: TaskLimits, clock: Clock, *, no_child_hint: str = _NO_CHILD_HINT) -> None:
        """Set the function, the limits and the clock of the deadlines; the first child starts later.

        `no_child_hint` is the hint where no child can be started.
        """
        self.limits = limits
        self._no_child_hint = no_child_hint
        self._work = work
        self._lock = threading.Lock()
        self._slots = _TaskSlots(limits.children)
        self._watch = DeadlineWatch(clock)
        self._idle: list[_Child] = []
        self._all: set[_Child] = set()
        self._owner = os.getpid()
        renew_after_fork(self)

    def renew(self) -> None:
        """Forget the tasks of the other process after a fork, and what its threads have locked."""
        self._lock = threading.Lock()
        self._slots.renew()

    def share_slots(self, running: SharedCounts, index: int, total: int) -> None:
        """Let this process, `index` of several, run more tasks while the others leave some of all `total` slots free.

        `running` has the tasks of each process.
        """
        self._slots.share(running, index, total)

    def run(self, task: bytes, source: str, call: TaskHandle | None = None) -> bytes:
        """Return the answer to `task`; blocks. `source` names the page in errors.

        Raises:
            Timeout: no answer within `limits.timeout_s`; the child is dead.
            TooLarge: the task took more memory than allowed, or its answer is too large.
            UnreadableError: the task crashed the child, or raised an unexpected error.
            Unsupported: no child can be started here.
        """
        call = call or TaskHandle()
        slot = self._slots.take(self.limits.timeout_s, call)
        if slot is None and call.cancelled:
            raise Timeout(f"{source} was cancelled")
        if slot is None:
            hint = "read fewer pages at a time, or raise extract.processes"
            raise Timeout(f"{source} waited {self.limits.timeout_s:g} s for a free worker process", hint=hint)
        try:
            return self._run_in_child(task, source, call, slot)
        finally:
            slot.release()

    def stream(self, task: bytes) -> Generator[tuple[bytes, bytes] | ChildDeath]:
        """Yield the kind and the content of each frame of a task of several steps, in one child; blocks.

        The deadline holds for each step: from its BEGIN to its outcome. EXHAUSTED or FAILED outside of a step report
        that the task failed as a whole. The last frame is END; where the child dies before, its death comes instead.
        The caller bounds the threads that stream at once. Closing this generator before kills the child.

        Raises:
            Unsupported: no child can be started here.
        """
        while True:
            child, was_idle = self._take(TaskHandle(), _no_slot_to_lend)
            kind = b""
            try:
                with closing(child.stream(task, self.limits.timeout_s)) as frames:
                    for kind, content in frames:
                        if kind == END:
                            break
                        yield kind, content
            except BaseException:  # the generator is closed, or no thread can be started for the deadline
                child.kill()
                self._discard(child)
                raise
            if kind == END:
                self._make_idle(child)
                yield kind, content
                return
            death = child.death(self._discard(child))
            if kind or not was_idle or death.exit_code != 0:  # else it exited just before, having been idle
                yield death
                return

    def outcome(self, kind: bytes, content: bytes, source: str) -> bytes:
        """Return the content of a frame that reports an outcome.

        Raises:
            TooLarge: the step took more memory than allowed.
            UnreadableError: it raised an unexpected error.
        """
        if kind == ANSWER:
            return content
        if kind == EXHAUSTED:
            raise self._exhausted(source)
        raise UnreadableError(f"{source} made the worker process fail: {content.decode('utf-8', 'replace')[:500]}")

    def failure(self, death: ChildDeath, source: str) -> WellreadError:
        """Return the error of `source` without an outcome: TooLarge, Timeout or UnreadableError."""
        if death.expired:
            hint = _HINT.format(setting="timeout_s")
            return Timeout(
                f"{source} was not read within {self.limits.timeout_s:g} s", hint=hint, limit_s=self.limits.timeout_s
            )
        if death.oversized:
            return self._exhausted(source)
        ending = "was stopped" if death.exit_code in {0, None} else f"ended with {death.exit_code}"
        return UnreadableError(f"{source} made the worker process crash: it {ending}", hint="read another source")

    @property
    def is_started(self) -> bool:
        """Whether this process has a child."""
        return bool(self._all) and self._owner == os.getpid()

    def warm(self) -> None:
        """Start the first child, so that it loads while its first task is still on its way; blocks for the start only.

        A child that cannot be started is reported by `run`.
        """
        with self._lock:
            self._forget_other_process()
            if self._all:
                return
        with suppress(Unsupported):
            self._make_idle(self._new_child())

    def close_idle(self) -> None:
        """End the children that have no task; busy children go on, and exit when they are idle for long."""
        with self._lock:
            self._forget_other_process()
            leaving, self._idle = self._idle, []
            self._all.difference_update(leaving)
        for child in leaving:
            child.end()

    def close(self) -> None:
        """Kill every child; the next task starts a new one."""
        with self._lock:
            self._forget_other_process()
            leaving, self._all, self._idle = self._all, set(), []
        for child in leaving:
            child.end()

    def _run_in_child(self, task: bytes, source: str, call: TaskHandle, slot: _TaskSlot) -> bytes:
        while True:
            child, was_idle = self._take(call, slot.lend)
            frame = child.request(task, self.limits.timeout_s, slot.lend)
            call.give_to(None)
            if frame is None:
                exit_code = self._discard(child)
                if exit_code == 0 and was_idle and not (call.cancelled or child.expired or child.oversized):
                    continue  # it exited just before, having been idle; another child takes the task
                raise self.failure(child.death(exit_code), source)
            self._make_idle(child)
            kind, answer = frame
            return self.outcome(kind, answer, source)

    def _take(self, call: TaskHandle, slow: Callable[[], None]) -> tuple[_Child, bool]:
        """Return a child that is ready, and whether it was idle before: then it may have exited in the meantime.

        `slow` is called where a new child takes long to load.
        """
        while True:
            with self._lock:
                self._forget_other_process()
                idle = self._idle.pop() if self._idle else None
            child = idle or self._new_child()
            call.give_to(child)
            if child.ready or child.wait_until_ready(slow):
                return child, idle is not None
            exit_code = self._discard(child)
            if idle is None or call.cancelled:
                raise _no_child(f"it ended with {exit_code}", self._no_child_hint)

    def _new_child(self) -> _Child:
        try:
            child = _Child(self._work, self.limits, self._watch)
        except OSError as error:
            raise _no_child(error, self._no_child_hint) from error
        with self._lock:
            self._all.add(child)
        return child

    def _forget_other_process(self) -> None:
        """After a fork the children belong to the other process; call with the lock held."""
        if self._owner != os.getpid():
            self._owner, self._idle, self._all = os.getpid(), [], set()

    def _make_idle(self, child: _Child) -> None:
        with self._lock:
            if child in self._all:
                self._idle.append(child)

    def _discard(self, child: _Child) -> int | None:
        """End a child and return its exit code."""
        with self._lock:
            self._all.discard(child)
        return child.end()

    def _exhausted(self, source: str) -> TooLarge:
        megabytes = self.limits.memory_bytes // 1_000_000
        return TooLarge(f"{source} takes more than {megabytes} MB to read", hint=_HINT.format(setting="max_memory"))


class _TaskSlots:
    """Slots of the tasks that may run at once: `count` of them, and as many slow ones beside them.

    The task that has waited longest gets the next slot, and its thread alone is woken.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._total = count
        """Slots of all processes that share theirs."""
        self._running: SharedCounts | None = None
        self._index = 0
        self.renew()

    def renew(self) -> None:
        """Forget all tasks: they are those of the other process after a fork."""
        self._lock = threading.Lock()
        self._waiting: deque[_TaskSlot] = deque()
        """Slots of tasks that wait, the oldest first; empty while a slot is free."""
        self._holding: set[_TaskSlot] = set()
        """Tasks that hold one of the `count` slots."""
        self._beside: set[_TaskSlot] = set()
        """Slow tasks that have lent their slots."""

    def share(self, running: SharedCounts, index: int, total: int) -> None:
        """Take slots that other processes leave free, as `WorkerPool.share_slots` says."""
        self._running, self._index, self._total = running, index, total

    def take(self, timeout_s: float, call: TaskHandle) -> _TaskSlot | None:
        """Return a slot; None when none became free in time, or the caller has cancelled."""
        slot = _TaskSlot(self)
        is_taken = False
        try:
            with self._lock:
                self._waiting.append(slot)
                self._grant()
            with call.waiting(slot.changed.set):
                if not call.cancelled:
                    self._wait(slot, timeout_s)
            with self._lock:
                is_taken = slot in self._holding and not call.cancelled
            if is_taken:
                return slot
        finally:
            if not is_taken:  # also where KeyboardInterrupt ends the wait
                with self._lock, suppress(ValueError):  # it was granted, and waits no more
                    self._waiting.remove(slot)
                self.release(slot)
        return None

    def _wait(self, slot: _TaskSlot, timeout_s: float) -> None:
        """Wait until a slot is granted or the caller has cancelled; another process that frees one wakes nobody."""
        if self._running is None:
            slot.changed.wait(timeout_s)
            return
        while timeout_s >= 0 and not slot.changed.wait(min(SHARED_WAIT_S, timeout_s)):
            timeout_s -= SHARED_WAIT_S
            with self._lock:
                self._grant()

    def lend(self, slot: _TaskSlot) -> None:
        """Let another task run beside a slow one, now or as soon as fewer slow tasks run."""
        with self._lock:
            slot.is_slow = True
            self._lend_one()
            self._grant()

    def release(self, slot: _TaskSlot) -> None:
        """Take a slot back."""
        with self._lock:
            self._holding.discard(slot)
            self._beside.discard(slot)
            self._lend_one()
            self._grant()

    def _lend_one(self) -> None:
        slow = next((slot for slot in self._holding if slot.is_slow), None)
        if slow is not None and len(self._beside) < self._count:
            self._holding.remove(slow)
            self._beside.add(slow)

    def _grant(self) -> None:
        """Give free slots to tasks that wait; call with the lock held."""
        self._tell()
        while self._waiting and self._has_free():
            slot = self._waiting.popleft()
            self._holding.add(slot)
            self._tell()
            slot.changed.set()

    def _has_free(self) -> bool:
        """Return whether a slot is free here, or at another process: then it is taken here, until that one needs it.

        Two processes may take it at once; then one task more runs than there are slots.
        """
        if len(self._holding) < self._count:
            return True
        return self._running is not None and sum(self._running.all()) < self._total

    def _tell(self) -> None:
        """Tell the other processes how many slots are taken here."""
        if self._running is not None:
            self._running.set(self._index, len(self._holding))


class _TaskSlot:
    """The slot of one task."""

    def __init__(self, slots: _TaskSlots) -> None:
        self._slots = slots
        self.is_slow = False
        self.changed = threading.Event()
        """Set when the task may run, or was cancelled."""

    def lend(self) -> None:
        """Let another task run beside this one."""
        self._slots.lend(self)

    def release(self) -> None:
        """Give the slot back, once."""
        self._slots.release(self)


class _Deadline:
    """A block's time limit: calls `slow` once after `SLOW_AFTER_S`, and `expire` at the limit."""

    def __init__(
        self, watch: DeadlineWatch, limit_s: float, slow: Callable[[], None], expire: Callable[[], None]
    ) -> None:
        self._watch = watch
        self._limit_s = limit_s
        self._slow = slow
        self._expire = expire
        self._lock = threading.Lock()
        self._over = False

    def __enter__(self) -> None:
        self._alarm = self._watch.call_later(min(SLOW_AFTER_S, self._limit_s), self._first)

    def __exit__(self, *_exc: object) -> None:
        with self._lock:
            self._over = True
            self._alarm.cancel()

    def _first(self) -> None:
        with self._lock:
            if self._over:
                return
            self._alarm = self._watch.call_later(max(0.0, self._limit_s - SLOW_AFTER_S), self._second)
        self._slow()

    def _second(self) -> None:
        with self._lock:
            if not self._over:
                self._expire()


class _StepDeadline:
    """The time limit of each step of a task: calls `expire`, from one thread for all steps, where one takes longer.

    The thread looks at a step at intervals, so that a step costs no timer of its own.
    """

    _LOOKS = 20

    def __init__(self, limit_s: float, expire: Callable[[], None]) -> None:
        self._limit_s = limit_s
        self._expire = expire
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._step_count = 0
        self._is_running = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()
        self._over.set()

    def start(self) -> None:
        """Start the time of a step."""
        with self._lock:
            self._step_count += 1
            self._is_running = True

    def stop(self) -> None:
        """Stop it: the step has an outcome."""
        with self._lock:
            self._is_running = False

    def _watch(self) -> None:
        step = looks = 0
        while not self._over.wait(self._limit_s / self._LOOKS):
            with self._lock:
                looks = looks + 1 if self._is_running and self._step_count == step else 0
                step = self._step_count
                if looks >= self._LOOKS:
                    self._expire()
                    return


class _Child:
    """One child process and the pipes to it."""

    def __init__(self, work: str, limits: TaskLimits, watch: DeadlineWatch) -> None:
        self._watch = watch
        self.expired = self.oversized = self.busy = self.ready = False
        self._lifeline: int | None = None
        child_lifeline = None
        try:
            self._lifeline, child_lifeline = _lifeline()
            arguments = {
                "path": sys.path,
                "work": work,
                "memory_bytes": limits.memory_bytes,
                "timeout_s": limits.timeout_s,
                "idle_s": limits.idle_s,
                "lifeline": child_lifeline,
            }
            self._process = _start(json.dumps(arguments), child_lifeline)
        except OSError:
            self._close_lifeline()
            raise
        finally:
            if child_lifeline is not None:
                os.close(child_lifeline)

    def wait_until_ready(self, slow: Callable[[], None]) -> bool:
        """Wait until the child has loaded its modules; `slow` is as for `request`."""
        self.ready = self._exchange(None, _START_TIMEOUT_S, slow) is not None
        return self.ready

    def request(self, task: bytes, limit_s: float, slow: Callable[[], None]) -> tuple[bytes, bytes] | None:
        """Return the kind and bytes of the answer; None when the child died or was killed over the task.

        `slow` is called once, from another thread, when the answer takes longer than `SLOW_AFTER_S`.
        """
        return self._exchange(task, limit_s, slow)

    def stream(self, task: bytes, limit_s: float) -> Generator[tuple[bytes, bytes]]:
        """Yield the frames of a task of several steps; ends after END, or where the child died or was killed."""
        self.busy = True
        try:
            with _StepDeadline(limit_s, self._expire) as deadline:
                frame = self._frame(task)
                while frame is not None:
                    deadline.stop()
                    self.expired = False  # a step that the deadline ended has its outcome: it came just before
                    if frame[0] == BEGIN:
                        deadline.start()
                    yield frame
                    if frame[0] == END:
                        return
                    frame = self._frame(None)
        except (OSError, ValueError):  # a broken pipe, or one that was closed meanwhile
            return
        finally:
            self.busy = False

    def death(self, exit_code: int | None) -> ChildDeath:
        """Return why the child is dead."""
        return ChildDeath(exit_code, self.expired, self.oversized)

    def _exchange(self, task: bytes | None, limit_s: float, slow: Callable[[], None]) -> tuple[bytes, bytes] | None:
        self.busy = True
        try:
            with _Deadline(self._watch, limit_s, slow, self._expire):
                return self._frame(task)
        except (OSError, ValueError):  # a broken pipe, or one that was closed meanwhile
            return None
        finally:
            self.busy = False

    def _frame(self, task: bytes | None) -> tuple[bytes, bytes] | None:
        to_child, from_child = self._pipes()
        if task is not None:
            to_child.write(HEAD.pack(TASK, len(task)))
            to_child.write(task)
            to_child.flush()
        head = from_child.read(HEAD.size)
        if len(head) < HEAD.size:
            return None
        kind, length = HEAD.unpack(head)
        self.oversized = length > MAX_ANSWER_BYTES
        answer = b"" if self.oversized else from_child.read(length)
        return (kind, answer) if len(answer) == length else None

    def _expire(self) -> None:
        self.expired = True
        self.kill()

    def kill(self) -> None:
        """Kill the child; a thread that waits for its answer sees the end of the pipe."""
        self._process.kill()

    def end(self) -> int | None:
        """Wait for the child to exit, killing it where it still works; return its exit code."""
        if self.busy or self.oversized:
            self.kill()
        to_child, from_child = self._pipes()
        with suppress(OSError):  # bytes still to be written have no reader any more: the child exits
            to_child.close()
        try:
            exit_code = self._process.wait(_EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            exit_code = self._process.wait()
        self._close_lifeline()
        if not self.busy:  # else the thread that waits for the answer closes the pipe
            from_child.close()
        return exit_code

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _close_lifeline(self) -> None:
        lifeline, self._lifeline = self._lifeline, None
        if lifeline is not None:
            os.close(lifeline)


def _no_child(reason: object, hint: str) -> Unsupported:
    return Unsupported(f"no worker process can be started: {reason}", hint=hint)


def _no_slot_to_lend() -> None:
    """Let a slow task run on: threads that stream hold no slots."""


def _lifeline() -> tuple[int | None, int | None]:
    """Return the pipe end that the parent keeps and the end that the child watches; nothing is ever written into it."""
    if sys.platform == "win32":
        return None, None  # Windows passes no files but the standard ones on
    child_end, parent_end = os.pipe()
    return parent_end, child_end


def _start(arguments: str, lifeline: int | None) -> subprocess.Popen[bytes]:
    if getattr(sys, "frozen", False) or not sys.executable:
        raise OSError("this program is not run by a Python interpreter")
    return subprocess.Popen(  # noqa: S603 - this interpreter, with our own arguments
        [sys.executable, "-P", "-c", _START, arguments],
        bufsize=PIPE_BYTES,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=() if lifeline is None else (lifeline,),
    )
