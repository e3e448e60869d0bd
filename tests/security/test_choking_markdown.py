"""Markdown whose marks open what nothing closes costs no more than its length allows."""

from __future__ import annotations

from functools import partial

import pytest

from effort import takes_at_most, work_grows_in_proportion
from wellread.extraction import commonmark

pytestmark = pytest.mark.untraced


@pytest.mark.parametrize("mark", ["*a ", "**a ", "`a ", "[a ", "![a](", "~~a ", "<a "])
def test_marks_without_an_end(mark: str) -> None:
    small, large = (partial(commonmark.read, mark * count, None) for count in (2_000, 8_000))
    assert work_grows_in_proportion(small, large)


def test_link_late_in_a_long_paragraph() -> None:
    paragraph = "word " * 2_000 + "[a link of several words](https://a.example/) " + "word " * 500
    assert commonmark.read(paragraph, None).links == ("https://a.example/",)


def test_marks_beyond_one_piece_are_all_read() -> None:
    paragraph = " ".join(f"*word{number}*" for number in range(1_000))
    (block,) = commonmark.read(paragraph, None).document
    text = "".join(span.text for span in block.spans)
    assert text == " ".join(f"word{number}" for number in range(1_000))


def test_empty_cells_of_a_wide_table() -> None:
    table = f"{'|a' * 110}\n{'|-' * 110}\n" + "|x\n" * 10_000
    assert takes_at_most(3.0, partial(commonmark.read, table, None))
