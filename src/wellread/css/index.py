"""Finds the rules that match an element by the names that it and those around it bear; an engine settles the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from selectolax.lexbor import SelectolaxError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.css.rules import Written
    from wellread.css.selectors import Selector

_MOST_MATCHED: Final = 2_000
"""Hard selectors that the engine is asked about, on one page."""
_HIGHEST: Final = 200
_NAMES: Final = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f])+")
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


class Index:
    """The rules of one page, or some of them."""

    def __init__(
        self,
        tree: LexborHTMLParser,
        rules: Sequence[Written],
        taken_apart: Callable[[str], Iterator[Selector]],
        may_hide: Callable[[str], bool],
    ) -> None:
        self._tree = tree
        self._taken_apart = taken_apart
        self._may_hide = may_hide
        self._matched: dict[str, frozenset[int]] = {}
        self._by_node: dict[int, list[Rule]] = {}
        self._placed: dict[str, list[Rule]] = {}
        self._names: dict[int, frozenset[str]] = {}
        self._alike: dict[frozenset[str], tuple[list[Rule], list[Rule]]] = {}
        self._particular: set[int] = set()
        self._mentions: dict[str, list[Written]] = {}
        for rule in rules:
            prelude = rule.prelude.lower()
            keys = set(_NAMES.findall(prelude))
            keys.update(tag or "*" for tag in _BARE.findall(prelude))
            if "\\" in prelude or "(" in prelude or "&" in prelude:
                keys.add("*")
            for key in keys:
                self._mentions.setdefault(key, []).append(rule)

    def matching(self, node: LexborNode) -> list[Rule]:
        """Return the rules that match an element."""
        own = self._names_of(node)
        known = self._alike.get(own)
        if known is None:
            known = self._alike[own] = self._borne(own)
        sure, perhaps = known
        if not perhaps and node.mem_id not in self._by_node:
            return sure
        found = [rule for rule in perhaps if self._climbs(node, rule.selector)]
        return [*sure, *found, *self._by_node.get(node.mem_id, ())]

    def _borne(self, own: frozenset[str]) -> tuple[list[Rule], list[Rule]]:
        """Return the rules that match whatever bears these names, and those that may, by what is around it."""
        sure: list[Rule] = []
        perhaps: list[Rule] = []
        for name in ("*", *{name.lower() for name in own}):
            rules = self._placed.get(name)
            for rule in self._place(name) if rules is None else rules:
                if rule.selector.chain[0][1] <= own:
                    (sure if len(rule.selector.chain) == 1 else perhaps).append(rule)
        return sure, perhaps

    def is_particular(self, node: LexborNode) -> bool:
        """Tell whether more than a node's own names decides which rules match it."""
        return node.mem_id in self._by_node or node.mem_id in self._particular

    def nodes(self, selector: str) -> frozenset[int]:
        """Ask the engine which nodes a selector matches; none, where it does not know the selector."""
        found = self._matched.get(selector)
        if found is None:
            found = frozenset()
            if len(self._matched) < _MOST_MATCHED:
                try:
                    found = frozenset(node.mem_id for node in self._tree.css(selector))
                except SelectolaxError:
                    found = frozenset()
            self._matched[selector] = found
        return found

    def _names_of(self, node: LexborNode) -> frozenset[str]:
        known = self._names.get(node.mem_id)
        if known is None:
            attributes: Mapping[str, str | None] = node.attributes
            names = [node.tag or "", *(f".{name}" for name in (attributes.get("class") or "").split())]
            if attributes.get("id"):
                names.append(f"#{attributes['id']}")
            known = self._names[node.mem_id] = frozenset(names)
        return known

    def _climbs(self, node: LexborNode, selector: Selector) -> bool:
        """Tell whether what is around a node is what the selector asks for; a child is sought before a descendant."""
        self._particular.add(node.mem_id)
        at = node.parent
        chain = selector.chain
        step = 1
        for _ in range(_HIGHEST):
            if step == len(chain):
                return True
            if at is None or at.tag is None:
                return False
            if chain[step][1] <= self._names_of(at):
                step += 1
            elif chain[step][0] == ">":
                # A place further up may fit where this one did not: the engine tries them all.
                return step > 1 and node.mem_id in self.nodes(selector.text)
            at = at.parent
        return False

    def _place(self, name: str) -> list[Rule]:
        """Return the plain rules under a name; the hard ones go, once, to the nodes that the engine finds."""
        plain: list[Rule] = []
        mentions = self._mentions.get(name, ())
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
            if one.chain:
                plain.append(made)
            else:
                for mem_id in self.nodes(one.text):
                    self._by_node.setdefault(mem_id, []).append(made)
        self._placed[name] = plain
        return plain
