"""Names controls: by their visible text, else by their accessible name (accname 1.2, cut)."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from wellread.browser.render.layout import ELEMENT, TEXT
from wellread.hidden_text import MIN_LAYOUT_FONT_PX, HiddenReason
from wellread.text.characters import on_one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from wellread.browser.browse.page_tree import PageNode, PageTree

MAX_CHARS = 100
MAX_PARTS = 200
"""Nodes whose text is read for one name."""
FIELDS = frozenset({"input", "select", "textarea"})
VALUE_HOLDER_ROLES = frozenset({"combobox", "textbox", "searchbox", "spinbutton"})
"""Roles whose text is their value, not their name."""
_UNSEEN_NAMES = frozenset({HiddenReason.CLIPPED, HiddenReason.OFF_SCREEN, HiddenReason.ZERO_SIZE})
"""How pages hide the text of an icon from all but screen readers."""
_MOST_LEVELS = 3
"""Between a list that replaces a native select and the element beside that select."""
_MAX_SIBLINGS = 5
"""Before it, comments and white space included."""
_PRESSED = {"submit": "Submit", "reset": "Reset", "file": "Choose file", "image": "Submit"}


class ElementNames:
    """The names of the nodes of one tree."""

    def __init__(self, tree: PageTree) -> None:
        """Take the tree, and index its ids and labels once."""
        self._tree = tree
        self._ids: dict[tuple[int, str], int] = {}
        self.labels: dict[tuple[int, str], int] = {}
        """Label elements by document and the id that they are for."""
        for node in tree.nodes:
            if node.dom.kind != ELEMENT:
                continue
            if target_id := node.dom.attributes.get("id"):
                self._ids.setdefault((id(node.document), target_id), node.node_id)
            if node.dom.name == "label" and (target_id := node.dom.attributes.get("for")):
                self.labels.setdefault((id(node.document), target_id), node.node_id)

    def of(self, node: PageNode) -> str:
        """Return the name of a control; empty where it has none."""
        names = map(quotable, self._candidates(node, node.dom.attributes))
        return next(filter(None, names), "")

    def _candidates(self, node: PageNode, attributes: Mapping[str, str]) -> Iterator[str]:
        """Yield the candidates for the name of a control, best first."""
        is_value_holder = attributes.get("role", "") in VALUE_HOLDER_ROLES
        if is_value_holder:
            yield self._label_text(node)
        yield self._referenced_text(node, attributes.get("aria-labelledby", ""))
        yield attributes.get("aria-label", "")
        yield self._label_text(node)
        if is_value_holder:
            yield self._replaced_label(node)
        else:
            yield self._native_name(node, attributes)
        if node.dom.name in FIELDS:
            yield self._host_label(node)
        yield attributes.get("title", "")
        yield attributes.get("placeholder", "") or attributes.get("aria-placeholder", "")
        if node.dom.name in FIELDS:
            yield attributes.get("name", "")

    def by_id(self, node: PageNode, name: str) -> PageNode | None:
        """Return the element of this id in the document of `node`."""
        node_id = self._ids.get((id(node.document), name))
        if node_id is None:
            return None
        return self._tree.nodes[node_id]

    def label(self, node: PageNode) -> PageNode | None:
        """Return the label element of a field."""
        field_id = node.dom.attributes.get("id")
        if field_id and (id(node.document), field_id) in self.labels:
            return self._tree.nodes[self.labels[id(node.document), field_id]]
        ancestors = (self._tree.nodes[ancestor_id] for ancestor_id in self._tree.ancestors(node.node_id)[:6])
        return next((ancestor for ancestor in ancestors if ancestor.dom.name == "label"), None)

    def text(self, node_id: int, *, besides: Collection[int] = (), max_parts: int = MAX_PARTS) -> str:
        """Return the visible text in a node but not in `besides`, pictures by their descriptions."""
        return " ".join(self._parts([node_id, *self._tree.descendants(node_id)][:max_parts], besides))

    def _parts(self, node_ids: Iterable[int], besides: Collection[int]) -> Iterable[str]:
        skipped: set[int] = set()
        for node_id in node_ids:
            node = self._tree.nodes[node_id]
            if node.parent in skipped or node_id in besides or node.dom.name in {"select", "textarea", "style"}:
                skipped.add(node_id)
            elif node.is_text and not node.is_transparent:
                yield node.dom.value.strip()
            elif node.dom.kind == ELEMENT and node.dom.drawn is not None:
                yield from filter(None, (_image_name(node.dom.name, node.dom.attributes),))

    def _referenced_text(self, node: PageNode, ids: str) -> str:
        target_ids = (self._ids.get((id(node.document), reference)) for reference in ids.split()[:5])
        values: set[int] = set()
        if node.dom.attributes.get("role", "") in VALUE_HOLDER_ROLES:  # what it holds is not its name
            values = {node.node_id, *self._tree.descendants(node.node_id)}
        return " ".join(
            self._worded_text(node_id) for node_id in target_ids if node_id is not None and node_id not in values
        )

    def _label_text(self, node: PageNode) -> str:
        is_field = node.dom.name in FIELDS or node.dom.attributes.get("role", "") in VALUE_HOLDER_ROLES
        if not is_field:
            return ""
        label = self.label(node)
        if label is None:
            return ""
        return self._worded_text(label.node_id, besides={node.node_id})

    def _replaced_label(self, node: PageNode) -> str:
        """Return the label of the hidden native field that a list replaces: in it, or beside it (Select2, Choices)."""
        inner = self._tree.descendants(node.node_id)[:MAX_PARTS]
        beside: list[int] = []
        for node_id in (node.node_id, *self._tree.ancestors(node.node_id)[:_MOST_LEVELS]):
            parent = self._tree.nodes[node_id].parent
            if parent >= 0:
                beside += self._elements_before(node_id, self._tree.children[parent])[:1]
        fields = (self._tree.nodes[node_id] for node_id in (*inner, *beside))
        labels = (self._label_text(field) for field in fields if field.dom.name == "select" and not field.is_large)
        return next(filter(None, labels), "")

    def _elements_before(self, node_id: int, siblings: Sequence[int]) -> list[int]:
        """Return the elements among the few siblings before a node, nearest first."""
        end = bisect_left(siblings, node_id)
        nearest = reversed(siblings[max(end - _MAX_SIBLINGS, 0) : end])
        return [sibling for sibling in nearest if self._tree.nodes[sibling].dom.kind == ELEMENT]

    def _host_label(self, node: PageNode) -> str:
        """Return the label of the custom element in whose shadow tree a field is."""
        if node.layout_index not in node.document.shadowed:
            return ""
        ancestors = (self._tree.nodes[ancestor_id] for ancestor_id in self._tree.ancestors(node.node_id))
        host = next((ancestor for ancestor in ancestors if "-" in ancestor.dom.name), None)
        if host is None:
            return ""
        attributes = host.dom.attributes
        label_id = self.labels.get((id(host.document), attributes.get("id", "")))
        if label_id is not None:
            return self._worded_text(label_id)
        return attributes.get("aria-label") or attributes.get("label", "")

    def _worded_text(self, node_id: int, *, besides: Collection[int] = ()) -> str:
        """Return the visible text in a node; where it has no words, as an icon has none, also that for screen readers.

        A visible sign stays in the name: hidden words in its place could say something else.
        """
        text = self.text(node_id, besides=besides)
        if any(map(str.isalnum, text)):
            return text
        return " ".join(filter(None, (text, self._unseen_text(node_id))))

    def _unseen_text(self, node_id: int) -> str:
        """Return the text that is hidden from all but screen readers, and the titles of SVG pictures.

        An element that is not drawn at all serves to name others.
        """
        is_drawn = self._tree.nodes[node_id].dom.drawn is not None
        nodes = [self._tree.nodes[child_id] for child_id in (node_id, *self._tree.descendants(node_id)[:MAX_PARTS])]
        texts = (
            node.dom.value.strip()
            for node in nodes
            if node.dom.kind == TEXT
            and (not is_drawn or _is_for_screen_readers(node) or self._tree.nodes[node.parent].dom.name == "title")
        )
        return " ".join(filter(None, texts))

    def _native_name(self, node: PageNode, attributes: Mapping[str, str]) -> str:
        if node.dom.name == "input":
            kind = attributes.get("type", "").lower()
            if kind in {"submit", "button", "reset"}:
                return attributes.get("value", "") or _PRESSED.get(kind, "")
            if kind != "image":
                return ""
            return attributes.get("alt", "")
        if node.dom.name in {"select", "textarea"}:
            return ""
        return attributes.get("alt", "") or self._worded_text(node.node_id)

    def is_in_text(self, node: PageNode, name: str) -> bool:
        """Return whether the visible text of a node contains its name."""
        return name in on_one_line(self.text(node.node_id)).replace('"', "'")


def _is_for_screen_readers(node: PageNode) -> bool:
    """Return whether a text has no place in the window; text without a font size is not meant to be read at all."""
    font_px = float(node.style("font-size").removesuffix("px") or MIN_LAYOUT_FONT_PX)
    return node.hidden_reason in _UNSEEN_NAMES and font_px >= MIN_LAYOUT_FONT_PX


def _image_name(name: str, attributes: Mapping[str, str]) -> str:
    if name == "img":
        return attributes.get("alt", "")
    if name in {"svg", "i"} or attributes.get("role") == "img":
        return attributes.get("aria-label", "")
    return ""


def quotable(text: str, max_chars: int = MAX_CHARS) -> str:
    """Return `text` as a short name on one line, without double quotes."""
    name = on_one_line(text).replace('"', "'")
    if len(name) <= max_chars:
        return name
    return name[: max_chars - 1].rstrip() + "…"
