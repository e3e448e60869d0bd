"""Describes the differences between two snapshots of a page in a few lines."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wellread.browser.browse.outline import MARKER, escape
from wellread.text.counts import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.types import Element, PageSnapshot

MAX_CHANGES = 12
MAX_CHARS = 160
MAX_CONTEXT_CHARS = 80
"""Characters of a line that is gone, and of the line above: enough to recognize it."""


class DocumentLines(Protocol):
    """The document in front of a browser session."""

    @property
    def document(self) -> str:
        """Another one after each navigation."""

    @property
    def lines(self) -> Sequence[str]:
        """All its lines, in document order."""


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
    """The document that a caller was shown last: later steps return what has changed in it since."""

    def __init__(self) -> None:
        """Nothing was shown yet."""
        self._document = ""
        self._lines: Sequence[str] = ()
        self._seen: set[str] = set()
        """The lines of this document that the caller was shown, on any page of a snapshot."""
        self._place = ("", "")

    def show(self, snapshot: PageSnapshot, tab: DocumentLines) -> None:
        """Remember a snapshot that the caller is shown whole."""
        if tab.document != self._document:
            self._seen = set()
        self._document, self._lines = tab.document, tab.lines
        self._place = (snapshot.url, snapshot.title)
        self._seen = self._seen.union(map(_without_focus, snapshot.content.split("\n")))

    def after_step(self, snapshot: PageSnapshot, tab: DocumentLines) -> PageSnapshot | None:
        """Remember a snapshot, and return it with the changed lines of the document instead of its content.

        None where the caller needs the snapshot: it is of another document or shorter, or the window has moved to lines
        that the caller has not seen. Its `changes` are then a new address and a new title.
        """
        lines_before, seen, place_before = self._lines, self._seen, self._place
        is_same_document = tab.document == self._document
        self.show(snapshot, tab)
        if not is_same_document or snapshot.page > 1:
            return None
        content = changed_content(lines_before, tab.lines)
        known_lines = seen | {_without_focus(line[2:]) for line in content.split("\n")}
        lines = [line for line in snapshot.content.split("\n") if not line.startswith("=== ")]
        if not known_lines.issuperset(map(_without_focus, lines)):
            return None
        if len(content) >= len(snapshot.content) + sum(map(len, snapshot.changes)):
            return None
        names = ("the address is now {}", 'the title is now "{}"')
        moves = zip(names, place_before, self._place, strict=True)
        page_changes = tuple(name.format(after) for name, before, after in moves if before != after)
        return replace(snapshot, content=content, changes=page_changes)


def changed_content(before: Sequence[str], after: Sequence[str]) -> str:
    """Return the lines of a document that differ from those before, with their places.

    The form is that of a unified diff: `~ ` before a line that has changed but has the same elements, `+ ` before a new
    one, `- ` before one that is gone, two spaces before the line above, which shows the place. Lines that are gone, and
    lines above, are cut at `MAX_CONTEXT_CHARS`. A focus that has moved is no change, if there is any other.
    """
    unfocused_before, unfocused_after = list(map(_without_focus, before)), list(map(_without_focus, after))
    pairs = _common_lines(unfocused_before, unfocused_after)
    if len(pairs) == len(before) == len(after):
        pairs = _common_lines(before, after)
    lines: list[str] = []
    old_index = new_index = 0
    for old_end, new_end in [*pairs, (len(before), len(after))]:
        if old_index < old_end or new_index < new_end:
            if new_index:
                lines.append(f"  {after[new_index - 1][:MAX_CONTEXT_CHARS]}")
            lines += _hunk(before[old_index:old_end], after[new_index:new_end])
        old_index, new_index = old_end + 1, new_end + 1
    if not lines:
        return f"=== nothing changed; {count_of(len(pairs), 'line')} as before ==="
    return "\n".join([f"=== ~ changed, + new, - gone; {count_of(len(pairs), 'line')} as before ===", *lines])


def _hunk(old_lines: Sequence[str], new_lines: Sequence[str]) -> Iterator[str]:
    old_elements, new_elements = [*map(_elements, old_lines)], [*map(_elements, new_lines)]
    changed_elements = set(old_elements) & set(new_elements) - {frozenset()}
    for line, elements in zip(old_lines, old_elements, strict=True):
        if elements not in changed_elements:
            yield f"- {line[:MAX_CONTEXT_CHARS]}"
    for line, elements in zip(new_lines, new_elements, strict=True):
        yield f"{'+~'[elements in changed_elements]} {line}"


def _elements(line: str) -> frozenset[str]:
    """Return the numbers of the elements in a line."""
    return frozenset(MARKER.findall(line))


def _without_focus(line: str) -> str:
    """Return a line without the state that each step moves."""
    return (
        line.replace(" (focused)", "").replace(", focused)", ")").replace("(focused, ", "(").replace(", focused,", ",")
    )


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
