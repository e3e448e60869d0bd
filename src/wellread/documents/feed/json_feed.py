"""JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/) into entries."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from wellread.documents.feed.entries import Enclosure, Entry, FeedText, absolute
from wellread.metadata.cleaning import line
from wellread.text.dates import iso
from wellread.types import Metadata

Json = dict[str, Any]  # Any: members of JSON from the web; each is checked where it is used


class JsonFeed(NamedTuple):
    """A feed of JSON."""

    title: str | None
    home: str | None
    entries: list[Entry]
    metadata: Metadata


def parse_json_feed(text: str, base: str | None) -> JsonFeed | None:
    """Return the feed; None for other JSON."""
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(feed, dict) or not isinstance(feed.get("items"), list):
        return None
    if "jsonfeed.org/version/" not in str(feed.get("version")):
        return None
    title = line(feed.get("title"))
    base = base or absolute(_text(feed, "feed_url"), None) or absolute(_text(feed, "home_page_url"), None)
    return JsonFeed(
        title=title,
        home=absolute(_text(feed, "home_page_url"), base),
        entries=[_entry(item, base) for item in feed["items"] if isinstance(item, dict)],
        metadata=Metadata(
            title=title,
            description=line(feed.get("description"), 1_000),
            site_name=title,
            author=", ".join(_authors(feed)) or None,
            language=line(feed.get("language"), 20),
        ),
    )


def _entry(item: Json, base: str | None) -> Entry:
    title, plain, summary = _text(item, "title"), _text(item, "content_text"), _text(item, "summary")
    attachments = item.get("attachments")
    enclosures = attachments if isinstance(attachments, list) else []
    html = _text(item, "content_html")
    texts = (FeedText(html or "", base), *(FeedText(text or "", is_text=True) for text in (plain, summary)))
    link = _text(item, "url") or _text(item, "external_url")
    address = absolute(link, base)
    return Entry(
        title=FeedText(title or "", is_text=True),
        href=address or absolute(_text(item, "id"), None),
        authors=tuple(_authors(item)),
        date=iso(_text(item, "date_published") or _text(item, "date_modified")),
        texts=tuple(text for text in texts if text.html),
        is_relative=bool(link) and address is None,
        enclosures=tuple(
            filter(None, (_enclosure(attachment, base) for attachment in enclosures if isinstance(attachment, dict)))
        ),
    )


def _authors(feed_or_item: Json) -> list[str]:
    """Return the names of version 1.1 (`authors`) or of version 1 (`author`)."""
    authors = feed_or_item.get("authors")
    candidates = [feed_or_item.get("author")]
    if isinstance(authors, list):
        candidates = authors
    names = (line(author.get("name")) for author in candidates if isinstance(author, dict))
    return list(dict.fromkeys(filter(None, names)))


def _enclosure(attachment: Json, base: str | None) -> Enclosure | None:
    href = absolute(_text(attachment, "url"), base)
    size, seconds = attachment.get("size_in_bytes"), attachment.get("duration_in_seconds")
    if href is None:
        return None
    return Enclosure(
        href=href,
        media_type=_text(attachment, "mime_type"),
        size_bytes=int(size) if isinstance(size, int | float) and 0 < size < 1e15 else None,
        duration=_clock(seconds) if isinstance(seconds, int | float) and 0 < seconds < 1e7 else None,
        title=_text(attachment, "title"),
    )


def _clock(seconds: float) -> str:
    minutes, remaining_seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{remaining_seconds:02}"


def _text(members: Json, key: str) -> str | None:
    member = members.get(key)
    return member if isinstance(member, str) and member.strip() else None
