"""The child's side: answer one task after the other until the parent is gone, within limits that the kernel enforces.

The parent does not trust the child: answers are bytes in a length-prefixed frame, never objects.
"""

from __future__ import annotations

import importlib
import os
import signal
import struct
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO, Final, NoReturn, TypeVar

if sys.platform != "win32":  # there, the parent's deadline alone holds
    import fcntl
    import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Steps = Iterator[tuple[bytes, bytes]]
    """The frames of a task of several steps: BEGIN before each, its outcome after it (`attempt`), and at last END."""
    Work = Callable[[bytes], bytes | Steps]

T = TypeVar("T")
R = TypeVar("R")

HEAD: Final = struct.Struct("!cQ")
"""Header of each frame: its kind, and the length of its content in bytes."""
READY, TASK, ANSWER, EXHAUSTED, FAILED = b"R", b"T", b"A", b"M", b"F"
PIPE_BYTES: Final = 1 << 16
"""Capacity of a pipe (pipe(7)), and of the buffers at both ends: most frames then pass in one piece."""
BEGIN, END = b"B", b"E"
"""Frames around the steps of a task; an END without content comes early, because the child has taken much memory."""


def serve(work: str, *, memory_bytes: int, timeout_s: float, idle_s: int, lifeline: int | None) -> None:
    """Answer tasks from standard input with the function `module:name`; end when there is none for `idle_s`.

    A function `prepare` of the module is called once before.

    `lifeline` is the reading end of a pipe whose other end only the parent holds.
    """
    if lifeline is not None:
        _die_with_parent(lifeline)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles interrupts: it closes the pipe
    tasks, answers = _private_streams()
    module_name, _, function_name = work.partition(":")
    module = importlib.import_module(module_name)
    function: Work = getattr(module, function_name)
    prepare: Callable[[], object] | None = getattr(module, "prepare", None)
    if prepare is not None:
        prepare()  # so that the first task has all of its time to itself
    _bound_memory(memory_bytes)
    _send(answers, READY, b"")
    while (task := _next_task(tasks, idle_s)) is not None:
        _limit_cpu(timeout_s)
        kind, answer = attempt(function, task)
        del task
        if isinstance(answer, bytes):
            _send(answers, kind, answer)
        else:
            _send_steps(answers, answer, memory_bytes=memory_bytes, timeout_s=timeout_s)
        if resident_bytes() > memory_bytes // 4:
            return  # so that memory which one page left allocated is not carried to the next


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes for the frames alone, with standard input and output redirected: parsers may print."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", PIPE_BYTES)
    null_device = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(null_device, stream)
    return tasks, answers


def _next_task(tasks: BinaryIO, idle_s: int) -> bytes | None:
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, _exit_on_alarm)
        signal.alarm(idle_s)
    head = tasks.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    if sys.platform != "win32":
        signal.alarm(0)
    length = HEAD.unpack(head)[1]
    task = tasks.read(length)
    return task if len(task) == length else None


def _send(answers: BinaryIO, kind: bytes, answer: bytes) -> None:
    answers.write(HEAD.pack(kind, len(answer)))
    answers.write(answer)
    answers.flush()


def _exit_on_alarm(*_: object) -> NoReturn:
    sys.exit(0)


def _send_steps(answers: BinaryIO, steps: Steps, *, memory_bytes: int, timeout_s: float) -> None:
    """Send the frames of a task of several steps; each step has a CPU time of its own, and there is none between."""
    _limit_cpu(None)
    while True:
        kind, frame = attempt(next, steps)
        if isinstance(frame, bytes):  # the steps themselves failed
            _send(answers, kind, frame)
            _send(answers, END, b"")
            return
        kind, content = frame
        _limit_cpu(timeout_s if kind == BEGIN else None)
        _send(answers, kind, content)
        if kind == END:
            return
        if kind != BEGIN and resident_bytes() > memory_bytes // 4:
            _send(answers, END, b"")
            return


def attempt(function: Callable[[T], R], argument: T) -> tuple[bytes, R | bytes]:
    """Return the kind and the content of the frame that reports what `function` returned or raised."""
    try:
        return ANSWER, function(argument)
    except MemoryError:
        return EXHAUSTED, b""
    except Exception as error:  # noqa: BLE001 - every error of a parser is reported to the parent, and costs one page
        return FAILED, f"{type(error).__name__}: {error}"[:500].encode("utf-8", "replace")


def _die_with_parent(lifeline: int) -> None:
    """End at once, even inside a native parser, when the parent dies in any way.

    The kernel signals SIGIO when the last writer of the pipe is gone (fcntl(2), O_ASYNC). Its death signal,
    PR_SET_PDEATHSIG, will not do: it comes when the *thread* that started the child ends.
    """
    if sys.platform == "linux":
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | fcntl.FASYNC)
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()


def _watch(lifeline: int) -> None:
    """Exit at the end of the pipe: for systems without SIGIO, and a parent that died before the signal was set up."""
    os.read(lifeline, 1)
    os._exit(1)


def _bound_memory(memory_bytes: int) -> None:
    if sys.platform == "win32":
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    except (ValueError, OSError):  # macOS has only the name; a limit below the present one stays as it is
        return


def _limit_cpu(timeout_s: float | None) -> None:
    """Limit the CPU time from now on in the kernel, for the case that the parent is gone; None lifts the limit."""
    if sys.platform != "win32":
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = hard
        if timeout_s is not None:
            usage = resource.getrusage(resource.RUSAGE_SELF)
            soft = int(usage.ru_utime + usage.ru_stime + timeout_s) + 2
            if hard != resource.RLIM_INFINITY:
                soft = min(soft, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def resident_bytes() -> int:
    """Return the resident memory of this process now, 0 where the system has no figure (proc(5): statm counts pages).

    Not the peak, which a child inherits (getrusage(2)).
    """
    try:
        statm = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return 0
    try:  # without a file object: a server reads it before each operation
        return int(os.read(statm, 200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    finally:
        os.close(statm)
