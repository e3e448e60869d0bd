"""Stores of the assistant that have their tables already: to migrate one takes most of the time of a short test."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from wellread.assistant.database import Database


def prepare_store(folder: Path) -> None:
    """Put a store without rows where the assistant looks for it in `folder`, unless there is one."""
    path = folder / "assistant.db"
    if path.exists():
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(_migrated_store())


@cache
def _migrated_store() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "assistant.db"
        Database.open(f"sqlite:///{path}").close()
        return path.read_bytes()
