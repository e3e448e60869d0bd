"""Google's own page, asked as a person asks it: opened in the user's browser, typed into, submitted.

Only ever asked when it is named in `search.providers`: whether a browser may ask there is for its owner to say. A bot
check is told as such and never worked around, consent is refused, and nothing is hidden of what the browser is.

Classes rot within months there, so results are told by what they are: a link around a heading of the third level.
Sources: result markup as of 2025 in ddgs and SearXNG, the bot check's form and path as they were seen by both.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from selectolax.lexbor import LexborHTMLParser

from wellread.net.domains import is_within
from wellread.ports import Parsed, Visit
from wellread.search import request_building, response_parsing

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from wellread.ports import Access, Query
    from wellread.types import Response

BASE_URL = "https://www.google.com"
MAX_CHARS = 5_000_000
MAX_RESULTS = 30
MAX_UP = 8
"""How far above its link a result may end."""
_WALL = "form#captcha-form, #recaptcha, iframe[src*='recaptcha'], form[action*='/sorry/']"
_NOT_RESULTS = "#tads, #tadsb, #bottomads, [data-text-ad], script, style, noscript"
_RESULTS = "#search, #rso"
_SAYS_NONE = "#topstuff, #botstuff"
_NEXT_PAGE = "a#pnnext"
_OWN = ("google.com", "googleadservices.com", "doubleclick.net")


class GoogleBrowser:
    """Implements `ports.SearchProvider`."""

    name = "google_browser"
    keyless = True
    place = None  # only ever by its name
    filters: frozenset[str] = frozenset()
    max_count = 10
    interval_s = 5.0

    def request(self, query: Query, access: Access) -> Visit:
        """Return the visit: the page is opened, consent refused, the query typed and submitted."""
        return Visit(
            url=f"{request_building.base(access, BASE_URL)}/",
            field="textarea[name=q], input[name=q]:not([type=hidden])",
            text=request_building.query_text(query, chars=2_000, words=32),
            refuse="#W0wltc",
        )

    def parse(self, response: Response) -> Parsed:
        """Parse the response, by its final URL and the page's content."""
        tree = LexborHTMLParser(response.body.decode("utf-8", "replace")[:MAX_CHARS])
        if (walled := _walled(response, tree)) is not None:
            return walled
        failed = response_parsing.http_failure(response, {})
        if failed is not None:
            return failed
        for node in tree.css(_NOT_RESULTS):
            node.decompose()
        main = tree.css_first(_RESULTS)
        if main is None:
            return response_parsing.unexplained(response)
        rows = [row for link in main.css("a[href]") if (row := _row(link)) is not None]
        if not rows and not _is_empty(tree, main):
            return response_parsing.unexplained(response)
        parsed = response_parsing.parse_rows(response, self.name, _once(rows))
        if tree.css_first(_NEXT_PAGE) is not None:
            return replace(parsed, more=True)
        return parsed


def _walled(response: Response, tree: LexborHTMLParser) -> Parsed | None:
    parts = urlsplit(response.url)
    if (parts.hostname or "").startswith("consent."):
        return Parsed(code="challenge", detail="consent is asked for before the results, and could not be refused")
    has_form = parts.path.startswith("/sorry/") or tree.css_first(_WALL) is not None
    if has_form or (not tree.css_first(_RESULTS) and response_parsing.is_bot_wall(response)):
        return response_parsing.outcome("challenge", response)
    return None


def _row(link: LexborNode) -> response_parsing.ResultRow | None:
    heading = link.css_first("h3")
    url = _target(link.attributes.get("href") or "")
    if heading is None or url is None:
        return None
    title = " ".join(heading.text(separator="").split())
    # The text nodes are text by now, which a row would take for markup.
    return response_parsing.ResultRow(url, escape(title), escape(_snippet(link)))


def _target(href: str) -> str | None:
    """Return where a result leads: as it is, or out of `/url?q=`; Google's own pages are no results."""
    try:
        parts = urlsplit(href)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.path == "/url" and (not host or is_within(host, _OWN)):
        parameters = parse_qs(parts.query)
        return next(iter(parameters.get("q") or parameters.get("url") or []), None)
    if not host or is_within(host, _OWN):
        return None
    return href


def _snippet(link: LexborNode) -> str:
    """Return the text beside the link, in the smallest box that holds more text and no other result."""
    link_text = link.text(separator=" ")
    box = link.parent
    for _ in range(MAX_UP):
        if box is None or len(box.css("h3")) > 1:
            return ""
        beside = " ".join(box.text(separator=" ").replace(link_text, " ", 1).split())
        if len(beside) >= len("a few words"):
            return beside
        box = box.parent
    return ""


def _once(rows: list[response_parsing.ResultRow]) -> list[response_parsing.ResultRow]:
    """Return each address once, first come first."""
    return list({row.url: row for row in reversed(rows)}.values())[::-1][:MAX_RESULTS]


def _is_empty(tree: LexborHTMLParser, main: LexborNode) -> bool:
    """Tell an empty list from a page that changed: nothing stands where results do, and something beside it says so."""
    says_none = any(node.text(strip=True) for node in tree.css(_SAYS_NONE))
    return says_none and main.css_first("a[href], h3") is None
