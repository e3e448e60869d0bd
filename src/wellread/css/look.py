"""How text looks at one place of a page, and whether that can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import colours, media
from wellread.css.concealment import HALF, LEAST_FONT

if TYPE_CHECKING:
    from wellread.css.colours import Colour
    from wellread.css.concealment import Concealment


class Look(NamedTuple):
    """How text looks at one place of the page."""

    windows: int = media.BOTH
    """In which windows it is seen at all."""
    visible: bool = True
    opacity: float = 1.0
    size: float = 16.0
    share: float = 1.0
    """How much of that size is left by scaling and zooming, those of all around taken together."""
    ink: Colour | None = None
    fill: Colour | None = None
    ground: Colour | None = None
    shadow: Colour | None = None
    """The colour of a shadow that shows where the text is; UNKNOWN for one that cannot be worked out."""
    flat: bool = False
    """Lines are of no height, so that a box which cuts off what it does not hold shows nothing."""
    cramped: bool = False
    """The box around gives those in it no room of their own."""
    room: float | None = None
    """How high the window is through which the box around shows, where that is little."""
    gone: Concealment | None = None
    """Why the element and all in it is out of sight."""
    veil: str | None = None
    """Why text right here cannot be seen, though text further in might."""


USUAL: Final = Look()


def is_plain(look: Look) -> bool:
    """Tell whether what is in an element looks as it does, unless its own styles hide it."""
    if look is USUAL:
        return True
    coloured = look.ink is not None or look.fill is not None or look.ground is not None
    boxed = look.flat or look.cramped or look.room is not None or look.share < HALF
    return not coloured and not boxed and look.veil is None and look.visible and look.windows == media.BOTH


def veil(look: Look, *, plain: bool) -> str | None:
    """Return why text right here cannot be seen."""
    if not look.visible:
        return "visibility:hidden"
    if look.size * look.share < LEAST_FONT:
        return "font-size:0"
    paint = look.fill or look.ink or (colours.BLACK if plain and look.ground is not None else None)
    if paint is None or colours.shows(paint, look.ground):
        return None
    if look.shadow is not None and colours.shows(look.shadow, look.ground):
        return None
    return "transparent text" if not paint.alpha else "text in the background's colour"
