"""Reads an update of the Bot API: its sender, its chat, and its text, file, links or button press; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiogram.types import CallbackQuery, Message, Update

from wellread.assistant.channels.telegram.client import ChatTopic
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from wellread.assistant.channels.telegram.client import RawUpdate


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPress:
    """A press of an approval button."""

    query: str
    message: int
    approval: str
    agreed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A document in a message."""

    id: str
    unique: str
    """The same for the same file, whoever sends it and however often."""
    name: str
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMessage:
    """A message with its text, links and files."""

    text: str
    """What was written, or the caption."""
    command: str = ""
    """Without the slash and the bot's name."""
    to: str = ""
    """The name of the bot that the command is for; empty: for any."""
    links: tuple[str, ...] = ()
    file: SentFile | None = None
    photo: bool = False
    others: bool = False
    """It was forwarded: the words are somebody else's."""

    @property
    def alone(self) -> bool:
        """Tell whether the message is one link and nothing else."""
        return len(self.links) == 1 and self.text.strip() in {self.links[0], self.links[0].removeprefix("https://")}


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingUpdate:
    """One update."""

    number: int
    user: str
    """The id of whoever sent it."""
    chat_topic: ChatTopic
    what: SentMessage | ButtonPress | None
    """None for what is not understood."""

    @property
    def author(self) -> str:
        """The account of its sender."""
        return f"telegram:{self.user}"


def parse_update(raw: RawUpdate) -> IncomingUpdate | None:
    """Read an update; None for one without a sender.

    Raises:
        InvalidInput: it is no update.
    """
    try:
        update = Update.model_validate(raw)
    except ValueError as error:  # what pydantic raises is one
        raise InvalidInput("this is not an update of the Bot API") from error
    message, query = update.message, update.callback_query
    if query is not None and isinstance(query.message, Message):
        chat_topic = _chat_topic(query.message)
        return IncomingUpdate(
            number=update.update_id, user=str(query.from_user.id), chat_topic=chat_topic, what=_press(query)
        )
    if message is not None and message.from_user is not None:
        user = str(message.from_user.id)
        return IncomingUpdate(number=update.update_id, user=user, chat_topic=_chat_topic(message), what=_sent(message))
    return None


def _chat_topic(message: Message) -> ChatTopic:
    topic = None
    if message.is_topic_message:
        topic = message.message_thread_id
    return ChatTopic(message.chat.id, topic)


def _press(query: CallbackQuery) -> ButtonPress | None:
    verdict, _, approval = (query.data or "").partition(":")
    if query.message is None or verdict not in {"yes", "no"}:
        return None
    return ButtonPress(query=query.id, message=query.message.message_id, approval=approval, agreed=verdict == "yes")


def _sent(message: Message) -> SentMessage | None:
    text = message.text or message.caption or ""
    file = _file(message)
    if not text and file is None and not message.photo:
        return None
    command, to = _command(message)
    return SentMessage(
        text=text, command=command, to=to, links=_links(message, text), file=file, photo=bool(message.photo),
        others=message.forward_origin is not None or message.via_bot is not None,
    )  # fmt: skip


def _file(message: Message) -> SentFile | None:
    document = message.document
    if document is None:
        return None
    return SentFile(
        id=document.file_id,
        unique=document.file_unique_id,
        name=document.file_name or "",
        bytes=document.file_size or 0,
    )


def _command(message: Message) -> tuple[str, str]:
    first = next(iter(message.entities or ()), None)
    if message.text is None or first is None or first.type != "bot_command" or first.offset:
        return "", ""
    name, _, to = message.text[1 : first.length].partition("@")  # commands are ASCII
    return name.lower(), to.lower()


def _links(message: Message, text: str) -> tuple[str, ...]:
    utf16 = text.encode("utf-16-le")
    urls: list[str] = []
    for entity in message.entities or message.caption_entities or ():
        entity_text = utf16[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le", "replace")
        url = {"text_link": entity.url, "url": entity_text}.get(entity.type)
        if url and not url.lower().startswith(("http://", "https://")):
            # A name with a dot in the middle of a sentence may be no address (README.md); alone it is one.
            url = f"https://{url}" if entity_text == text.strip() else None
        if url and url not in urls:
            urls.append(url)
    return tuple(urls)
