"""Reads TeX for what it would show, in the order of MathML; knows no formula that somebody sees.

A command or an environment that is not known here shows nobody knows what: TeX that has one is not read at all.
"""

from __future__ import annotations

import re
import unicodedata
from html.entities import html5
from typing import Final

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

LONGEST: Final = 4_000
_DEEPEST: Final = 40
_SIZE: Final = r"-?\s*\d{0,2}(?:\.\d{1,3})?\s*(?:em|ex|pt|mu|px|cm|mm|in)"
_COLOURS: Final = (
    "red|green|blue|cyan|magenta|yellow|black|white|gr[ae]y|brown|orange|purple|pink|teal|olive|violet|darkgr[ae]y|"
    "lightgr[ae]y|#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?"
)
LAYOUT: Final = lazy_pattern(
    r"\\(?:begin|end)\s*\{(?:(?:small|[pbBvV])?matrix|[dr]?cases|aligned|align|split|gather|gathered|equation|eqnarray"
    r"|multline|displaymath|math|(?:array|subarray|alignat|alignedat)(?:\}\s*(?:\[[tcb]\]\s*)?"
    rf"\{{(?:[lcr|:\s\d]|@\{{\s*\}}){{0,20}})?)\*?\}}|\\[hmv]space\*?\s*\{{{_SIZE}\}}|\\(?:m?kern|[hm]skip)\s*{_SIZE}"
    rf"|\\\\\*?(?:\s*\[{_SIZE}\])?|\\(?:text)?color\s*\{{(?:{_COLOURS})\}}"
    r"|\\(?:left|right|middle|[bB]igg?[lrm]?)\s*\."
)
"""What may say more than its name, and shows none of it: environments, sizes, colours, fences of nothing."""
COMMAND: Final = lazy_pattern(r"\\(?:([a-zA-Z]+)|.)", re.DOTALL)
_TOKEN: Final = lazy_pattern(rf"({LAYOUT.pattern})|\\(?:operatorname|tag)\*|{COMMAND.pattern}|\S", re.DOTALL)
_UNSEEN: Final = lazy_pattern(r"(?<!\\)%[^\S\n]*\n|\\label\s*\{[^{}]*\}|\\(?:notag|nonumber)(?![a-zA-Z])")

_SILENT: Final = word_set(
    "frac dfrac tfrac cfrac binom dbinom tbinom over atop choose overline underline overbrace underbrace "
    "overrightarrow overleftarrow overleftrightarrow widehat widetilde hat check tilde acute grave dot ddot dddot "
    "breve bar vec mathring substack left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr "
    "bigm Bigm biggm Biggm quad qquad enspace enskip thinspace medspace thickspace negthinspace smash mathstrut strut "
    "hfill displaystyle textstyle scriptstyle scriptscriptstyle mathord mathbin mathrel mathop mathopen mathclose "
    "mathpunct mathinner boxed fbox cancel tag hline cr newline limits nolimits displaylimits operatorname "
    "operatornamewithlimits text textrm textbf textit texttt textsf textnormal mbox hbox mathrm mathbf mathit mathsf "
    "mathtt mathcal mathbb mathfrak mathscr mathnormal boldsymbol bm bold pmb rm bf it cal sf tt ce pu null relax "
    "nonscript rlap llap mathrlap mathllap mathclap pod"
)
"""What sets things and shows nothing of its own but lines and accents."""
_NAMES: Final = word_set(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup liminf max min sup inf "
    "arg det dim ker hom deg gcd Pr argmax argmin mod"
)
_DOTS: Final = word_set("dots ldots cdots vdots ddots dotsc dotsb dotsm dotsi dotso")
_SIGNS: Final = {
    **{name: name for name in _NAMES},
    **dict.fromkeys(_DOTS, "\u22ef"),
    **dict.fromkeys(("bmod", "pmod"), "mod"),
    **dict.fromkeys(("lvert", "rvert", "vert", "mid"), "|"),
    **dict.fromkeys(("lVert", "rVert", "Vert", "|"), "\u2016"),
    **dict.fromkeys(("neg", "lnot"), "\u00ac"),
    **{sign: sign for sign in "{}%#&_$"},
    "cdot": "\u22c5", "circ": "\u2218", "star": "\u22c6", "asymp": "\u224d", "oslash": "\u2298", "infty": "\u221e",
    "to": "\u2192", "gets": "\u2190", "land": "\u2227", "lor": "\u2228", "neq": "\u2260", "exists": "\u2203",
    "partial": "\u2202", "iint": "\u222c", "implies": "\u27f9", "impliedby": "\u27f8", "iff": "\u27fa",
    "coloneqq": "\u2254", "eqqcolon": "\u2255", "backslash": "\\", "degree": "\u00b0", "pounds": "\u00a3",
    "not": "\u0338", "xrightarrow": "\u2192", "xleftarrow": "\u2190",
    "S": "\u00a7", "dag": "\u2020", "AA": "\u00c5", "ss": "\u00df",
}  # fmt: skip
"""Where TeX's name is not the one that ISO gave the sign, and HTML after it, or names another."""
_SWAPPED: Final = word_set("overset underset stackrel")
_LIKE: Final = {
    "-": "\u2212", "*": "\u2217", "'": "\u2032\u2018\u2019", '"': "\u201c\u201d", "|": "\u2223", "/": "\u2215",
    ":=": "\u2254", "=:": "\u2255", "--": "\u2013", "---": "\u2014",
    ":": "\u2236", "^": "\u02c6\u02c7\u02c9\u02ca\u02cb",
    "<": "\u27e8\u2329", ">": "\u27e9\u232a", "\u22ef": "\u2026", "\u0394": "\u2206",
}  # fmt: skip
_ALIKE: Final = str.maketrans({sign: plain for plain, signs in _LIKE.items() for sign in signs})


def without_unseen(tex: str) -> str:
    """Return `tex` without what it shows nowhere: the ends of lines that it comments out, labels."""
    return _UNSEEN.sub("", tex)


def signs(text: str) -> str:
    """Return the signs of `text` that take ink, each as the one that stands for all that look like it."""
    plain = unicodedata.normalize("NFKD", text.translate(_ALIKE)).translate(_ALIKE)
    return "".join(sign for sign in plain if not sign.isspace() and unicodedata.category(sign) != "Cf")


def shown(tex: str) -> str | None:
    """Return the signs that `tex` would show, in order, what is below before what is above; None if unclear."""
    reader = _Reader(tex) if len(tex) < LONGEST else None
    told = reader.row(_DEEPEST) if reader else ""
    return signs(told) if reader and reader.clear and not reader.rest else None


class _Reader:
    def __init__(self, tex: str) -> None:
        tokens = [found[0] for found in _TOKEN.finditer(tex) if not found[1]]
        self.rest = tokens[::-1]
        self.clear = True

    def row(self, deep: int, end: str = "}") -> str:
        """Read to `end`, and leave it."""
        atoms = [["", "", ""]]
        while self.rest and self.rest[-1] not in {end, "}"}:
            mark = self.rest.pop()
            if mark in {"^", "_"}:
                atoms[-1][1 + (mark == "^")] += self._atom(self._next(), deep)
            elif mark == "'":
                atoms[-1][2] += mark
            else:
                atoms.append([self._atom(mark, deep), "", ""])
        return "".join(sign for atom in atoms for sign in atom)

    def _next(self) -> str:
        return self.rest.pop() if self.rest else ""

    def _atom(self, mark: str, deep: int) -> str:
        if deep <= 0:
            self.clear = False
        if mark == "{":
            return self._group(deep, "}")
        if mark[:1] == "\\" and len(mark) > 1:
            return self._command(mark[1:].rstrip("*"), deep)
        return "" if mark in {"&", "~", "$"} else mark

    def _group(self, deep: int, end: str) -> str:
        told = self.row(deep - 1, end) if deep > 0 else ""
        self.clear &= self._next() == end
        return told

    def _command(self, name: str, deep: int) -> str:
        if name in _SWAPPED:
            above = self._atom(self._next(), deep)
            return self._atom(self._next(), deep) + above
        if name in {"sqrt", "xrightarrow", "xleftarrow"}:
            below = ""
            if self.rest[-1:] == ["["]:
                self.rest.pop()
                below = self._group(deep, "]")
            inner = self._atom(self._next(), deep)
            return inner + below if name == "sqrt" else _SIGNS[name] + below + inner
        if name in _SILENT or not (name.isalpha() or name in _SIGNS):
            return ""
        told = _SIGNS.get(name) or signs(html5.get(f"{name};", ""))
        self.clear &= bool(told)
        return told
