"""Tells the TeX of a formula: what it carries, if that says what is shown, and nothing to machines alone."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from wellread.bounded_cache import cached_calls
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.segmentation import mathml
from wellread.segmentation.tex import COMMAND, LAYOUT, LONGEST, shown, signs, without_unseen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selectolax.lexbor import LexborNode

_MOST_WORDS: Final = 6
_MOST_IN_A_ROW: Final = 3
_WORD: Final = lazy_pattern(r"[^\W\d_]{3,}")
_ROW: Final = lazy_pattern(rf"(?<![^\W\d_])(?:[^\W\d_]{{3,}}+[\s{{}},.:;~]++){{{_MOST_IN_A_ROW}}}[^\W\d_]{{3}}")
_SIGN: Final = lazy_pattern(r"[^\s\w{}]|\d+|(?<![^\W\d_])[^\W\d_]{1,2}(?![^\W\d_])")
_NAMED: Final = lazy_pattern(r"\\(?:[dtc]?frac|sqrt|sin|cos|tan|log|ln|exp|lim|max|min|det|mid)(?![a-zA-Z])")
"""Commands that part what is before them from what follows, for whoever reads the formula."""
_NO_SIZE: Final = lazy_pattern(r"(?:width|height)\s*:\s*[+-]?(?:0+(?:\.0*)?|\.0+)(?![\d.])", re.IGNORECASE)
_LETTERS: Final = lazy_pattern(r"[A-Za-z]{13}")
"""More letters in a row, whatever TeX puts between them, than hidden formulas of honest pages have beside words."""

_TYPED: Final = lazy_pattern(
    r"(?<!\\)(?:\\\(((?:[^\\]|\\\\|\\[^\\()])++)\\\)|\\\[((?:[^\\]|\\\\|\\[^\\\[\]])++)\\\]|\$\$([^$]++)\$\$)"
)
"""TeX between the marks that scripts look for: none holds another, so that each is looked at once."""


_MOST_CACHED: Final = 5_000
_LONGEST_ADDRESS: Final = 500
MATH_WORDS: Final = word_set("math tex latex katex mathjax arithmatex formula")
"""Words in names of elements that scripts make formulas of."""
_MATH_PICTURE: Final = lazy_pattern(r"(?<![a-z])(?:latex|mathtex|mimetex|codecogs|tex)(?![a-z])", re.IGNORECASE)
"""Words in classes and addresses of pictures that services draw of TeX."""
ALWAYS: Final = word_set("script img pre")
"""Elements that may hold a formula whatever they are called."""
TEX_ATTRIBUTES: Final = word_set("data-tex data-latex data-math data-formula data-katex data-equation")
_MARKS: Final = (("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("$", "$"))


class Drawn(str):
    """TeX of a formula that HTML draws, in an order of its own: below before above, columns before rows."""

    __slots__ = ()


def tex(node: LexborNode) -> str:
    """Return the TeX that a formula carries; where it has none that says what it shows, what can be made of it."""
    carried, made = _carried(node), mathml.made(node)
    return carried if made is None or (carried and tells(carried, made.signs)) else made


def _carried(node: LexborNode) -> str:
    told = node.css_first('annotation[encoding*="tex" i]')
    return without_unseen((told.text() if told is not None else "") or node.attributes.get("alttext") or "")


def drawn(node: LexborNode) -> tuple[int, str] | None:
    """Return the picture or HTML that follows a hidden formula, by its `mem_id`, and the TeX that it should show."""
    math, twin = node.css_first("math"), node.next
    told = " ".join(_carried(math).split()) if math is not None else ""
    while twin is not None and twin.tag == "-text":
        twin = twin.next
    if twin is None or not _is_seen(twin) or not is_formula(told) or _is_spelt(told):
        return None
    return twin.mem_id, Drawn(told)


def _is_seen(twin: LexborNode) -> bool:
    """Tell whether an element can show a formula; of HTML, the walk will see what it shows."""
    size = "".join(f"{name}:{twin.attributes.get(name)};" for name in ("width", "height"))
    return twin.tag == "span" or (
        twin.tag == "img" and not _NO_SIZE.search(size + (twin.attributes.get("style") or ""))
    )


def _is_spelt(told: str) -> bool:
    """Tell whether single letters follow one another as only those of a sentence do."""
    said = shown(_NAMED.sub("|", told)) or ""
    for word in _WORD.findall(_between_commands(told)):
        said = said.replace(word, "|")
    return _LETTERS.search(said) is not None


def typed(text: str) -> list[tuple[str, bool]]:
    r"""Return `text` in pieces, each with whether it is a formula that scripts set: `\(...\)`, `\[...\]`, `$$...$$`."""
    told: list[tuple[str, bool]] = []
    end = 0
    for found in _TYPED.finditer(text):
        inner = " ".join(without_unseen(found[1] or found[2] or found[3]).split())
        if is_formula(inner):
            told += ((text[end : found.start()], False), (inner, True))
            end = found.end()
    return [*told, (text[end:], False)]


def tells(tex: str, seen: str) -> bool:
    """Tell whether `tex` shows what `seen` does, the text of the formula that a person sees, and no more.

    Letters and digits have to be the same, in order. Signs look different from font to font: for one that is not seen,
    another has to be that TeX does not name; but those of a keyboard stand for themselves.
    Of TeX that was made of the formula, every sign has to be seen: it knows nothing of what style sheets hide.
    """
    if isinstance(tex, mathml.Made):
        return len(tex) < LONGEST and mathml.signs(seen) == tex.signs
    told, seen = shown(tex), signs(seen)
    if not told or not seen:
        return False
    letters, others = (list(filter(str.isalnum, text)) for text in (told, seen))
    if (sorted(letters) != sorted(others) or not is_formula(tex)) if isinstance(tex, Drawn) else letters != others:
        return False
    named, there = (Counter(sign for sign in text if not sign.isalnum()) for text in (told, seen))
    missing, more = named - there, there - named
    return not any(map(str.isascii, missing)) and missing.total() <= sum(more[it] for it in more if not it.isascii())


def stated(node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> str:
    """Return the TeX that an element other than <math> holds or names instead of a formula, by what it is called.

    Scripts replace such elements, and pictures show what is in their `alt`. It has to read like a formula.
    """
    if tag == "script":
        return _script_tex(node, attributes)
    if tag == "img":
        called = f"{attributes.get('class') or ''} {attributes.get('src') or ''}"
        return _checked(attributes.get("alt") or "") if _MATH_PICTURE.search(called, 0, _LONGEST_ADDRESS) else ""
    if not TEX_ATTRIBUTES.isdisjoint(attributes) and not (node.text(deep=True) or "").strip():
        return next(filter(None, (_checked(attributes.get(name) or "") for name in sorted(TEX_ATTRIBUTES))), "")
    return _typed_tex(node, tag, attributes) if tag not in {"math", "body"} else ""


def _typed_tex(node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> str:
    """Return the TeX that is all the text of an element called after mathematics."""
    called = attributes.get("class") or ""
    child = node.first_child
    if tag == "pre" and child is not None and child.tag == "code" and child.next is None:
        called += f" {child.attributes.get('class')}"
        child = child.first_child
    if not (calls_math(called) or ("-" in tag and calls_math(tag))):
        return ""
    if child is None:
        return _checked(attributes.get("data-value") or "")
    return _checked(child.text_content or "") if child.tag == "-text" and child.next is None else ""


def _script_tex(node: LexborNode, attributes: Mapping[str, str | None]) -> str:
    """Return the TeX that a script of MathJax 2 holds, unless what it was made into stands before it."""
    made = node.prev
    while made is not None and made.tag == "-text" and not (made.text_content or "").strip():
        made = made.prev
    called = (made.attributes.get("class") or "") if made is not None and made.tag != "-text" else ""
    if "MathJax" in called and made is not None and (made.text(deep=True) or "").strip():
        return ""
    return _checked(node.text(deep=True) or "") if is_tex_script(attributes) else ""


def is_tex_script(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether a script holds a formula for MathJax 2."""
    return (attributes.get("type") or "").partition(";")[0].strip() in {"math/tex", "math/latex"}


@cached_calls(_MOST_CACHED)
def calls_math(called: str) -> bool:
    """Tell whether a name is that of something mathematical."""
    return not MATH_WORDS.isdisjoint(names.words(called))


def _checked(text: str) -> str:
    """Return TeX without the marks around it, if it reads like a formula."""
    tex = " ".join(without_unseen(text).split()) if len(text) <= LONGEST else ""
    for begin, end in _MARKS:
        if tex.startswith(begin) and tex.endswith(end) and len(tex) > len(begin) + len(end):
            tex = tex[len(begin) : -len(end)].strip()
            break
    return tex if tex and is_formula(tex) else ""


def is_formula(tex: str) -> bool:
    """Tell whether `tex` reads like a formula rather than a sentence, where nothing shown can be compared with it."""
    if not shown(tex):
        return False
    rest = _between_commands(tex)
    words, signs = len(_WORD.findall(rest)), len(_SIGN.findall(rest)) + len(COMMAND.findall(tex))
    return words <= min(_MOST_WORDS, signs) and _ROW.search(rest) is None


def _between_commands(tex: str) -> str:
    return COMMAND.sub(" ", LAYOUT.sub(" ", tex))
