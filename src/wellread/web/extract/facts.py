"""Completes a product page: price and availability from its data for machines, where its text has no price.

Nobody sees that data, so no free text of it is taken: a number, a currency, one of a few states. What was
taken is marked where it stands, and in a notice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from wellread.types import Block, Kind, Notice, Span, Style
from wellread.web.metadata import jsonld

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_NOTICE: Final = Notice(
    "declared_facts", "the price is from the page's data for machines: the text that was read has none"
)
_SCRIPTS: Final = 'script[type="application/ld+json" i]'
_META: Final = 'meta[property^="product:"], meta[property^="og:price:"]'
_PRICE: Final = re.compile(r"(\d{1,9})(?:[.,]\d{1,2}0*)?")
_GROUPED: Final = re.compile(r"(?<=\d)[,. \u00a0'\u2019](?=\d{3}(?!\d))")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_STATE: Final = re.compile(r"(?:https?://schema\.org/)?(InStock|OutOfStock|SoldOut|PreOrder|BackOrder|Discontinued)")
_MOST: Final = 100
"""Scripts, nodes, properties."""

_Node = dict[str, Any]  # Any: JSON from strangers; every use checks what it finds


def declared(tree: LexborHTMLParser, shown: str) -> tuple[tuple[Block, ...], tuple[Notice, ...]]:
    """Return what the page declares of its one product, if the text `shown` has no such price, and the notice of it."""
    price, currency, state = _told(tree)
    amount = _PRICE.fullmatch(price)
    if amount is None or re.search(rf"(?<!\d){amount[1]}(?!\d)", _GROUPED.sub("", shown)):
        return (), ()
    facts = [f"price {price} {currency if _CURRENCY.fullmatch(currency) else ''}".strip()]
    if found := _STATE.fullmatch(state):
        facts.append(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", found[1]).lower())
    line = Span(f"Declared: {', '.join(facts)}.", int(Style.EM))
    return (Block(Kind.PARAGRAPH, (line,)),), (_NOTICE,)


def _told(tree: LexborHTMLParser) -> list[str]:
    """Return price, currency and state, empty where nothing is told: of the only product, else of Open Graph."""
    values = [value for node in tree.css(_SCRIPTS)[:_MOST] for value in jsonld.parse(node.text()[: _MOST * 1_000])]
    nodes = [node for value in values for node in _listed(value) if isinstance(node, dict)]
    nodes += [node for outer in nodes for node in _listed(outer.get("@graph")) if isinstance(node, dict)]
    products = [node for node in nodes[:_MOST] if "Product" in _listed(node.get("@type"))]
    if len(products) == 1:
        first = _listed(products[0].get("offers"))[:1]
        offer: _Node = first[0] if first and isinstance(first[0], dict) else {}
        told = [offer.get("price") or offer.get("lowPrice"), offer.get("priceCurrency"), offer.get("availability")]
    else:
        names = {node.attributes.get("property"): node.attributes.get("content") for node in tree.css(_META)[:_MOST]}
        price = names.get("product:price:amount") or names.get("og:price:amount")
        told = [price, names.get("product:price:currency"), names.get("product:availability")]
    return [str(value).strip() if isinstance(value, (str, int, float)) else "" for value in told]


def _listed(value: object) -> list[Any]:  # Any: parsed JSON
    return value[:_MOST] if isinstance(value, list) else [value]
