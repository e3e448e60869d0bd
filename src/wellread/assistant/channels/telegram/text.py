"""Markdown as Telegram shows it: text, entities over it, and pieces that fit into messages; pure.

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

LIMIT = 4_096
"""UTF-16 code units of one message."""
MOST_ENTITIES = 100
"""Of one message; Telegram leaves the others away."""
_log = logging.getLogger(__name__)

_SIGNS = {"<": "\ue000", "$": "\ue001", "|": "\ue002"}
_BACK = str.maketrans({sign: own for own, sign in _SIGNS.items()})
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
    """A part of a text that is shown in a way of its own; offset and length in UTF-16 code units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.offset + self.length


@dataclass(frozen=True, slots=True)
class Piece:
    """What goes into one message."""

    text: str
    entities: tuple[Entity, ...] = ()

    def after(self, line: str) -> Piece:
        """Return it below a line of plain text."""
        shift = units(line) + 1
        return Piece(f"{line}\n{self.text}", tuple(replace(it, offset=it.offset + shift) for it in self.entities))


def units(text: str) -> int:
    """Return how long Telegram takes `text` to be."""
    return len(text) + sum(ord(each) > 0xFFFF for each in text)


def sound(text: str) -> str:
    """Return `text` without what cannot be sent: NUL, and halves of characters."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def shown(markdown: str) -> Piece:
    """Return Markdown as text with entities, of any length; as it stands where it cannot be converted."""
    try:
        text, found = convert(_kept(sound(markdown)), latex_escape=False, config=_plain())
    except Exception:  # noqa: BLE001 - whatever the converter trips over, the words arrive
        _log.exception("an answer is sent as it stands")
        return Piece(sound(markdown))
    text = text.translate(_BACK)
    entities = [Entity(it.type, it.offset, it.length, it.url, it.language) for it in found if it.type in _KNOWN]
    return Piece(text, tuple(sorted(_apart(entities), key=lambda it: (it.offset, -it.length))))


def _kept(markdown: str) -> str:
    """Return Markdown in which signs stand for those that the converter would take away: of HTML, sums and `||`.

    Each stands for one of its own length, so that offsets stay.
    """
    parts = _CODE.split(_PRIVATE.sub("\ufffd", markdown))  # words and code in turn
    parts[::2] = [_ESCAPED.sub(lambda it: it[1] + _SIGNS[it[2]], words) for words in parts[::2]]
    markdown = _TAG.sub(_SIGNS["<"], "".join(parts)).replace("$", _SIGNS["$"])
    return _NO_TABLE.sub(lambda line: line[0].replace("||", _SIGNS["|"] * 2), markdown)


def _apart(entities: Sequence[Entity]) -> Iterator[Entity]:
    """Yield entities as Telegram allows them: nothing in code and nothing around it, quotations not in one another."""
    links = [it for it in entities if it.type == "text_link"]
    code = [it for it in entities if it.type in {"code", "pre"} and not any(_meet(it, link) for link in links)]
    quotes: list[Entity] = []
    for it in entities:
        if it in code:
            yield it
        elif it.type in {"code", "pre"} or (it.type in _QUOTES and any(_meet(it, other) for other in quotes)):
            continue
        else:
            quotes += [it] if it.type in _QUOTES else []
            yield from _less(it, code)


def _meet(one: Entity, other: Entity) -> bool:
    return one.offset < other.end and other.offset < one.end


def _less(it: Entity, code: Sequence[Entity]) -> Iterator[Entity]:
    """Yield what of an entity lies outside of code."""
    start = it.offset
    for hole in sorted((each for each in code if _meet(it, each)), key=lambda each: each.offset):
        if start < hole.offset:
            yield replace(it, offset=start, length=hole.offset - start)
        start = max(start, hole.end)
    if start < it.end:
        yield replace(it, offset=start, length=it.end - start)


def _plain() -> RenderConfig:
    config = RenderConfig.isolated()
    signs = config.markdown_symbol
    signs.heading_level_1 = signs.heading_level_2 = signs.heading_level_3 = signs.heading_level_4 = ""
    signs.image = signs.link = ""
    signs.unordered_list_item = "\u2022"
    return config


def pieces(whole: Piece, limit: int = LIMIT) -> tuple[Piece, ...]:
    """Cut a text into messages of at most `limit` units.

    It is cut at the end of a line where one is near, else between words. No entity is cut that fits into a message; one
    that does not is continued in the next.
    """
    found = []
    at = list(accumulate((units(each) for each in whole.text), initial=0))
    start = 0
    while start < len(whole.text):
        end = _end(whole, at, start, limit)
        text = whole.text[start:end]
        if text.strip():  # Telegram refuses messages of white space
            found.append(Piece(text, tuple(_within(whole.entities, at[start], at[end]))))
        start = end
    return tuple(found)


def _end(whole: Piece, at: Sequence[int], start: int, limit: int) -> int:
    """Return where the piece that begins with character `start` ends."""
    most = at[start] + limit
    inside = [it.offset for it in whole.entities if it.end > at[start]]
    if len(inside) > MOST_ENTITIES and inside[MOST_ENTITIES] > at[start]:
        most = min(most, inside[MOST_ENTITIES])
    if at[-1] <= most:
        return len(whole.text)
    small = [it for it in whole.entities if it.length <= limit and it.end > at[start] and it.offset < most]
    free = _uncut(at, start, most, small) or [end for end in range(start + 1, len(at)) if at[end] <= most]
    near = [end for end in free if at[end] - at[start] > (most - at[start]) // 2]
    for sign in ("\n\n", "\n", " "):
        if good := [end for end in near if whole.text.endswith(sign, start, end)]:
            return good[-1]
    return free[-1] if free else start + 1


def _uncut(at: Sequence[int], start: int, most: int, small: Sequence[Entity]) -> list[int]:
    """Return the ends up to `most` that lie within none of the entities."""
    closed = bytearray(most - at[start] + 1)
    for it in small:
        first, last = max(it.offset + 1, at[start]), min(it.end, most + 1)
        closed[first - at[start] : last - at[start]] = b"\1" * max(0, last - first)
    ends = []
    for end in range(start + 1, len(at)):
        if at[end] > most:
            break
        if not closed[at[end] - at[start]]:
            ends.append(end)
    return ends


def _within(entities: Sequence[Entity], start: int, end: int) -> Iterator[Entity]:
    for it in entities:
        first, last = max(it.offset, start), min(it.end, end)
        if first < last:
            yield replace(it, offset=first - start, length=last - first)


def tail(text: str, limit: int = LIMIT) -> str:
    """Return the end of a plain text that is still growing, as much of it as one message takes."""
    text = sound(text)
    if units(text) <= limit:
        return text
    kept = text[-(limit - 2) :]
    while units(kept) > limit - 2:
        kept = kept[units(kept) - limit + 2 :]
    return f"\u2026 {kept}"
