"""Tells what an element is by itself, or by what is said above it, as far as HTML alone settles it (Selectors 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.css.words import lowered, word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

    from wellread.css.pseudo import Test

_HIGHEST: Final = 300
_TICKED: Final = frozenset(["checkbox", "radio"])
_WRITTEN: Final = word_set("text search url tel email password number")
_UNASKED: Final = word_set("hidden range color submit image reset button")
"""Kinds of `<input>` that are ticked, that are written into, and that cannot be required."""


def _kind(node: LexborNode) -> str:
    return lowered(node.attributes.get("type") or "text")


def _is_said(node: LexborNode, test: Test) -> bool | None:
    """Tell whether an attribute puts a control into a state, as far as HTML alone settles it."""
    if node.tag not in test.value.split():
        return False
    said: bool | None = test.name in node.attributes
    if test.name == "checked":
        said = None if node.tag == "option" else said and _kind(node) in _TICKED
    odd = test.name == "required" and node.tag == "input" and _kind(node) in _UNASKED
    if odd or (test.name == "disabled" and not said and _is_barred(node)):
        return None
    return said if test.by != "not" or said is None else not said


def above(node: LexborNode) -> Iterator[LexborNode]:
    """Yield an element and those around it."""
    at: LexborNode | None = node
    for _ in range(_HIGHEST):
        if at is None:
            break
        yield at
        at = at.parent


def _is_barred(node: LexborNode) -> bool:
    """Tell whether a group around a control may disable it."""
    return any(at.tag in {"fieldset", "optgroup"} and "disabled" in at.attributes for at in above(node))


def _is_writable(node: LexborNode, test: Test) -> bool | None:
    attributes = node.attributes
    if node.tag in {"input", "textarea"}:
        plain = node.tag == "textarea" or _kind(node) in _WRITTEN
        writable: bool | None = plain and "readonly" not in attributes and "disabled" not in attributes
        if (writable and _is_barred(node)) or (not plain and _kind(node) not in _TICKED | _UNASKED):
            writable = None
    else:
        writable = None if _said_above(node, "contenteditable", empty=True) is not None else False
    return writable if test.by != "not" or writable is None else not writable


def _runs(node: LexborNode, test: Test) -> bool | None:
    """Tell whether text runs as `:dir()` asks; what is said wrongly says nothing."""
    for at in above(node):
        told = lowered(at.attributes.get("dir") or "")
        if told in {"ltr", "rtl"}:
            return told == test.value
        if told == "auto" or at.tag == "bdi":
            return None
    return test.value == "ltr"


def _speaks(node: LexborNode, test: Test) -> bool | None:
    """Tell whether text is in one of the languages asked for; None for ranges that leave something out."""
    told = _said_above(node, "lang", empty=True)
    doubt = told is None
    for one in test.value.split(","):
        asked = one.strip().strip("\"'")
        if told and asked and (told == asked or told.startswith(f"{asked}-")):
            return True
        doubt = doubt or not asked or "*" in asked or "\\" in asked
        doubt = doubt or ("-" in asked and (told or "").split("-")[0] == asked.split("-")[0])
    return None if doubt or _said_above(node, "xml:lang") else False


def _said_above(node: LexborNode, name: str, *, empty: bool = False) -> str | None:
    for at in above(node):
        attributes = at.attributes
        if name in attributes and (empty or attributes[name]):
            return lowered(attributes[name] or "")
    return None


STANDS: Final[dict[str, Callable[[LexborNode, Test], bool | None]]] = {
    "empty": lambda node, _: all(child.tag == "-comment" for child in node.iter(include_text=True)),
    "link": lambda node, _: node.tag in {"a", "area"} and "href" in node.attributes,
    "said": _is_said,
    "perhaps": lambda node, test: (
        None if node.tag in test.value.split() and (not test.name or test.name in node.attributes) else False
    ),
    "writable": _is_writable,
    "dir": _runs,
    "lang": _speaks,
    "unknown": lambda _node, _test: None,
}
"""By its kind: what an element is by itself, or by what is said above it."""
