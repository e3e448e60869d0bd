"""The layout of a page as Chromium reports it, one table per document: nodes in preorder, boxes, styles, paint order.

The shape is that of DOMSnapshot.captureSnapshot in the Chrome DevTools Protocol: the browser process compiles it, so no
script of the page can see it being made, or forge it. Shadow trees come flattened, slots filled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

STYLES: Final = (
    *("display", "visibility", "opacity", "position", "font-size", "color", "-webkit-text-fill-color"),
    *("background-color", "background-image", "background-clip", "text-shadow", "overflow-x", "overflow-y"),
    *("clip", "clip-path", "color-scheme", "-webkit-text-security"),
)
"""The computed styles that are asked for."""
ARGUMENTS: Final[dict[str, object]] = {
    "computedStyles": list(STYLES),
    "includePaintOrder": True,
    "includeBlendedBackgroundColors": True,
    "includeTextColorOpacities": True,
}

ELEMENT: Final = 1
TEXT: Final = 3


class LayoutBox(NamedTuple):
    """A rectangle in CSS pixels, from the document's upper left corner."""

    x: float
    y: float
    width: float
    height: float

    def within(self, other: LayoutBox) -> LayoutBox:
        """Return the part that lies in `other`; of no size where there is none."""
        x_min, y_min = max(self.x, other.x), max(self.y, other.y)
        x_max = min(self.x + self.width, other.x + other.width)
        y_max = min(self.y + self.height, other.y + other.height)
        return LayoutBox(x_min, y_min, max(0.0, x_max - x_min), max(0.0, y_max - y_min))

    def covers(self, other: LayoutBox) -> bool:
        """Return whether `other` lies in this, give or take two pixels."""
        return (
            self.x <= other.x + 2
            and self.y <= other.y + 2
            and self.x + self.width >= other.x + other.width - 2
            and self.y + self.height >= other.y + other.height - 2
        )


class Drawn(NamedTuple):
    """A node that has a place in the layout."""

    box: LayoutBox
    style: Mapping[str, str]
    order: int
    """Painted later than lower ones."""
    background: str
    """What lies behind its own text, as one colour; empty where that is not known."""
    ink: float
    """How opaque its text is."""


class Node(NamedTuple):
    """A node of the flattened tree."""

    parent: int
    kind: int
    name: str
    """Lower case."""
    value: str
    attributes: Mapping[str, str]
    drawn: Drawn | None
    inner: int
    """The document in it: an index into the documents; -1 for none."""
    backend: int
    """The browser's own number for it."""
    field_value: str = ""
    """The text that stands in it now, of an input or a textarea."""


class Layout(NamedTuple):
    """One document."""

    nodes: Sequence[Node]
    width: float
    """Of all that can be scrolled to."""
    height: float
    frame: str


def layouts(
    snapshot: Mapping[str, Any],  # Any: the protocol's own shape
    names: Sequence[str] = STYLES,
) -> list[Layout]:
    """Read an answer of captureSnapshot for the styles `names`; the first document is the page."""
    strings: list[str] = snapshot["strings"]
    styles: dict[tuple[int, ...], Mapping[str, str]] = {}
    return [
        Layout(
            tuple(_nodes(document, strings, names, styles)),
            document.get("contentWidth") or 0,
            document.get("contentHeight") or 0,
            _text(strings, document["frameId"]),
        )
        for document in snapshot["documents"]
    ]


def _nodes(
    document: Mapping[str, Any],  # Any: the protocol's own shape
    strings: Sequence[str],
    names: Sequence[str],
    styles: dict[tuple[int, ...], Mapping[str, str]],
) -> Iterator[Node]:
    nodes = document["nodes"]
    drawn = dict(_drawn(document["layout"], strings, names, styles))
    inner = dict(zip(nodes["contentDocumentIndex"]["index"], nodes["contentDocumentIndex"]["value"], strict=True))
    field_values = {
        index: _text(strings, number)
        for column in ("textValue", "inputValue")
        if column in nodes
        for index, number in zip(nodes[column]["index"], nodes[column]["value"], strict=True)
    }
    pseudo = set(nodes.get("pseudoType", {}).get("index", ()))
    rows = zip(
        nodes["parentIndex"], nodes["nodeType"], nodes["nodeName"], nodes["nodeValue"], nodes["attributes"],
        nodes["backendNodeId"], strict=True,
    )  # fmt: skip
    for index, (parent, kind, name, value, pairs, backend) in enumerate(rows):
        texts = [_text(strings, number) for number in pairs]
        yield Node(
            parent=parent,
            kind=0 if index in pseudo else kind,
            name=_text(strings, name).lower(),
            value=_text(strings, value),
            attributes=dict(zip(texts[::2], texts[1::2], strict=True)),
            drawn=drawn.get(index),
            inner=inner.get(index, -1),
            backend=backend,
            field_value=field_values.get(index, ""),
        )


def _drawn(
    layout: Mapping[str, Any],  # Any: the protocol's own shape
    strings: Sequence[str],
    names: Sequence[str],
    styles: dict[tuple[int, ...], Mapping[str, str]],
) -> Iterator[tuple[int, Drawn]]:
    rows = zip(
        layout["nodeIndex"], layout["bounds"], layout["styles"], layout["paintOrders"],
        layout["blendedBackgroundColors"], layout["textColorOpacities"], strict=True,
    )  # fmt: skip
    for index, bounds, numbers, order, background, ink in rows:
        key = tuple(numbers)
        if key not in styles:  # a page has few different ones
            styles[key] = dict(zip(names, (_text(strings, number) for number in key), strict=False))
        yield index, Drawn(LayoutBox(*bounds), styles[key], order, _text(strings, background), ink)


def _text(strings: Sequence[str], number: int) -> str:
    return strings[number] if number >= 0 else ""
