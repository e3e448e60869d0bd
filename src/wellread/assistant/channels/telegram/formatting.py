"""Markdown to Telegram messages: text, entities over it, and parts that fit into one message; pure.

Telegram counts in UTF-16 code units (Bot API, MessageEntity). A message has at most 4,096 of them, and 100 entities.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from telegramify_markdown import RenderConfig, convert

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_MESSAGE_UNITS = 4_096
"""UTF-16 code units of one message."""
MAX_ENTITIES = 100
"""Of one message; Telegram leaves the others away."""
_log = logging.getLogger(__name__)

_SIGNS = {"<": "\ue000", "$": "\ue001", "|": "\ue002"}
_BACK = str.maketrans({placeholder: character for character, placeholder in _SIGNS.items()})
_PRIVATE = re.compile("[\ue000-\ue002]")
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]*`)", re.DOTALL)
_ESCAPED = re.compile(r"((?<!\\)(?:\\\\)*)\\([<$|])")
_TAG = re.compile(r"<(?!https?://)")
_NO_TABLE = re.compile(r"(?m)^(?!\s*\|).*$")
_QUOTES = {"blockquote", "expandable_blockquote"}
_KNOWN = {
    "bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre",
    "text_link",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entity:
    """A formatted range of a text; offset and length in UTF-16 code units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None

    @property
    def end(self) -> int:
        """The offset after its last unit."""
        return self.offset + self.length


@dataclass(frozen=True, slots=True)
class MessagePart:
    """The text of one message, with its entities."""

    text: str
    entities: tuple[Entity, ...] = ()

    def after(self, line: str) -> MessagePart:
        """Return the message with a line of plain text above it."""
        shift = utf16_length(line) + 1
        entities = tuple(replace(entity, offset=entity.offset + shift) for entity in self.entities)
        return MessagePart(f"{line}\n{self.text}", entities)


def utf16_length(text: str) -> int:
    """Return the length of `text` in UTF-16 code units."""
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


def without_unsendable(text: str) -> str:
    """Return `text` without NUL and lone surrogates, which cannot be sent."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def markdown_to_entities(markdown: str) -> MessagePart:
    """Return Markdown as text with entities, of any length; unconverted where the converter fails."""
    try:
        text, spans = convert(
            _with_placeholders(without_unsendable(markdown)), latex_escape=False, config=_render_config()
        )
    except Exception:  # noqa: BLE001 - whatever the converter trips over, the words arrive
        _log.exception("an answer is sent as it stands")
        return MessagePart(without_unsendable(markdown))
    text = text.translate(_BACK)
    entities = [
        Entity(span.type, span.offset, span.length, span.url, span.language) for span in spans if span.type in _KNOWN
    ]
    return MessagePart(text, tuple(sorted(_separated(entities), key=lambda entity: (entity.offset, -entity.length))))


def _with_placeholders(markdown: str) -> str:
    """Return Markdown with placeholders for the signs that the converter would remove: of HTML, sums and `||`.

    Each stands for one of its own length, so that offsets stay.
    """
    parts = _CODE.split(_PRIVATE.sub("\ufffd", markdown))  # words and code in turn
    parts[::2] = [_ESCAPED.sub(lambda match: match[1] + _SIGNS[match[2]], prose) for prose in parts[::2]]
    markdown = _TAG.sub(_SIGNS["<"], "".join(parts)).replace("$", _SIGNS["$"])
    return _NO_TABLE.sub(lambda match: match[0].replace("||", _SIGNS["|"] * 2), markdown)


def _separated(entities: Sequence[Entity]) -> Iterator[Entity]:
    """Yield entities as Telegram allows them: none inside or around code, quotations not nested."""
    links = [entity for entity in entities if entity.type == "text_link"]
    code = [
        entity
        for entity in entities
        if entity.type in {"code", "pre"} and not any(_overlap(entity, link) for link in links)
    ]
    quotes: list[Entity] = []
    for entity in entities:
        if entity in code:
            yield entity
        elif entity.type in {"code", "pre"} or (
            entity.type in _QUOTES and any(_overlap(entity, other) for other in quotes)
        ):
            continue
        else:
            if entity.type in _QUOTES:
                quotes.append(entity)
            yield from _outside_code(entity, code)


def _overlap(entity: Entity, other: Entity) -> bool:
    return entity.offset < other.end and other.offset < entity.end


def _outside_code(entity: Entity, code: Sequence[Entity]) -> Iterator[Entity]:
    """Yield the parts of an entity that lie outside of code."""
    start = entity.offset
    holes = [code_entity for code_entity in code if _overlap(entity, code_entity)]
    for hole in sorted(holes, key=lambda code_entity: code_entity.offset):
        if start < hole.offset:
            yield replace(entity, offset=start, length=hole.offset - start)
        start = max(start, hole.end)
    if start < entity.end:
        yield replace(entity, offset=start, length=entity.end - start)


def _render_config() -> RenderConfig:
    config = RenderConfig.isolated()
    signs = config.markdown_symbol
    signs.heading_level_1 = signs.heading_level_2 = signs.heading_level_3 = signs.heading_level_4 = ""
    signs.image = signs.link = ""
    signs.unordered_list_item = "\u2022"
    return config


def split_message(document: MessagePart, limit: int = MAX_MESSAGE_UNITS) -> tuple[MessagePart, ...]:
    """Cut a text into messages of at most `limit` units.

    It is cut at the end of a line where one is near, else between words. No entity is cut that fits into a message; one
    that does not is continued in the next.
    """
    messages = []
    unit_offsets = list(accumulate((utf16_length(character) for character in document.text), initial=0))
    start = 0
    while start < len(document.text):
        end = _message_end(document, unit_offsets, start, limit)
        text = document.text[start:end]
        if text.strip():  # Telegram refuses messages of white space
            messages.append(
                MessagePart(text, tuple(_clipped(document.entities, unit_offsets[start], unit_offsets[end])))
            )
        start = end
    return tuple(messages)


def _message_end(document: MessagePart, unit_offsets: Sequence[int], start: int, limit: int) -> int:
    """Return the end of the message that begins with character `start`."""
    max_end = unit_offsets[start] + limit
    open_offsets = [entity.offset for entity in document.entities if entity.end > unit_offsets[start]]
    if len(open_offsets) > MAX_ENTITIES and open_offsets[MAX_ENTITIES] > unit_offsets[start]:
        max_end = min(max_end, open_offsets[MAX_ENTITIES])
    if unit_offsets[-1] <= max_end:
        return len(document.text)
    uncuttable = [
        entity
        for entity in document.entities
        if entity.length <= limit and entity.end > unit_offsets[start] and entity.offset < max_end
    ]
    cuts = _safe_ends(unit_offsets, start, max_end, uncuttable) or [
        end for end in range(start + 1, len(unit_offsets)) if unit_offsets[end] <= max_end
    ]
    long_cuts = [end for end in cuts if unit_offsets[end] - unit_offsets[start] > (max_end - unit_offsets[start]) // 2]
    for sign in ("\n\n", "\n", " "):
        if sign_cuts := [end for end in long_cuts if document.text.endswith(sign, start, end)]:
            return sign_cuts[-1]
    return cuts[-1] if cuts else start + 1


def _safe_ends(unit_offsets: Sequence[int], start: int, max_end: int, entities: Sequence[Entity]) -> list[int]:
    """Return the ends up to `max_end` that lie within none of the entities."""
    is_inside = bytearray(max_end - unit_offsets[start] + 1)
    for entity in entities:
        first, last = max(entity.offset + 1, unit_offsets[start]), min(entity.end, max_end + 1)
        is_inside[first - unit_offsets[start] : last - unit_offsets[start]] = b"\1" * max(0, last - first)
    ends = []
    for end in range(start + 1, len(unit_offsets)):
        if unit_offsets[end] > max_end:
            break
        if not is_inside[unit_offsets[end] - unit_offsets[start]]:
            ends.append(end)
    return ends


def _clipped(entities: Sequence[Entity], start: int, end: int) -> Iterator[Entity]:
    for entity in entities:
        first, last = max(entity.offset, start), min(entity.end, end)
        if first < last:
            yield replace(entity, offset=first - start, length=last - first)


def message_tail(text: str, limit: int = MAX_MESSAGE_UNITS) -> str:
    """Return the end of a growing plain text, as much of it as one message takes."""
    text = without_unsendable(text)
    if utf16_length(text) <= limit:
        return text
    ending = text[-(limit - 2) :]
    while utf16_length(ending) > limit - 2:
        ending = ending[utf16_length(ending) - limit + 2 :]
    return f"\u2026 {ending}"
