"""Tells what room boxes leave to those in them, and what shadows and filters make of text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import tinycss2

from wellread.bounded_cache import cached_calls
from wellread.css import shapes
from wellread.css.colours import UNKNOWN, Colour, colour
from wellread.css.lengths import length
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    Computed = Mapping[str, str | float | Colour | None]

_TINY: Final = 0.5
_MOST_ROOM: Final = 300.0
"""Higher windows are scrolled, or hold more than what is known of here."""
_FAR: Final = 500.0
_PARTS: Final = (16.0, 0.01)
_DRAWING: Final = ("translate", "rotate", "scale", "transform")
_LONGEST: Final = 1_000
_NO_TRACK: Final = lazy_pattern(
    r"[+-]?(?:0++(?:\.0++)?|\.0++)(?:px|fr|%|r?em|v[wh])?|minmax\(0[a-z%]*,0[a-z%]*\)|repeat\(\d+,0[a-z%]*\)"
)
_COMMA: Final = lazy_pattern(r"(?<!\s)\s*+,\s*+")
_TRACKS: Final = ("grid-template-rows", "grid-template-columns", "grid-auto-rows")


def is_cramping(css: Computed) -> bool:
    """Tell whether those right in a box get no width, or no height, of it."""
    width = css.get("width")
    if isinstance(width, float | int) and width < _TINY and "position" not in css:
        return True
    if "grid" not in str(css.get("display")):
        return False
    return any(
        isinstance(told, str) and all(map(_NO_TRACK.fullmatch, _COMMA.sub(",", told).split()))
        for told in map(css.get, _TRACKS)
        if told
    )


def is_basis_empty(css: Computed) -> bool:
    """Tell whether a box in a flexible one starts without size and does not grow."""
    basis, grow = css.get("flex-basis"), css.get("flex-grow")
    return isinstance(basis, float | int) and basis < _TINY and not (isinstance(grow, float | int) and grow > 0)


def room(css: Computed) -> float | None:
    """Return how high a window a box leaves to those right in it, where that is known and little."""
    if css.get("overflow-y") not in {"hidden", "clip"} or isinstance(css.get("min-height"), float | int):
        return None
    heights = [float(one) for name in ("height", "max-height") if isinstance(one := css.get(name), float | int)]
    return min(heights) if heights and min(heights) <= _MOST_ROOM else None


def is_pushed_out(css: Computed, high: float) -> bool:
    """Tell whether a box starts below the window through which the box around shows."""
    above = [float(one) for name in ("margin-top", "padding-top") if isinstance(one := css.get(name), float | int)]
    if css.get("position") in {"absolute", "relative"} and isinstance(top := css.get("top"), float | int):
        above.append(float(top))
    return bool(above) and sum(above) >= high > 0


@cached_calls(1_024)
def shadow(value: str, own: Colour) -> Colour | None:
    """Return the colour of the first shadow of text that may be seen beside or behind it; `own` is that of the text."""
    pieces: list[list[tinycss2.ast.Node]] = [[]]
    for token in tinycss2.parse_component_value_list(value[:_LONGEST], skip_comments=True):
        if token.type == "literal" and token.value == ",":
            pieces.append([])
        elif token.type != "whitespace":
            pieces[-1].append(token)
    for piece in pieces:
        written = [token.serialize().lower() for token in piece]
        sizes = [size for one in written if (size := length(one)) is not None]
        inks = [ink for one in written if (ink := own if one == "currentcolor" else colour(one)) is not None]
        ink = inks[0] if inks else own
        if len(sizes) >= 2 and max(map(abs, sizes[:2])) < _FAR and (ink.alpha or ink is UNKNOWN):
            return ink
    return None


@cached_calls(1_024)
def filtered(ink: Colour, value: str) -> Colour:
    """Return what filters make of a colour (Filter Effects 1)."""
    if ink is UNKNOWN or ink.red < 0:
        return ink
    made: tuple[float, ...] = ink[:3]
    for name, arguments in shapes.functions(value):
        amount = length(arguments[0], _PARTS) if arguments else 1.0
        if amount is None:
            continue
        if name == "invert":
            made = tuple(one + (1 - 2 * one) * min(amount, 1.0) for one in made)
        elif name == "brightness":
            made = tuple(one * amount for one in made)
        elif name == "contrast":
            made = tuple((one - 0.5) * amount + 0.5 for one in made)
        made = tuple(min(max(one, 0.0), 1.0) for one in made)
    red, green, blue = made
    return Colour(red, green, blue, ink.alpha)


@cached_calls(1_024)
def sheer(value: str) -> float:
    """Return the opacity that filters leave (Filter Effects 1, 9.9)."""
    told = (length(one[0], _PARTS) for name, one in shapes.functions(value) if name == "opacity" and one)
    return math.prod(min(max(size, 0.0), 1.0) for size in told if size is not None)


def drawn(css: Computed) -> str:
    """Return all that moves, turns and scales a box, in the order in which it does (CSS Transforms 2, 6)."""
    told = [(name, value) for name in _DRAWING if isinstance(value := css.get(name), str) and value != "none"]
    return " ".join(value if name == "transform" else f"{name}({value})" for name, value in told)


def share(css: Computed) -> float:
    """Return how much of its size text keeps once it is scaled, turned and zoomed."""
    zoom = css.get("zoom")
    return shapes.share(drawn(css)) * (zoom if isinstance(zoom, float | int) and zoom > 0 else 1.0)
