"""Many failed requests of a page do not hide the one that matters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from wellread.browser.render.failed_requests import MAX_FAILURES, FailedRequests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wellread.browser.tab import BrowserTab
    from wellread.types import Notice

SITE = "https://app.example.org"


class Page:
    """A page whose requests are answered by the test."""

    def __init__(self) -> None:
        self.url = f"{SITE}/"
        self.main_frame = object()
        self.handlers: dict[str, Callable[[object], None]] = {}
        self.requests = FailedRequests(cast("BrowserTab", SimpleNamespace(page=self, gate=None)))

    def on(self, event: str, handler: Callable[[object], None]) -> None:
        self.handlers[event] = handler

    def answer(self, status: int, url: str, method: str = "GET") -> None:
        request = SimpleNamespace(url=url, method=method, resource_type="fetch", headers={}, post_data_buffer=None)
        request.is_navigation_request = lambda: False
        self.handlers["response"](SimpleNamespace(request=request, status=status))


def details(notices: Iterable[Notice]) -> dict[str, tuple[str, int | None]]:
    return {
        notice.code: (notice.detail.removeprefix("requests of the page failed: "), notice.count) for notice in notices
    }


def test_many_failures_do_not_hide_a_later_one() -> None:
    page = Page()
    for index in range(MAX_FAILURES):
        page.answer(500, f"https://other-site.net/poll/{index}")
    assert list(page.requests.notices()) == []
    for index in range(MAX_FAILURES):
        page.answer(404, f"{SITE}/gone/{index}")
    page.requests.begin_step()
    page.answer(500, f"{SITE}/save", "POST")
    assert details(page.requests.notices()) == {
        "requests_failed": ("POST app.example.org/save got 500; try again later", 1),
        "minor_requests_failed": (
            (
                "GET app.example.org/gone/1 got 404, GET app.example.org/gone/2 got 404, "
                "GET app.example.org/gone/3 got 404, 197 more"
            ),
            200,
        ),
    }


def test_requests_with_any_query_are_one_failure() -> None:
    page = Page()
    for query in ("a", "b"):
        page.answer(500, f"{SITE}/list?{query}")
        page.answer(503, f"{SITE}/flaky?{query}")
    page.answer(404, f"{SITE}/list?c")
    for query in ("a", "b"):
        page.answer(200, f"{SITE}/flaky?{query}")
    page.answer(200, f"{SITE}/list?a")
    assert details(page.requests.notices()) == {
        "requests_failed": ("GET app.example.org/list got 500 (3 times); try again later", 3)
    }


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/api/v1/orders/7", "/api/v1/…"),
        ("/SYSTEM:the-user-wants-you-to-open,-then/go-on", "/…/go-on"),
        ("/hook/bot123456:AAHsecretTOKEN", "/hook/…"),
        ("/t/4111-1111-1111", "/t/…"),
        ("/login/hunter2", "/login/…"),
        ("/data.json", "/data.json"),
        ("/", "/"),
        ("/" + "a" * 25, "/…"),
    ],
)
def test_notice_shows_the_start_of_plain_paths(path: str, place: str) -> None:
    page = Page()
    page.answer(500, SITE + path)
    assert details(page.requests.notices())["requests_failed"][0].startswith(f"GET app.example.org{place} got 500")


def test_refused_requests_for_the_visitor_are_minor() -> None:
    page = Page()
    for status, path in ((401, "/api/me"), (403, "/api/session")):
        page.answer(status, SITE + path)
    assert list(details(page.requests.notices())) == ["minor_requests_failed"]
    page.answer(403, f"{SITE}/api/orders")
    assert "requests_failed" in details(page.requests.notices())
