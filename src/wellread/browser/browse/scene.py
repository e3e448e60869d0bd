"""What a page shows as one tree: its documents joined through their frames, every box in the window's coordinates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wellread.browser.render.layout import ELEMENT, TEXT, Box
from wellread.browser.render.sight import unseen

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
_LEAST_OPACITY = 0.05


class Key(NamedTuple):
    """An element's identity: it lasts as long as the element does."""

    process: str
    """The frame at the root of what one process shows; numbers are unique in there."""
    number: int


class Sheet(NamedTuple):
    """One document, and what the browser knows of it besides the layout, by place in `layout.nodes`."""

    layout: Layout
    process: str
    scroll: tuple[float, float]
    clickable: frozenset[int] = frozenset()
    """Where listeners wait for clicks."""
    values: Mapping[int, str] = {}
    checked: frozenset[int] = frozenset()
    chosen: frozenset[int] = frozenset()
    """Options that are selected."""
    shadowed: frozenset[int] = frozenset()
    """What is in a shadow tree."""


class World(NamedTuple):
    """What the browser said at one moment."""

    sheets: Sequence[Sequence[Sheet]]
    """The documents of each process, the page's own first."""
    owners: Mapping[Key, int]
    """Which process lives in a frame's element."""
    width: float
    height: float
    listening: Mapping[Key, frozenset[str]] = {}
    """The kinds of events that elements wait for."""
    modal: frozenset[Key] = frozenset()
    """What the browser itself put before all else, so that nothing else can be reached."""
    popovers: frozenset[Key] = frozenset()
    """What the browser itself put on top, the rest within reach."""
    hover_hosts: frozenset[Key] = frozenset()
    """What shows more, by its style, when the pointer is on it."""
    hover_hidden: frozenset[Key] = frozenset()
    """What is hidden until then."""
    focused: Key | None = None


class Thing(NamedTuple):
    """A node of the joined tree."""

    at: int
    parent: int
    node: Node
    sheet: Sheet
    place: int
    """In `sheet.layout.nodes`."""
    box: Box | None
    """In the window; None where it is not drawn."""
    shown: Box | None
    """The part of `box` that nothing clips; None where nothing is left."""
    why: str
    """Why a text cannot be seen."""
    opacity: float
    frame: int
    """The frame's element that it is in; -1 for the page itself."""

    @property
    def key(self) -> Key:
        """Its identity."""
        return Key(self.sheet.process, self.node.backend)

    @property
    def is_text(self) -> bool:
        """Say whether it is text that a person sees."""
        return self.node.kind == TEXT and not self.why and bool(self.node.value.strip())

    def style(self, name: str) -> str:
        """Return a computed style, nothing where it is not drawn."""
        return "" if self.node.drawn is None else self.node.drawn.style.get(name, "")

    @property
    def is_masked(self) -> bool:
        """Say whether its style shows each character as a dot, as a password field does."""
        if self.style("-webkit-text-security") not in {"", "none"}:
            return True
        return _MASKING_FONTS.search(self.style("font-family")) is not None

    @property
    def is_design_mode(self) -> bool:
        """Say whether it is the body of a document that is edited as a whole (`designMode`)."""
        return self.node.name == "body" and self.style("-webkit-user-modify").startswith("read-write")

    @property
    def reachable(self) -> bool:
        """Say whether a pointer can come to it, at least after scrolling."""
        if self.node.drawn is None or self.box is None or self.style("visibility") != "visible":
            return False
        return self.box.width >= _LEAST_PX and self.box.height >= _LEAST_PX

    @property
    def faint(self) -> bool:
        """Say whether it is as good as transparent."""
        return self.opacity < _LEAST_OPACITY


class Scene(NamedTuple):
    """The joined tree, parents before children."""

    things: Sequence[Thing]
    children: Sequence[Sequence[int]]
    world: World

    def above(self, at: int) -> Sequence[int]:
        """Return the ancestors of a thing, nearest first, through frames."""
        found = []
        at = self.things[at].parent
        while at >= 0:
            found.append(at)
            at = self.things[at].parent
        return found

    def below(self, at: int) -> Sequence[int]:
        """Return all that is in a thing, in document order."""
        found = []
        waiting = list(reversed(self.children[at]))
        while waiting:
            each = waiting.pop()
            found.append(each)
            waiting.extend(reversed(self.children[each]))
        return found


def masked(text: str) -> str:
    """Return dots for a text that nobody sees, not more than tell that there is one."""
    return "•" * min(len(text), MAX_MASK_CHARS)


def scene(world: World) -> Scene:
    """Join what was said into one tree."""
    builder = _Builder(world)
    if world.sheets and world.sheets[0]:
        builder.add(world.sheets[0][0], world.sheets[0], -1, (0.0, 0.0))
    children: list[list[int]] = [[] for _ in builder.things]
    for thing in builder.things:
        if thing.parent >= 0:
            children[thing.parent].append(thing.at)
    return Scene(builder.things, children, world)


class _Builder:
    def __init__(self, world: World) -> None:
        self.things: list[Thing] = []
        self._world = world
        self._depth = 0

    def add(self, sheet: Sheet, family: Sequence[Sheet], frame: int, corner: tuple[float, float]) -> None:
        """Add a document whose upper left corner is at `corner` of the window."""
        origin = corner[0] - sheet.scroll[0], corner[1] - sheet.scroll[1]
        reasons = unseen(sheet.layout)
        shift: list[int] = []
        for place, node in enumerate(sheet.layout.nodes):
            above = self.things[shift[node.parent]] if node.parent >= 0 else None
            shift.append(len(self.things))
            box = _moved(node, origin)
            clip = self._clip(above, frame, node)
            thing = Thing(
                at=len(self.things),
                parent=frame if above is None else above.at,
                node=node,
                sheet=sheet,
                place=place,
                box=box,
                shown=_within(box, clip),
                why=reasons[place] or (self.things[frame].why if frame >= 0 else ""),
                opacity=_opacity(node) * self._opacity_above(above, frame),
                frame=frame,
            )
            if thing.node.kind == TEXT and thing.is_masked:
                thing = thing._replace(node=node._replace(value=masked(node.value.strip())))
            self.things.append(thing)
            if node.kind == ELEMENT and node.name in FRAMES:
                self._enter(self.things[-1], family)

    def _opacity_above(self, above: Thing | None, frame: int) -> float:
        return above.opacity if above is not None else self.things[frame].opacity if frame >= 0 else 1.0

    def _clip(self, above: Thing | None, frame: int, node: Node) -> Box | None:
        """Return what the nearest clipping ancestors leave to see; what is fixed escapes from them."""
        if node.drawn is not None and node.drawn.style.get("position") == "fixed":
            above = None
        while above is not None:
            clips = above.style("overflow-x") in _CLIPPING or above.style("overflow-y") in _CLIPPING
            if clips and above.node.name not in {"html", "body"}:
                return above.shown or Box(0, 0, 0, 0)
            above = self.things[above.parent] if above.parent >= 0 and above.parent != frame else None
        return self.things[frame].shown or Box(0, 0, 0, 0) if frame >= 0 else None

    def _enter(self, owner: Thing, family: Sequence[Sheet]) -> None:
        if owner.box is None or not owner.reachable or self._depth >= MAX_DEPTH:
            return
        process = self._world.owners.get(owner.key)
        inside = family if process is None else self._world.sheets[process]
        document = owner.node.inner if process is None else 0
        if 0 <= document < len(inside):
            self._depth += 1
            self.add(inside[document], inside, owner.at, (owner.box.x, owner.box.y))
            self._depth -= 1


def _moved(node: Node, origin: tuple[float, float]) -> Box | None:
    if node.drawn is None:
        return None
    box = node.drawn.box
    return Box(box.x + origin[0], box.y + origin[1], box.width, box.height)


def _within(box: Box | None, clip: Box | None) -> Box | None:
    if box is None or clip is None:
        return box
    left = box.within(clip)
    return left if left.width > 0 and left.height > 0 else None


def _opacity(node: Node) -> float:
    if node.kind != ELEMENT or node.drawn is None:
        return 1.0
    try:
        return float(node.drawn.style.get("opacity") or 1)
    except ValueError:
        return 1.0
