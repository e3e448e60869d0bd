"""Finds the controls that a page has drawn anew: other nodes, the same control in the same place.

Lists that refresh each second replace every node, and a number would die with its node. It passes on to another node
only where the surroundings prove it. A button that is replaced alone is another button, whatever its name: nothing says
that it does the same.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.browser.browse.controls import Control
    from wellread.browser.browse.scene import Key, Scene

MAX_CONTROLS = 500
"""Controls that come and go at once, beyond which none is compared."""
_ROOTS: Final = frozenset({"html", "body"})
_MAX_DEPTH = 6
_MAX_THINGS = 200
"""In a row; what holds more is no row."""


class _RemadeRow(NamedTuple):
    """What surrounds a control: the nearest ancestor with text of its own."""

    key: Key
    path: tuple[str, ...]
    """Names of the elements from the row to the control."""
    words: tuple[str, ...]
    numbers: tuple[str, ...]
    """Words with digits, which may change: prices, counts, times that are left."""


class _Identity(NamedTuple):
    role: str
    name: str
    path: tuple[str, ...]
    words: tuple[str, ...]
    numbers: tuple[str, ...]


def remade(
    old: Scene, old_controls: Sequence[Control], new: Scene, new_controls: Sequence[Control]
) -> list[tuple[Key, Key]]:
    """Return the controls of `old` that have gone, each with the one of `new` that has taken its place.

    It has the same role and name, and stands in the same place of a row that was drawn anew as a whole and says the
    same; and no other control, before or now, is like it. Numbers in the row may differ where other rows of its kind
    are told apart by words.
    """
    old_keys = {thing.key for thing in old.things}
    new_keys = {thing.key for thing in new.things}
    gone = [each for each in old_controls if each.key not in new_keys]
    fresh = [each for each in new_controls if each.key not in old_keys]
    names = {(each.role, each.name) for each in gone} & {(each.role, each.name) for each in fresh}
    if not names or max(len(gone), len(fresh)) > MAX_CONTROLS:
        return []
    before = _identities(old, old_controls, new_keys)
    after = _identities(new, new_controls, old_keys)
    pairs: dict[Key, Key] = {}
    for comparable in (_exact, _worded):
        earlier, later = _unique(comparable(before)), _unique(comparable(after))
        for identity in earlier.keys() & later.keys():
            if earlier[identity] not in new_keys and later[identity] not in old_keys:
                pairs.setdefault(earlier[identity], later[identity])
    return list(pairs.items())


def _identities(scene: Scene, controls: Sequence[Control], others: set[Key]) -> list[tuple[_Identity, Key]]:
    """Return the identity of each control in a row that is in this scene alone: `others` are the keys of the other."""
    actions = {each.at for each in controls if each.role != "link"}
    found = []
    for control in controls:
        row = _row(scene, control, actions)
        if row is not None and row.key not in others:
            identity = _Identity(control.role, control.name, row.path, row.words, row.numbers)
            found.append((identity, control.key))
    return found


def _exact(identities: Sequence[tuple[_Identity, Key]]) -> Iterator[tuple[_Identity, Key]]:
    return iter(identities)


def _worded(identities: Sequence[tuple[_Identity, Key]]) -> Iterator[tuple[_Identity, Key]]:
    """Yield identities without their numbers, of rows that words alone tell from the others of their kind."""
    kinds: dict[tuple[str, tuple[str, ...]], list[_Identity]] = {}
    for identity, _ in identities:
        kinds.setdefault((identity.role, identity.path), []).append(identity._replace(numbers=()))
    for identity, key in identities:
        kind = kinds[identity.role, identity.path]
        if len(kind) > 1 and len(set(kind)) == len(kind):
            yield identity._replace(numbers=()), key


def _unique(identities: Iterator[tuple[_Identity, Key]]) -> dict[_Identity, Key]:
    pairs = list(identities)
    counts = Counter(identity for identity, _ in pairs)
    return {identity: key for identity, key in pairs if counts[identity] == 1}


def _row(scene: Scene, control: Control, actions: set[int]) -> _RemadeRow | None:
    path = [scene.things[control.at].node.name]
    for at in scene.above(control.at)[:_MAX_DEPTH]:
        thing = scene.things[at]
        if thing.node.name in _ROOTS:
            return None
        below = scene.below(at)
        if len(below) > _MAX_THINGS:
            return None
        texts = [each for each in below if scene.things[each].is_text]
        if any(_is_context(scene, each, at, actions) for each in texts):
            words = " ".join(scene.things[each].node.value for each in texts).split()
            numbers = tuple(word for word in words if any(map(str.isdigit, word)))
            rest = tuple(word for word in words if not any(map(str.isdigit, word)))
            return _RemadeRow(thing.key, tuple(path), rest, numbers)
        path.append(thing.node.name)
    return None


def _is_context(scene: Scene, at: int, row: int, actions: set[int]) -> bool:
    """Say whether a text in a row is no name of a control: it says what the row is about."""
    above = scene.things[at].parent
    while above not in {row, -1}:
        if above in actions:
            return False
        above = scene.things[above].parent
    return True
