"""Finds words or a pattern in a printed page, and says where each place stands: pure.

Words are compared folded, as a reader would: case, compatibility forms (ﬁ and fi), composed and decomposed spelling,
curly and straight quotes, long and short dashes are the same; soft hyphens and other invisible characters are not
there. White space in the pattern stands for any run of it. Diacritics are optional where the pattern has none (cafe
finds café) and wanted where it has some (café does not find cafe). The page is searched twice, as it is and past its
markup: emphasis, code ticks, link brackets and addresses, escapes, quote signs and line breaks in cells never keep two
words apart.

A regular expression sees the page as it is printed, markup and all (`text/expression_search.py`).
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import regex as expressions

from wellread.errors import InvalidInput
from wellread.text.expression_search import MAX_PATTERN_CHARS, Span, expression_spans
from wellread.types import Match, Matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.output import PrintedDocument


def find(printed: PrintedDocument, pattern: str, *, regex: bool = False, limit: int = 10, context: int = 50) -> Matches:
    """Return where `pattern` stands in the page; places never overlap.

    Raises:
        InvalidInput: the pattern is empty, too long, no regular expression, or one that takes too long.
    """
    if limit < 1 or context < 0:
        raise InvalidInput(f"{limit} matches with {context} characters of context are not possible")
    if len(pattern) > MAX_PATTERN_CHARS:
        raise InvalidInput(f"the pattern has {len(pattern):,} characters; the limit is {MAX_PATTERN_CHARS:,}")
    spans = expression_spans(printed.text, pattern) if regex else _find_words(printed.text, pattern)
    matches = tuple(_match(printed, span, context) for span in spans[:limit])
    return Matches(pattern=pattern, matches=matches, total=len(spans))


def fold(text: str, *, marks: bool = True, blind: bool = False) -> str:
    """Return `text` as it is compared; `marks` keeps diacritics, `blind` looks past markup."""
    return _folded(text, marks=marks, blind=blind).text


def has_diacritics(pattern: str) -> bool:
    """Say whether the pattern asks for diacritics."""
    return bool(_OPTIONAL_MARKS.search(unicodedata.normalize("NFKD", pattern)))


# ------------------------------------------------------------------------------------------------- words

# What never stands alone: marks, joiners and variation selectors, jamo within a syllable, half-width voicing marks,
# skin tones. It belongs to the character before it, and no match starts or ends between the two.
_EXTENDER = r"[\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\uff9e\uff9f\U0001f3fb-\U0001f3ff]"
_EXTENDS = expressions.compile(_EXTENDER)
_IGNORABLE = expressions.compile(r"\p{Default_Ignorable_Code_Point}+")
_OPTIONAL_MARKS = expressions.compile(
    "["
    "\u0300-\u036f"  # combining diacritical marks
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    "\u064b-\u0652\u0670"  # Arabic vowel signs
    "]+"
)
_ALIKE = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"')
    | {"\u0131": "i"}  # its capital is I, so that Turkish in capitals is found
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
)

_SPACE = r"[\s\p{Default_Ignorable_Code_Point}]"
_EDGES = expressions.compile(rf"\A{_SPACE}+|{_SPACE}+\Z")
_QUOTE = r"\n[ \t]*(?:>[ \t]*)+"
# ASCII words parted by single spaces fold by lower() and keep every offset; 99 in a row bound the matcher's memory.
_EXACT = expressions.compile(
    rf"(?P<space>\s{_SPACE}*)|(?P<ascii>(?:[!-~]+|\ (?=[!-~])){{1,99}}(?!{_EXTENDER}))|(?P<cluster>.{_EXTENDER}*)",
    expressions.DOTALL,
)
_LETTERS = r"[!-)+-;=?-Z\^_a-}]"
"""ASCII without what may be markup: * < > [ \\ ] ` ~"""
_BLIND = expressions.compile(
    rf"(?P<space>(?:{_QUOTE}|\s|<br>)(?:{_QUOTE}|{_SPACE}|<br>)*)"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])"
    # Addresses are printed without parentheses and spaces, footnote labels without brackets.
    r"|(?P<markup>\*+|~~|`+|\]\((?:[^()\s]++|\([^()\s]*+\))*+\)|\[\^[^\[\]\s]+\]|!?\[|</?su[bp]>)"
    rf"|(?P<ascii>(?:{_LETTERS}+|\ (?={_LETTERS})){{1,99}}(?!{_EXTENDER}))|(?P<cluster>.{_EXTENDER}*)",
    expressions.DOTALL,
)
_MARKUP = expressions.compile(r"[*`~\[\]\\<>]")


@dataclass(frozen=True, slots=True)
class _Folded:
    """Folded text in pieces. Inside a straight piece offsets run alongside; of any other, only its ends are places."""

    text: str
    starts: list[int]
    origins: list[int]
    straight: list[bool]
    length: int
    """Of the text before folding."""

    def origin(self, start: int, end: int) -> Span | None:
        """Return where the folded characters from `start` to `end` come from, or None within a character."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        into = start - self.starts[first]
        ends_at = self.starts[last + 1] if last + 1 < len(self.starts) else len(self.text)
        if (into and not self.straight[first]) or (end != ends_at and not self.straight[last]):
            return None
        if self.straight[last]:
            return self.origins[first] + into, self.origins[last] + end - self.starts[last]
        after = self.origins[last + 1] if last + 1 < len(self.origins) else self.length
        return self.origins[first] + into, after


def _find_words(text: str, pattern: str) -> list[Span]:
    marks = has_diacritics(pattern)
    folded_pattern = fold(_EDGES.sub("", pattern), marks=marks)
    if not folded_pattern:
        raise InvalidInput("the pattern is empty", hint="give the words to find")
    spans = set(_occurrences(_folded(text, marks=marks, blind=False), folded_pattern))
    if _MARKUP.search(text):
        spans.update(_occurrences(_folded(text, marks=marks, blind=True), folded_pattern))
    return _without_overlaps(spans)


def _occurrences(folded: _Folded, folded_pattern: str) -> Iterator[Span]:
    at = folded.text.find(folded_pattern)
    while at >= 0:
        span = folded.origin(at, at + len(folded_pattern))
        if span is not None:
            yield span
        at = folded.text.find(folded_pattern, at + (1 if span is None else len(folded_pattern)))


def _without_overlaps(spans: set[Span]) -> list[Span]:
    """Sort spans, and drop a span that overlaps an earlier one."""
    separate: list[Span] = []
    for span in sorted(spans):
        if not separate or span[0] >= separate[-1][1]:
            separate.append(span)
    return separate


def _folded(text: str, *, marks: bool, blind: bool) -> _Folded:
    pieces: list[str] = []
    folded = _Folded("", [], [], [], len(text))
    size = 0
    goes_on = False
    for token in (_BLIND if blind else _EXACT).finditer(text):
        raw = token.group()
        folded_piece = _folded_token(raw, token.lastgroup or "", marks=marks)
        straight = token.lastgroup == "ascii" or len(raw) == len(folded_piece) == 1
        if not (straight and goes_on):
            folded.starts.append(size)
            folded.origins.append(token.start())
            folded.straight.append(straight)
        goes_on = straight
        pieces.append(folded_piece)
        size += len(folded_piece)
    return _Folded("".join(pieces), folded.starts, folded.origins, folded.straight, len(text))


def _folded_token(raw: str, kind: str, *, marks: bool) -> str:
    if kind == "ascii":
        return raw.lower()
    if kind == "escape":
        return raw[1].lower()
    if kind == "space":
        return " "
    if kind == "markup":
        return ""
    return _character(raw, marks=marks)


@lru_cache(maxsize=8_192)
def _character(cluster: str, *, marks: bool) -> str:
    """Fold one character with its marks, by Unicode's rule for compatibility caseless matching (chapter 3, D146)."""
    folded = cluster
    for _ in range(2):
        folded = unicodedata.normalize("NFKD", folded).casefold()
    folded = _IGNORABLE.sub("", unicodedata.normalize("NFKD", folded).translate(_ALIKE))
    return unicodedata.normalize("NFKC", folded if marks else _OPTIONAL_MARKS.sub("", folded))


# ---------------------------------------------------------------------------------- regular expressions


# ------------------------------------------------------------------------------------------------ places


def _match(printed: PrintedDocument, span: Span, context: int) -> Match:
    text = printed.text
    start, end = span
    first, last = max(0, start - context), min(len(text), end + context)
    while first < start and _is_inside_cluster(text, first):
        first += 1
    while last > end and _is_inside_cluster(text, last):
        last -= 1
    above = bisect_right(printed.marks, start, key=lambda mark: mark.start) - 1
    return Match(
        start=start,
        end=end,
        text=text[start:end],
        before=text[first:start],
        after=text[end:last],
        headings=printed.marks[above].path if above >= 0 else (),
    )


def _is_inside_cluster(text: str, at: int) -> bool:
    """Say whether a character and its marks would be torn apart here."""
    return 0 < at < len(text) and (text[at - 1] == "\u200d" or _EXTENDS.match(text, at) is not None)
