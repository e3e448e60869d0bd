"""Finds candidates for the day of publication: every date that the page declares or shows, with its marks."""

from __future__ import annotations

import math
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from wellread.lazy_pattern import lazy_pattern
from wellread.metadata.cleaning import is_of_another, is_sentence, line
from wellread.metadata.credits import dated_roles, is_stamp
from wellread.text.dates import day, iso, spans

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from wellread.metadata.site_address import Site

    Dates = Iterable[tuple[str, str]]

MIN_PARAGRAPHS = 2
"""One may be a summary above the byline."""
MAX_SIGNATURE = 80
"""Characters of the line below a text with its day, and its author."""
MAX_NUMBERED = 1_000
"""Dates of a page by which the order of its days and months is told."""
_NUMBERED = lazy_pattern(r"(?<![\d/.-])(\d\d?)[/-](\d\d?)[/-](?:19|20)\d\d(?!\d)")
_IN_ADDRESS = lazy_pattern(r"/((?:19|20)\d\d)[/-](\d\d|[a-z]{3,9})[/-](\d\d)(?!\d)")
_SAYING = ("og", "json-ld", "meta", "micro", "published", "page", "later", "modified")
"""Sources that declare a day, most reliable first."""
REVISION = "revision"
"""The source of a day that microdata declares as that of a revision, beside a declared day of publication."""
_SHOWING = ("first eve", "more eve", "first address", "near lede", "mid lede", "far lede")
"""Places where a day is shown, most reliable first."""
_WHERE = {
    "og": {"og"},
    "json-ld": {"json-ld", "page"},
    "meta": {"meta", "later"},
    "time": {"micro", "published", "time", "modified"},
    "text": {"eve", "lede", "class", "address"},
}


def latest(read_on: str | None) -> str | None:
    """Return the last day that a page which was read on a day may name, None for any.

    That is the day after: it has begun in the east.
    """
    if not read_on:
        return None
    return (date.fromisoformat(read_on) + timedelta(days=1)).isoformat()


def candidates(
    declared_dates: Sequence[tuple[str, str]],
    around: tuple[str, str],
    language: str | None,
    url: str | None,
    site: Site,
    *,
    signed: bool,
    latest: str | None = None,
    month_first: bool | None = None,
) -> list[MetadataCandidate]:
    """Return each day once, with its most exact stamp and its marks, and the empty value for none.

    `declared_dates` are dates with their source, empty for dates that only help to read others, `REVISION` for days
    that are not of publication; `around` is the text
    before and behind the headline; `site` is the address of the page: a story has a long address, a list a short one.
    A page with known authors (`signed`) mostly has a day. Days after `latest` are left out. `month_first` tells how the
    page writes 05/06/2024, None if its dates do not say so.
    """
    stamps: dict[str, str] = {}
    marks: dict[str, set[str]] = {}
    sources: set[str] = set()
    declared = [(source, iso(line(text, 200), language), "") for source, text in (*declared_dates, *_addressed(url))]
    known_days = {on for _, stamp, _ in declared if (on := day(stamp))}
    revisions = {
        span.stamp
        for source, text in declared_dates
        if source == REVISION
        for span in spans(line(text, 200) or "", month_first=month_first, language=language)
    }
    shown = _read(around, language, known_days, month_first=month_first, revisions=revisions)
    for source, stamp, mark in (*declared, *shown):
        if source not in {"", REVISION} and stamp and (on := day(stamp)) and (latest is None or on <= latest):
            stamps.setdefault(on, stamp)
            place = "more" if source in sources else "first"
            marks.setdefault(on, set()).add(mark or f"{place} {source}")
            sources.add(source)
    day_candidates = [MetadataCandidate(stamps[on], frozenset({*marks[on], _joint_mark(marks[on])})) for on in marks]
    none = {"none", *(f"none, though {name}" for name in sources)}
    if signed:
        none.add("none, though signed")
    if site.label and "?" not in (url or ""):  # which may name a story
        none.add(f"none, slug of {max(least for least in (0, 1, 2, 3, 4, 6) if len(site.slug) >= least)}")
    return [*day_candidates, MetadataCandidate("", frozenset(none))]


def source(chosen: MetadataCandidate) -> str | None:
    """Return where a date was found: og, json-ld, meta, time or text; None where there is none, or a sentence tells it.

    A day in a sentence is not a publication day: of four such days that win on WCXB, one is the end of an offer.
    """
    names = {mark.partition(" ")[2] for mark in chosen.marks if mark.startswith(("first ", "more "))}
    return next((where for where, sources in _WHERE.items() if not names.isdisjoint(sources)), None)


def _addressed(url: str | None) -> Dates:
    match = _IN_ADDRESS.search(url or "")
    if not match:
        return []
    return [("address", ("-" if match[2].isdigit() else " ").join(match.groups()))]


def _read(
    around: tuple[str, str],
    language: str | None,
    known_days: Collection[str],
    *,
    month_first: bool | None,
    revisions: Collection[str],
) -> Iterator[tuple[str, str, str]]:
    """Yield the days in the text around the headline.

    A day called a revision is left out if it is one of the declared `revisions`, or the page shows another.
    """
    if month_first is None:
        month_first = _is_month_first(language)
    texts = [(text, spans(text, month_first=month_first, known_days=known_days, language=language)) for text in around]
    eve, lede = (dated_roles(text, date_spans) for text, date_spans in texts)
    dated_texts = [(text, dated) for text, days in zip(around, (eve, lede), strict=True) for dated in days]
    has_publication = any(
        dated.role != "updated" and not _is_in_sentence(text, dated.start, language) for text, dated in dated_texts
    )
    for dated in reversed(eve):
        if dated.role == "updated" and (has_publication or dated.stamp in revisions):
            continue
        yield "prose" if _is_in_sentence(around[0], dated.start, language) else "eve", dated.stamp, ""
    for dated in lede:
        if dated.role == "updated" and (has_publication or dated.stamp in revisions):
            continue
        is_behind = dated.role != "published" and _is_behind_text(around[1], dated.start, language)
        if is_behind or _is_in_sentence(around[1], dated.start, language):
            yield "prose", dated.stamp, ""
            continue
        yield "lede", dated.stamp, ""
        yield "lede", dated.stamp, _distance_mark(dated.start)


def _distance_mark(offset: int) -> str:
    """Return the mark of a day at this offset after the headline."""
    if offset < 150:
        return "near lede"
    if offset < 300:
        return "mid lede"
    return "far lede"


def revised(around: tuple[str, str], language: str | None, *, month_first: bool | None = None) -> str | None:
    """Return the day of the last revision that the text around the headline tells."""
    if month_first is None:
        month_first = _is_month_first(language)
    stamps = [
        dated.stamp
        for text in around
        for dated in dated_roles(text, spans(text, month_first=month_first, language=language))
        if dated.role == "updated" and not _is_in_sentence(text, dated.start, language)
    ]
    return max(stamps, default=None)


def signed_day(text: str, language: str | None) -> str | None:
    """Return the one day of publication of a line that holds no more than it and an author."""
    text = text.strip(" ()[]")
    if len(text) > MAX_SIGNATURE or not is_stamp(text, language):
        return None
    days = dated_roles(text, spans(text, month_first=_is_month_first(language), language=language))
    if len(days) != 1 or days[0].role == "updated":
        return None
    return days[0].stamp


def page_month_first(text: str) -> bool | None:
    """Tell whether the dates in a text name the month first (28/11/2025 does not); None if none says so, or both.

    Dots are left out: they are the European order everywhere.
    """
    day_first = month_first = 0
    for first, second in islice(_NUMBERED.findall(text), MAX_NUMBERED):
        day_first += 12 < int(first) <= 31 and int(second) <= 12
        month_first += 12 < int(second) <= 31 and int(first) <= 12
    if day_first == month_first:
        return None
    return month_first > day_first


def is_ambiguous(text: str) -> bool:
    """Tell whether a text holds a date that may mean two days: 05/06/2024."""
    return any(first != second and int(first) <= 12 and int(second) <= 12 for first, second in _NUMBERED.findall(text))


def _is_month_first(language: str | None) -> bool | None:
    if language is None:
        return None
    return language.lower() in {"en", "en-us"}


def _is_in_sentence(text: str, at: int, language: str | None) -> bool:
    """Return whether a day in a text is the subject of a sentence, or a deadline."""
    if is_of_another(text[:at]):
        return True
    text_line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]
    return is_sentence(text_line) and not is_stamp(text_line, language)


def _is_behind_text(text: str, at: int, language: str | None) -> bool:
    """Tell whether a day stands behind paragraphs of the text that the headline, the first line, opens.

    A day there is that of a comment, an event or another story.
    """
    lines = dict.fromkeys(text[:at].split("\n")[1:-1])  # a summary may stand there for narrow and for wide windows
    return sum(is_sentence(text_line) and not is_stamp(text_line, language) for text_line in lines) >= MIN_PARAGRAPHS


def _joint_mark(marks: set[str]) -> str:
    """Return the surest declaration of a day with the place where it is shown, as one mark: each supports the other."""
    declaring = next((name for name in _SAYING if not marks.isdisjoint({f"first {name}", f"more {name}"})), "nobody")
    return f"{declaring} with {next((mark for mark in _SHOWING if mark in marks), 'nothing')}"


# ------------------------------------------------------------------------------------------ the choice among candidates
# Chooses among the candidates for a fact: each one scores the sum of the weights of its marks.
#
# A softmax over a page's candidates, trained on public pages by `benchmarks/metadata_training.py`.


class MetadataCandidate(NamedTuple):
    """A possible value, and the marks that speak for and against it."""

    value: str
    marks: frozenset[str]


def best(candidates: Sequence[MetadataCandidate], weights: Mapping[str, float]) -> MetadataCandidate:
    """Return the candidate with the highest score; the first of equals."""
    # Sets have no order that lasts from run to run, and a plain sum depends on it in its last digits.
    return max(candidates, key=lambda candidate: math.fsum(weights.get(mark, 0.0) for mark in candidate.marks))
