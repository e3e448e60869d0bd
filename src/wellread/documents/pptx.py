"""Presentations (ECMA-376 part 1, 19): a heading for each slide, then its text, tables, charts, diagrams and notes.

Shapes are read from top to bottom and from left to right, the title first. Hidden slides and shapes are left out and
counted; dates, footers and slide numbers are not text of a slide.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree.ElementTree import ParseError

from ada_url import URL

from wellread.documents import drawingml, ooxml
from wellread.documents.drawingml import attribute, child
from wellread.documents.ooxml import local_name
from wellread.errors import Empty, Unsupported
from wellread.extraction import unread_parts
from wellread.extractor_types import MEDIA_TYPES
from wellread.hidden_text import HiddenReason, hidden_notices, is_tiny
from wellread.metadata import office_properties
from wellread.text.characters import on_one_line, without_invisible
from wellread.types import Block, Extraction, Kind, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from xml.etree.ElementTree import Element

    from wellread.types import Mode, Source

KIND: Final = "PowerPoint presentation"
MAX_SLIDES: Final = 1_000
MAX_ELEMENTS: Final = 600_000
"""Of all slides with their notes, charts and diagrams."""
MAX_PART_ELEMENTS: Final = 100_000
MAX_PIECES: Final = 250_000
"""Blocks and their texts: a worker process returns at most 300,000 pieces."""
MAX_COLUMNS: Final = 100
MAX_COMMENTS: Final = 5_000

_UNREAD_PLACEHOLDERS: Final = frozenset({"dt", "ftr", "hdr", "sldNum", "sldImg"})
_TITLES: Final = frozenset({"title", "ctrTitle"})
_BULLETED: Final = frozenset({"", "body", "obj"})
"""Placeholders whose paragraphs have bullets by default."""
_SAME_LINE: Final = 230_000
"""Shapes whose upper edges differ by less are beside each other: a quarter of an inch, in EMU."""
_CENTIPOINTS: Final = 100
"""Units of sizes in a point."""
_FILE_NAME_ENDS: Final = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".emf", ".wmf", ".bmp", ".tif", ".tiff", ".webp")
_GENERATED: Final = "Description automatically generated"
_UNTITLED: Final = frozenset({"powerpoint presentation", "presentation", "slide 1"})


class PptxExtractor:
    """Reads presentations (pptx, pptm, ppsx, potx)."""

    name = "pptx"
    media_types = MEDIA_TYPES["pptx"]

    def extract(self, source: Source) -> Extraction:
        """Read a presentation, slide by slide.

        Raises:
            Unsupported: it is damaged or encrypted.
            Empty: no visible slide has any text.
            TooLarge: it is made of too many parts.
        """
        source_name = source.url or "the presentation"
        package = ooxml.open_package(source.body, source_name, KIND)
        try:
            reader = _PresentationReader(package, source)
            document = reader.read()
        except ParseError as error:
            raise Unsupported.damaged(source_name, KIND, error, url=source.url) from error
        if not any(block.kind is not Kind.HEADING or "".join(span.text for span in block.spans) for block in document):
            raise Empty(
                f"{source_name} has no text", url=source.url, hint="the document may have only pictures of text"
            )
        spans = list(_spans(document))
        metadata = office_properties.read(ooxml.core_properties(package))
        if metadata.title is None or metadata.title.lower() in _UNTITLED:
            metadata = replace(metadata, title=reader.first_title)
        return Extraction(
            document=document,
            metadata=metadata,
            method=self.name,
            links=tuple(dict.fromkeys(span.href for span in spans if span.href)),
            notices=tuple(reader.notices()),
            source_chars=sum(len(span.text) + 1 for span in spans),
        )


def _spans(blocks: Iterable[Block]) -> Iterator[Span]:
    for block in blocks:
        yield from block.spans
        yield from _spans(block.children)


# ------------------------------------------------------------------------------------------------- paragraphs


class _SlideParagraph(NamedTuple):
    """A paragraph of a shape."""

    level: int
    number: int | None
    """Of a numbered list, its first number; 0 for a bullet, None for neither."""
    spans: tuple[Span, ...]


def _blocks(paragraphs: Sequence[_SlideParagraph]) -> Iterator[Block]:
    """Yield paragraphs, with those that have bullets or numbers as lists."""
    index = 0
    while index < len(paragraphs):
        if paragraphs[index].number is None:
            yield Block(Kind.PARAGRAPH, paragraphs[index].spans)
            index += 1
        else:
            list_block, index = _list(paragraphs, index)
            yield list_block


def _list(paragraphs: Sequence[_SlideParagraph], index: int) -> tuple[Block, int]:
    """Return the list that begins at `index`, with the lists nested in it, and its end."""
    first = paragraphs[index]
    items: list[Block] = []
    while index < len(paragraphs):
        paragraph = paragraphs[index]
        if paragraph.number is None or paragraph.level < first.level:
            break
        if paragraph.level > first.level and items:
            inner, index = _list(paragraphs, index)
            items[-1] = items[-1]._replace(children=(*items[-1].children, inner))
        elif (paragraph.number > 0) != ((first.number or 0) > 0):
            break
        else:
            items.append(Block(Kind.ITEM, children=(Block(Kind.PARAGRAPH, paragraph.spans),)))
            index += 1
    return Block(Kind.LIST, children=tuple(items), level=first.number or 0), index


# ----------------------------------------------------------------------------------------------------- shapes


class _Placeholder(NamedTuple):
    """The properties of a placeholder in a layout."""

    box: tuple[int, int, int, int] | None
    list_style: Element | None


class _Shape(NamedTuple):
    """A shape and its place."""

    element: Element
    box: tuple[int, int, int, int] | None
    """Left, top, width and height in EMU."""


def _number(text: str | None) -> int:
    if text is None or not text.removeprefix("-").isdecimal() or len(text) > 12:
        return 0
    return int(text)


def _place(shape: Element) -> tuple[int, int, int, int] | None:
    """Return left, top, width and height from the shape itself."""
    transform = child(shape, "xfrm")
    for properties in ("spPr", "grpSpPr"):
        if transform is None:
            transform = child(shape, properties, "xfrm")
    offset, extent = child(transform, "off"), child(transform, "ext")
    if offset is None:
        return None
    left, top = _number(offset.get("x")), _number(offset.get("y"))
    return left, top, _number(attribute(extent, "cx")), _number(attribute(extent, "cy"))


def _name_properties(shape: Element) -> Element | None:
    """Return the element with the name, the alternative text and the link of a shape (`cNvPr`)."""
    for inner in shape:
        if local_name(inner.tag).startswith("nv"):
            return child(inner, "cNvPr")
    return None


def _placeholder(shape: Element) -> tuple[str, str] | None:
    """Return type and index of a placeholder; None for other shapes."""
    for inner in shape:
        if local_name(inner.tag).startswith("nv"):
            placeholder = child(inner, "nvPr", "ph")
            if placeholder is None:
                return None
            return placeholder.get("type", ""), placeholder.get("idx", "")
    return None


def _ordered(shapes: list[_Shape]) -> list[_Shape]:
    """Return shapes from top to bottom, and from left to right where they begin at the same height.

    A shape without a place stays after the one before it.
    """
    keyed: list[tuple[int, int, int, _Shape]] = []
    left = top = 0
    for index, shape in enumerate(shapes):
        if shape.box is not None:
            left, top = shape.box[:2]
        keyed.append((top, left, index, shape))
    keyed.sort(key=lambda entry: entry[:3])
    ordered: list[_Shape] = []
    line: list[tuple[int, int, int, _Shape]] = []
    for entry in keyed:
        if line and entry[0] - line[0][0] > _SAME_LINE:
            ordered.extend(shape for *_, shape in sorted(line, key=lambda same: (same[1], same[0], same[2])))
            line = []
        line.append(entry)
    ordered.extend(shape for *_, shape in sorted(line, key=lambda same: (same[1], same[0], same[2])))
    return ordered


# ----------------------------------------------------------------------------------------------------- reading


@dataclass(slots=True)
class _Slide:
    """A slide while it is read."""

    part: str
    targets: Mapping[str, str]
    layout: Mapping[tuple[str, str], _Placeholder]
    title: tuple[Span, ...] = ()
    blocks: list[Block] = field(default_factory=list)


class _PresentationReader:
    """A presentation while it is read."""

    def __init__(self, package: ooxml.OoxmlPackage, source: Source) -> None:
        self.first_title: str | None = None
        self._package = package
        self._mode: Mode = source.mode
        self._part = self._presentation(source)
        self._elements = MAX_ELEMENTS
        self._pieces = MAX_PIECES
        self._layouts: dict[str, dict[tuple[str, str], _Placeholder]] = {}
        self._charts: dict[str, tuple[Block, ...]] = {}
        self._hidden: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()
        self._invisible_characters = self._comments = self._formulas = 0
        self._slides = self._slides_read = 0
        self._is_cut = False
        self._size = (0, 0)

    def _presentation(self, source: Source) -> str:
        targets = [relation.target for relation in self._package.relations("") if relation.kind == "officeDocument"]
        for part in (*targets, "ppt/presentation.xml"):
            if part in self._package.parts:
                return part
        source_name = source.url or "the presentation"
        raise Unsupported.damaged(source_name, KIND, "no part lists its slides", url=source.url)

    def _root(self, part: str) -> Element | None:
        """Return the tree of a part, as far as the budget goes; None where the part is missing or damaged."""
        data = self._package.parts.get(part)
        if data is None or self._elements <= 0:
            self._is_cut |= data is not None
            return None
        try:
            tree = ooxml.parse_part(
                data, most=min(MAX_PART_ELEMENTS, self._elements), part_cut=part in self._package.cut
            )
        except ParseError:
            self._left_out["damaged part"] += 1
            return None
        self._is_cut |= tree.cut
        self._elements -= 1 + sum(1 for _ in tree.root.iter())
        return tree.root

    def read(self) -> tuple[Block, ...]:
        """Return the headings and blocks of the visible slides.

        Raises:
            ParseError: the list of slides is damaged.
        """
        root = ooxml.parse_part(self._package.parts[self._part], part_cut=self._part in self._package.cut).root
        size = child(root, "sldSz")
        self._size = (_number(attribute(size, "cx")), _number(attribute(size, "cy")))
        targets = self._package.related(self._part)
        slide_list = child(root, "sldIdLst")
        ids = [_relation_id(element) for element in drawingml.children(slide_list)]
        parts = [part for part in dict.fromkeys(targets.get(id_, "") for id_ in ids) if part in self._package.parts]
        self._slides = len(parts)
        blocks: list[Block] = []
        for number, part in enumerate(parts[:MAX_SLIDES], 1):
            if self._elements <= 0 or self._pieces <= 0:
                break
            self._slides_read += 1
            slide_blocks = self._slide(number, part)
            self._pieces -= sum(1 + len(block.spans) for block in _all_blocks(slide_blocks))
            blocks.extend(slide_blocks)
        return tuple(blocks)

    def _slide(self, number: int, part: str) -> list[Block]:
        root = self._root(part)
        if root is None:
            return []
        if root.get("show") in {"0", "false"}:
            self._hidden[HiddenReason.HIDDEN_SLIDE] += 1
            return []
        relations = self._package.relations(part)
        kinds = {relation.kind: relation.target for relation in relations}
        slide = _Slide(
            part, {relation.id: relation.target for relation in relations}, self._layout(kinds.get("slideLayout", ""))
        )
        tree = child(root, "cSld", "spTree")
        if tree is not None:
            self._shapes(tree, slide, is_group=False)
        blocks = [*slide.blocks, *self._notes(kinds.get("notesSlide", ""))]
        comments = [
            comment
            for relation in relations
            if relation.kind == "comments"
            for comment in self._thread(relation.target)
        ]
        self._comments += len(comments)
        if self._mode == "recall":
            blocks.extend(comments)
        title = " ".join("".join(span.text for span in slide.title).split())
        if title and self.first_title is None:
            self.first_title = title
        if not title and not blocks:
            return []
        label = f"Slide {number}" + ": " * bool(title)
        return [Block(Kind.HEADING, (Span(label), *slide.title), level=2), *blocks]

    # ---------------------------------------------------------------------------------------------- layouts

    def _layout(self, part: str) -> dict[tuple[str, str], _Placeholder]:
        """Return the placeholders of a layout, by type and index, with those of its master after them."""
        if part in self._layouts:
            return self._layouts[part]
        placeholders: dict[tuple[str, str], _Placeholder] = {}
        self._layouts[part] = placeholders
        masters = [relation.target for relation in self._package.relations(part) if relation.kind == "slideMaster"]
        for source in (*masters[:1], part):
            root = self._root(source)
            tree = child(root, "cSld", "spTree")
            for shape in drawingml.shown_elements(tree):
                if local_name(shape.tag) == "sp" and (key := _placeholder(shape)) is not None:
                    style = child(shape, "txBody", "lstStyle")
                    placeholder = _Placeholder(_place(shape), style)
                    before = placeholders.get((key[0], ""))
                    if placeholder.box is None and before is not None:
                        placeholder = placeholder._replace(box=before.box)
                    placeholders[key] = placeholder
                    if source != part or before is None:
                        placeholders[key[0], ""] = placeholder
                    else:
                        placeholders[key[0], ""] = before
        return placeholders

    def _inherited(self, slide: _Slide, key: tuple[str, str] | None) -> _Placeholder:
        """Return the placeholder of the layout: by its index, else by its type."""
        no_placeholder = _Placeholder(None, None)
        if key is None:
            return no_placeholder
        kind, index = key
        if key in slide.layout:
            return slide.layout[key]
        by_index = [placeholder for (_, other), placeholder in slide.layout.items() if index and other == index]
        if by_index:
            return by_index[0]
        similar = {"ctrTitle": "title", "title": "ctrTitle", "": "body", "obj": "body", "subTitle": "body"}
        return slide.layout.get((kind, "")) or slide.layout.get((similar.get(kind, kind), ""), no_placeholder)

    # ----------------------------------------------------------------------------------------------- shapes

    def _shapes(self, tree: Element, slide: _Slide, *, is_group: bool) -> None:
        shapes: list[_Shape] = []
        for element in _members(tree):
            key = _placeholder(element)
            if key is not None and key[0] in _UNREAD_PLACEHOLDERS:
                continue
            shapes.append(_Shape(element, _place(element) or self._inherited(slide, key).box))
        for shape in _ordered(shapes):
            reason = self._why_hidden(shape, is_group=is_group)
            if reason:
                self._hidden[reason] += bool(drawingml.plain_text(shape.element))
            else:
                self._shape(shape.element, slide)

    def _why_hidden(self, shape: _Shape, *, is_group: bool) -> HiddenReason | None:
        properties = _name_properties(shape.element)
        if properties is not None and properties.get("hidden") in {"1", "true"}:
            return HiddenReason.HIDDEN_SHAPE
        if shape.box is None or is_group or not all(self._size):
            return None
        left, top, width, height = shape.box
        is_off = left >= self._size[0] or top >= self._size[1] or left + width < 0 or top + height < 0
        return HiddenReason.OFF_SLIDE if is_off else None

    def _shape(self, shape: Element, slide: _Slide) -> None:
        name = local_name(shape.tag)
        if name == "grpSp":
            self._shapes(shape, slide, is_group=True)
        elif name == "graphicFrame":
            self._frame(shape, slide)
        elif name == "pic":
            self._picture(shape, slide)
        elif name in {"sp", "cxnSp"}:
            self._text_shape(shape, slide)

    def _text_shape(self, shape: Element, slide: _Slide) -> None:
        body = child(shape, "txBody")
        if body is None:
            return
        key = _placeholder(shape)
        properties = _name_properties(shape)
        click = child(properties, "hlinkClick")
        href = _web_address(slide.targets.get(attribute(click, "id")))
        styles = (child(body, "lstStyle"), self._inherited(slide, key).list_style)
        is_bulleted = key is not None and key[0] in _BULLETED
        paragraphs = self._paragraphs(body, slide.targets, styles, is_bulleted=is_bulleted, href=href)
        if key is not None and key[0] in _TITLES and not slide.title:
            slide.title = tuple(span._replace(text=span.text.replace("\n", " ")) for span in _joined(paragraphs))
        else:
            slide.blocks.extend(_blocks(paragraphs))

    def _paragraphs(
        self,
        body: Element,
        targets: Mapping[str, str],
        styles: Sequence[Element | None] = (),
        *,
        is_bulleted: bool = False,
        href: str | None = None,
    ) -> list[_SlideParagraph]:
        paragraphs: list[_SlideParagraph] = []
        counters: dict[int, int] = {}
        for element in body:
            if local_name(element.tag) != "p":
                continue
            spans = self._runs(element, targets, href)
            if not spans:
                continue
            properties = child(element, "pPr")
            level = min(_number(attribute(properties, "lvl")), 8)
            sources = [properties, *(child(style, f"lvl{level + 1}pPr") for style in styles)]
            number = _list_number(sources, is_bulleted=is_bulleted)
            counters = {
                counter_level: count
                for counter_level, count in counters.items()
                if counter_level < level or (counter_level == level and number)
            }
            if number:
                counters[level] = counters.get(level, number - 1) + 1
                number = counters[level] if not paragraphs or paragraphs[-1].number is None else number
            paragraphs.append(_SlideParagraph(level, number, tuple(spans)))
        return paragraphs

    def _runs(self, paragraph: Element, targets: Mapping[str, str], href: str | None) -> list[Span]:
        spans: list[Span] = []
        for run in _members(paragraph):
            name = local_name(run.tag)
            if name in {"r", "fld"}:
                self._run(run, targets, href, spans)
            elif name == "br":
                spans.append(Span("\n"))
            elif name in {"m", "oMath", "oMathPara"}:
                self._formulas += 1
        while spans and not spans[-1].text.strip():
            spans.pop()
        while spans and not spans[0].text.strip():
            spans.pop(0)
        return spans

    def _run(self, run: Element, targets: Mapping[str, str], href: str | None, spans: list[Span]) -> None:
        text = "".join(inner.text or "" for inner in run if local_name(inner.tag) == "t")
        shown, invisible_count = without_invisible(text.replace("\t", " ").replace("\x0b", " "))
        self._invisible_characters += invisible_count
        shown = " ".join(shown.split("\n"))
        if not shown:
            return
        properties = child(run, "rPr")
        style = 0
        if properties is not None:
            size = properties.get("sz", "")
            if size and _number(size) > 0 and is_tiny(_number(size) / _CENTIPOINTS):
                self._hidden[HiddenReason.TINY_FONT] += 1
                return
            baseline = _number(properties.get("baseline", "0"))
            style |= Style.STRIKE * (properties.get("strike", "noStrike") != "noStrike")
            style |= Style.SUP * (baseline > 0) | Style.SUB * (baseline < 0)
            click = child(properties, "hlinkClick")
            href = _web_address(targets.get(attribute(click, "id"))) or href
        if spans and spans[-1].style == style and spans[-1].href == href and spans[-1].text != "\n":
            spans[-1] = spans[-1]._replace(text=spans[-1].text + shown)
        else:
            spans.append(Span(shown, style, href))

    # ------------------------------------------------------------------------- tables, charts, diagrams, pictures

    def _frame(self, frame: Element, slide: _Slide) -> None:
        content = child(frame, "graphic", "graphicData")
        for element in drawingml.shown_elements(content):
            name = local_name(element.tag)
            if name == "tbl":
                slide.blocks.append(self._table(element, slide.targets))
            elif name == "chart":
                slide.blocks.extend(self._chart(slide.targets.get(attribute(element, "id"), "")))
            elif name == "relIds":
                slide.blocks.extend(self._diagram(slide.targets.get(attribute(element, "dm"), "")))
            elif name == "oleObj":
                self._left_out["embedded object"] += 1
            else:
                continue
            return

    def _table(self, table: Element, targets: Mapping[str, str]) -> Block:
        properties = child(table, "tblPr")
        has_header = properties is not None and properties.get("firstRow") in {"1", "true"}
        rows: list[Block] = []
        for row in table:
            if local_name(row.tag) != "tr":
                continue
            level = int(has_header and not rows)
            cells = [self._cell(cell, targets, level) for cell in row if local_name(cell.tag) == "tc"]
            self._is_cut |= len(cells) > MAX_COLUMNS
            rows.append(Block(Kind.ROW, children=tuple(cells[:MAX_COLUMNS])))
        return Block(Kind.TABLE, children=tuple(rows))

    def _cell(self, cell: Element, targets: Mapping[str, str], level: int) -> Block:
        """Return a cell; a cell that another one covers is empty."""
        body = child(cell, "txBody")
        is_covered = any(cell.get(name) in {"1", "true"} for name in ("hMerge", "vMerge"))
        if body is None or is_covered:
            return Block(Kind.CELL, level=level)
        paragraphs = self._paragraphs(body, targets)
        return Block(Kind.CELL, _joined(paragraphs), level=level)

    def _chart(self, part: str) -> tuple[Block, ...]:
        """Return the title of a chart and a table of its values; a repeated chart is read once."""
        if part not in self._charts:
            self._charts[part] = tuple(self._read_chart(part))
        blocks = self._charts[part]
        if self._pieces > 0:
            self._pieces -= sum(1 + len(block.spans) for block in _all_blocks(blocks))
            return blocks
        self._is_cut = True
        return ()

    def _read_chart(self, part: str) -> Iterator[Block]:
        if self._root(part) is None:
            self._left_out[unread_parts.CHART] += 1
            return
        chart = drawingml.chart(self._package.parts[part], part_cut=part in self._package.cut)
        self._is_cut |= chart.is_cut
        yield _paragraph(f"Chart: {chart.title}" if chart.title else "Chart:")
        table = chart.table()
        if table is not None:
            yield table

    def _diagram(self, part: str) -> Iterator[Block]:
        """Yield the texts of a diagram (21.4) as a list, nested as its points are."""
        root = self._root(part)
        if root is None:
            self._left_out["diagram"] += 1
            return
        points = child(root, "ptLst")
        texts: dict[str, str] = {}
        top = ""
        for point in drawingml.children(points):
            kind = point.get("type", "node")
            if kind == "doc":
                top = point.get("modelId", "")
            elif kind in {"node", "asst"}:
                texts[point.get("modelId", "")] = drawingml.plain_text(child(point, "t"))
        children: dict[str, list[tuple[int, str]]] = {}
        connections = child(root, "cxnLst")
        for connection in drawingml.children(connections):
            if connection.get("type", "parOf") == "parOf" and connection.get("destId") in texts:
                order = _number(connection.get("srcOrd"))
                children.setdefault(connection.get("srcId", ""), []).append((order, connection.get("destId", "")))
        paragraphs: list[_SlideParagraph] = []
        stack = [(0, id_) for _, id_ in sorted(children.pop(top, []), reverse=True)]
        while stack:
            level, id_ = stack.pop()
            text = texts.pop(id_, "")
            if text:
                paragraphs.append(_SlideParagraph(min(level, 8), 0, (Span(text),)))
            stack.extend((level + 1, inner) for _, inner in sorted(children.pop(id_, []), reverse=True))
        paragraphs.extend(_SlideParagraph(0, 0, (Span(text),)) for text in texts.values() if text)
        yield from _blocks(paragraphs)

    def _picture(self, picture: Element, slide: _Slide) -> None:
        kinds = {local_name(inner.tag) for inner in drawingml.children(child(picture, "nvPicPr", "nvPr"))}
        label, part_kind = "Picture", unread_parts.PICTURE
        if kinds & {"videoFile", "audioFile", "quickTimeFile", "wavAudioFile"}:
            label, part_kind = "Media", unread_parts.MEDIA
        self._left_out[part_kind] += 1
        properties = _name_properties(picture)
        text = on_one_line(attribute(properties, "descr"))
        text = text.removesuffix(_GENERATED).rstrip()
        if text and not text.lower().endswith(_FILE_NAME_ENDS):
            slide.blocks.append(_paragraph(f"{label}: {text}"))

    # ----------------------------------------------------------------------------------------- notes, comments

    def _notes(self, part: str) -> Iterator[Block]:
        root = self._root(part)
        tree = child(root, "cSld", "spTree")
        if tree is None:
            return
        targets = self._package.related(part)
        paragraphs: list[_SlideParagraph] = []
        for shape in _members(tree):
            key = _placeholder(shape)
            body = child(shape, "txBody")
            if body is not None and key is not None and key[0] == "body":
                paragraphs.extend(self._paragraphs(body, targets))
        if paragraphs:
            first = paragraphs[0]
            paragraphs[0] = first._replace(spans=(Span("Notes: ", Style.EM), *first.spans), number=None)
            yield Block(Kind.QUOTE, children=tuple(_blocks(paragraphs)))

    def _thread(self, part: str) -> Iterator[Block]:
        """Yield the comments on a slide, and the replies to them."""
        root = self._root(part)
        if root is None:
            return
        authors = self._authors()
        for count, element in enumerate(
            descendant for descendant in root.iter() if local_name(descendant.tag) in {"cm", "reply"}
        ):
            if count >= MAX_COMMENTS:
                return
            plain = "".join(inner.text or "" for inner in element if local_name(inner.tag) == "text")
            text = plain or drawingml.plain_text(child(element, "txBody"))
            text = on_one_line(text)
            author = authors.get(element.get("authorId", ""), "")
            if text:
                yield _paragraph(f"Comment ({author}): {text}" if author else f"Comment: {text}")

    def _authors(self) -> dict[str, str]:
        authors: dict[str, str] = {}
        for relation in self._package.relations(self._part):
            if relation.kind in {"commentAuthors", "authors"}:
                root = self._root(relation.target)
                for element in drawingml.children(root):
                    authors[element.get("id", "")] = without_invisible(element.get("name", ""))[0]
        return authors

    # ---------------------------------------------------------------------------------------------- notices

    def notices(self) -> Iterator[Notice]:
        """Yield the notices of omitted content."""
        yield from hidden_notices(self._hidden)
        if self._invisible_characters:
            detail = "invisible characters were removed"
            yield Notice("invisible_characters", detail, self._invisible_characters)
        missing = self._slides - self._slides_read
        if missing or self._is_cut:
            detail = f"{self._slides_read:,} of {self._slides:,} slides were read, some of them in part"
            yield Notice("pages_cut", detail, max(missing, 1))
        if self._comments and self._mode != "recall":
            detail = "comments on slides were left out; mode `recall` keeps them"
            yield Notice("comments_left_out", detail, self._comments)
        yield from unread_parts.notices(self._left_out)
        if self._formulas:
            yield Notice("formulas_left_out", "formulas on slides are not read", self._formulas)


def _members(element: Element) -> Iterator[Element]:
    """Yield the children of an element; of alternatives, those of the first."""
    for inner in element:
        if local_name(inner.tag) == "AlternateContent":
            choice = child(inner, "Choice")
            yield from drawingml.children(choice)
        else:
            yield inner


def _list_number(properties: Sequence[Element | None], *, is_bulleted: bool) -> int | None:
    """Return the first number of a numbered paragraph, 0 for a bullet, None for neither; the first setting counts."""
    for source in properties:
        for element in drawingml.children(source):
            name = local_name(element.tag)
            if name == "buNone":
                return None
            if name in {"buChar", "buBlip"}:
                return 0
            if name == "buAutoNum":
                return max(_number(element.get("startAt", "1")), 1)
    if is_bulleted:
        return 0
    return None


def _relation_id(element: Element) -> str:
    """Return the id of a relationship (`r:id`); an element may also have an id of its own."""
    return next((value for key, value in element.items() if key.endswith("}id")), "")


def _joined(paragraphs: Iterable[_SlideParagraph]) -> tuple[Span, ...]:
    """Return the texts of paragraphs, a line break between two of them."""
    spans = [span for paragraph in paragraphs for span in (Span("\n"), *paragraph.spans)]
    return tuple(spans[1:])


def _all_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _all_blocks(block.children)


def _paragraph(text: str) -> Block:
    return Block(Kind.PARAGRAPH, (Span(text),))


def _web_address(target: str | None) -> str | None:
    """Return a web address, normalised; None for other targets."""
    try:
        url = URL(target or "")
    except ValueError:
        return None
    if url.protocol not in {"http:", "https:"}:
        return None
    return url.href
