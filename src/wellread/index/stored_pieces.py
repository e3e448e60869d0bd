"""Pieces of pages as the local index stores them: their search terms' words and the borders of their sentences.

They are made once, when a page goes into the inverted index, and made anew from the text of the page by other rules. A
query reads the words of its best pieces, and cuts its snippets at the borders: to fold the pieces and to split them
into sentences took half of its time.
"""

from __future__ import annotations

import struct
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from wellread.index.pieces import TextPiece, pieces
from wellread.index.search_terms import RULES, count_terms, fold, folds_in_place, joined_terms_of_folded

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

PIECE_CHARS = 700
SENTENCE_CHARS = 120
"""Half of a snippet (`SNIPPET_CHARS` of the local index), so that one has two sentences at least."""
PIECE_RULES = f"{RULES}/1/{PIECE_CHARS}/{SENTENCE_CHARS}"
"""Names what this module makes of a page, and the search terms in it. Raise its number with every change of the pieces,
of the borders or of how they are stored: indexes by other rules are made anew from the text of their pages."""
_BORDERS = struct.Struct("<4H")
"""A sentence as it is stored; in a piece of PIECE_CHARS none of its figures needs more than two bytes."""


class Sentence(NamedTuple):
    """A sentence of a piece, or a part of a long one."""

    start: int
    """In the text of the piece, as `end`; half open."""
    end: int
    words_end: int
    """Where it ends in the words of the piece; it begins where the sentence before it ends."""
    term_count: int
    """All its search terms, repeated as often as they stand there."""


class CutPiece(NamedTuple):
    """A stretch of the text of a page."""

    start: int
    end: int
    words: str
    """Folded (`wellread.index.search_terms.fold`), parted by single spaces."""
    terms: str
    """Parted by spaces."""
    sentences: list[Sentence]


class StoredPiece(NamedTuple):
    """A piece of a page that is in the index."""

    url: str
    title: str
    published_date: str | None
    text: str
    is_start: bool
    """Whether the page begins with it."""
    is_end: bool
    sentences: list[Sentence]
    """In order, at least one."""


def cut_pieces(text: str) -> Iterator[CutPiece]:
    """Yield the pieces of the text of a page; they join to it."""
    for start, end in pieces(text, PIECE_CHARS):
        piece_text = text[start:end]
        folded = fold(piece_text)
        words = " ".join(folded.split())
        yield CutPiece(start, end, words, joined_terms_of_folded(words), list(_sentences(piece_text, folded, words)))


def delete_pieces(db: sqlite3.Connection, pages: Iterable[int]) -> None:
    """Delete the pieces of `pages`."""
    db.executemany("delete from piece where page = ?", [(page,) for page in pages])


def insert_piece(db: sqlite3.Connection, page: int, piece: CutPiece) -> int:
    """Store a piece of `page`; return its id, which is never given twice."""
    figures = list(chain.from_iterable(piece.sentences))
    borders = struct.pack(f"<{len(figures)}H", *figures)
    inserted = db.execute(
        "insert into piece (page, start, end, words, borders) values (?, ?, ?, ?, ?)",
        (page, piece.start, piece.end, piece.words, borders),
    )
    assert inserted.lastrowid is not None  # an insert that did not fail
    return inserted.lastrowid


def load_words(db: sqlite3.Connection, piece_ids: Sequence[int]) -> dict[tuple[int, int], str]:
    """Return the words of pieces by page and piece, less those of pages that another process has removed.

    After a power cut, SQLite may lack its last changes, whose ids are given again, and the inverted index have them:
    the piece of an id may be of another page than there.
    """
    places = ", ".join("?" * len(piece_ids))
    query = f"select page, id, words from piece where id in ({places})"  # noqa: S608 - question marks
    return {(page, piece_id): words for page, piece_id, words in db.execute(query, piece_ids)}


def load_piece(db: sqlite3.Connection, page: int, piece_id: int) -> StoredPiece | None:
    """Return a piece of `page`; None when another process has removed the page."""
    query = (
        "select url, title, published_date, text, start, end, borders"
        " from piece join page on page.id = page where piece.id = ? and page = ?"
    )
    row = db.execute(query, (piece_id, page)).fetchone()
    if row is None:
        return None
    url, title, published_date, text, start, end, borders = row
    return StoredPiece(
        url=url,
        title=title,
        published_date=published_date,
        text=text[start:end],  # `substr` of SQLite ends a text at its first NUL
        is_start=start == 0,
        is_end=end == len(text),
        sentences=[Sentence._make(figures) for figures in _BORDERS.iter_unpack(borders)],
    )


def _sentences(text: str, folded: str, words: str) -> Iterator[Sentence]:
    """Yield the sentences of a piece with this text, which is given as `fold` returns it, too, and these words."""
    is_in_place = folds_in_place(text)
    words_end = 0
    for start, end in _sentence_places(text):
        sentence_words = (folded[start:end] if is_in_place else fold(text[start:end])).split()
        if sentence_words:
            words_end = min(words_end + len(" ".join(sentence_words)), len(words))
            # A long run of letters without spaces is cut inside a word; else a space follows.
            words_end += words.startswith(" ", words_end)
        yield Sentence(start, end, words_end, count_terms(sentence_words))


def _sentence_places(text: str) -> Iterator[TextPiece]:
    """Yield where the sentences of `text` stand, less the white space around them."""
    line_start = len(text) - len(text.lstrip())
    for line in text.strip().split("\n"):
        for start, end in pieces(line, SENTENCE_CHARS):
            sentence = line[start:end]
            stripped = sentence.strip()
            first = line_start + start + sentence.find(stripped)
            yield TextPiece(first, first + len(stripped))
        line_start += len(line) + 1
