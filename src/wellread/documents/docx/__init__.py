"""Word documents: the XML becomes paragraphs and tables directly; content that Word does not show is left out.

No converter is used: those for Python drop elements that they do not know (fields, formulas, form controls, ruby),
report that in messages at best, and number lists in their own way. `tests/unit/test_word_content.py` names each case.
"""

from __future__ import annotations

import email
import email.policy
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree import ElementTree as ET

from wellread.documents import ooxml
from wellread.documents.docx.list_numbers import Numbering
from wellread.documents.docx.word_body import (
    DocumentContext,
    OmittedCounts,
    PackagePart,
    PartReader,
    line_of,
    note_blocks,
)
from wellread.documents.docx.word_styles import WordStyles
from wellread.documents.docx.word_xml import attribute
from wellread.errors import Empty, Unsupported
from wellread.extraction import html_fragment, unread_parts
from wellread.extraction.links import Links
from wellread.extraction.paragraphs import text_of
from wellread.extractor_types import MEDIA_TYPES
from wellread.hidden_text import hidden_notices
from wellread.metadata import office_properties
from wellread.net.media_types import decode
from wellread.types import Block, Extraction, Kind, Notice, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from xml.etree.ElementTree import Element

    from wellread.types import Document, Source

KIND: Final = "Word document"
MAX_ELEMENTS: Final = 300_000
"""Of one part: 60,000 plain paragraphs, for which reading takes 3 s of CPU time and 200 MB."""
MAX_DEPTH: Final = 150
"""Elements within elements: tables within tables and formulas are read by recursion."""
MAX_INSERTED_CHARS: Final = 2_000_000
_HTML: Final = (".html", ".htm", ".xhtml")
_MHTML: Final = (".mht", ".mhtml")
_TEXT: Final = (".txt",)
_NOTES: Final = ("footnote", "endnote")
_NO_NOTES: Final = frozenset({"separator", "continuationSeparator", "continuationNotice"})
_MARGINS: Final = frozenset({"headerReference", "footerReference"})


class DocxExtractor:
    """Reads Word documents (docx)."""

    name = "docx"
    media_types = MEDIA_TYPES["docx"]

    def extract(self, source: Source) -> Extraction:
        """Read a document into blocks: headings, lists with their numbers, tables, links, formulas, notes.

        Mode `recall` keeps comments, each after its paragraph, and the text of headers and footers.

        Raises:
            Unsupported: it is damaged or encrypted.
            Empty: it has no text.
            TooLarge: it is made of too many parts.
        """
        source_name = source.url or "the document"
        package = ooxml.open_package(source.body, source_name, KIND, more=(*_HTML, *_MHTML, *_TEXT))
        try:
            document = _DocumentReader(package, source.url).read(keep_all=source.mode == "recall")
        except ET.ParseError as error:
            raise Unsupported.damaged(source_name, KIND, error, url=source.url) from error
        if not document.blocks:
            raise Empty(
                f"{source_name} has no text", url=source.url, hint="the document may have only pictures of text"
            )
        metadata = office_properties.read(ooxml.core_properties(package))
        return Extraction(
            document=document.blocks,
            metadata=metadata if metadata.title else replace(metadata, title=_title(document.blocks)),
            method=self.name,
            links=tuple(dict.fromkeys(_links(document.blocks))),
            notices=document.notices,
            source_chars=sum(map(len, _texts(document.blocks))),
        )


class _DocumentReading(NamedTuple):
    blocks: Document
    notices: tuple[Notice, ...]


class _Margin(NamedTuple):
    """A header or footer with text."""

    is_footer: bool
    blocks: Document


class _DocumentReader:
    """A Word document while it is read."""

    def __init__(self, package: ooxml.OoxmlPackage, url: str | None) -> None:
        self._package = package
        self._trees: dict[str, ooxml.PartTree] = {}
        self._main = _main_part(package)
        self._counts = OmittedCounts()
        self._notices: list[Notice] = []
        styles = WordStyles(self._root("styles"))
        self._note_parts = {kind: part for kind in _NOTES if (part := self._part(f"{kind}s")) is not None}
        self._story = DocumentContext(
            styles=styles,
            numbering=Numbering(self._root("numbering"), styles.numbered),
            links=Links(url, None, {}),
            counts=self._counts,
            notes=dict(self._notes()),
            parts=_ParsedParts(self._parsed),
            inserted=self._inserted,
        )

    def read(self, *, keep_all: bool) -> _DocumentReading:
        """Return the blocks and the notices; `keep_all` reads comments and margins as well."""
        part = self._opened(self._main)
        comments = self._comments()
        body = next((element for element in part.root if element.tag == "body"), part.root)
        blocks = list(PartReader(self._story, part).document(body, comments=comments if keep_all else None))
        margins = self._margins(part)
        if keep_all:
            blocks[:0] = [block for margin in margins if not margin.is_footer for block in margin.blocks]
            blocks += [block for margin in margins if margin.is_footer for block in margin.blocks]
        blocks += note_blocks(self._story, self._note_parts)
        if not keep_all:
            self._notices += _left_out(comments, margins)
        return _DocumentReading(tuple(blocks), (*self._count_notices(), *self._notices))

    # ---------------------------------------------------------------------------------------------- parts

    def _parsed(self, name: str) -> Element | None:
        """Return the root of a part; None where there is none."""
        data = self._package.parts.get(name)
        if data is None:
            return None
        if name not in self._trees:
            self._trees[name] = ooxml.parse_part(
                data, most=MAX_ELEMENTS, deepest=MAX_DEPTH, part_cut=name in self._package.cut, local_names=True
            )
        return self._trees[name].root

    def _opened(self, name: str) -> PackagePart:
        root = self._parsed(name)
        if root is None:
            raise ET.ParseError("the main part is missing")
        return PackagePart(root, self._package.related(name))

    def _name(self, kind: str) -> str:
        """Return the name of the part that is related to the main part by a kind."""
        folder = self._main.rpartition("/")[0]
        names = self._package.kinds(self._main).get(kind) or [f"{folder}/{kind}.xml".removeprefix("/")]
        return names[0]

    def _root(self, kind: str) -> Element | None:
        return self._parsed(self._name(kind))

    def _part(self, kind: str) -> PackagePart | None:
        name = self._name(kind)
        if name not in self._package.parts:
            return None
        return self._opened(name)

    # --------------------------------------------------------------------------------- notes, comments, margins

    def _notes(self) -> Iterator[tuple[tuple[str, str], Element]]:
        for kind, part in self._note_parts.items():
            for element in part.root:
                if element.tag == kind and attribute(element, "type") not in _NO_NOTES:
                    yield (kind, attribute(element, "id")), element

    def _comments(self) -> dict[str, str]:
        """Return the author and words of each comment, by its id."""
        part = self._part("comments")
        comments: dict[str, str] = {}
        if part is None:
            return comments
        reader = PartReader(self._story, part)
        for element in part.root:
            words = line_of(reader.document(element))
            if element.tag == "comment" and words:
                author = " ".join(attribute(element, "author").split())
                name = f"Comment ({author})" if author else "Comment"
                comments[attribute(element, "id")] = f"{name}: {words}"
        return comments

    def _margins(self, part: PackagePart) -> list[_Margin]:
        """Return the headers and footers with text, each once, in the order of the sections."""
        margins: dict[str, _Margin] = {}
        pictures = self._counts.pictures
        for element in part.root.iter():
            if element.tag not in _MARGINS:
                continue
            name = part.related.get(attribute(element, "rel"), "")
            if name in margins or name not in self._package.parts:
                continue
            margin = self._opened(name)
            blocks = PartReader(self._story, margin).document(margin.root)
            margins[name] = _Margin(element.tag == "footerReference", blocks)
        self._counts.pictures = pictures  # a logo in the margin is no picture of the text
        return [margin for margin in margins.values() if margin.blocks]

    # ------------------------------------------------------------------------------------- inserted documents

    def _inserted(self, name: str) -> Document | None:
        """Read a document that was inserted as a file of its own (17.17.2): HTML, archived HTML and text."""
        data = self._package.parts.get(name)
        if data is None or len(data) > MAX_INSERTED_CHARS or name in self._package.cut:
            return None
        lower = name.lower()
        if lower.endswith(_TEXT):
            text, _ = decode(data, None, html=False)
            lines = (line.strip() for line in text.splitlines())
            return tuple(Block(Kind.PARAGRAPH, (Span(line),)) for line in lines if line)
        html = ""
        if lower.endswith(_MHTML) or data.lstrip()[:13].lower() == b"mime-version:":
            html = _archived(data)
        elif lower.endswith(_HTML):
            html, _ = decode(data, None, html=True)
        if not html.strip():
            return None
        inner = html_fragment.read(html, None)
        self._notices += inner.notices
        return inner.document

    # ----------------------------------------------------------------------------------------------- notices

    def _count_notices(self) -> Iterator[Notice]:
        counts = self._counts
        yield from hidden_notices(counts.hidden)
        if counts.characters:
            yield Notice("invisible_characters", "invisible characters were removed", counts.characters)
        yield from unread_parts.notices({unread_parts.PICTURE: counts.pictures, **counts.objects})
        if any(tree.cut for tree in self._trees.values()):
            detail = f"only the first {MAX_ELEMENTS:,} elements of each part were read, to a depth of {MAX_DEPTH}"
            yield Notice("pages_cut", detail)


class _ParsedParts(dict[str, "Element"]):
    """The parts of a package, parsed at the first use."""

    def __init__(self, parse: Callable[[str], Element | None]) -> None:
        super().__init__()
        self._parse = parse

    def get(self, name: str, default: Element | None = None) -> Element | None:  # type: ignore[override]  # one type
        return self._parse(name) if name else default


def _main_part(package: ooxml.OoxmlPackage) -> str:
    """Return the name of the main part."""
    names = package.kinds("").get("officeDocument", [])
    return next((name for name in names if name in package.parts), "word/document.xml")


def _archived(data: bytes) -> str:
    """Return the page of an MHTML file (RFC 2557)."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            try:
                payload = part.get_payload(decode=True)
            except (ValueError, LookupError):
                return ""
            if isinstance(payload, bytes):
                text, _ = decode(payload, part.get_content_charset(), html=True)
                return text
    return ""


def _left_out(comments: Mapping[str, str], margins: Iterable[_Margin]) -> Iterator[Notice]:
    if comments:
        detail = "comments of reviewers were left out; mode `recall` keeps them"
        yield Notice("comments_left_out", detail, len(comments))
    lines = sum(len(margin.blocks) for margin in margins)
    if lines:
        detail = "the text of headers and footers was left out; mode `recall` keeps it"
        yield Notice("running_heads_left_out", detail, lines)


def _title(document: Document) -> str | None:
    heading = next((block for block in document if block.kind is Kind.HEADING), None)
    return text_of(heading.spans) if heading else None


def _walk(document: Iterable[Block]) -> Iterator[Block]:
    stack = list(reversed(list(document)))
    while stack:
        block = stack.pop()
        yield block
        stack += reversed(block.children)


def _links(document: Iterable[Block]) -> Iterator[str]:
    for block in _walk(document):
        yield from (span.href for span in block.spans if span.href and span.href.startswith("http"))


def _texts(document: Iterable[Block]) -> Iterator[str]:
    for block in _walk(document):
        yield from (f"{span.text}" for span in block.spans)
