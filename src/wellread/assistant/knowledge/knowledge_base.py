"""The knowledge base: stores texts, files and pages, answers with passages that can be proven, and deletes documents.

A document is its canonical text, as the web wing prints it; passages cite source, snapshot and offsets in that text.
Words find in every language; where an embedder is set, its vectors find by meaning as well, and both rankings are
fused, as in a gather.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from anyio import to_thread

from wellread.assistant.database import new_id
from wellread.assistant.knowledge import document_store, passage_ranking
from wellread.assistant.knowledge.chunks import chunks
from wellread.assistant.knowledge.document_tables import DocumentRow
from wellread.errors import Empty, InvalidInput, TooLarge, Upstream, WellreadError
from wellread.sections import AssistantSettings
from wellread.types import Notice, snapshot_id

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from sqlalchemy.orm import Session

    from wellread.assistant.database import UserStore
    from wellread.assistant.knowledge.chunks import Chunk
    from wellread.ports import Clock, Embedder
    from wellread.types import Page, Passage

MAX_DOCUMENT_CHARS = 5_000_000
"""Of one document: a book of a thousand pages has three."""
EMBEDDING_BATCH_SIZE = 96
"""Texts that embedders take in one request."""
NOTE = "note:"
_TITLE_CHARS = 80
_USUAL = AssistantSettings()


class ReadUrl(Protocol):
    """The function that reads a page: `wellread.Web.read`."""

    def __call__(self, url: str, *, user_asked: bool) -> Awaitable[Page]:
        """Return the whole page as markdown."""


class EmbeddingSpace(NamedTuple):
    """An embedder, and the name of the space that its vectors lie in (`service/model`)."""

    embedder: Embedder
    space: str


class IngestedDocument(NamedTuple):
    """The outcome of storing a document."""

    source: str
    title: str
    outcome: str
    """`kept`, `replaced` (it had changed) or `unchanged`."""
    snapshot: str
    chunks: int
    notices: tuple[Notice, ...] = ()


class KnowledgeAnswers(NamedTuple):
    """The best passages, best first, and notices on missing parts."""

    passages: tuple[Passage, ...]
    notices: tuple[Notice, ...] = ()


class _ReadDocument(NamedTuple):
    """A document as it was read."""

    source: str
    title: str
    snapshot: str
    text: str
    notices: tuple[Notice, ...] = ()


class KnowledgeBase:
    """The knowledge base of one user, or of all where `assistant.shared` says so."""

    def __init__(
        self,
        opened: UserStore,
        clock: Clock,
        *,
        read: ReadUrl,
        extract: Callable[[bytes, str], Page],
        meaning: EmbeddingSpace | None = None,
        sizes: AssistantSettings = _USUAL,
    ) -> None:
        """Take the parts: `read` reads a URL, `extract` bytes at hand under a name; nothing is opened here."""
        self._opened = opened
        self._clock = clock
        self._read = read
        self._extract = extract
        self._meaning = meaning
        self.sizes = sizes

    # ------------------------------------------------------------------------------------------- taking in

    async def add_text(self, text: str, *, title: str = "") -> IngestedDocument:
        """Store a text as a note; the same text is the same note.

        Raises:
            Empty, TooLarge: there is nothing in it, or too much.
        """
        text = _storable(text)
        snapshot = snapshot_id(text)
        source = NOTE + snapshot.partition(":")[2][:16]
        first = next((line.strip() for line in text.splitlines() if line.strip()), "")
        return await self._keep(_ReadDocument(source, title or first[:_TITLE_CHARS], snapshot, text))

    async def add_url(self, url: str) -> IngestedDocument:
        """Read a page that the user named, and store it in place of its earlier version.

        Raises:
            RefusedError, UnavailableError, UnreadableError: as `Web.read`.
        """
        page = await self._read(url, user_asked=True)
        return await self._keep(_ReadDocument(page.url, page.title or "", page.snapshot_id, page.text, page.notices))

    async def add_bytes(self, body: bytes, name: str) -> IngestedDocument:
        """Store a file by its bytes; `name` is its file URL.

        Raises:
            UnreadableError: nothing in it can be read.
        """
        page = await to_thread.run_sync(self._extract, body, name)
        title = page.title or name.rstrip("/").rpartition("/")[2]
        return await self._keep(_ReadDocument(name, title, page.snapshot_id, page.text, page.notices))

    async def _keep(self, page: _ReadDocument) -> IngestedDocument:
        if len(page.text) > MAX_DOCUMENT_CHARS:
            raise TooLarge(
                f"{page.source} has {len(page.text):,} characters; a document may have {MAX_DOCUMENT_CHARS:,}",
                hint="add it in parts",
            )
        text = _storable(page.text)
        snapshot = page.snapshot if text == page.text else snapshot_id(text)
        pieces = await to_thread.run_sync(chunks, text, self.sizes)
        if not pieces:
            raise Empty(f"{page.source} has no words", hint="add a document with text")
        space = self._meaning.space if self._meaning else ""
        stored = await self._opened.run(lambda session: document_store.stored_document(session, page.source))
        if stored == (text, [(piece.start, piece.end, space) for piece in pieces]):
            return IngestedDocument(page.source, page.title, "unchanged", snapshot, len(pieces), page.notices)
        vectors, failed = await self._vectors(page.title, pieces)
        row = DocumentRow(
            id=new_id(),
            source=page.source,
            title=page.title,
            snapshot=snapshot,
            text=text,
            at_ms=self._clock.now_ms(),
        )
        await self._opened.run(lambda session: document_store.write_document(session, row, pieces, vectors))
        outcome = "kept" if stored is None else "replaced"
        return IngestedDocument(page.source, page.title, outcome, snapshot, len(pieces), (*page.notices, *failed))

    async def _vectors(self, title: str, pieces: Sequence[Chunk]) -> tuple[document_store.Vectors, tuple[Notice, ...]]:
        if self._meaning is None:
            return document_store.Vectors(), ()
        texts = [f"{title}\n{chunk.text}".strip() for chunk in pieces]
        vectors: list[bytes] = []
        try:
            for at in range(0, len(texts), EMBEDDING_BATCH_SIZE):
                vectors += map(
                    passage_ranking.packed, await self._meaning.embedder.embed(texts[at : at + EMBEDDING_BATCH_SIZE])
                )
            if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) != 1:
                raise Upstream("not one vector of one length for each text")
        except WellreadError as error:
            return document_store.Vectors(), (_embeddings_notice(error),)
        return document_store.Vectors(self._meaning.space, tuple(vectors)), ()

    # ------------------------------------------------------------------------------------------- answering

    async def search(self, query: str, *, count: int = 8) -> KnowledgeAnswers:
        """Return the passages that answer best; a document gets at most half of the places while others wait.

        Raises:
            InvalidInput: an empty query, or less than one passage is wanted.
        """
        if not query.strip() or count < 1:
            raise InvalidInput("ask for at least one passage, with at least one word")
        query_vector, notices = await self._asked(query)
        space = self._meaning.space if self._meaning else ""

        def look(session: Session) -> tuple[Passage, ...]:
            words = passage_ranking.word_scores(query, document_store.chunk_bags(session))
            meanings = (
                passage_ranking.vector_scores(query_vector, document_store.chunk_vectors(session, space))
                if query_vector
                else {}
            )
            passages = document_store.passages(session, list(dict.fromkeys((*words, *meanings))))
            return passage_ranking.best_passages(query, passages, words, meanings, count)

        return KnowledgeAnswers(await self._opened.run(look), notices)

    async def _asked(self, query: str) -> tuple[bytes, tuple[Notice, ...]]:
        """Return the vector of a question; empty without an embedder."""
        if self._meaning is None:
            return b"", ()
        try:
            (vector,) = await self._meaning.embedder.embed([query])
        except WellreadError as error:
            return b"", (_embeddings_notice(error),)
        return passage_ranking.packed(vector), ()

    async def documents(self) -> tuple[document_store.Document, ...]:
        """Return every document, in the order in which they were stored or last changed."""
        return tuple(await self._opened.run(document_store.documents))

    async def text(self, source: str) -> str | None:
        """Return the text that offsets of a document count in; None where there is no document."""
        return await self._opened.run(lambda session: document_store.text_of(session, source))

    async def remove(self, name: str) -> bool:
        """Delete a document, by its source or its id, with its chunks; return whether there was one."""

        def drop(session: Session) -> bool:
            source = document_store.find_source(session, name)
            return source is not None and document_store.delete_document(session, source)

        dropped = await self._opened.run(drop)
        if dropped:
            await self._opened.wipe()
        return dropped


def _storable(text: str) -> str:
    """Return a text that every database takes: no NUL, no lone surrogates; offsets stay."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def _embeddings_notice(error: WellreadError) -> Notice:
    return Notice("embeddings_failed", f"the search uses only words: {error.code}, {error.message}")
