"""A worker process of a batch that some pages crash, as a bug of a native parser would."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wellread.apps import shard_child

if TYPE_CHECKING:
    from wellread.worker.child import Steps


def answer(task: bytes) -> Steps:
    """Read a shard; a file `deadly*` ends the process, a file `weak*` only where it was not tried before."""
    for kind, content in shard_child.answer(task):
        yield kind, content
        if kind == b"B":
            _crash(Path(content.decode().partition("\n")[2]))


def _crash(name: Path) -> None:
    if name.name.startswith("deadly"):
        os._exit(9)
    if name.name.startswith("weak"):
        tried = name.with_suffix(".tried")
        if not tried.exists():
            tried.touch()
            os._exit(9)
