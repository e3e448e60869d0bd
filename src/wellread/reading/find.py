"""Finds words or a pattern in a printed page, and says where each place stands: pure.

Words are compared folded, as a reader would: case, compatibility forms (ﬁ and fi), composed and decomposed spelling,
curly and straight quotes, long and short dashes are the same; soft hyphens and other invisible characters are not
there. White space in the pattern stands for any run of it. Diacritics are optional where the pattern has none (cafe
finds café) and wanted where it has some (café does not find cafe). The page is searched twice, as it is and past its
markup: emphasis, code ticks, link brackets and addresses, escapes, quote signs and line breaks in cells never keep two
words apart.

The page is folded and searched in windows, so that a search takes the memory of a window, whatever the page and the
number of places. What it takes of time are its tokens: runs of characters that fold one by one are one token, and
beyond `MAX_TOKENS` the rest of the page is not searched, which a notice says.

A regular expression sees the page as it is printed, markup and all (`text/expression_search.py`).
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache, lru_cache
from heapq import merge
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Final

import regex as expressions

from wellread.errors import InvalidInput
from wellread.text.expression_search import MAX_PATTERN_CHARS, Span, expression_spans
from wellread.types import Match, Matches, Notice

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from wellread.output import PrintedDocument

MAX_TOKENS: Final = 2_000_000
"""Of each of the two searches for words, 3 to 6 s of CPU. Only markup and characters with marks come in such numbers:
a page of 8 MB has 0.2 million in English sentences, and 0.6 million in Chinese ones between signs of markup."""
_WINDOW_CHARS: Final = 65_536


def find(printed: PrintedDocument, pattern: str, *, regex: bool = False, limit: int = 10, context: int = 50) -> Matches:
    """Return where `pattern` stands in the page; places never overlap.

    Raises:
        InvalidInput: the pattern is empty, too long, no regular expression, or one that takes too long.
    """
    if limit < 1 or context < 0:
        raise InvalidInput(f"{limit} matches with {context} characters of context are not possible")
    if len(pattern) > MAX_PATTERN_CHARS:
        raise InvalidInput(f"the pattern has {len(pattern):,} characters; the limit is {MAX_PATTERN_CHARS:,}")
    searches: tuple[_WordSearch, ...] = ()
    if regex:
        spans = expression_spans(printed.text, pattern)
    else:
        searches = _word_searches(printed.text, pattern)
        spans = _without_overlaps(searches)
    matches = []
    total = 0
    for span in spans:
        total += 1
        if total <= limit:
            matches.append(_match(printed, span, context))
    searched_chars = min((search.searched_chars for search in searches), default=len(printed.text))
    notices: tuple[Notice, ...] = ()
    if searched_chars < len(printed.text):
        detail = f"the words were looked for in the first {searched_chars:,} of {len(printed.text):,} characters"
        notices = (Notice("search_cut", detail),)
    return Matches(pattern=pattern, matches=tuple(matches), total=total, notices=notices)


def fold(text: str, *, marks: bool = True, blind: bool = False) -> str:
    """Return `text` as it is compared; `marks` keeps diacritics, `blind` looks past markup."""
    tokens = _tokens(blind=blind).finditer(text)
    return "".join(_folded_token(token.group(), token.lastgroup, marks=marks) for token in tokens)


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
_LETTERS = r"\"-)+-;=?-Z\^_a-}"
"""ASCII without what may be markup: ! * < > [ \\ ] ` ~"""
_SAME_WHEN_FOLDED: Final = (
    "\u3001-\u3003\u3008-\u3011\u3041-\u3096\u30a1-\u30fa\u30fc"  # punctuation and kana of Japanese
    "\u3400-\u4dbf\u4e00-\u9fff"  # Chinese characters
    "\uac00-\ud7a3"  # syllables of Korean
)
_FULL_WIDTH: Final = "\uff01-\uff5e"
"""Full-width ASCII, which folds to ASCII."""
_ALPHABETS: Final = (
    (0xA1, 0x24F),  # Latin
    (0x370, 0x52F),  # Greek and Cyrillic
    (0x531, 0x587),  # Armenian
    (0x5D0, 0x5EA),  # Hebrew
    (0x620, 0x64A),  # Arabic
    (0x1E00, 0x1FFF),  # more Latin and Greek
    (0x2010, 0x2027),  # dashes and quotation marks
)
"""Ranges of characters of which most fold to one character."""


@cache
def _tokens(*, blind: bool) -> expressions.Pattern[str]:
    """Return the expression of the tokens of a text; a `run` is words of characters that fold to one character each."""
    ascii_set = "!-~"
    if blind:
        ascii_set = _LETTERS
    other_set = f"{_one_to_one()}{_SAME_WHEN_FOLDED}{_FULL_WIDTH}"
    # 99 words in a row bound the matcher's memory. The two sets are apart, because one of both takes twice the time.
    words = rf"[{ascii_set}]+|!(?!\[)|\ (?=[{ascii_set}{other_set}])|[{other_set}]+"
    run = rf"(?P<run>(?:{words}){{1,99}}(?!{_EXTENDER}))"
    cluster = rf"(?P<cluster>.{_EXTENDER}*)"
    if not blind:
        exact = rf"(?P<space>\s{_SPACE}*)|{run}|{cluster}"
        return expressions.compile(exact, expressions.DOTALL)  # of constants; no part goes back over another's match
    return expressions.compile(
        rf"(?P<space>(?:{_QUOTE}|\s|<br>)(?:{_QUOTE}|{_SPACE}|<br>)*)"
        r"|(?P<escape>\\[!-/:-@\[-`{-~])"
        # Addresses are printed without parentheses and spaces, footnote labels without brackets.
        r"|(?P<markup>\*+|~~|`+|\]\((?:[^()\s]++|\([^()\s]*+\))*+\)|\[\^[^\[\]\s]+\]|!?\[|</?su[bp]>)"
        rf"|{run}|{cluster}",
        expressions.DOTALL,
    )


@cache
def _one_to_one() -> str:
    """Return the letters and signs of the alphabets that fold to one character each, with their marks and without.

    They are ranges of a set in an expression: the matcher goes through the set one by one.
    """
    code_points = chain.from_iterable(range(first, last + 1) for first, last in _ALPHABETS)
    folding = [code_point for code_point in code_points if _folds_to_one_character(chr(code_point))]
    ranges = [list(group) for _, group in groupby(enumerate(folding), lambda place: place[1] - place[0])]
    return "".join(f"{chr(group[0][1])}-{chr(group[-1][1])}" for group in ranges)


def _folds_to_one_character(character: str) -> bool:
    if character.isspace() or _EXTENDS.match(character):
        return False
    return len(_character(character, marks=True)) == len(_character(character, marks=False)) == 1


_MARKUP = expressions.compile(r"[*`~\[\]\\<>]")


class _FoldedWindow:
    """Folded text in pieces. Inside a straight piece offsets run alongside; of any other, only its ends are places."""

    def __init__(self) -> None:
        self.size = 0
        """Characters of the folded text."""
        self.end = 0
        """The offset of the text before folding at which the window ends."""
        self._texts: list[str] = []
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._straight: list[bool] = []

    def fill(self, tokens: Iterable[expressions.Match[str]], *, marks: bool) -> int:
        """Fold tokens until the window is full; return how many.

        One loop with local names, because a page has millions of tokens.
        """
        texts, starts, size = self._texts, self._starts, self.size
        token_count = 0
        # A window that begins within a straight piece begins with one.
        goes_on = bool(self._straight) and self._straight[-1]
        for token in tokens:
            token_count += 1
            raw = token.group()
            folded = _folded_token(raw, token.lastgroup, marks=marks)
            straight = token.lastgroup == "run" or len(raw) == len(folded) == 1
            is_repeated_nothing = not folded and not goes_on and starts and starts[-1] == size
            if not (straight and goes_on) and not is_repeated_nothing:
                starts.append(size)
                self._origins.append(token.start())
                self._straight.append(straight)
            goes_on = straight
            texts.append(folded)
            size += len(folded)
            if size >= _WINDOW_CHARS:
                break
        if token_count:
            self.end = token.end()
        self.size = size
        return token_count

    def text(self) -> str:
        """Return the folded text."""
        self._texts = ["".join(self._texts)]
        return self._texts[0]

    def origin(self, start: int, end: int) -> Span | None:
        """Return where the folded characters from `start` to `end` come from, or None within a character."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1) - 1
        into = start - self._starts[first]
        ends_at = self._starts[last + 1] if last + 1 < len(self._starts) else self.size
        if (into and not self._straight[first]) or (end != ends_at and not self._straight[last]):
            return None
        if self._straight[last]:
            return self._origins[first] + into, self._origins[last] + end - self._starts[last]
        after = self._origins[last + 1] if last + 1 < len(self._origins) else self.end
        return self._origins[first] + into, after

    def drop_before(self, offset: int) -> int:
        """Drop the folded text before `offset`, and return how much; a piece that is not straight stays whole."""
        first = bisect_right(self._starts, offset) - 1
        dropped = self._starts[first]
        if self._straight[first]:
            dropped = offset
        self._origins = self._origins[first:]
        self._origins[0] += dropped - self._starts[first]
        self._straight = self._straight[first:]
        self._starts = [0, *(start - dropped for start in self._starts[first + 1 :])]
        self._texts = [self.text()[dropped:]]
        self.size -= dropped
        return dropped


class _WordSearch:
    """One search for folded words in a text, as it is or past its markup."""

    def __init__(self, text: str, folded_pattern: str, *, marks: bool, blind: bool) -> None:
        self.searched_chars = len(text)
        """How much of the text was searched, once all places have been taken."""
        self._text = text
        self._pattern = folded_pattern
        self._marks = marks
        self._blind = blind

    def spans(self) -> Iterator[Span]:
        """Yield the places, in order."""
        tokens = _tokens(blind=self._blind).finditer(self._text)
        window = _FoldedWindow()
        start = 0  # of the folded text of the window that has not been searched
        tokens_left = MAX_TOKENS
        while token_count := window.fill(islice(tokens, tokens_left), marks=self._marks):
            start = yield from self._spans_in(window, start)
            start -= window.drop_before(start)
            tokens_left -= token_count
        self.searched_chars = window.end

    def _spans_in(self, window: _FoldedWindow, start: int) -> Generator[Span, None, int]:
        """Yield the places in a window from `start` on; return where to go on when the window has grown."""
        text = window.text()
        size = len(self._pattern)
        at = text.find(self._pattern, start)
        while at >= 0:
            span = window.origin(at, at + size)
            start = at + 1
            if span is not None:
                yield span
                start = at + size
            at = text.find(self._pattern, start)
        return max(start, window.size - size + 1)


def _word_searches(text: str, pattern: str) -> tuple[_WordSearch, ...]:
    """Return the searches for words: in the text as it is, and past its markup where it has some.

    Raises:
        InvalidInput: the pattern is empty.
    """
    marks = has_diacritics(pattern)
    folded_pattern = fold(_EDGES.sub("", pattern), marks=marks)
    if not folded_pattern:
        raise InvalidInput("the pattern is empty", hint="give the words to find")
    search = _WordSearch(text, folded_pattern, marks=marks, blind=False)
    if not _MARKUP.search(text):
        return (search,)
    return search, _WordSearch(text, folded_pattern, marks=marks, blind=True)


def _without_overlaps(searches: Iterable[_WordSearch]) -> Iterator[Span]:
    """Yield the places of all searches in order, without those that overlap an earlier one."""
    end = 0
    for span in merge(*(search.spans() for search in searches)):
        if span[0] >= end:
            end = span[1]
            yield span


def _folded_token(raw: str, kind: str | None, *, marks: bool) -> str:
    if kind == "run":
        if raw.isascii():
            return raw.lower()
        return raw.translate(_FOLDED_CHARACTERS[marks])
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


class _FoldedCharacters(dict[int, str]):
    """A table of folded characters for `str.translate`, filled as they come: only characters of runs are asked for."""

    def __init__(self, *, marks: bool) -> None:
        super().__init__()
        self._marks = marks

    def __missing__(self, code_point: int) -> str:
        self[code_point] = _character(chr(code_point), marks=self._marks)
        return self[code_point]


_FOLDED_CHARACTERS: Final = {marks: _FoldedCharacters(marks=marks) for marks in (True, False)}


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
