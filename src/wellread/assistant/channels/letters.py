"""Letters: the model's words, and below them what the house says of the turn, as Markdown or as they are; pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.assistant.events import Reply
    from wellread.errors import WellreadError

NOTHING = "\u2014 nothing was changed"
"""The last line of every answer to a turn that changed nothing, whatever the model says: a tick of its own making
stands above it."""
_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")


def escaped(text: str) -> str:
    """Return Markdown that shows `text` as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def written(reply: Reply, text: str | None = None) -> str:
    """Return a reply as a letter; `text` stands in for its words. Its questions are asked by the channel itself."""
    told = [*_remarks(reply, escaped), *(f"? {escaped(it.tool)} waits for your word" for it in reply.asked)]
    if not reply.receipts and not reply.asked:
        told.append(f"_{NOTHING}_")
    return "\n\n".join(filter(None, (reply.text if text is None else text, "\n".join(told))))


def plain(reply: Reply) -> str:
    """Return a reply as a letter to the terminal, which shows signs as they are, and says how to give one's word."""
    told = [reply.text, *_remarks(reply, str)]
    told += [f"? {it.tool} waits for your word: {it.preview}" for it in reply.asked]
    if reply.asked:
        told.append(f"To give it: wellread chat --conversation {reply.conversation_id}")
    elif not reply.receipts:
        told.append(NOTHING)
    return "\n".join(filter(None, told))


def _remarks(reply: Reply, shown: Callable[[str], str]) -> list[str]:
    return [*(f"\u2713 {shown(it)}" for it in reply.receipts), *(f"! {shown(it)}" for it in reply.notes)]


def failed(error: WellreadError) -> str:
    """Return a failure as a letter."""
    return "\u26a0 " + escaped(f"{error.message} ({error.hint})" if error.hint else error.message)
