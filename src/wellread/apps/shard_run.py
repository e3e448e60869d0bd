"""One shard in work: a thread that reads it in one worker process after the other, and its results for another thread.

Where a worker process ends, the next one continues behind the last page. A page whose process crashes is tried once
more in a fresh one. What worker processes send is checked: they are the less trusted side.
"""

from __future__ import annotations

import json
from contextlib import closing
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.apps import shard_child
from wellread.apps.page_rows import BatchOptions, error_row
from wellread.apps.shards import FileShard, RecordShard
from wellread.errors import UnreadableError, WellreadError
from wellread.worker.child import BEGIN, END
from wellread.worker.worker_pool import ChildDeath, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Generator

WORK: Final = f"{shard_child.__name__}:answer"
"""The function that the worker processes serve."""
_NO_DOCUMENT: Final = "images, styles and scripts"


class PageRow(NamedTuple):
    """The JSON of a page or of an error."""

    source: str
    line: str


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
        self._results: SimpleQueue[PageRow | dict[str, int] | WellreadError | None] = SimpleQueue()
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
            Unsupported: no worker process can be started here.
        """
        while (result := self._results.get()) is not None:
            if isinstance(result, WellreadError):
                raise result
            yield result

    def abandon(self) -> None:
        """Have the thread stop at the next frame; nobody reads the results."""
        self.is_abandoned = True

    def read(self) -> None:
        """Read the shard to its end."""
        try:
            is_complete = False
            while not (self.is_abandoned or is_complete):
                try:
                    is_complete = self._read_in_one_process()
                except UnreadableError as error:
                    is_complete = self._give_up(error)
        except WellreadError as error:
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
        return json.dumps({**fields, "path": shard.path, "end": shard.end}).encode() + b"\n"

    def _begin(self, content: bytes) -> None:
        try:
            position, source, passed = json.loads(content)
            self._position, self._source, self._is_after = int(position), str(source), False
            self._count(passed)
        except (ValueError, TypeError, AttributeError) as error:
            raise _wrong_frame(error) from error

    def _end(self, content: bytes) -> bool:
        try:
            fields = json.loads(content)
            self._count(fields.get("passed", {}))
            self.stop = int(fields.get("stop", 0))
            broken = str(fields.get("broken", ""))
        except (ValueError, TypeError, AttributeError) as error:
            raise _wrong_frame(error) from error
        if broken:
            self._results.put(PageRow(self._next_source(), _one_line(broken)))
            self.is_broken = True
        return True

    def _count(self, passed: dict[str, int]) -> None:
        if counts := {str(kind): int(count) for kind, count in passed.items()}:
            self._results.put(counts)

    def _add_outcome(self, kind: bytes, content: bytes) -> bool:
        """Add the row of the page in work; return whether the shard has ended, because it failed as a whole."""
        if self._source is None:
            try:
                self._pool.outcome(kind, content, self._next_source())
            except WellreadError as error:
                return self._give_up(error)
            raise _wrong_frame("a row without a page")
        try:
            line = self._pool.outcome(kind, content, self._source).decode("utf-8", "replace")
        except WellreadError as error:
            line = error_row(error)
        self._results.put(PageRow(self._source, _one_line(line)) if line else {_NO_DOCUMENT: 1})
        self._source, self._is_after = None, True
        return False

    def _next_source(self) -> str:
        """Return the source of the page in work, or of what comes next: a file, or the rest of a WARC file."""
        if self._source is not None:
            return self._source
        if isinstance(self.shard, RecordShard):
            return self.shard.path
        return self.shard.inputs[min(self._position + self._is_after, len(self.shard.inputs) - 1)].source

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


def _one_line(text: str) -> str:
    return text.replace("\n", " ")


def _wrong_frame(reason: object) -> UnreadableError:
    return UnreadableError(f"a worker process sent a frame that is none: {reason}")
