"""Finds pictures and embedded content: which elements declare them, and where the address of each one stands.

A walk notes them beside its leaves, because the networks that choose the leaves know pages without them. Addresses are
as the page writes them; whoever prints one resolves it, and refuses all schemes but http and https.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selectolax.lexbor import LexborNode

    Attributes = Mapping[str, str | None]

EMBEDS: Final = frozenset({"iframe", "video", "audio", "object", "embed"})
"""Elements of HTML that embed other content; the walk skips what is in them."""
MAX_MEDIA: Final = 2_000
"""Of one page, pictures and embedded content that are noted."""
_MAX_ADDRESS_CHARS: Final = 2_048
_MAX_SRCSET_CHARS: Final = 20_000
_MAX_CHILDREN: Final = 20
_MAX_STYLE_CHARS: Final = 3_000
_MAX_PICTURE_WIDTH: Final = 2_000
"""Pixels: of the sizes that `srcset` offers, the largest up to here is taken."""
_NO_ADDRESS: Final = lazy_pattern(r"\s*(?:data|blob|javascript|about|vbscript|file|mailto):", re.IGNORECASE)
_PICTURE: Final = lazy_pattern(r"\.(?:jpe?g|jfif|png|gif|webp|avif|svg|bmp)(?:[?#!@:]|$)", re.IGNORECASE)
_ABSOLUTE: Final = lazy_pattern(r"(?:https?:)?//[^/\s]", re.IGNORECASE)
_BACKGROUND: Final = lazy_pattern(
    r"background(?:-image)?\s{0,9}:[^;]{0,200}?url\(\s{0,9}['\"]?([^'\")\s]+)", re.IGNORECASE
)
_DESCRIPTOR: Final = lazy_pattern(r"(\d{1,6}(?:\.\d{1,4})?)([wxh])(?:,(.*))?", re.IGNORECASE | re.DOTALL)
_PLACEHOLDER: Final = word_set(
    "placeholder blank spacer space loading loader load transparent lazy lazyload empty dummy spinner grey gray pixel "
    "none clear trans preload ajax"
)
_FILE: Final = word_set("gif png svg jpg jpeg webp image img icon default bg x")
"""Words that may stand beside those of a placeholder in the name of its file."""
_LAZY: Final = word_set("src source original lazy lazysrc realsrc")
"""Words in the names of attributes from which scripts take the address of a picture."""
_OTHER_PICTURE: Final = word_set(
    "hover thumb thumbnail low lowsrc placeholder fallback zoom error blur tiny small mobile"
)
"""Words in the names of attributes that hold another picture, or a poorer one."""
_STANDARD: Final = word_set("src srcset alt title class id style width height sizes longdesc usemap href name content")
_LINKING: Final = word_set("src url href source link embed permalink oembed")
"""Words in the names of attributes from which components take the address of what they embed."""
_IDENTIFIED: Final = (
    ("youtube", "https://www.youtube.com/watch?v={}"),
    ("vimeo", "https://vimeo.com/{}"),
    ("dailymotion", "https://www.dailymotion.com/video/{}"),
    ("twitter", "https://twitter.com/i/status/{}"),
    ("tweet", "https://twitter.com/i/status/{}"),
    ("instagram", "https://www.instagram.com/p/{}/"),
    ("soundcloud", "https://api.soundcloud.com/tracks/{}"),
)
"""By a word in what an element is called, the address of what it embeds by an identifier alone."""
_IDENTIFIER: Final = lazy_pattern(r"[\w-]{5,40}", re.ASCII)
_IDENTIFYING: Final = word_set("videoid tweetid shortcode trackid")
"""Attributes that hold such an identifier, joined to one word; `id` alone may be the element's own."""


def embed_address(node: LexborNode, tag: str, attributes: Attributes) -> str:
    """Return the address of what an element of `EMBEDS` shows, or nothing."""
    own = attributes.get("data") if tag == "object" else attributes.get("src")
    if (address := usable(own)) and not (tag == "iframe" and _lazy(attributes)):
        return address
    if address := _lazy(attributes):
        return address
    if tag in {"video", "audio"}:
        sources = (child.attributes for child in _children(node) if child.tag == "source")
        return next((found for at in sources if (found := usable(at.get("src")) or _lazy(at))), "")
    if tag == "object":
        inner = node.css_first("embed[src], iframe[src]")
        return usable(inner.attributes.get("src")) if inner is not None else ""
    return ""


def component_address(tag: str, attributes: Attributes) -> str:
    """Return the address of what a component, or an empty element that scripts fill, embeds; or nothing."""
    if tag == "oembed":
        return usable(attributes.get("url"))
    custom = "-" in tag
    for name, value in attributes.items():
        if not value or not (custom or name.startswith("data-")):
            continue
        leads = _ABSOLUTE.match(value) is not None or is_picture(value)
        if leads and (address := usable(value)) and not _LINKING.isdisjoint(names.words(name)):
            return address
        if custom and name == "src" and (address := usable(value)):
            return address
    return _identified(tag, attributes) if custom or "data-id" in attributes else ""


def _identified(tag: str, attributes: Attributes) -> str:
    called = {*names.words(tag), *names.words(attributes.get("class") or "")}
    address = next((address for word, address in _IDENTIFIED if word in called), "")
    for name, value in attributes.items() if address else ():
        key = "".join(word for word in names.words(name) if word != "data")
        identifies = key in _IDENTIFYING or name == "data-id"
        if identifies and value and _IDENTIFIER.fullmatch(value):
            return address.format(value)
    return ""


def picture_address(node: LexborNode, attributes: Attributes) -> str:
    """Return the address of the picture that an <img>, or what scripts make one of, shows; nothing if it has none."""
    if address := _lazy(attributes):
        return address
    own = attributes.get("src")
    if (address := usable(own)) and not _is_placeholder(address):
        return address
    if address := from_srcset(attributes.get("srcset")):
        return address
    others = ((name, value) for name, value in attributes.items() if name not in _STANDARD and value)
    address = next((value.strip() for name, value in others if is_picture(value) and usable(value)), "")
    return address or _from_sources(node) or _from_style(attributes)


def _from_sources(node: LexborNode) -> str:
    """Return the address that the <source> elements beside an <img> in a <picture> give."""
    around = node.parent
    if around is None or around.tag != "picture":
        return ""
    for child in _children(around):
        if child.tag == "source":
            at = child.attributes
            address = from_srcset(at.get("srcset")) or from_srcset(at.get("data-srcset")) or usable(at.get("src"))
            if address and not _is_placeholder(address):
                return address
    return ""


def _from_style(attributes: Attributes) -> str:
    """Return the picture that an element paints as its background, if its role says that it is a picture."""
    style = attributes.get("style") or ""
    if attributes.get("role") != "img" or len(style) > _MAX_STYLE_CHARS:
        return ""
    found = _BACKGROUND.search(style)
    return usable(found[1]) if found else ""


def from_srcset(value: str | None) -> str:
    """Return one address of a list of pictures with their sizes (HTML standard, 4.8.4.2.1)."""
    if not value or len(value) > _MAX_SRCSET_CHARS:
        return ""
    found = [(address, size) for written, size in _candidates(value) if (address := usable(written))]
    fitting = [pair for pair in found if pair[1] <= _MAX_PICTURE_WIDTH]
    if fitting:
        return max(fitting, key=lambda pair: pair[1])[0]
    return min(found, key=lambda pair: pair[1])[0] if found else ""


def _candidates(value: str) -> Iterator[tuple[str, float]]:
    """Yield each address of a `srcset` and its size."""
    address = ""
    for token in value.split():
        told = _DESCRIPTOR.fullmatch(token.rstrip(",")) or _DESCRIPTOR.fullmatch(token) if address else None
        if told is not None:
            yield address, float(told[1])
            address = (told[3] or "").strip(",")
        else:
            if address:
                yield address.rstrip(","), 0.0
            address = token
    if address.strip(","):
        yield address.strip(","), 0.0


def _lazy(attributes: Attributes) -> str:
    """Return the address that scripts put in the place of `src` once the element comes into view."""
    for name, value in attributes.items():
        if not value or name in _STANDARD:
            continue
        called = names.words(name)
        if not _OTHER_PICTURE.isdisjoint(called):
            continue
        if "srcset" in called:
            address = from_srcset(value)
        else:
            address = usable(value) if not _LAZY.isdisjoint(called) and ("/" in value or is_picture(value)) else ""
        if address and not _is_placeholder(address):
            return address
    return ""


def usable(value: str | None) -> str:
    """Return an address that may lead to the web; nothing for data, scripts, templates, and what is too long."""
    if not value or len(value) > _MAX_ADDRESS_CHARS or _NO_ADDRESS.match(value):
        return ""
    address = value.strip()
    is_template = "{" in address or "%7B" in address or "<" in address
    return "" if is_template or not address or address[0] == "#" or len(address.split(None, 1)) > 1 else address


def is_picture(address: str) -> bool:
    """Tell whether an address names the file of a picture."""
    return len(address) <= _MAX_ADDRESS_CHARS and _PICTURE.search(address) is not None


def _is_placeholder(address: str) -> bool:
    """Tell whether a file is called as those are that stand in the place of a picture until it is loaded."""
    found = {word for word in names.split(address.partition("?")[0].rpartition("/")[2]) if not word.isdigit()}
    return not _PLACEHOLDER.isdisjoint(found) and found <= _PLACEHOLDER | _FILE


def _children(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the first elements in a node."""
    for _, child in zip(range(_MAX_CHILDREN), node.iter(), strict=False):
        yield child
