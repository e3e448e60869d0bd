"""Reads the rules of a page's own style sheets, with where and how strongly they hold (CSS Syntax 3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import media, selectors
from wellread.css.declarations import neutral

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

UNLAYERED: Final = 1 << 30
"""The layer of what stands in no layer, and so wins over all that does."""
_DEEPEST: Final = 30
_MARKS: Final = re.compile("<!--|-->")
"""Comments around whole sheets, from the days of browsers without styles; browsers pass over them."""


class Written(NamedTuple):
    """A rule as it is written."""

    prelude: str
    body: str
    holds: media.Holds
    layer: int
    order: int


_Context = tuple["str | None", media.Holds, int]
"""Selectors around a place, None where nothing applies; where it holds; its layer."""


def sheets(tree: LexborHTMLParser, most_chars: int) -> Sequence[tuple[str, media.Holds]]:
    """Return the style sheets that a browser applies, each with where it holds; of all together, so many characters."""
    found: list[tuple[str, media.Holds]] = []
    left = most_chars
    for node in tree.css("style"):
        attributes = node.attributes
        kind = (attributes.get("type") or "text/css").strip().lower()
        holds = media.query(attributes.get("media") or "")
        if kind != "text/css" or not holds.perhaps or _in_noscript(node):
            continue
        text = node.text()[:left]
        left -= len(text)
        found.append((text, holds))
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


class SheetReader:
    """Takes in one style sheet after another."""

    def __init__(self) -> None:
        self.found: list[Written] = []
        self._layers: dict[str, int] = {}

    def read(self, sheet: str, holds: media.Holds) -> None:
        """Take in the rules of a sheet."""
        open_: list[_Context] = []
        top: _Context = ("", holds, UNLAYERED)
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
                open_.append(self._opened(_MARKS.sub(" ", prelude).strip(), around))
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

    def _keep(self, context: _Context, body: str) -> None:
        prelude, holds, layer = context
        if prelude and holds.perhaps and body and not body.isspace():
            self.found.append(Written(prelude, body, holds, layer, len(self.found)))

    def _name_layers(self, sheet: str) -> None:
        for names in re.findall(r"@layer\s++([^{};@]++);", sheet):
            for name in names.split(","):
                self._layer(name.strip())

    def _layer(self, name: str) -> int:
        return self._layers.setdefault(name or f" {len(self._layers)}", len(self._layers))
