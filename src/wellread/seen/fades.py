"""Knows by its marks what scripts fade in: an element whose own style has no opacity, and that a script looks for."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selectolax.lexbor import LexborHTMLParser

_ANIMATED: Final = word_set("ani anim animate animated animation aos appear reveal wow")
"""Words in the names of what libraries of animations work on, and of the attributes that they read."""
_WEBFLOW: Final = "data-w-id"
_ASIDE: Final = lazy_pattern(r"!|pointer-events|z-index|position\s*:\s*(?:absolute|fixed)", re.IGNORECASE)
"""Styles of hints and windows, which nobody sees before asking for them; and nobody fades in what is `!important`."""
_PICTURES: Final = "img[style], picture[style], svg[style], video[style]"
_ALIKE: Final = 2
"""Pictures: one may wait to be loaded."""
_MOST: Final = 2_000


class Fades:
    """What the scripts of one page fade in."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree: Final = tree

    def may_begin(self, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether a script could fade an element in: it has a name to be found by, and is no hint or window."""
        style = attributes.get("style") or ""
        if not attributes.get("class") or "opacity" not in style.lower():
            return False  # what a rule takes the opacity of, on a page without scripts, no script gives it back
        return "role" not in attributes and attributes.get("aria-hidden") != "true" and _ASIDE.search(style) is None

    def begins(self, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether an element without opacity is marked as what will be animated, or waits as pictures do.

        Scripts are not asked for: pages are saved without them, and whoever plants text can plant one.
        """
        style = attributes.get("style") or ""
        if "will-change" in style or _WEBFLOW in attributes or not _ANIMATED.isdisjoint(names.of(attributes)):
            return True
        if any(not _ANIMATED.isdisjoint(names.words(name)) for name in attributes):
            return True
        return self._waiting.get(_bare(style), 0) >= _ALIKE

    @cached_property
    def _waiting(self) -> dict[str, int]:
        """The styles of the page's pictures, and how many have each: nobody hides words from people in a picture."""
        found: dict[str, int] = {}
        for one in self._tree.css(_PICTURES)[:_MOST]:
            style = _bare(one.attributes["style"] or "")
            found[style] = found.get(style, 0) + 1
        return found


def _bare(style: str) -> str:
    return "".join(style.lower().split()).strip(";")
