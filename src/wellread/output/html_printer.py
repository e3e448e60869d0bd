"""Print a document as HTML: escaped, one unit a line, no attributes but href, src and alt."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from wellread.output import inline_text
from wellread.output.unit_writer import UnitWriter, cell_spans, heading_level, table_rows, unit_kind, walk
from wellread.types import Kind

if TYPE_CHECKING:
    from wellread.output.unit_writer import PrintedDocument
    from wellread.types import Block, Document

# Names of this module: the look-up of a member in its class takes 25 times as long (CPython 3.11).
_HEADING, _LIST, _ITEM, _QUOTE, _CODE, _TABLE = Kind.HEADING, Kind.LIST, Kind.ITEM, Kind.QUOTE, Kind.CODE, Kind.TABLE
_ROW, _RULE, _FOOTNOTE = Kind.ROW, Kind.RULE, Kind.FOOTNOTE


def markup(document: Document, *, images: bool) -> PrintedDocument:
    """Print `document` as HTML."""
    printer = _MarkupPrinter(images=images)
    for block, step, _ in walk(document, images=images):
        if step == "leaf":
            printer.leaf(block)
        elif step == "enter":
            printer.enter(block)
        else:
            printer.leave()
    return printer.writer.printed()


_CONTAINER_TAGS = {_ITEM: "li", _QUOTE: "blockquote", _FOOTNOTE: "div", _LIST: "ul"}


def _container_tag(block: Block) -> str:
    if block.kind is _LIST and block.level:
        return "ol"
    return _CONTAINER_TAGS[block.kind]


class _MarkupPrinter:
    def __init__(self, *, images: bool) -> None:
        self.writer = UnitWriter()
        self.images = images
        self.open: list[tuple[Kind, str, str]] = []
        """Open containers: kind, opening markup, closing tag."""
        self.written = 0
        """How many of them have been written; the others wait for a unit."""
        self.first = True

    def enter(self, block: Block) -> None:
        tag = _container_tag(block)
        opening = f"<{tag}>"
        if block.kind is _LIST and block.level > 1:
            opening = f'<{tag} start="{block.level}">'
        elif block.kind is _FOOTNOTE:
            opening += f"\n<sup>[{html.escape(inline_text.note_label(block.label))}]</sup>"
        self.open.append((block.kind, opening, f"</{tag}>"))
        self.first = True

    def leave(self) -> None:
        _, _, closing = self.open.pop()
        if self.written > len(self.open):
            self.written -= 1
            self.writer.write(f"\n{closing}")
        self.first = False

    def leaf(self, block: Block) -> None:
        if block.kind is _TABLE:
            self._table(block)
        elif block.kind is _RULE:
            self._begin()
            self.writer.write("<hr>")
        elif element := self._element(block):
            follows = self.written > 0
            self._begin()
            if block.kind is _HEADING:
                self.writer.heading(element, block)
            else:
                container = self.open[-1][0] if self.open else None
                self.writer.unit(element, unit_kind(block, container, first=self.first), follows=follows)
        self.first = False

    def _begin(self) -> None:
        unwritten = self.open[self.written :]
        self.written = len(self.open)
        if self.writer.length:
            self.writer.write("\n")
        self.writer.may_cut()
        self.writer.write("".join(f"{opening}\n" for _, opening, _ in unwritten))

    def _element(self, block: Block) -> str:
        """Return the element of a leaf, empty when it shows nothing."""
        if block.kind is _CODE:
            code = "".join(span.text for span in block.spans).strip("\n")
            if not code.strip():
                return ""
            return f"<pre><code>{html.escape(code, quote=False)}</code></pre>"
        inner = inline_text.markup(block.spans, images=self.images)
        if not inner:
            return ""
        if block.kind is _HEADING:
            return f"<h{heading_level(block)}>{inner}</h{heading_level(block)}>"
        return f"<p>{inner}</p>"

    def _table(self, table: Block) -> None:
        rows = [row for row in map(self._row, table_rows(table)) if row]
        follows = self.written > 0
        for index, row in enumerate(rows):
            if index == 0:
                self._begin()
                self.writer.write("<table>\n")
            else:
                self.writer.write("\n")
                self.writer.may_cut()
            self.writer.unit(row, _ROW, follows=follows or index > 0)
        if rows:
            self.writer.write("\n</table>")

    def _row(self, cells: tuple[Block, ...]) -> str:
        """Return the row element of cells, empty when all cells are."""
        tags_and_content = [
            ("th" if cell.level else "td", inline_text.markup(cell_spans(cell, images=self.images), images=self.images))
            for cell in cells
        ]
        if not any(content for _, content in tags_and_content):
            return ""
        return f"<tr>{''.join(f'<{tag}>{content}</{tag}>' for tag, content in tags_and_content)}</tr>"
