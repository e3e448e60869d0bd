"""The child's side: answers one task after the other until its parent is gone, within limits the kernel keeps.

The parent trusts it less than itself: what goes back is bytes in a length-prefixed frame, never objects.
"""

from __future__ import annotations

import importlib
import os
import signal
import struct
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO, Final, NoReturn

if sys.platform != "win32":  # there, the parent's deadline alone holds
    import fcntl
    import resource

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[bytes], bytes]

HEAD: Final = struct.Struct("!cQ")
"""Before each frame: what it is, and its length in bytes."""
READY, TASK, ANSWER, EXHAUSTED, FAILED = b"R", b"T", b"A", b"M", b"F"


def serve(work: str, *, memory_bytes: int, timeout_s: float, idle_s: int, lifeline: int | None) -> None:
    """Answer tasks from standard input with the function `module:name`; end when there is none for `idle_s`.

    What the module has under the name `prepare` is called once before.

    `lifeline` is the reading end of a pipe whose other end only the parent holds.
    """
    if lifeline is not None:
        _die_with_parent(lifeline)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's business: it closes the pipe
    tasks, answers = _own_streams()
    name, _, wanted = work.partition(":")
    module = importlib.import_module(name)
    function: Work = getattr(module, wanted)
    prepare: Callable[[], object] | None = getattr(module, "prepare", None)
    if prepare is not None:
        prepare()  # so that the first task has all of its time to itself
    _bound_memory(memory_bytes)
    _send(answers, READY, b"")
    while (task := _next(tasks, idle_s)) is not None:
        _bound_cpu(timeout_s)
        kind, answer = _done(function, task)
        del task
        _send(answers, kind, answer)
        if resident_bytes() > memory_bytes // 4:
            return  # so that what one page left behind is not carried to the next


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for the frames alone: what a parser prints goes nowhere."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    return tasks, answers


def _next(tasks: BinaryIO, idle_s: int) -> bytes | None:
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, _leave)
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


def _leave(*_: object) -> NoReturn:
    sys.exit(0)


def _done(function: Work, task: bytes) -> tuple[bytes, bytes]:
    try:
        return ANSWER, function(task)
    except MemoryError:
        return EXHAUSTED, b""
    except Exception as error:  # noqa: BLE001 - whatever a parser throws is told to the parent, and costs one page
        return FAILED, f"{type(error).__name__}: {error}"[:500].encode("utf-8", "replace")


def _die_with_parent(lifeline: int) -> None:
    """End at once, even inside a native parser, when the parent dies in whatever way.

    The kernel signals SIGIO when the last writer of the pipe is gone (fcntl(2), O_ASYNC). Its death signal,
    PR_SET_PDEATHSIG, will not do: it comes when the *thread* that started the child ends.
    """
    if sys.platform == "linux":
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | fcntl.FASYNC)
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()


def _watch(lifeline: int) -> None:
    """Wait for the end of the pipe; where there is no SIGIO, and for a parent that died before it was asked for."""
    os.read(lifeline, 1)
    os._exit(1)


def _bound_memory(memory_bytes: int) -> None:
    if sys.platform == "win32":
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    except (ValueError, OSError):  # macOS has the name alone; a limit below the present one stays as it is
        return


def _bound_cpu(timeout_s: float) -> None:
    """Let the kernel end a task that the parent could not, for it may be gone."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = int(used.ru_utime + used.ru_stime + timeout_s) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def resident_bytes() -> int:
    """Return the memory this process holds now, 0 where the system does not tell (proc(5): statm counts pages).

    Not the peak, which a child inherits (getrusage(2)).
    """
    try:
        told = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return 0
    try:  # not by a file object: a server asks before each operation
        return int(os.read(told, 200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    finally:
        os.close(told)
