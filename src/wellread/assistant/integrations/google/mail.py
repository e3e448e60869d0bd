"""Mail in pure code: reads messages of Gmail's API, and composes mail to send (RFC 5322, RFC 2045).

What comes from another's mail into a header of ours (subject, ids of a thread) is reduced to what such a header may
hold, so that nobody writes headers into our mail.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from typing import TYPE_CHECKING

from wellread.assistant.tool_types import Preview
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.assistant.integrations.service_client import Json

MAX_PARTS = 200
MAX_REFERENCES = 30
_ID = re.compile(r"<(?:(?!=\?)[^<>\s]){1,500}>", re.ASCII)
_WHOLE = re.compile(r"(?:(?!=\?)[^\s@])+@[^\s@]+")
_PLAIN = "use one line per header, plain addresses, and no encoding"
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_REPLY = re.compile(r"re\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMail:
    """A mail to be sent."""

    to: tuple[str, ...]
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    subject: str
    body: str
    answers: str = ""
    """The Message-ID of the mail that it answers."""
    references: tuple[str, ...] = ()
    thread: str = ""
    """Gmail's id of the conversation."""

    def shown(self, action: str) -> Preview:
        """Return the preview of the whole mail."""
        recipients = (("To", self.to), ("Cc", self.cc), ("Bcc", self.bcc))
        people = [(name, ", ".join(addresses)) for name, addresses in recipients if addresses]
        return Preview(action, [*people, ("Subject", self.subject), ("Text", self.body)])

    def raw(self) -> str:
        """Return the message as the API takes it: RFC 5322 in base64url.

        Raises:
            InvalidInput: an address or the subject is none.
        """
        message = EmailMessage(policy=policy.SMTP)
        shown_headers = {}
        try:
            for name, people in (("To", self.to), ("Cc", self.cc), ("Bcc", self.bcc)):
                if people:
                    message[name] = [_address(address) for address in people]
                    shown_headers[name] = ", ".join(people)
            message["Subject"] = shown_headers["Subject"] = self.subject
            if self.answers:
                message["In-Reply-To"] = self.answers
                message["References"] = " ".join(self.references)
            message.set_content(self.body)
            data = message.as_bytes()
        except (ValueError, MessageError) as error:
            raise InvalidInput(f"this mail cannot be written: {error}", hint=_PLAIN) from error
        _prove(data, [name.lower() for name in message], shown_headers)
        return base64.urlsafe_b64encode(data).decode()


def _prove(data: bytes, names: Sequence[str], shown_headers: Mapping[str, str]) -> None:
    """Check that the composed bytes read as the shown headers: nobody has injected a header.

    Raises:
        InvalidInput: it does not.
    """
    parsed_message = message_from_bytes(data, policy=policy.SMTP)
    # Long lines are folded, and spaces may come and go with that.
    same = all(
        "".join(str(parsed_message[name]).split()) == "".join(shown_text.split())
        for name, shown_text in shown_headers.items()
    )
    if [name.lower() for name in parsed_message] != list(names) or not same:
        raise InvalidInput("mail programs would show this mail differently", hint=_PLAIN)


def _parsed(header: str) -> Sequence[Address]:
    """Return the addresses of a header; none where the standard library's parser fails."""
    try:
        addresses: Sequence[Address] = policy.SMTP.header_factory("to", header).addresses
    except Exception:  # noqa: BLE001 - it fails in ways that nobody lists: ValueError, IndexError, RecursionError
        return ()
    return addresses


def _address(text: str) -> Address:
    """Return one address, with or without a name.

    Raises:
        InvalidInput: it is none, or more than one.
    """
    # The policy's own parser: the older one of email.utils takes parts of a name for addresses (CVE-2023-27043).
    addresses = _parsed(text) if _SPACES.sub(" ", text) == text else ()
    if len(addresses) != 1 or not _WHOLE.fullmatch(addresses[0].addr_spec):
        raise InvalidInput(f"{text[:100]!r} is not a mail address", hint="use ann@example.com or Ann <ann@example.com>")
    address = addresses[0]
    if not address.addr_spec.isascii():
        raise InvalidInput(
            f"{text[:100]!r} has characters that not all mail servers accept", hint="ask the user for another address"
        )
    return Address(safe_header(address.display_name), addr_spec=address.addr_spec)


def checked_addresses(people: Sequence[str]) -> tuple[str, ...]:
    """Return addresses in the form in which they are sent.

    Raises:
        InvalidInput: one is none.
    """
    return tuple(str(_address(address)) for address in people)


def safe_header(text: str) -> str:
    """Return a text in one line, without the signs of encoded words (RFC 2047)."""
    return one_line(text).replace("=?", "= ?")


def one_line(text: str) -> str:
    """Return a text as one header line."""
    return _SPACES.sub(" ", text).strip()


def headers(payload: Json) -> dict[str, str]:
    """Return the headers of a message, names in lower case; of several of one name, the first."""
    by_name: dict[str, str] = {}
    for header in payload.get("headers") or ():
        by_name.setdefault(str(header.get("name", "")).lower(), one_line(str(header.get("value", ""))))
    return by_name


def reply_mail(original: Json, body: str, me: str, *, everybody: bool) -> OutgoingMail:
    """Return the reply to a message, in its conversation (RFC 5322 section 3.6.4).

    Raises:
        InvalidInput: there is nobody to answer.
    """
    original_headers = headers(original.get("payload") or {})
    own_address = me.lower()
    recipients = _people(original_headers.get("reply-to") or original_headers.get("from", ""))
    if all(address.lower() == own_address for address in recipients):  # one of the user's own: on to whom it went
        recipients = _people(original_headers.get("to", ""))
    everyone: dict[str, str] = {}
    if everybody:
        everyone = _people(original_headers.get("to", "")) | _people(original_headers.get("cc", ""))
    copied = {
        address: name
        for address, name in everyone.items()
        if address not in recipients and address.lower() != own_address
    }
    if not recipients:
        raise InvalidInput("this message has no sender to reply to", hint="use gmail_send")
    message_ids = _ID.findall(original_headers.get("message-id", ""))[:1]
    reference_ids = _ID.findall(original_headers.get("references", "") or original_headers.get("in-reply-to", ""))
    subject = safe_header(original_headers.get("subject", ""))
    if not _REPLY.match(subject):
        subject = f"Re: {subject}".rstrip()
    return OutgoingMail(
        to=tuple(recipients.values()),
        cc=tuple(copied.values()),
        subject=subject,
        body=body,
        answers="".join(message_ids),
        references=tuple([*reference_ids, *message_ids][-MAX_REFERENCES:]),
        thread=str(original.get("threadId", "")),
    )


def _people(header: str) -> dict[str, str]:
    """Return the valid addresses of a header, each with the form that includes its name."""
    written_addresses = {}
    for address in _parsed(header):
        try:
            written_addresses[address.addr_spec] = str(_address(str(address)))
        except InvalidInput:
            continue
    return written_addresses


def parts(payload: Json) -> Iterator[Json]:
    """Yield a message's parts, the outermost first, at most `MAX_PARTS`."""
    waiting, count = [payload], 0
    while waiting and count < MAX_PARTS:
        part = waiting.pop(0)
        count += 1
        yield part
        waiting = [child for child in part.get("parts") or () if isinstance(child, dict)] + waiting


def body_part(payload: Json) -> Json | None:
    """Return the part that a person sees: the HTML where there is some, else the plain text."""
    body_parts = [part for part in parts(payload) if not part.get("filename")]
    for kind in ("text/html", "text/plain"):
        for part in body_parts:
            if str(part.get("mimeType", "")).lower() == kind:
                return part
    return None


def attachment_lines(payload: Json) -> list[str]:
    """Return the attachments, a line each."""
    return [
        f"{one_line(str(part['filename']))[:200]} ({part.get('mimeType')},"
        f" {(part.get('body') or {}).get('size', 0):,} bytes)"
        for part in parts(payload)
        if part.get("filename")
    ]


def decode_part(part: Json, data: str) -> str:
    """Return the text of a part. The API mostly gives it as UTF-8, whatever the part's own header says."""
    try:
        body = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
    except ValueError:
        return ""
    charset = re.search(r"charset=\"?([\w.:-]+)", headers(part).get("content-type", ""), re.IGNORECASE)
    declared = charset[1] if charset else "latin-1"
    # ISO-2022 is ASCII with escapes, and so would pass for UTF-8.
    encodings = (declared, "utf-8") if b"\x1b" in body else ("utf-8", declared)
    for encoding in encodings:
        try:
            return body.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return body.decode("utf-8", "replace")
