"""Finds the rules that match an element by the names that it and those around it bear, and asks on only for those."""

from __future__ import annotations

from bisect import insort
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import selectors
from wellread.css.matching import STEPS_PER_SPENT
from wellread.css.media import BOTH
from wellread.css.pseudo import Chain, Link
from wellread.css.selectors import ANYWHERE, Selector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.css.matching import Matcher
    from wellread.css.rules import Written
    from wellread.step_counter import StepCounter

_MOST_NAMES: Final = 1_000
_HIGHEST: Final = 300
_MOST_SURE: Final = 500
_MAX_INSERTED: Final = 16
"""Rules that are put into a sorted list one by one; more are sorted anew."""
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

    by_path: bool
    """Whether the names of an element and of those around it decide where it holds."""


def _by_path(chain: Chain) -> bool:
    return all(
        link.sign in " >" and all(test.kind in {"is", "not"} and all(map(_by_path, test.chains)) for test in link.tests)
        for link in chain
    )


strength: Callable[[Rule], tuple[int, int, int]] = itemgetter(0, 1, 2)
"""Returns what decides between rules (CSS Cascade 5, 6.4)."""


class _RuleGroup(NamedTuple):
    """The rules under one key that ask the same names of their element."""

    names: frozenset[str]
    sure: list[Rule]
    """Rules that match each element with the names."""
    by_path: list[Rule]
    """Rules that match where the names of the elements around it fit."""
    perhaps: list[Rule]


Mentions = dict[str, "list[Written]"]
"""Rules by the keys of their selectors."""
_TOO_MUCH: Final = [
    Rule(0, 0, 0, 0, BOTH, Selector(ANYWHERE, (Link(" ", frozenset()),), 0, frozenset()), "display:none", by_path=True)
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

    def __init__(
        self,
        matcher: Matcher,
        mentions: Mentions,
        taken_apart: Callable[[str], Iterable[Selector]],
        counter: StepCounter,
    ) -> None:
        """Take the rules by their keys, and what takes their selectors apart."""
        self.is_cut = False
        """Whether rules were not worked out: the page asks for more work than is done for one page."""
        self._matcher = matcher
        self._counter = counter
        self._mentions = mentions
        self._taken_apart = taken_apart
        self._attributes = frozenset(key[1:] for key in mentions if key[0] == "[")
        self._above: dict[int, frozenset[str]] = {}
        self._placed: dict[str, list[_RuleGroup]] = {}
        self._placed_counts: dict[str, int] = {}
        """Rules under each key of `_placed`."""
        self._alike: dict[frozenset[str], tuple[list[Rule], list[Rule], list[Rule]]] = {}
        self._along: dict[tuple[frozenset[str], int], list[Rule]] = {}
        """By the names of an element and the path of the element around it, as the cards of a list share them."""
        self._matched: dict[int, list[Rule]] = {}
        self._joined_groups: dict[tuple[int, ...], list[Rule]] = {}
        self._joined: dict[tuple[int, ...], list[Rule]] = {}
        self._doubtful: dict[int, Rule] = {}

    def matching(self, node: LexborNode) -> list[Rule]:
        """Return the rules that match an element, the weakest first: the very same list for the same rules."""
        known = self._matched.get(node.mem_id)
        if known is None:
            before = self._matcher.steps
            known = self._matched[node.mem_id] = self._found(node)
            self._counter.spend(1 + (self._matcher.steps - before) // STEPS_PER_SPENT)
        return known

    def _found(self, node: LexborNode) -> list[Rule]:
        own = self._matcher.names(node)
        if self._attributes:
            attributes: Mapping[str, str | None] = node.attributes
            own |= {f"[{name}" for name in self._attributes.intersection(attributes)}
        known = self._alike.get(own)
        if known is None:
            if self._matcher.is_exhausted():
                return self._too_much()
            known = self._alike[own] = self._borne(own)
        rules, by_path, others = known
        if by_path:
            place = (own, self._matcher.path(node.parent))
            along = self._along.get(place)
            if along is None:
                along = self._along[place] = self._with(rules, self._proven(node, by_path))
            rules = along
        return self._with(rules, self._proven(node, others)) if others else rules

    def _too_much(self) -> list[Rule]:
        """Note that rules were not worked out; return the one that takes their place, which hides."""
        self.is_cut = True
        return _TOO_MUCH

    def _with(self, rules: list[Rule], found: Sequence[Rule]) -> list[Rule]:
        if not found:
            return rules
        key = (id(rules), *map(id, found))
        joined = self._joined.get(key)
        if joined is None:
            self._matcher.steps += (len(rules) + len(found)) // 2
            joined = self._joined[key] = sorted([*rules, *found], key=strength)
        return joined

    def _proven(self, node: LexborNode, perhaps: Sequence[Rule]) -> list[Rule]:
        matcher = self._matcher
        matcher.steps += 1 + len(perhaps) // 32
        if matcher.is_exhausted():
            return self._too_much()
        above = self._names_above(node)
        if len(above) < _MOST_NAMES:
            perhaps = [rule for rule in perhaps if rule.selector.around <= above]
        matcher.steps += len(perhaps)
        found = []
        for rule in perhaps:
            held = matcher.matches(node, rule.selector.chain)
            if held is None:
                if matcher.is_exhausted():
                    return self._too_much()
                found.append(self._doubted(rule))
            elif held:
                found.append(rule)
        return found

    def _doubted(self, rule: Rule) -> Rule:
        """Return a rule as one that holds perhaps."""
        known = self._doubtful.get(id(rule))
        if known is None:
            known = rule._replace(windows=0, perhaps=rule.windows | rule.perhaps)
            self._doubtful[id(rule)] = known
        return known

    def _borne(self, own: frozenset[str]) -> tuple[list[Rule], list[Rule], list[Rule]]:
        """Return the rules that match whatever bears these names, those that may by the names around, and others."""
        groups: list[_RuleGroup] = []
        by_path: list[Rule] = []
        perhaps: list[Rule] = []
        for name in (ANYWHERE, *{name.lower() for name in own}):
            placed = self._placed.get(name)
            if placed is None:
                placed = self._placed[name] = self._place(name)
            self._matcher.steps += len(placed)
            if self._placed_counts[name] > _MOST_ALIKE:
                return self._too_much(), [], []
            for group in placed:
                if group.names <= own:
                    groups.append(group)
                    by_path += group.by_path
                    perhaps += group.perhaps
        return self._sure_rules(groups), by_path, perhaps

    def _sure_rules(self, groups: Iterable[_RuleGroup]) -> list[Rule]:
        """Return the rules of `groups` that match each element with the names, the weakest first.

        It is the very same list for the same groups, whatever else differs in the names: looks are told apart by it.
        """
        filled = sorted((group for group in groups if group.sure), key=lambda group: len(group.sure), reverse=True)
        count = sum(len(group.sure) for group in filled)
        self._matcher.steps += count // 2
        if count > _MOST_SURE:
            return self._too_much()
        key = tuple(sorted(id(group) for group in filled))
        known = self._joined_groups.get(key)
        if known is not None:
            return known
        rules = [*filled[0].sure] if filled else []
        if count - len(rules) <= _MAX_INSERTED:
            for group in filled[1:]:
                for rule in group.sure:
                    insort(rules, rule, key=strength)
        else:
            rules = sorted(chain.from_iterable(group.sure for group in filled), key=strength)
        self._joined_groups[key] = rules
        return rules

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

    def _place(self, key: str) -> list[_RuleGroup]:
        """Return the rules under a key by the names that they ask of their element."""
        rules = [
            _ruled(rule, one)
            for rule in self._mentions.get(key, ())
            for one in self._taken_apart(rule.prelude)
            if one.key == key
        ]
        self._placed_counts[key] = len(rules)
        self._matcher.steps += len(rules)
        groups: dict[frozenset[str], _RuleGroup] = {}
        for rule in rules:
            first, *others = rule.selector.chain
            group = groups.setdefault(first.names, _RuleGroup(first.names, [], [], []))
            if not others and not first.tests:
                group.sure.append(rule)
            else:
                (group.by_path if rule.by_path else group.perhaps).append(rule)
        for group in groups.values():
            group.sure.sort(key=strength)
        return list(groups.values())


def _ruled(rule: Written, one: Selector) -> Rule:
    surely, perhaps = rule.holds
    if one.doubtful or one.line:
        surely = 0
    held = surely, perhaps & ~surely
    return Rule(rule.layer, one.specificity, rule.order, *held, one, rule.body, _by_path(one.chain))
