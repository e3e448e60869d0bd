"""Tells what an animation makes of an element once it has come to rest (CSS Animations 1)."""

from __future__ import annotations

import math
import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.declarations import Declaration, declarations
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.css.colours import Colour

    Computed = Mapping[str, str | float | Colour | None]
    Frames = Mapping[str, "KeyFrames"]

_TIME: Final = lazy_pattern(r"(?<![\w.-])(-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(?:e[+-]?\d{1,2})?)(ms|s)\b")
_NUMBER: Final = lazy_pattern(r"(?<![\w.#-])(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?![\w.%])")
_FUNCTION: Final = lazy_pattern(r"\([^()]*\)")
_PATIENCE_S: Final = 60.0
"""How long a reader waits for what moves; for what comes again and again ten times as long, for he sees a part."""
_MOST: Final = 20
_SHOWN: Final = 0.05
_NEAR: Final = 0.1
"""Of the way between two frames: so near one that what it hides is hidden."""


_LONGHANDS: Final = ("duration", "delay", "iteration-count", "name", "fill-mode", "play-state", "direction")
_PARTS: Final = ("animation", *map("animation-{}".format, _LONGHANDS))
_NAME: Final = _PARTS.index("animation-name")


class KeyFrames:
    """What the key frames of one animation declare, read when it is asked for, once."""

    def __init__(self) -> None:
        self.described: Final[list[tuple[str, str]]] = []
        """Selectors, in lower case, and bodies."""

    @cached_property
    def told(self) -> dict[str, list[Declaration]]:
        """What each frame declares; `!important` has no place in it (CSS Animations 1, 3)."""
        found: dict[str, list[Declaration]] = {}
        for selector, body in self.described:
            for part in selector.split(","):
                place = {"from": "0%", "to": "100%"}.get(part.strip(), part.strip())
                found.setdefault(place, []).extend(one for one in declarations(body) or () if not one.important)
        return found

    @cached_property
    def common(self) -> list[Declaration]:
        """What all of them declare."""
        return sorted(set.intersection(*map(set, self.told.values()))) if {"0%", "100%"} <= self.told.keys() else []

    @cached_property
    def opacity(self) -> str | None:
        """The strongest that any of them gives."""
        given = [one.value for every in self.told.values() for one in every if one.name == "opacity"]
        return min(given, key=_is_faint, default=None)


class _Motion(NamedTuple):
    name: str
    rests: str
    """The frame that it keeps: `0%`, for as long as anybody looks, or `100%`; or none."""
    endless: bool
    late: bool


def _said(css: Computed, name: str) -> str:
    value = css.get(name)
    return value if isinstance(value, str) else ""


def _motions(css: Computed, frames: Frames) -> list[_Motion]:
    if "none" in {_said(css, "animation-name"), _said(css, "animation-timeline")}:
        return []
    lists = [_FUNCTION.sub("", _said(css, name)).split(",")[:_MOST] for name in _PARTS]
    told = [[parts[at % len(parts)] for parts in lists] for at in range(max(len(lists[0]), len(lists[_NAME])))]
    worked_out = [each for name in _PARTS for each in _FUNCTION.findall(_said(css, name))]
    never = any(_seconds(*found) > _PATIENCE_S for each in worked_out for found in _TIME.findall(each))
    return [motion._replace(late=motion.late or never) for one in told for motion in _named(one, frames)]


def _seconds(number: str, unit: str) -> float:
    return float(number) * (0.001 if unit == "ms" else 1.0)


def _named(told: Sequence[str], frames: Frames) -> list[_Motion]:
    """Return one animation, by each word in it that may be its name."""
    words = re.findall(r"[\w-]+", " ".join(told))
    times = [0.0, 0.0]
    for at, found in enumerate(_TIME.findall(told[0])[:2]):
        times[at] = _seconds(*found)
    for at, longhand in enumerate(told[1:3]):
        for found in _TIME.findall(longhand)[:1]:
            times[at] = _seconds(*found)
    lower = {word.lower() for word in words}
    count = _NUMBER.search(told[3] or told[0])
    endless = "infinite" in lower
    held = "paused" in lower or times[0] > _PATIENCE_S * (10 if endless else 1)
    stays = not endless and not {"forwards", "both"}.isdisjoint(lower)
    ran = float(count[0]) if count and not held else float(not held)
    rests = _place(lower, ran) if held or stays else ""
    names = [word.lower() for word in words if word.lower() in frames][:_MOST]
    return [_Motion(name, rests, endless and not held, times[1] > _PATIENCE_S) for name in names if name != "none"]


def _place(words: set[str], count: float) -> str:
    """Return the frame at which an animation is that ran so often; none between frames (Web Animations 1, 4.10)."""
    runs = math.ceil(count) - 1 if count else 0
    backwards = "reverse" in words or ("alternate" if runs % 2 else "alternate-reverse") in words
    way = count - runs
    if _NEAR < way < 1 - _NEAR:
        return ""
    return "100%" if (way > _NEAR) is not backwards else "0%"


def settled(css: Computed, frames: Frames) -> list[Declaration]:
    """Return what the animations of an element declare once they rest; of endless ones, what all frames declare."""
    known = [(one, frames[one.name]) for one in (_motions(css, frames) if frames else ()) if not one.late]
    return [each for one, told in known for each in (told.common if one.endless else told.told.get(one.rests, ()))]


def shows_later(css: Computed, frames: Frames) -> bool | None:
    """Tell whether the last animation that says so gives an element its opacity; None when no key frames are known."""
    known = _motions(css, frames) if frames else []
    shown = False if known else None
    for motion in known:
        rest = frames[motion.name].told.get(motion.rests, ())
        given = next((one.value for one in reversed(rest) if one.name == "opacity"), None)
        value = frames[motion.name].opacity if motion.endless else given
        if value is not None and not motion.late:
            shown = not _is_faint(value)
    return shown


def _is_faint(value: str) -> bool:
    number = value.rstrip("%")
    try:
        return float(number) * (0.01 if value.endswith("%") else 1.0) < _SHOWN
    except ValueError:
        return "var(" not in value  # what a browser cannot read either gives nothing back
