"""The last snapshot of a tab: which number stands for which element, and the changes since the snapshot before it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.changes import ComparedState, changes, is_unanswered
from wellread.browser.browse.controls import LISTENERS, Control, controls
from wellread.browser.browse.element_contexts import PlacedWords, context_labels, element_contexts, placed_words
from wellread.browser.browse.element_names import ElementNames
from wellread.browser.browse.outline import MARKER, MAX_ELEMENTS, Outline, OutlinePage, escape, outline
from wellread.browser.browse.page_tree import NodeKey, page_tree
from wellread.browser.browse.rerendered import remade
from wellread.errors import InvalidInput
from wellread.text.counts import count_of
from wellread.text.expression_search import MAX_PATTERN_CHARS, expression_spans
from wellread.types import Element, PageSnapshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.browser.browse.page_tree import PageState, PageTree

MAX_URL_CHARS = 4_000
MAX_NAME_CHARS = 100
MAX_TEXTS = 5_000
"""Elements whose text is searched for words."""
_MAX_LINES = 40
_MAX_LINE_CHARS = 400
"""Lines that a search returns, and characters of each."""
_MAX_MATCHES = 2_000
_MAX_CANDIDATES = 6
"""Elements that an error names where words or a selector fit several."""
_CHECK_SNAPSHOT: Final = "check the snapshot"
_ROW_ADVICE: Final = ", or add words of its row (Delete in row 'Order 7')"


class ElementRef(NamedTuple):
    """An element that can be acted on."""

    number: int
    key: NodeKey
    frame: str
    """The browser's name for the frame that it is in."""
    owners: tuple[tuple[NodeKey, str], ...]
    """The elements of the frames around it, the innermost first, each with the frame that it is in."""
    element: Element

    @property
    def label(self) -> str:
        """Its number and role, without words of the page: for notices, which are not quoted."""
        return f"[{self.number}] {self.element.role}"

    @property
    def description(self) -> str:
        """Its number, role and name: `[3] button "Save"`."""
        if not self.element.name:
            return self.label
        return f'{self.label} "{self.element.name}"'


class PageView(NamedTuple):
    """A page tree, its controls, and the points at which a click must hit the controls to prove them reachable."""

    tree: PageTree
    controls: tuple[Control, ...]
    points: tuple[tuple[float, float], ...]
    """One for each of `probed`."""
    probed: tuple[Control, ...]


def build_view(state: PageState) -> PageView:
    """Find the controls of a page, and the points to probe: the middle of each that is in the window."""
    tree = page_tree(state)
    page_controls = controls(tree)
    probed, points = [], []
    for control in page_controls:
        visible_box = tree.nodes[control.node_id].visible_box
        if visible_box is None or control.role == "hoverable":
            continue
        x_min, x_max = max(visible_box.x, 0.0), min(visible_box.x + visible_box.width, state.width)
        y_min, y_max = max(visible_box.y, 0.0), min(visible_box.y + visible_box.height, state.height)
        if x_max - x_min > 1 and y_max - y_min > 1:
            probed.append(control)
            points.append(((x_min + x_max) / 2, (y_min + y_max) / 2))
    return PageView(tree, tuple(page_controls), tuple(points), tuple(probed))


def has_text(page_view: PageView, text: str) -> bool:
    """Return whether a snapshot of `page_view` would contain a text, whatever its case."""
    controls_by_id = {control.node_id: control for control in page_view.controls}
    pages = outline(page_view.tree, controls_by_id, dict.fromkeys(controls_by_id, 0), frozenset()).pages
    text_shown = " ".join(page.content.replace("[0] ", "") for page in pages)
    return _folded(escape(text)) in _folded(text_shown)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def covered_controls(page_view: PageView, hits: Sequence[int], process: str) -> frozenset[int]:
    """Return the controls at whose points another element is hit; `hits` are elements of the page's `process`."""
    tree = page_view.tree
    node_ids = {node.key: node.node_id for node in tree.nodes}
    covered_ids = set()
    for control, hit in zip(page_view.probed, hits, strict=False):
        node_id = node_ids.get(NodeKey(process, hit))
        if node_id is None or node_id == control.node_id:
            continue
        family = {control.node_id, *tree.ancestors(control.node_id), *tree.descendants(control.node_id)}
        names = {tree.nodes[ancestor_id].dom.name for ancestor_id in (node_id, *tree.ancestors(node_id)[:3])}
        is_area = tree.nodes[control.node_id].dom.name == "area"
        if node_id not in family and "label" not in names and not is_area:
            covered_ids.add(control.node_id)
    return frozenset(covered_ids)


@dataclass(slots=True)
class ElementIndex:
    """The numbers of one tab's elements. They stay as long as the elements do, and begin anew with each document."""

    document: str = ""
    _numbers: dict[NodeKey, int] = field(default_factory=dict)
    _element_refs: dict[int, ElementRef] = field(default_factory=dict)
    _shown_elements: dict[int, Element] = field(default_factory=dict)
    """Every element that was ever shown of this document."""
    _masked_numbers: set[int] = field(default_factory=set)
    """The fields of this document whose value was masked in a snapshot."""
    _text_keys: set[NodeKey] = field(default_factory=set)
    """The elements of this document that are no controls and got a number because they were found by their words."""
    _outline: Outline = field(default_factory=lambda: Outline((OutlinePage("", ()),), frozenset(), (), ()))
    _controls_by_id: dict[int, Control] = field(default_factory=dict)
    _elements: dict[int, Element] = field(default_factory=dict)
    """By node."""
    _state: ComparedState | None = None
    _shown_state: ComparedState | None = None
    """The state that the caller was shown last; changes are counted from it."""
    _changes: tuple[str, ...] = ()
    _view: PageView | None = None
    _is_repeated: bool = False

    def update(self, page_view: PageView, covered_ids: frozenset[int], *, url: str, document: str) -> None:
        """Take the page as it is now."""
        if document != self.document:
            self.document = document
            self._numbers, self._shown_elements, self._masked_numbers, self._text_keys = {}, {}, set(), set()
        elif self._view is not None:
            for old, new in remade(self._view.tree, self._view.controls, page_view.tree, page_view.controls):
                self._numbers.setdefault(new, self._number(old))
        self._view = page_view
        numbers = {control.node_id: self._number(control.key) for control in page_view.controls}
        self._controls_by_id = {control.node_id: control for control in page_view.controls}
        self._outline = outline(page_view.tree, self._controls_by_id, numbers, covered_ids)
        covered = covered_ids | self._outline.behind
        self._elements = {
            node_id: _element(control, numbers[node_id], is_covered=node_id in covered)
            for node_id, control in self._controls_by_id.items()
        }
        self._element_refs = {
            numbers[node_id]: _element_ref(page_view.tree, node_id, control.key, self._elements[node_id])
            for node_id, control in self._controls_by_id.items()
        }
        if self._text_keys:
            texts = [node for node in page_view.tree.nodes if node.key in self._text_keys and node.is_reachable]
            for node in texts:
                self._element_ref_of(node.node_id)
        elements = {element.index: element for element in self._elements.values()}
        self._shown_elements |= elements
        self._masked_numbers |= {number for number, element in elements.items() if element.role == "password"}
        self._state = ComparedState(url, document, elements, self._outline.lines)
        self._changes = changes(self._shown_state, self._state)

    def replace(self, replacements: Sequence[tuple[NodeKey, NodeKey]]) -> None:
        """Give elements that have taken the place of others the numbers of these."""
        for old, new in replacements:
            if old in self._numbers:
                self._numbers.setdefault(new, self._numbers[old])

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines of the page, in document order."""
        return self._outline.document_lines

    def begin(self) -> None:
        """Begin a step: the caller has seen the last state of the page."""
        self._shown_state = self._state
        self._is_repeated = False

    def is_repeated(self) -> bool:
        """Return whether a snapshot was taken in this step already: False at the first call of a step."""
        was_called, self._is_repeated = self._is_repeated, True
        return was_called

    def is_remade(self, element_ref: ElementRef) -> bool:
        """Return whether another element has taken the place and the number of one that has vanished."""
        now = self._element_refs.get(element_ref.number)
        return now is not None and now.key.process == element_ref.key.process and now.key != element_ref.key

    def is_unchanged(self, index: int = 0) -> bool:
        """Return whether nothing has changed in this step but the focus and the value of element `index`."""
        return self._state is not None and is_unanswered(self._shown_state, self._state, index)

    def revealed_values(self) -> list[str]:
        """Return the values of fields that were masked before and are readable now ("show password")."""
        return [
            element.value
            for element in self._elements.values()
            if element.index in self._masked_numbers and element.role != "password" and element.value
        ]

    def shows(self, text: str) -> bool:
        """Return whether the page contains a text, on any page of the snapshot."""
        return self._view is not None and has_text(self._view, text)

    def _number(self, key: NodeKey) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def snapshot(self, page: int = 1) -> PageSnapshot:
        """Return one page of the snapshot, without the fields that only the tab can fill (title, tabs, notices).

        Raises:
            InvalidInput: there is no such page.
        """
        pages = self._outline.pages
        if not 1 <= page <= len(pages):
            raise InvalidInput(f"there is no page {page}; the snapshot has {len(pages)}")
        outline_page = pages[page - 1]
        more = sum(len(later_page.controls) for later_page in pages[page:])
        content = outline_page.content
        if page < len(pages):
            content += f"\n=== more: {more} elements, page {page + 1} of {len(pages)} ==="
        url = ""
        if self._state is not None:
            url = self._state.url[:MAX_URL_CHARS]
        page_changes: tuple[str, ...] = ()
        if page == 1:
            page_changes = self._changes
        return PageSnapshot(
            url=url,
            title="",
            content=content,
            elements=tuple(self._elements[node_id] for node_id in outline_page.controls[:MAX_ELEMENTS]),
            changes=page_changes,
            page=page,
            pages=len(pages),
            more=more,
        )

    def lines_with(self, pattern: str, *, regex: bool) -> PageSnapshot:
        """Return the lines of all pages of the snapshot that have some words or match a regular expression.

        Raises:
            InvalidInput: the pattern is empty, too long, no regular expression, or one that takes too long.
        """
        if not pattern.strip() or len(pattern) > MAX_PATTERN_CHARS:
            raise InvalidInput(
                f"a pattern has 1 to {MAX_PATTERN_CHARS:,} characters, not {len(pattern):,}",
                hint="use the words to find",
            )
        text = "\n".join(page.content for page in self._outline.pages)
        if regex:
            starts = [start for start, _ in expression_spans(text, pattern)]
            numbers = list(dict.fromkeys(text.count("\n", 0, start) for start in starts[:_MAX_MATCHES]))
            lines = [text.split("\n")[number] for number in numbers]
        else:
            query = _folded(escape(pattern))
            lines = [line for line in text.split("\n") if query in _folded(line)]
        shown_lines = [line[:_MAX_LINE_CHARS] for line in lines[:_MAX_LINES]]
        indexes = {int(index) for line in shown_lines for index in MARKER.findall(line)}
        elements = tuple(element for element in self._elements.values() if element.index in indexes)
        count = (
            f"=== {count_of(len(lines), 'line')}" + f", {_MAX_LINES} of them shown" * (len(lines) > _MAX_LINES) + " ==="
        )
        return replace(
            self.snapshot(), content="\n".join([*shown_lines, count]), elements=elements, changes=(), pages=1, more=0
        )

    def element_ref(self, index: int) -> ElementRef:
        """Return the element that `index` stands for.

        Raises:
            InvalidInput: it never stood for one, or that one has vanished.
        """
        element_ref = self._element_refs.get(index)
        if element_ref is not None:
            return element_ref
        vanished_element = self._shown_elements.get(index)
        if vanished_element is not None:
            raise vanished_error(vanished_element)
        last = max(self._element_refs, default=0)
        raise InvalidInput(f"there is no element [{index}] here", hint=f"the largest number is {last}" if last else "")

    def by_words(self, words: str) -> ElementRef:
        """Return the one element with these words: a control by its name, else the innermost element with the text.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        if self._view is None or not _folded(words):
            raise InvalidInput("the words are missing")
        node_ids = self._matches(words)
        if node_ids:
            return self._single(node_ids, f"say {words[:80]!r}", advice=_ROW_ADVICE)
        splits = [(placed, self._matches(placed.name)) for placed in placed_words(words)]
        if not splits:
            raise _missing_error(f"no element has the words {words[:80]!r}")
        for placed, node_ids in splits:
            if (element_ref := self._in_place(placed, node_ids)) is not None:
                return element_ref
        # The last way that names an element is the one that was meant.
        raise self._misplaced_error(*next((split for split in reversed(splits) if split[1]), splits[0]))

    def _in_place(self, placed: PlacedWords, node_ids: Sequence[int]) -> ElementRef | None:
        """Return the one of some nodes with the words of its name around it; None without any.

        Raises:
            InvalidInput: there is more than one.
        """
        assert self._view is not None
        contexts = element_contexts(self._view.tree, self._controls_by_id, node_ids)
        fits = [node_id for node_id, context in contexts.items() if all(map(context.has, placed.places))]
        possible = [node_id for node_id, context in contexts.items() if all(map(context.may_have, placed.places))]
        if len(fits) == 1 and len(possible) > 1:
            raise InvalidInput(
                f"more than one element may say {placed.name[:80]!r} with {placed.place}:"
                " the row of another one is too long to search",
                hint=f"use a number: {self._descriptions(possible)}",
            )
        if not fits:
            return None
        return self._single(fits, f"with {placed.place} say {placed.name[:80]!r}")

    def _misplaced_error(self, placed: PlacedWords, node_ids: Sequence[int]) -> InvalidInput:
        """Return the error for words around an element that no element has."""
        assert self._view is not None
        message = f"no element has the words {placed.name[:80]!r} in a row or below a heading with {placed.place}"
        if not node_ids:
            return _missing_error(message)
        contexts = element_contexts(self._view.tree, self._controls_by_id, node_ids)
        words = [_folded(place.words) for place in placed.places]
        similar = [
            node_id
            for node_id, context in contexts.items()
            if any(text in _folded(f"{context.row or ''} {context.heading}") for text in words)
        ]
        return _missing_error(message, hint=f"use a number: {self._descriptions(similar or node_ids)}")

    def _matches(self, words: str) -> list[int]:
        """Return the nodes with this name, or else this text, or else these words in their name or text."""
        assert self._view is not None
        query = _folded(words)
        texts = self._texts(self._view.tree)
        names = [(node_id, _folded(control.name)) for node_id, control in self._controls_by_id.items()]
        return (
            [node_id for node_id, name in names if name == query]
            or [node_id for node_id, text in texts if text == query]
            or [node_id for node_id, name in names if query in name]
            or [node_id for node_id, text in texts if query in text]
        )

    def by_selector(self, selector: str, keys: Sequence[NodeKey]) -> ElementRef:
        """Return the one element among `keys` that is drawn; they match `selector`.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        fits = set(keys)
        node_ids: list[int] = []
        if self._view is not None:
            node_ids = [node.node_id for node in self._view.tree.nodes if node.key in fits and node.is_reachable]
        if not node_ids:
            raise _missing_error(f"no visible element matches {selector[:80]!r}")
        return self._single(node_ids, f"fit {selector[:80]!r}")

    def _texts(self, tree: PageTree) -> list[tuple[int, str]]:
        """Return the elements that hold text directly, with all the text in them.

        Elements in controls are left out, except where a control is one by its listener alone: a listener around
        more than these words, such as the root of an application, is not the place to click.
        """
        names = ElementNames(tree)
        closed = {node_id for node_id, control in self._controls_by_id.items() if control.role not in LISTENERS}
        holders = dict.fromkeys(node.parent for node in tree.nodes if node.is_text and not node.is_transparent)
        outside = [
            node_id for node_id in holders if node_id >= 0 and closed.isdisjoint((node_id, *tree.ancestors(node_id)))
        ]
        return [(node_id, _folded(names.text(node_id))) for node_id in outside[:MAX_TEXTS]]

    def _single(self, node_ids: Sequence[int], match_verb: str, *, advice: str = "") -> ElementRef:
        count = len(set(node_ids))
        if count > 1:
            hint = f"use a number{advice}: {self._descriptions(node_ids)}"
            raise InvalidInput(f"{count} elements {match_verb}", hint=hint)
        return self._element_ref_of(node_ids[0])

    def _descriptions(self, node_ids: Sequence[int]) -> str:
        """Return the numbers and names of some nodes, and what tells them apart."""
        assert self._view is not None
        contexts = element_contexts(self._view.tree, self._controls_by_id, list(dict.fromkeys(node_ids)))
        labels = context_labels(contexts)
        descriptions = [
            f"{self._element_ref_of(node_id).description} {label}"
            for node_id, label in itertools.islice(labels.items(), _MAX_CANDIDATES)
        ]
        if len(labels) > _MAX_CANDIDATES:
            descriptions.append(f"and {len(labels) - _MAX_CANDIDATES} more")
        return ", ".join(descriptions)

    def _element_ref_of(self, node_id: int) -> ElementRef:
        """Return the reference to a control, or to any other element, which then gets a number too."""
        assert self._view is not None
        tree = self._view.tree
        if node_id in self._elements:
            return self._element_refs[self._elements[node_id].index]
        node = tree.nodes[node_id]
        self._text_keys.add(node.key)
        text = ElementNames(tree).text(node_id)
        element = Element(index=self._number(node.key), role="text", name=text[:MAX_NAME_CHARS].replace('"', "'"))
        element_ref = self._element_refs[element.index] = _element_ref(tree, node_id, node.key, element)
        self._shown_elements[element.index] = element
        return element_ref

    def by_name(self, name: str, roles: frozenset[str]) -> Iterator[ElementRef]:
        """Yield the elements of some roles with this name, whatever its case, exact ones first."""
        query = " ".join(name.split()).casefold()
        matches_by_exactness: Mapping[bool, list[ElementRef]] = {True: [], False: []}
        for element_ref in self._element_refs.values():
            folded_name = element_ref.element.name.casefold()
            if element_ref.element.role in roles and query and query in folded_name:
                matches_by_exactness[folded_name == query].append(element_ref)
        yield from (*matches_by_exactness[True], *matches_by_exactness[False])


def vanished_error(element: Element) -> InvalidInput:
    """Return the error for an element that is no longer there."""
    description = f"[{element.index}] {element.role}"
    if element.name:
        description += f' "{element.name}"'
    error = InvalidInput(
        f"{description} has vanished from the page",
        hint="nothing was done; take a new snapshot and use its numbers",
    )
    error.element_state = "vanished"
    return error


def _missing_error(message: str, *, hint: str = _CHECK_SNAPSHOT) -> InvalidInput:
    """Return the error for words or a selector that no element fits."""
    error = InvalidInput(message, hint=hint)
    error.element_state = "missing"
    return error


def _element(control: Control, index: int, *, is_covered: bool) -> Element:
    state = control.state
    if is_covered:
        state = (*state, "covered")
    return Element(index=index, role=control.role, name=control.name, value=control.value, state=state)


def _element_ref(tree: PageTree, node_id: int, key: NodeKey, element: Element) -> ElementRef:
    node = tree.nodes[node_id]
    owners = []
    frame = node.frame
    while frame >= 0:
        owner = tree.nodes[frame]
        owners.append((owner.key, owner.document.layout.frame))
        frame = owner.frame
    return ElementRef(element.index, key, node.document.layout.frame, tuple(owners), element)
