"""A page whose own requests failed says so, when it is read and when it is worked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hands import work
from wellread.errors import Empty

if TYPE_CHECKING:
    from sites import Asked, Reading
    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.types import Notice, PageSnapshot

ARTICLE = "<p>The harbour master counts the boats at dawn and writes their names into the ledger.</p>" * 12


def status(number: int) -> tuple[int, dict[str, str], bytes]:
    return number, {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}, b"{}"


def details(notices: tuple[Notice, ...]) -> dict[str, str]:
    return {notice.code: notice.detail for notice in notices if notice.code.endswith("requests_failed")}


def test_data_that_did_not_arrive_is_named(reading: Reading) -> None:
    reading.site.pages |= {"/api/orders": status(500), "/api/locked": status(403), "/part": status(503)}
    reading.site.pages |= {"/api/prices": lambda _: None, "/api/none": status(404), "/api/me": status(401)}
    page = reading.show(
        f"<!DOCTYPE html><title>x</title>{ARTICLE}<iframe src=/part></iframe><script>(async () => {{"
        "for (const path of ['orders?token=s3cret', 'orders?token=s3cret', 'locked', 'prices', 'none', 'me'])"
        " await fetch('/api/' + path).catch(() => 0) })()</script>"
    )
    own = f"127.0.0.1:{reading.site.port}"
    assert not page.complete
    failed = details(page.notices)
    assert "s3cret" not in str(page.notices)
    assert f"GET {own}/api/orders got 500 (2 times)" in failed["requests_failed"]
    assert failed["requests_failed"].endswith(
        ", 1 more; try again later; if it needs a sign-in, use a profile or headers"
    )
    assert next(notice.count for notice in page.notices if notice.code == "requests_failed") == 5
    assert failed["minor_requests_failed"] == (
        f"requests of the page failed: GET {own}/api/none got 404, GET {own}/api/me got 401"
    )


def test_requests_that_load_no_text_do_not_count(reading: Reading) -> None:
    tries = iter([status(503), status(200)])
    reading.site.pages |= {"/busy": status(500), "/busy.png": status(500), "/v1/analytics": status(500)}
    reading.site.pages |= {"/flaky": lambda _: next(tries), "/track": status(500)}
    page = reading.show(
        f"<!DOCTYPE html><title>x</title><link rel=prefetch href=/busy>{ARTICLE}<img src=/busy.png><script>"
        f"const foreign = '{reading.site.url('/busy', 'app.example')}';"
        "(async () => { for (const path of ['/v1/analytics', foreign, '/flaky', '/flaky'])"
        " await fetch(path).catch(() => 0);"
        "await fetch('/track', {method: 'POST'}); await fetch('/busy', {headers: {purpose: 'prefetch'}});"
        "navigator.sendBeacon('/busy', 'x'); const gone = new AbortController();"
        "const left = fetch('/busy', {signal: gone.signal}); gone.abort(); await left.catch(() => 0) })()</script>"
    )
    assert {"/v1/analytics", "/busy", "/flaky", "/track"} <= set(reading.site.paths())
    assert details(page.notices) == {}
    assert page.complete


def test_page_without_its_data_is_read_again_later(reading: Reading) -> None:
    tries = iter([status(429), (200, {"Content-Type": "text/html"}, ARTICLE.encode())])
    reading.site.pages["/api/tides"] = lambda _: next(tries)
    reading.site.pages["/tides"] = (
        "<!DOCTYPE html><title>Tides</title><h1>Tides</h1><main></main><script>fetch('/api/tides').then(async"
        " answer => { if (answer.ok) document.querySelector('main').innerHTML = await answer.text() })</script>"
    )
    first = reading.read("/tides", render="always")
    assert details(first.notices)["requests_failed"].endswith("/api/tides got 429; wait before the next try")
    second = reading.read("/tides", render="always")
    assert not second.cached
    assert second.complete
    assert "harbour master" in second.text


@pytest.mark.parametrize("answer", [401, 403, "refused"])
def test_page_whose_request_always_fails_is_cached(reading: Reading, answer: int | str) -> None:
    address = f"http://127.0.0.1:{reading.site.port + 1}/tides" if answer == "refused" else "/api/closed"
    reading.site.pages["/api/closed"] = status(403 if answer == "refused" else int(answer))
    reading.site.pages[f"/closed{answer}"] = (
        f"<!DOCTYPE html><title>Tides</title>{ARTICLE}<script>fetch('{address}').catch(() => 0)</script>"
    )
    first = reading.read(f"/closed{answer}", render="always")
    assert f"got {answer}" in details(first.notices)["requests_failed"]
    second = reading.read(f"/closed{answer}", render="always")
    assert second.cached
    assert second.notices == first.notices


def test_empty_page_names_its_failed_request(reading: Reading) -> None:
    reading.site.pages["/api/berths"] = status(401)
    with pytest.raises(Empty) as caught:
        reading.show("<!DOCTYPE html><title>x</title><div id=app></div><script>fetch('/api/berths')</script>")
    assert "/api/berths got 401; if it needs a sign-in, use a profile or headers" in caught.value.hint


def test_step_names_the_request_that_failed_in_it(reading: Reading) -> None:
    def order(asked: Asked) -> tuple[int, dict[str, str], bytes]:
        return status(404 if asked.method == "POST" else 500)

    reading.site.pages["/api/order"] = order

    async def steps(tab: BrowseSession) -> list[PageSnapshot]:
        return [tab.snapshot, await tab.click(1), await tab.look()]

    opened, clicked, looked = work(
        reading,
        "<button onclick=\"fetch('/api/order', {method: 'POST'})\">Order</button><script>fetch('/api/order')</script>",
        steps,
    )
    place = f"127.0.0.1:{reading.site.port}/api/order"
    assert details(opened.notices) == {
        "requests_failed": f"requests of the page failed: GET {place} got 500; try again later"
    }
    assert details(clicked.notices) == {"requests_failed": f"requests of the page failed: POST {place} got 404"}
    assert details(looked.notices) == {}
