"""DuckDuckGo's page for browsers without scripts (https://html.duckduckgo.com/html/): no key, and no promise either.

A second page takes the hidden fields of the first, and asking for it without them gets an address flagged: `page` is
not among the filters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from wellread.types import Request
from wellread.web.search import dialect, duckduckgo_page

if TYPE_CHECKING:
    from wellread.ports import Access, Parsed, Query
    from wellread.types import Response


class DuckDuckGo:
    """Implements `ports.SearchProvider`."""

    name = "duckduckgo"
    keyless = True
    filters = frozenset({"region", "freshness"})
    max_count = 10
    interval_s = 2.0

    def request(self, query: Query, access: Access) -> Request:
        """Return the form as its own page posts it; who asks is said honestly, by the client's User-Agent."""
        base = dialect.base(access, duckduckgo_page.BASE_URL)
        region = duckduckgo_page.REGION.get(query.region or "", "wt-wt")
        freshness = query.freshness[0] if query.freshness else ""
        form = {"q": dialect.wanted(query, chars=499), "b": "", "kl": region, "df": freshness}
        headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Referer", f"{duckduckgo_page.BASE_URL}/")]
        headers.append(("Cookie", f"kl={region}" + (f"; df={freshness}" if freshness else "")))
        return Request(
            url=f"{base}/html/", method="POST", headers=tuple(headers), body=urlencode(form).encode(), user_asked=True
        )

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended, by what stands on the page first and by the status second."""
        return duckduckgo_page.parsed(response, self.name)
