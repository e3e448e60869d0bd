"""Tells from the computed properties of one element whether it, and all that is in it, is out of sight."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import tinycss2

from wellread.css.lengths import length

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wellread.css.colours import Colour

    Computed = Mapping[str, str | float | Colour | None]

LEAST_OPACITY: Final = 0.05
LEAST_FONT: Final = 4.0
_OFF: Final = -500.0
_FAR: Final = 3_000.0
_FAR_DOWN: Final = 9_999.0
"""Pages laid out by programs place real text some thousand pixels down."""
_FIXED_FAR: Final = 1_500.0
_MOVED: Final = 1_000.0
_TINY: Final = 3.5
_NO_SIZE: Final = 0.05
_NO_BOX: Final = frozenset(["none", "table-column", "table-column-group"])
_CLIPPING: Final = frozenset(["hidden", "clip", "scroll", "auto", "overlay"])
_WINDOW_UNITS: Final = re.compile(r"v[whibm]")
_LONGEST: Final = 4_000


class Concealment(NamedTuple):
    """Why an element is out of sight."""

    reason: str
    kind: int
    """UNDONE by scripts as the page loads; CLOSED like a panel; else GONE."""


GONE, CLOSED, UNDONE = 0, 1, 2


def concealment(css: Computed) -> Concealment | None:
    """Return why nothing of an element can be seen, whatever its children say; what no script undoes comes first."""
    if reason := _moved(css) or _clipped(css) or _painted_away(css):
        return Concealment(reason, GONE)
    if _no_size(css):
        return Concealment("zero size", CLOSED)
    if css.get("display") in _NO_BOX:
        return Concealment("display:none", UNDONE)
    if css.get("content-visibility") == "hidden":
        return Concealment("visibility:hidden", UNDONE)
    return None


def _number(css: Computed, name: str) -> float | None:
    value = css.get(name)
    return value if isinstance(value, float | int) else None


def _outside(value: float | None, far: float) -> bool:
    return value is not None and not _OFF < value < far


def _moved(css: Computed) -> str | None:
    place = css.get("position")
    if place in {"absolute", "fixed", "relative", "sticky"}:
        across, down = (_FIXED_FAR, _FIXED_FAR) if place == "fixed" else (_FAR, _FAR_DOWN)
        if _outside(_number(css, "left"), across) or _outside(_number(css, "right"), across):
            return "off-screen"
        if _outside(_number(css, "top"), down) or _outside(_number(css, "bottom"), down):
            return "off-screen"
    if _outside(_number(css, "text-indent"), _MOVED):
        return "off-screen"
    for side, far in (("left", _FAR), ("top", _FAR_DOWN)):
        margin = _number(css, f"margin-{side}")
        # A padding of the same size brings the text back: so are bands drawn across the window.
        back = (_number(css, f"padding-{side}") or 0.0) + ((_number(css, side) or 0.0) if place else 0.0)
        if margin is not None and _outside(margin, far) and _outside(margin + back, far):
            return "off-screen"
    spacing = _number(css, "letter-spacing")
    if spacing is not None and spacing <= -8:
        return "letters on one another"
    return _transformed(css)


def _transformed(css: Computed) -> str | None:
    for name in ("transform", "translate", "scale"):
        value = css.get(name)
        if isinstance(value, str) and value != "none":
            found = _transform(value if name == "transform" else f"{name}({','.join(value.split())})")
            if found:
                return found
    zoom = _number(css, "zoom")
    return "zero size" if zoom is not None and 0 < zoom < _NO_SIZE else None


def _arguments(value: str) -> Iterator[tuple[str, list[str]]]:
    """Yield name and arguments of each function in a value."""
    for token in tinycss2.parse_component_value_list(value[:_LONGEST], skip_comments=True):
        if token.type == "function":
            arguments = [""]
            for part in token.arguments:
                if part.type == "whitespace" or (part.type == "literal" and part.value == ","):
                    arguments.append("")
                else:
                    arguments[-1] += part.serialize()
            yield token.lower_name, [one for one in arguments if one]


@lru_cache(maxsize=4_096)
def _transform(value: str) -> str | None:
    for name, arguments in _arguments(value):
        sizes = [length(one) for one in arguments]
        if name.startswith("translate"):
            if any(size is not None and _is_away(one, size) for one, size in zip(arguments, sizes, strict=True)):
                return "off-screen"
        elif name.startswith("scale"):
            known = [size for size in sizes[:2] if size is not None]
            if known and min(map(abs, known)) * (0.1 if arguments[0].endswith("%") else 1) < _NO_SIZE:
                return "zero size"
        elif name in {"matrix", "matrix3d"}:
            if found := _matrix([size or 0.0 for size in sizes]):
                return found
        elif name in {"rotatex", "rotatey"} and arguments and _is_edge_on(arguments[0]):
            return "zero size"
    return None


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


def _is_edge_on(angle: str) -> bool:
    found = re.fullmatch(r"([+-]?[\d.]{1,12})(deg|turn|rad|grad)", angle)
    if found is None:
        return False
    try:
        turns = float(found.group(1)) / {"deg": 360, "turn": 1, "rad": 6.28318, "grad": 400}[found.group(2)]
    except ValueError:
        return False
    return abs(turns * 2 % 1 - 0.5) < 0.01


def _clipped(css: Computed) -> str | None:
    clip, path = css.get("clip"), css.get("clip-path")
    if isinstance(clip, str) and css.get("position") in {"absolute", "fixed"} and _is_closed_clip(clip):
        return "clip"
    return "clip" if isinstance(path, str) and _is_closed_path(path) else None


@lru_cache(maxsize=1_024)
def _is_closed_clip(value: str) -> bool:
    for name, arguments in _arguments(value):
        sizes = [length(one) for one in arguments]
        if name == "rect" and len(sizes) == 4:
            top, right, bottom, left = sizes
            across = (right - (left or 0.0)) if right is not None else None
            down = (bottom - (top or 0.0)) if bottom is not None else None
            return any(size is not None and size < _TINY for size in (across, down))
    return False


@lru_cache(maxsize=1_024)
def _is_closed_path(value: str) -> bool:
    for name, arguments in _arguments(value):
        sizes = [length(one) or 0.0 for one in arguments[: arguments.index("round") if "round" in arguments else None]]
        if name == "inset" and sizes:
            top, right = sizes[0], sizes[1 % len(sizes)]
            bottom, left = sizes[2 if len(sizes) > 2 else 0], sizes[3 if len(sizes) > 3 else 1 % len(sizes)]
            whole = 1_000.0  # 100 %
            return top + bottom >= whole or left + right >= whole
        if name in {"circle", "ellipse"}:
            radii = arguments[: arguments.index("at")] if "at" in arguments else arguments
            return any((size := length(one)) is not None and size < _TINY for one in radii)
        if name == "polygon":
            points = [one for one in arguments if one not in {"evenodd", "nonzero"}]
            return _is_flat(points[::2]) or _is_flat(points[1::2])
        if name in {"path", "xywh"}:
            return not re.search(r"[1-9]", value) if name == "path" else min(sizes[2:4], default=0.0) < _TINY
    return False


def _is_flat(places: list[str]) -> bool:
    sizes = [length(one) for one in places]
    known = [size for size in sizes if size is not None]
    return len(known) == len(sizes) and bool(known) and max(known) - min(known) < _TINY


def _painted_away(css: Computed) -> str | None:
    if css.get("-webkit-text-security") in {"disc", "circle", "square"}:
        return "text shown as dots"
    image = css.get("filter")
    if isinstance(image, str) and image != "none" and _is_filtered(image):
        return "filter"
    mask = css.get("mask")
    return "mask" if isinstance(mask, str) and _is_masked(mask) else None


@lru_cache(maxsize=1_024)
def _is_filtered(value: str) -> bool:
    for name, arguments in _arguments(value):
        size = length(arguments[0], (16.0, 0.01)) if arguments else None
        if size is not None and ((name == "opacity" and size < LEAST_OPACITY) or (name == "blur" and size >= 20)):
            return True
    return False


@lru_cache(maxsize=1_024)
def _is_masked(value: str) -> bool:
    for name, arguments in _arguments(value):
        if name.endswith("gradient"):
            stops = [
                one for one in arguments if one[:1].isalpha() and one not in {"to", "right", "left", "top", "bottom"}
            ]
            return bool(stops) and all(one in {"transparent", "rgba(0,0,0,0)"} for one in stops)
    return False


def _no_size(css: Computed) -> bool:
    held = css.get("contain")
    paints = isinstance(held, str) and not {"paint", "strict", "content"}.isdisjoint(held.split())
    clipped = paints or css.get("overflow-x") in _CLIPPING or css.get("overflow-y") in _CLIPPING
    if not clipped:
        return False
    if _is_thin(css, "height", "padding-bottom") or _is_thin(css, "width", "padding-right"):
        return True
    line = css.get("line-height")
    return isinstance(line, float | int) and line <= 0 and "height" not in css


def _is_thin(css: Computed, name: str, padding: str) -> bool:
    sizes = [size for one in (name, f"max-{name}") if (size := _number(css, one)) is not None]
    room = max(_number(css, f"min-{name}") or 0.0, _number(css, padding) or 0.0)
    return bool(sizes) and max(min(sizes), room) < _TINY
