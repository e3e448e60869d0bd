"""What is remembered is what would be made anew, and there is never more of it than there is room."""

from __future__ import annotations

import gc
import tracemalloc
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread import extract
from wellread.bounded_cache import WeightedCache, cached_calls, tree_bytes
from wellread.output import print_document
from wellread.store import codec
from wellread.types import Block, Extraction, Format, Kind, Metadata, Snapshot, Span

FORMATS: tuple[Format, ...] = ("markdown", "text")


def paragraph(text: str) -> Block:
    return Block(Kind.PARAGRAPH, (Span(text),))


def snapshot(text: str) -> Snapshot:
    extraction = Extraction(document=(paragraph(text),), metadata=Metadata(), method="plain")
    return Snapshot(
        id=f"sha256:{0:064}", url="https://a.example/", final_url="https://a.example/", status=200, content_type=None,
        fetched_at=1.0, fetch_time_ms=0, extraction_time_ms=0, extraction=extraction, confidence=0.5,
    )  # fmt: skip


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(1, 60))
def test_memo_is_right_and_bounded_for_any_calls(asked: list[int], room: int) -> None:
    memo: WeightedCache[str] = WeightedCache(room)
    for number in asked:
        assert memo.recall(number, partial(str.__mul__, "x", number), len) == "x" * number
        held = [each for each in range(10) if memo.holds(each)]
        assert sum(held) <= room
        assert (number in held) is (number * 4 <= room)


def test_what_was_used_last_is_kept_and_not_made_again() -> None:
    memo: WeightedCache[str] = WeightedCache(40)
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name

    for name in ("a", "b", "c", "d", "a", "e", "a", "b"):
        memo.recall(name, partial(make, name), lambda _: 10)
    assert made == ["a", "b", "c", "d", "e", "b"]


def test_what_could_not_be_made_is_asked_for_again() -> None:
    memo: WeightedCache[int] = WeightedCache(100)
    with pytest.raises(ZeroDivisionError):
        memo.recall("one", lambda: 1 // 0, lambda _: 1)
    assert memo.recall("one", lambda: 1, lambda _: 1) == 1


def test_documents_at_the_same_memory_address() -> None:
    # Each is let go before the next is made, so that their addresses would be the same if nothing held them.
    for number in range(300):
        assert (
            print_document((paragraph(f"The tide number {number}."),), "markdown").text == f"The tide number {number}."
        )


def test_a_document_is_printed_anew_in_another_format() -> None:
    document = (
        Block(Kind.HEADING, (Span("Tides"),), level=2),
        Block(Kind.PARAGRAPH, (Span("pool", 128, "https://a/p"),)),
    )
    told = [print_document(document, kind, images=images).text for kind in FORMATS for images in (True, False)]
    assert told == ["## Tides\n\n![pool](https://a/p)", "## Tides", "Tides\n\npool", "Tides"]


def test_bytes_damaged_after_they_were_read_are_noticed() -> None:
    packed = codec.pack(snapshot("The tide comes in."))
    assert codec.unpack(packed) is codec.unpack(codec.Packed(*packed))
    damaged = packed._replace(document=packed.document[:-1] + bytes([packed.document[-1] ^ 1]))
    with pytest.raises(ValueError, match=r"."):
        codec.unpack(damaged)
    assert codec.unpack(codec.pack(snapshot("The tide goes out."))) == snapshot("The tide goes out.")


@pytest.mark.parametrize("text", ["", "crab", "a pool of the tide where crabs wait " * 20, "\u6f6e\u6c50 " * 50])
def test_a_tree_weighs_about_what_it_takes(text: str) -> None:
    gc.collect()
    tracemalloc.start()
    try:
        document = tuple(paragraph(f"{text}{number}") for number in range(2_000))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken <= tree_bytes(document) * 1.2
    assert tree_bytes(document) <= taken * 2


def test_memo_of_short_and_long_texts() -> None:
    asked: list[str] = []

    @cached_calls(10, longest=3)
    def shout(text: str, sign: str = "!") -> str:
        asked.append(text)
        return text.upper() + sign

    for text in ("tea", "tea", "kettle", "kettle"):
        assert shout(text) == text.upper() + "!"
    assert shout("tea", "????") == "TEA????"
    assert asked == ["tea", "kettle", "kettle", "tea"]


def test_a_page_with_endless_names_leaves_nothing_behind() -> None:
    def read(number: int) -> None:
        long = f"{number}{'x' * 200_000}"
        extract(f"<div id='{long}' class='{long}' role='{long}'><p>The kettle was filled before dawn.</p></div>")

    read(0)
    tracemalloc.start()
    try:
        for number in range(1, 9):
            read(number)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()
