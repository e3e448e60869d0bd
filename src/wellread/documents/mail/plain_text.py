"""Convert the plain text of a mail to blocks: quotations by their marks, flowed lines joined (RFC 3676)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ada_url import URL

from wellread.text.characters import without_invisible
from wellread.types import Block, Kind, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_LINES: Final = 50_000
MAX_QUOTE_DEPTH: Final = 10
MAX_URL_CHARS: Final = 2_000
_URL: Final = re.compile(r"https?://[^\s<>\"\u201c\u201d]{1,2000}", re.IGNORECASE)
_URL_END: Final = ".,;:!?'*_|"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}
_SIGNATURE: Final = "-- "
_QUOTE_MARK: Final = re.compile(r"(?:> ?){1,10}")
_PGP_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_PGP_MESSAGE: Final = "-----BEGIN PGP MESSAGE-----"
_PGP_END: Final = "-----END PGP"


class _QuotedLine(NamedTuple):
    depth: int
    """The number of quotation marks before the line."""
    text: str


class PlainText:
    """The plain text of a part, read."""

    def __init__(self, text: str, *, is_flowed: bool = False, deletes_space: bool = False) -> None:
        """Read a text; `is_flowed` and `deletes_space` are the parameters `format` and `delsp` of RFC 3676."""
        self.links: list[str] = []
        self.is_signed = self.is_encrypted = False
        text, self.invisible_count = without_invisible(text)
        lines = text.split("\n", MAX_LINES)
        self.line_count_left_out = sum(tail.count("\n") + 1 for tail in lines[MAX_LINES:])
        del lines[MAX_LINES:]
        lines = list(self._without_pgp(lines))
        quoted = [_quoted(line, is_flowed=is_flowed) for line in lines]
        if is_flowed:
            quoted = _joined(quoted, deletes_space=deletes_space)
        self.blocks = self._blocks(quoted)

    def _without_pgp(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield the lines without the armour of OpenPGP (RFC 9580, sections 6.2 and 7): it is not for people."""
        is_armour = is_head = False
        for line in lines:
            mark = line.rstrip()
            if mark == _PGP_SIGNED:
                self.is_signed = is_head = True
            elif mark in {_PGP_SIGNATURE, _PGP_MESSAGE}:
                is_armour = True
                self.is_signed |= mark == _PGP_SIGNATURE
                self.is_encrypted |= mark == _PGP_MESSAGE
            elif is_armour:
                is_armour = not mark.startswith(_PGP_END)
            elif is_head:
                is_head = bool(mark)
            else:
                yield line.removeprefix("- ") if self.is_signed and line.startswith("- -") else line

    def _blocks(self, lines: Sequence[_QuotedLine]) -> list[Block]:
        stack: list[list[Block]] = [[]]
        paragraph: list[str] = []

        def end_paragraph() -> None:
            if paragraph:
                stack[-1].append(Block(Kind.PARAGRAPH, self._spans(paragraph)))
                paragraph.clear()

        def reach(depth: int) -> None:
            while len(stack) - 1 > depth:
                children = stack.pop()
                if children:
                    stack[-1].append(Block(Kind.QUOTE, children=tuple(children)))
            while len(stack) - 1 < depth:
                stack.append([])

        for line in lines:
            if line.depth != len(stack) - 1:
                end_paragraph()
                reach(line.depth)
            if line.text.strip():
                paragraph.append(line.text.strip())
            else:
                end_paragraph()
        end_paragraph()
        reach(0)
        return stack[0]

    def _spans(self, lines: Sequence[str]) -> tuple[Span, ...]:
        spans: list[Span] = []
        for line in lines:
            if spans:
                spans.append(Span("\n"))
            spans.extend(self._linked(line))
        return tuple(spans)

    def _linked(self, line: str) -> Iterator[Span]:
        end = 0
        for match in _URL.finditer(line):
            url = _without_punctuation(match[0])
            href = _absolute(url)
            if href is None:
                continue
            if match.start() > end:
                yield Span(line[end : match.start()])
            yield Span(url, 0, href)
            self.links.append(href)
            end = match.start() + len(url)
        if end < len(line):
            yield Span(line[end:])


def _without_punctuation(url: str) -> str:
    """Return an address without the punctuation of the sentence around it."""
    while url:
        last = url[-1]
        if last in _URL_END or (last in _BRACKETS and url.count(last) > url.count(_BRACKETS[last])):
            url = url[:-1]
        else:
            break
    return url


def _absolute(text: str) -> str | None:
    try:
        url = URL(text).href
    except ValueError:
        return None
    if len(url) > MAX_URL_CHARS or not url.startswith(("http://", "https://")):
        return None
    return url


def _quoted(line: str, *, is_flowed: bool) -> _QuotedLine:
    """Return a line without its quotation marks, and without the space that stuffs a flowed line."""
    if is_flowed:
        text = line.lstrip(">")
        return _QuotedLine(min(len(line) - len(text), MAX_QUOTE_DEPTH), text.removeprefix(" "))
    marks = _QUOTE_MARK.match(line)
    if marks is None:
        return _QuotedLine(0, line)
    return _QuotedLine(min(marks[0].count(">"), MAX_QUOTE_DEPTH), line[marks.end() :])


def _joined(lines: Iterable[_QuotedLine], *, deletes_space: bool) -> list[_QuotedLine]:
    """Join lines that end in a space with the next ones; the mark of a signature is an exception."""
    joined: list[_QuotedLine] = []
    pieces: list[str] = []
    depth = 0

    def end_line() -> None:
        if pieces:
            joined.append(_QuotedLine(depth, "".join(pieces)))
            pieces.clear()

    for line in lines:
        if line.depth != depth or line.text == _SIGNATURE:
            end_line()
        depth = line.depth
        flows = line.text.endswith(" ") and line.text != _SIGNATURE
        pieces.append(line.text[:-1] if flows and deletes_space else line.text)
        if not flows:
            end_line()
    end_line()
    return joined
