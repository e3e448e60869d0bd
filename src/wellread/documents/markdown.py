"""Markdown (CommonMark with tables) as blocks; content that its page would hide, comments first of all, is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.errors import Empty, TooLarge
from wellread.extractor_types import MEDIA_TYPES
from wellread.metadata.cleaning import line
from wellread.net.media_types import decode
from wellread.text.characters import without_invisible
from wellread.text.dates import iso
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.types import Source

MAX_CHARS: Final = 2_000_000
MAX_NAMED_FIELDS: Final = 10
MAX_FRONT_CHARS: Final = 20_000
_FRONT: Final = re.compile(
    rf"\A(---|\+\+\+)[ \t]*\n(.{{0,{MAX_FRONT_CHARS}}}?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL
)
"""YAML (Jekyll, Pandoc, Hugging Face) or TOML (Hugo, Zola)."""
_KEY: Final = re.compile(r"[\"']?([A-Za-z_][\w. -]{0,60}?)[\"']?[ \t]*([:=])(?:[ \t]+(.*)|)$")
_PLAIN_NAME: Final = re.compile(r"\w{1,20}")
_BLOCK_SCALAR: Final = re.compile(r"[|>][+-]?\d?[+-]?$")
_LANGUAGES: Final = {"---": ("yaml", ":"), "+++": ("toml", "=")}
_ESCAPED_QUOTES: Final = {"'": "''", '"': '\\"'}
_TITLE_FIELDS: Final = ("title",)
_AUTHOR_FIELDS: Final = ("author", "authors")
_DATE_FIELDS: Final = ("date", "published", "pubdate")
_DESCRIPTION_FIELDS: Final = ("description", "summary", "abstract")
_LANGUAGE_FIELDS: Final = ("lang", "language", "locale")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


class MarkdownExtractor:
    """Reads Markdown files."""

    name = "markdown"
    media_types = MEDIA_TYPES["markdown"]

    def extract(self, source: Source) -> Extraction:
        """Read Markdown into blocks; links are made absolute.

        Raises:
            Empty: nothing is shown.
            TooLarge: the file is longer than `MAX_CHARS`.
        """
        raw, _ = decode(source.body, source.charset, html=False)
        if len(raw) > MAX_CHARS:
            raise TooLarge(
                f"{source.url or 'the file'} is Markdown of more than {MAX_CHARS} characters", url=source.url
            )
        text, invisible_count = without_invisible(raw.replace("\r\n", "\n").replace("\r", "\n"))
        front_matter = _front_matter(text) or _FrontMatter("", "", {}, 0)
        from wellread.extraction import commonmark  # its parser is loaded for such a file only

        document, links, notices = commonmark.read(text[front_matter.end :], source.url)
        metadata, left_out = _metadata(front_matter.fields, document)
        if front_matter.text and source.mode == "recall":
            document = (Block(Kind.CODE, (Span(front_matter.text),), label=front_matter.language), *document)
        elif left_out:
            detail = f"fields of the front matter without a place in the metadata: {_listed(left_out)}"
            notices = (*notices, Notice("front_matter_left_out", detail, len(left_out)))
        if not document:
            raise Empty(f"{source.url or 'the file'} has no text", url=source.url)
        return Extraction(
            document=document,
            metadata=metadata,
            method=self.name,
            links=links,
            notices=(*notices, *_notices(invisible_count)),
            source_chars=len(raw),
        )


class _FrontMatter(NamedTuple):
    text: str
    language: str
    """yaml or toml."""
    fields: Mapping[str, tuple[str, ...]]
    """The values of each top-level field, list elements one by one; names are lower case."""
    end: int
    """Offset of the body."""


def _front_matter(text: str) -> _FrontMatter | None:
    """Return the front matter; None where the text between the two rules is no front matter."""
    match = _FRONT.match(text)
    if match is None:
        return None
    language, sign = _LANGUAGES[match[1]]
    fields: dict[str, list[str]] = {}
    name = ""
    for row in match[2].split("\n"):
        key = _KEY.match(row)
        if key is not None and key[2] == sign:
            name = key[1].lower()
            scalar = (key[3] or "").strip()
            fields[name] = [scalar] * (_BLOCK_SCALAR.match(scalar) is None)
        elif not row.strip() or row.lstrip().startswith("#") or (row.startswith("[") and match[1] == "+++"):
            if row.startswith("["):
                name = ""
        elif name and row.startswith((" ", "\t", "- ", "]", "}")):
            fields[name].append(row.strip())
        elif row.strip() != "-" and not (name and match[1] == "+++"):
            return None
    values = {name: tuple(_values(rows)) for name, rows in fields.items()}
    if not fields:
        return None
    return _FrontMatter(match[2].strip("\n"), language, values, match.end())


def _values(rows: list[str]) -> Iterator[str]:
    """Yield the values of a field: each element of a list, or the lines of a text joined."""
    rows = [row for row in rows if row]
    items = [row.removeprefix("-").strip() for row in rows if row.startswith("-")]
    joined = " ".join(rows)
    if items and not rows[0].startswith(('"', "'")) and len(items) == len(rows):
        pass
    elif joined.startswith("[") and joined.endswith("]"):
        items = joined[1:-1].split(",")
    else:
        items = [joined]
    for item in items:
        value = _unquoted(re.sub(r"\Aname[ \t]*:[ \t]*", "", item))  # an object with a name, such as an author
        if value:
            yield value


def _unquoted(scalar: str) -> str:
    scalar = scalar.strip()
    if len(scalar) >= 2 and scalar[0] == scalar[-1] and scalar[0] in "\"'":
        quote = scalar[0]
        return scalar[1:-1].replace(_ESCAPED_QUOTES[quote], quote)
    return scalar


def _metadata(fields: Mapping[str, tuple[str, ...]], document: Sequence[Block]) -> tuple[Metadata, list[str]]:
    """Return the metadata, and the names of the fields that are not in it."""
    used: set[str] = set()

    def field(names: Sequence[str]) -> str | None:
        name = next((name for name in names if fields.get(name)), None)
        if name is None:
            return None
        used.add(name)
        return line(", ".join(fields[name]))

    heading = next((block for block in document if block.kind is Kind.HEADING), None)
    title = field(_TITLE_FIELDS)
    author = field(_AUTHOR_FIELDS)
    published = iso(field(_DATE_FIELDS))
    language = field(_LANGUAGE_FIELDS)
    metadata = Metadata(
        title=title or (line("".join(span.text for span in heading.spans)) if heading else None),
        byline=author,
        author=author,
        description=field(_DESCRIPTION_FIELDS),
        published_date=published,
        published_source="meta" if published else None,
        language=language if language and _LANGUAGE.fullmatch(language) else None,
    )
    return metadata, [name for name, values in fields.items() if values and name not in used]


def _listed(names: Sequence[str]) -> str:
    """Return names that are one short word each, and the number of the others: a notice holds no text of the file."""
    plain = [name for name in names if _PLAIN_NAME.fullmatch(name)][:MAX_NAMED_FIELDS]
    others = len(names) - len(plain)
    if others:
        return ", ".join([*plain, f"{others} with other names"])
    return ", ".join(plain)


def _notices(invisible_count: int) -> tuple[Notice, ...]:
    if not invisible_count:
        return ()
    return (Notice("invisible_characters", "invisible characters were removed", invisible_count),)
