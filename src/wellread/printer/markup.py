"""Prints a document as HTML: escaped, one unit a line, no attributes but href, src and alt."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from wellread.printer import inline
from wellread.printer.writer import OWN, Writer, cell_spans, heading_level, place, rows, steps
from wellread.types import Kind

if TYPE_CHECKING:
    from wellread.printer.writer import Printed
    from wellread.types import Block, Document


def markup(document: Document, *, images: bool) -> Printed:
    """Print `document` as HTML."""
    printer = _Markup(images=images)
    for block, entering, _ in steps(document, images=images):
        if entering:
            printer.enter(block)
        elif entering is None:
            printer.leaf(block)
        else:
            printer.leave()
    return printer.writer.printed()


class _Markup:
    def __init__(self, *, images: bool) -> None:
        self.writer = Writer()
        self.images = images
        self.open: list[tuple[Kind, str, str]] = []
        """Open containers: kind, what opens them, what closes them."""
        self.written = 0
        """How many of them have been written; the rest wait for something to hold."""
        self.first = True

    def enter(self, block: Block) -> None:
        tag = {Kind.ITEM: "li", Kind.QUOTE: "blockquote", Kind.FOOTNOTE: "div"}.get(block.kind)
        tag = tag or ("ol" if block.level else "ul")
        start = f' start="{block.level}"' if block.kind is Kind.LIST and block.level > 1 else ""
        label = f"\n<sup>[{html.escape(inline.note_label(block.label))}]</sup>" if block.kind is Kind.FOOTNOTE else ""
        self.open.append((block.kind, f"<{tag}{start}>{label}", f"</{tag}>"))
        self.first = True

    def leave(self) -> None:
        _, _, closing = self.open.pop()
        if self.written > len(self.open):
            self.written -= 1
            self.writer.write(f"\n{closing}")
        self.first = False

    def leaf(self, block: Block) -> None:
        if block.kind is Kind.TABLE:
            self._table(block)
        elif block.kind is Kind.RULE:
            self._begin()
            self.writer.write("<hr>")
        elif text := self._told(block):
            follows = self.written > 0
            self._begin()
            if block.kind is Kind.HEADING:
                self.writer.heading(text, block)
            else:
                owner = self.open[-1][0] if self.open else None
                kind = block.kind if block.kind in OWN else place(owner, first=self.first)
                self.writer.unit(text, kind, follows=follows)
        self.first = False

    def _begin(self) -> None:
        waiting = self.open[self.written :]
        self.written = len(self.open)
        if self.writer.length:
            self.writer.write("\n")
        self.writer.may_cut()
        self.writer.write("".join(f"{opening}\n" for _, opening, _ in waiting))

    def _told(self, block: Block) -> str:
        if block.kind is Kind.CODE:
            code = "".join(span.text for span in block.spans).strip("\n")
            return f"<pre><code>{html.escape(code, quote=False)}</code></pre>" if code.strip() else ""
        inner = inline.markup(block.spans, images=self.images)
        tag = f"h{heading_level(block)}" if block.kind is Kind.HEADING else "p"
        return f"<{tag}>{inner}</{tag}>" if inner else ""

    def _table(self, table: Block) -> None:
        told = [self._row(cells) for _, cells in rows(table)]
        told = [row for row in told if row]
        follows = self.written > 0
        for index, row in enumerate(told):
            if index == 0:
                self._begin()
                self.writer.write("<table>\n")
            else:
                self.writer.write("\n")
                self.writer.may_cut()
            self.writer.unit(row, Kind.ROW, follows=follows or index > 0)
        if told:
            self.writer.write("\n</table>")

    def _row(self, cells: tuple[Block, ...]) -> str:
        told = [
            ("th" if cell.level else "td", inline.markup(cell_spans(cell, images=self.images), images=self.images))
            for cell in cells
        ]
        if not any(inner for _, inner in told):
            return ""
        return f"<tr>{''.join(f'<{tag}>{inner}</{tag}>' for tag, inner in told)}</tr>"
