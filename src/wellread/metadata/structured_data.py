"""Reads the structured data of a page: JSON-LD, microdata, RDFa Lite, Open Graph and Twitter cards, in one form.

Sources: https://www.w3.org/TR/json-ld11/, https://ogp.me/; microdata and RDFa Lite are in files of their own. Data is
as hostile as any other text of a page: items, values, characters and depth are bounded, and what is cut is reported.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from wellread.metadata import declared_metadata, site_address
from wellread.metadata.declared_values import DeclaredValues, short_name, unwrapped
from wellread.metadata.microdata import microdata_items
from wellread.metadata.rdfa import rdfa_items
from wellread.types import DeclaredItem, Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborHTMLParser

    from wellread.types import Syntax

MAX_SCRIPTS: Final = 100
MAX_METAS: Final = 1_000
_SCRIPTS: Final = 'script[type*="ld+json" i]'
_METAS: Final = "meta[property][content], meta[name][content]"
_OPEN_GRAPH: Final = frozenset(
    ("og", "article", "book", "profile", "music", "video", "product", "place", "business", "restaurant")
)
"""Prefixes of the types of Open Graph."""
_ADDRESSES: Final = frozenset(
    ("og:url", "og:image", "og:video", "og:audio", "url", "secure_url", "twitter:image", "twitter:url")
)
_SCHEMA_PREFIX: Final = "schema"


def declared_items(
    tree: LexborHTMLParser, text: str, base: str | None
) -> tuple[tuple[DeclaredItem, ...], tuple[Notice, ...]]:
    """Return what a page with the source `text` declares, and a notice if that was cut.

    `base` makes addresses absolute: the address of the page, or of its `<base>`.
    """
    values = DeclaredValues(base)
    items: list[DeclaredItem] = []
    if "ld+json" in text:
        items += _linked_data_items(tree, values)
    if "itemscope" in text:
        items += microdata_items(tree, values)
    if "typeof" in text:
        items += rdfa_items(tree, values)
    items += _meta_items(tree, values)
    copies = ((item, values.bounded_copy(item.properties)) for item in items)
    items = [item._replace(properties=properties) for item, properties in copies if properties]
    if not values.is_cut:
        return tuple(items), ()
    return tuple(items), (Notice("structured_data_cut", "the page declares more structured data than is read"),)


# -------------------------------------------------------------------------------------------------------------- JSON-LD


def _linked_data_items(tree: LexborHTMLParser, values: DeclaredValues) -> Iterator[DeclaredItem]:
    scripts = tree.css(_SCRIPTS)
    values.is_cut |= len(scripts) > MAX_SCRIPTS
    remaining_chars = declared_metadata.MAX_CHARS
    for node in scripts[:MAX_SCRIPTS]:
        text = node.text().strip().lstrip("\ufeff")
        if len(text) > remaining_chars or declared_metadata.is_too_deep(text):
            values.is_cut = True
            continue
        remaining_chars -= len(text)
        for script_value in declared_metadata.mended_values(text)[0]:
            yield from _linked_data_nodes(script_value, values, frozenset({_SCHEMA_PREFIX}))


def _linked_data_nodes(
    script_value: Any,  # Any: parsed JSON
    values: DeclaredValues,
    prefixes: frozenset[str],
) -> Iterator[DeclaredItem]:
    """Yield the nodes of a document of linked data; those of a graph one by one."""
    for node in declared_metadata.listed(script_value):
        if not isinstance(node, dict):
            continue
        prefixes |= _schema_prefixes(node.get("@context"))
        if "@graph" in node:
            parts = declared_metadata.listed(node["@graph"])
            graph = [part for part in parts if isinstance(part, dict) and "@graph" not in part]
            yield from _linked_data_nodes(graph, values, prefixes)
        if not node.keys() - {"@context", "@graph", "@id", "@type"}:
            continue
        if not values.may_add_item():
            return
        properties = _linked_properties(node, values, prefixes, depth=1)
        yield declared_item("json-ld", properties)


def declared_item(syntax: Syntax, properties: dict[str, Any]) -> DeclaredItem:  # Any: JSON
    """Return an item of these properties; the only type of an item is not among them."""
    kinds = declared_metadata.listed(properties.get("@type", ""))
    if len(kinds) == 1:
        properties = {name: part for name, part in properties.items() if name != "@type"}
    return DeclaredItem(syntax, str(next(iter(kinds), "")), properties)


def _schema_prefixes(context: object) -> frozenset[str]:
    """Return the prefixes that stand for schema.org in a context."""
    if not isinstance(context, dict):
        return frozenset()
    return frozenset(
        str(name) for name, iri in context.items() if isinstance(iri, str) and short_name(f"{iri}Thing") == "Thing"
    )


def _linked_properties(
    node: dict[str, Any],  # Any: parsed JSON
    values: DeclaredValues,
    prefixes: frozenset[str],
    *,
    depth: int,
) -> dict[str, Any]:  # Any: JSON
    properties: dict[str, Any] = {}  # Any: JSON
    for name, part in node.items():
        if name in {"@context", "@graph", "@reverse"}:
            continue
        value = _linked_value(part, values, prefixes, depth=depth)
        if value is None or value == []:
            continue
        if name == "@type":
            value = _short_types(value, prefixes)
        properties[_short(values.text(name, 500), prefixes)] = value
    return properties


def _short_types(value: Any, prefixes: frozenset[str]) -> Any:  # Any: JSON
    if isinstance(value, list):
        return unwrapped([_short(str(name), prefixes) for name in value])
    return _short(str(value), prefixes)


def _short(name: str, prefixes: frozenset[str]) -> str:
    """Return a name of schema.org without its vocabulary, other names as they are."""
    prefix, colon, local_name = name.partition(":")
    if colon and prefix in prefixes:
        return local_name
    return short_name(name)


def _linked_value(
    part: Any,  # Any: parsed JSON
    values: DeclaredValues,
    prefixes: frozenset[str],
    *,
    depth: int,
) -> Any:  # Any: JSON
    """Return a clean value; None where there is none, or where a bound is reached."""
    if isinstance(part, dict) and "@value" in part:
        part = part["@value"]
    if isinstance(part, dict) and ("@list" in part or "@set" in part):
        part = part.get("@list", part.get("@set"))
    if isinstance(part, list):
        cleaned = (_linked_value(inner, values, prefixes, depth=depth) for inner in part)
        return [inner for inner in cleaned if inner is not None]
    if not values.may_add(depth):
        return None
    if isinstance(part, dict):
        return _linked_properties(part, values, prefixes, depth=depth + 1)
    if isinstance(part, str):
        return values.text(part)
    if isinstance(part, float) and not math.isfinite(part):
        return None
    return part


# ------------------------------------------------------------------------------------------- Open Graph and cards


def _meta_items(tree: LexborHTMLParser, values: DeclaredValues) -> Iterator[DeclaredItem]:
    open_graph: dict[str, Any] = {}  # Any: JSON
    card: dict[str, Any] = {}  # Any: JSON
    metas = tree.css(_METAS)
    values.is_cut |= len(metas) > MAX_METAS
    for node in metas[:MAX_METAS]:
        attributes = node.attributes
        name = (attributes.get("property") or attributes.get("name") or "")[:200].strip().lower()
        prefix = name.partition(":")[0]
        content = values.text(attributes["content"] or "")
        if ":" not in name or not content or not values.may_add(1):
            continue
        if prefix in _OPEN_GRAPH:
            _add_meta(open_graph, name, content, values.base)
        elif prefix == "twitter":
            _add_meta(card, name, content, values.base)
    if open_graph:
        yield DeclaredItem("open_graph", _first_text(open_graph.get("og:type")), open_graph)
    if card:
        yield DeclaredItem("twitter", _first_text(card.get("twitter:card")), card)


def _add_meta(properties: dict[str, Any], name: str, content: str, base: str | None) -> None:  # Any: JSON
    """Add a property; one of three names belongs to the last value of the first two: `og:image:width` to an image."""
    owner, _, part = name.rpartition(":")
    if ":" not in owner:
        _append(properties, name, _absolute(name, content, base))
        return
    structured = properties.get(owner)
    last = declared_metadata.listed(structured)[-1]
    if isinstance(last, str):
        last = {"url": last}
        _replace_last(properties, owner, last)
    if not isinstance(last, dict) or (part in last and part == "url"):
        last = {}
        _append(properties, owner, last)
    _append(last, part, _absolute(part, content, base))


def _append(properties: dict[str, Any], name: str, value: Any) -> None:  # Any: JSON
    if name not in properties:
        properties[name] = value
    elif isinstance(properties[name], list):
        properties[name].append(value)
    else:
        properties[name] = [properties[name], value]


def _replace_last(properties: dict[str, Any], name: str, value: Any) -> None:  # Any: JSON
    if isinstance(properties[name], list):
        properties[name][-1] = value
    else:
        properties[name] = value


def _absolute(name: str, content: str, base: str | None) -> str:
    if name not in _ADDRESSES:
        return content
    return site_address.resolve(content, base) or content


def _first_text(value: Any) -> str:  # Any: JSON
    texts = (part for part in declared_metadata.listed(value) if isinstance(part, str))
    return next(texts, "")
