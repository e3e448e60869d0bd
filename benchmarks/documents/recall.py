"""Measures how much of a text comes back from books, OpenDocument files and mails that several programs wrote.

    PYTHONPATH=src python benchmarks/documents/recall.py [--folder FOLDER] [--words 6000]

Three documents are made here (a novel, a manual, a paper in six scripts), written by pandoc, LibreOffice, Python's
email package, nodemailer and by hand, and read again. Recall is the share of the words of the document, each as often
as it occurs, that are in the text; extra words count those in the text that are not in the document. A program that is
not installed is passed over; nodemailer is taken from `FOLDER/node_modules` (`npm install nodemailer` there). Of three
runs the fastest counts.
"""

from __future__ import annotations

import argparse
import email.policy
import quopri
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from unit.epub_files import chapter, epub
from unit.odf_files import odf
from wellread.documents.epub import EpubExtractor
from wellread.documents.mail import MailExtractor
from wellread.documents.opendocument import OpenDocumentExtractor
from wellread.output import print_document
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.types import Extraction

RUNS: Final = 3
_ODF: Final = "application/vnd.oasis.opendocument."
_SCRIPTS: Final = {
    "latin": ("bdklmnrst", "aeioäöüé"),
    "cyrillic": ("бвгдклмн", "аеиоуя"),
    "greek": ("βγδκλμν", "αεηιου"),
    "hebrew": ("בגדכלמנ", "אהוי"),
    "arabic": ("بتثجحدر", "اوي"),
    "devanagari": ("कखगघचजत", "अइउए"),
}
_WORD: Final = re.compile(r"\w+")


class Piece(NamedTuple):
    """A part of a document."""

    kind: str
    """heading, paragraph, item, number, quote, code, table, note."""
    text: str
    rows: tuple[tuple[str, ...], ...] = ()
    note: str = ""


class Document(NamedTuple):
    """A document of known words."""

    name: str
    pieces: tuple[Piece, ...]

    def words(self) -> Counter[str]:
        """Return all words of the document."""
        texts = [f"{piece.text} {piece.note} {' '.join(' '.join(row) for row in piece.rows)}" for piece in self.pieces]
        return Counter(_WORD.findall(" ".join(texts)))


class Written(NamedTuple):
    """A file that a program wrote."""

    format: str
    program: str
    document: Document
    body: bytes
    media_type: str
    read: Callable[[Source], Extraction]


class Words:
    """Makes sentences."""

    def __init__(self, rng: random.Random, scripts: tuple[str, ...]) -> None:
        self._rng = rng
        self._scripts = scripts

    def sentence(self, count: int) -> str:
        """Return a sentence of so many words."""
        consonants, vowels = _SCRIPTS[self._rng.choice(self._scripts)]
        words = [
            "".join(self._rng.choice(consonants) + self._rng.choice(vowels) for _ in range(self._rng.randint(2, 4)))
            for _ in range(count)
        ]
        return f"{' '.join(words).capitalize()}."

    def paragraph(self) -> str:
        """Return three to seven sentences."""
        return " ".join(self.sentence(self._rng.randint(6, 18)) for _ in range(self._rng.randint(3, 7)))


def documents(word_count: int) -> list[Document]:
    """Return a novel, a manual and a paper of about so many words."""
    kinds = {
        "novel": (("latin",), "p p p p p p q n p p p p"),
        "manual": (("latin", "cyrillic"), "p i i i t p # # # c p n"),
        "paper": (tuple(_SCRIPTS), "p p n p t p i i p q"),
    }
    return [
        Document(name, tuple(_pieces(name, scripts, pattern.split(), word_count)))
        for name, (scripts, pattern) in kinds.items()
    ]


def _pieces(name: str, scripts: tuple[str, ...], pattern: list[str], word_count: int) -> Iterator[Piece]:
    rng = random.Random(name)
    words = Words(rng, scripts)
    count = 0
    while count < word_count:
        yield Piece("heading", words.sentence(4).rstrip("."))
        for sign in pattern:
            piece = _piece(sign, words)
            count += len(f"{piece.text} {piece.note}".split())
            yield piece


def _piece(sign: str, words: Words) -> Piece:
    if sign == "t":
        rows = tuple(tuple(words.sentence(2).rstrip(".") for _ in range(3)) for _ in range(5))
        return Piece("table", "", rows)
    if sign == "n":
        return Piece("note", words.paragraph(), note=words.sentence(12))
    kinds = {"p": "paragraph", "i": "item", "#": "number", "q": "quote", "c": "code"}
    text = words.paragraph() if sign in "pq" else words.sentence(8)
    return Piece(kinds[sign], text)


def markdown(document: Document) -> str:
    """Return a document for pandoc."""
    lines: list[str] = ["---", "lang: en", "---", ""]
    for number, piece in enumerate(document.pieces):
        if piece.kind == "heading":
            lines.append(f"# {piece.text}\n")
        elif piece.kind == "table":
            head, *rows = piece.rows
            lines.extend((f"| {' | '.join(head)} |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows), ""))
        elif piece.kind == "note":
            lines.append(f"{piece.text}[^{number}]\n\n[^{number}]: {piece.note}\n")
        else:
            before = {"item": "- ", "number": "1. ", "quote": "> ", "code": "    "}.get(piece.kind, "")
            after = "\n\n<!-- -->\n" if piece.kind == "code" else "\n"
            lines.append(f"{before}{piece.text}{after}")
    return "\n".join(lines)


def html(document: Document) -> str:
    """Return the body of a document as HTML, with its notes at the end."""
    pieces: list[str] = []
    notes: list[str] = []
    for number, piece in enumerate(document.pieces):
        text = escape(piece.text)
        if piece.kind == "table":
            rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in piece.rows)
            pieces.append(f"<table>{rows}</table>")
        elif piece.kind == "note":
            pieces.append(f'<p>{text}<a epub:type="noteref" href="#n{number}">x</a></p>')
            notes.append(f'<aside epub:type="footnote" id="n{number}"><p>{escape(piece.note)}</p></aside>')
        else:
            tags = {"heading": "h1", "item": "li", "number": "li", "quote": "blockquote", "code": "pre"}
            tag = tags.get(piece.kind, "p")
            element = f"<{tag}>{text}</{tag}>"
            pieces.append(f"<ul>{element}</ul>" if tag == "li" else element)
    return "".join((*pieces, *notes))


def open_document(document: Document) -> str:
    """Return the body of a document as OpenDocument."""
    pieces: list[str] = []
    for piece in document.pieces:
        text = escape(piece.text)
        if piece.kind == "heading":
            pieces.append(f'<text:h text:outline-level="1">{text}</text:h>')
        elif piece.kind == "table":
            cells = "".join(
                "<table:table-row>"
                + "".join(f"<table:table-cell><text:p>{escape(cell)}</text:p></table:table-cell>" for cell in row)
                + "</table:table-row>"
                for row in piece.rows
            )
            pieces.append(f"<table:table>{cells}</table:table>")
        elif piece.kind in {"item", "number"}:
            pieces.append(f"<text:list><text:list-item><text:p>{text}</text:p></text:list-item></text:list>")
        else:
            note = (
                "<text:note><text:note-citation>1</text:note-citation><text:note-body>"
                f"<text:p>{escape(piece.note)}</text:p></text:note-body></text:note>"
            )
            pieces.append(f"<text:p>{text}{note if piece.note else ''}</text:p>")
    return f"<text:section>{''.join(pieces)}</text:section>"


def plain(document: Document) -> str:
    """Return a document as plain text."""
    texts = (
        "\n".join("  ".join(row) for row in piece.rows) if piece.rows else f"{piece.text}\n{piece.note}"
        for piece in document.pieces
    )
    return "\n\n".join(text.strip() for text in texts) + "\n"


# ------------------------------------------------------------------------------------------------ programs


def written(document: Document, folder: Path) -> Iterator[Written]:
    """Yield a document as each program writes it."""
    yield from _by_hand(document)
    yield from _by_python(document)
    yield from _by_nodemailer(document, folder)
    if shutil.which("pandoc"):
        yield from _by_pandoc(document, folder)


def _by_hand(document: Document) -> Iterator[Written]:
    book = epub({"one.xhtml": chapter(html(document))})
    yield Written("epub", "by hand", document, book, "application/epub+zip", EpubExtractor().extract)
    text = odf(open_document(document))
    yield Written("odt", "by hand", document, text, f"{_ODF}text", OpenDocumentExtractor().extract)
    head = b"From: a@weir.example\r\nSubject: x\r\nContent-Type: text/plain; charset=utf-8\r\n"
    body = quopri.encodestring(plain(document).encode())
    mail = head + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + body
    yield Written("eml", "by hand", document, mail, "message/rfc822", MailExtractor().extract)


def _by_python(document: Document) -> Iterator[Written]:
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"], message["Subject"] = "a@weir.example", "x"
    message.set_content(plain(document), cte="base64")
    message.add_alternative(f"<html><body>{html(document)}</body></html>", subtype="html")
    yield Written("eml", "Python email", document, bytes(message), "message/rfc822", MailExtractor().extract)


def _by_nodemailer(document: Document, folder: Path) -> Iterator[Written]:
    if not (folder / "node_modules" / "nodemailer").is_dir():
        return
    text = folder / f"{document.name}.txt"
    text.write_text(plain(document), encoding="utf-8")
    script = (
        "const t=require('nodemailer').createTransport({streamTransport:true,buffer:true});"
        "t.sendMail({from:'a@weir.example',to:'b@weir.example',subject:'x',text:require('fs').readFileSync(process.argv[1],'utf8')})"
        ".then(r=>process.stdout.write(r.message))"
    )
    done = subprocess.run(["node", "-e", script, str(text)], cwd=folder, capture_output=True, check=True)
    yield Written("eml", "nodemailer", document, done.stdout, "message/rfc822", MailExtractor().extract)


def _by_pandoc(document: Document, folder: Path) -> Iterator[Written]:
    source = folder / f"{document.name}.md"
    source.write_text(markdown(document), encoding="utf-8")
    for target, suffix in (("epub2", "epub"), ("epub3", "epub"), ("odt", "odt"), ("docx", "docx")):
        file = folder / f"{document.name}-{target}.{suffix}"
        # A title of its own keeps the name of the file out of the text.
        subprocess.run(["pandoc", source, "-t", target, "-o", file, "--metadata", "title=x"], check=True)
        if suffix == "epub":
            yield Written(
                "epub", f"pandoc {target}", document, file.read_bytes(), "application/epub+zip", EpubExtractor().extract
            )
        elif suffix == "odt":
            yield Written("odt", "pandoc", document, file.read_bytes(), f"{_ODF}text", OpenDocumentExtractor().extract)
        elif shutil.which("soffice"):
            yield from _by_libreoffice(document, file, folder)


def _by_libreoffice(document: Document, file: Path, folder: Path) -> Iterator[Written]:
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    out = folder / "libreoffice"
    for suffix, media_type in (
        ("epub", "application/epub+zip"),
        ("odt", f"{_ODF}text"),
        ("fodt", f"{_ODF}text-flat-xml"),
    ):
        command = ["soffice", profile, "--headless", "--convert-to", suffix, "--outdir", str(out), str(file)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        body = (out / file.with_suffix(f".{suffix}").name).read_bytes()
        read = EpubExtractor().extract if suffix == "epub" else OpenDocumentExtractor().extract
        yield Written(suffix, "LibreOffice", _as_exported(document, suffix), body, media_type, read)


def _as_exported(document: Document, suffix: str) -> Document:
    """Return a document without the header rows of its tables, which LibreOffice 7.4 does not write into EPUB."""
    if suffix != "epub":
        return document
    return document._replace(pieces=tuple(piece._replace(rows=piece.rows[1:]) for piece in document.pieces))


# --------------------------------------------------------------------------------------------------- report


def main() -> None:
    """Write, read and compare all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where files are written; a temporary folder if none is given")
    parser.add_argument("--words", type=int, default=6_000, help="words of each document")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'format':6} {'program':13} {'document':8} {'bytes':>9} {'recall':>7} {'extra':>6} {'ms':>6}")
        for document in documents(given.words):
            for file in written(document, folder):
                print(_row(file))


def _row(file: Written) -> str:
    source = Source(body=file.body, media_type=file.media_type)
    text, seconds = _timed(lambda: print_document(file.read(source).document, "text").text)
    shown, wanted = Counter(_WORD.findall(text)), file.document.words()
    recall = (shown & wanted).total() / wanted.total()
    extra = (shown - wanted).total()
    names = f"{file.format:6} {file.program:13} {file.document.name:8}"
    return f"{names} {len(file.body):9,} {recall:7.4f} {extra:6} {seconds * 1000:6.0f}"


def _timed(read: Callable[[], str]) -> tuple[str, float]:
    best = float("inf")
    text = ""
    for _ in range(RUNS):
        start = time.perf_counter()
        text = read()
        best = min(best, time.perf_counter() - start)
    return text, best


if __name__ == "__main__":
    main()
