"""Measures the PDF extractor: CPU time a page, beside PDFium's own text and pypdf, and paragraphs that stay whole.

    PYTHONPATH=src python benchmarks/pdf.py [--pages 50 200 1000]

All files are made here: a handbook of one column, and a paper of two columns that is drawn row by
row. A paragraph is whole if its first word is followed by its last one before another begins. pypdf is measured where
it is installed. Of three runs the fastest counts: neighbours on the machine make work slower, never faster.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pypdfium2

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from unit.pdf_files import line_by_tm, pdf_file
from wellread.documents.pdf import PdfExtractor
from wellread.output import print_document
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS: Final = 3
_CONSONANTS: Final = "bdklmnrst"
_VOWELS: Final = "aeio"
_PARAGRAPH_LINES: Final = 10


def handbook(pages: int, rng: random.Random) -> bytes:
    """Return a file of one column: 42 lines of 13 words a page."""
    drawn = []
    for number in range(1, pages + 1):
        head = line_by_tm(60, 815, "Handbook of the mill", size=9) + line_by_tm(300, 20, str(number), size=9)
        drawn.append(head + "".join(line_by_tm(60, 780 - 17 * at, _line(rng, 88)) for at in range(42)))
    return pdf_file(drawn)


def paper(pages: int, rng: random.Random) -> bytes:
    """Return a file of two columns that is drawn row by row, five paragraphs of ten lines in each column."""
    drawn = []
    for number in range(pages):
        columns = []
        for column in range(2):
            lines = [_line(rng, 44) for _ in range(5 * _PARAGRAPH_LINES)]
            for paragraph in range(5):
                name = f"{number}p{column}p{paragraph}"
                first, last = _PARAGRAPH_LINES * paragraph, _PARAGRAPH_LINES * (paragraph + 1) - 1
                lines[first] = f"START{name} {lines[first][:28]}"
                lines[last] = f"{lines[last][:24]} END{name}."
            columns.append(lines)
        rows = enumerate(zip(*columns, strict=True))
        drawn.append(
            "".join(
                line_by_tm(x, 770 - 14 * at, text, size=9)
                for at, row in rows
                for x, text in zip((50, 310), row, strict=True)
            )
        )
    return pdf_file(drawn)


def _line(rng: random.Random, chars: int) -> str:
    words = (
        "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(rng.randint(1, 4)))
        for _ in range(chars // 3)
    )
    return " ".join(words)[:chars].strip()


def by_wellread(body: bytes) -> str:
    """Return the text as wellread reads it."""
    extraction = PdfExtractor().extract(Source(body=body, media_type="application/pdf"))
    return print_document(extraction.document, "markdown").text


def by_pdfium(body: bytes) -> str:
    """Return PDFium's own text."""
    file = pypdfium2.PdfDocument(body)
    return "\n".join(file[number].get_textpage().get_text_range() for number in range(len(file)))


def by_pypdf(body: bytes) -> str:
    """Return the text as pypdf reads it."""
    import pypdf

    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(body)).pages)


def whole_paragraphs(text: str) -> float:
    """Return the share of paragraphs whose end follows their beginning."""
    names = re.findall(r"(?:START|END)(\d+p\dp\d)", text)
    begun = len(names) / 2
    return sum(name == after for name, after in pairwise(names)) / begun if begun else 0.0


def _measured(read: Callable[[bytes], str], body: bytes) -> tuple[float, str]:
    best, text = float("inf"), ""
    for _ in range(RUNS):
        began = time.process_time()
        text = read(body)
        best = min(best, time.process_time() - began)
    return best, text


def main() -> None:
    """Print a line for each file and reader."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=[50, 200])
    sizes: list[int] = parser.parse_args().pages
    readers: dict[str, Callable[[bytes], str]] = {"wellread": by_wellread, "pdfium": by_pdfium}
    try:
        import pypdf  # noqa: F401 - measured where it is installed
    except ImportError:
        print("pypdf is not installed")
    else:
        readers["pypdf"] = by_pypdf
    for name, make in (("handbook", handbook), ("paper", paper)):
        for pages in sizes:
            body = make(pages, random.Random(pages))
            for reader, read in readers.items():
                seconds, text = _measured(read, body)
                shown = (
                    f"{whole_paragraphs(text):.0%} of paragraphs whole"
                    if make is paper
                    else f"{len(text):,} characters"
                )
                print(f"{name} of {pages} pages, {reader}: {1000 * seconds / pages:.2f} ms a page, {shown}", flush=True)


if __name__ == "__main__":
    main()
