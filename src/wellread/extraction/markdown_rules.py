r"""Rules for markdown-it that CommonMark does not have: formulas in TeX, footnotes.

Formulas are those of Pandoc (tex_math_dollars, raw_tex and others), of GitHub and of Jupyter: `$x$`, `$$x$$`, `\(x\)`,
`\[x\]`, environments. Footnotes are those of GitHub and Pandoc: `[^1]`, and a definition whose further paragraphs are
indented. Each rule looks at a bounded stretch of text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

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
    parser.block.ruler.before("fence", FORMULA_BLOCK, _block_formula, {"alt": ["paragraph", "reference", "list"]})


def add_footnotes(parser: MarkdownIt) -> None:
    """Make `parser` read footnotes; a reference without a definition stays text."""
    parser.block.ruler.before("reference", "note", _note_definition, {"alt": ["paragraph", "reference"]})
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
