"""Picks the main content by the names of boxes, the landmarks of the page, and where unlinked text is dense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.web.extract.names import word_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.types import Mode
    from wellread.web.extract.boxes import Box, Walked

_LANDMARKS: Final = word_set("nav footer aside header")
"""HTML's own words for what is not the main content; where nothing else is left, the page is empty."""
_ASIDE_TAGS: Final = word_set("address fieldset legend")
_ASIDE_ROLES: Final = word_set(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar status alert"
)
_NAMES_OF_ASIDES: Final = word_set(
    "footer colophon copyright related cookie cookies consent modal popup popover disclaimer sidebar recommended menu "
    "megamenu submenu trending pagination breadcrumb breadcrumbs newsletter sharedaddy share sharing social socials "
    "comment comments disqus respond commentform subscribe subscription signup signin login masthead topbar navbar "
    "navigation byline outbrain taboola advert advertisement promo cta offcanvas"
)
"""Left out even when they hold a fair share of the text."""
_NAMES_OF_SCRAPS: Final = word_set(
    "nav mega dropdown topnav toolbar dialog overlay lightbox follow register account recommendations announcement "
    "pager form gform searchbar sidenav widgets textwidget widgettitle author authors bio tags taxonomy categories meta "
    "privacy legal ctas ads sponsored hamburger burger flyout drawer branding logo tagline buttons button btn contact address "
    "email minicart cart wishlist recent popular latest prev previous date posts reviews filters actions badge"
)
"""Left out when they hold little of the text: the same words often name a wrapper around everything."""
_ASIDE_SHARE: Final = 0.15
_SCRAP_SHARE: Final = 0.05
_FORM_SHARE: Final = 0.3
_MAIN_SHARE: Final = 0.3
_ARTICLE_SHARE: Final = 0.6
_DENSE_SHARE: Final = 0.85
_PARTS: Final = word_set("p table ul ol dl tbody tr li td h1 h2 h3 h4 h5 h6 pre blockquote")
"""Boxes too small to be the place of a page's content."""


class DensitySelector:
    """The heuristic selector: no training, no rule for any one site."""

    name = "density"

    def select(self, walked: Walked, mode: Mode) -> Sequence[bool]:
        """Return for each leaf whether it is kept."""
        outside = _outside(walked)
        place = _place(walked, outside)
        inside = [False] * len(walked.boxes)
        for box in walked.boxes:
            inside[box.index] = box is place or (box.parent is not None and inside[box.parent.index])
        return [inside[leaf.box.index] and not outside[leaf.box.index] for leaf in walked.leaves]


def _outside(walked: Walked) -> list[bool]:
    """Tell for each box whether it stands beside the content."""
    total = max(1, walked.boxes[0].chars)
    outside = [False] * len(walked.boxes)
    for box in walked.boxes:
        if box.parent is not None and box.items:
            outside[box.index] = outside[box.parent.index] or _is_aside(box, box.chars / total)
    return outside


def _is_aside(box: Box, share: float) -> bool:
    if box.tag in _LANDMARKS or box.tag in _ASIDE_TAGS or (box.tag == "form" and share < _FORM_SHARE):
        return True
    if box.attributes and box.attributes.get("role") in _ASIDE_ROLES:
        return True
    if share < _SCRAP_SHARE and not _NAMES_OF_SCRAPS.isdisjoint(box.words):
        return True
    return share < _ASIDE_SHARE and not _NAMES_OF_ASIDES.isdisjoint(box.words)


def _place(walked: Walked, outside: Sequence[bool]) -> Box:
    """Return the smallest box that holds nearly all of the content."""
    weight = [0] * len(walked.boxes)
    children: dict[int, list[Box]] = {}
    for leaf in walked.leaves:
        if not outside[leaf.box.index]:
            weight[leaf.box.index] += leaf.chars if leaf.heading else leaf.chars - leaf.link_chars
    for box in reversed(walked.boxes):
        if box.parent is not None:
            weight[box.parent.index] += weight[box.index]
            if weight[box.index]:
                children.setdefault(box.parent.index, []).append(box)

    def heaviest(boxes: list[Box], share: float, among: Box) -> Box | None:
        best = max(boxes, key=lambda box: weight[box.index], default=None)
        return best if best is not None and weight[best.index] >= share * max(1, weight[among.index]) else None

    place = walked.boxes[0]
    place = heaviest([box for box in walked.boxes if _is_main(box)], _MAIN_SHARE, place) or place
    place = heaviest([box for box in walked.boxes if box.tag == "article"], _ARTICLE_SHARE, place) or place
    while (child := heaviest(children.get(place.index, []), _DENSE_SHARE, place)) and child.tag not in _PARTS:
        place = child
    return place


def _is_main(box: Box) -> bool:
    return box.tag == "main" or box.attributes.get("role") == "main" or {"main", "content"} <= box.words
