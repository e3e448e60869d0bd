"""The targets of the steps of a browser session, and their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence


class HoverOptions(TypedDict, total=False):
    """How `hover` finds an element without its number."""

    words: str | None
    selector: str | None
    point: tuple[float, float] | None


class ClickOptions(HoverOptions, total=False):
    """Options of `click` besides the number of an element."""

    button: str
    count: int
    modifiers: Sequence[str]


@dataclass(frozen=True, slots=True)
class StepTarget:
    """The target of a step: an element by its number, its words or a CSS selector; or a point of the window."""

    index: int | None = None
    words: str | None = None
    selector: str | None = None
    point: tuple[float, float] | None = None


def one_target(target: StepTarget) -> StepTarget:
    """Return `target` if it names exactly one element or point.

    Raises:
        InvalidInput: it names none, or several.
    """
    if sum(way is not None for way in (target.index, target.words, target.selector, target.point)) != 1:
        raise InvalidInput("an element needs exactly one address", hint="use an index, words, a selector or a point")
    return target
