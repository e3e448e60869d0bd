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
_FIRST_DECLARED = frozenset({"first og", "first json-ld", "first meta", "first micro", "first published"})
"""Who says so of a page means it: where one of these speaks, some date is given."""
_WHERE = {
    "og": {"og"},
    "json-ld": {"json-ld", "page"},
    "meta": {"meta", "later"},
    "time": {"micro", "published", "time", "modified"},
    "text": {"eve", "lede", "address"},
}
NONE = ""


def candidates(
    told: Iterable[tuple[str, str]], around: tuple[str, str], language: str | None, url: str | None
) -> list[Candidate]:
    """Return each day once, with its most exact stamp and its marks; unless one is declared, the empty value for none.

    `told` are dates with their source, `around` the text before and behind the headline.
    """
    stamps: dict[str, str] = {}
    marks: dict[str, set[str]] = {}
    sources: set[str] = set()
    for source, stamp, mark in (*_told(told), *_read(around, language, url)):
        if stamp and (on := day(stamp)):
            stamps.setdefault(on, stamp)
            marks.setdefault(on, set()).add(mark or f"{'more' if source in sources else 'first'} {source}")
            sources.add(source)
    order = sorted(marks)
    declared = next((on for on in marks if not marks[on].isdisjoint(_FIRST_DECLARED)), None)
    found = [Candidate(stamps[on], frozenset({*marks[on], *_compared(on, order, marks[on], declared)})) for on in marks]
    if declared:
        return found
    none = ("none", f"none of {min(3, len(found))}", *(f"none, though {name}" for name in sources))
    return [*found, Candidate(NONE, frozenset(none))]


def source(chosen: Candidate) -> str | None:
    """Return where a date was found: og, json-ld, meta, time or text."""
    if not chosen.value:
        return None
    names = {mark.partition(" ")[2] for mark in chosen.marks if mark.startswith(("first ", "more "))}
    return next((where for where, sources in _WHERE.items() if not names.isdisjoint(sources)), "text")


def _told(told: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str | None, str]]:
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


def _compared(on: str, order: Sequence[str], marks: set[str], declared: str | None) -> Iterator[str]:
    if len(order) > 1:
        yield "earliest" if on == order[0] else "latest" if on == order[-1] else "between"
    yield f"told by {min(3, len({mark.split()[1] for mark in marks}))}"
    if declared and on != declared:
        yield "after the declared" if on > declared else "before the declared"
        if on[:7] == declared[:7] and abs(int(on[8:10]) - int(declared[8:10])) == 1:
            yield "next to the declared"
