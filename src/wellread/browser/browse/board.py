"""What was last shown of a tab: which number stands for which element, and what differs from what was shown before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.changes import State, changes, is_unanswered
from wellread.browser.browse.controls import Control, controls
from wellread.browser.browse.naming import Names
from wellread.browser.browse.outline import MAX_ELEMENTS, Leaf, Outline, escape, outline
from wellread.browser.browse.remade import remade
from wellread.browser.browse.scene import Key, scene
from wellread.errors import InvalidInput
from wellread.types import Element, PageSnapshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.browser.browse.scene import Scene, World

MAX_URL_CHARS = 4_000
MAX_NAME_CHARS = 100
MAX_TEXTS = 5_000
"""Elements whose text is searched for words."""


class Spot(NamedTuple):
    """An element that can be acted on."""

    number: int
    key: Key
    frame: str
    """The browser's name for the frame that it is in."""
    owners: tuple[tuple[Key, str], ...]
    """The elements of the frames around it, the innermost first, each with the frame that it is in."""
    element: Element

    @property
    def label(self) -> str:
        """Its number and role, without words of the page: for notices, which are not quoted."""
        return f"[{self.number}] {self.element.role}"

    @property
    def told(self) -> str:
        """Say which it is: `[3] button "Save"`."""
        return f"[{self.number}] {self.element.role}" + (f' "{self.element.name}"' if self.element.name else "")


_HAS_VANISHED: Final = "has vanished from the page"


class View(NamedTuple):
    """A scene, the controls found in it, and where a pointer would have to touch to prove that they are reached."""

    scene: Scene
    controls: tuple[Control, ...]
    points: tuple[tuple[float, float], ...]
    """One for each of `probed`."""
    probed: tuple[Control, ...]


def view(world: World) -> View:
    """Find the controls of a page, and the points to probe: the middle of each that is in the window."""
    joined = scene(world)
    found = controls(joined)
    probed, points = [], []
    for control in found:
        shown = joined.things[control.at].shown
        if shown is None or control.role == "hoverable":
            continue
        left, right = max(shown.x, 0.0), min(shown.x + shown.width, world.width)
        top, bottom = max(shown.y, 0.0), min(shown.y + shown.height, world.height)
        if right - left > 1 and bottom - top > 1:
            probed.append(control)
            points.append(((left + right) / 2, (top + bottom) / 2))
    return View(joined, tuple(found), tuple(points), tuple(probed))


def has_text(seen: View, text: str) -> bool:
    """Say whether a text is among all that a snapshot of `seen` would say, whatever its case."""
    numbers = {each.at: 0 for each in seen.controls}
    leaves = outline(seen.scene, {each.at: each for each in seen.controls}, numbers, frozenset()).leaves
    shown = " ".join(leaf.content.replace("[0] ", "") for leaf in leaves)
    return _folded(escape(text)) in _folded(shown)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def covered(seen: View, hits: Sequence[int], process: str) -> frozenset[int]:
    """Return the controls of which something else is touched, by place; `hits` are elements of the page's `process`."""
    places = {thing.key: thing.at for thing in seen.scene.things}
    found = set()
    for control, hit in zip(seen.probed, hits, strict=False):
        at = places.get(Key(process, hit))
        if at is None or at == control.at:
            continue
        family = {control.at, *seen.scene.above(control.at), *seen.scene.below(control.at)}
        labels = {seen.scene.things[each].node.name for each in (at, *seen.scene.above(at)[:3])}
        image = seen.scene.things[control.at].node.name == "area"
        if at not in family and "label" not in labels and not image:
            found.add(control.at)
    return frozenset(found)


@dataclass(slots=True)
class Board:
    """The numbers of one tab's elements. They stay as long as the elements do, and begin anew with each document."""

    document: str = ""
    _numbers: dict[Key, int] = field(default_factory=dict)
    _spots: dict[int, Spot] = field(default_factory=dict)
    _seen: dict[int, Element] = field(default_factory=dict)
    """Every element that was ever shown of this document."""
    _outline: Outline = field(default_factory=lambda: Outline((Leaf("", ()),), frozenset(), ()))
    _elements: dict[int, Element] = field(default_factory=dict)
    """By place in the scene."""
    _state: State | None = None
    _shown: State | None = None
    """What the caller was shown last; changes are told since then."""
    _changes: tuple[str, ...] = ()
    _view: View | None = None
    _is_again: bool = False

    def update(self, seen: View, over: frozenset[int], *, url: str, document: str) -> None:
        """Take in a page as it is now."""
        if document != self.document:
            self.document = document
            self._numbers, self._seen = {}, {}
        elif self._view is not None:
            for old, new in remade(self._view.scene, self._view.controls, seen.scene, seen.controls):
                self._numbers.setdefault(new, self._number(old))
        self._view = seen
        numbers = {each.at: self._number(each.key) for each in seen.controls}
        found = {each.at: each for each in seen.controls}
        self._outline = outline(seen.scene, found, numbers, over)
        behind = over | self._outline.behind
        self._elements = {at: _element(each, numbers[at], is_covered=at in behind) for at, each in found.items()}
        self._spots = {
            numbers[at]: _spot(seen.scene, each.at, each.key, self._elements[at]) for at, each in found.items()
        }
        self._seen |= {each.index: each for each in self._elements.values()}
        state = State(url, document, {each.index: each for each in self._elements.values()}, self._outline.lines)
        self._changes = changes(self._shown, state)
        self._state = state

    def begin(self) -> None:
        """Begin a step: the caller has seen the page as it was last taken in."""
        self._shown = self._state
        self._is_again = False

    def is_again(self) -> bool:
        """Say whether a snapshot was taken in this step already; the first time that this is asked, none was."""
        is_again, self._is_again = self._is_again, True
        return is_again

    def is_remade(self, spot: Spot) -> bool:
        """Say whether another element has taken the place and the number of one that has vanished."""
        now = self._spots.get(spot.number)
        return now is not None and now.key.process == spot.key.process and now.key != spot.key

    def is_unanswered(self, index: int = 0) -> bool:
        """Say whether nothing has changed in this step but the focus, and what element `index` holds."""
        return self._state is not None and is_unanswered(self._shown, self._state, index)

    def _number(self, key: Key) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def snapshot(self, page: int = 1) -> PageSnapshot:
        """Return one page of what is shown, without what only the tab knows.

        Raises:
            InvalidInput: there is no such page.
        """
        leaves = self._outline.leaves
        if not 1 <= page <= len(leaves):
            raise InvalidInput(f"there is no page {page}; this page of the web has {len(leaves)}")
        leaf = leaves[page - 1]
        more = sum(len(each.controls) for each in leaves[page:])
        content = leaf.content
        if page < len(leaves):
            content += f"\n=== more: {more} elements, page {page + 1} of {len(leaves)} ==="
        return PageSnapshot(
            url=self._state.url[:MAX_URL_CHARS] if self._state else "",
            title="",
            content=content,
            elements=tuple(self._elements[at] for at in leaf.controls[:MAX_ELEMENTS]),
            changes=self._changes if page == 1 else (),
            page=page,
            pages=len(leaves),
            more=more,
        )

    def spot(self, index: int) -> Spot:
        """Return the element that `index` stands for.

        Raises:
            InvalidInput: it never stood for one, or that one has vanished.
        """
        found = self._spots.get(index)
        if found is not None:
            return found
        then = self._seen.get(index)
        if then is not None:
            raise vanished(then)
        last = max(self._spots, default=0)
        raise InvalidInput(f"there is no element [{index}] here", hint=f"the numbers run to {last}" if last else "")

    def saying(self, words: str) -> Spot:
        """Return the one thing with these words: a control by its name, else the innermost element with this text.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        wanted = _folded(words)
        if self._view is None or not wanted:
            raise InvalidInput("there are no words to look for")
        controls = {each.at: each for each in self._view.controls}
        texts = self._texts(self._view.scene, controls)
        names = [(at, _folded(each.name)) for at, each in controls.items()]
        for places in (
            [at for at, name in names if name == wanted],
            [at for at, text in texts if text == wanted],
            [at for at, name in names if wanted in name],
            [at for at, text in texts if wanted in text],
        ):
            if places:
                return self._only(places, f"say {words[:80]!r}")
        raise InvalidInput(f"nothing on the page says {words[:80]!r}", hint="look at the snapshot")

    def fitting(self, selector: str, keys: Sequence[Key]) -> Spot:
        """Return the one thing among `keys` that is drawn; they fit `selector`.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        fits = set(keys)
        things = () if self._view is None else self._view.scene.things
        places = [thing.at for thing in things if thing.key in fits and thing.reachable]
        if not places:
            raise InvalidInput(f"nothing that is shown fits {selector[:80]!r}", hint="look at the snapshot")
        return self._only(places, f"fit {selector[:80]!r}")

    def _texts(self, scene: Scene, controls: Mapping[int, Control]) -> list[tuple[int, str]]:
        """Return the elements that hold text directly, outside of controls, with all the text in them."""
        names = Names(scene)
        holders = dict.fromkeys(thing.parent for thing in scene.things if thing.is_text and not thing.faint)
        outside = [at for at in holders if at >= 0 and controls.keys().isdisjoint((at, *scene.above(at)))]
        return [(at, _folded(names.text(at))) for at in outside[:MAX_TEXTS]]

    def _only(self, places: Sequence[int], what: str) -> Spot:
        spots = [self._at(at) for at in dict.fromkeys(places)]
        if len(spots) > 1:
            told = ", ".join(spot.told for spot in spots[:5])
            raise InvalidInput(f"{len(spots)} elements {what}", hint=f"one by its number: {told}")
        return spots[0]

    def _at(self, at: int) -> Spot:
        """Return a control by its place, or any other element, which then gets a number too."""
        assert self._view is not None
        scene = self._view.scene
        if at in self._elements:
            return self._spots[self._elements[at].index]
        thing = scene.things[at]
        text = Names(scene).text(at)
        element = Element(index=self._number(thing.key), role="text", name=text[:MAX_NAME_CHARS].replace('"', "'"))
        spot = self._spots[element.index] = _spot(scene, at, thing.key, element)
        self._seen[element.index] = element
        return spot

    def named(self, name: str, roles: frozenset[str]) -> Iterator[Spot]:
        """Yield the elements of some roles with this name, whatever its case, exact ones first."""
        wanted = " ".join(name.split()).casefold()
        fit: Mapping[bool, list[Spot]] = {True: [], False: []}
        for spot in self._spots.values():
            own = spot.element.name.casefold()
            if spot.element.role in roles and wanted and wanted in own:
                fit[own == wanted].append(spot)
        yield from (*fit[True], *fit[False])


def vanished(element: Element) -> InvalidInput:
    """Return the error for an element that is no longer there."""
    named = f' "{element.name}"' if element.name else ""
    return InvalidInput(
        f"[{element.index}] {element.role}{named} {_HAS_VANISHED}",
        hint="nothing was done; choose from the elements of a new snapshot",
    )


def is_vanished(error: InvalidInput) -> bool:
    """Tell whether an error says that the element which a number stands for is no longer on the page."""
    return error.message.endswith(_HAS_VANISHED)


def _element(control: Control, index: int, *, is_covered: bool) -> Element:
    state = (*control.state, "covered") if is_covered else control.state
    return Element(index=index, role=control.role, name=control.name, value=control.value, state=state)


def _spot(joined: Scene, at: int, key: Key, element: Element) -> Spot:
    thing = joined.things[at]
    owners = []
    frame = thing.frame
    while frame >= 0:
        owner = joined.things[frame]
        owners.append((owner.key, owner.sheet.layout.frame))
        frame = owner.frame
    return Spot(element.index, key, thing.sheet.layout.frame, tuple(owners), element)
