"""Parses XML that strangers wrote into a tree, within limits, and never declares or expands an entity.

Entities that HTML names (`&nbsp;`) are read as HTML reads them: package documents and tables of contents of books have
them without a declaration. A document that declares entities of its own is refused (billion laughs, XXE).
"""

from __future__ import annotations

from html.entities import html5
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers import expat

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH: Final = 100
_PIECE_BYTES: Final = 1 << 16


class XmlTree(NamedTuple):
    """A parsed document."""

    root: Element
    is_cut: bool
    """Elements beyond the limits were left out."""
    damage: str
    """What is wrong with the document behind the part that was parsed; empty where nothing is."""


class _LimitedBuilder:
    """Builds a tree from the events of expat; elements too many or too deep are left out."""

    def __init__(self, max_elements: int) -> None:
        self.root: Element | None = None
        self.is_cut = False
        self._builder = TreeBuilder()
        self._elements_left = max_elements
        self._depth = self._depth_left_out = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._depth_left_out or self._depth >= MAX_DEPTH or self._elements_left <= 0:
            self._depth_left_out += 1
            self.is_cut = True
            return
        self._elements_left -= 1
        self._depth += 1
        element = self._builder.start(tag, attributes)
        if self.root is None:
            self.root = element

    def end(self, tag: str) -> None:
        if self._depth_left_out:
            self._depth_left_out -= 1
            return
        self._depth -= 1
        self._builder.end(tag)

    def text(self, text: str) -> None:
        if not self._depth_left_out:
            self._builder.data(text)

    def finish(self) -> None:
        """Close the elements that a damaged document leaves open."""
        while self._depth > 0:
            self._depth -= 1
            self._builder.end("")


def new_parser(
    start: Callable[[str, dict[str, str]], None], end: Callable[[str], None], text: Callable[[str], None]
) -> expat.XMLParserType:
    """Return an expat parser that gives names as `namespace}name` and refuses declarations of entities.

    Its `Parse` raises `ParseError` where an entity is declared, and `expat.ExpatError` where the document is damaged.
    """
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.UseForeignDTD(True)  # noqa: FBT003 - expat's own signature; entities without a declaration are no errors

    def refuse(*_: object) -> None:
        raise ParseError("it declares entities")

    def undeclared(name: str, is_parameter: bool) -> None:  # noqa: FBT001 - the signature of expat's handler
        if not is_parameter:
            text(html5.get(f"{name};", f"&{name};"))

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = undeclared  # type: ignore[attr-defined, unused-ignore]  # not in all type stubs
    return parser


def parse_xml(content: bytes, *, max_elements: int, is_cut: bool = False) -> XmlTree:
    """Return the tree of a document; of a damaged or cut one, the tree of the part before the damage.

    `max_elements` bounds the elements of the tree. `is_cut` says that `content` is only the start of the document.

    Raises:
        ParseError: there is no element before the damage, or the document declares entities.
    """
    builder = _LimitedBuilder(max_elements)
    parser = new_parser(builder.start, builder.end, builder.text)
    damage = ""
    try:
        for offset in range(0, len(content), _PIECE_BYTES):
            parser.Parse(content[offset : offset + _PIECE_BYTES], False)  # noqa: FBT003 - expat's own signature
        if not is_cut:
            parser.Parse(b"", True)  # noqa: FBT003 - expat's own signature
    except expat.ExpatError as error:
        damage = str(error)
    except (ValueError, LookupError) as error:  # an encoding that Python does not know, or that no parser reads
        damage = str(error)
    builder.finish()
    if builder.root is None:
        raise ParseError(damage or "it holds no element")
    return XmlTree(builder.root, builder.is_cut or is_cut, damage)
