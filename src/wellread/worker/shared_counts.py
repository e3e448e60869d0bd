"""One number of each of several processes, in memory that all of them see."""

from __future__ import annotations

import mmap
import struct
from typing import Final

_NUMBER: Final = struct.Struct("q")


class SharedCounts:
    """A number for each process of a server; forks share it. Each process sets its own, so none waits for another."""

    def __init__(self, process_count: int) -> None:
        """Begin with zeros."""
        self._process_count = process_count
        self._memory = mmap.mmap(-1, process_count * _NUMBER.size)

    def set(self, index: int, count: int) -> None:
        """Set the number of a process."""
        _NUMBER.pack_into(self._memory, index * _NUMBER.size, count)

    def all(self) -> tuple[int, ...]:
        """Return the numbers of all processes."""
        return struct.unpack_from(f"{self._process_count}q", self._memory)
