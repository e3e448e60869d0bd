"""Count the items of lists and headings and label them like an office program (ODF 1.3 part 3, section 5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from wellread.documents.opendocument.styles import ListLevel, OdfStyles

MAX_ROMAN: Final = 3_999
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


class Label(NamedTuple):
    """The label of a list item."""

    number: int
    """The number of an item that is counted in decimal numbers alone; 0 for any other."""
    text: str
    """The label of an item in any other format: `a)`, `2.1`; else empty."""

    def shown(self, suffix: str) -> str:
        """Return the label as text, with `suffix` after a number; empty where no label is shown."""
        if self.number > 0:
            return f"{self.number}{suffix}"
        return self.text


BULLET: Final = Label(0, "")
UNLABELLED: Final = Label(-1, "")
"""The label of a paragraph that only has the layout of an item."""


class ListCounter:
    """The numbers of a list, one for each level."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def next(self, styles: OdfStyles, list_style: str, level: int, start: int = -1) -> Label:
        """Count an item of `level` (from 1) and return its label; `start`, if not negative, is its number."""
        definition = styles.list_level(list_style, level)
        number = self._numbers.get(level, definition.start - 1) + 1
        if start >= 0:
            number = start
        self._numbers[level] = number
        for deeper in [other for other in self._numbers if other > level]:
            del self._numbers[deeper]
        if not definition.num_format:
            return UNLABELLED if definition.is_blank else BULLET
        if definition.num_format == "1" and definition.display_levels == 1 and not definition.prefix.strip():
            return Label(number, "")
        return Label(0, self._text(styles, list_style, level, definition))

    def _text(self, styles: OdfStyles, list_style: str, level: int, definition: ListLevel) -> str:
        first = max(level - definition.display_levels + 1, 1)
        numbers = []
        for shown_depth in range(first, level + 1):
            shown_level = styles.list_level(list_style, shown_depth)
            if shown_level.num_format:
                numbers.append(numeral(self._numbers.get(shown_depth, shown_level.start), shown_level.num_format))
        return f"{definition.prefix}{'.'.join(numbers)}{definition.suffix}".strip()


def numeral(number: int, num_format: str) -> str:
    """Return a number in one of the formats of ODF: `1`, `a`, `A`, `i`, `I`."""
    if num_format in {"i", "I"} and 0 < number <= MAX_ROMAN:
        text, remainder = "", number
        for size, sign in _ROMAN:
            text += sign * (remainder // size)
            remainder %= size
        return text.upper() if num_format == "I" else text
    if num_format in {"a", "A"} and 0 < number <= 26 * 27:
        text, remainder = "", number
        while remainder:
            remainder, digit = divmod(remainder - 1, 26)
            text = chr(ord(num_format) + digit) + text
        return text
    return str(number)
