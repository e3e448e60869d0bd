"""Finds the controls of a page, and gives each one its role, name, value and state."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.element_names import ElementNames
from wellread.browser.browse.page_tree import DOT_PX, FRAMES, mask
from wellread.browser.render.layout import ELEMENT
from wellread.text.characters import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.browser.browse.page_tree import NodeKey, PageNode, PageTree
    from wellread.browser.render.layout import LayoutBox

MAX_CONTROLS = 2_000
MAX_VALUE_CHARS = 200
MAX_OPTIONS = 20
_ROLES: Final = frozenset(
    {"button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option"}
    | {"slider", "spinbutton", "textbox", "searchbox", "combobox", "treeitem", "scrollbar"}
)
_NATIVE: Final = {"button": "button", "select": "select", "textarea": "textbox", "summary": "disclosure"}
_INPUTS: Final = {
    **dict.fromkeys(("button", "submit", "reset", "image"), "button"),
    "checkbox": "checkbox",
    "radio": "radio",
    "range": "slider",
    "number": "spinbutton",
    "file": "file",
    "search": "searchbox",
    "color": "colour",
    "date": "date",
    "time": "time",
    "month": "month",
    "week": "week",
    "datetime-local": "datetime",
    "password": "password",
}
_CHECKED: Final = {True: "checked", False: "unchecked"}
_EXPANDED: Final = {True: "expanded", False: "collapsed"}
_PRESS: Final = frozenset(
    {"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick", "auxclick"}
    | {"contextmenu", "keydown", "keyup"}
)
_HOVER: Final = frozenset({"mouseenter", "mouseover", "pointerenter", "pointerover"})
_DROP: Final = frozenset({"drop", "dragover"})
# Where an ancestor listens for clicks, it probably listens for clicks on elements of these classes.
_DELEGATED = re.compile(
    r"(?:^|[\s_-])(?:btn|button|link|toggle|tab|option|item|chip|close|dropdown|trigger)(?:$|[\s_-])"
)
_HANDLES = re.compile(
    r"data-(?:action|click|toggle|target|href|url|command|on|bs)\b|on(?:click|mousedown)$|ng-click"
    r"|phx-click\b|wire:click\b|on:click\b|jsaction\b|hx-(?:get|post|put|patch|delete)\b"
)
_DROPS_ON = "ui-droppable"
"""The class by which jQuery UI, which keeps its own list, marks drop targets."""
LISTENERS: Final = frozenset({"clickable", "hoverable", "drop target"})
"""Roles of elements that are controls by their listeners alone."""
_CLICKS: Final = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"})
_CELLS: Final = frozenset({"td", "li", "dd"})
_CELL_ROLES: Final = frozenset({"gridcell", "cell", "listitem"})
_CELL_BOXES: Final = frozenset({"div", "span"})
"""Elements that are cells where they have a label of their own, or scripts give them the focus."""
_WHOLE: Final = frozenset({"a", "button", "label", "summary"})
_LEAST_CELLS = 3
_MOST_IN_GRID = 1_500
"""Descendants of a listener; an element with more is a page."""
_SHORT_CELL_CHARS = 4
"""Of a table's cells on average: days are shorter, data are longer."""
_MOST_IN_HOST = 100
"""Descendants of an element with content on hover that are searched for a control."""
_TOO_WIDE = 0.5
"""Of the window: an element that is larger and holds controls only listens for them."""
_OVERFLOWS_VISIBLY: Final = frozenset({"", "visible"})
OPAQUE_ELEMENTS: Final = frozenset({"select", "textarea", "input", "video", "audio", "object", "embed"})
"""Elements whose content is not text of the page."""


class Control(NamedTuple):
    """An element that the user can act on."""

    node_id: int
    key: NodeKey
    role: str
    name: str
    value: str
    state: tuple[str, ...]
    options: tuple[str, ...] = ()
    is_name_complete: bool = True
    """Its name says all that is in it."""
    is_name_shown: bool = True
    """Its name is shown with its number; else its text, which contains the name, follows."""


def controls(tree: PageTree) -> list[Control]:
    """Return all controls in document order."""
    return list(_ControlFinder(tree).find())[:MAX_CONTROLS]


def grid_cells(tree: PageTree, listening: Sequence[frozenset[str]]) -> dict[int, list[int]]:
    """Return the grid cells below each click listener, like the days of a calendar, by the listener's node.

    They are equal elements with a short text each, and nothing on them says that a click on them is handled. Of a
    table with longer texts, the rows are returned.
    """
    grids: dict[int, list[int]] = {}
    for node in tree.nodes:
        if not listening[node.node_id] & _CLICKS or node.dom.name in {"html", "body"} or node.dom.kind != ELEMENT:
            continue
        descendants = tree.descendants(node.node_id)
        if len(descendants) > _MOST_IN_GRID:
            continue
        cells_by_kind: dict[tuple[str, bool], list[PageNode]] = {}
        for node_id in descendants:
            cell = tree.nodes[node_id]
            if _is_cell(tree, cell):
                cells_by_kind.setdefault((cell.dom.name, _is_marked(cell)), []).append(cell)
        for group in cells_by_kind.values():
            if len(group) >= _LEAST_CELLS:
                grids.setdefault(node.node_id, []).extend(_cells_or_rows(tree, group))
    return grids


def _cells_or_rows(tree: PageTree, group: Sequence[PageNode]) -> Iterator[int]:
    texts = [
        "".join(tree.nodes[node_id].dom.value for node_id in tree.children[cell.node_id]).strip() for cell in group
    ]
    if group[0].dom.name not in {"td", "th"} or sum(map(len, texts)) <= _SHORT_CELL_CHARS * len(texts):
        yield from (cell.node_id for cell in group)
    else:
        yield from dict.fromkeys(cell.parent for cell in group)


def _is_cell(tree: PageTree, node: PageNode) -> bool:
    """Return whether a node holds a short text alone, and is an element of a list or a grid."""
    if node.dom.kind != ELEMENT or not node.is_reachable:
        return False
    children = (tree.nodes[node_id] for node_id in tree.children[node.node_id])
    # Markers of lists are nodes of no kind, and blanks between tags are no text.
    parts = [child for child in children if child.dom.kind == ELEMENT or child.dom.value.strip()]
    if not all(part.is_text for part in parts) or sum(len(part.dom.value) for part in parts) > 60:
        return False
    attributes = node.dom.attributes
    role, label = attributes.get("role", ""), attributes.get("aria-label", "")
    if node.dom.name in _CELL_BOXES and not role and (label or (attributes.get("tabindex") == "-1" and parts)):
        return all(tree.nodes[node_id].dom.name not in _WHOLE for node_id in tree.ancestors(node.node_id)[:4])
    return bool(parts) and (node.dom.name in _CELLS or role in _CELL_ROLES or _is_marked(node))


def _is_marked(node: PageNode) -> bool:
    return any(name.startswith("data-") and not name.startswith("data-v-") for name in node.dom.attributes)


class _ControlFinder:
    def __init__(self, tree: PageTree) -> None:
        self._tree = tree
        self._names = ElementNames(tree)
        self._listening = [tree.state.listening.get(node.key, frozenset()) for node in tree.nodes]
        grids = grid_cells(tree, self._listening)
        self._grids = grids.keys()
        self._cells = {node_id for cell_ids in grids.values() for node_id in cell_ids}
        self._roles = [self._role(node) for node in tree.nodes]
        self._control_counts = self._count_controls()
        self._hover_controls = {node_id for node_id in map(self._hover_control, tree.nodes) if node_id is not None}

    def find(self) -> Iterator[Control]:
        skipped: set[int] = set()
        for node in self._tree.nodes:
            if node.parent in skipped:
                skipped.add(node.node_id)
                continue
            if node.dom.name in OPAQUE_ELEMENTS:
                skipped.add(node.node_id)
            role = self._roles[node.node_id]
            if not role:
                continue
            click_target = self._click_target(node)
            if click_target is not None and not self._is_duplicate(node, role):
                yield self._control(node, click_target, role)

    # ------------------------------------------------------------------------------------------------- roles

    def _role(self, node: PageNode) -> str:
        if node.dom.kind != ELEMENT or node.dom.name in {"html", "iframe", "frame", "head", "option", "label"}:
            return ""
        return self._by_tag(node) or self._by_attribute(node) or self._by_listener(node)

    def _by_tag(self, node: PageNode) -> str:
        native_role = _native_role(node.dom.name, node.dom.attributes)
        role = node.dom.attributes.get("role", "").strip().lower()
        if native_role and native_role != "media" and role in _ROLES:
            return role
        return native_role

    def _by_attribute(self, node: PageNode) -> str:
        attributes = node.dom.attributes
        role = attributes.get("role", "").strip().lower().partition(" ")[0]
        if role in _ROLES:
            return role
        is_outermost = not any(map(_is_editable, self._ancestors(node, 4)))
        if node.is_design_mode or (_is_editable(node) and is_outermost):
            return "textbox"
        if attributes.get("draggable") == "true":
            return "draggable"
        if attributes.get("tabindex", "-1").lstrip("+").isdigit():
            return "clickable"
        return ""

    def _by_listener(self, node: PageNode) -> str:
        events = self._listening[node.node_id]
        if (
            events & _PRESS
            or node.layout_index in node.document.clickable
            or _HANDLES.search(" ".join(node.dom.attributes))
        ):
            return "clickable"
        if events & _DROP or _DROPS_ON in node.dom.attributes.get("class", "").split():
            return "drop target"
        if events & _HOVER or node.key in self._tree.state.hover_hosts:
            return "hoverable"
        if node.style("cursor") in {"pointer", "grab", "move"} or "resize" in node.style("cursor"):
            inherits_cursor = node.parent >= 0 and self._tree.nodes[node.parent].style("cursor") == node.style("cursor")
            return "" if inherits_cursor else "clickable"
        is_delegated = _DELEGATED.search(node.dom.attributes.get("class", "")) and self._is_listened_for(node)
        if is_delegated or node.node_id in self._cells:
            return "clickable"
        return ""

    def _is_listened_for(self, node: PageNode) -> bool:
        return any(self._listening[node_id] & _PRESS for node_id in self._tree.ancestors(node.node_id)[:12])

    def _ancestors(self, node: PageNode, limit: int) -> Iterator[PageNode]:
        return (self._tree.nodes[node_id] for node_id in self._tree.ancestors(node.node_id)[:limit])

    def _hover_control(self, node: PageNode) -> int | None:
        """Return the control that stands for an element with content on hover: itself, or the first control in it."""
        if node.key not in self._tree.state.hover_hosts or not node.is_reachable:
            return None
        if self._roles[node.node_id] not in {"", "hoverable"}:
            return node.node_id
        hidden: set[int] = set()
        for node_id in self._tree.descendants(node.node_id)[:_MOST_IN_HOST]:
            descendant = self._tree.nodes[node_id]
            if descendant.parent in hidden or descendant.key in self._tree.state.hover_hidden:
                hidden.add(node_id)
            elif self._roles[node_id] not in {"", "hoverable"} and self._is_within_reach(descendant, is_field=False):
                return node_id
        return node.node_id

    # -------------------------------------------------------------------------------------------- visibility

    def _count_controls(self) -> list[int]:
        """Count the controls inside each node."""
        control_counts = [0] * len(self._tree.nodes)
        for node in reversed(self._tree.nodes):
            if node.parent >= 0:
                counts = self._roles[node.node_id] != "" and self._is_pointed_at(node)
                control_counts[node.parent] += control_counts[node.node_id] + int(counts)
        return control_counts

    def _click_target(self, node: PageNode) -> PageNode | None:
        """Return the node to click for a control: itself, or the label of a hidden field; None for neither."""
        is_field = node.dom.name == "input"
        if self._is_within_reach(node, is_field=is_field):
            return node
        if is_field and self._roles[node.node_id] in {"checkbox", "radio", "file", "switch"}:
            label = self._names.label(node)
            if label is None or not label.is_reachable or label.is_transparent:
                return None
            return label
        if node.dom.name == "textarea" and self._takes_keys_of_editor(node):
            return node
        return self._boxless_target(node)

    def _takes_keys_of_editor(self, node: PageNode) -> bool:
        """Return whether a transparent text area is the one that takes the keys of a code editor: it has a label."""
        attributes = node.dom.attributes
        is_labelled = bool(attributes.get("aria-label")) and attributes.get("aria-hidden") != "true"
        return is_labelled and node.is_transparent and node.box is not None and node.style("visibility") == "visible"

    def _is_within_reach(self, node: PageNode, *, is_field: bool) -> bool:
        """Return whether a node is drawn where scrolling reaches; a field may be transparent, but not a mere dot."""
        if not node.is_reachable or node.box is None or (node.is_transparent and not is_field):
            return False
        is_large = not is_field or min(node.box.width, node.box.height) > DOT_PX
        return is_large and (node.visible_box is not None or not self._is_cut(node))

    def _is_pointed_at(self, node: PageNode) -> bool:
        return node.is_reachable and (not node.is_transparent or node.dom.name == "input")

    def _boxless_target(self, node: PageNode) -> PageNode | None:
        """Return a node without an own box (display: contents, an inline with a block) if its content is drawn."""
        if node.dom.drawn is not None and node.style("visibility") != "visible":
            return None
        if node.dom.drawn is None and node.dom.name != "area" and not self._tree.children[node.node_id]:
            return None
        descendants = (self._tree.nodes[node_id] for node_id in self._tree.descendants(node.node_id)[:10])
        first_drawn = next(
            (
                child
                for child in descendants
                if child.dom.kind == ELEMENT and child.is_reachable and not child.is_transparent
            ),
            None,
        )
        if node.dom.name == "area":
            return node
        if first_drawn is None or first_drawn.visible_box is None:
            return None
        return node

    def _is_cut(self, node: PageNode) -> bool:
        """Return whether an ancestor clips the node along an axis that no box between them scrolls."""
        scrolled_axes: set[str] = set()
        for ancestor in self._ancestors(node, 30):
            if ancestor.dom.name in FRAMES:  # Chromium computes overflow: clip for it, and its document scrolls
                continue
            overflows = {axis: ancestor.style(f"overflow-{axis}") for axis in ("x", "y") if axis not in scrolled_axes}
            if ancestor.dom.name in {"html", "body"} and not _OVERFLOWS_VISIBLY.issuperset(overflows.values()):
                return False
            scrolled_axes.update(axis for axis, overflow in overflows.items() if overflow in {"auto", "scroll"})
            clipped_axes = [axis for axis, overflow in overflows.items() if overflow in {"hidden", "clip"}]
            if any(_is_beyond(node.box, ancestor.box, axis) for axis in clipped_axes):
                return True
        return False

    def _is_duplicate(self, node: PageNode, role: str) -> bool:
        """Return whether a control around a node, or controls in it, already stand for it."""
        if role not in LISTENERS:
            return False
        is_around = (
            role == "hoverable" and self._control_counts[node.node_id] > 0 and node.node_id not in self._hover_controls
        )
        if is_around or self._is_mere_listener(node):
            return True
        events = self._listening[node.node_id] & (_PRESS | _HOVER | _DROP)
        if events and not (events <= {"keydown", "keyup"}):
            return False
        return any(
            self._roles[ancestor.node_id] not in {"", "drop target"}
            and not self._is_mere_listener(ancestor)
            and not self._is_listener_for(ancestor, node)
            for ancestor in self._ancestors(node, 3)
        )

    def _is_listener_for(self, ancestor: PageNode, node: PageNode) -> bool:
        """Return whether a listener serves the elements in it that alone have the cursor of what can be clicked."""
        cursors = ancestor.style("cursor"), node.style("cursor")
        return self._roles[ancestor.node_id] == "clickable" and cursors[0] != "pointer" and cursors[1] == "pointer"

    def _is_mere_listener(self, node: PageNode) -> bool:
        """Return whether a node only listens for events of the controls in it, as the root of an application does."""
        listens = self._roles[node.node_id] in LISTENERS
        return listens and (
            node.node_id in self._grids or node.dom.name in {"body", "label"} or self._is_too_wide(node)
        )

    def _is_too_wide(self, node: PageNode) -> bool:
        if not self._control_counts[node.node_id] or node.style("cursor") == "pointer" or node.box is None:
            return False
        state = self._tree.state
        covers = node.box.width * node.box.height > _TOO_WIDE * state.width * state.height
        return covers or self._control_counts[node.node_id] > 3

    # ---------------------------------------------------------------------------------------- value and state

    def _control(self, node: PageNode, click_target: PageNode, role: str) -> Control:
        options = self._options(node)
        value = self._value(node, role)
        if options:
            value = ", ".join(label for label, is_chosen in options if is_chosen)[:MAX_VALUE_CHARS]
        state = list(self._state(node))
        if node.node_id in self._hover_controls:
            state.append("more on hover")
        labels = [label for label, _ in options] or self._suggestions(node)
        name = self._names.of(node)
        is_opaque = node.dom.name in OPAQUE_ELEMENTS
        is_name_complete = is_opaque or not (self._control_counts[node.node_id] or len(name) >= 99)
        return Control(
            node_id=click_target.node_id,
            key=click_target.key,
            role=role,
            name=name,
            value=value,
            state=tuple(state),
            options=tuple(labels),
            is_name_complete=is_name_complete,
            is_name_shown=is_name_complete or not self._names.is_in_text(node, name.removesuffix("…")),
        )

    def _options(self, node: PageNode) -> list[tuple[str, bool]]:
        """Return the labels of a select's options, each with whether it is chosen."""
        options: list[tuple[str, bool]] = []
        if node.dom.name != "select":
            return options
        for node_id in self._tree.descendants(node.node_id):
            descendant = self._tree.nodes[node_id]
            if descendant.dom.name == "option":
                texts = (self._tree.nodes[text_id].dom.value for text_id in self._tree.descendants(node_id))
                name = descendant.dom.attributes.get("label") or " ".join(texts)
                options.append((on_one_line(name)[:80], descendant.layout_index in descendant.document.chosen))
        return options

    def _suggestions(self, node: PageNode) -> list[str]:
        """Return the options of a field's `<datalist>`."""
        if node.dom.name != "input" or "list" not in node.dom.attributes:
            return []
        datalist = self._names.by_id(node, node.dom.attributes["list"])
        if datalist is None or datalist.dom.name != "datalist":
            return []
        labels = []
        for node_id in self._tree.children[datalist.node_id]:
            attributes = self._tree.nodes[node_id].dom.attributes
            text = " ".join(self._tree.nodes[text_id].dom.value for text_id in self._tree.descendants(node_id))
            labels.append(attributes.get("label") or attributes.get("value") or text)
        return [on_one_line(text)[:80] for text in labels if text.strip()]

    def _value(self, node: PageNode, role: str) -> str:
        attributes = node.dom.attributes
        if role == "password" or (node.is_masked and node.dom.name in {"input", "textarea"}):
            return mask(node.document.values.get(node.layout_index, ""))
        if role in {"button", "checkbox", "radio", "switch"}:
            return ""
        text = (
            node.document.values.get(node.layout_index)
            or attributes.get("aria-valuetext")
            or attributes.get("aria-valuenow")
            or ""
        )
        if role in {"textbox", "combobox", "searchbox"} and node.dom.name not in {"input", "textarea"}:
            text = self._names.text(node.node_id)
        return on_one_line(text)[:MAX_VALUE_CHARS].replace('"', "'")

    def _state(self, node: PageNode) -> Iterator[str]:
        attributes = node.dom.attributes
        if node.dom.name == "input" and attributes.get("type", "").lower() in {"checkbox", "radio"}:
            yield _CHECKED[node.layout_index in node.document.checked]
        elif "aria-checked" in attributes:
            yield {"true": "checked", "mixed": "mixed"}.get(attributes["aria-checked"], "unchecked")
        if node.dom.name == "summary" and node.parent >= 0:
            yield _EXPANDED["open" in self._tree.nodes[node.parent].dom.attributes]
        if "aria-expanded" in attributes:
            yield _EXPANDED[attributes["aria-expanded"] == "true"]
        for attribute, state in (
            ("aria-selected", "selected"),
            ("aria-pressed", "pressed"),
            ("aria-invalid", "invalid"),
        ):
            if attributes.get(attribute) == "true":
                yield state
        if attributes.get("aria-current", "false") != "false":
            yield "current"
        if "disabled" in attributes or attributes.get("aria-disabled") == "true" or self._is_in_disabled(node):
            yield "disabled"
        yield from (state for state in ("readonly", "required", "multiple") if state in attributes)
        if node.key == self._tree.state.focused:
            yield "focused"

    def _is_in_disabled(self, node: PageNode) -> bool:
        return any(
            ancestor.dom.name == "fieldset" and "disabled" in ancestor.dom.attributes
            for ancestor in self._ancestors(node, 8)
        )


def _is_beyond(box: LayoutBox | None, clip: LayoutBox | None, axis: str) -> bool:
    """Return whether a box lies beside another along an axis, so that the other one clips all of it."""
    if box is None or clip is None:
        return False
    if axis == "x":
        return box.x >= clip.x + clip.width or box.x + box.width <= clip.x
    return box.y >= clip.y + clip.height or box.y + box.height <= clip.y


def _native_role(name: str, attributes: Mapping[str, str]) -> str:
    """Return the role that HTML gives an element; empty where it is no control by itself."""
    if name == "input":
        kind = attributes.get("type", "text").strip().lower()
        if kind == "hidden":
            return ""
        return _INPUTS.get(kind, "textbox")
    if name in {"a", "area"} and ("href" in attributes or "xlink:href" in attributes):
        return "link"
    if name in {"video", "audio"} and "controls" in attributes:
        return "media"
    return _NATIVE.get(name, "")


def _is_editable(node: PageNode) -> bool:
    content_editable = node.dom.attributes.get("contenteditable")
    return content_editable is not None and content_editable.strip().lower() in {"", "true", "plaintext-only"}
