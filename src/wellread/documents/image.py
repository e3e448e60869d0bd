"""Pictures: their recognised text, their format and their size.

Only visible text is read. Text in the metadata (Exif, XMP, PNG text chunks) is not shown to people, and is left out.
Tesseract decodes the picture, in a process of its own; here only its headers are read.
"""

from __future__ import annotations

import struct
import threading
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents import ocr
from wellread.errors import Empty, TooLarge, Unsupported
from wellread.extractor_types import MEDIA_TYPES
from wellread.types import Extraction, Metadata, Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.documents.ocr import RecognizedPage
    from wellread.types import Source, TextRecognizer

MAX_PIXELS: Final = 60_000_000
"""A page of A4 has 35 million pixels at 600 dots per inch. Decoded, a pixel takes four bytes."""
MAX_SIDE: Final = 32_767
"""The largest picture that Tesseract accepts."""
_TIME_SHARE: Final = 0.85
"""Of the time limit; the remainder is for sending the result."""
_FRAME_MARKERS: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""SOF0 to SOF15 (ITU-T T.81 table B.1): they hold the size."""
_IMAGE_WIDTH, _IMAGE_LENGTH = 256, 257
"""Tags of TIFF 6.0."""
_SHORT: Final = 3


class PictureSize(NamedTuple):
    """The size of a picture in pixels."""

    format: str
    width: int
    height: int


class ImageExtractor:
    """Reads pictures by OCR."""

    name = "image"
    media_types = MEDIA_TYPES["image"]

    def extract(self, source: Source) -> Extraction:
        """Recognise the text of a picture; of an animation, of its first frame.

        Raises:
            Unsupported: Tesseract is not installed or fails, or the picture is damaged.
            TooLarge: it has too many pixels.
            Empty: no text was recognised.
        """
        source_name = source.url or "the picture"
        if source.recognizer is None:
            hint = ocr.hint_without_recognizer(source.ocr)
            raise Unsupported(
                f"{source_name} is a picture, and its text can only be read by OCR", url=source.url, hint=hint
            )
        sizes = _sizes(source, source_name)
        pages, problem = _recognized(source, source.recognizer, len(sizes))
        if not any(page.blocks for page in pages):
            hint = "look for a page that describes the picture"
            if problem:
                raise Unsupported(f"{source_name} could not be read by OCR: {problem}", url=source.url, hint=hint)
            raise Empty(f"{source_name}: no text was recognised in the picture", url=source.url, hint=hint)
        notices = list(ocr.ocr_notices(pages, "the picture", source.ocr))
        if len(pages) < len(sizes):
            reason = problem or f"the limit of {source.ocr.max_pages} pages (extract.ocr_max_pages)"
            detail = f"the first {len(pages)} pages of at least {len(sizes)} were read, until {reason}"
            notices.append(Notice("pages_cut", detail, len(sizes) - len(pages)))
        first = sizes[0]
        return Extraction(
            document=tuple(block for page in pages for block in page.blocks),
            metadata=Metadata(description=f"{first.format} picture, {first.width} x {first.height} pixels"),
            method=self.name,
            notices=tuple(notices),
            source_chars=sum(page.chars for page in pages),
        )


def _recognized(source: Source, recognizer: TextRecognizer, page_count: int) -> tuple[list[RecognizedPage], str]:
    """Return the pages that were read, and why there are no more."""
    stop = threading.Event()
    timer = threading.Timer((source.timeout_s or 0) * _TIME_SHARE, stop.set)
    timer.daemon = True
    if source.timeout_s:
        timer.start()
    pages: list[RecognizedPage] = []
    try:
        for page in range(min(page_count, source.ocr.max_pages)):
            recognition = recognizer.recognize(source.body, page=page, stop=stop)
            if recognition.problem:
                return pages, recognition.problem
            pages.append(ocr.recognized_page(recognition.words))
    finally:
        timer.cancel()
    return pages, ""


def _sizes(source: Source, source_name: str) -> list[PictureSize]:
    """Return the size of the picture, or of each page of a TIFF file.

    Raises:
        Unsupported: it is damaged, or of another format.
        TooLarge: one has too many pixels.
    """
    try:
        sizes = _read_sizes(source.body, source.ocr.max_pages + 1)
    except (struct.error, IndexError) as error:
        raise Unsupported.damaged(source_name, "picture", error, url=source.url) from error
    if not sizes or any(not (size.width and size.height) for size in sizes):
        raise Unsupported.damaged(
            source_name, "picture", "it has no size, or its format is not supported", url=source.url
        )
    largest = max(sizes, key=lambda size: size.width * size.height)
    if largest.width * largest.height > MAX_PIXELS or max(largest.width, largest.height) > MAX_SIDE:
        pixels = f"{largest.width:,} x {largest.height:,} pixels"
        hint = "reduce the resolution; 300 dots per inch are enough"
        raise TooLarge(f"{source_name} has {pixels}; the limit is {MAX_PIXELS:,}", url=source.url, hint=hint)
    return sizes


def _read_sizes(body: bytes, max_pages: int) -> list[PictureSize]:
    if body.startswith(b"\x89PNG\r\n\x1a\n") and body[12:16] == b"IHDR":
        return [PictureSize("PNG", *struct.unpack_from(">II", body, 16))]
    if body.startswith((b"GIF87a", b"GIF89a")):
        return [PictureSize("GIF", *struct.unpack_from("<HH", body, 6))]
    if body.startswith((b"II*\0", b"MM\0*")):
        return list(_tiff_sizes(body, max_pages))
    readers = (
        ("BMP", b"BM", _bmp_size),
        ("JPEG", b"\xff\xd8\xff", _jpeg_size),
        ("WebP", b"RIFF", _webp_size),
    )
    return [PictureSize(name, *read(body)) for name, magic, read in readers if body.startswith(magic)]


def _bmp_size(body: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<ii", body, 18)
    return abs(width), abs(height)


def _webp_size(body: bytes) -> tuple[int, int]:
    """Read the size of the lossy, the lossless or the extended form (RFC 9649 section 2)."""
    kind = body[12:16]
    if body[8:12] != b"WEBP":
        return 0, 0
    if kind == b"VP8X":
        return int.from_bytes(body[24:27], "little") + 1, int.from_bytes(body[27:30], "little") + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", body, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", body, 26)
    return width & 0x3FFF, height & 0x3FFF


def _jpeg_size(body: bytes) -> tuple[int, int]:
    """Read the size from the frame header, after the segments before it (ITU-T T.81 annex B)."""
    offset = 2
    while body[offset] == 0xFF:
        marker = body[offset + 1]
        if marker == 0xFF:  # fill byte
            offset += 1
        elif marker in _FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", body, offset + 5)
            return width, height
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:  # without a length
            offset += 2
        else:
            offset += 2 + max(2, struct.unpack_from(">H", body, offset + 2)[0])
    return 0, 0


def _tiff_sizes(body: bytes, max_pages: int) -> Iterator[PictureSize]:
    """Yield the size of each page (TIFF 6.0 section 2), at most `max_pages`; a cycle in the chain of pages ends it."""
    order = "<" if body.startswith(b"II") else ">"
    (offset,) = struct.unpack_from(order + "I", body, 4)
    visited_offsets: set[int] = set()
    while offset and offset not in visited_offsets and len(visited_offsets) < max_pages:
        visited_offsets.add(offset)
        (count,) = struct.unpack_from(order + "H", body, offset)
        values = {}
        for entry in range(offset + 2, offset + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(order + "HH", body, entry)
            if tag in {_IMAGE_WIDTH, _IMAGE_LENGTH}:
                (values[tag],) = struct.unpack_from(order + ("H" if kind == _SHORT else "I"), body, entry + 8)
        yield PictureSize("TIFF", values.get(_IMAGE_WIDTH, 0), values.get(_IMAGE_LENGTH, 0))
        (offset,) = struct.unpack_from(order + "I", body, offset + 2 + 12 * count)
