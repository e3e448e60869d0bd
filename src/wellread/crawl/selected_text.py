"""Returns the text of the elements that a CSS selector chooses, by the matcher that is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.crawl.linked_document import charset
from wellread.css import selectors
from wellread.css.matching import Matcher
from wellread.errors import Empty, InvalidInput, Unsupported
from wellread.extraction import html_fragment
from wellread.extraction.html import parse_page
from wellread.net.media_types import decode
from wellread.output import print_document
from wellread.worker.prescan import is_suspect

if TYPE_CHECKING:
    from wellread.types import Response


def check_selector(selector: str) -> None:
    """Refuse text that is no CSS selector.

    Raises:
        InvalidInput: it is none, or one that not all browsers know.
    """
    parsed = selectors.listed(selector)
    if not parsed or any(part.doubtful for part in parsed):
        raise InvalidInput(f"{selector[:80]!r} is not a CSS selector", hint="write one such as `main .price`")


def selected_text(response: Response, selector: str) -> str:
    """Return the markdown of the elements that `selector` chooses, in the order of the page; blocks while it parses.

    Raises:
        Empty: no element matches.
        Unsupported: the page looks built to choke a parser, or the selector takes too many steps on it.
    """
    if is_suspect(response.body):
        raise Unsupported(f"{response.url} has too much markup for a selector", url=response.url, hint="use --find")
    html, _ = decode(response.body, charset(response.headers), html=True)
    parsed, matcher = selectors.listed(selector), Matcher()
    chosen: list[str] = []
    root = parse_page(html, odd=False).root
    assert root is not None  # a parsed page has `html`, whatever it holds
    nodes = list(root.traverse(include_text=False))
    inside: set[int] = set()
    for node in nodes:
        if node.parent is not None and node.parent.mem_id in inside:
            inside.add(node.mem_id)  # a part of an element that is chosen already
        elif any(matcher.matches(node, part.chain) for part in parsed):
            inside.add(node.mem_id)
            chosen.append(node.html or "")
        if matcher.is_exhausted():
            message = f"the selector {selector[:80]!r} takes too many steps on {response.url}"
            raise Unsupported(message, url=response.url, hint="use a simpler one")
    if not chosen:
        raise Empty(f"no element of {response.url} matches {selector[:80]!r}", url=response.url)
    fragment = html_fragment.read("\n".join(chosen), response.url)
    return print_document(fragment.document, "markdown").text
