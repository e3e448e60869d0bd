"""Public fakes: a web made of a dictionary, and a clock that stands still, for tests of code that uses wellread."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from wellread.errors import Unreachable, WellreadError
from wellread.types import Headers, Request, Response

if TYPE_CHECKING:
    from collections.abc import Mapping

HTML: Headers = (("content-type", "text/html; charset=utf-8"),)


@dataclass
class DictWeb:
    """A `Fetcher` over a dictionary: URL -> HTML text, a `Response`, or the error to raise.

    `asked` lists the requests in order. An unknown URL is `Unreachable`, as a name that does not resolve would be.
    """

    pages: Mapping[str, str | Response | WellreadError]
    asked: list[Request] = field(default_factory=list)

    async def fetch(self, request: Request) -> Response:
        """Answer `request` from the dictionary."""
        self.asked.append(request)
        answer = self.pages.get(request.url)
        if isinstance(answer, str):
            return Response(url=request.url, status=200, headers=HTML, body=answer.encode())
        if isinstance(answer, Response):
            return answer
        raise answer or Unreachable(f"{request.url} is not in this DictWeb", url=request.url)


@dataclass
class FakeClock:
    """A `Clock` that moves only when told to."""

    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    elapsed_s: float = 0.0

    def now(self) -> datetime:
        """Return the time it stands at."""
        return self.at

    def monotonic(self) -> float:
        """Return the seconds it has been moved by."""
        return self.elapsed_s

    def advance(self, seconds: float) -> None:
        """Move on by `seconds`."""
        self.at += timedelta(seconds=seconds)
        self.elapsed_s += seconds
