"""Decides what of a page lies on top: modal dialogs, overlays and popovers, and what is behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.render.layout import ELEMENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.browser.browse.scene import Scene, Thing

_FULL = 0.8
"""Of the window, both ways: what is so large and stays in place lets nothing behind it be reached."""
_DIALOGS: Final = frozenset({"dialog", "alertdialog"})
_PLACED: Final = frozenset({"fixed", "absolute", "sticky"})


class Layers(NamedTuple):
    """Where the things on top begin, by their places in the scene."""

    modal: frozenset[int]
    on_top: frozenset[int]


def layers(scene: Scene) -> Layers:
    """Find what lies on top."""
    modal = {thing.at for thing in scene.things if thing.key in scene.world.modal and thing.reachable}
    modal |= set(_declared(scene)) - {at for each in modal for at in scene.below(each)}
    if not modal:
        modal = set(_spread(scene))
    elif len(modal) > 1:  # the last one was opened from the others
        modal = {max(modal, key=lambda at: _order(scene.things[at]))}
    popovers = {thing.at for thing in scene.things if thing.key in scene.world.popovers and thing.reachable}
    return Layers(frozenset(modal), frozenset(popovers - modal))


def _declared(scene: Scene) -> Iterator[int]:
    for thing in scene.things:
        given = thing.node.attributes
        if given.get("aria-modal") == "true" and given.get("role", "dialog") in _DIALOGS and _is_shown(thing):
            yield thing.at


def _spread(scene: Scene) -> Iterator[int]:
    """Find what is spread over the window, or floats before an empty veil that is."""
    wide = [thing for thing in scene.things if _is_spread(thing, scene)]
    if not wide:
        return
    last = max(wide, key=_order)
    if any(scene.things[at].is_text for at in scene.below(last.at)):
        yield last.at
        return
    family = {*scene.above(last.at), *scene.below(last.at), last.at}
    before: set[int] = set()
    for thing in scene.things:
        floats = thing.style("position") in _PLACED and _order(thing) > _order(last) and _is_shown(thing)
        if thing.parent in before:
            before.add(thing.at)
        elif floats and thing.at not in family and thing.node.kind == ELEMENT:
            before.add(thing.at)
            yield thing.at


def _is_spread(thing: Thing, scene: Scene) -> bool:
    if thing.style("position") != "fixed" or thing.frame >= 0 or not _is_shown(thing) or thing.box is None:
        return False
    width, height = scene.world.width, scene.world.height
    inside = -2 <= thing.box.x < width * (1 - _FULL) and -2 <= thing.box.y < height * (1 - _FULL)
    large = thing.box.width >= _FULL * width and thing.box.height >= _FULL * height
    return large and inside and thing.style("pointer-events") != "none"


def _is_shown(thing: Thing) -> bool:
    return thing.reachable and not thing.faint


def _order(thing: Thing) -> int:
    return -1 if thing.node.drawn is None else thing.node.drawn.order
