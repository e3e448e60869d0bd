"""Reads RDFa Lite: items with `typeof`, and their properties.

Source: https://www.w3.org/TR/rdfa-lite/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wellread.metadata.declared_values import add_value, short_name, unwrapped
from wellread.types import DeclaredItem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.metadata.declared_values import DeclaredValues

MAX_ELEMENTS: Final = 100_000
MAX_PREFIXES: Final = 50
_PREFIXES: Final = {
    "schema": "http://schema.org/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "v": "http://rdf.data-vocabulary.org/#",
    "gr": "http://purl.org/goodrelations/v1#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}
"""Those of the initial context that pages use without a declaration (https://www.w3.org/2011/rdfa-context/rdfa-1.1)."""

_Properties = dict[str, list[Any]]  # Any: JSON


class _RdfaContext(NamedTuple):
    """An element and what holds for it."""

    node: LexborNode
    vocabulary: str
    prefixes: Mapping[str, str]
    item: _Properties | None
    """The item that it stands in."""
    depth: int


def rdfa_items(tree: LexborHTMLParser, values: DeclaredValues) -> Iterator[DeclaredItem]:
    """Yield the items of a page that stand in no other."""
    outermost: list[_Properties] = []
    if tree.root is None:
        return
    pending = [_RdfaContext(tree.root, "", _PREFIXES, None, 0)]
    elements = 0
    while pending:
        context = pending.pop()
        elements += 1
        if elements > MAX_ELEMENTS:
            values.is_cut = True
            break
        inner = _read_element(context, values, outermost)
        if inner is None:
            break
        pending.extend(inner._replace(node=child) for child in reversed(list(context.node.iter(include_text=False))))
    plain_by_id: dict[int, dict[str, Any]] = {}  # Any: JSON
    for properties in outermost:
        plain = _plain(properties, plain_by_id)
        kinds = plain.get("@type", "")
        plain = {name: part for name, part in plain.items() if name != "@type"}
        if isinstance(kinds, list):
            plain = {"@type": kinds, **plain}
            kinds = kinds[0]
        if plain:
            yield DeclaredItem("rdfa", kinds, plain)


def _read_element(context: _RdfaContext, values: DeclaredValues, outermost: list[_Properties]) -> _RdfaContext | None:
    """Add what an element declares; return what holds in it, or None where a bound is reached."""
    attributes = context.node.attributes
    if not {"vocab", "prefix", "typeof", "property"} & attributes.keys():
        return context
    if (vocabulary := attributes.get("vocab")) is not None:
        context = context._replace(vocabulary=vocabulary.strip()[:500])
    if prefix := attributes.get("prefix"):
        context = context._replace(prefixes={**context.prefixes, **_prefixes(prefix)})
    full_names = (_full_name(name, context) for name in (attributes.get("property") or "")[:2_000].split())
    names = [name for name in full_names if name]
    kinds = [_full_name(kind, context) or kind for kind in (attributes.get("typeof") or "")[:2_000].split()]
    if kinds:
        return _read_item(context, kinds, names, values, outermost)
    if context.item is not None and names:
        if not values.may_add(context.depth):
            return None
        text = _value(context.node, attributes, values)
        for name in names:
            add_value(context.item, name, text)
    return context


def _read_item(
    context: _RdfaContext,
    kinds: list[str],
    names: list[str],
    values: DeclaredValues,
    outermost: list[_Properties],
) -> _RdfaContext | None:
    """Add an item, to the one that it stands in where it has `names` there; return as `_read_element`."""
    attributes = context.node.attributes
    item: _Properties = {"@type": list(kinds)}
    if address := attributes.get("resource") or attributes.get("about") or attributes.get("href"):
        item["@id"] = [values.address(address)]
    if context.item is None or not names:
        if not values.may_add_item():
            return None
        outermost.append(item)
        return context._replace(item=item, depth=1)
    if not values.may_add(context.depth + 1):
        return None
    for name in names:
        add_value(context.item, name, item)
    return context._replace(item=item, depth=context.depth + 1)


def _plain(properties: _Properties, plain_by_id: dict[int, dict[str, Any]]) -> dict[str, Any]:  # Any: JSON
    """Return the properties with single values without their lists; depth is bounded by `DeclaredValues`.

    An item with several names is made plain once: `plain_by_id` has those that were, by identity.
    """
    plain = plain_by_id.get(id(properties))
    if plain is None:
        plain = plain_by_id[id(properties)] = {}
        for name, parts in properties.items():
            plain[name] = unwrapped([_plain_part(part, plain_by_id) for part in parts])
    return plain


def _plain_part(part: Any, plain_by_id: dict[int, dict[str, Any]]) -> Any:  # Any: JSON
    if isinstance(part, dict):
        return _plain(part, plain_by_id)
    return part


def _prefixes(declaration: str) -> dict[str, str]:
    words = declaration[:5_000].split()[: 2 * MAX_PREFIXES]
    return {
        prefix.removesuffix(":"): iri for prefix, iri in zip(words[::2], words[1::2], strict=False) if ":" in prefix
    }


def _full_name(name: str, context: _RdfaContext) -> str:
    """Return a name with its vocabulary, without that of schema.org; empty for a word without a vocabulary."""
    prefix, colon, local_name = name.partition(":")
    if colon and prefix in context.prefixes and not local_name.startswith("//"):
        return short_name(context.prefixes[prefix] + local_name)
    if colon:
        return short_name(name)
    if not context.vocabulary:
        return ""
    return short_name(context.vocabulary + name)


def _value(node: LexborNode, attributes: dict[str, str | None], values: DeclaredValues) -> str:
    content = attributes.get("content")
    if content is not None:
        return values.text(content)
    address = attributes.get("resource") or attributes.get("href") or attributes.get("src")
    if address:
        return values.address(address)
    if (stamp := attributes.get("datetime")) is not None:
        return values.text(stamp)
    return values.element_text(node)
