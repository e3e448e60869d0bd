"""Decides when a page is ready: nothing that matters is under way, and for a while nothing has grown.

Pure: it takes events with their times, and returns whether the page is ready. Relevant are documents, scripts, styles
and responses to scripts. Analytics, polls and long polls are not: they never end.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

MATTERS = frozenset({"document", "script", "stylesheet", "xhr", "fetch"})
# Words in the host or path of requests that report rather than ask.
_TRACKER = re.compile(
    r"analytic|telemetry|beacon|/collect\b|/pixel|/metrics|/rum\b|/ping\b|heartbeat|sentry|doubleclick|googletag"
    r"|gtm\.js|adservice|hotjar|segment\.io",
    re.IGNORECASE,
)
_REPORT = re.compile(r"/track|tracking|/log(?:s|ging)?(?:/|\?|$)|/events?/|/ads?/|/stats?\b", re.IGNORECASE)
"""These are the names of data, too: a page may load the events of a calendar."""
POLLS_AFTER = 3
"""Requests to one address after which it is taken to be polled."""
HELD_S = 1.5
"""A request that is open for so long, while the page has text, is taken for a long poll."""
USEFUL_CHARS = 200
FED_QUIET = 0.6
"""Once the page has grown after its last answer, so much of the quiet is enough."""
THIN_QUIET = 4.0
"""A page with less text than that is given so many times the quiet to go on."""
BUSY_S = 2.5
"""How long a page that says that it is busy is believed."""
YOUNG_S = 0.35
"""Scripts that have just run may have set a timer; no page is ready before, once it runs scripts."""
_GROWTH_CHARS = 8
_GROWTH_NODES = 2


def is_report(url: str, *, method: str) -> bool:
    """Return whether a request with this method reports something, such as a visit, rather than loads data."""
    return _TRACKER.search(url) is not None or (method != "GET" and _REPORT.search(url) is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSample:
    """The result of one look at the page."""

    chars: int
    useful: int
    """Characters outside of menus; none while the page's main element is empty."""
    nodes: int
    busy: bool = False
    """Something on it says that more is coming: a skeleton, a spinner, aria-busy."""
    parsed: bool = True
    """The document has come to its end."""
    waits: bool = False
    """It has scripts, and shows nothing yet, or only a line that says that it loads."""


@dataclass(slots=True)
class PageActivity:
    """The relevant activity of a page. Times are seconds on one clock."""

    quiet_s: float
    began: float
    changed: float = 0.0
    """When something last grew, began or ended."""
    look: PageSample | None = None
    _open: dict[int, tuple[str, float]] = field(default_factory=dict)
    _counts_by_url: Counter[str] = field(default_factory=Counter)
    _most: tuple[int, int] = (0, 0)
    _scripted: bool = False
    _grew: float = 0.0
    _answered: float = 0.0

    def request(self, key: int, kind: str, url: str, now: float) -> None:
        """Note the start of a request."""
        address = url.partition("?")[0]
        self._counts_by_url[address] += 1
        if (
            kind not in MATTERS
            or _TRACKER.search(url)
            or _REPORT.search(url)
            or self._counts_by_url[address] > POLLS_AFTER
        ):
            return
        self._scripted = self._scripted or kind != "document"
        self._open[key] = (kind, now)
        self.changed = now

    def ended(self, key: int, now: float) -> None:
        """Note the end of a request, successful or not."""
        if self._open.pop(key, None) is not None:
            self.changed = self._answered = now

    def stirred(self, now: float) -> None:
        """Note input to the page, or a message over a socket: its effect shows soon."""
        self.changed = max(self.changed, now - self.quiet_s / 2)

    def looked(self, look: PageSample, now: float) -> None:
        """Note the result of a look at the page."""
        chars, nodes = self._most
        if look.chars > chars + _GROWTH_CHARS or look.nodes > nodes + _GROWTH_NODES:
            self.changed = self._grew = now
        self._most = max(chars, look.chars), max(nodes, look.nodes)
        self.look = look

    def is_ready(self, now: float) -> bool:
        """Return whether the page has come to rest."""
        look = self.look
        if look is None or not look.parsed or look.waits or self.pending(now):
            return False
        if look.busy and now - self.began < BUSY_S:
            return False
        quiet_s = self.quiet_s
        if look.useful < USEFUL_CHARS:
            quiet_s *= THIN_QUIET
        elif self._grew > self._answered:
            quiet_s *= FED_QUIET
        is_young = self._scripted and now - self.began < YOUNG_S
        return not is_young and now - self.changed >= quiet_s

    def is_held(self, now: float) -> bool:
        """Return whether every request under way that matters is open for as long as a long poll."""
        return all(now - since > HELD_S for _, since in self._open.values())

    def pending(self, now: float) -> int:
        """Count the requests under way that matter."""
        fed = self.look is not None and self.look.useful >= USEFUL_CHARS
        return sum(not (fed and now - since > HELD_S) for _, since in self._open.values())
