"""The tables of the memory: facts, their source turns, all turns, topics, and exchanges that wait for extraction."""

from __future__ import annotations

from sqlalchemy import Double, ForeignKey, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

from wellread.assistant.database import Base, Private


class FactRow(Private, Base):
    """One fact."""

    __tablename__ = "user_facts"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    category: Mapped[str] = mapped_column(Text)
    confidence: Mapped[float] = mapped_column(Double)
    first_ms: Mapped[int]
    seen_ms: Mapped[int]
    tainted: Mapped[bool]
    bag: Mapped[bytes] = mapped_column(LargeBinary)


class SourceRow(Private, Base):
    """A turn in which a fact was heard; the turn itself may be gone."""

    __tablename__ = "user_fact_sources"

    fact: Mapped[str] = mapped_column(ForeignKey("user_facts.id", ondelete="CASCADE"), primary_key=True)
    turn: Mapped[str] = mapped_column(Text, primary_key=True, index=True)


class TurnRow(Private, Base):
    """One turn; `number` is the order in which turns came."""

    __tablename__ = "memory_turns"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(Text, unique=True)
    conversation: Mapped[str] = mapped_column(Text, index=True)
    exchange: Mapped[str] = mapped_column(Text, index=True)
    """The id of the first turn of those that were handed over together."""
    speaker: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    at_ms: Mapped[int]
    tainted: Mapped[bool]
    bag: Mapped[bytes] = mapped_column(LargeBinary)


class TopicRow(Private, Base):
    """The topic of a conversation in one exchange; it is deleted with the exchange."""

    __tablename__ = "conversation_topics"

    exchange: Mapped[str] = mapped_column(Text, primary_key=True)
    conversation: Mapped[str] = mapped_column(Text, index=True)
    text: Mapped[str] = mapped_column(Text)
    at_ms: Mapped[int]
    tainted: Mapped[bool]
    bag: Mapped[bytes] = mapped_column(LargeBinary)


class WaitingRow(Private, Base):
    """An exchange that waits for extraction of facts."""

    __tablename__ = "memory_waiting"

    exchange: Mapped[str] = mapped_column(Text, primary_key=True)
    recalled: Mapped[str] = mapped_column(Text)
    """JSON: the ids of the facts that the assistant was told when it answered."""
    attempts: Mapped[int]
