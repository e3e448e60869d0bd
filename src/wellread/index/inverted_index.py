"""The inverted index of the local index, by tantivy: one document per piece of a page, one field with its terms.

It has no text: `wellread.index.local_index` has the rows that it is made of, and makes it anew when it is damaged. The
library is imported when an index is opened, because most commands need none.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from wellread.errors import reason_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    import tantivy

WRITER_HEAP_BYTES = 60_000_000
"""Holds the terms of all pages that are written at once: with the smallest that tantivy takes, 15 MB, it writes and
merges more files, which takes a quarter more of CPU."""
MAX_CACHED_FREQUENCIES = 20_000
_PAGE, _PIECE, _TERMS = "page", "piece", "terms"
_WHITESPACE = "whitespace"


class DamagedIndexError(Exception):
    """The files cannot be opened, read or written; the message is of tantivy."""


class PieceTerms(NamedTuple):
    """The terms of one piece of a page."""

    page: int
    piece_id: int
    terms: str
    """Parted by spaces."""


class ScoredPiece(NamedTuple):
    """A piece that has terms of a query."""

    page: int
    piece_id: int
    score: float


class BestPieces(NamedTuple):
    """The best piece of each page, best first."""

    pieces: list[ScoredPiece]
    has_all: bool
    """No more pieces match."""


class InvertedIndex:
    """The terms of pieces, found by BM25. One writer at a time: the caller sees to it."""

    def __init__(self, folder: Path | None) -> None:
        """Open the index in `folder`, or begin one; None keeps it in memory.

        Raises:
            DamagedIndexError: the files cannot be opened.
            OSError: the folder cannot be made.
        """
        import tantivy

        self._tantivy = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field(_PAGE, indexed=True, fast=True)
        builder.add_unsigned_field(_PIECE, fast=True)
        builder.add_text_field(_TERMS, tokenizer_name=_WHITESPACE, index_option="freq")
        self._schema = builder.build()
        if folder is not None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _damage():
            self._index = tantivy.Index(self._schema, None if folder is None else str(folder))
            tokenizer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
            self._index.register_tokenizer(_WHITESPACE, tokenizer)
            self._index.config_reader("manual")
            self._searcher = self._index.searcher()
        self._piece_frequencies: dict[str, int] = {}

    def reload(self) -> None:
        """Read what other processes have written.

        Raises:
            DamagedIndexError: the files cannot be opened.
        """
        with _damage():
            self._index.reload()
            self._searcher = self._index.searcher()
        self._piece_frequencies.clear()

    def replace(self, pages: Iterable[int], pieces: Iterable[PieceTerms]) -> None:
        """Remove `pages`, and add `pieces`, all or none of it.

        Raises:
            DamagedIndexError: the files cannot be written.
        """
        with _damage():
            writer = self._index.writer(WRITER_HEAP_BYTES, 1)
            for page in pages:
                # Of a number, `delete_documents_by_term` removes nothing (tantivy 0.27).
                writer.delete_documents_by_query(self._tantivy.Query.term_query(self._schema, _PAGE, page))
            for piece in pieces:
                document = self._tantivy.Document()
                document.add_unsigned(_PAGE, piece.page)
                document.add_unsigned(_PIECE, piece.piece_id)
                document.add_text(_TERMS, piece.terms)
                writer.add_document(document)
            writer.commit()
            writer.wait_merging_threads()  # and gives the lock of the writer back
        self.reload()

    def search(self, term_weights: Mapping[str, float], limit: int, page_limit: int) -> BestPieces:
        """Return the best piece by BM25 of each of `page_limit` pages, out of the `limit` best pieces.

        Raises:
            DamagedIndexError: the files cannot be read.
        """
        query_class, should = self._tantivy.Query, self._tantivy.Occur.Should
        with _damage():
            query = query_class.boolean_query(
                [(should, self._weighted_query(term, weight)) for term, weight in term_weights.items()]
            )
            hits = self._searcher.search(query, limit, count=False).hits
            hit_of_page: dict[int, tuple[float, tantivy.DocAddress]] = {}
            pages = self._searcher.fast_field_values(_PAGE, [address for _, address in hits])
            for page, hit in zip(pages, hits, strict=True):
                hit_of_page.setdefault(int(page or 0), hit)
                if len(hit_of_page) == page_limit:
                    break
            best_hits = list(hit_of_page.items())
            piece_ids = self._searcher.fast_field_values(_PIECE, [address for _, (_, address) in best_hits])
        pieces = [
            ScoredPiece(page, int(piece_id or 0), score)
            for piece_id, (page, (score, _)) in zip(piece_ids, best_hits, strict=True)
        ]
        return BestPieces(pieces, has_all=len(hits) < limit)

    def has(self, term: str) -> bool:
        """Return whether a piece has `term`.

        Raises:
            DamagedIndexError: the files cannot be read.
        """
        with _damage():  # the frequency counts pieces that were removed, too, until their files are merged
            if not self._searcher.doc_freq(_TERMS, term):
                return False
            return bool(self._searcher.search(self._term_query(term), 1, count=False).hits)

    def piece_count(self) -> int:
        """Return the number of pieces."""
        return self._searcher.num_docs

    def piece_frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of pieces that have each of `terms`, about.

        Raises:
            DamagedIndexError: the files cannot be read.
        """
        if len(self._piece_frequencies) >= MAX_CACHED_FREQUENCIES:
            self._piece_frequencies.clear()
        frequencies: dict[str, int] = {}
        with _damage():
            for term in terms:
                frequency = self._piece_frequencies.get(term)
                if frequency is None:
                    frequency = self._piece_frequencies[term] = self._searcher.doc_freq(_TERMS, term)
                frequencies[term] = frequency
        return frequencies

    def _weighted_query(self, term: str, weight: float) -> tantivy.Query:
        query = self._term_query(term)
        if weight == 1:
            return query
        return self._tantivy.Query.boost_query(query, weight)

    def _term_query(self, term: str) -> tantivy.Query:
        return self._tantivy.Query.term_query(self._schema, _TERMS, term, "freq")


@contextmanager
def _damage() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        raise DamagedIndexError(reason_line(error)) from error
    except BaseException as error:
        # A panic of Rust, which is no Exception and which pyo3 does not export.
        if type(error).__name__ != "PanicException":
            raise
        raise DamagedIndexError(str(error)) from error
