"""Finds the notes below a text: which boxes its references lead to, and what it calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.types import Kind, Style
from wellread.web.extract import boxes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellread.types import Block
    from wellread.web.extract.boxes import Box, Walked

_NOTE: Final = int(Style.NOTE)
_HOLDERS: Final = frozenset({"li", "p", "div", "aside"})
_LONGEST: Final = 1_000
"""Characters: what says more may be the page that a link leads back to."""
_MOST_LINES: Final = 20
_MOST_SIGNS: Final = 4
"""Spans that may make up the number before a note: `[`, `1`, `]`..."""
_SIGNS: Final = "]).:^ "
"""...and what may end it."""


def told(walked: Walked, kept: Sequence[bool]) -> tuple[Mapping[str, str], Mapping[int, str]]:
    """Return the labels of the notes that are referred to and kept: by their addresses, and by their boxes' indices."""
    labels: dict[str, str] = {}
    at: dict[int, str] = {}
    taken: set[str] = set()
    for name, label, box in _referred(walked, kept):
        if box.index not in at and any(kept[box.first : box.end]):
            labels[name] = at[box.index] = label if label not in taken else f"{label}-{len(labels)}"
            taken.add(labels[name])
    return labels, at


def keep_notes(kept: NDArray[np.bool_], walked: Walked) -> None:
    """Keep the short notes that the text refers to: what stands in an aside looks as if it were none of it."""
    for _, _, box in _referred(walked, kept):
        short = box.items <= _MOST_LINES and boxes.chars(walked.leaves[box.first : box.end]) <= _LONGEST
        kept[box.first : box.end] |= short and all(around.tag != "nav" for around in box.around())


def _referred(walked: Walked, kept: Sequence[bool] | NDArray[np.bool_]) -> Sequence[tuple[str, str, Box]]:
    """Return address, label and box of each note that stands below what refers to it: links in notes lead back up."""
    wanted: dict[str, tuple[str, int]] = {}
    for at, (leaf, keep) in enumerate(zip(walked.leaves, kept, strict=True)):
        for span in leaf.spans if keep else ():
            if span.style & _NOTE and span.href:
                wanted.setdefault(span.href[1:], (span.text, at))
    found: dict[str, Box] = {}
    for name, box in _named(walked) if wanted else ():
        if name in wanted and wanted[name][1] < box.first and box.tag in _HOLDERS:
            found.setdefault(name, box)
    return [(name, label, found[name]) for name, (label, _) in wanted.items() if name in found]


def _named(walked: Walked) -> Iterator[tuple[str, Box]]:
    """Yield the boxes with their ids, and with what is called so in their only line: word processors name a link."""
    yield from ((box.attributes.get("id") or "", box) for box in walked.boxes if box.items)
    for leaf in walked.leaves:
        if leaf.box.items == 1:
            yield from ((one.get("id") or one.get("name") or "", leaf.box) for _, one in leaf.inner)


def unlabelled(children: Sequence[Block], label: str) -> Sequence[Block]:
    """Return what a note says, without the label that it begins with: it is told as its own."""
    first, *rest = children
    spans = first.spans if first.kind is Kind.PARAGRAPH else ()
    for at in range(1, min(len(spans), _MOST_SIGNS) + 1):
        if "".join(span.text for span in spans[:at]).strip(f"[({_SIGNS}") == label:
            left = tuple(span._replace(text=span.text.lstrip(_SIGNS)) for span in spans[at : at + 1])
            return (first._replace(spans=left + spans[at + 1 :]), *rest) if left else rest or children
    return children
