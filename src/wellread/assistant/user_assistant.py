"""The assistant as one user, or the people of one group, have it: conversations, memory, knowledge base and tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.assistant.listing import listed
from wellread.assistant.loop import Assistant

if TYPE_CHECKING:
    from wellread.assistant.database import UserStore
    from wellread.assistant.knowledge.knowledge import Knowledge
    from wellread.assistant.listing import Conversation
    from wellread.assistant.loop import Parts
    from wellread.assistant.memory.memory import Memory
    from wellread.assistant.users import User

LISTED = 50
"""Conversations that are listed: who looks for an older one searches the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belongings:
    """The stores of one user; all of them are opened for that user alone."""

    user: User
    store: UserStore
    memory: Memory
    knowledge: Knowledge


class UserAssistant(Assistant):
    """Talks with one user."""

    def __init__(self, parts: Parts, belongings: Belongings) -> None:
        """Take the parts, and the user's stores."""
        super().__init__(parts)
        self.user = belongings.user
        self.store = belongings.store
        self.memory = belongings.memory
        self.knowledge = belongings.knowledge

    async def conversations(self, channel: str, *, count: int = LISTED) -> list[Conversation]:
        """Return the user's conversations that were held in one place, the last first."""
        return await self.store.run(lambda session: listed(session, channel=channel, count=count))
