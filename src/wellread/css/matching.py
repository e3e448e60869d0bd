"""Tells whether a selector matches an element, within a bound of steps for a page; what cannot be told is None."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple
from weakref import ref

from wellread.css.states import STANDS, StateMemo
from wellread.css.words import lowered, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.css.pseudo import Chain, Link, Test

_LEAST_STEPS: Final = 750_000
_STEPS_EACH: Final = 300
_MOST_STEPS: Final = 1_500_000
"""Steps that matching may take for a page, more of them for each of its elements, and what it may take for no page. Of
2,336 real pages the greediest takes two thirds of what it may; of the 1,701 in docs/security.md, 59 %."""
STEPS_PER_SPENT: Final = 3
"""Steps of a matcher that count as one of the page's: each takes a third of a microsecond."""
_ONE_MATCH: Final = 4
_ONE_CLIMB: Final = 3
_ONE_TEST: Final = 6
_ONE_SEARCH: Final = 10
"""Steps: to begin with a selector, to look for what stands where a combinator asks, to ask of an element more than
its names, and to search the page for a selector of `:has()`. Each element that is looked at takes one more."""
_ONE_STEP: Final = 128
"""Characters of an attribute's value, which take as long to be gone through."""
_ONE_WORD: Final = 4
"""Characters of a list in a selector, which take as long to be parted and compared."""
_HIGHEST: Final = 300


class _Place(NamedTuple):
    """Where an element stands among the elements of its parent, counted from 1: all, and those of its type."""

    first: int
    last: int
    first_of_type: int
    last_of_type: int


class _ElementView:
    """An element as selectors see it; what it stands in and behind is looked up once, for each look makes an object."""

    __slots__ = ("_before", "_knows_before", "_page", "known_around", "knows_around", "names", "node", "number")

    def __init__(self, node: LexborNode, names: frozenset[str], page: Matcher) -> None:
        self.node: Final = node
        self.number: Final = node.mem_id
        self.names: Final = names
        """The tag, the classes and the id, as selectors write them."""
        self._page = ref(page)  # weak: nothing of a page may refer to itself in a ring
        self.knows_around = self._knows_before = False
        self.known_around: _ElementView | None = None
        self._before: _ElementView | None = None

    def _view(self, node: LexborNode) -> _ElementView:
        page = self._page()
        assert page is not None, "the matcher is gone"
        return page.element(node)

    @property
    def around(self) -> _ElementView | None:
        """The element that it stands in."""
        if not self.knows_around:
            self.knows_around = True
            parent = self.node.parent
            self.known_around = self._view(parent) if parent is not None and parent.tag != "-document" else None
        return self.known_around

    @property
    def before(self) -> _ElementView | None:
        """The element before it under the same parent."""
        if not self._knows_before:
            self._knows_before = True
            at = self.node.prev
            while at is not None and (at.tag or "-")[0] == "-":
                at = at.prev
            self._before = self._view(at) if at is not None else None
        return self._before


class _Among(NamedTuple):
    """Where an element stands among those of its parent that match, counted from 1; None where that is not known."""

    first: int | None
    last: int | None


class Matcher:
    """Matches selectors with the elements of one page."""

    def __init__(self, *, quirky: bool = False, scripted: bool = False) -> None:
        """Take whether the page is in quirks mode, where classes and ids are of no case (Selectors 4, 6.6).

        And whether it has scripts, which define its own elements.
        """
        self.steps = 0
        self._scripted = scripted
        self._quirky = quirky
        self._most_steps = _LEAST_STEPS
        self._elements: dict[int, _ElementView] = {}
        self._order: _Order | None = None
        self._stands = StateMemo()
        self._attributes: dict[int, Mapping[str, str | None]] = {}
        self._lowered = cache(lowered)  # no longer than the page, each element of which may ask for those around it
        self._split = cache(_split)
        self._paths: dict[int, int] = {}
        self._numbers: dict[tuple[int, frozenset[str]], int] = {}
        self._places: dict[int, dict[int, _Place]] = {}
        self._positions: dict[int, tuple[list[_ElementView], int]] = {}
        self._had: dict[tuple[int, int], bool | None] = {}
        self._among: dict[tuple[int, int], Mapping[int, _Among]] = {}
        """By an element and a test within it..."""
        self._tests_asked: dict[int, object] = {}
        """...which is known by its `id`, for hashing it takes as long as it is written, and so is kept alive here."""
        self._anchor = 0
        self._doubted = False
        """Whether something could not be told since this was set back."""

    def is_exhausted(self) -> bool:
        """Return whether the page has asked for more steps than any honest page."""
        return self.steps > self._most_steps

    def names(self, node: LexborNode) -> frozenset[str]:
        """Return the tag, the classes and the id of an element, as selectors write them."""
        return self.element(node).names

    def element(self, node: LexborNode) -> _ElementView:
        """Return a node as selectors see it."""
        known = self._elements.get(node.mem_id)
        if known is None:
            attributes: Mapping[str, str | None] = node.attributes
            called, name = attributes.get("class") or "", attributes.get("id")
            if self._quirky:
                called, name = lowered(called), lowered(name) if name else name
            names = [node.tag or "", *(f".{name}" for name in tokens(called))]
            if name:
                names.append(f"#{name}")
            known = self._elements[node.mem_id] = _ElementView(node, frozenset(names), self)
            if self._most_steps < _MOST_STEPS:
                self._most_steps += _STEPS_EACH
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
        return self._matches(self.element(node), chain)

    def _matches(self, element: _ElementView, chain: Chain) -> bool | None:
        self.steps += _ONE_MATCH
        before, self._doubted = self._doubted, False
        held: bool | None = self._walk(element, chain, lax=False)
        if not held and (self._doubted or self.is_exhausted()):
            held = None if self._walk(element, chain, lax=True) else False
        self._doubted |= before
        return held

    def _any(self, element: _ElementView, chains: Sequence[Chain]) -> bool | None:
        """Tell whether any of several selectors matches an element."""
        self.steps += len(chains)
        doubt = False
        for chain in chains:
            if chain[0].names <= element.names:
                held = self._matches(element, chain)
                if held:
                    return True
                doubt = doubt or held is None
        return None if doubt else False

    def _walk(self, element: _ElementView, chain: Chain, *, lax: bool) -> bool:
        """Go outwards, with all places where each compound may stand; `lax` takes what cannot be told for a match."""
        if not self._fits(element, chain[0], lax=lax):
            return False
        places = [element]
        for link in chain[1:]:
            if self.is_exhausted():
                return lax
            near = self._preceding_siblings(places) if link.sign == "~" else _near(places, link.sign)
            self.steps += _ONE_CLIMB + len(near)
            if len(near) >= _HIGHEST:
                self._doubted = True  # there are more than anybody looks at
                if lax:
                    return True
            names, has_tests = link.names, bool(link.tests)
            places = []  # no comprehension, which is a call: see `_near`
            for place in near:
                if names <= place.names and (not has_tests or self._fits(place, link, lax=lax)):
                    places.append(place)
            if not places:
                return False
        return True

    def _preceding_siblings(self, places: Sequence[_ElementView]) -> list[_ElementView]:
        """Return the elements before any of `places` under the same parent, the nearest first."""
        last: dict[int, tuple[list[_ElementView], int]] = {}
        for place in places:
            siblings, position = self._position(place)
            if id(siblings) not in last or position > last[id(siblings)][1]:
                last[id(siblings)] = siblings, position
        near: list[_ElementView] = []
        for siblings, position in last.values():
            near += siblings[max(0, position - _HIGHEST) : position][::-1]
            if len(near) >= _HIGHEST:
                break
        return near[:_HIGHEST]

    def _position(self, element: _ElementView) -> tuple[list[_ElementView], int]:
        """Return the elements of the same parent, and the place of `element` among them."""
        if element.number not in self._positions:
            parent = element.node.parent
            siblings = [element]
            if parent is not None and parent.tag != "-document":
                siblings = [self.element(child) for child in parent.iter()]
            self.steps += len(siblings)
            for position, sibling in enumerate(siblings):
                self._positions[sibling.number] = siblings, position
        return self._positions[element.number]

    def _fits(self, element: _ElementView, link: Link, *, lax: bool) -> bool:
        if not link.names <= element.names:
            return False
        for test in link.tests:
            held = self._test(element, test)
            self._doubted |= held is None
            if held is False or (held is None and not lax):
                return False
        return True

    def _test(self, element: _ElementView, test: Test) -> bool | None:
        self.steps += _ONE_TEST
        if self.is_exhausted():
            return None
        own = self._tests.get(test.kind)
        if own is not None:
            return own(self, element, test)
        self.steps += len(test.value) // _ONE_WORD
        return STANDS[test.kind](element.node, test, self._stands)

    def _is(self, element: _ElementView, test: Test) -> bool | None:
        held = self._any(element, test.chains)
        return held if test.kind == "is" else None if held is None else not held

    def _has(self, element: _ElementView, test: Test) -> bool | None:
        self._tests_asked[id(test)] = test
        key = (element.number, id(test))
        if key not in self._had:
            order = self._order_of(element)
            chains = order.possible(test)
            self.steps += 1 + _ONE_SEARCH * len(chains)
            before, self._anchor = self._anchor, element.number
            self._had[key] = _any(self._has_one(order, element, chain) for chain in chains)
            self._anchor = before
        return self._had[key]

    def _order_of(self, element: _ElementView) -> _Order:
        """Return the document order of the tree of an element."""
        if self._order is None or element.number not in self._order.places:
            self._order = _Order(element.node, self)
            self.steps += len(self._order.elements)
        return self._order

    def _has_one(self, order: _Order, element: _ElementView, chain: Chain) -> bool | None:
        anchored = bool(chain[-1].tests) and chain[-1].tests[0].kind == "anchor"
        beside = anchored and chain[-1].sign in "+~"
        doubt = False
        for other in order.candidates(element, chain[0].names, beside=beside):
            if self.is_exhausted():
                return None
            held = self._matches(other, chain)
            if held:
                return True
            doubt = doubt or held is None
        return None if doubt else False

    def _has_attribute(self, element: _ElementView, test: Test) -> bool:
        attributes = self._attributes.get(element.number)
        if attributes is None:
            attributes = self._attributes[element.number] = element.node.attributes
        if test.name not in attributes:
            return False
        value, asked, by = attributes[test.name] or "", test.value, test.by
        self.steps += len(value) // _ONE_STEP
        if by[-1:] == "i":
            value, asked, by = self._lowered(value), lowered(asked), by[:-1]
        if by == "~=":
            return asked in self._split(value)
        return _COMPARED[by](value, asked) if by else True

    def _counted(self, element: _ElementView, test: Test) -> bool | None:
        parent = element.node.parent
        if parent is None:
            return False
        if test.chains:
            return self._counted_among(element, parent, test)
        places = self._places.get(parent.mem_id)
        if places is None:
            places = self._places[parent.mem_id] = _placed(parent)
            self.steps += len(places)
        place = places.get(element.number)
        if place is None:
            return False
        of_type = "type" in test.by
        first, last = (place.first_of_type, place.last_of_type) if of_type else (place.first, place.last)
        if test.kind == "only":
            return first == last == 1
        return _is_at(last if "last" in test.by else first, *test.step)

    def _counted_among(self, element: _ElementView, parent: LexborNode, test: Test) -> bool | None:
        """Count only the siblings that match a list of selectors: all of them at once, for each may be asked."""
        self._tests_asked[id(test.chains)] = test.chains
        key = (parent.mem_id, id(test.chains))
        places = self._among.get(key)
        if places is None:
            places = self._among[key] = self._placed_among(parent, test.chains)
        place = places.get(element.number)
        if place is None:
            return None if self.is_exhausted() else False
        count = place.last if "last" in test.by else place.first
        return None if count is None else _is_at(count, *test.step)

    def _placed_among(self, parent: LexborNode, chains: Sequence[Chain]) -> Mapping[int, _Among]:
        """Return where those of the elements in another stand that match, or may."""
        verdicts: list[tuple[int, bool | None]] = []
        for node in parent.iter():
            if (node.tag or "-")[0] == "-":
                continue
            self.steps += 1
            if self.is_exhausted():
                return {}
            element = self.element(node)
            verdicts.append((element.number, self._any(element, chains)))
        first, last = _counts(verdicts), _counts(verdicts[::-1])
        return {number: _Among(first[number], last[number]) for number in first}

    def _is_defined(self, element: _ElementView, _: Test) -> bool:
        own = "-" in (element.node.tag or "") or "is" in element.node.attributes
        return self._scripted or not own

    _tests: ClassVar[Mapping[str, Callable[[Matcher, _ElementView, Test], bool | None]]] = {
        "is": _is,
        "not": _is,
        "has": _has,
        "nth": _counted,
        "only": _counted,
        "anchor": lambda self, element, _: element.number == self._anchor,
        "attribute": _has_attribute,
        "defined": _is_defined,
    }
    """Of the class: a matcher that holds its own methods holds its page until the garbage collector comes."""


def _counts(verdicts: Iterable[tuple[int, bool | None]]) -> dict[int, int | None]:
    """Return for each element that matches, or may, how many do up to it; None from the first that may on."""
    count: int | None = 0
    found: dict[int, int | None] = {}
    for number, held in verdicts:
        if held is None:
            count = None
        if held is not False:
            count = None if count is None else count + 1
            found[number] = count
    return found


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


def _near(places: Sequence[_ElementView], sign: str) -> list[_ElementView]:
    """Return the elements that stand to `places` as a combinator other than `~` asks, nearest first, no repeats."""
    if sign == ">":
        return list(dict.fromkeys(filter(None, (place.around for place in places))))[:_HIGHEST]
    if sign == "+":
        return list(dict.fromkeys(filter(None, (place.before for place in places))))[:_HIGHEST]
    # A call where a chunk of frames ends allocates the next one each time (CPython 3.11): 10 us, so there is none here.
    found: dict[_ElementView, None] = {}
    for place in places:
        ancestor = place.around
        while ancestor is not None and ancestor not in found and len(found) < _HIGHEST:
            found[ancestor] = None
            ancestor = ancestor.known_around if ancestor.knows_around else ancestor.around
    return list(found)


class _Order:
    """The elements of a tree in document order, and where those of each name stand."""

    def __init__(self, node: LexborNode, page: Matcher) -> None:
        """Take any node of the tree."""
        top = node
        while top.parent is not None:
            top = top.parent
        self.elements: list[_ElementView] = []
        self.places: dict[int, tuple[int, int]] = {}
        """Where the elements in each one begin, and where they end."""
        self._ends: dict[int, int] = {}
        self._named: dict[str, list[int]] = {}
        self._possible: dict[int, Sequence[Chain]] = {}
        waiting: list[tuple[LexborNode | None, _ElementView | None]] = [(top.first_child, None)]
        while waiting:
            at, around = waiting.pop()
            if at is None:
                if around is not None:
                    self.places[around.number] = (self.places[around.number][0], len(self.elements))
                continue
            waiting.append((at.next, around))
            if (at.tag or "-")[0] != "-":
                self._add(page.element(at), around)
                waiting.append((at.first_child, page.element(at)))

    def _add(self, element: _ElementView, around: _ElementView | None) -> None:
        for name in element.names:
            self._named.setdefault(name, []).append(len(self.elements))
        self.elements.append(element)
        self.places[element.number] = (len(self.elements), len(self.elements))
        if around is not None:
            self._ends[element.number] = around.number

    def possible(self, test: Test) -> Sequence[Chain]:
        """Return the selectors of a `:has()` whose last names some element bears; the others match nowhere here."""
        if id(test) not in self._possible:
            self._possible[id(test)] = [chain for chain in test.chains if chain[0].names <= self._named.keys()]
        return self._possible[id(test)]

    def candidates(self, element: _ElementView, names: frozenset[str], *, beside: bool) -> Iterator[_ElementView]:
        """Yield the elements that bear `names` in an element, or, `beside` it, in those after it."""
        first, end = self.places[element.number]
        if beside:
            around = self._ends.get(element.number)
            first, end = end, self.places[around][1] if around is not None else end
        if not names:
            yield from islice(self.elements, first, end)
            return
        rarest = min((self._named.get(name, []) for name in names), key=len)
        for at in islice(rarest, bisect_left(rarest, first), bisect_left(rarest, end)):
            if names <= self.elements[at].names:
                yield self.elements[at]
