"""An assistant over scripted models, for tests: no key, no network, a store in a folder of the test's own."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from stores import prepare_store
from wellread.apps.build import Web, assistant
from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.config import CacheSettings, Settings
from wellread.sections import AssistantSettings, RenderSettings
from wellread.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from pathlib import Path

    from wellread.assistant.turn_events import Event, Reply
    from wellread.assistant.user_assistant import UserAssistant

OPEN: dict[str, object] = {"type": "object", "properties": {}, "additionalProperties": True}


@dataclass
class Talk:
    """The assistant, one conversation, and what it told on the way."""

    assistant: UserAssistant
    model: ScriptedModel
    conversation: str
    told: list[Event] = field(default_factory=list)

    async def tell(self, event: Event) -> None:
        self.told.append(event)

    async def say(self, text: str) -> Reply:
        return await self.assistant.hear(self.conversation, text, self.tell, author=self.assistant.user.account)

    async def decide(self, approval: str, *, agreed: bool) -> Reply:
        return await self.assistant.decide(approval, self.tell, agreed=agreed, by=self.assistant.user.account)


def settings_in(folder: Path, **given: Any) -> Settings:  # Any: fields of the section, each of its type
    return Settings(cache=CacheSettings(dir=folder), assistant=replace(AssistantSettings(), **given))


@asynccontextmanager
async def talking(
    folder: Path,
    script: Sequence[Any],  # Any: steps, or functions that make them
    *,
    tools: Sequence[Tool] = (),
    intent: ScriptedModel | None = None,
    settings: Settings | None = None,
    repeat: bool = False,
) -> AsyncGenerator[Talk, None]:
    model = ScriptedModel(script, repeat=repeat)
    given = settings or settings_in(folder)
    # Looking for facts would ask the scripted models for more than what a script says.
    quiet = replace(given.assistant, learn=False)
    given = replace(given, render=RenderSettings(enabled=False), assistant=quiet)
    if given.store.url is None:
        prepare_store(given.cache.dir)
    models = {"chat": model.model()} | ({"intent": intent.model()} if intent else {})
    async with Web(given) as web, assistant(given, web, models=models, tools=tools) as home:
        ready = await home.owner()
        yield Talk(ready, model, await ready.open("test"))


def _sending(given: Mapping[str, object]) -> Preview:
    return Preview(f"send {dict(given)}")


class Deeds:
    """Tools that note what they did: one that only reads, one for the assistant's own store, one for the world."""

    def __init__(self, read: Sequence[str] = ("calm sea",), *, tainted: bool = True, simple: bool = False) -> None:
        self.done: list[tuple[str, Mapping[str, object]]] = []
        self.texts = list(read)
        self.hold: Any = None  # Any: a coroutine that looking waits for
        self._tainted = tainted
        self._simple = simple

    @property
    def tools(self) -> list[Tool]:
        return [
            Tool("look", "Look.", OPEN, self._look, simple=self._simple),
            Tool("note", "Keep.", OPEN, self._maker("note"), effect=Effect.OWN),
            Tool("send", "Send.", OPEN, self._maker("send"), effect=Effect.WORLD, preview=_sending),
        ]

    def effects(self) -> list[str]:
        return [name for name, _ in self.done if name != "look"]

    async def _look(self, given: Mapping[str, object]) -> ToolResult:
        if self.hold is not None:
            await self.hold(given)
        self.done.append(("look", given))
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        return ToolResult(text, tainted=self._tainted)

    def _maker(self, name: str) -> Any:  # Any: a tool's coroutine
        async def run(given: Mapping[str, object]) -> ToolResult:
            self.done.append((name, given))
            return ToolResult("it is done", receipts=(f"{name}: {dict(given)}",))

        return run
