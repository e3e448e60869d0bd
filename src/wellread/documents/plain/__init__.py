"""Text without markup: prose as paragraphs, code and drawings unchanged, JSON laid out, CSV as a table."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from wellread.documents.plain.delimited import read_table
from wellread.documents.plain.json_layout import laid_out
from wellread.errors import Empty
from wellread.extractor_types import MEDIA_TYPES
from wellread.metadata.cleaning import line
from wellread.net.media_types import decode
from wellread.text.characters import without_invisible
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.types import Source

MAX_PROSE_LINES = 50_000
"""Text of more lines stays unchanged: its paragraphs would be more pieces than a worker process returns."""

_CODE_TYPES = {
    "application/json": "json",
    "application/ld+json": "json",
    "application/manifest+json": "json",
    "application/x-ndjson": "json",
    "application/yaml": "yaml",
    "application/x-yaml": "yaml",
    "application/toml": "toml",
    "application/javascript": "javascript",
    "application/x-sh": "sh",
    "application/sql": "sql",
}
_TABLE_TYPES = {"text/csv": ",", "text/tab-separated-values": "\t"}
_PROSE_TYPES = frozenset({"text/plain", "text/enriched"})

# Colours and titles for terminals (ECMA-48): without their first, invisible character they would be text.
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\^_])")
_BLANK = re.compile(r"\n(?:[ \t\f\r]*\n)+")
_UNDERLINE = re.compile(r"^\s*(={3,}|-{3,}|~{3,}|\*{3,})\s*$")
_BULLET = re.compile(r"^(\s{0,8})(?:[-*+\u2022\u25e6\u2023]|(\d{1,3})[.)])\s+(?=\S)")
_COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S")
_ART = re.compile(r"[|+_=<>/\\~^*#\u2500-\u259f-]")
_CODE_LINE = re.compile(
    r"[{};]\s*$|^\s*(?:#include|import |from |def |class |function |return |if \(|for \(|\$ |>>> |//|/\*)"
)


class PlainExtractor:
    """Reads every kind of plain text; fails only on an empty one."""

    name = "plain"
    media_types = MEDIA_TYPES["plain"]

    def extract(self, source: Source) -> Extraction:
        """Read text into blocks.

        Raises:
            Empty: there is no character to read.
        """
        raw, _ = decode(source.body, source.charset, html=False)
        text, invisible_count = without_invisible(_TERMINAL.sub("", raw.replace("\r\n", "\n").replace("\r", "\n")))
        if not text.strip():
            raise Empty(f"{source.url or 'the text'} has no text", url=source.url, hint="the file is empty")
        document, notices = _read(text, source)
        if invisible_count:
            notices.append(Notice("invisible_characters", "invisible characters were removed", invisible_count))
        title = next((_plain(block) for block in document if block.kind is Kind.HEADING), None)
        return Extraction(
            document=document,
            metadata=Metadata(title=line(title)),
            method=self.name,
            notices=tuple(notices),
            source_chars=len(raw),
        )


def _read(text: str, source: Source) -> tuple[tuple[Block, ...], list[Notice]]:
    media_type = source.media_type
    if media_type in _TABLE_TYPES:
        table = read_table(text, _TABLE_TYPES[media_type], source.max_rows)
        return (table.block or _code(text),), list(table.notices)
    if media_type in _PROSE_TYPES:
        if text.count("\n") > MAX_PROSE_LINES:
            return (_code(text),), []
        return tuple(_prose(text)), []
    language = _code_language(media_type)
    if language == "json":
        text = laid_out(text)
    return (_code(text, language),), []


def _code_language(media_type: str) -> str:
    if media_type in _CODE_TYPES:
        return _CODE_TYPES[media_type]
    if media_type.startswith("text/"):
        return media_type.rpartition("/")[2].removeprefix("x-")
    return "json"


def _code(text: str, language: str = "") -> Block:
    return Block(Kind.CODE, (Span(text.strip("\n").rstrip()),), label=language)


# ------------------------------------------------------------------------------------------------- prose


def _prose(text: str) -> Iterator[Block]:
    """Yield the blocks of a text; neighbouring pieces of code or drawings are joined."""
    chunks = [chunk for chunk in _BLANK.split(text.replace("\f", "\n\n").expandtabs(4)) if chunk.strip()]
    margin = min((_margin(chunk) for chunk in chunks), default=0)
    shapes = [(chunk, (_is_art(chunk, margin), _margin(chunk) > margin)) for chunk in chunks]
    for (art, _), group in groupby(shapes, key=lambda shape: shape[1]):
        members = [chunk.rstrip() for chunk, _ in group]
        if art:
            indent = min(_margin(chunk) for chunk in members)
            yield _code("\n\n".join("\n".join(row[indent:] for row in chunk.split("\n")) for chunk in members))
        else:
            for chunk in members:
                yield from _chunk(chunk)


def _margin(chunk: str) -> int:
    return min(len(row) - len(row.lstrip()) for row in chunk.split("\n") if row.strip())


def _is_art(chunk: str, margin: int) -> bool:
    """Tell whether white space carries meaning: code, columns, drawings."""
    rows = [row for row in chunk.split("\n") if row.strip()]
    if _UNDERLINE.match(rows[-1]) and len(rows) == 2:
        return False
    bullets = sum(bool(_BULLET.match(row)) for row in rows)
    marks = sum(len(_ART.findall(row)) for row in rows)
    letters = sum(character.isalnum() for character in chunk)
    columns = sum(bool(_COLUMNS.search(row)) for row in rows)
    code = sum(bool(_CODE_LINE.search(row)) for row in rows)
    if marks > letters and len(rows) > 1:
        return True
    if bullets:
        return False
    if len(rows) > 1 and (columns * 2 > len(rows) or code * 2 > len(rows)):
        return True
    return _margin(chunk) >= margin + 4 and (code > 0 or not _is_sentence(chunk))


def _is_sentence(chunk: str) -> bool:
    return len(chunk.split()) >= 8 and bool(re.search(r"[.!?:]['\")]?\s*$", chunk))


def _chunk(chunk: str) -> Iterator[Block]:
    """Yield the blocks between two blank lines: a heading with its underline, a list, a rule, a paragraph."""
    rows = chunk.split("\n")
    if len(rows) >= 2 and rows[0].strip() and (mark := _UNDERLINE.match(rows[1])) and len(rows[0].strip()) < 150:
        yield Block(Kind.HEADING, (Span(rows[0].strip()),), level=1 if mark[1][0] in "=*" else 2)
        rows = rows[2:]
    if not rows:
        return
    if len(rows) == 1 and _UNDERLINE.match(rows[0]):
        yield Block(Kind.RULE)
        return
    first = next((index for index, row in enumerate(rows) if _BULLET.match(row)), None)
    if first is None or (first > 0 and not rows[first - 1].rstrip().endswith(":")):
        yield _paragraph(rows)
        return
    if first:
        yield _paragraph(rows[:first])
    yield _list(rows[first:])


def _paragraph(rows: list[str]) -> Block:
    """Join lines that were wrapped at a margin; keep the breaks of short lines: verse, addresses."""
    rows = [" ".join(row.split()) for row in rows if row.strip()]
    wrapped = len(rows) > 1 and max(map(len, rows[:-1])) > 50
    return Block(Kind.PARAGRAPH, (Span((" " if wrapped else "\n").join(rows)),))


def _list(rows: list[str]) -> Block:
    items: list[list[str]] = []
    for row in rows:
        mark = _BULLET.match(row)
        if mark:
            items.append([row[mark.end() :]])
        elif row.strip():
            items[-1].append(row)
    numbered = _BULLET.match(rows[0])
    start = int(numbered[2]) if numbered and numbered[2] else 0
    return Block(
        Kind.LIST, children=tuple(Block(Kind.ITEM, children=(_paragraph(item),)) for item in items), level=start
    )


def _plain(block: Block) -> str:
    return "".join(span.text for span in block.spans)
