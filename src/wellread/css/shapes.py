"""Reads the functions that move, turn, clip and mask boxes, and tells which leave nothing to be seen."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

import tinycss2

from wellread.bounded_cache import cached_calls
from wellread.css.colours import colour
from wellread.css.lengths import length
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOVED: Final = 1_000.0
_FAR: Final = 3_000.0
_TINY: Final = 3.5
_SMALL_AREA: Final = 60.0
_NO_SIZE: Final = 0.05
_PLAIN: Final = (16.0, 0.01)
_WINDOW_UNITS: Final = lazy_pattern(r"v[whibm]")
_LONGEST: Final = 4_000
_NUMBERS: Final = lazy_pattern(r"-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})")
_STEPS: Final = lazy_pattern(r"([a-zA-Z])([^a-zA-Z]*)")
_AXES: Final = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def functions(value: str) -> Iterator[tuple[str, list[str]]]:
    """Yield name and arguments of each function in a value."""
    for token in tinycss2.parse_component_value_list(value[:_LONGEST], skip_comments=True):
        if token.type == "function":
            told = [""]
            for part in token.arguments:
                if part.type == "whitespace" or (part.type == "literal" and part.value == ","):
                    told.append("")
                else:
                    told[-1] += part.serialize()
            yield token.lower_name, [one for one in told if one]


@cached_calls(4_096)
def transform(value: str) -> str | None:
    """Return why nothing can be seen of what is transformed so."""
    deep = near = None
    for name, told in functions(value):
        sizes = [length(one) for one in told]
        if name == "perspective" and sizes:
            near = sizes[0]
        if name in {"translatez", "translate3d"} and sizes:
            deep = sizes[-1] if name == "translatez" or len(sizes) == 3 else None
        if near is not None and deep is not None and 0 < near <= deep:
            return "off-screen"
        if name.startswith("translate"):
            away = any(size is not None and _is_away(one, size) for one, size in zip(told, sizes, strict=True))
        else:
            away = name.startswith("matrix") and any(abs(size or 0.0) >= _MOVED for size in sizes[_MOVES[name]])
        if away:
            return "off-screen"
    return None


_MOVES: Final = {"matrix": slice(4, 6), "matrix3d": slice(12, 14)}


def _is_away(written: str, size: float) -> bool:
    if _WINDOW_UNITS.search(written):
        return abs(size) >= 800
    return abs(size) >= _MOVED * (10 if written.endswith("%") else 1)


@cached_calls(4_096)
def share(value: str) -> float:
    """Return how much of its size text keeps in the direction that is narrowed most (CSS Transforms 2, 14)."""
    a, b, c, d = 1.0, 0.0, 0.0, 1.0
    for name, told in functions(value):
        made = _linear(name, told)
        if made is not None:
            e, f, g, h = made
            a, b, c, d = a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h
    area, spread = abs(a * d - b * c), (a * a + b * b + c * c + d * d) / 2
    widest = math.sqrt(spread + math.sqrt(max(spread * spread - area * area, 0.0))) if spread < math.inf else math.nan
    return 1.0 if math.isnan(widest) else area / widest if widest else 0.0


def _linear(name: str, told: list[str]) -> tuple[float, ...] | None:
    """Return what a function makes of a plane, without its moves: a and b, c and d of a `matrix()`."""
    sizes = [1.0 if (size := length(one, _PLAIN)) is None else size for one in told]
    if name.startswith("rotate"):
        return _rotated(name, told)
    if name.startswith("matrix") and len(sizes) in {6, 16}:
        return (*sizes[:2], *sizes[2 if len(sizes) == 6 else 4 :][:2])
    scales = name.startswith("scale")
    if not sizes or not (scales or name.startswith("skew")):
        return None
    same = float(scales)
    across, down = (*sizes, sizes[0] if name == "scale" else same)[:2]
    if name[-1] == "y":
        across, down = same, across
    return (across, 0.0, 0.0, down) if scales else (1.0, math.tan(down), math.tan(across), 1.0)


def _rotated(name: str, told: list[str]) -> tuple[float, ...] | None:
    """Turn about an axis, that of `rotateX(1deg)` or of the property `rotate: 1 0 0 1deg`."""
    axis = next((one for one in (*told, name[-1]) if one in _AXES), "z")
    angles = [one for one in told if one not in _AXES]
    across, down, ahead = _AXES[axis]
    if len(angles) == 4:
        at = 3 if angles[3][-1:].isalpha() or "(" in angles[3] else 0
        across, down, ahead = (length(one) or 0.0 for one in (*angles[:at], *angles[at + 1 :]))
        angles = [angles[at]]
    angle, long = length(angles[0]) if angles else None, math.hypot(across, down, ahead)
    if angle is None or not long or not math.isfinite(angle + long):
        return None
    x, y, z, cos, sin = across / long, down / long, ahead / long, math.cos(angle), math.sin(angle)
    rest = 1 - cos
    return rest * x * x + cos, rest * x * y + sin * z, rest * x * y - sin * z, rest * y * y + cos


@cached_calls(1_024)
def is_closed_clip(value: str) -> bool:
    """Tell whether `clip` leaves nothing."""
    return any(name == "rect" and len(told) == 4 and _is_no_rectangle(told, "") for name, told in functions(value))


@cached_calls(1_024)
def is_closed_path(value: str) -> bool:
    """Tell whether a `clip-path` leaves nothing."""
    for name, told in functions(value):
        closed = _CLOSED.get(name)
        if closed is not None:
            return closed(told, value)
    return False


def _is_no_inset(told: list[str], _: str) -> bool:
    sizes = [length(one) or 0.0 for one in told[: told.index("round") if "round" in told else None]]
    if not sizes:
        return False
    top, right = sizes[0], sizes[1 % len(sizes)]
    bottom, left = sizes[2 if len(sizes) > 2 else 0], sizes[3 if len(sizes) > 3 else 1 % len(sizes)]
    whole = 1_000.0  # 100 %
    return top + bottom >= whole or left + right >= whole


def _is_no_polygon(told: list[str], _: str) -> bool:
    points = [one for one in told if one not in {"evenodd", "nonzero"}]
    return any(_is_nowhere(places) for places in (points[::2], points[1::2]))


def _is_no_box(told: list[str], _: str) -> bool:
    sizes = [length(one) or 0.0 for one in told]
    if len(sizes) < 4:
        return False
    return min(sizes[2:4]) < _TINY or sizes[0] + sizes[2] <= 0 or sizes[1] + sizes[3] <= 0


def _is_no_rectangle(told: list[str], _: str) -> bool:
    if len(told) < 4:
        return False
    top, right, bottom, left = (length(one) for one in told[:4])
    down = bottom - (top or 0.0) if bottom is not None else None
    across = right - (left or 0.0) if right is not None else None
    return any(size is not None and size < _TINY for size in (across, down))


def _is_no_round(told: list[str], _: str) -> bool:
    at = told.index("at") if "at" in told else len(told)
    radii = [length(one) for one in told[:at]]
    places = [length(one) for one in told[at + 1 :]]
    if any(radius is not None and radius < _TINY for radius in radii):
        return True
    widest = max((radius for radius in radii if radius is not None), default=_FAR)
    return any(place is not None and (place + widest <= 0 or place - widest > _FAR) for place in places)


def _is_no_drawing(_: list[str], value: str) -> bool:
    """Follow the straight lines of a path; what is curved has an extent of its own, wherever its points lie."""
    across = down = 0.0
    xs: list[float] = []
    ys: list[float] = []
    for sign, written in _STEPS.findall(value.partition("(")[2].strip("\"' )")):
        numbers = [float(one) for one in _NUMBERS.findall(written)]
        own = sign.islower()
        if sign in "hH":
            steps = [(one, 0.0 if own else down) for one in numbers]
        elif sign in "vV":
            steps = [(0.0 if own else across, one) for one in numbers]
        else:
            steps = list(zip(numbers[::2], numbers[1::2], strict=False))
        for right, below in steps:
            across, down = (across + right, down + below) if own else (right, below)
            xs.append(across)
            ys.append(down)
    if not xs:
        return True
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    return min(wide, high) < _TINY or wide * high < _SMALL_AREA or max(xs) <= 0 or max(ys) <= 0


def _is_nowhere(places: list[str]) -> bool:
    """Tell whether points, along one side of a box, are all in one place or beyond it."""
    known = [size for one in places if (size := length(one)) is not None]
    if not known or len(known) < len(places):
        return False
    return max(known) - min(known) < _TINY or max(known) <= 0 or min(known) > _FAR


_CLOSED: Final[dict[str, Callable[[list[str], str], bool]]] = {
    "inset": _is_no_inset,
    "circle": _is_no_round,
    "ellipse": _is_no_round,
    "polygon": _is_no_polygon,
    "path": _is_no_drawing,
    "shape": lambda _, value: not re.search(r"[1-9]", value),
    "xywh": _is_no_box,
    "rect": _is_no_rectangle,
}
"""By the name of a shape: whether nothing is in it."""


@cached_calls(1_024)
def is_masked(value: str) -> bool:
    """Tell whether a mask lets nothing through."""
    for name, told in functions(value):
        if name.endswith("gradient"):
            found = [one for part in told if (one := colour(part)) is not None]
            if not found or any(one.alpha > _NO_SIZE for one in found):
                return False
        elif name in {"image", "image-set", "element", "cross-fade", "paint"}:
            return False
    return "gradient(" in value or "url(" in value


def is_displaced(size: str | None, place: str | None, repeat: str | None) -> bool:
    """Tell whether a mask has no size, or lies elsewhere."""
    sizes = [length(one) for one in (size or "").split()[:2]]
    if any(one is not None and one < _TINY for one in sizes):
        return True
    places = [length(one) for one in (place or "").split()[:2]]
    return repeat == "no-repeat" and any(one is not None and abs(one) > _MOVED for one in places)
