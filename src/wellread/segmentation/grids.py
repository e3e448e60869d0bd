"""Finds tables that style sheets alone lay out: cells in one box, each called by its column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.bounded_cache import cached_calls
from wellread.css.words import word_set
from wellread.seen import names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborNode

_MOST_CACHED: Final = 5_000
TABLE_WORDS: Final = word_set("table grid datatable")
_FEWEST_ROWS: Final = 2
_MOST_COLUMNS: Final = 12
_MOST_CELLS: Final = 5_000
_GRID_HEADER_WORDS: Final = word_set("header head heading th")


@cached_calls(_MOST_CACHED)
def calls_grid(called: str) -> bool:
    """Tell whether a class calls a box a table."""
    return not TABLE_WORDS.isdisjoint(names.words(called))


@cached_calls(_MOST_CACHED)
def calls_header(called: str) -> bool:
    """Tell whether a class calls a cell of a grid the name of a column."""
    return not _GRID_HEADER_WORDS.isdisjoint(names.words(called))


def columns(node: LexborNode) -> int:
    """Return how many columns the cells in a box make that are called alike by column, row after row; 0 if none."""
    cells: list[frozenset[str]] = []
    child = node.first_child
    while child is not None and len(cells) < _MOST_CELLS:
        if child.tag == "-text" and (child.text_content or "").strip():
            return 0
        if child.tag not in {"-text", "-comment"}:
            if child.tag != "div":
                return 0
            cells.append(frozenset((child.attributes.get("class") or "").split()))
        child = child.next
    widths = range(2, min(_MOST_COLUMNS, len(cells) // _FEWEST_ROWS) + 1)
    return next((width for width in widths if _is_laid_out(cells, width)), 0)


def _is_laid_out(cells: Sequence[frozenset[str]], width: int) -> bool:
    """Tell whether each column has a name of its own, which all of its cells bear and no other cell does."""
    if len(cells) % width:
        return False
    shared = [frozenset.intersection(*cells[column::width]) for column in range(width)]
    return all(
        any(all(name not in cell for at, cell in enumerate(cells) if at % width != column) for name in shared[column])
        for column in range(width)
    )
