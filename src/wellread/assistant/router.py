"""Routes messages: a small model is asked once, and every message that it does not clearly call chat is an action."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic_ai.messages import ModelRequest

from wellread.assistant.models.model_client import ModelQuestion, structured_answer
from wellread.errors import UnavailableError

if TYPE_CHECKING:
    from wellread.assistant.models.model_client import ModelClient

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
    """The intent of a message."""

    CHAT = "chat"
    ACTION = "action"


class Router:
    """Asks the intent model; without one every message is an action."""

    def __init__(self, speaker: ModelClient | None) -> None:
        """Take the model client."""
        self._speaker = speaker

    async def intent(self, turn_id: str, text: str) -> Intent:
        """Return the intent of `text`.

        Raises:
            Budget: a cap is reached.
        """
        if self._speaker is None:
            return Intent.ACTION
        question = ModelQuestion(
            turn_id=turn_id,
            instructions=INSTRUCTIONS,
            messages=[ModelRequest.user_text_prompt(text[:MAX_CHARS])],
            shape=SHAPE,
            max_tokens=MAX_TOKENS,
        )
        try:
            answer = await structured_answer(self._speaker, question)
        except UnavailableError:
            return Intent.ACTION
        if isinstance(answer, dict) and answer.get("intent") == "chat":
            return Intent.CHAT
        return Intent.ACTION
