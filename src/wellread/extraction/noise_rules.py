"""Tells which leaves nobody reads, though nothing hides them: overlays, data, repetitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.extraction import lexicon
from wellread.extraction.machine_fields import machine_fields
from wellread.extraction.product_rules import other_states
from wellread.extraction.responsive_repeats import twins
from wellread.seen import actions, names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats
    from wellread.extraction.features import Features
    from wellread.segmentation.boxes import Leaf, Walked
    from wellread.types import PageType

_NOSCRIPT: Final = lexicon.categories("noscript", None)
_SHORT: Final = 60
"""Leaves: such a page may be no more than its dialog."""
_DIALOGS: Final = frozenset({"dialog", "alertdialog"})
_JSON: Final = ('{"', "[{", '["')
_CONTROLS: Final = frozenset({"hideme", "bbCodeBlock-expandLink", "quoteExpand", "siteSub"})
"""The classes of rustdoc, XenForo and MediaWiki for controls that open more, and for the line that names the site."""
_OPENS: Final = re.compile(
    r"(?i)(?:click to )?(?:expand|show|hide|view|see)(?: (?:all|full|more|description|details?))*\W*"
)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MANY_UUIDS: Final = 4
_LONG_DATA: Final = 150
"""Characters."""
_SHOPS: Final = frozenset({"product", "collection", "listing"})
_RELATIONS: Final = frozenset({"next", "prev", "previous", "up", "start", "contents", "index", "home"})
"""Values of `rel` by which a page of a manual leads to the pages around it (HTML 4.01, 6.12)."""
_MAX_NAVIGATION_LEAVES: Final = 16


def unread(page: Features, walked: Walked, kind: PageType) -> NDArray[np.bool_]:
    """Return a mask of the leaves that nobody reads; empty where the page has nothing else."""
    unseen = _in_noscript(page) | _in_dialogs(walked, page.sizes)
    unseen |= [_is_for_machines(leaf) or _is_control(leaf) or _asks(leaf, walked.url) for leaf in walked.leaves]
    unseen |= _document_navigation(walked)
    again = twins(walked, unseen)
    unseen |= again | _hidden_twins(walked, again)
    if kind != "article":
        unseen |= other_states(walked)
    if kind in _SHOPS or walked.sells:
        unseen[machine_fields(walked.leaves)] = True
    return unseen & bool(page.sizes @ ~unseen)


def _hidden_twins(walked: Walked, again: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which leaves stand in boxes called `hidden` and are said again elsewhere: there a person reads them.

    What is left out because it is said `again` here is not said elsewhere.

    Style sheets that are not read here hide such boxes on most pages, but not on all.
    """
    inside = np.zeros(len(walked.leaves), np.bool_)
    for box in walked.boxes:
        if "hidden" in (called := box.attributes.get("class") or "") and "hidden" in called.split():
            inside[box.first : box.end] = True
    if inside.any():
        shown = {leaf.words for leaf, hidden in zip(walked.leaves, inside | again, strict=True) if not hidden}
        inside &= [leaf.words in shown for leaf in walked.leaves]
    return inside


def _document_navigation(walked: Walked) -> NDArray[np.bool_]:
    """Tell which leaves stand in a table that leads to the pages around this one, as DocBook puts on each page.

    Each of its links, two at least, has an access key or says by `rel` which page it leads to.
    """
    inside = np.zeros(len(walked.leaves), np.bool_)
    for box in walked.boxes:
        if box.tag == "table" and 1 < box.end - box.first <= _MAX_NAVIGATION_LEAVES:
            linked = [leaf for leaf in walked.leaves[box.first : box.end] if leaf.links]
            inside[box.first : box.end] |= len(linked) > 1 and all(map(_leads_around, linked))
    return inside


def _leads_around(leaf: Leaf) -> bool:
    """Tell whether the links of a leaf lead to the pages around this one."""
    links = [attributes for tag, attributes in leaf.inner if tag == "a" and attributes.get("href")]
    return bool(links) and all(
        "accesskey" in attributes or not _RELATIONS.isdisjoint((attributes.get("rel") or "").lower().split())
        for attributes in links
    )


def _in_noscript(page: Features) -> NDArray[np.bool_]:
    """Tell which leaves stand in a <noscript> though the rest of the page says more: nobody with scripts sees them."""
    inside = (page.around.categories[page.around.own] & _NOSCRIPT) > 0
    if page.sizes @ inside <= page.sizes @ ~inside:
        return inside
    return np.zeros(len(inside), np.bool_)


def _in_dialogs(walked: Walked, sizes: Floats) -> NDArray[np.bool_]:
    """Return a mask of the leaves in dialogs on a page of many leaves: a dialog covers the page until it is answered.

    On WCXB's pages, of 1,745 lines in dialogs that are not hidden the truths have 20.
    """
    inside = np.zeros(len(sizes), np.bool_)
    for box in walked.boxes:
        if box.tag == "dialog" or box.attributes.get("role") in _DIALOGS:
            inside[box.first : box.end] = True
    covered = len(inside) > _SHORT and sizes @ inside <= sizes @ ~inside
    if covered:
        return inside
    return np.zeros(len(inside), np.bool_)


def _is_for_machines(leaf: Leaf) -> bool:
    """Tell data that the page's scripts read, and scrambled text: style sheets that are not read here hide both."""
    text = leaf.words
    if leaf.preformatted or len(text) < _LONG_DATA:
        return False
    if text[:2] in _JSON and text[-1] in "}]":
        return True
    # Each holds four hyphens: counting those is nothing beside the search.
    return text.count("-") >= 4 * _MANY_UUIDS and len(_UUID.findall(text)) >= _MANY_UUIDS


def _asks(leaf: Leaf, url: str | None) -> bool:
    """Tell whether a line is nothing but buttons: links that print or share the page, or factors of a recipe."""
    if leaf.heading or leaf.preformatted or not leaf.words:
        return False
    if not leaf.links and leaf.chars:
        return actions.multiplies(leaf.words)
    for span in leaf.spans:
        works = span.href and (actions.shares(span.href, url) or actions.prints(span.href, span.text))
        if not works and span.text.strip():
            return actions.multiplies(leaf.words)
    return True


def _is_control(leaf: Leaf) -> bool:
    """Return whether a leaf only says to open the text below, or is the line with which software names a site."""
    box = leaf.box
    if box.tag == "summary" and _OPENS.fullmatch(leaf.words):
        return True
    if leaf.chars > _LONG_DATA or not box.attributes:
        return False
    return not _CONTROLS.isdisjoint(names.listed(box.attributes.get("class"), box.attributes.get("id")))
