"""The index that replicas share: every replica searches a local index of its own, which is fed from one log.

A page is added to the log alone, and reaches the local indexes from there. A replica asks for new changes after its
own, and before it uses its index, at most once in CHECK_S. A local index stores up to which change it has come together
with the pages, so that a replica that was away, or was killed, goes on there.
"""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Final

from wellread.errors import SharedStateFailed
from wellread.index.local_index import index_row

if TYPE_CHECKING:
    from wellread.index.local_index import LocalIndex
    from wellread.ports import Clock, IndexLog
    from wellread.types import Hit, Snapshot

FOLDER: Final = "shared-index"
"""In `cache.dir`: the local index of a replica. The index that it had before it shared one stays beside it."""
CHECK_S: Final = 1.0
"""How late a change of another replica may be seen.

It is asked for, not notified: an index that nobody uses asks nothing, and one in use sends one short statement a
second. A notification would need a connection for each process all the time, and this check besides."""
AWAY_S: Final = 5.0
"""After a failure: until then the local index is used as it is."""
CATCH_UP_S: Final = 5.0
"""How long one call applies changes; the next one goes on."""
BATCH: Final = 50
"""Changes that are applied in one transaction."""


class SharedIndex:
    """A `wellread.ports.Index` over a log; safe for threads, processes and replicas."""

    def __init__(self, local: LocalIndex, log: IndexLog, *, clock: Clock) -> None:
        """Take the local index, which nothing else may change, and the log; nothing is opened yet."""
        self.last_problem: str | None = None
        self._local = local
        self._log = log
        self._clock = clock
        self._lock = threading.Lock()
        self._next_check_s = -math.inf

    def add(self, snapshot: Snapshot, text: str, *, mark: str = "") -> bool:
        """Add a page for all replicas; return False when it is there unchanged.

        Raises:
            SharedStateFailed: the server of the log does not answer.
        """
        is_new = self._log.put(index_row(snapshot, text, mark))
        self._apply_now()
        return is_new

    def remove(self, url: str) -> bool:
        """Remove a URL for all replicas; return False when it was not there.

        Raises:
            SharedStateFailed: the server of the log does not answer.
        """
        was_there = self._log.remove(url)
        self._apply_now()
        return was_there

    def holds(self, url: str, mark: str) -> bool:
        """Return whether `url` is indexed from the bytes that `mark` names."""
        return self._current().holds(url, mark)

    def stored_snapshot(self, url: str, *, only_marked: bool = False) -> Snapshot | None:
        """Return the snapshot of an indexed URL, or None; `only_marked`: only one that was added with a mark."""
        return self._current().stored_snapshot(url, only_marked=only_marked)

    def search(self, query: str, count: int) -> list[Hit]:
        """Return the best `count` hits, as `LocalIndex.search` does."""
        return self._current().search(query, count)

    def missing_words(self, query: str) -> tuple[str, ...]:
        """Return words of `query` that no page has in this spelling."""
        return self._current().missing_words(query)

    def count(self) -> int:
        """Return the number of pages."""
        return self._current().count()

    def urls(self) -> tuple[str, ...]:
        """Return the URLs of all pages."""
        return self._current().urls()

    def close(self) -> None:
        """Close the files and the connections."""
        self._local.close()
        self._log.close()

    def _apply_now(self) -> None:
        """Apply a change of this replica, and those before it."""
        self._next_check_s = -math.inf
        self._current()

    def _current(self) -> LocalIndex:
        """Return the local index with the changes of the log, or as it is where the server does not answer."""
        with self._lock:
            now_s = self._clock.monotonic()
            if now_s < self._next_check_s:
                return self._local
            self._next_check_s = now_s + CHECK_S  # before the log is read: another thread may add a page meanwhile
            try:
                has_all = self._catch_up(now_s + CATCH_UP_S)
            except SharedStateFailed as failure:
                self.last_problem = f"the index may lack changes of other replicas: {failure.message}"
                self._next_check_s = now_s + AWAY_S
                return self._local
            self.last_problem = None
            if not has_all:
                self.last_problem = "the index lacks changes of other replicas; it is still catching up"
                self._next_check_s = -math.inf
            return self._local

    def _catch_up(self, end_s: float) -> bool:
        """Apply the changes of the log until `end_s`; return whether there are no more."""
        log_id = self._log.log_id()
        while self._clock.monotonic() < end_s:
            sequence = self._local.log_sequence(log_id)
            changes = self._log.changes(sequence, BATCH)
            if not changes:
                return True
            was_applied = self._local.apply(log_id, sequence, changes)  # False: another process was first; ask again
            if was_applied and len(changes) < BATCH:
                return True
        return False
