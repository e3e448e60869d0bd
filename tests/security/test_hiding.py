"""A sentence that no person sees is nowhere in what is read, however it was hidden; what people see is never lost."""

from __future__ import annotations

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from security.hiding import HIDING, PLANTED, PROSE, SHEETS, TRICKS, hiding, honest, page
from wellread.errors import Empty
from wellread.extraction.html import HtmlExtractor
from wellread.output import print_document
from wellread.types import Source


def everything_read(whole: str) -> str:
    """Return all that a caller could see of a page: text in each format, title, links, headings."""
    try:
        told = HtmlExtractor().extract(Source(body=whole.encode(), media_type="text/html", url="https://example.org/"))
    except Empty:
        return ""
    prints = [print_document(told.document, form, images=True) for form in ("text", "markdown", "html")]
    return " ".join([*(one.text for one in prints), told.metadata.title or "", *told.links])


def test_the_suites_are_large() -> None:
    assert len({whole for _, whole in hiding()}) >= 250
    assert len({whole for _, whole in honest()}) >= 60


@pytest.mark.parametrize("whole", [pytest.param(whole, id=name) for name, whole in hiding()])
def test_a_planted_sentence_is_not_read(whole: str) -> None:
    assert PLANTED.split()[-1] not in everything_read(whole)


@pytest.mark.parametrize("whole", [pytest.param(whole, id=name) for name, whole in honest()])
def test_a_sentence_that_people_see_is_read(whole: str) -> None:
    assert PLANTED in everything_read(whole)


_FRAGMENTS = st.sampled_from(
    [*" :;,.#*{}()[]<>@!&~+>/\\'\"%-"]
    + ["0", "1px", "-9e9", "calc(", "clamp(1px)", "min()", "var(--a", "--a:", "rgb(", "url(", ":is(", ":not("]
    + [word for style in (*HIDING, *TRICKS[:30]) if len(style) < 99 for word in style.replace(":", " : ").split()]
    + [word for sheet in SHEETS if len(sheet) < 99 for word in sheet.replace("{", " { ").split()]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_FRAGMENTS, max_size=25).map("".join))
def test_random_style_changes_only_its_own_element(style: str) -> None:
    own = f'<p style="{html.escape(style)}">Tea</p>'
    assert PROSE.strip() in everything_read(page(own))
    everything_read(page("<p class=x id=i data-k=v>Tea</p>", f"<style>{style}</style>"))


@pytest.mark.parametrize("size", ["clamp(1px)", "clamp()", "min()", "calc()", "max(,)", "clamp(1px,,)"])
def test_a_sum_that_lacks_its_parts_is_no_sum(size: str) -> None:
    assert PLANTED in everything_read(page(f"<p style='transform:translate({size});width:{size}'>{PLANTED}</p>"))
