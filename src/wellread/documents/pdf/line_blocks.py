"""Convert the lines of a page outside of tables to paragraphs, headings, lists and code."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents.pdf import code_lines
from wellread.documents.pdf.item_labels import PlacedItem
from wellread.documents.pdf.page_text import LINE_END_HYPHEN
from wellread.types import Block, Kind, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.documents.pdf.hyphens import FileWords
    from wellread.documents.pdf.item_labels import ItemLabel
    from wellread.documents.pdf.page_text import TextLine

HEADING_FACTOR: Final = 1.15
"""A line this much larger than the body's text, and short, is a heading."""
LARGE_FACTOR: Final = 1.3
"""A line this much larger is a heading even at the edge of the page, or if it is a number alone: a year, a chapter.

Heads and page numbers of office programs are often 12 points beside text of 10."""
_LEADING: Final = 1.75
"""Times the type's height: the largest distance between lines of a paragraph."""
_SAME_PLACE: Final = 0.5
"""Of the type's height: the largest shift between the starts of lines."""
_END_MARKS: Final = frozenset(".!?:;\u3002\uff01\uff1f")
_CLOSING_MARKS: Final = "\"'\u201d\u2019)]"


class Typesetting(NamedTuple):
    """The typesetting of a file."""

    body: float
    """The most frequent size of text, in points."""
    levels: dict[float, int]
    """The heading level of each larger size."""
    words: FileWords
    labels: Mapping[int, ItemLabel]
    """The labels of items, by the `id` of their line."""
    has_code: bool
    """Lines in fonts of fixed width are code."""


def sizes(pages: Sequence[list[TextLine]]) -> tuple[float, dict[float, int]]:
    """Return the most frequent size of text, and the heading level of each larger size."""
    weights: Counter[float] = Counter()
    for page in pages:
        for row in page:
            weights[row.size] += len(row.text)
    body = weights.most_common(1)[0][0] if weights else 0.0
    larger = sorted((size for size in weights if _is_larger(size, body)), reverse=True)
    return body, {size: min(level, 6) for level, size in enumerate(larger, start=1)}


def prose(lines: Sequence[TextLine], typesetting: Typesetting) -> Iterator[Block | PlacedItem]:
    """Yield the paragraphs, headings, list items and listings of lines."""
    if not typesetting.has_code:
        yield from _paragraphs(lines, typesetting)
        return
    for is_code, stretch in code_lines.parted(lines, typesetting.body * HEADING_FACTOR):
        if is_code:
            yield from code_lines.code_blocks(stretch)
        else:
            yield from _paragraphs(stretch, typesetting)


def _paragraphs(lines: Sequence[TextLine], typesetting: Typesetting) -> Iterator[Block | PlacedItem]:
    group: list[TextLine] = []
    for row in lines:
        if group and not _continues(group, row, typesetting):
            yield _block(group, typesetting)
            group = []
        group.append(row)
    if group:
        yield _block(group, typesetting)


def _is_larger(size: float, body: float) -> bool:
    return size >= body * HEADING_FACTOR


def _continues(group: list[TextLine], row: TextLine, typesetting: Typesetting) -> bool:
    """Tell whether a line belongs to the paragraph (or heading) before it."""
    body = typesetting.body
    last = group[-1]
    same_kind = _is_larger(last.size, body) == _is_larger(row.size, body) and abs(last.size - row.size) < 0.15 * body
    gap = last.bottom - row.bottom
    in_sentence = row.text[:1].islower() and not _is_end(last.text)
    leading = (2.5 if in_sentence else _LEADING) * max(last.size, row.size)
    if id(row) in typesetting.labels:
        return False
    if same_kind and in_sentence and gap < -row.size:
        return True  # at the head of the next column
    if not same_kind or not -row.size <= gap <= leading:
        return False
    ends_in_hyphen = last.text.endswith(("-", LINE_END_HYPHEN)) and last.text[-2:-1].isalnum()
    if _is_larger(row.size, body) or ends_in_hyphen:
        return True
    label = typesetting.labels.get(id(group[0]))
    if label is not None and not in_sentence:
        continues_item = _continues_item(group, row, label)
        if continues_item is not None:
            return continues_item
    return _continues_paragraph(group, row, body)


def _continues_item(group: list[TextLine], row: TextLine, label: ItemLabel) -> bool | None:
    """Tell whether a line continues an item; None where its start does not decide."""
    near = _SAME_PLACE * row.size
    is_hanging = len(group) > 1 and abs(group[1].left - label.text_left) < near
    if row.left < label.left - near or (is_hanging and row.left < label.text_left - near):
        return False
    if abs(row.left - label.text_left) < near and not _is_end(group[-1].text):
        return True
    return None


def _continues_paragraph(group: list[TextLine], row: TextLine, body: float) -> bool:
    last = group[-1]
    ended = _is_end(last.text)
    is_capital = row.text[:1].isupper()
    if not ended and not is_capital:
        return True
    widest = max(line.right for line in group)
    short = last.right < widest - 4 * body or (len(group) == 1 and len(last.text) < 40)
    indented = ended and row.left > min(line.left for line in group) + 0.8 * body
    return not (indented or short)


def _is_end(text: str) -> bool:
    """Tell whether a line ends a sentence."""
    return text.rstrip(_CLOSING_MARKS)[-1:] in _END_MARKS


def _block(group: list[TextLine], typesetting: Typesetting) -> Block | PlacedItem:
    text = typesetting.words.joined([row.text for row in group])
    size = group[0].size
    label = typesetting.labels.get(id(group[0]))
    is_title = _is_larger(size, typesetting.body) and len(text) < 200 and _is_title(text, size / typesetting.body)
    if is_title and (label is None or not label.is_bullet):
        return Block(Kind.HEADING, (Span(text),), level=typesetting.levels.get(size, 6))
    if label is None or not label.is_item:
        return Block(Kind.PARAGRAPH, (Span(text),))
    paragraph = Block(Kind.PARAGRAPH, (Span(text[label.length :]),))
    return PlacedItem(label, size, group[0].bottom, paragraph)


def _is_title(text: str, factor: float) -> bool:
    """Tell whether larger text can be a heading: page numbers alone are none."""
    return any(map(str.isalpha, text)) or (factor >= LARGE_FACTOR and any(map(str.isalnum, text)))
