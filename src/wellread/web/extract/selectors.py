"""Takes CSS selectors apart as far as finding their elements quickly needs; matching hard ones is left to the parser."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

_SIMPLE: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9-]*|\*)?((?:[.#](?:[\w-]|[^\x00-\x7f]|\\[0-9a-f]{1,6}\s?|\\.)+)*)")
_NAME: Final = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f]|\\[0-9a-f]{1,6}\s?|\\.)+")
_TAG: Final = re.compile(r"(?:[\w*]*\|)?([a-zA-Z][a-zA-Z0-9-]*)")
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))")
_DYNAMIC: Final = re.compile(
    r"::|:(?:hover|focus|active|visited|target|before|after|first-l|selection|placeholder|-moz-|-ms-|autofill|fullscreen"
    r"|popover-open|modal|picture|playing|paused|host|-webkit-(?!any))"
)
_ALWAYS: Final = re.compile(r":(?:lang\([^()]*\)|dir\(ltr\)|defined|enabled|read-only|any-link)")
_ROOT: Final = re.compile(r":scope\b")
_ANY: Final = re.compile(r":(?:-webkit-any|-moz-any|matches)\(")
_PSEUDO: Final = re.compile(r":(?:[\w-]+)(?:\((?:[^()]|\([^()]*\))*\))?")
_LONGEST: Final = 2_000
_COUNTED: Final = re.compile(r"(#)|([.]|\[|(?<!:):(?!:|where|is\b|not\b|has\b))|((?:^|[\s>+~(,])[a-zA-Z])")


class Selector(NamedTuple):
    """One selector of a list."""

    key: str
    """`.class`, `#id` or tag that every match bears, in lower case; `*` when there is none."""
    needs: frozenset[str] | None
    """Everything that a simple selector asks for; None when only an engine can tell."""
    text: str
    specificity: int


@lru_cache(maxsize=20_000)
def selector(text: str) -> Selector | None:
    """Take one selector apart; None when it matches nothing on a page at rest."""
    text = text.strip()
    if not text or len(text) > _LONGEST or (_DYNAMIC.search(text) and ":not(" not in text):
        return None
    found = _SIMPLE.fullmatch(text)
    if found is not None:
        tag, rest = found.group(1), [unescaped(name) for name in _NAME.findall(found.group(2))]
        tags = [tag.lower()] if tag and tag != "*" else []
        key = min(rest, default=tags[0] if tags else "*", key=lambda name: name[0] != "#")
        ids = sum(name[0] == "#" for name in rest)
        return Selector(
            key.lower(), frozenset([*rest, *tags]), text, ids * 10_000 + (len(rest) - ids) * 100 + len(tags)
        )
    text = _ANY.sub(":is(", _ROOT.sub(":root", _ALWAYS.sub("", text))).strip() or "*"
    return Selector(_key(text), None, text, _specificity(text))


def _key(text: str) -> str:
    """Return what the last compound of a selector surely asks for."""
    bare = text
    for _ in range(4):
        bare = re.sub(r"\[[^\[\]]*\]|:[\w-]+\([^()]*\)", lambda found: ":x" if found.group()[0] == ":" else ":x", bare)
    if "(" in bare or "[" in bare:
        return "*"
    last = re.split(r"[\s>+~]+", bare.strip())[-1]
    names = [unescaped(name) for name in _NAME.findall(last)]
    if names:
        return min(names, key=lambda name: name[0] != "#").lower()
    tag = _TAG.match(last)
    return tag.group(1).lower() if tag else "*"


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
