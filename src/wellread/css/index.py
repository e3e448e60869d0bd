"""Finds the rules that match an element by the names that it and those around it bear; an engine settles the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from selectolax.lexbor import SelectolaxError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.css.rules import Written
    from wellread.css.selectors import Link, Selector

_MOST_MATCHED: Final = 300
"""Hard selectors that the engine is asked about, on one page."""
_MOST_STEPS: Final = 400_000
"""Neighbours that are looked at for one page: honest pages take some thousands."""
_MOST_COUNTED: Final = 30
_COUNTS: Final = re.compile(r":(?:nth|first|last|only)-")
"""Compounds for which the engine counts siblings."""
_MOST_NAMES: Final = 1_000
_HIGHEST: Final = 300
_NAMES: Final = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f])+")
_ONE_NAME: Final = re.compile(r"[.#][a-z0-9_-]+")
_BARE: Final = re.compile(r"(?:^|[\s>+~,|])([\w-]+|\*)?(?:\[[^\]]*\]|:[\w-]+)*\s*(?:,|$)")
"""A last compound without a class or id; its tag."""


class Rule(NamedTuple):
    """A rule under one of its selectors."""

    layer: int
    specificity: int
    order: int
    windows: int
    selector: Selector
    body: str


def strength(rule: Rule) -> tuple[int, int, int]:
    """Return what decides between rules (CSS Cascade 5, 6.4)."""
    return rule[:3]


Mentions = dict[str, "list[Written]"]
"""Rules by the classes, ids and tags that they mention; under `*`, those that may ask for none."""


def mentions(rules: Iterable[Written]) -> Mentions:
    """Sort rules by what they mention."""
    found: Mentions = {}
    for rule in rules:
        prelude = rule.prelude.lower()
        plain = _ONE_NAME.fullmatch(prelude)
        if plain is not None:
            found.setdefault(prelude, []).append(rule)
            continue
        keys = set(_NAMES.findall(prelude))
        keys.update(tag or "*" for tag in _BARE.findall(prelude))
        if "\\" in prelude or "(" in prelude or "&" in prelude:
            keys.add("*")
        for key in keys:
            found.setdefault(key, []).append(rule)
    return found


class Index:
    """The rules of one page, or some of them."""

    def __init__(
        self,
        tree: LexborHTMLParser,
        mentions: Mentions,
        taken_apart: Callable[[str], Iterator[Selector]],
        may_hide: Callable[[str], bool],
        touching: re.Pattern[str] | None = None,
    ) -> None:
        """Take the rules by the names they mention; with `touching`, only those whose body it finds."""
        self._tree = tree
        self._mentions = mentions
        self._taken_apart = taken_apart
        self._may_hide = may_hide
        self._touching = touching
        self._matched: dict[str, frozenset[int]] = {}
        self._above: dict[int, frozenset[str]] = {}
        self._counted = 0
        self._steps = 0
        self._placed: dict[str, list[Rule]] = {}
        self._names: dict[int, frozenset[str]] = {}
        self._alike: dict[frozenset[str], tuple[list[Rule], list[Rule], bool]] = {}
        self._under: dict[tuple[frozenset[str], int], list[Rule]] = {}
        """By the names of an element and the element around it: what siblings with the same names share."""

    def matching(self, node: LexborNode) -> tuple[list[Rule], bool]:
        """Return the rules that match an element, the weakest first; and whether only its names decide that.

        Elements of the same names are then given the very same list.
        """
        own = self._names_of(node)
        known = self._alike.get(own)
        if known is None:
            known = self._alike[own] = self._borne(own)
        sure, perhaps, by_parent = known
        if not perhaps:
            return sure, True
        if not by_parent or node.parent is None:
            found = self._proven(node, perhaps)
        else:
            place = (own, node.parent.mem_id)
            kept = self._under.get(place)
            found = self._under[place] = self._proven(node, perhaps) if kept is None else kept
        return (sorted([*sure, *found], key=strength), False) if found else (sure, True)

    def _proven(self, node: LexborNode, perhaps: Sequence[Rule]) -> list[Rule]:
        self._steps += 1 + len(perhaps) // 4
        if self._steps > _MOST_STEPS:
            return []
        above = self._names_above(node)
        if len(above) < _MOST_NAMES:
            perhaps = [rule for rule in perhaps if rule.selector.around <= above]
        return [rule for rule in perhaps if self._matches(node, rule.selector)]

    def nodes(self, selector: str) -> frozenset[int]:
        """Ask the engine which nodes a compound matches; none, where it does not know it or was asked too much."""
        found = self._matched.get(selector)
        if found is None:
            found = frozenset()
            counts = _COUNTS.search(selector) is not None
            self._counted += counts
            if len(self._matched) < _MOST_MATCHED and not (counts and self._counted > _MOST_COUNTED):
                try:
                    found = frozenset(node.mem_id for node in self._tree.css(selector))
                except SelectolaxError:
                    found = frozenset()
            self._matched[selector] = found
        return found

    def _borne(self, own: frozenset[str]) -> tuple[list[Rule], list[Rule], bool]:
        """Return the rules that match whatever bears these names, those that may, and whether the parent settles it."""
        sure: list[Rule] = []
        perhaps: list[Rule] = []
        for name in ("*", *{name.lower() for name in own}):
            rules = self._placed.get(name)
            for rule in self._place(name) if rules is None else rules:
                first, *others = rule.selector.chain
                if first.names <= own:
                    (perhaps if others or first.rest else sure).append(rule)
        by_parent = not any(rule.selector.chain[0].rest or rule.selector.chain[1].sign in "+~" for rule in perhaps)
        return sorted(sure, key=strength), perhaps, by_parent

    def _names_of(self, node: LexborNode) -> frozenset[str]:
        known = self._names.get(node.mem_id)
        if known is None:
            attributes: Mapping[str, str | None] = node.attributes
            names = [node.tag or "", *(f".{name}" for name in (attributes.get("class") or "").split())]
            if attributes.get("id"):
                names.append(f"#{attributes['id']}")
            known = self._names[node.mem_id] = frozenset(names)
        return known

    def _matches(self, node: LexborNode, selector: Selector) -> bool:
        """Tell whether a selector matches a node: from the right, with all places where each compound may stand."""
        chain = selector.chain
        if chain[0].rest and node.mem_id not in self.nodes(chain[0].rest):
            return False
        places = [node]
        for link in chain[1:]:
            if self._steps > _MOST_STEPS:
                return False
            near = _near(places, link.sign)
            self._steps += len(near)
            places = [place for place in near if self._fits(place, link)]
            if not places:
                return False
        return True

    def _names_above(self, node: LexborNode) -> frozenset[str]:
        """Return the names of all that is around a node, or the first thousand: most selectors fail on them."""
        way: list[LexborNode] = []
        at = node.parent
        while at is not None and at.mem_id not in self._above and len(way) < _HIGHEST:
            way.append(at)
            at = at.parent
        known = self._above.get(at.mem_id, frozenset()) if at is not None else frozenset()
        for one in reversed(way):
            known = known if len(known) >= _MOST_NAMES else known | self._names_of(one)
            self._above[one.mem_id] = known
        return known

    def _fits(self, node: LexborNode, link: Link) -> bool:
        return link.names <= self._names_of(node) and (not link.rest or node.mem_id in self.nodes(link.rest))

    def _place(self, name: str) -> list[Rule]:
        """Return the rules under a name."""
        plain: list[Rule] = []
        touching = self._touching
        mentions = [rule for rule in self._mentions.get(name, ()) if not touching or touching.search(rule.body)]
        found = [(one, rule) for rule in mentions for one in self._taken_apart(rule.prelude)]
        for one, rule in found:
            if one.key != name and (name != "*" or one.key in self._mentions):
                continue
            windows = rule.holds.surely
            if windows != rule.holds.perhaps and self._may_hide(rule.body):
                windows = rule.holds.perhaps
            if not windows:
                continue
            made = Rule(rule.layer, one.specificity, rule.order, windows, one, rule.body)
            plain.append(made)
        self._placed[name] = plain
        return plain


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
