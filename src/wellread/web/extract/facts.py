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
_META: Final = 'meta[property^="product:"], meta[property^="og:price:"], meta[property="og:availability"]'
_PRICE: Final = re.compile(r"[$\u20ac\u00a3\u00a5]?\s?((\d{1,9})(?:[.,](\d{1,2})0{0,8})?)", re.ASCII)
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=(?:\d{3},)*\d{3}\.\d\d$)")
"""Shops write `1,299.00` for Open Graph."""
_GROUPED: Final = re.compile(r"(?<=\d)[,. \u00a0'\u2019](?=\d{3}(?!\d))")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_STATES: Final = {
    **{"".join(state.split()): state for state in ("in stock", "sold out", "pre order", "back order", "discontinued")},
    **dict.fromkeys(("outofstock", "oos"), "out of stock"),
}
_SPELT: Final = re.compile(r"^https?://schema\.org/|[ _-]")
"""What is no part of a state: `https://schema.org/InStock` and `in stock` are one."""
_RATING: Final = re.compile(r"[0-9](?:\.\d{1,4})?|10", re.ASCII)
_COUNT: Final = re.compile(r"\d{1,9}", re.ASCII)
_ARTICLES: Final = ("article", "posting", "review", "qapage", "itemlist")
_ACCEPTED: Final = "acceptedAnswer"
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
        amount = _PRICE.fullmatch(_THOUSANDS.sub("", price))
        if amount and not _says(said, amount[2], (amount[3] or "").rstrip("0")):
            facts.append(f"price {amount[1]} {currency if _CURRENCY.fullmatch(currency) else ''}".strip())
        if amount and (known := _STATES.get(_SPELT.sub("", state.lower()))) and known not in said:
            facts.append(known)
        if _RATING.fullmatch(rating) and not _says(said, rating):
            facts.append(f"rated {rating}" + (f" by {ratings}" if _COUNT.fullmatch(ratings) else ""))
        if not facts:
            return (), ()
        line = Span(f"Declared: {', '.join(facts)}.", int(Style.EM))
        return (Block(Kind.PARAGRAPH, (line,)),), (_NOTICE,)

    def _told(self) -> list[str]:
        """Return price, currency, state, rating, ratings, empty where untold: of the product, else of Open Graph."""
        product = self._products[0] if len(self._products) == 1 else {}
        offer, rating = _first(product.get("offers")), _first(product.get("aggregateRating"))
        metas = (node.attributes for node in reversed(self._tree.css(_META)[:_MOST]))  # the first of each counts
        shared = {(one.get("property") or "").partition(":")[2]: one.get("content") for one in metas}
        price = offer.get("price") or offer.get("lowPrice")
        told = (
            [price, offer.get("priceCurrency")] if price else [shared.get("price:amount"), shared.get("price:currency")]
        )
        told += [offer.get("availability") or shared.get("availability")]
        told += [rating.get("ratingValue"), rating.get("reviewCount") or rating.get("ratingCount")]
        return [str(value).strip() if isinstance(value, (str, int, float)) else "" for value in told]


def accepted_texts(tree: LexborHTMLParser, text: str) -> list[str]:
    """Return the texts of the answers that a page's data for machines call accepted, as HTML or plain text."""
    if _ACCEPTED not in text:
        return []
    questions = [node for node in _nodes(tree) for node in (node, _first(node.get("mainEntity")))]
    answers = [answer for question in questions for answer in _listed(question.get(_ACCEPTED))]
    texts = [answer.get("text") for answer in answers if isinstance(answer, dict)]
    return [text for text in texts if isinstance(text, str)]


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
