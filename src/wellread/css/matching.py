"""Tells whether a selector matches an element, within a bound of steps for a page; what cannot be told is None."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from wellread.css.states import STANDS
from wellread.css.words import lowered, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.css.pseudo import Chain, Link, Test

_LEAST_STEPS: Final = 600_000
_STEPS_EACH: Final = 250
_MOST_STEPS: Final = 2_000_000
"""Elements that are looked at for a page, and more for each of its elements: the greediest honest page takes half."""
_ONE_TEST: Final = 4
"""Steps: what is asked of an element beyond its names takes as long as looking at so many."""
_ONE_STEP: Final = 128
"""Characters of a value, which take as long to be gone through."""
_HIGHEST: Final = 300


class _Place(NamedTuple):
    """Where an element stands among the elements of its parent, counted from 1: all, and those of its type."""

    first: int
    last: int
    first_of_type: int
    last_of_type: int


class Matcher:
    """Matches selectors with the elements of one page."""

    def __init__(self, *, quirky: bool = False, scripted: bool = False) -> None:
        """Take whether the page is in quirks mode, where classes and ids are of no case (Selectors 4, 6.6).

        And whether it has scripts, which define its own elements.
        """
        self.steps = 0
        self._scripted = scripted
        self._quirky = quirky
        self._names: dict[int, frozenset[str]] = {}
        self._attributes: dict[int, Mapping[str, str | None]] = {}
        self._lowered = cache(lowered)  # no longer than the page, each element of which may ask for those around it
        self._split = cache(_split)
        self._paths: dict[int, int] = {}
        self._numbers: dict[tuple[int, frozenset[str]], int] = {}
        self._places: dict[int, dict[int, _Place]] = {}
        self._had: dict[tuple[int, Test], bool | None] = {}
        self._anchor = 0
        self._doubted = False
        """Whether something could not be told since this was set back."""

    @property
    def exhausted(self) -> bool:
        """Whether more was asked than any honest page asks."""
        return self.steps > _LEAST_STEPS and self.steps > min(
            _LEAST_STEPS + _STEPS_EACH * len(self._names), _MOST_STEPS
        )

    def names(self, node: LexborNode) -> frozenset[str]:
        """Return the tag, the classes and the id of an element, as selectors write them."""
        known = self._names.get(node.mem_id)
        if known is None:
            attributes: Mapping[str, str | None] = node.attributes
            called, name = attributes.get("class") or "", attributes.get("id")
            if self._quirky:
                called, name = lowered(called), lowered(name) if name else name
            names = [node.tag or "", *(f".{name}" for name in tokens(called))]
            if name:
                names.append(f"#{name}")
            known = self._names[node.mem_id] = frozenset(names)
        return known

    def path(self, node: LexborNode | None) -> int:
        """Return a number that elements share when they bear the same names, and so does all that is around them."""
        way: list[LexborNode] = []
        while node is not None and node.mem_id not in self._paths and len(way) < _HIGHEST:
            way.append(node)
            node = node.parent
        path = self._paths.get(node.mem_id, 0) if node is not None else 0
        for one in reversed(way):
            path = self._numbers.setdefault((path, self.names(one)), len(self._numbers) + 1)
            self._paths[one.mem_id] = path
        return path

    def matches(self, node: LexborNode, chain: Chain) -> bool | None:
        """Tell whether a selector matches a node."""
        before, self._doubted = self._doubted, False
        held: bool | None = self._walk(node, chain, lax=False)
        if not held and (self._doubted or self.exhausted):
            held = None if self._walk(node, chain, lax=True) else False
        self._doubted |= before
        return held

    def _walk(self, node: LexborNode, chain: Chain, *, lax: bool) -> bool:
        """Go outwards, with all places where each compound may stand; `lax` takes what cannot be told for a match."""
        if not self._fits(node, chain[0], lax=lax):
            return False
        places = [node]
        for link in chain[1:]:
            if self.steps > _LEAST_STEPS and self.exhausted:
                return lax
            near = _near(places, link.sign)
            self.steps += len(near)
            if len(near) >= _HIGHEST:
                self._doubted = True  # there are more than anybody looks at
                if lax:
                    return True
            places = [place for place in near if self._fits(place, link, lax=lax)]
            if not places:
                return False
        return True

    def _fits(self, node: LexborNode, link: Link, *, lax: bool) -> bool:
        if not link.names <= self.names(node):
            return False
        for test in link.tests:
            held = self._test(node, test)
            self._doubted |= held is None
            if held is False or (held is None and not lax):
                return False
        return True

    def _test(self, node: LexborNode, test: Test) -> bool | None:
        self.steps += _ONE_TEST
        if self.steps > _LEAST_STEPS and self.exhausted:
            return None
        own = self._tests.get(test.kind)
        return own(self, node, test) if own is not None else STANDS[test.kind](node, test)

    def _is(self, node: LexborNode, test: Test) -> bool | None:
        held = _any(self.matches(node, chain) for chain in test.chains)
        return held if test.kind == "is" else None if held is None else not held

    def _has(self, node: LexborNode, test: Test) -> bool | None:
        key = (node.mem_id, test)
        if key not in self._had:
            before, self._anchor = self._anchor, node.mem_id
            self._had[key] = _any(self._has_one(node, chain) for chain in test.chains)
            self._anchor = before
        return self._had[key]

    def _has_one(self, node: LexborNode, chain: Chain) -> bool | None:
        anchored = bool(chain[-1].tests) and chain[-1].tests[0].kind == "anchor"
        beside = anchored and chain[-1].sign in "+~"
        doubt = False
        for one in _followers(node) if beside else _inside(node):
            self.steps += 1
            if self.exhausted:
                return None
            held = self.matches(one, chain)
            if held:
                return True
            doubt = doubt or held is None
        return None if doubt else False

    def _has_attribute(self, node: LexborNode, test: Test) -> bool:
        attributes = self._attributes.get(node.mem_id)
        if attributes is None:
            attributes = self._attributes[node.mem_id] = node.attributes
        if test.name not in attributes:
            return False
        value, asked, by = attributes[test.name] or "", test.value, test.by
        self.steps += len(value) // _ONE_STEP
        if by[-1:] == "i":
            value, asked, by = self._lowered(value), lowered(asked), by[:-1]
        if by == "~=":
            return asked in self._split(value)
        return _COMPARED[by](value, asked) if by else True

    def _counted(self, node: LexborNode, test: Test) -> bool | None:
        parent = node.parent
        if parent is None:
            return False
        if test.chains:
            return self._counted_among(node, test)
        places = self._places.get(parent.mem_id)
        if places is None:
            places = self._places[parent.mem_id] = _placed(parent)
            self.steps += len(places)
        place = places.get(node.mem_id)
        if place is None:
            return False
        of_type = "type" in test.by
        first, last = (place.first_of_type, place.last_of_type) if of_type else (place.first, place.last)
        if test.kind == "only":
            return first == last == 1
        return _is_at(last if "last" in test.by else first, *test.step)

    def _counted_among(self, node: LexborNode, test: Test) -> bool | None:
        """Count only the siblings that match a list of selectors."""
        count = 0
        at: LexborNode | None = node
        while at is not None:
            self.steps += 1
            if self.exhausted:
                return None
            if (at.tag or "-")[0] != "-":
                held = _any(self.matches(at, chain) for chain in test.chains)
                if held is None or (at is node and not held):
                    return held
                count += held
            at = at.next if "last" in test.by else at.prev
        return _is_at(count, *test.step)

    def _is_defined(self, node: LexborNode, _: Test) -> bool:
        own = "-" in (node.tag or "") or "is" in node.attributes
        return self._scripted or not own

    _tests: ClassVar[Mapping[str, Callable[[Matcher, LexborNode, Test], bool | None]]] = {
        "is": _is,
        "not": _is,
        "has": _has,
        "nth": _counted,
        "only": _counted,
        "anchor": lambda self, node, _: node.mem_id == self._anchor,
        "attribute": _has_attribute,
        "defined": _is_defined,
    }
    """Of the class: a matcher that holds its own methods holds its page until the garbage collector comes."""


def _split(value: str) -> frozenset[str]:
    return frozenset(tokens(value))


def _any(held: Iterable[bool | None]) -> bool | None:
    doubt = False
    for one in held:
        if one:
            return True
        doubt = doubt or one is None
    return None if doubt else False


def _is_at(place: int, each: int, first: int) -> bool:
    if not each:
        return place == first
    return (place - first) % each == 0 and (place - first) // each >= 0


def _placed(parent: LexborNode) -> dict[int, _Place]:
    children = [node for node in parent.iter() if (node.tag or "-")[0] != "-"]
    types: Counter[str] = Counter(node.tag or "" for node in children)
    seen: Counter[str] = Counter()
    found: dict[int, _Place] = {}
    for at, node in enumerate(children):
        tag = node.tag or ""
        seen[tag] += 1
        found[node.mem_id] = _Place(at + 1, len(children) - at, seen[tag], types[tag] - seen[tag] + 1)
    return found


_COMPARED: Final[dict[str, Callable[[str, str], bool]]] = {
    "=": lambda value, asked: value == asked,
    "|=": lambda value, asked: value == asked or value.startswith(f"{asked}-"),
    "^=": lambda value, asked: bool(asked) and value.startswith(asked),
    "$=": lambda value, asked: bool(asked) and value.endswith(asked),
    "*=": lambda value, asked: bool(asked) and asked in value,
}


def _near(places: Sequence[LexborNode], sign: str) -> list[LexborNode]:
    """Return the elements that stand to `places` as a combinator asks, the nearest first and without repeats."""
    found: dict[int, LexborNode] = {}
    for place in places:
        at = _step(place, sign)
        while at is not None and at.mem_id not in found and len(found) < _HIGHEST:
            found[at.mem_id] = at
            at = _step(at, sign) if sign in " ~" else None
    return list(found.values())


def _step(node: LexborNode, sign: str) -> LexborNode | None:
    if sign in " >":
        return node.parent if node.parent is not None and node.parent.tag != "-document" else None
    at = node.prev
    while at is not None and (at.tag or "-")[0] == "-":
        at = at.prev
    return at


def _inside(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements in an element, in document order."""
    waiting = [node.first_child]
    while waiting:
        at = waiting.pop()
        if at is None:
            continue
        waiting.append(at.next)
        if (at.tag or "-")[0] != "-":
            waiting.append(at.first_child)
            yield at


def _followers(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements after an element under the same parent, and all that is in them."""
    at = node.next
    while at is not None:
        if (at.tag or "-")[0] != "-":
            yield at
            yield from _inside(at)
        at = at.next
