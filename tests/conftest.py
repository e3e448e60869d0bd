"""What every test shares: the event loop, and a watch that lets no connection leave loopback."""

from __future__ import annotations

import gc
import os
import sys
import threading
from typing import TYPE_CHECKING

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from coverage import Coverage
from hypothesis import HealthCheck, is_hypothesis_test, settings

import postgres
import redis_server
from installed import objection
from sites import Names, Reading, Site, need_browser, serving, settings_for, skip_or_fail
from wellread.apps.build import Web
from wellread.config import CacheSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from postgres import Postgres
    from redis_server import RedisServer

LOOPBACK = ("127.", "::1", "localhost")

# Properties say what is so, not how fast: a machine that is slow, or busy elsewhere, refutes none of them.
settings.register_profile("new examples", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Each run tries the same examples, so that a change alone can refute a property; `make test-slow` looks for new ones.
settings.register_profile("same examples", settings.get_profile("new examples"), derandomize=True)
settings.load_profile("same examples")


def _watch(event: str, args: tuple[object, ...]) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple) and not str(args[1][0]).startswith(LOOPBACK):
        raise AssertionError(f"a test tried to reach {args[1]!r}; only loopback is allowed")


sys.addaudithook(_watch)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--wheel", action="store_true", help="test a wheel, and refuse src/ itself")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse to prove what is no longer so."""
    if not hasattr(session.config, "workerinput") and (why := objection(wheel=session.config.getoption("wheel"))):
        pytest.exit(why, returncode=pytest.ExitCode.USAGE_ERROR)


def pytest_collectstart() -> None:
    """Look for no garbage while libraries and tests are loaded: there is next to none."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Now that all is loaded for good, never look at it again; and measure no process but this one.

    A process of its own takes twice as long under the tracer, and shows little that no test shows here.
    """
    gc.freeze()
    gc.enable()
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)


def pytest_sessionfinish() -> None:
    """Write down what was covered while there is time: xdist kills a worker that takes over 10 s to leave."""
    if (measured := Coverage.current()) is not None:
        measured.save()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run properties, and what is marked `untraced`, without the tracer that measures coverage.

    It makes them half as slow again, and the lines that they reach are reached by other tests too.
    """
    tracer, later = sys.gettrace(), threading.gettrace()
    apart = is_hypothesis_test(pyfuncitem.obj) or pyfuncitem.get_closest_marker("untraced") is not None
    if tracer is None or not apart:
        return (yield)
    sys.settrace(None)
    threading.settrace(None)  # as it was before there was one
    try:
        return (yield)
    finally:
        threading.settrace(later)
        sys.settrace(tracer)
        _call()


def _call() -> None:
    """Be called: a tracer takes its place again at the next call, and must not miss the return after that."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """For the session, so that fixtures of any scope may be asynchronous: a test has a loop of its own, or theirs."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def worker_processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the worker processes for all tests: they end with the last open `Web`, and take a second to start."""
    web = Web(Settings(cache=CacheSettings(dir=tmp_path_factory.mktemp("open"))))
    yield
    anyio.run(web.aclose)


@pytest.fixture(scope="session")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    """Read through one browser, shared by all tests, from a site on loopback."""
    need_browser()
    site = Site()
    server = serving(site)
    hosts = ("app.example", "other.test.example", "frames.second.example", "consent.google.example")
    settings = settings_for(site, tmp_path_factory.mktemp("browsing"), hosts=hosts, restart_after=10_000, idle_s=600)
    with start_blocking_portal() as portal:
        web = portal.call(lambda: _made(settings))
        yield Reading(portal, site, web)
        portal.call(web.aclose)
    server.shutdown()
    server.server_close()


async def _made(settings: Settings) -> Web:
    return Web(settings, resolver=Names())


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    if postgres.binaries() is None:
        skip_or_fail("no PostgreSQL is installed (Debian: apt-get install postgresql)")
    with postgres.serving() as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    if not redis_server.is_installed():
        skip_or_fail("no Redis is installed (Debian: apt-get install redis-server)")
    with redis_server.serving() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty store of the assistant, on each database there is."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/assistant.db"
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    with server.database() as url:
        yield url
