"""Matches the rules of a page's own <style> blocks with its elements, in the order of the cascade (CSS Cascade 5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.css import selectors
from wellread.css.alarms import Alarms, is_about_showing
from wellread.css.declarations import Declaration, declarations
from wellread.css.index import Index, mentions
from wellread.css.rules import UNLAYERED, SheetReader, sheets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.css.index import Mentions, Rule

_MOST_SELECTORS: Final = 200
"""Selectors in one list that are looked at."""
_NO_SCRIPT: Final = re.compile(r"\.no-?js\b|\.js-disabled\b", re.IGNORECASE)
_TOUCHES: Final = re.compile(
    r"display|visib|opacity|font|clip|indent|position|margin|height|width|-size|transform|translate|scale|zoom|color"
    r"|background|overflow|filter|mask|left|right|top|bottom|inset|padding|spacing|animation|contain|shadow|security|flex|--",
    re.IGNORECASE,
)
_SHOWN: Final = re.compile(r"display|visib|--", re.IGNORECASE)
"""Where a rule hides by these alone, no other property of another can undo it."""


_LONGEST: Final = 300_000
"""Characters of all sheets: few pages have more, and a quarter of all time went into them. A page that wants its rules
unread need only put them into a file of their own."""


class StyleSheets:
    """The rules of a page's own <style> blocks."""

    def __init__(self, tree: LexborHTMLParser, *, scripted: bool = False, plain: bool = False) -> None:
        self.scripted = scripted
        """Scripts fade in what starts without opacity, and take away the class `no-js`."""
        self.plain = plain
        """No styles come from anywhere else, so what has no colour of its own is black on white."""
        self._tree = tree
        found = sheets(tree, _LONGEST)
        self._text = "".join(sheet for sheet, _ in found)
        reader = SheetReader()
        for sheet, holds in found:
            reader.read(sheet, holds)
        self._rules = reader.found
        self._weighed = Alarms(self._rules, scripted=scripted, plain=plain)
        self.alarms: set[str] = set()
        """Classes, ids and tags that a selector of a rule that may hide ends in."""
        self.nodes: set[int] = set()
        """Nodes that such a rule finds by other means."""
        self._mentions: Mentions = {}
        self._about: dict[int, bool] = {}
        """By the order of a rule: whether it hides by `display` and `visibility` alone."""
        self._threats = self._sound()
        self._alarmed_classes = {alarm[1:] for alarm in self.alarms if alarm[0] == "."}
        self._indices: dict[re.Pattern[str], Index] = {}

    def __bool__(self) -> bool:
        return bool(self.alarms or self.nodes)

    def _sound(self) -> Index:
        """Note which names and nodes have a rule that may hide: all others cost one look-up."""
        rules = [rule for rule in self._rules if self._weighed.may_hide(rule.body)]
        threats = Index(self._tree, mentions(rules), self._selectors, self._weighed.may_hide)
        for rule in rules:
            for one in self._selectors(rule.prelude):
                first = one.chain[0]
                if one.key[0] in ".#" or (one.key != "*" and not first.rest):
                    self.alarms.add(one.key)
                else:
                    self.nodes |= threats.nodes(first.rest or "*")
        return threats

    def _selectors(self, prelude: str) -> Iterator[selectors.Selector]:
        for text in selectors.listed(prelude)[:_MOST_SELECTORS]:
            one = selectors.selector(text)
            if one is not None and not (self.scripted and _NO_SCRIPT.search(text)):
                yield one

    def alarmed(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether a rule that may hide may match an element."""
        if tag in self.alarms or self.alarmed_otherwise(node, attributes):
            return True
        called = attributes.get("class")
        return bool(called) and self.alarms_class(called or "")

    def alarms_class(self, called: str) -> bool:
        """Tell whether a rule that may hide may match an element by its `class`."""
        return bool(self._alarmed_classes) and not self._alarmed_classes.isdisjoint(called.lower().split())

    def alarmed_otherwise(self, node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether a rule that may hide may match an element by its id or its place."""
        if self.nodes and node.mem_id in self.nodes:
            return True
        name = attributes.get("id")
        return bool(name) and f"#{name}".lower() in self.alarms

    def threatens(self, node: LexborNode) -> bool:
        """Tell whether a rule that may hide does match an element."""
        return bool(self._threats.matching(node)[0])

    def matching(self, node: LexborNode) -> tuple[list[Rule], bool]:
        """Return the rules that match an element, the weakest first; and whether only its names decide that."""
        threats, alike = self._threats.matching(node)
        touching = _SHOWN if threats and all(self._is_about_showing(rule) for rule in threats) else _TOUCHES
        index = self._indices.get(touching)
        if index is None:
            self._mentions = self._mentions or mentions(self._rules)
            index = Index(self._tree, self._mentions, self._selectors, self._weighed.may_hide, touching)
            self._indices[touching] = index
        rules, sure = index.matching(node)
        return rules, sure and alike

    def _is_about_showing(self, rule: Rule) -> bool:
        known = self._about.get(rule.order)
        if known is None:
            known = self._about[rule.order] = is_about_showing(rule.body)
        return known

    def animates(self, value: str) -> bool:
        """Tell whether an `animation` names key frames of the page, or perhaps of a sheet that is not read."""
        if value == "none":
            return False
        return not self.plain or any(f"@keyframes {name}" in self._text for name in value.replace(",", " ").split())

    def variable(self, name: str) -> str | None:
        """Return the value that the sheets give a custom property, where they give it but one."""
        given = self._weighed.values().get(name, ())
        return next(iter(given)) if len(given) == 1 else None


_UNREADABLE: Final = (Declaration("display", "none", important=False),)
"""A rule that cannot be read hides, rather than letting anything through."""


def layered(rules: Iterable[Rule], windows: int) -> tuple[list[Declaration], list[Declaration], list[Declaration]]:
    """Return the declarations of matching rules, weakest first: usual, important, important in layers."""
    usual: list[Declaration] = []
    important: list[Declaration] = []
    strongest: list[tuple[int, Declaration]] = []
    for rule in rules:
        if rule.windows & windows:
            told = declarations(rule.body)
            for one in _UNREADABLE if told is None else told:
                if not one.important:
                    usual.append(one)
                elif rule.layer == UNLAYERED:
                    important.append(one)
                else:
                    strongest.append((rule.layer, one))
    strongest.sort(key=lambda pair: -pair[0])
    return usual, important, [one for _, one in strongest]
