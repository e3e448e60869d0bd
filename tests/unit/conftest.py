"""What units share: a clock that stands still, and caches that are closed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.caches import HOUR_S
from wellread.store.cache import SnapshotCache
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from unit.caches import Opener


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def opened(tmp_path: Path, clock: FakeClock) -> Iterator[Opener]:
    caches: list[SnapshotCache] = []

    def opener(folder: Path | None = tmp_path, *, ttl_s: float = HOUR_S, max_bytes: int = 10**8) -> SnapshotCache:
        caches.append(SnapshotCache(folder, clock=clock, ttl_s=ttl_s, max_bytes=max_bytes))
        return caches[-1]

    yield opener
    for cache in caches:
        cache.close()
