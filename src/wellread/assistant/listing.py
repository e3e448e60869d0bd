"""Lists which conversations were held: where, when, how much was said, and what it was about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from wellread.assistant.conversations import ConversationRow, MessageRow
from wellread.assistant.memory.store import topics

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

OPENING_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
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


def listed(session: Session, *, channel: str | None = None, count: int = 20) -> list[Conversation]:
    """Return the conversations in which something was said, in one place or in all; the last to be held come first."""
    number, last = func.min(MessageRow.number).label("number"), func.max(MessageRow.created_ms).label("last_ms")
    counted = select(MessageRow.conversation_id, number, last, func.count().label("messages"))
    held = counted.where(MessageRow.text != "").group_by(MessageRow.conversation_id).subquery()
    opening = func.substr(MessageRow.text, 1, OPENING_CHARS).label("opening")
    begun = ConversationRow.created_ms.label("begun_ms")
    wanted = (
        select(ConversationRow.id, ConversationRow.channel, begun, held.c.last_ms, held.c.messages, opening)
        .join(held, held.c.conversation_id == ConversationRow.id)
        .join(MessageRow, MessageRow.number == held.c.number)
        .order_by(held.c.last_ms.desc(), ConversationRow.id)
        .limit(count)
    )
    wanted = wanted if channel is None else wanted.where(ConversationRow.channel == channel)
    rows = session.execute(wanted).mappings().all()
    about: dict[str, tuple[str, ...]] = {}
    for topic, _ in topics(session, *(row["id"] for row in rows)):
        about[topic.conversation] = (*about.get(topic.conversation, ()), topic.text)
    return [Conversation(**row, topics=about.get(row["id"], ())) for row in rows]
