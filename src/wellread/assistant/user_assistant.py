"""The assistant as one user, or the people of one group, have it: conversations, memory, knowledge base and tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.assistant.conversation_list import MAX_LISTED_CONVERSATIONS, list_conversations
from wellread.assistant.loop import Assistant

if TYPE_CHECKING:
    from wellread.assistant.conversation_list import ConversationSummary
    from wellread.assistant.database import UserStore
    from wellread.assistant.knowledge.knowledge_base import KnowledgeBase
    from wellread.assistant.loop import AssistantParts
    from wellread.assistant.memory.user_memory import UserMemory
    from wellread.assistant.users import User


@dataclass(frozen=True, slots=True, kw_only=True)
class UserStores:
    """The stores of one user; all of them are opened for that user alone."""

    user: User
    store: UserStore
    memory: UserMemory
    knowledge: KnowledgeBase


class UserAssistant(Assistant):
    """Talks with one user."""

    def __init__(self, parts: AssistantParts, belongings: UserStores) -> None:
        """Take the parts, and the user's stores."""
        super().__init__(parts)
        self.user = belongings.user
        self.store = belongings.store
        self.memory = belongings.memory
        self.knowledge = belongings.knowledge

    async def conversations(self, channel: str, *, count: int = MAX_LISTED_CONVERSATIONS) -> list[ConversationSummary]:
        """Return the user's conversations that were held in one place, the last first."""
        return await self.store.run(lambda session: list_conversations(session, channel=channel, count=count))
