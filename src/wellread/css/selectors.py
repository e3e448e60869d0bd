"""Takes CSS selectors apart: what an element, and those around and before it, must be (Selectors 4, CSS Nesting 1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.bounded_cache import cached_calls
from wellread.css import pseudo
from wellread.css.pseudo import ESCAPE, Chain, Link, Test, unescaped
from wellread.css.words import lowered
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

_PART: Final = rf"(?:[a-zA-Z0-9_-]|[^\x00-\x7f]|{ESCAPE})"
_NAME: Final = rf"(?:--|-?(?:[a-zA-Z_]|[^\x00-\x7f]|{ESCAPE})){_PART}*"
"""An identifier (CSS Syntax 3, 4.3.11)."""
_GAP: Final = r"[ \t\n\r\f]"
_TOKEN: Final = lazy_pattern(
    rf"(?P<note>/\*\*/)|{_GAP}*(?P<sign>[>+~]){_GAP}*|{_GAP}*(?P<comma>,){_GAP}*|{_GAP}*(?P<close>\))|(?P<gap>{_GAP}+)"
    rf"|(?P<mark>[.#])(?P<name>{_NAME})"
    rf"|(?:(?P<space>\*|{_NAME})?(?P<bar>\|)(?!=))?(?P<tag>\*|{_NAME})"
    rf"|\[(?:{_GAP}|/\*\*/)*(?:(?P<within>[\w*-]*)\|(?!=))?(?P<attribute>{_NAME})(?:{_GAP}|/\*\*/)*"
    rf"(?:(?P<by>[~|^$*]?=){_GAP}*(?P<value>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|{_NAME}){_GAP}*(?P<fold>[iIsS])?{_GAP}*)?\]"
    rf"|(?P<colons>::?)(?P<pseudo>{_NAME})(?P<open>\({_GAP}*)?",
    re.DOTALL,
)
_SIMPLE: Final = lazy_pattern(rf"[.#](?:--|-?[a-zA-Z_])(?:[a-zA-Z0-9_-]|{ESCAPE})*")
_NAMES: Final = lazy_pattern(rf"[.#]{_PART}+")
_CASED: Final = lazy_pattern(rf"\[[^\]]*+(?:\]|\Z)|{_NAMES.pattern}")
_STRANGE: Final = lazy_pattern(r"[^\t\n\r\f -~]")
"""What Python may take for white space, or for a part of a name, and CSS not."""
_ESCAPED: Final = lazy_pattern(r"\\.", re.DOTALL)
_SIGNS: Final = str.maketrans(">+~", "   ")
_ODD: Final = lazy_pattern(r"[(\[\\|]|:(?:root|scope)", re.IGNORECASE)
"""What takes a whole reading to find a key."""
_BRACKETS: Final = lazy_pattern(r"\[[^\[\]()]*+\]|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)")
_UNSURE: Final = lazy_pattern(r"[\\|()\[\]]")
_TAG: Final = lazy_pattern(r"[a-zA-Z][a-zA-Z0-9-]*")
_MOST_LINKS: Final = 60
_DEEPEST: Final = 24
_LONGEST_LIST: Final = 100_000
_MOST_WAYS: Final = 16
_FOREIGN: Final = ("-moz-", "-ms-", "-o-")
"""What begins like this is a selector in some browsers, and none in others."""
ID_WEIGHT: Final = 1_000_000
CLASS_WEIGHT: Final = 1_000
"""What an id and a class count in `Selector.specificity`; a type counts 1 (Selectors 4, 17)."""
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


_MOST_CACHED: Final = 8_192
"""Each selector is asked for by two indexes of a page: 200 KB of style sheets have about this many. In a smaller cache
each would push out the next one that is asked for, and all would be parsed twice."""


class _Read(NamedTuple):
    """A selector while it is being read."""

    chain: Chain
    weight: int
    line: bool
    never: bool
    doubtful: bool


@cached_calls(_MOST_CACHED)
def listed(prelude: str) -> tuple[Selector, ...]:
    """Take a list of selectors apart, without those that match nothing on a page at rest.

    One that no browser here knows spoils all of them (Selectors 4, 4.1), or none, so all are doubtful then.
    """
    if _SIMPLE.fullmatch(prelude):
        return (_simple(unescaped(prelude)),)
    if len(prelude) > _LONGEST_LIST:
        return _DOUBTFUL
    reader = _Reader(prelude)
    try:
        read = reader.chains(0)
    except (_UnreadableError, RecursionError) as error:
        return _DOUBTFUL if isinstance(error, RecursionError) else ()
    kept = [one for one in read if not one.never]
    return tuple(_made(one, chain, doubtful=reader.doubtful) for one in kept for chain in _spelt(one.chain))


def _simple(name: str) -> Selector:
    weight = ID_WEIGHT if name[0] == "#" else CLASS_WEIGHT
    return Selector(name.lower(), (Link(" ", frozenset((name,))),), weight, frozenset())


_DOUBTFUL: Final = (Selector(ANYWHERE, (Link(" ", frozenset()),), 0, frozenset(), doubtful=True),)
"""Too long to be read: it may match anything."""


def _made(read: _Read, chain: Chain, *, doubtful: bool) -> Selector:
    doubtful = doubtful or read.doubtful
    around = frozenset(name for link in chain[1:] if link.sign in " >" for name in link.names)
    own = best(read.chain[0].names)
    key = own if own[:1] in {".", "#"} else _key(chain[0])
    return Selector(key, chain, read.weight, around, doubtful, read.line)


def _spelt(chain: Chain) -> list[Chain]:
    """Write `:is()` out: what is asked of an element is then found by its names, as all else is.

    Its weight is that of its heaviest selector, whichever holds (Selectors 4, 17), so the weight stays as it was read.
    """
    if not any(test.kind == "is" for link in chain for test in link.tests):
        return [chain]
    first, *others = chain
    around = tuple(_joined(link) for link in others)
    ways: list[Chain] = [(first._replace(tests=()),)]
    for test in first.tests:
        inner = [way for one in test.chains for way in _spelt(one)] if test.kind == "is" else []
        if inner and len(inner) * len(ways) <= _MOST_WAYS:
            ways = [_both(way, one, alone=not around) for way in ways for one in inner]
        else:
            ways = [(link._replace(tests=(*link.tests, test)), *rest) for link, *rest in ways]
    return [(*way, *around) for way in ways]


def _both(way: Chain, other: Chain, *, alone: bool) -> Chain:
    """Return what asks of an element all that two selectors ask; `alone` when nothing more is asked around it."""
    (link, *rest), (asked, *further) = way, other
    apart = bool(further) and (bool(rest) or not alone)
    tests = (Test("is", chains=(other,)),) if apart else asked.tests
    asking = Link(link.sign, link.names | asked.names, link.tests + tests)
    return (asking, *rest) if apart else (asking, *rest, *further)


def _joined(link: Link) -> Link:
    """Write out what is asked by an `:is()` of one selector; of a longer one, the names at its end."""
    (first, *further), *others = _spelt((link,))
    return link if others else link._replace(names=first.names) if further else first


def _key(link: Link) -> str:
    found = best(link.names)
    if found[:1] in {".", "#"}:
        return found
    asked = next((test.name for test in link.tests if test.kind == "attribute"), None)
    return f"[{asked}" if asked else found or ANYWHERE


def best(names: Iterable[str]) -> str:
    """Return the name that fewest elements will bear: an id, a long class, a tag."""
    return max(names, key=lambda name: ("#" in name[:1], "." in name[:1], len(name), name), default="").lower()


@cached_calls(16_384)
def keys(prelude: str) -> tuple[str, ...]:
    """Return the keys of the selectors in a list, without taking plain ones apart."""
    if _SIMPLE.fullmatch(prelude):
        return (unescaped(prelude).lower(),)
    odd = _ODD.search(prelude) is not None
    bare = _BRACKETS.sub("%", prelude) if odd else prelude
    ways = [one.translate(_SIGNS).split() for one in bare.split(",")]
    found = {_plain_key(way[-1]) for way in ways if way}
    if (odd and (_UNSURE.search(bare) or any(key[0] not in ".#" for key in found))) or _STRANGE.search(prelude):
        found = {one.key for one in listed(prelude)}
    return tuple(found)


def borne(prelude: str, names: frozenset[str]) -> bool:
    """Tell whether a selector in a list asks for no classes (`.name`) and ids (`#name`) but these, case folded.

    What stands in brackets is not looked at; what is too odd to be read at a glance asks for nothing.
    """
    if "\\" in prelude:
        if "\\," in prelude or _UNSURE.search(_ESCAPED.sub("", prelude)):
            return True
        found = [[unescaped(name).casefold() for name in _NAMES.findall(one)] for one in prelude.split(",")]
        return any(map(names.issuperset, found))
    if "(" in prelude or "[" in prelude:
        prelude = _BRACKETS.sub("%", prelude)
    if _UNSURE.search(prelude):
        return True
    return any(map(names.issuperset, map(_NAMES.findall, prelude.casefold().split(","))))


def folded(prelude: str) -> str:
    """Lower the names of classes and ids, and nothing else."""
    return _CASED.sub(lambda one: one.group() if one.group()[0] == "[" else lowered(one.group()), prelude)


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
        self.text = text.strip(" \t\n\r\f")
        self.at = 0
        self.doubtful = False
        self._forgives = False
        self._within = ""

    def chains(self, depth: int) -> list[_Read]:
        """Read a list up to its end, or the bracket that closes it."""
        found: list[_Read] = []
        while True:
            one, ended = self._chain(depth)
            if one is not None:
                found.append(one)
            elif not self._forgives:
                raise _UnreadableError
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
        built = _Building(relative=self._within == "has")
        while (token := self._next()) is not None:
            if token["close"]:
                if not depth:
                    raise _UnreadableError
                return built.read(), True
            if token["comma"]:
                return built.read(), False
            if token["sign"] or token["gap"]:
                built.close(token["sign"] or " ")
            elif not token["note"]:
                self._take(token, built, depth)
        return built.read(), True

    def _take(self, token: re.Match[str], built: _Building, depth: int) -> None:
        self.doubtful |= built.ended or bool(token["bar"] and token["space"] != "*") or bool(token["within"])
        if token["mark"]:
            built.names.append(token["mark"] + unescaped(token["name"]))
            built.weight += ID_WEIGHT if token["mark"] == "#" else CLASS_WEIGHT
        elif token["tag"]:
            if built.names or built.tests or not built.empty:
                raise _UnreadableError  # a type stands first
            if token["tag"] != "*":
                built.names.append(unescaped(token["tag"]).lower())
                built.weight += 1
            built.empty = False
        elif token["attribute"]:
            built.tests.append(pseudo.attribute(token))
            built.weight += CLASS_WEIGHT
        else:
            self._pseudo(token, built, depth)

    def _pseudo(self, token: re.Match[str], built: _Building, depth: int) -> None:
        name = unescaped(token["pseudo"]).lower()
        if token["colons"] == "::" or name in pseudo.ELEMENTS:
            self._element(name, self._skip() if token["open"] else None, built)
            return
        if token["open"] and name in pseudo.TAKING_LISTS:
            self._function(name, built, depth)
            return
        test = pseudo.simple(name, self._skip() if token["open"] else None)
        built.weight += CLASS_WEIGHT
        if test is not None and test.kind == "nth" and test.value:
            inner = _Reader(test.value)
            chains = inner.chains(0)
            self.doubtful |= inner.doubtful
            built.weight += max((one.weight for one in chains), default=0)
            test = test._replace(value="", chains=tuple(one.chain for one in chains if not one.never))
        self._add(name, test, built)

    def _element(self, name: str, inside: str | None, built: _Building) -> None:
        """Take a pseudo-element: what is asked of one is asked of no element."""
        bare = inside is None and (name in pseudo.ELEMENTS | pseudo.SINGLE or name.startswith("-webkit-"))
        known = bare or (bool(inside) and name in pseudo.PARTS)
        if not known and not name.startswith(_FOREIGN) and not self._forgives:
            raise _UnreadableError
        self.doubtful |= (not known or bool(self._within)) and not self._forgives
        built.line |= name == "first-line"
        built.never |= name != "first-line"
        built.weight += 1
        built.ended, built.empty = True, False

    def _add(self, name: str, test: Test | None, built: _Building) -> None:
        built.empty = False
        if test is None and not self._forgives:
            if not name.startswith(_FOREIGN):
                raise _UnreadableError  # and so it does in browsers, which know no others
            self.doubtful = True
        if test is None or test.kind == "never":
            built.never = True
        elif test.kind == "root":
            built.names.append("html")
        else:
            built.tests.append(test)

    def _function(self, name: str, built: _Building, depth: int) -> None:
        kind = pseudo.TAKING_LISTS[name]
        before = self._forgives, self._within
        self.doubtful |= kind == "has" and before[1] == "has"
        built.empty = False
        if depth >= _DEEPEST:
            self._skip()
            built.tests.append(pseudo.UNKNOWN)
            return
        self._forgives, self._within = before[0] or kind == "is", kind
        start = self.at
        try:
            found = self.chains(depth + 1)
        except _UnreadableError:
            if not self._forgives:
                raise
            self.at = start  # of such a list browsers pass over what they cannot read (Selectors 4, 19)
            self._skip()
            built.tests.append(pseudo.UNKNOWN)
            return
        finally:
            self._forgives, self._within = before
        if name != "where":
            built.weight += max((one.weight for one in found), default=0)
        chains = tuple(one.chain for one in found if not one.never and not one.line)
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

    def __init__(self, *, relative: bool) -> None:
        self.names: list[str] = []
        self.tests: list[Test] = []
        self.empty = True
        self.weight = 0
        self.line = self.never = self.ended = self.doubtful = False
        """`ended` with a pseudo-element, after which little may stand; `doubtful` when it is too long."""
        self._relative = relative
        self._links: list[Link] = []
        self._signs: list[str] = []

    def close(self, sign: str) -> None:
        """End one compound; `sign` says how the next stands to it."""
        if self.names or self.tests or not self.empty:
            self._links.append(Link("", frozenset(self.names), tuple(self.tests)))
            self._signs.append(sign)
        elif not self._links and sign != " " and self._relative:
            self._links.append(Link("", frozenset(), (pseudo.ANCHOR,)))
            self._signs.append(sign)
        elif self._links and self._signs[-1] == " ":
            self._signs[-1] = sign
        elif sign != " ":
            raise _UnreadableError
        if len(self._links) > _MOST_LINKS:
            del self._links[0], self._signs[0]
            self.doubtful = True
        self.names, self.tests, self.empty = [], [], True

    def read(self) -> _Read | None:
        """Return the whole; None when there is nothing."""
        if self._links and self._signs[-1] != " " and not (self.names or self.tests or not self.empty):
            raise _UnreadableError  # a combinator stands last
        self.close(" ")
        if not self._links:
            return None
        signs = [*self._signs[:-1], " "]
        pairs = zip(reversed(self._links), reversed(signs), strict=True)
        chain = tuple(Link(sign, link.names, link.tests) for link, sign in pairs)
        return _Read(chain, self.weight, self.line, self.never, self.doubtful)
