"""Chooses elements of a page by CSS selectors of a user, by the matcher that is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.css import selectors
from wellread.css.matching import Matcher
from wellread.errors import InvalidInput, Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MAX_SELECTOR_CHARS: Final = 1_000
_ALWAYS_READ: Final = frozenset({"head", "title", "meta", "link", "base", "style", "script"})
"""Elements whose text says how the others look, or what the page is; none of it is content."""
_MEDIA_ATTRIBUTES: Final = ("src", "srcset", "data-src", "data-srcset", "poster", "data", "alt", "title", "value")


def check_selector(selector: object) -> None:
    """Refuse text that is no CSS selector.

    Raises:
        InvalidInput: it is none, or one that not all browsers know.
    """
    text = selector if isinstance(selector, str) and len(selector) <= _MAX_SELECTOR_CHARS else ""
    parsed = selectors.listed(text.strip())
    if not parsed or any(part.doubtful for part in parsed):
        raise InvalidInput(f"{str(selector)[:80]!r} is not a CSS selector", hint="write one such as `main .price`")


def selected_elements(tree: LexborHTMLParser, selector: str, url: str | None) -> list[LexborNode]:
    """Return the elements that `selector` matches, in the order of the page, without those inside of others.

    Raises:
        Unsupported: the selector takes too many steps on this page.
    """
    root = tree.root
    assert root is not None  # a parsed page has `html`, whatever it holds
    nodes = list(root.traverse(include_text=False))
    return without_nested(chosen_elements(nodes, selector, Matcher(), url))


def chosen_elements(nodes: Sequence[LexborNode], selector: str, matcher: Matcher, url: str | None) -> list[LexborNode]:
    """Return those of `nodes` that a selector chooses, in their order; `matcher` counts the steps for the page.

    Raises:
        Unsupported: the selector takes too many steps on the page.
    """
    parsed = selectors.listed(selector.strip())
    chosen: list[LexborNode] = []
    for node in nodes:
        if any(matcher.matches(node, part.chain) for part in parsed):
            chosen.append(node)
        if matcher.is_exhausted():
            message = f"the selector {selector[:80]!r} takes too many steps on {url or 'the page'}"
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


def keep_only(tree: LexborHTMLParser, chosen: list[LexborNode]) -> None:
    """Remove the text and the media of a page outside of these elements.

    All elements stay where they are, with their names: the styles of the page hide the same ones as before.
    """
    root = tree.root
    assert root is not None
    kept = {node.mem_id for node in chosen}
    inside: set[int] = set()
    outside_texts: list[LexborNode] = []
    for node in root.traverse(include_text=True):
        parent = node.parent
        is_inside = node.mem_id in kept or (parent is not None and parent.mem_id in inside)
        if is_inside:
            inside.add(node.mem_id)
        elif node.tag == "-text":
            if parent is None or parent.tag not in _ALWAYS_READ:
                outside_texts.append(node)
        elif node.tag not in _ALWAYS_READ:
            for name in _MEDIA_ATTRIBUTES:
                if name in node.attributes:
                    del node.attrs[name]
    for text in outside_texts:
        text.decompose()
