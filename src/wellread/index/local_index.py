"""The local index: whole pages by URL in one SQLite file, found by BM25 (tantivy) in any language.

`page` names the pages, `piece` holds their words as a person sees them (`wellread.index.stored_pieces`), `kept` the
snapshot itself, so that what was cited from the index can be proven for as long as it is in there. These rows are the
truth. `wellread.index.inverted_index` has the terms that `wellread.index.search_terms` makes of each piece, in a folder
beside the file. `pending` has the pages that came or went since it was last written: it is written for many pages at
once, and before a search. What is killed before that is caught up with then. A folder that is damaged, missing or of
other rules is made anew from the rows.

A page ranks by its best piece. Known items among 1,494 pages (six to eight words of one sentence), whole pages v pieces
of 700 characters: top 1 .73 v .91, top 5 .91 v .985; XQuAD the same within .004.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import islice
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

from wellread.errors import ConfigError, UnavailableError, WellreadError, reason_line
from wellread.index.inverted_index import DamagedIndexError, InvertedIndex, PieceTerms, ScoredPiece
from wellread.index.plain_text import plain
from wellread.index.relevance import MAX_RERANKED, NeighbouringWords, bm25
from wellread.index.search_terms import (
    MAX_WORD_CHARS,
    QueryTerms,
    TermCounts,
    WordRun,
    fold,
    joined_terms,
    runs,
    spaced_words,
    word_pieces,
)
from wellread.index.stored_pieces import (
    PIECE_RULES,
    StoredPiece,
    cut_again,
    delete_pieces,
    insert_pieces,
    load_piece,
    load_terms,
    load_words,
)
from wellread.ports import IndexRow
from wellread.store.codec import Packed, pack, unpack
from wellread.store.db import alone, connect, refuse_newer, transaction
from wellread.types import Hit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from wellread.ports import IndexChange
    from wellread.types import Snapshot


FILE_NAME = "index.db"
TERMS_FOLDER = "index.terms"
"""Beside the file; the inverted index is a folder in it."""
TITLE_WEIGHT = 2
"""A term in the title counts as if it stood this often in the text."""
MAX_UNWRITTEN_CHARS = 2_000_000
"""Text of pages that wait for the inverted index in one process: some 200 pages, which take a second or two. Of this
much (in UTF-8), or of one longer page, the terms are written before other processes get their turn."""
MAX_PAGES_AT_ONCE = 500
"""Pages that are written into the inverted index before other processes get their turn."""
SNIPPET_CHARS = 240
_MAX_TERMS = 1_000
"""A query longer than a page of text is cut."""
MAX_CANDIDATES = 1_000
"""Pages by BM25 that are looked at when the first ones only share pieces of words with the query."""
PIECES_PER_PAGE = 6
"""The best pieces that are looked at for each page that is asked for. One query of 100 needs a second look for more;
with 3, one of 8 did, which took as long again as the first one."""
MAX_COMMON_SHARE = 0.3
"""Terms that more of the pieces have take a quarter of the inverted index's time and tell little; over a whole query
the gain is within the noise. XQuAD with and without them, MRR@10: .9643 and .9646 en, .9517 and .9532 de, .9638 and
.9647 zh; from a share of .2, .9617, .9499 and .9652."""
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
    """,
    """
    create table kept (
        page integer primary key references page (id),
        mark text not null,
        about blob not null,
        document blob not null
    );
    """,
    """
    drop table if exists term;
    drop table if exists piece;
    drop table if exists made;
    create table numbered_page (
        id integer primary key autoincrement,
        url text not null unique,
        snapshot_id text not null,
        title text not null,
        language text,
        published_date text,
        text text not null
    );
    insert into numbered_page (id, url, snapshot_id, title, language, published_date, text)
    select id, url, snapshot_id, title, language, published_date, text from page;
    drop table page;
    alter table numbered_page rename to page;
    create table pending (change integer primary key autoincrement, page integer not null);
    create table inverted_index (folder text not null, rules text not null, generation integer not null);
    insert into inverted_index values ('', '', 0);
    """,
    "update inverted_index set rules = '';",
    """
    create table log_position (log_id text not null, sequence integer not null);
    insert into log_position values ('', 0);
    """,
    """
    create table piece (
        id integer primary key autoincrement,
        page integer not null,
        start integer not null,
        end integer not null,
        words text not null,
        borders blob not null
    );
    create index piece_of_page on piece (page);
    update inverted_index set rules = '';
    """,
    "alter table inverted_index rename to piece_index;",
    """
    create table cut_page (
        id integer primary key autoincrement,
        url text not null unique,
        snapshot_id text not null,
        title text not null,
        language text,
        published_date text,
        piece_rules text not null
    );
    insert into cut_page (id, url, snapshot_id, title, language, published_date, piece_rules)
    select id, url, snapshot_id, title, language, published_date, '' from page;
    drop table piece;
    create table piece (
        id integer primary key autoincrement,
        page integer not null,
        text blob not null,
        words text not null,
        borders blob not null
    );
    insert into piece (page, text, words, borders) select id, text, '', '' from page order by id;
    create index piece_of_page on piece (page);
    drop table page;
    alter table cut_page rename to page;
    update piece_index set rules = '';
    """,
)
# The number of a page is never given twice: the inverted index may still have the pieces of a page that is gone.
# The first two versions also had the terms, in a table of FTS5, under `term`, `piece` and `made`. The inverted index of
# the third kept the pieces of all pages that were changed or removed: the fourth makes it anew. The sixth does so to
# make the rows of pieces from the text of the pages. The seventh stops processes of older versions that have the file
# open: each search of theirs would make the index anew by their rules, and the next search of this version by its. The
# eighth makes one piece of each page, which is then cut by the rules of pieces: it takes the text of pages away, which
# stood in their pieces, too.


class _Row(NamedTuple):
    """The piece of a page that answers best."""

    piece: StoredPiece
    words: str
    """Of the piece, folded."""
    score: float


class LocalIndex:
    """A `wellread.ports.Index`; safe for many threads and processes. The file opens on first use."""

    last_problem: str | None = None

    def __init__(self, folder: Path | None) -> None:
        """Keep the index under `folder`; None keeps it in memory."""
        self._path = None if folder is None else folder / FILE_NAME
        self._inverted: _OpenInvertedIndex | None = None
        self._unwritten_chars = 0
        """Text that this object added and the inverted index lacks."""
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()

    def add(self, snapshot: Snapshot, text: str, *, mark: str = "") -> bool:
        """Index `text` (canonical markdown) under the snapshot's URL; False when it is there already, unchanged.

        `mark` names the bytes that were read, for `holds`.

        Raises:
            ConfigError: the index cannot be opened.
            UnavailableError: it is locked, full or damaged.
        """
        with self._open() as db:
            if _marked_again(db, snapshot.url, snapshot.id, mark):
                return False
        page = index_row(snapshot, text, mark)
        with self._open() as db, transaction(db):
            _insert(db, page)
        self._count_unwritten(len(page.text))
        return True

    def log_sequence(self, log_id: str) -> int:
        """Return the number of the last change of a log that `apply` has applied.

        An index that had the changes of another log is emptied first.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        with self._open() as db:
            if (sequence := _log_sequence(db, log_id)) is not None:
                return sequence
            with self._writing(), transaction(db):
                if _log_sequence(db, log_id) is None:
                    db.execute("delete from kept")
                    db.execute("delete from piece")
                    db.execute("delete from page")
                    db.execute("update log_position set log_id = ?, sequence = 0", (log_id,))
                    _mark_all_as_pending(db)
            return _log_sequence(db, log_id) or 0

    def apply(self, log_id: str, after: int, changes: Sequence[IndexChange]) -> bool:
        """Apply the changes of a log that follow its change `after`, all or none; return whether they were applied.

        They are not if another process has applied changes since `log_sequence` returned `after`.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        with self._open() as db, transaction(db):
            if _log_sequence(db, log_id) != after:
                return False
            for change in changes:
                page = change.page
                if page is None:
                    _forget(db, change.url)
                elif not _marked_again(db, page.url, page.snapshot_id, page.mark):
                    _insert(db, page)
            db.execute("update log_position set sequence = ?", (changes[-1].sequence,))
        self._count_unwritten(sum(len(change.page.text) for change in changes if change.page))
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

        Each hit has a word of the query, or a similar one (`wellread.index.local_index`), in its title or in the part
        of the text that answers best. The best by BM25 are ordered anew by which of the query's words stand side by
        side in them.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        query_terms = QueryTerms(query)
        if not query_terms.weights or count < 1:
            return []
        term_weights = dict(islice(query_terms.weights.items(), _MAX_TERMS))
        with self._searching() as (db, inverted_index):
            rows = _best_rows(db, inverted_index, query, term_weights, count)
        return [_hit(rank, row, query_terms) for rank, row in enumerate(rows, 1)]

    def missing_words(self, query: str) -> tuple[str, ...]:
        """Return words of `query` that occur on no page, at most MAX_MISSING_WORDS.

        A run of characters of a script without spaces is missing when more than half of its terms are.

        Raises:
            ConfigError, UnavailableError: as for `add`.
        """
        missing: list[str] = []
        with self._searching() as (_, inverted_index):
            for word in query_words(query)[:_MAX_TERMS]:
                absent = sum(not inverted_index.has(term) for term in word.terms)
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
        """Close the files; the next call opens them again, except in memory, where it begins empty."""
        with self._lock:
            if self._unwritten_chars and self._path is not None:
                # The rows are stored: the next search catches up with what cannot be written now.
                with suppress(WellreadError):
                    self._catch_up()
            self._inverted = None
            self._unwritten_chars = 0
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def _searching(self) -> Iterator[tuple[sqlite3.Connection, InvertedIndex]]:
        """Lend the connection and the inverted index, which has all pages that were added by then.

        Where the files of the inverted index are damaged, the next call makes it anew.
        """
        with self._lock:
            inverted_index = self._catch_up()
            try:
                with self._open() as db:
                    yield db, inverted_index
            except DamagedIndexError as error:
                self._start_anew()
                raise self._failed(error) from error

    def _count_unwritten(self, chars: int) -> None:
        self._unwritten_chars += chars
        if self._unwritten_chars >= MAX_UNWRITTEN_CHARS:
            self._catch_up()

    def _catch_up(self) -> InvertedIndex:
        """Return the inverted index once it has every change of the rows; made anew where it is damaged or missing."""
        with self._lock:
            try:
                inverted_index = self._caught_up()
            except DamagedIndexError:
                self._start_anew()
                try:
                    inverted_index = self._caught_up()
                except DamagedIndexError as error:
                    raise self._failed(error) from error
            self._unwritten_chars = 0
            return inverted_index

    def _caught_up(self) -> InvertedIndex:
        with self._open() as db:
            while True:
                state = _state(db)
                if state.rules == PIECE_RULES and not state.has_pending:
                    return self._opened_inverted_index(state)
                with self._writing():
                    if _state(db).rules != PIECE_RULES:
                        _begin_anew(db)
                    self._write_pending(db)

    def _write_pending(self, db: sqlite3.Connection) -> None:
        """Write the oldest changes into the inverted index; what is killed before the last step is done again."""
        state = _state(db)
        if self._path is not None:
            _remove_other_folders(self._path.with_name(TERMS_FOLDER), state.folder)
        inverted_index = self._opened_inverted_index(state)
        change_of_page = _oldest_pending(db)
        if not change_of_page:
            return
        with transaction(db):
            cut_again(db, change_of_page)
        inverted_index.replace(change_of_page, _terms_of_pages(db, change_of_page))
        with transaction(db):
            db.execute("delete from pending where change <= ?", (max(change_of_page.values()),))
            db.execute("update piece_index set generation = generation + 1")
        self._inverted = _OpenInvertedIndex(inverted_index, state.folder, state.generation + 1)

    def _opened_inverted_index(self, state: _State) -> InvertedIndex:
        opened = self._inverted
        if opened is None or opened.folder != state.folder:
            folder = None if self._path is None else self._path.with_name(TERMS_FOLDER) / state.folder
            if folder is not None and state.generation and not folder.exists():
                raise DamagedIndexError(f"{folder} is missing")
            opened = _OpenInvertedIndex(InvertedIndex(folder), state.folder, state.generation)
        elif opened.generation != state.generation:
            opened.terms.reload()
            opened = opened._replace(generation=state.generation)
        self._inverted = opened
        return opened.terms

    def _start_anew(self) -> None:
        self._inverted = None
        with self._open() as db, self._writing():
            _begin_anew(db)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Wait for the other process that writes the inverted index, and keep others out."""
        if self._path is None:
            yield
            return
        with alone(self._path.with_name(TERMS_FOLDER)):
            yield

    def _failed(self, error: Exception) -> UnavailableError:
        where = self._path or "in memory"
        return UnavailableError(
            f"the local index at {where} failed: {error}", hint="try again; if it stays, delete the file"
        )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Hold the one connection; SQLite's errors leave as ours."""
        where = self._path or "in memory"
        with self._lock:
            if self._connection is None:
                try:
                    self._connection = connect(self._path, _MIGRATIONS)
                except (OSError, sqlite3.Error) as error:
                    raise ConfigError(
                        f"cannot open the local index at {where}: {reason_line(error)}",
                        hint="cache.dir must be a folder you can write",
                    ) from error
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise self._failed(error) from error


class _OpenInvertedIndex(NamedTuple):
    terms: InvertedIndex
    folder: str
    generation: int


class _State(NamedTuple):
    """How far the inverted index is."""

    folder: str
    """Its name under TERMS_FOLDER; in memory, the name alone."""
    rules: str
    generation: int
    """How often it was written."""
    has_pending: bool


def _state(db: sqlite3.Connection) -> _State:
    refuse_newer(db, _MIGRATIONS)
    query = "select folder, rules, generation, exists (select 1 from pending) from piece_index"
    return _State(*db.execute(query).fetchone())


def _begin_anew(db: sqlite3.Connection) -> None:
    """Give the inverted index another folder, and mark every page as a change."""
    with transaction(db):
        _mark_all_as_pending(db)


def _mark_all_as_pending(db: sqlite3.Connection) -> None:
    refuse_newer(db, _MIGRATIONS)
    db.execute("update piece_index set folder = ?, rules = ?, generation = 0", (token_hex(8), PIECE_RULES))
    db.execute("delete from pending")
    db.execute("insert into pending (page) select id from page order by id")


def _remove_other_folders(parent: Path, name: str) -> None:
    """Remove what a damaged index, or one by other rules, left."""
    if parent.is_dir():
        for folder in parent.iterdir():
            if folder.name != name:
                shutil.rmtree(folder, ignore_errors=True)


def _oldest_pending(db: sqlite3.Connection) -> dict[int, int]:
    """Return the newest change of each page, of the oldest changes with about MAX_UNWRITTEN_CHARS of text."""
    # `length` of SQLite ends a text at its first NUL, that of a blob does not. A page that is not cut yet has no words.
    query = """
        select change, page, (
            select sum(max(length(cast(text as blob)), length(cast(words as blob))))
            from piece where piece.page = pending.page
        )
        from pending order by change limit ?
    """
    change_of_page: dict[int, int] = {}
    length = 0
    for change, page, page_bytes in db.execute(query, (MAX_PAGES_AT_ONCE,)):
        change_of_page[page] = change
        length += page_bytes or 0
        if length >= MAX_UNWRITTEN_CHARS:
            break
    return change_of_page


def _terms_of_pages(db: sqlite3.Connection, page_ids: Iterable[int]) -> Iterator[PieceTerms]:
    """Yield the terms of the pieces of the pages that are there; one piece is in memory at a time."""
    for page in page_ids:
        row = db.execute("select title from page where id = ?", (page,)).fetchone()
        if row is not None:
            title_terms = f"{joined_terms(*row)} " * TITLE_WEIGHT
            for piece_id, piece_terms in load_terms(db, page):
                yield PieceTerms(page, piece_id, title_terms + piece_terms)


def _best_rows(
    db: sqlite3.Connection, inverted_index: InvertedIndex, query: str, term_weights: Mapping[str, float], count: int
) -> list[_Row]:
    """Return rows with words that match, best first: `count` where MAX_CANDIDATES pages have as many."""
    words = query_words(query)
    matcher = WordMatcher(words, _common_terms(inverted_index, words))
    side_by_side = NeighbouringWords(query)
    rows: list[_Row] = []
    for limit in (max(count, MAX_RERANKED), max(count, MAX_CANDIDATES)):
        best_pieces = _best_pieces(inverted_index, term_weights, limit)
        words_of_piece = load_words(db, [piece.piece_id for piece in best_pieces])
        reranked_pieces = [
            ScoredPiece(page, piece_id, side_by_side.raised_of_words(score, words_of_piece[page, piece_id]))
            for page, piece_id, score in best_pieces
            if (page, piece_id) in words_of_piece
        ]
        reranked_pieces.sort(key=lambda piece: -piece.score)
        rows = list(islice(_matching_rows(db, matcher, reranked_pieces, words_of_piece), count))
        if len(rows) == count or len(best_pieces) < limit:
            break
    return rows


def _matching_rows(
    db: sqlite3.Connection,
    matcher: WordMatcher,
    pieces: Iterable[ScoredPiece],
    words_of_piece: Mapping[tuple[int, int], str],
) -> Iterator[_Row]:
    """Yield the pieces that have a word of the query, or a similar one, in their text or the title of their page."""
    for page, piece_id, score in pieces:
        stored_piece = load_piece(db, page, piece_id)
        if stored_piece is None:
            continue
        words = words_of_piece[page, piece_id]
        if matcher.matches_folded(f" {words} ") or matcher.matches_folded(f" {fold(stored_piece.title)} "):
            yield _Row(stored_piece, words, score)


def _best_pieces(
    inverted_index: InvertedIndex, term_weights: Mapping[str, float], page_count: int
) -> list[ScoredPiece]:
    """Return the best piece of each page, best first, of `page_count` pages where so many match.

    Terms that many pieces have are looked up only where the rarer ones are on too few pages.
    """
    most = MAX_COMMON_SHARE * inverted_index.piece_count()
    frequencies = inverted_index.piece_frequencies(term_weights)
    rare = {term: weight for term, weight in term_weights.items() if frequencies[term] <= most}
    weights = rare or term_weights
    limit = PIECES_PER_PAGE * page_count
    while True:
        best = inverted_index.search(weights, limit, page_count)
        if len(best.pieces) >= page_count:
            return best.pieces
        if not best.has_all:
            limit *= 4
        elif len(weights) < len(term_weights):
            weights = term_weights
        else:
            return best.pieces


def index_row(snapshot: Snapshot, text: str, mark: str) -> IndexRow:
    """Return the page of an index with the words of `text`, the canonical markdown of `snapshot`."""
    metadata = snapshot.extraction.metadata
    packed = pack(snapshot)
    return IndexRow(
        url=snapshot.url,
        snapshot_id=snapshot.id,
        title=_one_line(metadata.title or ""),
        language=metadata.language,
        published_date=metadata.published_date,
        text=plain(text),
        mark=mark,
        about=packed.about,
        document=packed.document,
    )


def _log_sequence(db: sqlite3.Connection, log_id: str) -> int | None:
    """Return the number of the last applied change of this log; None when the index follows another one, or none."""
    row = db.execute("select sequence from log_position where log_id = ?", (log_id,)).fetchone()
    return None if row is None else int(row[0])


def _marked_again(db: sqlite3.Connection, url: str, snapshot_id: str, mark: str) -> bool:
    """Store the mark of a page that is there with this snapshot; return False when it is not."""
    query = "select page.id from page join kept on kept.page = page.id where url = ? and snapshot_id = ?"
    page_row = db.execute(query, (url, snapshot_id)).fetchone()
    if page_row is None:
        return False
    db.execute("update kept set mark = ? where page = ?", (mark, *page_row))
    return True


def _insert(db: sqlite3.Connection, page: IndexRow) -> None:
    """Put `page` in the place of the one with its URL."""
    _forget(db, page.url)
    inserted = db.execute(
        "insert into page (url, snapshot_id, title, language, published_date, piece_rules) values (?, ?, ?, ?, ?, ?)",
        (page.url, page.snapshot_id, page.title, page.language, page.published_date, PIECE_RULES),
    )
    assert inserted.lastrowid is not None  # an insert that did not fail
    db.execute("insert into kept values (?, ?, ?, ?)", (inserted.lastrowid, page.mark, page.about, page.document))
    insert_pieces(db, inserted.lastrowid, page.text)
    db.execute("insert into pending (page) values (?)", (inserted.lastrowid,))


def _forget(db: sqlite3.Connection, url: str) -> bool:
    page_row = db.execute("select id from page where url = ?", (url,)).fetchone()
    if page_row is None:
        return False
    db.execute("insert into pending (page) values (?)", page_row)
    delete_pieces(db, *page_row)
    db.execute("delete from kept where page = ?", page_row)
    db.execute("delete from page where id = ?", page_row)
    return True


def _common_terms(inverted_index: InvertedIndex, words: Sequence[WordRun]) -> set[str]:
    """Return the terms of `words` that more than half of all pieces have."""
    piece_count = inverted_index.piece_count()
    if piece_count < MIN_TEXTS_OF_COMMON_WORDS:
        return set()
    terms = list(dict.fromkeys(term for word in words for term in word.terms))[:_MAX_TERMS]
    return {term for term, frequency in inverted_index.piece_frequencies(terms).items() if frequency > piece_count // 2}


def _hit(rank: int, row: _Row, query_terms: QueryTerms) -> Hit:
    piece = row.piece
    snippet = _snippet(piece, row.words, query_terms)
    return Hit(
        title=piece.title or piece.url,
        url=piece.url,
        snippet=snippet,
        published_date=piece.published_date,
        source="local",
        rank=rank,
        score=row.score,
        marks=tuple(query_terms.marks(snippet)),
    )


def _one_line(title: str) -> str:
    """Return a title as it stands, which is no markdown: the `*` of `A*B` is a sign of its own."""
    return " ".join(title.split()).encode("utf-8", "replace").decode("utf-8")


def _snippet(piece: StoredPiece, words: str, query_terms: QueryTerms) -> str:
    """Return the sentences of a piece that answer best, as they stand together, in about `SNIPPET_CHARS`."""
    starts, ends, words_ends, term_counts = piece.sentences()
    counts = list(map(TermCounts, query_terms.frequencies_by_part(words, words_ends), term_counts))
    scores = bm25(query_terms.weights, counts)
    first = last = scores.index(max(scores))
    lengths = [end - start for start, end in zip(starts, ends, strict=True)]
    length = lengths[first]
    while last + 1 < len(starts) and length + 1 + lengths[last + 1] <= SNIPPET_CHARS:
        last += 1
        length += 1 + lengths[last]
    while first > 0 and length + 1 + lengths[first - 1] <= SNIPPET_CHARS:
        first -= 1
        length += 1 + lengths[first]
    lead = "\u2026 " if first or not piece.is_start else ""
    trail = " \u2026" if last + 1 < len(starts) or not piece.is_end else ""
    text = piece.text()
    shown = " ".join([text[starts[at] : ends[at]] for at in range(first, last + 1)])
    return f"{lead}{shown}{trail}"


# ---------------------------------------------------------------------------------------------------------- words alike
# Tells texts that have a word of a query, or a similar one, from texts that share only pieces of words with it.
#
# The index finds texts by pieces of words (`wellread.index.search_terms`), and a piece may come from an unrelated word:
# `zebra` and `algebra` share `ebra`. A word is similar when a reader would take it for a form of the same word, or for
# a typing error:
#
# | similar                                                   | query             | text                    |
# |-----------------------------------------------------------|-------------------|-------------------------|
# | one contains the other, from four letters                 | `dampfschiff`     | `donaudampfschifffahrt` |
# | they begin alike and differ in an ending of three letters | `changing`        | `changed`               |
# | one letter differs, is missing, added or swapped          | `limpts`          | `limpets`               |
# | long words share more than half of their pieces           | `lighthuosekeper` | `lighthousekeeper`      |
#
# Where no spaces part words, a text answers when it has two characters in a row that the query has in a row (four in
# scripts without ideographs). Words that stand in most of the texts, as `the` does, do not count beside rarer ones.

MAX_COMPARED_WORDS = 32
"""Words of a query that are compared with other words letter by letter; of the others, only the same word counts."""
MAX_ENDING_CHARS = 3
MIN_MISTYPED_CHARS = 4
"""Shorter words that differ in a letter are other words: not, nor, now."""
MIN_LONG_WORD_CHARS = 10
"""From here on, one wrong letter in the middle spoils less than half of the pieces."""


def query_words(query: str) -> tuple[WordRun, ...]:
    """Return the words of `query`, once each.

    A single letter beside longer words does not count: the `s` of `zebra's` is on every page.
    """
    words = tuple(dict.fromkeys(runs(query)))
    longer = tuple(word for word in words if len(word.text) > 1 or not word.is_spaced)
    return longer or words


class WordMatcher:
    """The words of a query, looked for in texts."""

    def __init__(self, words: Collection[WordRun], common_terms: Collection[str] = ()) -> None:
        """Take the words of the query, and their terms that most texts have."""
        common = frozenset(common_terms)
        rare = [word for word in words if not common.issuperset(word.terms)]
        words = rare or words
        self._spaced = [word for word in words if word.is_spaced]
        self._exact = {word.text[:MAX_WORD_CHARS] for word in self._spaced}
        self._exact_between_spaces = [f" {word} " for word in self._exact]
        terms = [term for word in words if not word.is_spaced for term in word.terms]
        self._unspaced_terms = [term for term in terms if term not in common] or terms

    def matches_folded(self, folded: str) -> bool:
        """Return whether a folded text has a word of the query, or one that is similar."""
        if any(term in folded for term in self._unspaced_terms):
            return True
        if any(word in folded for word in self._exact_between_spaces):
            return True
        text_words = {word[:MAX_WORD_CHARS] for word in spaced_words(folded)}
        if self._exact & text_words:
            return True
        return any(
            is_similar(word.text[:MAX_WORD_CHARS], text_word, word.piece_chars)
            for word in self._spaced[:MAX_COMPARED_WORDS]
            for text_word in text_words
        )


@lru_cache(maxsize=50_000)
def is_similar(word: str, other: str, piece_chars: int = 4) -> bool:
    """Return whether two folded words are probably forms of one word, or one of them a typing error.

    `piece_chars` is what counts as a part of a word: four letters, two syllables in Hangul.
    """
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) >= piece_chars and shorter in longer:
        return True
    beginning = _common_beginning(word, other)
    ending = len(longer) - beginning
    if beginning >= piece_chars and ending <= MAX_ENDING_CHARS:
        return True
    if ending == 1 and beginning == len(shorter) == piece_chars - 1:  # dog and dogs
        return True
    if len(shorter) >= MIN_MISTYPED_CHARS and _is_one_error(shorter, longer, beginning):
        return True
    return len(shorter) >= MIN_LONG_WORD_CHARS and _shares_most_pieces(shorter, longer, piece_chars)


def _common_beginning(word: str, other: str) -> int:
    for index, (character, other_character) in enumerate(zip(word, other, strict=False)):
        if character != other_character:
            return index
    return min(len(word), len(other))


def _is_one_error(shorter: str, longer: str, beginning: int) -> bool:
    """Return whether one letter differs, is missing, or is swapped with its neighbour (Damerau, 1964)."""
    rest_of_shorter, rest_of_longer = shorter[beginning:], longer[beginning:]
    if len(shorter) != len(longer):
        return rest_of_shorter == rest_of_longer[1:]
    if rest_of_shorter[1:] == rest_of_longer[1:]:
        return True
    return rest_of_shorter[:2] == rest_of_longer[1::-1] and rest_of_shorter[2:] == rest_of_longer[2:]


def _shares_most_pieces(shorter: str, longer: str, piece_chars: int) -> bool:
    pieces = word_pieces(longer, piece_chars)
    return 2 * len(pieces & word_pieces(shorter, piece_chars)) > len(pieces)
