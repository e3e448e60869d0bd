"""The assistant's store: one SQL database (SQLite by default, PostgreSQL by setting), one transaction at a time.

Each package declares its own tables on `Base`, and writes the migration that makes them:
`wellread.assistant.migrations` says how.
Rows that belong to a user are `Private`. They are reached through `Database.for_user(user)`, whose sessions filter
every statement by the user and stamp every new row, or through `Database.for_all_users()`, for work between users (what
is due, messages on their way). `Database.run` reaches none of them.
Times are integers, milliseconds since 1970-01-01 UTC, named `*_ms`.
"""

import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeGuard, TypeVar

import anyio.to_thread
from sqlalchemy import (
    URL,
    Alias,
    BigInteger,
    ClauseElement,
    ColumnClause,
    Connection,
    CursorResult,
    Engine,
    Integer,
    Join,
    MetaData,
    QueuePool,
    Select,
    Text,
    TextClause,
    TextualSelect,
    Update,
    create_engine,
    event,
    inspect,
    make_url,
    or_,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError
from sqlalchemy.orm import (
    DeclarativeBase,
    FromStatement,
    InstrumentedAttribute,
    LoaderCriteriaOption,
    Mapped,
    ORMExecuteState,
    Session,
    UOWTransaction,
    mapped_column,
    with_loader_criteria,
)
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.sql import visitors
from sqlalchemy.sql.expression import AliasedReturnsRows, HasPrefixes, HasSuffixes, TableClause
from sqlalchemy.sql.util import find_tables

from wellread.assistant import migrations
from wellread.assistant.users import Shareable, User
from wellread.errors import ConfigError, InvalidInput, UnavailableError, reason_line
from wellread.net.postgres import postgres_engine
from wellread.store.db import alone

T = TypeVar("T")
Row = TypeVar("Row", bound="Base")
FrozenT = TypeVar("FrozenT", bound="Frozen")

_LOCK_TIMEOUT_MS = 10_000
"""How long one writer waits for another, and whoever opens the store for its migration."""


class Base(DeclarativeBase):
    """The tables of the assistant."""

    # Numbers are 64 bits wide everywhere; SQLite's are anyway, and it numbers rows by INTEGER keys only.
    type_annotation_map: ClassVar[dict[Any, Any]] = {  # Any: as SQLAlchemy declares it
        int: BigInteger().with_variant(Integer, "sqlite"),
    }
    metadata = MetaData(naming_convention=migrations.NAMES)


class Private:
    """A row that belongs to a user."""

    shared_as: ClassVar[Shareable | None] = None
    """The word of `assistant.shared` by which all users have these rows in common; None: never."""

    user_id: Mapped[str] = mapped_column(Text, index=True)
    """The account that the row was made under (`wellread.assistant.users`)."""


class UserScopeError(RuntimeError):
    """A mistake in the program: private rows are reached without their user."""


def changed_rows(session: Session, statement: Update) -> int:
    """Carry out an update, and return the number of changed rows: 0 where another process was faster."""
    result = session.execute(statement)
    assert isinstance(result, CursorResult)
    return result.rowcount


class Frozen(Protocol):
    """The protocol of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # Any: as dataclasses declare it


def frozen_row(kind: type[FrozenT], row: Base, **overrides: object) -> FrozenT:
    """Return the frozen form of a row: a field is the column of its name, or one of `overrides`."""
    return kind(
        **{field.name: getattr(row, field.name) for field in fields(kind) if field.name not in overrides}, **overrides
    )


def find_row(session: Session, query: Select[Row], name: str, kind: str, *columns: InstrumentedAttribute[str]) -> Row:
    """Return the row of an id, of its beginning (at least 4 characters), or of a name; it is held to be changed.

    `columns`: the id column first, then the name columns. `kind` names the rows in errors.

    Raises:
        InvalidInput: there is none, or more than one.
    """
    name = name.strip()
    conditions = [column == name for column in columns]
    if len(name) >= 4:
        conditions.insert(0, columns[0].startswith(name, autoescape=True))
    query = query.where(or_(*conditions))
    rows = session.scalars(query.limit(2).with_for_update()).all()
    if len(rows) != 1:
        problem = f"more than one {kind} is" if rows else f"there is no {kind}"
        raise InvalidInput(f"{problem} called {name[:60]!r}", hint="use its id from the list")
    return rows[0]


def new_id() -> str:
    """Return a new unique key."""
    return uuid.uuid4().hex


class Database:
    """The open store; safe for several tasks and several processes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, url: str) -> Self:
        """Open the store at an SQLAlchemy URL: `sqlite:////path/assistant.db`, `postgresql://user@host/name`.

        Its tables are brought up to date; several processes may do so at once. A file is made readable by its owner
        alone. `?sslmode=require` asks PostgreSQL for an encrypted connection.

        Raises:
            ConfigError: the URL or the file is of no use, or the store was written by a newer wellread.
            UnavailableError: nothing answers there, or another process holds the store for too long.
        """
        engine = _engine(url)
        try:
            with engine.begin() as connection:
                migrations.upgrade(connection)
        except (OperationalError, InterfaceError) as error:
            engine.dispose()
            raise _unavailable(error) from error
        except BaseException:
            engine.dispose()
            raise
        return cls(engine)

    def for_user(self, user: User) -> "UserStore":
        """Return the store as `user` sees it."""
        return UserStore(self._engine, user)

    def for_all_users(self) -> "Store":
        """Return the store for work between users; new rows must name their user."""
        return Store(self._engine, {"all_users": True})

    async def run(self, work: Callable[[Session], T]) -> T:
        """Do `work` as `Store.run` does, on tables that hold nothing private."""
        return await Store(self._engine, {}).run(work)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()


class Store:
    """The open store, limited to its scope."""

    def __init__(self, engine: Engine, info: dict[Any, Any]) -> None:  # Any: as SQLAlchemy declares it
        self._engine = engine
        self._info = info

    async def run(self, work: Callable[[Session], T]) -> T:
        """Do `work` in one transaction in a thread of its own; an exception rolls everything back.

        On SQLite the transaction is the only writer from its first statement on, so what it has read still holds when
        it writes. On PostgreSQL others may write between: make sure by constraints and conditional updates.

        Raises:
            UnavailableError: the store does not answer, or another writer held it for too long.
        """

        def transaction() -> T:
            try:
                with _ScopedSession(self._engine, info=self._info) as session, session.begin():
                    return work(session)
            except (OperationalError, InterfaceError) as error:
                raise _unavailable(error) from error

        return await anyio.to_thread.run_sync(transaction)

    async def wipe(self) -> bool:
        """Remove deleted data from the database's files; False where an older state is still being read.

        SQLite rewrites its file and empties its log. A server keeps logs and backups of its own, so there it is False.
        """
        if self._engine.dialect.name != "sqlite":
            return False

        def rewrite() -> bool:
            connection = self._engine.raw_connection()  # outside of any transaction
            cursor = connection.cursor()
            try:
                cursor.execute("PRAGMA busy_timeout = 1000")  # somebody waits for the answer
                cursor.execute("VACUUM")
                return bool(cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
            except sqlite3.OperationalError:  # locked for longer than that; the next wipe does it
                return False
            finally:
                cursor.close()
                connection.invalidate()  # with its short timeout

        return await anyio.to_thread.run_sync(rewrite)


class UserStore(Store):
    """The store as one user sees it: other users' rows do not exist."""

    def __init__(self, engine: Engine, user: User) -> None:
        super().__init__(engine, {"user": user})
        self.user = user


class _ScopedSession(Session):
    """Adds the user to every statement that reaches private rows, or refuses it.

    Calls that send statements past `do_orm_execute`, where the user is added, are refused.
    """

    def connection(self, *args: Any, **options: Any) -> Connection:  # Any: as SQLAlchemy declares it
        """Return the connection, which nothing filters, for work between users alone."""
        if "all_users" not in self.info:
            raise UserScopeError("a connection cannot be filtered by its user")
        return super().connection(*args, **options)

    def bulk_save_objects(self, *_args: object, **_options: object) -> None:
        """Refuse to write rows that `_stamp` does not see."""
        raise UserScopeError("a bulk call cannot be filtered by its user")

    bulk_insert_mappings = bulk_update_mappings = bulk_save_objects


def _private_rows() -> frozenset[type[Private]]:
    """Return the private row classes that are loaded by now."""
    return frozenset(mapper.class_ for mapper in Base.registry.mappers if issubclass(mapper.class_, Private))


def _private_names() -> set[str]:
    """Return the names of the tables of private rows."""
    return {inspect(row).local_table.name for row in _private_rows()}


@lru_cache
def _criteria(user: User, rows: frozenset[type[Private]]) -> tuple[LoaderCriteriaOption, ...]:
    return tuple(
        with_loader_criteria(row, row.user_id.in_(user.accounts), include_aliases=True)
        for row in rows
        if row.shared_as not in user.shared
    )


@event.listens_for(_ScopedSession, "do_orm_execute")
def _filter(state: ORMExecuteState) -> None:
    info = state.session.info
    if "all_users" in info:
        return
    if "user" in info:
        _refuse_unfiltered(state)
    if "user" in info and state.is_orm_statement and not state.is_insert:
        state.statement = state.statement.options(*_criteria(info["user"], _private_rows()))
    elif tables := _private_tables(state):
        raise UserScopeError(f"a statement on {', '.join(sorted(tables))} has no user")


def _refuse_unfiltered(state: ORMExecuteState) -> None:
    """Refuse the forms of statements to which SQLAlchemy adds no criteria of entities.

    Raises:
        UserScopeError: the statement contains SQL text, updates by key, or names columns of a private table directly.
    """
    if state.is_update and not isinstance(state.parameters, Mapping | None):
        raise UserScopeError("an update by key cannot be filtered by its user")
    assert isinstance(state.statement, ClauseElement)
    private = _private_names()
    for element in visitors.iterate(state.statement):
        if isinstance(element, TextClause | TextualSelect | FromStatement):
            raise UserScopeError("a textual statement cannot be filtered by its user")
        if isinstance(element, ColumnClause) and element.is_literal and element.name != "*":  # count(*)
            raise UserScopeError("a literal column cannot be filtered by its user")
        if names := private & {table.name.casefold() for table in _tables_without_class(element)}:
            raise UserScopeError(f"the private table {', '.join(sorted(names))} is reached without its class")
        # The statements that SQLAlchemy makes itself (`Session.get`, before a delete) name keys without their class.
        nested = element if isinstance(element, Select) and id(element) != id(state.statement) else None
        results = [result["expr"] for result in nested.column_descriptions] if nested is not None else []
        for column in (element, *results):
            if _is_without_class(column, private) and (column is not element or not column.primary_key):
                raise UserScopeError(f"the column {column.name} of a private table is reached without its class")
        has_prefix = isinstance(element, HasPrefixes) and bool(element._prefixes)  # noqa: SLF001 - nothing public
        if has_prefix or (isinstance(element, HasSuffixes) and bool(element._suffixes)):  # noqa: SLF001 - as above
            raise UserScopeError("a prefix or suffix of a statement cannot be filtered by its user")
    if state.is_update and _sets_user(state.statement):
        raise UserScopeError("a row is never handed to another user")


def _sets_user(statement: ClauseElement) -> bool:
    """Tell whether an update sets the user of its rows."""
    return isinstance(statement, Update) and "user_id" in statement.compile().params


def _has_class(element: ClauseElement) -> bool:
    """Tell whether a column or table is reached through its mapped class, which the criteria are added to."""
    return "parententity" in element._annotations  # noqa: SLF001 - the only sign


def _tables_without_class(element: object) -> Iterator[TableClause]:
    """Yield the tables that a SELECT selects from or joins other than through their classes."""
    if not isinstance(element, Select):
        return
    waiting: list[object] = [*element._from_obj, *(join[0] for join in element._setup_joins)]  # noqa: SLF001 - nothing public
    while waiting:
        source = waiting.pop()
        if not isinstance(source, ClauseElement) or _has_class(source):
            continue
        if isinstance(source, Join):
            waiting += [source.left, source.right]
        elif isinstance(source, AliasedReturnsRows):
            waiting.append(source.element)
        elif isinstance(source, TableClause):
            yield source


def _is_without_class(element: object, private: set[str]) -> TypeGuard[ColumnClause[Any]]:  # Any: of whatever type
    """Tell whether an element is a column of a private table, or its alias, that is not reached through its class."""
    if not isinstance(element, ColumnClause) or _has_class(element):
        return False
    table = element.table
    while isinstance(table, Alias):
        table = table.element
    return isinstance(table, TableClause) and table.name.casefold() in private


def _private_tables(state: ORMExecuteState) -> set[str]:
    private = _private_names()
    assert isinstance(state.statement, ClauseElement)
    tables = find_tables(
        state.statement, check_columns=True, include_aliases=True, include_joins=True, include_selects=True,
        include_crud=True,
    )  # fmt: skip
    return private & {getattr(table, "name", "") for table in tables}


@event.listens_for(_ScopedSession, "detached_to_persistent")
def _refuse_detached(session: Session, row: object) -> None:
    """Refuse a row that this session has not loaded: it would be written by the key that the caller gave it."""
    if isinstance(row, Private) and "all_users" not in session.info:
        raise UserScopeError(f"a row of {type(row).__name__} was loaded elsewhere")


@event.listens_for(_ScopedSession, "before_flush")
def _stamp(session: Session, _context: UOWTransaction, _instances: object) -> None:
    """Give new rows their user, and see that none of another user is changed."""
    user: User | None = session.info.get("user")
    for row in (*session.new, *session.dirty, *session.deleted):
        if not isinstance(row, Private):
            continue
        row_user_id: str | None = row.user_id
        if user is not None and row_user_id is None:
            row.user_id = user.account
        moved = row not in session.new and inspect(row).attrs.user_id.history.has_changes()
        theirs = user is not None and row.user_id not in user.accounts and row.shared_as not in user.shared
        if moved or theirs or not row.user_id or not session.info:
            raise UserScopeError(f"a row of {type(row).__name__} is not its user's")


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError as error:  # its message repeats the URL, which may hold a password
        raise ConfigError(
            "store.url is not a database URL", hint="use a URL such as sqlite:////home/me/assistant.db"
        ) from error
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(parsed)
    if parsed.get_backend_name() == "postgresql":
        return postgres_engine(url, setting="store.url", timeout_s=_LOCK_TIMEOUT_MS / 1_000)
    raise ConfigError(
        f"store.url names {parsed.get_backend_name()!r}, which is not supported", hint="use sqlite or postgresql"
    )


def _sqlite(url: URL) -> Engine:
    path = None
    if url.database not in {None, "", ":memory:"}:
        path = Path(str(url.database))
    if path is None:
        # One connection for all, taken in turns: another one would be another, empty database.
        engine = create_engine(url, poolclass=QueuePool, pool_size=1, max_overflow=0, connect_args=_any_thread())
    else:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)  # the log and its index take their mode from here
        except OSError as error:
            raise ConfigError(f"cannot create the assistant's database at {path}: {reason_line(error)}") from error
        engine = create_engine(url, connect_args=_any_thread())
    event.listen(engine, "begin", _begin)

    def set_pragmas(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        _set_pragmas(connection, path)

    event.listen(engine, "connect", set_pragmas)
    return engine


def _any_thread() -> dict[str, object]:
    return {"check_same_thread": False, "timeout": _LOCK_TIMEOUT_MS / 1_000, "isolation_level": None}


def _set_pragmas(connection: DBAPIConnection, path: Path | None) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    # What was marked as sent or begun stays so even when the power goes: an action must not happen twice.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA journal_mode")
    if path is not None and cursor.fetchone() != ("wal",):
        # Two processes that switch a file to WAL at once fail without waiting, so they queue here.
        with alone(path):
            cursor.execute("PRAGMA journal_mode = WAL")
    cursor.close()


def _begin(connection: Connection) -> None:
    # Immediate: a reader that turns writer halfway is refused at once when another has written, whatever its timeout.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _unavailable(error: OperationalError | InterfaceError) -> UnavailableError:
    return UnavailableError(f"the assistant's database does not answer: {reason_line(error)}", hint="check store.url")
