"""Watches every statement that reaches the assistant's store for a user, and keeps those that lack the user."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from wellread.assistant.database import Base, Private

if TYPE_CHECKING:
    from collections.abc import Iterator

_REACHED = re.compile(r'\b(?:FROM|JOIN|UPDATE|DELETE FROM) "?(\w+)"?(?: AS "?(\w+)"?)?')
_BY_KEY = re.compile(r"(?:UPDATE|DELETE FROM) \w+ (?:SET [^()]*)?WHERE \w+\.\w+ = [^()]*")
"""What a session writes of a row that it has loaded for the user; `_stamp` in `database.py` sees to those."""


def private_tables() -> set[str]:
    return {str(it.local_table) for it in Base.registry.mappers if issubclass(it.class_, Private)}


def unfiltered(statement: str, private: set[str]) -> list[str]:
    """Return the private tables that a statement reaches without naming their user."""
    if _BY_KEY.fullmatch(" ".join(statement.split())):
        return []
    reached = [(table, alias or table) for table, alias in _REACHED.findall(statement) if table in private]
    return [table for table, name in reached if not re.search(rf'\b"?{name}"?\.user_id (?:IN|=)', statement)]


@contextmanager
def watched() -> Iterator[tuple[list[str], list[str]]]:
    """Yield what was asked for a user, and what of it lacks the user, while the block lasts."""
    asked: list[str] = []
    lacking: list[str] = []
    private = private_tables()

    def begun(session: Session, _transaction: object, connection: Any) -> None:  # Any: as SQLAlchemy hands it over
        connection.info["user"] = session.info.get("user")

    def look(connection: Any, _cursor: object, statement: str, *_rest: object) -> None:  # Any: the same
        if connection.info.get("user") is None or statement.startswith("INSERT"):
            return
        asked.append(statement)
        lacking.extend(f"{table}: {statement}" for table in unfiltered(statement, private))

    event.listen(Session, "after_begin", begun)
    event.listen(Engine, "before_cursor_execute", look)
    try:
        yield asked, lacking
    finally:
        event.remove(Session, "after_begin", begun)
        event.remove(Engine, "before_cursor_execute", look)
