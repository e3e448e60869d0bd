"""DuckDuckGo's page for browsers without scripts, opened in a browser: asked where it refuses the plain client."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from wellread.ports import Visit
from wellread.web.search import dialect, duckduckgo_page

if TYPE_CHECKING:
    from wellread.ports import Access, Parsed, Query
    from wellread.types import Response


class DuckDuckGoBrowser:
    """Implements `ports.SearchProvider`."""

    name = "duckduckgo_browser"
    keyless = True
    filters = frozenset({"region", "freshness"})
    max_count = 10
    interval_s = 2.0

    def request(self, query: Query, access: Access) -> Visit:
        """Return the address that the page's own form leads to."""
        base = dialect.base(access, duckduckgo_page.BASE_URL)
        asked = {"q": dialect.wanted(query, chars=499), "kl": duckduckgo_page.REGION.get(query.region or "", "wt-wt")}
        if query.freshness:
            asked["df"] = query.freshness[0]
        return Visit(url=f"{base}/html/?{urlencode(asked)}")

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return duckduckgo_page.parsed(response, self.name)
