"""Rewrite each <noscript> so that a parser without scripts ends it where a browser with scripts ends it.

To a browser with scripts the content is text (HTML standard, 13.2.6.4.4 and 13.2.6.4.7, scripting flag). To a parser
it is markup, which could close the element that hides the text around it, or swallow the markup after it.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from wellread.worker.prescan import ATTRIBUTES

_PLAIN: Final = r"""(?>(?:=\s*"[^<>"]*"|=\s*'[^<>']*'|[^<>"'])*)>"""
"""A tag after its name, where its quotes leave no doubt about its end.

Atomic, not possessive: before Python 3.11.5 a possessive group keeps half of a failed repetition (gh-106052).
"""
_NOSCRIPT: Final = re.compile(r"<noscript", re.IGNORECASE)
_HARMLESS: Final = re.compile(
    rf"<noscript{_PLAIN}(?>(?:[^<]|<(?:img|br|link|meta|source|/?picture){_PLAIN}|<iframe{_PLAIN}</iframe>|<style>[^<]*</style>)*)"
    r"</noscript\s*>",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    r"(?:(?>[^<]++|<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*+>?"
    rf"|<(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>]){ATTRIBUTES}>.*?(?:</(?P=raw)|\Z)"
    rf"|(?!<noscript[\s/>])<(?:[a-z][^\s/>]*+{ATTRIBUTES})?))*"
    rf"<noscript(?=[\s/>]){ATTRIBUTES}>(?P<inner>.*?)(?=</noscript[\s/>]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""The next <noscript>, after tags, comments and texts that it could seem to be part of."""
_REMOVED_TAGS: Final = ["plaintext", "script"]


def with_closed_noscripts(html: str) -> str:
    """Return the page with each <noscript> element ending at its first closing tag."""
    if all(_HARMLESS.match(html, opening.start()) for opening in _NOSCRIPT.finditer(html)):
        return html
    parts: list[str] = []
    offset = 0
    while match := _NEXT.match(html, offset):
        parts += html[offset : match.start("inner")], _closed(match["inner"])
        offset = match.end()
    return "".join([*parts, html[offset:]])


def _closed(inner: str) -> str:
    """Return markup whose elements end in it, inside an element that none of its tags closes (13.2.4.2, scope)."""
    tree = LexborHTMLParser(inner)
    tree.strip_tags(_REMOVED_TAGS)
    parts = (part.inner_html for part in (tree.head, tree.body) if part is not None)
    markup = "".join(filter(None, parts))
    if tree.body is None or tree.body.first_child is None:
        return markup
    return f"<marquee>{markup}</marquee>"
