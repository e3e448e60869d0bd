"""Pages that made work grow faster than their size: four times the page takes at most six times the work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import wellread
from effort import costs_at_most, grows_in_proportion
from wellread.errors import UnreadableError
from wellread.extraction.html import HtmlExtractor
from wellread.step_counter import MIN_STEPS, STEPS_PER_CHAR, StepCounter
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

pytestmark = pytest.mark.untraced
SMALL: Final = 25_000
"""Characters."""
PROSE: Final = "<p>The pools lie dry at noon, and the gulls know it well.</p>"


def filled(unit: str, chars: int) -> str:
    """Return `unit` again and again, about so many characters; `#` is a number that differs from one to the next."""
    count = chars // (len(unit) + 3 * unit.count("#"))
    return "".join(unit.replace("#", str(number)) for number in range(count)) if "#" in unit else unit * count


def styled(rule: str, body: str) -> str:
    return f"<style>{rule}{{display:none}}</style>{PROSE}{body}"


def slotted(selector: str, inside: str) -> str:
    shadow = f"<template shadowrootmode=open><style>{selector}::slotted(p){{display:none}}</style>{inside}</template>"
    return f"<x-a>{shadow}{PROSE}</x-a>{PROSE}"


def nested(around: str, chars: int) -> str:
    """Return elements within one another, but no more than the parser is given of them."""
    return around * min(chars // len(around), 3_900)


ELEMENTS: Final = "<p id=x#>a"
SPACES: Final = " " * 470
MEDIA: Final = f"@media (a#:{SPACES}x{{p{{display:none}}}}"
BRACKETS: Final = "\\(" * 10_000
PAGES: Final[Mapping[str, Callable[[int], str]]] = {
    "nth of": lambda n: styled("p:nth-child(2n+1 of .x)", filled("<p class=x id=x#>a", n)),
    "nth of many": lambda n: (
        f"<style>{filled('p:nth-child(#n+3 of .x){left:-9px}', n // 8)}</style>{filled('<p class=x id=x#>a', n)}"
    ),
    "has beside": lambda n: styled("p:has(~ p ~ p ~ p ~ .y)", filled(ELEMENTS, n)),
    "has one beside": lambda n: styled("p:has(~ p ~ p ~ p ~ #x3)", filled(ELEMENTS, n)),
    "has many names": lambda n: styled(f"p:has({filled('.a#,', n // 2)}b)", filled(ELEMENTS, n // 2)),
    "is of many names": lambda n: styled(f"p:is({filled('.a#,', n // 2)}b)", filled(ELEMENTS, n // 2)),
    "attributes": lambda n: f"<style>{filled('[x#]{display:none}', n // 2)}</style>{filled(ELEMENTS, n // 2)}",
    "languages": lambda n: styled(f"p:lang({filled('a#,', n // 2)}b)", filled(ELEMENTS, n // 2)),
    "language of the deep": lambda n: styled("p:lang(de)", "<div>" * 290 + filled(ELEMENTS, n)),
    "direction of the deep": lambda n: styled("p:dir(rtl)", "<div>" * 290 + filled(ELEMENTS, n)),
    "empty": lambda n: f"<style>{filled('p:empty{left:-#px}', n // 2)}</style><p>{'<!---->' * (n // 14)}</p>{PROSE}",
    "one rule each": lambda n: (
        f"<style>{filled('.x{top:#px}', 5_000)}{filled('.c#{left:-9999px}', n // 2)}</style>"
        + filled("<p class='x c#'>a", n // 2)
    ),
    "variables": lambda n: (
        f"<style>:root{{{filled('--v:#px;', 250)}}}{filled('.c#{left:calc(var(--v) + #px)}', n)}</style>"
        f"<p class='{filled('c# ', n // 3)}'>a</p>{PROSE}"
    ),
    "media": lambda n: f"<style>{filled(MEDIA, n)}</style>{PROSE}",
    "scopes": lambda n: f"<style>@scope ({filled(') to (', n)}x{{p{{display:none}}}}</style>{PROSE}",
    "open brackets": lambda n: f"<style>p{filled(',[', n)}{{display:none}}</style>{PROSE}",
    "open brackets in quirks": lambda n: f"<style>@media {'[' * n}{{p{{display:none}}}}</style>{PROSE}",
    "address that ends in a backslash": lambda n: f"<style>{'url(a ' * (n // 6)}\\</style>{PROSE}",
    "dashes": lambda n: f"<style>a{{b:{'-' * n}}}p{{left:var(--x)}}</style>{PROSE}",
    "step": lambda n: f"<style>p:nth-child(n{' ' * n}x){{display:none}}</style>{PROSE}",
    "importance": lambda n: f"<div style='color:{' ' * n}!x'>{PROSE}</div>",
    "mask": lambda n: f"<div style='mask:{'a' * n}'>{PROSE}</div>",
    "font": lambda n: f"<div style='font:{' calc()x' * (n // 8)}'>{PROSE}</div>",
    "suspicion": lambda n: f"<div style='{'visibility:' * (n // 11)}'>{PROSE}</div>",
    "style of a list": lambda n: f"{PROSE}<ul style='{'list-style:' * (n // 11)}'><li>The tide</ul>",
    "swallowed text": lambda n: PROSE + filled("<p style='color:#fff;top:#px'>x</p>", n),
    "grounds of the deep": lambda n: (
        PROSE + "<div>" * 400 + filled("<i><b style='color:rgb(1,2,3);top:#px'>x</b></i>", n)
    ),
    "slots of the deep": lambda n: slotted(".z div slot", "<div>" * 200 + filled("<slot name=a#></slot>", n)),
    "hidden in the hidden": lambda n: f"<script></script>{nested('<div hidden>', n // 2)}{'x ' * (n // 4)}<main>x",
    "terms": lambda n: f"{PROSE}<dl>{filled('<dt>a<dd>b', n)}",
    "headings of the deep": lambda n: PROSE + "<div>" * 190 + filled("<h2>a</h2>", n),
    "lines of the deep": lambda n: PROSE + "<div>" * 190 + filled("<p>ab cd", n),
    "boxes of code": lambda n: PROSE + nested("<div class=code>", n // 2) + filled("<div class=line>a", n // 2),
    "boxes of code with prose": lambda n: (
        PROSE + nested("<div class=code><code>a</code>", n // 2) + filled("<p>a", n // 2)
    ),
    "code in code": lambda n: PROSE + nested("<code>a\n", n // 2) + filled("<b>b</b>\n", n // 2),
    "lines of one pre": lambda n: f"{PROSE}<pre>{filled('<span class=x><b>#</b> a</span>', n)}</pre>",
    "numbers in a pre": lambda n: f"{PROSE}<pre>{filled('<i>#</i>a' + chr(10), n)}</pre>",
    "changed lines": lambda n: f"{PROSE}<pre>{filled('<ins>a' + chr(10) + '</ins>', n)}</pre>",
    "tables of numbers": lambda n: PROSE + nested("<table><tr><td>1 2<td>", n // 2) + filled("<b>a</b>", n // 2),
    "names and types": lambda n: PROSE + nested("<div>a", n // 2) + filled("<div>to<div>string</div></div>", n // 2),
    "signatures": lambda n: PROSE + nested("<div class=signature>f(", n // 2) + "a(" * (n // 4),
    "formulas": lambda n: PROSE + nested("<span class=math data-tex=x>", n // 2) + "x^2 " * (n // 8),
    "readings": lambda n: PROSE + filled("<ruby>a<rt>b</ruby>", n // 2) + nested("<rt>a", n // 2),
    "notes amid text": lambda n: f"{PROSE}<p>{filled('a<d-footnote>b</d-footnote>', n)}",
    "twins of tables": lambda n: (
        PROSE + filled("<table><tr><th>a<th>b<tr><td>a b c<td>d e f</table>", n // 2) + "<p>a" * (n // 8)
    ),
    "cells by name": lambda n: f"{PROSE}<div class=table>{filled('<div class=a>a</div><div class=b>b</div>', n)}</div>",
    "roles of tables": lambda n: PROSE + nested("<div role=grid><div role=row><div role=cell>a", n),
    "labels of notes": lambda n: (
        PROSE
        + "".join(f"<a href=#fn{at} class=noteref>x-{at if 2 * at < n // 45 else 0}</a>" for at in range(n // 45))
        + "".join(f"<p id=fn{at}>note" for at in range(n // 45))
    ),
}


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in PAGES.items()])
def test_work_grows_with_the_page(make: Callable[[int], str]) -> None:
    assert grows_in_proportion(make(SMALL), make(4 * SMALL))


@pytest.mark.parametrize(
    "page",
    [
        slotted(".z div div div div div slot", "<div>" * 200 + "<slot></slot>"),
        slotted(f"{' ' * 1_900}x", "<slot></slot>"),
        f"<div style='display:grid;overflow:hidden;grid-template-rows:0{' ' * 60}x'>{PROSE}</div>",
        f"<div style='color:transparent;text-shadow:{BRACKETS}'>{PROSE}</div>{PROSE}",
    ],
    ids=["slots", "spaces before slots", "rows", "escaped brackets"],
)
def test_short_styles_cost_no_second(page: str) -> None:
    assert costs_at_most(1, page)  # each took from seconds to minutes, or ended in a RecursionError


@pytest.mark.parametrize(
    "name",
    [
        "terms",
        "lines of the deep",
        "has one beside",
        "nth of many",
        "one rule each",
    ],
)
def test_a_page_of_200_kb_costs_two_seconds(name: str) -> None:
    assert costs_at_most(2, PAGES[name](200_000))


def test_a_page_beyond_the_step_limit_is_unreadable() -> None:
    page = "<script></script>" + "<div class=a style='opacity:0'>" * 3_900 + "x " * 40_000 + "<main>x</main>"
    with pytest.raises(UnreadableError, match="processing steps") as raised:
        wellread.extract(page, url="https://tide.example/")
    assert raised.value.code == "unreadable"
    assert raised.value.hint == "read another source"
    assert raised.value.url == "https://tide.example/"


def test_the_step_limit_grows_with_the_page() -> None:
    counter = StepCounter(1_000)
    counter.spend(MIN_STEPS + 1_000 * STEPS_PER_CHAR)
    with pytest.raises(UnreadableError):
        counter.spend(1)


def test_a_page_with_too_many_lines_says_it_is_cut_short() -> None:
    told = HtmlExtractor().extract(Source(body=b"<p>a" * 50_000, media_type="text/html"))
    assert 15_000 <= len(told.document) < 20_000
    assert [notice.code for notice in told.notices] == ["cut_short"]
