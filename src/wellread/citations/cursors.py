"""Cuts a printed document into pieces that join to the whole, and writes the cursors that lead from one to the next.

A cursor names a snapshot, so that page two is cut from the same text as page one, whatever the site shows by then.
"""

from __future__ import annotations

import base64
import binascii
import struct
import unicodedata
import zlib
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from wellread.errors import InvalidCursor, InvalidInput
from wellread.lazy_pattern import lazy_pattern
from wellread.text.writing_systems import UNSPACED

if TYPE_CHECKING:
    from wellread.output import PrintedDocument
    from wellread.types import LinkStyle, ReadFormat

# --------------------------------------------------------------------------------------------- cursors

_VERSION = 1
_FORMATS: tuple[ReadFormat, ...] = ("markdown", "text", "html", "raw", "links")
_IMAGES = 0x80
_LINK_STYLES: dict[LinkStyle, int] = {"inline": 0, "reference": 0x20, "none": 0x40}
_LINK_BITS = 0x60
_LAYOUT = struct.Struct(">BB32sI")
_CHECKED = struct.Struct(">I")
_ID_PREFIX = "sha256:"
_LETTERS = lazy_pattern(r"[A-Za-z0-9_-]+")


class Cursor(NamedTuple):
    """Where a document goes on: at offset `start` of this snapshot, printed in this way."""

    snapshot_id: str
    format: ReadFormat
    start: int
    images: bool
    links: LinkStyle = "inline"


def encode(cursor: Cursor) -> str:
    """Return `cursor` as 56 letters, digits, `-` and `_`."""
    manner = _FORMATS.index(cursor.format) | _LINK_STYLES[cursor.links]
    if cursor.images:
        manner |= _IMAGES
    digest = bytes.fromhex(cursor.snapshot_id.removeprefix(_ID_PREFIX))
    packed = _LAYOUT.pack(_VERSION, manner, digest, cursor.start)
    return base64.urlsafe_b64encode(packed + _CHECKED.pack(zlib.crc32(packed))).decode("ascii").rstrip("=")


def decode(text: str) -> Cursor:
    """Return the cursor that `encode` wrote as `text`.

    Raises:
        InvalidCursor: it is damaged, or no cursor at all.
    """
    text = text.strip()
    try:
        # b64decode skips what is not in its alphabet; here nothing may be skipped.
        raw = b""
        if _LETTERS.fullmatch(text):
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        packed, check = raw[: _LAYOUT.size], raw[_LAYOUT.size :]
        if _CHECKED.unpack(check)[0] == zlib.crc32(packed):
            version, manner, digest, start = _LAYOUT.unpack(packed)
            format = _FORMATS[manner & ~(_IMAGES | _LINK_BITS)]
            links = next(name for name, bits in _LINK_STYLES.items() if bits == manner & _LINK_BITS)
            cursor = Cursor(_ID_PREFIX + digest.hex(), format, start, bool(manner & _IMAGES), links)
            if version == _VERSION and encode(cursor) == text:
                return cursor
    except (binascii.Error, struct.error, IndexError, StopIteration):
        pass  # told below, like every other damage
    shown = text
    if len(text) > 80:
        shown = f"{text[:77]}..."
    raise InvalidCursor(f"{shown!r} is not a valid cursor")


# ---------------------------------------------------------------------------------------------- pieces

_SENTENCE = lazy_pattern(
    r"[.!?\u2026\u0964\u06d4\u061f][\"'\u2019\u201d\u00bb)\]*_]*(?=\s)"
    r"|[\u3002\uff01\uff1f\uff61][\"'\u2019\u201d\u300d\u300f\uff09\u3011\u300b)\]*_]*"
)
"""The end of a sentence: Latin and kindred marks need white space behind them, East Asian ones do not."""
_UNSPACED = lazy_pattern(f"[{UNSPACED}]")
_NEVER_FIRST = frozenset(
    "\u30fc\u3005\u309d\u309e\u30fd\u30fe\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087"
    "\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3"
)
_NEVER_LAST = frozenset("\u0e40\u0e41\u0e42\u0e43\u0e44\u0ec0\u0ec1\u0ec2\u0ec3\u0ec4")
_CLOSING, _OPENING = frozenset({"Pe", "Pf", "Po"}), frozenset({"Ps", "Pi"})
_MARKS = frozenset({"Mn", "Mc", "Me"})
_JOINS_BEFORE = lazy_pattern("[\u200c\u200d\u1160-\u11ff\udc00-\udfff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Joiners, later parts of Korean syllables, second halves of pairs, skin tones, flag tags."""
_TAG, _TAG_GOES_ON = lazy_pattern(r"<[A-Za-z/][^<>\n]*\Z"), lazy_pattern(r"[^<>\n]*>")
_SPACES = lazy_pattern(r"\s*")


def cut(printed: PrintedDocument, start: int, max_length: int | None) -> int:
    """Return where the piece that begins at `start` ends: after at most `max_length` characters, never mid-word.

    Cut at a block border, and not behind a heading; inside a block only when it alone is longer than `max_length`,
    then at the end of a line, else of a sentence, else at white space, else between characters of a script without
    spaces. Only a single word longer than `max_length` is cut hard. None returns the end of the document.

    Raises:
        InvalidInput: `max_length` is below 1.
        InvalidCursor: `start` is not a place in the text.
    """
    text = printed.text
    if max_length is not None and max_length < 1:
        raise InvalidInput(f"max_length must be at least 1, not {max_length}")
    if not 0 <= start < max(len(text), 1):
        raise InvalidCursor(f"the document has {len(text)} characters; the cursor points to {start}")
    if max_length is None or start + max_length >= len(text):
        return len(text)
    limit = start + max_length
    border = _border(printed, start, limit)
    if border is None:
        return _cut_in_block(text, start, limit) or _cut_word(text, start, limit)
    before = _before_headings(printed, start, border)
    if before > start:
        return before
    # Nothing but headings fits. Where the block below has to be cut anyway, its beginning joins them.
    following = _border(printed, border, border + max_length)
    if following or border == limit:
        return border
    return _cut_in_block(text, border, limit) or border


def _border(printed: PrintedDocument, start: int, limit: int) -> int | None:
    """Return the last block border after `start`, up to `limit`; the end of the text is one."""
    if limit >= len(printed.text):
        return len(printed.text)
    at = bisect_right(printed.cuts, limit) - 1
    if at >= 0 and printed.cuts[at] > start:
        return printed.cuts[at]
    return None


def _before_headings(printed: PrintedDocument, start: int, border: int) -> int:
    """Step back from `border` over the headings right before it, perhaps as far as `start`."""
    at = bisect_left(printed.cuts, border)
    while border > start:
        at -= 1
        previous = max(printed.cuts[at], start) if at >= 0 else start
        first = bisect_left(printed.headings, previous, key=lambda heading: heading.start)
        if first == len(printed.headings) or printed.headings[first].start >= border:
            break
        border = previous
    return border


def _cut_in_block(text: str, start: int, limit: int) -> int | None:
    """Return the best place for a cut in a block, in (start, limit]; None when that is all one word."""
    first = _after_spaces(text, start, limit)
    if first == limit:
        return limit
    before_tag = None
    while True:
        place = (
            text.rfind("\n", first, limit) + 1
            or _after_sentence(text, first, limit)
            or _after_word(text, first, limit)
            or _between_characters(text, first, limit)
        )
        if place is None:
            return before_tag or (first if first > start else None)
        tag = _TAG.search(text, first, place)
        if tag is None or not _TAG_GOES_ON.match(text, place):
            return place
        if tag.start() == first:
            return before_tag or place
        # Half a tag is no use to anybody: look further up, and be content with the place before the tag.
        limit = tag.start()
        before_tag = before_tag or limit


def _after_spaces(text: str, at: int, limit: int) -> int:
    spaces = _SPACES.match(text, at, limit)
    if spaces:
        return spaces.end()
    return at


def _after_sentence(text: str, first: int, limit: int) -> int | None:
    # One more character than may be taken: white space may follow the limit, a closing quote may cross it.
    ends = [match.end() for match in _SENTENCE.finditer(text, first, limit + 1) if match.end() <= limit]
    if not ends:
        return None
    return _after_spaces(text, ends[-1], limit)


def _after_word(text: str, first: int, limit: int) -> int | None:
    places = range(limit, first, -1)
    return next((at for at in places if text[at - 1].isspace() or (at == limit and text[at].isspace())), None)


def _between_characters(text: str, first: int, limit: int) -> int | None:
    return next((at for at in range(limit, first, -1) if _may_break(text, at)), None)


def _may_break(text: str, at: int) -> bool:
    """Tell whether a script without spaces lets a line end here (a small part of UAX 14)."""
    before, after = text[at - 1], text[at]
    return (
        bool(_UNSPACED.match(before) or _UNSPACED.match(after))
        and before not in _NEVER_LAST
        and after not in _NEVER_FIRST
        and unicodedata.category(before) not in _OPENING
        and unicodedata.category(after) not in _CLOSING
        and not _splits(text, at)
    )


def _cut_word(text: str, start: int, limit: int) -> int:
    """Cut a word that is longer than a whole piece: behind punctuation in its second half, else where it is full."""
    half = (start + limit) // 2
    for at in range(limit, half, -1):
        if text[at].isalnum() and not text[at - 1].isalnum() and not _splits(text, at):
            return at
    return next((at for at in range(limit, start, -1) if not _splits(text, at)), limit)


def _splits(text: str, at: int) -> bool:
    """Return whether a cut would split a grapheme cluster (the greater part of UAX 29)."""
    before, after = text[at - 1], text[at]
    return (
        unicodedata.category(after) in _MARKS
        or _JOINS_BEFORE.match(after) is not None
        or before == "\u200d"
        or before + after == "\r\n"
        or ("\U0001f1e6" <= after <= "\U0001f1ff" and _open_flag(text, at))
    )


def _open_flag(text: str, at: int) -> bool:
    """Tell whether an odd number of regional indicators stands before `at`: two make a flag."""
    count = 0
    while count < at and "\U0001f1e6" <= text[at - 1 - count] <= "\U0001f1ff":
        count += 1
    return count % 2 == 1
