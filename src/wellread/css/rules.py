"""Reads the rules of a page's own style sheets, with where and how strongly they hold (CSS Syntax 3, Cascade 5)."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import media, nesting, selectors
from wellread.css.animations import KeyFrames
from wellread.css.declarations import neutral
from wellread.css.pseudo import unescaped
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

UNLAYERED: Final = 1 << 30
"""The layer of what stands in no layer, and so wins over all that does."""
_DEEPEST: Final = 30
_MARKS: Final = lazy_pattern("<!--|-->")
"""Comments around whole sheets, from the days of browsers without styles; browsers pass over them."""
_STATEMENT: Final = lazy_pattern(r"@layer\s++([^{};@]++)(?:;|\Z)", re.IGNORECASE)
_LETTERS: Final = lazy_pattern(r"\\(?:0{0,4}(?:[46][1-9a-fA-F]|[57][0-9aA])\s?|[g-zG-Z])")
"""Escapes of plain letters, which nobody needs."""
_KEPT: Final = lazy_pattern(r"@(?:-webkit-)?(keyframes|property)\s+(.+)", re.IGNORECASE | re.DOTALL)
_SCOPE: Final = lazy_pattern(r"@scope\s*\((.*?)\)\s*(?:to\s*\((.*)\)\s*)?", re.IGNORECASE | re.DOTALL)
_LONGEST_SCOPE: Final = 2_000
_MOST_LAYERS: Final = 1_000


class Written(NamedTuple):
    """A rule as it is written."""

    prelude: str
    body: str
    holds: media.Holds
    layer: int
    order: int


class _Context(NamedTuple):
    """What is around a place in a sheet."""

    outer: str | None
    """Selectors; None where nothing applies."""
    holds: media.Holds
    layer: tuple[str, ...]
    scope: str = ""
    kept: str = ""
    """The name of the key frames or the property that are described here."""


_NOWHERE: Final = _Context(None, media.NEVER, ())


class SheetReader:
    """Takes in one style sheet after another."""

    def __init__(self, names: frozenset[str] | None = None, *, quirky: bool = False) -> None:
        """Take the classes and ids that are borne on the page, and whether it is in quirks mode: they are of no case.

        Rules that ask for others are left out; most rules of most pages do. None keeps all.
        """
        self._names = names
        self._quirky = quirky
        self.frames: dict[str, KeyFrames] = {}
        """By the name of an animation: its key frames; the last of a name holds."""
        self.properties: dict[str, str] = {}
        """By the name of a custom property: what `@property` says of it."""
        self._found: list[Written] = []
        self._layers: dict[tuple[str, ...], int] = {}
        self._children: dict[tuple[str, ...], int] = {}
        self._places: dict[tuple[str, ...], int] = {}

    @property
    def found(self) -> list[Written]:
        """The rules, in order; layers are numbered from the weakest on."""
        if not self._layers:
            return self._found
        ranked = sorted(self._layers, key=self._rank)
        ranks = {self._layers[path]: rank for rank, path in enumerate(ranked)}
        return [rule._replace(layer=ranks.get(rule.layer, rule.layer)) for rule in self._found]

    def read(self, sheet: str, holds: media.Holds, layers: Iterable[str] = ()) -> None:
        """Take in the rules of a sheet, which may itself stand in layers, the outermost first."""
        open_: list[_Context] = []
        layer: tuple[str, ...] = ()
        for name in layers:
            layer = self._layer(name, layer)
        top = _Context("", holds, layer)
        self._layering = "@" in sheet and "layer" in sheet.lower()
        plain = neutral(sheet, tight="/**/")
        if "@" in sheet and "@namespace" in plain.lower():
            top = top._replace(holds=media.Holds(0, holds.perhaps))  # of what elements it speaks, nobody here asks
        if "<!--" in plain or "-->" in plain:
            plain = _MARKS.sub(" ", plain)
        for chunk in plain.split("}"):
            *pieces, tail = chunk.split("{")
            for left, piece in enumerate(pieces, 1 - len(pieces)):
                around = open_[-1] if open_ else top
                own, _, prelude = piece.rpartition(";")
                if own:
                    self._keep(around, own)
                    if self._layering:
                        self._name_layers(own, around)
                open_.append(self._opened(prelude.strip(" \t\n\r\f"), around, leaf=not left))
            if self._layering and "@" in tail:
                self._name_layers(tail, open_[-1] if open_ else top)
            if open_:
                self._keep(open_.pop(), tail)

    def _opened(self, prelude: str, around: _Context, *, leaf: bool) -> _Context:
        """Return what holds in a block; a `leaf` holds no blocks itself, which may ask for less than it does."""
        if around.outer is None or not prelude:
            return _NOWHERE
        if "\\" in prelude:
            prelude = _LETTERS.sub(lambda found: unescaped(found.group()), prelude)
        if self._quirky and prelude[:6].lower() != "@layer":
            prelude = selectors.folded(prelude)  # here, before it is put into others, which makes it long
        if around.kept:
            return around._replace(outer=prelude)
        if prelude[0] == "@":
            return self._at_rule(prelude.replace("/**/", " "), around)
        return self._ruled(prelude, around, leaf=leaf)

    def _ruled(self, prelude: str, around: _Context, *, leaf: bool) -> _Context:
        if prelude.count("(") != prelude.count(")") or prelude.count("[") != prelude.count("]"):
            return _NOWHERE  # a browser takes the braces for a part of the brackets
        outer = prelude if "/**/" not in prelude else prelude.replace("./**/", ".").replace(":/**/", ":")
        if around.outer:
            outer = nesting.nested(around.outer, outer)
        elif around.scope:
            outer = nesting.scoped(around.scope, outer)
        if leaf and not self._layering and not self._is_borne(outer):
            return _NOWHERE
        return _Context(outer, around.holds, around.layer, around.scope)

    def _is_borne(self, prelude: str) -> bool:
        return self._names is None or selectors.borne(prelude, self._names)

    def _at_rule(self, prelude: str, around: _Context) -> _Context:
        kept = _KEPT.match(prelude)
        if kept is not None and around.holds.perhaps:
            name = kept[2].strip().strip("\"'")
            if kept[1].lower() == "keyframes":
                name = name.lower()  # as values are: two that differ by case alone are taken for one
                self.frames[name] = KeyFrames()
            return around._replace(outer="@", kept=name)
        held = media.at_rule(prelude)
        if held is None:
            return _NOWHERE
        layer, scope = around.layer, around.scope
        if prelude[:6].lower() == "@layer":
            layer = self._layer(prelude[6:].strip(), layer)
        if prelude[:6].lower() == "@scope":
            found = _SCOPE.fullmatch(prelude) if len(prelude) <= _LONGEST_SCOPE else None
            if found is None or found[2] or scope:
                held = media.Holds(0, media.BOTH)
            scope = found[1] if found is not None else scope
        return around._replace(holds=media.both(around.holds, held), layer=layer, scope=scope)

    def _keep(self, context: _Context, body: str) -> None:
        prelude, holds = context.outer or (f":where({context.scope})" if context.scope else ""), context.holds
        if context.outer is None or not prelude or not holds.perhaps or not body or body.isspace():
            return
        if context.kept:
            if prelude == "@":
                self.properties[context.kept] = body
            elif context.kept in self.frames:
                self.frames[context.kept].described.append((prelude.lower(), body))
            return
        if self._layering and not self._is_borne(prelude):
            return  # what is in it may have named a layer, and so set the order of layers
        body = body.replace("/**/", " ")
        layer = self._number(context.layer) if context.layer else UNLAYERED
        self._found.append(Written(prelude, body, holds, layer, len(self._found)))

    # ------------------------------------------------------------------------------------ layers

    def _name_layers(self, text: str, around: _Context) -> None:
        if around.outer is None or not around.holds.perhaps:
            return
        for names in _STATEMENT.findall(text):
            for name in names.split(","):
                self._number(self._layer(name.strip(), around.layer))

    def _layer(self, name: str, within: tuple[str, ...]) -> tuple[str, ...]:
        own = tuple(part.strip() for part in name.split(".")) if name else (f" {len(self._layers)}",)
        path = (*within, *own)[:_DEEPEST]
        self._number(path)
        return path

    def _number(self, path: tuple[str, ...]) -> int:
        """Return the number of a layer, and note where those around it came first among their siblings."""
        known = self._layers.get(path)
        if known is not None or len(self._layers) > _MOST_LAYERS:
            return known or 0
        for end in range(1, len(path) + 1):
            own, around = path[:end], path[: end - 1]
            if own not in self._places:
                self._places[own] = self._children.get(around, 0)
                self._children[around] = self._places[own] + 1
        return self._layers.setdefault(path, len(self._layers))

    def _rank(self, path: tuple[str, ...]) -> tuple[float, ...]:
        """Return what orders layers: each after those inside of it (CSS Cascade 5, 6.4.4)."""
        return (*(float(self._places[path[: end + 1]]) for end in range(len(path))), math.inf)
