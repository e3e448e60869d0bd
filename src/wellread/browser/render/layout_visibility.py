"""Decides from a layout which text of a page a person can see, and why the rest cannot be seen."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.render.layout import ELEMENT, TEXT, LayoutBox
from wellread.css.colours import UNKNOWN, Colour, colour
from wellread.hidden_text import (
    MIN_LAYOUT_CONTRAST,
    MIN_LAYOUT_FONT_PX,
    MIN_LAYOUT_OPACITY,
    MIN_LAYOUT_PX,
    OPAQUE_ALPHA,
    HiddenReason,
    contrast,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wellread.browser.render.layout import Drawn, Layout, Node

_NOT_SCROLLED: Final[Mapping[int, tuple[float, float]]] = MappingProxyType({})
_STRIP_PX = 256
_MOST_COVERS = 20_000
_MOST_IN_STRIP = 60
_LEAST_COVER_PX = 4.0
_MAX_SCROLLERS = 8
"""Boxes within boxes that scroll, from the outermost; each text is held against each cover in each of them."""
_MOST_COLOURS = 1_024
"""Kept once they are read; a page has few, and asks for them with every node."""
_FAR_PX = 1e7
"""Beyond every place of a page."""
_CLIPPING = frozenset({"hidden", "clip"})
_SCROLLING = frozenset({"auto", "scroll"})
_PICTURES = frozenset({"img", "video", "canvas", "svg", "picture", "object", "embed"})

_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
_NO_PATH = re.compile(r"inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0(?:px|%)?[\s)]|ellipse\(\s*0|polygon\(\s*\)")
_TRANSPARENT = Colour(0.0, 0.0, 0.0, alpha=0.0)


class _Clip(NamedTuple):
    """What clips the content of an element."""

    box: LayoutBox | None = None
    """Nothing outside of it can be seen; None for no bound."""
    scrollers: tuple[LayoutBox, ...] = ()
    """The boxes around it that a person can scroll, outermost first: what lies outside of them is not drawn now."""


class _InheritedVisibility(NamedTuple):
    """The visibility that the descendants of an element inherit."""

    hidden_reason: str
    """Why none of them can be seen; empty while they can."""
    opacity: float
    flow: _Clip
    """What clips descendants in the flow."""
    absolute: _Clip
    """What clips descendants that are positioned absolutely."""
    pinned: bool
    """Stays where it is when the page is scrolled."""
    background: str
    """The colour behind it; empty on a picture, where it is not known."""
    background_order: int
    """The paint order of that background."""
    scrolled: tuple[float, float] = (0.0, 0.0)
    """How far boxes around it are scrolled, across and down."""


_CANVAS: Final = "rgb(255, 255, 255)"
_VISIBLE: Final = _InheritedVisibility("", 1.0, _Clip(), _Clip(), pinned=False, background=_CANVAS, background_order=0)


class _Cover(NamedTuple):
    box: LayoutBox
    order: int
    is_picture: bool
    scrollers: tuple[LayoutBox, ...]

    def covers(self, box: LayoutBox, scrollers: tuple[LayoutBox, ...]) -> bool:
        """Return whether this covers a text in `box`, which lies in `scrollers`.

        In the scrollers that both lie in, both are scrolled alike. Of the others, a cover counts as far as it is drawn
        now. A text that is scrolled out of them, or cut, counts as their whole window: there a person scrolls it to.
        """
        if scrollers == self.scrollers:
            return self.box.covers(box)
        text_scrollers = [scroller for scroller in scrollers if scroller not in self.scrollers]
        cover_scrollers = [scroller for scroller in self.scrollers if scroller not in scrollers]
        return _within_all(self.box, cover_scrollers).covers(_scrolled_place(box, text_scrollers))


def _scrolled_place(box: LayoutBox, scrollers: Sequence[LayoutBox]) -> LayoutBox:
    """Return where a text is drawn: where it lies, or the window of its scrollers if it does not lie in that."""
    if not scrollers:
        return box
    window = _within_all(scrollers[0], scrollers[1:])
    if window.covers(box):
        return box
    return window


def _within_all(box: LayoutBox, others: Iterable[LayoutBox]) -> LayoutBox:
    for other in others:
        box = box.within(other)
    return box


def hidden_reasons(layout: Layout, scrolled: Mapping[int, tuple[float, float]] = _NOT_SCROLLED) -> list[str]:
    """Return for each node why it is hidden: empty for visible nodes, and elements that only hold others.

    `scrolled` has how far boxes are scrolled, across and down, by the number of their element: what is above and left
    of the page by no more than that was scrolled out of sight.
    """
    inherited = _inherited_visibilities(layout, scrolled)
    covers = _covers(layout, inherited)
    reasons = [""] * len(layout.nodes)
    for index, node in enumerate(layout.nodes):
        if node.kind == TEXT or node.name in _PICTURES:
            reasons[index] = _reason(node, layout, inherited, covers)
        elif node.field_value:
            reasons[index] = inherited[index].hidden_reason or _reason(node, layout, inherited, covers)
    return reasons


# ------------------------------------------------------------------------------------------------- inheritance


def _inherited_visibilities(layout: Layout, scrolled: Mapping[int, tuple[float, float]]) -> list[_InheritedVisibility]:
    visibilities: list[_InheritedVisibility] = []
    for node in layout.nodes:
        visibility = _parent_visibility(node, visibilities)
        if node.kind == ELEMENT and node.drawn is not None:
            visibility = _visibility(node.name, node.drawn, visibility)
            if node.backend in scrolled:
                (outer_x, outer_y), (x, y) = visibility.scrolled, scrolled[node.backend]
                visibility = visibility._replace(scrolled=(outer_x + x, outer_y + y))
        visibilities.append(visibility)
    return visibilities


def _parent_visibility(node: Node, visibilities: Sequence[_InheritedVisibility]) -> _InheritedVisibility:
    if node.parent < 0:
        return _VISIBLE
    return visibilities[node.parent]


def _visibility(name: str, drawn: Drawn, parent: _InheritedVisibility) -> _InheritedVisibility:
    style = drawn.style
    position = style["position"]
    opacity = parent.opacity * _number(style["opacity"], 1.0)
    flow = _containing_clip(position, parent)
    if name not in {"html", "body"}:
        flow = _content_clip(drawn, flow)
    absolute = flow
    if position == "static":
        absolute = parent.absolute
    paint_order = parent.background_order
    if _colour(style["background-color"]).alpha >= OPAQUE_ALPHA:
        paint_order = drawn.order
    return _InheritedVisibility(
        parent.hidden_reason or _own_reason(style, opacity),
        opacity,
        flow,
        absolute,
        pinned=parent.pinned or position in {"fixed", "sticky"},
        background=_background(style, parent),
        background_order=paint_order,
        scrolled=(0.0, 0.0) if position == "fixed" else parent.scrolled,
    )


def _containing_clip(position: str, parent: _InheritedVisibility) -> _Clip:
    """Return what clips an element of this position."""
    if position == "fixed":
        return _Clip()
    if position == "absolute":
        return parent.absolute
    return parent.flow


def _own_reason(style: Mapping[str, str], opacity: float) -> str:
    if opacity < MIN_LAYOUT_OPACITY:
        return HiddenReason.FADED
    if style["clip"].startswith("rect(") and style["position"] in {"absolute", "fixed"}:
        sides = [float(side) for side in _NUMBERS.findall(style["clip"])]
        if len(sides) == 4 and (sides[1] - sides[3] <= 1 or sides[2] - sides[0] <= 1):
            return HiddenReason.CLIPPED
    if _NO_PATH.search(style["clip-path"]):
        return HiddenReason.CLIPPED
    return ""


def _content_clip(drawn: Drawn, clip: _Clip) -> _Clip:
    """Return what clips the content of an element, which is itself clipped by `clip`."""
    across, down = drawn.style["overflow-x"], drawn.style["overflow-y"]
    if across == "visible" and down == "visible":
        return clip
    visible_box = _visible_part(drawn.box, clip.box)
    scrolls = across in _SCROLLING or down in _SCROLLING
    if scrolls and visible_box.width > MIN_LAYOUT_PX and visible_box.height > MIN_LAYOUT_PX:
        box = _open_along(visible_box, across=across in _SCROLLING, down=down in _SCROLLING)
        return _Clip(box, (*clip.scrollers, visible_box)[:_MAX_SCROLLERS])
    if scrolls or across in _CLIPPING or down in _CLIPPING:
        return clip._replace(box=visible_box)
    return clip


def _open_along(box: LayoutBox, *, across: bool, down: bool) -> LayoutBox | None:
    """Return what clips the content of a box that scrolls `across` or `down`: nothing along these axes."""
    if across and down:
        return None
    if across:
        return box._replace(x=-_FAR_PX, width=2 * _FAR_PX)
    return box._replace(y=-_FAR_PX, height=2 * _FAR_PX)


def _visible_part(box: LayoutBox, clip: LayoutBox | None) -> LayoutBox:
    if clip is None:
        return box
    return box.within(clip)


def _background(style: Mapping[str, str], parent: _InheritedVisibility) -> str:
    """Return the colour behind an element's text; a canvas that the page wants dark is of no known colour."""
    if style["background-image"] not in {"none", ""} or (parent is _VISIBLE and "dark" in style["color-scheme"]):
        return ""
    alpha = _colour(style["background-color"]).alpha
    if alpha >= OPAQUE_ALPHA:
        return style["background-color"]
    if alpha == 0:
        return parent.background
    return ""


# ------------------------------------------------------------------------------------------------------ covers


def _covers(layout: Layout, inherited: Sequence[_InheritedVisibility]) -> Mapping[int, list[_Cover]]:
    """Return the opaque boxes that hide everything painted before them, by horizontal strips of the page.

    Boxes that are pinned to the window do not count: text scrolls out from under them.
    """
    strips: dict[int, list[_Cover]] = {}
    count = 0
    for node, visibility in zip(layout.nodes, inherited, strict=True):
        drawn = node.drawn
        if node.kind != ELEMENT or drawn is None or visibility.pinned or node.name in {"html", "body"}:
            continue
        is_picture = node.name in _PICTURES
        is_opaque = is_picture or _colour(drawn.style["background-color"]).alpha >= OPAQUE_ALPHA
        if not is_opaque or not _is_solid(drawn, visibility):
            continue
        box = _visible_part(drawn.box, visibility.flow.box)
        if box.width < _LEAST_COVER_PX or box.height < _LEAST_COVER_PX:
            continue
        count += 1
        if count > _MOST_COVERS:
            continue
        first, last = int(max(box.y, 0) // _STRIP_PX), int(min(box.y + box.height, layout.height) // _STRIP_PX)
        for strip in range(first, min(last, first + 100) + 1):
            strips.setdefault(strip, []).append(_Cover(box, drawn.order, is_picture, visibility.flow.scrollers))
    return {strip: _largest(covers) for strip, covers in strips.items()}


def _largest(covers: list[_Cover]) -> list[_Cover]:
    """Keep so many that a page made of boxes upon boxes cannot stall us: every text is held against each of them."""
    return sorted(covers, key=lambda cover: -cover.box.width * cover.box.height)[:_MOST_IN_STRIP]


def _is_solid(drawn: Drawn, visibility: _InheritedVisibility) -> bool:
    return (
        not visibility.hidden_reason and visibility.opacity >= OPAQUE_ALPHA and drawn.style["visibility"] == "visible"
    )


# ------------------------------------------------------------------------------------------------------ a text


def _reason(
    node: Node, layout: Layout, inherited: Sequence[_InheritedVisibility], covers: Mapping[int, list[_Cover]]
) -> str:
    drawn = node.drawn
    if drawn is None:
        return HiddenReason.UNDRAWN
    visibility = _parent_visibility(node, inherited)
    if visibility.hidden_reason:
        return visibility.hidden_reason
    if drawn.style["visibility"] != "visible":
        return HiddenReason.INVISIBLE
    visible_box = _visible_part(drawn.box, visibility.flow.box)
    reason = _out_of_sight(drawn.box, visible_box, layout, visibility.scrolled)
    if reason or node.kind != TEXT:
        return reason
    return _unreadable(node, layout, visibility, covers, visible_box)


def _out_of_sight(box: LayoutBox, visible_box: LayoutBox, layout: Layout, scrolled: tuple[float, float]) -> str:
    if not box.width or not box.height:
        return HiddenReason.ZERO_SIZE
    if visible_box.width < min(box.width, MIN_LAYOUT_PX) or visible_box.height < min(box.height, MIN_LAYOUT_PX):
        return HiddenReason.CLIPPED
    x_max, y_max = box.x + box.width + scrolled[0], box.y + box.height + scrolled[1]
    if x_max <= 0 or y_max <= 0 or box.x >= max(layout.width, 1.0):
        return HiddenReason.OFF_SCREEN
    return ""


def _unreadable(
    node: Node,
    layout: Layout,
    visibility: _InheritedVisibility,
    covers: Mapping[int, list[_Cover]],
    visible_box: LayoutBox,
) -> str:
    drawn, parent = node.drawn, layout.nodes[node.parent].drawn
    assert drawn is not None
    if _number(drawn.style["font-size"], 16.0) < MIN_LAYOUT_FONT_PX:
        return HiddenReason.ZERO_FONT
    scrollers = visibility.flow.scrollers
    place = _scrolled_place(visible_box, scrollers)
    strips = {int(max(box.y, 0) // _STRIP_PX) for box in (visible_box, place)}
    covers_of_text = [
        cover for strip in strips for cover in covers.get(strip, ()) if cover.covers(visible_box, scrollers)
    ]
    if any(cover.order > drawn.order for cover in covers_of_text):
        return HiddenReason.COVERED
    # Chromium reports the blended background for some elements, where they would lie without the scrolled boxes. For
    # the others it is the nearest background, if nothing was painted in between.
    background = visibility.background
    reported_background = ""
    if parent is not None and place == visible_box:
        reported_background = parent.background
    if reported_background and not any(cover.is_picture for cover in covers_of_text):
        background = background and reported_background
    elif any(cover.order > visibility.background_order for cover in covers_of_text):
        background = ""
    return _faint_reason(drawn, background)


def _faint_reason(drawn: Drawn, background: str) -> str:
    style = drawn.style
    fill = _colour(style["-webkit-text-fill-color"] or style["color"])
    if style["text-shadow"] not in {"none", ""} or "text" in style["background-clip"]:
        return ""
    if fill.alpha * drawn.ink < MIN_LAYOUT_OPACITY:
        return HiddenReason.TRANSPARENT
    background_colour = _colour(background)
    if not background or background_colour.alpha < OPAQUE_ALPHA or UNKNOWN in {fill, background_colour}:
        return ""
    if _contrast(fill, background_colour) < MIN_LAYOUT_CONTRAST:
        return HiddenReason.GROUND_COLOUR
    return ""


def _colour(text: str) -> Colour:
    """Return a computed colour; UNKNOWN, which is opaque, where it cannot be worked out."""
    if not text:
        return _TRANSPARENT
    return colour(text) or UNKNOWN


@lru_cache(_MOST_COLOURS)
def _contrast(front: Colour, behind: Colour) -> float:
    return contrast(front, behind)


def _number(text: str, otherwise: float) -> float:
    match = _NUMBERS.match(text)
    if match is None:
        return otherwise
    return float(match[0])
