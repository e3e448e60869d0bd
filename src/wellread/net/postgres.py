"""Opens PostgreSQL servers of the owner's settings, by pg8000."""

from __future__ import annotations

from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from wellread.errors import ConfigError


def postgres_engine(url: str, *, setting: str, timeout_s: float) -> Engine:
    """Return the engine of `url`, the value of `setting`; nothing is connected yet.

    Raises:
        ConfigError: the URL is not valid, or pg8000 is not installed.
    """
    try:
        import pg8000  # noqa: F401 - an extra; the dialect loads it too late for a clear word
    except ModuleNotFoundError as error:
        raise ConfigError("pg8000 is not installed", hint="pip install 'wellread[postgres]'") from error
    try:
        parsed = make_url(url)
        mode = parsed.query.get("sslmode", "prefer")
        secure = {"disable": False, "prefer": None, "require": True}
        if mode not in secure:
            raise ConfigError(f"sslmode={mode} is not supported", hint="use disable, prefer or require")
        return create_engine(
            parsed.set(drivername="postgresql+pg8000").difference_update_query(["sslmode"]),
            connect_args={"ssl_context": secure[str(mode)], "timeout": timeout_s},
            pool_pre_ping=True,  # a server that was restarted costs a new connection, and nothing else
        )
    except (ArgumentError, NoSuchModuleError) as error:  # the message may repeat the URL, with its password
        raise ConfigError(
            f"{setting} is not a PostgreSQL URL", hint="use postgresql://user:password@host/name"
        ) from error
