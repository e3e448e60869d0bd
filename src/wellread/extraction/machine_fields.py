"""Finds fields of a shop's database that stand on a product's page for its scripts: `swatch_image_red: https://...`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.segmentation.boxes import Leaf

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*_[\w+. -]*:?")
"""An identifier with an underscore; nobody writes that for readers outside of documentation."""
_VALUE: Final = re.compile(
    r"(?:https?:/)?/\S*"  # an address or a path
    r"|\#[0-9a-fA-F]{3,8}"  # a colour
    r"|[\d\s.,;:%-]+"  # numbers
    r"|(?i:true|false|yes|no|null|none)"
    r"|(?=\S*\d)(?=\S*[A-Za-z])[\w-]+"  # a key of digits and letters
)
_LONGEST_NAME: Final = 60
"""Characters."""
_LEAST: Final = 4
"""Fields: fewer may be a file's name and its size."""
_NAME_TAGS: Final = frozenset({"dt", "th", "td"})
_VALUE_TAGS: Final = frozenset({"dd", "td"})


def machine_fields(leaves: Sequence[Leaf]) -> list[int]:
    """Return the leaves of named fields of which half have values that are no words; empty where there are few."""
    fields = [(at, [*_values(leaves, at)]) for at, leaf in enumerate(leaves) if _is_name(leaf)]
    valued = [values for _, values in fields if values]
    plain = sum(all(_VALUE.fullmatch(leaves[at].words) for at in values) for values in valued)
    if len(valued) < _LEAST or 2 * plain < len(valued):
        return []
    return [spot for name, values in fields for spot in (name, *values)]


def _is_name(leaf: Leaf) -> bool:
    if leaf.heading or leaf.preformatted or leaf.chars > _LONGEST_NAME or "_" not in leaf.words:
        return False
    return leaf.box.tag in _NAME_TAGS and _NAME.fullmatch(leaf.words) is not None


def _values(leaves: Sequence[Leaf], name: int) -> Iterator[int]:
    """Yield the leaves of the box that follows the box of a name, in the same list or row."""
    around = leaves[name].box.parent
    value = next((leaf.box for leaf in leaves[name + 1 : name + 2]), None)
    if value is not None and value.tag in _VALUE_TAGS and value.parent is around:
        yield from range(value.first, value.end)
