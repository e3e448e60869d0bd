"""The tables of the memory: facts, where they were heard, all turns, topics, and exchanges nobody has looked at yet."""

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
    """What a conversation was about in one exchange; it goes when that goes."""

    __tablename__ = "conversation_topics"

    exchange: Mapped[str] = mapped_column(Text, primary_key=True)
    conversation: Mapped[str] = mapped_column(Text, index=True)
    text: Mapped[str] = mapped_column(Text)
    at_ms: Mapped[int]
    tainted: Mapped[bool]
    bag: Mapped[bytes] = mapped_column(LargeBinary)


class WaitingRow(Private, Base):
    """An exchange in which facts are still to be looked for."""

    __tablename__ = "memory_waiting"

    exchange: Mapped[str] = mapped_column(Text, primary_key=True)
    recalled: Mapped[str] = mapped_column(Text)
    """JSON: the ids of the facts that the assistant was told when it answered."""
    attempts: Mapped[int]
