"""The embedded full-text index: whole pages by URL in one SQLite file, found by BM25 (FTS5) in any language.

`page` holds the words as a person sees them, `piece` where its pieces lie, and `term`, without a second copy of the
text, the terms that `wellread.index.search_terms` makes of each piece. When those rules have changed, `term` is
filled anew.
`kept` holds the snapshot itself, so that what was cited from the index can be proven for as long as it is in there.

A page ranks by its best piece. Known items among 1,494 pages (six to eight words of one sentence), whole pages v pieces
of 700 characters: top 1 .73 v .91, top 5 .91 v .985; XQuAD the same within .004.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wellread.errors import ConfigError, UnavailableError
from wellread.index.pieces import TextPiece, pieces
from wellread.index.plain_text import plain
from wellread.index.relevance import MAX_RERANKED, NeighbouringWords, bm25
from wellread.index.search_terms import RULES, QueryTerms, terms
from wellread.index.word_matches import WordMatcher, query_words
from wellread.store.codec import Packed, pack, unpack
from wellread.store.db import connect, transaction
from wellread.types import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from wellread.index.search_terms import WordRun
    from wellread.types import Snapshot

FILE_NAME = "index.db"
TITLE_WEIGHT = 2.0
"""A term in the title counts as if it stood this often in the text."""
SNIPPET_CHARS = 240
PIECE_CHARS = 700
_MAX_TERMS = 1_000
"""A query longer than a page of text is cut: FTS5 keeps a cursor open per term."""
MAX_CANDIDATES = 1_000
"""Pages by BM25 that are looked at when the first ones only share pieces of words with the query."""
MIN_TEXTS_OF_COMMON_WORDS = 20
"""In fewer pieces of text, a word that stands in most of them need not be one like `the`."""
MAX_MISSING_WORDS = 10
"""Words of a query that are named as missing in the index."""

_MIGRATIONS = (
    """
    create table page (
        id integer primary key,
        url text not null unique,
        snapshot_id text not null,
        title text not null,
        language text,
        published_date text,
        text text not null
    );
    create table piece (
        id integer primary key,
        page integer not null references page (id),
        start integer not null,
        stop integer not null
    );
    create index piece_of_page on piece (page);
    create table made (rules text not null);
    insert into made values ('');
    create virtual table term using fts5(title, text, content='', tokenize="ascii tokenchars '_'");
    """,
    """
    create table kept (
        page integer primary key references page (id),
        mark text not null,
        about blob not null,
        document blob not null
    );
    """,
)
# The tokeniser only parts at spaces: terms come folded, hold no ASCII but letters, digits and underscores, and every
# character beyond ASCII belongs to a term.


_BEST_PAGES_SQL = """
    with scored as materialized (select rowid as id, -bm25(term, ?, 1.0) as score from term where term match ?),
    best as (
        select page, start, stop, max(score) as score from scored join piece using (id)
        group by page order by score desc, page limit ?
    )
    select url, title, published_date, text, start, stop, score from best join page on page.id = best.page
    order by score desc, page.id
"""  # beside max(), SQLite takes the other columns from the row that has it: https://www.sqlite.org/lang_select.html


_Row = tuple[str, str, str | None, str, int, int, float]
"""The columns of _BEST_PAGES_SQL."""


class LocalIndex:
    """A `wellread.ports.Index`; safe for many threads and processes. The file opens on first use."""

    def __init__(self, folder: Path | None) -> None:
        """Keep the index under `folder`; None keeps it in memory."""
        self._path = None if folder is None else folder / FILE_NAME
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()

    def add(self, snapshot: Snapshot, text: str, *, mark: str = "") -> bool:
        """Index `text` (canonical markdown) under the snapshot's URL; False when it is there already, unchanged.

        `mark` names the bytes that were read, for `holds`.

        Raises:
            ConfigError: the index cannot be opened.
            UnavailableError: it is locked, full or damaged.
        """
        metadata = snapshot.extraction.metadata
        with self._open() as db:
            query = "select page.id from page join kept on kept.page = page.id where url = ? and snapshot_id = ?"
            page_row = db.execute(query, (snapshot.url, snapshot.id)).fetchone()
            if page_row:
                db.execute("update kept set mark = ? where page = ?", (mark, *page_row))
                return False
        packed = pack(snapshot)
        row = (
            snapshot.url,
            snapshot.id,
            _one_line(metadata.title or ""),
            metadata.language,
            metadata.published_date,
            plain(text),
        )
        with self._open() as db, transaction(db):
            _forget(db, snapshot.url)
            inserted = db.execute(
                "insert into page (url, snapshot_id, title, language, published_date, text) values (?, ?, ?, ?, ?, ?)",
                row,
            )
            assert inserted.lastrowid is not None  # an insert that did not fail
            db.execute(
                "insert into kept values (?, ?, ?, ?)", (inserted.lastrowid, mark, packed.about, packed.document)
            )
            _keep_terms(db, inserted.lastrowid)
        return True

    def holds(self, url: str, mark: str) -> bool:
        """Return whether `url` was indexed from the bytes that `mark` names; then it need not be read again.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        with self._open() as db:
            query = "select 1 from page join kept on kept.page = page.id where url = ? and mark = ?"
            return bool(mark) and db.execute(query, (url, mark)).fetchone() is not None

    def stored_snapshot(self, url: str, *, only_marked: bool = False) -> Snapshot | None:
        """Return the snapshot of a URL that is in the index; None when it is not, or not whole.

        `only_marked`: only if it was added with a mark, as what is read from files and recordings is.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        with self._open() as db:
            query = "select about, document from page join kept on kept.page = page.id where url = ? and mark >= ?"
            row = db.execute(query, (url, "!" if only_marked else "")).fetchone()
        try:
            if row is None:
                return None
            return unpack(Packed(*row))
        except ValueError:  # packed by another version: as good as not kept
            return None

    def search(self, query: str, count: int) -> list[Hit]:
        """Return the best `count` hits, best first, snippets without markup; none for a query without words.

        Each hit has a word of the query, or a similar one (`wellread.index.word_matches`), in its title or in the part
        of the text that answers best. The best by BM25 are ordered anew by which of the query's words stand side by
        side in them.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        query_terms = QueryTerms(query)
        match_terms = [f'"{term}"' for term, weight in query_terms.weights.items() for _ in range(round(weight))]
        if not match_terms or count < 1:
            return []
        rows = self._rows(query, " OR ".join(match_terms[:_MAX_TERMS]), count)
        side_by_side = NeighbouringWords(query)
        reranked_rows = [(*row[:-1], side_by_side.raised(row[-1], row[3][row[4] : row[5]])) for row in rows]
        reranked_rows.sort(key=lambda row: -row[-1])
        return [_hit(rank, row, query_terms) for rank, row in enumerate(reranked_rows[:count], 1)]

    def _rows(self, query: str, expression: str, count: int) -> list[_Row]:
        """Return rows whose words match, best first: at least `count` where MAX_CANDIDATES pages have as many."""
        words = query_words(query)
        with self._open() as db:
            matcher = WordMatcher(words, _common_terms(db, words))
        limits = (max(count, MAX_RERANKED), max(count, MAX_CANDIDATES))
        rows: list[_Row] = []
        for limit in limits:
            with self._open() as db:
                candidates = db.execute(_BEST_PAGES_SQL, (TITLE_WEIGHT, expression, limit)).fetchall()
            rows = [row for row in candidates if matcher.matches(f"{row[1]}\n{row[3][row[4] : row[5]]}")]
            if len(rows) >= count or len(candidates) < limit:
                break
        return rows

    def missing_words(self, query: str) -> tuple[str, ...]:
        """Return words of `query` that occur on no page, at most MAX_MISSING_WORDS.

        A run of characters of a script without spaces is missing when more than half of its terms are.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        missing: list[str] = []
        with self._open() as db:
            for word in query_words(query)[:_MAX_TERMS]:
                absent = sum(not _has_term(db, term) for term in word.terms)
                if 2 * absent > len(word.terms):
                    missing.append(word.text)
                if len(missing) == MAX_MISSING_WORDS:
                    break
        return tuple(missing)

    def remove(self, url: str) -> bool:
        """Forget a URL; False when it was not there.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        with self._open() as db, transaction(db):
            return _forget(db, url)

    def urls(self) -> tuple[str, ...]:
        """Return every URL in the index, in the order in which they came or last changed."""
        with self._open() as db:
            return tuple(url for (url,) in db.execute("select url from page order by id"))

    def count(self) -> int:
        """Return how many pages are in the index."""
        with self._open() as db:
            return int(db.execute("select count(*) from page").fetchone()[0])

    def close(self) -> None:
        """Close the file; the next call opens it again, except in memory, where it begins empty."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Hold the one connection; SQLite's errors leave as ours."""
        where = self._path or "in memory"
        with self._lock:
            if self._connection is None:
                try:
                    self._connection = _opened(self._path)
                except (OSError, sqlite3.Error) as error:
                    raise ConfigError(
                        f"cannot open the local index at {where}: {error}",
                        hint="cache.dir must be a folder you can write",
                    ) from error
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise UnavailableError(
                    f"the local index at {where} failed: {error}", hint="try again; if it stays, delete the file"
                ) from error


def _opened(path: Path | None) -> sqlite3.Connection:
    db = connect(path, _MIGRATIONS)
    try:
        if db.execute("select rules from made").fetchone() != (RULES,):
            with transaction(db):
                _fill(db)
    except BaseException:
        db.close()
        raise
    return db


def _fill(db: sqlite3.Connection) -> None:
    """Make the terms of all pages anew: forgetting a page takes the very terms that were made of it."""
    db.execute("insert into term (term) values ('delete-all')")
    db.execute("delete from piece")
    for (page,) in db.execute("select id from page").fetchall():
        _keep_terms(db, page)
    db.execute("update made set rules = ?", (RULES,))


def _keep_terms(db: sqlite3.Connection, page: int) -> None:
    title, text = db.execute("select title, text from page where id = ?", (page,)).fetchone()
    for start, end in pieces(text, PIECE_CHARS):
        inserted = db.execute("insert into piece (page, start, stop) values (?, ?, ?)", (page, start, end))
        row = (inserted.lastrowid, _joined(title), _joined(text[start:end]))
        db.execute("insert into term (rowid, title, text) values (?, ?, ?)", row)


def _forget(db: sqlite3.Connection, url: str) -> bool:
    page = db.execute("select id, title, text from page where url = ?", (url,)).fetchone()
    if page is None:
        return False
    page_id, title, text = page
    for row, start, end in db.execute("select id, start, stop from piece where page = ?", (page_id,)).fetchall():
        # A table without content is told what to forget: https://www.sqlite.org/fts5.html#the_delete_command
        term_row = (row, _joined(title), _joined(text[start:end]))
        db.execute("insert into term (term, rowid, title, text) values ('delete', ?, ?, ?)", term_row)
    db.execute("delete from piece where page = ?", (page_id,))
    db.execute("delete from kept where page = ?", (page_id,))
    db.execute("delete from page where id = ?", (page_id,))
    return True


def _common_terms(db: sqlite3.Connection, words: Sequence[WordRun]) -> set[str]:
    """Return the terms of `words` that more than half of all pieces have."""
    (piece_count,) = db.execute("select count(*) from piece").fetchone()
    if piece_count < MIN_TEXTS_OF_COMMON_WORDS:
        return set()
    most = piece_count // 2
    counting = "select count(*) from (select 1 from term where term match ? limit ?)"
    terms = list(dict.fromkeys(term for word in words for term in word.terms))[:_MAX_TERMS]
    return {term for term in terms if db.execute(counting, (f'"{term}"', most + 1)).fetchone()[0] > most}


def _has_term(db: sqlite3.Connection, term: str) -> bool:
    return db.execute("select 1 from term where term match ? limit 1", (f'"{term}"',)).fetchone() is not None


def _hit(rank: int, row: _Row, query_terms: QueryTerms) -> Hit:
    url, title, published_date, text, start, end, score = row
    snippet = _snippet(text, TextPiece(start, end), query_terms)
    return Hit(
        title=title or url,
        url=url,
        snippet=snippet,
        published_date=published_date,
        source="local",
        rank=rank,
        score=score,
        marks=tuple(query_terms.marks(snippet)),
    )


def _one_line(title: str) -> str:
    """Return a title as it stands, which is no markdown: the `*` of `A*B` is a sign of its own."""
    return " ".join(title.split()).encode("utf-8", "replace").decode("utf-8")


def _joined(text: str) -> str:
    return " ".join(terms(text))


def _snippet(text: str, best: TextPiece, query_terms: QueryTerms) -> str:
    """Return the sentences of the best piece that answer best, as they stand together, in about `SNIPPET_CHARS`."""
    sentences = [
        line[part.start : part.end].strip()
        for line in text[best.start : best.end].strip().split("\n")
        for part in pieces(line, SNIPPET_CHARS // 2)
    ]
    scores = bm25(query_terms.weights, [query_terms.count(sentence) for sentence in sentences])
    first = last = max(range(len(sentences)), key=lambda at: (scores[at], -at))
    length = len(sentences[first])
    while last + 1 < len(sentences) and length + 1 + len(sentences[last + 1]) <= SNIPPET_CHARS:
        last += 1
        length += 1 + len(sentences[last])
    while first > 0 and length + 1 + len(sentences[first - 1]) <= SNIPPET_CHARS:
        first -= 1
        length += 1 + len(sentences[first])
    lead = "\u2026 " if first or best.start else ""
    trail = " \u2026" if last + 1 < len(sentences) or best.end < len(text) else ""
    return f"{lead}{' '.join(sentences[first : last + 1])}{trail}"
