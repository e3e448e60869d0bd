"""The chat model of the settings for single questions about pages, opened when it is first asked."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.assistant.database import Database
    from wellread.config import Settings
    from wellread.ports import Clock, TextModel


class ChatTextModel:
    """A `TextModel` over `models.chat`."""

    def __init__(self, settings: Settings, clock: Clock, open_store: Callable[[], Database]) -> None:
        """Take the settings and the store in which its tokens are counted; nothing is opened here."""
        self._settings = settings
        self._clock = clock
        self._open_store = open_store
        self._stack = AsyncExitStack()
        self._lock = anyio.Lock()
        self._model: TextModel | None = None

    async def answer(self, instructions: str, text: str, *, max_tokens: int = 1_000) -> str:
        """Return the model's answer.

        Raises:
            ConfigError: the extra is missing, or a setting of the model is wrong.
            UnavailableError: no model answers.
            Budget: a cap is reached.
        """
        # The extra is loaded here alone, so that reading the web works without it.
        from wellread.apps.assistant_requirements import check_chat

        async with self._lock:
            if self._model is None:
                check_chat(self._settings)
                from wellread.apps.assistant_parts import open_text_model

                opened = open_text_model(self._settings, self._clock, self._open_store)
                self._model = await self._stack.enter_async_context(opened)
        return await self._model.answer(instructions, text, max_tokens=max_tokens)

    async def aclose(self) -> None:
        """Close the connections and the store."""
        await self._stack.aclose()
