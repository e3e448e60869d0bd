"""Finds what references of programming interfaces declare: signatures, and rows that name a parameter and its type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.bounded_cache import cached_calls
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    Part = tuple[str, int, "str | None"]

_MOST_CACHED: Final = 5_000
_MOST_NODES: Final = 60
"""Nodes by which an element is judged."""
_MOST_FIRST: Final = 12
"""Nodes among which the first text is looked for."""
MOST_PIECES: Final = 8
_LONGEST_ROW: Final = 160
"""Characters."""
_LONGEST_SIGNATURE: Final = 1_000
SIGNATURE_WORDS: Final = word_set("signature declaration prototype synopsis methodsynopsis fieldsynopsis memproto")
ROWS: Final = word_set("div header span li summary")
"""Elements that may be the row of a parameter."""
_APART: Final = word_set(
    "p pre h1 h2 h3 h4 h5 h6 ul ol table dl img form input select textarea blockquote section article br"
)
"""What stands in no row of short pieces."""
_PROSE: Final = word_set("p pre h1 h2 h3 h4 h5 h6 ul ol blockquote section article form")
_UNREAD: Final = word_set("script style svg template -comment button")
_NAME: Final = lazy_pattern(r"[$@]?[^\W\d][\w$.:\[\]{}-]{0,60}[?*]?")
_TYPE: Final = lazy_pattern(
    r"(?:(?:array|list|map|set) of )?"
    r"(?:strings?|str|integers?|u?int(?:8|16|32|64)?|numbers?|floats?|doubles?|decimal|booleans?|bool|objects?|array|list"
    r"|map|dict|any|file|binary|uuid|date(?:-?time)?|timestamp|enum|ur[il]|byte|char|long|null|json)"
    r"(?:\[\]|\s?<.{1,60}>|\s?\(.{1,60}\)|\s?\|.{1,60}|\?)?",
    re.IGNORECASE,
)
"""Types of JSON Schema and OpenAPI 3.1, and those of programming languages that references use."""
_DUTY: Final = word_set("required optional nullable deprecated")
_CALLS: Final = lazy_pattern(r"[\w>\])]\([^)]*\)")
_MODIFIERS: Final = lazy_pattern(
    r"(?:@\w+\s+)?(?:public|private|protected|internal|static|final|abstract|sealed|class|interface|enum|struct|trait|impl|type"
    r"|def|fn|func|fun|function|const|let|var|val|export|override|async|extern|typedef|template|record|module|pub)\s+\S"
)


@cached_calls(_MOST_CACHED)
def calls_signature(called: str) -> bool:
    """Tell whether a class calls a box a signature, of a program or a person."""
    return not SIGNATURE_WORDS.isdisjoint(names.words(called))


def is_signature(node: LexborNode) -> bool:
    """Tell whether an element that is called a signature declares what a program calls: others are of people."""
    if _pieces(node, _PROSE, _LONGEST_SIGNATURE) is None:
        return False
    text = " ".join((node.text(deep=True) or "").split())
    return _CALLS.search(text) is not None or _MODIFIERS.match(text) is not None


def spaced(parts: list[Part]) -> list[Part]:
    """Return the parts of a line, a space between a name and a type, or what else is said of a parameter, that meet."""
    texts = [text for text, _, _ in parts]
    meeting = [at for at in range(1, len(texts)) if texts[at - 1][-1:].isalnum() and texts[at][:1].isalnum()]
    if not meeting:
        return parts
    made = list(parts)
    for at in reversed(meeting):
        before, text = texts[at - 1], texts[at]
        if _is_kind(text) and (_is_kind(before) or (at == 1 and _NAME.fullmatch(before))):
            made.insert(at, (" ", 0, None))
    return made


def _is_kind(text: str) -> bool:
    text = text.strip(" ,;()*").lower()
    return text in _DUTY or _TYPE.fullmatch(text) is not None


def is_parameter(node: LexborNode, unnamed: set[int]) -> bool:
    """Tell whether an element of `ROWS` is a row of short pieces: a name, and its type.

    `unnamed` holds the memory ids of elements that are known to begin with no name. Elements inside `node` that begin
    where it does are added.
    """
    if (unnamed and node.mem_id in unnamed) or not _begins_with_name(node, unnamed):
        return False
    pieces = _pieces(node, _APART, _LONGEST_ROW)
    if pieces is None or not 2 <= len(pieces) <= MOST_PIECES:
        return False
    others = [piece.strip(" ,;()*").lower() for piece in pieces[1:]]
    return any(map(_TYPE.fullmatch, others))


def _begins_with_name(node: LexborNode, unnamed: set[int]) -> bool:
    """Tell at a glance whether the first text in an element may be a name: so it is in few."""
    passed: list[LexborNode] = []
    inner = node.first_child
    for _ in range(_MOST_FIRST):
        if inner is None:
            break
        tag = inner.tag
        if tag == "-text":
            text = (inner.text_content or "").strip()
            if text:
                if _NAME.fullmatch(text) is not None:
                    return True
                break
            inner = inner.next
            continue
        if tag in _APART:
            break
        first = inner.first_child
        if first is None:
            inner = inner.next
        else:
            passed.append(inner)
            inner = first
    else:
        return False
    unnamed.update(element.mem_id for element in passed)
    return False


def _pieces(node: LexborNode, apart: frozenset[str], longest: int) -> list[str] | None:
    """Return the pieces of text in an element; None where it is longer, or holds what no row does."""
    pieces: list[str] = []
    chars = 0
    stack = [node.first_child]
    for _ in range(_MOST_NODES):
        while stack and stack[-1] is None:
            stack.pop()
        inner = stack.pop() if stack else None
        if inner is None:
            return pieces
        stack.append(inner.next)
        if inner.is_text_node:
            text = (inner.text_content or "").strip()
            chars += len(text)
            if chars > longest:
                return None
            if text:
                pieces.append(text)
            continue
        tag = inner.tag or ""
        if tag in apart:
            return None
        if tag not in _UNREAD:
            stack.append(inner.first_child)
    return None
