"""Processes that tests start: whatever happens, none of them is waited for without end."""

from __future__ import annotations

import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@contextmanager
def started(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:  # Any: of Popen
    """Start a process; it is killed, if it still runs, when the block is left: a test that fails leaves early."""
    with subprocess.Popen(command, **options) as running:
        try:
            yield running
        finally:
            running.kill()
