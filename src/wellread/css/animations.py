"""Tells what an animation makes of an element once it has come to rest (CSS Animations 1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.declarations import Declaration, declarations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.css.colours import Colour

    Computed = Mapping[str, str | float | Colour | None]
    Frames = Mapping[str, Sequence[tuple[str, str]]]

_TIME: Final = re.compile(r"(?<![\w.-])(-?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))(ms|s)\b")
_PATIENCE_S: Final = 60.0
"""How long a reader waits for what moves."""
_MOST: Final = 20
_SHOWN: Final = 0.05


class _Motion(NamedTuple):
    name: str
    stays: bool
    """It keeps its last frame."""
    endless: bool
    held: bool
    """It keeps its first frame, for as long as anybody looks."""
    late: bool


def _said(css: Computed, name: str) -> str:
    value = css.get(name)
    return value if isinstance(value, str) else ""


def _motions(css: Computed, frames: Frames) -> list[_Motion]:
    told = " ".join((_said(css, "animation"), *(_said(css, name) for name in _LONGHANDS)))
    words = re.findall(r"[\w-]+", told)
    times = [
        float(number) * (0.001 if unit == "ms" else 1.0) for number, unit in _TIME.findall(_said(css, "animation"))
    ]
    times += [0.0] * (2 - len(times))
    for at, name in enumerate(("animation-duration", "animation-delay")):
        if found := _TIME.search(_said(css, name)):
            times[at] = float(found[1]) * (0.001 if found[2] == "ms" else 1.0)
    lower = {word.lower() for word in words}
    stays = bool({"forwards", "both"} & lower)
    held = "paused" in lower or (times[0] > _PATIENCE_S and "infinite" not in lower)
    late = times[1] > _PATIENCE_S
    names = [word.lower() for word in words if word.lower() in frames][:_MOST]
    return [_Motion(name, stays, "infinite" in lower, held, late) for name in names if name != "none"]


_LONGHANDS: Final = ("animation-name", "animation-fill-mode", "animation-play-state", "animation-iteration-count")


def settled(css: Computed, frames: Frames) -> list[Declaration]:
    """Return what the animations of an element declare once they rest; of endless ones, what all frames declare."""
    found: list[Declaration] = []
    for motion in _motions(css, frames) if frames else ():
        described = frames[motion.name]
        if motion.late:
            continue
        if motion.held:
            found += _frame(described, ("from", "0%"))
        elif motion.endless:
            found += _common(described)
        elif motion.stays:
            found += _frame(described, ("to", "100%"))
    return found


def shows_later(css: Computed, frames: Frames) -> bool | None:
    """Tell whether an animation gives an element its opacity; None when none of its key frames are known."""
    known = _motions(css, frames) if frames else []
    if not known:
        return None
    return any(_gives_opacity(motion, frames[motion.name]) for motion in known)


def _gives_opacity(motion: _Motion, described: Sequence[tuple[str, str]]) -> bool:
    if motion.late or motion.held or not (motion.stays or motion.endless):
        return False
    shown = described if motion.endless else [one for one in described if _is_at(one[0], ("to", "100%"))]
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
