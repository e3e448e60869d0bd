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
from markdown_it.rules_block import blockquote, fence, heading, hr, html_block, list_block
from markdown_it.token import Token

from wellread.extraction import html_fragment
from wellread.types import Block, Kind, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from markdown_it.parser_block import RuleFuncBlockType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
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
    _skip_early(parser)
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


_ENDS_PARAGRAPH: Final = ("paragraph", "reference", "blockquote")
_ENDS_LIST: Final = (*_ENDS_PARAGRAPH, "list")
_SIGNED_RULES: Final = (
    ("fence", fence, "`~", _ENDS_LIST),
    ("blockquote", blockquote, ">", _ENDS_LIST),
    ("hr", hr, "*-_", _ENDS_LIST),
    ("list", list_block, "*-+0123456789", _ENDS_PARAGRAPH),
    ("html_block", html_block, "<", _ENDS_PARAGRAPH),
    ("heading", heading, "#", _ENDS_PARAGRAPH),
)
"""Rules of markdown-it: name, function, the signs that their lines begin with, and what they end."""


def _skip_early(parser: MarkdownIt) -> None:
    """Call rules for blocks only at lines that begin with one of their signs.

    Each line of a paragraph or a list is offered to most rules, each of which first makes a call to a logger.
    """
    for name, rule, signs, ended in _SIGNED_RULES:
        parser.block.ruler.at(name, _signed_rule(rule, frozenset(signs)), {"alt": list(ended)})


def _signed_rule(rule: RuleFuncBlockType, signs: frozenset[str]) -> RuleFuncBlockType:
    def signed_rule(state: StateBlock, start: int, limit: int, silent: bool) -> bool:  # noqa: FBT001  # markdown-it
        offset = state.bMarks[start] + state.tShift[start]
        return state.src[offset : offset + 1] in signs and rule(state, start, limit, silent)

    return signed_rule


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


# ------------------------------------------------------------------------------------------------ rules for markdown-it
# Rules for markdown-it that CommonMark does not have: formulas in TeX, footnotes.
#
# Formulas are those of Pandoc (tex_math_dollars, raw_tex and others), of GitHub and of Jupyter: `$x$`, `$$x$$`,
# `\(x\)`, `\[x\]`, environments. Footnotes are those of GitHub and Pandoc: `[^1]`, and a definition whose further
# paragraphs are indented. Each rule looks at a bounded stretch of text.

MAX_FORMULA_CHARS: Final = 2_000
"""Of a formula within a paragraph."""
MAX_FORMULA_LINES: Final = 200
"""Of a formula that stands alone."""
MAX_BLOCK_CHARS: Final = 20_000
"""Of such a formula."""

FORMULA: Final = "formula"
FORMULA_BLOCK: Final = "formula_block"
NOTE_REFERENCE: Final = "note_reference"
NOTE_OPEN: Final = "note_open"
NOTE_CLOSE: Final = "note_close"

_DOLLAR_CLOSER: Final = re.compile(rf"(?:[^\\$]|\\.){{1,{MAX_FORMULA_CHARS}}}?\$", re.DOTALL)
_DISPLAY_CLOSER: Final = re.compile(rf"(?:[^\\$]|\\.|\$(?!\$)){{1,{MAX_FORMULA_CHARS}}}?\$\$", re.DOTALL)
_TEX_SIGN: Final = re.compile(r"[\\^_=<>+*/|]|(?<!\w)\w(?!\w)")
"""What formulas have and words in escaped brackets do not: commands, operators, single letters."""
_CITATION: Final = re.compile(r"\s*\d[\d\s,\u2013-]*")
"""Numbers in escaped brackets, as programs write references: `\\[12\\]`."""
_BEGIN: Final = re.compile(r"\\begin\{([A-Za-z]{1,30}\*?)\}")
_MATH_ENVIRONMENTS: Final = frozenset(
    {"align", "alignat", "array", "cases", "displaymath", "eqnarray", "equation", "flalign", "gather", "math", "matrix"}
    | {"aligned", "gathered", "multline", "pmatrix", "bmatrix", "vmatrix", "split", "subequations"}
)
_NOTE_LABEL: Final = re.compile(r"\[\^([^\s\[\]]{1,200})\]")
_COMMENT: Final = re.compile(r"(?<!\\)%[^\n]*(?:\n|$)")


def add_formulas(parser: MarkdownIt) -> None:
    """Make `parser` read formulas."""
    parser.inline.ruler.before("escape", FORMULA, _inline_formula)
    block_formula = _signed_rule(_block_formula, frozenset("$\\"))
    parser.block.ruler.before("fence", FORMULA_BLOCK, block_formula, {"alt": ["paragraph", "reference", "list"]})


def add_footnotes(parser: MarkdownIt) -> None:
    """Make `parser` read footnotes; a reference without a definition stays text."""
    note_definition = _signed_rule(_note_definition, frozenset("["))
    parser.block.ruler.before("reference", "note", note_definition, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.before("link", NOTE_REFERENCE, _note_reference)


# ----------------------------------------------------------------------------------------------- formulas


def _inline_formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # the signature of markdown-it
    start = state.pos
    if state.src[start] == "$":
        formula = _dollars(state.src, start, state.posMax)
    elif state.src[start] == "\\":
        formula = _brackets(state.src, start, state.posMax)
    else:
        return False
    if formula is None:
        return False
    tex, state.pos = formula
    if not silent:
        state.push(FORMULA, "", 0).content = tex
    return True


def _dollars(text: str, start: int, limit: int) -> tuple[str, int] | None:
    """Return the formula between dollar signs at `start` and its end, or None: two prices are none.

    As in Pandoc, no blank follows the sign that opens or stands before the one that closes; as at GitHub, no letter or
    digit stands outside beside either.
    """
    if start and (text[start - 1].isalnum() or text[start - 1] == "$"):
        return None
    if text.startswith("$$", start):
        return _double_dollars(text, start, limit)
    closer = _DOLLAR_CLOSER.match(text, start + 1, limit)
    if closer is None:
        return None
    end = closer.end()
    tex = text[start + 1 : end - 1]
    if tex[0].isspace() or tex[-1].isspace() or text[end : end + 1].isalnum():
        return None
    if len(tex) > 2 and tex[0] == tex[-1] == "`":  # GitLab's and GitHub's $`x`$
        tex = tex.strip("`").strip()
    if not tex or "`" in tex:
        return None
    return tex, end


def _double_dollars(text: str, start: int, limit: int) -> tuple[str, int] | None:
    closer = _DISPLAY_CLOSER.match(text, start + 2, limit)
    if closer is None or not text[start + 2 : closer.end() - 2].strip():
        return None
    return text[start + 2 : closer.end() - 2].strip(), closer.end()


def _brackets(text: str, start: int, limit: int) -> tuple[str, int] | None:
    r"""Return the formula in `\(` and `\)`, or `\[` and `\]`, and its end; with doubled backslashes too."""
    backslashes = "\\" * (1 + text.startswith("\\\\", start))
    opener_end = start + len(backslashes) + 1
    closing = {"(": ")", "[": "]"}.get(text[opener_end - 1 : opener_end])
    if closing is None:
        return None
    end = text.find(backslashes + closing, opener_end, min(limit, opener_end + MAX_FORMULA_CHARS))
    tex = text[opener_end : max(end, opener_end)]
    if not tex.strip() or not _TEX_SIGN.search(tex) or _CITATION.fullmatch(tex) or "`" in tex:
        return None
    if closing == "]" and text[end + len(backslashes) + 1 :].startswith(("(", "[", ":")):
        return None  # a link that a program has escaped
    return tex.strip(), end + len(backslashes) + 1


def _block_formula(state: StateBlock, start: int, limit: int, silent: bool) -> bool:  # noqa: FBT001  # markdown-it
    if state.is_code_block(start):
        return False
    line = _line(state, start)
    formula = None
    if line.startswith("$$"):
        formula = _delimited(state, start, limit, "$$", "$$")
    elif line.startswith(("\\[", "\\\\[")):
        opener = line.partition("[")[0]
        formula = _delimited(state, start, limit, f"{opener}[", f"{opener}]")
        if formula is not None and (not _TEX_SIGN.search(formula[0]) or _CITATION.fullmatch(formula[0])):
            formula = None
    elif begin := _BEGIN.match(line):
        formula = _environment(state, start, limit, begin[1])
    if formula is None:
        return False
    if not silent:
        tex, end, environment = formula
        if environment and environment.rstrip("*") not in _MATH_ENVIRONMENTS:
            token = state.push("fence", "", 0)
            token.info = "latex"
        else:
            token = state.push(FORMULA_BLOCK, "", 0)
        token.content, token.map = tex, [start, end]
        state.line = end
    return True


_BlockFormula = tuple[str, int, str]
"""TeX, the line after it, the name of its environment."""


def _delimited(state: StateBlock, start: int, limit: int, opener: str, closer: str) -> _BlockFormula | None:
    """Return the formula whose closing sign ends a line; a blank line is in it only if both signs stand alone."""
    if not _is_ahead(state, start, opener, closer):
        return None
    first = _line(state, start)[len(opener) :]
    lines: list[str] = []
    for at in range(start, min(limit, start + MAX_FORMULA_LINES)):
        line = first if at == start else _line(state, at)
        if at > start and state.sCount[at] < state.blkIndent and line:
            return None
        if closer in line:
            before, _, after = line.rpartition(closer)
            tex = "\n".join([*lines, before]).strip()
            if after.strip() or not tex or closer in before:
                return None
            return tex, at + 1, ""
        if not line and first.strip():
            return None
        lines.append(line)
    return None


def _environment(state: StateBlock, start: int, limit: int, name: str) -> _BlockFormula | None:
    closer = f"\\end{{{name}}}"
    if not _is_ahead(state, start, "", closer):
        return None
    lines: list[str] = []
    for at in range(start, min(limit, start + MAX_FORMULA_LINES)):
        line = _line(state, at)
        if at > start and state.sCount[at] < state.blkIndent and line:
            return None
        lines.append(state.getLines(at, at + 1, state.blkIndent, False))  # noqa: FBT003  # the signature of markdown-it
        if closer in line:
            if line.partition(closer)[2].strip():
                return None
            return "\n".join(lines).strip(), at + 1, name
    return None


def _is_ahead(state: StateBlock, start: int, opener: str, closer: str) -> bool:
    """Tell quickly whether `closer` comes at all."""
    after = state.bMarks[start] + state.tShift[start] + len(opener)
    return state.src.find(closer, after, after + MAX_BLOCK_CHARS) >= 0


def _line(state: StateBlock, at: int) -> str:
    return state.src[state.bMarks[at] + state.tShift[at] : state.eMarks[at]].rstrip()


def without_comments(tex: str) -> str:
    """Return TeX without comments, which would hide the text after them once the lines are joined."""
    return _COMMENT.sub(" ", tex)


# ---------------------------------------------------------------------------------------------- footnotes


def _note_definition(state: StateBlock, start: int, limit: int, silent: bool) -> bool:  # noqa: FBT001  # markdown-it
    """Read `[^label]: text` with the lines below it that are indented by four columns, as blocks of their own."""
    if state.is_code_block(start):
        return False
    begin, end = state.bMarks[start] + state.tShift[start], state.eMarks[start]
    label = _NOTE_LABEL.match(state.src, begin, end)
    if label is None or not state.src.startswith(":", label.end()):
        return False
    if silent:
        return True
    state.env.setdefault("note_labels", {}).setdefault(label[1].casefold(), label[1])
    state.push(NOTE_OPEN, "", 1).meta = {"label": label[1]}
    after_colon = text_start = label.end() + 1
    indent = column = state.sCount[start] + after_colon - begin
    while text_start < end and state.src[text_start] in " \t":
        column += 1
        if state.src[text_start] == "\t":
            column += -column % 4
        text_start += 1
    before = (state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType)
    state.bMarks[start], state.tShift[start] = after_colon, text_start - after_colon
    state.blkIndent += 4
    state.sCount[start] = max(column - indent, 0) + state.blkIndent
    state.sCount[start] = min(state.sCount[start], state.blkIndent + 3)  # no code: blanks after the colon are layout
    state.parentType = "note"
    state.md.block.tokenize(state, start, limit)
    state.blkIndent -= 4
    state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType = before
    state.push(NOTE_CLOSE, "", -1)
    return True


def _note_reference(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # the signature of markdown-it
    if not state.src.startswith("[^", state.pos):
        return False
    label = _NOTE_LABEL.match(state.src, state.pos, state.posMax)
    if label is None:
        return False
    name = state.env.get("note_labels", {}).get(label[1].casefold())
    if name is None:
        return False
    if not silent:
        state.push(NOTE_REFERENCE, "", 0).content = name
    state.pos = label.end()
    return True
