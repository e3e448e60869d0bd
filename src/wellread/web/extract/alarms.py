"""Tells cheaply which rules of a style sheet may hide something: few do, and only those are matched with elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.web.extract import colours
from wellread.web.extract.concealment import concealment
from wellread.web.extract.lengths import length
from wellread.web.extract.properties import is_known, parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wellread.web.extract.rules import Written

FADES: Final = 1
HIDES: Final = 2
VARIES: Final = 3
_MOST_COLOURS: Final = 200
_MOST_CACHED: Final = 50_000
_FAINT: Final = 0.5
_SMALL: Final = 8.0
"""Half an em, twice over, cannot be read."""
_HIDES: Final = re.compile(
    r"display\s*:\s*(?:none|table-col|var)|visibility\s*:\s*(?:hidden|collapse|var)|(?<![\w-])(?:-webkit-)?clip(?:-path)?\s*:"
    r"|filter\s*:[^;]*(?:opacity|blur|var)|mask[\w-]*\s*:[^;]*transp|text-security|indent\s*:[^;]*(?:\d{2}|calc|var)"
    r"|(?<![\w-])font(?:-size)?\s*:[^;]*?(?<![\d.#/\w])(?:0?\.\d|0*[0-3](?:\.\d*)?(?:px|pt|q|mm|%|\s|/|$)|0+[a-z%]|0*[1-3]\d?%"
    r"|0*e|calc|var|clamp|min)"
    r"|scale|zoom\s*:|matrix|rotate[xy3]|\\|letter-spacing\s*:\s*(?:-|calc|var)"
    r"|(?<![\w-])(?:left|right|top|bottom|inset|margin|translate|transform)[\w-]*\s*:"
    r"[^;]*(?:-\s*\d{2}|\d{4}|\d{3}(?:em|rem|v|ch|l|s|d|c)|calc|var|-\s*\d+\.?\d*v|\d{2}v)"
    r"|(?<![\w-])(?:max-)?(?:height|width|block-size|inline-size)\s*:\s*"
    r"(?:calc|var|min|[+-]?(?:0*[0-3](?:\.\d*)?(?:px|pt|q|mm|\s|$)|0?\.\d|0+(?:\D|$)))|line-height\s*:\s*(?:0+(?:[a-z%\s]|$)|calc|var)",
    re.IGNORECASE,
)
_FADES: Final = re.compile(r"opacity\s*:\s*(?:0|\.[0-5]|[0-5]?\d(?:\.\d*)?%|calc|var)", re.IGNORECASE)
_INK: Final = re.compile(r"(?<![\w-])(?:-webkit-text-fill-)?color\s*:\s*([^;}!]+)", re.IGNORECASE)
_GROUND: Final = re.compile(r"(?<![\w-])background(?:-color)?\s*:\s*([^;}!]+)", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"(--[\w-]+)\s*:\s*([^;{}]+)")
_ASKED: Final = re.compile(r"var\(\s*(--[\w-]+)")
_PAINT: Final = frozenset({"color", "background", "background-color", "padding", "-webkit-text-fill-color", "flex"})

_known: dict[str, int] = {}


def alarm(declaration: str) -> int:
    """Return whether a declaration by itself may hide: 0, FADES for the start of a fade-in, HIDES, or VARIES."""
    known = _known.get(declaration)
    if known is None:
        if len(_known) > _MOST_CACHED:
            _known.clear()
        known = _known[declaration] = _alarm(declaration)
    return known


def _alarm(declaration: str) -> int:
    name, _, value = declaration.partition(":")
    name, value = name.strip().lower(), value.partition("!")[0].strip().lower()
    if "\\" not in declaration and (not is_known(name) or name in _PAINT):
        return 0
    if not _HIDES.search(declaration) and not _FADES.search(declaration):
        return 0
    if "var(" in value:
        return VARIES
    if "\\" in declaration or "/*" in declaration:
        return HIDES
    css = {"position": "absolute", "overflow-x": "hidden", **dict(parsed(name, value) or ())}
    opacity, size = css.get("opacity"), css.get("font-size")
    if (isinstance(opacity, float | int) and opacity <= _FAINT) or "scale" in value:
        return FADES
    small = length(size) if isinstance(size, str) else None
    hides = concealment(css) or css.get("visibility") in {"hidden", "collapse"} or (small is not None and small < _SMALL)
    return HIDES if hides else 0


def is_about_showing(body: str) -> bool:
    """Tell whether all that may hide in the body of a rule is `display` or `visibility`."""
    return not _INK.search(body) and all(
        one.lstrip()[:4].lower() in {"disp", "visi"} for one in body.split(";") if alarm(one)
    )


class Alarms:
    """Weighs the rules of one page."""

    def __init__(self, rules: Sequence[Written], *, scripted: bool, plain: bool) -> None:
        self._rules = rules
        self._least = FADES if scripted else 0
        self._plain = plain
        self._variables: dict[str, set[str]] | None = None
        self._inks = self._vanishing() if plain else frozenset()

    def may_hide(self, body: str) -> bool:
        """Tell whether the body of a rule may hide what it applies to."""
        for one in body.split(";"):
            known = alarm(one)
            if known > self._least and (known != VARIES or self._may_vary(one)):
                return True
        return self._may_blend(body) if self._plain or "color" in body else False

    def _may_vary(self, declaration: str) -> bool:
        """Tell whether a custom property that a declaration asks for has, somewhere, a value that hides."""
        name, _, value = declaration.partition(":")
        if name.strip().lower() in {"display", "visibility"}:
            return True
        known = self.values()
        for asked in _ASKED.findall(value):
            for given in known.get(asked, ()):
                if "var(" not in given and alarm(f"{name}:{given}"):
                    return True
        return False

    def _may_blend(self, body: str) -> bool:
        """Tell whether a rule may give text the colour of what is behind it."""
        found = [one.strip().lower() for one in _INK.findall(body)]
        if not self._plain:
            grounds = {colours.ground(one.strip().lower()) for one in _GROUND.findall(body)} if found else ()
            return any(_vanishes(ink, [ground for ground in grounds if ground is not None]) for ink in found)
        if self._inks is None:
            return "color" in body
        if any(ink in self._inks for ink in found):
            return True
        return "background" in body and any(
            (ground := colours.ground(one.strip().lower())) is not None and not colours.shows(colours.BLACK, ground)
            for one in _GROUND.findall(body)
        )

    def _vanishing(self) -> frozenset[str] | None:
        """Return the text colours that some background of the page swallows; None when there are too many to tell."""
        inks: set[str] = set()
        grounds = {colours.WHITE} if self._plain else set()
        for raw in self._rules:
            if "color" in raw.body or "background" in raw.body:
                inks.update(found.strip().lower() for found in _INK.findall(raw.body))
                found = [colours.ground(one.strip().lower()) for one in _GROUND.findall(raw.body)]
                grounds.update(one for one in found if one is not None)
            if len(inks) + len(grounds) > _MOST_COLOURS:
                return None
        return frozenset(ink for ink in inks if _vanishes(ink, grounds))

    def values(self) -> dict[str, set[str]]:
        """Return every value that the sheets give each custom property."""
        if self._variables is None:
            self._variables = {}
            for rule in self._rules:
                for key, value in _VARIABLE.findall(rule.body) if "--" in rule.body else ():
                    self._variables.setdefault(key, set()).add(value.strip().lower())
        return self._variables


def _vanishes(ink: str, grounds: Iterable[colours.Colour]) -> bool:
    found = colours.colour(ink)
    if found is None or found is colours.UNKNOWN:
        return False
    return not colours.shows(found, None) or any(not colours.shows(found, ground) for ground in grounds)
