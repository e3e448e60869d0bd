"""Reads what a page declares for machines: the elements of its head, its JSON-LD, and the data of its product."""

from __future__ import annotations

import html
import json
import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wellread.lazy_pattern import lazy_pattern
from wellread.metadata.cleaning import line, rich
from wellread.types import Block, Kind, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selectolax.lexbor import LexborHTMLParser, LexborNode


MAX_VALUE = 20_000
MAX_PER_NAME = 50

HEAD_ELEMENTS = (
    "meta, link[rel~=canonical i], link[rel~=image_src i], link[rel~=next i], link[rel~=prev i], base[href], title, "
    'script[type*="ld+json" i]'
)
"""The elements that `head_declarations` understands."""


@dataclass(slots=True)
class HeadDeclarations:
    """The declarations of a page, in document order. Names are lower case, with `:` for the dot of `DC.title`."""

    meta: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, list[str]] = field(default_factory=dict)
    """`href` by each word of `rel`."""
    base: str | None = None
    titles: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    """JSON-LD as written."""
    root: dict[str, str | None] = field(default_factory=dict)
    """Attributes of `<html>`."""
    body: dict[str, str | None] = field(default_factory=dict)

    def first(self, *names: str) -> str | None:
        """Return the first value under the first of `names` that has one."""
        return next((values[0] for name in names if (values := self.meta.get(name))), None)

    def every(self, *names: str) -> list[str]:
        """Return all values under `names`, in the order of the names."""
        return [value for name in names for value in self.meta.get(name, ())]


def head_declarations(tree: LexborHTMLParser, elements: Iterable[LexborNode]) -> HeadDeclarations:
    """Return the declarations of these elements of a page."""
    head = HeadDeclarations()
    root, body = tree.root, tree.body
    if root is not None:
        head.root = dict(root.attributes)
    if body is not None:
        head.body = dict(body.attributes)
    for node in elements:
        _READERS[node.tag or ""](head, node)
    return head


def _meta(head: HeadDeclarations, node: LexborNode) -> None:
    attributes = node.attributes
    content = (attributes.get("content") or "").strip()[:MAX_VALUE]
    if not content:
        return
    called = " ".join(
        names_value[:500] for at in ("property", "name", "http-equiv") if (names_value := attributes.get(at))
    )
    names = dict.fromkeys(called.lower().replace(".", ":").split())  # in order; each attribute may hold several names
    for name in names:
        values = head.meta.setdefault(name, [])
        if len(values) < MAX_PER_NAME:
            values.append(content)


def _link(head: HeadDeclarations, node: LexborNode) -> None:
    attributes = node.attributes
    href = (attributes.get("href") or "").strip()[:MAX_VALUE]
    for rel in (attributes.get("rel") or "")[:500].lower().split() if href else ():
        head.links.setdefault(rel, []).append(href)


def _base(head: HeadDeclarations, node: LexborNode) -> None:
    if head.base is None:
        head.base = (node.attributes.get("href") or "").strip()[:MAX_VALUE] or None


def _title(head: HeadDeclarations, node: LexborNode) -> None:
    parent = node.parent
    if parent is not None and parent.tag == "svg":  # an icon's own title
        return
    head.titles.append(node.text()[:MAX_VALUE])


def _script(head: HeadDeclarations, node: LexborNode) -> None:
    head.scripts.append(node.text())


_READERS = {"meta": _meta, "link": _link, "base": _base, "title": _title, "script": _script}
HEAD_TAGS = frozenset(_READERS)


# -------------------------------------------------------------------------------------------------------------- JSON-LD
# Reads JSON-LD as it is found in the wild: broken, nested, split over scripts, and now and then hostile.
#
# Nothing here recurses; text, nodes and depth are bounded, so that no script can cost more than a few milliseconds.

Node = dict[str, Any]  # Any: JSON from strangers; every use checks what it finds

MAX_SCRIPTS = 30
MAX_CHARS = 1_000_000
MAX_NODES = 5_000
MAX_DEPTH = 200
_MAX_DIGITS = 7
_MOST_LOOKS = 300

_ARTICLE = lazy_pattern(
    r"article$|posting$|^report$|^recipe$|^howto$|^qapage$|^question$|^review$|^book$|^chapter$|^thesis$"
)
_WEB_ARTICLE = lazy_pattern(r"(?<!scholarly)article$|posting$")
_PAGE = lazy_pattern(
    r"page$|^creativework$|^product$|^event$|^course$|^softwareapplication$|^dataset$|^podcastepisode$"
)
_SITE = lazy_pattern(r"^website$")
_ASIDE_WORDS = """
comment comments review reviews aggregaterating itemlistelement video image thumbnail logo potentialaction
offers isrelatedto issimilarto relatedlink citation mentions publisher sourceorganization breadcrumb
speakable hascourseinstance suggestedanswer acceptedanswer associatedmedia audio author creator contributor
editor copyrightholder
"""
_ASIDE = frozenset(_ASIDE_WORDS.split())
"""Below these keys things speak of themselves, not of the page."""

_PUBLISHED = ("datePublished", "datePosted")
"""The days of a text and of a vacancy in schema.org. `uploadDate` is of films, by which no page is dated."""
_DECODER = json.JSONDecoder(strict=False)
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
"""One that is never closed ends with the script: else each quote in it would be tried as another's beginning."""
_TOKEN = lazy_pattern(_STRING + r"|[\[\]{}]", re.DOTALL)
_WRAPPING = lazy_pattern(r"<!--|-->|/\*\s*<!\[CDATA\[\s*\*/|/\*\s*\]\]>\s*\*/|(?://\s*)?<!\[CDATA\[|(?://\s*)?\]\]>")
_REPAIRS = lazy_pattern(  # every repetition is bounded: a script of commas or slashes must not cost its square
    f"({_STRING})"
    r"|,(?=[\s,]{0,20}[}\]])"
    r"|/\*[^*]{0,500}(?:\*(?!/)[^*]{0,500}){0,20}\*/"
    r"|(?<![:\w])//[^\n\"]{0,300}(?=\n)",
    re.DOTALL,
)
_SALVAGE = lazy_pattern(
    r'"(@type|headline|datePublished|dateModified|dateCreated)"\s*:\s*("[^"\\\n]{0,1000}(?:\\.[^"\\\n]{0,1000}){0,50}")'
)


class LinkedData(NamedTuple):
    """The metadata of a page in its linked data."""

    headline: str | None = None
    name: str | None = None
    authors: tuple[str, ...] = ()
    published: tuple[str, ...] = ()
    """The days of articles, and of objects of no known type."""
    page_published: tuple[str, ...] = ()
    """The days of the page itself: software dates every page, also one that is not published on a day."""
    modified: tuple[str, ...] = ()
    description: str | None = None
    names_of_site: tuple[str, ...] = ()
    """The names of the WebSite, then of the publisher."""
    images: tuple[str, ...] = ()
    language: str | None = None
    closed: bool = False
    """Not all of it is for everybody: `isAccessibleForFree` is false (schema.org)."""
    word_count: int | None = None
    """The words of the only article (`wordCount`)."""


@dataclass(slots=True)
class _SortedNodes:
    articles: list[Node] = field(default_factory=list)
    pages: list[Node] = field(default_factory=list)
    others: list[Node] = field(default_factory=list)
    sites: list[Node] = field(default_factory=list)
    publishers: list[Node] = field(default_factory=list)
    by_id: dict[str, Node] = field(default_factory=dict)


def linked_data(scripts: list[str]) -> LinkedData:
    """Return the metadata of all scripts together, the article before the page before anything else."""
    values: list[Any] = []  # Any: parsed JSON
    remaining_chars = MAX_CHARS
    for script in scripts[:MAX_SCRIPTS]:
        text = script[:remaining_chars]
        remaining_chars -= len(text)
        values.extend(parse(text))
    if not values:
        return LinkedData()
    return _linked_metadata(_sorted_by_type(values))


def parse(script: str) -> list[Any]:  # Any: parsed JSON
    """Return every JSON value in a script, mended where it takes little; never raises."""
    text = script.strip().lstrip("\ufeff")
    if not text or is_too_deep(text):
        return []
    values, mended = mended_values(text)
    return values or _salvage(mended)


def mended_values(text: str) -> tuple[list[Any], str]:  # Any: parsed JSON
    """Return the JSON values of a text, and the text as it was mended; no values where it takes more than little."""
    values = _decode(text)
    if values:
        return values, text
    mended = _WRAPPING.sub(" ", text).strip()
    if '"' not in mended and "&quot;" in mended:
        mended = html.unescape(mended)
    values = _decode(mended) or _decode(_REPAIRS.sub(lambda match: match[1] or "", f"\n{mended}"))
    return values, mended


def is_too_deep(text: str) -> bool:
    """Return whether brackets nest deeper than they are read."""
    return _depth(text) > MAX_DEPTH


def _depth(text: str) -> int:
    """Return how deep brackets nest, strings aside; json's own scanner recurses once per level."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return 0
    deepest = depth = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
    return deepest


def _decode(text: str) -> list[Any]:  # Any: parsed JSON
    """Return the values standing one after another in `text`, or nothing when the first is broken."""
    values: list[Any] = []  # Any: parsed JSON
    at = len(text) - len(text.lstrip())
    while at < len(text) and len(values) < MAX_SCRIPTS:
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        values.append(value)
        while at < len(text) and text[at] in " \t\r\n;,":
            at += 1
    return values


def _salvage(text: str) -> list[Any]:  # Any: parsed JSON
    """Return the few telling fields of JSON beyond repair, as one object; the first of each name counts."""
    fields: Node = {}
    for match in _SALVAGE.finditer(text[:200_000]):
        values = _decode(match[2])
        if values:
            fields.setdefault(match[1], values[0])
    if not fields:
        return []
    return [fields]


def _sorted_by_type(values: list[Any]) -> _SortedNodes:  # Any: parsed JSON
    """Walk all levels, breadth first, and sort the objects by their types."""
    sorted_nodes = _SortedNodes()
    queue: deque[tuple[Any, str]] = deque((value, "") for value in values)  # Any: parsed JSON
    visited = 0
    while queue and visited < MAX_NODES:
        value, under = queue.popleft()
        visited += 1
        if isinstance(value, list):
            queue.extend((item, under) for item in value[:MAX_NODES] if isinstance(item, dict | list))
        elif isinstance(value, dict):
            _sort_node(sorted_nodes, value, under)
            queue.extend(
                (item, under if under in _ASIDE else str(name).lower())
                for name, item in value.items()
                if isinstance(item, dict | list)
            )
    return sorted_nodes


def _sort_node(sorted_nodes: _SortedNodes, node: Node, under: str) -> None:
    identity = node.get("@id")
    if isinstance(identity, str) and len(node) > 1:
        sorted_nodes.by_id.setdefault(identity, node)
    kinds = types(node)
    if under in {"publisher", "sourceorganization"}:
        sorted_nodes.publishers.append(node)
    if any(_SITE.search(kind) for kind in kinds):
        sorted_nodes.sites.append(node)
    elif under in _ASIDE:
        return
    elif any(_ARTICLE.search(kind) for kind in kinds):
        sorted_nodes.articles.append(node)
    elif any(_PAGE.search(kind) for kind in kinds):
        sorted_nodes.pages.append(node)
    else:
        sorted_nodes.others.append(node)


def types(node: Node) -> list[str]:
    """Return the types of an object, lower case, without their vocabulary's address."""
    kinds = listed(node.get("@type"))[:10]
    return [kind.rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for kind in kinds if isinstance(kind, str)]


def listed(value: Any) -> list[Any]:  # Any: parsed JSON
    """Return a list as it is, and another value in a list."""
    if isinstance(value, list):
        return value
    return [value]


def _linked_metadata(sorted_nodes: _SortedNodes) -> LinkedData:
    ranked = [*sorted_nodes.articles, *sorted_nodes.pages, *sorted_nodes.others]
    about = [*sorted_nodes.articles, *sorted_nodes.pages]
    of_page = {id(node) for node in sorted_nodes.pages}
    works = [node for node in ranked if not _is_agent(node)]
    texts = [node for node in works if id(node) not in of_page]
    sites = _names(sorted_nodes.sites, sorted_nodes)
    publishers = _names([*(n["publisher"] for n in about if "publisher" in n), *sorted_nodes.publishers], sorted_nodes)
    return LinkedData(
        headline=next(_texts(works, "headline"), None),
        name=next(_texts([*sorted_nodes.articles, *sorted_nodes.pages], "name"), None),
        authors=_authors(works, sorted_nodes),
        published=tuple(day for name in _PUBLISHED for day in _texts(texts, name))[:5],
        page_published=tuple(_texts(sorted_nodes.pages, "datePublished"))[:5],
        modified=tuple(_texts(works, "dateModified"))[:5],
        description=next(_texts(about, "description"), None),
        names_of_site=tuple(dict.fromkeys([*sites, *publishers])),
        images=tuple(dict.fromkeys(_images(sorted_nodes.articles or sorted_nodes.pages, sorted_nodes)))[:20],
        language=next(_texts(about, "inLanguage"), None),
        closed=any(
            _is_no(node.get("isAccessibleForFree"))
            for node in (sorted_nodes.articles[1:] and sorted_nodes.pages) or about
        ),
        word_count=_word_count(sorted_nodes.articles),
    )


def _word_count(articles: list[Node]) -> int | None:
    """Return the number of words that the only article declares; None without one, or where several could be meant.

    The landing page of a book, a thesis or a scholarly article declares the words of that, not its own.
    """
    if len(articles) != 1 or not all(_WEB_ARTICLE.search(kind) for kind in types(articles[0])):
        return None
    count = articles[0].get("wordCount")
    if isinstance(count, str) and len(count) <= _MAX_DIGITS and count.isdecimal():
        count = int(count)
    if not isinstance(count, int) or isinstance(count, bool) or not 0 < count < 10**_MAX_DIGITS:
        return None
    return count


def _is_no(value: object) -> bool:
    """Tell whether a value is schema.org's `False`, however it is written."""
    return value is False or (isinstance(value, str) and value[:40].rpartition("/")[2].lower() == "false")


def _is_agent(node: Node) -> bool:
    return any(kind in {"person", "organization", "newsmediaorganization", "corporation"} for kind in types(node))


def _texts(nodes: Iterable[Node], name: str) -> Iterator[str]:
    for node in nodes:
        for value in listed(node.get(name))[:5]:
            if text := rich(value.get("@value") if isinstance(value, dict) else value, 2_000):
                yield text


def _authors(works: list[Node], sorted_nodes: _SortedNodes) -> tuple[str, ...]:
    """Return the authors of the first work that names any."""
    looks = iter(range(_MOST_LOOKS))  # for all of them: thousands of works may refer to one list of nothing
    for name in ("author", "creator"):
        for node in works:
            if name in node and (names := _names([node[name]], sorted_nodes, looks)):
                return tuple(dict.fromkeys(names))
    return ()


def _names(
    values: list[Any],  # Any: parsed JSON
    sorted_nodes: _SortedNodes,
    looks: Iterator[int] | None = None,
) -> list[str]:
    """Return the names of people or organisations, given as text, objects, references, or lists of these."""
    names: list[str] = []
    queue = deque(values[:100])
    looks = looks or iter(range(_MOST_LOOKS))
    while queue and next(looks, None) is not None:
        value = queue.popleft()
        if isinstance(value, list):
            queue.extendleft(reversed(value[:50]))
        elif isinstance(value, dict):
            if "name" not in value:
                value = sorted_nodes.by_id.get(str(value.get("@id")), value)
            queue.appendleft(value.get("name"))
        elif text := line(value, 200):
            names.append(text)
    return names


def _images(nodes: list[Node], sorted_nodes: _SortedNodes) -> Iterator[str]:
    queue: deque[Any] = deque(node.get(name) for node in nodes[:3] for name in ("image", "thumbnailUrl"))  # Any: JSON
    budget = 100
    while queue and (budget := budget - 1):
        value = queue.popleft()
        if isinstance(value, list):
            queue.extend(value[:20])
        elif isinstance(value, dict):
            if not {"url", "contentUrl", "@list"} & value.keys():
                value = sorted_nodes.by_id.get(str(value.get("@id")), {})
            queue.append(value.get("url") or value.get("contentUrl") or value.get("@list"))
        elif isinstance(value, str) and value.strip():
            yield value.strip()[:4_000]


# --------------------------------------------------------------------------------------------------- facts of a product
# Completes a product page: price, availability and rating from its data for machines, where its text has none.
#
# Nobody sees that data, so no free text of it is taken: a number, a currency, one of a few states. What was taken is
# marked where it stands, and in a notice.

_NOTICE: Final = Notice(
    "declared_facts", "the declared facts are from the page's structured data and are not in the text"
)
_PRODUCT: Final = 'Product"'
_SCRIPTS: Final = 'script[type*="ld+json" i]'
_META: Final = 'meta[property^="product:"], meta[property^="og:price:"], meta[property="og:availability"]'
_PRICE: Final = lazy_pattern(r"[$\u20ac\u00a3\u00a5]?\s?((\d{1,9})(?:[.,](\d{1,2})0{0,8})?)", re.ASCII)
_THOUSANDS: Final = lazy_pattern(r"(?<=\d),(?=(?:\d{3},)*\d{3}\.\d\d$)")
"""Shops write `1,299.00` for Open Graph."""
_GROUPED: Final = lazy_pattern(r"(?<=\d)[,. \u00a0'\u2019](?=\d{3}(?!\d))")
_CURRENCY: Final = lazy_pattern(r"[A-Z]{3}")
_STATES: Final = {
    **{"".join(state.split()): state for state in ("in stock", "sold out", "pre order", "back order", "discontinued")},
    **dict.fromkeys(("outofstock", "oos"), "out of stock"),
}
_SPELT: Final = lazy_pattern(r"^https?://schema\.org/|[ _-]")
"""The variable part of a state: `https://schema.org/InStock` and `in stock` are one."""
_RATING: Final = lazy_pattern(r"[0-9](?:\.\d{1,4})?|10", re.ASCII)
_COUNT: Final = lazy_pattern(r"\d{1,9}", re.ASCII)
_NEWS: Final = lazy_pattern(r'"@type"\s{0,5}:\s{0,5}\[?\s{0,5}"\w{0,20}NewsArticle"')
_ARTICLES: Final = ("article", "posting", "review", "qapage", "itemlist")
_ACCEPTED: Final = "acceptedAnswer"
_MOST: Final = 100
"""Scripts, nodes, properties."""


class ProductData:
    """The product data that a page declares for machines."""

    def __init__(self, tree: LexborHTMLParser, text: str) -> None:
        """Take a page and its source."""
        self._tree: Final = tree
        self._nodes: Final = _nodes(tree) if _PRODUCT in text else []
        self.is_news: Final = _NEWS.search(text) is not None
        """Whether the page declares a news article."""
        self._products: Final = [node for node in self._nodes if "product" in types(node)]

    @property
    def sells(self) -> bool:
        """Whether it is about one product, and no article about it."""
        kinds = (kind for node in self._nodes for kind in types(node))
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
    answers = [answer for question in questions for answer in _listed_nodes(question.get(_ACCEPTED))]
    texts = [answer.get("text") for answer in answers if isinstance(answer, dict)]
    return [text for text in texts if isinstance(text, str)]


def _says(text: str, number: str, cents: str = "") -> bool:
    """Return whether a text has a number, with its cents if any: they may be set apart, without a point."""
    fraction = rf"\D{{0,3}}{cents}0?(?!\d)" if cents else r"[.,]\d"
    return re.search(rf"(?<![\d.]){re.escape(number)}(?:(?!\d|[.,]\d)|{fraction})", text) is not None


def _nodes(tree: LexborHTMLParser) -> list[Node]:
    values = [value for node in tree.css(_SCRIPTS)[:_MOST] for value in parse(node.text()[: _MOST * 1_000])]
    nodes = [node for value in values for node in _listed_nodes(value) if isinstance(node, dict)]
    nodes += [node for outer in nodes for node in _listed_nodes(outer.get("@graph")) if isinstance(node, dict)]
    return nodes[:_MOST]


def _first(value: object) -> Node:
    first = _listed_nodes(value)[:1]
    if first and isinstance(first[0], dict):
        return first[0]
    return {}


def _listed_nodes(value: object) -> list[Any]:  # Any: parsed JSON
    if isinstance(value, list):
        return value[:_MOST]
    return [value]
