"""Describes the differences between two snapshots of a page in a few lines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from wellread.browser.browse.outline import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.types import Element

MAX_CHANGES = 12
MAX_CHARS = 160


class ComparedState(NamedTuple):
    """The parts of a page that are compared with the next snapshot."""

    url: str
    document: str
    """Another one after each navigation."""
    elements: Mapping[int, Element]
    lines: Sequence[str]


def changes(before: ComparedState | None, after: ComparedState) -> tuple[str, ...]:
    """Return the differences, one line each, most important first; none for the first snapshot."""
    if before is None:
        return ()
    lines = [*_moved(before, after)]
    if before.document == after.document:
        lines += [*_altered(before, after), *_new(before, after), *_gone(before, after), *_said(before, after)]
    if len(lines) > MAX_CHANGES:
        lines = [*lines[:MAX_CHANGES], f"and {len(lines) - MAX_CHANGES} more"]
    return tuple(line[:MAX_CHARS] for line in lines)


def is_unanswered(before: ComparedState | None, after: ComparedState, index: int = 0) -> bool:
    """Return whether nothing has changed but the focus and the value of element `index`."""
    if before is None or (before.url, before.document) != (after.url, after.document):
        return False
    if before.elements.keys() != after.elements.keys() or Counter(before.lines) != Counter(after.lines):
        return False
    return all(
        number == index or _unfocused(element) == _unfocused(after.elements[number])
        for number, element in before.elements.items()
    )


def _unfocused(element: Element) -> tuple[object, ...]:
    return element.role, element.name, element.value, [word for word in element.state if word != "focused"]


def describe(element: Element) -> str:
    """Return an element in words: `[3] button "Save"`."""
    if not element.name:
        return f"[{element.index}] {element.role}"
    return f'[{element.index}] {element.role} "{escape(element.name)}"'


def _moved(before: ComparedState, after: ComparedState) -> Iterator[str]:
    if before.url != after.url:
        yield f"the address is now {after.url}"
    elif before.document != after.document:
        yield "the page was loaded again"


def _altered(before: ComparedState, after: ComparedState) -> Iterator[str]:
    for index, element in after.elements.items():
        old_element = before.elements.get(index)
        if old_element is None or old_element == element:
            continue
        if old_element.name != element.name:
            yield f'{describe(element)} was "{escape(old_element.name)}"'
        if old_element.value != element.value:
            yield f'{describe(element)} is "{escape(element.value)}", was "{escape(old_element.value)}"'
        gained = [word for word in element.state if word not in old_element.state]
        lost = [f"no longer {word}" for word in old_element.state if word not in element.state]
        if gained or (lost and old_element.value == element.value):
            yield f"{describe(element)} is {', '.join(gained or lost)}"


def _new(before: ComparedState, after: ComparedState) -> Iterator[str]:
    return (f"new: {describe(element)}" for index, element in after.elements.items() if index not in before.elements)


def _gone(before: ComparedState, after: ComparedState) -> Iterator[str]:
    return (f"gone: {describe(element)}" for index, element in before.elements.items() if index not in after.elements)


def _said(before: ComparedState, after: ComparedState) -> Iterator[str]:
    now, then = Counter(after.lines), Counter(before.lines)
    yield from (f"new text: {line}" for line in after.lines if now[line] > then[line] and line.strip())
    yield from (f"gone text: {line}" for line in before.lines if then[line] > now[line] and line.strip())
