"""Word documents: mammoth makes HTML of them, which goes the way of every page; what Word would not show goes first.

mammoth knows nothing of hidden runs, so they are taken out of the XML before it sees them (ECMA-376 part 1, 17.3.2).
It is loaded here and nowhere else (`pip install 'wellread[documents]'`).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from wellread.errors import Empty, Unsupported
from wellread.net import opc
from wellread.net.opc import is_white, local
from wellread.types import Extraction, Kind, Notice
from wellread.web.extract import fragment
from wellread.web.metadata import office

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO
    from xml.etree.ElementTree import Element

    from wellread.types import Document, Source

MAX_ELEMENTS = 150_000
"""Of the document, its footnotes and its endnotes, each: some 30,000 plain paragraphs, for which mammoth takes 7 s."""

_WANTED = frozenset({"document", "footnotes", "endnotes", "styles", "numbering", "Relationships", "Types"})
"""What mammoth is given: the parts with these roots. Comments, headers, settings and macros are not."""
_NEEDLESS = frozenset(
    {
        *("rFonts", "lang", "proofErr", "kern", "noProof", "lastRenderedPageBreak", "sectPr", "rPrChange", "pPrChange"),
        *(
            "tblPrChange",
            "trPrChange",
            "tcPrChange",
            "tblGrid",
            "tblBorders",
            "tcBorders",
            "tblLook",
            "spacing",
            "szCs",
        ),
        *("szCs", "bookmarkStart", "bookmarkEnd", "permStart", "permEnd", "tabs", "ind", "jc", "object", "drawing"),
    }
)
"""Says nothing of the text; left out, because mammoth takes a kilobyte for every element."""
_TINY = 2
"""Half points."""
_STYLE_MAP = """
p[style-name='Title'] => h1:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='HTML Preformatted'] => pre:separator('\\n')
r[style-name='HTML Code'] => code
"""


class DocxExtractor:
    """Reads Word documents (docx)."""

    name = "docx"
    media_types = ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",)

    def extract(self, source: Source) -> Extraction:
        """Read a document into blocks: headings, lists, tables, links, footnotes.

        Raises:
            Unsupported: it is damaged or encrypted, or the extra `documents` is not installed.
            Empty: it shows no text.
            TooLarge: it is made of too many parts.
        """
        where = source.url or "the document"
        package = opc.opened(source.body, where)
        hidden: Counter[str] = Counter()
        try:
            parts, cut = _cleaned(package, hidden)
        except ET.ParseError as error:
            raise Unsupported(f"{where} is damaged: {error}", url=source.url, hint="") from error
        html = _html(opc.packed(parts), where, source.url)
        read = fragment.read(html, None)
        if not read.document:
            raise Empty(f"{where} shows no text", url=source.url, hint="it may hold pictures of text only")
        metadata = office.read(opc.properties(package))
        return Extraction(
            document=read.document,
            metadata=metadata if metadata.title else replace(metadata, title=_title(read.document)),
            method=self.name,
            links=read.links,
            notices=(*_notices(hidden, cut=cut), *read.notices),
            source_chars=len(html),
        )


def _html(file: BinaryIO, where: str, url: str | None) -> str:
    try:
        import mammoth
    except ImportError:
        hint = "pip install 'wellread[documents]'"
        raise Unsupported(f"{where} is a Word document, and no Word reader is installed", url=url, hint=hint) from None
    try:
        made = mammoth.convert_to_html(
            file,
            style_map=_STYLE_MAP,
            include_embedded_style_map=False,  # the document's own words on how to read it
            convert_image=lambda _: [],
        )
    except Exception as error:
        # mammoth lets whatever a damaged part causes through: KeyError, AttributeError, RecursionError, ...
        what = "is damaged" if isinstance(error, OSError | KeyError) else "cannot be read"
        raise Unsupported(f"{where} {what}: {type(error).__name__} {error}", url=url, hint="") from error
    html: str = made.value
    return html


def _title(document: Document) -> str | None:
    heading = next((block for block in document if block.kind is Kind.HEADING), None)
    return "".join(span.text for span in heading.spans) if heading else None


def _notices(hidden: Counter[str], *, cut: bool) -> Iterator[Notice]:
    if hidden:
        reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(hidden.items()))
        yield Notice("hidden_text", f"text nobody sees was left out: {reasons}", hidden.total())
    if cut:
        yield Notice("pages_cut", f"only the first {MAX_ELEMENTS:,} elements were read")


# ------------------------------------------------------------------------------- what Word would not show


def _cleaned(package: opc.Package, hidden: Counter[str]) -> tuple[dict[str, bytes], bool]:
    """Return the parts that mammoth needs, without what nobody sees; and whether anything was cut short."""
    trees: dict[str, Element] = {}
    cut = False
    for name, data in package.parts.items():
        if name.startswith("docProps/") or not _is_wanted(data):
            continue
        tree = opc.parsed(data, most=MAX_ELEMENTS, part_cut=name in package.cut)
        trees[name] = tree.root
        cut = cut or tree.cut
    sheets = [root for root in trees.values() if local(root.tag) == "styles"]
    looks = _Looks(sheets)
    for style in (each for sheet in sheets for each in sheet if local(each.tag) == "style"):
        style[:] = [part for part in style if local(part.tag) in {"name", "pPr"}]  # all that mammoth asks of a style
    for root in trees.values():  # whatever the root is called: mammoth looks for a <body> in it and asks no more
        _Sweep(looks, hidden).run(root)
    return {name: ET.tostring(root, encoding="utf-8") for name, root in trees.items()}, cut


_ROOT = re.compile(rb"<(?:[\w.-]+:)?(\w+)[\s>/]")


def _is_wanted(data: bytes) -> bool:
    """Look at the name of the root in UTF-8; what is written otherwise is parsed, to be sure."""
    found = _ROOT.search(data[:4_000])
    return found is None or found[1].decode("ascii", "replace") in _WANTED


class _Look:
    """How a run is set, as far as it decides whether it can be seen; None where it does not say."""

    __slots__ = ("painted", "reasons")

    def __init__(self, properties: Element | None) -> None:
        self.reasons: dict[str, bool] = {}
        self.painted = False
        for each in properties if properties is not None else ():
            name = local(each.tag)
            if name == "vanish":
                self.reasons["hidden font"] = _value(each, "val") not in {"0", "false", "off"}
            elif name == "color":
                self.reasons["white text"] = is_white(_value(each, "val")) and not _value(each, "themeColor")
                if _value(each, "themeColor") in {"background1", "light1"}:
                    self.reasons["white text"] = True
            elif name == "sz":
                size = _value(each, "val")
                self.reasons["tiny font"] = size.isdigit() and int(size) <= _TINY
            elif name in {"shd", "highlight"}:
                self.painted = _paints(each)


class _Looks:
    """The looks that styles give."""

    def __init__(self, sheets: list[Element]) -> None:
        self.styles: dict[str, tuple[_Look, str]] = {}
        """Style id -> its look, and the style that it is based on."""
        self.shaded: set[str] = set()
        """Styles of tables and paragraphs that paint what is behind the text."""
        self.default = ""
        self.base = _Look(None)
        for found in (it for sheet in sheets for it in sheet.iter() if local(it.tag) == "rPrDefault"):
            self.base = _Look(_child(found, "rPr"))
        for each in (style for sheet in sheets for style in sheet if local(style.tag) == "style"):
            parts = {local(part.tag): part for part in each}
            name = _value(each, "styleId")
            based = _value(parts["basedOn"], "val") if "basedOn" in parts else ""
            self.styles[name] = (_Look(parts.get("rPr")), based)
            if any(_paints(it) for it in each.iter() if local(it.tag) == "shd"):
                self.shaded.add(name)
            if _value(each, "type") == "paragraph" and _value(each, "default") in {"1", "true", "on"}:
                self.default = name

    def reasons(self, name: str) -> dict[str, bool]:
        """Return what a style says, with the styles it is based on."""
        chain: list[dict[str, bool]] = []
        while name in self.styles and len(chain) < 12:
            look, name = self.styles[name]
            chain.append(look.reasons)
        return {reason: holds for reasons in reversed(chain) for reason, holds in reasons.items()}


class _Sweep:
    """Takes out of a tree what cannot be seen, and counts it."""

    def __init__(self, looks: _Looks, hidden: Counter[str]) -> None:
        self.looks = looks
        self.hidden = hidden

    def run(self, root: Element) -> None:
        """Visit every element; a background paints whatever is inside."""
        backdrop = any(local(each.tag) == "background" and not is_white(_value(each, "color")) for each in root)
        stack: list[tuple[Element, dict[str, bool], bool]] = [(root, self.looks.base.reasons, backdrop)]
        while stack:
            parent, inherited, painted = stack.pop()
            if local(parent.tag).endswith("Pr"):
                continue  # properties hold no text, and a <del> among them is a mark for mammoth
            kept = []
            for child in parent:
                name = local(child.tag)
                if name in _NEEDLESS or self._is_unseen(child, name, inherited, painted=painted):
                    continue
                kept.append(child)
                if len(child):
                    stack.append((child, *self._inside(child, name, inherited, painted=painted)))
            parent[:] = kept

    def _inside(
        self, element: Element, name: str, inherited: dict[str, bool], *, painted: bool
    ) -> tuple[dict[str, bool], bool]:
        """Return what holds for the children of an element."""
        if name == "p":
            properties = _child(element, "pPr")
            style = _named(properties, "pStyle") or self.looks.default
            inherited = self.looks.base.reasons | self.looks.reasons(style)
            painted = painted or style in self.looks.shaded
        elif name == "tbl":
            properties = _child(element, "tblPr")
            painted = painted or _named(properties, "tblStyle") in self.looks.shaded
        elif name == "tc":
            properties = _child(element, "tcPr")
        else:
            colour = element.get("fillcolor", "").lower()
            return inherited, painted or (bool(colour) and colour not in {"white", "#fff", "#ffffff"})
        shading = _child(properties, "shd")
        return inherited, painted or (shading is not None and _paints(shading))

    def _is_unseen(self, element: Element, name: str, inherited: dict[str, bool], *, painted: bool) -> bool:
        if name in {"del", "moveFrom"}:
            reason = "tracked deletion"
        elif name == "tr":
            properties = _child(element, "trPr")
            deleted = _child(properties, "del") is not None
            reason = "tracked deletion" if deleted else "hidden row" if _child(properties, "hidden") is not None else ""
        elif name == "r":
            reason = self._why(element, inherited, painted=painted)
        else:
            return False
        if reason and any((it.text or "").strip() for it in element.iter() if local(it.tag) in {"t", "delText"}):
            self.hidden[reason] += 1
        return bool(reason)

    def _why(self, run: Element, inherited: dict[str, bool], *, painted: bool) -> str:
        properties = _child(run, "rPr")
        own = _Look(properties)
        style = self.looks.reasons(_named(properties, "rStyle"))
        for reason, holds in (inherited | style | own.reasons).items():
            if holds and not (reason == "white text" and (painted or own.painted)):
                return reason
        return ""


def _child(element: Element | None, name: str) -> Element | None:
    return next((each for each in element if local(each.tag) == name), None) if element is not None else None


def _named(properties: Element | None, name: str) -> str:
    found = _child(properties, name)
    return _value(found, "val") if found is not None else ""


def _value(element: Element, name: str) -> str:
    return next((value for key, value in element.items() if local(key) == name), "")


def _paints(element: Element) -> bool:
    """Say whether shading or highlighting puts a colour behind text on which white can be read."""
    fill = _value(element, "fill") or _value(element, "val")
    return fill not in {"", "auto", "none", "clear", "white", "nil"} and not is_white(fill)
