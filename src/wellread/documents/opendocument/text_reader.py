"""Read the text of an OpenDocument file (ODF 1.3 part 3): paragraphs, lists, tables, notes, shapes.

The blocks are built from the XML itself. Content that an office program would not show is left out and counted:
hidden text and sections, white and tiny text, tracked deletions.
"""

from __future__ import annotations

import collections
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ada_url import URL

from wellread.documents.ooxml import local_name
from wellread.documents.opendocument.lists import BULLET, UNLABELLED, Label, ListCounter
from wellread.documents.opendocument.span_collector import SpanCollector
from wellread.documents.opendocument.styles import Attributes, TextProperties, TextState
from wellread.documents.opendocument.table_reader import TableReader
from wellread.extraction import unread_parts
from wellread.hidden_text import HiddenReason
from wellread.text.characters import without_invisible
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from xml.etree.ElementTree import Element

    from wellread.documents.opendocument.styles import OdfStyles

MAX_PIECES: Final = 250_000
"""Blocks and spans."""
MAX_FORMULAS: Final = 2_000
MAX_URL_CHARS: Final = 2_048
MAX_ALT_CHARS: Final = 1_000

_SILENT: Final = frozenset(
    """
    annotation-end bookmark bookmark-start bookmark-end reference-mark reference-mark-start reference-mark-end
    change change-start change-end soft-page-break toc-mark toc-mark-start toc-mark-end alphabetical-index-mark
    alphabetical-index-mark-start alphabetical-index-mark-end user-index-mark user-index-mark-start user-index-mark-end
    forms sequence-decls variable-decls user-field-decls dde-connection-decls binary-data event-listeners glue-point
    image-map enhanced-geometry contour-polygon contour-path table-of-content-source title desc settings script
    alphabetical-index-source bibliography-source illustration-index-source table-index-source user-index-source
    object-index-source index-source-styles calculation-settings named-expressions database-ranges shapes
    """.split()  # noqa: SIM905 - fifty names in a list take fifty lines
)
"""Elements without text that the file shows."""
_SHAPES: Final = frozenset(
    """
    frame rect custom-shape ellipse circle line connector polygon polyline path regular-polygon caption measure g a
    control text-box page-thumbnail scene
    """.split()  # noqa: SIM905 - as above
)
_WHITE_SPACE: Final = frozenset({"s", "tab", "line-break"})
_PICTURES: Final = frozenset({"image", "object-ole", "plugin", "applet", "floating-frame"})
_INDEX: Final = "table-of-content"
_PLAIN: Final = int(Style.STRONG | Style.EM)
"""Flags that headings and code do not need."""


class _OdfListItem(NamedTuple):
    label: Label
    blocks: list[Block]


class _BlockCollector:
    """Joins neighbouring blocks that belong together."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._code: list[str] = []
        self._quote: list[Block] = []

    def add_code_line(self, text: str) -> None:
        """Add a line of code."""
        self._close_quote()
        self._code.append(text)

    def add(self, blocks: Sequence[Block], *, is_quote: bool = False, is_inner_list: bool = False) -> None:
        """Add blocks; an inner list goes into the last item of the list before it."""
        if not blocks:
            return
        self._close_code()
        if is_quote:
            self._quote.extend(blocks)
            return
        self._close_quote()
        if not (is_inner_list and _attached(self._blocks, blocks)):
            self._blocks.extend(blocks)

    def finish(self) -> list[Block]:
        """Return all blocks."""
        self._close_code()
        self._close_quote()
        return self._blocks

    def _close_code(self) -> None:
        if any(text.strip() for text in self._code):
            self._blocks.append(Block(Kind.CODE, (Span("\n".join(self._code).strip("\n")),)))
        self._code = []

    def _close_quote(self) -> None:
        if self._quote:
            self._blocks.append(Block(Kind.QUOTE, children=tuple(self._quote)))
        self._quote = []


class BodyReader:
    """The text of a file while it is read, and counts of omitted content."""

    def __init__(
        self,
        styles: OdfStyles,
        *,
        formula: Callable[[Element], Span | None],
        controls: Mapping[str, str],
        keeps_all: bool,
        max_rows: int,
    ) -> None:
        """Set the styles and the content outside of the text.

        `formula` returns the formula of a `draw:object`, `controls` are the texts of form controls by their ids,
        `keeps_all` also reads comments and tables of contents, and `max_rows` bounds one table.
        """
        self.styles = styles
        self.hidden: collections.Counter[str] = collections.Counter()
        self.notes: list[Block] = []
        self.links: list[str] = []
        self.unread: collections.Counter[str] = collections.Counter()
        self.comment_count = self.contents_count = self.invisible_count = 0
        self.pieces_left = MAX_PIECES
        self.is_cut = False
        self.keeps_all = keeps_all
        self.tables = TableReader(self, max_rows)
        self._formula = formula
        self._controls = controls
        self._formulas_left = MAX_FORMULAS
        self._outline = ListCounter()
        self._counters: dict[str, ListCounter] = {}
        """By list style, the counter of its last list; by `#` and its id, that of a list."""
        self._labels: dict[str, int] = {}

    # -------------------------------------------------------------------------------------------- blocks

    def blocks(self, elements: Iterable[Element], state: TextState) -> list[Block]:
        """Return the blocks of elements; neighbouring lines of code and quotations are one block."""
        collector = _BlockCollector()
        for element in elements:
            if self.pieces_left <= 0:
                self.is_cut = True
                break
            role = self._role(element)
            if role == "code":
                text, floating = self._code_line(element, state)
                collector.add_code_line(text)
                collector.add(floating)
            else:
                blocks = self._block(element, state, role)
                is_inner_list = local_name(element.tag) == "list" and _is_wrapper(element)
                collector.add(blocks, is_quote=role == "quote", is_inner_list=is_inner_list)
        return collector.finish()

    def _role(self, element: Element) -> str:
        if local_name(element.tag) != "p":
            return ""
        return self.styles.role(Attributes(element).get("style-name"))

    def _block(self, element: Element, state: TextState, role: str) -> list[Block]:
        name = local_name(element.tag)
        if name in {"p", "h"}:
            return self._paragraph(element, state, role)
        if name == "list":
            return self._list(element, state)
        if name in _SHAPES:
            return self.shape(element, state, None)
        return self._other_block(element, name, state)

    def _other_block(self, element: Element, name: str, state: TextState) -> list[Block]:
        if name in _SILENT:
            return []
        if name == "numbered-paragraph":
            return self._numbered_paragraph(element, state)
        if name == "table":
            return self.tables.blocks(element, state)
        if name == "annotation":
            return self._comment(element)
        if name == "tracked-changes":
            self._count_deletions(element)
            return []
        return self._container(element, name, state)

    def _container(self, element: Element, name: str, state: TextState) -> list[Block]:
        attributes = Attributes(element)
        if name == "section":
            display = attributes.get("display")
            if display == "none" or (display == "condition" and attributes.get("is-hidden") == "true"):
                self.count_hidden("hidden section", element)
                return []
            look = self.styles.look("section", attributes.get("style-name"))
            state = state._replace(look=look.over(state.look))
        if name == _INDEX and not self.keeps_all:
            self.contents_count += bool("".join(element.itertext()).strip())
            return []
        return self.blocks(element, state)

    def count_hidden(self, reason: str, element: Element) -> None:
        """Count an element that is left out, if it has text."""
        if any(text.strip() for text in element.itertext()):
            self.hidden[reason] += 1

    def _count_deletions(self, element: Element) -> None:
        for deletion in (part for part in element.iter() if local_name(part.tag) == "deletion"):
            paragraphs = [part for part in deletion.iter() if local_name(part.tag) in {"p", "h"}]
            self.hidden[HiddenReason.DELETED] += any("".join(part.itertext()).strip() for part in paragraphs)

    def spend(self, block: Block) -> Block:
        """Count a leaf against the limit on pieces."""
        self.pieces_left -= 1 + len(block.spans)
        return block

    # ---------------------------------------------------------------------------------------- paragraphs

    def _paragraph(self, element: Element, state: TextState, role: str) -> list[Block]:
        heading = self._heading_level(element, role)
        spans, floating = self._content(element, state)
        blocks: list[Block] = []
        if spans and heading:
            label = self._outline_label(element)
            spans = tuple(
                span._replace(style=span.style & ~_PLAIN, text=" " if span.text == "\n" else span.text)
                for span in spans
            )
            if label:
                spans = (Span(f"{label} "), *spans)
            blocks.append(self.spend(Block(Kind.HEADING, spans, level=heading)))
        elif spans:
            blocks.append(self.spend(Block(Kind.PARAGRAPH, spans)))
        return [*blocks, *floating]

    def _heading_level(self, element: Element, role: str) -> int:
        if local_name(element.tag) == "h":
            return min(max(Attributes(element).whole("outline-level", 1), 1), 6)
        if role == "title":
            return 1
        if role.startswith("heading "):
            return min(max(int(role[8:10]), 1), 6)
        return 0

    def _outline_label(self, element: Element) -> str:
        """Return the number of a heading by the outline style; a heading in a list is numbered by the list."""
        attributes = Attributes(element)
        level = self._heading_level(element, "")
        if local_name(element.tag) != "h" or not self.styles.has_list_style(""):
            return ""
        if attributes.get("is-list-header") == "true":
            return ""
        if self.styles.list_style_of(attributes.get("style-name")) == "":
            return ""
        label = self._outline.next(self.styles, "", level, attributes.whole("start-value", -1))
        return label.shown(self.styles.list_level("", level).suffix)

    def _code_line(self, element: Element, state: TextState) -> tuple[str, list[Block]]:
        collector = SpanCollector(keeps_spaces=True)
        floating: list[Block] = []
        self._inline(element, self._paragraph_state(element, state), collector, floating)
        self.invisible_count += collector.invisible_count
        self.pieces_left -= 1
        return collector.text(), floating

    def _paragraph_state(self, element: Element, state: TextState) -> TextState:
        look = self.styles.look("paragraph", Attributes(element).get("style-name"))
        return state._replace(look=look.over(state.look))

    def _content(self, element: Element, state: TextState) -> tuple[tuple[Span, ...], list[Block]]:
        """Return the spans of a paragraph, and the blocks of anchored content."""
        collector = SpanCollector()
        floating: list[Block] = []
        hides = (part for part in element.iter() if local_name(part.tag) == "hidden-paragraph")
        if any(Attributes(part).get("is-hidden") == "true" for part in hides):
            self.count_hidden("hidden paragraph", element)
            return (), []
        self._inline(element, self._paragraph_state(element, state), collector, floating)
        self.invisible_count += collector.invisible_count
        return collector.spans(), floating

    def plain_spans(self, element: Element, state: TextState) -> tuple[Span, ...]:
        """Return the spans of a paragraph alone."""
        return self._content(element, state)[0]

    def _inline(self, element: Element, state: TextState, collector: SpanCollector, floating: list[Block]) -> None:
        self._add_text(element.text, state, collector)
        for child in element:
            self._inline_element(child, local_name(child.tag), state, collector, floating)
            self._add_text(child.tail, state, collector)

    def _add_text(self, text: str | None, state: TextState, collector: SpanCollector) -> None:
        if not text:
            return
        reason = state.look.hidden_reason
        if not reason:
            collector.add_text(text, state.look.flags, state.href)
        elif text.strip():
            self.hidden[reason] += 1

    def _inline_element(
        self, element: Element, name: str, state: TextState, collector: SpanCollector, floating: list[Block]
    ) -> None:
        attributes = Attributes(element)
        if name == "span":
            look = self.styles.look("text", attributes.get("style-name"))
            self._inline(element, state._replace(look=look.over(state.look)), collector, floating)
        elif name in _WHITE_SPACE:
            _add_white_space(name, attributes, state, collector)
        elif name == "a" and "text:" in element.tag:
            self._inline(element, state._replace(href=self._href(attributes.get("href"))), collector, floating)
        elif name == "note":
            self._note(element, state, collector)
        elif name == "annotation":
            floating.extend(self._comment(element))
        elif name in _SHAPES:
            floating.extend(self.shape(element, state, collector))
        elif name not in _SILENT:
            self._field(element, name, state, collector, floating)

    def _field(
        self, element: Element, name: str, state: TextState, collector: SpanCollector, floating: list[Block]
    ) -> None:
        """Add the text of a field, and of any other element with text."""
        if name in {"hidden-text", "conditional-text"} and Attributes(element).get("is-hidden") == "true":
            self.count_hidden("hidden text", element)
        elif name == "ruby":
            self._ruby(element, state, collector, floating)
        else:
            self._inline(element, state, collector, floating)

    def _ruby(self, element: Element, state: TextState, collector: SpanCollector, floating: list[Block]) -> None:
        """Add annotated text, and its annotation in brackets."""
        for child in element:
            is_annotation = local_name(child.tag) == "ruby-text" and any(text.strip() for text in child.itertext())
            if is_annotation:
                self._add_text("(", state, collector)
            self._inline(child, state, collector, floating)
            if is_annotation:
                self._add_text(")", state, collector)

    def _href(self, href: str) -> str | None:
        """Return a link to the web or to a mailbox; None for places in the document and for files beside it."""
        if len(href) > MAX_URL_CHARS or not href.lower().startswith(("http:", "https:", "mailto:")):
            return None
        try:
            url = URL(href).href
        except ValueError:
            return None
        if len(url) > MAX_URL_CHARS:
            return None
        if url.startswith("http"):
            self.links.append(url)
            return url
        return url.partition("?")[0]

    # --------------------------------------------------------------------------------- notes and comments

    def _note(self, element: Element, state: TextState, collector: SpanCollector) -> None:
        parts = {local_name(part.tag): part for part in element}
        if state.look.hidden_reason:
            self.count_hidden(state.look.hidden_reason, element)
            return
        citation, body = parts.get("note-citation"), parts.get("note-body")
        state = TextState(look=TextProperties(is_painted=self.styles.is_page_painted or None))
        blocks = self.blocks(_children(body), state)
        if not blocks:
            return
        citation_text = _text_of(citation)[:20]
        label = self._unique_label(citation_text or str(len(self.notes) + 1))
        self.notes.append(Block(Kind.FOOTNOTE, children=tuple(blocks), label=label))
        collector.add_object(Span(label, int(Style.NOTE)))

    def _unique_label(self, label: str) -> str:
        label = "".join(character for character in label if character.isalnum() or character in "*-") or "note"
        count = self._labels.get(label, 0) + 1
        self._labels[label] = count
        if count == 1:
            return label
        return self._unique_label(f"{label}-{count}")

    def _comment(self, element: Element) -> list[Block]:
        """Count a comment; return it in mode `recall`."""
        paragraphs = [part for part in element if local_name(part.tag) in {"p", "list", "h"}]
        if not any("".join(part.itertext()).strip() for part in paragraphs):
            return []
        self.comment_count += 1
        if not self.keeps_all:
            return []
        creator = next(("".join(part.itertext()).strip() for part in element if local_name(part.tag) == "creator"), "")
        name, count = without_invisible(f"Note ({' '.join(creator.split())[:100]}): ".replace(" (): ", ": "))
        self.invisible_count += count
        blocks = self.blocks(paragraphs, TextState())
        if blocks and blocks[0].kind is Kind.PARAGRAPH:
            blocks[0] = blocks[0]._replace(spans=(Span(name), *blocks[0].spans))
        return blocks

    # -------------------------------------------------------------------------------------------- shapes

    def shape(self, element: Element, state: TextState, collector: SpanCollector | None) -> list[Block]:
        """Return the blocks of a shape or frame; pictures and formulas go into the paragraph of `collector`."""
        name, attributes = local_name(element.tag), Attributes(element)
        if attributes.get("display") == "none" or attributes.get("visibility") == "hidden":
            self.count_hidden("hidden shape", element)
            return []
        if name == "control":
            return self._with_span(Span(self._controls.get(attributes.get("control"), "")), collector)
        look = self.styles.look("graphic", attributes.get("style-name"))
        text_look = self.styles.look("paragraph", attributes.get("text-style-name"))
        if look.is_painted or look.is_white is not None:
            state = state._replace(look=look.over(state.look))
        state = state._replace(look=text_look.over(state.look), href=None)
        if name == "frame":
            return self._frame(element, state, collector)
        return self.blocks(element, state)

    def _frame(self, element: Element, state: TextState, collector: SpanCollector | None) -> list[Block]:
        """Return the first readable content of a frame: the others are its replacements."""
        contents = [part for part in element if local_name(part.tag) in {"text-box", "object", "table", *_PICTURES}]
        for content in contents:
            name = local_name(content.tag)
            if name == "object":
                formula = self._formula_of(content)
                if formula is not None:
                    return self._with_span(formula, collector)
            elif name == "table":
                return self.tables.blocks(content, state)
            elif name == "text-box":
                return self.blocks(content, state)
        if not contents:
            return []
        self.unread[self._kind_of(contents)] += 1
        descriptions = ("".join(part.itertext()) for part in element if local_name(part.tag) in {"desc", "title"})
        alternatives = sorted((" ".join(text.split())[:MAX_ALT_CHARS] for text in descriptions), key=len)
        return self._with_span(Span("".join(alternatives[-1:]), int(Style.IMAGE)), collector)

    def _kind_of(self, contents: Sequence[Element]) -> str:
        """Return the kind of a frame without text: a film, a chart, another embedded object, else a picture."""
        names = {local_name(content.tag) for content in contents}
        if "plugin" in names:
            return unread_parts.MEDIA
        if not names & {"object", "object-ole"}:
            return unread_parts.PICTURE
        objects = [content for content in contents if local_name(content.tag) == "object"]
        return unread_parts.CHART if any(map(_is_chart, objects)) else "embedded object"

    def _formula_of(self, element: Element) -> Span | None:
        if self._formulas_left <= 0:
            return None
        self._formulas_left -= 1
        return self._formula(element)

    def _with_span(self, span: Span, collector: SpanCollector | None) -> list[Block]:
        if not span.text.strip():
            return []
        own_collector = collector or SpanCollector()
        own_collector.add_object(span)
        if collector is not None:
            return []
        self.invisible_count += own_collector.invisible_count
        return [self.spend(Block(Kind.PARAGRAPH, own_collector.spans()))]

    # --------------------------------------------------------------------------------------------- lists

    def _list(self, element: Element, state: TextState) -> list[Block]:
        """Return a list that is in no other."""
        attributes = Attributes(element)
        list_style = attributes.get("style-name") or self._style_of_first_paragraph(element)
        continued = attributes.get("continue-list")
        counter = self._counters.get(f"#{continued}")
        if counter is None and attributes.get("continue-numbering") == "true":
            counter = self._counters.get(list_style)
        counter = counter or ListCounter()
        self._counters[list_style] = counter
        if identifier := attributes.get("id"):
            self._counters[f"#{identifier}"] = counter
        return self._list_blocks(element, state, list_style, 1, counter)

    def _style_of_first_paragraph(self, element: Element) -> str:
        first = next((part for part in element.iter() if local_name(part.tag) in {"p", "h"}), None)
        if first is None:
            return "-"
        return self.styles.list_style_of(Attributes(first).get("style-name")) or "-"

    def _list_blocks(
        self, element: Element, state: TextState, list_style: str, level: int, counter: ListCounter
    ) -> list[Block]:
        items: list[_OdfListItem] = []
        for child in element:
            name = local_name(child.tag)
            if name in {"list-item", "list-header"}:
                item = self._item(child, state, list_style, level, counter)
                if item is not None:
                    items.append(item)
        return _listed(items)

    def _item(
        self, element: Element, state: TextState, list_style: str, level: int, counter: ListCounter
    ) -> _OdfListItem | None:
        attributes = Attributes(element)
        style_override = attributes.get("style-override")
        content = [part for part in element if local_name(part.tag) != "list"]
        label = BULLET
        if local_name(element.tag) == "list-item" and any(local_name(part.tag) in {"p", "h"} for part in content):
            restart = attributes.whole("start-value", -1)
            label = counter.next(self.styles, style_override or list_style, level, restart)
        blocks: list[Block] = []
        run: list[Element] = []
        for part in element:
            if local_name(part.tag) != "list":
                run.append(part)
                continue
            blocks.extend(self.blocks(run, state))
            run = []
            inner_style = Attributes(part).get("style-name")
            inner = counter
            if inner_style and inner_style != list_style:
                inner = self._counter_of(part, inner_style)
            blocks.extend(self._list_blocks(part, state, inner_style or list_style, level + 1, inner))
        blocks.extend(self.blocks(run, state))
        if not blocks:
            return None
        return _OdfListItem(label, blocks)

    def _counter_of(self, element: Element, list_style: str) -> ListCounter:
        if Attributes(element).get("continue-numbering") == "true" and list_style in self._counters:
            return self._counters[list_style]
        counter = self._counters[list_style] = ListCounter()
        return counter

    def _numbered_paragraph(self, element: Element, state: TextState) -> list[Block]:
        attributes = Attributes(element)
        list_style, level = attributes.get("style-name"), max(attributes.whole("level", 1), 1)
        counter = self._counters.setdefault(f"#{attributes.get('list-id')}", ListCounter())
        label = counter.next(self.styles, list_style, level)
        blocks = self.blocks(element, state)
        if not blocks:
            return []
        return _listed([_OdfListItem(label, blocks)])


def _add_white_space(name: str, attributes: Attributes, state: TextState, collector: SpanCollector) -> None:
    if name == "line-break":
        collector.add_line_break()
    elif name == "tab":
        collector.add_tab(state.look.flags, state.href)
    else:
        collector.add_spaces(attributes.whole("c", 1), state.look.flags, state.href)


def _children(element: Element | None) -> Iterable[Element]:
    return () if element is None else element


def _text_of(element: Element | None) -> str:
    if element is None:
        return ""
    return "".join(element.itertext()).strip()


def _is_wrapper(element: Element) -> bool:
    """Tell whether the first item of a list holds only a list: LibreOffice continues lists at a lower level so."""
    first = next(iter(element), None)
    return first is not None and len(first) > 0 and all(local_name(part.tag) == "list" for part in first)


def _attached(collected: list[Block], blocks: Sequence[Block]) -> bool:
    """Put lists into the last item of the list before them; tell whether there is one."""
    if not collected or any(block.kind is not Kind.LIST for block in (collected[-1], *blocks)):
        return False
    last = collected[-1]
    item = last.children[-1]
    grown_item = item._replace(children=(*item.children, *blocks))
    collected[-1] = last._replace(children=(*last.children[:-1], grown_item))
    return True


def _listed(items: Sequence[_OdfListItem]) -> list[Block]:
    """Return a list of items; headings in a list are headings, and a list in an item without text is that list."""
    if not items:
        return []
    has_heading = any(block.kind is Kind.HEADING for item in items for block in item.blocks)
    if has_heading or all(item.label is UNLABELLED for item in items):
        return [block for item in items for block in _labelled(item)]
    if len(items) == 1 and all(block.kind is Kind.LIST for block in items[0].blocks):
        return items[0].blocks
    first = items[0].label.number
    counts_up = first > 0 and all(item.label.number == first + offset for offset, item in enumerate(items))
    children: list[Block] = []
    for item in items:
        blocks = item.blocks
        if not counts_up:
            blocks = _labelled(item)
        if children and all(block.kind is Kind.LIST for block in blocks):
            last = children[-1]
            children[-1] = last._replace(children=(*last.children, *blocks))
        else:
            children.append(Block(Kind.ITEM, children=tuple(blocks)))
    return [Block(Kind.LIST, children=tuple(children), level=first * counts_up)]


def _labelled(item: _OdfListItem) -> list[Block]:
    """Return the blocks of an item with its label before the first one, where a list cannot show it."""
    label = item.label.shown(".")
    first, *others = item.blocks
    if not label or first.kind not in {Kind.PARAGRAPH, Kind.HEADING}:
        return item.blocks
    return [first._replace(spans=(Span(f"{label} "), *first.spans)), *others]


def _is_chart(element: Element) -> bool:
    """Tell whether an object is a chart: it names its cells, or is in a flat file itself."""
    is_drawn_from_cells = Attributes(element).get("notify-on-update-of-ranges") != ""
    return is_drawn_from_cells or any(local_name(part.tag) == "chart" for part in islice(element.iter(), 200))
