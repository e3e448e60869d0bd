"""Reads the functions that move, turn, clip and mask boxes, and tells which leave nothing to be seen."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

import tinycss2

from wellread.css.colours import colour
from wellread.css.lengths import length
from wellread.memo import remembered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOVED: Final = 1_000.0
_FAR: Final = 3_000.0
_TINY: Final = 3.5
_SMALL_AREA: Final = 60.0
_NO_SIZE: Final = 0.05
_WINDOW_UNITS: Final = re.compile(r"v[whibm]")
_LONGEST: Final = 4_000
_NUMBERS: Final = re.compile(r"-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})")
_STEPS: Final = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
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


@remembered(4_096)
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
        if found := _one_transform(name, told, sizes):
            return found
    return None


def _one_transform(name: str, told: list[str], sizes: list[float | None]) -> str | None:
    if name.startswith("translate"):
        away = any(size is not None and _is_away(one, size) for one, size in zip(told, sizes, strict=True))
        return "off-screen" if away else None
    if name in {"matrix", "matrix3d"}:
        return _matrix([size or 0.0 for size in sizes])
    return "zero size" if _is_flattened(name, told, sizes) else None


def _is_flattened(name: str, told: list[str], sizes: list[float | None]) -> bool:
    if name.startswith("scale"):
        known = [size for size in sizes[:2] if size is not None]
        return bool(known) and min(map(abs, known)) * (0.1 if told[0].endswith("%") else 1) < _NO_SIZE
    if name == "rotate3d" and len(told) == 4:
        return _is_turned((sizes[0] or 0.0, sizes[1] or 0.0, sizes[2] or 0.0), sizes[3])
    if name in {"rotatex", "rotatey"} and sizes:
        return _is_turned(_AXES[name[-1]], sizes[0])
    return name.startswith("skew") and any(size is not None and _is_edge_on(size) for size in sizes)


def is_edge_on(value: str) -> bool:
    """Tell whether the property `rotate` turns a box so that nothing but an edge can be seen of it."""
    told = value.split()
    if len(told) == 2:
        axis, angle = (told[0], told[1]) if told[0] in _AXES else (told[1], told[0])
        return axis in _AXES and _is_turned(_AXES[axis], length(angle))
    if len(told) != 4:
        return False
    sizes = [length(one) for one in told]
    at = 3 if told[3][-1:].isalpha() or "(" in told[3] else 0
    across = [size or 0.0 for size in (*sizes[:at], *sizes[at + 1 :])]
    return _is_turned((across[0], across[1], across[2]), sizes[at])


def _is_turned(axis: tuple[float, float, float], angle: float | None) -> bool:
    across, down, ahead = axis
    flat = math.hypot(across, down)
    return angle is not None and flat > 0 and abs(ahead) < flat / 10 and _is_edge_on(angle)


def _is_away(written: str, size: float) -> bool:
    if _WINDOW_UNITS.search(written):
        return abs(size) >= 800
    return abs(size) >= _MOVED * (10 if written.endswith("%") else 1)


def _matrix(sizes: list[float]) -> str | None:
    if len(sizes) == 16:
        sizes = [sizes[0], sizes[1], sizes[4], sizes[5], sizes[12], sizes[13]]
    if len(sizes) != 6:
        return None
    a, b, c, d, across, down = sizes
    if abs(a * d - b * c) < _NO_SIZE**2:
        return "zero size"
    return "off-screen" if max(abs(across), abs(down)) >= _MOVED else None


def _is_edge_on(angle: float) -> bool:
    """Tell whether a turn by an angle, in radians, shows nothing but an edge."""
    return math.isfinite(angle) and abs(angle / math.pi % 1 - 0.5) < 0.01


@remembered(1_024)
def is_closed_clip(value: str) -> bool:
    """Tell whether `clip` leaves nothing."""
    for name, told in functions(value):
        sizes = [length(one) for one in told]
        if name == "rect" and len(sizes) == 4:
            top, right, bottom, left = sizes
            across = (right - (left or 0.0)) if right is not None else None
            down = (bottom - (top or 0.0)) if bottom is not None else None
            return any(size is not None and size < _TINY for size in (across, down))
    return False


@remembered(1_024)
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
    return any(_is_flat(places) or _is_far(places) for places in (points[::2], points[1::2]))


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


def _is_far(places: list[str]) -> bool:
    sizes = [length(one) for one in places]
    known = [size for size in sizes if size is not None]
    return bool(known) and len(known) == len(sizes) and (max(known) <= 0 or min(known) > _FAR)


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


def _is_flat(places: list[str]) -> bool:
    sizes = [length(one) for one in places]
    known = [size for size in sizes if size is not None]
    return len(known) == len(sizes) and bool(known) and max(known) - min(known) < _TINY


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


@remembered(1_024)
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
