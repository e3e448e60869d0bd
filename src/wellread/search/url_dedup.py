"""Says when two URLs lead to the same page: tracking parameters, AMP, mobile hosts, schemes and slashes set aside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from wellread.net.domains import is_within

if TYPE_CHECKING:
    from urllib.parse import SplitResult

# Parameters that only tell the site where the visitor came from.
_TRACKING = re.compile(
    r"utm_.*|[gd]clid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_[ce]id|_hs(?:enc|mi)|_ga|_gl"
    r"|vero_(?:id|conv)|mkt_tok|oly_(?:anon|enc)_id|s?rsltid|ref_src|ref_url|cmpid|ncid|spm|scm|wt\.mc_id|at_(?:medium|campaign)",
    re.IGNORECASE,
)
_MOBILE = re.compile(r"^(?:www\d?|m|mobile|amp|touch|wap)\.(?=[^.]+\.)")
_AMP_PATH = re.compile(r"/amp/?$|\.amp(?=\.html?$)|\.amp$")
_AMP_CACHE = re.compile(r"^/(?:amp/|[cv]/)?(?:s/)(.+)$")
_AMP_HOSTS = ("google.com", "ampproject.org", "bing-amp.com")
_MAX_AMP_LEVELS = 3
"""Addresses of AMP caches inside one another; the caches themselves make one."""
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$")


def page_key(url: str) -> str:
    """Return a key that is equal for URLs of the same page; it is for comparing only, never for fetching."""
    try:
        parts = _outside_amp_caches(urlsplit(url.strip()))
        host = (parts.hostname or "").rstrip(".")
        port = f":{parts.port}" if parts.port not in {None, 80, 443} else ""
    except ValueError:
        return url
    while host != (shorter := _MOBILE.sub("", host)):
        host = shorter
    # Wikipedia's way: the mobile label stands second.
    host = re.sub(r"^([a-z]{2,3})\.m\.", r"\1.", host)
    path = _INDEX.sub("/", _AMP_PATH.sub("", unquote(parts.path))).rstrip("/")
    return f"{host}{port}{path}?{_query(parts.query)}".rstrip("?")


def _outside_amp_caches(parts: SplitResult) -> SplitResult:
    """Return the parts of the URL whose copy in an AMP cache a URL names.

    Raises:
        ValueError: the URL in a cache is none.
    """
    for _ in range(_MAX_AMP_LEVELS):
        cached = _AMP_CACHE.match(parts.path)
        if cached is None or not is_within((parts.hostname or "").rstrip("."), _AMP_HOSTS):
            break
        parts = urlsplit(f"https://{cached.group(1)}?{parts.query}")
    return parts


def _query(query: str) -> str:
    parameters = [
        (name, value)
        for name, value in parse_qsl(query, keep_blank_values=True)
        if not _TRACKING.fullmatch(name) and name.lower() not in {"amp", "outputtype"}
    ]
    return urlencode(sorted(parameters))
