"""Reads microdata: items with their properties, as the HTML standard crawls them.

Source: https://html.spec.whatwg.org/multipage/microdata.html#associating-names-with-items
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wellread.metadata.declared_values import add_value, short_name, unwrapped
from wellread.types import DeclaredItem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.metadata.declared_values import DeclaredValues

MAX_ELEMENTS: Final = 100_000
"""That are looked at; those that several items refer to count again."""
MAX_REFERENCES: Final = 100
"""Ids in one `itemref`."""
_OUTERMOST: Final = "[itemscope]:not([itemprop])"
_ADDRESS_OF: Final = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("a", "area", "link"), "href"),
    "object": "data",
}
_VALUE_OF: Final = {"meta": "content", "data": "value", "meter": "value", "time": "datetime"}


def microdata_items(tree: LexborHTMLParser, values: DeclaredValues) -> Iterator[DeclaredItem]:
    """Yield the items of a page that stand in no other."""
    reader = _MicrodataReader(tree, values)
    for node in tree.css(_OUTERMOST):
        if not values.may_add_item():
            return
        properties = reader.properties(node, frozenset({node.mem_id}), depth=1)
        kinds = _types(node)
        if len(kinds) > 1:
            properties = {"@type": kinds, **properties}
        if properties:
            yield DeclaredItem("microdata", next(iter(kinds), ""), properties)


def _types(node: LexborNode) -> list[str]:
    kinds = (node.attributes.get("itemtype") or "")[:2_000].split()
    return [short_name(kind) for kind in kinds[:10]]


class _MicrodataReader:
    """A reader of the items of one page."""

    def __init__(self, tree: LexborHTMLParser, values: DeclaredValues) -> None:
        self._tree = tree
        self._values = values
        self._elements = 0
        self._by_id: dict[str, LexborNode] | None = None

    def properties(self, node: LexborNode, above: frozenset[int], *, depth: int) -> dict[str, Any]:  # Any: JSON
        """Return the properties of an item; `above` are the items that it stands in, itself included."""
        properties: dict[str, list[Any]] = {}  # Any: JSON
        attributes = node.attributes
        if identifier := attributes.get("itemid"):
            properties["@id"] = [self._values.address(identifier)]
        visited: set[int] = {node.mem_id}
        pending = [*self._referred(attributes.get("itemref")), *node.iter(include_text=False)]
        pending.reverse()
        while pending:
            element = pending.pop()
            if element.mem_id in visited:
                continue
            visited.add(element.mem_id)
            self._elements += 1
            if self._elements > MAX_ELEMENTS:
                self._values.is_cut = True
                break
            element_attributes = element.attributes
            names = (element_attributes.get("itemprop") or "")[:2_000].split()
            if names and not self._values.may_add(depth):
                break
            if names:
                value = self._value(element, element_attributes, above, depth=depth)
                for name in dict.fromkeys(names):
                    add_value(properties, short_name(name), value)
            if "itemscope" not in element_attributes:
                pending.extend(reversed(list(element.iter(include_text=False))))
        return {name: unwrapped(parts) for name, parts in properties.items()}

    def _value(
        self, element: LexborNode, attributes: dict[str, str | None], above: frozenset[int], *, depth: int
    ) -> Any:  # Any: JSON
        """Return the value of a property; None for an item that stands in itself."""
        if "itemscope" in attributes:
            if element.mem_id in above:
                return None
            kinds = _types(element)
            typed: dict[str, Any] = {}  # Any: JSON
            if kinds:
                typed["@type"] = unwrapped(kinds)
            return typed | self.properties(element, above | {element.mem_id}, depth=depth + 1)
        tag = element.tag or ""
        if tag in _ADDRESS_OF:
            return self._values.address(attributes.get(_ADDRESS_OF[tag]))
        declared = attributes.get(_VALUE_OF.get(tag, "content"))
        if declared is not None:
            return self._values.text(declared)
        return self._values.element_text(element)

    def _referred(self, itemref: str | None) -> list[LexborNode]:
        """Return the elements that an item refers to."""
        if not itemref:
            return []
        identifiers = itemref.split(None, MAX_REFERENCES)
        if len(identifiers) > MAX_REFERENCES:
            self._values.is_cut = True
        if self._by_id is None:
            self._by_id = {}
            for node in self._tree.css("[id]"):
                self._by_id.setdefault(node.attributes["id"] or "", node)
        by_id = self._by_id
        return [by_id[identifier] for identifier in identifiers[:MAX_REFERENCES] if identifier in by_id]
