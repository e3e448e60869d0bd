"""Describes the differences between two snapshots of a page in a few lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.outline import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.types import Element, PageSnapshot

MAX_CHANGES = 12
MAX_CHARS = 160
MAX_CONTEXT_CHARS = 80
"""Characters of a line that is gone, and of the line above: enough to recognize it."""
_MARKER: Final = re.compile(r"(?<!\\)\[(\d{1,7})\] ")


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


class ShownPage:
    """The first page of the snapshot that a caller was shown last: later steps return what has changed since."""

    def __init__(self) -> None:
        """Nothing was shown yet."""
        self._document = ""
        self._snapshot: PageSnapshot | None = None

    def show(self, snapshot: PageSnapshot, document: str) -> None:
        """Remember a whole snapshot of a document; those of further pages are no base for changes."""
        if snapshot.page == 1:
            self._snapshot, self._document = snapshot, document

    def after_step(self, snapshot: PageSnapshot, document: str) -> PageSnapshot | None:
        """Remember a snapshot, and return it with the changed lines alone; None where the caller needs all of it."""
        before, document_before = self._snapshot, self._document
        self.show(snapshot, document)
        if before is None or document != document_before or snapshot.page > 1:
            return None
        return changed_snapshot(before, snapshot)


def changed_snapshot(before: PageSnapshot, after: PageSnapshot) -> PageSnapshot | None:
    """Return `after` with the lines of its content that differ from those of `before`, of the same document.

    Its `changes` are those that the lines do not show: address, title, and elements of further pages. None: the whole
    content is not longer.
    """
    content = changed_content(before.content, after.content)
    if len(content) >= len(after.content) + sum(map(len, after.changes)):
        return None
    page_changes = []
    if after.url != before.url:
        page_changes.append(f"the address is now {after.url}")
    if after.title != before.title:
        page_changes.append(f'the title is now "{after.title}"')
    if after.pages > 1:
        page_changes += [change for change in after.changes if change not in page_changes]
    return replace(after, content=content, changes=tuple(page_changes))


def changed_content(before: str, after: str) -> str:
    """Return the lines of a snapshot's content that differ from those of the snapshot before, with their places.

    The form is that of a unified diff: `+ ` before a line that is new or changed, `- ` before one that is gone, two
    spaces before the line above, which shows the place. A line that is gone is left out where a new line in its place
    has all its elements. Lines that are gone, and lines above, are cut at `MAX_CONTEXT_CHARS`.
    """
    old_lines, new_lines = before.split("\n"), after.split("\n")
    pairs = [*_common_lines(old_lines, new_lines), (len(old_lines), len(new_lines))]
    lines: list[str] = []
    old_index = new_index = 0
    for old_end, new_end in pairs:
        if old_index < old_end or new_index < new_end:
            if new_index:
                lines.append(f"  {new_lines[new_index - 1][:MAX_CONTEXT_CHARS]}")
            lines += _hunk(old_lines[old_index:old_end], new_lines[new_index:new_end])
        old_index, new_index = old_end + 1, new_end + 1
    same_count = len(pairs) - 1
    return "\n".join([f"=== changed: + new, - gone; {same_count} lines as before ===", *lines])


def _hunk(old_lines: Sequence[str], new_lines: Sequence[str]) -> Iterator[str]:
    numbers = {number for line in new_lines for number in _MARKER.findall(line)}
    for line in old_lines:
        old_numbers = _MARKER.findall(line)
        if not old_numbers or not numbers.issuperset(old_numbers):
            yield f"- {line[:MAX_CONTEXT_CHARS]}"
    yield from (f"+ {line}" for line in new_lines)


def _common_lines(old_lines: Sequence[str], new_lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the indexes of lines that are the same in both and in the same order, by patience diff.

    Lines that occur once on each side are anchors, the longest increasing run of them is kept, and from each anchor
    equal neighbours are added on both sides. The work grows with the number of lines, whatever they contain.
    """
    old_counts, new_counts = Counter(old_lines), Counter(new_lines)
    places = {line: index for index, line in enumerate(old_lines) if old_counts[line] == 1}
    anchors = [
        (places[line], index) for index, line in enumerate(new_lines) if line in places and new_counts[line] == 1
    ]
    pairs: list[tuple[int, int]] = []
    old_start = new_start = 0
    for old_end, new_end in [*_longest_increasing(anchors), (len(old_lines), len(new_lines))]:
        head = 0
        while (
            old_start + head < old_end
            and new_start + head < new_end
            and old_lines[old_start + head] == new_lines[new_start + head]
        ):
            pairs.append((old_start + head, new_start + head))
            head += 1
        tail = 1
        while (
            old_end - tail >= old_start + head
            and new_end - tail >= new_start + head
            and old_lines[old_end - tail] == new_lines[new_end - tail]
        ):
            tail += 1
        pairs += [(old_end - step, new_end - step) for step in range(tail - 1, -1, -1)]
        old_start, new_start = old_end + 1, new_end + 1
    return pairs[:-1]


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs, in their order, whose first numbers increase."""
    ends: list[int] = []
    """The smallest first number at which a run of each length ends."""
    chosen = [-1]
    """The pair at the end of the run of each length, from none on."""
    previous: list[int] = []
    for index, (place, _) in enumerate(pairs):
        length = bisect_left(ends, place)
        previous.append(chosen[length])
        ends[length : length + 1] = [place]
        chosen[length + 1 : length + 2] = [index]
    run: list[tuple[int, int]] = []
    index = chosen[-1]
    while index >= 0:
        run.append(pairs[index])
        index = previous[index]
    return run[::-1]
