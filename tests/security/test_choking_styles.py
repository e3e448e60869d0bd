"""Styles made to choke their reader cost bounded time: no page may hold up those beside it."""

from __future__ import annotations

import sys
import time

import pytest

from wellread.types import Source
from wellread.web.extract.html import HtmlExtractor

PROSE = "<main><p>The pools lie dry at noon, and the gulls know it well.</p></main>"


@pytest.mark.parametrize(
    "page",
    [
        f"<style>{'url(a ' * 40_000}</style>{PROSE}",
        f"<p style='{'url(a ' * 40_000}'>x</p>{PROSE}",
        f"<style>{'@layer a' * 30_000}</style>{PROSE}",
        f"<style>@layer{' ' * 250_000}</style>{PROSE}",
        f"<style>div>b{{{'text-indent:-9999px;color:red;' * 9_000}}}</style>{PROSE}<div>{'<b>x</b>' * 600}</div>",
        f"<style>div>b{{{''.join(f'left:{n}px;' for n in range(20_000))}}}</style>{PROSE}<div>{'<b>x</b>' * 600}</div>",
        "<style>" + "".join(f":root{{--v:i{n}}}.a{n}{{left:var(--v)}}" for n in range(6_000)) + f"</style>{PROSE}",
        "<style>"
        + "".join(f":is(b:is(i,b,u) ~ b):not([a{n}]){{left:-9999px}}" for n in range(2_000))
        + f"</style>{PROSE}{'<b>x</b>' * 600}",
    ],
    ids=["url", "url inline", "layers", "spaces", "one body", "one property", "variables", "selectors"],
)
def test_a_style_sheet_costs_bounded_time(page: str) -> None:
    tracer = sys.gettrace()
    sys.settrace(None)  # the bound is on the reading, not on what measures coverage
    try:
        began = time.thread_time()
        told = HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html"))
        assert time.thread_time() - began < 5
    finally:
        sys.settrace(tracer)
    assert any("pools" in span.text for block in told.document for span in block.spans)


@pytest.mark.parametrize(
    "page",
    [
        "".join("<div style='opacity:.7'>" for _ in range(12)) + "<p>ORDER</p>",
        "".join("<div style='font-size:.63em'>" for _ in range(7)) + "<p>ORDER</p>",
        "<style>.x{font-size:1%}</style><p class=x>ORDER</p>",
        "<style>.x{-webkit-text-security:disc}</style><p class=x>ORDER</p>",
        "<p style='opacity:0.00000000000000001'>ORDER</p>",
        "<p style='position:absolute;left:-00000000000000000009999px'>ORDER</p>",
        "<!-- $RC --><template id='B:0'></template><div hidden id='S:0'>ORDER</div>",
        f"<style>.x{{display:none;{''.join(f'left:{n}px;' for n in range(30))}}}</style><p class=x>ORDER</p>",
    ],
)
def test_what_adds_up_to_nothing_seen_is_not_read(page: str) -> None:
    told = HtmlExtractor().extract(Source(body=f"{PROSE}{page}".encode(), media_type="text/html"))
    assert "ORDER" not in "".join(span.text for block in told.document for span in block.spans)
