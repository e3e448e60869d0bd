"""Print a document as markdown (CommonMark with GitHub's tables) or as plain text, line by line with prefixes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.lazy_pattern import lazy_pattern
from wellread.output import inline_text
from wellread.output.unit_writer import (
    UnitWriter,
    cell_spans,
    heading_level,
    printed_blocks,
    table_rows,
    unit_kind,
    walk,
)
from wellread.types import Kind, Style

if TYPE_CHECKING:
    from wellread.output.inline_text import LinkPrinter
    from wellread.output.unit_writer import PrintedDocument
    from wellread.types import Block, Document

# Names of this module: the look-up of a member in its class takes 25 times as long (CPython 3.11).
_HEADING, _PARAGRAPH, _CAPTION, _CODE = Kind.HEADING, Kind.PARAGRAPH, Kind.CAPTION, Kind.CODE
_LIST, _ITEM, _QUOTE, _FOOTNOTE = Kind.LIST, Kind.ITEM, Kind.QUOTE, Kind.FOOTNOTE
_TABLE, _ROW, _RULE = Kind.TABLE, Kind.ROW, Kind.RULE
_MAX_PREFIX_DEPTH = 24
"""Containers below this depth add no prefix: a line must not be mostly prefix."""
_MATH = int(Style.MATH)
_LANGUAGE = lazy_pattern(r"[\s`~]+")


@dataclass(slots=True, eq=False, repr=False)  # each method more takes time at every start
class _OpenContainer:
    """An open container with the prefix of its first line (`marker`) and of its other lines (`indent`)."""

    kind: Kind
    marker: str = ""
    indent: str = ""
    tight: bool = False
    number: int | None = None
    bullet: str = "-"
    started: bool = False


def prose(
    document: Document, *, marked: bool, images: bool, link: LinkPrinter | None = inline_text.inline_link
) -> PrintedDocument:
    """Print `document` as markdown (`marked`) or as plain text; `link` as for `inline_text.markdown`."""
    printer = _ProsePrinter(marked=marked, images=images, link=link)
    for block, step, after in walk(document, images=images):
        if step == "leaf":
            printer.leaf(block)
        elif step == "enter":
            printer.enter(block, after)
        else:
            printer.leave()
    return printer.writer.printed()


class _ProsePrinter:
    def __init__(self, *, marked: bool, images: bool, link: LinkPrinter | None) -> None:
        self.writer = UnitWriter()
        self.marked = marked
        self.images = images
        self.link = link
        self.containers: list[_OpenContainer] = []
        self.shared_depth = 0
        """How many of the open containers were open already when the last unit was printed."""
        self.list_signs: dict[int, tuple[str, bool]] = {}
        """By depth, the sign of the last list there, and whether its items have numbers."""

    # -------------------------------------------------------------------------------------- containers

    def enter(self, block: Block, after: Kind | None) -> None:
        container = _OpenContainer(block.kind)
        if block.kind is _LIST:
            self._enter_list(container, block, after)
        elif len(self.containers) >= _MAX_PREFIX_DEPTH:
            pass
        elif block.kind is _ITEM:
            container.marker = self._item_marker()
            container.indent = " " * len(container.marker)
        elif block.kind is _QUOTE and self.marked:
            container.marker = container.indent = "> "
        elif block.kind is _FOOTNOTE and self.marked:
            container.marker, container.indent = f"[^{inline_text.note_label(block.label)}]: ", "    "
        elif block.kind is _FOOTNOTE:
            container.marker = f"[{inline_text.note_label(block.label)}] "
        self.containers.append(container)

    def _enter_list(self, container: _OpenContainer, block: Block, after: Kind | None) -> None:
        container.number = block.level or None
        container.tight = all(_is_line(item, images=self.images) for item in block.children)
        # Two lists of one kind in a row would be read as one: the second takes the other sign.
        is_numbered, depth = container.number is not None, len(self.containers)
        if after is _LIST and self.marked and self.list_signs.get(depth) == ("-", is_numbered):
            container.bullet = "*"
        self.list_signs[depth] = container.bullet, is_numbered

    def _item_marker(self) -> str:
        parent = self.containers[-1] if self.containers else _OpenContainer(_LIST)
        if parent.number is None:
            return f"{parent.bullet} "
        parent.number += 1
        delimiter = {"-": "."}.get(parent.bullet, ")")
        return f"{parent.number - 1}{delimiter} "

    def leave(self) -> None:
        self.containers.pop()
        self.shared_depth = min(self.shared_depth, len(self.containers))

    # ------------------------------------------------------------------------------------------ leaves

    def leaf(self, block: Block) -> None:
        if block.kind is _TABLE:
            self._table(block)
        elif block.kind is _RULE:
            if self.writer.length and self.marked:
                prefix, _ = self._begin()
                rule = "***" if "-" in prefix else "---"  # `- ---` would be one rule
                self.writer.write(f"{prefix}{rule}")
        elif lines := self._lines(block):
            self._leaf_unit(block, lines)

    def _leaf_unit(self, block: Block, lines: list[str]) -> None:
        if self.containers:
            kind = unit_kind(block, self.containers[-1].kind, first=not self.containers[-1].started)
        else:
            kind = unit_kind(block, None, first=True)
        follows = self.shared_depth > 0
        first_prefix, prefix = self._begin()
        text = first_prefix + lines[0]
        if len(lines) > 1:
            line_break = "  \n" if self.marked and block.kind is not _CODE else "\n"
            text = line_break.join((text, *(_prefixed(prefix, line) for line in lines[1:])))
        if block.kind is _HEADING:
            self.writer.heading(text, block)
        else:
            self.writer.unit(text, kind, follows=follows)

    def _begin(self) -> tuple[str, str]:
        """Separate the next unit from the last; return the prefixes of its first line and of its further lines."""
        if not self.containers:  # most units are in none
            if self.writer.length:
                self.writer.write("\n\n")
            self.writer.may_cut()
            return "", ""
        if self.writer.length:
            self.writer.write(self._separator())
        self.writer.may_cut()
        prefix = "".join(container.indent for container in self.containers)
        first_prefix = ""
        for container in self.containers:
            first_prefix += container.indent if container.started else container.marker
            container.started = True
        self.shared_depth = len(self.containers)
        return first_prefix, prefix

    def _separator(self) -> str:
        shared = self.containers[: self.shared_depth]
        new_numbers = [container.number for container in self.containers[self.shared_depth : self.shared_depth + 1]]
        # A list that begins with another number than 1 cannot interrupt a paragraph (CommonMark, 5.3).
        needs_blank_line = self.marked and any(number not in {None, 2} for number in new_numbers)
        if _is_tight(shared) and not needs_blank_line:
            return "\n"
        blank_line = "".join(container.indent for container in shared).rstrip()
        return f"\n{blank_line}\n"

    def _lines(self, block: Block) -> list[str]:
        """Return the lines of a leaf without prefixes; none when it shows nothing."""
        if block.kind is _CODE:
            return self._code_lines(block)
        if block.kind is _HEADING:
            return self._heading_lines(block)
        if not self.marked:
            text = inline_text.text(block.spans, images=self.images)
            return [line for line in map(_one_space, text.split("\n")) if line]
        if len(block.spans) == 1 and block.spans[0].style & _MATH:
            text = f"${inline_text.markdown(block.spans, images=False, link=self.link)}$"
        else:
            text = inline_text.markdown(block.spans, images=self.images, link=self.link)
        return [inline_text.escape_line_start(line) for line in map(_one_space, text.split("\n")) if line]

    def _heading_lines(self, block: Block) -> list[str]:
        if self.marked:
            title = _one_space(inline_text.markdown(block.spans, images=self.images, bold=False, link=self.link))
        else:
            title = _one_space(inline_text.text(block.spans, images=self.images))
        if not title:
            return []
        if not self.marked:
            return [title]
        if title.endswith("#"):
            title = f"{title[:-1]}\\#"
        return [f"{'#' * heading_level(block)} {title}"]

    def _code_lines(self, block: Block) -> list[str]:
        code = "".join(span.text for span in block.spans).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        if not code.strip():
            return []
        lines = [line.rstrip() for line in code.split("\n")]
        if not self.marked:
            return lines
        fence = inline_text.code_fence(code, 3)
        return [fence + _LANGUAGE.sub("", block.label), *lines, fence]

    def _table(self, table: Block) -> None:
        # GitHub's tables have a header; where the page marks none, its first row is the likeliest.
        rows = [cells for cells in ([self._cell(cell) for cell in row] for row in table_rows(table)) if any(cells)]
        if not rows:
            return
        follows = self.shared_depth > 0
        prefix, further_prefix = self._begin()
        for index, cells in enumerate(rows):
            if index:
                self.writer.write("\n")
                # The delimiter row belongs to the header row: no cut between them.
                if self.marked and index == 1:
                    self.writer.write(f"{further_prefix}|{' --- |' * len(cells)}\n")
                self.writer.may_cut()
                prefix = further_prefix
            self.writer.unit(prefix + self._row(cells), _ROW, follows=follows or index > 0)
        if self.marked and len(rows) == 1:
            self.writer.write(f"\n{further_prefix}|{' --- |' * len(rows[0])}")

    def _row(self, cells: list[str]) -> str:
        if self.marked:
            return f"| {' | '.join(cells)} |"
        return " | ".join(filter(None, cells))

    def _cell(self, cell: Block) -> str:
        spans = cell_spans(cell, images=self.images)
        if not self.marked:
            return _one_space(inline_text.text(spans, images=self.images))
        text = inline_text.markdown(spans, images=self.images, in_table=True, link=self.link)
        return " <br>".join(filter(None, map(_one_space, text.split("\n"))))


def _prefixed(prefix: str, line: str) -> str:
    if not line:
        return prefix.rstrip()
    return prefix + line


def _one_space(text: str) -> str:
    """Return `text` with one space for each run of white space."""
    return " ".join(text.split())


def _is_line(item: Block, *, images: bool) -> bool:
    """Tell whether an item is one line of text, with at most lists below it."""
    blocks = list(printed_blocks(item.children, images=images))
    if blocks and not item.spans:
        first = blocks.pop(0)
        if first.kind not in {_PARAGRAPH, _HEADING, _LIST, _CAPTION}:
            return False
    return all(block.kind is _LIST for block in blocks)


def _is_tight(shared: list[_OpenContainer]) -> bool:
    """Tell whether no blank line stands between neighbours whose innermost shared container is the last of `shared`."""
    if not shared:
        return False
    if shared[-1].kind is _LIST:
        return shared[-1].tight
    return shared[-1].kind is _ITEM and len(shared) > 1 and shared[-2].tight
