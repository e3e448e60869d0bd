"""Snapshots to bytes and back: compressed JSON, read strictly, so that damage is noticed and never believed.

A snapshot is packed in two parts, since two pages may hold the same text: `document` is shared by all who share the
id, `about` belongs to one page. The document is stored as columns in preorder: deep trees need no recursion, and
columns pack and unpack about as fast as the JSON library runs.
"""

from __future__ import annotations

import json
import sys
import types
import zlib
from contextlib import contextmanager
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args, get_origin, get_type_hints

from wellread.bounded_cache import WeightedCache, text_bytes, tree_bytes
from wellread.types import (
    Block,
    DeclaredItem,
    Document,
    Extraction,
    Kind,
    LinkPlace,
    Metadata,
    Notice,
    PageLink,
    Snapshot,
    Span,
    Syntax,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = b"\x02"
"""Raised when packed bytes change their meaning; older ones are then unreadable, which is a cache miss."""
_NAMED_VERSION = b"\x03"
"""Begins a document with the id of its snapshot, a newline, and the packed document."""

_LEVEL = 3
_MAX_BYTES = 1 << 28
"""Far above what a page of `fetch.max_bytes` can become; below what would exhaust the memory."""
_KINDS = {str(kind): kind for kind in Kind}


class Packed(NamedTuple):
    """A snapshot as bytes."""

    about: bytes
    document: bytes


_MEMO: WeightedCache[Snapshot] = WeightedCache(8_000_000)
_PACKED_DOCUMENTS: WeightedCache[tuple[Document, bytes]] = WeightedCache(16_000_000)
"""Documents that came from worker processes, by their identity, with their bytes: the store needs the same, once."""
_DOCUMENTS: WeightedCache[Document] = WeightedCache(8_000_000)
"""The same by their bytes: page two of what was just read is the same document, with its prints."""
_TREE_BYTES_PER_BYTE = 10
"""Memory of a document for each byte of its JSON, at most."""


def pack(snapshot: Snapshot) -> Packed:
    """Return `snapshot` as bytes."""
    about = {"snapshot": _plain(snapshot, "extraction"), **_about(snapshot.extraction)}
    # Damage to a database may put one document in the place of another, each of them whole.
    name = _NAMED_VERSION + snapshot.id.encode() + b"\n"
    return Packed(_squeeze(about), name + _packed_document(snapshot.extraction.document))


def pack_extraction(extraction: Extraction) -> Packed:
    """Return `extraction` as bytes: a snapshot that nobody has named yet. `about` only passes a pipe: uncompressed."""
    return Packed(_json_bytes(_about(extraction)), _packed_document(extraction.document))


def _packed_document(document: Document) -> bytes:
    known_document, packed = _PACKED_DOCUMENTS.pop(id(document)) or (None, b"")
    if known_document is document:
        return packed
    return _squeeze(_columns(document))


def _about(extraction: Extraction) -> dict[str, object]:
    return {
        "extraction": _plain(extraction, "document", "metadata", "notices", "all_links", "structured_data", "selected"),
        "all_links": extraction.all_links,
        "structured_data": extraction.structured_data,
        "selected": extraction.selected,
        "metadata": _plain(extraction.metadata),
        "notices": extraction.notices,
    }


def unpack(packed: Packed) -> Snapshot:
    """Return the snapshot.

    Raises:
        ValueError: the bytes are damaged, or were packed by a version that this one does not understand.
    """
    # Piece after piece is asked of the same page: its bytes are read again, and taken apart once.
    snapshot = _MEMO.get(packed)
    if snapshot is None:
        snapshot = _unpacked(packed)
        _MEMO.put(packed, snapshot, _bytes(packed, snapshot))
    return snapshot


def _unpacked(packed: Packed) -> Snapshot:
    with _damage():
        name, document = _named_document(packed.document)
        about = _expand(packed.about)
        snapshot = Snapshot(extraction=_extraction(about, document), **_typed(Snapshot, about["snapshot"]))
        if name != snapshot.id:
            raise ValueError("the document of another snapshot")
        return snapshot


def _named_document(packed: bytes) -> tuple[str, Document]:
    """Return the id of a document's snapshot, and the document."""
    if packed[:1] != _NAMED_VERSION:
        columns = _expand(packed)
        return columns["of"], _tree(columns)
    name, _, packed_document = packed[1:].partition(b"\n")
    document = _DOCUMENTS.get(packed_document)
    if document is None:
        document = _tree(_expand(packed_document))
    return name.decode(), document


def _bytes(packed: Packed, snapshot: Snapshot) -> int:
    read = snapshot.extraction
    strings = len(packed.about) + len(packed.document) + text_bytes((*read.links, *read.metadata.images))
    declared = sum(len(json.dumps(item.properties)) for item in read.structured_data)
    return strings + declared + len(json.dumps(read.selected)) + tree_bytes(read.document)


def unpack_extraction(
    packed: Packed, *, max_bytes: int = _MAX_BYTES, max_pieces: int = sys.maxsize, max_depth: int = sys.maxsize
) -> Extraction:
    """Return the extraction; each part of it may have `max_bytes`, expanded.

    Its document may have `max_pieces` blocks and runs of text, and be nested `max_depth` deep.

    Raises:
        ValueError: the bytes are too many or damaged, or another version packed them.
    """
    with _damage():
        if len(packed.about) > max_bytes:
            raise ValueError(f"{len(packed.about):,} bytes about an extraction")
        columns = _inflate(packed.document, max_bytes)
        parsed_columns = json.loads(columns)
        document = _tree(parsed_columns)
        _check_size(parsed_columns, max_pieces, max_depth)
        extraction = _extraction(json.loads(packed.about), document)
    weight = len(columns) * _TREE_BYTES_PER_BYTE
    _PACKED_DOCUMENTS.put(id(document), (document, packed.document), weight)
    _DOCUMENTS.put(packed.document, document, weight)
    return extraction


def _extraction(about: Any, document: Document) -> Extraction:  # Any: fresh from JSON, checked here
    return Extraction(
        document=document,
        metadata=Metadata(**_typed(Metadata, about["metadata"])),
        notices=tuple(_notice(item) for item in about["notices"]),
        all_links=tuple(_link(item) for item in about.get("all_links", ())),
        structured_data=tuple(_declared_item(item) for item in about.get("structured_data", ())),
        selected=_selected(about.get("selected")),
        **_typed(Extraction, about["extraction"]),
    )


@contextmanager
def _damage() -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, AttributeError, IndexError, RecursionError, zlib.error) as error:
        raise ValueError(f"not a packed snapshot: {error!r}") from error


# ------------------------------------------------------------------------------------------- bytes


def _squeeze(value: object) -> bytes:
    return VERSION + zlib.compress(_json_bytes(value), _LEVEL)


def _json_bytes(value: object) -> bytes:
    # Pages may hold lone surrogates; "surrogatepass" is what json.loads expects of bytes too.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _expand(data: bytes, max_bytes: int = _MAX_BYTES) -> Any:  # Any: checked piece by piece by those who take it apart
    return json.loads(_inflate(data, max_bytes))


def _inflate(data: bytes, max_bytes: int) -> bytes:
    if data[:1] != VERSION:
        raise ValueError(f"packed by version {data[:1]!r}, this is {VERSION!r}")
    inflater = zlib.decompressobj()
    text = inflater.decompress(data[1:], max_bytes)
    if not inflater.eof or inflater.unused_data:
        raise ValueError("cut short, padded, or too large")
    return text


# ------------------------------------------------------------------------------------ plain fields


def _plain(value: Snapshot | Extraction | Metadata, *without: str) -> dict[str, object]:
    kind: type = type(value)
    return {name: getattr(value, name) for name in _hints(kind) if name not in without}


def _typed(kind: type, fields: dict[str, object]) -> dict[str, Any]:  # Any: each value was checked against its hint
    hints = _hints(kind)
    return {name: _checked(value, hints[name]) for name, value in fields.items()}


def _checked(value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    origin = get_origin(hint)
    if origin is tuple and type(value) is list and set(map(type, value)) <= {get_args(hint)[0]}:
        return tuple(value)
    if origin is Literal and value in get_args(hint):
        return value
    kinds = get_args(hint) if origin is types.UnionType else (hint,)
    # JSON writes 1.0 as 1.0, but a caller may have put the whole number 1 where a float is due.
    if type(value) in kinds or (float in kinds and type(value) is int):
        return value
    raise TypeError(f"{value!r:.80} is not {hint}")


@cache
def _hints(kind: type) -> dict[str, Any]:  # Any: type hints are arbitrary objects
    return get_type_hints(kind)


def _notice(item: object) -> Notice:
    code, detail, count = cast("list[object]", item)
    if not (type(code) is str and type(detail) is str and type(count) is int):
        raise TypeError(f"{item!r:.80} is not a notice")
    return Notice(code, detail, count)


def _link(item: object) -> PageLink:
    url, text, rel, place = cast("list[object]", item)
    words = cast("list[object]", rel)
    is_link = type(url) is str and type(text) is str and type(words) is list and place in get_args(LinkPlace)
    if not is_link or not all(type(word) is str for word in words):
        raise TypeError(f"{item!r:.80} is not a link")
    return PageLink._make((url, text, tuple(words), place))


def _declared_item(item: object) -> DeclaredItem:
    syntax, kind, properties = cast("list[object]", item)
    if syntax not in get_args(Syntax) or type(kind) is not str or not isinstance(properties, dict):
        raise TypeError(f"{item!r:.80} is not a declared item")
    return DeclaredItem._make((syntax, kind, properties))


def _selected(record: object) -> dict[str, Any] | None:  # Any: JSON
    if record is not None and not isinstance(record, dict):
        raise TypeError(f"{record!r:.80} is not a record")
    return record


# ----------------------------------------------------------------------------------------- the tree


def _columns(document: Document) -> dict[str, list[object]]:
    """Lay the tree out in preorder, one list per field."""
    blocks: list[Block] = []
    waiting = list(reversed(document))
    while waiting:
        block = waiting.pop()
        blocks.append(block)
        waiting.extend(reversed(block.children))
    spans = [span for block in blocks for span in block.spans]
    return {
        "kinds": [block.kind for block in blocks],
        "children": [len(block.children) for block in blocks],
        "spans": [len(block.spans) for block in blocks],
        "levels": [block.level for block in blocks],
        "labels": [block.label for block in blocks],
        "texts": [span.text for span in spans],
        "styles": [span.style for span in spans],
        "hrefs": [span.href for span in spans],
    }


def _tree(columns: Any) -> Document:  # Any: fresh from JSON; every column is checked here
    kinds = [_KINDS[kind] for kind in columns["kinds"]]
    counts, lengths, levels = (_column(columns[name], int) for name in ("children", "spans", "levels"))
    texts, styles = _column(columns["texts"], str), _column(columns["styles"], int)
    labels, hrefs = _column(columns["labels"], str), _column(columns["hrefs"], str, types.NoneType)
    # `_make` and the constructors of named tuples are Python functions, which take three times as long.
    spans = tuple(map(tuple.__new__, repeat(Span), zip(texts, styles, hrefs, strict=True)))
    if min(counts, default=0) < 0 or min(lengths, default=0) < 0 or sum(lengths) != len(spans):
        raise ValueError("the counts of a packed document do not add up")
    end = len(spans)
    done: list[Block] = []  # finished blocks whose parent is still to come, last sibling first
    for kind, count, length, level, label in reversed(list(zip(kinds, counts, lengths, levels, labels, strict=True))):
        children: tuple[Block, ...] = ()
        if count:
            if count > len(done):
                raise ValueError("a packed document lacks children")
            children = tuple(reversed(done[-count:]))
            del done[-count:]
        begin = end - length
        done.append(tuple.__new__(Block, (kind, spans[begin:end], children, level, label)))
        end = begin
    return tuple(reversed(done))


def _check_size(columns: Any, max_pieces: int, max_depth: int) -> None:  # Any: as for `_tree`
    """Refuse documents of too many blocks and runs of text, or nested too deep."""
    counts, piece_count = columns["children"], len(columns["kinds"]) + len(columns["texts"])
    deepest = 0
    if len(counts) > max_depth:  # else not even a chain of all blocks is too deep
        waiting: list[int] = []  # children that are still to come of each block above
        for count in counts:
            deepest = max(deepest, len(waiting) + 1)
            waiting.append(count)
            while waiting and not waiting[-1]:
                waiting.pop()
                if waiting:
                    waiting[-1] -= 1
    if piece_count > max_pieces or deepest > max_depth:
        raise ValueError(f"{piece_count:,} pieces, {deepest} deep")


def _column(values: object, *kinds: type) -> list[Any]:  # Any: the element types were checked
    if type(values) is not list or not set(map(type, values)) <= set(kinds):
        raise TypeError(f"{values!r:.80} is not a column of {kinds}")
    return values
