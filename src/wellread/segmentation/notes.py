"""Finds the notes below a text: which boxes its references lead to, and what it calls them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from wellread.output.inline_text import note_label
from wellread.segmentation import boxes
from wellread.types import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wellread.segmentation.boxes import Box, Walked
    from wellread.types import Block

_NOTE: Final = int(Style.NOTE)
_ADDRESSES: Final = ("#fn", "#cite_note", "#footnote", "#note", "#_ftn", "#endnote", "#user-content-fn")
"""How addresses begin that lead to notes."""
_REFERENCES: Final = frozenset({"footnote-reference", "footnote-ref", "doc-noteref", "noteref"})
"""Classes, roles (DPUB-ARIA 1.0) and types (EPUB 3) of links that do."""
_HOLDERS: Final = frozenset({"li", "p", "div", "aside"})
_LONGEST: Final = 1_000
"""Characters: what says more may be the page that a link leads back to."""
_MOST_LINES: Final = 20
_FEWEST: Final = 3
"""Items of a list that a text refers to: fewer may be places on the page."""
_CLOSE: Final = 3
"""Boxes among which the item is looked for that has a name."""
_MOST_SIGNS: Final = 4
"""Spans that may make up the number before a note: `[`, `1`, `]`..."""
_SIGNS: Final = "]).:^ "
"""...and what may end it."""


def is_reference(href: str, attributes: Mapping[str, str | None]) -> bool:
    """Tell whether a link to a place on its page is the sign of a note."""
    said = " ".join(attributes.get(name) or "" for name in ("class", "role", "epub:type")).split()
    return href.startswith(_ADDRESSES) or "data-footnote-ref" in attributes or not _REFERENCES.isdisjoint(said)


def told(walked: Walked, kept: Sequence[bool]) -> tuple[Mapping[str, str], Mapping[int, str]]:
    """Return the labels of the notes that are referred to and kept: by their addresses, and by their boxes' indices."""
    labels: dict[str, str] = {}
    called: dict[str, Box] = {}
    numbers: dict[str, int] = {}
    """By what notes are called, the number that the last of them got: none is tried twice."""
    for name, label, box in _referred(walked, kept):
        if any(kept[box.first : box.end]):
            told = first = note_label(label)  # as it is printed: `1^` would be another `1`
            number = max(numbers.get(first, 0), len(labels))
            while called.get(told, box) is not box:
                told = f"{first}-{number}"
                number += 1
            numbers[first] = number
            labels[name] = told
            called[told] = box
    return labels, {box.index: label for label, box in called.items()}


def short(walked: Walked, kept: Iterable[bool]) -> Iterator[Box]:
    """Yield the boxes of short notes that the text refers to: in an aside they look as if they were none of it."""
    for _, _, box in _referred(walked, kept):
        if _is_short(box, walked) and all(around.tag != "nav" for around in box.around()):
            yield box


def cited(walked: Walked, kept: Iterable[bool]) -> Iterator[Box]:
    """Yield the lists below the text to most of whose short items its prose links: what it is made from."""
    wanted: dict[str, int] = {}
    for at, (leaf, keep) in enumerate(zip(walked.leaves, kept, strict=True)):
        for span in leaf.spans if keep and not boxes.is_linked(leaf) else ():
            if span.href and span.href[0] == "#":
                wanted.setdefault(span.href[1:], at)
    lists: dict[int, set[int]] = {}
    for name, box in _named(walked) if len(wanted) >= _FEWEST else ():
        item = next((around for around in islice(box.around(), _CLOSE) if around.tag == "li"), None)
        if item is not None and item.parent is not None and wanted.get(name, item.first) < item.first:
            lists.setdefault(item.parent.index, set()).add(item.index)
    several = (index for index, found in lists.items() if len(found) >= _FEWEST)
    for works in map(walked.boxes.__getitem__, several):
        items = [box for box in boxes.below(works, walked) if box.parent is works and box.items]
        if len(lists[works.index]) >= len(items) // 2 and all(_is_short(box, walked) for box in items):
            yield works


def _is_short(box: Box, walked: Walked) -> bool:
    return box.items <= _MOST_LINES and boxes.chars(walked.leaves[box.first : box.end]) <= _LONGEST


def _referred(walked: Walked, kept: Iterable[bool]) -> Sequence[tuple[str, str, Box]]:
    """Return address, label and box of each note that stands below what refers to it: links in notes lead back up."""
    wanted: dict[str, tuple[str, int]] = {}
    for at, (leaf, keep) in enumerate(zip(walked.leaves, kept, strict=True)):
        for span in leaf.spans if keep else ():
            if span.style & _NOTE and span.href:
                wanted.setdefault(span.href[1:], (span.text, at))
    there = [*_named(walked)][::-1] if wanted else []
    first = {name: box for name, box in there if name in wanted and wanted[name][1] < box.first}
    return [(name, label, first[name]) for name, (label, _) in wanted.items() if name in first]


def _named(walked: Walked) -> Iterator[tuple[str, Box]]:
    """Yield the boxes with their ids, then with what is called so in their only line: word processors name a link."""
    yield from ((box.attributes.get("id") or "", box) for box in walked.boxes if box.items and box.tag in _HOLDERS)
    for leaf in walked.leaves:
        if leaf.box.items == 1 and leaf.box.tag in _HOLDERS:
            yield from ((one.get("id") or one.get("name") or "", leaf.box) for _, one in leaf.inner)


def unlabelled(children: Sequence[Block], label: str) -> Sequence[Block]:
    """Return what a note says, without the label that it begins with: it is told as its own."""
    first, *rest = children
    for at in range(1, min(len(first.spans), _MOST_SIGNS) + 1):
        if "".join(span.text for span in first.spans[:at]).strip(f"[({_SIGNS}") == label:
            after = first.spans[at:]
            while after and not after[0].text.lstrip(_SIGNS):
                after = after[1:]
            if not after:
                return rest or children
            after = (after[0]._replace(text=after[0].text.lstrip(_SIGNS)), *after[1:])
            return [first._replace(spans=after), *rest]
    return children
