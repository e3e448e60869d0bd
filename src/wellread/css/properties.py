"""Parses the CSS properties that can hide text; what a browser would find invalid is None, and changes nothing."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from wellread.bounded_cache import cached_calls
from wellread.css.colours import BLACK, UNKNOWN, colour, ground
from wellread.css.keywords import DISPLAY_PARTS, DISPLAYS, KEYWORDS, OVERFLOWS, SIZES
from wellread.css.lengths import is_elsewhere, length
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wellread.css.colours import Colour

Pairs = tuple[tuple[str, "str | float | Colour | None"], ...]
"""Longhand -> parsed value; None resets it."""

_WIDE: Final = word_set("initial inherit unset revert revert-layer")
_SIDES: Final = ("top", "right", "bottom", "left")
_LOGICAL: Final = {"block-start": "top", "inline-end": "right", "block-end": "bottom", "inline-start": "left"}
_ALIASES: Final = {
    **{f"{least}{logical}": f"{least}{real}" for least in ("", "min-", "max-")
       for logical, real in (("inline-size", "width"), ("block-size", "height"))},
    **{f"{kind}-{logical}": f"{kind}-{side}" for kind in ("margin", "padding") for logical, side in _LOGICAL.items()},
    **{f"inset-{logical}": side for logical, side in _LOGICAL.items()},
    "overflow-inline": "overflow-x",
    "overflow-block": "overflow-y",
}  # fmt: skip
_PREFIXED: Final = word_set(
    "transform filter clip-path mask mask-image mask-size mask-position mask-repeat background-clip animation "
    "animation-name opacity"
)


def _of_keywords(known: frozenset[str], value: str) -> str | None:
    return value if value in known else None


def _display(value: str) -> str | None:
    return value if value in DISPLAYS or DISPLAY_PARTS.issuperset(value.split()) else None


def _number(value: str) -> float | None:
    return length(value, (16.0, 0.01))


def _length(value: str) -> float | str | None:
    if value in SIZES or value.startswith(("fit-content(", "anchor")):
        return value
    found = length(value)
    if found is not None and value[-1:] in "0123456789." and not found <= _QUIRKY:
        return None  # a bare number is a length in quirks mode alone: believed where it hides
    return found


_QUIRKY: Final = 4


def _across(value: str) -> float | str | None:
    return value if value in SIZES else _placed(value, 12.8)


def _down(value: str) -> float | str | None:
    return value if value in SIZES else _placed(value, 8.0)


def _placed(value: str, percent: float) -> float | str | None:
    """Read a length of which 100 % is the window."""
    return length(value, (16.0, percent)) if value.endswith("%") else _length(value)


def _text(value: str) -> str:
    return value


def _ink(value: str) -> str | Colour | None:
    return value if value == "currentcolor" else colour(value)


_WORD: Final = lazy_pattern(r"[^\s()]*(?:\((?:[^()]|\([^()]*\))*\)[^\s()]*)+|[^\s()]+")


def _split(value: str) -> list[str]:
    """Split at white space outside of brackets."""
    return _WORD.findall(value) or [""]


def _sided(kind: str, value: str) -> Pairs | None:
    """Expand `margin: 1px 2px`; right and bottom come from what stands before them."""
    parts = _split(value)
    if not 1 <= len(parts) <= len(_SIDES):
        return None
    top, right = parts[0], parts[1] if len(parts) > 1 else parts[0]
    bottom = parts[2] if len(parts) > 2 else top
    left = parts[3] if len(parts) > 3 else right
    readers = (_down, _across, _down, _across) if not kind else (_length,) * 4
    read = [reader(part) for reader, part in zip(readers, (top, right, bottom, left), strict=True)]
    if any(one is None for one in read):
        return None
    return tuple((f"{kind}{side}", one) for side, one in zip(_SIDES, read, strict=True))


def _axis(names: tuple[str, str], value: str) -> Pairs | None:
    parts = _split(value)
    reader = {"left": _across, "top": _down}.get(names[0], _length)
    read = [reader(part) for part in (parts[0], parts[-1])]
    return None if None in read or len(parts) > len(names) else tuple(zip(names, read, strict=True))


def _overflow(value: str) -> Pairs | None:
    parts = value.split()
    if not parts or len(parts) > 2 or not OVERFLOWS.issuperset(parts):
        return None
    return (("overflow-x", parts[0]), ("overflow-y", parts[-1]))


def _background(value: str) -> Pairs | None:
    found = "currentcolor" if "currentcolor" in value.split() else ground(value)
    clip: Pairs = (("background-clip", "text" if re.search(r"\btext\b", value) else "border-box"),)
    return (("background-color", found if found is not None else "none"), *clip)


def _picture(value: str) -> Pairs | None:
    if value == "none":
        return ()
    found = ground(value)
    return (("background-color", UNKNOWN if found is None else found),)


_FONT: Final = lazy_pattern(
    r"(?:^|\s)(xx-small|x-small|small|medium|large|x-large|xx-large|smaller|larger|[+-]?[.\d][\w.%]*|(?:calc|min|max|clamp)\([^;]{0,300}?\))(?:\s*/\s*([^\s,]+))?\s+\S"
)


def _font(value: str) -> Pairs | None:
    for found in _FONT.finditer(value):
        size = found.group(1)
        if not re.fullmatch(r"[1-9]\d\d", size):  # a weight
            line = _length(found.group(2)) if found.group(2) else None
            return (("font-size", size), ("line-height", line)) if _font_size(size) else None
    return None


def _font_size(value: str) -> str | None:
    if value in SIZES:
        return value
    found = length(value)
    if found is not None and found < 0:
        return "0px" if "(" in value else None  # a sum is kept within what is allowed (CSS Values 4, 10.12)
    return value if found is not None and _length(value) is not None else None


_LENGTHS: Final = word_set(
    "margin-left margin-top padding-left padding-top padding-right padding-bottom text-indent width height max-"
    "width max-height min-width min-height letter-spacing word-spacing line-height flex-basis"
)
_TEXTS: Final = word_set(
    "clip clip-path transform translate scale filter text-shadow contain background-clip rotate offset-path "
    "mask-size mask-position mask-repeat mask-mode grid-template-rows grid-template-columns grid-auto-rows "
    "grid-auto-columns flex-direction animation-fill-mode animation-duration animation-delay animation-play-"
    "state animation-timeline animation-iteration-count animation-direction mask-image animation animation-name"
)


def _flex(value: str) -> Pairs | None:
    """Expand `flex: grow shrink basis` (CSS Flexible Box Layout 1, 7.1)."""
    if value in {"none", "auto"}:
        return (("flex-grow", 1.0 if value == "auto" else 0.0), ("flex-basis", "auto"))
    parts = _split(value)
    grow = length(parts[0])
    bare = [part for part in parts if re.fullmatch(r"[+]?[\d.]+", part)]
    sized = [part for part in parts if part not in bare]
    if len(parts) > 3 or grow is None or (not bare and not sized):
        return None
    basis = sized[0] if sized else bare[2] if len(bare) == 3 else "0px"
    return (("flex-grow", grow if bare else 1.0), ("flex-basis", _length(basis)))


def _mask(value: str) -> Pairs | None:
    """Take what `mask` sets of size and place with it (CSS Masking 1, 7.9)."""
    bare = _FUNCTION.sub(" ", value)
    place, _, size = bare.partition("/")
    told: list[tuple[str, str | float | Colour | None]] = [("mask-image", value)]
    sizes = _split(size)[:2] if size else []
    told.append(("mask-size", " ".join(sizes) or None))
    places = [one for one in place.split() if length(one) is not None]
    told.append(("mask-position", " ".join(places) or None))
    told.append(("mask-repeat", "no-repeat" if "no-repeat" in bare else None))
    told.append(("mask-mode", "luminance" if "luminance" in bare else None))
    return tuple(told)


_FUNCTION: Final = lazy_pattern(r"(?<![\w-])[\w-]++\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


def _grid(value: str) -> Pairs | None:
    rows, _, columns = value.partition("/")
    return (("grid-template-rows", rows.strip()), ("grid-template-columns", columns.strip() or None))


_PARSERS: Final[Mapping[str, Callable[[str], str | float | Colour | None]]] = {
    **{name: partial(_of_keywords, known) for name, known in KEYWORDS.items()},
    **dict.fromkeys(_LENGTHS, _length),
    **dict.fromkeys(_TEXTS, _text),
    "display": _display,
    **dict.fromkeys(("opacity", "zoom", "font-size-adjust"), _number),
    "font-size": _font_size,
    **dict.fromkeys(("overflow-x", "overflow-y"), partial(_of_keywords, OVERFLOWS)),
    **dict.fromkeys(("color", "-webkit-text-fill-color", "background-color"), _ink),
    "flex-grow": length,
    **dict.fromkeys(("left", "right"), _across),
    **dict.fromkeys(("top", "bottom"), _down),
}
_SHORTHANDS: Final[Mapping[str, Callable[[str], Pairs | None]]] = {
    "margin": partial(_sided, "margin-"),
    "padding": partial(_sided, "padding-"),
    "inset": partial(_sided, ""),
    "inset-inline": partial(_axis, ("left", "right")),
    "inset-block": partial(_axis, ("top", "bottom")),
    "margin-inline": partial(_axis, ("margin-left", "margin-right")),
    "margin-block": partial(_axis, ("margin-top", "margin-bottom")),
    "overflow": _overflow,
    "background": _background,
    "background-image": _picture,
    "font": _font,
    "flex": _flex,
    "mask": _mask,
    **dict.fromkeys(("grid", "grid-template"), _grid),
    "offset": lambda value: (("offset-path", value),),
    "color-scheme": lambda value: (("color-scheme", value),),
}


_WORST: Final[Mapping[str, str | float | Colour]] = {
    "opacity": 0.0,
    "zoom": 0.01,
    **dict.fromkeys(("font-size", "font"), "0px"),
    "display": "none",
    "visibility": "hidden",
    **dict.fromkeys(("height", "max-height", "width", "max-width", "line-height"), 0.0),
    **dict.fromkeys(("left", "right", "top", "bottom", "margin-left", "margin-top", "text-indent"), -9_999.0),
    **dict.fromkeys(("letter-spacing", "word-spacing"), -99.0),
}
"""What is believed of a value that nobody here can work out."""
_FIRST: Final[Mapping[str, str | float | Colour]] = {
    "color": BLACK,
    "visibility": "visible",
    "font-size": "medium",
    "line-height": "normal",
}
"""What `initial` is of properties that are inherited."""
ALL_INITIAL: Final[Mapping[str, str | float | Colour]] = {**_FIRST, "font-size": "medium"}


def is_known(name: str) -> bool:
    """Tell whether a property can hide text."""
    return name in _PARSERS or name in _SHORTHANDS or name in _ALIASES or name == "all" or name.startswith("-webkit-")


@cached_calls(20_000)
def parsed(name: str, value: str) -> Pairs | None:
    """Return what `name: value` sets; None when a browser would pass over it."""
    name = _ALIASES.get(name, name)
    if name.startswith("-webkit-") and name[8:] in _PREFIXED:
        name = _ALIASES.get(name[8:], name[8:])
    shorthand = _SHORTHANDS.get(name)
    if value in _WIDE:
        first = _FIRST.get(name) if value == "initial" else None
        return ((name, first),) if first is not None else reset(name)
    if name in _WORST and (is_elsewhere(value) or ("(" in value and name in KEYWORDS.keys() | {"display"})):
        return (("font-size" if name == "font" else name, _WORST[name]),)
    if shorthand is not None:
        return shorthand(value)
    parser = _PARSERS.get(name)
    found = parser(value) if parser is not None else None
    return None if found is None else ((name, found),)


_RESETS: Final = {
    "margin": tuple(f"margin-{side}" for side in _SIDES),
    "padding": tuple(f"padding-{side}" for side in _SIDES),
    "inset": _SIDES,
    "overflow": ("overflow-x", "overflow-y"),
    "background": ("background-color",),
    "font": ("font-size", "line-height"),
    "flex": ("flex-grow", "flex-basis"),
    "mask": ("mask-image", "mask-size", "mask-position", "mask-repeat", "mask-mode"),
    "grid": ("grid-template-rows", "grid-template-columns"),
    "offset": ("offset-path",),
}


def reset(name: str) -> Pairs | None:
    """Return what stands for no value at all: longhands, each None."""
    name = _ALIASES.get(name, name)
    names = _RESETS.get(name, (name,) if name in _PARSERS else ())
    return tuple((one, None) for one in names)
