"""Reads what old attributes say of how an element looks, and values that are reckoned from the parent's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.css import colours
from wellread.css.colours import UNKNOWN, Colour
from wellread.css.lengths import length
from wellread.css.words import word_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    Attributes = Mapping[str, str | None]
    Computed = dict[str, str | float | Colour | None]

_SMALL: Final = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0}
_SIZES: Final = {**_SMALL, "large": 18.0, "x-large": 24.0, "xx-large": 32.0, "xxx-large": 48.0}
_LARGEST: Final = 10_000.0
_ANYWHERE: Final = word_set("hidden bgcolor popover background mathcolor mathsize")
_FLAGS: Final = ("hidden", "popover", "open")
_VALUES: Final = ("bgcolor", "background", "mathcolor", "mathsize", "color", "text", "dir")
_PRESENTING: Final = {"font": _ANYWHERE | {"color"}, "body": _ANYWHERE | {"text"}}
_STEPS: Final = {"smaller": 1 / 1.2, "larger": 1.2}


def presented(tag: str, attributes: Attributes) -> tuple[str | None, ...]:
    """Return the tag and the values of all attributes that `hinted` reads; () for an element without any.

    Presentational attributes: HTML standard, 15.3; MathML Core, 2.1.6.
    """
    if tag not in {"mark", "bdo"} and _PRESENTING.get(tag, _ANYWHERE).isdisjoint(attributes):
        return ()
    return (tag, *(name if name in attributes else None for name in _FLAGS), *map(attributes.get, _VALUES))


def hinted(tag: str, attributes: Attributes) -> Computed:
    """Return what attributes set, below all styles."""
    css: Computed = {}
    if "hidden" in attributes or ("popover" in attributes and not (tag == "dialog" and "open" in attributes)):
        css["display"] = "none"
    if tag == "bdo":
        css["unicode-bidi"], css["direction"] = "isolate-override", (attributes.get("dir") or "").lower()
    if tag == "mark":
        css["color"], css["background-color"] = colours.BLACK, Colour(1.0, 1.0, 0.0)
    css["font-size"] = attributes.get("mathsize")
    if ink := attributes.get({"font": "color", "body": "text"}.get(tag, "mathcolor")):
        css["color"] = _legacy(ink)
    if ground := attributes.get("bgcolor"):
        css["background-color"] = _legacy(ground)
    if attributes.get("background"):
        css["background-color"] = UNKNOWN
    return {name: value for name, value in css.items() if value is not None}


def _legacy(value: str) -> Colour | None:
    """Read a colour as old attributes write it, with or without the sign (HTML standard, 2.3.6)."""
    value = value.strip().lower()
    return colours.colour(value) or (colours.colour(f"#{value}") if re.fullmatch(r"[0-9a-f]{6}", value) else None)


def opacity(css: Computed) -> float:
    """Return the opacity of an element by itself, 0 to 1."""
    value = css.get("opacity")
    return min(max(value, 0.0), 1.0) if isinstance(value, float | int) else 1.0


def ink(css: Computed, name: str, inherited: Colour | None) -> Colour | None:
    """Return a colour that is inherited where none is set."""
    value = css.get(name)
    return value if isinstance(value, Colour) else inherited


def size(value: str | float | Colour | None, inherited: float) -> float:
    """Return the size of text in pixels."""
    if not isinstance(value, str):
        return inherited
    if value in _SIZES:
        return _SIZES[value]
    if value in _STEPS:
        return inherited * _STEPS[value]
    found = length(value, (inherited, inherited / 100))
    return inherited if found is None else min(max(found, 0.0), _LARGEST)
