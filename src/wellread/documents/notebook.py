"""Jupyter notebooks (nbformat 3 and 4): cells in order, with the outputs that are text.

The format is that of https://nbformat.readthedocs.io/. Pictures and outputs of scripts are counted, not read.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from wellread.errors import Empty
from wellread.extraction import html_fragment
from wellread.extractor_types import MEDIA_TYPES
from wellread.metadata.cleaning import line
from wellread.net.media_types import decode
from wellread.text.characters import without_invisible
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.types import Source

Json = dict[str, Any]  # Any: members of JSON from the web; each is checked where it is used

MAX_MARKDOWN_CHARS: Final = 2_000_000
MAX_HTML_CHARS: Final = 500_000
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,30}")
_TERMINAL: Final = re.compile(r"\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]")
_PLACEHOLDER: Final = re.compile(r"\s{0,100}<[^<>]{1,300}>\s{0,100}")
"""Python's text for an object that is shown as a picture: <Figure size 640x480 with 1 Axes>."""
_MIME_BY_KEY: Final = {
    "text": "text/plain",
    "html": "text/html",
    "markdown": "text/markdown",
    "latex": "text/latex",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "pdf": "application/pdf",
    "json": "application/json",
    "javascript": "application/javascript",
}
"""The keys of outputs in nbformat 3."""
_TEXT_TYPES: Final = {"text/plain", "text/html", "text/markdown", "text/latex", "application/json"}


class NotebookExtractor:
    """Reads Jupyter notebooks."""

    name = "notebook"
    media_types = MEDIA_TYPES["notebook"]

    def extract(self, source: Source) -> Extraction:
        """Read the cells of a notebook; JSON that is no notebook is shown as code.

        Raises:
            Empty: no cell has content.
        """
        raw, _ = decode(source.body, source.charset, html=False)
        text, invisible_count = without_invisible(raw)
        if not text.strip():
            raise Empty(f"{source.url or 'the notebook'} has no text", url=source.url)
        notebook = _parsed(text)
        cells = _CellReader(notebook or {}, source.url)
        document = tuple(cells.blocks())
        notices = list(cells.notices())
        if notebook is None:
            document = (_code(text, "json"),)
            notices.append(Notice("unread_markup", "the file is not a notebook; it is shown as text"))
        if not document:
            raise Empty(
                f"{source.url or 'the notebook'} has no text",
                url=source.url,
                hint="the cells of the notebook are empty",
            )
        if invisible_count:
            notices.append(Notice("invisible_characters", "invisible characters were removed", invisible_count))
        return Extraction(
            document=document,
            metadata=_metadata(notebook or {}, document),
            method=self.name,
            links=tuple(dict.fromkeys(cells.links)),
            notices=tuple(notices),
            source_chars=len(raw),
        )


def _parsed(text: str) -> Json | None:
    """Return the notebook; None for other JSON."""
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_notebook = isinstance(notebook, dict) and (_list(notebook, "cells") or _list(notebook, "worksheets"))
    return notebook if is_notebook else None


def _metadata(notebook: Json, document: tuple[Block, ...]) -> Metadata:
    properties = _dict(notebook, "metadata")
    heading = next((block for block in document if block.kind is Kind.HEADING), None)
    title = line(properties.get("title"))
    if title is None and heading is not None:
        title = line("".join(span.text for span in heading.spans))
    authors = [line(author.get("name")) for author in _list(properties, "authors") if isinstance(author, dict)]
    return Metadata(title=title, author=", ".join(filter(None, authors)) or None)


class _CellReader:
    """Converts cells to blocks, and counts omitted content."""

    def __init__(self, notebook: Json, base: str | None) -> None:
        self.links: list[str] = []
        self._base = base
        self._pictures = self._others = 0
        self._hidden: list[Notice] = []
        sheets = [sheet for sheet in _list(notebook, "worksheets") if isinstance(sheet, dict)]
        cells = [*_list(notebook, "cells"), *(cell for sheet in sheets for cell in _list(sheet, "cells"))]
        self._cells = [cell for cell in cells if isinstance(cell, dict)]
        self._language = _language(_dict(notebook, "metadata"))

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of all cells."""
        for cell in self._cells:
            kind = cell.get("cell_type")
            source = _text(cell.get("source")) or _text(cell.get("input"))
            # The count includes attachments that the text shows.
            self._pictures += max(len(_dict(cell, "attachments")) - source.count("(attachment:"), 0)
            if kind == "markdown":
                yield from self._markdown(source)
            elif kind == "heading":
                level = cell.get("level")
                marks = "#" * min(level, 6) if isinstance(level, int) else "#"
                yield from self._markdown(f"{marks or '#'} {source}")
            elif kind == "code":
                yield from _code_blocks(source, _language(cell) or self._language)
                for output in _list(cell, "outputs"):
                    if isinstance(output, dict):
                        yield from self._output(output)
            else:
                yield from _code_blocks(source, "")

    def notices(self) -> Iterator[Notice]:
        """Yield the notices of content that was omitted from all cells."""
        for code in dict.fromkeys(notice.code for notice in self._hidden):
            same = [notice for notice in self._hidden if notice.code == code]
            yield same[0]._replace(count=sum(notice.count for notice in same))
        if self._pictures:
            yield Notice("pictures_left_out", "pictures of a notebook are not read", self._pictures)
        if self._others:
            yield Notice("outputs_left_out", "outputs of scripts and widgets are not read", self._others)

    def _output(self, output: Json) -> Iterator[Block]:
        kind = output.get("output_type")
        if kind == "stream":
            yield from _code_blocks(_terminal(_text(output.get("text"))), "")
        elif kind in ("error", "pyerr"):
            traceback = "\n".join(part for part in _list(output, "traceback") if isinstance(part, str))
            yield from _code_blocks(_terminal(traceback or f"{output.get('ename')}: {output.get('evalue')}"), "")
        else:
            forms = {mime: output[key] for key, mime in _MIME_BY_KEY.items() if key in output}
            yield from self._rich_output(_dict(output, "data") or forms)

    def _rich_output(self, forms: Json) -> Iterator[Block]:
        """Yield the richest readable form of an output: a table, Markdown, plain text."""
        html, plain = _text(forms.get("text/html")), _text(forms.get("text/plain"))
        has_picture = any(mime.startswith("image/") for mime in forms)
        is_placeholder = _PLACEHOLDER.fullmatch(plain) is not None
        self._pictures += has_picture
        if html and len(html) <= MAX_HTML_CHARS and ("<table" in html or not plain or is_placeholder):
            blocks = self._fragment(html_fragment.read(html, self._base))
            if blocks:
                yield from blocks
                return
        if markdown := _text(forms.get("text/markdown")):
            yield from self._markdown(markdown)
        elif plain and not (has_picture and is_placeholder):
            yield from _code_blocks(_terminal(plain), "")
        elif latex := _text(forms.get("text/latex")):
            yield from _code_blocks(latex, "latex")
        elif not has_picture:
            self._others += any(mime not in _TEXT_TYPES for mime in forms)

    def _markdown(self, text: str) -> Iterator[Block]:
        if len(text) > MAX_MARKDOWN_CHARS:
            yield from _code_blocks(text, "markdown")
        else:
            from wellread.extraction import commonmark  # its parser is loaded for such a file only

            yield from self._fragment(commonmark.read(text, self._base))

    def _fragment(self, read: html_fragment.Fragment) -> tuple[Block, ...]:
        self.links.extend(read.links)
        for notice in read.notices:
            if notice.code == "pictures_left_out":
                self._pictures += notice.count
            else:
                self._hidden.append(notice)
        return read.document


def _language(properties: Json) -> str:
    """Return the language of a kernel, of `language_info`, or of a cell (nbformat 3)."""
    names = (
        _dict(properties, "kernelspec").get("language"),
        _dict(properties, "language_info").get("name"),
        properties.get("language"),
    )
    name = next((name for name in names if isinstance(name, str) and _LANGUAGE.fullmatch(name)), "")
    return name.lower()


def _terminal(text: str) -> str:
    """Return the final text of a terminal: without colours, and overwritten lines in their last state."""
    lines = _TERMINAL.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(row.rstrip("\r").rpartition("\r")[2] for row in lines)


def _code_blocks(text: str, language: str) -> Iterator[Block]:
    if text.strip():
        yield _code(text, language)


def _code(text: str, language: str) -> Block:
    return Block(Kind.CODE, (Span(text.strip("\n").rstrip()),), label=language)


def _text(member: object) -> str:
    """Return a multiline string of nbformat: a string, or a list of lines."""
    if isinstance(member, list):
        return "".join(part for part in member if isinstance(part, str))
    return member if isinstance(member, str) else ""


def _dict(members: Json, key: str) -> Json:
    member = members.get(key)
    return member if isinstance(member, dict) else {}


def _list(members: Json, key: str) -> list[Any]:  # Any: as above
    member = members.get(key)
    return member if isinstance(member, list) else []
