"""Prints a document as markdown (CommonMark with GitHub's tables) or as plain text, line by line with prefixes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.printer import inline
from wellread.printer.writer import OWN, Writer, cell_spans, heading_level, place, rows, shown, steps
from wellread.types import Kind, Style

if TYPE_CHECKING:
    from wellread.printer.inline import LinkPrinter
    from wellread.printer.writer import Printed
    from wellread.types import Block, Document

_DEEPEST = 24
"""Containers below this depth add no prefix: a line must not be mostly prefix."""
_MATH = int(Style.MATH)
_LANGUAGE = re.compile(r"[\s`~]+")


@dataclass(slots=True)
class _Frame:
    """An open container: what it puts before its first line (`marker`) and before the others (`indent`)."""

    kind: Kind
    marker: str = ""
    indent: str = ""
    tight: bool = False
    number: int | None = None
    bullet: str = "-"
    started: bool = False


def prose(document: Document, *, marked: bool, images: bool, link: LinkPrinter | None = inline.inline_link) -> Printed:
    """Print `document` as markdown (`marked`) or as plain text; `link` as for `inline.markdown`."""
    printer = _Prose(marked=marked, images=images, link=link)
    for block, entering, after in steps(document, images=images):
        if entering:
            printer.enter(block, after)
        elif entering is None:
            printer.leaf(block)
        else:
            printer.leave()
    return printer.writer.printed()


class _Prose:
    def __init__(self, *, marked: bool, images: bool, link: LinkPrinter | None) -> None:
        self.writer = Writer()
        self.marked = marked
        self.images = images
        self.link = link
        self.frames: list[_Frame] = []
        self.shared = 0
        """How many of the open frames were open already when the last unit was printed."""
        self.signs: dict[int, tuple[str, bool]] = {}
        """By depth, the sign of the last list there, and whether its items have numbers."""

    # -------------------------------------------------------------------------------------- containers

    def enter(self, block: Block, after: Kind | None) -> None:
        frame = _Frame(block.kind)
        if block.kind is Kind.LIST:
            self._enter_list(frame, block, after)
        elif len(self.frames) >= _DEEPEST:
            pass
        elif block.kind is Kind.ITEM:
            frame.marker = self._item_marker()
            frame.indent = " " * len(frame.marker)
        elif block.kind is Kind.QUOTE and self.marked:
            frame.marker = frame.indent = "> "
        elif block.kind is Kind.FOOTNOTE:
            label = inline.note_label(block.label)
            frame.marker, frame.indent = (f"[^{label}]: ", "    ") if self.marked else (f"[{label}] ", "")
        self.frames.append(frame)

    def _enter_list(self, frame: _Frame, block: Block, after: Kind | None) -> None:
        frame.number = block.level or None
        frame.tight = all(_is_line(item, images=self.images) for item in block.children)
        # Two lists of one kind in a row would be read as one: the second takes the other sign.
        counted, depth = frame.number is not None, len(self.frames)
        if after is Kind.LIST and self.marked and self.signs.get(depth) == ("-", counted):
            frame.bullet = "*"
        self.signs[depth] = frame.bullet, counted

    def _item_marker(self) -> str:
        owner = self.frames[-1] if self.frames else _Frame(Kind.LIST)
        if owner.number is None:
            return f"{owner.bullet} "
        owner.number += 1
        return f"{owner.number - 1}{'.' if owner.bullet == '-' else ')'} "

    def leave(self) -> None:
        self.frames.pop()
        self.shared = min(self.shared, len(self.frames))

    # ------------------------------------------------------------------------------------------ leaves

    def leaf(self, block: Block) -> None:
        if block.kind is Kind.TABLE:
            self._table(block)
        elif block.kind is Kind.RULE:
            if self.writer.length and self.marked:
                first, _ = self._begin()
                self.writer.write(first + ("***" if "-" in first else "---"))  # else item and rule would be one rule
        elif lines := self._lines(block):
            heading = block.kind is Kind.HEADING
            frame = self.frames[-1] if self.frames else None
            kind = place(frame.kind, first=not frame.started) if frame else Kind.PARAGRAPH
            follows = self.shared > 0
            first, rest = self._begin()
            text = ("\n" if block.kind is Kind.CODE or not self.marked else "  \n").join(
                (first + lines[0], *((rest + line).rstrip() if not line else rest + line for line in lines[1:]))
            )
            if heading:
                self.writer.heading(text, block)
            else:
                self.writer.unit(text, block.kind if block.kind in OWN else kind, follows=follows)

    def _begin(self) -> tuple[str, str]:
        """Separate from what was printed before; return the prefixes of the first and of further lines."""
        if not self.frames:  # as mostly
            self.writer.write("\n\n" if self.writer.length else "")
            self.writer.may_cut()
            return "", ""
        rest = "".join(frame.indent for frame in self.frames)
        if self.writer.length:
            common, fresh = self.frames[: self.shared], self.frames[self.shared : self.shared + 1]
            blank = "".join(frame.indent for frame in common).rstrip()
            # A list that begins with another number than 1 cannot interrupt a paragraph (CommonMark, 5.3).
            tight = _is_tight(common) and not (self.marked and any(it.number not in {None, 2} for it in fresh))
            self.writer.write("\n" if tight else f"\n{blank}\n")
        self.writer.may_cut()
        first = "".join(frame.indent if frame.started else frame.marker for frame in self.frames)
        for frame in self.frames:
            frame.started = True
        self.shared = len(self.frames)
        return first, rest

    def _lines(self, block: Block) -> list[str]:
        """Return a leaf's lines without prefixes; none when nothing of it can be seen."""
        if block.kind is Kind.CODE:
            return self._code_lines(block)
        if block.kind is Kind.HEADING:
            return self._heading_lines(block)
        if not self.marked:
            found = inline.text(block.spans, images=self.images)
        elif len(block.spans) == 1 and block.spans[0].style & _MATH:
            found = f"${inline.markdown(block.spans, images=False, link=self.link)}$"
        else:
            found = inline.markdown(block.spans, images=self.images, link=self.link)
        lines = [words for line in found.split("\n") if (words := " ".join(line.split()))]
        return [inline.line_start(line) for line in lines] if self.marked else lines

    def _heading_lines(self, block: Block) -> list[str]:
        if not self.marked:
            words = " ".join(inline.text(block.spans, images=self.images).split())
            return [words] if words else []
        words = " ".join(inline.markdown(block.spans, images=self.images, bold=False, link=self.link).split())
        if words.endswith("#"):
            words = f"{words[:-1]}\\#"
        return [f"{'#' * heading_level(block)} {words}"] if words else []

    def _code_lines(self, block: Block) -> list[str]:
        code = "".join(span.text for span in block.spans).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        if not code.strip():
            return []
        lines = [line.rstrip() for line in code.split("\n")]
        if not self.marked:
            return lines
        fence = inline.fence_for(code, 3)
        return [fence + _LANGUAGE.sub("", block.label), *lines, fence]

    def _table(self, table: Block) -> None:
        # GitHub's tables have a header; where the page marks none, its first row is the likeliest.
        told = [cells for _, row in rows(table) if any(cells := [self._cell(cell) for cell in row])]
        if not told:
            return
        follows = self.shared > 0
        prefix, rest = self._begin()
        for index, cells in enumerate(told):
            if index:
                self.writer.write("\n")
                # The line that makes a table of it belongs to the header row: no cut between them.
                if self.marked and index == 1:
                    self.writer.write(f"{rest}|{' --- |' * len(cells)}\n")
                self.writer.may_cut()
                prefix = rest
            row = f"| {' | '.join(cells)} |" if self.marked else " | ".join(cell for cell in cells if cell)
            self.writer.unit(prefix + row, Kind.ROW, follows=follows or index > 0)
        if self.marked and len(told) == 1:
            self.writer.write(f"\n{rest}|{' --- |' * len(told[0])}")

    def _cell(self, cell: Block) -> str:
        spans = cell_spans(cell, images=self.images)
        if not self.marked:
            return " ".join(inline.text(spans, images=self.images).split())
        told = inline.markdown(spans, images=self.images, in_table=True, link=self.link)
        return " <br>".join(words for line in told.split("\n") if (words := " ".join(line.split())))


def _is_line(item: Block, *, images: bool) -> bool:
    """Tell whether an item is one line of text, with at most lists below it."""
    children = shown(item.children, images=images)
    below = children if item.spans else children[1:]
    first = () if item.spans else children[:1]
    return all(child.kind is Kind.LIST for child in below) and all(
        child.kind in {Kind.PARAGRAPH, Kind.HEADING, Kind.LIST, Kind.CAPTION} for child in first
    )


def _is_tight(common: list[_Frame]) -> bool:
    """Tell whether two neighbours whose innermost shared container is the last of `common` stand close."""
    if not common:
        return False
    if common[-1].kind is Kind.LIST:
        return common[-1].tight
    return common[-1].kind is Kind.ITEM and len(common) > 1 and common[-2].tight
