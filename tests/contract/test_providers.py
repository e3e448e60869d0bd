"""Every search provider, by name, against a fake of its service over real HTTP: strict when sound, and with each fault.

The interface is the search engine, with the real client: what it says of a provider is what a user is told.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from contract.provider_fakes.damage import FOUND
from contract.provider_fakes.exchange import EXTRA, KEY, Asked, Found
from contract.provider_fakes.faults import SERVICES, cases, decide
from contract.provider_fakes.server import serving
from wellread import plugins
from wellread.apps import search_services
from wellread.config import FetchSettings, NetSettings, SearchSettings, Settings
from wellread.errors import Auth
from wellread.net import guard
from wellread.net.client import Client
from wellread.net.dial import NetworkTransport
from wellread.net.local_state import LocalState
from wellread.ports import Access, Freshness, Parsed, Query
from wellread.search.engine import ProviderSource, ProviderTransports, SearchBudget, SearchEngine, ignored_filters
from wellread.testing import FakeClock
from wellread.types import OutcomeCode, Request, Response
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from wellread.ports import SearchProvider

pytestmark = pytest.mark.anyio

NAMES = tuple(name for name in plugins.names("providers") if not name.endswith("_browser"))
"""Those that are asked by visits in a browser have a suite of their own."""
MATRIX = cases()
TODAY = date(2026, 11, 21)
QUERY = Query(text="green tea", count=10, today=TODAY)
FULL = replace(QUERY, region="DE", freshness="week", page=3)
CODES = set(get_args(OutcomeCode))


@cache
def provider(name: str) -> SearchProvider:
    made: SearchProvider = plugins.load("providers", name)()
    return made


def requested(name: str, query: Query, access: Access) -> Request:
    request = provider(name).request(query, access)
    assert isinstance(request, Request)
    return request


class Site(NamedTuple):
    """The running fakes."""

    port: int
    log: list[tuple[str, str, Asked]]
    client: Client

    def access(self, name: str, fault: str) -> Access:
        return Access(key=KEY, extra=EXTRA, base_url=f"http://127.0.0.1:{self.port}/{name}/{fault}")

    async def parsed(self, name: str, fault: str, query: Query = QUERY, access: Access | None = None) -> Parsed:
        """Ask the fake through the client alone, for what the engine does not pass on."""
        request = requested(name, query, access or self.access(name, fault))
        return provider(name).parse(await self.client.fetch(request))


@pytest.fixture(scope="module")
def fakes() -> Iterator[tuple[int, list[tuple[str, str, Asked]]]]:
    with serving(decide) as running:
        yield running


@pytest.fixture
async def site(fakes: tuple[int, list[tuple[str, str, Asked]]]) -> AsyncIterator[Site]:
    """A client for each test: one that was asked to wait would wait in the next test, too."""
    port, log = fakes
    fetch = FetchSettings(timeout_s=60, idle_s=60, attempts=1)
    settings = Settings(net=NetSettings(allow_hosts=(f"127.0.0.1:{port}",)), fetch=fetch)
    transport = NetworkTransport(settings, policy=guard.read_policy(settings.net))
    client = Client(settings, transport, clock=FakeClock())
    yield Site(port, log, client)
    await client.aclose()


# ------------------------------------------------------------------------------------------- the matrix


@pytest.mark.parametrize(("name", "fault"), MATRIX)
async def test_every_fault_of_every_provider_is_called_by_its_name(site: Site, name: str, fault: str) -> None:
    budget = SearchBudget(total_s=60.0, provider_s=0.05 if MATRIX[name, fault] == "timeout" else 60.0)
    source = ProviderSource(provider(name), site.access(name, fault))
    engine = SearchEngine(
        [source],
        transports=ProviderTransports(site.client),
        clock=FakeClock(),
        budget=budget,
        last=None,
        pace=LocalState(),
    )
    found = await engine.search(QUERY)
    (outcome,) = found.outcomes
    assert outcome.code == MATRIX[name, fault], outcome.detail
    assert bool(found.hits) == (outcome.code in {"ok", "partial"})
    if outcome.code not in {"ok", "no_results"}:
        assert outcome.detail
    assert KEY not in outcome.detail


def test_the_matrix_holds_all_providers_and_enough_faults() -> None:
    assert set(NAMES) == set(SERVICES)
    assert [provider(name).name for name in NAMES] == list(NAMES)
    assert min(sum(1 for each, _ in MATRIX if each == name) for name in NAMES) >= 25
    assert set(MATRIX.values()) == CODES - {"unrecorded"}  # how only a replay can end


# ------------------------------------------------------------------------------------ what comes of it


@pytest.mark.parametrize("name", NAMES)
async def test_a_sound_answer_becomes_ranked_hits(site: Site, name: str) -> None:
    answer = await site.parsed(name, "sound")
    assert answer.code == "ok"
    assert [hit.url for hit in answer.hits] == [each.url for each in FOUND]
    assert [hit.title for hit in answer.hits] == [each.title for each in FOUND]
    assert [hit.snippet for hit in answer.hits] == [each.snippet for each in FOUND]
    assert [hit.rank for hit in answer.hits] == [1, 2]
    assert {hit.source for hit in answer.hits} == {name}
    dates = {hit.published_date for hit in answer.hits}
    assert dates == {None} or all(each and each.startswith("2026-11-0") for each in dates)


@pytest.mark.parametrize("name", NAMES)
async def test_nothing_hostile_reaches_a_hit(site: Site, name: str) -> None:
    answer = await site.parsed(name, "hostile_addresses_and_texts")
    (hit,) = answer.hits
    assert hit.url == "https://a.example/t"
    assert hit.title == "gnp.exe tea"
    assert hit.snippet == ("ab[31m cd?" if name == "duckduckgo" else "ab[31m cd")  # HTML has no lone surrogates


@pytest.mark.parametrize("name", NAMES)
async def test_a_rate_limit_says_how_long_where_the_service_does(site: Site, name: str) -> None:
    assert (await site.parsed(name, "rate_limited")).retry_after_s is None
    assert (await site.parsed(name, "rate_limited_for_30_s")).retry_after_s == 30


@pytest.mark.parametrize("name", NAMES)
async def test_a_query_is_one_request(site: Site, name: str) -> None:
    before = len(site.log)
    await site.parsed(name, "sound")
    ((service, _, asked),) = site.log[before:]
    assert service == name
    assert asked.headers["user-agent"].startswith("wellread/")


async def test_the_end_of_the_month_says_when_the_next_one_begins(site: Site) -> None:
    answer = await site.parsed("brave", "the_month_spent_as_429")
    assert answer.retry_after_s == 1_419_704


async def test_engines_without_an_answer_are_named(site: Site) -> None:
    answer = await site.parsed("searxng", "some_engines_dead")
    assert answer.detail == "engines without an answer: duckduckgo (CAPTCHA)"
    assert len(answer.hits) == 1


async def test_texts_keep_their_own_spaces_and_entities_are_undone_once(site: Site) -> None:
    (hit,) = (await site.parsed("duckduckgo", "emphasis_in_texts")).hits
    assert hit.title == "Green tea"
    assert hit.snippet == "All about green tea, R&D &amp; more."


async def test_a_refusal_is_told_in_the_words_of_the_service(site: Site) -> None:
    answer = await site.parsed("searxng", "bad_request")
    assert "Invalid value abc for parameter pageno" in answer.detail


# ------------------------------------------------------------------------------------ pages of results


async def searched(site: Site, name: str, fault: str, query: Query) -> tuple[list[str], str, str]:
    """Return the paths of the hits, and the outcome's code and detail."""
    source = ProviderSource(unpaced(name), site.access(name, fault))
    budget = SearchBudget(total_s=60.0, provider_s=60.0)
    engine = SearchEngine(
        [source],
        transports=ProviderTransports(site.client),
        clock=FakeClock(),
        budget=budget,
        last=None,
        pace=LocalState(),
    )
    found = await engine.search(query)
    (outcome,) = found.outcomes
    assert outcome.count == len(found.hits)
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    return [hit.url.removeprefix("https://a.example/") for hit in found.hits], outcome.code, outcome.detail


def unpaced(name: str) -> SearchProvider:
    made: SearchProvider = plugins.load("providers", name)()
    made.interval_s = 0.0
    return made


def numbers(first: int, last: int) -> list[str]:
    return [str(number) for number in range(first, last + 1)]


WITH_PAGES = [name for name in NAMES if "page" in provider(name).filters]
WITHOUT_PAGES = [name for name in NAMES if name not in WITH_PAGES]


@pytest.mark.parametrize("name", WITH_PAGES)
async def test_count_above_page_size_takes_several_requests(site: Site, name: str) -> None:
    before = len(site.log)
    assert await searched(site, name, "has_137", replace(QUERY, count=73)) == (numbers(1, 73), "ok", "")
    assert len(site.log) - before <= -(-73 // provider(name).max_count)


@pytest.mark.parametrize("name", WITH_PAGES)
async def test_count_above_all_results_is_ok(site: Site, name: str) -> None:
    assert await searched(site, name, "has_33", replace(QUERY, count=60)) == (numbers(1, 33), "ok", "")


@pytest.mark.parametrize("name", [name for name in WITH_PAGES if name != "searxng"])  # 17 results a page there
async def test_second_page_with_count_above_page_size(site: Site, name: str) -> None:
    first = await searched(site, name, "has_137", replace(QUERY, count=45))
    second = await searched(site, name, "has_137", replace(QUERY, count=45, page=2))
    assert first == (numbers(1, 45), "ok", "")
    assert second == (numbers(46, 90), "ok", "")


@pytest.mark.parametrize("name", WITHOUT_PAGES)
async def test_count_above_limit_of_service_without_pages(site: Site, name: str) -> None:
    most = provider(name).max_count
    hits, code, detail = await searched(site, name, "has_137", replace(QUERY, count=120))
    assert (hits, code) == (numbers(1, most), "partial")
    assert detail == f"{most} of 120 results: the service gives no more for one query"


@pytest.mark.parametrize("name", NAMES)
async def test_count_within_one_page_is_one_request(site: Site, name: str) -> None:
    before = len(site.log)
    assert await searched(site, name, "has_137", replace(QUERY, count=10)) == (numbers(1, 10), "ok", "")
    assert len(site.log) - before == 1


@pytest.mark.parametrize(("name", "most"), [("brave", 200), ("google_cse", 100), ("kagi", 200)])
async def test_results_beyond_last_page_of_service(site: Site, name: str, most: int) -> None:
    hits, code, detail = await searched(site, name, "has_300", replace(QUERY, count=250))
    assert (hits, code) == (numbers(1, most), "partial")
    assert detail == f"{most} of 250 results: the service has no page after page 10"
    hits, code, detail = await searched(site, name, "has_300", replace(QUERY, page=70))
    assert (hits, code, detail) == ([], "bad_request", "it has no page 70 of 10 results")


async def test_bound_on_pages_for_one_query(site: Site) -> None:
    before = len(site.log)
    hits, code, detail = await searched(site, "mojeek", "has_300", replace(QUERY, count=250))
    assert (hits, code) == (numbers(1, 100), "partial")
    assert detail == "100 of 250 results: no page after page 10 is asked for"
    assert len(site.log) - before == 10


# ------------------------------------------------------------------------------------------ the request


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["tea", 'a "b" & c=d +e\n#f ü 茶', "word " * 300, "茶" * 3000])
async def test_the_strict_service_takes_every_query(site: Site, name: str, text: str) -> None:
    queries = [Query(text=text, region=region, today=TODAY) for region in (None, "US", "GB", "NO", "JP", "XX")]
    queries += [Query(text=text, freshness=freshness, today=TODAY) for freshness in get_args(Freshness)]
    queries += [Query(text=text, count=count, page=page) for page, count in [(1, 1), (2, 10), (500, 500), (0, 0)]]
    for query in [*queries, replace(FULL, text=text)]:
        assert (await site.parsed(name, "sound", query)).code == "ok", query


@pytest.mark.parametrize("name", NAMES)
def test_a_provider_honours_exactly_the_filters_it_names(name: str) -> None:
    access = Access(key=KEY, extra=EXTRA, base_url="https://s.example")
    assert {"region", "freshness", "page"} - ignored_filters(provider(name), FULL, access) == provider(name).filters
    assert ignored_filters(provider(name), QUERY, access) == frozenset()


@pytest.mark.parametrize("name", ["brave", "searxng", "tavily", "duckduckgo"])
def test_a_country_that_a_provider_does_not_know_is_reported(name: str) -> None:
    access = Access(key=KEY, base_url="https://s.example")
    assert ignored_filters(provider(name), replace(FULL, region="XX"), access) >= {"region"}


@pytest.mark.parametrize("name", ["exa", "kagi", "mojeek", "bing"])
def test_a_freshness_that_cannot_be_counted_without_a_day_is_reported(name: str) -> None:
    access = Access(key=KEY, base_url="https://s.example")
    undated = replace(QUERY, freshness="year", today=None)
    assert ignored_filters(provider(name), undated, access) == {"freshness"}


@pytest.mark.parametrize("name", NAMES)
def test_the_key_stays_out_of_the_url(name: str) -> None:
    request = requested(name, FULL, Access(key=KEY, extra=EXTRA, base_url="https://s.example"))
    assert (KEY in request.url) == (name == "mojeek")  # which takes it nowhere else
    assert request.user_asked
    assert KEY not in request.body.decode()


@pytest.mark.parametrize("name", NAMES)
def test_provider_without_key_names_the_setting(name: str) -> None:
    nothing = provider(name)
    if nothing.keyless:
        assert KEY not in str(nothing.request(QUERY, Access()))
        return
    with pytest.raises(Auth) as caught:
        nothing.request(QUERY, Access())
    assert caught.value.hint in {f"set {name} in search.keys", f"set {name} in search.urls"}


def asked(settings: SearchSettings) -> list[str]:
    return [each.name for each in search_services.selected_providers(settings, browser=False)]


def test_order_of_keyless_providers() -> None:
    keyless = sorted((provider(name) for name in NAMES if provider(name).keyless), key=lambda each: each.place or 0)
    assert asked(SearchSettings()) == [each.name for each in keyless]
    assert asked(SearchSettings(keys={"jina": Secret("k"), "brave": Secret("k")}))[:3] == ["brave", "jina", "tavily"]
    assert asked(SearchSettings(providers=("marginalia", "auto")))[:2] == ["marginalia", "tavily"]


def test_each_provider_has_a_place_of_its_own() -> None:
    places = [provider(name).place for name in plugins.names("providers")]
    known = [place for place in places if place is not None]
    assert len(set(known)) == len(known)


@pytest.mark.parametrize("name", ["tavily", "marginalia", "keenable", "duckduckgo", "searxng"])
async def test_what_needs_no_key_is_asked_without_one(site: Site, name: str) -> None:
    access = replace(site.access(name, "sound"), key=None)
    assert (await site.parsed(name, "sound", access=access)).code == "ok"


@pytest.mark.parametrize("name", [name for name in NAMES if SERVICES[name].keyed])
async def test_the_strict_service_refuses_another_key(site: Site, name: str) -> None:
    access = replace(site.access(name, "sound"), key="another")
    assert (await site.parsed(name, "sound", access=access)).code == "auth"


@given(text=st.text(max_size=600), count=st.integers(), page=st.integers(), region=st.none() | st.text(max_size=3))
def test_any_query_makes_a_request(text: str, count: int, page: int, region: str | None) -> None:
    query = Query(text=text, count=count, page=page, region=region, today=TODAY, freshness="month")
    for name in NAMES:
        request = provider(name).request(query, Access(key=KEY, extra=EXTRA, base_url="https://s.example"))
        assert request.url.isascii()


# ----------------------------------------------------------------------------------- whatever the bytes


def answered(name: str, body: bytes, status: int = 200, partial: str | None = None) -> Parsed:
    headers = (("content-type", "application/json"),)
    response = Response(url="https://s.example/html/", status=status, headers=headers, body=body, partial=partial)
    answer = provider(name).parse(response)
    assert answer.code in CODES
    assert bool(answer.hits) == (answer.code in {"ok", "partial"})
    assert [hit.rank for hit in answer.hits] == list(range(1, len(answer.hits) + 1))
    assert all(hit.url.startswith(("http://", "https://")) and hit.url.isascii() and hit.title for hit in answer.hits)
    assert partial is None or answer.code not in {"ok", "no_results"}
    return answer


STATUSES = st.sampled_from([200, 202, 204, 303, 400, 401, 402, 403, 404, 422, 429, 432, 500, 503]) | st.integers(
    100, 999
)
WORDS = st.text(max_size=8) | st.sampled_from(["results", "error", "message", "url", "title", "query", "data", "code"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(body=st.binary(max_size=300), status=STATUSES, partial=st.none() | st.just("cut"))
def test_random_bytes_never_mean_no_results(body: bytes, status: int, partial: str | None) -> None:
    for name in NAMES:
        assert answered(name, body, status, partial).code not in {"ok", "no_results", "partial"}


@given(value=JSON, status=STATUSES)
def test_property_json_of_no_known_shape_is_never_no_results(value: object, status: int) -> None:
    body = json.dumps(value).encode()
    shaped = isinstance(value, dict) and "results" in value
    for name in NAMES:
        assert answered(name, body, status).code not in ({"ok"} if shaped else {"ok", "no_results", "partial"})


@given(data=st.data())
@pytest.mark.parametrize("name", [name for name in NAMES if SERVICES[name].list_at])
def test_property_a_damaged_answer_is_never_taken_for_an_empty_one(name: str, data: st.DataObject) -> None:
    answer = json.loads(SERVICES[name].answer(FOUND).body)
    places = list(_places(answer))
    holder, key = data.draw(st.sampled_from(places))
    listed = holder[key] if isinstance(holder[key], list) else None
    drawn = data.draw(JSON.filter(lambda value: value != []))
    assume((name, key) != ("kagi", "data") or not isinstance(drawn, dict))  # without its list, that means none
    holder[key] = drawn
    code = answered(name, json.dumps(answer).encode()).code
    assert code in {"ok", "changed_markup", "rate_limited", "partial"} or listed is None
    assert code != "no_results"


def test_results_without_address_or_template_are_not_no_results() -> None:
    answer = json.loads(SERVICES["searxng"].answer(FOUND).body) | {"results": [{"url": None, "title": "what is this"}]}
    assert answered("searxng", json.dumps(answer).encode()).code == "changed_markup"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:  # Any: JSON
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield value, step
        yield from _places(value[step])


@given(data=st.data())
def test_property_a_page_cut_anywhere_is_never_no_results(data: st.DataObject) -> None:
    whole = SERVICES["duckduckgo"].answer([Found(f"https://a.example/{n}", f"t{n}", "s") for n in range(3)]).body
    at = data.draw(st.integers(0, len(whole)))
    assert answered("duckduckgo", whole[:at], partial="cut").code in {"partial", "upstream", "changed_markup"}
    assert answered("duckduckgo", whole[:at]).code != "no_results" or b"#links" not in whole[:at]
