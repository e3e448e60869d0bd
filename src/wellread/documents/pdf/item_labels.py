"""Find the items of lists, which begin with a bullet or with numbers that count up, and nest lists in lists."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.types import Block, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wellread.documents.pdf.page_text import TextLine

_BULLET: Final = re.compile(
    "[\u2022\u25aa\u25ab\u25a0\u25cf\u25cb\u25e6\u25c6\u25b6\u25ba\u2023\u27a2\u2043\u2219\u2756\u00b7"
    "\ue000-\uf06e\uf073-\uf077\uf079-\uf0a7\uf0a9-\uf0fa\uf0ff-\uf8ff*-]\\s+(?=\\S)"
)
"""The code points for private use are those of Symbol, Wingdings and OpenSymbol, except check marks and boxes."""
_TABBED_BULLET: Final = re.compile("[o\u2013\u2014]\\s+(?=\\S)")
"""Signs that also begin sentences: they are bullets where more than a space follows."""
_LABEL: Final = re.compile(r"([(\[]?)(\d{1,3}|[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6})([.)\]])\s+(?=\S)")
_CLAUSE: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,4})\.(\d{1,3})\.?\s+(?=\S)")
_SIGN: Final = re.compile(
    "([\u2013\u2014\u2190-\u21ff\u2500-\u27bf\u2b00-\u2bff\uf06f-\uf0fe\U0001f300-\U0001faff]\ufe0f?)\\s+(?=\\S)"
)
"""Check marks, boxes, arrows and the like have a meaning, and stay."""
_DASHES: Final = frozenset("\u2013\u2014")
"""They also begin speech in dialogues."""
_LABEL_CHARS: Final = 9
"""Of a label that begins with a letter: 'xxxviii.' has eight."""
_ROMAN: Final = re.compile(r"(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_ROMAN_DIGITS: Final = {"i": 1, "v": 5, "x": 10, "l": 50}
_SIGN_NUMBER: Final = -1
"""Of labels without a count."""
_TAB: Final = 0.45
"""Of the type's height: more white than a space, which has .25 to .33."""
_SAME_PLACE: Final = 0.35
"""Of the type's height: the largest shift between aligned texts on different lines."""
_NUMBER_SHIFT: Final = 1.3
"""Of the type's height: right-aligned numbers begin at different places."""
_FAR: Final = 6.0
"""Times the type's height: a text further to the right is in another column, not in an inner list."""
_MAX_LINES_BETWEEN: Final = 80
"""Lines between two items with consecutive numbers."""
_MAX_DEPTH: Final = 12
"""Lists within one another."""
_MAX_CHAINS: Final = 8
"""Open chains of one form."""


class ItemLabel(NamedTuple):
    """The sign or number of an item."""

    length: int
    """Characters of its line before the text of the item; 0 where the label is part of the text."""
    number: int
    """Of an item in a list that is numbered 1, 2, 3; else 0."""
    is_item: bool
    """Clauses (2.1), references ([4]) and lines after a dash are paragraphs."""
    left: float
    text_left: float

    @property
    def is_bullet(self) -> bool:
        """Whether it is a sign without a meaning of its own."""
        return self.length > 0 and not self.number


class PlacedItem(NamedTuple):
    """An item of a list, with its place on the page."""

    label: ItemLabel
    size: float
    bottom: float
    block: Block


_Form = tuple[str, str, str]
"""The common part of the labels of a list: the text before the count, its kind, the text after it."""


@dataclass(slots=True)
class _LabelChain:
    """Labels with consecutive numbers."""

    number: int
    line: TextLine
    at: int
    text_left: float
    members: list[tuple[TextLine, ItemLabel]] = field(default_factory=list)


def labels(lines: Sequence[TextLine], max_size: float) -> dict[int, ItemLabel]:
    """Return the labels of the lines that begin an item, by the `id` of the line.

    A number is a label only if the next one follows in a line below, or if it hangs before its text. Numbered lines
    larger than `max_size` are headings.
    """
    labelled: dict[int, ItemLabel] = {}
    chains: dict[_Form, list[_LabelChain]] = defaultdict(list)
    for index, line in enumerate(lines):
        head = line.text[:_LABEL_CHARS]
        if head[0].isalpha() and head[1:2] != " " and "." not in head and ")" not in head:
            continue
        bullet = _BULLET.match(line.text) or _tabbed_bullet(line)
        if bullet is not None:
            labelled[id(line)] = ItemLabel(bullet.end(), 0, is_item=True, left=line.left, text_left=_text_left(line))
            continue
        readings = _readings(line.text)
        if not readings or line.size >= max_size:
            continue
        chain = _continued(readings, line, index, chains)
        if len(chain.members) > 1:
            labelled.update((id(member), label) for member, label in chain.members[-2:])
        elif _hangs(line, lines[index + 1 : index + 2], chain.text_left):
            labelled[id(line)] = chain.members[0][1]
    return labelled


def _tabbed_bullet(line: TextLine) -> re.Match[str] | None:
    match = _TABBED_BULLET.match(line.text)
    return match if match is not None and _is_tabbed(line) else None


def _is_tabbed(line: TextLine) -> bool:
    """Tell whether more than a space follows the first word."""
    words = line.words
    return len(words) > 1 and words[1].left - words[0].right >= _TAB * line.size


def _text_left(line: TextLine) -> float:
    words = line.words
    return words[1].left if len(words) > 1 else line.right


def _readings(text: str) -> list[tuple[_Form, int, int]]:
    """Return the possible labels of a line: form, number, and length of each."""
    clause = _CLAUSE.match(text)
    if clause is not None:
        return [((clause[1], "clause", ""), int(clause[2]), 0)]
    sign = _SIGN.match(text)
    if sign is not None:
        return [((sign[1], "sign", ""), _SIGN_NUMBER, 0)]
    match = _LABEL.match(text)
    if match is None or ("[" in match[1]) != ("]" in match[3]):
        return []
    before, count, behind = match.groups()
    if count.isdigit():
        return [((before, "decimal", behind), int(count), match.end())]
    if before == "[":
        return []
    readings = []
    case = "upper" if count.isupper() else "lower"
    if len(count) == 1:
        readings.append(((before, f"{case} letter", behind), ord(count.lower()) - ord("a") + 1, 0))
    if _ROMAN.fullmatch(count):
        readings.append(((before, f"{case} roman", behind), _roman(count.lower()), 0))
    return readings


def _roman(numeral: str) -> int:
    digits = [_ROMAN_DIGITS[letter] for letter in numeral]
    return sum(-digit if digit < max(digits[index:]) else digit for index, digit in enumerate(digits))


def _continued(
    readings: Sequence[tuple[_Form, int, int]], line: TextLine, line_index: int, chains: dict[_Form, list[_LabelChain]]
) -> _LabelChain:
    """Return the chain that a label continues, or a new one."""
    text_left = _text_left(line)
    for form, number, length in readings:
        for chain in reversed(chains[form]):
            if number in {_SIGN_NUMBER, chain.number + 1} and _is_aligned(chain, line, line_index, text_left):
                chain.members.append((line, _label(form, number, length, line, text_left)))
                chain.number, chain.line, chain.at, chain.text_left = number, line, line_index, text_left
                return chain
    new_chains = []
    for form, number, length in readings:
        if number == 1 or form[1] in {"decimal", "clause", "sign"}:
            member = (line, _label(form, number, length, line, text_left))
            new_chains.append(_LabelChain(number, line, line_index, text_left, [member]))
            chains[form] = [*chains[form][1 - _MAX_CHAINS :], new_chains[-1]]
    if new_chains:
        return new_chains[0]
    alone = (line, _label(readings[0][0], 0, 0, line, text_left))
    return _LabelChain(0, line, line_index, text_left, [alone])


def _label(form: _Form, number: int, length: int, line: TextLine, text_left: float) -> ItemLabel:
    before, kind, behind = form
    is_counted = kind == "decimal" and number > 0 and not before and behind in {".", ")"}
    is_item = kind != "clause" and before != "[" and before not in _DASHES
    return ItemLabel(length * is_counted, number * is_counted, is_item, line.left, text_left)


def _is_aligned(chain: _LabelChain, line: TextLine, line_index: int, text_left: float) -> bool:
    """Tell whether a label may follow the last one of a chain: below it, or in the next column, or on the next page."""
    if line_index - chain.at > _MAX_LINES_BETWEEN:
        return False
    if line.bottom > chain.line.bottom - line.size / 2:
        return True
    shift = abs(line.left - chain.line.left)
    return shift < _NUMBER_SHIFT * line.size or abs(text_left - chain.text_left) < _SAME_PLACE * line.size


def _hangs(line: TextLine, following: Sequence[TextLine], text_left: float) -> bool:
    """Tell whether the line below begins at the same place as the text after the number."""
    return _is_tabbed(line) and any(
        abs(after.left - text_left) < _SAME_PLACE * line.size and 0 < line.bottom - after.bottom < 2 * line.size
        for after in following
    )


# ------------------------------------------------------------------------------------------------- lists in lists


@dataclass(slots=True)
class _NestedList:
    """Items of one list, and the lists in them."""

    label: ItemLabel
    items: list[tuple[PlacedItem, list[Block]]] = field(default_factory=list)

    def block(self) -> Block:
        items = (Block(Kind.ITEM, children=(item.block, *inner)) for item, inner in self.items)
        return Block(Kind.LIST, children=tuple(items), level=self.label.number)


def with_lists(pieces: Iterable[Block | PlacedItem]) -> Iterator[Block]:
    """Yield the blocks, with consecutive items as lists."""
    for is_item, group in groupby(pieces, key=lambda piece: isinstance(piece, PlacedItem)):
        if is_item:
            yield from _nested([piece for piece in group if isinstance(piece, PlacedItem)])
        else:
            yield from (piece for piece in group if isinstance(piece, Block))


def _nested(items: Sequence[PlacedItem]) -> Iterator[Block]:
    open_levels: list[_NestedList] = []
    last: PlacedItem | None = None
    for item in items:
        if last is not None and _is_elsewhere(last, item):
            yield from _closed(open_levels, 0)
        depth = _depth(open_levels, item)
        yield from _closed(open_levels, depth + 1)
        if depth < len(open_levels) and not _follows(open_levels[depth], item):
            yield from _closed(open_levels, depth)
        if depth == len(open_levels):
            open_levels.append(_NestedList(item.label))
        open_levels[depth].items.append((item, []))
        last = item
    yield from _closed(open_levels, 0)


def _closed(open_levels: list[_NestedList], depth: int) -> Iterator[Block]:
    """Close the lists from `depth` on: put each into the last item of the list around it, and yield the outermost."""
    while len(open_levels) > depth:
        block = open_levels.pop().block()
        if open_levels:
            open_levels[-1].items[-1][1].append(block)
        else:
            yield block


def _is_elsewhere(last: PlacedItem, item: PlacedItem) -> bool:
    return item.bottom > last.bottom or item.label.left > last.label.left + _FAR * item.size


def _depth(open_levels: Sequence[_NestedList], item: PlacedItem) -> int:
    """Return the number of lists around an item: those whose text begins further left than its own."""
    near = _SAME_PLACE * item.size
    depth = 0
    for level in open_levels:
        is_within = item.label.text_left > level.label.text_left + near and item.label.left > level.label.left + near
        if not is_within:
            break
        depth += 1
    return min(depth, _MAX_DEPTH)


def _follows(level: _NestedList, item: PlacedItem) -> bool:
    """Tell whether an item continues a list: bullets after bullets, a number after the previous one."""
    last = level.items[-1][0].label.number
    number = item.label.number
    if last and number:
        return number == last + 1
    return last == number
