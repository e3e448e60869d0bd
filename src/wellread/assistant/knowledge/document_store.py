"""Documents and their chunks in the database; each function works within the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, select

from wellread.assistant.fulltext import bag, rules_mark
from wellread.assistant.knowledge.document_tables import ChunkRow, DocumentRow
from wellread.types import Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from wellread.assistant.knowledge.chunks import Chunk


class Document(NamedTuple):
    """A stored document, without its text."""

    id: str
    source: str
    title: str
    snapshot: str
    at_ms: int
    chars: int
    chunks: int


class Vectors(NamedTuple):
    """The vectors of the chunks of a document, all made by one embedder; none without one."""

    space: str = ""
    packed: tuple[bytes, ...] = ()


def write_document(session: Session, row: DocumentRow, chunks: Sequence[Chunk], vectors: Vectors) -> None:
    """Store a document in place of the one from the same source."""
    delete_document(session, row.source)
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


def delete_document(session: Session, source: str) -> bool:
    """Delete a document and its chunks; return whether there was one."""
    # Accounts of one person, and users who share, may have taken it in before they became one: each has a document.
    ids = session.scalars(select(DocumentRow.id).where(DocumentRow.source == source)).all()
    session.execute(delete(ChunkRow).where(ChunkRow.document.in_(ids)))
    session.execute(delete(DocumentRow).where(DocumentRow.id.in_(ids)))
    return bool(ids)


def documents(session: Session) -> list[Document]:
    """Return every document, in the order in which they were stored or last changed."""
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


def chunk_bags(session: Session) -> Sequence[tuple[str, int, bytes]]:
    """Return document, place and bag of every chunk; a bag made by other rules is made anew."""
    stale = select(ChunkRow, DocumentRow).join(DocumentRow, ChunkRow.document == DocumentRow.id)
    for row, document in session.execute(stale.where(func.substr(ChunkRow.bag, 1, len(rules_mark())) != rules_mark())):
        row.bag = _bag(document.title, document.text[row.start : row.stop])
    session.flush()
    query = select(ChunkRow.document, ChunkRow.start, ChunkRow.bag).order_by(ChunkRow.document, ChunkRow.start)
    return session.execute(query).all()


def chunk_vectors(session: Session, space: str) -> Sequence[tuple[str, int, bytes]]:
    """Return document, place and vector of every chunk that has one of this embedder."""
    query = select(ChunkRow.document, ChunkRow.start, ChunkRow.vector).where(ChunkRow.space == space)
    return session.execute(query).all()


def passages(session: Session, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Passage]:
    """Return the chunks at these places as passages; a chunk whose document was just deleted is left out."""
    by_place: dict[tuple[str, int], Passage] = {}
    for place in places:
        document, chunk = session.get(DocumentRow, place[0]), session.get(ChunkRow, place)
        if document is not None and chunk is not None:
            by_place[place] = Passage(
                text=document.text[chunk.start : chunk.stop],
                url=document.source,
                title=document.title or None,
                snapshot_id=document.snapshot,
                start=chunk.start,
                end=chunk.stop,
            )
    return by_place


def stored_document(session: Session, source: str) -> tuple[str, list[tuple[int, int, str]]] | None:
    """Return the text of a document, and place and vector space of each chunk; None where there is no document."""
    text = text_of(session, source)
    joined = select(ChunkRow.start, ChunkRow.stop, ChunkRow.space).join(DocumentRow).order_by(ChunkRow.start)
    pieces = session.execute(joined.where(DocumentRow.source == source))
    if text is None:
        return None
    return text, [(start, stop, space) for start, stop, space in pieces]


def text_of(session: Session, source: str) -> str | None:
    """Return the whole text of a document; None where there is no document."""
    return session.scalars(select(DocumentRow.text).where(DocumentRow.source == source)).first()


def find_source(session: Session, name: str) -> str | None:
    """Return the source of the document that has this source or this id; None when there is none."""
    query = select(DocumentRow.source).where((DocumentRow.source == name) | (DocumentRow.id == name))
    return session.scalars(query).first()


def _bag(title: str, text: str) -> bytes:
    return bag(f"{title}\n{text}")
