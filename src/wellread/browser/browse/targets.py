"""What steps of a browser session are done on, and what they take besides it."""

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
    """What `click` takes besides the number of an element."""

    button: str
    count: int
    modifiers: Sequence[str]


class TypeOptions(TypedDict, total=False):
    """What `type` takes besides the number of a field and the text."""

    submit: bool
    clear: bool
    words: str | None
    selector: str | None


@dataclass(frozen=True, slots=True)
class StepTarget:
    """What a step is done on: an element by its number, by its words, by a CSS selector; or a point of the window."""

    index: int | None = None
    words: str | None = None
    selector: str | None = None
    point: tuple[float, float] | None = None


def one_target(target: StepTarget) -> StepTarget:
    """Return `target`, which names exactly one thing.

    Raises:
        InvalidInput: it names none, or several.
    """
    if sum(each is not None for each in (target.index, target.words, target.selector, target.point)) != 1:
        raise InvalidInput("an element is named in one way", hint="by its index, words, a selector or a point")
    return target
