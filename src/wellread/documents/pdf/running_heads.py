"""Find running heads and feet: lines at the same place of the edge of page after page.

A line is one only if its text is the same on the pages around it, apart from numbers that count up with the pages,
and a gap separates it from the text. Lines are taken from the edge inwards, so that no line inside a page is removed,
and tables and large type never are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import groupby, islice, pairwise, product
from statistics import median
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from wellread.documents.pdf.page_text import TextLine

MIN_PAGES: Final = 3
"""Pages with a line before it counts as a running head."""
_NEIGHBOURS: Final = 4
"""Pages before and after that are compared: heads change with the chapter, and between left and right pages."""
_MAX_ROWS: Final = 4
"""Rows of one edge; heads have one or two, feet with addresses up to four."""
_ZONE: Final = 0.12
"""Of the height up to the highest line: the zone of heads and feet at each edge."""
_GAP: Final = 1.3
"""Times the usual distance of lines: the gap between a head and the text. Lines of a log that count up have no gap."""
_FEW_ROWS: Final = 4
"""With fewer rows there is no usual distance."""
_SAME_PLACE: Final = 6.0
"""Points; programs that align pages by content move heads by one or two."""
_MAX_COUNTERS: Final = 3
_SHORT_LABEL: Final = 20
"""Characters around a page number in the middle: 'Page 3 of 20'."""
_YEARS: Final = range(1800, 2101)
_PAGE_WORDS: Final = word_set(
    """
p pp pg page pages pag pagina página pàgina páginas pagină pagine seite seiten blatt bl folie folio fol slide sheet
side sida sidan sivu lk lehekülg lpp lappuse psl puslapis str strana strony strona stránka stranica oldal faqe sayfa
bet trang halaman hal pahina feuille dia diapositive стр страница сторінка стор лист σελ σελίδα էջ გვერდი עמוד עמ דף
صفحة صفحه ص पृष्ठ পৃষ্ঠা பக்கம் หน้า ទំព័រ 第 頁 页 ページ 쪽 페이지
"""
)
"""Words before the number of a page. 'Question 3' and 'Day 3' begin text of the page."""
_COUNTED_WORD: Final = re.compile(
    r"\W{0,3}([^\W\d_]{1,30})(?:\W{0,3}\d{1,4}[^\W\d頁页]?|\W{1,3}[ivxIVX]{1,5})[.):]?|§\W?\d{1,4}|\d{1,4}[.)]"
)
"""A line of a word and a number, a paragraph of a law, an item."""
_SMALL_FACTOR: Final = 0.95
"""Of the body's type: smaller lines are heads and feet, whatever they count."""
_NUMBER: Final = re.compile(r"\d{1,9}")
_ROMAN: Final = re.compile(r"m{0,3}(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})", re.IGNORECASE)
_ROMAN_DIGITS: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}

_Key = tuple[str, int, str]


def running_heads(
    pages: Sequence[Sequence[TextLine]], in_tables: Sequence[Collection[int]], body_size: float, max_size: float
) -> list[set[int]]:
    """Return for each page the positions of the lines that are running heads or feet.

    `in_tables` has the positions of lines that belong to tables; `body_size` is the size of the text, and lines larger
    than `max_size` are headings.
    """
    highest = max((line.bottom for lines in pages for line in lines), default=0.0)
    page_rows = list(map(_rows, pages))
    edges = [
        _edges(lines, rows, tables, max_size, highest)
        for lines, rows, tables in zip(pages, page_rows, in_tables, strict=True)
    ]
    pages_of: dict[_Key, set[int]] = defaultdict(set)
    for number, rows in enumerate(edges):
        for edge, row in rows:
            for key in _keys(edge, [pages[number][index] for index in row], number, body_size):
                pages_of[key].add(number)
    heads = []
    for number, (lines, line_rows, line_edges) in enumerate(zip(pages, page_rows, edges, strict=True)):
        keys = [
            (edge, row, list(_keys(edge, [lines[index] for index in row], number, body_size)))
            for edge, row in line_edges
        ]
        heads.append(_on_page(lines, line_rows, keys, number, pages_of))
    return heads


def _on_page(
    lines: Sequence[TextLine],
    rows: Sequence[list[int]],
    edges: Sequence[tuple[str, list[int], list[_Key]]],
    number: int,
    pages_of: dict[_Key, set[int]],
) -> set[int]:
    neighbours = range(number - _NEIGHBOURS, number + _NEIGHBOURS + 1)
    heads: set[int] = set()
    for _, edge_rows in groupby(edges, key=lambda row: row[0]):
        repeated = []
        for _, row, keys in edge_rows:
            if not any(sum(page in pages_of[key] for page in neighbours) >= MIN_PAGES for key in keys):
                break
            repeated.append(row)
        while repeated and not _is_parted(repeated[-1], lines, rows):
            repeated.pop()
        heads.update(index for row in repeated for index in row)
    head_chars = sum(len(lines[index].text) for index in heads)
    if 2 * head_chars > sum(len(line.text) for line in lines):
        return set()  # forms and vouchers that are the same on every page are no heads
    return heads


def _is_parted(row: Sequence[int], lines: Sequence[TextLine], rows: Sequence[list[int]]) -> bool:
    """Tell whether there is a gap between a row and the rows within the page."""
    bottoms = [lines[other[0]].bottom for other in rows]
    if len(rows) < _FEW_ROWS:
        return True
    gaps = [upper - lower for upper, lower in pairwise(bottoms)]
    row_index = next(index for index, other in enumerate(rows) if row[0] in other)
    is_top = row_index < len(rows) / 2
    gap = gaps[row_index] if is_top else gaps[row_index - 1]
    return gap > _GAP * median(gaps)


def _rows(lines: Sequence[TextLine]) -> list[list[int]]:
    """Return the positions of the lines beside one another, from the top down."""
    rows: list[list[int]] = []
    bottoms = [line.bottom for line in lines]
    for index in sorted(range(len(lines)), key=bottoms.__getitem__, reverse=True):
        if rows and bottoms[rows[-1][0]] - bottoms[index] < 0.5 * lines[index].size:
            rows[-1].append(index)
        else:
            rows.append([index])
    return rows


def _edges(
    lines: Sequence[TextLine], rows: Sequence[list[int]], tables: Collection[int], max_size: float, highest: float
) -> list[tuple[str, list[int]]]:
    """Return the rows at the top and the foot of a page from the edge inwards, up to the first that is no head."""
    edges = []
    for edge, edge_rows in (("top", rows), ("foot", rows[::-1])):
        for row in edge_rows[:_MAX_ROWS]:
            height = lines[row[0]].bottom
            in_zone = height > (1 - _ZONE) * highest if edge == "top" else height < _ZONE * highest
            if not in_zone or any(index in tables or lines[index].size > max_size for index in row):
                break
            edges.append((edge, sorted(row, key=lambda index: lines[index].left)))
    return edges


def _keys(edge: str, row: Sequence[TextLine], page: int, body_size: float) -> Iterator[_Key]:
    """Yield the keys that a row shares with rows of other pages: place, and text with numbers as written or counted."""
    text = " ".join(" ".join(line.text for line in row).split())
    places = (int(row[0].bottom / _SAME_PLACE), -int(row[0].bottom / _SAME_PLACE + 0.5) - 1)
    spellings = {text} if _is_counted_word(row, text, body_size) else set(_spellings(text, page))
    for spelling in spellings:
        for place in places:
            yield edge, place, spelling


def _spellings(text: str, page: int) -> Iterator[str]:
    yield text
    numbers = list(_NUMBER.finditer(text))
    trimmed = text.strip(" -\u2013\u2014|[]().")
    if not numbers and trimmed and _ROMAN.fullmatch(trimmed):
        yield text.replace(trimmed, f"\0{_roman(trimmed) - page}")
    if len(numbers) == 1 and trimmed.isdecimal() and int(trimmed) in _YEARS and len(trimmed) == 4:
        return  # the pages of a chronicle, each of a year
    counters = _page_counters(numbers, text)
    for chosen in product((False, True), repeat=len(counters)):
        spelling = text
        for match, counted in reversed(list(zip(counters, chosen, strict=True))):
            if counted:
                spelling = f"{spelling[: match.start()]}\0{int(match[0]) - page}{spelling[match.end() :]}"
        yield spelling


def _page_counters(numbers: Sequence[re.Match[str]], text: str) -> list[re.Match[str]]:
    """Return the first numbers that may count pages: at either end of a text, or all of one that is otherwise short."""
    signs = [index for index, char in enumerate(text) if char.isalnum()]
    is_short = len(_NUMBER.sub("", text)) <= _SHORT_LABEL
    counters = (match for match in numbers if is_short or match.start() <= signs[0] or match.end() > signs[-1])
    return list(islice(counters, _MAX_COUNTERS))


def _is_counted_word(row: Sequence[TextLine], text: str, body_size: float) -> bool:
    """Tell whether a row is a heading that counts up, for example 'Question 3', in the type of the text."""
    if len(row) > 1 or row[0].runs or row[0].size < _SMALL_FACTOR * body_size:
        return False
    match = _COUNTED_WORD.fullmatch(text)
    return match is not None and (match[1] or "").lower() not in _PAGE_WORDS


def _roman(text: str) -> int:
    values = [_ROMAN_DIGITS[letter] for letter in text.lower()]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
