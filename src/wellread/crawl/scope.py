"""Decides which URLs belong to a crawl: hosts, depth and patterns; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ada_url import URL

from wellread.errors import InvalidInput
from wellread.net.cookies import is_registry
from wellread.net.domains import is_within

if TYPE_CHECKING:
    from collections.abc import Sequence


MAX_GLOBS: Final = 50
MAX_GLOB_CHARS: Final = 500
MAX_GLOB_STARS: Final = 20


def host_of(url: str) -> str:
    """Return the host of a URL with its port, where that is not the scheme's own.

    It is empty where the URL is no http or https URL with a host. Both parsers must accept the URL.
    A host is what is leased, paced and asked for its robots.txt.
    """
    if not URL.can_parse(url):
        return ""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"}:
        return ""
    if port is None or port == {"http": 80, "https": 443}.get(parts.scheme):
        return host
    return f"{host}:{port}"


def site_host(url: str) -> str:
    """Return the host by which two URLs are of the same site: without `www.`, unless a name of one label follows."""
    host = host_of(url)
    name = host.removeprefix("www.")
    if "." in name:
        return name
    return host


def origin_of(url: str) -> str:
    """Return the origin of a URL, and what is no URL as it is: asking for it fails with a typed error."""
    if URL.can_parse(url):
        return URL(url).origin
    return url


def check_globs(name: str, patterns: Sequence[str]) -> None:
    """Check the globs of the argument `name`, whose work must stay small for each URL.

    Raises:
        InvalidInput: there are too many, or one is too long, has too many stars, or cannot be read.
    """
    hint = f"give at most {MAX_GLOBS} globs, each of {MAX_GLOB_CHARS} characters and {MAX_GLOB_STARS} stars at most"
    if len(patterns) > MAX_GLOBS:
        raise InvalidInput(f"{name} has {len(patterns)} globs", hint=hint)
    for pattern in patterns:
        if len(pattern) > MAX_GLOB_CHARS or pattern.count("*") > MAX_GLOB_STARS:
            size = f"{len(pattern):,} characters and {pattern.count('*'):,} stars"
            raise InvalidInput(f"{name} has a glob of {size}: {pattern[:40]!r}", hint=hint)
        try:
            _Glob(pattern)
        except re.error as error:
            raise InvalidInput(f"{name} has a glob that cannot be read: {pattern[:40]!r}", hint=hint) from error


@dataclass(frozen=True)
class CrawlScope:
    """The URLs that belong to a crawl.

    `include` and `exclude` are globs over the whole URL, or over the path and the query where they begin with `/`.
    """

    hosts: frozenset[str]
    """Hosts without `www.`, with their ports."""
    subdomains: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_depth: int = 5

    def has_host(self, url: str) -> bool:
        """Return whether the host of a URL belongs to the crawl."""
        host = site_host(url)
        if not host or host in self.hosts:
            return bool(host)
        return self.subdomains and is_within(host, self.hosts)

    def may_gain(self, url: str) -> bool:
        """Return whether a redirect may add the host of a URL: no name of one label, and no registry's subdomains."""
        name = (urlsplit(url).hostname or "").rstrip(".").removeprefix("www.")
        if name == "localhost" or ":" in name:  # localhost, or an address of IPv6
            return True
        return "." in name and not (self.subdomains and is_registry(name))

    def has_path(self, url: str) -> bool:
        """Return whether the patterns admit a URL."""
        if any(pattern.matches(url) for pattern in self._excluded):
            return False
        return not self._included or any(pattern.matches(url) for pattern in self._included)

    @cached_property
    def _included(self) -> tuple[_Glob, ...]:
        return tuple(map(_Glob, self.include))

    @cached_property
    def _excluded(self) -> tuple[_Glob, ...]:
        return tuple(map(_Glob, self.exclude))


class _Glob:
    """A glob, in which `*` stands for any characters, slashes included."""

    def __init__(self, pattern: str) -> None:
        self._is_path = pattern.startswith("/")
        self._pattern = re.compile(translate(pattern))  # a glob backtracks into no earlier star, and URLs are short

    def matches(self, url: str) -> bool:
        """Return whether the whole URL, or its path and query, match."""
        text = url
        if self._is_path:
            text = "/" + url.partition("://")[2].partition("/")[2]
        return self._pattern.match(text) is not None
