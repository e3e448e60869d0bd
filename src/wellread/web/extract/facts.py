"""Completes a product page: price, availability and rating from its data for machines, where its text has none.

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
    "declared_facts", "what is declared is from the page's data for machines: the text that was read does not say it"
)
_PRODUCT: Final = 'Product"'
_SCRIPTS: Final = 'script[type*="ld+json" i]'
_META: Final = 'meta[property^="product:"], meta[property^="og:price:"]'
_PRICE: Final = re.compile(r"(\d{1,9})(?:[.,](\d{1,2})0{0,8})?", re.ASCII)
_GROUPED: Final = re.compile(r"(?<=\d)[,. \u00a0'\u2019](?=\d{3}(?!\d))")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_STATE: Final = re.compile(r"(?:https?://schema\.org/)?(InStock|OutOfStock|SoldOut|PreOrder|BackOrder|Discontinued)")
_RATING: Final = re.compile(r"[0-9](?:\.\d{1,4})?|10", re.ASCII)
_COUNT: Final = re.compile(r"\d{1,9}", re.ASCII)
_ARTICLES: Final = ("article", "posting", "review", "qapage", "itemlist")
_MOST: Final = 100
"""Scripts, nodes, properties."""

_Node = dict[str, Any]  # Any: JSON from strangers; every use checks what it finds


class Declared:
    """What a page says for machines of what it sells."""

    def __init__(self, tree: LexborHTMLParser, text: str) -> None:
        """Take a page and its source."""
        self._tree: Final = tree
        self._nodes: Final = _nodes(tree) if _PRODUCT in text else []
        self._products: Final = [node for node in self._nodes if "product" in jsonld.types(node)]

    @property
    def sells(self) -> bool:
        """Whether it is about one product, and no article about it."""
        kinds = (kind for node in self._nodes for kind in jsonld.types(node))
        return len(self._products) == 1 and not any(kind.endswith(_ARTICLES) for kind in kinds)

    def beyond(self, shown: str) -> tuple[tuple[Block, ...], tuple[Notice, ...]]:
        """Return what is declared of the one product and the text `shown` does not say, and the notice of it."""
        price, currency, state, rating, ratings = self._told()
        said = _GROUPED.sub("", shown).lower()
        facts = []
        if (amount := _PRICE.fullmatch(price)) and not _says(said, amount[1], (amount[2] or "").rstrip("0")):
            facts.append(f"price {price} {currency if _CURRENCY.fullmatch(currency) else ''}".strip())
        if found := _STATE.fullmatch(state):
            state = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", found[1]).lower()
            facts += [state] if amount and state not in said else []
        if _RATING.fullmatch(rating) and not _says(said, rating):
            facts.append(f"rated {rating}" + (f" by {ratings}" if _COUNT.fullmatch(ratings) else ""))
        if not facts:
            return (), ()
        line = Span(f"Declared: {', '.join(facts)}.", int(Style.EM))
        return (Block(Kind.PARAGRAPH, (line,)),), (_NOTICE,)

    def _told(self) -> list[str]:
        """Return price, currency, state, rating, ratings, empty where untold: of the product, else of Open Graph."""
        if len(self._products) == 1:
            product = self._products[0]
            offer, rating = _first(product.get("offers")), _first(product.get("aggregateRating"))
            told = [offer.get("price") or offer.get("lowPrice"), offer.get("priceCurrency"), offer.get("availability")]
            told += [rating.get("ratingValue"), rating.get("reviewCount") or rating.get("ratingCount")]
        else:
            metas = self._tree.css(_META)[:_MOST]
            names = {node.attributes.get("property"): node.attributes.get("content") for node in metas}
            price = names.get("product:price:amount") or names.get("og:price:amount")
            told = [price, names.get("product:price:currency"), names.get("product:availability"), None, None]
        return [str(value).strip() if isinstance(value, (str, int, float)) else "" for value in told]


def _says(text: str, number: str, cents: str = "") -> bool:
    """Tell whether a text has a number, with those cents if it has any: they may be set apart, without a point."""
    fraction = rf"\D{{0,3}}{cents}0?(?!\d)" if cents else r"[.,]\d"
    return re.search(rf"(?<![\d.]){re.escape(number)}(?:(?!\d|[.,]\d)|{fraction})", text) is not None


def _nodes(tree: LexborHTMLParser) -> list[_Node]:
    values = [value for node in tree.css(_SCRIPTS)[:_MOST] for value in jsonld.parse(node.text()[: _MOST * 1_000])]
    nodes = [node for value in values for node in _listed(value) if isinstance(node, dict)]
    nodes += [node for outer in nodes for node in _listed(outer.get("@graph")) if isinstance(node, dict)]
    return nodes[:_MOST]


def _first(value: object) -> _Node:
    first = _listed(value)[:1]
    return first[0] if first and isinstance(first[0], dict) else {}


def _listed(value: object) -> list[Any]:  # Any: parsed JSON
    return value[:_MOST] if isinstance(value, list) else [value]
