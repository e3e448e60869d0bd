"""What a control is called: as a person sees it, else as the page labels it for those who listen (accname 1.2, cut)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.browser.render.layout import ELEMENT
from wellread.characters import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wellread.browser.browse.scene import Scene, Thing

MAX_CHARS = 100
_MOST_PARTS = 200
FIELDS = frozenset({"input", "select", "textarea"})
HOLDERS = frozenset({"combobox", "textbox", "searchbox", "spinbutton"})
"""Roles whose text is what they hold, not what they are called."""
_PRESSED = {"submit": "Submit", "reset": "Reset", "file": "Choose file", "image": "Submit"}


class Names:
    """Names for the things of one scene."""

    def __init__(self, scene: Scene) -> None:
        """Take the scene, and find its ids and labels once."""
        self._scene = scene
        self._ids: dict[tuple[int, str], int] = {}
        self.labels: dict[tuple[int, str], int] = {}
        """Label elements by document and the id that they are for."""
        for thing in scene.things:
            if thing.node.kind != ELEMENT:
                continue
            if given := thing.node.attributes.get("id"):
                self._ids.setdefault((id(thing.sheet), given), thing.at)
            if thing.node.name == "label" and (given := thing.node.attributes.get("for")):
                self.labels.setdefault((id(thing.sheet), given), thing.at)

    def of(self, thing: Thing) -> str:
        """Return the name of a control; empty where it has none."""
        given = thing.node.attributes
        return next((name for said in self._said(thing, given) if (name := _plain(said))), "")

    def _said(self, thing: Thing, given: Mapping[str, str]) -> Iterator[str]:
        """Yield what may name it, best first."""
        holds = given.get("role", "") in HOLDERS
        yield self._labelled(thing) if holds else ""
        yield self._referred(thing, given.get("aria-labelledby", ""))
        yield given.get("aria-label", "")
        yield self._labelled(thing)
        yield "" if holds else self._own(thing, given)
        yield given.get("title", "")
        yield given.get("placeholder", "") or given.get("aria-placeholder", "")
        yield given.get("name", "") if thing.node.name in FIELDS else ""

    def by_id(self, thing: Thing, name: str) -> Thing | None:
        """Return the element of this id in the document of `thing`."""
        at = self._ids.get((id(thing.sheet), name))
        return None if at is None else self._scene.things[at]

    def label(self, thing: Thing) -> Thing | None:
        """Return the label element of a field."""
        given = thing.node.attributes.get("id")
        at = self.labels.get((id(thing.sheet), given)) if given else None
        if at is None:
            around = (each for each in self._scene.above(thing.at)[:6])
            at = next((each for each in around if self._scene.things[each].node.name == "label"), None)
        return None if at is None else self._scene.things[at]

    def text(self, at: int, *, besides: int = -1) -> str:
        """Return the visible text in a thing, pictures by their descriptions."""
        return " ".join(self._parts([at, *self._scene.below(at)][:_MOST_PARTS], besides))

    def _parts(self, places: Iterable[int], besides: int) -> Iterable[str]:
        aside: set[int] = set()
        for each in places:
            thing = self._scene.things[each]
            if thing.parent in aside or each == besides or thing.node.name in {"select", "textarea", "style"}:
                aside.add(each)
            elif thing.is_text and not thing.faint:
                yield thing.node.value.strip()
            elif thing.node.kind == ELEMENT and thing.node.drawn is not None:
                yield from filter(None, (_described(thing.node.name, thing.node.attributes),))

    def _referred(self, thing: Thing, ids: str) -> str:
        found = (self._ids.get((id(thing.sheet), each)) for each in ids.split()[:5])
        return " ".join(self.text(at) for at in found if at is not None)

    def _labelled(self, thing: Thing) -> str:
        is_field = thing.node.name in FIELDS or thing.node.attributes.get("role", "") in HOLDERS
        label = self.label(thing) if is_field else None
        return self.text(label.at, besides=thing.at) if label is not None else ""

    def _own(self, thing: Thing, given: Mapping[str, str]) -> str:
        if thing.node.name == "input":
            kind = given.get("type", "").lower()
            if kind in {"submit", "button", "reset"}:
                return given.get("value", "") or _PRESSED.get(kind, "")
            return given.get("alt", "") if kind == "image" else ""
        if thing.node.name in {"select", "textarea"}:
            return ""
        return given.get("alt", "") or self.text(thing.at)


def _described(name: str, given: Mapping[str, str]) -> str:
    if name == "img":
        return given.get("alt", "")
    return given.get("aria-label", "") if name in {"svg", "i"} or given.get("role") == "img" else ""


def _plain(text: str) -> str:
    told = on_one_line(text).replace('"', "'")
    return told if len(told) <= MAX_CHARS else told[: MAX_CHARS - 1].rstrip() + "…"
