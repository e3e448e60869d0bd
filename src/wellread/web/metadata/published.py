"""The day of publication: every date that the page declares or shows of itself, and what marks each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.web.metadata.choice import Candidate
from wellread.web.metadata.clean import line
from wellread.web.metadata.dates import day, iso, within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_IN_ADDRESS = re.compile(r"/((?:19|20)\d\d)[/-](\d\d)[/-](\d\d)(?!\d)")
_DECLARED = ("og", "json-ld", "meta", "micro")
_KINDS = ("article", "website", "product")
NONE = ""


def candidates(
    told: Iterable[tuple[str, str]], around: tuple[str, str], language: str | None, url: str | None, kind: str
) -> list[Candidate]:
    """Return each day once, with the most exact stamp of it and its marks, and the empty value for none unless one is declared.

    `told` are dates with their source, `around` the text before and behind the headline, `kind` the `og:type`.
    """
    stamps: dict[str, str] = {}
    marks: dict[str, set[str]] = {}
    for source, text in told:
        stamp = iso(line(text, 200))
        if stamp and (on := day(stamp)):
            first = "first" if all(source not in mark.split() for seen in marks.values() for mark in seen) else "more"
            stamps.setdefault(on, stamp)
            marks.setdefault(on, set()).add(f"{first} {source}")
    for on, mark in _read(around, language, url):
        stamps.setdefault(on, on)
        marks.setdefault(on, set()).add(mark)
    order = sorted(marks)
    declared = next((on for on in marks if not marks[on].isdisjoint(f"first {name}" for name in _DECLARED)), None)
    found = [Candidate(stamps[on], frozenset(marks[on] | set(_compared(on, order, marks[on], declared)))) for on in marks]
    if declared:
        return found
    sources = {mark.split()[1] for seen in marks.values() for mark in seen}
    none = {"none", f"none: {kind if kind in _KINDS else 'other' if kind else 'untyped'}", f"none of {min(3, len(found))}", *(f"none, though {name}" for name in sources)}
    return [*found, Candidate(NONE, frozenset(none))]


def source(chosen: Candidate) -> str | None:
    """Return where a date was found: og, json-ld, meta, time or text."""
    if not chosen.value:
        return None
    names = {mark.split()[1] for mark in chosen.marks if mark.startswith(("first ", "more "))}
    declared = next((name for name in _DECLARED[:3] if name in names), None)
    if declared is None and "page" in names:
        return "json-ld"
    return declared or ("meta" if names == {"later"} else "text" if names <= {"eve", "lede", "address"} else "time")


def _read(around: tuple[str, str], language: str | None, url: str | None) -> Iterator[tuple[str, str]]:
    """Yield the days in the text around the headline and in the address."""
    month_first = None if language is None else language.lower() in {"en", "en-us"}
    for name, text in zip(("eve", "lede"), around, strict=True):
        days = within(text, month_first=month_first)
        for at, (on, start) in enumerate(reversed(days) if name == "eve" else days):
            if day(on):
                yield on, f"{'first' if at == 0 else 'more'} {name}"
                if name == "lede":
                    yield on, f"near {name}" if start < 150 else f"mid {name}" if start < 300 else f"far {name}"
    if url and (match := _IN_ADDRESS.search(url[:2_048])) and (on := iso("-".join(match.groups()))):
        yield on, "first address"


def _compared(on: str, order: Sequence[str], marks: set[str], declared: str | None) -> Iterator[str]:
    if len(order) > 1:
        yield "earliest" if on == order[0] else "latest" if on == order[-1] else "between"
    yield f"told by {min(3, len({mark.split()[1] for mark in marks}))}"
    if declared and on != declared:
        yield "after the declared" if on > declared else "before the declared"
        if on[:7] == declared[:7] and abs(int(on[8:10]) - int(declared[8:10])) == 1:
            yield "next to the declared"
