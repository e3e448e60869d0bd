"""Takes CSS selectors apart: what an element, and those around and before it, must be (Selectors 4, CSS Nesting 1)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import pseudo
from wellread.css.pseudo import Chain, Link, Test, unescaped

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAME: Final = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n0-9a-fA-F])+"
_TOKEN: Final = re.compile(
    rf"\s*(?P<sign>[>+~])\s*|\s*(?P<comma>,)\s*|\s*(?P<close>\))|(?P<gap>\s+)"
    rf"|(?P<mark>[.#])(?P<name>{_NAME})"
    rf"|(?:(?:\*|{_NAME})?\|(?!=))?(?P<tag>\*|{_NAME})"
    rf"|\[\s*(?:[\w*-]*\|(?!=))?(?P<attribute>{_NAME})\s*"
    rf"(?:(?P<by>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|{_NAME})\s*(?P<fold>[iIsS])?\s*)?\]"
    rf"|(?P<colons>::?)(?P<pseudo>{_NAME})(?P<open>\(\s*)?"
)
_SIMPLE: Final = re.compile(r"[.#][a-zA-Z_-][\w-]*")
_PLAIN: Final = re.compile(r"[.#][a-zA-Z_-][\w.#-]*")
_NAMES: Final = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f])+")
_SIGNS: Final = str.maketrans(">+~", "   ")
_ODD: Final = re.compile(r"[(\[\\|]|:(?:root|scope)", re.IGNORECASE)
"""What takes a whole reading to find a key."""
_TAG: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_MOST_LINKS: Final = 20
_DEEPEST: Final = 8
_LONGEST: Final = 2_000
_LONGEST_LIST: Final = 100_000
_FOREIGN: Final = ("-moz-", "-ms-", "-o-")
"""What begins like this is a selector in some browsers, and none in others."""
_ID: Final = 1_000_000
_CLASS: Final = 1_000
ANYWHERE: Final = "*"


class Selector(NamedTuple):
    """One selector of a list."""

    key: str
    """`.class`, `#id`, `[attribute` or tag that every match bears, in lower case; `*` when there is none."""
    chain: Chain
    specificity: int
    around: frozenset[str]
    """Names that elements around every match bear."""
    doubtful: bool = False
    """Nobody here knows whether browsers take it for one."""
    line: bool = False
    """It stands for the first line of the element alone."""


class _Read(NamedTuple):
    """A selector while it is being read."""

    chain: Chain
    weight: int
    line: bool
    never: bool
    doubtful: bool


@lru_cache(maxsize=2_048)
def listed(prelude: str) -> tuple[Selector, ...]:
    """Take a list of selectors apart, without those that match nothing on a page at rest.

    One that no browser here knows spoils all of them (Selectors 4, 4.1), or none, so all are doubtful then.
    """
    if _SIMPLE.fullmatch(prelude):
        return (_simple(prelude),)
    if len(prelude) > _LONGEST_LIST:
        return _DOUBTFUL
    reader = _Reader(prelude)
    try:
        read = reader.chains(0)
    except (_UnreadableError, RecursionError):
        return ()
    doubtful = reader.doubtful
    return tuple(_made(one, doubtful=doubtful) for one in read if not one.never)


def _simple(name: str) -> Selector:
    weight = _ID if name[0] == "#" else _CLASS
    return Selector(name.lower(), (Link(" ", frozenset((name,))),), weight, frozenset())


_DOUBTFUL: Final = (Selector(ANYWHERE, (Link(" ", frozenset()),), 0, frozenset(), doubtful=True),)
"""Too long to be read: it may match anything."""


def _made(read: _Read, *, doubtful: bool) -> Selector:
    chain = read.chain
    around = frozenset(name for link in chain[1:] if link.sign in " >" for name in link.names)
    return Selector(_key(chain[0]), chain, read.weight, around, doubtful, read.line)


def _key(link: Link) -> str:
    found = best(link.names)
    if found[:1] in {".", "#"}:
        return found
    asked = next((test.name for test in link.tests if test.kind == "attribute"), None)
    return f"[{asked}" if asked else found or ANYWHERE


def best(names: Iterable[str]) -> str:
    """Return the name that fewest elements will bear: an id, a long class, a tag."""
    return max(names, key=lambda name: ("#" in name[:1], "." in name[:1], len(name), name), default="").lower()


@lru_cache(maxsize=16_384)
def keys(prelude: str) -> tuple[str, ...]:
    """Return the keys of the selectors in a list, without taking plain ones apart."""
    if _PLAIN.fullmatch(prelude):
        return (best(_NAMES.findall(prelude)),)
    if _ODD.search(prelude):
        return tuple({one.key for one in listed(prelude)})
    ways = [one.translate(_SIGNS).split() for one in prelude.split(",")]
    return tuple({_plain_key(way[-1]) for way in ways if way})


def _plain_key(last: str) -> str:
    names = _NAMES.findall(last)
    if names:
        return names[0].lower() if len(names) == 1 else best(names)
    tag = _TAG.match(last)
    return tag.group().lower() if tag else ANYWHERE


class _UnreadableError(ValueError):
    """No browser takes this for a selector."""


class _Reader:
    """Reads one list of selectors from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.at = 0
        self.doubtful = False
        self._forgives = False

    def chains(self, depth: int) -> list[_Read]:
        """Read a list up to its end, or the bracket that closes it."""
        found: list[_Read] = []
        while True:
            one, ended = self._chain(depth)
            if one is not None:
                found.append(one)
            if ended:
                return found

    def _next(self) -> re.Match[str] | None:
        if self.at >= len(self.text):
            return None
        token = _TOKEN.match(self.text, self.at)
        if token is None:
            raise _UnreadableError
        self.at = token.end()
        return token

    def _chain(self, depth: int) -> tuple[_Read | None, bool]:
        built = _Building()
        while (token := self._next()) is not None:
            if token["close"]:
                if not depth:
                    raise _UnreadableError
                return built.read(), True
            if token["comma"]:
                return built.read(), False
            if token["sign"] or token["gap"]:
                built.close(token["sign"] or " ")
            else:
                self._take(token, built, depth)
        return built.read(), True

    def _take(self, token: re.Match[str], built: _Building, depth: int) -> None:
        if token["mark"]:
            built.names.append(token["mark"] + unescaped(token["name"]))
            built.weight += _ID if token["mark"] == "#" else _CLASS
        elif token["tag"]:
            if token["tag"] != "*":
                built.names.append(unescaped(token["tag"]).lower())
                built.weight += 1
            built.empty = False
        elif token["attribute"]:
            built.tests.append(pseudo.attribute(token))
            built.weight += _CLASS
        else:
            self._pseudo(token, built, depth)

    def _pseudo(self, token: re.Match[str], built: _Building, depth: int) -> None:
        name = unescaped(token["pseudo"]).lower()
        if token["colons"] == "::" or name in pseudo.ELEMENTS:
            if token["open"]:
                self._skip()
            built.line |= name == "first-line"
            built.never |= name != "first-line"
            built.weight += 1
            return
        if token["open"] and name in pseudo.TAKING_LISTS:
            self._function(name, built, depth)
            return
        test = pseudo.simple(name, self._skip() if token["open"] else None)
        built.weight += _CLASS
        if test.kind == "nth" and test.value:
            inner = _Reader(test.value)
            chains = inner.chains(0)
            built.weight += max((one.weight for one in chains), default=0)
            test = test._replace(value="", chains=tuple(one.chain for one in chains if not one.never))
        self._add(name, test, built)

    def _add(self, name: str, test: Test, built: _Building) -> None:
        if test.kind == "unknown" and not name.startswith(_FOREIGN) and not self._forgives:
            raise _UnreadableError  # and so it does in browsers, which know no others
        if test.kind in {"unknown", "never"}:
            self.doubtful |= test.kind == "unknown" and not self._forgives
            built.never = True
        elif test.kind == "root":
            built.names.append("html")
        elif test.kind != "always":
            built.tests.append(test)
        built.empty = False

    def _function(self, name: str, built: _Building, depth: int) -> None:
        if depth >= _DEEPEST:
            raise _UnreadableError
        kind = pseudo.TAKING_LISTS[name]
        before = self._forgives
        self._forgives = before or kind == "is"  # which passes over what it does not know (Selectors 4, 19)
        found = self.chains(depth + 1)
        self._forgives = before
        if name != "where":
            built.weight += max((one.weight for one in found), default=0)
        chains = tuple(one.chain for one in found if not one.never and not one.line)
        built.empty = False
        if kind == "not" and not chains:
            return
        if not chains:
            built.never = True
        else:
            built.tests.append(Test(kind, chains=chains))

    def _skip(self) -> str:
        """Return what stands in the bracket that is open, as it is written."""
        start, depth = self.at, 1
        while self.at < len(self.text):
            sign = self.text[self.at]
            depth += (sign == "(") - (sign == ")")
            self.at += 1
            if not depth:
                return self.text[start : self.at - 1]
        return self.text[start:]


class _Building:
    """One selector of a list, so far."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.tests: list[Test] = []
        self.empty = True
        self.weight = 0
        self.line = self.never = False
        self._links: list[Link] = []
        self._signs: list[str] = []

    def close(self, sign: str) -> None:
        """End one compound; `sign` says how the next stands to it."""
        if self.names or self.tests or not self.empty:
            self._links.append(Link("", frozenset(self.names), tuple(self.tests)))
            self._signs.append(sign)
        elif not self._links and sign != " ":
            self._links.append(Link("", frozenset(), (pseudo.ANCHOR,)))
            self._signs.append(sign)
        elif self._links and self._signs[-1] == " ":
            self._signs[-1] = sign
        elif sign != " ":
            raise _UnreadableError
        if len(self._links) > _MOST_LINKS:
            raise _UnreadableError
        self.names, self.tests, self.empty = [], [], True

    def read(self) -> _Read | None:
        """Return the whole; None when there is nothing."""
        self.close(" ")
        if not self._links:
            return None
        signs = [*self._signs[:-1], " "]
        chain = tuple(
            link._replace(sign=sign) for link, sign in zip(reversed(self._links), reversed(signs), strict=True)
        )
        return _Read(chain, self.weight, self.line, self.never, doubtful=False)


def parts(prelude: str) -> list[str]:
    """Split a list of selectors at its own commas."""
    if "(" not in prelude and "[" not in prelude:
        return prelude.split(",")
    return re.findall(r"(?:[^,()\[\]]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\])+", prelude)


def nested(outer: str, inner: str) -> str | None:
    """Return the selector of a rule inside another (CSS Nesting 1); None when it grows beyond all bounds."""
    outer = outer.strip()
    around = outer if _PLAIN.fullmatch(outer) else f":is({outer})"
    if len(around) * (inner.count("&") + inner.count(",") + 1) > _LONGEST:
        return None
    pieces = []
    for one in parts(inner):
        told = one.strip()
        if told[:1] in {">", "+", "~"} or "&" not in told:
            told = f"& {told}"
        pieces.append(re.sub(r"&(?=[a-zA-Z])", lambda _: f":is({around})", told).replace("&", around))
    return ",".join(pieces)


def scoped(root: str, inner: str) -> str | None:
    """Return the selector of a rule inside `@scope (root)` (CSS Cascade 6, 2.5)."""
    if len(root) * (inner.count(",") + inner.count("&") + 2) > _LONGEST:
        return None
    pieces = []
    for one in parts(inner):
        told = re.sub(r":scope\b|&", lambda _: f":is({root})", one.strip())
        if told[:1] in {">", "+", "~"}:
            told = f":is({root}) {told}"
        if told != one.strip():
            pieces.append(told)
        else:
            pieces += [f":where({root}) {told}", f"{told}:where({root})"]
    return ",".join(pieces)
