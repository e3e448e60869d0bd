"""The tables of the knowledge base: documents, and the pieces they are cut into."""

from __future__ import annotations

from sqlalchemy import ForeignKey, LargeBinary, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from wellread.assistant.database import Base, Private


class DocumentRow(Private, Base):
    """One document, whole."""

    __tablename__ = "documents"
    __table_args__ = (UniqueConstraint("user_id", "source"),)
    shared_as = "knowledge"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    source: Mapped[str] = mapped_column(Text)
    """Its URL, its file URL, or `note:` and a name made of its words."""
    title: Mapped[str] = mapped_column(Text)
    snapshot: Mapped[str] = mapped_column(Text)
    """The name of what was read: the hash of the text that offsets count in."""
    text: Mapped[str] = mapped_column(Text)
    at_ms: Mapped[int]


class ChunkRow(Private, Base):
    """A piece of a document: where it lies, its bag of terms, and its vector where an embedder made one."""

    __tablename__ = "chunks"
    shared_as = "knowledge"

    document: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    start: Mapped[int] = mapped_column(primary_key=True)
    stop: Mapped[int]
    bag: Mapped[bytes] = mapped_column(LargeBinary)
    space: Mapped[str] = mapped_column(Text)
    """Which embedder made the vector: vectors of two are not comparable. Empty without one."""
    vector: Mapped[bytes] = mapped_column(LargeBinary)
    """32-bit floats, little end first."""
