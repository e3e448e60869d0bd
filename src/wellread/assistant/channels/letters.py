"""Letters to channels, as Markdown: the model's words, and below them what the house says of the turn; pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellread.assistant.events import Reply
    from wellread.errors import WellreadError

NOTHING = "_\u2014 nothing was changed_"
"""The last line of every answer to a turn that changed nothing, whatever the model says: a tick of its own making
stands above it."""
_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")


def escaped(text: str) -> str:
    """Return Markdown that shows `text` as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def written(reply: Reply, text: str | None = None) -> str:
    """Return a reply as a letter; `text` stands in for its words. Its questions are asked by the channel itself."""
    told = [f"\u2713 {escaped(it)}" for it in reply.receipts]
    told += [f"! {escaped(it)}" for it in reply.notes]
    told += [f"? {escaped(it.tool)} waits for your word" for it in reply.asked]
    if not reply.receipts and not reply.asked:
        told.append(NOTHING)
    return "\n\n".join(filter(None, (reply.text if text is None else text, "\n".join(told))))


def failed(error: WellreadError) -> str:
    """Return a failure as a letter."""
    return "\u26a0 " + escaped(f"{error.message} ({error.hint})" if error.hint else error.message)
