"""Matches the rules of a page's own style sheets with its elements, in the order of the cascade (CSS Cascade 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.css import selectors
from wellread.css.alarms import CUSTOM, SHOWING, TOUCHING, Alarms, may_hide, weighed
from wellread.css.carried import sheets
from wellread.css.customs import registered
from wellread.css.declarations import Declaration, declarations
from wellread.css.index import Index, mentions
from wellread.css.matching import Matcher
from wellread.css.rules import UNLAYERED, SheetReader
from wellread.css.selectors import ANYWHERE
from wellread.css.words import tokens
from wellread.step_counter import StepCounter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.css.index import Rule
    from wellread.css.selectors import Selector

_NO_SCRIPT: Final = frozenset([".no-js", ".nojs", ".js-disabled"])
_SHAPES: Final = "path, rect, circle, ellipse, polygon, polyline, text, use"
_MOST_SETTING: Final = 2_000
_LONGEST: Final = 300_000
"""Characters of all sheets: few pages have more, and a quarter of all time went into them. A page that wants its rules
unread need only put them into a file of their own."""

_SHORT: Final = 2_000
"""Characters of sheets that are not worth a look at what the elements are called."""


class StyleSheets:
    """The rules of the style sheets that a page carries within itself."""

    def __init__(
        self,
        tree: LexborHTMLParser,
        *,
        scripted: bool = False,
        plain: bool = False,
        counter: StepCounter | None = None,
    ) -> None:
        self.counter = counter or StepCounter()
        """Counts what matching and weighing the rules takes."""
        self.scripted = scripted
        """Scripts fade in what starts without opacity, and take away the class `no-js`."""
        self.plain = plain
        """No styles come from anywhere else, so what has no colour of its own is black on white."""
        quirky = is_quirky(tree)
        found = sheets(tree, _LONGEST)
        reader = SheetReader(_names(tree) if sum(len(sheet.text) for sheet in found) > _SHORT else None, quirky=quirky)
        for sheet in found:
            reader.read(*sheet)
        self._rules = reader.found
        self.empty_paths: Final = _empty_paths(tree)
        """The ids, in lower case, of what clips away all that refers to it."""
        self.frames = reader.frames
        self.registered = registered(reader.properties)
        setting = [node.attributes.get("style") or "" for node in tree.css('[style*="--"]')[:_MOST_SETTING]]
        self._weighed = Alarms(reader, setting, scripted=scripted, plain=plain)
        self.alarms: set[str] = set()
        """Classes, ids, attributes and tags that a selector of a rule that may hide ends in."""
        self.nodes = False
        """Whether such a rule finds its elements by other means."""
        self._matcher = Matcher(quirky=quirky, scripted=scripted)
        self._threats = self._sound()
        self._alarmed_classes = {alarm[1:] for alarm in self.alarms if alarm[0] == "."}
        self._alarmed_attributes = {alarm[1:] for alarm in self.alarms if alarm[0] == "["}
        self._indices: dict[int, Index] = {}

    def __bool__(self) -> bool:
        return bool(self.alarms or self.nodes)

    @property
    def is_cut(self) -> bool:
        """Whether rules were not worked out, because they ask for more work than is done for one page."""
        return self._threats.is_cut or any(index.is_cut for index in self._indices.values())

    def _sound(self) -> Index:
        """Note which names and nodes have a rule that may hide: all others cost one look-up."""
        threats = [rule for rule in self._rules if self._weighed.may_hide(rule.body)]
        self._plainly = {rule.order for rule in threats if weighed(rule.body).plainly}
        """The orders of rules that hide by `display` and `visibility` alone."""
        found = mentions(threats)
        self.nodes = ANYWHERE in found
        self.alarms.update(found.keys() - {ANYWHERE})
        return Index(self._matcher, found, _run if self.scripted else selectors.listed, self.counter)

    def alarmed(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether a rule that may hide may match an element."""
        if tag in self.alarms or self.alarms_place(attributes) or self.alarms_attributes(attributes):
            return True
        return self.alarms_class(attributes.get("class") or "")

    def alarms_class(self, called: str) -> bool:
        """Tell whether a rule that may hide may match an element by its `class`."""
        return bool(self._alarmed_classes) and not self._alarmed_classes.isdisjoint(tokens(called.lower()))

    def alarms_attributes(self, present: Iterable[str]) -> bool:
        """Tell whether a rule that may hide may match an element by the attributes that are `present`."""
        return bool(self._alarmed_attributes) and not self._alarmed_attributes.isdisjoint(present)

    def alarms_place(self, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether a rule that may hide may match an element by its place or its id."""
        if self.nodes:
            return True
        name = attributes.get("id")
        return bool(name) and f"#{name}".lower() in self.alarms

    def threatens(self, node: LexborNode) -> bool:
        """Tell whether a rule that may hide does match an element."""
        return bool(self._threats.matching(node))

    def matching(self, node: LexborNode) -> list[Rule]:
        """Return the rules that match an element, the weakest first: the very same list for the same rules."""
        threats = self._threats.matching(node)
        plain = threats and all(rule.order in self._plainly for rule in threats)
        return self._index(SHOWING if plain else TOUCHING).matching(node)

    def customs(self, node: LexborNode) -> list[Rule]:
        """Return the rules with custom properties that match an element, as `matching` does all."""
        return self._index(CUSTOM).matching(node)

    def _index(self, touching: int) -> Index:
        index = self._indices.get(touching)
        if index is None:
            found = mentions(rule for rule in self._rules if weighed(rule.body).touches & touching)
            taken_apart = _run if self.scripted else selectors.listed
            index = self._indices[touching] = Index(self._matcher, found, taken_apart, self.counter)
        return index


def _names(tree: LexborHTMLParser) -> frozenset[str]:
    """Return the classes and ids of a page as selectors write them, case folded: folding goes letter by letter."""
    bearers = [node.attrs for node in tree.css("[class],[id]")]
    classes = {called for attributes in bearers if (called := attributes.get("class"))}
    ids = {f"#{name.casefold()}" for attributes in bearers if (name := attributes.get("id"))}
    return frozenset(ids.union(f".{name}" for called in classes for name in tokens(called.casefold())))


def _empty_paths(tree: LexborHTMLParser) -> frozenset[str]:
    empty: dict[bool, set[str]] = {True: set(), False: set()}
    for path in tree.css("clipPath[id]"):
        empty[path.css_first(_SHAPES) is None].add((path.attributes["id"] or "").lower())
    return frozenset(empty[True] - empty[False])


def _run(prelude: str) -> Iterator[Selector]:
    """Take a list of selectors apart, without those for pages whose scripts do not run."""
    listed = selectors.listed(prelude)
    return (one for one in listed if all(_NO_SCRIPT.isdisjoint(link.names) for link in one.chain))


def is_quirky(tree: LexborHTMLParser) -> bool:
    """Tell whether a page has no document type, or that of no HTML (HTML standard, 13.2.6.4.1)."""
    top = tree.root.parent if tree.root is not None else None
    first = top.first_child if top is not None else None
    while first is not None and first.tag == "-comment":
        first = first.next
    return first is not None and (first.html or "").strip().lower() != "<!doctype html>"


_UNREADABLE: Final = (Declaration("display", "none", important=False),)
"""A rule that cannot be read hides, rather than letting anything through."""


Layered = tuple["list[Declaration]", "list[Declaration]", "list[Declaration]"]


def layered(rules: Iterable[Rule], windows: int, *, wary: bool) -> Layered:
    """Return the declarations of matching rules, weakest first: usual, important, important in layers.

    `wary` believes of rules that hold perhaps what may hide.
    """
    usual: list[Declaration] = []
    important: list[Declaration] = []
    strongest: list[tuple[int, Declaration]] = []
    for rule in rules:
        surely = rule.windows & windows
        if not surely and not (wary and rule.perhaps & windows):
            continue
        told = declarations(rule.body)
        for one in _UNREADABLE if told is None else told:
            if not surely and not may_hide(one):
                continue
            if not one.important:
                usual.append(one)
            elif rule.layer == UNLAYERED:
                important.append(one)
            else:
                strongest.append((rule.layer, one))
    strongest.sort(key=lambda pair: -pair[0])
    return usual, important, [one for _, one in strongest]
