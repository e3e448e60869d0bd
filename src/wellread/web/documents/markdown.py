"""Markdown (CommonMark with tables) into the tree; what its page would hide, comments first of all, stays hidden."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ada_url import URL
from markdown_it import MarkdownIt

from wellread.characters import cleaned
from wellread.dates import iso
from wellread.errors import Empty, TooLarge
from wellread.net.content import decode
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span, Style
from wellread.web.extract import fragment
from wellread.web.metadata.clean import line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markdown_it.token import Token

    from wellread.types import Source

MAX_CHARS = 2_000_000
_FRONT = re.compile(r"\A---[ \t]*\n(.{0,5000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date|description|lang)\s*:\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)
_MARKUP = frozenset({"html_block", "html_inline"})
_STYLES = {"strong": Style.STRONG, "em": Style.EM, "s": Style.STRIKE}


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
        document, links, notices = _read(text[front.end() :] if front else text, source.url)
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


def _read(text: str, base: str | None) -> fragment.Fragment:
    """Read Markdown token by token; where HTML stands in it, as the page that it makes, by the rules for every page."""
    marks = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = marks.parse(text)
    if any(token.type in _MARKUP for block in tokens for token in (block, *(block.children or ()))):
        return fragment.read(marks.renderer.render(tokens, marks.options, {}), base)
    reader = _Reader(base)
    return fragment.Fragment(reader.blocks(tokens), tuple(dict.fromkeys(reader.links)), ())


class _Frame(NamedTuple):
    """An open container."""

    kind: Kind | None
    children: list[Block]
    level: int = 0


class _Reader:
    """Turns markdown-it's flat tokens into blocks, with a stack instead of recursion."""

    def __init__(self, base: str | None) -> None:
        self.base = base
        self.links: list[str] = []

    def blocks(self, tokens: Iterable[Token]) -> tuple[Block, ...]:
        """Return the document that block tokens make."""
        stack = [_Frame(None, [])]
        level, leaf = 0, Kind.PARAGRAPH
        for token in tokens:
            if token.type in {"heading_open", "paragraph_open", "th_open", "td_open"}:
                leaf = {"h": Kind.HEADING, "p": Kind.PARAGRAPH, "t": Kind.CELL}[token.type[0]]
                level = int(token.tag[1]) if leaf is Kind.HEADING else int(token.type == "th_open")
            elif token.type == "inline":
                spans = self._spans(token.children or [])
                if spans or leaf is Kind.CELL:
                    stack[-1].children.append(Block(leaf, spans, level=level))
            else:
                self._step(stack, token)
        return tuple(stack[0].children)

    def _step(self, stack: list[_Frame], token: Token) -> None:
        opened = _CONTAINERS.get(token.type.removesuffix("_open"))
        if opened and token.nesting == 1:
            start = token.attrGet("start")
            first = int(start) if start is not None else 1
            stack.append(_Frame(opened, [], first if token.type == "ordered_list_open" else 0))
        elif token.nesting == -1 and token.type.removesuffix("_close") in _CONTAINERS:
            frame = stack.pop()
            if frame.kind and frame.children:
                stack[-1].children.append(Block(frame.kind, children=tuple(frame.children), level=frame.level))
        elif token.type in {"fence", "code_block"}:
            language = re.match(r"[\w+#.-]{1,30}", token.info.strip())
            code = Span(token.content.rstrip("\n"))
            stack[-1].children.append(Block(Kind.CODE, (code,), label=language[0] if language else ""))
        elif token.type == "hr":
            stack[-1].children.append(Block(Kind.RULE))

    def _spans(self, tokens: Iterable[Token]) -> tuple[Span, ...]:
        spans: list[Span] = []
        style, href = 0, None
        for token in tokens:
            mark = _STYLES.get(token.type.rpartition("_")[0], 0)
            if mark:
                style = style | mark if token.nesting == 1 else style & ~mark
            elif token.type == "link_open":
                href = self._absolute(token.attrGet("href"))
                self.links.extend([href] if href and href.startswith(("http:", "https:")) else [])
            elif token.type == "link_close":
                href = None
            elif token.type == "image":
                spans.append(Span(token.content, Style.IMAGE, self._absolute(token.attrGet("src"))))
            elif token.type in _TEXTS:
                extra = Style.CODE if token.type == "code_inline" else 0
                spans.append(Span(_TEXTS[token.type] or token.content, style | extra, href))
        return tuple(span for span in spans if span.text or span.href)

    def _absolute(self, href: Any) -> str | None:  # Any: markdown-it types attributes as str | int | float
        try:
            url = URL(str(href), self.base) if self.base else URL(str(href))
        except (ValueError, UnicodeEncodeError):
            return None
        return url.href if url.protocol in {"http:", "https:", "mailto:"} else None


_CONTAINERS = {
    "bullet_list": Kind.LIST,
    "ordered_list": Kind.LIST,
    "list_item": Kind.ITEM,
    "blockquote": Kind.QUOTE,
    "table": Kind.TABLE,
    "tr": Kind.ROW,
}
_TEXTS = {"text": "", "code_inline": "", "softbreak": " ", "hardbreak": "\n"}
