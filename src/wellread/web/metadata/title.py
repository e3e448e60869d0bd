"""The page's title: the one it declares, without the site's name that software hangs on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wellread.web.metadata.clean import key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MARK = re.compile(
    r"\s+(?:[|\u2013\u2014\u00b7\u00bb\u2022\u203a\u00ab~-]|::|//?)\s+|\s*[\uff5c\u4e28|]\s*|:\s+|\s+:\s*|\s-(?=\S)|(?<=\S)-\s"
)
_PARTS = re.compile(r"\s+[|\u2013\u2014\u00b7\u2022-]+\s+|\s*\|\s*")
MAX_MARKS = 12
HUNG_WORDS = 3
SITE_WORDS = 5
"""A part that merely resembles the site's name is its name only when it is at most so long."""


class Site(NamedTuple):
    """What the site is called, each name squeezed to its letters."""

    names: frozenset[str]
    label: str
    """The label it registered: `archlinux` of bbs.archlinux.org."""
    front: bool
    """The page is the site's front page, where the site's name is the title."""


def site(names: Iterable[str | None], label: str, *, front: bool) -> Site:
    """Gather the names of a site; of `Name | slogan` the name counts too."""
    told = [name for name in names if name]
    parts = [part for name in told for part in _PARTS.split(name)[:1]]
    squeezed = {_squeeze(name).removeprefix("the") for name in [*told, *parts]}
    return Site(frozenset(name for name in squeezed if name), _squeeze(label), front)


def trim(title: str, headings: Sequence[str], wordings: Sequence[str], of: Site) -> str:
    """Return `title` without the site's name before or behind it.

    `wordings` are what else the page calls itself: where one of them, or a heading, equals the rest, the rest is it.
    """
    if of.front:
        return title
    others = {key(text) for text in [*headings, *wordings]} - {key(title), ""}
    whole = key(title) in {key(text) for text in headings}
    marks = list(_MARK.finditer(title))[-MAX_MARKS:]
    for mark in marks:
        before, after = title[: mark.start()], title[mark.end() :]
        if _is_tail(before, after, mark[0], others, of) or (not whole and mark is marks[-1] and _hangs(before, after)):
            return before.strip()
    for mark in reversed(marks):
        before, after = title[: mark.start()], title[mark.end() :]
        if _is_lead(before, after, others, of):
            return trim(after.strip(), headings, wordings, of)
    return title


def _is_tail(before: str, after: str, mark: str, others: set[str], of: Site) -> bool:
    """Say whether what stands behind a mark is the site's."""
    left = key(before)
    if not left:
        return False
    if _squeeze(after).removeprefix("the") in of.names or not key(after):
        return True
    if ":" in mark:
        return False
    return (left in others and (bool(of.names) or len(after) <= len(before))) or (
        _resembles(after, of) and len(after) < len(before) * 2
    )


def _hangs(before: str, after: str) -> bool:
    """Say whether a last part looks hung on: a few words behind a much longer title."""
    rest, part = key(before).split(), key(after).split()
    return len(part) <= HUNG_WORDS and len(rest) >= 4 and len(after) * 2 <= len(before)


def _is_lead(before: str, after: str, others: set[str], of: Site) -> bool:
    """Say whether what stands before a mark is the site's: only what is surely its name goes."""
    rest = key(after)
    if _squeeze(before).removeprefix("the") not in of.names:
        return False
    return rest in others or len(rest.split()) >= 5


def _resembles(part: str, of: Site) -> bool:
    """Say whether a part is a variant of the site's name: `Huel US`, `Arch Linux Forums`, `WFA`, `FAU Business`."""
    words = key(part).split()
    if not words or len(words) > SITE_WORDS or _MARK.search(part):
        return False
    squeezed = "".join(words)
    if len(of.label) >= 3 and of.label in {squeezed, words[0], words[-1]}:
        return True
    if len(of.label) >= 5 and (of.label in squeezed or (len(squeezed) >= 5 and squeezed in of.label)):
        return True
    initials = "".join(word[0] for word in words)
    if len(initials) >= 3 and initials == of.label:
        return True
    return any(
        len(name) >= 4 and len(squeezed) >= 4 and (squeezed.startswith(name) or name.startswith(squeezed))
        for name in of.names
    )


def _squeeze(text: str) -> str:
    return key(text).replace(" ", "")
