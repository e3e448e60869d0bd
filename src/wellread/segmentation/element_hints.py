"""Tells at a glance what an element may be, by its tag, the names of its attributes and its class.

Most elements are like many others of their page: what each tag, set of attributes and class says is worked out once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from wellread.css.visibility import TELLING
from wellread.css.words import word_set
from wellread.seen import names
from wellread.segmentation import api_reference, code_blocks, formulas, grids, tags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.css.sheets import StyleSheets

_Key = TypeVar("_Key")

(
    BOX, CODE, MATH, SIGNATURE, GRID, ROW, UNTOLD, ASIDE, HIDDEN, STYLED, CUSTOM, COMPONENT, CHOICE, ROLE, TIMED, TEX
) = (1 << bit for bit in range(16))  # fmt: skip
"""What an element may be: a box, code, a formula, a signature, a grid, a row that names a parameter, nothing to read, a
note amid a sentence, or hidden; whether it has a style; whether it is of no tag of HTML, is a component that embeds
something, one of several choices; whether it has a role, a date or title, or TeX."""
_HINTING: Final = frozenset().union(
    code_blocks.CODE_WORDS,
    formulas.MATH_WORDS,
    api_reference.SIGNATURE_WORDS,
    grids.TABLE_WORDS,
    tags.UNTOLD_WORDS,
    tags.ASIDE_NOTES,
)
"""Words in classes by which an element is looked at more closely: nearly all have none of them."""
_UNCALM: Final = TELLING | {"role"}
_CHOOSING: Final = word_set("aria-checked aria-pressed data-value")
_TIMED: Final = word_set("title datetime")
_MAX_KNOWN: Final = 5_000
"""Tags, sets of attributes and classes of a page, each, that are remembered."""


class ElementHints:
    """Works out the hints of the elements of one page."""

    def __init__(self, sheets: StyleSheets) -> None:
        self._sheets: Final = sheets
        self._of_tags: dict[str, int] = {}
        self._of_attributes: dict[tuple[str, ...], int] = {}
        self._of_classes: dict[str, int] = {}

    def of(self, tag: str, attributes: Mapping[str, str | None]) -> int:
        """Return what an element may be."""
        hints = self._of_tags.get(tag)
        if hints is None:
            hints = _remember(self._of_tags, tag, _tag_hints(tag))
        if not attributes:
            return hints
        present = tuple(attributes)
        of_attributes = self._of_attributes.get(present)
        if of_attributes is None:
            of_attributes = _remember(self._of_attributes, present, self._attribute_hints(present))
        called = attributes.get("class")
        if not called:
            return hints | of_attributes
        of_class = self._of_classes.get(called)
        if of_class is None:
            of_class = _remember(self._of_classes, called, self._class_hints(called))
        return hints | of_attributes | of_class

    def _attribute_hints(self, present: tuple[str, ...]) -> int:
        embeds = "role" in present or any(name.startswith("data-") for name in present)
        may_be_hidden = not _UNCALM.isdisjoint(present) or self._sheets.alarms_attributes(present)
        return (
            STYLED * ("style" in present)
            | COMPONENT * embeds
            | CHOICE * (not _CHOOSING.isdisjoint(present))
            | ROLE * ("role" in present)
            | TIMED * (not _TIMED.isdisjoint(present))
            | TEX * (not formulas.TEX_ATTRIBUTES.isdisjoint(present))
            | HIDDEN * may_be_hidden
        )

    def _class_hints(self, called: str) -> int:
        may_be_hidden = bool(names.kind(called)) or self._sheets.alarms_class(called)
        hints = HIDDEN * may_be_hidden
        if _HINTING.isdisjoint(names.of_class(called)):
            return hints
        return (
            hints
            | CODE * bool(code_blocks.calls_code(called))
            | MATH * formulas.calls_math(called)
            | SIGNATURE * api_reference.calls_signature(called)
            | GRID * grids.calls_grid(called)
            | UNTOLD * (tags.UNTOLD.search(called) is not None)
            | ASIDE * (not tags.ASIDE_NOTES.isdisjoint(called.split()))
        )


def _tag_hints(tag: str) -> int:
    custom = "-" in tag[1:]  # a comment is no component
    return (
        BOX * (tag in tags.BOXES)
        | CODE * (custom or tag in code_blocks.ALWAYS)
        | MATH * (custom or tag in formulas.ALWAYS)
        | ROW * (tag in api_reference.ROWS)
        | CUSTOM * custom
        | COMPONENT * (custom or tag == "oembed")
    )


def _remember(known: dict[_Key, int], key: _Key, hints: int) -> int:
    if len(known) < _MAX_KNOWN:
        known[key] = hints
    return hints
