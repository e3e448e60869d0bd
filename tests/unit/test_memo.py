"""What is remembered is what would be made anew, and there is never more of it than there is room."""

from __future__ import annotations

import gc
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread import extract
from wellread.bounded_cache import WeightedCache, cached_calls, tree_bytes
from wellread.output import DocumentPrints, print_document
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
def test_the_bound_holds_whatever_is_stored(numbers: list[int], max_bytes: int) -> None:
    cache: WeightedCache[str] = WeightedCache(max_bytes)
    for number in numbers:
        cache.put(number, "x" * number, number)
        held = [key for key in range(10) if cache.get(key) is not None]
        assert all(cache.get(key) == "x" * key for key in held)
        assert sum(held) <= max_bytes
        assert (number in held) is (number * 2 <= max_bytes)


def test_what_was_used_last_is_kept() -> None:
    cache: WeightedCache[str] = WeightedCache(40)
    for name in "abcd":
        cache.put(name, name, 10)
    assert cache.get("a") == "a"
    cache.put("e", "e", 10)
    assert [name for name in "abcde" if cache.get(name)] == ["a", "c", "d", "e"]


def test_a_value_that_grew_too_large_is_dropped() -> None:
    cache: WeightedCache[str] = WeightedCache(40)
    for name in "abcd":
        cache.put(name, name, 10)
    cache.put("b", "b", 21)
    cache.put("e", "e", 10)
    assert [name for name in "abcde" if cache.get(name)] == ["a", "c", "d", "e"]


def test_a_document_is_printed_once_per_format() -> None:
    prints = DocumentPrints((paragraph("The tide comes in."),))
    assert not prints.has("text", images=False)
    assert prints.printed("text") is prints.printed("text")
    assert prints.link_view("none") is prints.link_view("none")
    assert prints.has("text", images=False)
    assert not prints.has("text", images=True)


def test_prints_weigh_what_was_printed() -> None:
    prints = DocumentPrints(tuple(paragraph(f"The tide number {number}.") for number in range(100)))
    unprinted_bytes = prints.size_bytes
    prints.printed("text")
    printed_bytes = prints.size_bytes
    prints.link_view("reference")
    assert unprinted_bytes < printed_bytes < prints.size_bytes


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
