"""A growing answer: drafts in private chats where the Bot API has them, else edits of one message."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from wellread.assistant.channels.telegram.formatting import (
    MAX_MESSAGE_UNITS,
    MessagePart,
    message_tail,
    without_unsendable,
)
from wellread.assistant.turn_events import Heard, Used, Using
from wellread.errors import RateLimited, UnavailableError, WellreadError
from wellread.net.background_tasks import run_beside

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wellread.assistant.channels.telegram.client import ChatTopic, TelegramClient
    from wellread.assistant.turn_events import Event

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EditPace:
    """How often a growing text is shown."""

    pause_s: float = 1.0
    """Between two: Telegram allows about one message a second in a chat (Bots FAQ)."""
    group_s: float = 3.0
    """Between two in a group, which may have 20 a minute (Bots FAQ)."""
    again_s: float = 20.0
    """A draft that has not changed for so long is shown again: it would be gone after 30 seconds."""


class StreamingMessage:
    """The message of one turn while it grows; `text` is the model's text so far."""

    def __init__(
        self, client: TelegramClient, chat_topic: ChatTopic, number: int, pace: EditPace, *, drafts: bool
    ) -> None:
        """Take the chat to show it in; `number` is the draft's, not 0."""
        self._client = client
        self._chat_topic = chat_topic
        self._number = number
        self._pause_s = pace.pause_s if chat_topic.private else pace.group_s
        self._pace = pace
        self.drafts = drafts and chat_topic.private
        """Drafts are shown; it turns false where the Bot API has none."""
        self.message: int | None = None
        """The message that was edited, for the final words."""
        self.text = ""
        self._using = ""
        self._changed = anyio.Event()
        self._silent = False
        self._edited_s = 0.0

    async def tell(self, event: Event) -> None:
        """Record an event of the turn."""
        if isinstance(event, Heard):
            self.text += event.text
        elif isinstance(event, Using):
            self.text = self.text.rstrip()
            if self.text:
                self.text += "\n\n"
            self._using = event.tool
        elif isinstance(event, Used):
            self._using = ""
        self._changed.set()

    @asynccontextmanager
    async def shown(self) -> AsyncGenerator[None, None]:
        """Show the growing message while the block lasts."""
        self._changed.set()
        async with run_beside(self._show_always):
            yield
        if self.message is not None:  # the last words are an edit like the others
            await anyio.sleep_until(self._edited_s + self._pace.pause_s)

    async def _show_always(self) -> None:
        while not self._silent:
            with anyio.move_on_after(self._pace.again_s):
                await self._changed.wait()
            self._changed = anyio.Event()
            # Under way it is not called off: a draft that arrives after the last words would stand below them.
            with anyio.CancelScope(shield=True):
                pause_s = await self._show()
            await anyio.sleep(pause_s)

    async def _show(self) -> float:
        """Show the current text; return how long to wait before the next time."""
        try:
            if self.drafts:
                await self._client.draft(self._chat_topic, self._number, self._now())
            elif (text := self._now()) and self.message is None:
                self.message = await self._client.say(self._chat_topic, MessagePart(text))
            elif text and self.message is not None:
                await self._client.edit(self._chat_topic, self.message, MessagePart(text))
            self._edited_s = anyio.current_time()
        except RateLimited as error:
            return max(error.retry_after_s or 0.0, self._pause_s)
        except UnavailableError as error:
            _log.info("a growing answer is not shown: %s", error)
            # Whether a first message has arrived is not known: a second one would stand beside it.
            self._silent = not self.drafts and self.message is None
        except WellreadError as error:
            _log.info("a growing answer is shown no more as it was: %s", error)
            self._silent, self.drafts = not self.drafts, False
            self._changed.set()
        return self._pause_s

    def _now(self) -> str:
        tool_line = f"\u00b7 {self._using} \u2026" if self._using else ""
        return message_tail(
            "\n\n".join(filter(None, (without_unsendable(self.text).strip(), tool_line))), MAX_MESSAGE_UNITS
        )
