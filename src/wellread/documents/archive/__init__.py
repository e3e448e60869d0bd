"""Archives (ZIP, tar) as a list of their members, and one file out of them; nothing is written to disk.

`wellread.reading.snapshot_building` chooses the extractor of the unpacked file. An archive within an archive is not
opened, so that unpacking ends after two steps at most: one decompression of the whole, one of the member.
"""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Final

from wellread.documents.archive import compressed
from wellread.documents.archive.compressed import LimitReached, is_compressed, unpacked_stream
from wellread.documents.archive.members import (
    MAX_MEMBER_BYTES,
    Member,
    UnpackedFile,
    byte_limit,
    damaged,
    member_label,
    name_key,
    too_large,
)
from wellread.documents.archive.tar_file import BLOCK_BYTES, TarArchive, is_tar
from wellread.documents.archive.zip_file import ZipArchive, is_zip
from wellread.documents.archive_urls import join
from wellread.errors import SIMILAR_NAMES, Empty, Gone, Unsupported, without_quotations
from wellread.extractor_types import MEDIA_TYPES
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span

if TYPE_CHECKING:
    from wellread.types import Source

MAX_LISTED: Final = 2_000
"""Members in the list; the others are counted."""
_MAX_NAMED: Final = 3
_MAX_COMPARED: Final = 300
_MAX_COMPARED_CHARS: Final = 200
"""The comparison of two names takes the product of their lengths."""
_HEADER: Final = ("Name", "Bytes", "Modified")


def is_archive(body: bytes) -> bool:
    """Tell by its bytes whether a file is an archive, also with a program before it (self-extracting ZIP)."""
    return is_zip(body) or is_compressed(body) or is_tar(body[:BLOCK_BYTES])


class ArchiveExtractor:
    """Lists the members of an archive, or unpacks one of its files."""

    name = "archive"
    media_types = MEDIA_TYPES["archive"]

    def extract(self, source: Source) -> Extraction:
        """List the members; below `source.member`, if that is a folder.

        Raises:
            Unsupported: it is damaged, or no archive.
            TooLarge: it has too many members, or unpacks to too many bytes.
            Empty: it has no members.
            Gone: there is no such folder in it.
        """
        source_name = source.url or "the archive"
        archive = _opened(source.body, source_name)
        members = [_lone_file(source, source_name)] if archive is None else list(archive.members())
        if not members:
            raise Empty(f"{source_name} is an archive without files", url=source.url, hint="")
        if source.member:
            members = _in_folder(members, source.member, source_name)
        notices = [_reading_notice(source)]
        if len(members) > MAX_LISTED:
            beyond = len(members) - MAX_LISTED
            detail = f"the first {MAX_LISTED:,} of {len(members):,} members are listed; a folder name lists its members"
            notices.append(Notice("members_cut", detail, beyond))
        if isinstance(archive, TarArchive) and archive.cut:
            detail = f"the archive was read up to {archive.cut}; members after it are not listed"
            notices.append(Notice("members_cut", detail))
        rows = [_row(_HEADER, is_header=True), *map(_member_row, members[:MAX_LISTED])]
        return Extraction(
            document=(Block(Kind.TABLE, children=tuple(rows)),),
            metadata=Metadata(title=_title(source.url)),
            method=self.name,
            notices=tuple(notices),
            source_chars=sum(len(member.name) + 30 for member in members),
        )


def unpack(source: Source) -> UnpackedFile | None:
    """Return the file that `source` asks for; None where it asks for a list of members.

    The file is the member that `source.member` names, or the content of a file that is compressed alone, such as
    `table.csv.gz`.

    Raises:
        Unsupported: it is damaged, encrypted, a link, or packed with an unsupported method.
        TooLarge: it unpacks to more bytes than it may.
        Gone: the archive has neither a file nor a folder of this name.
    """
    source_name = source.url or "the archive"
    archive = _opened(source.body, source_name)
    if archive is None:
        return _decompressed(source, source_name)
    if not source.member:
        return None
    file = archive.read(source.member)
    if file is not None:
        return file
    members = list(archive.members())
    if _below(members, source.member):
        return None
    raise _missing(source, members, source_name)


def _opened(body: bytes, source_name: str) -> ZipArchive | TarArchive | None:
    """Return the archive; None where one file is compressed alone.

    Raises:
        Unsupported: it is no archive, or damaged.
    """
    if is_compressed(body):
        return TarArchive(body, source_name) if is_tar(_start(body, source_name)) else None
    if is_zip(body):
        return ZipArchive(body, source_name)
    if is_tar(body[:BLOCK_BYTES]):
        return TarArchive(body, source_name)
    raise damaged(
        source_name, "it is not a supported archive (ZIP, tar, gzip, bzip2, xz, Zstandard), or it was cut off"
    )


def _start(body: bytes, source_name: str) -> bytes:
    stream = unpacked_stream(body, MAX_MEMBER_BYTES)
    start = b""
    try:
        while len(start) < BLOCK_BYTES and (piece := stream.read(BLOCK_BYTES - len(start))):
            start += piece
    except compressed.PROBLEMS as error:
        if not start:
            raise damaged(source_name, error) from error
    return start


def _decompressed(source: Source, source_name: str) -> UnpackedFile:
    name = _lone_name(source)
    if source.member and name_key(source.member) != name_key(name):
        hint = "leave out the member"
        raise Gone(f"{source_name} is one compressed file, {name}, not an archive", url=source.url, hint=hint)
    limit = byte_limit(len(source.body), MAX_MEMBER_BYTES)
    stream = unpacked_stream(source.body, limit)
    body = bytearray()
    try:
        while piece := stream.read(1 << 16):
            body += piece
    except LimitReached as error:
        raise too_large(source_name, limit) from error
    except compressed.PROBLEMS as error:
        if not body:
            raise damaged(source_name, error) from error
        return UnpackedFile(
            name, bytes(body), problem=f"it is damaged or was cut off: {without_quotations(str(error))}"
        )
    return UnpackedFile(name, bytes(body))


def _lone_name(source: Source) -> str:
    """Return the name of a file that is compressed alone: that of the URL without its last suffix."""
    name = (source.url or "").partition("?")[0].partition("#")[0].rpartition("/")[2]
    for suffix in compressed.SUFFIXES:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return compressed.stored_name(source.body) or name or "file"


def _lone_file(source: Source, source_name: str) -> Member:
    file = _decompressed(source, source_name)
    return Member(file.name, len(file.body), "")


def _below(members: list[Member], folder: str) -> list[Member]:
    prefix = name_key(folder).rstrip("/") + "/"
    return [member for member in members if name_key(member.name).startswith(prefix)]


def _in_folder(members: list[Member], folder: str, source_name: str) -> list[Member]:
    below = _below(members, folder)
    if not below:
        raise Gone(
            f"the archive has no folder {member_label(folder, source_name)}",
            hint="read the archive to list its members",
        )
    return below


def _missing(source: Source, members: list[Member], source_name: str) -> Gone | Unsupported:
    """Return the error for a member that is not there; names like it are in the hint."""
    names = [member.name for member in members]
    outer = source.member.partition("!/")[0]
    if outer != source.member and name_key(outer) in set(map(name_key, names)):
        return nested(outer, source.url)
    near = _names_like(source.member, names)
    quoted = ", ".join(json.dumps(name, ensure_ascii=False) for name in near)
    hint = f"{SIMILAR_NAMES}{quoted}" if near else "read the archive to list its members"
    return Gone(
        f"the archive has no member {member_label(source.member[:200], source_name)}", url=source.url, hint=hint
    )


def _names_like(member: str, names: list[str]) -> list[str]:
    """Return names similar to a missing one: the same file in another folder, else a similar spelling."""
    file_name = member.rpartition("/")[2].casefold()
    in_other_folders = [name for name in names if name.rpartition("/")[2].casefold() == file_name]
    if in_other_folders:
        return in_other_folders[:_MAX_NAMED]
    short = [name for name in names[:_MAX_COMPARED] if len(name) <= _MAX_COMPARED_CHARS]
    return difflib.get_close_matches(member[:_MAX_COMPARED_CHARS], short, n=_MAX_NAMED, cutoff=0.5)


def nested(name: str, url: str | None) -> Unsupported:
    """Return the error for an archive within an archive."""
    hint = "download the outer archive (`wellread download URL`) and unpack it"
    label = join(url, name) if url else name
    return Unsupported(f"{label} is an archive inside an archive, which is not opened", url=url, hint=hint)


def _reading_notice(source: Source) -> Notice:
    address = f"as {join(source.url, 'NAME')}" if source.url else "with the option `member`"
    return Notice("archive_listed", f"the members of the archive are listed; to read one, use {address}")


def _member_row(member: Member) -> Block:
    size = f"{member.size:,}"
    if member.obstacle:
        size += f" ({member.obstacle})"
    return _row((member.name, size, member.modified))


def _row(texts: tuple[str, ...], *, is_header: bool = False) -> Block:
    cells = (Block(Kind.CELL, (Span(text),) if text else (), level=int(is_header)) for text in texts)
    return Block(Kind.ROW, children=tuple(cells))


def _title(url: str | None) -> str | None:
    name = (url or "").partition("?")[0].partition("#")[0].rpartition("/")[2]
    return name or None
