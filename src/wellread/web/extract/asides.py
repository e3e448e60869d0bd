"""The vocabulary of what stands around the content: tags, roles, names of boxes, headings of sections to leave out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.web.extract.names import word_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.web.extract.boxes import Box

LANDMARKS: Final = word_set("aside header")
"""HTML's own words for what is not the main content; <nav> and <footer> are not even walked."""
_TAGS: Final = word_set("address fieldset legend")
_ROLES: Final = word_set("banner complementary search dialog alertdialog toolbar status alert")
_CALLOUTS: Final = word_set("note tip warning admonition callout info caution danger important")
_ASIDES: Final = word_set(
    "footer colophon copyright related cookie cookies consent modal popup popover disclaimer sidebar recommended menu "
    "megamenu submenu trending pagination breadcrumb breadcrumbs newsletter sharedaddy share sharing social socials "
    "subscribe subscription signup signin login masthead topbar navbar "
    "navigation byline outbrain taboola advert advertisement promo cta offcanvas"
)
"""Names of what is left out even when it holds a fair share of the text."""
_SCRAPS: Final = word_set(
    "nav mega dropdown topnav toolbar dialog overlay lightbox follow register account recommendations announcement "
    "pager form gform searchbar sidenav widgets textwidget widgettitle author authors bio tags taxonomy categories "
    "meta privacy legal ctas ads sponsored hamburger burger flyout drawer branding logo tagline buttons button btn "
    "contact address email minicart cart wishlist recent popular latest prev previous date posts reviews filters "
    "actions badge"
)
"""Names of what is left out when it holds little of the text: the same words also name wrappers around everything."""
_COMMENTS: Final = word_set("comment comments commentlist commentform disqus respond")
_FORUMS: Final = word_set(
    "forum forums thread threads topic discussion discourse postbit question questions answer answers replies "
    "viewtopic bbs"
)
"""Names on pages where what others call comments is the content."""
_FORM_SHARE: Final = 0.3
_UNCLOSED_SHARE: Final = 0.5
"""A landmark that holds half of the text and the page's <main> was never closed by its author."""
_PRECISE: Final = word_set("caption figcaption")

SECTION: Final = re.compile(
    r"""\W*(?:
      related | recommended | trending | similar | up\ next | see\ also | also\ (?:read|see|on) | further\ reading
    | you\ (?:may|might)\ (?:also\ )?(?:like|enjoy|be\ interested) | read\ (?:more|next|also) | keep\ reading
    | more\ (?:from|on|in|articles|stories|posts|like|about|news|to\ read|reading) | explore\ more | discover\ more
    | (?:recent|latest|popular|featured)\ (?:posts|articles|news|stories|comments|from|blog|now|products|searches)
    | most\ (?:popular|read|viewed) | (?:next|previous)\ (?:article|post|up) | browse\ (?:by|more|all)
    | other\ (?:articles|posts|stories|products|news) | what\ others | editor'?s\ picks | people\ also
    | customers\ (?:also|who) | frequently\ bought | share\ (?:this|on|article|post|via) | follow\ us
    | subscribe | sign\ up | newsletter | join\ (?:our|the) | get\ (?:the|our)\ (?:latest|newsletter)
    | our\ (?:newsletter|latest) | stay\ (?:connected|informed|up) | download\ (?:our|the)\ app | contact\ us
    | (?:leave|write|post|add)\ a\ (?:reply|comment|review)
    | (?:\d+\ )?(?:comments?|replies|responses|thoughts)(?:\ \(\d+\))?$
    | about\ the\ author | author\ bio | written\ by | (?:tags?|categories|topics):?$ | article\ tags | filed\ under
    | advertisement | sponsored | cookie | privacy | disclaimer | copyright | \u00a9 | all\ rights\ reserved
    | (?:quick|useful)\ links | navigation | menu$ | search$ | archives?$ | log\ ?in | sign\ in | register
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Headings of sections that follow an article and are not part of it."""


class Shares(NamedTuple):
    """How much of a page's text a box may hold and still be left out for its name."""

    asides: float = 0.15
    scraps: float = 0.05
    comments: float = 0.9


def is_forum(boxes: Sequence[Box]) -> bool:
    """Tell whether the boxes of a page, by their names, hold a discussion."""
    return sum(box.chars for box in boxes if not _FORUMS.isdisjoint(box.words)) > boxes[0].chars / 2


def is_aside(box: Box, share: float, shares: Shares) -> bool:
    """Tell whether a box stands beside the content; `share` is its part of all the text on the page."""
    if (
        box.tag == "header"
        and share > _UNCLOSED_SHARE
        and any(above.tag in {"article", "main"} for above in box.above())
    ):
        return False  # it is where the author put the text, whatever the tag says
    if box.tag in LANDMARKS:
        return not (box.tag == "aside" and _is_callout(box)) and not (share > _UNCLOSED_SHARE and box.holds_main)
    if box.tag in _TAGS or (box.tag == "form" and share < _FORM_SHARE):
        return True
    if box.attributes and box.attributes.get("role") in _ROLES and not _is_callout(box):
        return True
    limits = ((shares.scraps, _SCRAPS), (shares.asides, _ASIDES), (shares.comments, _COMMENTS))
    return any(share < limit and not names.isdisjoint(box.words) for limit, names in limits)


def _is_callout(box: Box) -> bool:
    """Tell whether an aside inside an article is a note to the text around it."""
    if box.attributes.get("role") != "note" and _CALLOUTS.isdisjoint(box.words):
        return False
    return any(above.tag in {"article", "main"} for above in box.above())


def is_caption(box: Box) -> bool:
    """Tell whether a box holds a caption, which precision does without."""
    return box.tag in _PRECISE or not _PRECISE.isdisjoint(box.words)
