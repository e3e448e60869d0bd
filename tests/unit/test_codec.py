"""Snapshots as bytes: they come back as they were, and damage is noticed."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.store import codec
from wellread.types import Block, Document, Extraction, Kind, Metadata, Notice, Snapshot, Span, Style

TEXTS = st.text(max_size=20) | st.sampled_from(["\ud83d", "a\x00b", "\n"])  # half a pair, a zero byte
SPANS = st.lists(
    st.builds(Span, TEXTS, st.integers(0, 511) | st.sampled_from(Style), st.none() | TEXTS), max_size=4
).map(tuple)
LEAVES = st.builds(Block, st.sampled_from(Kind), SPANS, st.just(()), st.integers(0, 99), TEXTS)
DOCUMENTS = st.lists(
    st.recursive(
        LEAVES,
        lambda inner: st.builds(
            Block, st.sampled_from(Kind), SPANS, st.lists(inner, max_size=3).map(tuple), st.integers(0, 9), TEXTS
        ),
        max_leaves=12,
    ),
    max_size=4,
).map(tuple)
NAMES = st.lists(TEXTS, max_size=3).map(tuple)
METADATA = st.builds(Metadata, title=st.none() | TEXTS, author=st.none() | TEXTS, images=NAMES)
EXTRACTIONS = st.builds(
    Extraction,
    document=DOCUMENTS,
    metadata=METADATA,
    method=TEXTS,
    page_type=st.sampled_from(["article", "forum", "unknown"]),
    links=NAMES,
    notices=st.lists(st.builds(Notice, TEXTS, TEXTS, st.integers(0, 10**6)), max_size=3).map(tuple),
    source_chars=st.integers(0, 10**9),
)
SNAPSHOTS = st.builds(
    Snapshot,
    id=st.binary(min_size=32, max_size=32).map(lambda digest: f"sha256:{digest.hex()}"),
    url=TEXTS,
    final_url=TEXTS,
    status=st.integers(100, 599),
    content_type=st.none() | TEXTS,
    fetched_at=st.floats(0, 2**40),
    fetch_time_ms=st.integers(0, 10**6),
    extraction_time_ms=st.integers(0, 10**6),
    extraction=EXTRACTIONS,
    confidence=st.floats(0, 1),
    rendered=st.booleans(),
)


def snapshot(name: str) -> Snapshot:
    return Snapshot(
        id=f"sha256:{name.encode().hex():0>64}",
        url=f"https://{name}.example/",
        final_url=f"https://{name}.example/",
        status=200,
        content_type="text/html",
        fetched_at=1.0,
        fetch_time_ms=2,
        extraction_time_ms=3,
        extraction=Extraction(
            document=(Block(Kind.PARAGRAPH, (Span("text"),)),), metadata=Metadata(title=name), method="density"
        ),
        confidence=0.5,
    )


@settings(max_examples=150, deadline=None)
@given(SNAPSHOTS)
def test_a_snapshot_comes_back_from_its_bytes_as_it_was(kept: Snapshot) -> None:
    assert codec.unpack(codec.pack(kept)) == kept


@settings(max_examples=100, deadline=None)
@given(SNAPSHOTS, st.data())
def test_damaged_bytes_are_noticed(kept: Snapshot, data: st.DataObject) -> None:
    packed = codec.pack(kept)
    part = data.draw(st.sampled_from(["about", "document"]))
    whole: bytes = getattr(packed, part)
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = bytes([whole[at] ^ data.draw(st.integers(1, 255))])
    for damaged in (whole[:at], whole + b"\0", whole[:at] + flipped + whole[at + 1 :]):
        try:
            read = codec.unpack(packed._replace(**{part: damaged}))
        except ValueError:
            continue
        assert read == kept  # a flip in a header bit that means nothing


@pytest.mark.parametrize(
    "change",
    [
        {"kinds": ["essay"]},
        {"children": [1]},
        {"children": [-1]},
        {"spans": [0]},
        {"spans": [2]},
        {"texts": [1]},
        {"styles": ["1"]},
        {"styles": [True]},
        {"styles": []},
        {"labels": [None]},
        {"levels": "0"},
        {"hrefs": [0]},
    ],
)
def test_well_formed_bytes_that_are_no_document_are_refused(change: dict[str, object]) -> None:
    packed = codec.pack(snapshot("a"))
    name, _, document = packed.document.partition(b"\n")
    columns = json.loads(zlib.decompress(document[1:]))
    document = codec.VERSION + zlib.compress(json.dumps(columns | change).encode())
    with pytest.raises(ValueError, match=r"."):
        codec.unpack(packed._replace(document=name + b"\n" + document))


@pytest.mark.parametrize(
    ("section", "change"),
    [
        ("snapshot", {"status": "200"}),
        ("snapshot", {"rendered": 1}),
        ("snapshot", {"fetched_at": None}),
        ("snapshot", {"colour": "red"}),
        ("extraction", {"page_type": "poem"}),
        ("extraction", {"links": [1]}),
        ("extraction", {"links": "abc"}),
        ("metadata", {"title": 7}),
        ("notices", [["code", "detail"]]),
        ("notices", [["code", "detail", "many"]]),
        ("metadata", ["title"]),
    ],
)
def test_well_formed_bytes_that_are_no_snapshot_are_refused(section: str, change: object) -> None:
    packed = codec.pack(snapshot("a"))
    about = json.loads(zlib.decompress(packed.about[1:]))
    about[section] = about[section] | change if isinstance(change, dict) else change
    damaged = codec.VERSION + zlib.compress(json.dumps(about).encode())
    with pytest.raises(ValueError, match=r"."):
        codec.unpack(packed._replace(about=damaged))


def test_document_of_another_snapshot_is_refused() -> None:
    """As a damaged database may hand it out."""
    with pytest.raises(ValueError, match="another snapshot"):
        codec.unpack(codec.pack(snapshot("a"))._replace(document=codec.pack(snapshot("b")).document))


def test_bytes_of_another_version_are_refused() -> None:
    packed = codec.pack(snapshot("a"))
    with pytest.raises(ValueError, match="version"):
        codec.unpack(packed._replace(about=b"\x7f" + packed.about[1:]))


def test_a_tree_of_any_depth_comes_back() -> None:
    block = Block(Kind.PARAGRAPH, (Span("bottom"),))
    for _ in range(20_000):
        block = Block(Kind.QUOTE, children=(block,))
    deep = snapshot("deep")
    deep = replace(deep, extraction=replace(deep.extraction, document=(block,)))
    document: Document = codec.unpack(codec.pack(deep)).extraction.document
    while document[0].children:
        document = document[0].children
    assert document[0].spans == (Span("bottom"),)


def test_document_of_a_worker_process_is_stored_as_it_came() -> None:
    document = (Block(Kind.PARAGRAPH, (Span("No other test has this document."),)),)
    page = replace(snapshot("a"), extraction=replace(snapshot("a").extraction, document=document))
    packed = codec.pack_extraction(page.extraction)
    extraction = codec.unpack_extraction(packed)
    stored = codec.pack(replace(page, extraction=extraction))
    assert stored.document.endswith(packed.document)
    unpacked = codec.unpack(stored)
    assert unpacked == page
    assert unpacked.extraction.document is extraction.document  # and with it, the prints that were made of it


def test_document_of_the_former_format_is_read() -> None:
    packed = codec.pack(snapshot("a"))
    columns = json.loads(zlib.decompress(packed.document.partition(b"\n")[2][1:]))
    former = codec.VERSION + zlib.compress(json.dumps({"of": snapshot("a").id, **columns}).encode())
    assert codec.unpack(packed._replace(document=former)) == snapshot("a")
