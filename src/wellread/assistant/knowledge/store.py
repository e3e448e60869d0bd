"""Documents and their pieces in the database: what each function does happens inside the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, select

from wellread.assistant.fulltext import bag, rules
from wellread.assistant.knowledge.tables import ChunkRow, DocumentRow
from wellread.types import Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from wellread.assistant.knowledge.chunks import Chunk


class Document(NamedTuple):
    """What is known of a document, without its text."""

    id: str
    source: str
    title: str
    snapshot: str
    at_ms: int
    chars: int
    chunks: int


class Vectors(NamedTuple):
    """The vectors of the pieces of a document, all made by one embedder; none without one."""

    space: str = ""
    packed: tuple[bytes, ...] = ()


def put(session: Session, row: DocumentRow, chunks: Sequence[Chunk], vectors: Vectors) -> None:
    """Keep a document in the place of the one from the same source."""
    drop(session, row.source)
    session.add(row)
    session.flush()
    packed = vectors.packed or (b"",) * len(chunks)
    session.add_all(
        ChunkRow(
            document=row.id,
            start=chunk.start,
            stop=chunk.end,
            bag=_bag(row.title, chunk.text),
            space=vectors.space,
            vector=vector,
        )
        for chunk, vector in zip(chunks, packed, strict=True)
    )


def drop(session: Session, source: str) -> bool:
    """Delete a document and its pieces; False when it was not there."""
    # Accounts of one person, and users who share, may have taken it in before they became one: each has a document.
    known = session.scalars(select(DocumentRow.id).where(DocumentRow.source == source)).all()
    session.execute(delete(ChunkRow).where(ChunkRow.document.in_(known)))
    session.execute(delete(DocumentRow).where(DocumentRow.id.in_(known)))
    return bool(known)


def documents(session: Session) -> list[Document]:
    """Every document, in the order in which they came or last changed."""
    counted = select(func.count()).where(ChunkRow.document == DocumentRow.id).scalar_subquery()
    rows = session.execute(
        select(
            DocumentRow.id,
            DocumentRow.source,
            DocumentRow.title,
            DocumentRow.snapshot,
            DocumentRow.at_ms,
            func.length(DocumentRow.text),
            counted,
        ).order_by(DocumentRow.at_ms, DocumentRow.source)
    )
    return [Document(*row) for row in rows]


def bagged(session: Session) -> Sequence[tuple[str, int, bytes]]:
    """The document, the place and the bag of every piece; a bag that was made by other rules is made anew."""
    stale = select(ChunkRow, DocumentRow).join(DocumentRow, ChunkRow.document == DocumentRow.id)
    for row, document in session.execute(stale.where(func.substr(ChunkRow.bag, 1, len(rules())) != rules())):
        row.bag = _bag(document.title, document.text[row.start : row.stop])
    session.flush()
    asked = select(ChunkRow.document, ChunkRow.start, ChunkRow.bag).order_by(ChunkRow.document, ChunkRow.start)
    return session.execute(asked).all()


def vectors(session: Session, space: str) -> Sequence[tuple[str, int, bytes]]:
    """The document, the place and the vector of every piece that has one of this embedder."""
    asked = select(ChunkRow.document, ChunkRow.start, ChunkRow.vector).where(ChunkRow.space == space)
    return session.execute(asked).all()


def passages(session: Session, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Passage]:
    """The pieces at these places, each with what cites it; one whose document has just gone is left out."""
    found: dict[tuple[str, int], Passage] = {}
    for place in places:
        document, chunk = session.get(DocumentRow, place[0]), session.get(ChunkRow, place)
        if document is not None and chunk is not None:
            found[place] = Passage(
                text=document.text[chunk.start : chunk.stop],
                url=document.source,
                title=document.title or None,
                snapshot_id=document.snapshot,
                start=chunk.start,
                end=chunk.stop,
            )
    return found


def kept_as(session: Session, source: str) -> tuple[str, list[tuple[int, int, str]]] | None:
    """The text of a document, and where each piece lies and in which space; None when it is not there."""
    text = text_of(session, source)
    joined = select(ChunkRow.start, ChunkRow.stop, ChunkRow.space).join(DocumentRow).order_by(ChunkRow.start)
    pieces = session.execute(joined.where(DocumentRow.source == source))
    return None if text is None else (text, [(start, stop, space) for start, stop, space in pieces])


def text_of(session: Session, source: str) -> str | None:
    """The text of a document, whole; None when it is not there."""
    return session.scalars(select(DocumentRow.text).where(DocumentRow.source == source)).first()


def source_named(session: Session, name: str) -> str | None:
    """The source of the document that has this source or this id; None when there is none."""
    asked = select(DocumentRow.source).where((DocumentRow.source == name) | (DocumentRow.id == name))
    return session.scalars(asked).first()


def _bag(title: str, text: str) -> bytes:
    return bag(f"{title}\n{text}")
