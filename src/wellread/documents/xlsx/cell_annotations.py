"""Content over the cells of a sheet: comments (ECMA-376 part 1, 18.7), threads of them, shapes and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree.ElementTree import ParseError

from wellread.documents import drawingml, ooxml
from wellread.documents.ooxml import local_name
from wellread.documents.xlsx.references import MAX_COLUMN, cell, column_name
from wellread.documents.xlsx.strings import one_line
from wellread.text.characters import without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.etree.ElementTree import Element

MAX_COMMENTS: Final = 5_000
MAX_SHAPES: Final = 2_000

_THREAD_MARK: Final = "tc={"
"""The prefix of the author of a comment that represents a thread ([MS-XLSX] 2.6.205)."""


class Comment(NamedTuple):
    """A comment on a cell."""

    reference: str
    author: str
    text: str


class Drawing(NamedTuple):
    """The text of the shapes over a sheet."""

    texts: tuple[str, ...] = ()
    chart_titles: tuple[str, ...] = ()
    """One for each chart; empty where it has none."""
    pictures: int = 0


def comments(package: ooxml.OoxmlPackage, part: str) -> list[Comment]:
    """Return the comments on the cells of a sheet; a thread replaces its representing note."""
    notes: list[Comment] = []
    threads: list[Comment] = []
    for relation in package.relations(part):
        if relation.kind == "comments":
            notes.extend(_notes(package, relation.target))
        elif relation.kind == "threadedComment":
            threads.extend(_thread(package, relation.target))
    in_threads = {comment.reference for comment in threads}
    shown_comments = [
        note for note in notes if note.reference not in in_threads or not note.author.startswith(_THREAD_MARK)
    ]
    shown_comments.extend(threads)
    return sorted(shown_comments, key=_place)


def _place(comment: Comment) -> tuple[int, int]:
    return cell(comment.reference) or (0, MAX_COLUMN)


def _root(package: ooxml.OoxmlPackage, part: str) -> Element | None:
    if part not in package.parts:
        return None
    try:
        return ooxml.parse_part(package.parts[part], part_cut=part in package.cut).root
    except ParseError:
        return None


def _notes(package: ooxml.OoxmlPackage, part: str) -> Iterator[Comment]:
    root = _root(package, part)
    authors = [author.text or "" for author in drawingml.children(drawingml.child(root, "authors"))]
    for element in drawingml.children(drawingml.child(root, "commentList"))[:MAX_COMMENTS]:
        author = ""
        number = element.get("authorId", "")
        if number.isascii() and number.isdigit() and len(number) < 8 and int(number) < len(authors):
            author = authors[int(number)]
        text = _text(drawingml.child(element, "text"), author)
        if not author.startswith(_THREAD_MARK):
            author = _clean(author)
        if text:
            yield Comment(_reference(element), author, text)


def _text(element: Element | None, author: str) -> str:
    """Return the text of a comment; Excel writes the author's name into its first line."""
    if element is None:
        return ""
    pieces: list[str] = []
    for run in element:
        if local_name(run.tag) in {"r", "t"}:
            pieces.extend(text.text or "" for text in run.iter() if local_name(text.tag) == "t")
    text = "".join(pieces)
    if author:
        text = text.removeprefix(f"{author}:")
    return _clean(text)


def _thread(package: ooxml.OoxmlPackage, part: str) -> Iterator[Comment]:
    root = _root(package, part)
    persons = _persons(package)
    for element in drawingml.children(root)[:MAX_COMMENTS]:
        text = drawingml.child(element, "text")
        if text is not None and (text.text or "").strip():
            yield Comment(_reference(element), persons.get(element.get("personId", ""), ""), _clean(text.text or ""))


def _persons(package: ooxml.OoxmlPackage) -> dict[str, str]:
    """Return the names of comment authors, by their ids."""
    persons: dict[str, str] = {}
    for part in package.parts:
        if "persons/" in part:
            elements = drawingml.children(_root(package, part))
            persons |= {person.get("id", ""): _clean(person.get("displayName", "")) for person in elements}
    return persons


def _reference(element: Element) -> str:
    position = cell(element.get("ref", ""))
    return f"{column_name(position[1])}{position[0]}" if position else ""


def _clean(text: str) -> str:
    return without_invisible(one_line(text))[0]


def drawing(package: ooxml.OoxmlPackage, parts: Iterable[str]) -> Drawing:
    """Return the text of the drawings of a sheet."""
    texts: list[str] = []
    titles: list[str] = []
    pictures = 0
    for part in parts:
        root = _root(package, part)
        if root is None:
            continue
        targets = package.related(part)
        for element in drawingml.shown_elements(root):
            name = local_name(element.tag)
            if name == "sp" and len(texts) < MAX_SHAPES and not _is_hidden(element):
                texts.append(drawingml.plain_text(drawingml.child(element, "txBody")))
            elif name == "pic":
                pictures += 1
            elif name == "chart" and len(titles) < MAX_SHAPES:
                titles.append(_chart_title(package, targets.get(drawingml.attribute(element, "id"), "")))
    return Drawing(tuple(filter(None, texts)), tuple(titles), pictures)


def _is_hidden(shape: Element) -> bool:
    properties = drawingml.child(shape, "nvSpPr", "cNvPr")
    return properties is not None and properties.get("hidden") in {"1", "true"}


def _chart_title(package: ooxml.OoxmlPackage, part: str) -> str:
    try:
        return drawingml.chart(package.parts.get(part, b""), part_cut=part in package.cut).title
    except ParseError:
        return ""
