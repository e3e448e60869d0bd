"""Chooses the links that a gather follows: on the site that the hits agree on, by the words of the question; pure."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urldefrag, urlsplit

from wellread.net import robots_directives
from wellread.search.link_ranking import link_scores
from wellread.search.url_dedup import page_key
from wellread.types import Hit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from wellread.types import Block, Snapshot

MAX_LINKS: Final = 1_000
"""Links of all pages that are ranked."""
_DOCUMENTATION: Final = re.compile(
    r"^https?://(?:(?:docs?|wiki|help|support|developers?|manual)\.|[^/]{1,253}/(?:[^/?#]{1,40}/)?"
    r"(?:docs?|documentation|manual|wiki|help|handbook|reference)(?:/|$))"
)


def main_site(hit_urls: Sequence[str]) -> str | None:
    """Return the host that at least half of the hits are on, or that of a first hit in a documentation; else None."""
    if not hit_urls:
        return None
    host, count = Counter(_host(url) for url in hit_urls).most_common(1)[0]
    if 2 * count >= len(hit_urls) and (count > 1 or len(hit_urls) == 1):
        return host
    if _DOCUMENTATION.match(hit_urls[0]):
        return _host(hit_urls[0])
    return None


def best_links(question: str, snapshots: Sequence[Snapshot], site: str, known_keys: Collection[str]) -> list[Hit]:
    """Return the links from pages of the host `site` to others there that have words of the question, best first.

    Pages that ask not to follow their links are left out, and so are pages with a key in `known_keys`.
    """
    links: dict[str, tuple[str, str]] = {}
    for snapshot in snapshots:
        if _host(snapshot.final_url) != site or _forbids_following(snapshot):
            continue
        texts = dict(_link_texts(snapshot.extraction.document))
        for url in snapshot.extraction.links:
            page_url = urldefrag(url).url
            if _host(page_url) == site and page_key(page_url) not in known_keys:
                links.setdefault(page_key(page_url), (page_url, texts.get(url, "")))
    candidates = list(links.values())[:MAX_LINKS]
    scored = zip(link_scores(question, candidates), candidates, strict=True)
    ranked = sorted(scored, key=lambda pair: -pair[0])
    return [Hit(title=text, url=url, source="link") for score, (url, text) in ranked if score > 0]


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower()


def _forbids_following(snapshot: Snapshot) -> bool:
    return any(
        robots_directives.forbids(robots_directives.noticed_directives(notice.detail), "nofollow")
        for notice in snapshot.extraction.notices
        if notice.code == "robots_directives"
    )


def _link_texts(blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """Yield URL and text of each link; of blocks in blocks, too."""
    stack = list(reversed(blocks))
    while stack:
        block = stack.pop()
        for span in block.spans:
            if span.href and span.text.strip():
                yield span.href, span.text
        stack.extend(reversed(block.children))
