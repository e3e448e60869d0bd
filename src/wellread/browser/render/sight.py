"""Decides from a layout which text of a page a person can see, and why the rest cannot be seen."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.render.layout import ELEMENT, TEXT, Box

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.browser.render.layout import Drawn, Layout, Node

UNDRAWN: Final = "display:none"
_LEAST_OPACITY = 0.1
_LEAST_FONT_PX = 3.0
_LEAST_CONTRAST = 1.12
"""Ratio of WCAG 2.2, 1 to 21: white on #f2f2f2 has 1.12."""
_OPAQUE = 0.97
_SHOWN_PX = 5.0
_STRIP_PX = 256
_MOST_COVERS = 20_000
_MOST_IN_STRIP = 60
_LEAST_COVER_PX = 4.0
_MOST_COLOURS = 1_024
"""Kept once they are read; a page has few, and asks for them with every node."""
_CLIPPING = frozenset({"hidden", "clip"})
_SCROLLING = frozenset({"auto", "scroll"})
_PICTURES = frozenset({"img", "video", "canvas", "svg", "picture", "object", "embed"})

_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
_NO_PATH = re.compile(r"inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0(?:px|%)?[\s)]|ellipse\(\s*0|polygon\(\s*\)")
_COLOUR = re.compile(r"rgba?\(\s*([\d.]+),\s*([\d.]+),\s*([\d.]+)(?:,\s*([\d.]+))?\s*\)")


class _Light(NamedTuple):
    """What an element's descendants inherit of its visibility."""

    why: str
    """Why none of them can be seen; empty while they can."""
    opacity: float
    flow: Box | None
    """What clips descendants in the flow; None for nothing."""
    absolute: Box | None
    """What clips descendants that are positioned absolutely."""
    pinned: bool
    """Stays where it is when the page is scrolled."""
    ground: str
    """The colour that it lies on; empty on a picture, where it is not known."""
    level: int
    """When that was painted."""


_CANVAS: Final = "rgb(255, 255, 255)"
_OPEN: Final = _Light("", 1.0, None, None, pinned=False, ground=_CANVAS, level=0)


class _Cover(NamedTuple):
    box: Box
    order: int
    picture: bool


def unseen(layout: Layout) -> list[str]:
    """Return for each node why it cannot be seen: empty for what can, and for elements that only hold others."""
    lights = _lights(layout)
    covers = _covers(layout, lights)
    return [
        _reason(node, layout, lights, covers) if node.kind == TEXT or node.name in _PICTURES else ""
        for node in layout.nodes
    ]


# ------------------------------------------------------------------------------------------------- inheritance


def _lights(layout: Layout) -> list[_Light]:
    lights: list[_Light] = []
    for node in layout.nodes:
        above = lights[node.parent] if node.parent >= 0 else _OPEN
        lights.append(_light(node, above) if node.kind == ELEMENT and node.drawn is not None else above)
    return lights


def _light(node: Node, above: _Light) -> _Light:
    drawn = node.drawn
    assert drawn is not None
    style = drawn.style
    position = style["position"]
    opacity = above.opacity * _number(style["opacity"], 1.0)
    clip = None if position == "fixed" else above.absolute if position == "absolute" else above.flow
    why = above.why or _own_reason(style, opacity)
    flow = clip if node.name in {"html", "body"} else _clipped(drawn, clip)
    return _Light(
        why,
        opacity,
        flow,
        above.absolute if position == "static" else flow,
        pinned=above.pinned or position in {"fixed", "sticky"},
        ground=_ground(style, above),
        level=drawn.order if _colour(style["background-color"])[3] >= _OPAQUE else above.level,
    )


def _own_reason(style: Mapping[str, str], opacity: float) -> str:
    if opacity < _LEAST_OPACITY:
        return "opacity:0"
    if style["clip"].startswith("rect(") and style["position"] in {"absolute", "fixed"}:
        sides = [float(side) for side in _NUMBERS.findall(style["clip"])]
        if len(sides) == 4 and (sides[1] - sides[3] <= 1 or sides[2] - sides[0] <= 1):
            return "clip"
    return "clip" if _NO_PATH.search(style["clip-path"]) else ""


def _clipped(drawn: Drawn, clip: Box | None) -> Box | None:
    """Return what clips the content of an element that is itself clipped by `clip`."""
    across, down = drawn.style["overflow-x"], drawn.style["overflow-y"]
    if across == "visible" and down == "visible":
        return clip
    own = drawn.box if clip is None else drawn.box.within(clip)
    scrolls = across in _SCROLLING or down in _SCROLLING
    if scrolls and own.width > _SHOWN_PX and own.height > _SHOWN_PX:
        return None  # a person scrolls there
    return own if scrolls or across in _CLIPPING or down in _CLIPPING else clip


def _ground(style: Mapping[str, str], above: _Light) -> str:
    """Return the colour behind an element's text; a canvas that the page wants dark is of no known colour."""
    if style["background-image"] not in {"none", ""} or (above is _OPEN and "dark" in style["color-scheme"]):
        return ""
    alpha = _colour(style["background-color"])[3]
    return style["background-color"] if alpha >= _OPAQUE else above.ground if alpha == 0 else ""


# ------------------------------------------------------------------------------------------------------ covers


def _covers(layout: Layout, lights: Sequence[_Light]) -> Mapping[int, list[_Cover]]:
    """Return what hides whatever was painted before it, by horizontal strips of the page.

    What is pinned to the window does not count: text moves out from under it.
    """
    strips: dict[int, list[_Cover]] = {}
    count = 0
    for node, light in zip(layout.nodes, lights, strict=True):
        drawn = node.drawn
        if node.kind != ELEMENT or drawn is None or light.pinned or node.name in {"html", "body"}:
            continue
        picture = node.name in _PICTURES
        if not (picture or _colour(drawn.style["background-color"])[3] >= _OPAQUE) or not _is_solid(drawn, light):
            continue
        box = drawn.box if light.flow is None else drawn.box.within(light.flow)
        if box.width < _LEAST_COVER_PX or box.height < _LEAST_COVER_PX or (count := count + 1) > _MOST_COVERS:
            continue
        first, last = int(max(box.y, 0) // _STRIP_PX), int(min(box.y + box.height, layout.height) // _STRIP_PX)
        for strip in range(first, min(last, first + 100) + 1):
            strips.setdefault(strip, []).append(_Cover(box, drawn.order, picture))
    return {strip: _largest(found) for strip, found in strips.items()}


def _largest(covers: list[_Cover]) -> list[_Cover]:
    """Keep so many that a page made of boxes upon boxes cannot stall us: every text is held against each of them."""
    return sorted(covers, key=lambda cover: -cover.box.width * cover.box.height)[:_MOST_IN_STRIP]


def _is_solid(drawn: Drawn, light: _Light) -> bool:
    return not light.why and light.opacity >= _OPAQUE and drawn.style["visibility"] == "visible"


# ------------------------------------------------------------------------------------------------------ a text


def _reason(node: Node, layout: Layout, lights: Sequence[_Light], covers: Mapping[int, list[_Cover]]) -> str:
    drawn = node.drawn
    if drawn is None:
        return UNDRAWN
    light = lights[node.parent] if node.parent >= 0 else _OPEN
    if light.why or drawn.style["visibility"] != "visible":
        return light.why or "visibility:hidden"
    shown = drawn.box if light.flow is None else drawn.box.within(light.flow)
    reason = _out_of_sight(drawn.box, shown, layout)
    return _unreadable(node, layout, light, covers, shown) if node.kind == TEXT and not reason else reason


def _out_of_sight(box: Box, shown: Box, layout: Layout) -> str:
    if not box.width or not box.height:
        return "zero size"
    if shown.width < min(box.width, _SHOWN_PX) or shown.height < min(box.height, _SHOWN_PX):
        return "clip"
    away = box.x + box.width <= 0 or box.y + box.height <= 0 or box.x >= max(layout.width, 1.0)
    return "off-screen" if away else ""


def _unreadable(node: Node, layout: Layout, light: _Light, covers: Mapping[int, list[_Cover]], shown: Box) -> str:
    drawn, above = node.drawn, layout.nodes[node.parent].drawn
    assert drawn is not None
    if _number(drawn.style["font-size"], 16.0) < _LEAST_FONT_PX:
        return "font-size:0"
    strip = covers.get(int(max(shown.y, 0) // _STRIP_PX), ())
    over = [cover for cover in strip if cover.box.covers(shown)]
    if any(cover.order > drawn.order for cover in over):
        return "covered"
    # Chromium blends what lies behind, for some elements; for the others, the nearest ground that nothing came between.
    if above is not None and above.background and not any(cover.picture for cover in over):
        return _faint(drawn, above.background if light.ground else "")
    return _faint(drawn, "" if any(cover.order > light.level for cover in over) else light.ground)


def _faint(drawn: Drawn, background: str) -> str:
    style = drawn.style
    fill = _colour(style["-webkit-text-fill-color"] or style["color"])
    if style["text-shadow"] not in {"none", ""} or "text" in style["background-clip"]:
        return ""
    if fill[3] * drawn.ink < _LEAST_OPACITY:
        return "transparent text"
    behind = _colour(background)
    if not background or behind[3] < _OPAQUE:
        return ""
    return "text in the background's colour" if _contrast(fill, behind) < _LEAST_CONTRAST else ""


_Rgba = tuple[float, float, float, float]


@lru_cache(_MOST_COLOURS)
def _colour(text: str) -> _Rgba:
    found = _COLOUR.fullmatch(text)
    if found is None:
        return (0.0, 0.0, 0.0, 1.0 if text and text != "transparent" else 0.0)
    red, green, blue, alpha = found.groups()
    return float(red), float(green), float(blue), 1.0 if alpha is None else float(alpha)


@lru_cache(_MOST_COLOURS)
def _contrast(front: _Rgba, behind: _Rgba) -> float:
    """WCAG 2.2, relative luminance and contrast ratio, of `front` blended onto `behind`."""
    alpha = front[3]
    blended = [alpha * f + (1 - alpha) * b for f, b in zip(front[:3], behind[:3], strict=True)]
    lights = sorted((_luminance(blended), _luminance(behind[:3])), reverse=True)
    hue = max(abs(f - b) for f, b in zip(blended, behind[:3], strict=True))
    # Two colours of one brightness can be told apart all the same.
    return max((lights[0] + 0.05) / (lights[1] + 0.05), 1 + hue / 255)


def _luminance(rgb: Sequence[float]) -> float:
    parts = [part / 255 for part in rgb]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _number(text: str, otherwise: float) -> float:
    found = _NUMBERS.match(text)
    return float(found[0]) if found else otherwise
