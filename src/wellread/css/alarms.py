"""Tells cheaply which rules of a style sheet may hide something: few do, and only those are matched with elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.bounded_cache import cached_calls
from wellread.css import colours
from wellread.css.boxes import share
from wellread.css.brackets import closing, is_deep
from wellread.css.concealment import HALF, concealment
from wellread.css.customs import ASKED, registered
from wellread.css.lengths import length
from wellread.css.properties import is_known, parsed
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellread.css.declarations import Declaration
    from wellread.css.rules import SheetReader

TOUCHING: Final = 1
SHOWING: Final = 2
"""Where a rule hides by `display` and `visibility` alone, no other property of another can undo it."""
CUSTOM: Final = 4
FADES: Final = 1
HIDES: Final = 2
VARIES: Final = 3
_MOST_COLOURS: Final = 200
_MOST_CACHED: Final = 50_000
_LONGEST_VALUE: Final = 500
_LONGEST_BODY: Final = 500
_MOST_VALUES: Final = 50
"""Of one custom property; what has more may take any."""
_MOST_VARIED: Final = 40_000
"""Values that are worked out for the rules of one page, some 12 us each; from then on each may be any."""
_FAINT: Final = 0.5
_SMALL: Final = 8.0
"""Half an em, twice over, cannot be read."""
_EM: Final = (16.0, 0.16)
"""What one em and one percent are, where nothing else is said."""
_COLOURING: Final = frozenset(["color", "-webkit-text-fill-color", "background", "background-color"])
_MOVES: Final = lazy_pattern(r"(?<![\w])animation(?:-name)?\s*:\s*([^;}]+)", re.IGNORECASE)
_VARIABLE: Final = lazy_pattern(r"(?<![\w-])(--[^\x00-,./:-@\[-^`{-\x7f]++)\s*+:\s*+([^;{}]+)")
_PAINT: Final = frozenset(
    {"color", "background", "background-color", "background-image", "padding", "-webkit-text-fill-color", "text-shadow"}
)

_MOVING: Final = word_set("left right top bottom margin-left margin-right margin-top margin-bottom text-indent")
_HARMLESS: Final[dict[str, tuple[float | None, float | None]]] = {
    **dict.fromkeys(_MOVING, (-20.0, 900.0)),
    **dict.fromkeys(("top", "bottom"), (-20.0, 400.0)),
    "right": (-20.0, 600.0),
    "letter-spacing": (-7.9, None),
    "word-spacing": (-90.0, None),
    "font-size-adjust": (0.01, None),
    "line-height": (0.01, None),
    "zoom": (HALF, None),
}
_SIZES: Final = frozenset({"width", "height", "max-width", "max-height"})
_THIN: Final = 4.0
_SAID: Final = {
    "display": frozenset({"none", "table-column", "table-column-group"}),
    "visibility": frozenset({"hidden", "collapse"}),
    "content-visibility": frozenset({"hidden"}),
    "-webkit-text-security": frozenset({"disc", "circle", "square"}),
    "unicode-bidi": frozenset({"bidi-override", "isolate-override"}),
}
_DRAWN: Final = frozenset(
    {"transform", "translate", "scale", "rotate", "clip", "clip-path", "filter", "mask-image", "offset-path"}
)
_ODD: Final = {
    "clip-path": lazy_pattern(r"url\("),
    "contain": lazy_pattern(r"size|strict"),
    "filter": lazy_pattern(r"invert|brightness|contrast|url|opacity"),
    **dict.fromkeys(
        ("grid-template-rows", "grid-template-columns", "grid-auto-rows"), lazy_pattern(r"(?<![\d.])0(?:\D|$)")
    ),
    "mask-size": lazy_pattern(r"(?<![\d.])0(?:\D|$)"),
    "mask-position": lazy_pattern(r"\d{4}"),
    "mask-mode": lazy_pattern("luminance"),
}
"""What hides, or may, with others beside it."""
_SHOWS: Final = lazy_pattern(r"display|visib|--|\ball\b|\\")
_TOUCHES: Final = lazy_pattern(
    r"display|visib|opacity|font|clip|indent|bidi|direction|box-s|position|margin|height|width|-size|transform|translate|scale|zoom|color"
    r"|background|overflow|filter|mask|left|right|top|bottom|inset|padding|spacing|animation|contain|shadow|security|flex|--|\ball\b|\\|line|rotate|offset|zoom|grid|text-wrap|white-space"
)


class Weight(NamedTuple):
    """What the body of a rule may do, whatever page it is on."""

    most: int
    """The loudest alarm of its declarations."""
    varying: tuple[str, ...]
    """Declarations that hide, perhaps, by the values of custom properties."""
    inks: tuple[str, ...]
    grounds: tuple[str, ...]
    """The colours that it gives text, and what is behind text."""
    plainly: bool
    """Whether all that may hide is `display` or `visibility`."""
    blends: bool
    """Whether its colours alone swallow the text."""
    touches: int
    """TOUCHING: what others hide by; SHOWING: `display` and `visibility`; CUSTOM: custom properties."""


@cached_calls(20_000, longest=_LONGEST_BODY)
def weighed(body: str) -> Weight:
    """Weigh the body of a rule; those of a site's pages, and of a system's sites, are the same."""
    if is_deep(body):
        return Weight(HIDES, (), (), (), plainly=False, blends=False, touches=TOUCHING | SHOWING | CUSTOM)
    most, varying, loud = 0, list[str](), set[str]()
    inks, grounds = list[str](), list[str]()
    for one in body.split(";"):
        known = alarm(one)
        if known == VARIES:
            varying.append(one)
        elif known > most:
            most = known
        if known:
            loud.add(one.lstrip()[:4].lower())
        if "color" in (low := one.lower()) or "background" in low:
            name, _, value = low.partition(":")
            if (name := name.strip()) in _COLOURING:
                (grounds if name[0] == "b" else inks).append(value.partition("!")[0].strip())
    low = body.lower()
    if "border-box" in low and "padding" in low and "overflow" in low:
        most = HIDES
    custom = "--" in low or "\\" in low
    touches = TOUCHING * bool(_TOUCHES.search(low)) | SHOWING * bool(_SHOWS.search(low)) | CUSTOM * custom
    plainly = bool(loud) and loud <= {"disp", "visi"} and not inks
    blends = bool(inks or grounds) and _blends(inks, grounds)
    return Weight(most, tuple(varying), tuple(inks), tuple(grounds), plainly, blends, touches)


def _blends(inks: Iterable[str], grounds: Iterable[str]) -> bool:
    if any("currentcolor" in one for one in grounds):
        return True
    behind = [one for ground in grounds if (one := colours.ground(ground)) is not None]
    return any(_vanishes(ink, behind) for ink in inks)


def may_hide(one: Declaration) -> bool:
    """Tell whether a declaration may hide, with others perhaps."""
    return one.name in _PAINT or one.name.startswith("--") or bool(alarm(f"{one.name}:{one.value}"))


@cached_calls(_MOST_CACHED, longest=_LONGEST_VALUE)
def alarm(declaration: str) -> int:
    """Return whether a declaration by itself may hide: 0, FADES for the start of a fade-in, HIDES, or VARIES."""
    name, _, value = declaration.partition(":")
    name, value = name.strip().lower(), value.partition("!")[0].strip().lower()
    if "\\" in declaration or "/*" in declaration or is_deep(declaration):
        return HIDES
    if name in _PAINT or not is_known(name):
        return 0
    if "var(" in value:
        return VARIES
    pairs = parsed(name, value)
    if not pairs:
        return 0
    made = dict(pairs)
    if made.get("flex-basis") == 0.0 and not made.get("flex-grow", 0.0):
        return HIDES
    return max(_weight(longhand, one) for longhand, one in pairs)


def _weight(name: str, value: str | float | colours.Colour | None) -> int:
    """Weigh one property, whatever others stand beside it."""
    if isinstance(value, float | int):
        return _weight_of_number(name, value)
    if not isinstance(value, str):
        return 0
    if name == "font-size":
        size = length(value, _EM)
        return HIDES if size is not None and size < _SMALL else 0
    drawn = {name: value, "position": "absolute"}
    if name in _DRAWN and value != "none" and (concealment(drawn) or share(drawn) < HALF):
        return FADES if "scale" in value or name == "scale" else HIDES
    odd = name in _ODD and _ODD[name].search(value) is not None
    return HIDES if odd or value in _SAID.get(name, ()) else 0


def _weight_of_number(name: str, value: float) -> int:
    if name == "opacity":
        return FADES if value <= _FAINT else 0
    low, high = _HARMLESS.get(name, (None, None)) if name not in _SIZES else (_THIN, None)
    return HIDES if (low is not None and value < low) or (high is not None and value >= high) else 0


class Alarms:
    """Weighs the rules of one page."""

    def __init__(self, sheets: SheetReader, inline: Iterable[str], *, scripted: bool, plain: bool) -> None:
        """Take the rules of a page, and the style attributes that set custom properties."""
        self._rules = sheets.found
        self._least = FADES if scripted else 0
        self._plain = plain
        self._values: dict[str, set[str]] | None = None
        self._varied = 0
        self._initial = sheets.properties
        self._inline = inline
        self._inks = self._vanishing() if plain else frozenset()
        self._fading = {name.lower() for name, frames in sheets.frames.items() if self._fades(frames.described)}
        """Animations with a frame that hides."""

    def _fades(self, frames: Iterable[tuple[str, str]]) -> bool:
        return any("color" in body or self._is_alarming(weighed(body)) for _, body in frames)

    def may_hide(self, body: str) -> bool:
        """Tell whether the body of a rule may hide what it applies to."""
        weight = weighed(body)
        fades = self._fading and "animation" in body and self._may_fade(body)
        return self._is_alarming(weight) or fades or self._may_blend(weight)

    def _may_fade(self, body: str) -> bool:
        return any(not self._fading.isdisjoint(re.findall(r"[\w-]+", told.lower())) for told in _MOVES.findall(body))

    def _is_alarming(self, weight: Weight) -> bool:
        return weight.most > self._least or any(map(self._may_vary, weight.varying))

    def _may_vary(self, declaration: str) -> bool:
        """Tell whether custom properties that a declaration asks for have, somewhere, values that hide."""
        name, _, value = declaration.partition(":")
        if name.strip().lower() in {"display", "visibility"}:
            return True
        variants = self._variants(value)
        return variants is None or any(alarm(f"{name}:{one}") for one in variants)

    def _variants(self, value: str) -> set[str] | None:
        """Return what a value may become once custom properties are put in; None when that may be anything."""
        done, waiting, seen = set[str](), [value], {value}
        while waiting:
            self._varied += 1
            if self._varied > _MOST_VARIED:
                return None
            one = waiting.pop()
            found = ASKED.search(one)
            if found is None:
                done.add(one)
                continue
            end = closing(one, found.end())
            put_in = [*self.values().get(found[1], ())]
            if len(put_in) > _MOST_VALUES:
                return None
            if found[2]:
                put_in.append(one[found.end() : end])
            for other in put_in:
                made = f"{one[: found.start()]}{other}{one[end + 1 :]}"
                if made not in seen:
                    seen.add(made)
                    waiting.append(made)
            if len(seen) > _MOST_VALUES or any(len(made) > _LONGEST_VALUE or is_deep(made) for made in waiting):
                return None
        return done

    def _may_blend(self, weight: Weight) -> bool:
        """Tell whether a rule may give text the colour of what is behind it."""
        if not weight.inks and not (weight.grounds and self._plain):
            return False
        if weight.blends or (any("var(" in ink for ink in weight.inks) and self._may_blend_by_name(weight)):
            return True
        if not self._plain:
            return False
        if self._inks is None or not self._inks.isdisjoint(weight.inks):
            return True
        behind = [one for ground in weight.grounds if (one := colours.ground(ground)) is not None]
        return any(not colours.shows(colours.BLACK, one) for one in behind)

    def _may_blend_by_name(self, weight: Weight) -> bool:
        """Tell whether the colour that custom properties give may be none, or that of the ground."""
        if self._plain or any("var(" in one for one in weight.grounds):
            return True
        variants = [self._variants(ink) for ink in weight.inks]
        return any(one is None or any(_vanishes(ink, ()) for ink in one) for one in variants)

    def _vanishing(self) -> frozenset[str] | None:
        """Return the text colours that some background of the page swallows; None when there are too many to tell."""
        inks: set[str] = set()
        grounds = {colours.WHITE} if self._plain else set()
        for raw in self._rules:
            weight = weighed(raw.body)
            inks.update(weight.inks)
            grounds.update(one for ground in weight.grounds if (one := colours.ground(ground)) is not None)
            if len(inks) + len(grounds) > _MOST_COLOURS:
                return None
        return frozenset(ink for ink in inks if _vanishes(ink, grounds))

    def values(self) -> dict[str, set[str]]:
        """Return every value that the sheets give each custom property."""
        if self._values is None:
            self._values = {}
            for name, told in registered(self._initial).items():
                self._values[name] = {told.initial.lower()} if told.initial is not None else set()
            for body in (*(rule.body for rule in self._rules), *self._inline):
                for key, value in _VARIABLE.findall(body) if "--" in body else ():
                    self._values.setdefault(key, set()).add(value.strip().lower())
        return self._values


def _vanishes(ink: str, grounds: Iterable[colours.Colour]) -> bool:
    found = colours.colour(ink)
    if found is None or found is colours.UNKNOWN:
        return False
    return not colours.shows(found, None) or any(not colours.shows(found, ground) for ground in grounds)
