"""Search services that are asked in a browser, by name: a real browser, against strict fakes of their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.provider_fakes import visited
from contract.provider_fakes.damage import FOUND
from contract.provider_fakes.visited import MATRIX, QUERY
from wellread import plugins
from wellread.apps import search_services
from wellread.browser import launch
from wellread.config import SearchSettings
from wellread.errors import BrowserFailed
from wellread.net.local_state import LocalState
from wellread.ports import Access, Query, Visit
from wellread.search.engine import ProviderSource, ProviderTransports, SearchBudget, SearchEngine
from wellread.testing import DictWeb, FakeClock
from wellread.types import Found, Response

if TYPE_CHECKING:
    from sites import Reading
    from wellread.ports import SearchProvider

NAMES = ("duckduckgo_browser", "google_browser")


def provider(name: str) -> SearchProvider:
    made: SearchProvider = plugins.load("providers", name)()
    return made


@pytest.fixture(scope="module")
def asking(reading: Reading) -> Reading:
    visited.stock(reading.site)
    return reading


def search(asking: Reading, name: str, fault: str, *, most_s: float = 20.0) -> Found:
    access = Access(base_url=asking.site.url(f"/{name}/{fault}", host="app.example"))
    transports = ProviderTransports(DictWeb({}), asking.web._network.search_visitor())

    async def asked() -> Found:
        budget = SearchBudget(total_s=most_s, provider_s=most_s)
        engine = SearchEngine(
            [ProviderSource(provider(name), access)],
            transports=transports,
            clock=FakeClock(),
            budget=budget,
            last=None,
            pace=LocalState(),
        )
        return await engine.search(Query(text=QUERY))

    return asking.run(asked)


@pytest.mark.parametrize(("name", "fault"), MATRIX)
def test_every_fault_of_a_visited_service_is_called_by_its_name(asking: Reading, name: str, fault: str) -> None:
    found = search(asking, name, fault)
    (outcome,) = found.outcomes
    assert outcome.code == MATRIX[name, fault], outcome.detail
    assert bool(found.hits) == (outcome.code == "ok")
    if outcome.code not in {"ok", "no_results"}:
        assert outcome.detail


@pytest.mark.parametrize("name", NAMES)
def test_a_visit_becomes_ranked_hits(asking: Reading, name: str) -> None:
    hits = search(asking, name, "sound").hits
    assert [(hit.url, hit.title, hit.snippet) for hit in hits] == [(it.url, it.title, it.snippet) for it in FOUND]
    assert [(hit.rank, hit.source) for hit in hits] == [(1, name), (2, name)]


def test_consent_is_refused_and_a_bot_check_is_left_alone(asking: Reading) -> None:
    for fault in ("a_banner", "consent"):
        assert len(search(asking, "google_browser", fault).hits) == 2
    assert not [path for path in asking.site.paths() if path.endswith("/accepted")]
    before = len(asking.site.paths())
    search(asking, "google_browser", "a_bot_check_at_first")
    assert [path for path in asking.site.paths()[before:] if "favicon" not in path] == [
        "/google_browser/a_bot_check_at_first/"
    ]


def test_each_address_comes_once_and_nothing_hostile_at_all(asking: Reading) -> None:
    assert len(search(asking, "google_browser", "the_same_page_twice").hits) == 2
    for name in NAMES:
        (hit,) = search(asking, name, "hostile_addresses_and_texts").hits
        assert (hit.url, hit.title) == ("https://a.example/t", "gnp.exe tea")


@pytest.mark.parametrize("name", NAMES)
def test_a_visit_ends_with_the_time_that_a_search_has(
    asking: Reading, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "PING_S", 60.0)  # a browser that hangs never answers, one that is slow does
    for path in (f"/{name}/slow/", f"/{name}/slow/html/"):
        asking.site.pages[path] = "<script>while (true);</script>"
    (outcome,) = search(asking, name, "slow", most_s=1.5).outcomes
    assert outcome.code == "timeout"


def test_an_address_that_is_not_public_is_refused_to_visits_too(asking: Reading) -> None:
    visitor = asking.web._network.search_visitor()
    assert visitor is not None
    access = Access(base_url="http://127.0.0.1:1")
    engine = SearchEngine(
        [ProviderSource(provider("google_browser"), access)],
        transports=ProviderTransports(DictWeb({}), visitor),
        clock=FakeClock(),
        budget=SearchBudget(total_s=5, provider_s=5),
        last=None,
        pace=LocalState(),
    )
    (outcome,) = asking.run(lambda: engine.search(Query(text=QUERY))).outcomes
    assert outcome.code == "upstream"
    assert "not a public address" in outcome.detail


def test_line_breaks_in_a_query_ask_once(asking: Reading) -> None:
    asking.site.pages["/lines"] = """<form action=/lines/found><textarea name=q></textarea></form><script>
document.querySelector('textarea').onkeydown = (e) => {
  if (e.key === 'Enter') { e.preventDefault(); document.forms[0].submit() }
}</script>"""
    asking.site.pages["/lines/found"] = "<p>Found</p>"
    visitor = asking.web._network.search_visitor()
    assert visitor is not None
    url = asking.site.url("/lines", host="app.example")
    before = len(asking.site.paths())
    asking.run(lambda: visitor.visit(Visit(url=url, field="textarea", text="tea\nboats\n")))
    asked = [path for path in asking.site.paths()[before:] if path.startswith("/lines/")]
    assert asked == ["/lines/found?q=tea+boats"]


# ------------------------------------------------------------------------------------------ who is asked


def test_order_of_browser_providers() -> None:
    settings = (SearchSettings(), SearchSettings(providers=("google_browser",)))
    names = [
        [one.name for one in search_services.selected_providers(each, browser=browser)]
        for each in settings
        for browser in (True, False)
    ]
    assert names[0].index("duckduckgo") < names[0].index("duckduckgo_browser") == len(names[0]) - 1
    assert "duckduckgo_browser" not in names[1]
    assert "google_browser" not in names[0]
    assert names[2] == names[3] == ["google_browser"]


async def test_without_a_browser_a_visited_service_says_what_is_missing() -> None:
    class Missing:
        async def visit(self, visit: Visit) -> Response:
            raise BrowserFailed("no Chromium was found")

    for visitor, said in ((None, "needs a browser"), (Missing(), "no Chromium was found")):
        engine = SearchEngine(
            [ProviderSource(provider("google_browser"), Access())],
            transports=ProviderTransports(DictWeb({}), visitor),
            clock=FakeClock(),
            budget=SearchBudget(total_s=5, provider_s=5),
            last=None,
            pace=LocalState(),
        )
        (outcome,) = (await engine.search(Query(text=QUERY))).outcomes
        assert outcome.code == "upstream"
        assert said in outcome.detail


# ------------------------------------------------------------------------------------- whatever the bytes

BYTES = st.binary(max_size=300) | st.text(max_size=100).map(lambda text: f"<div id=search>{text}</div>".encode())


@given(body=BYTES, status=st.sampled_from([200, 202, 302, 403, 404, 429, 500, 503]) | st.integers(100, 999))
def test_random_page_never_means_no_results(body: bytes, status: int) -> None:
    for name in NAMES:
        told = provider(name).parse(Response(url="https://s.example/search", status=status, headers=(), body=body))
        assert told.code not in {"ok", "no_results", "partial"}
        assert not told.hits


@given(data=st.data())
def test_truncated_page_of_results_is_never_empty(data: st.DataObject) -> None:
    body = visited.google(FOUND).body
    cut = body[: data.draw(st.integers(0, len(body)))]
    told = provider("google_browser").parse(Response(url="https://s.example/search", status=200, headers=(), body=cut))
    assert told.code in {"ok", "changed_markup", "upstream"}


@given(text=st.text(max_size=600), region=st.none() | st.text(max_size=3))
def test_property_any_query_makes_a_visit(text: str, region: str | None) -> None:
    for name in NAMES:
        visit = provider(name).request(Query(text=text, region=region, freshness="week"), Access())
        assert isinstance(visit, Visit)
        assert visit.url.isascii()
