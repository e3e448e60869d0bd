"""Reads DrawingML (ECMA-376 part 1, 20 and 21), which workbooks and presentations share: text of shapes, charts.

Charts are read from the values that the file keeps beside them; the workbooks they come from are not opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents import ooxml
from wellread.documents.ooxml import local_name
from wellread.text.characters import on_one_line
from wellread.types import Block, Kind, Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

MAX_SERIES: Final = 50
MAX_POINTS: Final = 2_000

_CHART_ELEMENTS: Final = 200_000


class Series(NamedTuple):
    """A series of a chart: its name, and its values by the number of their category."""

    name: str
    categories: dict[int, str]
    values: dict[int, str]


class Chart(NamedTuple):
    """The title and the series of a chart."""

    title: str
    series: tuple[Series, ...]
    is_cut: bool

    def table(self) -> Block | None:
        """Return a table of a row for each category and a column for each series; None where there is no value."""
        points = sorted({at for series in self.series for at in series.values})[:MAX_POINTS]
        if not points:
            return None
        categories = {at: text for series in reversed(self.series) for at, text in series.categories.items()}
        head = ["", *(series.name for series in self.series)]
        rows = [[categories.get(at, ""), *(series.values.get(at, "") for series in self.series)] for at in points]
        if not any(row[0] for row in rows):
            head, rows = head[1:], [row[1:] for row in rows]
        table_rows = [_row(head, is_header=True), *(_row(row) for row in rows)]
        return Block(Kind.TABLE, children=tuple(table_rows if any(head) else table_rows[1:]))


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first element down a path of names without namespaces; None where there is none."""
    for name in path:
        if element is None:
            return None
        element = next((inner for inner in element if local_name(inner.tag) == name), None)
    return element


def children(element: Element | None) -> list[Element]:
    """Return the children of an element; none where there is no element."""
    if element is None:
        return []
    return list(element)


def shown_elements(root: Element | None) -> Iterator[Element]:
    """Yield the elements below `root` in order; of alternatives the first, which programs of today show."""
    waiting = [iter(children(root))]
    while waiting:
        element = next(waiting[-1], None)
        if element is None:
            waiting.pop()
        elif local_name(element.tag) == "AlternateContent":
            waiting.append(iter(children(child(element, "Choice"))))
        else:
            yield element
            waiting.append(iter(element))


def attribute(element: Element | None, name: str) -> str:
    """Return an attribute by its name without a namespace; empty where the attribute or the element is missing."""
    if element is None:
        return ""
    return next((value for key, value in element.items() if local_name(key) == name), "")


def plain_text(element: Element | None) -> str:
    """Return the text of the paragraphs in an element, a space between two of them."""
    if element is None:
        return ""
    paragraphs = ("".join(_pieces(paragraph)) for paragraph in element.iter() if local_name(paragraph.tag) == "p")
    return on_one_line(" ".join(paragraphs))


def _pieces(paragraph: Element) -> Iterator[str]:
    for element in paragraph.iter():
        name = local_name(element.tag)
        if name == "t":
            yield element.text or ""
        elif name in {"br", "tab"}:
            yield " "


def chart(data: bytes, *, part_cut: bool = False) -> Chart:
    """Read a chart part.

    Raises:
        ParseError: it is no well-formed XML.
    """
    tree = ooxml.parse_part(data, most=_CHART_ELEMENTS, part_cut=part_cut)
    space = child(tree.root, "chart")
    if space is None:
        space = tree.root
    plot = child(space, "plotArea")
    series_elements = [
        element for part in children(plot) for element in part.iter() if local_name(element.tag) == "ser"
    ]
    series = tuple(_series(element) for element in series_elements[:MAX_SERIES])
    is_cut = (
        tree.cut
        or len(series_elements) > MAX_SERIES
        or any(len(chart_series.values) > MAX_POINTS for chart_series in series)
    )
    return Chart(_title(space, series), series, is_cut)


def _title(space: Element, series: tuple[Series, ...]) -> str:
    title = child(space, "title")
    text = plain_text(title) or " ".join(_points(child(title, "tx")).values())
    is_automatic = title is not None and not text and len(series) == 1
    if is_automatic:
        return series[0].name
    return text


def _series(element: Element) -> Series:
    name = child(element, "tx")
    categories = child(element, "cat")
    values = child(element, "val")
    if values is None:  # a scatter chart
        categories, values = child(element, "xVal"), child(element, "yVal")
    return Series(" ".join(_points(name).values()), _points(categories, is_label=True), _points(values))


def _points(element: Element | None, *, is_label: bool = False) -> dict[int, str]:
    """Return the kept values of a reference, by their index; categories of several levels are joined."""
    if element is None:
        return {}
    if (literal := child(element, "v")) is not None:
        return {0: _shown(literal.text)}
    levels = [level for level in element.iter() if local_name(level.tag) == "lvl"]
    points: dict[int, str] = {}
    for source in reversed(levels) if levels else [element]:
        for point in source.iter():
            if local_name(point.tag) == "pt":
                _add_point(points, point, is_joined=is_label and bool(levels))
    return points


def _add_point(points: dict[int, str], point: Element, *, is_joined: bool) -> None:
    index = point.get("idx", "")
    value = child(point, "v")
    if not (index.isascii() and index.isdigit() and len(index) < 8) or value is None:
        return
    text = _shown(value.text)
    before = points.get(int(index))
    points[int(index)] = f"{before}, {text}" if before and is_joined else text


def _shown(value: str | None) -> str:
    """Return a kept value; numbers with the 15 digits that a workbook keeps."""
    text = on_one_line(value or "")
    try:
        number = float(text)
    except ValueError:
        return text
    if len(text) > 15:
        return f"{number:.15g}"
    return text


def _row(cells: list[str], *, is_header: bool = False) -> Block:
    cell_blocks = (Block(Kind.CELL, (Span(text),) if text else (), level=int(is_header)) for text in cells)
    return Block(Kind.ROW, children=tuple(cell_blocks))
