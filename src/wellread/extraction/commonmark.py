"""Reads Markdown (CommonMark with tables) into blocks; text that its page would hide, as comments, stays hidden."""

from __future__ import annotations

import re
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ada_url import URL
from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from wellread.extraction import html_fragment
from wellread.extraction.markdown_rules import (
    FORMULA,
    FORMULA_BLOCK,
    NOTE_CLOSE,
    NOTE_OPEN,
    NOTE_REFERENCE,
    add_footnotes,
    add_formulas,
    without_comments,
)
from wellread.types import Block, Kind, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from markdown_it.utils import EnvType

MAX_MARKS: Final = 300
"""Marks of one paragraph, heading or cell that are parsed at once. The parser takes the square of those that open what
nothing closes: 100 KB of `*a` took 6 s. Markup that reaches from one piece into the next is left as written.
"""
_SIGN: Final = re.compile(r"[\n!#$%&*+\-:<=>@\[\\\]^_`{}~]")
"""At these characters the parser's rules for text within a line begin; without any, a text is one token."""
_MARK: Final = re.compile(r"[*_~`\[\]!<]")
_LANGUAGE: Final = re.compile(r"\{?\s{0,4}\.?([\w+#-][\w+#.-]{0,29})")
"""The first word of an info string; Pandoc writes `{.python}`, R Markdown `{r, echo=FALSE}`."""
_MARKUP = frozenset({"html_block", "html_inline"})
_STYLES = {"strong": Style.STRONG, "em": Style.EM, "s": Style.STRIKE}
_NOTE, _IMAGE, _MATH = int(Style.NOTE), int(Style.IMAGE), int(Style.MATH)


def read(text: str, base: str | None) -> html_fragment.Fragment:
    """Read Markdown token by token; where HTML stands in it, as the page that it makes, by the rules for every page."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    add_formulas(parser)
    add_footnotes(parser)
    parser.inline = _BoundedInline(parser.inline)
    tokens = parser.parse(text)
    _label_items(tokens)
    if any(token.type in _MARKUP for block in tokens for token in (block, *(block.children or ()))):
        document, links, notices = _read_as_page(parser, tokens, base)
    else:
        reader = _TokenReader(base)
        document, links, notices = reader.blocks(tokens), tuple(dict.fromkeys(reader.links)), ()
    pictures = sum(map(_picture_count, document))
    if pictures:
        detail = "pictures are not read; the option `images` prints their addresses and alternative texts"
        notices = (*notices, Notice("pictures_left_out", detail, pictures))
    return html_fragment.Fragment(document, links, notices)


def _label_items(tokens: Sequence[Token]) -> None:
    """Write the numbers of lists that begin with 0 into their items: a block of the kind LIST cannot begin so."""
    lists: list[bool] = []
    number = ""
    for token in tokens:
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            lists.append(token.attrGet("start") == 0)
            if lists[-1]:
                token.type, token.tag, token.attrs = "bullet_list_open", "ul", {}
        elif token.type in {"bullet_list_close", "ordered_list_close"}:
            if lists.pop():
                token.type, token.tag = "bullet_list_close", "ul"
        elif token.type == "list_item_open":
            number = f"{token.info}{token.markup} " * lists[-1]
        elif token.type == "inline" and number:
            token.children = [Token("text", "", 0, content=number), *(token.children or ())]
            number = ""


def _picture_count(block: Block) -> int:
    count = sum(span.style & _IMAGE > 0 for span in block.spans)
    return count + sum(map(_picture_count, block.children))


# ------------------------------------------------------------------------------------ Markdown with HTML


_MARKER_START, _MARKER_END = "\U000f57a0", "\U000f57a1"
"""Characters for private use, around the number of a formula or a note on the page that the Markdown makes."""
_MARKER: Final = re.compile(f"{_MARKER_START}([0-9]{{1,7}}){_MARKER_END}")


def _read_as_page(parser: MarkdownIt, tokens: Sequence[Token], base: str | None) -> html_fragment.Fragment:
    """Read the page that Markdown with HTML makes; HTML has no elements for formulas in TeX and for notes."""
    markers = _Markers()
    renderer = RendererHTML()
    renderer.rules.update(markers.rules())  # type: ignore[arg-type]  # functions, called as methods are
    page = html_fragment.read(renderer.render(tokens, parser.options, {}), base)
    return page._replace(document=tuple(map(markers.replaced, page.document)))


class _Markers:
    """Puts a marker in the place of each formula and note of a page, and puts them back into its blocks."""

    def __init__(self) -> None:
        self._spans: list[Span] = []

    def rules(self) -> dict[str, Callable[..., str]]:
        """Return the functions that render tokens."""
        return {
            FORMULA: self._formula,
            FORMULA_BLOCK: lambda *arguments: f"<p>{self._formula(*arguments)}</p>\n",
            NOTE_REFERENCE: lambda tokens, index, *_: self._marker(Span(tokens[index].content, _NOTE)),
            NOTE_OPEN: lambda tokens, index, *_: (
                f"<blockquote><p>{self._marker(Span(tokens[index].meta['label'], _NOTE))}</p>\n"
            ),
            NOTE_CLOSE: lambda *_: "</blockquote>\n",
            "fence": _code_element,
        }

    def replaced(self, block: Block) -> Block:
        """Return a block of the page with formulas and notes in the places of their markers."""
        children = tuple(map(self.replaced, block.children))
        if block.kind is Kind.CODE:
            return block
        if block.kind is Kind.QUOTE and children and (label := self._label(children[0])):
            return Block(Kind.FOOTNOTE, children=children[1:], label=label)
        if not any(_MARKER_START in span.text for span in block.spans):
            return block._replace(children=children)
        spans = tuple(part for span in block.spans for part in self._parts(span))
        return block._replace(spans=spans, children=children)

    def _formula(self, tokens: Sequence[Token], index: int, *_: object) -> str:
        return self._marker(Span(without_comments(tokens[index].content), _MATH))

    def _marker(self, span: Span) -> str:
        self._spans.append(span)
        return f"{_MARKER_START}{len(self._spans) - 1}{_MARKER_END}"

    def _label(self, first: Block) -> str | None:
        """Return the label of a note that begins with `first`."""
        if len(first.spans) == 1 and first.spans[0].style & _NOTE:
            return first.spans[0].text
        return None

    def _parts(self, span: Span) -> Iterator[Span]:
        if span.style & _IMAGE:
            yield span._replace(text=_MARKER.sub(lambda marker: self._of(marker, span).text, span.text))
            return
        at = 0
        for marker in _MARKER.finditer(span.text):
            yield from (span._replace(text=text) for text in [span.text[at : marker.start()]] if text)
            yield self._of(marker, span)
            at = marker.end()
        yield from (span._replace(text=text) for text in [span.text[at:]] if text)

    def _of(self, marker: re.Match[str], span: Span) -> Span:
        """Return the span of a marker; a page may have the same characters of its own."""
        index = int(marker[1])
        if index < len(self._spans):
            return self._spans[index]
        return span._replace(text=marker[0])


def _code_element(tokens: Sequence[Token], index: int, *_: object) -> str:
    token = tokens[index]
    return f'<pre><code class="language-{escape(_language(token.info))}">{escape(token.content)}</code></pre>\n'


def _language(info: str) -> str:
    name = _LANGUAGE.match(info.strip())
    if not name:
        return ""
    return name[1]


# ------------------------------------------------------------------------------------------------- parser


class _BoundedInline(ParserInline):
    """Parses text with very many marks in pieces that end in white space."""

    def __init__(self, parser: ParserInline) -> None:
        """Take the rules of another parser."""
        super().__init__()
        self.ruler, self.ruler2 = parser.ruler, parser.ruler2

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Parse `src`, and add the tokens to `tokens`."""
        if _SIGN.search(src) is None:  # as most cells: a few hundred bytes may make 65,536 empty ones
            tokens.extend(Token("text", "", 0, content=text) for text in [src] if text)
            return tokens
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


class _TokenContainer(NamedTuple):
    """An open container."""

    kind: Kind | None
    children: list[Block]
    level: int = 0
    label: str = ""


class _TokenReader:
    """Turns markdown-it's flat tokens into blocks, with a stack instead of recursion."""

    def __init__(self, base: str | None) -> None:
        self.base = base
        self.links: list[str] = []

    def blocks(self, tokens: Iterable[Token]) -> tuple[Block, ...]:
        """Return the document that block tokens make."""
        stack = [_TokenContainer(None, [])]
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

    def _step(self, stack: list[_TokenContainer], token: Token) -> None:
        if token.nesting == 1:
            self._open(stack, token)
        elif token.nesting == -1 and token.type.removesuffix("_close") in _CONTAINERS:
            frame = stack.pop()
            if frame.kind and frame.children:
                stack[-1].children.append(Block(frame.kind, (), tuple(frame.children), frame.level, frame.label))
        elif token.type in {"fence", "code_block"}:
            code = Span(token.content.rstrip("\n"))
            stack[-1].children.append(Block(Kind.CODE, (code,), label=_language(token.info)))
        elif token.type == FORMULA_BLOCK:
            formula = Span(without_comments(token.content), _MATH)
            stack[-1].children.append(Block(Kind.PARAGRAPH, (formula,)))
        elif token.type == "hr":
            stack[-1].children.append(Block(Kind.RULE))

    def _open(self, stack: list[_TokenContainer], token: Token) -> None:
        kind = _CONTAINERS.get(token.type.removesuffix("_open"))
        if kind is None:
            return
        level = 0
        if token.type == "ordered_list_open":
            level = int(token.attrs.get("start", 1))
        stack.append(_TokenContainer(kind, [], level, token.meta.get("label", "")))

    def _spans(self, tokens: Iterable[Token]) -> tuple[Span, ...]:
        spans: list[Span] = []
        style, href = 0, None
        for token in tokens:
            mark = _STYLES.get(token.type.rpartition("_")[0], 0)
            if mark:
                style = style | mark if token.nesting == 1 else style & ~mark
            elif token.type == "link_open":
                href = self._absolute(token.attrGet("href"))
                if href and href.startswith(("http:", "https:")):
                    self.links.append(href)
            elif token.type == "link_close":
                href = None
            elif token.type == "image":
                words = "".join(child.content for child in token.children or ())
                spans.append(Span(words, _IMAGE, self._absolute(token.attrGet("src"))))
            elif token.type == FORMULA:
                spans.append(Span(without_comments(token.content), style | _MATH, href))
            elif token.type == NOTE_REFERENCE:
                spans.append(Span(token.content, _NOTE))
            elif token.type in _TEXTS:
                extra = Style.CODE if token.type == "code_inline" else 0
                spans.append(Span(_TEXTS[token.type] or token.content, style | extra, href))
        return tuple(span for span in spans if span.text or span.href)

    def _absolute(self, href: Any) -> str | None:  # Any: markdown-it types attributes as str | int | float
        try:
            url = URL(str(href), self.base) if self.base else URL(str(href))
        except (ValueError, UnicodeEncodeError):
            return None
        if url.protocol not in {"http:", "https:", "mailto:"}:
            return None
        return url.href


_CONTAINERS = {
    "bullet_list": Kind.LIST,
    "ordered_list": Kind.LIST,
    "list_item": Kind.ITEM,
    "blockquote": Kind.QUOTE,
    "table": Kind.TABLE,
    "tr": Kind.ROW,
    "note": Kind.FOOTNOTE,
}
_TEXTS = {"text": "", "code_inline": "", "softbreak": " ", "hardbreak": "\n"}
