"""Convert formulas in Word documents to TeX: Office MathML (ECMA-376 part 1, 22.1), printed as in web pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.documents.docx.word_xml import child, is_on, value_of
from wellread.segmentation.mathml import ESCAPES, NAMED, scripted

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

_OPERATORS: Final = {
    "\u2211": r"\sum", "\u220f": r"\prod", "\u2210": r"\coprod", "\u222b": r"\int", "\u222c": r"\iint",
    "\u222d": r"\iiint", "\u222e": r"\oint", "\u22c3": r"\bigcup", "\u22c2": r"\bigcap", "\u22c1": r"\bigvee",
    "\u22c0": r"\bigwedge",
}  # fmt: skip
_INTEGRAL: Final = "\u222b"
"""The operator of `m:nary` without a sign (22.1.2.70)."""
_ACCENTS: Final = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "overline",
    "\u0306": "breve", "\u0307": "dot", "\u0308": "ddot", "\u20db": "dddot", "\u030a": "mathring", "\u030c": "check",
    "\u20d6": "overleftarrow", "\u20d7": "vec", "\u20e1": "overleftrightarrow", "\u0332": "underline",
    "\u00af": "overline", "\u0333": "underline", "\u2192": "vec", "^": "hat", "~": "tilde", "\u02c6": "hat",
}  # fmt: skip
_HAT: Final = "\u0302"
_GROUPS: Final = {"\u23df": "underbrace", "\u23de": "overbrace", "\u2192": "overrightarrow", "\u2190": "overleftarrow"}
_UNDER_BRACE: Final = "\u23df"
_ALPHABETS: Final = {
    "double-struck": "mathbb",
    "script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
_FENCES: Final = {"{": r"\{", "}": r"\}", "\u2016": r"\|", "\u27e8": r"\langle ", "\u27e9": r"\rangle ",
                  "\u230a": r"\lfloor ", "\u230b": r"\rfloor ", "\u2308": r"\lceil ", "\u2309": r"\rceil "}  # fmt: skip
_TALL: Final = (r"\frac", r"\begin", r"\atop", r"\sum", r"\prod", r"\int", r"\overbrace", r"\underbrace")
"""Fences around these must grow."""
_MATRIX: Final = "matrix"
_ALIGNED: Final = "aligned"


class FormulaWriter:
    """Writes formulas as TeX; `is_hidden` tells whether a run is hidden."""

    def __init__(self, is_hidden: Callable[[Element], bool]) -> None:
        self._is_hidden = is_hidden
        self._aligned = 0
        """The number of open equation arrays: within one, `&` marks the alignment points."""
        self._writers: dict[str, Callable[[Element], str]] = {
            "r": self._run,
            "f": self._fraction,
            "sSup": self._scripts,
            "sSub": self._scripts,
            "sSubSup": self._scripts,
            "sPre": self._before,
            "rad": self._root,
            "nary": self._operator,
            "d": self._delimited,
            "m": self._matrix,
            "eqArr": self._equations,
            "acc": self._accent,
            "bar": self._bar,
            "func": self._function,
            "limLow": self._limit,
            "limUpp": self._limit,
            "groupChr": self._group,
            "borderBox": self._boxed,
            "phant": self._phantom,
            "del": self._nothing,
            "moveFrom": self._nothing,
        }

    def tex(self, formula: Element) -> str:
        """Return the TeX of an `m:oMath`."""
        return " ".join(self._row(formula).split())

    def _row(self, element: Element | None) -> str:
        """Return the parts of an element one after another; of an unknown element, the parts of it."""
        pieces: list[str] = []
        for part in element if element is not None else ():
            name = part.tag
            if not name.endswith("Pr"):
                piece = self._writers.get(name, self._row)(part)
                if pieces and pieces[-1][-1:].isdigit() and piece[:1].isdigit() and name != "r":
                    piece = f" {piece}"
                if piece:
                    pieces.append(piece)
        return "".join(pieces)

    def _part(self, element: Element, name: str) -> str:
        return self._row(child(element, name)).strip()

    @staticmethod
    def _nothing(_: Element) -> str:
        return ""

    # -------------------------------------------------------------------------------------------------- text

    def _run(self, run: Element) -> str:
        if self._is_hidden(run):
            return ""
        text = "".join(part.text or "" for part in run if part.tag == "t")
        properties = child(run, "rPr")
        if properties is not None and is_on(child(properties, "nor")):
            escaped = text.translate(ESCAPES).replace("\\text", "")
            return f"\\text{{{escaped}}}" if escaped.strip() else " "
        if text.strip() in NAMED:
            return f"\\{text.strip()} "
        tex = text.translate(ESCAPES)
        if self._aligned:
            tex = tex.replace(r"\&", "&")
        alphabet = _ALPHABETS.get(value_of(properties, "scr"))
        if alphabet is not None and tex.strip():
            return f"\\{alphabet}{{{tex.strip()}}}"
        return tex

    # ----------------------------------------------------------------------------------------------- layout

    def _fraction(self, element: Element) -> str:
        top, bottom = self._part(element, "num"), self._part(element, "den")
        kind = value_of(child(element, "fPr"), "type")
        if kind in {"lin", "skw"}:
            return f"{_grouped(top)}/{_grouped(bottom)}"
        if kind == "noBar":
            return rf"{{{top} \atop {bottom}}}"
        return rf"\frac{{{top}}}{{{bottom}}}"

    def _scripts(self, element: Element) -> str:
        scripts = [("_", "sub"), ("^", "sup")]
        present = [(mark, self._part(element, name)) for mark, name in scripts if child(element, name) is not None]
        return scripted(self._part(element, "e"), [script for script in present if script[1]], over=False)

    def _before(self, element: Element) -> str:
        below, above = self._part(element, "sub"), self._part(element, "sup")
        return f"{{}}_{{{below}}}^{{{above}}}{self._part(element, 'e')}"

    def _root(self, element: Element) -> str:
        base, degree = self._part(element, "e"), self._part(element, "deg")
        if degree and not is_on(child(child(element, "radPr"), "degHide")):
            return rf"\sqrt[{degree.replace(']', '{]}')}]{{{base}}}"
        return rf"\sqrt{{{base}}}"

    def _operator(self, element: Element) -> str:
        properties = child(element, "naryPr")
        sign = _sign(properties, "chr", _INTEGRAL)
        operator = _OPERATORS.get(sign, sign)
        bounds = ""
        for mark, name in (("_", "sub"), ("^", "sup")):
            limit = self._part(element, name)
            if limit and not is_on(child(properties, f"{name}Hide")):
                bounds += f"{mark}{{{limit}}}"
        return f"{operator}{bounds}{{{self._part(element, 'e')}}}"

    def _delimited(self, element: Element) -> str:
        properties = child(element, "dPr")
        begin, end = _sign(properties, "begChr", "("), _sign(properties, "endChr", ")")
        between = _fence(_sign(properties, "sepChr", "|"))
        inner = between.join(self._row(part).strip() for part in element if part.tag == "e")
        if any(command in inner for command in _TALL):
            return f"\\left{_fence(begin) or '.'}{inner}\\right{_fence(end) or '.'}"
        return f"{_fence(begin)}{inner}{_fence(end)}"

    def _matrix(self, element: Element) -> str:
        rows = [
            " & ".join(self._row(cell).strip() for cell in row if cell.tag == "e") for row in element if row.tag == "mr"
        ]
        return _environment(_MATRIX, rows)

    def _equations(self, element: Element) -> str:
        self._aligned += 1
        rows = [self._row(row).strip() for row in element if row.tag == "e"]
        self._aligned -= 1
        return _environment(_ALIGNED, rows)

    # ---------------------------------------------------------------------------------- above, below, around

    def _accent(self, element: Element) -> str:
        sign, base = _sign(child(element, "accPr"), "chr", _HAT), self._part(element, "e")
        accent = _ACCENTS.get(sign, f"overset{{{sign.translate(ESCAPES)}}}")
        return f"\\{accent}{{{base}}}"

    def _bar(self, element: Element) -> str:
        line = "underline"
        if value_of(child(element, "barPr"), "pos") == "top":
            line = "overline"
        return f"\\{line}{{{self._part(element, 'e')}}}"

    def _function(self, element: Element) -> str:
        name, operand = self._part(element, "fName"), self._part(element, "e")
        if name.isalpha() and len(name) > 1:
            name = rf"\operatorname{{{name}}}"
        return f"{name} {operand}"

    def _limit(self, element: Element) -> str:
        mark = "_"
        if element.tag == "limUpp":
            mark = "^"
        base, limit = self._part(element, "e"), self._part(element, "lim")
        if base.startswith((r"\underbrace", r"\overbrace")):
            return f"{base}{mark}{{{limit}}}"
        return scripted(base, [(mark, limit)], over=True)

    def _group(self, element: Element) -> str:
        properties = child(element, "groupChrPr")
        sign, base = _sign(properties, "chr", _UNDER_BRACE), self._part(element, "e")
        if sign in _GROUPS:
            return f"\\{_GROUPS[sign]}{{{base}}}"
        position = "underset"
        if value_of(properties, "pos") == "top":
            position = "overset"
        return f"\\{position}{{{sign.translate(ESCAPES)}}}{{{base}}}"

    def _boxed(self, element: Element) -> str:
        return rf"\boxed{{{self._part(element, 'e')}}}"

    def _phantom(self, element: Element) -> str:
        show = child(child(element, "phantPr"), "show")
        if show is not None and not is_on(show):
            return ""
        return self._part(element, "e")


def _environment(name: str, rows: list[str]) -> str:
    lines = r" \\ ".join(rows)
    return rf"\begin{{{name}}}{lines}\end{{{name}}}"


def _grouped(tex: str) -> str:
    if len(tex) > 1 and not tex.isalnum():
        return f"({tex})"
    return tex


def _fence(sign: str) -> str:
    return _FENCES.get(sign, sign)


def _sign(properties: Element | None, name: str, default: str) -> str:
    """Return the sign that a property names; an empty one is none at all."""
    if child(properties, name) is None:
        return default
    return value_of(properties, name)
