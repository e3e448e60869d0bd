"""What the walk finds: leaves of text in document order, and the boxes they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.words import word_set
from wellread.seen import names
from wellread.segmentation import grids, tags
from wellread.types import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.types import Notice, Span

_SIGNATURES: Final = {"dt": "sig", "h3": "code-header", "h4": "code-header", "div": "member-signature"}
"""Classes of boxes in which documentation declares a name: Sphinx's, rustdoc's and Javadoc's."""
_IMAGE: Final = int(Style.IMAGE)
_LINKED: Final = 0.8
_TABLE_ROLES: Final = word_set("table grid treegrid")


class Box:
    """A block-level element, or a link, span, label or component that holds some.

    Boxes are numbered in document order, so a parent comes before its children.
    """

    __slots__ = (
        "_name_words", "attributes", "cells", "columns", "depth", "end", "first", "index", "is_parameter",
        "is_signature", "node", "parent", "place", "tag",
    )  # fmt: skip

    def __init__(
        self, index: int, tag: str, parent: Box | None, attributes: Mapping[str, str | None], first: int
    ) -> None:
        self.index = index
        self.tag: Final = tag
        self.parent: Final = parent
        self.depth: Final[int] = parent.depth + 1 if parent else 0
        self.attributes: Final = attributes
        self.first = first
        """The first leaf in it."""
        self.end = first
        """One past the last."""
        self.node = 0
        """The memory id of its element."""
        sign = _SIGNATURES.get(tag)
        called = attributes.get("class") if sign else None
        self.is_signature = bool(sign and called and sign in called and sign in called.split())
        """Whether it declares what a program calls: all in it is code, whatever else it looks like."""
        self.columns = 0
        """How many columns the cells make that it holds without rows."""
        self.cells = 0
        """How many of these have been read."""
        self.place = -1
        """Its place among such cells."""
        self.is_parameter = False
        """Whether it is a row of short pieces: the name of a parameter, and its type."""
        self._name_words: frozenset[str] | None = None

    @property
    def items(self) -> int:
        """How many leaves are in it."""
        return self.end - self.first

    @property
    def name(self) -> tuple[str, str | None, str | None]:
        """Tag, class and id."""
        return self.tag, self.attributes.get("class"), self.attributes.get("id")

    @property
    def name_words(self) -> frozenset[str]:
        """The words in its class and id; split once, since many rules ask for them."""
        if self._name_words is None:
            self._name_words = names.of(self.attributes)
        return self._name_words

    def around(self) -> Iterator[Box]:
        """Yield it and the boxes around it, the nearest first."""
        at: Box | None = self
        while at is not None:
            yield at
            at = at.parent


class Leaf:
    """A run of text that stands on lines of its own: a candidate for the main content."""

    __slots__ = ("box", "chars", "heading", "inner", "link_chars", "links", "preformatted", "spans", "words")

    def __init__(self, box: Box, spans: tuple[Span, ...], mode: int) -> None:
        self.box: Final = box
        self.spans: Final = spans
        plain = len(spans) == 1 and not spans[0].style  # as most are
        self.words: Final = (
            spans[0].text if plain else "".join([span.text for span in spans if not span.style & _IMAGE])
        )
        """Its text, without what pictures are said to show."""
        self.heading: Final[int] = mode if mode <= 6 else 0
        """1 to 6 in a heading, else 0."""
        self.preformatted: Final[bool] = mode > 6
        self.chars = 0
        self.link_chars = 0
        self.links = 0
        self.inner: Sequence[tuple[str, Mapping[str, str | None]]] = ()
        """Tag and attributes of the first inline elements in it."""


def is_table(box: Box) -> bool:
    """Tell whether a box is a table, by its tag or by its role (WAI-ARIA 1.2, 5.3.3)."""
    if not box.attributes:
        return box.columns > 0 or box.tag == "table"
    role = box.attributes.get("role")
    return box.columns > 0 or role in _TABLE_ROLES or (box.tag == "table" and role not in {"presentation", "none"})


def begins_row(box: Box) -> bool:
    """Tell whether a row of a table begins with a box: it is the row, or the first cell of one that has no box."""
    if box.place >= 0 and box.parent is not None:
        return box.place % box.parent.columns == 0
    return box.tag == "tr" or (bool(box.attributes) and box.attributes.get("role") == "row")


def is_cell(box: Box) -> bool:
    """Tell whether a box is a cell of a table."""
    if box.tag in {"td", "th"} or box.place >= 0:
        return True
    return bool(box.attributes) and box.attributes.get("role") in tags.CELL_ROLES


def is_header_cell(box: Box) -> bool:
    """Tell whether a cell is marked as a header: `<th>`, a header role, or its class in a grid of `<div>`."""
    if box.place >= 0:
        return grids.calls_header(box.attributes.get("class") or "")
    return box.tag == "th" or box.attributes.get("role") in tags.HEADER_ROLES


@dataclass(slots=True)
class Medium:
    """A picture or embedded content, as the page declares it."""

    tag: str
    attributes: Mapping[str, str | None]
    address: str
    """As the page writes it; never empty."""
    box: Box
    """The box that it stands in."""
    href: str | None
    """The link that it stands in."""
    at: int
    """The leaf before which it stands, or of which it is a part (`in_leaf`)."""
    is_picture: bool
    in_leaf: bool = False


@dataclass(slots=True)
class ChoiceControl:
    """A field by which a reader chooses among several things: a <select>, a radio button, or what stands for one."""

    node: LexborNode
    box: Box
    at: int
    """The leaf before which it stands."""
    is_seen: bool = True


def is_linked(leaf: Leaf) -> bool:
    """Tell whether nearly all of a leaf is links."""
    return leaf.link_chars > _LINKED * leaf.chars


def chars(leaves: Iterable[Leaf]) -> int:
    """Return how many characters are in them."""
    return sum(leaf.chars for leaf in leaves)


class Walked(NamedTuple):
    """A page after the walk."""

    leaves: Sequence[Leaf]
    boxes: Sequence[Box]
    notices: Sequence[Notice]
    title: str
    """The text of <title>, which tells apart the heading of the page from that of the site."""
    summary: str = ""
    """What the page says of itself for search engines: mostly how it begins, below its headline."""
    veiled: Mapping[int, bool] = {}
    """By node, of every element that was read: whether its own text cannot be seen."""
    times: Mapping[int, str] = {}
    """By leaf, the first date in ISO 8601 that an element in it has for machines, or as its title."""
    withheld: int = 0
    """Characters of the largest element that is hidden for now and holds what the page is about."""
    lenient: bool = False
    """What is hidden until scripts run was read, too."""
    sells: bool = False
    """The page says for machines that it is about one product."""
    url: str | None = None
    """Its address, where it is known."""
    media: Sequence[Medium] = ()
    """Its pictures and embedded content, in document order."""
    controls: Sequence[ChoiceControl] = ()
    """What readers choose by, in document order."""
    is_news: bool = False
    """The page says for machines that it is a news article."""


def below(around: Box, walked: Walked) -> Iterator[Box]:
    """Yield the boxes inside another; they follow it without a gap."""
    for index in range(around.index + 1, len(walked.boxes)):
        box = walked.boxes[index]
        if box.depth <= around.depth:
            return
        yield box
