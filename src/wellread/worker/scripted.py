"""Has a parser without scripts end each <noscript> where a browser with scripts ends it.

To such a browser what is in one is text (HTML standard, 13.2.6.4.4 and 13.2.6.4.7, scripting flag). To a parser it is
markup, which could close what hides the text around it, or swallow what follows.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from wellread.worker.armour import ATTRIBUTES

_PLAIN: Final = r"""(?>(?:=\s*"[^<>"]*"|=\s*'[^<>']*'|[^<>"'])*)>"""
"""The rest of a tag whose quotes leave no doubt where it ends.

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
"""The next <noscript>, behind tags, comments and texts that it could seem to stand in."""
_WITHOUT: Final = ["plaintext", "script"]


def sealed(html: str) -> str:
    """Return a page none of whose <noscript> elements reaches beyond its first closing tag."""
    if all(_HARMLESS.match(html, opening.start()) for opening in _NOSCRIPT.finditer(html)):
        return html
    parts: list[str] = []
    at = 0
    while found := _NEXT.match(html, at):
        parts += html[at : found.start("inner")], _closed(found["inner"])
        at = found.end()
    return "".join([*parts, html[at:]])


def _closed(inner: str) -> str:
    """Return markup whose elements end in it, within one that none of its tags reaches through (13.2.4.2, scope)."""
    tree = LexborHTMLParser(inner)
    tree.strip_tags(_WITHOUT)
    parts = (part.inner_html for part in (tree.head, tree.body) if part is not None)
    whole = "".join(filter(None, parts))
    return f"<marquee>{whole}</marquee>" if tree.body is not None and tree.body.first_child is not None else whole
