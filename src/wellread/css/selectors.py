"""Takes CSS selectors apart as far as finding their elements quickly needs; the hard ones are left to an engine."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_SIMPLE: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9-]*|\*)?((?:[.#](?:[\w-]|[^\x00-\x7f]|\\[0-9a-f]{1,6}\s?|\\.)+)*)")
_NAME: Final = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f]|\\[0-9a-f]{1,6}\s?|\\.)+")
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))")
_DYNAMIC: Final = re.compile(
    r"::|:(?:hover|focus|active|visited|target|before|after|first-l|selection|placeholder|-moz-|-ms-|autofill"
    r"|fullscreen|popover-open|modal|picture|playing|paused|host|-webkit-(?!any))"
)
_ALWAYS: Final = re.compile(r":(?:lang\([^()]*\)|dir\(ltr\)|defined|enabled|read-only|any-link)")
_ROOT: Final = re.compile(r":scope\b")
_ANY: Final = re.compile(r":(?:-webkit-any|-moz-any|matches)\(")
_PART: Final = re.compile(
    r"\s*([>+~])\s*|(\s+)|((?:\\.|[^\s>+~()\[\]\\]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\])+)"
)
"""A combinator, white space, or a compound."""
_WITHIN: Final = re.compile(r"[\w\])*]\s*[\s>+~]\s*[\w.#\[:*]")
_MOST_LINKS: Final = 20
_LONGEST: Final = 2_000
_COUNTED: Final = re.compile(r"(#)|([.]|\[|(?<!:):(?!:|where|is\b|not\b|has\b))|((?:^|[\s>+~(,])[a-zA-Z])")


class Link(NamedTuple):
    """One compound of a selector."""

    sign: str
    """How it stands to the compound after it: ` ` around, `>` right around, `+` right before, `~` before."""
    names: frozenset[str]
    """Classes, ids and tag that it asks for."""
    rest: str
    """The whole of it, where it asks for more than names: an engine must be asked."""


class Selector(NamedTuple):
    """One selector of a list."""

    key: str
    """`.class`, `#id` or tag that every match bears, in lower case; `*` when there is none."""
    chain: tuple[Link, ...]
    """From the element outwards."""
    specificity: int
    around: frozenset[str]
    """Names that elements around every match bear."""


@lru_cache(maxsize=20_000)
def selector(text: str) -> Selector | None:
    """Take one selector apart; None when it matches nothing on a page at rest, or would take too long to match.

    `:has()` is of the second kind, and so are selectors inside `:is()` and `:not()` that look around more than once.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST or (_DYNAMIC.search(text) and ":not(" not in text) or ":has(" in text:
        return None
    links: list[Link] = []
    sign = " "
    for combinator, _, compound in reversed(_PART.findall(text)):
        if compound:
            link = _link(sign, compound)
            if link is None or len(links) == _MOST_LINKS:
                return None
            links.append(link)
        sign = combinator or " "
    if not links:
        return None
    names = links[0].names
    key = next((name for mark in ("#", ".") for name in sorted(names) if name[0] == mark), next(iter(names), "*"))
    plain = not any(link.rest for link in links)
    around = frozenset(name for link in links[1:] if link.sign in " >" for name in link.names)
    return Selector(key.lower(), tuple(links), _weight(links) if plain else _specificity(text), around)


def _link(sign: str, compound: str) -> Link | None:
    found = _SIMPLE.fullmatch(compound)
    if found is not None:
        return Link(sign, _names(found), "")
    rest = _ANY.sub(":is(", _ROOT.sub(":root", _ALWAYS.sub("", compound))) or "*"
    if len(_WITHIN.findall(rest)) > 1:
        return None
    bare = rest
    for _ in range(4):
        bare = re.sub(r"\[[^\[\]]*\]|:[\w-]+\([^()]*\)", "", bare)
    found = _SIMPLE.fullmatch(re.sub(r":[\w-]+", "", bare))
    return Link(sign, _names(found) if found is not None else frozenset(), rest)


def _names(found: re.Match[str]) -> frozenset[str]:
    tag, rest = found.group(1), [unescaped(name) for name in _NAME.findall(found.group(2))]
    return frozenset([*rest, tag.lower()] if tag and tag != "*" else rest)


def _weight(links: Iterable[Link]) -> int:
    weights = {"#": 10_000, ".": 100}
    return sum(weights.get(name[0], 1) for link in links for name in link.names)


def _specificity(text: str) -> int:
    """Count ids, classes and tags (Selectors 4, 17)."""
    text = re.sub(r":where\((?:[^()]|\([^()]*\))*\)", "", text)
    ids = classes = tags = 0
    for one, name, tag in _COUNTED.findall(text):
        ids, classes, tags = ids + bool(one), classes + bool(name), tags + bool(tag)
    return ids * 10_000 + classes * 100 + tags


def unescaped(name: str) -> str:
    """Return a name with its escapes read."""
    return (
        _ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2], name)
        if "\\" in name
        else name
    )


def listed(prelude: str) -> list[str]:
    """Split a list of selectors at its own commas."""
    if "(" not in prelude and "[" not in prelude:
        return prelude.split(",")
    return re.findall(r"(?:[^,()\[\]]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\])+", prelude)


def nested(outer: str, inner: str) -> str | None:
    """Return the selector of a rule inside another (CSS Nesting 1); None when it grows beyond all bounds."""
    around = outer.strip() if "," not in outer else f":is({outer.strip()})"
    if len(around) * (inner.count("&") + inner.count(",") + 1) > _LONGEST:
        return None
    if "&" in inner:
        return re.sub(r"&(?=[a-zA-Z])", lambda _: f":is({around})", inner).replace("&", around)
    return ",".join(f"{around} {one.strip()}" for one in listed(inner))
