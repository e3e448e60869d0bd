"""Follows the requests by which a page loads its data, and reports those that failed.

Such requests are XHR and fetch to the page's own site, and documents in its frames. Without their responses a page
shows less text, or a click changes nothing. Reports to trackers, beacons, prefetches, pictures and fonts do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from wellread.browser.render.activity import is_report
from wellread.metadata.site_address import domain
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from playwright.async_api import Request, Response

    from wellread.browser.tab import BrowserTab

MAX_FAILURES = 200
"""Failures of one document that are remembered."""
MAX_URLS = 50
"""URLs of one failure that are remembered; they differ in the query."""
MAX_NAMED = 3
"""Failures that a notice names; further ones are counted."""
MAX_PLACE_CHARS = 150
MAX_SEGMENTS = 2
"""Segments of a path that a notice shows."""
_PLAIN_SEGMENT: Final = re.compile(
    r"(?=.{1,24}\Z)(?!(?:[^0-9]*[0-9]){5})[_.-]*"
    r"(?:v[0-9]{1,2}|[A-Za-z]+|[0-9]+)(?:[_.-]+(?:v[0-9]{1,2}|[A-Za-z]+|[0-9]+))*\Z"
)
"""Words and short numbers, and versions (`v2`): other letters with digits, and long numbers, may be secrets."""
_NO_RESPONSE: Final = 0
_SIGN_IN: Final = frozenset({401, 403})
_TOO_MANY: Final = 429
_SCRIPTED: Final = frozenset({"xhr", "fetch"})
_NOT_FAILED: Final = frozenset({"net::ERR_ABORTED", "net::ERR_BLOCKED_BY_CLIENT"})
"""The page canceled the request, or wellread left it out."""
_PREFETCH_HEADERS: Final = ("purpose", "sec-purpose", "next-router-prefetch")
_VISITOR = re.compile(
    r"/(?:me|who-?am-?i|sessions?|user-?info|current[_-]?user|csrf(?:[_-]?token)?|token|refresh(?:[_-]?token)?)/?\Z",
    re.IGNORECASE,
)
"""The end of paths that ask for the visitor: sites answer 401 or 403 to all who are not signed in."""


class FailedRequest(NamedTuple):
    """A request without the response that the page asked for.

    Equal requests are counted as one failure, and so are GET requests that differ only in the query.
    """

    url: str
    method: str
    status: int
    """0 without a response."""
    is_refused: bool = False
    """Refused by the policy for addresses, not by the site."""
    tries: int = 1
    url_hashes: frozenset[int] = frozenset()
    """Of the URLs that have not been answered since."""

    @property
    def description(self) -> str:
        """The method, host, start of the path, and result: `GET example.org/api/items got 500 (2 times)`."""
        outcome = str(self.status or "no response")
        if self.is_refused:
            outcome = "refused"
        times = f" ({self.tries} times)" * (self.tries > 1)
        return f"{self.method[:10]} {_place(self.url)} got {outcome}{times}"

    def is_serious(self, *, in_step: bool) -> bool:
        """Return whether the page probably lacks text: not so where there is nothing at the URL (404).

        A step of a session may have sent something, so other methods than GET are serious with any status.
        """
        if self.is_refused or self.status in {_NO_RESPONSE, _TOO_MANY} or self.status >= 500:
            return True
        if in_step and self.method != "GET":
            return True
        return self.status in _SIGN_IN and _VISITOR.search(urlsplit(self.url).path) is None

    @property
    def may_pass(self) -> bool:
        """Whether a later try may succeed: not after a refusal, by the site or by the policy."""
        return not self.is_refused and (self.status in {_NO_RESPONSE, _TOO_MANY} or self.status >= 500)

    @property
    def hint(self) -> str:
        """What may help."""
        if self.status in _SIGN_IN and not self.is_refused:
            return "if it needs a sign-in, use a profile or headers"
        if self.status == _TOO_MANY and self.may_pass:
            return "wait before the next try"
        if self.may_pass:
            return "try again later"
        return ""


class _RequestKey(NamedTuple):
    """Tries of one request have one key, and GET requests with any query."""

    method: str
    url: str
    body_hash: int


class FailedRequests:
    """The failed requests of the document that a tab shows, and those of the current step of a session."""

    def __init__(self, tab: BrowserTab) -> None:
        """Begin to follow the page of `tab`."""
        self._page = tab.page
        self._gate = tab.gate
        self._failures: dict[_RequestKey, FailedRequest] = {}
        self._dropped: Counter[bool] = Counter()
        """Number of failures beyond `MAX_FAILURES`, by whether they are serious."""
        self._step_keys: set[_RequestKey] = set()
        self._reported_keys: set[_RequestKey] = set()
        self._page.on("response", self._answered)
        self._page.on("requestfailed", self._unanswered)

    def begin_step(self) -> None:
        """Begin a step: failures that a snapshot has reported are not reported again."""
        self._step_keys -= self._reported_keys
        self._reported_keys = set()

    def notices(self) -> Iterator[Notice]:
        """Yield notices of the failed requests of the document."""
        yield from self._notices(self._failures, self._dropped, in_step=False)

    def step_notices(self) -> Iterator[Notice]:
        """Yield notices of the requests that failed in the current step, or after the last snapshot."""
        self._reported_keys = set(self._step_keys)
        yield from self._notices(self._step_keys, {}, in_step=True)

    def may_pass(self) -> bool:
        """Return whether the document probably lacks text that a later rendering may show."""
        return any(failure.may_pass for failure in self._of_site(self._failures))

    def _of_site(self, keys: Collection[_RequestKey]) -> list[FailedRequest]:
        """Return the failures with these keys whose URL is of the site of the page."""
        site = _site(self._page.url)
        return [failure for key, failure in self._failures.items() if key in keys and _site(failure.url) == site]

    def _notices(
        self, keys: Collection[_RequestKey], dropped: Mapping[bool, int], *, in_step: bool
    ) -> Iterator[Notice]:
        failures = self._of_site(keys)
        serious = [failure for failure in failures if failure.is_serious(in_step=in_step)]
        minor = [failure for failure in failures if not failure.is_serious(in_step=in_step)]
        if serious:
            hints = dict.fromkeys(failure.hint for failure in serious if failure.hint)
            further = dropped.get(True, 0)
            detail = "; ".join([_detail(serious, further), *hints])
            yield Notice("requests_failed", detail, sum(failure.tries for failure in serious) + further)
        if minor:
            further = dropped.get(False, 0)
            count = sum(failure.tries for failure in minor) + further
            yield Notice("minor_requests_failed", _detail(minor, further), count)

    def _answered(self, response: Response) -> None:
        request = response.request
        if self._is_main_document(request):
            if not 300 <= response.status < 400:
                self._failures, self._step_keys, self._reported_keys = {}, set(), set()
                self._dropped = Counter()
        elif response.status >= 400:
            self._add(request, response.status)
        elif response.status < 300:
            self._succeed(request)

    def _unanswered(self, request: Request) -> None:
        if request.failure not in _NOT_FAILED and not self._is_main_document(request):
            self._add(request, _NO_RESPONSE)

    def _is_main_document(self, request: Request) -> bool:
        from playwright.async_api import Error

        with suppress(Error):  # its frame is gone
            return request.is_navigation_request() and request.frame == self._page.main_frame
        return False

    def _succeed(self, request: Request) -> None:
        """Forget a failure when all its URLs have been answered by a further try."""
        key, url_hash = _request_key(request), hash(request.url)
        failure = self._failures.get(key)
        if failure is None or url_hash not in failure.url_hashes or len(failure.url_hashes) >= MAX_URLS:
            return
        self._failures[key] = failure._replace(url_hashes=failure.url_hashes - {url_hash})
        if not self._failures[key].url_hashes:
            del self._failures[key]

    def _add(self, request: Request, status: int) -> None:
        page_site = _site(self._page.url)
        if not _loads_data(request) or (page_site and _site(request.url) != page_site):
            return
        key, url_hash = _request_key(request), hash(request.url)
        previous = self._failures.get(key)
        if previous is None:
            if len(self._failures) >= MAX_FAILURES:
                self._drop_failure()
            is_refused = self._gate is not None and self._gate.refusal(request.url) is not None
            previous = FailedRequest(request.url, request.method, status, is_refused, tries=0)
        elif status == _NO_RESPONSE and previous.status != _NO_RESPONSE and url_hash in previous.url_hashes:
            return  # the end of a response whose status is counted
        url_hashes = previous.url_hashes
        if len(url_hashes) < MAX_URLS:
            url_hashes |= {url_hash}
        failure = previous._replace(status=status, tries=previous.tries + 1, url_hashes=url_hashes)
        if len(url_hashes) > 1 and previous.is_serious(in_step=False) and not failure.is_serious(in_step=False):
            failure = failure._replace(status=previous.status)
        self._failures[key] = failure
        self._step_keys.add(key)

    def _drop_failure(self) -> None:
        """Drop the oldest of the failures that matter least: minor ones, and of them those before the step."""

        def importance(key: _RequestKey) -> tuple[bool, bool]:
            return self._failures[key].is_serious(in_step=key in self._step_keys), key in self._step_keys

        key = min(self._failures, key=importance)
        self._dropped[self._failures.pop(key).is_serious(in_step=False)] += 1
        self._step_keys.discard(key)


def _loads_data(request: Request) -> bool:
    """Return whether a request is for text of the page: not a report, a prefetch, or a part such as a picture."""
    is_document = request.resource_type == "document" and request.is_navigation_request()
    if request.method == "HEAD" or not (is_document or request.resource_type in _SCRIPTED):
        return False
    is_prefetch = any(name in request.headers for name in _PREFETCH_HEADERS)
    return not is_prefetch and not is_report(request.url.partition("?")[0], method=request.method)


def _request_key(request: Request) -> _RequestKey:
    url = request.url.partition("#")[0]
    if request.method == "GET":
        url = url.partition("?")[0]
    return _RequestKey(request.method, url, hash(request.post_data_buffer))


def _site(url: str) -> str:
    return domain(urlsplit(url).hostname or "")


def _place(url: str) -> str:
    """Return the host of a URL and its first path segments if they are plain words; "…" stands for the others.

    The page chooses the URL, and notices are not quoted: a segment may be a secret or a sentence.
    """
    parts = urlsplit(url)
    segments = parts.path.split("/")[1:]
    shown = [
        "…" if segment and _PLAIN_SEGMENT.match(segment) is None else segment for segment in segments[:MAX_SEGMENTS]
    ]
    if len(segments) > MAX_SEGMENTS:
        shown.append("…")
    return "/".join([parts.netloc.rpartition("@")[2][:MAX_PLACE_CHARS], *shown])


def _detail(failures: Sequence[FailedRequest], dropped_count: int) -> str:
    descriptions = [failure.description for failure in failures[:MAX_NAMED]]
    unnamed_count = max(len(failures) - MAX_NAMED, 0) + dropped_count
    if unnamed_count:
        descriptions.append(f"{unnamed_count} more")
    return f"requests of the page failed: {', '.join(descriptions)}"
