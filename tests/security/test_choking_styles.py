"""Styles made to choke their reader cost bounded time: no page may hold up those beside it."""

from __future__ import annotations

import pytest

import wellread
from effort import costs_at_most
from wellread.errors import Empty
from wellread.extraction.html import HtmlExtractor
from wellread.types import Source

pytestmark = pytest.mark.untraced
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
    assert costs_at_most(5, page)
    told = HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html"))
    assert any("pools" in span.text for block in told.document for span in block.spans)


BOXES = "".join(f"<p class='x c{n}'>The tide turns at {n}.</p>" for n in range(600))
MEGABYTE = 1_000_000


def sheet(rule: str) -> str:
    """Return a megabyte of rules; `#` is a number that differs from one to the next."""
    count = MEGABYTE // (len(rule) + 3)
    return "".join(rule.replace("#", str(n)) for n in range(count))


@pytest.mark.parametrize(
    "styles",
    [
        sheet(".x{left:-#px}"),
        sheet(".x{left:-#px;position:absolute}"),
        sheet("p:not(.a#){left:-9999px}"),
        sheet("p:nth-child(#n+1 of .x){left:-9999px}"),
        sheet(":is(p,.b#) ~ p{left:-9999px}"),
        sheet("main:has(.z# div) .x{left:-9999px}"),
        sheet("[class*=q#]{left:-9999px}"),
        sheet("* > * > *{left:-#px}"),
        sheet("@layer a#{.x{left:-9999px}}"),
        sheet("@scope(.x){.c#{left:-9999px}}"),
        sheet("@keyframes k#{to{opacity:0}}.c#{animation:k# 1s forwards}"),
        sheet(".c#{--v#:none;left:var(--v#)}"),
        sheet(".x{--v#:var(--w#) var(--w#)}"),
        sheet(".c#{color:color-mix(in srgb,rgb(from red # 0 0) 1%,oklch(.5 .1 #))}"),
        "@layer a{" * 30_000 + ".x{left:-9999px}",
        ".x{& " * 200_000,
        ".x" + "(" * MEGABYTE + "{left:-9999px}",
        "." + "x" * MEGABYTE + "{left:-9999px}",
        ".x" + ":" * MEGABYTE + "{left:-9999px}",
    ],
    ids=lambda styles: styles[:60],
)
def test_a_megabyte_of_rules_costs_about_a_second(styles: str) -> None:
    page = f"<!doctype html><style>{styles}</style>{PROSE}{BOXES}"
    assert costs_at_most(3, page)  # a second, three times over


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


def _page_of_rules(rule: str, count: int) -> str:
    rules = "".join(rule.format(at) for at in range(count))
    return f"<html><head><style>{rules}</style></head><body>{'<p>The tide turns at noon.</p>' * 300}</body></html>"


@pytest.mark.parametrize("rule", ["p:has(.b{}){{display:none}}", "p:nth-child(1 of .c{}){{visibility:hidden}}"])
def test_styles_beyond_the_bound_are_told(rule: str) -> None:
    page = wellread.extract(f"{_page_of_rules(rule, 2_000)}<pre>Ebb at six.</pre>", url="https://tide.example/")
    assert "styles_cut" in [notice.code for notice in page.notices]
    assert not page.complete


def test_page_hidden_by_styles_beyond_the_bound() -> None:
    with pytest.raises(Empty, match="its styles") as raised:
        wellread.extract(_page_of_rules("p:has(.b{}){{display:none}}", 6_000), url="https://tide.example/")
    assert raised.value.hint == "open the page in a browser"


def test_styles_within_the_bound_are_not_told() -> None:
    page = wellread.extract(_page_of_rules("p.b{}{{display:none}}", 200), url="https://tide.example/")
    assert "styles_cut" not in [notice.code for notice in page.notices]
    assert page.text.count("tide") == 300
