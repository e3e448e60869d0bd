"""Pieces of pages as the local index stores them: all text of the pages, its words, and the borders of its sentences.

They are cut when a page is added, and again by other rules. A query reads the words of its best pieces, and cuts its
snippets at the borders: to fold the pieces and to split them into sentences took half of its time.
"""

from __future__ import annotations

import struct
import zlib
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from wellread.index.pieces import pieces
from wellread.index.search_terms import (
    RULES,
    count_spaced_terms,
    count_terms,
    fold,
    folds_in_place,
    joined_terms_of_folded,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

PIECE_CHARS = 700
SENTENCE_CHARS = 120
"""Half of a snippet (`SNIPPET_CHARS` of the local index), so that one has two sentences at least."""
PIECE_RULES = f"{RULES}/2/{PIECE_CHARS}/{SENTENCE_CHARS}"
"""Names what this module makes of a page, and the search terms in it. Raise its number with every change of the pieces,
of the borders or of how they are stored: pages that were cut by other rules are cut again."""
_ZLIB_LEVEL = 3
"""Leaves six tenths of a piece, in 20 microseconds; levels 1 and 6 leave as much."""
_BORDERS = struct.Struct("<4H")
"""A sentence as it is stored; in a piece of PIECE_CHARS none of its figures needs more than two bytes."""


class Sentences(NamedTuple):
    """The sentences of a piece, in order, at least one; each has a figure in each of the columns."""

    starts: tuple[int, ...]
    """In the text of the piece, as `ends`; half open."""
    ends: tuple[int, ...]
    words_ends: tuple[int, ...]
    """Where they end in the words of the piece; each begins where the one before it ends."""
    term_counts: tuple[int, ...]
    """All their search terms, repeated as often as they stand there."""


class StoredPiece(NamedTuple):
    """A piece of a page that is in the index."""

    url: str
    title: str
    published_date: str | None
    packed_text: bytes
    borders: bytes
    is_start: bool
    """Whether the page begins with it."""
    is_end: bool

    def text(self) -> str:
        """Return its text."""
        return _unpacked(self.packed_text)

    def sentences(self) -> Sentences:
        """Return its sentences."""
        return Sentences(*zip(*_BORDERS.iter_unpack(self.borders), strict=True))


def insert_pieces(db: sqlite3.Connection, page: int, text: str) -> None:
    """Cut the text of `page` into pieces, which join to it, and store them. An id is never given twice."""
    db.executemany(
        "insert into piece (page, text, words, borders) values (?, ?, ?, ?)",
        ((page, *_columns(text[start:end])) for start, end in pieces(text, PIECE_CHARS)),
    )


def delete_pieces(db: sqlite3.Connection, page: int) -> None:
    """Delete the pieces of `page`."""
    db.execute("delete from piece where page = ?", (page,))


def cut_again(db: sqlite3.Connection, pages: Iterable[int]) -> None:
    """Cut those of `pages` again that were cut by other rules, and delete what is left of those that are removed.

    A process of an older version deletes a page without its pieces.
    """
    for page in pages:
        if not db.execute("select 1 from page where id = ?", (page,)).fetchone():
            delete_pieces(db, page)
        if db.execute("select 1 from page where id = ? and piece_rules != ?", (page, PIECE_RULES)).fetchone():
            rows = db.execute("select text from piece where page = ? order by id", (page,))
            text = "".join([_unpacked(piece_text) for (piece_text,) in rows])
            delete_pieces(db, page)
            insert_pieces(db, page, text)
            db.execute("update page set piece_rules = ? where id = ?", (PIECE_RULES, page))


def load_terms(db: sqlite3.Connection, page: int) -> Iterator[tuple[int, str]]:
    """Yield the id of each piece of `page`, and its search terms, parted by spaces."""
    for piece_id, words in db.execute("select id, words from piece where page = ? order by id", (page,)):
        yield piece_id, joined_terms_of_folded(words)


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
    query = """
        select url, title, published_date, text, borders,
            not exists (select 1 from piece where page = :page and id < :piece),
            not exists (select 1 from piece where page = :page and id > :piece)
        from piece join page on page.id = page where piece.id = :piece and page = :page
    """
    row = db.execute(query, {"page": page, "piece": piece_id}).fetchone()
    if row is None:
        return None
    return StoredPiece(*row)


def _columns(text: str) -> tuple[bytes, str, bytes]:
    """Return what is stored of a piece with this text: the text, its words, and its sentences."""
    folded = fold(text)
    words = " ".join(folded.split())
    figures = list(chain.from_iterable(_sentences(text, folded, words)))
    return zlib.compress(text.encode(), _ZLIB_LEVEL), words, struct.pack(f"<{len(figures)}H", *figures)


def _unpacked(text: bytes | str) -> str:
    """Return the text of a piece; the one piece of a page that was not cut yet is not packed."""
    if isinstance(text, str):
        return text
    return zlib.decompress(text).decode()


def _sentences(text: str, folded: str, words: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the figures of each sentence of a piece, which is given as `fold` returns it, too, and as words."""
    is_in_place = folds_in_place(text)
    words_end = 0
    for start, end in _sentence_places(text):
        if is_in_place:
            sentence_words = folded[start:end].split()
            lengths = list(map(len, sentence_words))
            term_count = count_spaced_terms(lengths)
        else:
            sentence_words = fold(text[start:end]).split()
            lengths = list(map(len, sentence_words))
            term_count = count_terms(sentence_words)
        if sentence_words:
            words_end = min(words_end + sum(lengths) + len(lengths) - 1, len(words))
            # A long run of letters without spaces is cut inside a word; else a space follows.
            words_end += words.startswith(" ", words_end)
        yield start, end, words_end, term_count


def _sentence_places(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of `text` stand, less the white space around them; at least one."""
    places: list[tuple[int, int]] = []
    line_start = len(text) - len(text.lstrip())
    for line in text.strip().split("\n"):
        if len(line) <= SENTENCE_CHARS:
            places.append((line_start, line_start + len(line)))
        else:
            for start, end in pieces(line, SENTENCE_CHARS):
                places.append((line_start + start, line_start + start + len(line[start:end].rstrip())))
        line_start += len(line) + 1
    return places
