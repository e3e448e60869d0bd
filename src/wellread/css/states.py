"""Tells what an element is by itself, or by what is said above it, as far as HTML alone settles it (Selectors 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, cast

from wellread.css.words import lowered, word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

    from wellread.css.pseudo import Test

_T = TypeVar("_T")

_HIGHEST: Final = 300
_TICKED: Final = frozenset(["checkbox", "radio"])
_WRITTEN: Final = word_set("text search url tel email password number")
_UNASKED: Final = word_set("hidden range color submit image reset button")
"""Kinds of `<input>` that are ticked, that are written into, and that cannot be required."""


def _kind(node: LexborNode) -> str:
    return lowered(node.attributes.get("type") or "text")


class StateMemo:
    """Remembers the answers about each element, by itself or by the elements around it."""

    def __init__(self) -> None:
        self._known: dict[str, dict[int, object]] = {}

    def once(self, question: str, node: LexborNode, answer: Callable[[LexborNode], _T]) -> _T:
        """Return the `answer` of one element."""
        known = cast("dict[int, _T]", self._known.setdefault(question, {}))
        if node.mem_id not in known:
            known[node.mem_id] = answer(node)
        return known[node.mem_id]

    def nearest(self, question: str, node: LexborNode, answer: Callable[[LexborNode], _T | None]) -> _T | None:
        """Return the `answer` of the nearest element, the first being `node`, that has one; `question` names it."""
        known = cast("dict[int, _T | None]", self._known.setdefault(question, {}))
        way: list[int] = []
        at: LexborNode | None = node
        found: _T | None = None
        while at is not None and len(way) < _HIGHEST:
            if at.mem_id in known:
                found = known[at.mem_id]
                break
            way.append(at.mem_id)
            found = answer(at)
            if found is not None:
                break
            at = at.parent
        known.update(dict.fromkeys(way, found))
        return found


def _is_said(node: LexborNode, test: Test, around: StateMemo) -> bool | None:
    """Tell whether an attribute puts a control into a state, as far as HTML alone settles it."""
    if node.tag not in test.value.split():
        return False
    said: bool | None = test.name in node.attributes
    if test.name == "checked":
        said = None if node.tag == "option" else said and _kind(node) in _TICKED
    odd = test.name == "required" and node.tag == "input" and _kind(node) in _UNASKED
    if odd or (test.name == "disabled" and not said and _is_barred(node, around)):
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


def _is_barred(node: LexborNode, around: StateMemo) -> bool:
    """Tell whether a group around a control may disable it."""
    return around.nearest("disabled", node, _bars) is not None


def _bars(node: LexborNode) -> bool | None:
    return True if node.tag in {"fieldset", "optgroup"} and "disabled" in node.attributes else None


def _is_writable(node: LexborNode, test: Test, around: StateMemo) -> bool | None:
    attributes = node.attributes
    if node.tag in {"input", "textarea"}:
        plain = node.tag == "textarea" or _kind(node) in _WRITTEN
        writable: bool | None = plain and "readonly" not in attributes and "disabled" not in attributes
        if (writable and _is_barred(node, around)) or (not plain and _kind(node) not in _TICKED | _UNASKED):
            writable = None
    else:
        writable = None if _said_above(node, "contenteditable", around) is not None else False
    return writable if test.by != "not" or writable is None else not writable


def _runs(node: LexborNode, test: Test, around: StateMemo) -> bool | None:
    """Tell whether text runs as `:dir()` asks; what is said wrongly says nothing."""
    direction = around.nearest("dir", node, _direction)
    return None if direction == "auto" else (direction or "ltr") == test.value


def _direction(node: LexborNode) -> str | None:
    told = lowered(node.attributes.get("dir") or "")
    if told in {"ltr", "rtl"}:
        return told
    return "auto" if told == "auto" or node.tag == "bdi" else None


def _speaks(node: LexborNode, test: Test, around: StateMemo) -> bool | None:
    """Tell whether text is in one of the languages asked for; None for ranges that leave something out."""
    told = _said_above(node, "lang", around)
    doubt = told is None
    for one in test.value.split(","):
        asked = one.strip().strip("\"'")
        if told and asked and (told == asked or told.startswith(f"{asked}-")):
            return True
        doubt = doubt or not asked or "*" in asked or "\\" in asked
        doubt = doubt or ("-" in asked and (told or "").split("-")[0] == asked.split("-")[0])
    xml_language = around.nearest("xml:lang", node, lambda element: element.attributes.get("xml:lang") or None)
    return None if doubt or xml_language else False


def _said_above(node: LexborNode, name: str, around: StateMemo) -> str | None:
    """Return what the nearest element says by an attribute, be it nothing, in lower case."""
    return around.nearest(
        name, node, lambda at: lowered(attributes[name] or "") if name in (attributes := at.attributes) else None
    )


def _is_empty(node: LexborNode) -> bool:
    return all(child.tag == "-comment" for child in node.iter(include_text=True))


STANDS: Final[dict[str, Callable[[LexborNode, Test, StateMemo], bool | None]]] = {
    "empty": lambda node, _, around: around.once("empty", node, _is_empty),
    "link": lambda node, _test, _around: node.tag in {"a", "area"} and "href" in node.attributes,
    "said": _is_said,
    "perhaps": lambda node, test, _around: (
        None if node.tag in test.value.split() and (not test.name or test.name in node.attributes) else False
    ),
    "writable": _is_writable,
    "dir": _runs,
    "lang": _speaks,
    "unknown": lambda _node, _test, _around: None,
}
"""By its kind: what an element is by itself, or by what is said above it."""
