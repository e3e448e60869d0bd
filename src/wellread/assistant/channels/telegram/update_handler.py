"""Handles Telegram updates: commands, messages, files and links, and presses of approval buttons."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING
from urllib.parse import quote

from wellread.assistant.channels.inbox import InboxAnswer
from wellread.assistant.channels.message_text import error_message, escape_markdown, markdown_reply
from wellread.assistant.channels.telegram.client import ChatTopic
from wellread.assistant.channels.telegram.streaming_message import StreamingMessage
from wellread.assistant.channels.telegram.updates import ButtonPress, parse_update
from wellread.assistant.schedule import job_store
from wellread.assistant.tool_types import MESSAGE_CHANNEL
from wellread.assistant.tools.schedule_tools import job_line
from wellread.assistant.users import privacy_text
from wellread.errors import Gone, TooLarge, UnavailableError, WellreadError
from wellread.text.counts import count_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.channels.inbox import InboxItem
    from wellread.assistant.channels.port import ChannelContext
    from wellread.assistant.channels.telegram.client import TelegramClient
    from wellread.assistant.channels.telegram.streaming_message import EditPace
    from wellread.assistant.channels.telegram.updates import IncomingUpdate, SentFile, SentMessage
    from wellread.assistant.knowledge.knowledge_base import IngestedDocument, KnowledgeBase
    from wellread.assistant.user_assistant import UserAssistant

NAME = "telegram"
COMMANDS: Mapping[str, str] = {
    "new": "Begin a new conversation",
    "memory": "What I know about you",
    "schedule": "My schedules",
    "cost": "The cost of today",
    "help": "What I can do",
}
HELP_ANSWER = (
    "Write to me, or send a document or a link. I store documents and pages in the knowledge "
    "base and answer from them. I ask for approval before I change anything outside wellread."
)
UNKNOWN_CONTENT_ANSWER = "I understand text, documents, links, and the captions of photos."
PHOTO_ANSWER = "I cannot see photos, only their captions. Send a document, or describe the photo."
MAX_LISTED_FACTS = 50
"""Most facts that /memory lists."""
MAX_LINKS = 5
"""Of one message that are read."""

_log = logging.getLogger(__name__)


class UpdateHandler:
    """The handler of the updates of one bot."""

    def __init__(self, client: TelegramClient, context: ChannelContext, max_bytes: int, pace: EditPace) -> None:
        """Take the client, the assistant's parts, the size limit of files, and the pace of edits."""
        self._client = client
        self._context = context
        self._max_bytes = max_bytes
        self._pace = pace
        self._drafts = True
        self.bot = ""
        """The bot's own name."""
        self.shown: dict[str, int] = {}
        """Conversation -> the message in which the answer has been growing: its last words go there."""

    async def answer(self, item: InboxItem) -> InboxAnswer | None:
        """Answer one update; an error becomes the answer. It is not raised, for no update is handled twice."""
        MESSAGE_CHANNEL.set(NAME)
        incoming = parse_update(json.loads(item.body))
        if incoming is None or not self._for_us(incoming):
            return None
        assistant = await self._context.of(item.account)
        conversation = await _conversation(assistant, incoming.chat_topic)
        try:
            if isinstance(incoming.what, ButtonPress):
                return InboxAnswer(conversation, await self._decide(assistant, incoming.what, incoming))
            if incoming.what is None:
                return InboxAnswer(conversation, UNKNOWN_CONTENT_ANSWER)
            if incoming.what.command == "new" and not incoming.what.others:
                conversation = await _open(assistant, incoming.chat_topic)
            return InboxAnswer(conversation, await self._sent(assistant, incoming.what, incoming, conversation))
        except WellreadError as error:
            return InboxAnswer(conversation, error_message(error))
        except Exception:  # noqa: BLE001 - a mistake in one answer must not end all others; it is told
            _log.exception("an answer failed")
            return InboxAnswer(conversation, "\u26a0 That failed because of a bug; the log has the details.")

    async def cut_off(self, item: InboxItem) -> InboxAnswer:
        """Answer an item that a crash cut off: it may be done in part, so it is not done again."""
        incoming = parse_update(json.loads(item.body))
        content = incoming.what if incoming else None
        description, hint = "your message", "Send it again."
        if isinstance(content, ButtonPress):
            description, hint = "your decision", "Check whether it was done; if not, ask again."
        elif content:
            description = f"\u201c{content.text[:200]}\u201d"
        assistant = await self._context.of(item.account)
        conversation = await _conversation(assistant, incoming.chat_topic if incoming else ChatTopic.at(item.chat))
        return InboxAnswer(conversation, f"\u26a0 I was interrupted during {escape_markdown(description)}. {hint}")

    def _for_us(self, incoming: IncomingUpdate) -> bool:
        if incoming.what is None or isinstance(incoming.what, ButtonPress):
            return True
        return incoming.what.to in {"", self.bot.lower()}

    # ------------------------------------------------------------------------------------------- what is sent

    async def _sent(
        self, assistant: UserAssistant, sent: SentMessage, incoming: IncomingUpdate, conversation: str
    ) -> str:
        if (sent.command in COMMANDS or sent.command == "start") and not sent.others:
            return await self._command(assistant, sent.command)
        if sent.file is not None or sent.links or sent.photo or sent.others:
            remark, quiet = await self._take_in(assistant, sent)
            if quiet:
                return remark
            return await self._hear(assistant, f"{remark}\n{sent.text}", incoming, conversation, _skipped_links(sent))
        return await self._hear(assistant, sent.text, incoming, conversation)

    async def _command(self, assistant: UserAssistant, name: str) -> str:
        if name == "new":
            return "New conversation. I do not see earlier messages in it; I still know the facts about you."
        if name == "memory":
            facts = await assistant.memory.facts()
            shown_facts = [fact for fact in facts if not fact.tainted][:MAX_LISTED_FACTS]
            lines = [f"\u2022 {escape_markdown(fact.text)}" for fact in shown_facts]
            hidden_count = len(facts) - len(shown_facts)
            if hidden_count:
                lines.append(f"{hidden_count} more{': `wellread memory`' if assistant.user.is_owner else ''}")
            return "\n".join(lines) or "I have no facts about you yet."
        if name == "schedule":
            jobs = await assistant.store.run(job_store.jobs)
            return "\n".join(f"\u2022 {escape_markdown(job_line(job))}" for job in jobs) or "There are no schedules."
        if name == "cost":
            spent = await assistant.parts.ledger.today()
            tokens = count_of(spent.input_tokens + spent.output_tokens, "token")
            requests = count_of(spent.requests, "request")
            return escape_markdown(f"Today (UTC): {tokens} in {requests}, ${spent.cost_usd:.2f}.")
        return "\n".join(
            (
                HELP_ANSWER,
                "",
                privacy_text(assistant.user),
                "",
                *(f"/{name} \u2013 {words}" for name, words in COMMANDS.items()),
            )
        )

    async def _hear(
        self, assistant: UserAssistant, text: str, incoming: IncomingUpdate, conversation: str, remark: str = ""
    ) -> str:
        live = self._live(incoming)
        async with live.shown():
            reply = await assistant.hear(conversation, text, live.tell, author=incoming.author)
        self._after(live, conversation)
        text_with_remark = f"{reply.text}\n\n{remark}" if remark else None
        return markdown_reply(reply, text_with_remark)

    async def _decide(self, assistant: UserAssistant, press: ButtonPress, incoming: IncomingUpdate) -> str:
        parts = assistant.parts
        conversation = await parts.conversations.asked_in(press.approval, of=incoming.author)
        if await parts.conversations.channel(conversation) != f"{NAME}:{incoming.chat_topic}":
            raise Gone("this question is not from this chat", hint="repeat your request")
        try:
            await self._client.pressed(press.query, incoming.chat_topic, press.message)
        except WellreadError as error:  # the buttons stay, and do nothing a second time
            _log.info("the buttons of a question stay: %s", error)
        pending_ids = {approval.id for approval in await parts.conversations.pending(conversation or "")}
        live = self._live(incoming)
        async with live.shown():
            reply = await assistant.decide(press.approval, live.tell, agreed=press.agreed, by=incoming.author)
        self._after(live, reply.conversation_id)
        if reply.asked and {approval.id for approval in reply.asked} <= pending_ids:
            return ""  # the turn goes on once all is decided, and all of it has been asked
        return markdown_reply(reply, live.text.strip() or reply.text)

    def _live(self, incoming: IncomingUpdate) -> StreamingMessage:
        return StreamingMessage(self._client, incoming.chat_topic, incoming.number + 1, self._pace, drafts=self._drafts)

    def _after(self, live: StreamingMessage, conversation: str) -> None:
        self._drafts = live.drafts or (self._drafts and live.message is None)
        if live.message is not None:
            self.shown[conversation] = live.message

    # ------------------------------------------------------------------------------------------- taking in

    async def _take_in(self, assistant: UserAssistant, sent: SentMessage) -> tuple[str, bool]:
        """Store a message's files, links and forwarded words; return remarks, and whether they are the whole answer.

        Words that go to the model name nothing that others may have written: no file name, no title, no page.
        """
        asks = bool(sent.text) and not sent.others and not sent.alone
        remarks: list[str] = []
        if sent.file is not None:
            remarks.append(await self._keep(assistant.knowledge, sent.file, asks=asks))
        remarks += [
            await self._keep(assistant.knowledge, url, asks=asks) for url in sent.links[:MAX_LINKS] if not sent.others
        ]
        if sent.photo and not sent.text:
            return PHOTO_ANSWER, True
        if sent.text and (sent.photo or sent.others):
            ingested = await assistant.knowledge.add_text(sent.text)
            remarks.append(
                f"[Its words are in the knowledge base as {ingested.source}.]" if asks else _storage_report(ingested)
            )
        if sent.photo:
            remarks.append("[I sent a photo, which you cannot see; its caption follows.]" if asks else PHOTO_ANSWER)
        return "\n".join(remarks), not asks

    async def _keep(self, knowledge: KnowledgeBase, what: SentFile | str, *, asks: bool) -> str:
        try:
            ingested = await self._add(knowledge, what)
        except WellreadError as error:
            if isinstance(error, UnavailableError) and not asks:
                raise
            return f"[What I sent could not be read: {error.code}.]" if asks else error_message(error)
        source = what if isinstance(what, str) else f"document {what.unique}"
        return f"[In the knowledge base now, for knowledge_search: {source}]" if asks else _storage_report(ingested)

    async def _add(self, knowledge: KnowledgeBase, source: SentFile | str) -> IngestedDocument:
        if isinstance(source, str):
            return await knowledge.add_url(source)
        if source.bytes > self._max_bytes:
            raise TooLarge(f"the file has more than {self._max_bytes:,} bytes", hint="send a smaller file")
        body = await self._client.file(source.id, self._max_bytes)
        return await knowledge.add_bytes(body, f"file:///{NAME}/{source.unique}/{quote(source.name)}")


async def _conversation(assistant: UserAssistant, chat_topic: ChatTopic) -> str:
    return await assistant.parts.conversations.latest(f"{NAME}:{chat_topic}") or await _open(assistant, chat_topic)


async def _open(assistant: UserAssistant, chat_topic: ChatTopic) -> str:
    return await assistant.open(f"{NAME}:{chat_topic}")


def _skipped_links(sent: SentMessage) -> str:
    more = len(sent.links) - MAX_LINKS
    if more <= 0 or sent.others:
        return ""
    return f"I read the first {MAX_LINKS} links and skipped {more} more."


def _storage_report(ingested: IngestedDocument) -> str:
    outcome = {"kept": "Kept", "replaced": "Kept again", "unchanged": "This was stored already"}[ingested.outcome]
    pieces = "1 piece" if ingested.chunks == 1 else f"{ingested.chunks} pieces"
    return (
        f"{outcome}: {escape_markdown(ingested.title)} ({pieces}, {escape_markdown(ingested.source)}). Ask me about it."
    )
