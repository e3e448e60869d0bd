"""Finds the style sheets that a page carries within itself: in <style>, in data URLs, and what these import."""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote_to_bytes

import tinycss2

from wellread.css import media
from wellread.css.brackets import is_deep
from wellread.css.declarations import ATOMS, neutral
from wellread.css.states import above
from wellread.css.words import lowered, tokens
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

_HOLDERS: Final = 'style, link[rel~="stylesheet" i][href*="data:" i]:not([disabled])'
_START: Final = lazy_pattern(rf"(?:(?:{ATOMS.pattern}|[^{{;])*+;)*(?:(?:{ATOMS.pattern}|[^{{;])*+\Z)?", ATOMS.flags)
"""All that stands before the first block."""
_IMPORTS: Final = lazy_pattern(r"@[a-z]*(?:\\|import)", re.IGNORECASE)
_DATA: Final = lazy_pattern(r"\s*data:\s*text/css\s*((?:;[^,]*)?),([^#]*)", re.IGNORECASE)
_BASE64: Final = lazy_pattern(r";\s*base64\s*\Z", re.IGNORECASE)
_BLANK: Final = lazy_pattern(r"[\t\n\r]")
_BETWEEN: Final = frozenset(["whitespace", "comment"])
_CODED: Final = 3
"""Characters of an address for one of the sheet in it, at most."""


class Sheet(NamedTuple):
    """A style sheet."""

    text: str
    holds: media.Holds
    layers: tuple[str, ...] = ()
    """What it is imported into, the outermost first; a layer without a name is empty."""


def sheets(tree: LexborHTMLParser, most_chars: int) -> Sequence[Sheet]:
    """Return the style sheets that a browser applies, in order; of all together, so many characters."""
    found: list[Sheet] = []
    left, preferred = most_chars, ""
    for node in tree.css(_HOLDERS):
        attributes = node.attributes
        holds = media.query(attributes.get("media") or "")
        title, rel = attributes.get("title") or "", tokens(lowered(attributes.get("rel") or ""))
        preferred = preferred or title
        if title and (title != preferred or "alternate" in rel):
            holds = media.Holds(0, holds.perhaps)  # a sheet that readers may choose instead
        if not holds.perhaps or not _is_applied(node):
            continue
        waiting = [Sheet(node.text() if node.tag == "style" else _carried(attributes["href"] or "", left), holds)]
        brought: list[Sheet] = []
        while waiting:
            sheet = waiting.pop()
            sheet = sheet._replace(text=sheet.text[:left])
            left -= len(sheet.text)
            brought.append(sheet)
            waiting += _imported(sheet, left)
        found += reversed(brought)
    return found


def _is_applied(node: LexborNode) -> bool:
    kind = lowered(node.attributes.get("type") or "text/css")
    if node.tag == "link":
        kind = kind.partition(";")[0].strip()
    return kind == "text/css" and all(at.tag != "noscript" for at in above(node))


def _carried(address: str, most_chars: int) -> str:
    """Return the style sheet in a data URL (Fetch, 6); of other addresses nothing is known here."""
    found = _DATA.match(_BLANK.sub("", address[: _CODED * most_chars]))
    if found is None:
        return ""
    data = unquote_to_bytes(found[2].rstrip())
    if _BASE64.search(found[1]):
        try:
            data = binascii.a2b_base64(data + b"==")
        except binascii.Error:
            return ""
    return data.decode("utf-8", "replace")


def _imported(sheet: Sheet, most_chars: int) -> Iterator[Sheet]:
    """Yield what a sheet imports, and what it says of the order of layers between (CSS Cascade 5, 2)."""
    start = _START.match(sheet.text)
    head = start[0] if start else ""
    if not _IMPORTS.search(head):
        return
    if is_deep(neutral(head)):
        yield sheet._replace(text="*{display:none}")  # what cannot be read hides, rather than letting anything through
        return
    for node in tinycss2.parse_stylesheet(head, skip_comments=True, skip_whitespace=True):
        if node.type == "at-rule" and node.lower_at_keyword == "layer":
            yield sheet._replace(text=node.serialize())
        elif node.type == "at-rule" and node.lower_at_keyword == "import":
            yield _import(sheet, [one for one in node.prelude if one.type not in _BETWEEN], most_chars)


def _import(sheet: Sheet, told: list[tinycss2.ast.Node], most_chars: int) -> Sheet:
    named, told = (told[0].arguments if _is_called(told, "url") else told[:1]), told[1:]
    address = next((one.value for one in named if one.type in {"string", "url"}), "")
    layers, holds = sheet.layers, sheet.holds
    if _is_called(told, "layer"):
        layer = told.pop(0)
        layers = (*layers, tinycss2.serialize(layer.arguments).strip() if layer.type == "function" else "")
    if _is_called(told, "supports"):
        asked = media.at_rule(f"@supports ({tinycss2.serialize(told.pop(0).arguments)})")
        holds = media.both(holds, asked or media.NEVER)
    asked = media.query(" ".join(one.serialize() for one in told))
    return Sheet(_carried(address, most_chars), media.both(holds, asked), layers)


def _is_called(told: Sequence[tinycss2.ast.Node], name: str) -> bool:
    """Tell whether what comes first is a function of this name, or its name alone."""
    first = told[0] if told else None
    if first is None or first.type not in {"ident", "function"}:
        return False
    return bool(name == (first.lower_name if first.type == "function" else first.lower_value))
