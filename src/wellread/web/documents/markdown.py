"""Markdown (CommonMark with tables) into the tree; what its page would hide, comments first of all, stays hidden."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.characters import cleaned
from wellread.dates import iso
from wellread.errors import Empty, TooLarge
from wellread.net.content import decode
from wellread.types import Extraction, Kind, Metadata, Notice
from wellread.web.extract import commonmark
from wellread.web.metadata.clean import line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.types import Block, Source

MAX_CHARS = 2_000_000
_FRONT = re.compile(r"\A---[ \t]*\n(.{0,5000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date|description|lang)\s*:\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)


class MarkdownExtractor:
    """Reads Markdown files."""

    name = "markdown"
    media_types = ("text/markdown", "text/x-markdown")

    def extract(self, source: Source) -> Extraction:
        """Read Markdown into blocks; links are made absolute.

        Raises:
            Empty: nothing is shown.
            TooLarge: the file is longer than `MAX_CHARS`.
        """
        raw, _ = decode(source.body, source.charset, html=False)
        if len(raw) > MAX_CHARS:
            raise TooLarge(
                f"{source.url or 'the file'} is Markdown of more than {MAX_CHARS} characters", url=source.url
            )
        text, unseen = cleaned(raw.replace("\r\n", "\n"))
        front = _FRONT.match(text)
        fields = {name.lower(): value.strip("\"'") for name, value in _FIELD.findall(front[1])} if front else {}
        document, links, notices = commonmark.read(text[front.end() :] if front else text, source.url)
        if not document:
            raise Empty(f"{source.url or 'the file'} shows no text", url=source.url)
        return Extraction(
            document=document,
            metadata=_metadata(fields, document),
            method=self.name,
            links=links,
            notices=(*notices, *_notices(unseen)),
            source_chars=len(raw),
        )


def _metadata(fields: dict[str, str], document: Sequence[Block]) -> Metadata:
    heading = next((block for block in document if block.kind is Kind.HEADING), None)
    published = iso(fields.get("date"))
    return Metadata(
        title=line(fields.get("title")) or (line("".join(span.text for span in heading.spans)) if heading else None),
        byline=line(fields.get("author")),
        author=line(fields.get("author")),
        description=line(fields.get("description")),
        published_date=published,
        published_source="meta" if published else None,
        language=fields.get("lang")
        if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", fields.get("lang", ""))
        else None,
    )


def _notices(unseen: int) -> tuple[Notice, ...]:
    return (Notice("invisible_characters", "characters that show nothing were removed", unseen),) if unseen else ()
