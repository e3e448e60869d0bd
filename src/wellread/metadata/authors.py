"""Reads authors: the byline as the page words it, and the names alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.lazy_pattern import lazy_pattern
from wellread.metadata import credits as credit_lines
from wellread.metadata.cleaning import is_sentence, key, line
from wellread.metadata.credits import label_at
from wellread.metadata.visible_metadata import Byline
from wellread.text.dates import iso
from wellread.text.dates.named_months import primary_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_NAMES = 12
MAX_NAME = 120
MAX_WORDS = 16
MAX_SIGNED = 150
MAX_SIGNED_LINES = 12
MAX_BARE_WORDS = 4
MAX_HEADED_LINES = 3

_ROLE = (
    r"(?:articles?|story|stories|post(?:s|ed)?|written|authored|reported|recipe|guide|review|blog|words|text|created|published"
    r"|submitted|started)"
)
_OPENING = lazy_pattern(
    rf"^(?:.{{0,30}}\b{_ROLE}\s+by\b|by\b)[:\s]*(?=\S)"
    r"|^(?:authors?|written|autor(?:in|es)?|auteurs?|autore|text(?=\s*:))\s*:?\s+(?=(?-i:[^\W\d_a-z]))"
    r"|^(?:[Vv]on|[Pp]or|[Pp]ar|[Dd]i|[Dd]oor)\s*:?\s+(?=(?-i:[^\W\d_a-z]\S+ [^\W\d_a-z]))"
    r"|^(?-i:von|por|par)\s+(?=\S+$)",
    re.IGNORECASE,
)
_FULL_NAME = r"(?-i:[^\W\d_a-z]\S* (?:\S+ ){0,2}[^\W\d_a-z])"
_SIGNED = lazy_pattern(  # a single word is a name behind what people do, or with a number: not `By Plane`, `By email`
    rf"(?:(?:written|posted|started|story|words|text) by:? (?:\S+$|{_FULL_NAME})|by:? (?:{_FULL_NAME}|[a-z_]+\d\w*$)"
    r"|(?-i:(?:Von|Por|Par)(?: [^\W\d_a-z][\w.'\u2019-]+){2,3}(?:,.*)?$))",  # or a headline is `Von Ort nach Ort`
    re.IGNORECASE,
)
_BROKEN = lazy_pattern(rf"(?i:(\bby:?))\n(?={_FULL_NAME})")
"""A line that ends before the name."""
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?"
_WEEKDAY = r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+"
_DATE = lazy_pattern(
    rf"(?:\b(?:published|posted|updated|last updated)[:\s]+)?(?:\b(?:on|am|le|el|il)[:\s]+)?(?:{_WEEKDAY})?"
    rf"(?:\b{_MONTHS}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTHS},?\s+\d{{4}}"
    r"|\b\d{4}[-/.]\d\d?[-/.]\d\d?|\b\d\d?[-/.]\d\d?[-/.]\d{2,4}|\b\d\d?-[^\W\d_]{3}-\d{4}"
    r"|\b(?:an?|\d+) (?:min(?:ute)?s?|hours?|days?|weeks?|months?|years?) (?:ago|read)"
    r"|\b\d+ min\b|\blast updated\b|\breviewed by\b).*$",
    re.IGNORECASE,
)
_LEADING_DATE = lazy_pattern(rf"^{_MONTHS}\s+\d{{1,2}}(?:,?\s+\d{{4}})?\s+(?=\S)", re.IGNORECASE)
_ADDRESS = lazy_pattern(r"(?:https?:)?//\S+|www\.\S+|[^\s@]+@[^\s@.]+\.\S+", re.IGNORECASE)
_EDGE = ' \t\u00a0|\u2022\u25cf\u22c5*\u00b7-\u2013\u2014/:;,&\u00bb\u203a"\u201c\u201d'
_BETWEEN = lazy_pattern(
    r"\s*(?:,\s*(?:and|und|et|y|e)\s+|[,;|\u2022\u00b7\u3001\uff0c\u060c\u061b]\s*|\s(?:and|und|&|with)\s)\s*"
)
_PLACE = lazy_pattern(r"(?<=[^\W\d_]) in (?=(?-i:[^\W\d_a-z])).*$", re.DOTALL)
"""Where somebody wrote, or the section: `Jo Doe in Berlin`."""
_TITLES = lazy_pattern(
    r"^(?:(?i:jr|sr|ph\.?\s?d|m\.?d|m\.?a|mba|esq|rn|rdn?|ii|iii|cpa|cfp|d\.?o|msc?|bsc?|dds|dvm)"
    r"|[A-Z\u00ae.]{2,6}|[A-Z-]{2,6} \d+)[.\u00ae]*$"
)
_NO_NAME = lazy_pattern(
    r"[$\u20ac\u00a3\u00bb\u203a{}<>=]|\w\.\w+\.\w|\w\.[a-z]{2,6}/\w|\b\d{5}\b|\d{3}-\d{3}"
    r"|^(?:via|in|on|from|about|more|follow|share|view|see|copyright)\b|^#|^(?:\S+ ){2,}.*[!?]$",
    re.IGNORECASE,
)
_INVERTED = lazy_pattern(
    r"^((?:[a-z]{2,4} ){0,2}[^\W\d_][\w'\u2019-]+), (?!(?<=[^\W\d_A-Z], )[A-Z]{2,6}$"
    r"|(?i:M\.?D|Ph\.? ?D|[JS]r|Esq|Inc|Ltd|Corp|Co|GmbH)\.?$"
    r"|(?:\w+ )?(?i:Staff|Editors?|Contributors?|Reporters?|Correspondents?)$)"
    r"([^\W\d_][\w.'\u2019 -]{0,40})$"
)
_NOBODY_WORDS = """
admin administrator author authors editor unknown undefined null none nan anonymous guest user webmaster
root staff the by view all posts profile read more wordpress share follow written posted name home personal post
fact checked autor autorin auteur unbekannt
"""
_NOBODY = frozenset(_NOBODY_WORDS.split())


def declared_authors(values: Iterable[str]) -> list[str]:
    """Return the authors that a page declares, without values that are no names: addresses, handles, default users."""
    author_names = [
        _INVERTED.sub(r"\2 \1", name) if "," in name else name for value in values if (name := _declared_name(value))
    ]
    return list(dict.fromkeys(author_names[:MAX_NAMES]))


def best_declared(sources: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the authors of the first source that declares any, unless a later source names the same people better.

    A later source is better where the first has only user names (`aligharib` in article:author, `Nikita Mazurov` in
    JSON-LD), and where it has the same names without an office behind them (`Mathias Hagen / Journalist`).
    """
    declaring = [author_names for author_names in sources if author_names]
    if not declaring:
        return []
    first, *others = declaring
    if all(map(_is_user_name, first)):
        return next((author_names for author_names in others if all(map(is_full_name, author_names))), first)
    for author_names in others:
        if len(author_names) == len(first) and all(map(_adds_office, first, author_names)):
            return author_names
    return first


def _is_user_name(name: str) -> bool:
    return " " not in name and name.islower()


def _adds_office(name: str, shorter_name: str) -> bool:
    office = name.removeprefix(shorter_name).lstrip()
    return name.startswith(shorter_name) and office.startswith(("/", "|", ",", "(", "\u2013", "\u2014"))


def shown_authors(bylines: Iterable[Byline], language: str | None = None) -> tuple[str | None, str | None]:
    """Return the first byline on the page that names someone, as the page words it, and the names in it."""
    for item in bylines:
        credit = credit_lines.read(item.text, language, marked=True)
        if credit.others and not credit.authors and not credit.bare:
            continue  # `Foto: Jo Doe`
        if credit.authors and not _is_english(credit, language):
            return _shown_byline(item.text) or _without_dates(item.text), ", ".join(
                _marked_names(item) or credit.authors
            )
        if not credit.authors and (_is_of_nobody(item.text, language) or (credit.dated and _is_long(credit.bare))):
            continue
        if (
            credit.dated
            and not credit.labels
            and not item.names[1:]
            and credit.bare
            and all(map(is_full_name, credit.bare))
        ):
            return _without_dates(item.text), ", ".join(credit.bare)
        text = _shown_byline(item.text)
        if text:
            credited = credit_lines.before_section(item.text)
            marked = [name for name in item.names if name in credited and not _NO_NAME.search(name) and names(name)]
            if marked and key(text) != key(marked[0]):
                return text, names(", ".join(marked))
            return text, names(text)
        behind = credit.authors or [name for name in credit.bare if name in item.names and _is_full([name])]
        if behind and credit.dated:  # the name stands behind the day
            return item.text, ", ".join(behind)
    return None, None


def signed_lines(around: str, language: str | None = None) -> list[Byline]:
    """Return the lines of a text that say by whom a page is, though nothing marks them: `By Jo Doe`."""
    lines = _BROKEN.sub(r"\1 ", around).split("\n")
    bylines = [Byline(text) for text in lines if _SIGNED.match(text) and not is_sentence(text)]
    if bylines:
        return bylines
    for text in _joined(lines)[:MAX_SIGNED_LINES]:
        if len(text) > MAX_SIGNED or (is_sentence(text) and not credit_lines.is_stamp(text, language)):
            continue
        credit = credit_lines.read(text, language)
        if credit.authors:
            bylines.append(Byline(text, tuple(credit.authors)))
        elif not credit.labels and credit.dated and _is_full(credit.bare):
            bylines.append(Byline(text, tuple(credit.bare)))
    return bylines


def is_headed(lede: str, language: str | None) -> bool:
    """Tell whether a byline with a label or an office is right below the headline, which begins `lede`, but for a day.

    What has one is a single text, not a list of them.
    """
    for text in lede.split("\n")[1 : 1 + MAX_HEADED_LINES]:
        credit = credit_lines.read(text, language)
        if credit.authors and len(text) <= MAX_SIGNED:
            return True
        if not credit.dated or not credit_lines.is_stamp(text, language):
            return False
    return False


def _is_full(bare: list[str]) -> bool:
    """Tell whether a line with a day says no more than one full name."""
    if len(bare) != 1 or not credit_lines.is_person(bare[0], full=True):
        return False
    first = bare[0][0]
    return first.isupper() and len(bare[0].split()) <= MAX_BARE_WORDS and not bare[0].isupper()


def _joined(lines: list[str]) -> list[str]:
    """Return the lines, a label that stands alone together with the name below it."""
    joined: list[str] = []
    for text in lines:
        last = joined[-1].rstrip(" :\uff1a") if joined else ""
        label = label_at(last)
        if (
            label is not None
            and label.length == len(last)
            and label.role in {"author", "by"}
            and credit_lines.is_person(text, full=True)
        ):
            joined[-1] = f"{last}: {text}"
        else:
            joined.append(text)
    return joined


def _is_of_nobody(text: str, language: str | None) -> bool:
    """Tell whether a line in another language than English names nobody behind its label: `Von unserer Redaktion`."""
    label = label_at(text)
    primary = primary_language(language)
    return (
        label is not None
        and label.role in {"by", "author"}
        and primary != "en"
        and primary in label.languages
        and not credit_lines.is_person(text)
    )


def _is_long(bare: list[str]) -> bool:
    return any(len(part.split()) > MAX_WORDS for part in bare)


def is_full_name(text: str | None) -> bool:
    """Return whether a text looks like the full name of a person."""
    return text is not None and credit_lines.is_person(text, full=True)


def _marked_names(item: Byline) -> list[str]:
    """Return the names that the page marks in a byline, where there are several."""
    credited = credit_lines.before_section(item.text)
    marked = [name for name in item.names if name in credited and credit_lines.is_person(name)]
    if len(marked) > 1:
        return marked
    return []


def _is_english(credit: credit_lines.Credits, language: str | None) -> bool:
    """Tell whether the plain rules for English read a line."""
    english = primary_language(language) in {"en", None}
    if credit.others or not credit.labels:
        return False
    return english and all("en" in label.languages for label in credit.labels)


def _without_dates(text: str) -> str:
    """Return a byline up to its first day, or from its last day on where it begins with one."""
    return _DATE.sub("", text).strip(_EDGE) or text


def names(text: str | None) -> str | None:
    """Return the names in a byline, joined with ', ': no 'By', no dates, no addresses, each name once."""
    if text is None:
        return None
    remaining = _OPENING.sub("", _LEADING_DATE.sub("", text), count=1)
    remaining = _ADDRESS.sub(" ", credit_lines.before_section(_DATE.sub("", remaining))).strip(_EDGE)
    person_names: list[str] = []
    for piece in _BETWEEN.split(remaining):
        name = _PLACE.sub("", piece.strip(_EDGE))
        if person_names and _TITLES.match(name):
            person_names[-1] += f", {name}"
        elif name and len(name) <= MAX_NAME and _is_name(name):
            person_names.append(name)
    return ", ".join(dict.fromkeys(person_names[:MAX_NAMES])) or None


def without_by(byline: str | None) -> str | None:
    """Return a line of several names without the `By` before them."""
    if not byline:
        return None
    return _OPENING.sub("", byline, count=1)


def _declared_name(value: str) -> str | None:
    text = line(value, 300)
    if text is None or text.startswith(("http:", "https:", "//", "www.", "@", "/")) or _NO_NAME.search(text):
        return None
    if ": " in _OPENING.sub("", text):  # `design: Jo Doe, code: Al Roe`
        return None
    text = _ADDRESS.sub("", text).strip(_EDGE)
    if text and _is_name(text):
        return text
    return None


def _shown_byline(value: str) -> str | None:
    text = re.sub(r"\s+([,.;:])", r"\1", value)
    text = _ADDRESS.sub("", _DATE.sub("", _LEADING_DATE.sub("", text))).strip(_EDGE)
    text = re.sub(r"\s*@\w{2,20}.*$", "", text).strip(_EDGE)
    unopened = _OPENING.sub("", text, count=1)
    if (
        not _is_name(unopened)
        or _NO_NAME.search(unopened)
        or iso(text) is not None
        or len(key(unopened).split()) > MAX_WORDS
    ):
        return None
    return text


def _is_name(text: str) -> bool:
    words = key(text).split()
    return 0 < len(words) <= 25 and not all(word in _NOBODY for word in words) and any(c.isalpha() for c in text)
