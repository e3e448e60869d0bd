"""Lists conversations: channel, time, number of messages, first words and topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from wellread.assistant.conversations import ConversationRow, MessageRow
from wellread.assistant.memory.memory_store import topics

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

MAX_LISTED_CONVERSATIONS = 50
"""A search of the memory finds the older ones."""

MAX_OPENING_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSummary:
    """A thread of messages, as it is listed."""

    id: str
    channel: str
    begun_ms: int
    last_ms: int
    """When something was last said."""
    messages: int
    opening: str
    """The first words of it."""
    topics: tuple[str, ...] = ()
    """What it was about, the last first."""


def list_conversations(
    session: Session, *, channel: str | None = None, count: int = MAX_LISTED_CONVERSATIONS
) -> list[ConversationSummary]:
    """Return the conversations that have messages, of one channel or of all; the latest come first."""
    number, last = func.min(MessageRow.number).label("number"), func.max(MessageRow.created_ms).label("last_ms")
    columns = select(MessageRow.conversation_id, number, last, func.count().label("messages"))
    threads = columns.where(MessageRow.text != "").group_by(MessageRow.conversation_id).subquery()
    opening = func.substr(MessageRow.text, 1, MAX_OPENING_CHARS).label("opening")
    begun = ConversationRow.created_ms.label("begun_ms")
    query = (
        select(ConversationRow.id, ConversationRow.channel, begun, threads.c.last_ms, threads.c.messages, opening)
        .join(threads, threads.c.conversation_id == ConversationRow.id)
        .join(MessageRow, MessageRow.number == threads.c.number)
        .order_by(threads.c.last_ms.desc(), ConversationRow.id)
        .limit(count)
    )
    if channel is not None:
        query = query.where(ConversationRow.channel == channel)
    rows = session.execute(query).mappings().all()
    topics_by_id: dict[str, tuple[str, ...]] = {}
    for topic, _ in topics(session, *(row["id"] for row in rows)):
        topics_by_id[topic.conversation] = (*topics_by_id.get(topic.conversation, ()), topic.text)
    return [ConversationSummary(**row, topics=topics_by_id.get(row["id"], ())) for row in rows]
