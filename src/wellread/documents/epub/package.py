"""Read the package document of a book (EPUB 3.3, section 5): files in reading order, titles, metadata.

Books break the rules in small ways: other media types, percent-encoding, another case, files that are not there, a
package document that is not well-formed. As much as possible is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree.ElementTree import ParseError

from wellread.documents.ooxml import local_name
from wellread.errors import Unsupported
from wellread.metadata.cleaning import line, prose
from wellread.net.xml_tree import parse_xml
from wellread.net.zip_reader import resolve_reference
from wellread.text.dates import iso
from wellread.types import Metadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.etree.ElementTree import Element

    from wellread.net.zip_reader import ZipReader

MAX_XML_BYTES: Final = 8_000_000
MAX_XML_ELEMENTS: Final = 100_000
MAX_CREATORS: Final = 20
MAX_TITLE_CHARS: Final = 300

_CONTENT_SUFFIXES: Final = (".xhtml", ".html", ".htm", ".xml")
_PICTURE_TYPE: Final = "image/"
_NCX_TYPE: Final = "application/x-dtbncx+xml"
_FONT_OBFUSCATION: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PROTECTION_FILES: Final = (
    ("META-INF/license.lcpl", "Readium LCP"),
    ("META-INF/sinf.xml", "Apple FairPlay"),
    ("META-INF/rights.xml", "Adobe ADEPT or a scheme like it"),
)
_ISBN: Final = re.compile(r"(?:urn:)?isbn:?\s?((?:97[89][- ]?)?[\d][\d -]{7,14}[\dX])", re.IGNORECASE)
_DOI: Final = re.compile(r"(?:doi:|https?://(?:dx\.)?doi\.org/)(10\.\d{4,9}/\S{1,200})", re.IGNORECASE)


class TocEntry(NamedTuple):
    """An entry of the table of contents."""

    title: str
    level: int
    """1 for a chapter or a part, 2 for what is below it."""


@dataclass(slots=True, kw_only=True)
class BookPackage:
    """The package document of a book, read."""

    spine: list[str] = field(default_factory=list)
    """Archive names of the documents in reading order, without repeats; empty for a missing file."""
    pictures: set[str] = field(default_factory=set)
    """Names of files of the spine that are pictures."""
    titles: dict[str, TocEntry] = field(default_factory=dict)
    """The first entry of the table of contents that leads to a document, by its name."""
    contents_pages: set[str] = field(default_factory=set)
    """Documents that the package calls a table of contents."""
    covers: set[str] = field(default_factory=set)
    metadata: Metadata = field(default_factory=Metadata)
    is_repaired: bool = False
    """The package document is damaged, and the order of the documents is that of the archive."""


def read_package(archive: ZipReader, source_name: str) -> BookPackage:
    """Return the content of the package document.

    Raises:
        Unsupported: it is no book, or protected against copying (DRM).
    """
    path = _package_path(archive)
    refuse_protected(archive, source_name)
    if path is None:
        return _unlisted(archive, source_name)
    root = _xml(archive, path)
    if root is None:
        return _unlisted(archive, source_name)
    reader = _PackageReader(archive, root, path)
    package = reader.read()
    if not any(package.spine):
        unlisted = _unlisted(archive, source_name)
        unlisted.metadata = package.metadata
        return unlisted
    return package


def refuse_protected(archive: ZipReader, source_name: str) -> None:
    """Refuse a book whose documents are encrypted; obfuscated fonts alone are no protection (EPUB 3.3, section 4.3).

    Raises:
        Unsupported: a document is encrypted.
    """
    root = _xml(archive, "META-INF/encryption.xml")
    if root is None:
        return
    for encrypted in (element for element in root.iter() if local_name(element.tag) == "EncryptedData"):
        inner = list(encrypted.iter())
        algorithms = [
            element.get("Algorithm", "") for element in inner if local_name(element.tag) == "EncryptionMethod"
        ]
        if any(algorithm in _FONT_OBFUSCATION for algorithm in algorithms[:1]):
            continue
        targets = [element.get("URI", "") for element in inner if local_name(element.tag) == "CipherReference"]
        if any(target.lower().endswith((*_CONTENT_SUFFIXES, ".opf", ".ncx")) for target in targets):
            scheme = next((name for file, name in _PROTECTION_FILES if archive.find(file)), "an unknown scheme")
            raise Unsupported(
                f"{source_name} is a book whose text is encrypted (DRM: {scheme})",
                hint="open it in its own reading program, or get a copy without DRM",
            )


def _xml(archive: ZipReader, name: str) -> Element | None:
    file = archive.read(name, MAX_XML_BYTES)
    if file is None:
        return None
    try:
        return parse_xml(file.content, max_elements=MAX_XML_ELEMENTS, is_cut=file.is_cut).root
    except ParseError:
        return None


def _package_path(archive: ZipReader) -> str | None:
    root = _xml(archive, "META-INF/container.xml")
    elements = root.iter() if root is not None else ()
    declared_paths = (element.get("full-path", "") for element in elements)
    named_paths = (archive.find(path) for path in declared_paths if path)
    by_suffix = (name for name in archive if name.lower().endswith(".opf"))
    return next((path for path in (*named_paths, *by_suffix) if path), None)


def _unlisted(archive: ZipReader, source_name: str) -> BookPackage:
    """Return the documents in the order of the archive, for a book without a package document that can be read.

    Raises:
        Unsupported: there are none.
    """
    names = [
        name
        for name in archive
        if name.lower().endswith(_CONTENT_SUFFIXES[:3]) and not name.startswith(("META-INF/", "__MACOSX/"))
    ]
    if not names:
        raise Unsupported.damaged(source_name, "EPUB book", "it has no documents")
    return BookPackage(spine=names, is_repaired=True)


class _ManifestItem(NamedTuple):
    path: str
    media_type: str
    properties: frozenset[str]


_MISSING: Final = _ManifestItem("", "", frozenset())


class _PackageReader:
    def __init__(self, archive: ZipReader, root: Element, path: str) -> None:
        self._archive = archive
        self._folder = path.rpartition("/")[0]
        self._elements = list(root.iter())
        self._items: dict[str, _ManifestItem] = {}
        for element in self._named("item"):
            self._items.setdefault(element.get("id", ""), self._item(element))

    def read(self) -> BookPackage:
        package = BookPackage(metadata=_metadata(self._elements))
        for reference in self._named("itemref"):
            item = self._items.get(reference.get("idref", "").strip(), _MISSING)
            if item.path and item.path in package.spine:
                continue
            package.spine.append(item.path)
            if item.media_type.startswith(_PICTURE_TYPE):
                package.pictures.add(item.path)
            if "cover" in reference.get("idref", "").lower():
                package.covers.add(item.path)
        for reference in self._named("reference"):
            path = self._path(self._folder, reference.get("href", ""))
            kind = reference.get("type", "").lower()
            if kind == "cover":
                package.covers.add(path)
            elif kind == "toc":
                package.contents_pages.add(path)
        self._read_toc(package)
        return package

    def _named(self, name: str) -> Iterator[Element]:
        return (element for element in self._elements if local_name(element.tag).lower() == name)

    def _item(self, element: Element) -> _ManifestItem:
        path = self._path(self._folder, element.get("href", ""))
        properties = frozenset(element.get("properties", "").split())
        return _ManifestItem(path, element.get("media-type", "").lower().strip(), properties)

    def _path(self, folder: str, href: str) -> str:
        """Return the name that the archive has for a reference; empty where the file is not there."""
        return self._archive.find(resolve_reference(folder, href)) or ""

    def _read_toc(self, package: BookPackage) -> None:
        nav = next((item for item in self._items.values() if "nav" in item.properties and item.path), None)
        if nav is not None:
            package.contents_pages.add(nav.path)
            root = _xml(self._archive, nav.path)
            if root is not None:
                self._read_nav(root, nav.path, package)
        if package.titles:
            return
        ncx = next(
            (item for item in self._items.values() if item.media_type == _NCX_TYPE or item.path.endswith(".ncx")),
            _MISSING,
        )
        root = _xml(self._archive, ncx.path)
        if root is not None:
            self._read_ncx(root, ncx.path, package)

    def _read_nav(self, root: Element, path: str, package: BookPackage) -> None:
        folder = path.rpartition("/")[0]
        for nav in (element for element in root.iter() if local_name(element.tag) == "nav"):
            kinds = " ".join(text for name, text in nav.items() if local_name(name) in {"type", "role"})
            if "toc" in kinds:
                for anchor, level in _anchors(nav):
                    self._add_title(package, folder, anchor.get("href", ""), "".join(anchor.itertext()), level)
            elif "landmarks" in kinds:
                for anchor, _ in _anchors(nav):
                    kind = " ".join(text for name, text in anchor.items() if local_name(name) == "type").split()
                    target = self._path(folder, anchor.get("href", ""))
                    if "cover" in kind:
                        package.covers.add(target)
                    if "toc" in kind:
                        package.contents_pages.add(target)

    def _read_ncx(self, root: Element, path: str, package: BookPackage) -> None:
        folder = path.rpartition("/")[0]
        stack = [(root, 0)]
        while stack:
            element, level = stack.pop()
            is_point = local_name(element.tag) == "navPoint"
            if is_point:
                level += 1
                label = next((child for child in element if local_name(child.tag) == "navLabel"), None)
                content = next((child for child in element if local_name(child.tag) == "content"), None)
                if label is not None and content is not None:
                    self._add_title(package, folder, content.get("src", ""), "".join(label.itertext()), level)
            stack.extend((child, level) for child in reversed(element) if len(child))

    def _add_title(self, package: BookPackage, folder: str, href: str, title: str, level: int) -> None:
        path = self._path(folder, href)
        clean = line(title, MAX_TITLE_CHARS)
        if path and clean:
            package.titles.setdefault(path, TocEntry(clean, min(level, 6)))


def _anchors(nav: Element) -> Iterator[tuple[Element, int]]:
    """Yield the links of a list, each with the depth of its list."""
    stack = [(nav, 0)]
    while stack:
        element, level = stack.pop()
        if local_name(element.tag) == "a":
            yield element, max(level, 1)
        level += local_name(element.tag) == "ol"
        stack.extend((child, level) for child in reversed(element))


# ------------------------------------------------------------------------------------------------ metadata


def _metadata(elements: Iterable[Element]) -> Metadata:
    """Return the Dublin Core metadata, with the roles and types that refine it (EPUB 3.3, section 5.5; OPF 2.0.1)."""
    fields: dict[str, list[Element]] = {}
    refinements: dict[tuple[str, str], str] = {}
    properties: dict[str, str] = {}
    for element in elements:
        name = local_name(element.tag).lower()
        if name == "meta":
            text = (element.text or element.get("content") or "").strip()
            key = element.get("property") or element.get("name") or ""
            if refined := element.get("refines", "").lstrip("#"):
                refinements.setdefault((refined, key), text)
            else:
                properties.setdefault(key, text)
        elif "purl.org/dc/" in element.tag:
            fields.setdefault(name, []).append(element)
    titles = sorted(fields.get("title", ()), key=lambda title: not _is_main(title, refinements))
    creators = fields.get("creator", [])[:MAX_CREATORS]
    authors = [_text(creator) for creator in creators if _is_author(creator, refinements)]
    author = line(", ".join(dict.fromkeys(filter(None, authors))))
    identifiers = [_text(identifier) or "" for identifier in fields.get("identifier", ())]
    dois = (f"https://doi.org/{match[1]}" for text in identifiers if (match := _DOI.match(text)))
    published = iso(_published(fields.get("date", ())))
    return Metadata(
        title=_first_text(titles),
        byline=author,
        author=author,
        description=_description(fields.get("description", ()), identifiers),
        published_date=published,
        published_source="meta" if published else None,
        modified_date=iso(properties.get("dcterms:modified")),
        canonical_url=next(dois, None),
        language=line(_first_text(fields.get("language", ())), 20),
        site_name=line(_first_text(fields.get("publisher", ()))),
    )


def _text(element: Element) -> str | None:
    return line("".join(element.itertext()))


def _first_text(elements: Iterable[Element]) -> str | None:
    return next((text for element in elements if (text := _text(element))), None)


def _attribute(element: Element, name: str) -> str:
    return next((text for key, text in element.items() if local_name(key) == name), "")


def _is_main(title: Element, refinements: dict[tuple[str, str], str]) -> bool:
    return refinements.get((title.get("id", ""), "title-type")) == "main"


def _is_author(creator: Element, refinements: dict[tuple[str, str], str]) -> bool:
    role = _attribute(creator, "role") or refinements.get((creator.get("id", ""), "role"), "")
    return role.lower() in {"", "aut", "author", "cre", "edt"}


def _published(dates: Iterable[Element]) -> str | None:
    """Return the date of publication; EPUB 2 tells it from other dates by `opf:event`."""
    by_event = {_attribute(date, "event").lower(): _text(date) for date in reversed([*dates])}
    return by_event.get("publication") or by_event.get("") or next(iter(by_event.values()), None)


def _description(elements: Iterable[Element], identifiers: Iterable[str]) -> str | None:
    """Return the description, with the ISBN, which has no field of its own."""
    description = next((text for element in elements if (text := prose("".join(element.itertext())))), None)
    isbn = next((f"ISBN {match[1]}" for text in identifiers if (match := _ISBN.match(text))), None)
    return " \u00b7 ".join(filter(None, (description, isbn))) or None
