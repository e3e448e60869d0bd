"""One shard in work: a thread that reads it in one worker process after the other, and its results for another thread.

Where a worker process ends, the next one continues behind the last page. A page whose process crashes is tried once
more in a fresh one. The order of pages and the names of files are checked as they come, and a process that breaks them
is ended. Rows are passed on as the bytes that the process wrote: to parse one took half of this process's time for a
page, and a process that was taken over has the rights to write any file itself. What is checked of a row is that it is
one object on one line; the row of an error, which is rare and short, is parsed.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from contextlib import closing
from threading import Condition
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wellread.apps import shard_child
from wellread.apps.serialize import ERROR_START, error_row
from wellread.apps.shards import FileShard, RecordShard
from wellread.errors import UnreadableError, WellreadError
from wellread.worker.child import BEGIN, END
from wellread.worker.worker_pool import ChildDeath, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Generator

    from wellread.apps.page_rows import BatchOptions

WORK: Final = f"{shard_child.__name__}:answer"
"""The function that the worker processes serve."""
MAX_WAITING_BYTES: Final = 8 << 20
"""Of the rows of a shard that wait to be written; then its thread waits. Most shards have fewer."""
_HANDOVER_S: Final = 0.1
"""Between two looks for rows to write: to wake the thread that writes for each row costs more than to write it."""
_MAX_DIGITS: Final = 18
"""Of a position in a file."""
_NO_DOCUMENT: Final = "images, styles and scripts"


class PageRow(NamedTuple):
    """The row of a page or of an error."""

    source: str
    content: bytes
    """One JSON object on one line, without the source."""


_Result = PageRow | dict[str, int] | Exception | None


class ShardRun:
    """A shard in work."""

    def __init__(self, shard: FileShard | RecordShard, options: BatchOptions, pool: WorkerPool) -> None:
        """Take the shard; `read` must run in another thread."""
        self.shard = shard
        self.stop = 0
        """Of a range that was read: where the first record behind it begins."""
        self.is_broken = False
        """Whether nothing behind this range can be read."""
        self.is_abandoned = False
        self._options = options
        self._pool = pool
        self._results = _ResultQueue()
        self._position = shard.start if isinstance(shard, RecordShard) else 0
        """Of the page in work, or else of the last one: an index among files, an offset in a WARC file."""
        self._is_after = False
        """Whether the page at this position has its row."""
        self._source: str | None = None
        """Of the page in work."""
        self._crashed_at: tuple[int, bool, str | None] | None = None

    def results(self) -> Generator[PageRow | dict[str, int]]:
        """Yield the rows, and counts of records that are no page, as they come; blocks.

        Raises:
            Exception: what ended the thread, such as a lack of threads; an error of a page is a row.
        """
        while (result := self._results.get()) is not None:
            if isinstance(result, Exception):
                raise result
            yield result

    def abandon(self) -> None:
        """Have the thread stop at the next frame; nobody reads the results."""
        self.is_abandoned = True
        self._results.close()

    def read(self) -> None:
        """Read the shard to its end."""
        try:
            is_complete = False
            while not (self.is_abandoned or is_complete):
                try:
                    is_complete = self._read_in_one_process()
                except UnreadableError as error:
                    is_complete = self._give_up(error)
        except Exception as error:  # noqa: BLE001 - the other thread raises it: without its rows, a shard seems empty
            self._results.put(error)
        finally:
            self._results.put(None)

    def _read_in_one_process(self) -> bool:
        """Read on until the shard or the worker process ends; return whether the shard does."""
        with closing(self._pool.stream(self._task())) as frames:
            for frame in frames:
                if self.is_abandoned:
                    return True
                if isinstance(frame, ChildDeath):
                    return self._after_death(frame)
                kind, content = frame
                if kind == END:
                    return bool(content) and self._end(content)
                if kind == BEGIN:
                    self._begin(content)
                elif self._add_outcome(kind, content):
                    return True
        return False

    def _after_death(self, death: ChildDeath) -> bool:
        """Have a fresh process try again, once, or give up; return whether the shard has ended."""
        place = (self._position, self._is_after, self._source)
        if self.is_abandoned or not death.crashed or place == self._crashed_at:
            return self._give_up(self._pool.failure(death, self._next_source()))
        self._crashed_at = place
        self._source = None
        return False

    def _task(self) -> bytes:
        shard = self.shard
        fields = {"options": self._options.as_json_fields(), "position": self._position, "is_after": self._is_after}
        if isinstance(shard, FileShard):
            return json.dumps({**fields, "inputs": shard.inputs}).encode() + b"\n" + shard.stdin_bytes
        return json.dumps({**fields, "path": shard.path, "name": shard.name, "end": shard.end}).encode() + b"\n"

    def _begin(self, content: bytes) -> None:
        if self._source is not None:
            raise _wrong_frame("a page without a row")
        position, source, skipped_records = _beginning(content)
        self._count(skipped_records)
        if isinstance(self.shard, FileShard):
            if position != self._next_position or position >= len(self.shard.inputs):
                raise _wrong_frame(f"file {position} out of turn")
            source = self.shard.inputs[position].source
        elif position < self._next_position or (self.shard.end is not None and position >= self.shard.end):
            raise _wrong_frame(f"a record at byte {position}, out of turn")
        self._position, self._source, self._is_after = position, source, False

    def _end(self, content: bytes) -> bool:
        fields = _parsed(content)
        if self._source is not None:
            raise _wrong_frame("a page without a row")
        if not isinstance(fields, dict):
            raise _wrong_frame("no end of a shard")
        self._count(fields.get("skipped", {}))
        if isinstance(self.shard, FileShard):
            if self._next_position != len(self.shard.inputs):
                raise _wrong_frame(f"the end before file {self._next_position}")
        elif broken := fields.get("broken"):
            self._results.put(_checked_row(self.shard.name, str(broken).encode("utf-8", "replace")))
            self.is_broken = True
        else:
            stop = fields.get("stop")
            if type(stop) is not int or stop < max(self._next_position, self.shard.end or 0):
                raise _wrong_frame(f"an end at byte {stop}")
            self.stop = stop
        return True

    @property
    def _next_position(self) -> int:
        """The lowest position that the next page may have."""
        return self._position + self._is_after

    def _count(self, skipped_records: object) -> None:
        if not (isinstance(skipped_records, dict) and all(type(count) is int for count in skipped_records.values())):
            raise _wrong_frame("no counts of records")
        if skipped_records:
            self._results.put(skipped_records)

    def _add_outcome(self, kind: bytes, content: bytes) -> bool:
        """Add the row of the page in work; return whether the shard has ended, because it failed as a whole."""
        if self._source is None:
            try:
                self._pool.outcome(kind, content, self._next_source())
            except WellreadError as error:
                return self._give_up(error)
            raise _wrong_frame("a row without a page")
        try:
            row = self._pool.outcome(kind, content, self._source)
        except WellreadError as error:
            self._results.put(PageRow(self._source, error_row(error)))
        else:
            self._results.put(_checked_row(self._source, row) if row else {_NO_DOCUMENT: 1})
        self._source, self._is_after = None, True
        return False

    def _next_source(self) -> str:
        """Return the source of the page in work, or of what comes next: a file, or the rest of a WARC file."""
        if self._source is not None:
            return self._source
        if isinstance(self.shard, RecordShard):
            return self.shard.name
        return self.shard.inputs[min(self._next_position, len(self.shard.inputs) - 1)].source

    def _give_up(self, error: WellreadError) -> bool:
        """Add the error of the page in work, or of what comes next; return whether the shard has ended."""
        self._results.put(PageRow(self._next_source(), error_row(error)))
        if isinstance(self.shard, RecordShard) and self._source is None:
            self.is_broken = True
            return True
        if self._source is None:
            self._position += self._is_after
        self._source, self._is_after = None, True
        return isinstance(self.shard, FileShard) and self._position + 1 >= len(self.shard.inputs)


class _ResultQueue:
    """The results that one thread has for another, in bounded memory."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._results: deque[_Result] = deque()
        self._waiting_bytes = 0
        self._is_closed = False

    def put(self, result: _Result) -> None:
        """Add a result, a row when there is memory for it; None is the end. Nothing is added after `close`.

        Only a row waits: it comes between two pages, when no deadline runs.
        """
        with self._changed:
            if isinstance(result, PageRow):
                self._changed.wait_for(lambda: self._is_closed or self._waiting_bytes < MAX_WAITING_BYTES)
            if self._is_closed:
                return
            self._results.append(result)
            self._waiting_bytes += _memory_bytes(result)
            is_end = result is None or isinstance(result, Exception)
            if is_end or self._waiting_bytes >= MAX_WAITING_BYTES:
                self._changed.notify_all()

    def get(self) -> _Result:
        """Return the next result; waits for it, and is woken only by the end or where `put` waits."""
        with self._changed:
            while not self._results:
                self._changed.wait(_HANDOVER_S)
            result = self._results.popleft()
            self._waiting_bytes -= _memory_bytes(result)
            self._changed.notify_all()
            return result

    def close(self) -> None:
        """Drop the results, and end the wait of `put`: nobody calls `get` any more."""
        with self._changed:
            self._is_closed = True
            self._results.clear()
            self._changed.notify_all()


def _memory_bytes(result: object) -> int:
    return sys.getsizeof(result.content) if isinstance(result, PageRow) else 0


def _checked_row(source: str, content: bytes) -> PageRow:
    """Return what a worker process sent as the row of a page; an error row if it has not the form of a row."""
    try:
        _check_form(content)
    except UnreadableError as error:
        return PageRow(source, error_row(error))
    return PageRow(source, content)


def _check_form(content: bytes) -> None:
    """Raise UnreadableError unless the content looks like one object on one line, and as an error is one."""
    is_object = content.startswith(b'{"') and content.endswith(b"}")
    if not is_object or content.startswith(b'{"source"') or b"\n" in content:
        raise _wrong_frame("a row that is no page")
    if content.startswith(ERROR_START) and not _is_error(_parsed(content)):
        raise _wrong_frame("a row that is no error")


def _is_error(row: object) -> bool:
    if not (isinstance(row, dict) and row.keys() == {"error"} and isinstance(row["error"], dict)):
        return False
    return all(isinstance(row["error"].get(name), str) for name in ("code", "message", "hint"))


def _beginning(content: bytes) -> tuple[int, str, object]:
    """Return the position, the source and the counts of a BEGIN frame, as `shard_child.beginning` has written them."""
    head, newline, source = content.partition(b"\n")
    position, _, skipped_records = head.partition(b" ")
    if not (newline and position.isdigit() and len(position) <= _MAX_DIGITS):
        raise _wrong_frame("no beginning of a page")
    return int(position), source.decode("utf-8", "replace"), _parsed(skipped_records) if skipped_records else {}


def _parsed(content: bytes) -> Any:  # Any: JSON
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _wrong_frame(error) from error


def _wrong_frame(reason: object) -> UnreadableError:
    return UnreadableError(f"a worker process sent a frame that is none: {reason}")
