"""Tells elements with equal names apart: by the text of the row or card around each, and by the heading above it.

A person who looks for the second of sixty "Delete" buttons reads the row that it is in. The same words choose an
element (`Delete in row 'Order 1042'`), so a row here is narrow: what is not certainly around an element does not count.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.controls import LISTENERS
from wellread.browser.browse.element_names import MAX_PARTS, ElementNames, quotable
from wellread.browser.render.layout import ELEMENT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from wellread.browser.browse.controls import Control
    from wellread.browser.browse.page_tree import PageNode, PageTree

MAX_ELEMENTS_IN_CONTEXT = 500
"""Elements with equal names that are told apart."""
MAX_ROW_CHARS = 4_000
"""The row of an element is unknown if the box has more text: the table around a whole page, say."""
MAX_HEADING_CHARS = 400
MAX_LABEL_CHARS = 60
_MAX_ROW_NODES = 600
_MAX_LEVELS = 40
"""Boxes around an element that may be its row."""
_MAX_ROWS = 4
_MAX_HEADINGS = 30
"""Headings before an element that may be above it."""
_ROWS: Final = frozenset({"tr", "li", "article", "fieldset", "dialog"})
_ROW_ROLES: Final = frozenset({"row", "listitem", "article", "option", "treeitem", "dialog", "alertdialog"})
_TOKEN = re.compile(r"[^\W_]+(?:[.,:/-]\d+)*")
"""A word, a number or a date."""
_CELLS: Final = frozenset({"td", "th"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption", "summary"})
_IN_PLACE = re.compile(
    r"""(?P<name>.+)\s(?P<where>in|within|below|under)\s(?:the\s)?
    (?:(?P<box>row|card|item|entry|section|group|heading)\s(?:of\s|with\s)?['"]?(?P<words>.+?)['"]?
    |['"](?P<quoted>.+)['"])""",
    re.VERBOSE | re.IGNORECASE,
)
_BELOW_HEADING = re.compile(r"(?P<name>.+)\s(?:below|under)\s(?:the\s)?(?P<heading>.+)", re.IGNORECASE)
"""Words of a heading without quotes."""
_SECTIONS: Final = frozenset({"below", "under", "section", "group", "heading"})
_MAX_WORDS_CHARS = 400
_MAX_PLACES = 3
"""Words around an element that together choose it."""


class ContextWords(NamedTuple):
    """Words that stand in the row of an element, or in the heading above it."""

    words: str
    is_row: bool = False
    """They are said to be a row, not a heading."""
    is_section: bool = False
    """They are said to be a heading, not a row."""


class PlacedWords(NamedTuple):
    """The words of an element, and words around it; all of them must be there."""

    name: str
    places: tuple[ContextWords, ...]

    @property
    def place(self) -> str:
        """Return the words around the element, for messages."""
        return " and ".join(repr(place.words[:80]) for place in self.places)


class ElementContext(NamedTuple):
    """The texts by which an element differs from others with its name; empty where there are none."""

    row: str | None
    """None where it is unknown: the box around the element is too large to be read."""
    heading: str

    def has(self, place: ContextWords) -> bool:
        """Return whether words are in the row, or in the heading: unless a row is meant, or where that is all."""
        if has_whole_words(self.row or "", place.words):
            return True
        return (not place.is_row or not self.row) and has_whole_words(self.heading, place.words)

    def may_have(self, place: ContextWords) -> bool:
        """Return whether words may be in a row that is too long to be read."""
        return self.has(place) or (self.row is None and not place.is_section)


def placed_words(words: str) -> Iterator[PlacedWords]:
    """Yield each way to split `Delete in row 'Order 1042'` into the words of the element and those around it.

    Ways with fewer words around it come first; `Call in row 'Ann' below 'Evening crew'` has two of them.
    """
    names: list[tuple[str, tuple[ContextWords, ...]]] = [(" ".join(words.split())[:_MAX_WORDS_CHARS], ())]
    for _ in range(_MAX_PLACES):
        splits = [
            PlacedWords(split.name, (*split.places, *places)) for name, places in names for split in _splits(name)
        ]
        yield from splits
        names = [(split.name, split.places) for split in splits]


def _splits(words: str) -> Iterator[PlacedWords]:
    """Yield the ways to take the last words around an element off."""
    below = _BELOW_HEADING.fullmatch(words)
    if match := _IN_PLACE.fullmatch(words):
        terms = {match["where"].lower(), (match["box"] or "").lower()}
        is_section = not _SECTIONS.isdisjoint(terms)
        place = ContextWords(
            match["words"] or match["quoted"], is_row=bool(match["box"]) and not is_section, is_section=is_section
        )
        yield PlacedWords(_unquoted(match["name"]), (place,))
    if below and (match is None or not below["heading"].endswith(("'", '"'))):
        yield PlacedWords(_unquoted(below["name"]), (ContextWords(below["heading"], is_section=True),))


def _unquoted(name: str) -> str:
    """Return a name without the quotes around it; those of words in it stay."""
    if name[0] in "'\"" and name[-1] == name[0] and name.count(name[0]) == 2:
        return name[1:-1]
    return name


def has_whole_words(text: str, words: str) -> bool:
    """Return whether `words` stand in `text` without being part of longer words: not "Order 104" in "Order 1042"."""
    folded_text, folded_words = (" ".join(part.split()).casefold() for part in (text, words))
    if not folded_words or folded_words not in folded_text:
        return False
    within_words = _offsets_within_words(folded_text)
    start = folded_text.find(folded_words)
    while start >= 0:
        if within_words.isdisjoint((start, start + len(folded_words))):
            return True
        start = folded_text.find(folded_words, start + 1)
    return False


def _offsets_within_words(text: str) -> set[int]:
    """Return the offsets at which a word or a number goes on; scripts without case write words without spaces."""
    return {
        offset
        for token in _TOKEN.finditer(text)
        for offset in range(token.start() + 1, token.end())
        if not any(char.isalpha() and char.lower() == char.upper() for char in text[offset - 1 : offset + 1])
    }


def element_contexts(
    tree: PageTree, controls: Mapping[int, Control], node_ids: Collection[int]
) -> dict[int, ElementContext]:
    """Return the context of each of these nodes, which have equal names; none of too many nodes."""
    if len(node_ids) > MAX_ELEMENTS_IN_CONTEXT:
        return dict.fromkeys(node_ids, ElementContext(None, ""))
    finder = _ContextFinder(tree, controls, node_ids)
    return {node_id: ElementContext(finder.row_text(node_id), finder.heading_text(node_id)) for node_id in node_ids}


def context_labels(contexts: Mapping[int, ElementContext]) -> dict[int, str]:
    """Return a short text for each node: its row, else the heading, and its position where others have the same."""
    rows = _without_common_start([context.row or "" for context in contexts.values()])
    labels: dict[int, str] = {}
    for (node_id, context), row in zip(contexts.items(), rows, strict=True):
        places = [f'in "{quotable(row, MAX_LABEL_CHARS)}"'] if row else []
        if context.heading and (not row or rows.count(row) > 1):
            places.append(f'below "{quotable(context.heading, MAX_LABEL_CHARS)}"')
        labels[node_id] = ", ".join(places)
    counts = Counter(labels.values())
    for position, (node_id, label) in enumerate(labels.items(), 1):
        if not label or counts[label] > 1:
            labels[node_id] = ", ".join(filter(None, (f"{position} of {len(labels)}", label)))
    return labels


def _without_common_start(texts: list[str]) -> list[str]:
    """Return texts without the words that all of them begin with, where these would fill most of a label."""
    shortest = min(texts, key=len, default="")
    common_chars = next((i for i in range(len(shortest)) if len({text[i] for text in texts}) > 1), len(shortest))
    start = shortest.rfind(" ", 0, common_chars) + 1
    if start < MAX_LABEL_CHARS // 2:
        return texts
    return [f"… {text[start:]}" for text in texts]


class _ContextFinder:
    def __init__(self, tree: PageTree, controls: Mapping[int, Control], node_ids: Collection[int]) -> None:
        self._tree = tree
        self._names = ElementNames(tree)
        self._buttons = {
            node_id for node_id, control in controls.items() if control.role not in LISTENERS and control.role != "link"
        }
        self._sizes = _subtree_sizes(tree)
        self._headings = [
            node.node_id for node in tree.nodes if _is_heading(node) and self._sizes[node.node_id] <= MAX_PARTS
        ]
        self._texts: dict[int, str] = {}
        """Of headings and of the boxes around them, by node."""
        self._sections: dict[int, int] = {}
        """By heading."""
        holders = {holder for node_id in node_ids for holder in (node_id, *tree.ancestors(node_id))}
        self._alike = Counter(_kind(tree.nodes[node_id]) for node_id in holders)
        """How many boxes of each kind have one of the nodes in them: boxes that repeat with them are cards."""

    def row_text(self, node_id: int) -> str | None:
        """Return the text of the innermost row around a node that has text besides buttons; None if it is too large."""
        ancestors = self._tree.ancestors(node_id)
        around = {node_id, *ancestors}
        row_ids = [ancestor for ancestor in ancestors[:_MAX_LEVELS] if self._is_row(ancestor)]
        for row_id in row_ids[:_MAX_ROWS]:
            if self._sizes[row_id] > _MAX_ROW_NODES:
                return None
            inner_ids = self._tree.descendants(row_id)
            others = {
                inner_id
                for inner_id in inner_ids
                if _is_declared_row(self._tree.nodes[inner_id]) and inner_id not in around
            }
            others.add(node_id)
            buttons = self._buttons.intersection(inner_ids)
            if self._names.text(row_id, besides=others | buttons, max_parts=_MAX_ROW_NODES):
                text = self._names.text(row_id, besides=others, max_parts=_MAX_ROW_NODES)
                return text if len(text) <= MAX_ROW_CHARS else None
        has_more_rows = len(row_ids) > _MAX_ROWS or any(map(self._is_row, ancestors[_MAX_LEVELS:]))
        return None if has_more_rows else ""

    def heading_text(self, node_id: int) -> str:
        """Return the nearest heading before a node that begins a section with the node in it."""
        end = bisect(self._headings, node_id)
        ancestors = set(self._tree.ancestors(node_id))
        for heading_id in reversed(self._headings[max(end - _MAX_HEADINGS, 0) : end]):
            if heading_id not in ancestors and self._section(heading_id) in ancestors:
                return _first_words(self._text(heading_id))
        return ""

    def _text(self, node_id: int) -> str:
        if node_id not in self._texts:
            self._texts[node_id] = self._names.text(node_id)
        return self._texts[node_id]

    def _is_row(self, node_id: int) -> bool:
        node = self._tree.nodes[node_id]
        if node.dom.name in _CELLS or node.dom.kind != ELEMENT:
            return False
        return _is_declared_row(node) or self._alike[_kind(node)] > 1

    def _section(self, heading_id: int) -> int:
        """Return the box that a heading begins: the first around it with more than the heading."""
        if heading_id not in self._sections:
            text = self._text(heading_id)
            self._sections[heading_id] = next(
                (
                    ancestor
                    for ancestor in self._tree.ancestors(heading_id)[:_MAX_LEVELS]
                    if self._sizes[ancestor] > _MAX_ROW_NODES or self._text(ancestor) != text
                ),
                -1,
            )
        return self._sections[heading_id]


def _first_words(text: str) -> str:
    """Return the whole words in the first `MAX_HEADING_CHARS` characters of a heading."""
    if len(text) <= MAX_HEADING_CHARS:
        return text
    return text[: MAX_HEADING_CHARS + 1].rpartition(" ")[0]


def _subtree_sizes(tree: PageTree) -> list[int]:
    """Return the number of nodes in each node, itself included."""
    sizes = [1] * len(tree.nodes)
    for node in reversed(tree.nodes):
        if node.parent >= 0:
            sizes[node.parent] += sizes[node.node_id]
    return sizes


def _kind(node: PageNode) -> tuple[int, str, str]:
    """Return what equal boxes of a list have in common: parent, tag and class."""
    return node.parent, node.dom.name, node.dom.attributes.get("class", "")


def _is_declared_row(node: PageNode) -> bool:
    return node.dom.name in _ROWS or node.dom.attributes.get("role", "") in _ROW_ROLES


def _is_heading(node: PageNode) -> bool:
    return node.dom.kind == ELEMENT and (node.dom.name in _HEADINGS or node.dom.attributes.get("role", "") == "heading")
