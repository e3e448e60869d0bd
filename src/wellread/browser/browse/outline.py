"""Writes a scene down as text with numbered controls: what lies on top first, then the window; pages instead of cuts.

A real marker is `[3]` without a backslash before it. Whatever looks like one, or like a heading of ours, in the page's
own words gets one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.controls import ASIDE, MAX_OPTIONS
from wellread.browser.browse.layers import layers
from wellread.browser.render.layout import ELEMENT
from wellread.characters import cleaned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.browser.browse.controls import Control
    from wellread.browser.browse.scene import Scene, Thing

MAX_CHARS = 5_000
MAX_ELEMENTS = 50
MAX_TEXT_CHARS = 200_000
_LINE_CHARS = 500
_HEADING_CHARS = 60
_OMITTED: Final = ASIDE | {"script", "style", "head", "noscript", "template", "title", "canvas", "noframes", "datalist"}
_LOOKALIKE = re.compile("[\\[\uff3b]\\s*((?:\\d[\ufe0e\ufe0f]?)+)\u20e3?\\s*[\\]\uff3d]")
"""Digits may be followed by what makes emoji of them."""
_SPACE = re.compile(r"\s+")
_RULE = re.compile(r"^(\s*)===")

MODAL, ON_TOP, WINDOW, BELOW, ABOVE = range(5)
_TITLES = {
    MODAL: "=== dialog on top ===",
    ON_TOP: "=== on top ===",
    WINDOW: "=== in the window ===",
    BELOW: "=== further down ===",
    ABOVE: "=== further up ===",
}
_BEHIND = {
    WINDOW: "=== covered by the dialog ===",
    BELOW: "=== covered, further down ===",
    ABOVE: "=== covered, further up ===",
}


class Line(NamedTuple):
    """A line of text, where it is, and the controls in it."""

    text: str
    layer: int
    controls: tuple[int, ...]
    """By place in the scene."""


class Leaf(NamedTuple):
    """One page of an outline."""

    content: str
    controls: tuple[int, ...]


class Outline(NamedTuple):
    """A whole scene, written down."""

    leaves: tuple[Leaf, ...]
    behind: frozenset[int]
    """Controls that a dialog covers."""
    lines: tuple[str, ...]
    """All that is said, without markers: what is compared with the next."""


def escape(text: str) -> str:
    """Return `text` on one line, without what shows nothing; what looks like a marker or heading of ours is marked."""
    line = _SPACE.sub(" ", cleaned(text)[0])
    return _RULE.sub(r"\1\\===", _LOOKALIKE.sub(r"\\[\1]", line))


def label(control: Control, index: int, state: Sequence[str]) -> str:
    """Return how a control stands in the text: `[3] textbox "Name" = "Ann" (required)`."""
    parts = [f"[{index}] {control.role}"]
    if control.name and control.whole:
        parts.append(f'"{escape(control.name)}"')
    if control.value:
        parts.append(f'= "{escape(control.value)}"')
    if state:
        parts.append(f"({', '.join(state)})")
    if control.options:
        more = f" | … {len(control.options)} in all" if len(control.options) > MAX_OPTIONS else ""
        parts.append(f"{{{' | '.join(map(escape, control.options[:MAX_OPTIONS]))}{more}}}")
    return " ".join(parts)


def outline(scene: Scene, found: Mapping[int, Control], numbers: Mapping[int, int], covered: frozenset[int]) -> Outline:
    """Write `scene` down. `found` and `numbers` go by place in the scene; `covered` are controls under others."""
    writer = _Writer(scene, found, numbers, covered)
    writer.write()
    lines = sorted(writer.lines, key=lambda line: line.layer)  # stable: document order within a layer
    behind = {at for line in lines if writer.has_dialog and line.layer > ON_TOP for at in line.controls}
    words = tuple(re.sub(r"(?<!\\)\[\d+\] ", "", line.text) for line in lines if not line.controls)
    return Outline(_leaves(lines, has_dialog=writer.has_dialog), frozenset(behind), words)


def _leaves(lines: Sequence[Line], *, has_dialog: bool) -> tuple[Leaf, ...]:
    leaves: list[Leaf] = []
    text: list[str] = []
    held: list[int] = []
    room, layer = MAX_CHARS, -1
    titled = has_dialog or len({line.layer for line in lines}) > 1
    for line in lines:
        need = len(line.text) + 1
        if text and (need + _HEADING_CHARS > room or len(held) + len(line.controls) > MAX_ELEMENTS):
            leaves.append(Leaf("\n".join(text), tuple(held)))
            text, held, room, layer = [], [], MAX_CHARS, -1
        if line.layer != layer and titled:
            text.append((_BEHIND if has_dialog else _TITLES).get(line.layer, _TITLES[line.layer]))
            room -= len(text[-1]) + 1
        layer = line.layer
        text.append(line.text)
        held.extend(line.controls)
        room -= need
    return (*leaves, Leaf("\n".join(text), tuple(held)))


class _Writer:
    def __init__(
        self, scene: Scene, found: Mapping[int, Control], numbers: Mapping[int, int], covered: frozenset[int]
    ) -> None:
        self.lines: list[Line] = []
        self._scene = scene
        self._found = found
        self._numbers = numbers
        self._covered = covered
        self._tops = layers(scene)
        self.has_dialog = bool(self._tops.modal)
        self._parts: list[str] = []
        self._words: list[str] = []
        """Text since the last marker: it is escaped as one, however many elements the page spread it over."""
        self._controls: list[int] = []
        self._layer: int | None = None
        self._prefix = ""
        self._room = MAX_TEXT_CHARS

    def write(self) -> None:
        """Walk the scene once."""
        roots = [thing.at for thing in reversed(self._scene.things) if thing.parent < 0]
        waiting: list[tuple[int, int | None]] = [(at, None) for at in roots]
        while waiting:
            at, top = waiting.pop()
            if at < 0:
                self._end()
                continue
            thing = self._scene.things[at]
            top = MODAL if at in self._tops.modal else ON_TOP if at in self._tops.on_top and top is None else top
            if thing.is_text:
                self._say(thing, top)
            elif self._open(thing, top):
                if _is_block(thing):
                    waiting.append((-1, None))
                waiting.extend((child, top) for child in reversed(self._scene.children[at]))
        self._end()

    def _open(self, thing: Thing, top: int | None) -> bool:
        """Begin an element; False when nothing in it is to be written."""
        if thing.node.kind != ELEMENT:
            return True
        control = self._found.get(thing.at)
        if thing.node.name in _OMITTED and control is None:
            return False
        if thing.node.name == "br" or _is_block(thing):
            self._end()
        if thing.node.name in {"td", "th"} and (self._parts or self._words):
            self._words.append(" | ")
        if len(thing.node.name) == 2 and thing.node.name[0] == "h" and thing.node.name[1].isdigit():
            self._prefix = "#" * int(thing.node.name[1]) + " "
        if control is not None:
            self._mark(thing, control, top)
        elif thing.node.name == "img" and not thing.why and (said := thing.node.attributes.get("alt", "").strip()):
            self._add(f" (picture: {said[:200]}) ", thing, top)
        return thing.node.name not in _OMITTED and (control is None or not control.whole or not control.name)

    def _mark(self, thing: Thing, control: Control, top: int | None) -> None:
        self._close_words()
        if len(self._controls) >= MAX_ELEMENTS or sum(map(len, self._parts)) > _LINE_CHARS:
            self._end()
        self._settle(thing, top)
        covered = thing.at in self._covered or (self.has_dialog and top not in {MODAL, ON_TOP})
        state = (*control.state, "covered") if covered else control.state
        self._parts.append(label(control, self._numbers[thing.at], state))
        self._controls.append(thing.at)

    def _say(self, thing: Thing, top: int | None) -> None:
        text = _SPACE.sub(" ", thing.node.value)
        while text and not thing.faint and self._room > 0:
            end = len(text)
            if end > _LINE_CHARS * 2:
                end = text.rfind(" ", _LINE_CHARS, _LINE_CHARS * 2) + 1 or _LINE_CHARS * 2
            piece, text = text[:end], text[end:]
            self._add(piece, thing, top)
            if text:
                self._end()

    def _add(self, piece: str, thing: Thing, top: int | None) -> None:
        if sum(map(len, self._words)) > _LINE_CHARS * 2:
            self._end()
        self._settle(thing, top)
        self._words.append(piece)
        self._room -= len(piece)

    def _settle(self, thing: Thing, top: int | None) -> None:
        """Say where the line is: where its first word is."""
        if self._layer is None:
            self._layer = top if top is not None else self._place(thing)

    def _place(self, thing: Thing) -> int:
        box, world = thing.shown, self._scene.world
        if box is None:
            box = thing.box
            return WINDOW if box is None else BELOW
        if box.y + box.height <= 0:
            return ABOVE
        return BELOW if box.y >= world.height or box.x >= world.width else WINDOW

    def _close_words(self) -> None:
        if self._words:
            text = escape(_SPACE.sub(" ", "".join(self._words)).strip())
            self._parts.extend([text] if text else [])
            self._words = []

    def _end(self) -> None:
        """End the line."""
        self._close_words()
        if self._parts and any(part.strip(" |") for part in self._parts):
            text = self._prefix + " ".join(self._parts)
            self.lines.append(Line(text, WINDOW if self._layer is None else self._layer, tuple(self._controls)))
        if self._parts:
            self._prefix = ""
        self._parts, self._controls, self._layer = [], [], None


def _is_block(thing: Thing) -> bool:
    display = thing.style("display")
    return bool(display) and not display.startswith("inline") and display not in {"contents", "table-cell"}
