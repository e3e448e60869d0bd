"""Chooses elements of a page by CSS selectors of a user, by the matcher that is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.css import selectors
from wellread.errors import InvalidInput, Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborNode

    from wellread.css.matching import Matcher


def check_selector(selector: str) -> None:
    """Refuse text that is no CSS selector.

    Raises:
        InvalidInput: it is none, or one that not all browsers know.
    """
    parsed = selectors.listed(selector)
    if not parsed or any(part.doubtful for part in parsed):
        raise InvalidInput(f"{selector[:80]!r} is not a CSS selector", hint="write one such as `main .price`")


def chosen_elements(nodes: Sequence[LexborNode], selector: str, matcher: Matcher, url: str) -> list[LexborNode]:
    """Return those of `nodes` that a selector chooses, in their order; `matcher` counts the steps for the page.

    Raises:
        Unsupported: the selector takes too many steps on the page.
    """
    parsed = selectors.listed(selector)
    chosen: list[LexborNode] = []
    for node in nodes:
        if any(matcher.matches(node, part.chain) for part in parsed):
            chosen.append(node)
        if matcher.is_exhausted():
            message = f"the selector {selector[:80]!r} takes too many steps on {url}"
            raise Unsupported(message, url=url, hint="use a simpler one")
    return chosen


def without_nested(nodes: Sequence[LexborNode]) -> list[LexborNode]:
    """Return the nodes, which are in the order of the page, without those that stand in another of them."""
    inside: set[int] = set()
    outermost = []
    for node in nodes:
        if node.mem_id not in inside:
            outermost.append(node)
            inside.update(inner.mem_id for inner in node.traverse(include_text=False))
    return outermost
