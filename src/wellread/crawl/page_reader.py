"""Reads a response that a crawl has fetched, in the way of every read: the same text, metadata and notices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wellread.errors import UnavailableError
from wellread.reading.pipeline import Pipeline
from wellread.types import Notice

if TYPE_CHECKING:
    from wellread.ports import Fetcher
    from wellread.reading.pipeline import PipelineParts
    from wellread.types import Format, Page, Render, Request, Response, Scroll


@dataclass(frozen=True, slots=True)
class FetchedPageReader:
    """Reads fetched pages with the parts of a pipeline."""

    parts: PipelineParts
    fetcher: Fetcher
    """The fetcher of the crawl, for what a page needs besides itself."""
    user_asked: bool = False

    async def read(
        self,
        url: str,
        response: Response,
        *,
        render: Render,
        scroll: Scroll = "auto",
        format: Format,
        index: bool,
    ) -> Page:
        """Return the page of a response; with `index`, it is added to the index as well.

        If the index does not answer, a notice of the page says so: that is no failure of the host or of the page.

        Raises:
            UnavailableError, UnreadableError: as `Pipeline.read`.
        """
        parts = replace(self.parts, fetcher=_FetchedResponse(url, response, self.fetcher))
        pipeline = Pipeline(parts)
        user_asked = self.user_asked
        page = await pipeline.read(url, render=render, scroll=scroll, format=format, fresh=True, user_asked=user_asked)
        if index:
            try:
                await pipeline.index(url, render=render, scroll=scroll, user_asked=user_asked)
            except UnavailableError as error:
                notice = Notice("not_indexed", f"the page was not added to the index: {error.message}")
                return replace(page, notices=(*page.notices, notice))
        return page


@dataclass(frozen=True, slots=True)
class _FetchedResponse:
    """A fetcher that has the response to one URL already."""

    url: str
    response: Response
    others: Fetcher

    async def fetch(self, request: Request) -> Response:
        """Return the response, or fetch another URL."""
        if request.url == self.url:
            return self.response
        return await self.others.fetch(request)
