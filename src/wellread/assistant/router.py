"""Tells talk from work: a small model is asked once, and whatever it does not clearly call talk is work."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic_ai.messages import ModelRequest

from wellread.assistant.models.speaker import Question, shaped
from wellread.errors import UnavailableError

if TYPE_CHECKING:
    from wellread.assistant.models.speaker import Speaker

INSTRUCTIONS = (
    "Sort the user's message. chat: talk, or a question answered from general knowledge or the conversation. action: "
    "anything that needs tools: the web, files, memory, tasks, schedules, mail, or facts that may have changed. In "
    'doubt, action. Answer with JSON alone: {"intent": "chat"} or {"intent": "action"}.'
)
SHAPE = {
    "type": "object",
    "properties": {"intent": {"type": "string", "enum": ["chat", "action"]}},
    "required": ["intent"],
    "additionalProperties": False,
}
MAX_CHARS = 4_000
MAX_TOKENS = 200


class Intent(StrEnum):
    """What a message wants."""

    CHAT = "chat"
    ACTION = "action"


class Router:
    """Asks the intent model; without one everything is work, and one agent does both."""

    def __init__(self, speaker: Speaker | None) -> None:
        """Take who is asked."""
        self._speaker = speaker

    async def intent(self, turn_id: str, text: str) -> Intent:
        """Return what `text` wants.

        Raises:
            Budget: a cap is reached.
        """
        if self._speaker is None:
            return Intent.ACTION
        question = Question(
            turn_id=turn_id,
            instructions=INSTRUCTIONS,
            messages=[ModelRequest.user_text_prompt(text[:MAX_CHARS])],
            shape=SHAPE,
            max_tokens=MAX_TOKENS,
        )
        try:
            told = await shaped(self._speaker, question)
        except UnavailableError:
            return Intent.ACTION
        return Intent.CHAT if isinstance(told, dict) and told.get("intent") == "chat" else Intent.ACTION
