"""Decides what on a page can be worked, and says of each what it is, what it holds and in which state it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.naming import Names
from wellread.browser.browse.scene import FRAMES, masked
from wellread.browser.render.layout import ELEMENT
from wellread.characters import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.browser.browse.scene import Key, Scene, Thing

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
_PRESS: Final = frozenset(
    {"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick", "auxclick"}
    | {"contextmenu", "keydown", "keyup"}
)
_HOVER: Final = frozenset({"mouseenter", "mouseover", "pointerenter", "pointerover"})
_DROP: Final = frozenset({"drop", "dragover"})
# Where a listener further up waits for clicks, these are what it probably waits for them on.
_DELEGATED = re.compile(
    r"(?:^|[\s_-])(?:btn|button|link|toggle|tab|option|item|chip|close|dropdown|trigger)(?:$|[\s_-])"
)
_HANDLES = re.compile(r"data-(?:action|click|toggle|target|href|url|command|on|bs)\b|on(?:click|mousedown)$|ng-click")
_DROPS_ON = "ui-droppable"
"""How jQuery UI, which keeps its own book of them, marks where things may be dropped."""
_LISTENERS: Final = frozenset({"clickable", "hoverable", "drop target"})
"""Roles of what only listens."""
_CLICKS: Final = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"})
_CELLS: Final = frozenset({"td", "li", "dd"})
_CELL_ROLES: Final = frozenset({"gridcell", "cell", "listitem"})
_LEAST_CELLS = 3
_MOST_IN_GRID = 1_500
"""Things below a listener; what holds more is a page."""
_SHORT_CELL_CHARS = 4
"""Of a table's cells on average: days are shorter, data are longer."""
_DOT_PX = 3.0
_MOST_IN_HOST = 100
"""Things in what shows more by hover that are looked at for a control."""
_TOO_WIDE = 0.5
"""Of the window: what is larger and holds controls itself only listens for them."""
ASIDE: Final = frozenset({"select", "textarea", "input", "video", "audio", "object", "embed"})
"""What is in them is theirs."""


class Control(NamedTuple):
    """A thing that can be worked."""

    at: int
    key: Key
    role: str
    name: str
    value: str
    state: tuple[str, ...]
    options: tuple[str, ...] = ()
    whole: bool = True
    """Its name says all that is in it."""


def controls(scene: Scene) -> list[Control]:
    """Return all controls in document order."""
    return list(_Finder(scene).found())[:MAX_CONTROLS]


def cells(scene: Scene, listening: Sequence[frozenset[str]]) -> dict[int, list[int]]:
    """Return what stands in rows below one listener, as the days of a calendar: equal elements with a short text each.

    Nothing on them says that they are waited for. Of a table with longer texts, the rows are returned.
    """
    grids: dict[int, list[int]] = {}
    for thing in scene.things:
        if not listening[thing.at] & _CLICKS or thing.node.name in {"html", "body"} or thing.node.kind != ELEMENT:
            continue
        below = scene.below(thing.at)
        if len(below) > _MOST_IN_GRID:
            continue
        alike: dict[tuple[str, bool], list[Thing]] = {}
        for at in below:
            each = scene.things[at]
            if _is_cell(scene, each):
                alike.setdefault((each.node.name, _is_marked(each)), []).append(each)
        for group in alike.values():
            if len(group) >= _LEAST_CELLS:
                grids.setdefault(thing.at, []).extend(_cells_or_rows(scene, group))
    return grids


def _cells_or_rows(scene: Scene, group: Sequence[Thing]) -> Iterator[int]:
    texts = ["".join(scene.things[at].node.value for at in scene.children[each.at]).strip() for each in group]
    if group[0].node.name not in {"td", "th"} or sum(map(len, texts)) <= _SHORT_CELL_CHARS * len(texts):
        yield from (each.at for each in group)
    else:
        yield from dict.fromkeys(each.parent for each in group)


def _is_cell(scene: Scene, thing: Thing) -> bool:
    """Say whether it holds a short text and nothing else, and is one of those that stand in lists and grids."""
    if thing.node.kind != ELEMENT or not thing.reachable:
        return False
    children = (scene.things[at] for at in scene.children[thing.at])
    # Markers of lists are nodes of no kind, and blanks between tags are no text.
    parts = [each for each in children if each.node.kind == ELEMENT or each.node.value.strip()]
    if not parts or not all(part.is_text for part in parts) or sum(len(part.node.value) for part in parts) > 60:
        return False
    role = thing.node.attributes.get("role", "")
    return thing.node.name in _CELLS or role in _CELL_ROLES or _is_marked(thing)


def _is_marked(thing: Thing) -> bool:
    return any(name.startswith("data-") and not name.startswith("data-v-") for name in thing.node.attributes)


class _Finder:
    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._names = Names(scene)
        self._listening = [scene.world.listening.get(thing.key, frozenset()) for thing in scene.things]
        grids = cells(scene, self._listening)
        self._grids = grids.keys()
        self._cells = {at for each in grids.values() for at in each}
        self._roles = [self._role(thing) for thing in scene.things]
        self._holds = self._counted()
        self._hosts = {at for at in map(self._host, scene.things) if at is not None}

    def found(self) -> Iterator[Control]:
        aside: set[int] = set()
        for thing in self._scene.things:
            if thing.parent in aside:
                aside.add(thing.at)
                continue
            if thing.node.name in ASIDE:
                aside.add(thing.at)
            role = self._roles[thing.at]
            if role and (stand_in := self._stand_in(thing)) is not None and not self._is_double(thing, role):
                yield self._control(thing, stand_in, role)

    # ------------------------------------------------------------------------------------------- what it is

    def _role(self, thing: Thing) -> str:
        if thing.node.kind != ELEMENT or thing.node.name in {"html", "iframe", "frame", "head", "option", "label"}:
            return ""
        return self._by_tag(thing) or self._by_attribute(thing) or self._by_listener(thing)

    def _by_tag(self, thing: Thing) -> str:
        name, given = thing.node.name, thing.node.attributes
        role = given.get("role", "").strip().lower()
        if name == "input":
            kind = given.get("type", "text").strip().lower()
            own = "" if kind == "hidden" else _INPUTS.get(kind, "textbox")
            return role if own and role in _ROLES else own
        if name in {"a", "area"}:
            return (role if role in _ROLES else "link") if "href" in given or "xlink:href" in given else ""
        if name in {"video", "audio"}:
            return "media" if "controls" in given else ""
        own = _NATIVE.get(name, "")
        return role if own and role in _ROLES else own

    def _by_attribute(self, thing: Thing) -> str:
        given = thing.node.attributes
        role = given.get("role", "").strip().lower().partition(" ")[0]
        if role in _ROLES:
            return role
        is_outermost = not any(map(_is_editable, self._around(thing, 4)))
        if thing.is_design_mode or (_is_editable(thing) and is_outermost):
            return "textbox"
        if given.get("draggable") == "true":
            return "draggable"
        return "clickable" if given.get("tabindex", "-1").lstrip("+").isdigit() else ""

    def _by_listener(self, thing: Thing) -> str:
        heard = self._listening[thing.at]
        if heard & _PRESS or thing.place in thing.sheet.clickable or _HANDLES.search(" ".join(thing.node.attributes)):
            return "clickable"
        if heard & _DROP or _DROPS_ON in thing.node.attributes.get("class", "").split():
            return "drop target"
        if heard & _HOVER or thing.key in self._scene.world.hover_hosts:
            return "hoverable"
        if thing.style("cursor") in {"pointer", "grab", "move"} or "resize" in thing.style("cursor"):
            above = self._scene.things[thing.parent] if thing.parent >= 0 else None
            return "clickable" if above is None or above.style("cursor") != thing.style("cursor") else ""
        if _DELEGATED.search(thing.node.attributes.get("class", "")) and self._is_listened_for(thing):
            return "clickable"
        return "clickable" if thing.at in self._cells else ""

    def _is_listened_for(self, thing: Thing) -> bool:
        return any(self._listening[at] & _PRESS for at in self._scene.above(thing.at)[:12])

    def _around(self, thing: Thing, most: int) -> Iterator[Thing]:
        return (self._scene.things[at] for at in self._scene.above(thing.at)[:most])

    def _host(self, thing: Thing) -> int | None:
        """Return which control stands for what shows more by hover: itself, or the first one in it or around it."""
        if thing.key not in self._scene.world.hover_hosts or not thing.reachable:
            return None
        if self._roles[thing.at] not in {"", "hoverable"}:
            return thing.at
        hidden: set[int] = set()
        for at in self._scene.below(thing.at)[:_MOST_IN_HOST]:
            each = self._scene.things[at]
            if each.parent in hidden or each.key in self._scene.world.hover_hidden:
                hidden.add(at)
            elif self._roles[at] not in {"", "hoverable"} and self._is_within_reach(each, is_field=False):
                return at
        return thing.at

    # ---------------------------------------------------------------------------------- whether it is told

    def _counted(self) -> list[int]:
        """Count for each thing the controls in it."""
        holds = [0] * len(self._scene.things)
        for thing in reversed(self._scene.things):
            if thing.parent >= 0:
                counts = self._roles[thing.at] != "" and self._is_pointed_at(thing)
                holds[thing.parent] += holds[thing.at] + (1 if counts else 0)
        return holds

    def _stand_in(self, thing: Thing) -> Thing | None:
        """Return what a pointer works it by: itself, or the label of a field that is not shown; None for neither."""
        field = thing.node.name == "input"
        if self._is_within_reach(thing, is_field=field):
            return thing
        if field and self._roles[thing.at] in {"checkbox", "radio", "file", "switch"}:
            label = self._names.label(thing)
            return label if label is not None and label.reachable and not label.faint else None
        return self._inner(thing)

    def _is_within_reach(self, thing: Thing, *, is_field: bool) -> bool:
        """Say whether it is drawn where it can be scrolled to; fields may be transparent, but not a mere dot."""
        if not thing.reachable or thing.box is None or (thing.faint and not is_field):
            return False
        large = not is_field or min(thing.box.width, thing.box.height) > _DOT_PX
        return large and (thing.shown is not None or not self._is_cut(thing))

    def _is_pointed_at(self, thing: Thing) -> bool:
        return thing.reachable and (not thing.faint or thing.node.name == "input")

    def _inner(self, thing: Thing) -> Thing | None:
        """Return what is drawn of an element without a box of its own (display: contents, an inline with a block)."""
        if thing.node.drawn is not None and thing.style("visibility") != "visible":
            return None
        if thing.node.drawn is None and thing.node.name != "area" and not self._scene.children[thing.at]:
            return None
        below = (self._scene.things[at] for at in self._scene.below(thing.at)[:10])
        found = next((each for each in below if each.node.kind == ELEMENT and each.reachable and not each.faint), None)
        if thing.node.name == "area":
            return thing
        return thing if found is not None and found.shown is not None else None

    def _is_cut(self, thing: Thing) -> bool:
        """Say whether what hides it cannot be scrolled."""
        for above in self._around(thing, 30):
            if above.node.name in FRAMES:  # Chromium computes overflow: clip for it, and its document scrolls
                continue
            if {above.style("overflow-x"), above.style("overflow-y")} & {"auto", "scroll"}:
                return False
            if {above.style("overflow-x"), above.style("overflow-y")} & {"hidden", "clip"}:
                return above.node.name not in {"html", "body"}
        return False

    def _is_double(self, thing: Thing, role: str) -> bool:
        """Say whether a control around it, or controls in it, already stand for it."""
        if role not in _LISTENERS:
            return False
        is_around = role == "hoverable" and self._holds[thing.at] > 0 and thing.at not in self._hosts
        if is_around or self._is_a_mere_place(thing):
            return True
        own = self._listening[thing.at] & (_PRESS | _HOVER | _DROP)
        if own and not (own <= {"keydown", "keyup"}):
            return False
        return any(
            self._roles[each.at] not in {"", "drop target"} and not self._is_a_mere_place(each)
            for each in self._around(thing, 3)
        )

    def _is_a_mere_place(self, thing: Thing) -> bool:
        """Say whether it only listens for what is done to the controls in it, as the root of an application does."""
        listens = self._roles[thing.at] in _LISTENERS
        return listens and (thing.at in self._grids or thing.node.name in {"body", "label"} or self._is_too_wide(thing))

    def _is_too_wide(self, thing: Thing) -> bool:
        if not self._holds[thing.at] or thing.style("cursor") == "pointer" or thing.box is None:
            return False
        world = self._scene.world
        covers = thing.box.width * thing.box.height > _TOO_WIDE * world.width * world.height
        return covers or self._holds[thing.at] > 3

    # ------------------------------------------------------------------------------------------ what it holds

    def _control(self, thing: Thing, stand_in: Thing, role: str) -> Control:
        options = self._options(thing) if thing.node.name == "select" else []
        suggestions = self._suggestions(thing) if "list" in thing.node.attributes else []
        chosen = [name for name, is_chosen in options if is_chosen]
        name = self._names.of(thing)
        return Control(
            at=stand_in.at,
            key=stand_in.key,
            role=role,
            name=name,
            value=", ".join(chosen)[:MAX_VALUE_CHARS] if options else self._value(thing, role),
            state=(*self._state(thing), *(["more on hover"] if thing.at in self._hosts else [])),
            options=tuple(name for name, _ in options) or tuple(suggestions),
            whole=thing.node.name in ASIDE or not (self._holds[thing.at] or len(name) >= 99),
        )

    def _options(self, thing: Thing) -> list[tuple[str, bool]]:
        found = []
        for at in self._scene.below(thing.at):
            each = self._scene.things[at]
            if each.node.name == "option":
                texts = (self._scene.things[below].node.value for below in self._scene.below(at))
                name = each.node.attributes.get("label") or " ".join(texts)
                found.append((on_one_line(name)[:80], each.place in each.sheet.chosen))
        return found

    def _suggestions(self, thing: Thing) -> list[str]:
        """Return the options of a field's `<datalist>`."""
        datalist = self._names.by_id(thing, thing.node.attributes["list"])
        if thing.node.name != "input" or datalist is None or datalist.node.name != "datalist":
            return []
        shown = []
        for at in self._scene.children[datalist.at]:
            given = self._scene.things[at].node.attributes
            text = " ".join(self._scene.things[below].node.value for below in self._scene.below(at))
            shown.append(given.get("label") or given.get("value") or text)
        return [on_one_line(text)[:80] for text in shown if text.strip()]

    def _value(self, thing: Thing, role: str) -> str:
        given = thing.node.attributes
        if role == "password" or (thing.is_masked and thing.node.name in {"input", "textarea"}):
            return masked(thing.sheet.values.get(thing.place, ""))
        if role in {"button", "checkbox", "radio", "switch"}:
            return ""
        said = thing.sheet.values.get(thing.place) or given.get("aria-valuetext") or given.get("aria-valuenow") or ""
        if role in {"textbox", "combobox", "searchbox"} and thing.node.name not in {"input", "textarea"}:
            said = self._names.text(thing.at)
        return on_one_line(said)[:MAX_VALUE_CHARS].replace('"', "'")

    def _state(self, thing: Thing) -> Iterator[str]:
        given = thing.node.attributes
        kind = given.get("type", "").lower() if thing.node.name == "input" else ""
        if kind in {"checkbox", "radio"}:
            yield "checked" if thing.place in thing.sheet.checked else "unchecked"
        elif "aria-checked" in given:
            yield {"true": "checked", "mixed": "mixed"}.get(given["aria-checked"], "unchecked")
        if thing.node.name == "summary" and thing.parent >= 0:
            yield "expanded" if "open" in self._scene.things[thing.parent].node.attributes else "collapsed"
        if "aria-expanded" in given:
            yield "expanded" if given["aria-expanded"] == "true" else "collapsed"
        for attribute, word in (
            ("aria-selected", "selected"),
            ("aria-pressed", "pressed"),
            ("aria-invalid", "invalid"),
        ):
            if given.get(attribute) == "true":
                yield word
        if given.get("aria-current", "false") != "false":
            yield "current"
        if "disabled" in given or given.get("aria-disabled") == "true" or self._is_in_disabled(thing):
            yield "disabled"
        yield from (word for word in ("readonly", "required", "multiple") if word in given)
        if thing.key == self._scene.world.focused:
            yield "focused"

    def _is_in_disabled(self, thing: Thing) -> bool:
        return any(
            each.node.name == "fieldset" and "disabled" in each.node.attributes for each in self._around(thing, 8)
        )


def _is_editable(thing: Thing) -> bool:
    given = thing.node.attributes.get("contenteditable")
    return given is not None and given.strip().lower() in {"", "true", "plaintext-only"}
