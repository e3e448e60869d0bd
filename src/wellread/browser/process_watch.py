"""Watches the processes of a browser of our own, and ends the renderer that takes too much for all tabs."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import anyio

from wellread.net.background_tasks import DelayedTask, run_beside

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.async_api import CDPSession

WATCH_S: Final = 0.1
TREE_S: Final = 0.5
"""How often new processes are looked for."""
WINDOW_S: Final = 2.0
"""The CPU time of a renderer is that of so many seconds."""
PING_S: Final = 0.5
SLOW_S: Final = 0.5
STALLED_S: Final = 2.0
"""A browser that answers later than this is busy with what one page does: messages, workers, requests."""
HUNG_S: Final = 10.0
"""A browser that answers later than this is ended: a page may have several renderers, and none stands out."""
MEMORY_PAUSE_S: Final = 0.5
"""After a renderer was ended for memory, for the system to free it."""
PAUSE_S: Final = 2.0
"""After a renderer was ended, for the browser to be done with what it left."""
MAX_LATE_S: Final = 0.5
"""A round that took longer says nothing of the browser: the machine, or our own event loop, was busy."""
MIN_CPU_SHARE: Final = 0.5
"""Of the CPU time of all renderers, for one to be at fault."""
MIN_CPU_S: Final = 0.3
MAX_DRIVER_SHARE: Final = 0.5
"""Of `browser.max_memory_mb`: the driver keeps the messages of a page that it cannot work off."""
DRIVER_MB: Final = 200
"""Of the driver without such messages, whatever the number of tabs; what it has beyond that is messages."""
FILLING_S: Final = 0.5
FILLING_SHARE: Final = 0.5
"""Of `browser.max_memory_mb`: a page beyond it is ended before the limit, if it would pass the limit within
`FILLING_S`. A page may fill more than 1 GiB in a second, and the system takes a part of that to free it."""
MIN_FILLING_SHARE: Final = 0.1
"""Of `browser.max_memory_mb`: a page that grows by less in `FILLING_S` may go up to the limit."""
MIN_GROWTH_SHARE: Final = 0.1
"""Of `browser.max_memory_mb`, within `WINDOW_S`, for a renderer to be at fault for the memory of all together."""
MAX_WORKERS: Final = max(64, 2 * (os.cpu_count() or 1))
"""A page with so many workers at a time is closed. Apps start about as many as the machine has cores; a page with
thousands keeps the browser busy for all tabs until its memory is full."""
MAX_THREADS: Final = 2 * MAX_WORKERS + 60
"""Of a renderer, whatever its scripts say of their workers. It has 10 to 12 without workers, and one more for each
worker; those of the page before take a second to end (63 workers after 32 and 8: 114 threads)."""
_MEMORY_FIELDS = ("RssAnon:", "RssShmem:")


class WatchedBrowser(Protocol):
    """A browser of our own, as far as the watch uses it."""

    root: CDPSession | None
    pid: int
    active: int
    """The number of its tabs."""

    def end_renderer(self, pid: int, reason: str) -> None:
        """End the process of a page, whose tab ends with `reason`."""

    def kill(self, why: str) -> None:
        """End all processes."""


class ProcessUse(NamedTuple):
    """The memory, the CPU time and the threads of one process."""

    memory_bytes: int
    cpu_s: float
    thread_count: int = 0


_NO_USE = ProcessUse(0, 0.0)


class Sample(NamedTuple):
    """What the processes of a browser and its driver used at one time."""

    time: float
    renderers: Mapping[int, ProcessUse]
    others_bytes: int
    driver_bytes: int

    @property
    def total_bytes(self) -> int:
        """Return the memory of all processes of the browser."""
        return self.others_bytes + sum(use.memory_bytes for use in self.renderers.values())

    @property
    def largest(self) -> int:
        """Return the renderer with the most memory; 0 without any."""
        return max(self.renderers, key=lambda pid: self.renderers[pid].memory_bytes, default=0)

    def page_bytes(self, pid: int, tab_count: int) -> int:
        """Return the memory of a page, by its renderer, with the browser's own processes.

        Of several tabs, it is half of the memory of all where that is more.
        """
        return max(self.with_others_bytes(pid), self.total_bytes // min(tab_count or 1, 2))

    def with_others_bytes(self, pid: int) -> int:
        """Return the memory of a renderer with the browser's own processes."""
        return self.others_bytes + self.renderers.get(pid, _NO_USE).memory_bytes

    @property
    def message_bytes(self) -> int:
        """Return the memory of the messages that the driver has not worked off."""
        return max(0, self.driver_bytes - (DRIVER_MB << 20))


def cpu_times(first: Sample, last: Sample) -> dict[int, float]:
    """Return the CPU time that each renderer took between two samples, in seconds."""
    return {pid: use.cpu_s - first.renderers.get(pid, _NO_USE).cpu_s for pid, use in last.renderers.items()}


def busiest(first: Sample, last: Sample) -> int:
    """Return the renderer that took most of the CPU time between two samples; 0 where none stands out."""
    times = cpu_times(first, last)
    pid = max(times, key=lambda number: times[number], default=0)
    if not pid or times[pid] < max(MIN_CPU_S, MIN_CPU_SHARE * sum(times.values())):
        return 0
    return pid


def memory_culprit(first: Sample, last: Sample, limit_bytes: int) -> int:
    """Return the renderer at fault for the memory of the browser.

    It is the largest where that passes the limit itself. Where only all together do, it is the one that grew most
    between two samples, or that took the most CPU time where none grew much: a large page that stands still is not at
    fault. Where the other processes grew more, it is the busiest renderer, which may have sent them what they hold.
    Return 0 where none is to blame.
    """
    if not last.renderers:
        return 0
    is_alone = last.with_others_bytes(last.largest) > limit_bytes
    pid = last.largest
    if not is_alone:
        pid = fastest_growing(first, last)
    growth = growth_bytes(first, last, pid)
    if last.others_bytes - first.others_bytes > growth:
        return busiest(first, last)
    if is_alone or growth >= MIN_GROWTH_SHARE * limit_bytes:
        return pid
    times = cpu_times(first, last)
    return max(times, key=lambda number: (times[number], last.renderers[number].memory_bytes))


def fastest_growing(first: Sample, last: Sample) -> int:
    """Return the renderer whose memory grew most between two samples; 0 without any."""
    return max(last.renderers, key=lambda pid: growth_bytes(first, last, pid), default=0)


def growth_bytes(first: Sample, last: Sample, pid: int) -> int:
    """Return by how much the memory of a renderer grew between two samples."""
    return last.renderers[pid].memory_bytes - first.renderers.get(pid, _NO_USE).memory_bytes


class ProcessWatch:
    """Samples the processes of one browser ten times a second, for all its tabs together."""

    def __init__(self, running: WatchedBrowser, max_memory_mb: int) -> None:
        """Take the browser, and the memory that one page may use."""
        self._running = running
        self._max_memory_mb = max_memory_mb
        self._samples: deque[Sample] = deque(maxlen=round(WINDOW_S / WATCH_S))
        self._processes = _Processes(running.pid)
        self._paused_until = 0.0
        self._memory_paused_until = 0.0
        self._thread_pids: set[int] = set()
        """The renderers that were ended for their threads, until they are gone."""
        self._is_freeing = False
        """A renderer was ended for memory, and the memory was not below the limit since."""
        self._unanswered_s = 0.0
        """How long the browser has not answered, without the rounds that were late themselves."""
        self._task = DelayedTask(WATCH_S, self._watch)
        self._is_stopped = False

    def start(self) -> None:
        """Begin to watch."""
        self._task.start()

    def stop(self) -> None:
        """End the watch."""
        self._task.stop()
        self._is_stopped = True

    @property
    def is_stalled(self) -> bool:
        """Return whether the browser itself is slow to answer now, whatever page is to blame."""
        return self._unanswered_s > PING_S + SLOW_S

    async def _watch(self) -> None:
        async with run_beside(self._ping):
            while not self._is_stopped:
                if self._running.active:
                    await self._check()
                else:
                    self._samples.clear()
                await anyio.sleep(WATCH_S)

    async def _ping(self) -> None:
        from playwright.async_api import Error

        root = self._running.root
        assert root is not None  # of a browser of our own
        while True:
            with suppress(Error):
                await root.send("Browser.getVersion")
            self._unanswered_s = 0.0
            await anyio.sleep(PING_S)

    async def _check(self) -> None:
        self.judge(await anyio.to_thread.run_sync(self._processes.sample, anyio.current_time()))

    def judge(self, sample: Sample) -> None:
        """Take the next sample, and end a process that takes too much."""
        if self._samples:
            round_s = sample.time - self._samples[-1].time
            if round_s < MAX_LATE_S:
                self._unanswered_s += round_s
        self._samples.append(sample)
        self._bound_threads(sample)
        if self._bound_memory(sample):
            return
        used_bytes = sample.page_bytes(sample.largest, self._running.active) + sample.message_bytes
        if sample.time < self._paused_until:
            self._unanswered_s = 0.0
        elif used_bytes > self._max_memory_mb << 20 and self._is_driver_growing(sample):
            self._bound_messages(sample, used_bytes)
        elif self._unanswered_s > PING_S + STALLED_S or self._is_driver_full(sample):
            self.end_busiest("the page kept the browser busy for all tabs, so it was closed")
            if self._unanswered_s > PING_S + HUNG_S:
                self._end_browser("it stopped responding")

    def _bound_threads(self, sample: Sample) -> None:
        """End the pages with too many threads: the browser tells of workers only when all of them are started."""
        self._thread_pids &= sample.renderers.keys()
        for pid, use in sample.renderers.items():
            if use.thread_count > MAX_THREADS and pid not in self._thread_pids:
                self._thread_pids.add(pid)
                self._end(pid, f"the page started more than {MAX_WORKERS} workers, so it was closed")

    def _bound_memory(self, sample: Sample) -> bool:
        """End a page that takes too much memory; return whether the limit is passed, or soon would be."""
        limit_bytes = self._max_memory_mb << 20
        used_bytes = sample.page_bytes(sample.largest, self._running.active)
        if used_bytes > limit_bytes:
            if sample.time >= self._memory_paused_until or sample.others_bytes > limit_bytes:
                self._free_memory(sample, f"it used {used_bytes >> 20:,} MiB, more than browser.max_memory_mb")
            return True
        self._is_freeing = False
        if pid := self._filling(sample):
            self._memory_paused_until = sample.time + MEMORY_PAUSE_S
            page_mb = sample.page_bytes(pid, self._running.active) >> 20
            self._end(pid, f"the page was closed: it used {page_mb:,} MiB, soon more than browser.max_memory_mb")
            return True
        return False

    def _filling(self, sample: Sample) -> int:
        """Return the renderer that would pass the limit within `FILLING_S`, if it grew on as it did; 0 without any."""
        limit_bytes = self._max_memory_mb << 20
        earlier = next(before for before in self._samples if before.time >= sample.time - FILLING_S)
        pid = fastest_growing(earlier, sample)
        if not pid or sample.time < self._memory_paused_until:
            return 0
        if sample.with_others_bytes(pid) < FILLING_SHARE * limit_bytes:
            return 0
        min_growth = max(
            MIN_FILLING_SHARE * limit_bytes,
            limit_bytes - sample.page_bytes(pid, self._running.active),
            sample.others_bytes - earlier.others_bytes,
        )
        if growth_bytes(earlier, sample, pid) <= min_growth:
            return 0
        return pid

    def _free_memory(self, sample: Sample, reason: str) -> None:
        """End the page at fault; end the browser where there is none, or where ending one was not enough."""
        limit_bytes = self._max_memory_mb << 20
        first = self._samples[0]
        is_of_page = sample.others_bytes <= limit_bytes < sample.with_others_bytes(sample.largest)
        if not is_of_page and sample.time - first.time < FILLING_S:
            return  # the first samples do not show yet whose memory it is, and a tab that is being opened must not hang
        pid = memory_culprit(first, sample, limit_bytes)
        if not pid or self._is_freeing or sample.others_bytes > limit_bytes:
            self._end_browser(reason)
        else:
            self._is_freeing = True
            self._memory_paused_until = sample.time + MEMORY_PAUSE_S
            self._end(pid, f"the page was closed: {reason}")

    def _bound_messages(self, sample: Sample, used_bytes: int) -> None:
        """End the page that sends the driver messages: the busiest, however large others are.

        The driver does not give their memory back, so that it counts only while the driver grows. Without a page that
        stands out, the browser is ended only when the messages alone pass the limit.
        """
        reason = f"it used {used_bytes >> 20:,} MiB, more than browser.max_memory_mb"
        if pid := busiest(self._samples[0], sample):
            self._end(pid, f"the page was closed: {reason}")
        elif sample.others_bytes + sample.message_bytes > self._max_memory_mb << 20:
            self._end_browser(reason)

    def _end_browser(self, reason: str) -> None:
        self._running.kill(reason)
        self._samples.clear()  # of processes that are no more
        self._unanswered_s = 0.0
        self.stop()

    def _is_driver_full(self, sample: Sample) -> bool:
        """Return whether the driver has much memory, and more all the time."""
        limit_bytes = round(self._max_memory_mb * MAX_DRIVER_SHARE) << 20
        return sample.driver_bytes > limit_bytes and self._is_driver_growing(sample)

    def _is_driver_growing(self, sample: Sample) -> bool:
        return sample.driver_bytes > self._samples[0].driver_bytes

    def end_busiest(self, reason: str) -> None:
        """End the renderer that takes most of the CPU time; its tabs end with `reason`."""
        if self._samples and (pid := busiest(self._samples[0], self._samples[-1])):
            self._end(pid, reason)

    def _end(self, pid: int, reason: str) -> None:
        self._paused_until = self._samples[-1].time + PAUSE_S
        self._unanswered_s = 0.0
        self._running.end_renderer(pid, reason)


class _Processes:
    """The processes of a browser, as the system tells (Linux).

    The browser is not asked: it is slow to answer just when a page takes all memory.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._driver_pid = driver_of(pid)
        self._pids: tuple[int, ...] = ()
        self._is_renderer: dict[int, bool] = {}
        self._listed = 0.0

    def sample(self, now: float) -> Sample:
        """Return the use of all processes at the time `now`."""
        if now - self._listed > TREE_S:
            self._pids, self._listed = process_tree(self._pid), now
            self._is_renderer = {pid: self._is_renderer.get(pid) or is_renderer(pid) for pid in self._pids}
        renderers: dict[int, ProcessUse] = {}
        others_bytes = 0
        for pid in self._pids:
            if self._is_renderer[pid]:
                memory_bytes, thread_count = memory_and_threads(pid)
                renderers[pid] = ProcessUse(memory_bytes, cpu_s(pid), thread_count)
            else:
                others_bytes += resident_bytes(pid)
        return Sample(now, renderers, others_bytes, resident_bytes(self._driver_pid))


def process_tree(pid: int) -> tuple[int, ...]:
    """Return a process and all its descendants, as far as the system tells."""
    pids = [pid]
    for parent_pid in pids:  # grows meanwhile
        with suppress(OSError, ValueError):
            for thread in Path(f"/proc/{parent_pid}/task").iterdir():
                pids += map(int, (thread / "children").read_text(encoding="ascii").split())
    return tuple(pids)


def resident_bytes(pid: int) -> int:
    """Return the bytes of memory of a process, without mapped files; 0 where the system does not tell."""
    return memory_and_threads(pid)[0]


def memory_and_threads(pid: int) -> tuple[int, int]:
    """Return the bytes of memory of a process, and the number of its threads; 0 where the system does not tell."""
    total_kib = thread_count = 0
    with suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(_MEMORY_FIELDS):
                total_kib += int(line.split()[1])
            elif line.startswith("Threads:"):
                thread_count = int(line.split()[1])
    return total_kib << 10, thread_count


def is_renderer(pid: int) -> bool:
    """Return whether a process works pages."""
    try:
        return b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def cpu_s(pid: int) -> float:
    """Return the CPU time of a process; 0 where the system does not tell."""
    fields = _status_fields(pid)
    if not fields:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def driver_of(pid: int) -> int:
    """Return our child process that has started a browser; 0 where the system does not tell."""
    child = pid
    while fields := _status_fields(child):
        parent_pid = int(fields[1])
        if parent_pid == os.getpid():
            return child
        child = parent_pid
    return 0


def _status_fields(pid: int) -> list[str]:
    """Return the fields of proc(5), `stat`, from the third on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
