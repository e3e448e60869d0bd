r"""Rich Text Format (RTF 1.9.1, Microsoft 2008), as Word, WordPad, TextEdit, LibreOffice and pandoc write it.

One scan from the first byte to the last: control words change the state of their group, and text goes to the
destination of its group. Unknown destinations with an ignorable mark (`\*`) hold no text.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.words import word_set
from wellread.errors import Empty, TooLarge, Unsupported
from wellread.extraction import field_codes, paragraphs, unread_parts
from wellread.extraction.field_codes import MAX_CODE_CHARS, FieldText, check_mark, link_of
from wellread.extraction.links import Links
from wellread.extraction.paragraphs import FlowParagraph, ListItem, TableCell, TableRow, joined_spans, text_of
from wellread.extraction.symbol_fonts import UNKNOWN, is_symbol_font, symbol, without_private_codes
from wellread.extractor_types import MEDIA_TYPES
from wellread.hidden_text import HiddenReason, font_reason, hidden_notices, is_tiny, is_white
from wellread.metadata import office_properties
from wellread.types import Block, Extraction, Kind, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from wellread.extraction.paragraphs import Flow
    from wellread.types import Source

MAX_BYTES: Final = 60_000_000
MAX_TOKENS: Final = 1_000_000
"""Words and marks of a file, for which reading takes 3 to 6 s of CPU time; a page in Latin letters has some 300."""
MAX_GROUPS: Final = 2_000
"""Groups within groups; Word writes a dozen."""
MAX_TABLES: Final = 20
"""Tables within tables."""
_MAX_NAME_CHARS: Final = 200
_TOKEN: Final = re.compile(
    rb"\\([a-zA-Z]{1,40})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\", re.DOTALL
)
_STRONG, _EM, _STRIKE, _SUP, _SUB, _NOTE, _MATH = (
    int(style) for style in (Style.STRONG, Style.EM, Style.STRIKE, Style.SUP, Style.SUB, Style.NOTE, Style.MATH)
)
_HALF_POINTS: Final = 2
"""Units of sizes in a point."""
_HEADING: Final = re.compile(r"heading ([1-9])", re.IGNORECASE)
_QUOTES: Final = frozenset({"quote", "intense quote", "block text", "quotations"})
_CODE: Final = frozenset({"html preformatted", "preformatted text", "source code", "macro text"})
_CODE_STYLE: Final = int(Style.CODE)
_FIXED_FONT: Final = re.compile(
    r"courier|consol|menlo|fixedsys|typewriter|terminal|\bmono\b|mono\w{0,20}space|sans ?mono|code\b", re.IGNORECASE
)
_PANDOC_FONTS: Final = rb"{\fonttbl{\f0 \fswiss Helvetica;}{\f1 \fmodern Courier;}}"
"""The first bytes of documents by Pandoc, which writes no other mark."""
_QUOTE_INDENT: Final = 720
"""Twips by which Pandoc indents a quotation; it indents list items by 360."""
_BODY_LEVEL: Final = 9
_TYPED_LABEL: Final = re.compile(
    r"(\(?(?:\d{1,3}|[A-Za-z]|[ivxlIVXL]{1,6})[.)]|[\u2022\u2013\u25e6\u25aa\u00b7-])[ \t]*\t"
)
_UNTOUCHED: Final = 25
_SIGNS: Final = {
    "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c",
    "rdblquote": "\u201d", "bullet": "\u2022", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005",
    "zwj": "\u200d", "zwnj": "\u200c", "ltrmark": "", "rtlmark": "", "tab": "\t", "line": "\n", "lbr": "\n",
}  # fmt: skip
_SYMBOLS: Final = {"~": "\u00a0", "_": "\u2011", "-": "", "{": "{", "}": "}", "\\": "\\"}
_CHARSETS: Final = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    254: "cp437", 255: "cp850", 78: "shift_jis", 79: "mac_korean", 80: "gb2312", 81: "big5", 83: "mac_hebrew",
    84: "mac_arabic", 85: "mac_greek", 86: "mac_turkish", 88: "mac_latin2", 89: "mac_cyrillic",
}  # fmt: skip
_SYMBOL_CHARSET: Final = 2
_CHARACTER_SETS: Final = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}

# The destinations of the text of a group.
_TEXT, _SKIP, _FONTS, _COLOURS, _STYLES, _INFO, _CODE_OF_FIELD, _LABEL, _AUTHOR, _ENTRY, _PICTURE, _VALUE = (
    "text", "skip", "fonts", "colours", "styles", "info", "field code", "label", "author", "entry", "picture", "value",
)  # fmt: skip
_SKIPPED: Final = word_set(
    """
    filetbl listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles
    xmlnstbl nonshppict shprslt sn pn objdata objclass objname panose falt fname template passwordhash
    atnid atnref atrfstart atrfend atndate atntime atnparent atnicn bkmkstart bkmkend xe tc rxe txe ftnsep ftnsepc
    ftncn aftnsep aftnsepc aftncn nonesttables userprops docvar mmathPr wgrffmtfilter protusertbl fontemb fontfile
    keycode private comment operator company manager category keywords doccomm hlinkbase buptim printim datafield
    picprop blipuid blipuid mhtmltag htmltag mmathPict
    """
)
"""Destinations without text of the document."""
_ENTERED: Final = frozenset(
    {"shpinst", "shppict", "do", "nesttableprops", "moMath", "moMathPara", "oldcprops", "result"}
)
"""Destinations that have the ignorable mark and yet hold text, boxes, tables or pictures."""
_MARGINS: Final = frozenset({"header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"})
_BOXES: Final = frozenset({"shptxt", "dptxbxtext"})
_INFO_FIELDS: Final = {"title": "title", "subject": "subject", "author": "creator"}
_DATES: Final = {"creatim": "created", "revtim": "modified"}
_MOMENTS: Final = ("yr", "mo", "dy", "hr", "min")


class RtfExtractor:
    """Reads Rich Text Format."""

    name = "rtf"
    media_types = MEDIA_TYPES["rtf"]

    def extract(self, source: Source) -> Extraction:
        """Read a document into blocks: headings, lists, tables, links, notes.

        Mode `recall` keeps comments, and the text of headers and footers.

        Raises:
            Unsupported: it is no RTF.
            Empty: it has no text.
            TooLarge: it is longer than 60 MB, or its groups are nested too deep.
        """
        source_name = source.url or "the document"
        body = source.body.lstrip(b"\xef\xbb\xbf \t\r\n\x00")
        if not body.startswith(b"{\\rtf"):
            raise Unsupported.damaged(source_name, "RTF", "it does not begin with {\\rtf", url=source.url)
        if len(body) > MAX_BYTES:
            raise TooLarge(
                f"{source_name} is RTF of more than {MAX_BYTES:,} bytes", url=source.url, hint="save it as docx"
            )
        reader = _RtfReader(body, source_name)
        reader.read()
        blocks = reader.document(keep_all=source.mode == "recall")
        if not blocks:
            raise Empty(
                f"{source_name} has no text", url=source.url, hint="the document may have only pictures of text"
            )
        metadata = office_properties.read(reader.properties)
        heading = next((block for block in blocks if block.kind is Kind.HEADING), None)
        if metadata.title is None and heading is not None:
            metadata = replace(metadata, title=text_of(heading.spans))
        spans = list(_spans(blocks))
        return Extraction(
            document=blocks,
            metadata=metadata,
            method=self.name,
            links=tuple(dict.fromkeys(span.href for span in spans if span.href and span.href.startswith("http"))),
            notices=tuple(reader.notices(keep_all=source.mode == "recall")),
            source_chars=sum(len(span.text) for span in spans),
        )


def _spans(document: tuple[Block, ...]) -> Iterator[Span]:
    stack = list(reversed(document))
    while stack:
        block = stack.pop()
        yield from block.spans
        stack += reversed(block.children)


class _Characters(NamedTuple):
    """The character properties of a group."""

    style: int = 0
    font: int = -1
    hidden: bool = False
    deleted: bool = False
    size: int = 24
    colour: int = 0
    painted: int = 0
    """The number of the colour behind the text; 0 for none."""
    char_style: int = -1


class _Paragraph(NamedTuple):
    """The paragraph properties of a group."""

    style: int = 0
    outline: int = _BODY_LEVEL
    indent: int = 0
    first_indent: int = 0
    list_number: int = 0
    list_level: int = 0
    in_table: bool = False
    table_depth: int = 0
    painted: int = 0
    """The number of the colour behind the text; 0 for none."""


class _GroupState(NamedTuple):
    characters: _Characters
    paragraph: _Paragraph
    destination: str
    fallback: int
    """The number of replacement characters after a \\u."""
    href: str | None
    closing: _GroupEndAction | None = None
    """The action at the end of the group."""


class _GroupEndAction(NamedTuple):
    """An action at the end of a group, before the previously set one."""

    close: Callable[[], None]
    earlier: _GroupEndAction | None


@dataclass(slots=True)
class _Font:
    name: str = ""
    encoding: str | None = None
    is_symbol: bool = False
    is_fixed: bool = False
    """All its letters have one width."""


@dataclass(slots=True)
class _StyleSheetEntry:
    name: str = ""
    outline: int = _BODY_LEVEL


@dataclass(slots=True)
class _OpenTable:
    rows: list[TableRow] = field(default_factory=list)
    cells: list[TableCell] = field(default_factory=list)
    flow: list[Flow] = field(default_factory=list)
    """Of the open cell."""


@dataclass(slots=True)
class _OpenField:
    code: list[str] = field(default_factory=list)
    has_result: bool = False
    form_type: int = -1
    form_result: int | None = None
    form_default: int = 0
    entries: list[str] = field(default_factory=list)

    def is_checked(self) -> bool:
        """Tell the state of a check box; the result 25 of an untouched one means its default."""
        if self.form_result is None or self.form_result == _UNTOUCHED:
            return bool(self.form_default)
        return bool(self.form_result)

    def chosen(self) -> str:
        """Return the chosen entry of a list; the result of a list with text is part of the text."""
        index = self.form_result
        if index is None or index == _UNTOUCHED:
            index = self.form_default
        if self.has_result or not 0 <= index < len(self.entries):
            return ""
        return self.entries[index]


@dataclass(slots=True)
class _OpenStory:
    """The body, a note, a text box, a header: a text with paragraphs of its own."""

    flow: list[Flow] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    tables: list[_OpenTable] = field(default_factory=list)
    boxes: list[Flow] = field(default_factory=list)


class _RtfReader:
    """An RTF file while it is read."""

    def __init__(self, body: bytes, source_name: str) -> None:
        self._body = body
        self._where = source_name
        self._is_pandoc = _PANDOC_FONTS in body[:1_000]
        self._item_indent = 0
        self._has_other_font = False
        self._state = _GroupState(_Characters(), _Paragraph(), _TEXT, 1, None)
        self._stack: list[_GroupState] = []
        self._story = _OpenStory()
        self._notes: list[_OpenStory] = []
        self._margins: list[_OpenStory] = []
        self._comments: list[str] = []
        self._author = ""
        self._encoding = "cp1252"
        self._fonts: dict[int, _Font] = {}
        self._default_font = -1
        self._font = _Font()
        self._colours: list[bool] = []
        """Whether each colour is white."""
        self._rgb: list[int] = []
        self._sheet: dict[int, _StyleSheetEntry] = {}
        self._entry = _StyleSheetEntry()
        self._fields: list[_OpenField] = []
        self._bytes = bytearray()
        self._pending: list[str] = []
        self._skip = 0
        self._starred = False
        self._hidden: Counter[str] = Counter()
        self._hidden_before = ""
        self._objects: Counter[str] = Counter()
        self._pictures = self._in_object = self._removed = 0
        self._cut = False
        self._links = Links(None, None, {})
        self._info_field = ""
        self._header_row = False
        self._covered: list[bool] = []
        self._is_covered = False
        self.properties: dict[str, str] = {}
        self._dates: dict[str, dict[str, int]] = {}
        self._words = self._control_words()
        self._destinations: dict[str, Callable[[str], None]] = {
            _TEXT: self._put_text,
            _LABEL: self._put_label,
            _CODE_OF_FIELD: self._put_code,
            _FONTS: self._put_font,
            _COLOURS: self._put_colour,
            _STYLES: self._put_style,
            _INFO: self._put_info,
            _AUTHOR: self._put_author,
            _ENTRY: self._put_entry,
        }

    # ----------------------------------------------------------------------------------------------- scan

    def read(self) -> None:
        """Read the file once.

        Raises:
            TooLarge: groups are nested deeper than `MAX_GROUPS`.
        """
        body, position, end = self._body, 0, len(self._body)
        for _ in range(MAX_TOKENS):
            if position >= end:
                break
            token = _TOKEN.match(body, position)
            if token is None:
                break
            position = token.end()
            control_word, number, hexadecimal, sign, brace, text = token.groups()
            if brace == b"}" and not self._stack:
                break  # text after the document is not part of it
            if control_word == b"bin":
                self._flush()
                position += max(0, int(number or 0))
            elif control_word is not None:
                self._control(control_word.decode("ascii"), int(number) if number is not None else None)
            else:
                self._take(text, hexadecimal, brace, sign)
        else:
            self._cut = position < end
        while self._stack:
            self._end_group()
        self._end_paragraph()
        self._close_tables(0)

    def _take(self, text: bytes | None, hexadecimal: bytes | None, brace: bytes | None, sign: bytes | None) -> None:
        """Handle a token that is not a control word."""
        if text is not None:
            self._add_bytes(text)
        elif hexadecimal is not None:
            self._add_bytes(bytes((int(hexadecimal, 16),)))
        elif brace == b"{":
            self._begin_group()
        elif brace is not None:
            self._end_group()
        elif sign is not None:
            self._sign(sign.decode("latin-1"))

    def _begin_group(self) -> None:
        self._flush()
        if len(self._stack) >= MAX_GROUPS:
            raise TooLarge(f"{self._where} has groups nested deeper than {MAX_GROUPS:,}", hint="save it as docx")
        self._stack.append(self._state)
        self._state = self._state._replace(closing=None)
        self._starred = False
        self._skip = 0

    def _end_group(self) -> None:
        self._flush()
        closing = self._state.closing
        while closing is not None:
            closing.close()
            closing = closing.earlier
        self._state = self._stack.pop()
        self._starred = False
        self._skip = 0

    def _control(self, control_word: str, number: int | None) -> None:
        self._skipped_one_or(lambda: self._apply(control_word, number), control_word)

    def _skipped_one_or(self, apply: Callable[[], None], control_word: str) -> None:
        r"""Apply a control word, unless it is a replacement for a \u before it."""
        if self._skip and control_word in _SIGNS:
            self._skip -= 1
            return
        apply()

    def _apply(self, control_word: str, number: int | None) -> None:
        if control_word == "u":
            self._add_unicode(number or 0)
            return
        self._flush()
        starred, self._starred = self._starred, False
        if control_word in _SIGNS:
            self._put(_SIGNS[control_word])
        elif control_word in self._words:
            self._words[control_word](number)
        elif control_word in _SKIPPED or (starred and control_word not in _ENTERED):
            self._go_to(_SKIP)

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._starred = True
        elif self._skip:
            self._skip -= 1
        elif sign in "\r\n":
            self._flush()
            self._end_paragraph()
        elif sign in _SYMBOLS:
            self._flush()
            self._put(_SYMBOLS[sign])

    # ----------------------------------------------------------------------------------------------- text

    def _add_bytes(self, text: bytes) -> None:
        if self._skip:
            dropped = min(self._skip, len(text))
            self._skip -= dropped
            text = text[dropped:]
        if text and self._state.destination not in {_SKIP, _PICTURE}:
            if self._pending:
                self._flush()
            self._bytes += text

    def _add_unicode(self, number: int) -> None:
        if self._bytes:
            self._flush()
        self._skip = self._state.fallback
        if self._state.destination not in {_SKIP, _PICTURE}:
            self._pending.append(chr(number & 0xFFFF))

    def _flush(self) -> None:
        """Decode the collected bytes, and add the text to its destination."""
        if self._bytes:
            raw = bytes(self._bytes)
            self._bytes.clear()
            self._put(self._decoded(raw))
        if self._pending:
            text = "".join(self._pending)
            self._pending.clear()
            if not text.isascii():
                text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
                text = without_private_codes(text, self._current_font().name)
            self._put(text)

    def _current_font(self) -> _Font:
        number = self._state.characters.font
        return self._fonts.get(number if number >= 0 else self._default_font, _Font())

    def _decoded(self, raw: bytes) -> str:
        font = self._current_font()
        if font.is_symbol and self._state.destination in {_TEXT, _LABEL}:
            name = font.name if is_symbol_font(font.name) else "symbol"
            signs = (symbol(name, code) for code in raw)
            return "".join(sign if sign != UNKNOWN else chr(code) for sign, code in zip(signs, raw, strict=True))
        return raw.decode(font.encoding or self._encoding, "replace")

    def _put(self, text: str) -> None:
        put = self._destinations.get(self._state.destination)
        if put is not None:
            put(text)

    def _put_label(self, text: str) -> None:
        self._story.label.append(text)

    def _put_code(self, text: str) -> None:
        if self._fields and len(self._fields[-1].code) < _MAX_NAME_CHARS:
            self._fields[-1].code.append(text)

    def _put_font(self, text: str) -> None:
        self._font.name = (self._font.name + text)[:_MAX_NAME_CHARS]
        self._end_font()

    def _put_style(self, text: str) -> None:
        self._entry.name = (self._entry.name + text)[:_MAX_NAME_CHARS]

    def _put_colour(self, text: str) -> None:
        for _ in range(text.count(";")):
            self._colours.append(len(self._rgb) >= 3 and is_white(self._rgb))
            self._rgb.clear()

    def _put_info(self, text: str) -> None:
        if self._info_field in self.properties:  # text among the numbers of a date belongs to no field
            self.properties[self._info_field] = (self.properties[self._info_field] + text)[:2_000]

    def _put_author(self, text: str) -> None:
        self._author = (self._author + text)[:_MAX_NAME_CHARS]

    def _put_entry(self, text: str) -> None:
        if self._fields and len(self._fields[-1].entries) < _MAX_NAME_CHARS:
            self._fields[-1].entries.append(text)

    def _put_text(self, text: str) -> None:
        reason = self._reason()
        if reason:
            if text.strip() and reason != self._hidden_before:
                self._hidden[reason] += 1
                self._hidden_before = reason
            return
        if text.strip():
            self._hidden_before = ""
            self._mark_results()
        style = self._state.characters.style | self._code_style(text)
        self._story.spans.append(Span(text, style, self._state.href))

    def _mark_results(self) -> None:
        """Mark the open fields as showing text; the fields around a marked one are marked already."""
        for opened in reversed(self._fields):
            if opened.has_result:
                return
            opened.has_result = True

    def _code_style(self, text: str) -> int:
        """Return the style of code for a font of fixed width in a document that is set in another."""
        if self._state.destination != _TEXT:
            return 0
        is_fixed = self._current_font().is_fixed
        if not is_fixed:
            self._has_other_font = self._has_other_font or bool(text.strip())
            return 0
        default_font = self._fonts.get(self._default_font, _Font())
        return _CODE_STYLE * (self._has_other_font and not default_font.is_fixed)

    def _reason(self) -> HiddenReason | None:
        """Return the reason that hides the text of the group; None where it is visible."""
        characters = self._state.characters
        if characters.deleted:
            return HiddenReason.DELETED
        if characters.hidden:
            return HiddenReason.HIDDEN_FONT
        return font_reason(
            tiny=is_tiny(characters.size / _HALF_POINTS),
            white=self._is_white(characters.colour),
            painted=self._is_painted(characters.painted or self._state.paragraph.painted),
        )

    def _is_white(self, colour: int) -> bool:
        return 0 < colour < len(self._colours) and self._colours[colour]

    def _is_painted(self, colour: int) -> bool:
        """Tell whether a colour of the table behind white text makes it visible."""
        return colour > 0 and not self._is_white(colour)

    # ---------------------------------------------------------------------------------------- control words

    def _control_words(self) -> Mapping[str, Callable[[int | None], None]]:
        words: dict[str, Callable[[int | None], None]] = {
            "plain": lambda _: self._set(_Characters()),
            "f": lambda number: self._set_font(number or 0),
            "deff": self._set_default_font,
            "fcharset": self._set_charset,
            "cpg": self._set_font_page,
            "ansicpg": self._set_page,
            "uc": self._set_fallback,
            "pard": lambda _: self._set_paragraph(_Paragraph()),
            "par": lambda _: self._end_paragraph(),
            "sect": lambda _: self._end_paragraph(),
            "page": lambda _: self._put("\n"),
            "column": lambda _: self._put("\n"),
            "cell": lambda _: self._end_cell(1),
            "nestcell": lambda _: self._end_cell(max(2, self._state.paragraph.table_depth)),
            "row": lambda _: self._end_row(1),
            "nestrow": lambda _: self._end_row(max(2, self._state.paragraph.table_depth)),
            "trowd": lambda _: self._begin_row(),
            "trhdr": self._set_header_row,
            "clvmrg": self._set_covered,
            "cellx": self._end_cell_definition,
            "clcbpat": lambda _: None,
            "fonttbl": lambda _: self._go_to(_FONTS),
            "colortbl": lambda _: self._go_to(_COLOURS),
            "stylesheet": lambda _: self._go_to(_STYLES),
            "info": lambda _: self._go_to(_SKIP),
            "field": lambda _: self._begin_field(),
            "fldinst": lambda _: self._go_to(_CODE_OF_FIELD),
            "fldrslt": lambda _: self._begin_result(),
            "formfield": lambda _: self._go_to(_SKIP),
            "ffl": lambda _: self._go_to(_ENTRY),
            "fftype": self._set_form_type,
            "ffres": self._set_form_result,
            "ffdefres": self._set_form_default,
            "listtext": lambda _: self._begin_label(),
            "pntext": lambda _: self._begin_label(),
            "footnote": lambda _: self._begin_note(),
            "annotation": lambda _: self._begin_comment(),
            "atnauthor": lambda _: self._begin_author(),
            "sv": lambda _: self._go_to(_VALUE),
            "moMath": lambda _: self._begin_formula(),
            "mden": lambda _: self._put("/"),
            "msup": lambda _: self._put("^"),
            "msub": lambda _: self._put("_"),
            "pict": lambda _: self._begin_picture(),
            "object": lambda _: self._begin_object(),
            "upr": lambda _: self._go_to(_SKIP),
            "ud": lambda _: self._go_to(self._outer_destination()),
            "v": lambda number: self._set(self._state.characters._replace(hidden=number != 0)),
            "deleted": lambda number: self._set(self._state.characters._replace(deleted=number != 0)),
            "b": lambda number: self._toggle(_STRONG, number),
            "i": lambda number: self._toggle(_EM, number),
            "strike": lambda number: self._toggle(_STRIKE, number),
            "striked": lambda number: self._toggle(_STRIKE, number),
            "super": lambda number: self._toggle(_SUP, number),
            "sub": lambda number: self._toggle(_SUB, number),
            "nosupersub": lambda _: self._no_scripts(),
            "fs": lambda number: self._set(self._state.characters._replace(size=24 if number is None else number)),
            "cf": lambda number: self._set(self._state.characters._replace(colour=number or 0)),
            "s": self._set_style,
            "cs": self._set_char_style,
            "outlinelevel": self._set_outline,
            "li": lambda number: self._set_paragraph(self._state.paragraph._replace(indent=number or 0)),
            "fi": lambda number: self._set_paragraph(self._state.paragraph._replace(first_indent=number or 0)),
            "ls": lambda number: self._set_paragraph(self._state.paragraph._replace(list_number=number or 0)),
            "ilvl": lambda number: self._set_paragraph(self._state.paragraph._replace(list_level=number or 0)),
            "intbl": lambda _: self._set_paragraph(self._state.paragraph._replace(in_table=True)),
            "itap": lambda number: self._set_paragraph(self._state.paragraph._replace(table_depth=number or 0)),
            "cbpat": lambda number: self._set_paragraph(self._state.paragraph._replace(painted=number or 0)),
        }
        for control_word in _MARGINS:
            words[control_word] = lambda _: self._begin_margin()
        for control_word in _BOXES:
            words[control_word] = lambda _: self._begin_box()
        for control_word in ("highlight", "cb", "chcbpat"):
            words[control_word] = lambda number: self._set(self._state.characters._replace(painted=number or 0))
        for control_word in ("red", "green", "blue"):
            words[control_word] = lambda number: self._rgb.append(number or 0)
        for control_word, encoding in _CHARACTER_SETS.items():
            words[control_word] = self._character_set(encoding)
        for control_word, name in _INFO_FIELDS.items():
            words[control_word] = self._info_text(name)
        for control_word, name in _DATES.items():
            words[control_word] = self._info_date(name)
        for control_word in _MOMENTS:
            words[control_word] = self._info_moment(control_word)
        return words

    def _set(self, characters: _Characters) -> None:
        self._state = self._state._replace(characters=characters)

    def _set_paragraph(self, paragraph: _Paragraph) -> None:
        self._state = self._state._replace(paragraph=paragraph)

    def _go_to(self, destination: str) -> None:
        self._state = self._state._replace(destination=destination)

    def _when_group_ends(self, close: Callable[[], None]) -> None:
        """Add `close` to the actions at the end of the group, before those set earlier."""
        self._state = self._state._replace(closing=_GroupEndAction(close, self._state.closing))

    def _outer_destination(self) -> str:
        r"""Return the destination of the group around `\upr`, which holds its text twice."""
        if len(self._stack) >= 2:
            return self._stack[-2].destination
        return _TEXT

    def _toggle(self, flag: int, number: int | None) -> None:
        style = self._state.characters.style & ~flag
        if number != 0:
            style |= flag
        self._set(self._state.characters._replace(style=style))

    def _no_scripts(self) -> None:
        self._set(self._state.characters._replace(style=self._state.characters.style & ~(_SUP | _SUB)))

    def _character_set(self, encoding: str) -> Callable[[int | None], None]:
        def apply(_: int | None) -> None:
            self._encoding = encoding

        return apply

    def _set_page(self, number: int | None) -> None:
        encoding = _page(number)
        if encoding is not None:
            self._encoding = encoding

    def _set_fallback(self, number: int | None) -> None:
        self._state = self._state._replace(fallback=min(max(number if number is not None else 1, 0), 100))

    # ------------------------------------------------------------------------------------ fonts and styles

    def _set_font(self, number: int) -> None:
        if self._state.destination == _FONTS:
            self._font = self._fonts.setdefault(number, _Font())
            return
        self._set(self._state.characters._replace(font=number))

    def _set_default_font(self, number: int | None) -> None:
        self._default_font = number or 0

    def _set_charset(self, number: int | None) -> None:
        if self._state.destination == _FONTS:
            self._font.is_symbol = number == _SYMBOL_CHARSET
            self._font.encoding = _known(_CHARSETS.get(number or 0))

    def _set_font_page(self, number: int | None) -> None:
        if self._state.destination == _FONTS:
            self._font.encoding = _page(number)

    def _end_font(self) -> None:
        if ";" in self._font.name:
            self._font.name = self._font.name.partition(";")[0].strip()
            self._font.is_symbol = self._font.is_symbol or is_symbol_font(self._font.name)
            self._font.is_fixed = _FIXED_FONT.search(self._font.name) is not None
            self._font = _Font()

    def _set_style(self, number: int | None) -> None:
        if self._state.destination == _STYLES:
            self._entry = self._sheet.setdefault(number or 0, _StyleSheetEntry())
        else:
            self._set_paragraph(self._state.paragraph._replace(style=number or 0))

    def _set_char_style(self, number: int | None) -> None:
        if self._state.destination == _STYLES:
            self._entry = _StyleSheetEntry()
        else:
            self._set(self._state.characters._replace(char_style=number or 0))

    def _set_outline(self, number: int | None) -> None:
        level = number if number is not None else 0
        if self._state.destination == _STYLES:
            self._entry.outline = level
        else:
            self._set_paragraph(self._state.paragraph._replace(outline=level))

    # -------------------------------------------------------------------------------------- the information

    def _info_text(self, name: str) -> Callable[[int | None], None]:
        def apply(_: int | None) -> None:
            if self._state.destination == _SKIP and name not in self.properties:  # of \info, and once
                self._info_field = name
                self.properties[name] = ""
                self._go_to(_INFO)

        return apply

    def _info_date(self, name: str) -> Callable[[int | None], None]:
        def apply(_: int | None) -> None:
            moments = self._dates.setdefault(name, {})
            self._info_field = name
            self._when_group_ends(lambda: self._end_date(name, moments))

        return apply

    def _info_moment(self, control_word: str) -> Callable[[int | None], None]:
        def apply(number: int | None) -> None:
            self._dates.get(self._info_field, {})[control_word] = number or 0

        return apply

    def _end_date(self, name: str, moments: Mapping[str, int]) -> None:
        year, month, day, hour, minute = (moments.get(control_word, 0) for control_word in _MOMENTS)
        if year and 1 <= month <= 12 and 1 <= day <= 31:
            self.properties[name] = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00"
        self._info_field = ""

    # ----------------------------------------------------------------------------------------------- fields

    def _begin_field(self) -> None:
        opened = _OpenField()
        self._fields.append(opened)
        outer = self._state.destination

        def end() -> None:
            if self._fields and self._fields[-1] is opened:
                self._fields.pop()
            self._state = self._state._replace(destination=outer)
            self._show_field(opened)

        self._when_group_ends(end)

    def _begin_result(self) -> None:
        if not self._fields:
            return
        target = link_of("".join(self._fields[-1].code))
        href = None
        if target is not None:
            href = self._links.resolve(target) or self._links.mail(target)
        self._state = self._state._replace(destination=self._outer_text(), href=href or self._state.href)

    def _outer_text(self) -> str:
        """Return the destination of the group around a field: a field within the code of another is part of that."""
        if len(self._stack) >= 1:
            return self._stack[-1].destination
        return _TEXT

    def _show_field(self, opened: _OpenField) -> None:
        if self._state.destination != _TEXT:
            return
        code = "".join(opened.code)[:MAX_CODE_CHARS]
        name = field_codes.name_of(code)
        if opened.form_type == 1 or name == "FORMCHECKBOX":
            self._put_text(check_mark(opened.is_checked()))
        elif name == "FORMDROPDOWN":
            self._put_text(opened.chosen())
        elif not opened.has_result:
            self._show_code(field_codes.field_text(code))

    def _show_code(self, result: FieldText) -> None:
        """Add the text of a field's code."""
        if result.is_lost:
            self._objects["field without a result"] += 1
        elif result.tex:
            self._story.spans.append(Span(result.tex, _MATH))
        elif result.reading:
            self._put_text(f"{result.text}({result.reading})")
        else:
            self._put_text(result.text)

    def _set_form_type(self, number: int | None) -> None:
        if self._fields:
            self._fields[-1].form_type = number or 0

    def _set_form_result(self, number: int | None) -> None:
        if self._fields:
            self._fields[-1].form_result = number

    def _set_form_default(self, number: int | None) -> None:
        if self._fields:
            self._fields[-1].form_default = number or 0

    # -------------------------------------------------------------------- labels, notes, boxes, what has no text

    def _begin_label(self) -> None:
        if self._state.destination == _TEXT:
            self._story.label.clear()
            self._go_to(_LABEL)

    def _begin_story(self, ends: Callable[[_OpenStory], None]) -> None:
        """Read the group as a story of its own."""
        if self._state.destination != _TEXT:
            self._go_to(_SKIP)
            return
        outer, story = self._story, _OpenStory()
        self._story = story
        self._state = self._state._replace(paragraph=_Paragraph(), characters=_Characters(), href=None)

        def end() -> None:
            self._end_paragraph()
            self._close_tables(0)
            self._story = outer
            ends(story)

        self._when_group_ends(end)

    def _begin_note(self) -> None:
        visible = not self._reason()

        def end(story: _OpenStory) -> None:
            if story.flow and visible:
                self._notes.append(story)
                self._story.spans.append(Span(str(len(self._notes)), _NOTE))

        self._begin_story(end)

    def _begin_comment(self) -> None:
        def end(story: _OpenStory) -> None:
            words = " ".join(text_of(part.spans) for part in story.flow if isinstance(part, FlowParagraph))
            if words:
                name = f"Comment ({self._author.strip()})" if self._author.strip() else "Comment"
                self._comments.append(f"{name}: {words}")
            self._author = ""

        self._begin_story(end)

    def _begin_author(self) -> None:
        self._author = ""
        self._go_to(_AUTHOR)

    def _begin_margin(self) -> None:
        self._begin_story(self._margins.append)

    def _begin_box(self) -> None:
        def end(story: _OpenStory) -> None:
            self._story.boxes += story.flow

        self._begin_story(end)

    def _begin_picture(self) -> None:
        if self._state.destination in {_TEXT, _VALUE} and not self._in_object:
            self._pictures += 1
        self._go_to(_PICTURE)

    def _begin_formula(self) -> None:
        if self._state.destination == _TEXT:
            self._objects["formula set as plain text"] += 1

    def _begin_object(self) -> None:
        if self._state.destination != _TEXT:
            return
        self._objects["embedded object"] += 1
        self._in_object += 1

        def end() -> None:
            self._in_object -= 1

        self._when_group_ends(end)

    # ------------------------------------------------------------------------------------ paragraphs and tables

    def _end_paragraph(self) -> None:
        if self._state.destination != _TEXT:
            return
        story, paragraph = self._story, self._state.paragraph
        depth = 0
        if paragraph.in_table or paragraph.table_depth:
            depth = max(1, paragraph.table_depth)
        part = self._flow_paragraph(paragraph)
        if part is not None or story.boxes:
            self._close_tables(depth)
        target = story.flow
        if depth:
            target = self._table_at(depth).flow
        if part is not None:
            target.append(part)
        target += story.boxes
        story.boxes = []

    def _flow_paragraph(self, paragraph: _Paragraph) -> FlowParagraph | None:
        story = self._story
        spans, label = story.spans, "".join(story.label).strip()
        story.spans, story.label = [], []
        sheet = self._sheet.get(paragraph.style, _StyleSheetEntry())
        name = " ".join(sheet.name.partition(";")[0].lower().split())
        if not label and paragraph.first_indent < 0:
            label, spans = _typed_label(spans)
        code = name in _CODE or (not label and _is_code(spans))
        if code:
            spans = [span._replace(style=span.style & ~_CODE_STYLE) for span in spans]
        clean, count = joined_spans(spans, code=code)
        self._removed += count
        if not clean and not code:
            return None
        item = None
        if label:
            list_id = f"list {paragraph.list_number}"
            if not paragraph.list_number:  # a typed label, or one of Word 95: the indent gives the level
                list_id = f"indent {paragraph.indent}"
            item = ListItem(list_id, paragraph.list_level, label)
        return FlowParagraph(
            clean,
            heading=_heading(paragraph, sheet, name),
            quote=name in _QUOTES or self._is_quote(paragraph, is_item=item is not None),
            code=code,
            item=item,
            indent=max(paragraph.indent, 0),
        )

    def _is_quote(self, paragraph: _Paragraph, *, is_item: bool) -> bool:
        """Tell a quotation of Pandoc, which marks it by half an inch of indent, from the text of a list item."""
        if is_item or paragraph.indent == 0:
            self._item_indent = paragraph.indent
        return self._is_pandoc and not is_item and paragraph.indent >= self._item_indent + _QUOTE_INDENT

    def _table_at(self, depth: int) -> _OpenTable:
        """Return the open table at a depth, opening it if need be."""
        tables = self._story.tables
        while len(tables) < min(depth, MAX_TABLES):
            tables.append(_OpenTable())
        return tables[min(depth, MAX_TABLES) - 1]

    def _close_tables(self, depth: int) -> None:
        """End the tables deeper than `depth`, each in the cell around it."""
        tables = self._story.tables
        while len(tables) > depth:
            closed = tables.pop()
            if closed.flow:
                closed.cells.append(TableCell(closed.flow))
            if closed.cells:
                closed.rows.append(TableRow(closed.cells))
            target = self._story.flow
            if tables:
                target = tables[-1].flow
            target += paragraphs.table(closed.rows)

    def _end_cell(self, depth: int) -> None:
        if self._state.destination != _TEXT:
            return
        self._set_paragraph(self._state.paragraph._replace(in_table=True, table_depth=max(depth, 1)))
        self._end_paragraph()
        self._close_tables(depth)
        opened = self._table_at(depth)
        opened.cells.append(TableCell(opened.flow))
        opened.flow = []

    def _end_row(self, depth: int) -> None:
        if self._state.destination != _TEXT:
            return
        self._close_tables(depth)
        opened = self._table_at(depth)
        cells = [
            cell._replace(covered=not cell.flow and index < len(self._covered) and self._covered[index])
            for index, cell in enumerate(opened.cells)
        ]
        if cells:
            opened.rows.append(TableRow(cells, header=self._header_row))
        opened.cells = []

    def _begin_row(self) -> None:
        self._header_row = self._is_covered = False
        self._covered = []

    def _set_header_row(self, _: int | None) -> None:
        self._header_row = True

    def _set_covered(self, _: int | None) -> None:
        self._is_covered = True

    def _end_cell_definition(self, _: int | None) -> None:
        if len(self._covered) < paragraphs.MAX_COLUMNS:
            self._covered.append(self._is_covered)
        self._is_covered = False

    # ------------------------------------------------------------------------------------------------ result

    def document(self, *, keep_all: bool) -> tuple[Block, ...]:
        """Return the blocks; `keep_all` keeps comments and margins, too."""
        flow = list(self._story.flow)
        if keep_all:
            flow += (FlowParagraph((Span(text),)) for text in self._comments)
            for margin in self._margins:
                flow += margin.flow
        notes = (
            Block(Kind.FOOTNOTE, children=paragraphs.blocks(story.flow), label=str(number))
            for number, story in enumerate(self._notes, 1)
        )
        return (*paragraphs.blocks(flow), *notes)

    def notices(self, *, keep_all: bool) -> Iterator[Notice]:
        """Yield the notices of omitted content."""
        yield from hidden_notices(self._hidden)
        if self._removed:
            yield Notice("invisible_characters", "invisible characters were removed", self._removed)
        yield from unread_parts.notices({unread_parts.PICTURE: self._pictures, **self._objects})
        lines = sum(len(margin.flow) for margin in self._margins)
        if self._comments and not keep_all:
            detail = "comments of reviewers were left out; mode `recall` keeps them"
            yield Notice("comments_left_out", detail, len(self._comments))
        if lines and not keep_all:
            detail = "the text of headers and footers was left out; mode `recall` keeps it"
            yield Notice("running_heads_left_out", detail, lines)
        if self._cut:
            yield Notice("pages_cut", f"only the first {MAX_TOKENS:,} words and marks of the file were read")


def _known(encoding: str | None) -> str | None:
    """Return an encoding that Python supports; None for others."""
    if encoding is None:
        return None
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return None


def _page(number: int | None) -> str | None:
    """Return the encoding of a code page of Windows."""
    return {65001: "utf-8", 10000: "mac_roman", 936: "gbk", 0: None}.get(number or 0, _known(f"cp{number}"))


def _heading(paragraph: _Paragraph, sheet: _StyleSheetEntry, name: str) -> int:
    """Return the level of a heading, 1 to 6; 0 for text."""
    match = _HEADING.fullmatch(name)
    if match is not None:
        return min(int(match[1]), 6)
    if name == "title":
        return 1
    outline = min(paragraph.outline, sheet.outline)
    if 0 <= outline < _BODY_LEVEL:
        return min(outline + 1, 6)
    return 0


def _is_code(spans: Iterable[Span]) -> bool:
    """Tell whether a paragraph is wholly in a font of fixed width."""
    words = [span for span in spans if span.text.strip()]
    return bool(words) and all(span.style & _CODE_STYLE for span in words)


def _typed_label(spans: list[Span]) -> tuple[str, list[Span]]:
    """Remove a number or a bullet before a tab in the hanging indent of a paragraph."""
    start = text_of(spans[:4])[:20].lstrip()
    match = _TYPED_LABEL.match(start)
    if match is None:
        return "", spans
    dropped = text_of(spans[:4]).index("\t") + 1
    remaining: list[Span] = []
    for span in spans:
        text = span.text[dropped:] if dropped else span.text
        dropped -= len(span.text) - len(text)
        if text:
            remaining.append(span._replace(text=text))
    return match[1], remaining
