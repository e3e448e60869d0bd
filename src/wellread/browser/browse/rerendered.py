"""Finds the controls that a page has re-rendered: other nodes, the same control in the same place.

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
    from wellread.browser.browse.page_tree import NodeKey, PageTree

MAX_CONTROLS = 500
"""Controls that come and go at once, beyond which none is compared."""
_ROOTS: Final = frozenset({"html", "body"})
_MAX_DEPTH = 6
_MAX_THINGS = 200
"""In a row; what holds more is no row."""


class _RemadeRow(NamedTuple):
    """The surroundings of a control: the nearest ancestor with text of its own."""

    key: NodeKey
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
    old: PageTree, old_controls: Sequence[Control], new: PageTree, new_controls: Sequence[Control]
) -> list[tuple[NodeKey, NodeKey]]:
    """Return the removed controls of `old`, each with the control of `new` that has replaced it.

    It has the same role and name, and stands in the same place of a row that was drawn anew as a whole and says the
    same; and no other control, before or now, is like it. Numbers in the row may differ where other rows of its kind
    are told apart by words.
    """
    old_keys = {node.key for node in old.nodes}
    new_keys = {node.key for node in new.nodes}
    gone = [control for control in old_controls if control.key not in new_keys]
    added = [control for control in new_controls if control.key not in old_keys]
    names = {(control.role, control.name) for control in gone} & {(control.role, control.name) for control in added}
    if not names or max(len(gone), len(added)) > MAX_CONTROLS:
        return []
    before = _identities(old, old_controls, new_keys)
    after = _identities(new, new_controls, old_keys)
    pairs: dict[NodeKey, NodeKey] = {}
    for comparable in (_exact, _worded):
        earlier, later = _unique(comparable(before)), _unique(comparable(after))
        for identity in earlier.keys() & later.keys():
            if earlier[identity] not in new_keys and later[identity] not in old_keys:
                pairs.setdefault(earlier[identity], later[identity])
    return list(pairs.items())


def _identities(
    tree: PageTree, controls: Sequence[Control], other_keys: set[NodeKey]
) -> list[tuple[_Identity, NodeKey]]:
    """Return the identity of each control in a row of this tree alone: `other_keys` are the keys of the other tree."""
    actions = {control.node_id for control in controls if control.role != "link"}
    identities = []
    for control in controls:
        row = _row(tree, control, actions)
        if row is not None and row.key not in other_keys:
            identity = _Identity(control.role, control.name, row.path, row.words, row.numbers)
            identities.append((identity, control.key))
    return identities


def _exact(identities: Sequence[tuple[_Identity, NodeKey]]) -> Iterator[tuple[_Identity, NodeKey]]:
    return iter(identities)


def _worded(identities: Sequence[tuple[_Identity, NodeKey]]) -> Iterator[tuple[_Identity, NodeKey]]:
    """Yield identities without their numbers, of rows that words alone tell from the others of their kind."""
    kinds: dict[tuple[str, tuple[str, ...]], list[_Identity]] = {}
    for identity, _ in identities:
        kinds.setdefault((identity.role, identity.path), []).append(identity._replace(numbers=()))
    for identity, key in identities:
        kind = kinds[identity.role, identity.path]
        if len(kind) > 1 and len(set(kind)) == len(kind):
            yield identity._replace(numbers=()), key


def _unique(identities: Iterator[tuple[_Identity, NodeKey]]) -> dict[_Identity, NodeKey]:
    pairs = list(identities)
    counts = Counter(identity for identity, _ in pairs)
    return {identity: key for identity, key in pairs if counts[identity] == 1}


def _row(tree: PageTree, control: Control, actions: set[int]) -> _RemadeRow | None:
    path = [tree.nodes[control.node_id].dom.name]
    for node_id in tree.ancestors(control.node_id)[:_MAX_DEPTH]:
        node = tree.nodes[node_id]
        if node.dom.name in _ROOTS:
            return None
        descendants = tree.descendants(node_id)
        if len(descendants) > _MAX_THINGS:
            return None
        texts = [text_id for text_id in descendants if tree.nodes[text_id].is_text]
        if any(_is_context(tree, text_id, node_id, actions) for text_id in texts):
            words = " ".join(tree.nodes[text_id].dom.value for text_id in texts).split()
            numbers = tuple(word for word in words if any(map(str.isdigit, word)))
            plain_words = tuple(word for word in words if not any(map(str.isdigit, word)))
            return _RemadeRow(node.key, tuple(path), plain_words, numbers)
        path.append(node.dom.name)
    return None


def _is_context(tree: PageTree, node_id: int, row: int, actions: set[int]) -> bool:
    """Return whether a text in a row describes the row and does not name a control."""
    ancestor_id = tree.nodes[node_id].parent
    while ancestor_id not in {row, -1}:
        if ancestor_id in actions:
            return False
        ancestor_id = tree.nodes[ancestor_id].parent
    return True
