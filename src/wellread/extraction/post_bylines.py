"""Finds the lines with the author and the date of a post: names of users, dates beside them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.text import dates
from wellread.types import Style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.segmentation.boxes import Box, Leaf, Walked

_IMAGE: Final = int(Style.IMAGE)
_LONGEST_NAME: Final = 40
LONGEST_LINE: Final = 120
"""Characters of a line that tells who and when."""
LONGEST_REST: Final = 40
"""Characters that such a line may say besides."""
_SENTENCE: Final = lazy_pattern(r"(?:\S+\s+){4,}\S*[.!?]")
_CLOSE: Final = 3
"""Boxes that may lie between a name and the box that is called after it."""
NOT_NAMES: Final = word_set(
    "reply quote report find other share like follow login register members profile posts topics author op more "
    "offline permalink edit advertisement facebook twitter linkedin "
    "asked answered edited modified posted replied commented updated created wrote said started"
) | {"start date", "thread starter"}
_USER: Final = lazy_pattern(
    r"(?:/|^)(?:(?:u|users?|members?|profiles?|people|authors?)[/-]|~/?)[^/?#]|"
    r"(?:member|profile|memberlist|user)(?:\.php)?\?|[?&;](?:user|uid|u|action=profile|mode=viewprofile)[=;]",
    re.IGNORECASE,
)
_CALLED: Final = word_set("author username user poster nickname postername authorname posted")
_USERS: Final = word_set("postleft postprofile poster")
"""Class words of lists about users."""
_BESIDE: Final = word_set("title rank role banner group badge avatar stats extras count posts joined location")
"""Class words of other facts about users."""
_PROFILE: Final = word_set("extras stats joined profile registered userinfo")
"""Class words of boxes with the date of joining: no post is as old as that."""
_AGO: Final = (
    r"\u043d\u0430\u0437\u0430\u0434|\u0442\u043e\u043c\u0443|\u00f6nce|fa|atr\u00e1s|geleden|sedan|siden|temu|\uc804"
)
"""The words after an elapsed time in other languages."""
_DATE: Final = lazy_pattern(
    r"""(?: \d{4}-\d{2}-\d{2} | \d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}) | today | yesterday
    | \d{4}\ ?[\u5e74\ub144]\ ?\d{1,2}\ ?[\u6708\uc6d4]\ ?\d{1,2}\ ?[\u65e5\uc77c]?
    | \d{4}[./]\ ?\d{1,2}[./]\ ?\d{1,2}\.?
    | (?<![^\W\d_])[^\W\d_]{3,9}\.?\ \d{1,2}(?:st|nd|rd|th)?,?\ (?:'\d\d|\d{4})
    | \d{1,2}(?:st|nd|rd|th)?\.?[\ -](?:de\ )?[^\W\d_]{3,12}\.?,?[\ -](?:de\ )?(?:'\d\d|\d{4})
    | (?:(?:\d+|an?)\ (?:second|minute|min|hour|hr|day|week|month|year)s?,?\ ){1,2}ago
    | (?<!\w)(?:vor|hace|il\ y\ a|h\u00e1|f\u00f6r)\ \d{1,3}\ [^\W\d_]{1,9}
    | \d{1,3}\ ?[^\W\d_]{1,9}\ (?:"""
    + _AGO
    + r""")
    | \d{1,3}\ ?[\u5e74\u6708\u65e5\u5929\u5468\u9031\u4e2a\u500b\u304b\u5c0f\u65f6\u6642\u9593\u5206]{1,3}\u524d )
    (?: (?:,|\ at|\ @|\ -|T|\ \u00b7)?\ ?\d{1,2}:\d{2}(?::\d{2})?(?:\ ?[ap]\.?m(?![a-z])\.?)?
    | (?!\w) | (?=\d{1,2}\ (?:yr|mo|wk|day|hr|min)))""",  # the age may touch the date
    re.IGNORECASE | re.VERBOSE,
)
_GLUED: Final = lazy_pattern(r"(?<=[./-]\d\d)(?=\d\d?:\d\d)")
"""Where a time touches its date: an icon stands between them."""
_RELATIVE: Final = lazy_pattern(
    rf"\bago\b|today|yesterday|^(?:vor|hace|il y a|h\u00e1|f\u00f6r)\b|(?:\b(?:{_AGO})|\u524d)$", re.IGNORECASE
)
"""Relative dates, which say nothing to a later reader."""
_OPENS: Final = lazy_pattern(rf"(?:{_DATE.pattern})\s*(?:[^\w\s]|$)", re.IGNORECASE | re.VERBOSE)
"""A line that opens with a date, which is no sentence."""
_MEMBERSHIP: Final = lazy_pattern(
    r"\b(?:join|regist|member since|since|last (?:seen|active|visit|post|reply))", re.IGNORECASE
)
_GONE: Final = lazy_pattern(r"\[[^\W\d_]{4,16}\]")
_LEADING: Final = lazy_pattern(r"\S [a-z\u00e0-\u00ff]{2}$")
"""A short word in small letters leads to the day: `Begonnen am`, `Publicado el`."""
_WEEKDAY: Final = r"(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs?|ur)?(?:day)?\.?,?\ "
_SIGNED: Final = lazy_pattern(
    rf"""(?:(?:posted\ |written\ )?by\ |via\ |from\ )?
    (?!{_WEEKDAY}(?:{_DATE.pattern}))(?P<name>[^\W_][^\s,:;!?|]*(?:\ [^\s,:;!?|]+){{0,3}}?)
    (?:\ |\ ?[,|\u00b7\u2022\u00bb\u2013\u2014-]\ ?)(?:(?:posted|wrote|said|replied)\ )?(?:(?:on|at)\ )?
    (?:{_WEEKDAY})?(?:{_DATE.pattern}).{{0,{LONGEST_REST}}}""",
    re.IGNORECASE | re.VERBOSE,
)
"""A line that is a name and a date."""


class AuthorLine(NamedTuple):
    """A line that names an author."""

    at: int
    author: str


DateLine = tuple["int | None", str, str]
"""The line that tells a date, the date as it is worded, and in ISO 8601."""


def author(leaf: Leaf, *, loose: bool) -> str:
    """Return the author that a line names, or ""; `loose` takes any name beside a date for one."""
    if leaf.chars > LONGEST_LINE or leaf.preformatted:
        return ""
    if name := _linked_name(leaf) or _boxed_name(leaf):
        return name
    if loose or any(_names_a_user(attributes) for _, attributes in leaf.inner):
        return _signed_name(leaf)
    return ""


def is_marked_author(leaf: Leaf) -> bool:
    """Tell whether microdata marks a name as the author's: that of an editor may stand beside it."""
    return any(at.attributes.get("itemprop") == "author" for at in islice(leaf.box.around(), _CLOSE))


def bare_name(leaf: Leaf, *, digits: bool = False) -> str:
    """Return the words of a line that could be a name, and no more; `digits` takes a number for one."""
    text = leaf.words.strip()
    if not _is_name(text, digits=digits):
        return ""
    return text


def deleted_user(leaf: Leaf) -> str:
    """Return the placeholder for the name of a deleted user in a line with a date: `[deleted]`, in any language."""
    if leaf.chars > LONGEST_LINE or _DATE.search(leaf.words) is None:
        return ""
    return next(iter(_GONE.findall(leaf.words)), "")


def is_date_line(leaf: Leaf) -> bool:
    """Tell whether a line is a date and hardly more: of an edit, or of the post again."""
    short = leaf.chars <= LONGEST_LINE and not leaf.preformatted
    return (
        short
        and _DATE.search(leaf.words) is not None
        and _is_only_name_and_date(leaf.words, "")
        and not _is_sentence_with_date(leaf.words)
    )


def nearest_date(named_leaf: AuthorLine, spots: range, walked: Walked) -> DateLine:
    """Return the line nearest to the name that tells a date, the date as it is worded, and in ISO 8601."""
    leaves = walked.leaves
    for at in sorted(spots, key=lambda spot: (abs(spot - named_leaf.at), spot)):
        leaf = leaves[at]
        if leaf.chars > LONGEST_LINE or leaf.preformatted or leaf.box.tag == "dd" or _is_about_user(leaf.box):
            continue
        # In markup without spaces the date touches the name.
        text = leaf.words.strip().replace(named_leaf.author, f"{named_leaf.author} ", 1)
        match, stamp = _DATE.search(text), dates.iso(walked.times.get(at)) or ""
        if not (match or stamp) or text.endswith(":") or _is_sentence_with_date(text):  # who is quoted, and when
            continue
        fits = (match and _OPENS.match(text)) or _is_only_name_and_date(text, named_leaf.author)
        if fits and not _is_membership(at, text, leaves):
            is_absolute = match is not None and not (stamp and _RELATIVE.search(match[0]))
            shown = _GLUED.sub(" ", match[0]) if match and is_absolute else stamp[:10]
            return at, shown, stamp or next((day for day, _ in dates.within(shown)), "")
    return None, "", ""


def _linked_name(leaf: Leaf) -> str:
    """Return the name of the user that a line links to."""
    text = leaf.words.strip()
    if not leaf.links or not text:
        return ""
    for span in leaf.spans:
        name = span.text.strip()
        if not span.href or span.style & _IMAGE or not _is_users(span.href, leaf):
            continue
        if _is_name(name, digits=name in re.findall(r"\w+", span.href)):  # no count of what the user wrote
            if _is_only_name_and_date(text, name) and not text.endswith(":"):
                return name
            return ""
    return ""


def _is_users(href: str, leaf: Leaf) -> bool:
    """Return whether a link leads to a user, by its URL or its class."""
    links = (attributes for tag, attributes in leaf.inner if tag == "a" and attributes.get("href") == href)
    return _USER.search(href) is not None or any(map(_names_a_user, links))


def _names_a_user(attributes: Mapping[str, str | None]) -> bool:
    return not _CALLED.isdisjoint(names.of(attributes))


def _tells_more(attributes: Mapping[str, str | None]) -> bool:
    """Return whether an element holds other facts about a user: a rank, a role, a location."""
    return attributes.get("itemprop") == "jobTitle" or not _BESIDE.isdisjoint(names.of(attributes))


def _boxed_name(leaf: Leaf) -> str:
    """Return the words of a line if its box, or an inline element around all of them, is called a name."""
    if leaf.chars > _LONGEST_NAME:
        return ""
    inner: list[Mapping[str, str | None]] = []
    if len(leaf.spans) == 1:
        inner = [attributes for _, attributes in leaf.inner]
    inside = any(map(_names_a_user, inner)) and not any(map(_tells_more, (*inner, leaf.box.attributes)))
    if not inside and not _is_called(leaf.box):
        return ""
    numbered = any("username" in names.of(attributes) for attributes in (*inner, leaf.box.attributes))
    return bare_name(leaf, digits=numbered)


def _signed_name(leaf: Leaf) -> str:
    """Return the name in a line that is a name and a date."""
    match = _SIGNED.fullmatch(leaf.words.strip())
    if match is not None and _is_name(match["name"]) and not _is_sentence_with_date(leaf.words):
        return match["name"]
    return ""


def _is_sentence_with_date(line: str) -> bool:
    return _SENTENCE.fullmatch(_DATE.sub("", line).strip()) is not None  # what somebody wrote of a date


def _is_name(text: str, *, digits: bool = False) -> bool:
    return (
        1 < len(text) <= _LONGEST_NAME
        and any(map(str.isalnum if digits else str.isalpha, text))
        and text.lower() not in NOT_NAMES
        and _DATE.search(text) is None
        and not (text[0].isdigit() and " " in text)  # as in "88 posts"
        and not text.endswith((":", "\u4e8e", "\u65bc"))
        and _LEADING.search(text) is None
    )


def _is_called(box: Box) -> bool:
    if box.tag == "dt" and box.parent is not None and box.parent.first == box.first:  # first in a list about a user
        return not _USERS.isdisjoint(box.parent.name_words | (box.parent.parent or box).name_words)
    for at in islice(box.around(), _CLOSE):
        if at.items > 1:
            break
        if not at.attributes:
            continue
        marked = at.attributes.get("itemprop")
        if marked == "jobTitle" or not _BESIDE.isdisjoint(at.name_words):
            break
        if marked == "author" or not _CALLED.isdisjoint(at.name_words):
            return True
    return False


def _is_only_name_and_date(text: str, name: str) -> bool:
    """Tell whether a line says hardly more than a name and a date."""
    remaining_text, dates_told = _DATE.subn("", text.replace(name, "", 1))
    return len(remaining_text.strip()) <= LONGEST_REST * (1 + (dates_told > 0))


def _is_about_user(box: Box) -> bool:
    """Return whether a box is about the user, as a date of joining, and not about the post."""
    return any(
        not _PROFILE.isdisjoint(at.name_words) and "has" not in at.name_words  # a post that `has-profile` is none
        for at in islice(box.around(), _CLOSE + 1)
    )


def _is_membership(at: int, text: str, leaves: Sequence[Leaf]) -> bool:
    """Tell whether a date is when somebody joined: the line says so, or one before it that has no date itself."""
    before = leaves[at - 1].words if at else ""
    return bool(_MEMBERSHIP.search(text) or (_MEMBERSHIP.match(before) and not _DATE.search(before)))
