"""Reads CSS declarations as a browser does: comments, strings, escapes, `!important` (CSS Syntax 3, 5.4.4)."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import tinycss2

from wellread.bounded_cache import cached_calls
from wellread.css.brackets import is_deep
from wellread.css.properties import is_known
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_ODD: Final = 50_000
"""Characters that the slow tokenizer is given; honest styles with escapes in them hold some dozens."""
_LONGEST_SHORT: Final = 2_000
_MOST_ALIKE: Final = 20
"""Declarations of one property: prefixes and fallbacks make half a dozen."""
_MOST_CUSTOM: Final = 2_000
ATOMS: Final = lazy_pattern(
    r"/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*+(?:\"|\n|\\?\Z)|'(?:[^'\\\n]|\\.)*+(?:'|\n|\\?\Z)"
    r"|url\(\s*+(?![\"'\s])(?:[^)\\]|\\.)*+(?:\)|\\?\Z)|\\.",
    re.DOTALL | re.IGNORECASE,
)
_LOCAL: Final = lazy_pattern(r"url\(\s*#[\w-]+\s*\)", re.IGNORECASE)
_IMPORTANT: Final = lazy_pattern(r"!\s*+important\s*+\Z")
_CUSTOM: Final = lazy_pattern(r"(--(?:[\w-]|[^\x00-\x7f])+)")
_SPECIAL: Final = lazy_pattern(r"[{};()\[\],]")


class Declaration(NamedTuple):
    """`name: value`, both in lower case; the value without `!important`."""

    name: str
    value: str
    important: bool


def declarations(style: str) -> tuple[Declaration, ...] | None:
    """Return the declarations of a style attribute or the body of a rule; None when it is too odd to be read."""
    return _short(style) if len(style) < _LONGEST_SHORT else _long(style)


@cached_calls(20_000, longest=_LONGEST_SHORT)
def _short(style: str) -> tuple[Declaration, ...] | None:
    return _bounded(_read(style))


@cached_calls(64, longest=100_000)
def _long(style: str) -> tuple[Declaration, ...] | None:
    return _bounded(_read(style))


def _bounded(found: tuple[Declaration, ...] | None) -> tuple[Declaration, ...] | None:
    """Keep what can matter; what says one property over and over is too odd, and costs too much, to be read."""
    kept: list[Declaration] = []
    alike: Counter[str] = Counter()
    for one in reversed(found or ()):
        own = one.name.startswith("--")
        if not own and not is_known(one.name):
            continue
        alike["--" if own else one.name] += 1
        if alike["--"] > _MOST_CUSTOM and own:
            continue
        if not own and alike[one.name] > _MOST_ALIKE:
            return None
        kept.append(one)
    return None if found is None else tuple(reversed(kept))


def _read(style: str) -> tuple[Declaration, ...] | None:
    plain = neutral(style)
    if is_deep(plain):
        return None
    if "\\" not in plain and not any(sign in plain for sign in "{}[]<@") and _balanced(plain):
        return tuple(_plain(_lowered(plain)))
    return tuple(_odd(style)) if len(style) < _LONGEST_ODD else None


def neutral(css: str, tight: str = " ") -> str:
    """Return `css` with comments gone and nothing in strings, URLs and escapes that looks like structure.

    A comment becomes white space, or `tight` where none is beside it: selectors tell these apart.
    """
    if not any(sign in css for sign in ("/*", '"', "'", "\\", "url(", "URL(")):
        return css
    return ATOMS.sub(_neutral if tight == " " else lambda found: tight if _is_tight(found) else _neutral(found), css)


def _is_tight(found: re.Match[str]) -> bool:
    css, (start, end) = found.string, found.span()
    return css[start] == "/" and _LOOSE.isdisjoint((css[start - 1 : start], css[end : end + 1]))


_LOOSE: Final = frozenset(["", *" \t\r\n\f{};,>+~"])


def _neutral(found: re.Match[str]) -> str:
    atom = found.group()
    if atom[0] == "/":
        return " "
    if atom[0] in "uU":
        return atom if _LOCAL.fullmatch(atom) else "url(x)"
    if atom[0] == "\\":
        return f"\\{ord(atom[1]):x} " if _SPECIAL.match(atom[1]) else atom
    return _SPECIAL.sub(lambda sign: f"\\{ord(sign.group()):x} ", atom)


def _lowered(plain: str) -> str:
    """Return a style in lower case, but for the names of custom properties, which have a case."""
    if "--" not in plain:
        return plain.lower()
    return "".join(part if at % 2 else part.lower() for at, part in enumerate(_CUSTOM.split(plain)))


def _balanced(plain: str) -> bool:
    return "(" not in plain or all(part.count("(") == part.count(")") for part in plain.split(";"))


def _plain(style: str) -> Iterator[Declaration]:
    for part in style.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found = _IMPORTANT.search(value) if "!" in value else None
            yield Declaration(name.strip(), (value[: found.start()] if found else value).strip(), found is not None)


def _odd(style: str) -> Iterator[Declaration]:
    for item in tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True):
        if item.type == "declaration":
            value = _lowered("".join(map(_spelled, item.value)).strip())
            own = item.name.startswith("--")
            yield Declaration(item.name if own else item.lower_name, value, item.important)


def _spelled(token: tinycss2.ast.Node) -> str:
    """Write a token without escapes and comments; only what has a keyword in it matters here."""
    if token.type == "ident":
        # An escaped bracket or comma is part of a name that no keyword has: it must not become structure.
        return _SPECIAL.sub("\ufffd", str(token.value))
    if token.type == "comment":
        return " "
    if token.type == "function":
        return f"{token.name}({''.join(map(_spelled, token.arguments))})"
    return str(token.serialize())
