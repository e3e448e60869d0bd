"""Mail in pure code: a message as Gmail's API has it, read; and one to send, composed (RFC 5322, RFC 2045).

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

from wellread.assistant.ports import Preview
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.assistant.integrations.wire import Json

MAX_PARTS = 200
MAX_REFERENCES = 30
_ID = re.compile(r"<(?:(?!=\?)[^<>\s]){1,500}>", re.ASCII)
_WHOLE = re.compile(r"(?:(?!=\?)[^\s@])+@[^\s@]+")
_PLAIN = "one line each, plain addresses, nothing encoded"
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_REPLY = re.compile(r"re\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
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

    def shown(self, deed: str) -> Preview:
        """Return all of it, as the user is asked."""
        named = (("To", self.to), ("Cc", self.cc), ("Bcc", self.bcc))
        people = [(name, ", ".join(them)) for name, them in named if them]
        return Preview(deed, [*people, ("Subject", self.subject), ("Text", self.body)])

    def raw(self) -> str:
        """Return the message as the API takes it: RFC 5322 in base64url.

        Raises:
            InvalidInput: an address or the subject is none.
        """
        message = EmailMessage(policy=policy.SMTP)
        told = {}
        try:
            for name, people in (("To", self.to), ("Cc", self.cc), ("Bcc", self.bcc)):
                if people:
                    message[name] = [_address(it) for it in people]
                    told[name] = ", ".join(people)
            message["Subject"] = told["Subject"] = self.subject
            if self.answers:
                message["In-Reply-To"] = self.answers
                message["References"] = " ".join(self.references)
            message.set_content(self.body)
            data = message.as_bytes()
        except (ValueError, MessageError) as error:
            raise InvalidInput(f"this mail cannot be written: {error}", hint=_PLAIN) from error
        _prove(data, [name.lower() for name in message], told)
        return base64.urlsafe_b64encode(data).decode()


def _prove(data: bytes, names: Sequence[str], told: Mapping[str, str]) -> None:
    """See that what will be sent reads as what was shown: nobody has written a header into it.

    Raises:
        InvalidInput: it does not.
    """
    again = message_from_bytes(data, policy=policy.SMTP)
    # Long lines are folded, and spaces may come and go with that.
    same = all("".join(str(again[name]).split()) == "".join(it.split()) for name, it in told.items())
    if [name.lower() for name in again] != list(names) or not same:
        raise InvalidInput("this mail would be read as another than it shows", hint=_PLAIN)


def _parsed(header: str) -> Sequence[Address]:
    """Read the addresses of a header; none where the standard library's parser breaks off."""
    try:
        found: Sequence[Address] = policy.SMTP.header_factory("to", header).addresses
    except Exception:  # noqa: BLE001 - it fails in ways that nobody lists: ValueError, IndexError, RecursionError
        return ()
    return found


def _address(text: str) -> Address:
    """Read one address, with or without a name.

    Raises:
        InvalidInput: it is none, or more than one.
    """
    # The policy's own parser: the older one of email.utils takes parts of a name for addresses (CVE-2023-27043).
    read = _parsed(text) if _SPACES.sub(" ", text) == text else ()
    if len(read) != 1 or not _WHOLE.fullmatch(read[0].addr_spec):
        raise InvalidInput(f"{text[:100]!r} is no mail address", hint="write ann@example.com or Ann <ann@example.com>")
    found = read[0]
    if not found.addr_spec.isascii():
        raise InvalidInput(f"{text[:100]!r} has letters that mail does not take everywhere", hint="ask for another one")
    return Address(defused(found.display_name), addr_spec=found.addr_spec)


def checked(people: Sequence[str]) -> tuple[str, ...]:
    """Return addresses as they will be written.

    Raises:
        InvalidInput: one is none.
    """
    return tuple(str(_address(it)) for it in people)


def defused(text: str) -> str:
    """Return a text in one line, and without the signs by which mail spells out others (RFC 2047)."""
    return one_line(text).replace("=?", "= ?")


def one_line(text: str) -> str:
    """Return a text as a header may hold it."""
    return _SPACES.sub(" ", text).strip()


def headers(payload: Json) -> dict[str, str]:
    """Return the headers of a message, names in lower case; of several of one name, the first."""
    found: dict[str, str] = {}
    for it in payload.get("headers") or ():
        found.setdefault(str(it.get("name", "")).lower(), one_line(str(it.get("value", ""))))
    return found


def reply(original: Json, body: str, me: str, *, everybody: bool) -> Letter:
    """Return the answer to a message, in its conversation (RFC 5322 section 3.6.4).

    Raises:
        InvalidInput: there is nobody to answer.
    """
    told = headers(original.get("payload") or {})
    mine = me.lower()
    sender = _people(told.get("reply-to") or told.get("from", ""))
    if all(address.lower() == mine for address in sender):  # one of the user's own: on to whom it went
        sender = _people(told.get("to", ""))
    others = _people(told.get("to", "")) | _people(told.get("cc", "")) if everybody else {}
    also = {address: name for address, name in others.items() if address not in sender and address.lower() != mine}
    if not sender:
        raise InvalidInput("this message says nobody who could be answered", hint="use gmail_send")
    answered = _ID.findall(told.get("message-id", ""))[:1]
    before = _ID.findall(told.get("references", "") or told.get("in-reply-to", ""))
    subject = defused(told.get("subject", ""))
    return Letter(
        to=tuple(sender.values()),
        cc=tuple(also.values()),
        subject=subject if _REPLY.match(subject) else f"Re: {subject}".rstrip(),
        body=body,
        answers="".join(answered),
        references=tuple([*before, *answered][-MAX_REFERENCES:]),
        thread=str(original.get("threadId", "")),
    )


def _people(header: str) -> dict[str, str]:
    """Return the sound addresses of a header: each, and how it is written with its name."""
    found = {}
    for it in _parsed(header):
        try:
            found[it.addr_spec] = str(_address(str(it)))
        except InvalidInput:
            continue
    return found


def parts(payload: Json) -> Iterator[Json]:
    """Yield a message's parts, the outermost first, as many as anybody needs."""
    waiting, count = [payload], 0
    while waiting and count < MAX_PARTS:
        part = waiting.pop(0)
        count += 1
        yield part
        waiting = [it for it in part.get("parts") or () if isinstance(it, dict)] + waiting


def body_part(payload: Json) -> Json | None:
    """Return the part that a person sees: the HTML where there is some, else the plain text."""
    shown = [it for it in parts(payload) if not it.get("filename")]
    for kind in ("text/html", "text/plain"):
        for it in shown:
            if str(it.get("mimeType", "")).lower() == kind:
                return it
    return None


def attachments(payload: Json) -> list[str]:
    """Return what is attached, a line each."""
    return [
        f"{one_line(str(it['filename']))[:200]} ({it.get('mimeType')}, {(it.get('body') or {}).get('size', 0):,} bytes)"
        for it in parts(payload)
        if it.get("filename")
    ]


def decoded(part: Json, data: str) -> str:
    """Return the text of a part. The API mostly hands it out as UTF-8, whatever the part's own header says."""
    try:
        plain = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
    except ValueError:
        return ""
    charset = re.search(r"charset=\"?([\w.:-]+)", headers(part).get("content-type", ""), re.IGNORECASE)
    named = charset[1] if charset else "latin-1"
    # ISO-2022 is ASCII with escapes, and so would pass for UTF-8.
    for each in (named, "utf-8") if b"\x1b" in plain else ("utf-8", named):
        try:
            return plain.decode(each)
        except (UnicodeDecodeError, LookupError):
            continue
    return plain.decode("utf-8", "replace")
