"""RSS (0.9 to 2.0, RDF, podcasts) and Atom (RFC 4287) into entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.documents.feed.entries import Enclosure, Entry, FeedText, absolute
from wellread.metadata.cleaning import line
from wellread.text.dates import iso

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.documents.feed.elements import XmlElement

_CONTENT = ("encoded", "content", "description", "summary", "subtitle")
"""The elements with the text of an entry, the full text first."""


def entries(root: XmlElement) -> list[Entry]:
    """Return the entries of a feed at any place: RSS 1.0 has them beside the channel."""
    channel = root.first("channel") or root
    elements = [child for child in [*channel.children, *root.children] if child.name in {"item", "entry"}]
    unique = {id(element): element for element in elements}.values()
    return [_entry(element) for element in unique]


def _entry(element: XmlElement) -> Entry:
    authors = (line(author.text("name") or author.text()) for author in element.named("author", "creator"))
    enclosures = tuple(_enclosures(element))
    href = link(element)
    is_relative = href is None and has_link(element)
    if href is None and not is_relative:
        href = next((enclosure.href for enclosure in enclosures), None)
    texts = [markup(text_element) for text_element in element.named(*_CONTENT)]
    if not texts:
        texts = [markup(description) for group in element.named("group") for description in group.named("description")]
    return Entry(
        title=markup(element.first("title")),
        href=href,
        authors=tuple(dict.fromkeys(filter(None, authors))),
        date=iso(element.text("pubdate", "published", "date", "updated")),
        texts=tuple(filter(None, texts)),
        enclosures=enclosures,
        is_relative=is_relative,
    )


def markup(element: XmlElement | None) -> FeedText | None:
    """Return the HTML in an element. Atom's text constructs are text unless their type says otherwise."""
    if element is None:
        return None
    html = element.markup()
    is_text = element.attributes.get("type") in {"text", "text/plain"}
    return FeedText(html, _content_base(element), is_text=is_text and not element.children)


def _content_base(element: XmlElement) -> str | None:
    """Return the base of the content: an xhtml `div` may have its own."""
    return next((child.base for child in element.children if child.base != element.base), element.base)


def link(element: XmlElement) -> str | None:
    """Return the address of a feed or an entry: its alternate link, else a permanent guid."""
    for item in sorted(_links(element, "alternate"), key=lambda item: item.has_prefix):
        if address := absolute(_address(item), item.base):
            return address
    guid = element.first("guid")
    if guid is None or guid.attributes.get("isPermaLink") == "false":
        return None
    return absolute(guid.text(), guid.base)


def has_link(element: XmlElement) -> bool:
    """Tell whether an entry has an address, even a relative one without a base."""
    return any(map(_address, _links(element, "alternate")))


def own_address(root: XmlElement) -> str | None:
    """Return the published address of a feed: its link to itself (RFC 4287 section 4.2.7.2), else its page."""
    elements = [root.first("channel") or root, root]
    for rel in ("self", "alternate"):
        for item in (item for element in elements for item in _links(element, rel)):
            if address := absolute(_address(item), None):
                return address
    return absolute(root.text("id"), None) if root.name == "feed" else None


def _links(element: XmlElement, rel: str) -> list[XmlElement]:
    """Return the links of a relation; RSS has one relation, without a name."""
    links = [child for child in element.children if child.name == "link"]
    return [item for item in links if item.attributes.get("rel", "alternate") == rel]


def _address(item: XmlElement) -> str | None:
    return item.attributes.get("href") or item.text()


def _enclosures(element: XmlElement) -> Iterator[Enclosure]:
    """Yield the files of an entry: RSS enclosures, Atom links, Media RSS."""
    duration = element.text("duration")
    media = [child for group in element.named("group") for child in group.children]
    for child in [*element.children, *media]:
        attributes = child.attributes
        is_link = child.name == "link" and attributes.get("rel") == "enclosure"
        is_media = child.name == "content" and "url" in attributes
        if not (is_link or is_media or child.name == "enclosure"):
            continue
        href = absolute(attributes.get("url") or attributes.get("href") or attributes.get("rdf:resource"), child.base)
        if href:
            size = attributes.get("length") or attributes.get("fileSize") or ""
            yield Enclosure(
                href=href,
                media_type=attributes.get("type") or attributes.get("medium"),
                size_bytes=int(size) if size.isascii() and size.isdigit() and len(size) < 16 else None,
                duration=attributes.get("duration") or duration,
                title=attributes.get("title"),
            )
