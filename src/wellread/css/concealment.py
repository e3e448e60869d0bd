"""Tells from the computed properties of one element whether it, and all that is in it, is out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.bounded_cache import cached_calls
from wellread.css import shapes
from wellread.css.boxes import drawn, share, sheer
from wellread.css.lengths import length

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.css.colours import Colour

    Computed = Mapping[str, str | float | Colour | None]

LEAST_OPACITY: Final = 0.05
LEAST_FONT: Final = 4.0
HALF: Final = 0.5
"""Text that keeps less of its size may, with sizes that are no alarm by themselves, be too small to be read."""
_OFF: Final = -500.0
_FAR: Final = 3_000.0
_FAR_DOWN: Final = 9_999.0
"""Pages laid out by programs place real text some thousand pixels down."""
_FARTHEST: Final = {"left": _FAR, "right": 1_600.0, "top": _FAR_DOWN, "bottom": _FAR}
"""What lies left of the window, or above the page, cannot be scrolled to."""
_FIXED_OFF: Final = -350.0
_MOVED: Final = 1_000.0
_TINY: Final = 3.5
_NO_SIZE: Final = 0.05
_NO_BOX: Final = frozenset(["none", "table-column", "table-column-group"])
_CLIPPING: Final = frozenset(["hidden", "clip", "scroll", "auto", "overlay"])
_PAINTS: Final = frozenset(["paint", "strict", "content"])
_SIZED: Final = frozenset(["size", "strict"])
_PADDED: Final = (("height", "padding-top", "padding-bottom"), ("width", "padding-left", "padding-right"))
_SPACING: Final = (("letter-spacing", -8), ("word-spacing", -99))
_MASK: Final = ("mask-size", "mask-position", "mask-repeat")


class Concealment(NamedTuple):
    """Why an element is out of sight."""

    reason: str
    kind: int
    """UNDONE by scripts as the page loads; CLOSED like a panel; else GONE."""


GONE, CLOSED, UNDONE = 0, 1, 2
SLIDE: Final = "opacity:0, out of place"
"""How scripts leave what they will slide in."""
FADE: Final = "opacity:0"


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


def faded(css: Computed) -> str:
    """Return how an element without opacity is out of sight: by that alone, out of its place, or made invisible too."""
    if css.get("transform") not in {None, "none"}:
        return SLIDE
    return FADE if css.get("visibility") in {None, "visible"} else f"{FADE} and visibility:hidden"


def _number(css: Computed, name: str) -> float | None:
    value = css.get(name)
    return value if isinstance(value, float | int) else None


def _outside(value: float | None, far: float) -> bool:
    return value is not None and not _OFF < value < far


def _moved(css: Computed) -> str | None:
    if css.get("direction") == "rtl" and css.get("unicode-bidi") in {"bidi-override", "isolate-override"}:
        return "letters from right to left"
    indent = _number(css, "text-indent")
    if _is_placed_away(css) or _outside(indent, _MOVED if is_clipping(css) else _FAR) or _is_pulled_away(css):
        return "off-screen"
    for name, least in _SPACING:
        if (spacing := _number(css, name)) is not None and spacing <= least:
            return "letters on one another"
    return _transformed(css)


def _is_placed_away(css: Computed) -> bool:
    place = css.get("position")
    if place not in {"absolute", "fixed", "relative", "sticky"}:
        return False
    if any(_outside(_number(css, side), far) for side, far in _FARTHEST.items()):
        return True
    for sides, whole in ((("left", "right"), 1_280.0), (("top", "bottom"), 800.0)):
        sizes = [size for side in sides if (size := _number(css, side)) is not None]
        if place == "fixed" and len(sizes) == 1 and not _FIXED_OFF < sizes[0] < whole:
            return True
    return False


def _is_pulled_away(css: Computed) -> bool:
    placed = css.get("position") in {"absolute", "fixed", "relative", "sticky", "static"}
    for side, far in (("left", _FAR), ("top", _FAR_DOWN)):
        margin = _number(css, f"margin-{side}")
        # A padding of the same size brings the text back: so are bands drawn across the window.
        back = (_number(css, f"padding-{side}") or 0.0) + ((_number(css, side) or 0.0) if placed else 0.0)
        if margin is not None and _outside(margin, far) and _outside(margin + back, far):
            return True
    return False


def _transformed(css: Computed) -> str | None:
    if found := shapes.transform(drawn(css)):
        return found
    if css.get("offset-path") not in {None, "none"}:
        return "off-screen"  # where a path leads, nobody here works out, and no prose is set on one
    return "zero size" if share(css) < _NO_SIZE else None


def _clipped(css: Computed) -> str | None:
    clip, path = css.get("clip"), css.get("clip-path")
    if isinstance(clip, str) and css.get("position") in {"absolute", "fixed"} and shapes.is_closed_clip(clip):
        return "clip"
    return "clip" if isinstance(path, str) and shapes.is_closed_path(path) else None


def _painted_away(css: Computed) -> str | None:
    if css.get("-webkit-text-security") in {"disc", "circle", "square"}:
        return "text shown as dots"
    if css.get("font-size-adjust") == 0:
        return "font-size:0"
    image = css.get("filter")
    if isinstance(image, str) and image != "none" and _is_filtered(image):
        return "filter"
    return "mask" if _is_masked(css) else None


def _is_masked(css: Computed) -> bool:
    mask = css.get("mask-image")
    if not isinstance(mask, str) or mask == "none":
        return False
    size, place, repeat = (one if isinstance(one, str) else None for one in map(css.get, _MASK))
    return shapes.is_masked(mask) or shapes.is_displaced(size, place, repeat) or css.get("mask-mode") == "luminance"


@cached_calls(1_024)
def _is_filtered(value: str) -> bool:
    if "url(" in value:
        return True  # what a filter elsewhere makes of text, nobody here knows
    blurs = (length(told[0]) for name, told in shapes.functions(value) if name == "blur" and told)
    return sheer(value) < LEAST_OPACITY or any(size is not None and size >= 20 for size in blurs)


def is_clipping(css: Computed) -> bool:
    """Tell whether what lies outside of a box is cut off."""
    held = css.get("contain")
    return (
        (isinstance(held, str) and not _PAINTS.isdisjoint(held.split()))
        or css.get("content-visibility") == "auto"
        or css.get("overflow-x") in _CLIPPING
        or css.get("overflow-y") in _CLIPPING
        or css.get("clip-path") not in {None, "none"}
    )


def _is_contained(css: Computed) -> bool:
    """Tell whether a box is as high as if it were empty (CSS Containment 1, 3.3)."""
    held = css.get("contain")
    if not isinstance(held, str) or _SIZED.isdisjoint(held.split()):
        return False
    return not any(css.get(name) is not None for name in ("height", "min-height", "flex-grow", "bottom", "padding-top"))


def _no_size(css: Computed) -> bool:
    if not is_clipping(css):
        return False
    flat, narrow = (_is_thin(css, *names) for names in _PADDED)
    if flat or narrow or _is_contained(css):
        return True
    if css.get("position") in {"absolute", "fixed"} and _is_squeezed(css):
        return True
    line = css.get("line-height")
    return isinstance(line, float | int) and line <= 0 and "height" not in css


def _is_squeezed(css: Computed) -> bool:
    """Tell whether two opposite sides meet."""
    for one, other, size, whole in (("top", "bottom", "height", 800.0), ("left", "right", "width", 1_280.0)):
        sides = _number(css, one), _number(css, other)
        met = sides[0] is not None and sides[1] is not None and sides[0] + sides[1] >= whole
        if met and not isinstance(css.get(size), float | int):
            return True
    return False


def _is_thin(css: Computed, name: str, start: str, end: str) -> bool:
    """Tell whether a box shows nothing between the padding before what is in it and its far edge."""
    sizes = [size for one in (name, f"max-{name}") if (size := _number(css, one)) is not None]
    before = (_number(css, start) or 0.0) if css.get("box-sizing") == "border-box" else 0.0
    room = max((_number(css, f"min-{name}") or 0.0) - before, _number(css, end) or 0.0)
    return bool(sizes) and max(min(sizes) - before, room) < _TINY
