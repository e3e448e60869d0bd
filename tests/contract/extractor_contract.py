"""What `wellread.ports.Extractor` promises, as checks that any extractor can be put through: ours and strangers'."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, get_args

from wellread.errors import Empty, TooLarge, Unsupported
from wellread.output import print_document
from wellread.types import Block, Extraction, Format, Kind, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.ports import Extractor

SENTENCE = "The heron waits at the weir."
MAY_RAISE = (Unsupported, Empty, TooLarge)

_ESSENCE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_ONLY_CHILD = {Kind.LIST: Kind.ITEM, Kind.TABLE: Kind.ROW, Kind.ROW: Kind.CELL}
_ONLY_PARENT = {child: parent for parent, child in _ONLY_CHILD.items()}
_BRANCHES = {*_ONLY_CHILD, Kind.ITEM, Kind.QUOTE, Kind.FOOTNOTE}
_LEAVES = {Kind.HEADING, Kind.PARAGRAPH, Kind.BYLINE, Kind.CODE, Kind.RULE}
# Unicode tags and bidirectional controls: they show nothing, and carry messages past the reader.
_UNSEEN = re.compile("[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069]")
_WORLD = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "urllib.Request")

_watching: list[str] | None = None


def _watch(event: str, _: object) -> None:
    if _watching is not None and event.startswith(_WORLD):
        _watching.append(event)


sys.addaudithook(_watch)


@contextmanager
def no_world() -> Iterator[None]:
    """Fail when what happens inside reaches for the network or starts a program."""
    global _watching  # noqa: PLW0603 - an audit hook stays for good, so it is told when to look
    seen: list[str] = []
    _watching = seen
    try:
        yield
    finally:
        _watching = None
    assert seen == [], f"an extractor is pure, but this one caused {seen}"


def check_declaration(extractor: Extractor, name: str) -> None:
    """It knows its name, and the media types it reads, as bare lower-case essences without repeats."""
    assert extractor.name == name
    assert isinstance(extractor.media_types, tuple)
    assert extractor.media_types
    assert len(set(extractor.media_types)) == len(extractor.media_types)
    for media_type in extractor.media_types:
        assert _ESSENCE.fullmatch(media_type), media_type


def check_reading(extractor: Extractor, source: Source) -> Extraction | None:
    """Whatever the bytes, it returns a well-formed extraction, twice the same, or raises what the port allows."""
    with no_world():
        first, again = _read(extractor, source), _read(extractor, source)
    assert first == again, "the same bytes were read in two ways"
    if isinstance(first, str):
        return None
    check_tree(first)
    for form in get_args(Format):
        assert isinstance(print_document(first.document, form).text, str)
    return first


def _read(extractor: Extractor, source: Source) -> Extraction | str:
    try:
        return extractor.extract(source)
    except MAY_RAISE as error:
        return f"{error.code}: {error}"


def check_tree(extraction: Extraction) -> None:
    """Blocks nest as `wellread.types.Block` says, and links lead to absolute places, each once."""
    assert extraction.method
    assert extraction.source_chars >= 0
    assert len(set(extraction.links)) == len(extraction.links)
    assert all(link.startswith(("http://", "https://")) for link in extraction.links)
    for block in extraction.document:
        _check(block, None)


def _check(block: Block, parent: Kind | None) -> None:
    assert isinstance(block.kind, Kind)
    assert _ONLY_PARENT.get(block.kind, parent) == parent, f"{block.kind} inside {parent}"
    assert not (block.spans and block.kind in _BRANCHES), f"{block.kind} holds text itself"
    assert not (block.children and block.kind in _LEAVES), f"{block.kind} holds blocks"
    assert block.kind is not Kind.HEADING or 1 <= block.level <= 6
    for span in block.spans:
        assert span.text or span.href, "a span without anything to show"
        assert not _UNSEEN.search(span.text), "characters that no person sees"
    for child in block.children:
        assert _ONLY_CHILD.get(block.kind, child.kind) == child.kind, f"{child.kind} inside {block.kind}"
        _check(child, block.kind)


def check_sentence(extractor: Extractor, source: Source) -> None:
    """A plain sentence in a sound file comes out."""
    extraction = check_reading(extractor, source)
    assert extraction is not None, "it would not read a sound file"
    assert SENTENCE in print_document(extraction.document, "text").text
