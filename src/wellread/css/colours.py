"""Reads CSS colours and tells whether text in one shows on a ground of another (CSS Color 4; WCAG 2.2, 1.4.3)."""

from __future__ import annotations

from typing import Final, NamedTuple

import tinycss2

from wellread.bounded_cache import cached_calls
from wellread.css import spaces
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

_LEAST_CONTRAST: Final = 1.15
_LEAST_STEP: Final = 0.085
"""Colours that differ by less in every channel, and in lightness by less than the ratio above, are one to the eye."""
_LEAST_ALPHA: Final = 0.1
_LONGEST: Final = 500
_HEX: Final = lazy_pattern("#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_LINEAR_BELOW: Final = 0.04045


class Colour(NamedTuple):
    """Red, green, blue and alpha, 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0


WHITE: Final = Colour(1.0, 1.0, 1.0)
BLACK: Final = Colour(0.0, 0.0, 0.0)
UNKNOWN: Final = Colour(-1.0, -1.0, -1.0)
"""A valid colour that cannot be worked out here: a variable, a mixture, a picture."""
_OLD: Final = word_set("background window menu infobackground scrollbar appworkspace activecaption inactivecaption")
"""Names of the canvas that are no longer to be used (CSS Color 4, appendix A)."""
_TINTED: Final = word_set("accentcolor activetext buttonborder graytext highlight linktext selecteditem visitedtext")
_SYSTEM: Final = {
    **dict.fromkeys(word_set("canvas field highlighttext selecteditemtext accentcolortext") | _OLD, WHITE),
    **dict.fromkeys(("canvastext", "fieldtext", "buttontext", "marktext"), BLACK),
    "buttonface": Colour(0.94, 0.94, 0.94),
    "mark": Colour(1.0, 1.0, 0.0),
    **dict.fromkeys(_TINTED, Colour(0.2, 0.3, 0.6)),
}
"""As browsers have them in a light theme; of those that differ, one that can be seen."""
_FUNCTIONS: Final = lazy_pattern(
    r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|-internal-light-dark)\("
)
_ELSEWHERE: Final = ("var(", "env(", "attr(", "if(", "contrast-color(", "device-cmyk(", "currentcolor")
"""What makes a colour depend on what is not known here."""


@cached_calls(8_192)
def colour(value: str) -> Colour | None:
    """Return a colour; UNKNOWN when it is one but cannot be worked out; None when it is none."""
    if len(value) > _LONGEST:
        return UNKNOWN
    if _HEX.fullmatch(value):
        digits = value[1:] if len(value) > 5 else "".join(digit * 2 for digit in value[1:])
        return Colour(*(int(digits[at : at + 2], 16) / 255 for at in range(0, len(digits), 2)))
    if any(word in value for word in _ELSEWHERE):
        return UNKNOWN
    return _SYSTEM.get(value) or (_function(value) if _FUNCTIONS.match(value) else None) or _plain(value)


def _plain(value: str) -> Colour | None:
    """Read what needs no reckoning: names, and functions as they were first."""
    from tinycss2 import color4  # here, because it takes 6 ms, and the colours of most pages are hexadecimal

    try:
        read = color4.parse_color(value)
        made = read.to("srgb") if read is not None and read != "currentcolor" else None
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        made = None
    if made is None:
        return UNKNOWN if _FUNCTIONS.match(value) and "calc(" in value else None
    red, green, blue = (min(max(channel or 0.0, 0.0), 1.0) for channel in made.coordinates)
    return Colour(red, green, blue, min(max(made.alpha, 0.0), 1.0))


def _function(value: str) -> Colour | None:
    token = tinycss2.parse_one_component_value(value, skip_comments=True)
    if token.type != "function":
        return None
    try:
        made = spaces.channels(token.lower_name, token.arguments, _inside)
    except (OverflowError, ValueError, ZeroDivisionError, RecursionError):
        return None
    return Colour(*made) if made is not None else None


def _inside(value: str) -> Colour | None:
    found = colour(value.strip().lower())
    return None if found is UNKNOWN else found


@cached_calls(4_096)
def ground(value: str) -> Colour | None:
    """Return the colour that the `background` shorthand sets; UNKNOWN for pictures; None when it is transparent."""
    if any(sign in value for sign in ("gradient(", "image(", "image-set(", "var(", "element(")):
        return UNKNOWN
    for token in tinycss2.parse_component_value_list(value[:_LONGEST], skip_comments=True):
        if token.type in {"ident", "hash", "function"} and (found := colour(token.serialize().lower())) is not None:
            return found if found.alpha else None
    return UNKNOWN if "url(" in value else None


@cached_calls(8_192)
def shows(ink: Colour, behind: Colour | None) -> bool:
    """Tell whether text of colour `ink` can be seen on the colour behind it; what is unknown can be seen."""
    if ink is UNKNOWN or ink.red < 0:
        return True
    if behind is None or behind.red < 0:
        return ink.alpha >= _LEAST_ALPHA
    painted = over(ink, behind)
    if max(abs(one - other) for one, other in zip(painted[:3], behind[:3], strict=True)) >= _LEAST_STEP:
        return True
    lighter, darker = sorted((_luminance(painted), _luminance(behind)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05) >= _LEAST_CONTRAST


def over(top: Colour, below: Colour) -> Colour:
    """Return what shows when `top` is painted over an opaque colour."""
    red, green, blue = (mine * top.alpha + its * (1 - top.alpha) for mine, its in zip(top[:3], below[:3], strict=True))
    return Colour(red, green, blue)


def _luminance(one: Colour) -> float:
    red, green, blue = (
        channel / 12.92 if channel <= _LINEAR_BELOW else ((channel + 0.055) / 1.055) ** 2.4 for channel in one[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
