"""Totals of the text in each element of a page, made in one pass over the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAIN_TAGS: Final = frozenset({"main", "article", "h1"})
"""Tags of what a page is about: its landmarks and its heading."""
_CODE_TAGS: Final = frozenset({"script", "style"})


class Totals(NamedTuple):
    """What an element holds, itself included."""

    length: int
    """Characters of text, those of scripts and styles included."""
    code_length: int
    """Characters of the scripts and styles."""
    holds_main: bool
    """Whether one of `MAIN_TAGS` is there."""


def totals_of(tree: LexborHTMLParser) -> dict[int, Totals]:
    """Return the totals of all elements of `tree` by their `mem_id`."""
    root = tree.root
    if root is None:
        return {}
    totals: dict[int, Totals] = {}
    waiting: list[tuple[LexborNode, bool]] = [(root, False)]
    while waiting:
        node, has_children_summed = waiting.pop()
        children = [*node.iter(include_text=True)]
        if has_children_summed:
            totals[node.mem_id] = _sum(node, children, totals)
        else:
            waiting.append((node, True))
            waiting += [(child, False) for child in children if child.tag != "-text"]
    return totals


def _sum(node: LexborNode, children: list[LexborNode], totals: dict[int, Totals]) -> Totals:
    """Return the totals of an element from its children and their totals."""
    length = code_length = 0
    holds_main = node.tag in MAIN_TAGS
    for child in children:
        if child.tag == "-text":
            length += len(child.text() or "")
            continue
        below = totals[child.mem_id]
        length += below.length
        code_length += below.code_length
        holds_main |= below.holds_main
    return Totals(length, code_length + length * (node.tag in _CODE_TAGS), holds_main)
