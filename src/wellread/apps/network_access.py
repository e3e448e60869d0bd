"""The settings and services that the network parts of a `Web` are made with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.frozen import frozen

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.config import Settings
    from wellread.ports import Clock, Dialler, Resolver


@frozen
class NetworkAccess:
    """How a `Web` reaches the network, or the recording that stands in for it."""

    settings: Settings
    clock: Clock
    resolver: Resolver | None
    dialler: Dialler | None
    replay: Path | str | None
    record: Path | str | None
