"""Sets a plain text as a PDF: `#` and `##` head lines, `|` rows of a table, everything else paragraphs.

python examples/demo_site/pdf.py pages/petrel-count.txt pages/petrel-count-2024.pdf
"""

from __future__ import annotations

import sys
import textwrap
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH, HEIGHT, MARGIN = 595, 842, 64
FONTS = ("Helvetica", "Helvetica-Bold")


class Line(NamedTuple):
    """A line of type: its cells as (x, text), the font by number, size and leading in points."""

    cells: tuple[tuple[int, str], ...]
    font: int
    size: int
    leading: int


def typeset(text: str) -> bytes:
    """Return `text` as the bytes of a PDF 1.4 file; the same text gives the same bytes."""
    pages = list(_pages(_lines(text)))
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(len(pages)))
    title = text.partition("\n")[0].lstrip("# ")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        *(f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>".encode() for font in FONTS),
    ]
    for number, page in enumerate(pages):
        data = zlib.compress(_drawn(page))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {6 + 2 * number} 0 R "
            "/Resources << /Font << /F0 3 0 R /F1 4 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(data), data))
    objects.append(f"<< /Title ({_escaped(title)}) >>".encode("cp1252"))
    return _file(objects)


def _lines(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        if line.startswith("|"):
            cells = (cell.strip() for cell in line.strip("|").split("|"))
            yield Line(tuple((MARGIN + 85 * column, cell) for column, cell in enumerate(cells)), 0, 10, 15)
            continue
        level = len(line) - len(line.lstrip("#"))
        font, size, columns, leading = {1: (1, 18, 52, 26), 2: (1, 13, 70, 24)}.get(level, (0, 10, 92, 14))
        for part in textwrap.wrap(line.lstrip("# "), columns) or [""]:
            yield Line(((MARGIN, part),), font, size, leading if part else 8)


def _pages(lines: Iterator[Line]) -> Iterator[list[Line]]:
    page: list[Line] = []
    for line in lines:
        if sum(other.leading for other in page) + line.leading > HEIGHT - 2 * MARGIN:
            yield page
            page = []
        page.append(line)
    yield page


def _drawn(page: list[Line]) -> bytes:
    y = HEIGHT - MARGIN
    out = []
    for line in page:
        y -= line.leading
        out += [
            f"BT /F{line.font} {line.size} Tf 1 0 0 1 {x} {y} Tm ({_escaped(text)}) Tj ET"
            for x, text in line.cells
            if text
        ]
    return "\n".join(out).encode("cp1252")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    xref = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        len(objects),
        xref,
    )
    return bytes(out)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(typeset(Path(sys.argv[1]).read_text(encoding="utf-8")))
