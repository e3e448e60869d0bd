"""Every embedding service, by name, against a strict fake of it over real HTTP: when sound, and with each fault."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.embedder_fakes import SERVICES, cases, decide, meaning
from contract.provider_fakes.exchange import KEY, Asked
from contract.provider_fakes.server import serving
from wellread import plugins
from wellread.apps import search_services
from wellread.config import FetchSettings, NetSettings, Settings
from wellread.errors import Auth, BlockedAddress, ConfigError, RateLimited, WellreadError
from wellread.net import guard
from wellread.net.client import Client
from wellread.net.dial import NetworkTransport
from wellread.ports import Access
from wellread.sections import EmbedSettings
from wellread.testing import DictWeb, FakeClock
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from wellread.ports import Embedder, EmbeddingService

pytestmark = pytest.mark.anyio

NAMES = plugins.names("embedders")
MATRIX = cases()
TEXTS = ["What do whelks eat?", "Snails eat crabs.\nÜber 茶 \ud800.", "The lamp"]


@cache
def service(name: str) -> EmbeddingService:
    made: EmbeddingService = plugins.load("embedders", name)()
    return made


class Site(NamedTuple):
    """The running fakes."""

    port: int
    log: list[tuple[str, str, Asked]]
    client: Client

    def embedder(self, name: str, fault: str = "sound", **given: Any) -> Embedder:
        url = f"http://127.0.0.1:{self.port}/{name}/{fault}{SERVICES[name].path}/"
        asked = replace(EmbedSettings(service=name, url=Address(url), key=Secret(KEY), timeout_s=60.0), **given)
        made = search_services.embedder(asked, fetcher=self.client, clock=FakeClock())
        assert made is not None
        return made


@pytest.fixture(scope="module")
def fakes() -> Iterator[tuple[int, list[tuple[str, str, Asked]]]]:
    with serving(decide) as running:
        yield running


@pytest.fixture
async def site(fakes: tuple[int, list[tuple[str, str, Asked]]]) -> AsyncIterator[Site]:
    """A client for each test: one that was asked to wait would wait in the next test, too."""
    port, log = fakes
    settings = Settings(net=NetSettings(allow_hosts=(f"127.0.0.1:{port}",)), fetch=FetchSettings(attempts=1))
    client = Client(settings, NetworkTransport(settings, policy=guard.read_policy(settings.net)), clock=FakeClock())
    yield Site(port, log, client)
    await client.aclose()


def test_every_service_has_a_fake_and_enough_faults() -> None:
    assert set(NAMES) == set(SERVICES)
    assert [service(name).name for name in NAMES] == list(NAMES)
    assert len(MATRIX) >= 40


@pytest.mark.parametrize("name", NAMES)
async def test_texts_become_vectors_in_their_order_by_one_request(site: Site, name: str) -> None:
    before = len(site.log)
    vectors = await site.embedder(name).embed(TEXTS)
    assert [list(vector) for vector in vectors] == [meaning(text) for text in TEXTS]
    ((_, _, asked),) = site.log[before:]
    assert len(asked.json["input"]) == 3
    assert asked.headers["user-agent"].startswith("wellread/")


@pytest.mark.parametrize(("name", "fault"), MATRIX)
async def test_every_fault_of_every_service_is_called_by_its_name(site: Site, name: str, fault: str) -> None:
    timeout_s = 0.1 if fault == "silence" else 60.0
    with pytest.raises(WellreadError) as caught:
        await site.embedder(name, fault, timeout_s=timeout_s).embed(TEXTS)
    assert caught.value.code == MATRIX[name, fault], caught.value.message
    assert caught.value.message
    assert KEY not in f"{caught.value.message} {caught.value.hint} {caught.value!r}"


async def test_a_rate_limit_says_how_long(site: Site) -> None:
    with pytest.raises(RateLimited) as caught:
        await site.embedder("openai", "rate_limited").embed(TEXTS)
    assert caught.value.retry_after_s == 30


async def test_a_refusal_is_told_in_the_words_of_the_service(site: Site) -> None:
    with pytest.raises(WellreadError, match="try pulling it first"):
        await site.embedder("ollama", "no_such_model").embed(TEXTS)


async def test_the_strict_service_refuses_another_key(site: Site) -> None:
    with pytest.raises(Auth):
        await site.embedder("openai", key=Secret("another")).embed(TEXTS)


@pytest.mark.parametrize("name", NAMES)
async def test_long_and_empty_texts_are_brought_within_the_limits(site: Site, name: str) -> None:
    before = len(site.log)
    await site.embedder(name, model="small").embed(["", "whelk " * 10_000])
    ((_, _, asked),) = site.log[before:]
    assert [len(text) for text in asked.json["input"]] == [1, 4_000]
    assert asked.json["model"] == "small"


@pytest.mark.parametrize("name", NAMES)
async def test_an_address_that_is_not_public_must_be_listed(name: str) -> None:
    settings = Settings()
    client = Client(settings, NetworkTransport(settings, policy=guard.read_policy(settings.net)), clock=FakeClock())
    asked = EmbedSettings(service=name, url=Address("http://127.0.0.1:11434"), key=Secret(KEY))
    made = search_services.embedder(asked, fetcher=client, clock=FakeClock())
    assert made is not None
    with pytest.raises(BlockedAddress, match=r"127\.0\.0\.1"):
        await made.embed(TEXTS)
    await client.aclose()


@pytest.mark.parametrize("name", NAMES)
def test_the_key_is_sent_in_a_header_and_only_when_there_is_one(name: str) -> None:
    keyed = service(name).request(TEXTS[:1], None, Access(key=KEY, base_url="https://s.example"))
    bare = service(name).request(TEXTS[:1], None, Access(base_url="https://s.example"))
    assert ("Authorization", f"Bearer {KEY}") in keyed.headers
    assert KEY not in keyed.url + keyed.body.decode()
    assert "Authorization" not in dict(bare.headers)


def test_openai_itself_wants_a_key() -> None:
    with pytest.raises(Auth) as caught:
        service("openai").request(TEXTS[:1], None, Access())
    assert "embed.key" in caught.value.hint


def test_no_embedding_service_and_an_unknown_one() -> None:
    assert search_services.embedder(EmbedSettings(), fetcher=DictWeb({}), clock=FakeClock()) is None
    with pytest.raises(ConfigError, match="olama") as caught:
        search_services.embedder(EmbedSettings(service="olama"), fetcher=DictWeb({}), clock=FakeClock())
    assert "ollama" in caught.value.hint


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["data", "embeddings", "embedding", "index"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(body=st.binary(max_size=100) | JSON.map(lambda value: json.dumps(value).encode()))
def test_property_any_bytes_are_vectors_of_one_length_or_none(body: bytes) -> None:
    for name in NAMES:
        found = service(name).parse(body)
        assert found is None or len({len(vector) for vector in found}) <= 1
        assert all(isinstance(number, float) for vector in found or () for number in vector)
