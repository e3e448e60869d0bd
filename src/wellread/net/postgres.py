"""Connections to PostgreSQL servers of the owner's settings: an engine of SQLAlchemy, or one connection by itself.

No URL of a page, a caller or a model reaches it: the address is a setting, or an option of the command line.
"""

from __future__ import annotations

import getpass
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

import stamina

from wellread.errors import ConfigError, UnavailableError, reason_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Engine

    from wellread.values import Address

TIMEOUT_S: Final = 300.0
"""For one answer of the server: statements over all rows of a large table take minutes."""
ATTEMPTS: Final = 6
"""Of a statement whose connection breaks, or that meets a deadlock; a restart of the server fits in."""
SSL_MODES: Final[dict[str, bool | None]] = {"disable": False, "prefer": None, "require": True}
"""`sslmode` of a URL -> `ssl_context` of pg8000."""
_DEFAULT_PORT: Final = 5432
ENDED_STATES: Final = ("08", "57P")
"""Beginnings of SQLSTATE codes after which the connection is over: connection, shutdown (PostgreSQL documentation,
appendix A)."""
_RETRIED_STATES: Final = (*ENDED_STATES, "40")
"""Beginnings of SQLSTATE codes after which the same statement may succeed; 40 is rollback."""


class _TransientError(Exception):
    """The same statement may succeed on a new connection, or after the transaction that it collided with."""


def require_driver() -> None:
    """Check that the driver is installed.

    Raises:
        ConfigError: it is not.
    """
    try:
        import pg8000  # noqa: F401 - an extra
    except ModuleNotFoundError as error:
        raise ConfigError("pg8000 is not installed", hint="pip install 'wellread[postgres]'") from error


_URL_FIELDS: Final = frozenset({"application_name", "host", "password", "sslmode", "unix_sock", "user"})
"""Fields of the query of a database URL: `sslmode`, and the arguments of the driver that are texts."""


def postgres_engine(url: str, *, setting: str, timeout_s: float, pool_timeout_s: float = 30.0) -> Engine:
    """Return the engine of `url`, the value of `setting`; nothing is connected yet.

    `timeout_s` is for one answer of the server, `pool_timeout_s` for a free connection of the pool.

    Raises:
        ConfigError: the URL is not valid, or the driver is not installed.
    """
    require_driver()  # the dialect loads it too late for a clear word
    from sqlalchemy import create_engine, make_url
    from sqlalchemy.dialects import registry
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    registry.register("postgresql.wellread", "wellread.net.postgres_dialect", "PostgresDialect")
    try:
        parsed = make_url(url)
        mode = _checked_ssl_mode(str(parsed.query.get("sslmode", "prefer")))
        if unknown_fields := set(parsed.query) - _URL_FIELDS:
            hint = f"it may have {', '.join(sorted(_URL_FIELDS))}"
            raise ConfigError(f"{setting} has the parameter {min(unknown_fields)!r}", hint=hint)
        return create_engine(
            parsed.set(drivername="postgresql+wellread").difference_update_query(["sslmode"]),
            connect_args={"ssl_context": SSL_MODES[mode], "timeout": timeout_s},
            pool_timeout=pool_timeout_s,
            pool_pre_ping=True,  # a server that was restarted costs a new connection, and nothing else
        )
    except (ArgumentError, NoSuchModuleError, ValueError):  # the message may repeat the URL, with its password
        raise ConfigError(
            f"{setting} is not a PostgreSQL URL", hint="use postgresql://user:password@host/name"
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """The parts of a URL of a PostgreSQL database."""

    host: str
    port: int
    user: str
    password: str | None = field(repr=False)
    database: str
    ssl_mode: str = "prefer"
    schema: str = "public"


def parse_address(url: Address, name: str, *, schema: str) -> ServerAddress:
    """Return the parts of `postgresql://user:password@host:port/database?sslmode=require&schema=name`.

    `name` is the setting or option in errors, which never repeat the URL; `schema` is the schema where it names none.

    Raises:
        ConfigError: it is no URL of a PostgreSQL database, or has other parameters.
    """
    hint = "use postgresql://user:password@host/database"
    try:
        parts = urlsplit(url.reveal())
        port = parts.port or _DEFAULT_PORT
    except ValueError:
        raise ConfigError(f"{name} is not a PostgreSQL URL", hint=hint) from None
    if parts.scheme not in {"postgresql", "postgres"} or not parts.hostname:
        raise ConfigError(f"{name} is not a PostgreSQL URL", hint=hint)
    parameters = dict(parse_qsl(parts.query))
    ssl_mode, schema = parameters.pop("sslmode", "prefer"), parameters.pop("schema", schema)
    if parameters:
        raise ConfigError(f"{name} has the parameter {min(parameters)!r}", hint="it may have sslmode and schema")
    ssl_mode = _checked_ssl_mode(ssl_mode)
    if not (schema.isascii() and schema.isidentifier() and schema == schema.lower()):
        raise ConfigError(f"{name} names the schema {schema!r}", hint="use lower-case letters, digits and _")
    user = unquote(parts.username) if parts.username else getpass.getuser()
    return ServerAddress(
        host=parts.hostname,
        port=port,
        user=user,
        password=None if parts.password is None else unquote(parts.password),
        database=unquote(parts.path.removeprefix("/")) or user,
        ssl_mode=ssl_mode,
        schema=schema,
    )


def _checked_ssl_mode(mode: str) -> str:
    """Return a key of SSL_MODES.

    Raises:
        ConfigError: it is none.
    """
    if mode not in SSL_MODES:
        raise ConfigError(f"sslmode={mode} is not supported", hint="use disable, prefer or require")
    return mode


class PostgresConnection:
    """One connection, for several threads that take turns; a connection that breaks is replaced.

    A statement is sent again when its connection breaks before the answer, so it must do no harm when it runs twice.
    """

    def __init__(
        self, address: ServerAddress, parameters: Mapping[str, str], *, timeout_s: float | None = TIMEOUT_S
    ) -> None:
        """Connect, with settings of the server for this connection (`SHOW ALL`).

        `timeout_s` is for one answer of the server; None waits without end.

        Raises:
            ConfigError: the driver is not installed.
            UnavailableError: nothing answers there, or the server refuses.
        """
        require_driver()
        self._address = address
        self._parameters = parameters
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._connection: Any = None  # pg8000 has no types
        self._statements: dict[str, Any] = {}  # as above
        self._attempt(lambda: self._prepared("select 1").run(), attempts=1)

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._disconnect()

    def run(self, statement: str, **parameters: object) -> list[list[Any]]:  # Any: of the columns
        """Run a statement with its `:parameters`, and return its rows.

        Raises:
            UnavailableError: the server does not answer, or refuses the statement.
        """
        return self._attempt(lambda: self._prepared(statement).run(**parameters))

    def run_script(self, script: str) -> None:
        """Run several statements without parameters as one transaction.

        Raises:
            UnavailableError: as `run`.
        """
        self._attempt(lambda: self._connected().run(script))

    def _attempt(self, call: Any, *, attempts: int = ATTEMPTS) -> list[list[Any]]:  # Any: a call of pg8000, its rows
        try:
            for attempt in stamina.retry_context(on=_TransientError, attempts=attempts, timeout=None, wait_max=4.0):
                with attempt:
                    return self._call(call)
        except _TransientError as error:
            raise UnavailableError(f"the PostgreSQL server {self._place} does not answer: {error}") from error
        raise AssertionError("the last attempt returns or raises")

    def _call(self, call: Any) -> list[list[Any]]:  # Any: as above
        from pg8000.exceptions import DatabaseError, InterfaceError

        with self._lock:
            try:
                return call() or []
            except DatabaseError as error:
                state, message = sql_state(error)
                if not state.startswith("40"):
                    self._disconnect()
                if state.startswith(_RETRIED_STATES):
                    raise _TransientError(message) from error
                raise UnavailableError(
                    f"the PostgreSQL server {self._place} refuses: {message}", hint="see the address and its rights"
                ) from error
            except (InterfaceError, OSError) as error:
                self._disconnect()
                raise _TransientError(reason_line(error)) from error
            except BaseException:
                self._disconnect()  # the answer may still be on its way
                raise

    @property
    def _place(self) -> str:
        return f"at {self._address.host}:{self._address.port}"

    def _connected(self) -> Any:  # Any: a connection of pg8000
        if self._connection is None:
            from pg8000.native import Connection

            address = self._address
            self._connection = Connection(
                address.user,
                host=address.host,
                port=address.port,
                password=address.password,
                database=address.database,
                ssl_context=SSL_MODES[address.ssl_mode],
                timeout=self._timeout_s,
                application_name="wellread",
                startup_params={"search_path": address.schema, **self._parameters},
            )
        return self._connection

    def _prepared(self, statement: str) -> Any:  # Any: a statement of pg8000
        if statement not in self._statements:
            self._statements[statement] = self._connected().prepare(statement)
        return self._statements[statement]

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        self._statements.clear()
        if connection is None:
            return
        from pg8000.exceptions import Error

        try:
            connection.close()
        except (Error, OSError):
            return  # it is broken


def sql_state(error: Exception) -> tuple[str, str]:
    """Return the SQLSTATE code and the message of an error of the server."""
    fields = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
    return str(fields.get("C", "")), str(fields.get("M", error))[:200]
