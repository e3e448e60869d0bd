"""Tells the URLs that a text without a scheme may stand for. Pure."""

from __future__ import annotations

import re

from wellread.lazy_pattern import lazy_pattern

_NO_SCHEME = lazy_pattern(
    r"(?:[^\s/?#@:\[\]\\]{1,253}\.[^\s/?#@:\[\]\\]{0,253}|localhost|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?(?=[/?#]|\Z)",
    re.IGNORECASE,
)
"""A name with a dot, an address or localhost, and a port: `tel:112`, `nope` and `./notes.md` are none."""
_FILE_NAME = lazy_pattern(
    r"[^/?#]+\.(?:csv|docx?|eml|epub|gz|html?|ipynb|jpe?g|jsonl?|log|odp|ods|odt|pdf|png|pptx?|rtf|tar|toml|tsv|txt|warc"
    r"|xlsx?|xml|ya?ml)",
    re.IGNORECASE,
)
"""A file, perhaps one that is not here. No top-level domain is called like these, unlike `md` and `zip`."""


def candidate_urls(url: str) -> tuple[str, ...]:
    """Return the URLs that `url` may stand for: itself, or that with https and that with http."""
    if url.startswith(".") or _NO_SCHEME.match(url) is None or is_file_name(url):
        return (url,)
    return (f"https://{url}", f"http://{url}")


def is_file_name(url: str) -> bool:
    """Return whether `url` is called like a file, and like no host."""
    return _FILE_NAME.fullmatch(url) is not None


def has_no_scheme(url: str) -> bool:
    """Return whether `url` is a host, perhaps with a path, whose scheme was left out."""
    return len(candidate_urls(url)) > 1
