"""The day of publication: every date that the page declares or shows of itself, and what marks each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.web.metadata.choice import Candidate
from wellread.web.metadata.clean import line
from wellread.web.metadata.dates import day, iso, within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wellread.web.metadata.place import Site

    Dates = Iterable[tuple[str, str]]

_IN_ADDRESS = re.compile(r"/((?:19|20)\d\d)[/-](\d\d)[/-](\d\d)(?!\d)")
_SAYING = ("og", "json-ld", "meta", "micro", "published", "page", "later", "modified")
"""Who calls a day one of publication or of revision, the surest first,"""
_SHOWING = ("first eve", "more eve", "first address", "near lede", "mid lede", "far lede")
"""and where it is seen."""
_WHERE = {
    "og": {"og"},
    "json-ld": {"json-ld", "page"},
    "meta": {"meta", "later"},
    "time": {"micro", "published", "time", "modified"},
    "text": {"eve", "lede", "class", "address"},
}


def candidates(
    told: Dates, around: tuple[str, str], language: str | None, url: str | None, at: Site, *, signed: bool
) -> list[Candidate]:
    """Return each day once, with its most exact stamp and its marks, and the empty value for none.

    `told` are dates with their source, `around` the text before and behind the headline, `at` is where the page is:
    a story has a long address, a list a short one; and a page with known authors, one that is `signed`, mostly a day.
    """
    stamps: dict[str, str] = {}
    marks: dict[str, set[str]] = {}
    sources: set[str] = set()
    for source, stamp, mark in (*_told(told), *_read(around, language, url)):
        if stamp and (on := day(stamp)):
            stamps.setdefault(on, stamp)
            marks.setdefault(on, set()).add(mark or f"{'more' if source in sources else 'first'} {source}")
            sources.add(source)
    found = [Candidate(stamps[on], frozenset({*marks[on], _joint(marks[on])})) for on in marks]
    none = {"none", *(f"none, though {name}" for name in sources)}
    if signed:
        none.add("none, though signed")
    if at.label and "?" not in (url or ""):  # which may name a story
        none.add(f"none, slug of {max(least for least in (0, 1, 2, 3, 4, 6) if len(at.slug) >= least)}")
    return [*found, Candidate("", frozenset(none))]


def source(chosen: Candidate) -> str | None:
    """Return where a date was found: og, json-ld, meta, time or text."""
    if not chosen.value:
        return None
    names = {mark.partition(" ")[2] for mark in chosen.marks if mark.startswith(("first ", "more "))}
    return next((where for where, sources in _WHERE.items() if not names.isdisjoint(sources)), "text")


def _told(told: Dates) -> Iterator[tuple[str, str | None, str]]:
    for source, text in told:
        yield source, iso(line(text, 200)), ""


def _read(around: tuple[str, str], language: str | None, url: str | None) -> Iterator[tuple[str, str | None, str]]:
    """Yield the days in the text around the headline and in the address."""
    month_first = None if language is None else language.lower() in {"en", "en-us"}
    eve, lede = (within(text, month_first=month_first) for text in around)
    for stamp, _ in reversed(eve):
        yield "eve", stamp, ""
    for stamp, start in lede:
        yield "lede", stamp, ""
        yield "lede", stamp, "near lede" if start < 150 else "mid lede" if start < 300 else "far lede"
    if url and (match := _IN_ADDRESS.search(url)):
        yield "address", iso("-".join(match.groups())), ""


def _joint(marks: set[str]) -> str:
    """Return who says so and where it is seen, as one mark: each means more beside the other."""
    said = next((name for name in _SAYING if not marks.isdisjoint({f"first {name}", f"more {name}"})), "nobody")
    return f"{said} with {next((mark for mark in _SHOWING if mark in marks), 'nothing')}"
