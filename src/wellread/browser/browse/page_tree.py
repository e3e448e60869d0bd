"""Joins the documents of a page through their frames into one tree, every box in the window's coordinates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wellread.browser.render.layout import ELEMENT, TEXT, LayoutBox
from wellread.browser.render.layout_visibility import hidden_reasons
from wellread.hidden_text import MIN_STYLE_OPACITY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.browser.render.layout import Layout, Node

MAX_DEPTH = 8
"""Of frames in frames."""
FRAMES = frozenset({"iframe", "frame"})
"""Elements that show another document."""
_CLIPPING = frozenset({"hidden", "clip", "auto", "scroll"})
_MASKING_FONTS = re.compile(r"text-security|dotsfont|password", re.IGNORECASE)
"""Fonts that draw every character as a dot, by their usual names (`text-security-disc` and its like)."""
MAX_MASK_CHARS = 12
_LEAST_PX = 2.0
DOT_PX = 3.0


class NodeKey(NamedTuple):
    """An element's identity: it lasts as long as the element does."""

    process: str
    """The frame at the root of what one process shows; numbers are unique in there."""
    number: int


class PageDocument(NamedTuple):
    """One document, and the facts besides its layout, by index in `layout.nodes`."""

    layout: Layout
    process: str
    scroll: tuple[float, float]
    clickable: frozenset[int] = frozenset()
    """Elements with click listeners."""
    values: Mapping[int, str] = {}
    checked: frozenset[int] = frozenset()
    chosen: frozenset[int] = frozenset()
    """Options that are selected."""
    shadowed: frozenset[int] = frozenset()
    """What is in a shadow tree."""
    has_shadow_trees: bool = False
    """The page has attached shadow trees, besides those of the browser's own controls."""


class PageState(NamedTuple):
    """The state of a page as the browser reports it at one moment."""

    documents: Sequence[Sequence[PageDocument]]
    """The documents of each process, the page's own first."""
    owners: Mapping[NodeKey, int]
    """The process that renders each frame element."""
    width: float
    height: float
    listening: Mapping[NodeKey, frozenset[str]] = {}
    """The kinds of events that elements wait for."""
    modal: frozenset[NodeKey] = frozenset()
    """Modal elements: nothing else can be reached."""
    popovers: frozenset[NodeKey] = frozenset()
    """Popovers: the rest stays reachable."""
    hover_hosts: frozenset[NodeKey] = frozenset()
    """Elements whose style reveals more on hover."""
    hover_hidden: frozenset[NodeKey] = frozenset()
    """Elements that are hidden until then."""
    focused: NodeKey | None = None
    scrolled: Mapping[NodeKey, tuple[float, float]] = {}
    """How far boxes of the page's own process are scrolled, across and down."""


class PageNode(NamedTuple):
    """A node of the joined tree."""

    node_id: int
    parent: int
    dom: Node
    document: PageDocument
    layout_index: int
    """In `document.layout.nodes`."""
    box: LayoutBox | None
    """In the window; None where it is not drawn."""
    visible_box: LayoutBox | None
    """The part of `box` that nothing clips; None where nothing is left."""
    hidden_reason: str
    """Why a text cannot be seen."""
    opacity: float
    frame: int
    """The frame's element that it is in; -1 for the page itself."""

    @property
    def key(self) -> NodeKey:
        """Its identity."""
        return NodeKey(self.document.process, self.dom.backend)

    @property
    def is_text(self) -> bool:
        """Return whether the node is text that a person sees."""
        return self.dom.kind == TEXT and not self.hidden_reason and bool(self.dom.value.strip())

    def style(self, name: str) -> str:
        """Return a computed style, an empty string where the node is not drawn."""
        if self.dom.drawn is None:
            return ""
        return self.dom.drawn.style.get(name, "")

    @property
    def is_masked(self) -> bool:
        """Return whether its style shows each character as a dot, as a password field does."""
        if self.style("-webkit-text-security") not in {"", "none"}:
            return True
        return _MASKING_FONTS.search(self.style("font-family")) is not None

    @property
    def is_design_mode(self) -> bool:
        """Return whether it is the body of a document that is edited as a whole (`designMode`)."""
        return self.dom.name == "body" and self.style("-webkit-user-modify").startswith("read-write")

    @property
    def is_reachable(self) -> bool:
        """Return whether a pointer can reach the node, at least after scrolling."""
        if self.dom.drawn is None or self.box is None or self.style("visibility") != "visible":
            return False
        return self.box.width >= _LEAST_PX and self.box.height >= _LEAST_PX

    @property
    def is_large(self) -> bool:
        """Return whether a pointer can reach it, and it is more than a dot."""
        return self.is_reachable and self.box is not None and min(self.box.width, self.box.height) > DOT_PX

    @property
    def is_transparent(self) -> bool:
        """Return whether the node is as good as transparent."""
        return self.opacity < MIN_STYLE_OPACITY


class PageTree(NamedTuple):
    """The joined tree, parents before children."""

    nodes: Sequence[PageNode]
    children: Sequence[Sequence[int]]
    state: PageState

    def ancestors(self, node_id: int) -> Sequence[int]:
        """Return the ancestors of a node, nearest first, through frames."""
        ancestors = []
        node_id = self.nodes[node_id].parent
        while node_id >= 0:
            ancestors.append(node_id)
            node_id = self.nodes[node_id].parent
        return ancestors

    def descendants(self, node_id: int) -> Sequence[int]:
        """Return the descendants of a node, in document order."""
        descendants = []
        waiting = list(reversed(self.children[node_id]))
        while waiting:
            descendant = waiting.pop()
            descendants.append(descendant)
            waiting.extend(reversed(self.children[descendant]))
        return descendants


def mask(text: str) -> str:
    """Return dots for a text that nobody may see, at most `MAX_MASK_CHARS`."""
    return "•" * min(len(text), MAX_MASK_CHARS)


def page_tree(state: PageState) -> PageTree:
    """Join the documents of `state` into one tree."""
    builder = _PageTreeBuilder(state)
    if state.documents and state.documents[0]:
        builder.add(state.documents[0][0], state.documents[0], -1, (0.0, 0.0))
    children: list[list[int]] = [[] for _ in builder.nodes]
    for node in builder.nodes:
        if node.parent >= 0:
            children[node.parent].append(node.node_id)
    return PageTree(builder.nodes, children, state)


class _PageTreeBuilder:
    def __init__(self, state: PageState) -> None:
        self.nodes: list[PageNode] = []
        self._state = state
        self._depth = 0

    def add(
        self, document: PageDocument, frame_documents: Sequence[PageDocument], frame: int, corner: tuple[float, float]
    ) -> None:
        """Add a document whose upper left corner is at `corner` of the window."""
        origin = corner[0] - document.scroll[0], corner[1] - document.scroll[1]
        scrolled = {
            key.number: offsets for key, offsets in self._state.scrolled.items() if key.process == document.process
        }
        reasons = hidden_reasons(document.layout, scrolled)
        node_ids: list[int] = []
        for layout_index, dom in enumerate(document.layout.nodes):
            parent: PageNode | None = None
            if dom.parent >= 0:
                parent = self.nodes[node_ids[dom.parent]]
            node_ids.append(len(self.nodes))
            box = _moved(dom, origin)
            clip = self._clip(parent, frame, dom)
            node = PageNode(
                node_id=len(self.nodes),
                parent=frame if parent is None else parent.node_id,
                dom=dom,
                document=document,
                layout_index=layout_index,
                box=box,
                visible_box=_within(box, clip),
                hidden_reason=reasons[layout_index] or self._hidden_reason_of(frame),
                opacity=_opacity(dom) * self._opacity_above(parent, frame),
                frame=frame,
            )
            if node.dom.kind == TEXT and node.is_masked:
                node = node._replace(dom=dom._replace(value=mask(dom.value.strip())))
            self.nodes.append(node)
            if dom.kind == ELEMENT and dom.name in FRAMES:
                self._add_frame(self.nodes[-1], frame_documents)

    def _hidden_reason_of(self, frame: int) -> str:
        if frame < 0:
            return ""
        return self.nodes[frame].hidden_reason

    def _opacity_above(self, parent: PageNode | None, frame: int) -> float:
        if parent is not None:
            return parent.opacity
        if frame >= 0:
            return self.nodes[frame].opacity
        return 1.0

    def _clip(self, ancestor: PageNode | None, frame: int, dom: Node) -> LayoutBox | None:
        """Return the box that the nearest clipping ancestor leaves; a node with fixed position is not clipped."""
        if dom.drawn is not None and dom.drawn.style.get("position") == "fixed":
            ancestor = None
        while ancestor is not None:
            clips = ancestor.style("overflow-x") in _CLIPPING or ancestor.style("overflow-y") in _CLIPPING
            if clips and ancestor.dom.name not in {"html", "body"}:
                return ancestor.visible_box or LayoutBox(0, 0, 0, 0)
            if ancestor.parent < 0 or ancestor.parent == frame:
                break
            ancestor = self.nodes[ancestor.parent]
        if frame < 0:
            return None
        return self.nodes[frame].visible_box or LayoutBox(0, 0, 0, 0)

    def _add_frame(self, owner: PageNode, frame_documents: Sequence[PageDocument]) -> None:
        """Add the document that the frame element `owner` shows."""
        if owner.box is None or not owner.is_reachable or self._depth >= MAX_DEPTH:
            return
        process = self._state.owners.get(owner.key)
        child_documents, document_index = frame_documents, owner.dom.inner
        if process is not None:
            child_documents, document_index = self._state.documents[process], 0
        if 0 <= document_index < len(child_documents):
            self._depth += 1
            self.add(child_documents[document_index], child_documents, owner.node_id, (owner.box.x, owner.box.y))
            self._depth -= 1


def _moved(dom: Node, origin: tuple[float, float]) -> LayoutBox | None:
    if dom.drawn is None:
        return None
    box = dom.drawn.box
    return LayoutBox(box.x + origin[0], box.y + origin[1], box.width, box.height)


def _within(box: LayoutBox | None, clip: LayoutBox | None) -> LayoutBox | None:
    if box is None or clip is None:
        return box
    visible_box = box.within(clip)
    if visible_box.width <= 0 or visible_box.height <= 0:
        return None
    return visible_box


def _opacity(dom: Node) -> float:
    if dom.kind != ELEMENT or dom.drawn is None:
        return 1.0
    try:
        return float(dom.drawn.style.get("opacity") or 1)
    except ValueError:
        return 1.0
