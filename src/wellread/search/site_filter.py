"""Limits a search to sites, or keeps sites out: by words that search services know, and by a check of each hit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wellread.errors import InvalidInput
from wellread.net.domains import is_within

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellread.ports import Query
    from wellread.types import Hit

MAX_SITES = 20


def checked_sites(sites: Iterable[str]) -> tuple[str, ...]:
    """Return the hosts of `sites`: `docs.python.org`, or any URL there.

    Raises:
        InvalidInput: one is not a host, or there are more than 20.
    """
    if isinstance(sites, str):
        raise InvalidInput("sites are a list of hosts", hint=f"use [{sites!r}]")
    hosts = tuple(dict.fromkeys(_host(site) for site in sites))
    if len(hosts) > MAX_SITES:
        raise InvalidInput(f"{len(hosts)} sites are too many", hint=f"give at most {MAX_SITES}")
    return hosts


def with_site_words(query: Query) -> Query:
    """Return the query with its sites as words that search services know; without sites, the same query."""
    words = [f"-site:{host}" for host in query.exclude_sites]
    terms = " OR ".join(f"site:{host}" for host in query.sites)
    if len(query.sites) > 1:
        terms = f"({terms})"
    if terms:
        words.insert(0, terms)
    if not words:
        return query
    return replace(query, text=" ".join((query.text, *words)))


def filtered(hits: Iterable[Hit], query: Query) -> tuple[Hit, ...]:
    """Return the hits on the sites of the query and on none of those that it excludes; subdomains belong to a site."""
    return tuple(hit for hit in hits if _is_wanted(hit.url, query))


def _is_wanted(url: str, query: Query) -> bool:
    host = (urlsplit(url).hostname or "").lower()
    is_on = not query.sites or is_within(host, query.sites)
    return is_on and not is_within(host, query.exclude_sites)


def _host(site: str) -> str:
    address = site
    if "//" not in site:
        address = f"//{site}"
    try:
        host = urlsplit(address).hostname
    except ValueError:
        host = None
    if not host or any(char.isspace() for char in site):
        raise InvalidInput(f"{site[:100]!r} is not a site", hint="use a host, such as docs.python.org")
    return host.lower().removeprefix("www.")
