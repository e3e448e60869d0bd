"""Finds the layers of a page that lie on top: modal dialogs, overlays and popovers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.render.layout import ELEMENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.browser.browse.page_tree import PageNode, PageTree

_FULL = 0.8
"""Of the window, both ways: what is so large and stays in place lets nothing behind it be reached."""
_DIALOGS: Final = frozenset({"dialog", "alertdialog"})
_PLACED: Final = frozenset({"fixed", "absolute", "sticky"})


class Layers(NamedTuple):
    """The nodes at which layers on top begin."""

    modal: frozenset[int]
    on_top: frozenset[int]


def layers(tree: PageTree) -> Layers:
    """Find the dialog and the popovers on top of a page."""
    modal = {node.node_id for node in tree.nodes if node.key in tree.state.modal and node.is_reachable}
    modal |= set(_declared_dialogs(tree)) - {node_id for dialog_id in modal for node_id in tree.descendants(dialog_id)}
    if not modal:
        modal = set(_window_overlays(tree))
    elif len(modal) > 1:  # the last one was opened from the others
        modal = {max(modal, key=lambda node_id: _order(tree.nodes[node_id]))}
    popovers = {node.node_id for node in tree.nodes if node.key in tree.state.popovers and node.is_reachable}
    return Layers(frozenset(modal), frozenset(popovers - modal))


def _declared_dialogs(tree: PageTree) -> Iterator[int]:
    for node in tree.nodes:
        attributes = node.dom.attributes
        if attributes.get("aria-modal") == "true" and attributes.get("role", "dialog") in _DIALOGS and _is_shown(node):
            yield node.node_id


def _window_overlays(tree: PageTree) -> Iterator[int]:
    """Yield the topmost node that covers the window, or the nodes that float before it where it holds no text."""
    wide = [node for node in tree.nodes if _covers_window(node, tree)]
    if not wide:
        return
    topmost = max(wide, key=_order)
    if any(tree.nodes[node_id].is_text for node_id in tree.descendants(topmost.node_id)):
        yield topmost.node_id
        return
    veil_family = {*tree.ancestors(topmost.node_id), *tree.descendants(topmost.node_id), topmost.node_id}
    floating: set[int] = set()
    for node in tree.nodes:
        floats = node.style("position") in _PLACED and _order(node) > _order(topmost) and _is_shown(node)
        if node.parent in floating:
            floating.add(node.node_id)
        elif floats and node.node_id not in veil_family and node.dom.kind == ELEMENT:
            floating.add(node.node_id)
            yield node.node_id


def _covers_window(node: PageNode, tree: PageTree) -> bool:
    if node.style("position") != "fixed" or node.frame >= 0 or not _is_shown(node) or node.box is None:
        return False
    width, height = tree.state.width, tree.state.height
    starts_in_window = -2 <= node.box.x < width * (1 - _FULL) and -2 <= node.box.y < height * (1 - _FULL)
    is_large = node.box.width >= _FULL * width and node.box.height >= _FULL * height
    return is_large and starts_in_window and node.style("pointer-events") != "none"


def _is_shown(node: PageNode) -> bool:
    return node.is_reachable and not node.is_transparent


def _order(node: PageNode) -> int:
    if node.dom.drawn is None:
        return -1
    return node.dom.drawn.order
