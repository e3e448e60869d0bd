"""Measures how much of the text of workbooks and presentations is read, by the program that wrote them.

    PYTHONPATH=src python benchmarks/documents/office_recall.py

openpyxl, XlsxWriter and python-pptx must be installed, LibreOffice (`soffice`) and pandoc must be on the path; programs
that are missing are left out. Recall is the share of the words that were put into a file and are found in its text.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wellread import extract

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD: Final = re.compile(r"\w+")


class Content(NamedTuple):
    """What is put into a file: a title, then sheets or slides, each a heading, sentences and rows."""

    name: str
    parts: tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...]

    @property
    def words(self) -> Counter[str]:
        texts = [
            text for heading, lines, rows in self.parts for text in (heading, *lines, *(c for r in rows for c in r))
        ]
        return Counter(word for text in texts for word in _WORD.findall(text))


CONTENTS: Final = (
    Content(
        "harbour",
        (
            ("Berths", ("Water is low at nine",), (("berth", "depth"), ("North", "seven"), ("South", "four"))),
            ("Fees", ("Paid on arrival", "Free at night"), (("class", "fee"), ("small", "ten"), ("large", "thirty"))),
        ),
    ),
    Content(
        "Übersicht",
        (
            ("Brücken", ("Öffnung täglich um sechs", "Straße gesperrt"), (("Ort", "Höhe"), ("Süd", "zwölf"))),
            ("日本語", ("潮 の 表",), (("港", "深さ"), ("東京", "七"))),
            ("Россия", ("Порт открыт",), (("остров", "высота"), ("Валаам", "десять"))),
        ),
    ),
    Content(
        "long",
        tuple(
            (f"Part{at}", (f"line{at}a alpha", f"line{at}b beta"), ((f"x{at}", f"y{at}"), (f"v{at}", "w")))
            for at in range(40)
        ),
    ),
)


def openpyxl_book(content: Content, file: Path) -> None:
    """Write a workbook with openpyxl."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for heading, lines, rows in content.parts:
        sheet = book.create_sheet(heading)
        for line in lines:
            sheet.append([line])
        sheet.append([])
        for row in rows:
            sheet.append(list(row))
    book.save(file)


def xlsxwriter_book(content: Content, file: Path) -> None:
    """Write a workbook with XlsxWriter."""
    import xlsxwriter

    book = xlsxwriter.Workbook(str(file))
    for heading, lines, rows in content.parts:
        sheet = book.add_worksheet(heading)
        for at, line in enumerate(lines):
            sheet.write(at, 0, line)
        top = len(lines) + 1
        columns = [{"header": name} for name in rows[0]]
        sheet.add_table(top, 0, top + len(rows) - 1, len(rows[0]) - 1, {"data": rows[1:], "columns": columns})
    book.close()


def python_pptx_slides(content: Content, file: Path) -> None:
    """Write a presentation with python-pptx."""
    import pptx
    from pptx.util import Inches

    deck: Any = pptx.Presentation()  # Any: python-pptx has no types
    for heading, lines, rows in content.parts:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = heading
        slide.placeholders[1].text = "\n".join(lines)
        frame = slide.shapes.add_table(len(rows), len(rows[0]), Inches(1), Inches(5), Inches(6), Inches(1))
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                frame.table.cell(at, column).text = text
    deck.save(str(file))


def pandoc_slides(content: Content, file: Path) -> None:
    """Write a presentation with pandoc."""
    text = []
    for heading, lines, rows in content.parts:
        text += [f"# {heading}", "", *(f"- {line}" for line in lines), "", "| " + " | ".join(rows[0]) + " |"]
        text += ["|" + "---|" * len(rows[0]), *("| " + " | ".join(row) + " |" for row in rows[1:]), ""]
    command = ["pandoc", "--from", "markdown", "--to", "pptx", "--output", str(file)]
    subprocess.run(command, input="\n".join(text), text=True, check=True)


def converted(file: Path, suffix: str) -> Path:
    """Return a file that LibreOffice has opened and saved again."""
    folder = file.parent / "again"
    profile = f"-env:UserInstallation=file://{file.parent / 'profile'}"
    command = ["soffice", profile, "--headless", "--convert-to", suffix, "--outdir", str(folder), str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    return folder / f"{file.stem}.{suffix}"


def recall(content: Content, file: Path) -> float:
    """Return the share of the words of the content that are in the text of the file."""
    found = Counter(_WORD.findall(extract(file.read_bytes(), format="text").text))
    return sum((content.words & found).values()) / content.words.total()


def files(folder: Path) -> Iterator[tuple[str, Content, Path]]:
    """Yield the name of the program, the content and the file, for the programs that are there."""
    for content in CONTENTS:
        for program, write, suffix in (
            ("openpyxl", openpyxl_book, "xlsx"),
            ("XlsxWriter", xlsxwriter_book, "xlsx"),
            ("python-pptx", python_pptx_slides, "pptx"),
            ("pandoc", pandoc_slides, "pptx"),
        ):
            file = folder / f"{program}-{content.name}.{suffix}"
            try:
                write(content, file)
            except (ImportError, FileNotFoundError):
                continue
            yield program, content, file
            if program in {"openpyxl", "python-pptx"} and shutil.which("soffice"):
                yield f"LibreOffice {suffix}", content, converted(file, suffix)


def main() -> None:
    """Measure and print."""
    with TemporaryDirectory() as folder:
        shares: dict[str, list[float]] = {}
        for program, content, file in files(Path(folder)):
            shares.setdefault(program, []).append(recall(content, file))
    for program, found in sorted(shares.items()):
        print(f"{program}: {len(found)} files, recall {sum(found) / len(found):.3f}, least {min(found):.3f}")


if __name__ == "__main__":
    main()
