"""A strict fake of Gmail API v1, from its reference: messages, threads, drafts; what is sent must be sound mail."""

from __future__ import annotations

import base64
import email
import html
import re
from dataclasses import dataclass, field
from email import policy
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from contract.integration_fakes.accounts import failed
from contract.provider_fakes.exchange import told

if TYPE_CHECKING:
    from email.message import EmailMessage

    from contract.integration_fakes.accounts import Accounts
    from contract.provider_fakes.exchange import Asked, Reply

ME = "ann@example.com"
FORMATS = {"minimal", "full", "raw", "metadata"}


def packed(text: str | bytes) -> str:
    return base64.urlsafe_b64encode(text.encode() if isinstance(text, str) else text).decode().rstrip("=")


def bad(message: str) -> Reply:
    return failed(400, "invalidArgument", message, "global")


def part(kind: str, text: str | bytes = "", *, name: str = "", parts: list[Any] | None = None, **body: Any) -> Any:
    """Return a part of a message as the API has it."""
    data = {"data": packed(text)} if text else {}
    return {
        "mimeType": kind, "filename": name, "headers": [{"name": "Content-Type", "value": f"{kind}; charset=utf-8"}],
        "body": {"size": len(text), **data, **body}, **({"parts": parts} if parts else {}),
    }  # fmt: skip


@dataclass
class Gmail:
    """One mailbox."""

    accounts: Accounts
    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    sent: list[tuple[EmailMessage, str]] = field(default_factory=list)
    drafts: list[EmailMessage] = field(default_factory=list)

    def put(self, key: str, payload: dict[str, Any], thread: str = "t1", snippet: str = "", **headers: str) -> None:
        """Put a message in; `Message_ID` stands for Message-ID."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in headers.items()]
        whole = {**payload, "headers": [*named, *payload["headers"]]}
        self.messages[key] = {
            "id": key, "threadId": thread, "labelIds": ["INBOX", "UNREAD"], "snippet": html.escape(snippet),
            "payload": whole,
        }  # fmt: skip

    def answer(self, asked: Asked) -> Reply:
        scope = "gmail.readonly" if asked.method == "GET" else "gmail.compose"
        refused = self.accounts.may(asked, scope)
        if refused is not None:
            return refused
        path = asked.path.removeprefix("/users/me")
        if asked.method == "POST":
            return self._post(path, asked)
        if path == "/profile":
            return told({"emailAddress": ME, "messagesTotal": len(self.messages)})
        if path == "/messages":
            return self._list(asked.parameters)
        found = re.fullmatch(r"/messages/([^/]+)(?:/attachments/([^/]+))?", path)
        if found is None or found[1] not in self.messages:
            return failed(404, "notFound", "Requested entity was not found.", "global")
        return told({"size": 1, "data": packed(self.files[found[2]])}) if found[2] else self._get(found[1], asked.query)

    def _list(self, given: dict[str, str]) -> Reply:
        if set(given) - {"q", "maxResults", "pageToken"} or not 1 <= int(given["maxResults"]) <= 500:
            return bad("Unknown parameter")
        hits = [it for it in self.messages.values() if _fits(it, given["q"])]
        size, start = int(given["maxResults"]), int(given.get("pageToken", "0"))
        more = {"nextPageToken": str(start + size)} if len(hits) > start + size else {}
        found = [{"id": it["id"], "threadId": it["threadId"]} for it in hits[start : start + size]]
        return told({"resultSizeEstimate": len(hits), **({"messages": found} if found else {}), **more})

    def _get(self, key: str, query: str) -> Reply:
        given = parse_qsl(query, strict_parsing=True)
        form = dict(given).get("format", "full")
        wanted = {value.lower() for name, value in given if name == "metadataHeaders"}
        if {name for name, _ in given} - {"format", "metadataHeaders"} or form not in FORMATS:
            return bad("Unknown parameter")
        message = self.messages[key]
        if form == "metadata":
            heads = [it for it in message["payload"]["headers"] if not wanted or it["name"].lower() in wanted]
            return told({**message, "payload": {"headers": heads}})
        return told(message)

    def _post(self, path: str, asked: Asked) -> Reply:
        body = asked.json
        if asked.query or path not in {"/drafts", "/messages/send"}:
            return bad("Unknown parameter")
        message = body.get("message", {}) if path == "/drafts" else body
        if (path == "/drafts" and set(body) != {"message"}) or set(message) - {"raw", "threadId"}:
            return bad("Unknown name")
        raw = base64.urlsafe_b64decode(message["raw"] + "==")
        letter = email.message_from_bytes(raw, policy=policy.default)
        if b"\n" in raw.replace(b"\r\n", b"") or letter.defects or not letter["To"].addresses:
            return bad("Recipient address required")
        thread = message.get("threadId", "")
        if thread and not self._threaded(letter, thread):
            return bad("Invalid thread")
        if path == "/drafts":
            self.drafts.append(letter)
            return told({"id": f"r{len(self.drafts)}", "message": {"id": "d1", "threadId": "t9"}})
        self.sent.append((letter, thread))
        return told({"id": f"s{len(self.sent)}", "threadId": thread or "t9", "labelIds": ["SENT"]})

    def _threaded(self, letter: EmailMessage, thread: str) -> bool:
        """Gmail's own rule: References and In-Reply-To as RFC 2822 has them, and the same Subject."""
        for it in self.messages.values():
            heads = {head["name"].lower(): head["value"] for head in it["payload"]["headers"]}
            mine = str(letter["In-Reply-To"] or "") == heads.get("message-id")
            ends = str(letter["References"] or "").split()[-1:] == [heads.get("message-id")]
            if it["threadId"] == thread and mine and ends:
                return _bare(str(letter["Subject"])) == _bare(heads.get("subject", ""))
        return False


def _bare(subject: str) -> str:
    return re.sub(r"(?i)^(re:\s*)+", "", " ".join(subject.split()))


def _fits(message: dict[str, Any], query: str) -> bool:
    heads = {head["name"].lower(): head["value"].lower() for head in message["payload"]["headers"]}
    return all(
        word.removeprefix("from:") in heads.get("from", "") if word.startswith("from:") else word in str(heads)
        for word in query.lower().split()
    )
