"""Sections of the settings that would not fit beside the others in `wellread.config`, which reads them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """What `wellread serve` and `wellread mcp` let their callers do."""

    host: str = "127.0.0.1"
    """Address to listen on; any other than loopback needs `keys`."""
    port: int = 8765
    hosts: tuple[str, ...] = ()
    """Values of the Host header that are ours besides loopback's: `name` or `name:port`."""
    origins: tuple[str, ...] = ()
    """Origins of web pages that may call, each exactly `scheme://host[:port]`; loopback's own never may by default."""
    keys: Mapping[str, str] = field(default_factory=lambda: types.MappingProxyType({}))
    """Name of a caller -> hash of its key, as `wellread serve --new-key NAME` prints it."""
    key_per_min: int = 120
    """Requests per minute and key."""
    key_concurrency: int = 4
    """Operations at a time and key."""
    concurrency: int = 8
    """Operations at a time in all."""
    queue: int = 16
    """Operations that may wait for their turn; the next is told to come back."""
    max_request_bytes: int = 1_000_000
    max_memory_bytes: int = 2_000_000_000
    """Size of the process beyond which nothing new is begun; 0 lifts the limit. Known on Linux only."""
    drain_s: float = 20.0
    """How long work that has begun may go on after the server is told to stop."""
    workspace: Path | None = None
    """The only folder that downloads are written to; without it, `downloads` in `cache.dir`."""
    workspace_max_bytes: int = 1_000_000_000
    """Size of that folder beyond which nothing more is downloaded."""
    download_max_bytes: int = 100_000_000
    """Most bytes of one file."""
    mcp_answers: str = "structured"
    """structured: JSON by schema beside a few words. text: all of it as text, for clients that read nothing else."""
