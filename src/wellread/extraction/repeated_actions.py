"""Finds the buttons of entries and posts: one label many times, each time with another target on the same site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.segmentation.boxes import Leaf

_LEAST: Final = 6
"""Times: fewer may be `Download` of a few files."""
_LONGEST: Final = 24
"""Characters of a label."""
_MOST_WORDS: Final = 3
_FILE: Final = re.compile(r"\.(?!(?:html?|php|aspx?|jsp|cfm)\b)[A-Za-z]\w{1,4}$")
"""The end of the path of a file that the label may be all there is of; pages have endings, too."""
_TABLES: Final = frozenset({"td", "th"})


def repeated_actions(leaves: Sequence[Leaf], url: str | None) -> list[int]:
    """Return the leaves that are nothing but a label which others have, too, each with a target of its own.

    `Reply`, `Quick view`, `Comparer`: such a label names no entry, for all entries have it, and no category, for that
    would have one target. Links to other sites and to files stay: the target is what such a line tells.
    """
    spots: dict[str, list[int]] = {}
    targets: dict[str, set[str]] = {}
    host = _host(url or "")
    for at, leaf in enumerate(leaves):
        href = _target(leaf)
        if href is not None and _leads_within(href, host):
            label = leaf.words.casefold()
            spots.setdefault(label, []).append(at)
            targets.setdefault(label, set()).add(href)
    every = (
        at for label, leaves_with_label in spots.items() if len(targets[label]) >= _LEAST for at in leaves_with_label
    )
    return sorted(every)


def _target(leaf: Leaf) -> str | None:
    """Return the target of a leaf that is one short link and nothing else, outside of headings and tables."""
    words = leaf.words.strip()
    if leaf.links != 1 or leaf.heading or leaf.preformatted or not 0 < len(words) <= _LONGEST:
        return None
    if leaf.box.tag in _TABLES or words.count(" ") >= _MOST_WORDS or any(map(str.isdigit, words)):
        return None
    hrefs = {span.href for span in leaf.spans if span.text.strip()}
    if len(hrefs) > 1 or not words[0].isalpha() or any(box.tag == "a" and box.items > 1 for box in leaf.box.around()):
        return None  # a card that is one link has labels of its own: `Full-time`, `Sterling silver`
    return hrefs.pop()


def _leads_within(href: str, host: str) -> bool:
    try:
        target = urlsplit(href)
    except ValueError:
        return False
    return (target.hostname or "") in {"", host} and _FILE.search(target.path) is None


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
