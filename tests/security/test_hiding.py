"""A sentence that no person sees is nowhere in what is read, however it was hidden; what people see is never lost."""

from __future__ import annotations

import pytest

from security.hiding import PLANTED, hiding, honest
from wellread.errors import Empty
from wellread.types import Source
from wellread.web.extract.html import HtmlExtractor
from wellread.web.printer import printed


def everything_read(page: str) -> str:
    """Return all that a caller could see of a page: text in each format, title, links, headings."""
    try:
        told = HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html", url="https://example.org/"))
    except Empty:
        return ""
    prints = [printed(told.document, form, images=True) for form in ("text", "markdown", "html")]
    return " ".join([*(one.text for one in prints), told.metadata.title or "", *told.links])


def test_the_suites_are_large() -> None:
    assert len({page for _, page in hiding()}) >= 250
    assert len({page for _, page in honest()}) >= 60


@pytest.mark.parametrize("page", [pytest.param(page, id=name) for name, page in hiding()])
def test_a_planted_sentence_is_not_read(page: str) -> None:
    assert PLANTED.split()[-1] not in everything_read(page)


@pytest.mark.parametrize("page", [pytest.param(page, id=name) for name, page in honest()])
def test_a_sentence_that_people_see_is_read(page: str) -> None:
    assert PLANTED in everything_read(page)
