"""Tells a page that shows nothing but its frame: menus, links to skip them, a word while it loads, a plea for scripts.

By where its lines stand, not by what the networks make of them: they know few pages of so few words, and go by names
like `alert` and `newsletter`, in which short pages say all that they have to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.extraction import lexicon
from wellread.segmentation.boxes import chars, is_linked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.segmentation.boxes import Leaf

_LONGEST: Final = 400
"""Characters: what says more is no frame. Those of WCXB's pages that scripts build have 3 to 40 words."""
_LONGEST_PLEA: Final = 800
_LONGEST_REQUEST: Final = 200
"""For each time that a line names scripts: one that says more has something else to say."""
_LONGEST_WAIT: Final = 40
_NEEDS_SCRIPTS: Final = re.compile(
    r"(?:enable|turn on|activate|requires?|needs?|without)\s+java\s?script"
    r"|java\s?script (?:must|has to|needs to|required|disabled|(?:is|to be) (?:not |currently |turned |switched )*"
    r"(?:disabled|off|enabled|on|required|needed|necessary|available|supported)\b)",
    re.IGNORECASE,
)
_MENUS: Final = frozenset({"nav", "footer", "navigation", "contentinfo"})
_ABOVE: Final = frozenset({"header", "aside", "banner", "complementary"})
"""Tags and roles of boxes that hold but menus, and of those in which links are one."""
_AWAITED: Final = word_set("app root next nuxt gatsby loading loader spinner preloader splash skeleton progress")
"""Class words of boxes that scripts fill."""


def is_plea(leaves: Sequence[Leaf]) -> bool:
    """Return whether half of a page's kept text, links and lines of its frame aside, asks to turn scripts on."""
    if chars(leaves) > _LONGEST_PLEA:
        return False
    pleas = [leaf for leaf in leaves if 0 < leaf.chars <= _LONGEST_REQUEST * len(_NEEDS_SCRIPTS.findall(leaf.words))]
    others = [
        leaf for leaf in leaves if leaf not in pleas and not (is_linked(leaf) or lexicon.line_purpose(leaf.words))
    ]
    return bool(pleas) and chars(pleas) >= chars(others)


def is_frame(leaves: Sequence[Leaf]) -> bool:
    """Tell whether all that a page shows is its frame."""
    return 0 < chars(leaves) <= _LONGEST and all(map(_is_frame, leaves))


def is_title_alone(leaves: Sequence[Leaf], title: str) -> bool:
    """Return whether a page shows only its frame and its `title`: its text is yet to come."""
    called = [bool(leaf.words) and leaf.words.strip() in title for leaf in leaves]
    others = (leaf for leaf, is_called in zip(leaves, called, strict=True) if not is_called)
    return any(called) and all(_waits(leaf) or _is_frame(leaf) for leaf in others)


def _waits(leaf: Leaf) -> bool:
    """Tell whether a line is a word while the page loads."""
    return 0 < len(leaf.words) <= _LONGEST_WAIT and leaf.words.rstrip().endswith(("...", "\u2026"))


def _is_frame(leaf: Leaf) -> bool:
    if not leaf.spans:
        return True  # a rule
    boxes = tuple(leaf.box.around())
    stands = {box.tag for box in boxes} | {box.attributes.get("role") for box in boxes}
    if not leaf.words or leaf.heading:  # a picture is what a page may be about
        return not stands.isdisjoint(_MENUS | _ABOVE)
    if not stands.isdisjoint(_MENUS) or lexicon.line_purpose(leaf.words) in {"plea", "legal"}:
        return True
    if is_linked(leaf):
        within = all((span.href or "#").startswith("#") for span in leaf.spans)
        return within or not stands.isdisjoint(_ABOVE)
    return _waits(leaf) and any(not _AWAITED.isdisjoint(box.name_words) for box in boxes)
