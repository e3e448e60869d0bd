"""Makes TeX of presentation MathML: of tokens, scripts, fractions, roots, fences and tables (MathML Core, W3C, 3).

What it does not know it leaves to those who read the words, rather than to guess; a row of tokens is words already.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, Self

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selectolax.lexbor import LexborNode

_MOST_NODES: Final = 600
_DEEPEST: Final = 30
_TOKENS: Final = word_set("mi mn mo mtext")
_APART: Final = _TOKENS | word_set("ms math")
"""What shows its own text, or is looked at when it is met."""
_NOTES: Final = word_set("-comment annotation annotation-xml")
_ROWS: Final = word_set("math mrow mstyle mpadded mtd semantics")
_SCRIPTS: Final = {"msup": "^", "msub": "_", "msubsup": "_^", "mover": "^", "munder": "_", "munderover": "_^"}
NAMED: Final = word_set("sin cos tan cot sec csc sinh cosh tanh coth log ln lg exp lim max min sup inf arg det gcd Pr")
_LARGE: Final = lazy_pattern(
    r"[\u220f-\u2211\u222b-\u2233\u22c0-\u22c3\u2a00-\u2a06]|\\(?:lim|max|min|sup|inf|det|gcd|Pr)"
)
"""What is written as a script below or above a large operator is its bound."""
_ACCENTS: Final = {
    **dict.fromkeys((r"^\wedge", "^\u02c6", "^\u0302"), "hat"),
    **dict.fromkeys((r"^\sim", "^\u02dc", "^\u0303"), "tilde"),
    **dict.fromkeys(("^\u00af", "^\u203e", "^\u0304", "^-", "^\u2015", r"^\_"), "overline"),
    **dict.fromkeys(("_\u00af", "_\u203e", "_\u0332", "_-", r"_\_"), "underline"),
    **dict.fromkeys(("^\u02d9", "^.", "^\u0307"), "dot"),
    **dict.fromkeys(("^\u00a8", "^..", "^\u0308"), "ddot"),
    "^\u2192": "vec", "^\u20d7": "vec", "^\u23de": "overbrace", "_\u23df": "underbrace",
}  # fmt: skip
_ONE: Final = lazy_pattern(r"\d[\d.,]*|[^\\]|\\[A-Za-z]+(?:\{[^{}\\]*\})?")
"""What a script belongs to as a whole without braces around it."""
_FENCES: Final = frozenset("()[]{}|\u2016\u27e8\u27e9\u230a\u230b\u2308\u2309,;") | {""}
ESCAPES: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "{}%#&_"}
    | {"\\": r"\backslash ", "^": r"\wedge ", "~": r"\sim ", "\u2032": r"\prime ", "\u2212": "-", "\u00a0": " "}
)


class Made(str):
    """TeX that was made, and the signs that it was made of, in order."""

    __slots__ = ("signs",)

    def __new__(cls, tex: str, signs: str) -> Self:
        """Keep both."""
        made = super().__new__(cls, tex)
        made.signs = signs
        return made

    signs: str


def made(node: LexborNode) -> Made | None:
    """Return TeX for a `<math>` that is more than a row of tokens, all of it known; else None."""
    maker = _Maker()
    told = maker.told(node, _DEEPEST)
    return Made(told, signs("".join(maker.said))) if maker.laid_out and maker.left > 0 else None


def undrawn(math: LexborNode) -> Iterator[LexborNode]:
    """Yield what nobody sees of a formula, to be removed: text in no token or cell, and forms after the first."""
    boxes = [math]
    for box in boxes:  # which grow as they are gone through
        inner = list(_elements(box))
        parts = [it for it in inner if it.tag != "-text"]
        shown = parts[:1] if box.tag in {"maction", "semantics"} else parts
        boxes += (it for it in shown if it.tag not in _APART)
        yield from (it for it in inner if it.tag == "-text" and box.tag not in {"mtable", "mtr", "mtd"})
        yield from parts[len(shown) :]


def signs(text: str) -> str:
    """Return `text` without what takes no ink: white space, and signs that nobody sees (U+2062, times)."""
    return "".join(sign for sign in text if not sign.isspace() and unicodedata.category(sign) != "Cf")


class _Maker:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.left = _MOST_NODES
        """Elements that may follow; none, once one was not understood."""
        self.laid_out = False

    def told(self, node: LexborNode, deep: int) -> str:
        tag = node.tag or ""
        self.left -= 1
        if self.left <= 0 or deep <= 0:
            return self._unknown()
        if tag in _TOKENS:
            return self._token(node, tag)
        inner = list(_elements(node))
        if len(inner) > self.left or any(it.tag == "-text" for it in inner):
            return self._unknown()
        if tag in _ROWS:
            return self._row(inner[:1] if tag == "semantics" else inner, deep)
        self.laid_out = True
        if tag == "msqrt":
            return rf"\sqrt{{{self._row(inner, deep)}}}"
        return self._joined(node, tag, [self.told(it, deep - 1).strip() for it in inner])

    def _joined(self, node: LexborNode, tag: str, parts: list[str]) -> str:
        if tag in _SCRIPTS and len(parts) == len(_SCRIPTS[tag]) + 1:
            return scripted(parts[0], list(zip(_SCRIPTS[tag], parts[1:], strict=True)), over=not tag.startswith("ms"))
        if tag == "mfrac" and len(parts) == 2 and "linethickness" not in node.attributes:
            return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
        if tag == "mroot" and len(parts) == 2 and "]" not in parts[1]:
            return rf"\sqrt[{parts[1]}]{{{parts[0]}}}"
        if tag == "mtr":
            return " & ".join(parts)
        if tag == "mtable":
            lines = r" \\ ".join(parts)
            return rf"\begin{{matrix}}{lines}\end{{matrix}}"
        return self._fenced(node, parts) if tag == "mfenced" else self._unknown()

    def _fenced(self, node: LexborNode, parts: Sequence[str]) -> str:
        usual = {"open": "(", "close": ")", "separators": ","}
        signs = [(node.attributes.get(name, sign) or "").strip() for name, sign in usual.items()]
        if not _FENCES.issuperset(signs):
            return self._unknown()
        begin, end, between = (sign.translate(ESCAPES) for sign in signs)
        return f"{begin}{between.join(parts)}{end}"

    def _row(self, nodes: Sequence[LexborNode], deep: int) -> str:
        row = ""
        for node in nodes:
            piece = self.told(node, deep - 1)
            row += f" {piece}" if row[-1:].isdigit() and piece[:1].isdigit() else piece
        return row

    def _token(self, node: LexborNode, tag: str) -> str:
        if any(it.tag != "-text" for it in _elements(node)):
            return self._unknown()
        text = node.text()
        self.said.append(text)
        if tag == "mtext":
            return rf"\text{{{text.translate(ESCAPES)}}}"
        name = signs(text)
        if name in NAMED:
            return rf"\{name} "
        told = name.translate(ESCAPES)
        return rf"\mathrm{{{told}}}" if tag != "mn" and len(name) > 1 and name.isalpha() else told

    def _unknown(self) -> str:
        self.left = 0
        return ""


def scripted(base: str, scripts: Sequence[tuple[str, str]], *, over: bool) -> str:
    """Return TeX for a base with marks and scripts, such as `("^", "2")`; `over`: they stand above and below it."""
    if over and not _LARGE.fullmatch(base):
        for mark, script in scripts:
            accent = _ACCENTS.get(mark + script) or f"{'over' if mark == '^' else 'under'}set{{{script}}}"
            base = rf"\{accent}{{{base}}}"
        return base
    whole = base if _ONE.fullmatch(base) else f"{{{base}}}"
    return whole + "".join(f"{mark}{{{script}}}" for mark, script in scripts)


def _elements(node: LexborNode) -> Iterator[LexborNode]:
    """Yield what is in an element, without comments, annotations and the white space between elements."""
    child = node.first_child
    while child is not None:
        if child.tag not in _NOTES and (child.tag != "-text" or (child.text_content or "").strip()):
            yield child
        child = child.next
