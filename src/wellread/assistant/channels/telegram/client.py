"""The Telegram client: sends and receives over the Bot API, and translates its errors into ours."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from aiogram import Bot
from aiogram.client.default import DefaultBotProperties
from aiogram.exceptions import (
    AiogramError,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramEntityTooLarge,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramUnauthorizedError,
)
from aiogram.methods import TelegramMethod
from aiogram.types import BotCommand, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, MessageEntity
from aiogram.utils.token import TokenValidationError

from wellread.assistant.channels.telegram.aiogram_session import TelegramSession
from wellread.assistant.users import GROUP
from wellread.errors import (
    Auth,
    ConfigError,
    InvalidInput,
    RateLimited,
    RefusedError,
    Unreachable,
    Upstream,
    WellreadError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.assistant.channels.port import ChannelAccount
    from wellread.assistant.channels.telegram.formatting import MessagePart

POLL_S = 50
"""How long Telegram keeps a request for news open while there are none."""
UPDATE_KINDS = ["message", "callback_query"]
"""The kinds of updates that are asked for."""

_TOKEN = re.compile(r"\d{5,}:[\w-]{30,}")

RawUpdate = dict[str, Any]  # Any: an update as Telegram wrote it
Buttons = tuple[tuple[str, str], ...]
"""Words on a button -> what comes back when it is pressed."""


class _GetUpdates(TelegramMethod[list[RawUpdate]]):
    """The `getUpdates` method with raw updates: one that cannot be parsed must not hold up the others."""

    __returning__ = list[RawUpdate]
    __api_method__ = "getUpdates"

    offset: int | None
    timeout: int
    allowed_updates: list[str]


@dataclass(frozen=True, slots=True)
class ChatTopic:
    """A chat in Telegram, or a topic in it."""

    chat_id: int
    topic_id: int | None = None

    def __str__(self) -> str:
        """Return the text that `at` reads."""
        if self.topic_id is None:
            return str(self.chat_id)
        return f"{self.chat_id}.{self.topic_id}"

    @classmethod
    def at(cls, text: str) -> ChatTopic:
        """Read a place from the text of `__str__`."""
        chat_id, _, topic_id = text.partition(".")
        return cls(int(chat_id), int(topic_id) if topic_id else None)

    @property
    def private(self) -> bool:
        """Tell whether this is a chat with one person: its id is positive, a group's negative (Bot API, Chat)."""
        return self.chat_id > 0

    @property
    def account(self) -> str:
        """The account of the chat: of its person, who has the chat's id, or of the group with all its topics."""
        account = f"telegram:{self.chat_id}"
        if self.private:
            return account
        return f"{GROUP}{account}"


class TelegramClient:
    """The client of one bot."""

    def __init__(self, account: ChannelAccount) -> None:
        """Take the account.

        Raises:
            ConfigError: the token cannot be one.
        """
        self._session = TelegramSession(account)
        try:
            # No previews: Telegram would fetch what a model has written, without anybody having agreed.
            default = DefaultBotProperties(link_preview=LinkPreviewOptions(is_disabled=True))
            self._bot = Bot(account.token.reveal(), session=self._session, default=default)
        except TokenValidationError:
            hint = "copy the token from BotFather: digits, a colon, 35 characters"
            raise ConfigError("channels.tokens has no valid token for telegram", hint=hint) from None

    async def begin(self, commands: Mapping[str, str], hook: str | None, secret: str) -> str:
        """Set the bot's commands, and webhook or polling; return the bot's name."""
        with map_telegram_errors():
            me = await self._bot.get_me()
            bot_commands = [BotCommand(command=name, description=words) for name, words in commands.items()]
            await self._bot.set_my_commands(bot_commands)
            if hook is None:
                await self._bot.delete_webhook()
            else:
                await self._bot.set_webhook(hook, secret_token=secret, allowed_updates=UPDATE_KINDS)
        return me.username or ""

    async def news(self, place: int | None) -> list[RawUpdate]:
        """Return the updates from `place` on, as soon as there are any; Telegram then forgets the earlier ones."""
        with map_telegram_errors():
            request = _GetUpdates(offset=place, timeout=POLL_S, allowed_updates=UPDATE_KINDS)
            return await self._bot(request, request_timeout=POLL_S + 10)

    async def say(self, chat_topic: ChatTopic, piece: MessagePart, buttons: Buttons = ()) -> int:
        """Send a message; return its id."""
        with map_telegram_errors():
            try:
                sent = await self._bot.send_message(
                    chat_topic.chat_id,
                    piece.text,
                    message_thread_id=chat_topic.topic_id,
                    parse_mode=None,
                    entities=_entities(piece),
                    reply_markup=_keyboard(buttons),
                )
            except TelegramMigrateToChat as error:  # the group has become a supergroup, which has another id
                return await self.say(ChatTopic(error.migrate_to_chat_id), piece, buttons)
        return sent.message_id

    async def edit(self, chat_topic: ChatTopic, message: int, piece: MessagePart) -> None:
        """Replace the text of a message; a message that has this text already is no failure."""
        with map_telegram_errors():
            try:
                await self._bot.edit_message_text(
                    piece.text,
                    chat_id=chat_topic.chat_id,
                    message_id=message,
                    parse_mode=None,
                    entities=_entities(piece),
                )
            except TelegramBadRequest as error:
                if "not modified" not in error.message:
                    raise

    async def draft(self, chat_topic: ChatTopic, number: int, text: str) -> None:
        """Show a text that is still growing; it goes away by itself after 30 seconds, or with the next message."""
        with map_telegram_errors():
            await self._bot.send_message_draft(
                chat_topic.chat_id, draft_id=number, text=text, message_thread_id=chat_topic.topic_id, parse_mode=None
            )

    async def pressed(self, query: str, chat_topic: ChatTopic, message: int) -> None:
        """Remove the buttons of a question, and confirm the button press."""
        with map_telegram_errors():
            # First the buttons: Telegram takes no answer to a button that was pressed long ago.
            await self._bot.edit_message_reply_markup(chat_id=chat_topic.chat_id, message_id=message)
            await self._bot.answer_callback_query(query)

    async def file(self, file_id: str, max_bytes: int) -> bytes:
        """Return a file by its id."""
        with map_telegram_errors():
            file = await self._bot.get_file(file_id)
        if not file.file_path:
            raise InvalidInput("Telegram does not provide this file")
        return await self._session.file(file.file_path, max_bytes)


@contextmanager
def map_telegram_errors() -> Iterator[None]:
    """Raise the errors of aiogram as ours, without theirs: a server may put the path, and so the token, into words."""
    try:
        yield
    except AiogramError as error:
        raise _translation(error) from None


def _translation(error: AiogramError) -> WellreadError:
    message = "Telegram: no answer to be read"
    if isinstance(error, TelegramAPIError):
        message = f"Telegram: {_TOKEN.sub('***', error.message)}"
    if isinstance(error, TelegramRetryAfter):
        return RateLimited(message, retry_after_s=float(error.retry_after))
    if isinstance(error, TelegramNetworkError):
        return Unreachable(message, hint="check the network connection")
    if isinstance(error, TelegramUnauthorizedError):
        return Auth(
            "Telegram does not accept the token", hint="check channels.tokens; BotFather shows the token after /token"
        )
    if isinstance(error, TelegramForbiddenError):
        return RefusedError(message)
    if isinstance(error, TelegramBadRequest | TelegramEntityTooLarge | TelegramMigrateToChat | TelegramNotFound):
        return InvalidInput(message)
    return Upstream(message, hint="")


def _entities(piece: MessagePart) -> list[MessageEntity] | None:
    return [MessageEntity(**asdict(entity)) for entity in piece.entities] or None


def _keyboard(buttons: Sequence[tuple[str, str]]) -> InlineKeyboardMarkup | None:
    if not buttons:
        return None
    row = [InlineKeyboardButton(text=words, callback_data=data) for words, data in buttons]
    return InlineKeyboardMarkup(inline_keyboard=[row])
