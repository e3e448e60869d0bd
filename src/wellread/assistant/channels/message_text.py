"""Message texts: the model's answer, then receipts and notes of its turn, as Markdown or plain text; pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.assistant.turn_events import Reply
    from wellread.errors import WellreadError

NOTHING = "\u2014 nothing was changed"
"""The last line of every answer to a turn that changed nothing, whatever the model says: a tick of its own making
stands above it."""
_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")


def escape_markdown(text: str) -> str:
    """Return Markdown that shows `text` as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def markdown_reply(reply: Reply, text: str | None = None) -> str:
    """Return a reply as Markdown; `text` replaces its words. The channel itself asks the reply's questions."""
    questions = [f"? {escape_markdown(approval.tool)} waits for your approval" for approval in reply.asked]
    remarks = [*_remarks(reply, escape_markdown), *questions]
    if not reply.receipts and not reply.asked:
        remarks.append(f"_{NOTHING}_")
    if text is None:
        text = reply.text
    return "\n\n".join(filter(None, (text, "\n".join(remarks))))


def terminal_reply(reply: Reply) -> str:
    """Return a reply as plain text for the terminal, with the command that answers its questions."""
    lines = [reply.text, *_remarks(reply, str)]
    lines += [f"? {approval.tool} waits for your approval: {approval.preview}" for approval in reply.asked]
    if reply.asked:
        lines.append(f"To approve or refuse, run: wellread chat --conversation {reply.conversation_id}")
    elif not reply.receipts:
        lines.append(NOTHING)
    return "\n".join(filter(None, lines))


def _remarks(reply: Reply, shown: Callable[[str], str]) -> list[str]:
    receipts = (f"\u2713 {shown(receipt)}" for receipt in reply.receipts)
    return [*receipts, *(f"! {shown(note)}" for note in reply.notes)]


def error_message(error: WellreadError) -> str:
    """Return an error as a message."""
    message = error.message
    if error.hint:
        message = f"{message} ({error.hint})"
    return "\u26a0 " + escape_markdown(message)
