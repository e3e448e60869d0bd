"""Reads what a page says of itself in its head: its title, and what it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.text.characters import repaired_encoding

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_LONGEST: Final = 1_000
"""Characters: every line is looked for in the title, so that a hostile one must not be long."""
_SUMMARY: Final = 'meta[name="description" i], meta[property="og:description"]'


def told(tree: LexborHTMLParser) -> tuple[str, str]:
    """Return the words of the `<title>`, and the page's description of itself."""
    title, said = tree.css_first("title"), tree.css_first(_SUMMARY)
    return _words(title.text() if title else ""), _words((said.attributes.get("content") if said else "") or "")


def _words(text: str) -> str:
    return " ".join(repaired_encoding(text[:_LONGEST]).split())
