"""Completes a product page: price, availability and rating from its data for machines, where its text has none.

Nobody sees that data, so no free text of it is taken: a number, a currency, one of a few states. What was
taken is marked where it stands, and in a notice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from wellread.metadata import jsonld
from wellread.types import Block, Kind, Notice, Span, Style

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_NOTICE: Final = Notice(
    "declared_facts", "the declared facts are from the page's structured data and are not in the text"
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
"""The variable part of a state: `https://schema.org/InStock` and `in stock` are one."""
_RATING: Final = re.compile(r"[0-9](?:\.\d{1,4})?|10", re.ASCII)
_COUNT: Final = re.compile(r"\d{1,9}", re.ASCII)
_NEWS: Final = re.compile(r'"@type"\s{0,5}:\s{0,5}\[?\s{0,5}"\w{0,20}NewsArticle"')
_ARTICLES: Final = ("article", "posting", "review", "qapage", "itemlist")
_ACCEPTED: Final = "acceptedAnswer"
_MOST: Final = 100
"""Scripts, nodes, properties."""

_Node = dict[str, Any]  # Any: JSON from strangers; every use checks what it finds


class ProductData:
    """The product data that a page declares for machines."""

    def __init__(self, tree: LexborHTMLParser, text: str) -> None:
        """Take a page and its source."""
        self._tree: Final = tree
        self._nodes: Final = _nodes(tree) if _PRODUCT in text else []
        self.is_news: Final = _NEWS.search(text) is not None
        """Whether the page is a news article."""
        self._products: Final = [node for node in self._nodes if "product" in jsonld.types(node)]

    @property
    def sells(self) -> bool:
        """Whether it is about one product, and no article about it."""
        kinds = (kind for node in self._nodes for kind in jsonld.types(node))
        return len(self._products) == 1 and not any(kind.endswith(_ARTICLES) for kind in kinds)

    def beyond(self, shown: str) -> tuple[tuple[Block, ...], tuple[Notice, ...]]:
        """Return the declared facts of the one product that the text `shown` lacks, and the notice for them."""
        price, currency, state, rating, ratings = self._declared_values()
        plain_text = _GROUPED.sub("", shown).lower()
        facts = []
        amount = _PRICE.fullmatch(_THOUSANDS.sub("", price))
        if amount and not _says(plain_text, amount[2], (amount[3] or "").rstrip("0")):
            priced = f"price {amount[1]}"
            if _CURRENCY.fullmatch(currency):
                priced = f"{priced} {currency}"
            facts.append(priced)
        if amount and (availability := _STATES.get(_SPELT.sub("", state.lower()))) and availability not in plain_text:
            facts.append(availability)
        if _RATING.fullmatch(rating) and not _says(plain_text, rating):
            rated = f"rated {rating}"
            if _COUNT.fullmatch(ratings):
                rated = f"{rated} by {ratings}"
            facts.append(rated)
        if not facts:
            return (), ()
        line = Span(f"Declared: {', '.join(facts)}.", int(Style.EM))
        return (Block(Kind.PARAGRAPH, (line,)),), (_NOTICE,)

    def _declared_values(self) -> list[str]:
        """Return price, currency, state, rating, ratings, empty where untold: of the product, else of Open Graph."""
        product = self._products[0] if len(self._products) == 1 else {}
        offer, rating = _first(product.get("offers")), _first(product.get("aggregateRating"))
        metas = (node.attributes for node in reversed(self._tree.css(_META)[:_MOST]))  # the first of each counts
        shared = {(meta.get("property") or "").partition(":")[2]: meta.get("content") for meta in metas}
        price = offer.get("price") or offer.get("lowPrice")
        currency = offer.get("priceCurrency")
        if not price:
            price, currency = shared.get("price:amount"), shared.get("price:currency")
        availability = offer.get("availability") or shared.get("availability")
        rating_count = rating.get("reviewCount") or rating.get("ratingCount")
        return list(map(_plain, (price, currency, availability, rating.get("ratingValue"), rating_count)))


def _plain(value: object) -> str:
    """Return a text or a number of JSON as text; empty for anything else."""
    if not isinstance(value, (str, int, float)):
        return ""
    return str(value).strip()


def accepted_texts(tree: LexborHTMLParser, text: str) -> list[str]:
    """Return the texts of the answers that a page's data for machines call accepted, as HTML or plain text."""
    if _ACCEPTED not in text:
        return []
    questions = [node for node in _nodes(tree) for node in (node, _first(node.get("mainEntity")))]
    answers = [answer for question in questions for answer in _listed(question.get(_ACCEPTED))]
    texts = [answer.get("text") for answer in answers if isinstance(answer, dict)]
    return [text for text in texts if isinstance(text, str)]


def _says(text: str, number: str, cents: str = "") -> bool:
    """Return whether a text has a number, with its cents if any: they may be set apart, without a point."""
    fraction = rf"\D{{0,3}}{cents}0?(?!\d)" if cents else r"[.,]\d"
    return re.search(rf"(?<![\d.]){re.escape(number)}(?:(?!\d|[.,]\d)|{fraction})", text) is not None


def _nodes(tree: LexborHTMLParser) -> list[_Node]:
    values = [value for node in tree.css(_SCRIPTS)[:_MOST] for value in jsonld.parse(node.text()[: _MOST * 1_000])]
    nodes = [node for value in values for node in _listed(value) if isinstance(node, dict)]
    nodes += [node for outer in nodes for node in _listed(outer.get("@graph")) if isinstance(node, dict)]
    return nodes[:_MOST]


def _first(value: object) -> _Node:
    first = _listed(value)[:1]
    if first and isinstance(first[0], dict):
        return first[0]
    return {}


def _listed(value: object) -> list[Any]:  # Any: parsed JSON
    if isinstance(value, list):
        return value[:_MOST]
    return [value]
