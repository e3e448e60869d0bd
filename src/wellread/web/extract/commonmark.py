"""Markdown (CommonMark with tables) into blocks; what its page would hide, comments first of all, stays hidden."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ada_url import URL
from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline

from wellread.types import Block, Kind, Span, Style
from wellread.web.extract import fragment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it.token import Token
    from markdown_it.utils import EnvType

MAX_MARKS: Final = 300
"""Marks of one paragraph, heading or cell that are parsed at once. The parser takes the square of those that open what
nothing closes: 100 KB of `*a` took 6 s. Markup that reaches from one piece into the next is left as written.
"""
_MARK: Final = re.compile(r"[*_~`\[\]!<]")
_MARKUP = frozenset({"html_block", "html_inline"})
_STYLES = {"strong": Style.STRONG, "em": Style.EM, "s": Style.STRIKE}


def read(text: str, base: str | None) -> fragment.Fragment:
    """Read Markdown token by token; where HTML stands in it, as the page that it makes, by the rules for every page."""
    marks = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    marks.inline = _BoundedInline(marks.inline)
    tokens = marks.parse(text)
    if any(token.type in _MARKUP for block in tokens for token in (block, *(block.children or ()))):
        return fragment.read(marks.renderer.render(tokens, marks.options, {}), base)
    reader = _Reader(base)
    return fragment.Fragment(reader.blocks(tokens), tuple(dict.fromkeys(reader.links)), ())


class _BoundedInline(ParserInline):
    """Parses text with very many marks in pieces that end in white space."""

    def __init__(self, parser: ParserInline) -> None:
        """Take the rules of another parser."""
        super().__init__()
        self.ruler, self.ruler2 = parser.ruler, parser.ruler2

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Parse `src`, and add the tokens to `tokens`."""
        for piece in _pieces(src):
            tokens.extend(super().parse(piece, md, env, []))  # a parse goes over all of its list again
        return tokens


def _pieces(text: str) -> Iterator[str]:
    """Yield `text` in pieces of at most `MAX_MARKS` marks."""
    start = 0
    for mark in islice(_MARK.finditer(text), MAX_MARKS, None, MAX_MARKS):
        limit = mark.start()
        end = max(text.rfind(" ", start, limit), text.rfind("\n", start, limit)) + 1 or limit
        yield text[start:end]
        start = end
    yield text[start:]


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
