"""Tells what an animation makes of an element once it has come to rest (CSS Animations 1)."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.declarations import Declaration, declarations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.css.colours import Colour

    Computed = Mapping[str, str | float | Colour | None]
    Frames = Mapping[str, Sequence[tuple[str, str]]]

_TIME: Final = re.compile(r"(?<![\w.-])(-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))(ms|s)\b")
_NUMBER: Final = re.compile(r"(?<![\w.#-])(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?![\w.%])")
_FUNCTION: Final = re.compile(r"\([^()]*\)")
_PATIENCE_S: Final = 60.0
"""How long a reader waits for what moves."""
_MOST: Final = 20
_SHOWN: Final = 0.05
_NEAR: Final = 0.1
"""Of the way between two frames: so near one that what it hides is hidden."""


_LONGHANDS: Final = ("duration", "delay", "iteration-count", "name", "fill-mode", "play-state", "direction")
_PARTS: Final = ("animation", *map("animation-{}".format, _LONGHANDS))


class _Motion(NamedTuple):
    name: str
    rests: tuple[str, ...]
    """Places of the frame that it keeps: the first, for as long as anybody looks, or the last; or none."""
    endless: bool
    late: bool


def _said(css: Computed, name: str) -> str:
    value = css.get(name)
    return value if isinstance(value, str) else ""


def _motions(css: Computed, frames: Frames) -> list[_Motion]:
    lists = [_FUNCTION.sub("", _said(css, name)).split(",")[:_MOST] for name in _PARTS]
    told = [[parts[at % len(parts)] for parts in lists] for at in range(max(map(len, lists)))]
    return [motion for one in told for motion in _named(one, frames)]


def _named(told: Sequence[str], frames: Frames) -> list[_Motion]:
    """Return one animation, by each word in it that may be its name."""
    words = re.findall(r"[\w-]+", " ".join(told))
    times = [0.0, 0.0]
    for at, (number, unit) in enumerate(_TIME.findall(told[0])[:2]):
        times[at] = float(number) * (0.001 if unit == "ms" else 1.0)
    for at, longhand in enumerate(told[1:3]):
        if found := _TIME.search(longhand):
            times[at] = float(found[1]) * (0.001 if found[2] == "ms" else 1.0)
    lower = {word.lower() for word in words}
    count = _NUMBER.search(told[3] or told[0])
    endless = "infinite" in lower
    held = "paused" in lower or (times[0] > _PATIENCE_S and not endless)
    stays = not endless and not {"forwards", "both"}.isdisjoint(lower)
    ran = float(count[0]) if count and not held else float(not held)
    rests = _place(lower, ran) if held or stays else ()
    names = [word.lower() for word in words if word.lower() in frames][:_MOST]
    return [_Motion(name, rests, endless and not held, times[1] > _PATIENCE_S) for name in names if name != "none"]


def _place(words: set[str], count: float) -> tuple[str, ...]:
    """Return the frame at which an animation is that ran so often; none between frames (Web Animations 1, 4.10)."""
    runs = math.ceil(count) - 1 if count else 0
    backwards = "reverse" in words or ("alternate" if runs % 2 else "alternate-reverse") in words
    way = count - runs
    if _NEAR < way < 1 - _NEAR:
        return ()
    return ("to", "100%") if (way > _NEAR) is not backwards else ("from", "0%")


def settled(css: Computed, frames: Frames) -> list[Declaration]:
    """Return what the animations of an element declare once they rest; of endless ones, what all frames declare."""
    found: list[Declaration] = []
    for motion in _motions(css, frames) if frames else ():
        described = frames[motion.name]
        if motion.late:
            continue
        found += _common(described) if motion.endless else _frame(described, motion.rests)
    return found


def shows_later(css: Computed, frames: Frames) -> bool | None:
    """Tell whether an animation gives an element its opacity; None when none of its key frames are known."""
    known = _motions(css, frames) if frames else []
    if not known:
        return None
    return any(_gives_opacity(motion, frames[motion.name]) for motion in known)


def _gives_opacity(motion: _Motion, described: Sequence[tuple[str, str]]) -> bool:
    if motion.late:
        return False
    shown = described if motion.endless else [one for one in described if _is_at(one[0], motion.rests)]
    return any(
        one.name == "opacity" and not _is_faint(one.value) for _, body in shown for one in declarations(body) or ()
    )


def _is_faint(value: str) -> bool:
    number = value.rstrip("%")
    try:
        return float(number) * (0.01 if value.endswith("%") else 1.0) < _SHOWN
    except ValueError:
        return False


def _is_at(selector: str, places: tuple[str, ...]) -> bool:
    return any(part.strip() in places for part in selector.split(","))


def _frame(described: Sequence[tuple[str, str]], places: tuple[str, ...]) -> list[Declaration]:
    return [one for selector, body in described if _is_at(selector, places) for one in declarations(body) or ()]


def _common(described: Sequence[tuple[str, str]]) -> list[Declaration]:
    every = [set(declarations(body) or ()) for _, body in described]
    places = {part.strip() for selector, _ in described for part in selector.split(",")}
    if not every or not {"from", "0%"} & places or not {"to", "100%"} & places:
        return []
    return sorted(set.intersection(*every))
