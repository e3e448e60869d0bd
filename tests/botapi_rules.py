"""What the Bot API takes and refuses: parameters and their types, lengths in UTF-16, entities, buttons."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Raw = dict[str, Any]  # Any: JSON of the Bot API


class Refusal(Exception):
    """An answer with `ok: false`; one that is not expected is a mistake of whoever asked."""

    def __init__(self, status: int, told: str, *, expected: bool | None = None, **parameters: int) -> None:
        super().__init__(told)
        self.status = status
        self.parameters = parameters
        """What would help: `retry_after`, `migrate_to_chat_id` (Bot API, ResponseParameters)."""
        self.expected = bool(parameters) if expected is None else expected


def _text(value: str) -> str:
    return value


def _flag(value: str) -> bool:
    return {"true": True, "false": False}[value]


SAID: dict[str, Callable[[str], Any]] = {
    "message_thread_id": int, "text": _text, "parse_mode": _text, "entities": json.loads,
    "link_preview_options": json.loads,
}  # fmt: skip
PLACE: dict[str, Callable[[str], Any]] = {"chat_id": int, "message_id": int}
METHODS: dict[str, tuple[dict[str, Callable[[str], Any]], set[str]]] = {
    "getMe": ({}, set()),
    "setMyCommands": ({"commands": json.loads}, {"commands"}),
    "deleteWebhook": ({"drop_pending_updates": _flag}, set()),
    "setWebhook": ({"url": _text, "secret_token": _text, "allowed_updates": json.loads}, {"url"}),
    "getUpdates": (
        {"offset": int, "limit": int, "timeout": int, "allowed_updates": json.loads}, set(),
    ),
    "sendMessage": ({**SAID, "chat_id": int, "reply_markup": json.loads}, {"chat_id", "text"}),
    "editMessageText": ({**SAID, **PLACE, "reply_markup": json.loads}, {"chat_id", "message_id", "text"}),
    "editMessageReplyMarkup": ({**PLACE, "reply_markup": json.loads}, {"chat_id", "message_id"}),
    "sendMessageDraft": (
        {"chat_id": int, "draft_id": int, "message_thread_id": int, "text": _text, "parse_mode": _text,
         "entities": json.loads, "can_stop": _flag, "keep_on_stop": _flag},
        {"chat_id", "draft_id"},
    ),
    "answerCallbackQuery": ({"callback_query_id": _text, "text": _text, "show_alert": _flag}, {"callback_query_id"}),
    "getFile": ({"file_id": _text}, {"file_id"}),
}  # fmt: skip
"""Method -> its parameters and how each is read, and those that must be there (core.telegram.org/bots/api)."""

STYLES = {"bold", "italic", "underline", "strikethrough", "spoiler"}
QUOTES = {"blockquote", "expandable_blockquote"}
CODE = {"code", "pre"}
KINDS = {*STYLES, *QUOTES, *CODE, "text_link"}


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def checked(method: str, given: Mapping[str, str]) -> Raw:
    """Return the parameters as values."""
    known, needed = METHODS[method]
    if strange := set(given) - set(known):
        raise Refusal(400, f"Bad Request: unknown parameters {sorted(strange)}")
    if missing := needed - set(given):
        raise Refusal(400, f"Bad Request: missing parameters {sorted(missing)}")
    try:
        values = {name: known[name](value) for name, value in given.items()}
    except (ValueError, KeyError) as error:
        raise Refusal(400, f"Bad Request: a parameter of another type: {error}") from error
    for row in values.get("reply_markup", {}).get("inline_keyboard", []):
        for button in row:
            if not button["text"] or not 1 <= len(button["callback_data"].encode()) <= 64:
                raise Refusal(400, "Bad Request: BUTTON_DATA_INVALID")
    return values


def marked_up(given: Raw) -> tuple[str, list[Raw]]:
    """Return the text of a message and its entities."""
    text, entities = given["text"], given.get("entities", [])
    if "parse_mode" in given and entities:
        raise Refusal(400, "Bad Request: entities or parse_mode, not both")
    if not text.strip():
        raise Refusal(400, "Bad Request: message text is empty")
    if units(text) > 4_096:
        raise Refusal(400, "Bad Request: message is too long")
    if len(entities) > 100:
        raise Refusal(400, "Bad Request: too many entities; those beyond 100 would be left away")
    for at, it in enumerate(entities):
        _check(text, it)
        for other in entities[at + 1 :]:
            _check_pair(it, other)
    return text, entities


def _check(text: str, it: Raw) -> None:
    if strange := set(it) - {"type", "offset", "length", "url", "language"}:
        raise Refusal(400, f"Bad Request: unknown fields of an entity {sorted(strange)}")
    if it["type"] not in KINDS or (it["type"] == "text_link" and not it.get("url")):
        raise Refusal(400, f"Bad Request: no such entity: {it}")
    start, end = it["offset"], it["offset"] + it["length"]
    if start < 0 or end <= start or end > units(text):
        raise Refusal(400, "Bad Request: ENTITY_BOUNDS_INVALID")
    wide = text.encode("utf-16-le")
    for place in (start, end):
        if 0xDC <= (wide[2 * place + 1] if 2 * place < len(wide) else 0) <= 0xDF:
            raise Refusal(400, "Bad Request: an entity ends in the middle of a character")


def _check_pair(one: Raw, other: Raw) -> None:
    """Entities are apart or within one another; nothing goes with code, quotations not with one another."""
    first, last = one["offset"], one["offset"] + one["length"]
    begin, end = other["offset"], other["offset"] + other["length"]
    if last <= begin or end <= first:
        return
    if not (first <= begin and end <= last) and not (begin <= first and last <= end):
        raise Refusal(400, f"Bad Request: entities overlap: {one}, {other}")
    kinds = {one["type"], other["type"]}
    if kinds & CODE or (one["type"] in QUOTES and other["type"] in QUOTES):
        raise Refusal(400, f"Bad Request: {one['type']} goes not with {other['type']}")


def entities_in(text: str) -> list[Raw]:
    """Return what Telegram itself finds in a person's words: a command in front, and addresses."""
    kinds = {"bot_command": r"\A/\w+(?:@\w+)?", "url": r"https?://\S+|\b[\w-]+\.(?:example|md|com)(?:/\S*)?"}
    return [
        {"type": kind, "offset": units(text[: it.start()]), "length": units(it[0])}
        for kind, pattern in kinds.items()
        for it in re.finditer(pattern, text)
    ]
