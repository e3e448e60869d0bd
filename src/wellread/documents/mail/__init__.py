"""Mail: saved messages (RFC 5322, MIME) and mbox files (RFC 4155).

A message becomes a heading, its headers in a short block, its body, and a list of its attachments, which are not
opened. Of a body in two forms, the HTML is read by the rules for pages, unless its plain text has more words.
"""

from __future__ import annotations

import re
from email.utils import getaddresses
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from wellread.documents.mail.icalendar import calendar_blocks
from wellread.documents.mail.mime import PartCounter, parse_mail
from wellread.documents.mail.plain_text import PlainText
from wellread.errors import Empty, UnreadableError
from wellread.extraction import html_fragment
from wellread.extractor_types import MEDIA_TYPES
from wellread.metadata.cleaning import line
from wellread.text.characters import without_invisible
from wellread.text.dates import iso
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wellread.documents.mail.mime import MailPart
    from wellread.types import Document, Source

MAX_MESSAGES: Final = 200
"""Of an mbox file."""
MAX_TEXT_CHARS: Final = 4_000_000
MAX_HTML_CHARS: Final = 2_000_000
MAX_PEOPLE: Final = 10
"""Addresses of one header that are shown."""
MAX_LISTED: Final = 100
"""Attachments of one message that are listed."""
MAX_NESTED: Final = 4
"""Messages in messages that are read."""

_STRONG: Final = int(Style.STRONG)
_HEADERS: Final = ("From", "To", "Cc", "Reply-To", "Date")
_PEOPLE: Final = frozenset({"From", "To", "Cc", "Reply-To"})
_SEPARATOR: Final = re.compile(rb"(?:\A|\r?\n)From [^\r\n]{0,500}\r?\n(?=[!-9;-~]{1,80}:|\r?\n)")
_QUOTED_SEPARATOR: Final = re.compile(rb"^>(>*From )", re.MULTILINE)
_SIGNATURES: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_PROTECTED: Final = _SIGNATURES | {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
_MESSAGES: Final = frozenset({"message/rfc822", "message/global"})
_CODE_TYPES: Final = {
    "text/x-patch": "diff",
    "text/x-diff": "diff",
    "message/delivery-status": "",
    "message/disposition-notification": "",
    "text/rfc822-headers": "",
    "message/rfc822-headers": "",
}
_FILES: Final = frozenset({"text/vcard", "text/x-vcard", "text/directory", "text/rtf", "text/richtext"})
"""Media types of texts that no mail program shows in a message."""
_CONTENT_URL: Final = re.compile(r"cid:([^\s\"'<>()]{1,500})", re.IGNORECASE)
"""RFC 2392."""
_SUBJECTLESS: Final = "(no subject)"
_MANY_WORDS: Final = 0.6
"""Share of the words of the plain text that the HTML must have to be read instead."""


class MailExtractor:
    """Reads mail messages and mbox files."""

    name = "mail"
    media_types = MEDIA_TYPES["mail"]

    def extract(self, source: Source) -> Extraction:
        """Read a message, or the messages of an mbox file, into blocks.

        Raises:
            Empty: there is neither a header nor a text.
        """
        source_name = source.url or "the mail"
        body = source.body.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
        messages, messages_left_out = _messages(body, is_mbox=source.media_type == "application/mbox")
        reader = _MailReader()
        blocks: list[Block] = []
        metadata = Metadata()
        for number, message in enumerate(messages):
            if reader.chars > MAX_TEXT_CHARS:
                messages_left_out += len(messages) - number
                break
            mail = parse_mail(message, reader.counter)
            if number == 0:
                metadata = _metadata(mail, is_alone=len(messages) == 1)
            blocks.extend(reader.message(mail, min(len(messages), 2), 0))
        if not blocks:
            raise Empty(f"{source_name} has no headers and no text", url=source.url, hint="the file may not be a mail")
        return Extraction(
            document=tuple(blocks),
            metadata=metadata,
            method=self.name,
            links=tuple(dict.fromkeys(reader.links)),
            notices=tuple(reader.notices(messages_left_out)),
            source_chars=len(body),
        )


def _messages(body: bytes, *, is_mbox: bool) -> tuple[list[bytes], int]:
    """Return the messages of a file, and how many were left out."""
    if not is_mbox and not body.startswith(b"From "):
        return [body], 0
    starts = list(_SEPARATOR.finditer(body))
    if not starts:
        return [body], 0
    ends = [start.start() for start in starts[1:]] + [len(body)]
    spans = list(zip(starts, ends, strict=True))[:MAX_MESSAGES]
    messages = [_QUOTED_SEPARATOR.sub(rb"\1", body[start.end() : end]) for start, end in spans]
    return messages, len(starts) - len(messages)


def _metadata(mail: MailPart, *, is_alone: bool) -> Metadata:
    if not is_alone:
        return Metadata()
    sender = mail.header("From")
    names = [name or address for name, address in getaddresses([sender[:2_000]])]
    sent = iso(mail.header("Date"))
    return Metadata(
        title=line(mail.header("Subject")),
        byline=line(sender),
        author=line(", ".join(filter(None, names))),
        published_date=sent,
        published_source="meta" if sent else None,
        language=line(mail.header("Content-Language"), 20),
    )


class _MailReader:
    """Converts messages to blocks, and counts omitted content."""

    def __init__(self) -> None:
        self.counter = PartCounter()
        self.links: list[str] = []
        self.chars = 0
        self._attachments = self._pictures = self._cut = self._unreadable = 0
        self._signed = self._encrypted = self._lines_left_out = self._events_left_out = 0
        self._invisible = 0
        self._html_notices: list[Notice] = []

    # ------------------------------------------------------------------------------------------- messages

    def message(self, mail: MailPart, level: int, depth: int) -> list[Block]:
        """Return the blocks of a message: subject, headers, body, attachments."""
        subject = mail.header("Subject")
        headers = list(self._header_lines(mail))
        attachments: list[str] = []
        body = self._part(mail, depth, attachments)
        if not (subject or headers or body or attachments):
            return []
        blocks = [Block(Kind.HEADING, (Span(subject or _SUBJECTLESS),), level=min(level, 6))]
        if headers:
            blocks.append(_labelled_lines(headers))
        blocks.extend(body)
        if attachments:
            blocks.append(Block(Kind.PARAGRAPH, (Span("Attachments:", _STRONG),)))
            if len(attachments) > MAX_LISTED:
                attachments = [*attachments[:MAX_LISTED], f"and {len(attachments) - MAX_LISTED} more"]
            items = (Block(Kind.ITEM, children=(Block(Kind.PARAGRAPH, (Span(text),)),)) for text in attachments)
            blocks.append(Block(Kind.LIST, children=tuple(items)))
        return blocks

    def _header_lines(self, mail: MailPart) -> Iterator[tuple[str, str]]:
        for name in _HEADERS:
            text = mail.header(name)
            if text:
                yield name, _people(text) if name in _PEOPLE else text

    def _part(self, part: MailPart, depth: int, attachments: list[str]) -> list[Block]:
        """Return the blocks of a part; names of attachments are added to `listed`."""
        self._cut += part.is_cut
        kind = part.media_type
        if kind in _PROTECTED:
            self._count_protected(part)
            return []
        if kind == "multipart/alternative":
            return self._best_alternative(part, depth, attachments)
        if kind == "multipart/related":
            return self._related(part, depth, attachments)
        if kind in _MESSAGES:
            return self._nested(part, depth, attachments)
        if part.parts:
            return [block for inner in part.parts for block in self._part(inner, depth, attachments)]
        return self._leaf(part, attachments)

    def _count_protected(self, part: MailPart) -> None:
        """Count a signature, or a text that is encrypted or packed in a signature."""
        is_envelope = part.media_type not in _SIGNATURES
        self._encrypted += is_envelope
        self._signed += not is_envelope or _is_signed_data(part)

    def _nested(self, part: MailPart, depth: int, attachments: list[str]) -> list[Block]:
        if depth >= MAX_NESTED or self.counter.remaining <= 0:
            self._list_attachment(part, attachments)
            return []
        blocks = self.message(parse_mail(part.decoded(), self.counter), 3 + depth, depth + 1)
        if not blocks:
            return []
        return [Block(Kind.QUOTE, children=tuple(blocks))]

    def _related(self, part: MailPart, depth: int, attachments: list[str]) -> list[Block]:
        """Return the root of related parts (RFC 2387); pictures that it shows are not listed."""
        start = part.parameter("start")
        if not part.parts:
            return []
        roots = (inner for inner in part.parts if start and inner.header("Content-ID") == start)
        root = next(roots, part.parts[0])
        blocks = self._part(root, depth, attachments)
        shown_ids = {unquote(match[1]) for match in _CONTENT_URL.finditer(_html_of(root))}
        for inner in part.parts:
            content_id = inner.header("Content-ID").strip("<>")
            is_shown = bool(content_id) and content_id in shown_ids
            if inner is not root and not is_shown:
                blocks.extend(self._part(inner, depth, attachments))
        return blocks

    def _best_alternative(self, part: MailPart, depth: int, attachments: list[str]) -> list[Block]:
        """Return the fullest form of a body, and calendars beside it."""
        plain = next((inner for inner in part.parts if inner.media_type == "text/plain"), None)
        rich = [inner for inner in part.parts if inner.media_type in {"text/html", "multipart/related"}]
        others = [inner for inner in part.parts if inner is not plain and inner not in rich]
        html_blocks = [block for inner in rich[-1:] for block in self._part(inner, depth, attachments)]
        plain_blocks: list[Block] = []
        if plain is not None and (not rich or _word_count(html_blocks) < _MANY_WORDS * _words_of(plain)):
            plain_blocks = self._part(plain, depth, attachments)
        blocks = max(html_blocks, plain_blocks, key=_word_count)
        for inner in others:
            is_extra = not blocks or inner.media_type == "text/calendar" or inner.media_type.startswith("multipart/")
            if is_extra:
                blocks = [*blocks, *self._part(inner, depth, attachments)]
            elif not inner.media_type.startswith("text/"):
                self._list_attachment(inner, attachments)
        return blocks

    def _leaf(self, part: MailPart, attachments: list[str]) -> list[Block]:
        kind = part.media_type
        is_shown = part.disposition != "attachment" or kind == "text/calendar"
        if is_shown and kind == "text/html":
            return self._html(part)
        if is_shown and kind in {"text/calendar", "application/ics"}:
            blocks, left_out = calendar_blocks(part.text())
            self._events_left_out += left_out
            return blocks
        if is_shown and kind in _CODE_TYPES:
            text, count = without_invisible(part.text())
            self._invisible += count
            self.chars += len(text)
            return _code_blocks(text, _CODE_TYPES[kind])
        is_text = kind.startswith("text/") and kind not in _FILES
        if is_shown and is_text and not (part.filename and kind != "text/plain"):
            return self._plain(part)
        self._list_attachment(part, attachments)
        return []

    def _list_attachment(self, part: MailPart, attachments: list[str]) -> None:
        size = len(part.decoded())
        if not (size or part.filename):
            return
        self._attachments += 1
        name = part.filename or "unnamed"
        if part.media_type.startswith("message/"):
            name = part.filename or "message"
        attachments.append(f"{name} ({part.media_type}, {_size(size)})")

    # -------------------------------------------------------------------------------------------- bodies

    def _plain(self, part: MailPart) -> list[Block]:
        is_flowed = part.parameter("format").lower() == "flowed"
        text = PlainText(part.text(), is_flowed=is_flowed, deletes_space=part.parameter("delsp").lower() == "yes")
        self.links.extend(text.links)
        self._signed += text.is_signed
        self._encrypted += text.is_encrypted
        self._invisible += text.invisible_count
        self._lines_left_out += text.line_count_left_out
        self.chars += sum(len(span.text) for block in text.blocks for span in block.spans)
        return text.blocks

    def _html(self, part: MailPart) -> list[Block]:
        html = part.text()
        if len(html) > MAX_HTML_CHARS:
            self._cut += 1
            html = html[:MAX_HTML_CHARS]
        try:
            text = html_fragment.read(html, None)
        except UnreadableError:
            self._unreadable += 1
            return []
        self.chars += len(html)
        self.links.extend(text.links)
        self._html_notices.extend(text.notices)
        self._pictures += html.lower().count("<img")
        return list(text.document)

    # ------------------------------------------------------------------------------------------- notices

    def notices(self, messages_left_out: int) -> Iterator[Notice]:
        """Yield the notices of omitted content."""
        for code in dict.fromkeys(notice.code for notice in self._html_notices):
            same = [notice for notice in self._html_notices if notice.code == code]
            yield same[0]._replace(count=sum(notice.count for notice in same))
        if self._attachments:
            yield Notice("attachments_left_out", "attachments are listed, but not opened", self._attachments)
        if self._pictures:
            yield Notice("pictures_left_out", "pictures of a mail are not read", self._pictures)
        if self._signed:
            detail = "the mail is signed, but the signature was not checked"
            yield Notice("signature_not_checked", detail, self._signed)
        if self._encrypted:
            detail = "text that S/MIME or OpenPGP encrypts or packs in a signature is not read"
            yield Notice("encrypted_text", detail, self._encrypted)
        if self._invisible:
            yield Notice("invisible_characters", "invisible characters were removed", self._invisible)
        if messages_left_out:
            detail = f"only {MAX_MESSAGES} messages, or {MAX_TEXT_CHARS:,} characters, of a file are read"
            yield Notice("messages_left_out", detail, messages_left_out)
        yield from self._cuts()

    def _cuts(self) -> Iterator[Notice]:
        missing = self.counter.not_read + self._unreadable
        if missing:
            detail = "parts of the mail were not read, because there are too many or they take too long"
            yield Notice("parts_missing", detail, missing)
        cut = self._cut + self._lines_left_out + self._events_left_out
        if cut:
            detail = "the mail ends early: its end is missing, or its text is longer than the limit"
            yield Notice("cut_short", detail, cut)


def _code_blocks(text: str, language: str) -> list[Block]:
    if not text.strip():
        return []
    return [Block(Kind.CODE, (Span(text.strip("\n")),), label=language)]


def _html_of(part: MailPart) -> str:
    """Return the HTML in a part."""
    if part.media_type == "text/html":
        return part.text()
    return "".join(_html_of(inner) for inner in part.parts)


def _is_signed_data(part: MailPart) -> bool:
    """Tell whether S/MIME holds a signed text, which is not encrypted (RFC 8551, section 3.5.2)."""
    return part.parameter("smime-type").lower() in {"signed-data", "compressed-data"}


def _people(text: str) -> str:
    """Return addresses as they are written, at most the first few."""
    pieces = _split_addresses(text)
    if len(pieces) <= MAX_PEOPLE:
        return text
    return f"{', '.join(pieces[:MAX_PEOPLE])} and {len(pieces) - MAX_PEOPLE} more"


def _split_addresses(text: str) -> list[str]:
    """Split a header at its commas, except those in quotation marks or brackets."""
    pieces: list[str] = []
    start = depth = 0
    is_quoted = False
    for index, character in enumerate(text):
        if character == '"':
            is_quoted = not is_quoted
        elif not is_quoted and character in "<(":
            depth += 1
        elif not is_quoted and character in ">)":
            depth = max(depth - 1, 0)
        elif character == "," and not is_quoted and not depth:
            pieces.append(text[start:index].strip())
            start = index + 1
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]


def _labelled_lines(pairs: Sequence[tuple[str, str]]) -> Block:
    spans: list[Span] = []
    for name, text in pairs:
        if spans:
            spans.append(Span("\n"))
        spans.extend((Span(f"{name}:", _STRONG), Span(f" {text}")))
    return Block(Kind.PARAGRAPH, tuple(spans))


def _size(byte_count: int) -> str:
    if byte_count < 1_000:
        return f"{byte_count} bytes"
    if byte_count < 1_000_000:
        return f"{byte_count / 1_000:,.0f} kB"
    return f"{byte_count / 1_000_000:,.1f} MB"


def _words_of(part: MailPart) -> int:
    """Count the words of a plain text without quotation marks and addresses, which HTML hides in links."""
    return sum(not word.startswith(("http:", "https:", "<http", "[http", "(http", ">")) for word in part.text().split())


def _word_count(blocks: Iterable[Block]) -> int:
    count = 0
    stack: list[Document] = [tuple(blocks)]
    while stack:
        for block in stack.pop():
            count += len(" ".join(span.text for span in block.spans).split())
            stack.append(block.children)
    return count
