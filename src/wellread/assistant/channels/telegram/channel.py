"""The Telegram channel: receives updates by long polling or webhook, sends messages and approval questions."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from typing import TYPE_CHECKING, ClassVar

import anyio

from wellread.assistant.channels.inbox import Inbox, InboxItem
from wellread.assistant.channels.message_text import escape_markdown
from wellread.assistant.channels.port import ChannelHealth
from wellread.assistant.channels.telegram import formatting
from wellread.assistant.channels.telegram.client import ChatTopic, TelegramClient
from wellread.assistant.channels.telegram.streaming_message import EditPace
from wellread.assistant.channels.telegram.update_handler import COMMANDS, NAME, UpdateHandler
from wellread.assistant.channels.telegram.updates import parse_update
from wellread.assistant.outbox import POSSIBLY_SENT_MARK
from wellread.assistant.policy import escape_invisible
from wellread.assistant.wakeup import MAX_SLEEP_S, WakeupSignal
from wellread.errors import Auth, InvalidInput, RateLimited, UnavailableError, WellreadError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.channels.port import ChannelAccount, ChannelContext
    from wellread.assistant.channels.telegram.client import RawUpdate
    from wellread.assistant.conversations import Approval
    from wellread.assistant.outbox import OutboxMessage

MAX_PART_UNITS = formatting.MAX_MESSAGE_UNITS - len(POSSIBLY_SENT_MARK) - 1
"""Most units of a part of a message, so that the mark of a second try fits above it."""
MIN_PAUSE_S = 1.0
MAX_PAUSE_S = 30.0
SECRET_HEADER = "x-telegram-bot-api-secret-token"  # noqa: S105 - the name of a header

_log = logging.getLogger(__name__)


class Telegram:
    """One bot, and the people allowed to talk with it."""

    name: ClassVar[str] = NAME
    home: ClassVar[str] = "https://api.telegram.org"

    def __init__(self, account: ChannelAccount, context: ChannelContext, pace: EditPace | None = None) -> None:
        """Take the account and the parts of the assistant.

        Raises:
            ConfigError: the token cannot be one.
        """
        self.state = ChannelHealth(counts={"heard": 0, "ignored": 0})
        self._account = account
        self._context = context
        self._client = TelegramClient(account)
        self._talk = UpdateHandler(self._client, context, account.max_bytes, pace or EditPace())
        self._inbox = Inbox(NAME, context, self._talk.answer)
        self._store_failed = WakeupSignal()
        self._arrived: dict[str, int] = {}
        token = account.token.reveal().encode()
        # Of the token alone, so that it is the same after a restart, and says nothing about it.
        self._secret = hmac.new(token, b"wellread webhook", hashlib.sha256).hexdigest()

    # ------------------------------------------------------------------------------------------- coming in

    async def listen(self) -> None:
        """Receive updates until cancelled; an unreachable network or a refused token is retried."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._work)
            pause_s = MIN_PAUSE_S
            ready = False
            while True:
                try:
                    if not ready:
                        self._talk.bot = await self._client.begin(COMMANDS, self._account.hook, self._secret)
                        ready = True
                    await self._next()
                    pause_s = MIN_PAUSE_S
                except WellreadError as error:
                    wait_s = pause_s
                    if isinstance(error, RateLimited):
                        wait_s = max(pause_s, error.retry_after_s or 0.0)
                    pause_s = min(pause_s * 2, MAX_PAUSE_S)
                    self.state.working, self.state.detail = False, f"{error.code}: {error.message}"
                    _log.warning("telegram is asked again in %.0f s: %s", wait_s, error)
                    await anyio.sleep(wait_s)

    async def _next(self) -> None:
        """Wait for the next updates, and store them."""
        if self._account.hook is not None:
            await self._inbox.place()  # the store answers, or this channel does not work
            self.state.working, self.state.detail = True, "called by Telegram"
            await self._store_failed.wait(MAX_SLEEP_S)
            return
        news = await self._client.news(await self._inbox.place())
        if news:
            await self._keep(news, place=max(int(raw["update_id"]) for raw in news) + 1)
        self.state.working, self.state.detail = True, "listening"

    def knows(self, headers: Mapping[str, str]) -> None:
        """Check that a webhook call comes from Telegram.

        Raises:
            Auth: it does not.
        """
        if not hmac.compare_digest(headers.get(SECRET_HEADER, "").encode(), self._secret.encode()):
            raise Auth("the request is not from Telegram", hint="")

    async def called(self, body: bytes) -> None:
        """Store the update in a webhook call.

        Raises:
            InvalidInput: it is no update.
        """
        try:
            raw = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise InvalidInput("the request is not JSON") from error
        if not isinstance(raw, dict) or not isinstance(raw.get("update_id"), int):
            raise InvalidInput("the request is not an update")
        await self._keep([raw])

    async def _keep(self, news: Sequence[RawUpdate], *, place: int | None = None) -> None:
        """Store the updates of allowed users; updates of all others are counted and get no answer."""
        items = []
        for raw in news:
            try:
                incoming = parse_update(raw)
            except InvalidInput as error:
                _log.warning("update %s is left out: %s", raw["update_id"], error)
                continue
            # The id of a private chat is that of its user (Bot API, Chat): another one speaks for somebody else.
            foreign = (
                incoming is not None
                and incoming.chat_topic.private
                and str(incoming.chat_topic.chat_id) != incoming.user
            )
            if incoming is None or foreign or incoming.user not in self._account.users:
                self.state.counts["ignored"] += 1
                continue
            items.append(
                InboxItem(
                    0, str(raw["update_id"]), str(incoming.chat_topic), incoming.chat_topic.account, json.dumps(raw)
                )
            )
        self.state.counts["heard"] += await self._inbox.keep(items, place=place)

    async def _work(self) -> None:
        while True:
            try:
                await self._inbox.run(self._talk.cut_off)
            except* UnavailableError as errors:
                _log.warning("%s", errors.exceptions[0])
                self.state.working, self.state.detail = False, f"{UnavailableError.code}: {errors.exceptions[0]}"
                self._store_failed.ring()
            await anyio.sleep(MAX_SLEEP_S)

    async def rest(self) -> None:
        """Take up no more updates, and return when all updates in work have ended."""
        await self._inbox.rest()

    # ------------------------------------------------------------------------------------------- going out

    async def send(self, message: OutboxMessage) -> None:
        """Send a message to its chat in parts, then the pending approvals of that chat.

        A second try goes on with the piece at which the first one ended, as long as this process lives.

        Raises:
            InvalidInput: it has no chat in Telegram, or Telegram does not take it.
            UnavailableError, RefusedError: it does not arrive.
        """
        conversations = (await self._context.of(message.account)).parts.conversations
        channel = await conversations.channel(message.chat) or ""
        if not channel.startswith(f"{NAME}:"):
            raise InvalidInput(f"conversation {message.chat[:40]!r} is not a Telegram chat")
        chat_topic = ChatTopic.at(channel.partition(":")[2])
        sent_count = self._arrived.setdefault(message.id, 0)
        parts = formatting.split_message(formatting.markdown_to_entities(message.body), MAX_PART_UNITS)[sent_count:]
        if message.maybe_sent and parts:
            parts = (parts[0].after(POSSIBLY_SENT_MARK), *parts[1:])
        for piece in parts:
            await self._say(message, chat_topic, piece)
            self._arrived[message.id] += 1
        for approval in await conversations.pending(message.chat):
            await self._ask(chat_topic, approval)
        del self._arrived[message.id]

    async def _say(self, message: OutboxMessage, chat_topic: ChatTopic, piece: formatting.MessagePart) -> None:
        message_id = self._talk.shown.get(message.chat)
        try:
            if message_id is not None:
                await self._client.edit(chat_topic, message_id, piece)
            else:
                await self._client.say(chat_topic, piece)
        except InvalidInput as error:  # the growing message was deleted, or the entities are not to Telegram's taste
            _log.warning("a message is sent again, plain: %s", error)
            await self._client.say(chat_topic, formatting.MessagePart(piece.text))
        self._talk.shown.pop(message.chat, None)

    async def _ask(self, chat_topic: ChatTopic, approval: Approval) -> None:
        """Send the whole preview of an approval, with the buttons below its last part."""
        markdown = f"**? {escape_markdown(approval.tool)}**\n{escape_markdown(approval.reason)}"
        heading = formatting.markdown_to_entities(markdown)
        preview = formatting.without_unsendable(escape_invisible(approval.preview))
        start = formatting.utf16_length(heading.text) + 2
        entities = heading.entities
        if preview:
            entities = (*entities, formatting.Entity("pre", start, formatting.utf16_length(preview)))
        question = formatting.MessagePart(f"{heading.text}\n\n{preview}", entities)
        *first, last = formatting.split_message(question)
        for piece in first:
            await self._client.say(chat_topic, piece)
        buttons = (("Do it", f"yes:{approval.id}"), ("Leave it", f"no:{approval.id}"))
        await self._client.say(chat_topic, last, buttons)
