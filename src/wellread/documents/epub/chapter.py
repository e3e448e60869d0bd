"""Convert a document of a book (XHTML) to HTML with its style sheets inside, for the HTML extractor.

XHTML is parsed as XML, because `<title/>` and `<a id="p1"/>` mean something else in HTML. A document that is not
well-formed, or declares entities, is read as HTML.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

from wellread.documents.ooxml import local_name
from wellread.net.media_types import decode
from wellread.net.xml_tree import new_parser
from wellread.net.zip_reader import resolve_reference

if TYPE_CHECKING:
    from wellread.net.zip_reader import ZipReader

MAX_STYLE_CHARS: Final = 300_000
"""Of all style sheets of one document."""
MAX_STYLE_BYTES: Final = 500_000
MAX_IMPORTS: Final = 20
MAX_ELEMENTS: Final = 150_000
"""Of one document; a chapter of 100 pages has 5,000."""

_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_DROPPED: Final = frozenset({"script", "svg", "object", "audio", "video", "iframe", "canvas", "embed"})
_COUNTED: Final = frozenset({"svg", "object", "audio", "video", "iframe", "canvas", "embed"})
"""Pictures, sound and films."""
_RENAMED: Final = {
    **dict.fromkeys(("footer", "nav", "noembed", "noframes", "plaintext", "template"), "div"),
    **dict.fromkeys(("xmp", "listing"), "pre"),
}
"""Elements that hold text in books and scripts or controls in web pages, or that HTML parses without markup."""
_CONTENTS: Final = ("toc", "landmarks", "page-list", "lot", "loi")
"""Kinds of `<nav>` that list places in the book (EPUB 3 Structural Semantics)."""
_PREFIXES: Final = {
    "http://www.idpf.org/2007/ops": "epub:",
    "http://www.w3.org/XML/1998/namespace": "",
}
_MATHML: Final = "http://www.w3.org/1998/Math/MathML"
_SELF_CLOSED: Final = re.compile(
    r"<(title|script|style|textarea|iframe|a|p|div|span|i|b|em|strong|u|small|sup|sub|td|th|li|ul|ol|h[1-6])"
    r"((?:\s[^<>]{0,2000})?)/>",
    re.IGNORECASE,
)
_FOOTER: Final = re.compile(r"<(/?)footer(?=[\s>])", re.IGNORECASE)
_IMAGE_TAG: Final = re.compile(r"<(?:img|svg)(?=[\s/>])", re.IGNORECASE)
_LINK_TAG: Final = re.compile(r"<link\s([^<>]{1,2000})>", re.IGNORECASE)
_HREF: Final = re.compile(r"href\s{0,9}=\s{0,9}[\"']([^\"'<>]{1,1000})[\"']", re.IGNORECASE)
_SUBSET: Final = re.compile(r"<!DOCTYPE[^\[<>]{0,500}\[", re.IGNORECASE)
_IMPORT: Final = re.compile(r"@import\s{1,9}(?:url\(\s{0,9})?[\"']?([^\"'()\s;]{1,500})[\"']?\s{0,9}\)?[^;{}]{0,200};")


class StyleReader:
    """Reads the style sheets of a book, each once."""

    def __init__(self, archive: ZipReader) -> None:
        self._archive = archive
        self._sheets: dict[str, str] = {}

    def text(self, folder: str, href: str) -> str:
        """Return a style sheet with its imported style sheets before it."""
        return self._text(resolve_reference(folder, href), set())

    def _text(self, path: str, importing: set[str]) -> str:
        if path in self._sheets:
            return self._sheets[path]
        if path in importing or len(importing) >= MAX_IMPORTS:
            return ""
        importing.add(path)
        file = self._archive.read(path, MAX_STYLE_BYTES)
        own_text = decode(file.content, None, html=False)[0] if file is not None else ""
        folder = path.rpartition("/")[0]
        imports = _IMPORT.findall(own_text[:MAX_STYLE_BYTES])[:MAX_IMPORTS]
        imported = [self._text(resolve_reference(folder, href), importing) for href in imports]
        text = "\n".join((*imported, own_text))[:MAX_STYLE_CHARS]
        self._sheets[path] = text
        return text


class Chapter(NamedTuple):
    """A document as HTML."""

    html: str
    picture_count: int
    """Pictures, sound and films that are not read."""
    is_cut: bool
    """It has more elements than are read."""


class _TooManyElements(Exception):
    """The document has more elements than are read."""


def read_chapter(content: bytes, path: str, styles: StyleReader, *, is_cut: bool = False) -> Chapter:
    """Return the document `path` as HTML; `is_cut` says that `content` is only its start."""
    writer = _HtmlWriter(path, styles)
    parser = new_parser(writer.start, writer.end, writer.text)
    try:
        parser.Parse(content, not is_cut)
    except _TooManyElements:
        is_cut = True
    except (expat.ExpatError, ParseError, ValueError, LookupError):
        return _tolerantly(content, path, styles, is_cut=is_cut)
    return Chapter(writer.html(), writer.picture_count, is_cut)


def _lists_places(attributes: dict[str, str]) -> bool:
    """Tell whether a `<nav>` lists places in the book; other ones hold text."""
    kinds = " ".join(text for key, text in attributes.items() if local_name(key) in {"type", "role"})
    return "hidden" in attributes or any(kind in kinds for kind in _CONTENTS)


def _style_element(text: str, media: str = "") -> str:
    safe_text = text.replace("</", "<\\/").replace("<!--", "").replace("-->", "")
    return f'<style media="{escape(media or "all")}">{safe_text}</style>'


class _HtmlWriter:
    """Writes the events of an XML parser as HTML."""

    def __init__(self, path: str, styles: StyleReader) -> None:
        self.picture_count = 0
        self._path = path
        self._folder = path.rpartition("/")[0]
        self._styles = styles
        self._style_chars = 0
        self._pieces: list[str] = []
        self._elements_left = MAX_ELEMENTS
        self._dropped_depth = 0
        """Open elements within an element that is left out."""
        self._style_text: list[str] | None = None
        self._style_media = ""
        self._has_shown_case: list[bool] = []
        """For each open epub:switch, whether one of its cases was shown."""
        self._names: list[str] = []
        """The written names of the open elements; empty for those without tags."""

    def html(self) -> str:
        return "".join(self._pieces)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements_left -= 1
        if self._elements_left < 0:
            raise _TooManyElements
        name = local_name(tag).lower()
        if self._dropped_depth or self._is_dropped(name, attributes):
            self._dropped_depth += 1
            return
        if name == "style":
            self._style_text, self._style_media = [], attributes.get("media", "")
            self._names.append("")
        elif name in {"switch", "case", "default"} and tag.startswith("http://www.idpf.org/2007/ops"):
            self._names.append("")
        elif name == "link":
            self._link(attributes)
            self._names.append("")
        else:
            self._element(name, attributes)

    def end(self, tag: str) -> None:
        if self._dropped_depth:
            self._dropped_depth -= 1
            return
        name = self._names.pop()
        if self._style_text is not None:
            self._add_style("".join(self._style_text), self._style_media)
            self._style_text = None
        elif name and name not in _VOID:
            self._pieces.append(f"</{name}>")
        elif local_name(tag) == "switch" and self._has_shown_case:
            self._has_shown_case.pop()

    def text(self, text: str) -> None:
        if self._style_text is not None:
            self._style_text.append(text)
        elif not self._dropped_depth:
            self._pieces.append(escape(text, quote=False))

    def _is_dropped(self, name: str, attributes: dict[str, str]) -> bool:
        if name in _DROPPED:
            self.picture_count += name in _COUNTED
            label = attributes.get("aria-label", "")
            if name == "svg" and label:
                self._pieces.append(f'<img src="picture" alt="{escape(label)}">')
            return True
        if name == "switch":
            self._has_shown_case.append(False)
        elif name == "case" and self._has_shown_case:
            is_shown = attributes.get("required-namespace") == _MATHML and not self._has_shown_case[-1]
            self._has_shown_case[-1] |= is_shown
            return not is_shown
        elif name == "default" and self._has_shown_case:
            return self._has_shown_case[-1]
        return False

    def _element(self, name: str, attributes: dict[str, str]) -> None:
        self.picture_count += name == "img"
        html_name = _RENAMED.get(name, name)
        if name == "nav" and _lists_places(attributes):
            html_name = "nav"
        texts = [f' {key}="{escape(text)}"' for key, text in self._attributes(name, attributes)]
        self._pieces.append(f"<{html_name}{''.join(texts)}>")
        self._names.append(html_name)

    def _attributes(self, name: str, attributes: dict[str, str]) -> list[tuple[str, str]]:
        """Return the attributes for HTML.

        Book readers show `aria-hidden` content; pandoc writes the attribute for captions, which are text. On a <span>
        it marks the second form of a formula.
        """
        pairs = []
        for key, text in attributes.items():
            namespace, _, own_name = key.rpartition("}")
            if own_name == "aria-hidden" and name != "span":
                continue
            own_name = f"{_PREFIXES.get(namespace, '')}{own_name}"
            pairs.append((own_name, text))
        if name == "a":
            return [(key, self._same_document(text)) for key, text in pairs]
        return pairs

    def _same_document(self, href: str) -> str:
        """Return a link to a place in this document as the fragment alone, the form of links to notes."""
        target, mark, fragment = href.partition("#")
        if mark and target and unquote(resolve_reference(self._folder, target)) == self._path:
            return f"#{fragment}"
        return href

    def _link(self, attributes: dict[str, str]) -> None:
        relation = attributes.get("rel", "").lower().split()
        if "stylesheet" in relation and "alternate" not in relation:
            self._add_style(self._styles.text(self._folder, attributes.get("href", "")), attributes.get("media", ""))

    def _add_style(self, text: str, media: str) -> None:
        room = MAX_STYLE_CHARS - self._style_chars
        self._style_chars += len(text)
        if room > 0 and text:
            self._pieces.append(_style_element(text[:room], media))


def _tolerantly(content: bytes, path: str, styles: StyleReader, *, is_cut: bool) -> Chapter:
    """Return a document that is not well-formed XML, parsed as HTML, with empty elements closed."""
    text, _ = decode(content, None, html=True)
    pieces = text.split("<", 2 * MAX_ELEMENTS)
    if len(pieces) > 2 * MAX_ELEMENTS:
        text, is_cut = "<".join(pieces[:-1]), True
    subset = _SUBSET.search(text[:5_000])
    if subset is not None and (end := text.find("]>", subset.end())) >= 0:
        text = text[: subset.start()] + text[end + 2 :]
    text = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
    text = _FOOTER.sub(r"<\1div", text)
    folder = path.rpartition("/")[0]
    sheets: list[str] = []
    for link in _LINK_TAG.finditer(text):
        href = _HREF.search(link[1])
        if href is not None and "stylesheet" in link[1].lower() and len(sheets) < MAX_IMPORTS:
            sheets.append(_style_element(styles.text(folder, href[1])))
    return Chapter("".join((*sheets, text)), len(_IMAGE_TAG.findall(text)), is_cut)
