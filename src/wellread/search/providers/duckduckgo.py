"""DuckDuckGo's page for browsers without scripts (https://html.duckduckgo.com/html/): no key, and no promise either.

It blocks often, with a CAPTCHA page under a status of success. So only its own marks of an empty list mean "no
results"; any other page without results is a bot check or a change. A second page takes the hidden fields of the first,
and asking for it without them gets an address flagged: `page` is not among the filters.

The same page can be opened in a browser, where it refuses the plain client.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from selectolax.lexbor import LexborHTMLParser

from wellread.net.domains import is_within
from wellread.ports import Parsed, Visit
from wellread.search import request_building, response_parsing
from wellread.types import Request

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from wellread.ports import Access, Query
    from wellread.types import Response

BASE_URL = "https://html.duckduckgo.com"
MAX_CHARS = 1_000_000
MAX_RESULTS = 100
_REGIONS = """
ar-es au-en at-de be-fr br-pt bg-bg ca-en cl-es cn-zh co-es hr-hr cz-cs dk-da ee-et fi-fi fr-fr de-de gr-el hk-tzh
hu-hu in-en id-id ie-en il-he it-it jp-jp kr-kr lv-lv lt-lt mx-es my-ms nl-nl nz-en no-no pe-es ph-en pl-pl pt-pt
ro-ro ru-ru sg-en sk-sk sl-sl za-en es-es se-sv ch-de tw-tzh th-th tr-tr ua-uk uk-en us-en ve-es vn-vi
"""
_REGION = {region[:2].upper(): region for region in _REGIONS.split()} | {"GB": "uk-en", "SI": "sl-sl"}
_WALL = "[class*=anomaly-modal], form#challenge-form, script[src*='anomaly.js'], form[action*='anomaly.js']"
_NOT_RESULTS = ".result--ad, .nav-link, .no-results, .result--no-result"
_NEXT_PAGE = ".nav-link input[name=vqd]"
_AD = "duckduckgo.com/y.js"
_EMPTY = ".no-results, .result--no-result"


class DuckDuckGo:
    """Implements `ports.SearchProvider`."""

    name = "duckduckgo"
    keyless = True
    place = 130
    filters = frozenset({"region", "freshness"})
    max_count = 10
    interval_s = 2.0

    def request(self, query: Query, access: Access) -> Request:
        """Return the form as its own page posts it; the client's User-Agent is honest."""
        base = request_building.base(access, BASE_URL)
        region = _REGION.get(query.region or "", "wt-wt")
        freshness = query.freshness[0] if query.freshness else ""
        form = {"q": request_building.query_text(query, chars=499), "b": "", "kl": region, "df": freshness}
        headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Referer", f"{BASE_URL}/")]
        headers.append(("Cookie", f"kl={region}" + (f"; df={freshness}" if freshness else "")))
        return Request(
            url=f"{base}/html/", method="POST", headers=tuple(headers), body=urlencode(form).encode(), user_asked=True
        )

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return _parsed(response, self.name)


class DuckDuckGoBrowser:
    """Implements `ports.SearchProvider`: the same page, opened in a browser."""

    name = "duckduckgo_browser"
    keyless = True
    place = 150
    filters = frozenset({"region", "freshness"})
    max_count = 10
    interval_s = 2.0

    def request(self, query: Query, access: Access) -> Visit:
        """Return the address that the page's own form leads to."""
        parameters = {
            "q": request_building.query_text(query, chars=499),
            "kl": _REGION.get(query.region or "", "wt-wt"),
        }
        if query.freshness:
            parameters["df"] = query.freshness[0]
        return Visit(url=f"{request_building.base(access, BASE_URL)}/html/?{urlencode(parameters)}")

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return _parsed(response, self.name)


def _parsed(response: Response, source: str) -> Parsed:
    """Parse the response, by the page's content first and by the status second."""
    if _led_away(response):
        return Parsed(code="bad_request", detail="it redirects, as for a query with a !bang")
    tree = LexborHTMLParser(response.body.decode("utf-8", "replace")[:MAX_CHARS])
    if tree.css_first(_WALL) is not None:
        return response_parsing.outcome("challenge", response)
    rows = [row for node in tree.css(".result")[:MAX_RESULTS] if (row := _row(node)) is not None]
    if 200 <= response.status < 300 and (rows or _says_empty(tree)):
        parsed = response_parsing.parse_rows(response, source, rows)
        if tree.css_first(_NEXT_PAGE) is not None:
            return replace(parsed, more=True)
        return parsed
    if response.status in {202, 403} or response_parsing.is_bot_wall(response):
        return response_parsing.outcome("challenge", response)
    return response_parsing.http_failure(response, {}) or response_parsing.unexplained(response)


def _led_away(response: Response) -> bool:
    path = urlsplit(response.url).path
    return response.status in {301, 302, 303, 307} or (bool(response.redirects) and not path.endswith("/html/"))


def _row(node: LexborNode) -> response_parsing.ResultRow | None:
    link = node.css_first("a.result__a")
    if link is None or "result--ad" in (node.attributes.get("class") or ""):
        return None
    url = _target(link.attributes.get("href") or "")
    snippet = node.css_first(".result__snippet")
    # The text nodes bring their own spaces. They are text by now, which a row would take for markup.
    return response_parsing.ResultRow(url, escape(link.text()), escape(snippet.text()) if snippet else "")


def _target(href: str) -> str | None:
    """Return where a link leads: as it is, or out of `//duckduckgo.com/l/?uddg=`; advertisements lead nowhere."""
    try:
        parts = urlsplit(f"https:{href}" if href.startswith("//") else href)
    except ValueError:
        return None
    if parts.netloc and not is_within(parts.hostname or "", ("duckduckgo.com",)):
        return href
    if parts.path == "/l/":
        target = next(iter(parse_qs(parts.query).get("uddg", [])), None)
        if target is None or _AD in target:
            return None
        return target
    if parts.path.endswith("/y.js"):
        return None
    return href


def _says_empty(tree: LexborHTMLParser) -> bool:
    """Tell an empty list from a page that changed: it says so, or its list of links has none but advertisements."""
    if tree.css_first(_EMPTY) is not None:
        return True
    links = tree.css_first("#links")
    if links is None:
        return False
    for node in links.css(_NOT_RESULTS):
        node.decompose()
    return links.css_first("a[href]") is None
