"""Builds small PDF files the way different programs write them: objects, content streams and annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 595
HEIGHT: Final = 842
_COURIER: Final = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"
WHOLE_PAGE_PICTURE: Final = f"q {WIDTH} 0 0 {HEIGHT} 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x20 EI Q "
"""An inline image, as scanners and fax gateways write it."""


class PdfPage(NamedTuple):
    """One page: its content stream, its annotations as dictionaries, and further entries of its dictionary."""

    content: str
    annotations: Sequence[str] = ()
    entries: str = ""


def pdf_file(
    pages: Sequence[PdfPage | str], *, catalog: str = "", objects: Sequence[str] = (), fonts: str = ""
) -> bytes:
    """Return a PDF of A4 pages with Helvetica as `F1`, Helvetica-Bold as `F2`, Courier as `F3`, and further `fonts`.

    The further `objects` have the numbers from 5 on, so that `catalog`, `fonts` and annotations can refer to them.
    """
    bodies = [
        "",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        *objects,
    ]
    numbers = []
    for page in (PdfPage(page) if isinstance(page, str) else page for page in pages):
        bodies.append(f"<< /Length {len(page.content)} >>\nstream\n{page.content}\nendstream")
        annotations = " ".join(page.annotations)
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {len(bodies)} 0 R"
            f" /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 {_COURIER} {fonts} >> >>"
            f" /Annots [{annotations}] {page.entries} >>"
        )
        numbers.append(len(bodies))
    bodies[0] = f"<< /Type /Catalog /Pages 2 0 R {catalog} >>"
    kids = " ".join(f"{number} 0 R" for number in numbers)
    bodies[1] = f"<< /Type /Pages /Count {len(numbers)} /Kids [{kids}] >>"
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    start = len(out)
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(bodies) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\n".encode()
    out += f"startxref\n{start}\n%%EOF".encode()
    return bytes(out)


def unicode_font(name: str, *, has_map: bool = True) -> str:
    """Return a font whose codes are those of Unicode; without the map no reader can know it."""
    to_unicode = "/ToUnicode 5 0 R" if has_map else ""
    descriptor = (
        f"/Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200"
    )
    descendant = f"/Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /FontDescriptor << {descriptor} >> /DW 1000"
    system = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    return (
        f"/{name} << /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H {to_unicode}"
        f" /DescendantFonts [<< {descendant} {system} >>] >>"
    )


def unicode_map(text: str) -> str:
    """Return the map of `unicode_font` for the letters of a text, as the object that must have the number 5."""
    letters = "".join(f"<{ord(letter):04x}> <{ord(letter):04x}>\n" for letter in sorted(set(text)))
    content = (
        "/CIDInit /ProcSet findresource begin begincmap /CMapType 2 def"
        " 1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        f"{len(set(text))} beginbfchar\n{letters}endbfchar endcmap end"
    )
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def line_of_codes(x: float, y: float, text: str, *, font: str, size: float = 11) -> str:
    """Draw a line in a `unicode_font`, from left to right as it looks."""
    return f"BT 1 0 0 1 {x} {y} Tm /{font} {size} Tf <{text.encode('utf-16-be').hex()}> Tj ET\n"


def line_by_tm(x: float, y: float, text: str, *, size: float = 11, font: str = "F1") -> str:
    """Draw a line of text as ReportLab does: one text object per line."""
    return f"BT 1 0 0 1 {x} {y} Tm /{font} {size} Tf 13 TL ({text}) Tj T* ET\n"


def line_by_words(x: float, y: float, text: str, *, size: float = 11, font: str = "F1") -> str:
    """Draw each word by itself, as word processors do for justified text."""
    drawn = []
    for word in text.split():
        drawn.append(f"BT /{font} {size} Tf {x:.1f} {y} Td ({word}) Tj ET\n")
        x += (_width(word) + 0.28) * size
    return "".join(drawn)


def line_flipped(x: float, y: float, text: str, *, size: float = 11, font: str = "F1") -> str:
    """Draw a line in a coordinate system that counts from the top, as cairo and browsers do."""
    top = HEIGHT - y
    return f"q 1 0 0 -1 0 {HEIGHT} cm BT {size} 0 0 -{size} {x} {top} Tm /{font} 1 Tf [({text})] TJ ET Q\n"


def line_turned(x: float, y: float, text: str, *, size: float = 11, font: str = "F1") -> str:
    """Draw a line that runs from the bottom of the page to its top."""
    return f"BT 0 1 -1 0 {x} {y} Tm /{font} {size} Tf ({text}) Tj ET\n"


def _width(word: str) -> float:
    """Return about the width of a word in Helvetica, in ems."""
    narrow = sum(character in "ijlt.,'I:;|-()" for character in word)
    wide = sum(character in "mwMW" or character.isupper() for character in word)
    return 0.27 * narrow + 0.75 * wide + 0.55 * (len(word) - narrow - wide)
