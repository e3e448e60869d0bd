"""Read the body of a Word document, its notes, boxes and margins into paragraphs and tables (ECMA-376 part 1, 17).

The content of unknown elements is read, because it is text of the document. Omitted content is counted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents.docx import fields
from wellread.documents.docx.fields import Field
from wellread.documents.docx.list_numbers import MAX_LEVEL
from wellread.documents.docx.omml import FormulaWriter
from wellread.documents.docx.word_styles import RunProperties, has_background_colour, indent_of, outline_heading, toggle
from wellread.documents.docx.word_xml import attribute, child, is_on, value_of, whole_number
from wellread.extraction import paragraphs
from wellread.extraction.field_codes import MAX_CODE_CHARS, check_mark, link_of
from wellread.extraction.paragraphs import FlowParagraph, ListItem, TableCell, TableRow, joined_spans
from wellread.extraction.symbol_fonts import UNKNOWN, is_symbol_font, symbol, without_private_codes
from wellread.hidden_text import HiddenReason, is_white_code
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from xml.etree.ElementTree import Element

    from wellread.documents.docx.list_numbers import Numbering
    from wellread.documents.docx.word_styles import StyleNumbering, WordStyles
    from wellread.extraction.links import Links
    from wellread.extraction.paragraphs import Flow
    from wellread.types import Document

_STRONG, _EM, _CODE, _STRIKE, _SUP, _SUB, _MATH, _NOTE = (
    int(style)
    for style in (
        Style.STRONG,
        Style.EM,
        Style.CODE,
        Style.STRIKE,
        Style.SUP,
        Style.SUB,
        Style.MATH,
        Style.NOTE,
    )
)
_LEVEL_STEP: Final = 360
"""Twips of one list level without an indent."""
_DELETED: Final = frozenset({"del", "moveFrom"})
_TEXT: Final = frozenset({"t", "delText"})
_DROP_CAPS: Final = frozenset({"drop", "margin"})
_CHECK_BOX_CLASS: Final = "8bd21d40-ec42-11ce-9e0d-00aa006002f3"
_OPTION_BUTTON_CLASS: Final = "8bd21d50-ec42-11ce-9e0d-00aa006002f3"


class TextSetting(NamedTuple):
    """The properties of a paragraph that its runs inherit."""

    reasons: Mapping[str, bool]
    """Reason -> whether it hides the text."""
    painted: bool = False
    """A colour is behind it, on which white text is visible."""


class PackagePart(NamedTuple):
    """A part of the package with its relationships."""

    root: Element
    related: Mapping[str, str]
    """id -> the name of a part, or a URL."""


@dataclass(slots=True)
class OmittedCounts:
    """Counts of omitted content."""

    hidden: Counter[str] = field(default_factory=Counter)
    """Reason -> number of hidden texts."""
    objects: Counter[str] = field(default_factory=Counter)
    """Kind -> objects without text."""
    pictures: int = 0
    characters: int = 0
    """Invisible characters."""


@dataclass(slots=True)
class _OpenParagraph:
    """A paragraph while its runs are read."""

    spans: list[Span] = field(default_factory=list)
    pieces: list[list[Span]] = field(default_factory=list)
    """Text before and between formulas on lines of their own."""
    boxes: list[Flow] = field(default_factory=list)
    """Blocks of text boxes and shapes that are anchored here."""


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """The state that the readers of all parts of a document share."""

    styles: WordStyles
    numbering: Numbering
    links: Links
    counts: OmittedCounts
    notes: Mapping[tuple[str, str], Element]
    """(footnote or endnote, id) -> the note."""
    parts: Mapping[str, Element]
    """Parts that objects refer to, by name."""
    inserted: Callable[[str], Document | None]
    """Reads the inserted document in a part; returns None where its format is unknown."""
    referred: list[tuple[str, str]] = field(default_factory=list)
    """The notes that the text refers to, in order."""
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    """Their numbers."""


class PartReader:
    """Reads one part: the main document, the footnotes, a header."""

    def __init__(self, story: DocumentContext, part: PackagePart) -> None:
        self._story = story
        self._part = part
        self._counts = story.counts
        backdrop = child(part.root, "background")
        painted = backdrop is not None and not is_white_code(attribute(backdrop, "color"))
        self._base = TextSetting(story.styles.base, painted)
        self._setting = self._base
        self._fields: list[Field] = []
        self._unmatched = fields.unmatched(part.root)
        self._open = _OpenParagraph()
        self._carried: list[Span] = []
        """Text of a paragraph that continues in the next one."""
        self._comments: list[str] = []
        self._formulas = FormulaWriter(self._is_unseen)
        self._inline: dict[str, Callable[[Element, str | None], None]] = {
            "r": self._run,
            "hyperlink": self._hyperlink,
            "fldSimple": self._simple_field,
            "sdt": self._control,
            "oMath": self._formula,
            "oMathPara": self._display,
            "AlternateContent": self._alternate,
            "drawing": self._graphic,
            "pict": self._graphic,
            "object": self._graphic,
            "ruby": self._ruby,
            "instrText": self._skip,
            "delInstrText": self._skip,
            "delText": self._skip,
            **dict.fromkeys(_DELETED, self._deleted),
        }
        self._in_run: dict[str, Callable[[Element, str | None, int], None]] = {
            "t": self._text,
            "tab": self._tab,
            "ptab": self._tab,
            "br": self._break,
            "cr": self._break,
            "noBreakHyphen": self._hyphen,
            "sym": self._symbol,
            "footnoteReference": self._note,
            "endnoteReference": self._note,
            "commentReference": self._comment,
        }

    # --------------------------------------------------------------------------------------------- blocks

    def document(self, container: Element, *, comments: Mapping[str, str] | None = None) -> Document:
        """Return the tree for a container of paragraphs; `comments`, by id, follow the paragraphs they are about."""
        self._fields.clear()
        flow: list[Flow] = []
        for part in self._flow(container):
            flow.append(part)
            if comments:
                indent = part.indent if isinstance(part, FlowParagraph) else 0
                texts = (comments[name] for name in self._comments if name in comments)
                flow += (FlowParagraph((Span(text),), indent=indent) for text in texts)
            self._comments.clear()
        return paragraphs.blocks(flow)

    def flow(self, container: Element) -> list[Flow]:
        """Return the paragraphs and tables of a container."""
        return list(self._flow(container))

    def _flow(self, container: Element) -> Iterator[Flow]:
        yield from self._inside(container)
        yield from self._flush()

    def _flush(self) -> Iterator[Flow]:
        """Yield text of a paragraph that was to continue in another one, where none follows."""
        if self._carried:
            spans, count = joined_spans(self._carried)
            self._counts.characters += count
            self._carried = []
            if spans:
                yield FlowParagraph(spans)

    def _inside(self, container: Element) -> Iterator[Flow]:
        for element in container:
            name = element.tag
            if name == "p":
                yield from self._paragraph(element)
            elif name == "tbl":
                yield from self._flush()
                yield from self._table(element)
            elif name == "altChunk":
                yield from self._inserted_document(element)
            elif name == "sdt":
                yield from self._inside(_content(element))
            elif name == "AlternateContent":
                yield from self._inside(_choice(element))
            elif name in _DELETED:
                self._deleted(element, None)
            elif name in {"oMathPara", "oMath", "r"}:
                yield from self._outside_paragraphs(element)
            elif not name.endswith("Pr"):
                yield from self._inside(element)

    def _outside_paragraphs(self, element: Element) -> Iterator[Flow]:
        """Read a run or a formula outside of paragraphs."""
        holder = element.makeelement("p", {})
        holder.append(element)
        yield from self._paragraph(holder)

    def _inserted_document(self, element: Element) -> Iterator[Flow]:
        name = self._part.related.get(_relation(element), "")
        document = self._story.inserted(name)
        if document is None:
            self._counts.objects["inserted document"] += 1
        else:
            yield from document

    def _paragraph(self, element: Element) -> Iterator[Flow]:
        styles = self._story.styles
        properties = child(element, "pPr")
        style_id = value_of(properties, "pStyle") or styles.default_paragraph
        outer, outer_setting = self._open, self._setting
        self._open = _OpenParagraph(spans=self._carried)
        self._carried = []
        self._setting = TextSetting(
            dict(self._base.reasons) | styles.reasons(style_id),
            self._setting.painted or style_id in styles.shaded or _is_shaded(properties),
        )
        self._children(element, None)
        opened, self._open, self._setting = self._open, outer, outer_setting
        if _continues_in_next(properties):
            self._carried = opened.spans
            self._carried[:0] = [span for piece in opened.pieces for span in piece]
        else:
            code = styles.is_code(style_id)
            item, indent = self._list_item(properties, style_id)
            heading = self._heading(properties, style_id)
            quote = styles.is_quote(style_id)
            for piece in (*opened.pieces, opened.spans):
                spans, count = joined_spans(piece, code=code)
                self._counts.characters += count
                if spans or code:
                    yield FlowParagraph(spans, heading, quote, code, item, indent)
                    item = item and item._replace(label="")
        yield from opened.boxes

    def _heading(self, properties: Element | None, style_id: str) -> int:
        outline = whole_number(value_of(properties, "outlineLvl"))
        if outline is not None:
            return outline_heading(outline)
        return self._story.styles.heading(style_id)

    def _list_item(self, properties: Element | None, style_id: str) -> tuple[ListItem | None, int]:
        """Return the list item of a paragraph, and its indent in twips; empty paragraphs count, too, as in Word."""
        styles, numbering = self._story.styles, self._story.numbering
        direct = child(properties, "numPr")
        by_style = styles.numbered(style_id)
        num_id = value_of(direct, "numId") or (by_style.num_id if by_style else None)
        own_indent, style_indent = indent_of(properties), styles.indent(style_id)
        if num_id is None or num_id == "0":
            return None, _first(own_indent, style_indent, 0)
        depth = min(max(self._depth(direct, by_style, num_id), 0), MAX_LEVEL)
        level = numbering.level(num_id, depth)
        level_indent = level.indent if level is not None else None
        if value_of(direct, "numId"):
            indent = _first(own_indent, level_indent, style_indent, _LEVEL_STEP * (depth + 1))
        else:
            indent = _first(own_indent, style_indent, level_indent, _LEVEL_STEP * (depth + 1))
        label = numbering.label(num_id, depth)
        return ListItem(num_id, depth, label), indent

    def _depth(self, direct: Element | None, by_style: StyleNumbering | None, num_id: str) -> int:
        depth = whole_number(value_of(direct, "ilvl"))
        if depth is None and by_style is not None and by_style.num_id == num_id:
            depth = by_style.level
            linked = self._story.numbering.depth_of_style(num_id, by_style.style_id)
            if linked is not None:
                depth = linked
        return depth or 0

    # --------------------------------------------------------------------------------------------- tables

    def _table(self, element: Element) -> list[Flow]:
        outer = self._setting
        if value_of(child(element, "tblPr"), "tblStyle") in self._story.styles.shaded:
            self._setting = outer._replace(painted=True)
        rows = [self._row(row) for row in _flattened(element, "tr") if not self._is_hidden_row(row)]
        self._setting = outer
        return paragraphs.table(rows)

    def _row(self, row: Element) -> TableRow:
        properties = child(row, "trPr")
        skipped = whole_number(value_of(properties, "gridBefore"), 0) or 0
        cells = [TableCell((), columns=skipped)] if 0 < skipped <= paragraphs.MAX_COLUMNS else []
        cells += (self._cell(cell) for cell in _flattened(row, "tc") if not self._is_deleted_cell(cell))
        return TableRow(cells, header=is_on(child(properties, "tblHeader")))

    def _cell(self, cell: Element) -> TableCell:
        properties = child(cell, "tcPr")
        outer = self._setting
        if _is_shaded(properties):
            self._setting = outer._replace(painted=True)
        flow = self.flow(cell)
        self._setting = outer
        covered = any(
            merge is not None and attribute(merge, "val") != "restart"
            for merge in (child(properties, "vMerge"), child(properties, "hMerge"))
        )
        columns = whole_number(value_of(properties, "gridSpan"), 1) or 1
        return TableCell(flow, max(columns, 1), covered and not flow)

    def _is_hidden_row(self, row: Element) -> bool:
        properties = child(row, "trPr")
        reason = ""
        if child(properties, "del") is not None:
            reason = HiddenReason.DELETED
        elif is_on(child(properties, "hidden")):
            reason = HiddenReason.HIDDEN_ROW
        return self._hide(row, reason)

    def _is_deleted_cell(self, cell: Element) -> bool:
        reason = ""
        if child(child(cell, "tcPr"), "cellDel") is not None:
            reason = HiddenReason.DELETED
        return self._hide(cell, reason)

    def _hide(self, element: Element, reason: str) -> bool:
        """Count hidden content under its reason, if it has text."""
        if not reason:
            return False
        if any((part.text or "").strip() for part in element.iter() if part.tag in _TEXT):
            self._counts.hidden[reason] += 1
        return True

    # --------------------------------------------------------------------------------------- within paragraphs

    def _children(self, element: Element, href: str | None) -> None:
        for part in element:
            name = part.tag
            if not name.endswith("Pr"):
                self._inline.get(name, self._unknown)(part, href)

    def _unknown(self, element: Element, href: str | None) -> None:
        name = element.tag
        if name in self._in_run:
            self._in_run[name](element, href, 0)
        else:
            self._children(element, href)

    def _skip(self, element: Element, href: str | None) -> None:
        """Leave an element out that is not text, and count it."""

    def _deleted(self, element: Element, _: str | None) -> None:
        self._hide(element, HiddenReason.DELETED)

    def _hyperlink(self, element: Element, href: str | None) -> None:
        target = self._part.related.get(_relation(element))
        self._children(element, self._resolved(target) or href)

    def _resolved(self, target: str | None) -> str | None:
        if not target:
            return None
        return self._story.links.resolve(target) or self._story.links.mail(target)

    def _simple_field(self, element: Element, href: str | None) -> None:
        instruction = attribute(element, "instr")[:MAX_CODE_CHARS]
        before = len(self._open.spans)
        self._children(element, self._resolved(link_of(instruction)) or href)
        opened = Field(code=[instruction], has_result=len(self._open.spans) > before)
        opened.form = next((part for part in element.iter() if part.tag == "ffData"), None)
        self._show_field(opened, href)

    def _control(self, element: Element, href: str | None) -> None:
        content = _content(element)
        self._children(content, href)

    def _alternate(self, element: Element, href: str | None) -> None:
        self._children(_choice(element), href)

    def _formula(self, element: Element, href: str | None) -> None:
        if self._is_text():
            tex = self._formulas.tex(element)
            if tex:
                self._put(Span(tex, _MATH, href))

    def _display(self, element: Element, href: str | None) -> None:
        """Read formulas on lines of their own."""
        opened = self._open
        for formula in element:
            if formula.tag == "oMath":
                before = len(opened.spans)
                self._formula(formula, href)
                new_spans = opened.spans[before:]
                opened.pieces += [opened.spans[:before], new_spans]
                opened.spans = []

    def _ruby(self, element: Element, href: str | None) -> None:
        """Read base text and its reading, which is added in parentheses as on web pages."""
        opened = self._open
        parts = {part.tag: part for part in element}
        self._children(parts.get("rubyBase", element.makeelement("x", {})), href)
        before = len(opened.spans)
        self._children(parts.get("rt", element.makeelement("x", {})), href)
        reading = paragraphs.text_of(opened.spans[before:]).strip()
        del opened.spans[before:]
        if reading:
            self._put(Span(f"({reading})", 0, href))

    # ------------------------------------------------------------------------------------------------- runs

    def _run(self, run: Element, href: str | None) -> None:
        visible = not self._hide(run, self._reason(run))
        properties = child(run, "rPr")
        style, font = 0, ""
        if properties is not None and len(properties):
            style = self._style(properties)
            fonts = child(properties, "rFonts")
            font = attribute(fonts, "ascii") or attribute(fonts, "hAnsi")
        for part in run:
            name = part.tag
            if name == "fldChar":
                self._field_mark(part, href, visible=visible)
            elif name == "instrText":
                self._field_code(part)
            elif not visible or name.endswith("Pr"):
                continue
            elif name == "t":
                self._text(part, href, style, font)
            elif name in self._in_run:
                self._in_run[name](part, href, style)
            else:
                self._inline.get(name, self._unknown)(part, href)

    def _style(self, properties: Element) -> int:
        styles = self._story.styles
        style_id = value_of(properties, "rStyle")
        style = 0
        for name, flag, by_style in (("b", _STRONG, styles.is_bold), ("i", _EM, styles.is_italic)):
            is_toggled_on = toggle(properties, name)
            if is_toggled_on or (is_toggled_on is None and style_id and by_style(style_id)):
                style |= flag
        if is_on(child(properties, "strike")) or is_on(child(properties, "dstrike")):
            style |= _STRIKE
        style |= {"superscript": _SUP, "subscript": _SUB}.get(value_of(properties, "vertAlign"), 0)
        if style_id and styles.is_code_run(style_id):
            style |= _CODE
        return style

    def _reason(self, run: Element) -> str:
        """Return the reason that hides a run; empty for a visible one."""
        properties = child(run, "rPr")
        if (properties is None or not len(properties)) and not any(self._setting.reasons.values()):
            return ""
        run_look = RunProperties(properties)
        by_style = self._story.styles.reasons(value_of(properties, "rStyle"))
        painted = self._setting.painted or run_look.painted
        for reason, holds in (dict(self._setting.reasons) | by_style | run_look.reasons).items():
            if holds and not (reason == HiddenReason.WHITE_TEXT and painted):
                return reason
        return ""

    def _is_unseen(self, run: Element) -> bool:
        """Tell whether a run of a formula is hidden, and count it."""
        for part in run:
            if part.tag == "rPr" and any(inner.tag in {"vanish", "color", "sz"} for inner in part):
                holder = run.makeelement("r", {})
                holder.append(part)
                return self._hide(run, self._reason(holder))
        return self._hide(run, self._reason(run.makeelement("r", {})))

    def _is_text(self) -> bool:
        """Tell whether the reader is in text, and not in the code of a field."""
        return not any(opened.in_code for opened in self._fields)

    def _put(self, span: Span) -> None:
        for opened in self._fields:
            opened.has_result = opened.has_result or bool(span.text.strip())
        self._open.spans.append(span)

    def _text(self, element: Element, href: str | None, style: int, font: str = "") -> None:
        text = element.text or ""
        if not text:
            return
        if not self._is_text():
            if self._fields[-1].in_code and text.strip():
                self._counts.hidden[HiddenReason.FIELD_CODE] += 1
            return
        self._put(Span(without_private_codes(text, font), style, self._link(href)))

    def _link(self, href: str | None) -> str | None:
        return next((opened.href for opened in reversed(self._fields) if opened.href), href)

    def _tab(self, _: Element, href: str | None, style: int) -> None:
        if self._is_text():
            self._open.spans.append(Span("\t", style, self._link(href)))

    def _break(self, _: Element, href: str | None, style: int) -> None:
        if self._is_text():
            self._open.spans.append(Span("\n", style, self._link(href)))

    def _hyphen(self, _: Element, href: str | None, style: int) -> None:
        if self._is_text():
            self._put(Span("\u2011", style, self._link(href)))

    def _symbol(self, element: Element, href: str | None, style: int) -> None:
        code = attribute(element, "char")
        font = attribute(element, "font")
        character = UNKNOWN
        if 0 < len(code) <= 6 and all(digit in "0123456789abcdefABCDEF" for digit in code):
            number = int(code, 16)
            character = symbol(font, number)
            if character == UNKNOWN and not is_symbol_font(font) and 0x20 <= number < 0xD800:
                character = chr(number)
        if character == UNKNOWN:
            self._counts.objects["sign of an unknown font"] += 1
        elif self._is_text():
            self._put(Span(character, style, self._link(href)))

    def _note(self, element: Element, _href: str | None, _style: int) -> None:
        key = (element.tag.removesuffix("Reference"), attribute(element, "id"))
        if self._is_text() and key in self._story.notes:
            labels = self._story.labels
            if key not in labels:
                self._story.referred.append(key)
                labels[key] = str(len(self._story.referred))
            self._put(Span(labels[key], _NOTE))

    def _comment(self, element: Element, _href: str | None, _style: int) -> None:
        self._comments.append(attribute(element, "id"))

    # ------------------------------------------------------------------------------------------------ fields

    def _field_code(self, element: Element) -> None:
        if self._fields and self._fields[-1].in_code and len(self._fields[-1].code) < MAX_CODE_CHARS:
            self._fields[-1].code.append((element.text or "")[:MAX_CODE_CHARS])

    def _field_mark(self, element: Element, href: str | None, *, visible: bool) -> None:
        kind = attribute(element, "fldCharType")
        if kind == "begin":
            if id(element) not in self._unmatched:
                self._fields.append(Field(is_hidden=not visible, form=child(element, "ffData")))
        elif self._fields and kind == "separate":
            opened = self._fields[-1]
            opened.in_code = False
            opened.href = self._resolved(link_of(opened.instruction()))
        elif self._fields and kind == "end":
            opened = self._fields.pop()
            if not opened.is_hidden:
                self._show_field(opened, href)

    def _show_field(self, opened: Field, href: str | None) -> None:
        """Add the text of a field without a result."""
        if not self._is_text():
            return
        result = fields.shown(opened)
        if result.is_lost:
            self._counts.objects["field without a result"] += 1
        if result.tex:
            self._put(Span(result.tex, _MATH, href))
        elif result.reading:
            self._put(Span(f"{result.text}({result.reading})", 0, href))
        elif result.text:
            self._put(Span(result.text, 0, href))

    # -------------------------------------------------------------------------------------- boxes and objects

    def _graphic(self, element: Element, href: str | None) -> None:
        """Read the text of a drawing once, and count its other content."""
        if not self._is_text():
            return
        outer = self._setting
        for part, painted in _graphic_parts(element):
            name = part.tag
            self._setting = outer._replace(painted=outer.painted or painted)
            if name == "txbxContent":
                self._open.boxes += self._box(part)
            elif name == "txBody":
                self._open.boxes += self._drawing_text(part)
            elif name == "textpath":
                self._box_line(attribute(part, "string"))
            elif name == "hidden":
                self._hide(part, "hidden shape")
            elif name == "control":
                self._active_control(part, href)
            elif name == "relIds":
                self._diagram(part)
            elif name in _OBJECTS:
                self._counts.objects[_OBJECTS[name]] += 1
            else:
                self._counts.pictures += 1
        self._setting = outer

    def _box(self, content: Element) -> list[Flow]:
        """Read a text box, which has fields of its own."""
        outer_fields, self._fields = self._fields, []
        outer_carried, self._carried = self._carried, []
        flow = self.flow(content)
        self._fields, self._carried = outer_fields, outer_carried
        return flow

    def _drawing_text(self, body: Element) -> list[Flow]:
        """Read text of DrawingML: paragraphs of runs, without styles of Word (20.1.2.2)."""
        flow: list[Flow] = []
        for element in body.iter():
            if element.tag == "p":
                line = "".join(part.text or "" for part in element.iter() if part.tag == "t")
                spans, count = joined_spans([Span(line)])
                self._counts.characters += count
                if spans:
                    flow.append(FlowParagraph(spans))
        return flow

    def _box_line(self, text: str) -> None:
        spans, count = joined_spans([Span(text)])
        self._counts.characters += count
        if spans:
            self._open.boxes.append(FlowParagraph(spans))

    def _diagram(self, element: Element) -> None:
        """Read the words of a SmartArt diagram from its data (21.4)."""
        root = self._story.parts.get(self._part.related.get(attribute(element, "dm"), ""))
        flow: list[Flow] = []
        for point in root.iter() if root is not None else ():
            if point.tag == "pt":
                flow += self._drawing_text(point)
        if flow:
            self._open.boxes += flow
        else:
            self._counts.objects["diagram"] += 1

    def _active_control(self, element: Element, href: str | None) -> None:
        """Read an ActiveX control whose state is in XML properties; binary state is not read."""
        root = self._story.parts.get(self._part.related.get(_relation(element), ""))
        state: dict[str, str] = {}
        for part in root if root is not None else ():
            state[attribute(part, "name")] = attribute(part, "value")
        text = " ".join(state.get("Caption", "").split())
        value = state.get("Value")
        if value is None and not text:
            self._counts.objects["form control"] += 1
            return
        if attribute(root, "classid").strip("{}").lower() in {_CHECK_BOX_CLASS, _OPTION_BUTTON_CLASS}:
            text = f"{check_mark(value not in {None, '', '0', 'False'})} {text}"
        elif value:
            text = f"{text} {value}"
        self._put(Span(text.strip(), 0, href))


_OBJECTS: Final = {
    "OLEObject": "embedded object",
    "chart": "chart",
    "contentPart": "ink drawing",
    "subDoc": "linked document",
    "movie": "film",
}
_GRAPHIC_PARTS: Final = frozenset(
    {"txbxContent", "txBody", "textpath", "control", "relIds", "blip", "imagedata", *_OBJECTS}
)


def _graphic_parts(element: Element) -> Iterator[tuple[Element, bool]]:
    """Yield the content of a drawing in order, with whether its shape is painted; text bodies are not entered again.

    The picture of an embedded object or a control is a view of it, and is not counted by itself.
    """
    stack: list[tuple[Element, bool]] = [(element, False)]
    is_object = element.tag == "object"
    while stack:
        part, painted = stack.pop()
        name = part.tag
        if name in _GRAPHIC_PARTS:
            if not (is_object and name == "imagedata"):
                yield part, painted
            continue
        if _is_hidden_shape(part):
            hidden = part.makeelement("hidden", {})
            hidden.extend(part)
            yield hidden, painted
            continue
        inner: Iterable[Element] = part
        if name == "AlternateContent":
            inner = (_choice(part),)
        painted = painted or _is_filled(part)
        stack += ((below, painted) for below in reversed(list(inner)))


def _is_hidden_shape(element: Element) -> bool:
    if element.tag in {"inline", "anchor"}:
        return attribute(child(element, "docPr"), "hidden") in {"1", "true"}
    return "visibility:hidden" in element.get("style", "").replace(" ", "").lower()


def _is_filled(element: Element) -> bool:
    """Tell whether a shape has a colour on which white text is visible: in VML, or in DrawingML."""
    colour = element.get("fillcolor", "").lower()
    if colour and colour.split()[0] not in {"white", "#fff", "#ffffff", "window", "window [65]"}:
        return True
    name = element.tag
    if name != "wsp":
        return False
    fill = child(child(element, "spPr"), "solidFill")
    if fill is not None:
        return not any(is_white_code(attribute(part, "val")) for part in fill)
    properties = child(element, "spPr")
    if any(child(properties, kind) is not None for kind in ("gradFill", "pattFill", "blipFill")):
        return True
    if child(properties, "noFill") is not None:
        return False
    return attribute(child(child(element, "style"), "fillRef"), "idx") not in {"", "0"}


def _content(control: Element) -> Element:
    """Return the content of a content control; that of a check box is its mark."""
    content = child(control, "sdtContent")
    if content is None:
        return control.makeelement("sdtContent", {})
    box = child(child(control, "sdtPr"), "checkbox")
    if box is not None:
        mark = check_mark(is_on(child(box, "checked")))
        for part in content.iter():
            if part.tag in {"t", "sym"}:
                part.tag, part.text = "t", mark
                mark = ""
    return content


def _choice(element: Element) -> Element:
    """Return the first choice of an `AlternateContent`; the fallback where no choice has readable content."""
    fallback = element
    for part in element:
        name = part.tag
        if name == "Choice" and any(inner.tag in _READABLE for inner in part.iter()):
            return part
        if name == "Fallback":
            fallback = part
    return fallback


_READABLE: Final = frozenset({"t", "sym", "tab", "br", *_GRAPHIC_PARTS})


def _flattened(element: Element, name: str) -> Iterator[Element]:
    """Yield the rows of a table or the cells of a row, also those in wrappers."""
    stack = list(reversed(element))
    while stack:
        part = stack.pop()
        tag = part.tag
        if tag == name:
            yield part
        elif tag == "sdt":
            stack += reversed(_content(part))
        elif tag not in _DELETED and not tag.endswith("Pr") and tag != "tblGrid":
            stack += reversed(part)


def _relation(element: Element) -> str:
    """Return the id of a relationship."""
    return attribute(element, "rel")


def _is_shaded(properties: Element | None) -> bool:
    shading = child(properties, "shd")
    return shading is not None and has_background_colour(shading)


def _continues_in_next(properties: Element | None) -> bool:
    """Tell whether a paragraph continues in the next: its end is deleted, or it is an initial letter set apart."""
    mark = child(properties, "rPr")
    if any(child(mark, name) is not None for name in _DELETED):
        return True
    return attribute(child(properties, "framePr"), "dropCap") in _DROP_CAPS


def _first(*values: int | None) -> int:
    """Return the first value that is not None."""
    return next((value for value in values if value is not None), 0)


def note_blocks(story: DocumentContext, parts: Mapping[str, PackagePart]) -> list[Block]:
    """Return the notes in the order of their references, each read in its own part; notes of notes follow."""
    blocks: list[Block] = []
    readers = {name: PartReader(story, part) for name, part in parts.items()}
    for key in story.referred:  # grows while notes are read that refer to others
        children = readers[key[0]].document(story.notes[key])
        if children:
            blocks.append(Block(Kind.FOOTNOTE, children=children, label=story.labels[key]))
    return blocks


def line_of(blocks: Sequence[Block]) -> str:
    """Return the words of blocks in one line."""
    words: list[str] = []
    stack = list(reversed(blocks))
    while stack:
        block = stack.pop()
        words.append(paragraphs.text_of(block.spans))
        stack += reversed(block.children)
    return " ".join(" ".join(words).split())
