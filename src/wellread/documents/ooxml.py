"""Opens Office Open XML packages (ECMA-376 part 2): parts unpacked within limits, XML without entities, properties.

The libraries that read documents never see the file that came: they get a copy of the parts that were checked here.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET
from xml.parsers import expat

from wellread.errors import TooLarge, Unsupported

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_PARTS = 5_000
MAX_PART_BYTES = 20_000_000
MAX_BYTES = 60_000_000
"""Unpacked, all parts together."""
MAX_DEPTH = 60
"""Elements nested deeper are left out: the libraries read by recursion."""

_READ = (".xml", ".rels")
_PLAINLY_PACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})  # ECMA-376 part 2 allows no other
_ENTRY = b"PK\x01\x02"
_PIECE = 1 << 16


class Relation(NamedTuple):
    """A relationship of a part (ECMA-376 part 2, 8.3)."""

    id: str
    kind: str
    """The last step of its type: hyperlink, comments, image."""
    target: str
    """Name of a part; of what lies outside, the address as it is written."""
    is_external: bool


class OoxmlPackage(NamedTuple):
    """The XML parts of a document."""

    parts: dict[str, bytes]
    """Name, without a slash in front -> content."""
    cut: frozenset[str]
    """The parts that are longer than what was read of them."""

    def related(self, part: str) -> dict[str, str]:
        """Return id -> target of the relationships of a part: names of parts, URLs as they are."""
        return {relation.id: relation.target for relation in self.relations(part)}

    def kinds(self, part: str) -> dict[str, list[str]]:
        """Return kind -> targets of the relationships of a part; of the package itself for an empty name."""
        targets: dict[str, list[str]] = {}
        for relation in self.relations(part):
            targets.setdefault(relation.kind, []).append(relation.target)
        return targets

    def relations(self, part: str) -> list[Relation]:
        """Return the relationships of a part; of the package itself for an empty name."""
        folder, _, name = part.rpartition("/")
        data = self.parts.get(f"{folder}/_rels/{name}.rels".removeprefix("/"))
        if data is None:
            return []
        return [_relation(element, folder) for element in parse_part(data).root]


def _relation(element: Element, folder: str) -> Relation:
    target = element.get("Target", "")
    is_external = element.get("TargetMode") == "External"
    kind = element.get("Type", "").rpartition("/")[2]
    if not is_external:
        target = _resolved(folder, target)
    return Relation(element.get("Id", ""), kind, target, is_external)


class PartTree(NamedTuple):
    """A part, parsed."""

    root: Element
    cut: bool
    """There was more, or it was nested too deep."""


def open_package(body: bytes, where: str, kind: str, *, more: tuple[str, ...] = ()) -> OoxmlPackage:
    """Unpack the XML parts of a package, and the parts with the suffixes in `more`, within the limits.

    `where` and `kind` name the file and its format in errors.

    Raises:
        Unsupported: it is no package, damaged or encrypted, or declares entities.
        TooLarge: it has too many parts.
    """
    if body.count(_ENTRY) > MAX_PARTS:
        raise TooLarge(f"{where} is packed in more than {MAX_PARTS:,} parts", hint="")
    try:
        with zipfile.ZipFile(BytesIO(body)) as archive:
            return _unpacked(archive, where, (*_READ, *more))
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, NotImplementedError) as error:
        raise Unsupported.damaged(where, kind, error) from error


def _unpacked(archive: zipfile.ZipFile, where: str, suffixes: tuple[str, ...]) -> OoxmlPackage:
    parts: dict[str, bytes] = {}
    cut: set[str] = set()
    bytes_left = MAX_BYTES
    for info in archive.infolist():
        name = info.filename.lstrip("/")
        if not name.lower().endswith(suffixes) or name in parts:
            continue
        if info.flag_bits & 1 or info.compress_type not in _PLAINLY_PACKED:
            raise Unsupported(
                f"{where} is encrypted, or its ZIP structure is not one that office programs write", hint=""
            )
        max_bytes = min(MAX_PART_BYTES, bytes_left)
        with archive.open(info) as part:
            data = part.read(max_bytes + 1)
        if len(data) > max_bytes:
            data = data[:max_bytes]
            cut.add(name)
        bytes_left -= len(data)
        if name.lower().endswith(_READ) and _declares(data):
            raise Unsupported(f"{where} declares entities, which no office program writes", hint="")
        parts[name] = data
    return OoxmlPackage(parts, frozenset(cut))


class _StopParsing(Exception):
    """Enough has been read."""


def _declares(data: bytes) -> bool:
    """Return whether a document type stands before the first element: there alone can entities be declared."""
    has_doctype = False

    def doctype(*_: object) -> None:
        nonlocal has_doctype
        has_doctype = True
        raise _StopParsing

    def begin(*_: object) -> None:
        raise _StopParsing

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = begin
    try:
        for offset in range(0, len(data), _PIECE):
            parser.Parse(data[offset : offset + _PIECE], False)  # noqa: FBT003 - expat's own signature
    except (
        _StopParsing,
        expat.ExpatError,
        LookupError,
        ValueError,
    ):  # the reader of the part reports the damage
        return has_doctype
    return has_doctype


class _LocalNames(dict[str, str]):
    """Names without their namespaces; the relationship id of an element is its `rel`, for another `id` may be there."""

    def __missing__(self, name: str) -> str:
        short = local_name(name)
        if short == "id" and name.endswith("relationships}id"):
            short = "rel"
        self[name] = short
        return short


class _BoundedTreeBuilder(ET.TreeBuilder):
    """Builds a tree of at most so many elements, at most so deep; the rest is passed over."""

    def __init__(self, most: int, deepest: int, *, local_names: bool) -> None:
        super().__init__()
        self.elements_left = most
        self._deepest = deepest
        self._names: _LocalNames | None = None
        if local_names:
            self._names = _LocalNames()
        self.root: Element | None = None
        self.cut = False
        self._depth = self._skipped_depth = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        if self._skipped_depth or self._depth >= self._deepest or self.elements_left <= 0:
            self._skipped_depth += 1
            self.cut = True
            return None  # type: ignore[return-value]  # expat drops what a handler returns
        self.elements_left -= 1
        self._depth += 1
        if self._names is not None:
            names = self._names
            tag = names[tag]
            if attrs:
                attrs = {names[name]: value for name, value in attrs.items()}
        element = super().start(tag, attrs)
        if self.root is None:
            self.root = element
        return element

    def end(self, tag: str, /) -> Element:
        if self._skipped_depth:
            self._skipped_depth -= 1
            return None  # type: ignore[return-value]  # expat drops what a handler returns
        self._depth -= 1
        return super().end(tag)

    def data(self, data: str, /) -> None:
        if not self._skipped_depth:
            super().data(data)


def parse_part(
    data: bytes, *, most: int = 100_000, deepest: int = MAX_DEPTH, part_cut: bool = False, local_names: bool = False
) -> PartTree:
    """Parse a part, at most `most` elements of it, at most `deepest` levels deep; of a cut part, all that is there.

    With `local_names`, elements and attributes are named without their namespaces, the id of a relationship `rel`.

    Raises:
        ElementTree.ParseError: it is no XML.
    """
    builder = _BoundedTreeBuilder(most, deepest, local_names=local_names)
    parser = ET.XMLParser(target=builder)  # noqa: S314 - `open_package` has refused whatever declares entities
    try:
        parser.feed(data)
        if not part_cut:
            parser.close()
    except ET.ParseError:
        if not part_cut:
            raise
    if builder.root is None:
        raise ET.ParseError("there is no element in it")
    return PartTree(builder.root, builder.cut or part_cut)


def local_name(tag: str) -> str:
    """Return the name of an element or attribute without its namespace: strict and transitional files differ in it."""
    return tag.rpartition("}")[2]


def core_properties(package: OoxmlPackage) -> dict[str, str]:
    """Return the core properties (ECMA-376 part 2 clause 11): title, creator, created, modified, language, ..."""
    try:
        root = parse_part(package.parts.get("docProps/core.xml", b"<none/>")).root
    except ET.ParseError:
        return {}
    return {local_name(element.tag): element.text or "" for element in root}


def _resolved(folder: str, target: str) -> str:
    """Return the name of the part that a relationship points to."""
    if target.startswith("/"):
        return target[1:]
    steps = folder.split("/") if folder else []
    for step in target.split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in {"", "."}:
            steps.append(step)
    return "/".join(steps)
