"""Prints to bytes and back, for the way between processes: columns of JSON, and the text beside them; read strictly."""

from __future__ import annotations

import json
import struct
from itertools import chain, pairwise, repeat
from typing import Any, Final

from wellread.output.unit_writer import PrintedDocument, UnitMark
from wellread.types import Heading, Kind

_SIZE: Final = struct.Struct("!Q")
_KINDS: Final = {str(kind): kind for kind in Kind}


def pack_print(printed: PrintedDocument) -> bytes:
    """Return `printed` as bytes."""
    paths: dict[tuple[str, ...], int] = {}
    marks, headings = printed.marks, printed.headings
    columns = {
        "cuts": printed.cuts,
        "levels": [level for level, _, _ in headings],
        "titles": [title for _, title, _ in headings],
        "places": [start for _, _, start in headings],
        "starts": [mark[0] for mark in marks],
        "ends": [mark[1] for mark in marks],
        "kinds": [mark[2] for mark in marks],
        "above": [paths.setdefault(mark[3], len(paths)) for mark in marks],
        "follows": [mark[4] for mark in marks],
        "paths": list(paths),
    }
    # Pages may hold lone surrogates; "surrogatepass" is what json.loads expects of bytes too.
    head = json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return b"".join((_SIZE.pack(len(head)), head, printed.text.encode("utf-8", "surrogatepass")))


def unpack_print(packed: bytes, *, max_pieces: int) -> PrintedDocument:
    """Return the print, which may have `max_pieces` units, headings and paths.

    Raises:
        ValueError: the bytes are damaged, name more pieces, or places outside of the text.
    """
    try:
        begin = _SIZE.unpack_from(packed)[0] + _SIZE.size
        columns = json.loads(packed[_SIZE.size : begin])
        text = packed[begin:].decode("utf-8", "surrogatepass")
        return _printed(columns, text, max_pieces)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, struct.error) as error:
        raise ValueError(f"not a packed print: {error!r}") from error


def _printed(columns: Any, text: str, max_pieces: int) -> PrintedDocument:  # Any: JSON; every column is checked here
    piece_count = max(len(columns[name]) for name in ("starts", "places", "paths"))
    if piece_count > max_pieces:
        raise ValueError(f"{piece_count:,} pieces of print")
    cuts, places, starts = (_places(columns[name], text) for name in ("cuts", "places", "starts"))
    ends = _places(columns["ends"], text)
    if any(start > end for start, end in zip(starts, ends, strict=True)):
        raise ValueError("a unit ends before it begins")
    levels, titles = _column(columns["levels"], int), _column(columns["titles"], str)
    paths = [tuple(_column(path, str)) for path in _column(columns["paths"], list)]
    kinds = [_KINDS[kind] for kind in columns["kinds"]]
    indices = _column(columns["above"], int)
    if min(indices, default=0) < 0:
        raise ValueError("no headings have a negative number")
    above = [paths[index] for index in indices]
    follows = _column(columns["follows"], bool)
    # `_make` and the constructors of named tuples are Python functions, which take three times as long.
    headings = map(tuple.__new__, repeat(Heading), zip(levels, titles, places, strict=True))
    marks = map(tuple.__new__, repeat(UnitMark), zip(starts, ends, kinds, above, follows, strict=True))
    return PrintedDocument(text, tuple(cuts), tuple(headings), tuple(marks))


def _places(column: object, text: str) -> list[int]:
    """Return a column of ascending offsets in `text`."""
    places: list[int] = _column(column, int)
    ordered = chain((0,), places, (len(text),))
    if any(before > after for before, after in pairwise(ordered)):
        raise ValueError("offsets are not in order")
    return places


def _column(values: object, kind: type) -> list[Any]:  # Any: the element types were checked
    if type(values) is not list or not set(map(type, values)) <= {kind}:
        raise TypeError(f"{values!r:.80} is not a column of {kind}")
    return values
