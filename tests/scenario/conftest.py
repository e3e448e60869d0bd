"""What scenarios share: a pipeline over a dictionary, with no sockets, and servers on loopback for all else."""

from __future__ import annotations

import signal
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
import stamina

from contract.integration_fakes.services import Town, town
from scenario import browsing_interfaces
from scenario.loopback import serving
from scenario.story import Story
from sites import Site, need_browser
from sites import serving as serving_pages
from wellread.net.postgres import PostgresConnection, parse_address
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from postgres import Postgres
    from scenario.loopback import Server
    from scenario.story import Pages, Tell


@pytest.fixture(scope="module")
def harbour() -> Iterator[Site]:
    """A site on loopback to be worked in a real browser."""
    need_browser()
    site = Site()
    server = serving_pages(site)
    browsing_interfaces.stock(site)
    yield site
    server.shutdown()
    server.server_close()


@pytest.fixture
def tell() -> Iterator[Tell]:
    told: list[Story] = []

    def tell(pages: Pages) -> Story:
        told.append(Story(pages))
        return told[-1]

    yield tell
    for story in told:
        story.store.close()
        story.index.close()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as server:
        yield server


@pytest.fixture
async def other() -> AsyncIterator[Server]:
    async with serving() as other:
        yield other


@pytest.fixture
def postgres_url(postgres_server: Postgres) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


@pytest.fixture
def postgres_database(postgres_url: str) -> Iterator[PostgresConnection]:
    address = parse_address(Address(postgres_url), "url", schema="public")
    with closing(PostgresConnection(address, {})) as connection:
        yield connection


@pytest.fixture
def no_pauses() -> Iterator[None]:
    """Retries come at once."""
    with stamina.set_testing(True, attempts=100, cap=True):
        yield


@pytest.fixture(scope="module")
async def built(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Town]:
    async with town(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest.fixture
def here(built: Town) -> Town:
    """An assistant that is connected with Google and Linear, as if nothing had happened there yet."""
    built.services.reset()
    return built


@pytest.fixture
def interruptible_children() -> Iterator[None]:
    """Let programs that a test starts react to SIGINT, even where a shell has pytest run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
