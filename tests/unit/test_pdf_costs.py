"""What lines of a PDF cost that are far longer, or far more, than people set: in proportion to their length."""

from __future__ import annotations

from functools import partial

from effort import work_grows_in_proportion
from wellread.documents.pdf.hyphens import FileWords
from wellread.documents.pdf.page_text import TextLine
from wellread.documents.pdf.running_heads import running_heads


def join(count: int) -> None:
    rows = ["abcdefghijkl-"] * count
    assert FileWords(rows).joined(rows).startswith("abcdefghijklabc")


def find_heads(count: int) -> None:
    head = TextLine(" ".join(map(str, range(count))), 10, 50, 500, 800)
    body = [TextLine(f"Line {number} of the text", 10, 50, 200, 600 - 12 * number) for number in range(10)]
    assert running_heads([[head, *body]] * 3, [()] * 3, 10, 20)


def test_cost_of_a_paragraph_of_hyphens() -> None:
    assert work_grows_in_proportion(partial(join, 1_000), partial(join, 4_000))


def test_cost_of_a_head_of_numbers() -> None:
    assert work_grows_in_proportion(partial(find_heads, 500), partial(find_heads, 2_000))
