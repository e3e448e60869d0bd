"""Tells the TeX of a formula: what it carries, if that says what is shown, and nothing to machines alone."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.segmentation import mathml

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_LONGEST: Final = 4_000
_MOST_UNKNOWN: Final = 2
_MOST_WORDS: Final = 6
_MOST_IN_A_ROW: Final = 3
_ENVIRONMENT: Final = re.compile(r"\\(?:begin|end)\s*\{([a-zA-Z]{1,16}\*?)\}(?:\{[lcr|@{}\s]{0,40}\})?")
_COMMAND: Final = re.compile(r"\\(?:([a-zA-Z]+)\*?|.)", re.DOTALL)
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_ROW: Final = re.compile(rf"(?<![^\W\d_])(?:[^\W\d_]{{3,}}+[\s{{}},.:;~]++){{{_MOST_IN_A_ROW}}}[^\W\d_]{{3}}")
_SIGN: Final = re.compile(r"[^\s\w{}]|\d+|(?<![^\W\d_])[^\W\d_]{1,2}(?![^\W\d_])")

_TYPED: Final = re.compile(
    r"(?<!\\)(?:\\\(((?:[^\\]|\\\\|\\[^\\()])++)\\\)|\\\[((?:[^\\]|\\\\|\\[^\\\[\]])++)\\\]|\$\$([^$]++)\$\$)"
)
"""TeX between the marks that scripts look for: none holds another, so that each is looked at once."""

_COMMANDS: Final = word_set(
    # letters
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu xi omicron pi "
    "varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon "
    "Phi Psi Omega aleph beth gimel ell hbar hslash imath jmath wp Re Im partial nabla infty emptyset varnothing "
    "forall exists nexists neg lnot top bot angle triangle square diamond prime backprime complement eth mho "
    # operators and relations
    "pm mp times div cdot ast star circ bullet cap cup uplus sqcap sqcup vee wedge lor land setminus wr oplus ominus "
    "otimes oslash odot dagger ddagger amalg leq le geq ge equiv sim simeq approx cong neq ne propto prec succ preceq "
    "succeq ll gg subset supset subseteq supseteq nsubseteq subsetneq supsetneq sqsubseteq in ni notin mid nmid "
    "parallel nparallel perp models vdash dashv asymp doteq bowtie coloneqq coloneq eqqcolon triangleq lesssim gtrsim "
    "leqslant geqslant to gets mapsto leftarrow rightarrow leftrightarrow Leftarrow Rightarrow Leftrightarrow uparrow "
    "downarrow Uparrow Downarrow updownarrow longrightarrow longleftarrow longmapsto Longrightarrow Longleftarrow "
    "Longleftrightarrow longleftrightarrow hookrightarrow hookleftarrow rightharpoonup rightharpoondown leftharpoonup "
    "rightleftharpoons iff implies impliedby xrightarrow xleftarrow rightrightarrows twoheadrightarrow "
    "therefore because "
    "sum prod coprod int iint iiint oint bigcap bigcup bigvee bigwedge bigoplus bigotimes biguplus bigsqcup "
    # named functions
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup liminf max min sup inf "
    "arg det dim ker hom deg gcd Pr mod bmod pmod pod argmax argmin operatorname operatornamewithlimits limits "
    "nolimits "
    # layout
    "frac dfrac tfrac cfrac binom dbinom tbinom sqrt root over atop choose stackrel overset underset overline "
    "underline "
    "overbrace underbrace overrightarrow overleftarrow widehat widetilde hat check tilde acute grave dot ddot dddot "
    "breve bar vec mathring substack left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm "
    "middle lvert rvert lVert rVert vert Vert langle rangle lfloor rfloor lceil rceil lbrace rbrace lbrack rbrack "
    "backslash quad qquad enspace thinspace hspace mspace mskip kern hskip phantom hphantom vphantom smash mathstrut "
    "strut hfill displaystyle textstyle scriptstyle scriptscriptstyle mathord mathbin mathrel mathop mathopen "
    "mathclose "
    "mathpunct mathinner boxed fbox cancel color textcolor colorbox tag label notag nonumber hline cr newline "
    # type
    "text textrm textbf textit texttt textsf textnormal mbox hbox mathrm mathbf mathit mathsf mathtt mathcal mathbb "
    "mathfrak mathscr mathnormal boldsymbol bm pmb rm bf it cal sf tt dots ldots cdots vdots ddots dotsc dotsb dotsm "
    "colon semicolon degree percent euro pounds copyright ce pu"
)


def tex(node: LexborNode) -> str:
    """Return the TeX that a formula carries; where it has none that says what it shows, what can be made of it."""
    if noted := _noted(node):
        return noted
    carried, made = node.attributes.get("alttext") or "", mathml.made(node)
    return carried if made is None or (carried and tells(carried, made.signs)) else made


def _noted(node: LexborNode) -> str:
    told = node.css_first('annotation[encoding*="tex" i]')
    return told.text() if told is not None else ""


def beside_picture(node: LexborNode) -> str:
    """Return the TeX of the formula in a hidden element that its picture follows, or nothing."""
    math, twin = node.css_first("math"), node.next
    told = (_noted(math) or math.attributes.get("alttext")) if math is not None else ""
    while twin is not None and twin.tag == "-text":
        twin = twin.next
    pictured = twin is not None and twin.tag in {"img", "svg", "object", "span"}
    return " ".join(told.split()) if told and pictured and is_formula(told) else ""


def typed(text: str) -> list[tuple[str, bool]]:
    r"""Return `text` in pieces, each with whether it is a formula that scripts set: `\(...\)`, `\[...\]`, `$$...$$`."""
    told: list[tuple[str, bool]] = []
    end = 0
    for found in _TYPED.finditer(text):
        inner = " ".join((found[1] or found[2] or found[3]).split())
        if is_formula(inner):
            told += ((text[end : found.start()], False), (inner, True))
            end = found.end()
    return [*told, (text[end:], False)]


def tells(tex: str, shown: str) -> bool:
    """Tell whether the words of `tex` all stand in `shown`, the text of the formula that a person sees.

    Of TeX that was made of the formula, every sign has to: it knows nothing of what style sheets hide.
    """
    if isinstance(tex, mathml.Made):
        return len(tex) < _LONGEST and mathml.signs(shown) == tex.signs
    seen = _letters(shown)
    if not seen and not re.search(r"\S", shown):
        return False
    rest, unknown = _without_commands(tex)
    return (
        len(tex) < _LONGEST and unknown <= _MOST_UNKNOWN and all(_letters(word) in seen for word in _WORD.findall(rest))
    )


def is_formula(tex: str) -> bool:
    """Tell whether `tex` reads like a formula rather than a sentence, where nothing shown can be compared with it."""
    rest, unknown = _without_commands(tex)
    words = len(_WORD.findall(rest))
    signs = len(_SIGN.findall(rest)) + len(_COMMAND.findall(tex))
    return len(tex) < _LONGEST and unknown == 0 and words <= min(_MOST_WORDS, signs) and _ROW.search(rest) is None


def _without_commands(tex: str) -> tuple[str, int]:
    """Return what is left of `tex` without its commands, and how many of these are not TeX's own."""
    rest = _ENVIRONMENT.sub(" ", tex)
    unknown = {name for name in _COMMAND.findall(rest) if len(name) > 2 and name not in _COMMANDS}
    return _COMMAND.sub(" ", rest), len(unknown)


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalpha, folded))


def first_form(maction: LexborNode) -> LexborNode | None:
    """Return the first of several forms of a formula, as it is shown; the others go."""
    first = maction.css_first("maction > *")
    while first is not None and first.next is not None:
        first.next.decompose()
    return maction.first_child
