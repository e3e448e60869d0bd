"""Makes scans: PDFium draws a page of text, which is written as PNG, BMP, GIF, TIFF or as a PDF of pictures."""

from __future__ import annotations

import shutil
import struct
import zlib
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from unit.pdf_files import PdfPage, line_by_tm, pdf_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

SENTENCES: Final = (
    "The harbour office opens at nine in the morning. Ships that draw more than four metres wait for the tide, and pay "
    "a fee of 125 euros. Letters for the pilot are kept at the gate until Friday evening; parcels are not. Whoever "
    "needs a berth for the night asks the warden, whose house stands behind the third crane."
)
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="the command `tesseract` is not installed"
)


@cache
def scan(text: str = SENTENCES, *, dpi: int = 200, size: float = 11) -> Picture:
    """Return a page of grey pixels."""
    import pypdfium2

    words = text.split()
    lines = [" ".join(words[at : at + 9]) for at in range(0, len(words), 9)]
    drawing = "".join(line_by_tm(60, 760 - 16 * row, line, size=size) for row, line in enumerate(lines))
    document = pypdfium2.PdfDocument(pdf_file([drawing]))
    try:
        bitmap = document[0].render(scale=dpi / 72, grayscale=True)
        pixels: Picture = np.array(bitmap.to_numpy()[:, : bitmap.width], dtype=np.uint8).reshape(bitmap.height, -1)
        return pixels
    finally:
        document.close()


def scanned_pdf(pictures: Sequence[Picture], contents: Sequence[str] = ()) -> bytes:
    """Return a PDF whose pages are pictures; `contents` are drawn over them, or stand alone where there are more."""
    objects = []
    for picture in pictures:
        height, width = picture.shape
        packed = zlib.compress(picture.tobytes()).hex()
        objects.append(
            f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray"
            f" /BitsPerComponent 8 /Filter [/ASCIIHexDecode /FlateDecode] /Length {len(packed) + 1} >>\n"
            f"stream\n{packed}>\nendstream"
        )
    pages = []
    for at in range(max(len(pictures), len(contents))):
        drawing = f"q 595 0 0 842 0 0 cm /I{at} Do Q " if at < len(pictures) else ""
        pages.append(PdfPage(drawing + (contents[at] if at < len(contents) else "")))
    names = " ".join(f"/I{at} {5 + at} 0 R" for at in range(len(pictures)))
    return pdf_file(pages, objects=objects).replace(b"<< /Font", b"<< /XObject << %s >> /Font" % names.encode())


def png(picture: Picture, *chunks: tuple[bytes, bytes], size: tuple[int, int] | None = None) -> bytes:
    """Return a PNG file; `size` is claimed instead of the true one, and `chunks` stand behind the header."""
    height, width = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    header = struct.pack(">IIBBBBB", *(size or (width, height)), 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), *chunks, (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    out = b"\x89PNG\r\n\x1a\n"
    for kind, content in parts:
        out += struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    return out


def bmp(picture: Picture) -> bytes:
    """Return a BMP file of 24 bits, from the bottom row to the top one."""
    height, width = picture.shape
    padding = bytes(-width * 3 % 4)
    rows = b"".join(np.repeat(row, 3).tobytes() + padding for row in picture[::-1])
    return (
        struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 54 + len(rows), 0, 0, 54, 40, width, height, 1, 24, 0, *[0] * 5) + rows
    )


def tiff(pictures: Sequence[Picture]) -> bytes:
    """Return an uncompressed grey TIFF file with a page for each picture."""
    out = bytearray(b"II*\0\0\0\0\0")
    link = 4
    for picture in pictures:
        height, width = picture.shape
        strip = len(out)
        out += picture.tobytes() + bytes(picture.size % 2)
        struct.pack_into("<I", out, link, len(out))
        entries = [(256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, strip), (277, 1), (278, height)]
        entries.append((279, picture.size))
        out += struct.pack("<H", len(entries))
        for tag, value in entries:
            out += struct.pack("<HHII", tag, 4, 1, value)
        link = len(out)
        out += bytes(4)
    return bytes(out)


def gif(pictures: Sequence[Picture]) -> bytes:
    """Return a GIF file of two colours with a frame for each picture, as LZW codes that are never compressed."""
    height, width = pictures[0].shape
    out = bytearray(b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff")
    for picture in pictures:
        bits = (picture > 127).astype(np.uint8).ravel()
        out += b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02"
        codes = _uncompressed_codes(bits)
        for at in range(0, len(codes), 255):
            out += bytes([len(codes[at : at + 255])]) + codes[at : at + 255]
        out += b"\0"
    return bytes(out + b"\x3b")


def _uncompressed_codes(bits: Picture) -> bytes:
    """Return codes of three bits, with a clear code (4) behind each pair, so that they never grow."""
    pairs = bits[: len(bits) // 2 * 2].reshape(-1, 2)
    codes = np.concatenate([np.full((len(pairs), 1), 4, np.uint8), pairs], axis=1).ravel()
    stream = np.concatenate([codes, bits[len(pairs) * 2 :], np.array([5], np.uint8)])
    digits = np.stack([stream >> place & 1 for place in range(3)], axis=1).ravel()
    return np.packbits(digits, bitorder="little").tobytes()


def word_recall(text: str, expected: str) -> float:
    """Return the share of the expected words that are in `text`."""
    wanted = Counter(expected.split())
    return (Counter(text.split()) & wanted).total() / wanted.total()


def char_recall(text: str, expected: str) -> float:
    """Return the share of the expected letters and signs that are in `text` in their order, in matching pieces."""
    from difflib import SequenceMatcher

    found, wanted = "".join(text.split()), "".join(expected.split())
    matcher = SequenceMatcher(None, found, wanted, autojunk=False)
    return sum(match.size for match in matcher.get_matching_blocks()) / len(wanted)
