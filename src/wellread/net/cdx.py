"""Reads indexes of web archives: lines that name the WARC file, the offset and the length of a record.

Three forms are in use. CDX begins with a line of letters that names its columns (` CDX N b a m s k r M S V g`, IIPC,
2015). CDXJ has a key, a time and a JSON object. CDX servers answer with JSON alone (`output=json`). The table of Common
Crawl has other names for the same fields (`warc_filename`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_LINE: Final = 1 << 16

_LETTERS: Final = {"a": "url", "m": "mime", "s": "status", "S": "length", "V": "offset", "g": "filename"}
"""Columns of CDX by their letters; the others are not needed."""
_USUAL_COLUMNS: Final = ["N", "b", "a", "m", "s", "k", "r", "M", "S", "V", "g"]
_OTHER_NAMES: Final = {
    "warc_filename": "filename",
    "warc_record_offset": "offset",
    "warc_record_length": "length",
    "fetch_status": "status",
    "content_mime_type": "mime",
}


class IndexedRecord(NamedTuple):
    """The place of one record, as an index says it."""

    url: str
    filename: str
    """The path of the WARC file below the address of the archive."""
    offset: int
    length: int
    status: str
    mime: str

    @property
    def skip_reason(self) -> str:
        """Return why the record is no page, in the words of `warc_records`; nothing for a page."""
        if self.mime == "warc/revisit":
            return "repeated answers"
        if self.status[:1] == "3":
            return "redirects"
        if self.status[:1] in {"4", "5"}:
            return "errors"
        return ""


def indexed_records(lines: Iterable[bytes], name: str) -> Iterator[IndexedRecord | InvalidInput]:
    """Yield the record of each line of the index `name`, or the error of a line that names none."""
    columns = _USUAL_COLUMNS
    for number, line in enumerate(lines, 1):
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("CDX "):
            columns = text.split()[1:]
        elif text:
            try:
                yield _record(_fields(text, columns))
            except (ValueError, KeyError, RecursionError) as error:
                hint = "give CDX with the columns a, S, V and g, or CDXJ, or the JSON of a CDX server"
                yield InvalidInput(f"line {number} of {name} names no record: {_reason(error)}", hint=hint)


def _fields(text: str, columns: list[str]) -> Mapping[str, object]:
    if text.endswith("}"):
        fields = json.loads(text[text.index("{") :])
        return {_OTHER_NAMES.get(name, name): field for name, field in fields.items()}
    cells = text.split()
    if len(cells) != len(columns):
        raise ValueError(f"it has {len(cells)} columns, not {len(columns)}")
    return {_LETTERS[letter]: cell for letter, cell in zip(columns, cells, strict=True) if letter in _LETTERS}


def _record(fields: Mapping[str, object]) -> IndexedRecord:
    url, filename = str(fields["url"]), str(fields["filename"])
    f"{url}{filename}".encode()  # JSON can have half of a surrogate pair, which no URL has
    return IndexedRecord(
        url=url,
        filename=filename,
        offset=_number(fields["offset"]),
        length=_number(fields["length"]),
        status=str(fields.get("status", "")),
        mime=str(fields.get("mime", "")),
    )


def _number(field: object) -> int:
    digits = str(field)
    if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
        raise ValueError(f"{digits[:40]!r} is no offset or length")
    return int(digits)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]}"
    return str(error)[:200]
