"""An assistant's database on a disk, a clock that is set by hand, and a model that says what it is told to say."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accounts import owned
from stores import prepare_store
from wellread.assistant.database import Database
from wellread.assistant.memory.turns import MemoryTurn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wellread.assistant.database import UserStore
    from wellread.errors import WellreadError

T0 = 1_767_225_600_000


@dataclass
class Scripted:
    """A `TextModel` with its answers in order; the last one is said again. An error is raised."""

    answers: list[str | WellreadError]
    asked: list[str] = field(default_factory=list)

    async def answer(self, instructions: str, text: str, *, max_tokens: int = 1_000) -> str:
        self.asked.append(text)
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(said, str):
            return said
        raise said


@contextmanager
def opened(folder: Path) -> Iterator[UserStore]:
    prepare_store(folder)
    database = Database.open(f"sqlite:///{folder / 'assistant.db'}")
    try:
        yield owned(database)
    finally:
        database.close()


def turn(id: str, text: str, *, speaker: str = "user", conversation: str = "c", tainted: bool = False) -> MemoryTurn:
    return MemoryTurn(id=id, conversation=conversation, speaker=speaker, text=text, at_ms=T0, tainted=tainted)


def bytes_of(folder: Path) -> bytes:
    """Everything that lies in a folder, lower case."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir())).lower()
