"""Prints as bytes: they come back as they were, and damage is noticed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.output import print_document
from wellread.output.packed_print import pack_print, unpack_print
from wellread.types import Block, Kind, Span

TEXTS = st.text(max_size=20) | st.sampled_from(["\ud83d", "a\x00b", "\n", "Low water"])  # half a pair, a zero byte
MAX_PIECES = 100
LEAVES = st.builds(
    Block,
    st.sampled_from([Kind.PARAGRAPH, Kind.HEADING, Kind.CODE, Kind.BYLINE]),
    st.lists(st.builds(Span, TEXTS), max_size=3).map(tuple),
    st.just(()),
    st.integers(0, 7),
)
PAGE = (
    Block(Kind.HEADING, (Span("Tides"),), (), 1),
    Block(Kind.PARAGRAPH, (Span("Low water is at nine."),)),
    Block(Kind.PARAGRAPH, (Span("High water is at three."),)),
)


@given(document=st.lists(LEAVES, max_size=6).map(tuple))
def test_a_print_comes_back_from_its_bytes_as_it_was(document: tuple[Block, ...]) -> None:
    printed = print_document(document, "markdown")
    assert unpack_print(pack_print(printed), max_pieces=MAX_PIECES) == printed


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("cuts", [0, 9_999]),
        ("cuts", [9, 0]),
        ("cuts", [-1]),
        ("cuts", [0.0]),
        ("ends", [0, 0, 0]),
        ("starts", [0]),
        ("kinds", ["nothing", "nothing", "nothing"]),
        ("above", [0, 9, 9]),
        ("above", [0, -1, -1]),
        ("paths", [[1], [2]]),
        ("titles", [None]),
        ("follows", [0, 0, 0]),
    ],
)
def test_a_damaged_print_is_refused(column: str, values: list[object]) -> None:
    packed = pack_print(print_document(PAGE, "markdown"))
    end = 8 + int.from_bytes(packed[:8], "big")
    columns = json.loads(packed[8:end])
    head = json.dumps(columns | {column: values}).encode()
    with pytest.raises(ValueError, match="not a packed print"):
        unpack_print(len(head).to_bytes(8, "big") + head + packed[end:], max_pieces=MAX_PIECES)


def test_half_of_a_packed_print_is_refused() -> None:
    packed = pack_print(print_document(PAGE, "markdown"))
    for size in (0, 4, 20, len(packed) // 2):
        with pytest.raises(ValueError, match="not a packed print"):
            unpack_print(packed[:size], max_pieces=MAX_PIECES)


@pytest.mark.parametrize("column", ["places", "starts", "paths"])
def test_a_print_of_more_pieces_than_a_document_may_have(column: str) -> None:
    packed = pack_print(print_document(PAGE, "markdown"))
    end = 8 + int.from_bytes(packed[:8], "big")
    head = json.dumps(json.loads(packed[8:end]) | {column: [0] * (MAX_PIECES + 1)}).encode()
    with pytest.raises(ValueError, match="101 pieces of print"):
        unpack_print(len(head).to_bytes(8, "big") + head + packed[end:], max_pieces=MAX_PIECES)
