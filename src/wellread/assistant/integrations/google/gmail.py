"""Gmail tools: search and read mail; drafts, mail and replies after the user has seen all of it."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

import anyio

from wellread.assistant.integrations.google import mail
from wellread.assistant.integrations.google.addresses import ADDRESS_LIST_SCHEMA, address_list
from wellread.assistant.integrations.preview_cache import PreviewCache
from wellread.assistant.integrations.service_client import tainted_result
from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import (
    arguments_schema,
    integer_argument,
    integer_schema,
    string_argument,
    string_schema,
)
from wellread.errors import UnreadableError, WellreadError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from wellread.assistant.integrations.google.google_api import GoogleApi
    from wellread.assistant.integrations.google.mail import OutgoingMail
    from wellread.assistant.integrations.service_client import Json

    Arguments = Mapping[str, object]

ME = "me"
MAX_HITS = 20
MAX_CONCURRENT_REQUESTS = 4
MAX_BODY_CHARS = 20_000
"""No more than a person is shown when asked."""
MAX_READ_CHARS = 16_000
_HEADS = ("From", "To", "Cc", "Reply-To", "Subject", "Date", "Message-ID", "References", "In-Reply-To")
_BODY = string_schema("Plain text.", max_length=MAX_BODY_CHARS)


class GmailTools:
    """The tools of the user's mailbox."""

    def __init__(self, api: GoogleApi, read_html: Callable[[str], Awaitable[str]]) -> None:
        """Take the API, and the function that reads HTML."""
        self._api = api
        self._read_html = read_html
        self._previews = PreviewCache(self._answer)
        self._me = ""

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools."""
        mail_fields = {
            "to": {**ADDRESS_LIST_SCHEMA, "minItems": 1},
            "cc": ADDRESS_LIST_SCHEMA,
            "bcc": ADDRESS_LIST_SCHEMA,
            "subject": string_schema(max_length=900),
        }
        return (
            Tool(
                "gmail_search", "Search mail in Gmail's query syntax; newest first.",
                arguments_schema(
                    ("query",), query=string_schema("from:ann newer_than:7d has:attachment ...", max_length=1_000),
                    count=integer_schema(minimum=1, maximum=MAX_HITS), cursor=string_schema(max_length=500),
                ),
                self._search,
            ),
            Tool(
                "gmail_read", "Read one mail.",
                arguments_schema(
                    ("id",), id=string_schema("Of gmail_search.", max_length=200),
                    start=integer_schema("Character to go on at."),
                ),
                self._read,
            ),
            Tool(
                "gmail_draft", "Save a draft.",
                arguments_schema(("to", "subject", "body"), **mail_fields, body=_BODY),
                self._draft,
                effect=Effect.WORLD,
                preview=lambda arguments: _letter(arguments).shown("save a draft"),
            ),
            Tool(
                "gmail_send", "Send a mail.",
                arguments_schema(("to", "subject", "body"), **mail_fields, body=_BODY),
                self._send,
                effect=Effect.WORLD,
                preview=lambda arguments: _letter(arguments).shown("send a mail"),
            ),
            Tool(
                "gmail_reply", "Answer a mail, in its conversation.",
                arguments_schema(
                    ("id", "body"), id=string_schema("Of the mail that is answered.", max_length=200), body=_BODY,
                    everybody={"type": "boolean", "description": "Also those it was copied to."},
                ),
                self._reply, effect=Effect.WORLD, async_preview=self._preview_reply,
            ),
        )  # fmt: skip

    async def _search(self, arguments: Arguments) -> ToolResult:
        query = [
            ("q", string_argument(arguments, "query")),
            ("maxResults", str(integer_argument(arguments, "count", 10))),
        ]
        if string_argument(arguments, "cursor"):
            query.append(("pageToken", string_argument(arguments, "cursor")))
        page = await self._api.get("users", ME, "messages", query=query)
        ids = [str(message["id"]) for message in page.get("messages") or ()][:MAX_HITS]
        lines = await self._hits(ids) or ["No mail was found."]
        if page.get("nextPageToken"):
            lines.append(f"More follows: cursor {page['nextPageToken']}")
        return tainted_result("\n\n".join(lines))

    async def _hits(self, ids: Sequence[str]) -> list[str]:
        hits: dict[str, str] = {}
        failures: list[WellreadError] = []
        limit = anyio.Semaphore(MAX_CONCURRENT_REQUESTS)

        async def fetch(key: str) -> None:
            async with limit:
                try:
                    hits[key] = _hit(await self._head(key))
                except WellreadError as error:
                    failures.append(error)
                    group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            for key in ids:
                group.start_soon(fetch, key)
        if failures:
            raise failures[0]
        return [hits[key] for key in ids]

    async def _head(self, key: str) -> Json:
        query = [("format", "metadata"), *(("metadataHeaders", name) for name in _HEADS)]
        return await self._api.get("users", ME, "messages", key, query=query)

    async def _read(self, arguments: Arguments) -> ToolResult:
        key, start = string_argument(arguments, "id"), integer_argument(arguments, "start", 0)
        message = await self._api.get("users", ME, "messages", key, query=[("format", "full")])
        payload = message.get("payload") or {}
        headers = mail.headers(payload)
        lines = [f"{name}: {headers[name.lower()]}" for name in _HEADS[:6] if name.lower() in headers]
        lines += [f"attached: {attachment}" for attachment in mail.attachment_lines(payload)]
        body = await self._body(key, payload)
        shown = body[start : start + MAX_READ_CHARS]
        if len(body) > start + MAX_READ_CHARS:
            shown += f"\n\nMore follows: start {start + MAX_READ_CHARS}"
        return tainted_result("\n".join([*lines, f"id {key}", "", shown]))

    async def _body(self, key: str, payload: Json) -> str:
        part = mail.body_part(payload)
        if part is None:
            return "(no text)"
        body = part.get("body") or {}
        if body.get("attachmentId") and not body.get("data"):  # long texts are kept apart
            body = await self._api.get("users", ME, "messages", key, "attachments", str(body["attachmentId"]))
        decoded_text = mail.decode_part(part, str(body.get("data") or ""))
        if str(part.get("mimeType", "")).lower() != "text/html":
            return decoded_text
        try:
            return await self._read_html(decoded_text)
        except UnreadableError as error:
            return f"(the mail shows no text: {error.message})"

    async def _draft(self, arguments: Arguments) -> ToolResult:
        draft = _letter(arguments)
        saved = await self._api.change("POST", "users", ME, "drafts", body={"message": _message(draft)})
        receipt = f"draft saved: {draft.subject}"
        return ToolResult(f"{receipt}; id {saved.get('id')}", receipts=(receipt,))

    async def _send(self, arguments: Arguments) -> ToolResult:
        return await self._sent(_letter(arguments))

    async def _sent(self, message: OutgoingMail) -> ToolResult:
        sent = await self._api.change("POST", "users", ME, "messages", "send", body=_message(message))
        receipt = f"mail sent to {', '.join((*message.to, *message.cc, *message.bcc))}: {message.subject}"
        return ToolResult(f"{receipt}; id {sent.get('id')}", tainted=bool(message.thread), receipts=(receipt,))

    async def _preview_reply(self, arguments: Arguments) -> Preview:
        return (await self._previews.see(arguments)).shown("send a mail, in its conversation")

    async def _reply(self, arguments: Arguments) -> ToolResult:
        return await self._sent(await self._previews.take(arguments))

    async def _answer(self, arguments: Arguments) -> OutgoingMail:
        if not self._me:
            self._me = str((await self._api.get("users", ME, "profile")).get("emailAddress", ""))
        original = await self._head(string_argument(arguments, "id"))
        return mail.reply_mail(
            original, string_argument(arguments, "body"), self._me, everybody=bool(arguments.get("everybody"))
        )


def _letter(arguments: Arguments) -> OutgoingMail:
    to, cc, bcc = (mail.checked_addresses(address_list(arguments, name)) for name in ("to", "cc", "bcc"))
    message = mail.OutgoingMail(
        to=to, cc=cc, bcc=bcc, subject=string_argument(arguments, "subject"), body=string_argument(arguments, "body")
    )
    message.raw()  # what cannot be written is told before anybody is asked
    return message


def _message(message: OutgoingMail) -> Json:
    raw = {"raw": message.raw()}
    if message.thread:
        raw["threadId"] = message.thread
    return raw


def _hit(message: Json) -> str:
    headers = mail.headers(message.get("payload") or {})
    marks = " (unread)" if "UNREAD" in (message.get("labelIds") or ()) else ""
    head = f"{headers.get('date', '')} | {headers.get('from', '')} | {headers.get('subject') or '(no subject)'}{marks}"
    snippet = mail.one_line(unescape(str(message.get("snippet", ""))))  # the API writes it as HTML does
    return f"{head}\n  id {message.get('id')} | {snippet[:300]}"
