"""Measures what reading a page costs, in a child process that is killed when it takes too long.

A child reads a few pages before the first one is measured, so that loading is not counted, and then serves many pages.
The cost is CPU time in seconds of the child and of all processes below it: the reader may hand a page to a process of
its own. It is the least of several rounds, as long as they are short together.

Seconds depend on the machine, so growth is judged by the ratio of two sizes, one four times the other. A ratio is noise
where the larger page takes less than `NOISE_S`, and is measured again before it counts as a fault.

    python -m security.hostile.cost        serves requests, one JSON object per line of standard input
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from functools import _lru_cache_wrapper, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

import wellread
from machine import slowness
from security.hostile.pages import ALL
from wellread.errors import WellreadError

if TYPE_CHECKING:
    from types import TracebackType

Mode = Literal["precision", "balanced", "recall"]

KILL_AFTER_S = 60.0
"""A page that takes more CPU time than this is killed, and counts as one that takes this long."""

STUCK_AFTER_S = 600.0
"""A page that takes longer than this by the clock is killed too, whatever CPU time it had on a busy machine."""

NOISE_S = 0.2
"""The ratio of two costs is not judged when the larger is below this."""

MAX_RATIO = 6.0
"""What four times the size may cost: linear work is 4, work of n log n below 5, and the square is 16."""

_KEPT_SHARE = 0.1
"""The text of a page that is read, in terms of the page's size."""

MIN_CACHED = 64
"""Entries of a cache that is filled by what pages say."""

_MEMORY_BYTES = 6 * 2**30
_ROUNDS = 3
_ENOUGH_S = 1.5
"""No further round begins after this much CPU time."""
_CALIBRATED_S = 5.0
"""For how long a measurement of the machine holds."""
_ORDINARY = (
    "<title>Tides</title><style>p{margin:1px}</style><p class=intro>The tide turns at noon, and again at six.</p>"
)
_SUSPECT = "\0<p>This page is read in a worker process."
"""Read before each measurement, so that the start of a worker, which ends when it is idle, is not counted."""
_URL = "https://example.com/a/page"
_TESTS = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Cost:
    """What one read took, and how it ended."""

    cpu_s: float
    outcome: str
    """`page`, the code of a typed error, `untyped: ...`, `crashed: ...` or `killed`."""
    bytes: int = 0
    text_bytes: int = 0
    slowness: float = 1.0
    """How many times longer than the machine that the bounds were set on this one took at the time."""

    @property
    def usual_s(self) -> float:
        """Return the CPU seconds that the read takes on the machine that the bounds were set on."""
        return self.cpu_s / self.slowness

    @property
    def kept_share(self) -> float:
        """Return the size of the text in terms of the size of the page."""
        return self.text_bytes / max(self.bytes, 1)

    @property
    def is_typed(self) -> bool:
        """Say whether the read ended in a page or a typed error."""
        return not self.outcome.startswith(("untyped", "crashed", "killed"))


@dataclass(frozen=True)
class Growth:
    """The costs of one page at two sizes."""

    small: Cost
    large: Cost

    @property
    def ratio(self) -> float:
        """Return the cost of the larger page in terms of the smaller."""
        return self.large.cpu_s / max(self.small.cpu_s, 0.001)

    @property
    def is_bounded(self) -> bool:
        """Say whether the work grows no faster than `MAX_RATIO` allows, or is too small to tell."""
        return self.large.usual_s < NOISE_S or self.ratio <= MAX_RATIO

    @property
    def is_same_work(self) -> bool:
        """Say whether both pages kept text, or neither did.

        A few headings in one link are furniture, and hundreds of them are a page.
        """
        return self.large.kept_share < _KEPT_SHARE or self.small.kept_share >= _KEPT_SHARE


class Reader:
    """A child process that reads hostile pages, and is started again after each one that kills it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def read(self, name: str, size_bytes: int, *, mode: Mode = "balanced", rounds: int = _ROUNDS) -> Cost:
        """Return the least cost of up to `rounds` reads of the page `name` at a size."""
        process = self._process or self._started()
        assert process.stdin is not None
        request = {"name": name, "size_bytes": size_bytes, "mode": mode, "rounds": rounds}
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        line = _line(process)
        if line is None:
            self._stop()
            return Cost(KILL_AFTER_S, "killed")
        if not line:
            status = process.wait()
            self._stop()
            return Cost(0.0, f"crashed: {signal.Signals(-status).name if status < 0 else status}")
        return Cost(**json.loads(line))

    def growth(self, name: str, small_bytes: int, *, mode: Mode = "balanced", attempts: int = 3) -> Growth:
        """Return the costs of the page `name` at a size and at four times that size.

        A ratio that is too large is measured up to `attempts` times; the least cost of each size counts. Where the
        small page keeps no text and the large one does, the two did not do the same work, and the next size is
        measured beside the large one.
        """
        growth = Growth(self.read(name, small_bytes, mode=mode), self.read(name, 4 * small_bytes, mode=mode))
        for _ in range(attempts - 1):
            if growth.is_bounded or not growth.large.is_typed or not growth.is_same_work:
                break
            growth = Growth(
                _least(growth.small, self.read(name, small_bytes, mode=mode)),
                _least(growth.large, self.read(name, 4 * small_bytes, mode=mode)),
            )
        if not growth.is_bounded and growth.large.is_typed and not growth.is_same_work:
            growth = self.growth(name, 4 * small_bytes, mode=mode, attempts=attempts)
        return growth

    def _started(self) -> subprocess.Popen[bytes]:
        """Start a child and wait until it has read its first pages.

        Raises:
            RuntimeError: it did not get so far.
        """
        path = os.pathsep.join([str(_TESTS), str(Path(wellread.__file__).resolve().parents[1])])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "security.hostile.cost"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            start_new_session=True,
        )
        if not _line(self._process):
            self._stop()
            raise RuntimeError("the process that reads hostile pages did not start")
        return self._process

    def _stop(self) -> None:
        """Kill the child and the processes below it, which share its session."""
        if self._process is None:
            return
        process, self._process = self._process, None
        with contextlib.suppress(ProcessLookupError):  # it has ended, and nothing below it is left
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):  # a request that was not read
                    stream.close()
        process.wait()


def _least(first: Cost, second: Cost) -> Cost:
    """Return the cheaper of two reads of the same page; a read that did not end well outweighs both.

    The machine counts as it was when it was fastest, so that one slow moment does not excuse a page.
    """
    if not first.is_typed or not second.is_typed:
        return second if first.is_typed else first
    cheaper = min(first, second, key=lambda cost: cost.cpu_s)
    return replace(cheaper, slowness=min(first.slowness, second.slowness))


def _line(process: subprocess.Popen[bytes]) -> bytes | None:
    """Return the next line of a child: empty when it has ended, None when it takes more time than it may."""
    assert process.stdout is not None
    deadline = time.monotonic() + STUCK_AFTER_S
    began = _running_cpu_s(process.pid)
    while time.monotonic() < deadline and _running_cpu_s(process.pid) - began < KILL_AFTER_S:
        ready, _, _ = select.select([process.stdout], [], [], 1.0)
        if ready:
            return process.stdout.readline()
    return None


def _cpu_s() -> float:
    """Return the CPU time of this process and of all below it, whether they have ended or not."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + _cpu_s_below(os.getpid(), include_root=False)


def _running_cpu_s(root: int) -> float:
    """Return the CPU time of the process `root` and of those below it."""
    return _cpu_s_below(root, include_root=True)


def _cpu_s_below(root: int, *, include_root: bool) -> float:
    """Return the CPU time of the running processes below `root`, and of what they waited for."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended since
        parents[int(folder.name)] = int(fields[1])
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    below = {root}
    while grown := {process for process, parent in parents.items() if parent in below} - below:
        below |= grown
    counted = below if include_root else below - {root}
    return sum(ticks.get(process, 0) for process in counted) / os.sysconf("SC_CLK_TCK")


def _period() -> int:
    """Return the number of the period of `_CALIBRATED_S` that the clock is in."""
    return int(time.monotonic() / _CALIBRATED_S)


@lru_cache(maxsize=1)
def _recent_slowness(_now: int) -> float:
    """Return the slowness of the machine, measured once in each period."""
    return slowness()


@lru_cache(maxsize=1)
def _caches() -> tuple[_lru_cache_wrapper[object], ...]:
    """Return the caches of the package that hold what pages say, not those that hold a table once and for all."""
    wrappers = [candidate for candidate in gc.get_objects() if isinstance(candidate, _lru_cache_wrapper)]
    package = [wrapper for wrapper in wrappers if wrapper.__module__.startswith("wellread.")]
    return tuple(wrapper for wrapper in package if (wrapper.cache_parameters()["maxsize"] or 0) >= MIN_CACHED)


def _empty_caches() -> None:
    """Forget what earlier reads left in caches of the package.

    A page whose selectors or names all fit in a cache would cost nothing when it is read again, and one of four times
    the size, which does not fit, all of its work.
    """
    for wrapper in _caches():
        wrapper.cache_clear()


def _read(html: str, mode: Mode, *, is_cold: bool = False) -> Cost:
    """Read one page once; `is_cold`: with empty caches, but for what a short page leaves in them."""
    if is_cold:
        _empty_caches()
        with contextlib.suppress(WellreadError):
            wellread.extract(_ORDINARY, url=_URL, mode=mode)
    began = _cpu_s()
    text_bytes = 0
    try:
        text_bytes = len(wellread.extract(html, url=_URL, mode=mode).text.encode("utf-8", "surrogatepass"))
        outcome = "page"
    except WellreadError as error:
        outcome = error.code
    except BaseException as error:  # noqa: BLE001 -- whatever is not typed is a finding, a panic of a native library too
        outcome = f"untyped: {type(error).__name__}: {str(error)[:120]}"
    cpu_s = _cpu_s() - began
    return Cost(cpu_s, outcome, len(html.encode("utf-8", "surrogatepass")), text_bytes, _recent_slowness(_period()))


def _measured(name: str, size_bytes: int, mode: Mode, rounds: int) -> Cost:
    """Read the page `name` until it is clear what it costs: with empty caches, where it is read several times."""
    html = ALL[name].build(size_bytes)
    _read(_SUSPECT, mode)
    cost = _read(html, mode, is_cold=rounds > 1)
    spent_s = cost.cpu_s
    for _ in range(rounds - 1):
        if spent_s >= _ENOUGH_S or not cost.is_typed:
            break
        again = _read(html, mode, is_cold=True)
        spent_s += again.cpu_s
        cost = _least(cost, again)
    return replace(cost, cpu_s=round(cost.cpu_s, 4), slowness=round(cost.slowness, 2))


def serve() -> None:
    """Answer requests on standard input, after a few pages that load all that reading needs."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing that reading prints may pass for an answer
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    for name in ("sentences", "deep_divs", "adoption_agency_many_ends"):
        _read(ALL[name].build(20_000), "balanced")
    answers.write("ready\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(asdict(_measured(**json.loads(line)))) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
