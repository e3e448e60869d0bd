"""Print markdown with links as references or labels, and map offsets between that print and the canonical text.

Ids, offsets and cursors count in the canonical text, in which every link is inline: `[label](address)`. The other
prints hold the same units in the same order, and in each unit the same words except the addresses. An offset in one
is therefore found in the other: by the unit, and within a unit by the number of word characters before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from wellread.lazy_pattern import lazy_pattern
from wellread.output.inline_text import DESTINATION_MARK, END_MARK, marked_inline_link
from wellread.output.text_printer import prose
from wellread.output.unit_writer import PrintedDocument

if TYPE_CHECKING:
    from wellread.output.inline_text import LinkPrinter
    from wellread.types import Document, LinkStyle

_MARK = lazy_pattern(f"[{DESTINATION_MARK}{END_MARK}]")
_COUNTED = lazy_pattern(r"</?su[bp]>|(?P<character>[^\s\[\]()\\*_~`!<>|$])")
"""Characters that are the same in every print: no marks of the printer, no backslashes, and no letters of tags."""
_REFERENCE_PREFIXES = ("L", "Link", "Address", "LinkAddress")
"""Before the number of a reference: pages write `[2]` themselves, and a definition would make links of that."""


class _MappedPrint(NamedTuple):
    """A printed document with the ranges of link destinations in its text: `](address)` or `][L1]`."""

    printed: PrintedDocument
    destinations: tuple[tuple[int, int], ...]

    def character_offsets(self, unit: int) -> list[int]:
        """Return the offsets of the counted characters of a unit, without those of destinations."""
        mark, text = self.printed.marks[unit], self.printed.text
        first = bisect_left(self.destinations, (mark.start, mark.start))
        offsets: list[int] = []
        offset = mark.start
        for start, end in islice(self.destinations, first, None):
            if start >= mark.end:
                break
            offsets += _counted_offsets(text, offset, start)
            offset = end
        return offsets + _counted_offsets(text, offset, mark.end)

    def offset_after(self, unit: int, character_offsets: list[int], count: int) -> int:
        """Return the offset in a unit with `count` of its counted characters before it.

        It is after the last white space before the next counted character, or else right before that character.
        """
        mark = self.printed.marks[unit]
        if count == 0:
            return mark.start
        if count >= len(character_offsets):
            return mark.end
        before, following = character_offsets[count - 1], character_offsets[count]
        space = max(self.printed.text.rfind(" ", before, following), self.printed.text.rfind("\n", before, following))
        if space < 0:
            return following
        return space + 1


class LinkView(NamedTuple):
    """A document printed with its links as references or labels, beside its canonical print."""

    canonical: _MappedPrint
    shown: _MappedPrint
    addresses: tuple[str, ...]
    """The address of each reference, from number 1 on."""
    label: str
    """The letters before the number of a reference."""

    @property
    def printed(self) -> PrintedDocument:
        """The print; its offsets count in its own text."""
        return self.shown.printed

    def shown_offset(self, offset: int) -> int:
        """Return the offset in this print of an offset in the canonical text."""
        return _mapped_offset(offset, self.canonical, self.shown)

    def canonical_offset(self, offset: int) -> int:
        """Return the offset in the canonical text of an offset in this print."""
        return _mapped_offset(offset, self.shown, self.canonical)

    def definitions(self, start: int, end: int) -> str:
        """Return the definitions of the references in `printed.text[start:end]`, each once."""
        if not self.addresses:
            return ""
        first, last = (bisect_left(self.shown.destinations, (offset, offset)) for offset in (start, end))
        prefix_length = len(f"][{self.label}")
        text = self.printed.text
        numbers = {
            int(text[opening + prefix_length : closing - 1]) for opening, closing in self.shown.destinations[first:last]
        }
        if not numbers:
            return ""
        lines = "".join(f"\n[{self.label}{number}]: {self.addresses[number - 1]}" for number in sorted(numbers))
        return f"\n{lines}"


def link_view(document: Document, links: LinkStyle, *, images: bool) -> LinkView:
    """Print `document` as markdown with links as references, or as labels alone."""
    canonical = _print(document, marked_inline_link, images=images)
    if links == "none":
        return LinkView(canonical, _print(document, None, images=images), (), "")
    numbers: dict[str, int] = {}
    folded = canonical.printed.text.casefold()
    unused = (prefix for prefix in _REFERENCE_PREFIXES if f"[{prefix.casefold()}" not in folded)
    prefix = next(unused, _REFERENCE_PREFIXES[0])

    def reference(label: str, address: str) -> str:
        number = numbers.setdefault(address, len(numbers) + 1)
        return f"[{label}{DESTINATION_MARK}][{prefix}{number}{END_MARK}]"

    shown = _print(document, reference, images=images)
    return LinkView(canonical, shown, tuple(numbers), prefix)


def _counted_offsets(text: str, start: int, end: int) -> list[int]:
    return [match.start() for match in _COUNTED.finditer(text, start, end) if match["character"]]


def _print(document: Document, link: LinkPrinter | None, *, images: bool) -> _MappedPrint:
    """Print with marks in the links, and take the marks out again."""
    marked = prose(document, marked=True, images=images, link=link)
    mark_offsets = [match.start() for match in _MARK.finditer(marked.text)]

    def moved(offset: int) -> int:
        return offset - bisect_left(mark_offsets, offset)

    printed = PrintedDocument(
        _MARK.sub("", marked.text),
        tuple(map(moved, marked.cuts)),
        tuple(heading._replace(start=moved(heading.start)) for heading in marked.headings),
        tuple(mark._replace(start=moved(mark.start), end=moved(mark.end)) for mark in marked.marks),
    )
    borders = list(map(moved, mark_offsets))
    destinations = tuple((start, end + 1) for start, end in zip(borders[::2], borders[1::2], strict=True))
    return _MappedPrint(printed, destinations)


def _mapped_offset(offset: int, source: _MappedPrint, target: _MappedPrint) -> int:
    """Return the offset in `target` of an offset in `source`, moved back where `target` lacks that place."""
    cuts, marks = source.printed.cuts, source.printed.marks
    if offset >= len(source.printed.text):
        return len(target.printed.text)
    unit = bisect_right(marks, offset, key=lambda mark: mark.start) - 1
    if unit < 0:
        return 0
    following = bisect_left(cuts, offset)
    if offset in cuts[following : following + 1]:
        return target.printed.cuts[following]
    if offset >= marks[unit].end:  # the line under the header of a table, the end of a fence: the same in every print
        return target.printed.marks[unit].end + offset - marks[unit].end
    source_offsets, target_offsets = source.character_offsets(unit), target.character_offsets(unit)
    if len(source_offsets) != len(target_offsets):  # formulas in links spell their brackets
        return target.printed.marks[unit].start
    return target.offset_after(unit, target_offsets, bisect_left(source_offsets, offset))
