"""Delete a forgotten fact from all tables of a user but the memory's own, which the memory deletes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant import conversations
from wellread.assistant.memory.memory_store import empty_rows_saying, ids_saying
from wellread.assistant.outbox import OutboxRow
from wellread.assistant.schedule.schedule_tables import RunRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session


def erase_traces(session: Session, turns: Sequence[str], fact: str) -> None:
    """Delete a forgotten fact elsewhere: turns by the memory's ids, reports and messages by their words."""
    erased_turns = {turn.partition(":")[0] for turn in turns}
    erased_turns.update(
        ids_saying(fact, conversations.message_texts(session))
    )  # schedules speak in turns that no memory keeps
    empty_rows_saying(session, fact, OutboxRow.id, OutboxRow.body)
    empty_rows_saying(session, fact, RunRow.id, RunRow.result)
    conversations.erase_turns(session, sorted(erased_turns))
