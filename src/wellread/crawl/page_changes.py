"""Compares two versions of a page's text: a readable diff of what a person would call a change; pure.

Dates of the page itself, relative times, counters of views and comments, queries of links, and lines of advertising
are no changes. Numbers and dates anywhere else are: a price, opening hours, a deadline.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import Match, SequenceMatcher
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_COMPARED_LINES: Final = 2_000
"""Of each version, between what both begin and end with: more are compared as sets, because a diff takes the square."""
MAX_MATCHING_STEPS: Final = 10_000_000
"""Pairs of equal lines that the search for matching blocks looks at, about 1 s of CPU: each block that it finds is
followed by searches on both sides of it, so that lines that recur in both versions take the cube."""
_CONTEXT_LINES: Final = 1
_LONG_LINE_CHARS: Final = 200
"""A longer line is a paragraph, and is compared sentence by sentence."""
_MAX_STAMP_CHARS: Final = 200

_LINK: Final = re.compile(r"!?\[([^\[\]\n]{0,500})\]\(([^()\s?#]{0,2000})[^()\s]{0,2000}(?: \"[^\"\n]{0,300}\")?\)")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[ \t]++(?=[^a-z\s])|(?<=[\u3002\uff01\uff1f])")
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_MOMENT: Final = re.compile(
    r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.+Z-]{4,20})?"
    r"|\b[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}\b"
    rf"|\b[0-9]{{1,2}}(?:st|nd|rd|th)? {_MONTH}(?:,? [0-9]{{4}})?\b"
    rf"|\b{_MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?(?:,? [0-9]{{4}})?\b"
    r"|\b[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]\.?m\b\.?)?(?: (?:utc|gmt|cet|cest|est|edt|pst|pdt|bst)\b)?"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
_RELATIVE_TIME: Final = re.compile(
    r"\b(?:an?|one|[0-9]{1,4})\+? ?"
    r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?) ago\b"
    r"|\bjust now\b|\bvor [0-9]{1,4} (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?)\b"
    r"|\bil y a [0-9]{1,4} [a-z]{1,10}\b",
    re.IGNORECASE,
)
_STAMP_WORDS: Final = re.compile(
    r"\b(?:updated|modified|published|posted|generated|retrieved|rendered|refreshed|checked|as of|today is|local time"
    r"|current time|server time|page loaded|aktualisiert|stand|mis à jour|actualizado)\b",
    re.IGNORECASE,
)
_COPYRIGHT: Final = re.compile(r"(?:©|\(c\)|\bcopyright\b) ?[0-9]{4}(?: ?[-\u2013] ?[0-9]{4})?", re.IGNORECASE)
_NUMBER: Final = r"[0-9][0-9.,]{0,12} ?[kKmM]?"
_COUNTED: Final = (
    r"(?:views?|page views|reads|comments?|likes?|shares?|repl(?:y|ies)|followers?|subscribers?|visitors?|visits?"
    r"|votes?|upvotes?|downloads?|reactions?|claps|listens|online|watching|points(?= by)"
    r"|people (?:are )?(?:viewing|reading|online)|aufrufe|kommentare|vues|commentaires)\b"
)
_COUNTER: Final = re.compile(rf"\b{_NUMBER} {_COUNTED}|\b{_COUNTED}: ?{_NUMBER}", re.IGNORECASE)
_REQUEST_ID: Final = re.compile(
    r"\b(?:request|session|trace|ray|correlation) id:? ?[0-9a-z][0-9a-z-]{3,63}", re.IGNORECASE
)
_ADVERTISING: Final = (
    r"(?:advertisements?|advertising|sponsored(?: content| post| link)?|promoted(?: content| post)?|ads?|anzeige"
    r"|werbung|publicité|publicidad|pubblicità|реклама|広告)"
)
_AD_MARK: Final = re.compile(rf"[\W_]{{0,8}}{_ADVERTISING}[\W_]{{0,8}}", re.IGNORECASE)
_AD_LINE: Final = re.compile(rf"[\W_]{{0,8}}(?:{_ADVERTISING} ?[:|·\u2013]|sponsored by |promoted by )", re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(r"\((?:ago|count|time|copyright|id)\)")
_LONE_LINK: Final = re.compile(r"[-*\s]{0,8}!?\[{1,2}.{0,600}\)", re.DOTALL)


class TextChange(NamedTuple):
    """The difference between two versions of a text."""

    diff: str
    """Lines that begin with `-` were removed, lines with `+` added; others stand around them."""
    added: int
    removed: int


def text_change(earlier: str, later: str) -> TextChange | None:
    """Return what has changed between two versions of a text, or None if it is nothing but noise."""
    old_lines, old_keys = _compared_lines(earlier)
    new_lines, new_keys = _compared_lines(later)
    if old_keys == new_keys:
        return None
    start = _common_length(old_keys, new_keys)
    end = min(_common_length(old_keys[::-1], new_keys[::-1]), len(old_keys) - start, len(new_keys) - start)
    start, end = max(start - _CONTEXT_LINES, 0), max(end - _CONTEXT_LINES, 0)
    old_part, new_part = slice(start, len(old_keys) - end), slice(start, len(new_keys) - end)
    if max(len(old_keys[old_part]), len(new_keys[new_part])) > MAX_COMPARED_LINES:
        return _set_difference(old_lines, old_keys, new_lines, new_keys)
    try:
        groups = list(_BoundedMatcher(old_keys[old_part], new_keys[new_part]).get_grouped_opcodes(_CONTEXT_LINES))
    except _TooManySteps:
        return _set_difference(old_lines, old_keys, new_lines, new_keys)
    rows: list[str] = []
    for group in groups:
        if rows:
            rows.append("…")
        for tag, old_start, old_end, new_start, new_end in group:
            if tag == "equal":
                rows += [f"  {line}" for line in new_lines[new_part][new_start:new_end]]
                continue
            rows += [f"- {line}" for line in old_lines[old_part][old_start:old_end]]
            rows += [f"+ {line}" for line in new_lines[new_part][new_start:new_end]]
    return _change(rows)


class _TooManySteps(Exception):
    """The search for matching blocks has taken all its steps."""


class _BoundedMatcher(SequenceMatcher[str]):
    """A matcher of lines that counts its steps."""

    def __init__(self, old_keys: Sequence[str], new_keys: Sequence[str]) -> None:
        new_counts = Counter(new_keys)
        self._steps = list(accumulate((1 + new_counts[key] for key in old_keys), initial=0))
        self._steps_left = MAX_MATCHING_STEPS
        super().__init__(None, old_keys, new_keys, autojunk=False)

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        """Return the longest matching block in a part of both versions.

        Raises:
            _TooManySteps: this search and those before it take too many.
        """
        self._steps_left -= self._steps[-1 if ahi is None else ahi] - self._steps[alo]
        if self._steps_left < 0:
            raise _TooManySteps
        return super().find_longest_match(alo, ahi, blo, bhi)


def comparison_key(line: str) -> str:
    """Return a line without what changes by itself; two lines with one key say the same."""
    key = _LINK.sub(r"\1 \2", line)
    key = _RELATIVE_TIME.sub("(ago)", key)
    key = _COUNTER.sub("(count)", key)
    key = _COPYRIGHT.sub("(copyright)", key)
    key = _REQUEST_ID.sub("(id)", key)
    if len(key) <= _MAX_STAMP_CHARS and _is_stamp(key):
        key = _MOMENT.sub("(time)", key)
    return " ".join(key.split())


def _is_noise(key: str) -> bool:
    """Return whether a line says nothing but what changes by itself; such a line may come and go."""
    return _PLACEHOLDER.search(key) is not None and not any(
        character.isalnum() for character in _STAMP_WORDS.sub("", _PLACEHOLDER.sub("", key))
    )


def _is_stamp(line: str) -> bool:
    """Return whether the dates of a line are about the page: it says so, or has nothing besides."""
    if _STAMP_WORDS.search(line):
        return True
    return not any(character.isalnum() for character in _MOMENT.sub("", line))


def _compared_lines(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of a text that are compared, and their keys."""
    pairs = [(line, comparison_key(line)) for line in _content_lines(text)]
    pairs = [(line, key) for line, key in pairs if not _is_noise(key)]
    return [line for line, _ in pairs], [key for _, key in pairs]


def _content_lines(text: str) -> list[str]:
    """Return the lines of a text, without those of advertising; paragraphs as sentences."""
    lines: list[str] = []
    follows_ad_mark = False
    for line in text.splitlines():
        if not line.strip():
            continue
        if _AD_MARK.fullmatch(line):
            follows_ad_mark = True
            continue
        is_ad = _AD_LINE.match(line) is not None or (follows_ad_mark and _LONE_LINK.fullmatch(line) is not None)
        follows_ad_mark = False
        if is_ad:
            continue
        if len(line) > _LONG_LINE_CHARS:
            lines += [sentence for sentence in _SENTENCE_END.split(line) if sentence]
        else:
            lines.append(line)
    return lines


def _common_length(first: list[str], second: list[str]) -> int:
    """Return how many lines two lists have in common at their beginning."""
    length = 0
    for first_line, second_line in zip(first, second, strict=False):
        if first_line != second_line:
            break
        length += 1
    return length


def _set_difference(
    old_lines: list[str], old_keys: list[str], new_lines: list[str], new_keys: list[str]
) -> TextChange | None:
    """Return the lines that only one version has, without regard to their order; None if only the order differs."""
    removed, added = Counter(old_keys) - Counter(new_keys), Counter(new_keys) - Counter(old_keys)
    rows = [f"- {line}" for line in _counted_lines(old_lines, old_keys, removed)]
    rows += [f"+ {line}" for line in _counted_lines(new_lines, new_keys, added)]
    if not rows:
        return None
    return _change(rows)


def _counted_lines(lines: Sequence[str], keys: Sequence[str], counts: Counter[str]) -> Iterator[str]:
    """Yield the first lines of each key, as many as are counted."""
    remaining = counts.copy()
    for line, key in zip(lines, keys, strict=True):
        if remaining[key] > 0:
            remaining[key] -= 1
            yield line


def _change(rows: list[str]) -> TextChange:
    added, removed = (sum(row.startswith(sign) for row in rows) for sign in ("+ ", "- "))
    return TextChange("\n".join(rows), added, removed)
