"""Finds the rules that match an element by the names that it and those around it bear, and asks on only for those."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import selectors
from wellread.css.media import BOTH
from wellread.css.pseudo import Link
from wellread.css.selectors import ANYWHERE, Selector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.css.matching import Matcher
    from wellread.css.rules import Written

_MOST_NAMES: Final = 1_000
_HIGHEST: Final = 300
_MOST_SURE: Final = 500
_MOST_ALIKE: Final = 1_500
"""Rules for elements of the same names, and rules under one key: honest pages have a tenth."""


class Rule(NamedTuple):
    """A rule under one of its selectors."""

    layer: int
    specificity: int
    order: int
    windows: int
    """Where it holds, as far as can be told."""
    perhaps: int
    """Where it may hold besides: it is believed there when it hides."""
    selector: Selector
    body: str


def strength(rule: Rule) -> tuple[int, int, int]:
    """Return what decides between rules (CSS Cascade 5, 6.4)."""
    return rule[:3]


Mentions = dict[str, "list[Written]"]
"""Rules by the keys of their selectors."""
_TOO_MUCH: Final = [
    Rule(0, 0, 0, 0, BOTH, Selector(ANYWHERE, (Link(" ", frozenset()),), 0, frozenset()), "display:none")
]
"""What stands for all rules once a page has asked more than any honest one: nothing that they may hide is read."""


def mentions(rules: Iterable[Written]) -> Mentions:
    """Sort rules by what every element that they match bears."""
    found: Mentions = {}
    for rule in rules:
        for key in selectors.keys(rule.prelude):
            found.setdefault(key, []).append(rule)
    return found


class Index:
    """The rules of one page, or some of them."""

    def __init__(self, matcher: Matcher, mentions: Mentions, taken_apart: Callable[[str], Iterable[Selector]]) -> None:
        """Take the rules by their keys, and what takes their selectors apart."""
        self._matcher = matcher
        self._mentions = mentions
        self._taken_apart = taken_apart
        self._attributes = sorted(key[1:] for key in mentions if key[0] == "[")
        self._above: dict[int, frozenset[str]] = {}
        self._placed: dict[str, list[Rule]] = {}
        self._alike: dict[frozenset[str], tuple[list[Rule], list[Rule]]] = {}

    def matching(self, node: LexborNode) -> tuple[list[Rule], bool]:
        """Return the rules that match an element, the weakest first; and whether only its names decide that.

        Elements of the same names are then given the very same list.
        """
        own = self._matcher.names(node)
        if self._attributes:
            attributes: Mapping[str, str | None] = node.attributes
            own |= {f"[{name}" for name in self._attributes if name in attributes}
        known = self._alike.get(own)
        if known is None:
            if self._matcher.exhausted:
                return _TOO_MUCH, True
            known = self._alike[own] = self._borne(own)
        sure, perhaps = known
        found = self._proven(node, perhaps) if perhaps else []
        return (sorted([*sure, *found], key=strength), False) if found else (sure, True)

    def _proven(self, node: LexborNode, perhaps: Sequence[Rule]) -> list[Rule]:
        matcher = self._matcher
        matcher.steps += 1 + len(perhaps) // 32
        if matcher.exhausted:
            return _TOO_MUCH
        above = self._names_above(node)
        if len(above) < _MOST_NAMES:
            perhaps = [rule for rule in perhaps if rule.selector.around <= above]
        found = []
        for rule in perhaps:
            held = matcher.matches(node, rule.selector.chain)
            if held is None:
                found.append(rule._replace(windows=0, perhaps=rule.windows | rule.perhaps))
            elif held:
                found.append(rule)
        return found

    def _borne(self, own: frozenset[str]) -> tuple[list[Rule], list[Rule]]:
        """Return the rules that match whatever bears these names, and those that may."""
        sure: list[Rule] = []
        perhaps: list[Rule] = []
        for name in (ANYWHERE, *{name.lower() for name in own}):
            rules = self._placed.get(name)
            if rules is None:
                rules = self._placed[name] = self._place(name)
            self._matcher.steps += len(rules) // 2
            if len(rules) > _MOST_ALIKE:
                return _TOO_MUCH, []
            for rule in rules:
                first, *others = rule.selector.chain
                if first.names <= own:
                    (perhaps if others or first.tests else sure).append(rule)
        if len(sure) > _MOST_SURE:
            return _TOO_MUCH, []
        return sorted(sure, key=strength), perhaps

    def _names_above(self, node: LexborNode) -> frozenset[str]:
        """Return the names of all that is around a node, or the first thousand: most selectors fail on them."""
        way: list[LexborNode] = []
        at = node.parent
        while at is not None and at.mem_id not in self._above and len(way) < _HIGHEST:
            way.append(at)
            at = at.parent
        known = self._above.get(at.mem_id, frozenset()) if at is not None else frozenset()
        for one in reversed(way):
            known = known if len(known) >= _MOST_NAMES else known | self._matcher.names(one)
            self._above[one.mem_id] = known
        return known

    def _place(self, key: str) -> list[Rule]:
        """Return the rules under a key."""
        return [
            _ruled(rule, one)
            for rule in self._mentions.get(key, ())
            for one in self._taken_apart(rule.prelude)
            if one.key == key
        ]


def _ruled(rule: Written, one: Selector) -> Rule:
    surely, perhaps = rule.holds
    if one.doubtful or one.line:
        surely = 0
    return Rule(rule.layer, one.specificity, rule.order, surely, perhaps & ~surely, one, rule.body)
