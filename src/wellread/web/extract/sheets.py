"""Matches the rules of a page's own <style> blocks with its elements, in the order of the cascade (CSS Cascade 5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from selectolax.lexbor import SelectolaxError

from wellread.web.extract import colours, media, selectors
from wellread.web.extract.declarations import declarations, neutral

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.web.extract.declarations import Declaration

_MOST_SELECTORS: Final = 200
"""Selectors in one list that are looked at."""
_MOST_MATCHED: Final = 2_000
"""Hard selectors that the engine is asked about, on one page."""
_MOST_COLOURS: Final = 200
_DEEPEST: Final = 30
_UNLAYERED: Final = 1 << 30

_HIDES: Final = re.compile(
    r"display\s*:\s*(?:none|table-col|var)|visibility\s*:\s*(?:hidden|collapse|var)|(?<![\w-])(?:-webkit-)?clip(?:-path)?\s*:"
    r"|filter\s*:[^;]*(?:opacity|blur|var)|mask[\w-]*\s*:[^;]*transp|text-security|indent\s*:[^;]*(?:\d{2}|calc|var)"
    r"|(?<![\w-])font(?:-size)?\s*:[^;]*?(?<![\d.#/\w])(?:0?\.\d|0*[0-3](?:\.\d*)?(?:px|pt|q|mm|%|\s|/|$)|0+[a-z%]|0*[1-3]\d?%"
    r"|0*e|calc|var|clamp|min)"
    r"|scale|zoom\s*:|matrix|rotate[xy3]|\\|letter-spacing\s*:\s*(?:-|calc|var)"
    r"|(?<![\w-])(?:left|right|top|bottom|inset|margin|translate|transform)[\w-]*\s*:"
    r"[^;]*(?:-\s*\d{2}|\d{4}|\d{3}(?:em|rem|v|ch|l|s|d|c)|calc|var|-\s*\d+\.?\d*v|\d{2}v)"
    r"|(?<![\w-])(?:max-)?(?:height|width|block-size|inline-size)\s*:\s*"
    r"(?:calc|var|min|[+-]?(?:0*[0-3](?:\.\d*)?(?:px|pt|q|mm|\s|$)|0?\.\d|0+(?:\D|$)))|line-height\s*:\s*(?:0+(?:[a-z%\s]|$)|calc|var)",
    re.IGNORECASE,
)
_FADES: Final = re.compile(r"opacity\s*:\s*(?:0|\.[0-5]|[0-5]?\d(?:\.\d*)?%|calc|var)", re.IGNORECASE)
_INK: Final = re.compile(r"(?<![\w-])(?:-webkit-text-fill-)?color\s*:\s*([^;}!]+)", re.IGNORECASE)
_GROUND: Final = re.compile(r"(?<![\w-])background(?:-color)?\s*:\s*([^;}!]+)", re.IGNORECASE)
_NO_SCRIPT: Final = re.compile(r"\.no-?js\b|\.js-disabled\b", re.IGNORECASE)
_TOUCHES: Final = re.compile(
    r"display|visib|opacity|font|clip|indent|position|margin|height|width|-size|transform|translate|scale|zoom|color"
    r"|background|overflow|filter|mask|left|right|top|bottom|inset|padding|spacing|animation|contain|shadow|--",
    re.IGNORECASE,
)
_MOST_CACHED: Final = 50_000
_alarming: dict[str, int] = {}
"""Declaration -> 2 when it may hide, 1 when it may be the start of a fade-in, else 0."""
_VARIABLE: Final = re.compile(r"(--[\w-]+)\s*:\s*([^;{}]+)")


class _Raw(NamedTuple):
    """A rule as it is written."""

    prelude: str
    body: str
    holds: media.Holds
    layer: int
    order: int


_Context = tuple["str | None", media.Holds, int]
"""Selectors around a place, None where nothing applies; where it holds; its layer."""


class Rule(NamedTuple):
    """A rule under one of its selectors."""

    layer: int
    specificity: int
    order: int
    windows: int
    needs: frozenset[str] | None
    selector: str
    body: str


class StyleSheets:
    """The rules of a page's own <style> blocks."""

    def __init__(self, tree: LexborHTMLParser, *, scripted: bool = False, plain: bool = False) -> None:
        self.scripted = scripted
        """Scripts fade in what starts without opacity, and take away the class `no-js`."""
        self.plain = plain
        self._tree = tree
        self._raw: list[_Raw] = []
        self.alarms: set[str] = set()
        self._alarmed_classes: dict[str, bool] = {}
        self.nodes: set[int] = set()
        self._layers: dict[str, int] = {}
        self._variables: dict[str, str] | None = None
        sheets = _sheets(tree)
        self._text = "".join(sheet for sheet, _ in sheets)
        for sheet in sheets:
            self._read(*sheet)
        self._threats = self._sound()
        self._all: Index | None = None

    def __bool__(self) -> bool:
        return bool(self.alarms or self.nodes)

    # ------------------------------------------------------------------------------------- reading

    def _keep(self, context: _Context, body: str) -> None:
        prelude, holds, layer = context
        if prelude and holds.perhaps and body and not body.isspace():
            self._raw.append(_Raw(prelude, body, holds, layer, len(self._raw)))

    def _read(self, sheet: str, holds: media.Holds) -> None:
        """Take in the rules of a sheet, those nested in others too."""
        open_: list[_Context] = []
        top: _Context = ("", holds, _UNLAYERED)
        if "layer" in sheet:
            self._name_layers(sheet)
        for chunk in neutral(sheet).split("}"):
            pieces = chunk.split("{")
            tail = pieces.pop()
            for piece in pieces:
                around = open_[-1] if open_ else top
                own, _, prelude = piece.rpartition(";")
                if own:
                    self._keep(around, own)
                open_.append(self._opened(prelude.strip(), around))
            if open_:
                prelude_, held, layer = open_.pop()
                self._keep((prelude_, held, layer), tail)

    def _opened(self, prelude: str, around: _Context) -> _Context:
        outer, holds, layer = around
        if outer is None:
            return (None, media.NEVER, layer)
        if prelude[:1] == "@":
            held = media.at_rule(prelude)
            if held is None:
                return (None, media.NEVER, layer)
            if prelude[:6].lower() == "@layer":
                layer = self._layer(prelude[6:].strip())
            return (outer, media.both(holds, held), layer)
        if prelude.count("(") != prelude.count(")") or prelude.count("[") != prelude.count("]"):
            return (None, media.NEVER, layer)  # a browser takes the braces for a part of the brackets
        return (selectors.nested(outer, prelude) if outer else prelude, holds, layer)

    def _name_layers(self, sheet: str) -> None:
        for names in re.findall(r"@layer\s+([^{};]+);", sheet):
            for name in names.split(","):
                self._layer(name.strip())

    def _layer(self, name: str) -> int:
        return self._layers.setdefault(name or f" {len(self._layers)}", len(self._layers))

    # ------------------------------------------------------------------------------------- alarms

    def _sound(self) -> Index:
        """Note which names and nodes have a rule that may hide: all others cost one look-up."""
        inks = self._vanishing() if self.plain else frozenset()
        threats = Index(self._tree, [raw for raw in self._raw if self._may_hide(raw.body, inks)], self._selectors)
        for key, found in threats.by_key.items():
            if key[0] in ".#":
                self.alarms.add(key)
            else:
                self.alarms.update(one.key for one, _ in found if one.needs and one.key != "*")
                self.nodes.update(*(threats.nodes(one.text) for one, _ in found if not one.needs))
        return threats

    def _may_hide(self, body: str, inks: frozenset[str] | None) -> bool:
        for one in body.split(";"):
            known = _alarming.get(one)
            if known is None:
                if len(_alarming) > _MOST_CACHED:
                    _alarming.clear()
                known = _alarming[one] = 2 if _HIDES.search(one) else 1 if _FADES.search(one) else 0
            if known > self.scripted:
                return True
        if "color" not in body and not self.plain:
            return False
        return self._may_blend(body, inks)

    def _may_blend(self, body: str, inks: frozenset[str] | None) -> bool:
        """Tell whether a rule may give text the colour of what is behind it."""
        found = [one.strip().lower() for one in _INK.findall(body)]
        if not self.plain:
            grounds = {colours.ground(one.strip().lower()) for one in _GROUND.findall(body)} if found else ()
            return any(_vanishes(ink, [ground for ground in grounds if ground is not None]) for ink in found)
        if inks is None:
            return "color" in body
        if any(ink in inks for ink in found):
            return True
        return "background" in body and any(
            (ground := colours.ground(one.strip().lower())) is not None and not colours.shows(colours.BLACK, ground)
            for one in _GROUND.findall(body)
        )

    def _vanishing(self) -> frozenset[str] | None:
        """Return the text colours that some background of the page swallows; None when there are too many to tell."""
        inks: set[str] = set()
        grounds = {colours.WHITE} if self.plain else set()
        for raw in self._raw:
            if "color" in raw.body or "background" in raw.body:
                inks.update(found.strip().lower() for found in _INK.findall(raw.body))
                found = [colours.ground(one.strip().lower()) for one in _GROUND.findall(raw.body)]
                grounds.update(one for one in found if one is not None)
            if len(inks) + len(grounds) > _MOST_COLOURS:
                return None
        return frozenset(ink for ink in inks if _vanishes(ink, grounds))

    def _selectors(self, prelude: str) -> Iterator[selectors.Selector]:
        for text in selectors.listed(prelude)[:_MOST_SELECTORS]:
            one = selectors.selector(text)
            if one is not None and not (self.scripted and _NO_SCRIPT.search(text)):
                yield one

    def alarmed(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether a rule that may hide may match an element."""
        alarms = self.alarms
        if tag in alarms or (self.nodes and node.mem_id in self.nodes):
            return True
        called = attributes.get("class")
        if called:
            known = self._alarmed_classes.get(called)
            if known is None:
                known = any(f".{name}" in alarms for name in called.lower().split())
                self._alarmed_classes[called] = known
            if known:
                return True
        name = attributes.get("id")
        return bool(name) and f"#{name}".lower() in alarms

    # ------------------------------------------------------------------------------------- the cascade

    def threatens(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether a rule that may hide does match an element."""
        return bool(self._threats.matching(node, tag, attributes))

    def matching(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> list[Rule]:
        """Return the rules that match an element, the weakest first."""
        if self._all is None:
            self._all = Index(self._tree, [raw for raw in self._raw if _TOUCHES.search(raw.body)], self._selectors)
        return sorted(self._all.matching(node, tag, attributes), key=_strength)

    def is_particular(self, node: LexborNode) -> bool:
        """Tell whether more than an element's own names decides which rules match it."""
        return self._threats.is_particular(node) or (self._all is not None and self._all.is_particular(node))

    def animates(self, value: str) -> bool:
        """Tell whether an `animation` names key frames of the page, or perhaps of a sheet that is not read."""
        if value == "none":
            return False
        return not self.plain or any(f"@keyframes {name}" in self._text for name in value.replace(",", " ").split())

    def variable(self, name: str) -> str | None:
        """Return the value that the sheets give a custom property, where they give it but one."""
        if self._variables is None:
            found: dict[str, set[str]] = {}
            for raw in self._raw:
                for key, value in _VARIABLE.findall(raw.body) if "--" in raw.body else ():
                    found.setdefault(key, set()).add(value.strip().lower())
            self._variables = {key: values.pop() for key, values in found.items() if len(values) == 1}
        return self._variables.get(name)


class Index:
    """Finds the rules that match an element by the names that it bears; the engine settles what names cannot."""

    def __init__(
        self, tree: LexborHTMLParser, raws: Sequence[_Raw], taken_apart: Callable[[str], Iterator[selectors.Selector]]
    ) -> None:
        self._tree = tree
        self._matched: dict[str, frozenset[int]] = {}
        self._by_node: dict[int, list[Rule]] = {}
        self._placed: dict[str, list[Rule]] = {}
        self.by_key: dict[str, list[tuple[selectors.Selector, _Raw]]] = {}
        for raw in raws:
            for one in taken_apart(raw.prelude):
                self.by_key.setdefault(one.key, []).append((one, raw))

    def matching(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> list[Rule]:
        """Return the rules that match an element."""
        own = {tag, *(f".{name}" for name in (attributes.get("class") or "").split())}
        if attributes.get("id"):
            own.add(f"#{attributes['id']}")
        found: list[Rule] = []
        for name in ("*", *{name.lower() for name in own}):
            if name in self.by_key:
                simple = self._placed.get(name)
                if simple is None:
                    simple = self._place(name)
                found.extend(rule for rule in simple if rule.needs is not None and rule.needs <= own)
        found.extend(self._by_node.get(node.mem_id, ()))
        return found

    def is_particular(self, node: LexborNode) -> bool:
        """Tell whether rules match a node by more than its own names."""
        return node.mem_id in self._by_node

    def _place(self, name: str) -> list[Rule]:
        """Return the simple rules under a name; the hard ones go, once, to the nodes that the engine finds."""
        simple: list[Rule] = []
        for one, raw in self.by_key[name]:
            windows = raw.holds.surely
            if windows != raw.holds.perhaps and _HIDES.search(raw.body):
                windows = raw.holds.perhaps
            if not windows:
                continue
            made = Rule(raw.layer, one.specificity, raw.order, windows, one.needs, one.text, raw.body)
            if one.needs is not None:
                simple.append(made)
            else:
                for mem_id in self.nodes(one.text):
                    self._by_node.setdefault(mem_id, []).append(made)
        self._placed[name] = simple
        return simple

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


def _strength(rule: Rule) -> tuple[int, int, int]:
    return rule[:3]


def layered(rules: Iterable[Rule], windows: int) -> tuple[list[Declaration], list[Declaration], list[Declaration]]:
    """Return the declarations of matching rules, weakest first: usual, important, important in layers."""
    usual: list[Declaration] = []
    important: list[Declaration] = []
    strongest: list[tuple[int, Declaration]] = []
    for rule in rules:
        if rule.windows & windows:
            for one in declarations(rule.body) or ():
                if not one.important:
                    usual.append(one)
                elif rule.layer == _UNLAYERED:
                    important.append(one)
                else:
                    strongest.append((rule.layer, one))
    strongest.sort(key=lambda pair: -pair[0])
    return usual, important, [one for _, one in strongest]


def _vanishes(ink: str, grounds: Iterable[colours.Colour]) -> bool:
    found = colours.colour(ink)
    if found is None or found is colours.UNKNOWN:
        return False
    return not colours.shows(found, None) or any(not colours.shows(found, ground) for ground in grounds)


def _sheets(tree: LexborHTMLParser) -> Sequence[tuple[str, media.Holds]]:
    """Return the style sheets that a browser applies, each with where it holds."""
    found = []
    for node in tree.css("style"):
        attributes = node.attributes
        kind = (attributes.get("type") or "text/css").strip().lower()
        holds = media.query(attributes.get("media") or "")
        if kind != "text/css" or not holds.perhaps or _in_noscript(node):
            continue
        found.append((node.text(), holds))
    return found


def _in_noscript(node: LexborNode) -> bool:
    at = node.parent
    for _ in range(_DEEPEST):
        if at is None:
            break
        if at.tag == "noscript":
            return True
        at = at.parent
    return False
