"""Decides from attributes and the page's own style sheets what a person looking at the page cannot see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.web.extract import names
from wellread.web.extract.names import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SUSPECT = re.compile(
    r"none|hidden|collapse|opacity|font|clip|-\s*\d|indent|color|transform|(?:height|width)\s*:\s*[01](?:\D|$)",
    re.IGNORECASE,
)
# Bounded repeats: digits without end must not be tried from every place.
_LENGTH = re.compile(r"(-?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))\s{0,4}(px|em|rem|pt|vw|vh|%|)")
_ZERO_CLIP = re.compile(r"rect\(\s*([01](?:px|%)?)(?:[\s,]+[01](?:px|%)?){3}\s*\)")
_ZERO_PATH = re.compile(
    r"inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px)?\s+0(?:px)?\s*,\s*0(?:px)?\s+0(?:px)?\s*[,)]"
)
_AWAY = re.compile(r"(?:translate(?:x|y|3d)?\([^)]{0,80}-\s{0,4}\d{4,9}px|scale(?:3d|x|y)?\(\s*0(?:\.0+)?\s*[,)])")
_PIXELS: Final = {"px": 1.0, "": 1.0, "em": 16.0, "rem": 16.0, "pt": 1.33, "vw": 12.0, "vh": 8.0, "%": 10.0}
_OFF_SCREEN = -500.0
_COLOURS: Final = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "yellow": "#ffff00", "gray": "#808080"}
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*([\d.]+%?)\s*)?\)")

OPENED_BY_READERS: Final = word_set(
    "tab tabs tabpanel pane accordion collapse collapsible expandable expander faq toggle disclosure answer spoiler"
)
"""Names of panels that are closed at first and opened by the reader: part of the page."""

_MOST_CACHED = 20_000
_styles: dict[str, str | None] = {}


def declarations(style: str) -> dict[str, str]:
    """Parse `a: b; c: d !important`; a later declaration wins."""
    found = {}
    for part in style.lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def concealed(style: str) -> str | None:
    """Return why an element with this inline style cannot be seen, or None when it can."""
    if style in _styles:
        return _styles[style]
    reason = _reason(declarations(style)) if len(style) < 10_000 and _SUSPECT.search(style) else None
    if len(_styles) > _MOST_CACHED:
        _styles.clear()
    _styles[style] = reason
    return reason


def _reason(css: Mapping[str, str]) -> str | None:
    if css.get("display") == "none":
        return "display:none"
    if css.get("visibility") in {"hidden", "collapse"} or css.get("content-visibility") == "hidden":
        return "visibility:hidden"
    if _below(css.get("opacity"), 0.05):
        return "opacity:0"
    if _below(css.get("font-size"), 2.0) or re.match(r"0(?:px|em|pt|%)?[\s/]", css.get("font", "")):
        return "font-size:0"
    return _out_of_sight(css) or _same_colour(css)


def _out_of_sight(css: Mapping[str, str]) -> str | None:
    afloat = css.get("position") in {"absolute", "fixed"}
    if (afloat and _ZERO_CLIP.search(css.get("clip", ""))) or _ZERO_PATH.search(css.get("clip-path", "")):
        return "clip"
    sides = ("left", "top", "right", "bottom") if afloat else ()
    if any(_below(css.get(side), _OFF_SCREEN) for side in (*sides, "text-indent", "margin-left", "margin-top")):
        return "off-screen"
    if _AWAY.search(css.get("transform", "")):
        return "off-screen"
    clipped = css.get("overflow") in {"hidden", "clip"} or css.get("overflow-y") == "hidden"
    if clipped and any(_below(css.get(side), 1.5) for side in ("height", "width", "max-height", "max-width")):
        return "zero size"
    return None


def _same_colour(css: Mapping[str, str]) -> str | None:
    ink = colour(css.get("color"))
    if ink is None:
        return None
    if ink == "transparent":
        see_through = "text" in css.get("background-clip", "") + css.get("-webkit-background-clip", "")
        return None if see_through or "text-shadow" in css else "transparent text"
    return "text in the background's colour" if ink == background(css) else None


def background(css: Mapping[str, str]) -> str | None:
    """Return the background colour that inline declarations set, or None."""
    whole = css.get("background", "")
    return colour(css.get("background-color")) or colour(whole) or (colour(whole.split()[0]) if whole.split() else None)


def colour(value: str | None) -> str | None:
    """Return a colour as #rrggbb or `transparent`; None when it is not one we know."""
    if not value:
        return None
    value = _COLOURS.get(value, value)
    if value == "transparent":
        return value
    if found := _RGB.fullmatch(value):
        red, green, blue, alpha = found.groups()
        if alpha is not None and float(alpha.rstrip("%")) == 0:
            return "transparent"
        return f"#{int(red):02x}{int(green):02x}{int(blue):02x}"
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "#" + "".join(digit * 2 for digit in value[1:])
    return value if re.fullmatch(r"#[0-9a-f]{6}", value) else None


def _below(value: str | None, limit: float) -> bool:
    """Tell whether a CSS length is below `limit` pixels."""
    found = _LENGTH.fullmatch(value) if value else None
    return found is not None and float(found.group(1)) * _PIXELS[found.group(2)] < limit


# -------------------------------------------------------------------------------------- style sheets

_LONGEST_SHEET = 300_000
_MOST_RULES = 2_000
_MOST_SAME = 20
_DEEPEST = 50
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_COMPOUND = re.compile(r"([a-zA-Z][a-zA-Z0-9]*)?((?:[.#][\w-]+)+)")
_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|clip|-\d{3,}|text-indent|(?:height|width)\s*:\s*[01](?:px|;|\})"
)
_TOUCHES = re.compile(r"display|visib|font-size|clip|indent|position|margin|height|width|transform")
"""Most rules touch nothing of this and need no closer look."""
_SHOWS = re.compile(
    r"display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible|position\s*:\s*static|font-size\s*:\s*[^0\s]"
)


class _Rule(NamedTuple):
    needs: frozenset[str]
    """`.class`, `#id` and the tag that must all be on the element."""
    place: int
    reason: str | None
    """Why it hides; None when it shows."""


class StyleSheets:
    """The rules of a page's own <style> blocks that hide an element by its own class, id and tag."""

    def __init__(self, sheets: Sequence[str], shown: frozenset[str] = frozenset()) -> None:
        self.shown = shown
        """Ids of elements that a script shows as the page loads."""
        self._by_name: dict[str, list[_Rule]] = {}
        room = _LONGEST_SHEET
        place = 0
        for sheet in sheets:
            for rule in _rules(sheet[:room]):
                place += 1
                if place > _MOST_RULES:
                    return
                key = next(name for name in rule.needs if name[0] in ".#")
                same = self._by_name.setdefault(key, [])
                if len(same) < _MOST_SAME:
                    same.append(rule._replace(place=place))
            room -= min(room, len(sheet))
        if not any(rule.reason for rules in self._by_name.values() for rule in rules):
            self._by_name.clear()

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def reason(self, tag: str, attributes: Mapping[str, str | None]) -> str | None:
        """Return why the style sheets hide an element with these attributes, or None."""
        own = {f".{name}" for name in (attributes.get("class") or "").split()[:50]}
        if attributes.get("id"):
            own.add(f"#{attributes['id']}")
        touching = [rule for name in own for rule in self._by_name.get(name, ()) if rule.needs <= own | {tag}]
        if not touching:
            return None
        # More names in the selector win over fewer, then the later rule over the earlier (CSS Cascade, 6.1).
        return max(touching, key=lambda rule: (len(rule.needs), rule.place)).reason


def _rules(sheet: str) -> Iterator[_Rule]:
    if _HIDES.search(sheet) is None:
        return
    sheet = _COMMENT.sub("", sheet)
    for prelude, body, conditional in _flat(sheet):
        hides = _HIDES.search(body) is not None
        if (conditional and hides) or not (hides or _SHOWS.search(body)):
            continue
        reason = _reason(declarations(body)) if hides else None
        if hides and reason in {None, "opacity:0"}:
            continue  # opacity in a style sheet is nearly always the start of a fade-in
        for selector in prelude.split(",")[:50]:
            found = _COMPOUND.fullmatch(selector.strip())
            if found:
                tag, rest = found.groups()
                yield _Rule(frozenset([*re.findall(r"[.#][\w-]+", rest), *([tag.lower()] if tag else [])]), 0, reason)


def _flat(sheet: str) -> Iterator[tuple[str, str, bool]]:
    """Yield (selectors, declarations, inside a condition) of every rule for the screen."""
    conditions: list[str] = []
    for chunk in sheet.split("}"):
        at = chunk.rfind("{")
        if at < 0:
            if conditions:
                conditions.pop()
            continue
        prelude = chunk[:at]
        if "{" in prelude:
            *outer, prelude = prelude.split("{")
            conditions.extend(outer)
            if len(conditions) > _DEEPEST:
                return  # each rule looks at all of them
        if _TOUCHES.search(chunk, at) is None:
            continue
        prelude = prelude.rpartition(";")[2].strip()
        if prelude[:1] != "@" and not any("print" in condition for condition in conditions):
            yield prelude, chunk[at + 1 :], bool(conditions)


_STREAMED = re.compile(r"""<template id=["'][BP]:([\w-]{1,40})["']""")


def shown_by_script(html: str) -> frozenset[str]:
    """Return the ids of hidden pieces that React's streaming runtime moves to their placeholders as the page loads."""
    streams = "<template id=" in html and "$RC" in html  # the runtime's own name for the function that moves them
    return frozenset(f"S:{name}" for name in _STREAMED.findall(html)) if streams else frozenset()


PANELS_HIDE_BY = frozenset(
    {"display:none", "visibility:hidden", "hidden attribute", "aria-hidden", "zero size", "opacity:0"}
)
"""How tabs and accordions put their panels away; text that is moved, shrunk or painted over is no panel."""


def is_panel(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether an element is a tab or accordion panel, which a reader opens with a click."""
    if attributes.get("role") == "tabpanel" or attributes.get("hidden") == "until-found":
        return True
    return not OPENED_BY_READERS.isdisjoint(names.of(attributes))
