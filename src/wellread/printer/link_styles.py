"""Prints markdown with its links in another way, and maps places between that print and the canonical text.

Ids, offsets and cursors count in the canonical text, in which every link stands inline: `[label](address)`. The other
prints hold the same units in the same order, and in each unit the same words but for the addresses; so a place in one
has its place in the other: by the unit, and within a unit by how many characters of words stand before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from wellread.memo import Memo, tree_bytes
from wellread.printer.inline import DESTINATION_MARK, END_MARK, marked_inline_link
from wellread.printer.prose import prose
from wellread.printer.writer import Printed, print_bytes

if TYPE_CHECKING:
    from wellread.printer.inline import LinkPrinter
    from wellread.types import Document, LinkStyle

_MARK = re.compile(f"[{DESTINATION_MARK}{END_MARK}]")
_COUNTED = re.compile(r"</?su[bp]>|(?P<character>[^\s\[\]()\\*_~`!<>|$])")
"""Characters that are the same in every print: no marks of ours, no backslashes, and no letters of tags."""
_REFERENCES = ("L", "Link", "Address", "LinkAddress")
"""Before the number of a reference: pages write `[2]` themselves, and a definition would make links of that."""


@dataclass(frozen=True, slots=True)
class _Print:
    """A printed document, and which parts of its text are destinations of links: `](address)` or `][L1]`."""

    printed: Printed
    destinations: tuple[tuple[int, int], ...]

    def letters(self, unit: int) -> list[int]:
        """Return where the counted characters of a unit stand, but for those of destinations."""
        mark, text = self.printed.marks[unit], self.printed.text
        first = bisect_left(self.destinations, (mark.start, mark.start))
        letters: list[int] = []
        at = mark.start
        for start, end in islice(self.destinations, first, None):
            if start >= mark.end:
                break
            letters += _counted(text, at, start)
            at = end
        return letters + _counted(text, at, mark.end)

    def place(self, unit: int, letters: list[int], count: int) -> int:
        """Return the place in a unit with `count` of its letters before it: after the last white space before the next.

        Where no white space is, it is right before that letter.
        """
        mark = self.printed.marks[unit]
        if count == 0 or count >= len(letters):
            return mark.end if count else mark.start
        before, following = letters[count - 1], letters[count]
        space = max(self.printed.text.rfind(" ", before, following), self.printed.text.rfind("\n", before, following))
        return following if space < 0 else space + 1


@dataclass(frozen=True, slots=True)
class LinkView:
    """A document printed with its links in another way."""

    canonical: _Print
    shown: _Print
    addresses: tuple[str, ...]
    """The address of each reference, from number 1 on."""
    label: str
    """What stands before the number of a reference."""

    @property
    def printed(self) -> Printed:
        """The print; its offsets count in its own text."""
        return self.shown.printed

    def shown_offset(self, offset: int) -> int:
        """Return the place in this print that an offset in the canonical text has."""
        return _moved(offset, self.canonical, self.shown)

    def canonical_offset(self, offset: int) -> int:
        """Return the offset in the canonical text of a place in this print."""
        return _moved(offset, self.shown, self.canonical)

    def definitions(self, start: int, end: int) -> str:
        """Return the lines that say where the references of `printed.text[start:end]` lead, each once."""
        if not self.addresses:
            return ""
        first, last = (bisect_left(self.shown.destinations, (place, place)) for place in (start, end))
        digits = len(f"][{self.label}")
        text = self.printed.text
        numbers = {
            int(text[opening + digits : closing - 1]) for opening, closing in self.shown.destinations[first:last]
        }
        lines = "".join(f"\n[{self.label}{number}]: {self.addresses[number - 1]}" for number in sorted(numbers))
        return f"\n{lines}" if lines else ""


def link_view(document: Document, links: LinkStyle, *, images: bool) -> LinkView:
    """Print `document` as markdown whose links are references, or their labels alone.

    Each piece of a document asks for the whole view, which is remembered as prints are.
    """
    key = (id(document), links, images)
    return _VIEWS.recall(key, lambda: (document, _view(document, links, images=images)), _bytes)[1]


def _bytes(entry: tuple[Document, LinkView]) -> int:
    document, view = entry
    return tree_bytes(document) + print_bytes(view.canonical.printed) + print_bytes(view.shown.printed)


def _view(document: Document, links: LinkStyle, *, images: bool) -> LinkView:
    canonical = _print(document, marked_inline_link, images=images)
    if links == "none":
        return LinkView(canonical, _print(document, None, images=images), (), "")
    numbers: dict[str, int] = {}
    folded = canonical.printed.text.casefold()
    name = next((name for name in _REFERENCES if f"[{name.casefold()}" not in folded), _REFERENCES[0])

    def reference(label: str, address: str) -> str:
        number = numbers.setdefault(address, len(numbers) + 1)
        return f"[{label}{DESTINATION_MARK}][{name}{number}{END_MARK}]"

    shown = _print(document, reference, images=images)
    return LinkView(canonical, shown, tuple(numbers), name)


# The document is held with its view, so no other can come by its `id`.
_VIEWS: Memo[tuple[Document, LinkView]] = Memo(8_000_000)


def _counted(text: str, start: int, end: int) -> list[int]:
    return [found.start() for found in _COUNTED.finditer(text, start, end) if found["character"]]


def _print(document: Document, link: LinkPrinter | None, *, images: bool) -> _Print:
    """Print with marks in the links, and take the marks out again."""
    marked = prose(document, marked=True, images=images, link=link)
    spots = [mark.start() for mark in _MARK.finditer(marked.text)]

    def moved(offset: int) -> int:
        return offset - bisect_left(spots, offset)

    printed = Printed(
        _MARK.sub("", marked.text),
        tuple(map(moved, marked.cuts)),
        tuple(heading._replace(start=moved(heading.start)) for heading in marked.headings),
        tuple(mark._replace(start=moved(mark.start), end=moved(mark.end)) for mark in marked.marks),
    )
    places = list(map(moved, spots))
    return _Print(printed, tuple((start, end + 1) for start, end in zip(places[::2], places[1::2], strict=True)))


def _moved(offset: int, source: _Print, target: _Print) -> int:
    """Return where a place of one print is in the other; a place that has none there is moved back to one that has."""
    cuts, marks = source.printed.cuts, source.printed.marks
    if offset >= len(source.printed.text):
        return len(target.printed.text)
    unit = bisect_right(marks, offset, key=lambda mark: mark.start) - 1
    if unit < 0:
        return 0
    following = bisect_left(cuts, offset)
    if offset in cuts[following : following + 1] or offset >= marks[unit].end:
        return target.printed.cuts[following] if following < len(cuts) else len(target.printed.text)
    letters, target_letters = source.letters(unit), target.letters(unit)
    if len(letters) != len(target_letters):  # formulas in links spell their brackets
        return target.printed.marks[unit].start
    return target.place(unit, target_letters, bisect_left(letters, offset))
