"""Returns the text of the elements that a CSS selector chooses, by the matcher that is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.errors import Empty, Unsupported
from wellread.extraction import html_fragment
from wellread.extraction.html import parse_page
from wellread.extraction.selected_elements import selected_elements
from wellread.net.media_types import decode, header_charset
from wellread.output import print_document
from wellread.worker.prescan import is_suspect

if TYPE_CHECKING:
    from wellread.types import Response


def selected_text(response: Response, selector: str) -> str:
    """Return the markdown of the elements that `selector` chooses, in the order of the page; blocks while it parses.

    Raises:
        Empty: no element matches.
        Unsupported: the page looks built to choke a parser, or the selector takes too many steps on it.
    """
    if is_suspect(response.body):
        raise Unsupported(f"{response.url} has too much markup for a selector", url=response.url, hint="use --find")
    html, _ = decode(response.body, header_charset(response.headers), html=True)
    chosen = selected_elements(parse_page(html, odd=False), selector, response.url)
    if not chosen:
        raise Empty(f"no element of {response.url} matches {selector[:80]!r}", url=response.url)
    fragment = html_fragment.read("\n".join(node.html or "" for node in chosen), response.url)
    return print_document(fragment.document, "markdown").text
