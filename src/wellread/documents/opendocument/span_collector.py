"""Collect the text of one paragraph in spans, with white space as OpenDocument counts it (ODF 1.3 part 3, 6.1.2)."""

from __future__ import annotations

import re
from typing import Final

from wellread.text.characters import without_invisible
from wellread.types import Span

MAX_SPACES: Final = 100
_WHITE_SPACE: Final = re.compile(r"[ \t\r\n]+")


class SpanCollector:
    """The spans of a paragraph, in order."""

    def __init__(self, *, keeps_spaces: bool = False) -> None:
        """Begin a paragraph; with `keeps_spaces` it is code."""
        self.invisible_count = 0
        self._keeps_spaces = keeps_spaces
        self._spans: list[Span] = []
        self._pieces: list[str] = []
        """The text of the open span."""
        self._format: tuple[int, str | None] = (0, None)
        """Style and link of the open span."""
        self._follows_space = True

    def add_text(self, text: str, style: int, href: str | None) -> None:
        """Add text as the file writes it: runs of white space count as one space."""
        text = _WHITE_SPACE.sub(" ", text)
        if self._follows_space:
            text = text.removeprefix(" ")
        if text:
            self._follows_space = text.endswith(" ")
            clean_text, count = without_invisible(text)
            self.invisible_count += count
            self._append(clean_text, style, href)

    def add_spaces(self, count: int, style: int, href: str | None) -> None:
        """Add spaces that the file counts; outside of code they are one."""
        if self._keeps_spaces:
            self._append(" " * min(count, MAX_SPACES), style, href)
        elif not self._ends_with_space():
            self._append(" ", style, href)
        self._follows_space = False

    def add_tab(self, style: int, href: str | None) -> None:
        """Add a tab stop; outside of code it is a space."""
        if self._keeps_spaces:
            self._append("\t", style, href)
            self._follows_space = False
        else:
            self.add_spaces(1, style, href)

    def add_line_break(self) -> None:
        """Begin a new line in the same paragraph."""
        self._close_span()
        self._spans.append(Span("\n"))
        self._follows_space = not self._keeps_spaces

    def add_object(self, span: Span) -> None:
        """Add the span of a note, a picture or a formula."""
        text, count = without_invisible(span.text)
        self.invisible_count += count
        if text:
            self._close_span()
            self._spans.append(span._replace(text=text))
            self._follows_space = False

    def _ends_with_space(self) -> bool:
        if self._pieces:
            return self._pieces[-1].endswith(" ")
        return not self._spans or self._spans[-1].text == "\n"

    def _append(self, text: str, style: int, href: str | None) -> None:
        if not text:
            return
        if self._format != (style, href):
            self._close_span()
            self._format = (style, href)
        self._pieces.append(text)

    def _close_span(self) -> None:
        if self._pieces:
            self._spans.append(Span("".join(self._pieces), *self._format))
            self._pieces = []

    def spans(self) -> tuple[Span, ...]:
        """Return the spans without white space at the ends; none where there is nothing else."""
        self._close_span()
        if self._keeps_spaces:
            return tuple(self._spans)
        filled = [index for index, span in enumerate(self._spans) if span.text.strip()]
        if not filled:
            return ()
        spans = self._spans[filled[0] : filled[-1] + 1]
        spans[0] = spans[0]._replace(text=spans[0].text.lstrip())
        spans[-1] = spans[-1]._replace(text=spans[-1].text.rstrip())
        return tuple(spans)

    def text(self) -> str:
        """Return the text alone, as code."""
        self._close_span()
        return "".join(span.text for span in self._spans)
