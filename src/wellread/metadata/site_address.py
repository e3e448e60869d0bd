"""Reads the place of publication: absolute addresses, the site's name, the language and its direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ada_url import URL

from wellread.lazy_pattern import lazy_pattern
from wellread.metadata.cleaning import key, line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

MAX_URL = 2_048
MAX_IMAGES = 20

_SECOND_LEVEL_WORDS = """
ac asn co com edu firm gen go gob gouv gov gv id info ltd me mil mod ne net nhs nic nom or org plc police sch web
"""
_SECOND_LEVEL = frozenset(_SECOND_LEVEL_WORDS.split())
_SHARED_WORDS = """
appspot.com azurewebsites.net blogspot.com cloudfront.net firebaseapp.com fly.dev github.io gitlab.io
glitch.me herokuapp.com hatenablog.com livejournal.com medium.com myshopify.com neocities.org netlify.app
notion.site onrender.com pages.dev readthedocs.io render.com repl.co s3.amazonaws.com sourceforge.io
squarespace.com substack.com surge.sh tumblr.com typepad.com vercel.app web.app webflow.io weebly.com
wixsite.com wordpress.com workers.dev
"""
_SHARED = frozenset(_SHARED_WORDS.split())
"""Hosts below these belong to different people (the part of the Public Suffix List that pages are really found on)."""
_TAG = lazy_pattern(
    r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-(?:[A-Za-z\d]{5,8}|\d[A-Za-z\d]{3}))*"
    r"(?:-x(?:-[A-Za-z\d]{1,8})+)?"
)
_SLOGAN = lazy_pattern(r"\s+[|\u2013\u2014\u00b7\u2022:-]\s+")


def resolve(address: str | None, base: str | None) -> str | None:
    """Return an http(s) address, absolute and normalised, without credentials; None when it is not one."""
    if not address or len(address) > MAX_URL:
        return None
    try:
        url = URL(address.strip(), base) if base else URL(address.strip())
    except (ValueError, UnicodeEncodeError):
        return None
    href = url.href
    scheme, _, after_scheme = href.partition("://")  # a normalised address: what it holds is where the standard puts it
    if scheme not in {"http", "https"} or "@" in after_scheme.partition("/")[0] or len(href) > MAX_URL:
        return None
    return href


def canonical(candidates: Iterable[str], base: str | None, page: str | None) -> str | None:
    """Return the first candidate that may stand for the page: same site, and not its front page for a deep one."""
    for candidate in candidates:
        address = resolve(candidate, base)
        if address is None:
            continue
        url = URL(address)
        if page is None:
            if "." in url.hostname and url.host_type == 0:
                return _without_fragment(url)
            continue
        here = URL(page)
        if domain(url.hostname) != domain(here.hostname) or (_is_front(url) and not _is_front(here)):
            continue
        return _without_fragment(url)
    return None


def domain(host: str) -> str:
    """Return the part of a host that one owner has registered, as well as that can be told without the full list."""
    labels = host.rstrip(".").split(".")
    if len(labels) <= 2 or labels[-1].isdigit() or ":" in host:
        return host
    last_two = ".".join(labels[-2:])
    label_count = 2
    if ".".join(labels[-3:]) in _SHARED:
        label_count = 4
    elif last_two in _SHARED or (len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL):
        label_count = 3
    return ".".join(labels[-label_count:])


def _is_front(url: URL) -> bool:
    return url.pathname in {"", "/"} and not url.search


def _without_fragment(url: URL) -> str:
    return url.href.partition("#")[0]


def images(candidates: Iterable[str], base: str | None) -> tuple[str, ...]:
    """Return the absolute addresses of pictures, each once, at most `MAX_IMAGES`."""
    addresses = dict.fromkeys(address for item in candidates if (address := resolve(item, base)))
    return tuple(addresses)[:MAX_IMAGES]


def language(candidates: Iterable[str | None]) -> str | None:
    """Return the first well-formed BCP 47 tag; `en_US` becomes `en-US`, case stays (RFC 5646: it has no meaning)."""
    for candidate in candidates:
        text = (candidate or "")[:100].split(",")[0].split(".")[0].strip().replace("_", "-")
        if _TAG.fullmatch(text):
            return text
    return None


def direction(candidates: Iterable[str | None]) -> str | None:
    """Return `ltr` or `rtl` where the page says so."""
    return next((text for item in candidates if (text := (item or "").strip().lower()) in {"ltr", "rtl"}), None)


def site_name(declared: Iterable[str | None], linked: tuple[str, ...]) -> str | None:
    """Return the site's name, without the slogan behind it where linked data tells the two apart."""
    linked_keys = {key(name) for name in linked}
    for candidate in declared:
        name = line(candidate, 200)
        if name is None or name.startswith(("@", "http:", "https:")):
            continue
        first = _SLOGAN.split(name, maxsplit=1)[0]
        if first != name and key(first) in linked_keys:
            return first
        return name
    if not linked:
        return None
    return linked[0]


class Site(NamedTuple):
    """The names of a site, each squeezed to its letters, and the words in a page's address."""

    names: frozenset[str]
    label: str
    """The label it registered: `archlinux` of bbs.archlinux.org."""
    front: bool
    """The page is the site's front page, where the site's name is the title."""
    slug: frozenset[str]
    """The words at the end of the page's address."""


def site(page: str | None, declared_names: Iterable[str | None], titles: Collection[str] = ()) -> Site:
    """Gather the names of the site that a page with this address stands on; of `Name | slogan` the name counts too.

    What is the title of a page, squeezed, is a name of its site on the front page alone.
    """
    url = URL(page) if page else None
    front = url is not None and _is_front(url)
    names = [name for name in declared_names if name and (front or squeeze(name) not in titles)]
    names += [part for name in names for part in _SLOGAN.split(name)[:1]]
    label, slug = "", ""
    if url is not None:
        host = url.hostname.removeprefix("www.")
        registered_domain = domain(host)
        label = registered_domain.partition(".")[0]
        names += [host, registered_domain, label]
        slug = url.pathname.rstrip("/").rpartition("/")[2][:200].replace("_", " ")
    squeezed = {squeeze(name).removeprefix("the") for name in names} - {""}
    return Site(frozenset(squeezed), squeeze(label), front, frozenset(key(slug).split()))


def squeeze(text: str) -> str:
    """Return the letters and digits of a text alone."""
    return key(text).replace(" ", "")
