"""Builds pages of a requested size from small pieces: the shapes that the hostile pages share.

Sizes are bytes of UTF-8. A builder is a pure function of the size, so that a page of 200 KB is the same attack as
one of 50 KB, four times as large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Piece = str | Callable[[int], str]
"""A text that is repeated, or a function from the number of the repetition to its text."""

Builder = Callable[[int], str]

_PROSE = (
    "The harbour of the northern island was rebuilt in three stages after the great storm of the autumn. "
    "Engineers measured the currents for two years before they laid the first stone of the breakwater, and the "
    "fishermen moved their boats to the southern bay while the work went on. Today the harbour shelters sixty vessels. "
)


@dataclass(frozen=True)
class HostilePage:
    """One attack: its name, the section of a specification behind it, and what grows with the size of the page."""

    name: str
    section: str
    grows: str
    build: Builder
    fixed: bool = False
    """The page ignores the requested size and stays below 5 KB."""


def document(body: str, *, head: str = "", attributes: str = "") -> str:
    """Return an article with `body` between two paragraphs of ordinary prose."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The harbour of the island</title>{head}</head>'
        f"<body{attributes}><main><article><h1>The harbour of the island</h1><p>{_PROSE}</p>{body}"
        f"<p>{_PROSE}</p></article></main></body></html>"
    )


_DOCUMENT_BYTES = len(document(""))


def byte_count(text: str) -> int:
    """Return the length of `text` in UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


def repeat(size_bytes: int, piece: Piece) -> str:
    """Return as many repetitions of `piece` as fit into `size_bytes`, and at least one."""
    if isinstance(piece, str):
        return piece * max(1, size_bytes // byte_count(piece))
    parts = [piece(0)]
    total = byte_count(parts[0])
    while True:
        part = piece(len(parts))
        total += byte_count(part)
        if total > size_bytes:
            return "".join(parts)
        parts.append(part)


def nest(size_bytes: int, opening: Piece, closing: str, core: str = "") -> str:
    """Return `core` within as many levels of `opening` and `closing` as fit into `size_bytes`."""
    opened = repeat_count(size_bytes - byte_count(core), opening, byte_count(closing))
    return "".join(opened) + core + closing * len(opened)


def repeat_count(size_bytes: int, piece: Piece, extra_bytes: int) -> list[str]:
    """Return the repetitions of `piece` that fit into `size_bytes` when each costs `extra_bytes` more."""
    parts: list[str] = []
    total = 0
    while True:
        part = piece if isinstance(piece, str) else piece(len(parts))
        total += byte_count(part) + extra_bytes
        if parts and total > size_bytes:
            return parts
        parts.append(part)


def filled(piece: Piece, *, before: str = "", after: str = "", head: str = "", attributes: str = "") -> Builder:
    """Return a builder of articles that `piece` fills, between `before` and `after`."""
    around = _DOCUMENT_BYTES + sum(byte_count(text) for text in (before, after, head, attributes))

    def build(size_bytes: int) -> str:
        return document(before + repeat(size_bytes - around, piece) + after, head=head, attributes=attributes)

    return build


def nested(opening: Piece, closing: str, *, core: str = "", head: str = "", before: str = "") -> Builder:
    """Return a builder of articles that are filled by `core` in many levels of one element."""
    around = _DOCUMENT_BYTES + byte_count(head) + byte_count(before)
    return lambda size_bytes: document(before + nest(size_bytes - around, opening, closing, core), head=head)


def in_head(piece: Piece, *, before: str = "", after: str = "", body: str = "") -> Builder:
    """Return a builder of articles whose head is filled by `piece`."""
    around = _DOCUMENT_BYTES + sum(byte_count(text) for text in (before, after, body))
    return lambda size_bytes: document(body, head=before + repeat(size_bytes - around, piece) + after)


def in_style(piece: Piece, *, before: str = "", after: str = "", body: str = "") -> Builder:
    """Return a builder of articles whose one style sheet is filled by `piece`."""
    return in_head(piece, before=f"<style>{before}", after=f"{after}</style>", body=body)


def styled(
    rule: Piece,
    element: Piece,
    *,
    share: float = 0.5,
    before: str = "",
    after: str = "",
    sheet_before: str = "",
    sheet_after: str = "",
) -> Builder:
    """Return a builder of articles with a run of rules, which takes `share` of the page, and a run of elements.

    `before` and `after` stand around the elements, `sheet_before` and `sheet_after` around the rules.
    """
    around = _DOCUMENT_BYTES + sum(byte_count(text) for text in (before, after, sheet_before, sheet_after)) + 15

    def build(size_bytes: int) -> str:
        space = size_bytes - around
        rules = repeat(int(space * share), rule)
        body = before + repeat(space - byte_count(rules), element) + after
        return document(body, head=f"<style>{sheet_before}{rules}{sheet_after}</style>")

    return build


def deep(style: str, opening: Piece, closing: str, leaf: Piece, *, share: float = 0.5) -> Builder:
    """Return a builder of articles with many leaves at the core of many levels; the levels take `share` of the page."""
    head = f"<style>{style}</style>" if style else ""

    def build(size_bytes: int) -> str:
        space = size_bytes - _DOCUMENT_BYTES - byte_count(head)
        leaves = repeat(int(space * (1 - share)), leaf)
        return document(nest(space, opening, closing, leaves), head=head)

    return build


def halves(
    first: Piece,
    second: Piece,
    *,
    share: float = 0.5,
    before: str = "",
    between: str = "",
    after: str = "",
    head: str = "",
) -> Builder:
    """Return a builder of articles with a run of `first`, then a run of `second`."""
    around = _DOCUMENT_BYTES + sum(byte_count(text) for text in (before, between, after, head))

    def build(size_bytes: int) -> str:
        space = size_bytes - around
        start = repeat(int(space * share), first)
        return document(before + start + between + repeat(space - byte_count(start), second) + after, head=head)

    return build


def fixed(body: str = "", *, head: str = "", attributes: str = "") -> Builder:
    """Return a builder of one small page, whatever size is requested."""
    return lambda _size_bytes: document(body, head=head, attributes=attributes)


_WORDS = [
    "anchor",
    "basin",
    "beacon",
    "bridge",
    "buoy",
    "canal",
    "cargo",
    "chart",
    "coast",
    "crane",
    "current",
    "dock",
    "engine",
    "ferry",
    "fishing",
    "gate",
    "granite",
    "gull",
    "harbour",
    "hull",
    "island",
    "keel",
    "lantern",
    "lighthouse",
    "market",
    "master",
    "mast",
    "mooring",
    "museum",
    "north",
    "oar",
    "pier",
    "pilot",
    "port",
    "quay",
    "rail",
    "reef",
    "rope",
    "sail",
    "sand",
    "ship",
    "shore",
    "signal",
    "south",
    "stone",
    "storm",
    "tide",
    "tower",
    "tug",
    "vessel",
    "wall",
    "wave",
    "west",
    "wharf",
    "wind",
    "winter",
]


def words(seed: int, count: int) -> str:
    """Return `count` words that depend on `seed` alone."""
    state = seed * 2654435761 + 12345
    chosen = []
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        chosen.append(_WORDS[(state >> 8) % len(_WORDS)])
    return " ".join(chosen)


def sentence(seed: int, count: int = 14) -> str:
    """Return a sentence of `count` words that depends on `seed` alone."""
    return words(seed, count).capitalize() + ". "
