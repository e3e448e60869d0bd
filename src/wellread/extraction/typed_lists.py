"""Makes lists of lines that were typed as lists: with numbers that count on, or with bullets."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.output.unit_writer import is_picture_block
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.types import Document

_SIGN: Final = re.compile(r"(?:([1-9]\d{0,2})[.)]|[\u00b7\u2022\u25cf\u25aa\u25e6\u2023\u2043\u2219])(?:\s+|$)")
"""Years have more digits."""
_OWN: Final = int(Style.IMAGE | Style.CODE | Style.MATH | Style.NOTE)
_BREAK: Final = Span("\n")
_FEWEST_ITEMS: Final = 2
"""Of a list whose numbers may be said to count on."""


class _TypedLine(NamedTuple):
    block: Block
    spans: tuple[Span, ...]
    number: int | None
    """0 for a bullet, None where there is no sign."""
    pictures: list[Block]
    """Pictures and captions that follow it: they part no list."""


def with_typed_lists(document: Sequence[Block]) -> Document:
    """Return `document` with a list wherever two or more typed list lines stand one after another."""
    if not any(_SIGN.match(span.text) for block in document for span in block.spans):
        return tuple(document)
    blocks: list[Block] = []
    first = next((at for at, block in enumerate(document) if not is_picture_block(block)), len(document))
    blocks.extend(document[:first])
    for run in _runs(_lines_with_pictures(document[first:])):
        if len(run) > 1 and run[0].number is not None:
            items = [_item(line) for line in run]
            blocks.append(Block(Kind.LIST, children=tuple(items), level=run[0].number))
            continue
        if not run[0].spans:
            blocks.append(run[0].block)
        else:
            spans = [span for line in run for span in (_BREAK, *line.spans)]
            blocks.append(run[0].block._replace(spans=tuple(spans[1:])))
        blocks.extend(block for line in run for block in line.pictures)
    return tuple(blocks)


def _item(line: _TypedLine) -> Block:
    return Block(Kind.ITEM, children=(Block(Kind.PARAGRAPH, _without_sign(line.spans)), *line.pictures))


def _lines_with_pictures(document: Sequence[Block]) -> list[_TypedLine]:
    """Return the lines of blocks, of which the first is no picture, each with the pictures that follow it."""
    lines: list[_TypedLine] = []
    for block in document:
        if is_picture_block(block):
            lines[-1].pictures.append(block)
        else:
            lines.extend(_lines(block))
    return lines


def unmarked(children: Sequence[Block], *, counted: bool) -> Sequence[Block]:
    """Return an item's blocks without a line above that holds only its bullet, or its number if it is `counted`."""
    if len(children) <= 1:
        return children
    sign = _SIGN.fullmatch("".join(span.text for span in children[0].spans))
    if sign and (counted or not sign[1]):
        return children[1:]
    return children


def unnumbered(items: Sequence[Block], first: int) -> Sequence[Block]:
    """Return the items of a list that counts from `first`, without the numbers that all of them have in their text."""
    if not first or len(items) < _FEWEST_ITEMS:
        return items
    plain = [_without_number(item, first + nth) for nth, item in enumerate(items)]
    if None not in plain:
        return [item for item in plain if item is not None]
    return items


def _without_number(item: Block, number: int) -> Block | None:
    """Return an item without the number that its text begins with; None if it begins otherwise, or says no more."""
    at = next((at for at, child in enumerate(item.children) if not is_picture_block(child)), None)
    if at is None or not item.children[at].spans:
        return None
    lead = item.children[at]
    sign = _SIGN.match(lead.spans[0].text)
    unsigned = _without_sign(lead.spans)
    if sign is None or sign[1] != str(number) or not any(span.text.strip() for span in unsigned):
        return None
    return item._replace(children=(*item.children[:at], lead._replace(spans=unsigned), *item.children[at + 1 :]))


def _lines(block: Block) -> Iterator[_TypedLine]:
    if block.kind is not Kind.PARAGRAPH:
        yield _TypedLine(block, (), None, [])
        return
    for broken, group in groupby(block.spans, key=lambda span: span.text == "\n"):
        if not broken:
            spans = tuple(group)
            sign = None if spans[0].style & _OWN else _SIGN.match(spans[0].text)
            number = None
            if sign and any(span.text.strip() for span in _without_sign(spans)):
                number = int(sign[1] or 0)
            yield _TypedLine(block, spans, number, [])


def _runs(lines: Sequence[_TypedLine]) -> Iterator[list[_TypedLine]]:
    """Yield the runs of lines that make a list, and the other lines of each block."""
    run: list[_TypedLine] = []
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        goes_on = bool(run) and _counts_on(run[-1], line)
        counts = goes_on or _counts_on(line, following)
        beside = not counts and bool(run) and run[-1].number is None and run[-1].block is line.block
        if run and not goes_on and not beside:
            yield run
            run = []
        run.append(line if counts else line._replace(number=None))
    if run:
        yield run


def _counts_on(line: _TypedLine, following: _TypedLine | None) -> bool:
    """Tell whether two lines are of one list."""
    if line.number is None or following is None:
        return False
    if line.number == 0:
        return following.number == 0
    return following.number == line.number + 1


def _without_sign(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    first = _SIGN.sub("", spans[0].text, count=1)
    following = spans[1:]
    if not first and following:
        return (following[0]._replace(text=following[0].text.lstrip()), *following[1:])
    return (spans[0]._replace(text=first), *following)
