"""Works out which conditions of a style sheet hold, for a person at a desk and one with a phone (Media Queries 4)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wellread.bounded_cache import cached_calls
from wellread.css.lengths import length
from wellread.css.properties import is_known, parsed
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

DESK: Final = 1
PHONE: Final = 2
BOTH: Final = DESK | PHONE
_WINDOWS: Final = {DESK: (1280.0, 800.0), PHONE: (390.0, 844.0)}
_MOST: Final = 500

_FEATURE: Final = lazy_pattern(r"\(\s*+([a-z-]++)\s*+(?:(:|[<>]=?|=)([^()]*+(?:\([^()]*+\)[^()]*+)?))?\)")
_RANGE: Final = lazy_pattern(
    r"\(\s*+([\d.a-z%-]++)\s*+([<>]=?)\s*+(width|height|inline-size)\s*+(?:([<>]=?)\s*+([\d.a-z%-]++)\s*+)?\)"
)


def _settings(told: str) -> dict[str, str]:
    return {name: value for name, _, value in (one.partition(":") for one in told.split())}


_SETTINGS: Final = _settings(
    "prefers-reduced-motion:no-preference prefers-color-scheme:light prefers-contrast:no-preference "
    "prefers-reduced-transparency:no-preference forced-colors:none "
    "scripting:enabled update:fast display-mode:browser overflow-block:scroll "
    "color-gamut:srgb dynamic-range:standard"
)
_VALUES: Final = word_set(
    "none hover coarse fine portrait landscape reduce no-preference light dark more less custom active inverted slow "
    "fast p3 rec2020 high standard srgb fullscreen standalone minimal-ui browser scroll paged interlace progressive "
    "enabled initial-only"
)
_OWN: Final = {
    DESK: _settings("hover:hover any-hover:hover pointer:fine any-pointer:fine orientation:landscape"),
    PHONE: _settings("hover:none any-hover:none pointer:coarse any-pointer:coarse orientation:portrait"),
}
_KNOWN: Final = word_set(
    "display grid flex gap position color background opacity transform filter backdrop-filter clip-path mask "
    "object-fit aspect-ratio overflow width height margin padding inset float font-size font-variation-settings "
    "-webkit-backdrop-filter -webkit-line-clamp content-visibility will-change scroll-behavior text-wrap"
)


class Holds(NamedTuple):
    """Where a condition holds, as a sum of DESK and PHONE."""

    surely: int
    perhaps: int
    """What cannot be told may hide, and may not show."""


ALWAYS: Final = Holds(BOTH, BOTH)
NEVER: Final = Holds(0, 0)


def both(one: Holds, other: Holds) -> Holds:
    """Return where two conditions hold at once."""
    return Holds(one.surely & other.surely, one.perhaps & other.perhaps)


@cached_calls(1_024)
def at_rule(prelude: str) -> Holds | None:
    """Return where the rules inside an at-rule hold; None for those with no style rules inside."""
    name, _, rest = prelude[1:].partition("(") if "(" in prelude.split(maxsplit=1)[0] else prelude[1:].partition(" ")
    rest = prelude[1 + len(name) :].strip().lower()[:_MOST]
    name = name.strip().lower()
    if name == "media":
        return query(rest)
    if name == "supports":
        return _supported(rest)
    if name == "container":
        found = query(rest[rest.find("(") :]) if "(" in rest and "style(" not in rest else NEVER
        # How wide a container is, nobody here knows; most are as wide as the window.
        return Holds(found.surely if rest[:1] == "(" else 0, BOTH)
    return ALWAYS if name in {"layer", "scope"} else None


def query(text: str) -> Holds:
    """Return where a list of media queries holds."""
    text = text.strip().lower()
    if not text:
        return ALWAYS
    found = [_one(part.strip()) for part in re.split(r",(?![^()]*\))", text[:_MOST])]
    surely = perhaps = 0
    for one in found:
        surely, perhaps = surely | one.surely, perhaps | one.perhaps
    return Holds(surely, perhaps)


def _one(text: str) -> Holds:
    surely = perhaps = 0
    for window in (DESK, PHONE):
        known = _true(text, window)
        surely |= window if known else 0
        perhaps |= window if known is not False else 0
    return Holds(surely, perhaps)


def _true(text: str, window: int) -> bool | None:
    """Tell whether one query holds; None when it cannot be told."""
    if text.startswith(("not ", "not(")):
        inner = _true(text[3:].strip(), window)
        return None if inner is None else not inner
    if " or " in text:
        parts = [_true(part.strip(), window) if part.strip()[:1] in "(n" else None for part in text.split(" or ")]
        return True if True in parts else None if None in parts else False
    verdict: bool | None = True
    for part in re.split(r"\s+and\s+|\s+and(?=\()", text):
        one = _part(part.strip(), window)
        if one is False:
            return False
        verdict = None if one is None else verdict
    return verdict


def _part(text: str, window: int) -> bool | None:
    if text[:1] != "(":
        kind = text.removeprefix("only ").strip()
        return kind in {"all", "screen"}
    while text.startswith("((") and text.endswith("))"):
        text = text[1:-1].strip()
    if text.startswith("(not"):
        return _true(text[1:-1], window) if text[4:].strip()[:1] == "(" else None
    if found := _RANGE.fullmatch(text):
        low, sign, feature, sign_2, high = found.groups()
        first = _compared(length(low), sign, _side(feature, window))
        return first and (sign_2 is None or _compared(_side(feature, window), sign_2, length(high)))
    found = _FEATURE.fullmatch(text)
    if found is None:
        return None
    return _feature(found[1], found[2], found[3].strip() if found[3] is not None else None, window)


def _side(feature: str, window: int) -> float:
    return _WINDOWS[window][feature.endswith(("height", "block-size"))]


def _compared(one: float | None, sign: str, other: float | None) -> bool | None:
    if one is None or other is None:
        return None
    if sign[0] == "=":
        return one == other
    return (one < other if sign[0] == "<" else one > other) or (sign.endswith("=") and one == other)


def _feature(name: str, sign: str | None, value: str | None, window: int) -> bool | None:
    settings = {**_SETTINGS, **_OWN[window]}
    if name in settings:
        known = settings[name] == value if value in _VALUES else None
        return known if value else settings[name] not in {"none", "no-preference"}
    size = length((value or "").strip())
    if name in {"width", "height", "inline-size"}:
        if value is None:
            return True
        return _compared(_side(name, window), "=" if sign == ":" else sign or "=", size)
    least, _, feature = name.partition("-")
    if feature in {"width", "height", "device-width", "device-height", "inline-size"} and least in {"min", "max"}:
        return _compared(_side(feature, window), ">=" if least == "min" else "<=", size)
    if name in {"color", "min-color"}:
        return size is None or size <= 8
    return None


def _supported(text: str) -> Holds:
    """Return where @supports holds: for certain only when all that is asked for is what all browsers have."""
    asked = _ASKED.findall(text)
    sure = bool(asked) and not _UNSURE.search(text) and all(_is_common(name, value) for name, value in asked)
    return Holds(BOTH if sure else 0, BOTH)


_ASKED: Final = lazy_pattern(r"\(\s*+([a-z-]++)\s*+:([^()]*+(?:\([^()]*+\)[^()]*+)?)\)")
_UNSURE: Final = lazy_pattern(r"\bnot\b|(?:selector|font-tech|font-format|at-rule|named-feature|env)\(|--")


def _is_common(name: str, value: str) -> bool:
    if is_known(name):
        return parsed(name, value.strip()) is not None
    return name in _KNOWN and _COMMON_VALUE.fullmatch(value.strip()) is not None


_COMMON_VALUE: Final = lazy_pattern(
    r"grid|flex|sticky|auto|none|contain|cover|smooth|balance|\d+(?:px|em|rem)?|\d+ ?/ ?\d+|blur\(\d+(?:px|em|rem)?\)"
)
