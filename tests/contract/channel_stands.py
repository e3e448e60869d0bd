"""Where letters go and people write, each behind one face: what the contract of channels asks of a fake service."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import anyio

from botapi import OWNER, TOKEN, BotApi, Exchange
from scenario.telegram_day import HOOK, Day
from talking import settings_in
from wellread.apps.build import assistant
from wellread.apps.commands.assistant import _show_message
from wellread.assistant.tool_types import TERMINAL
from wellread.testing import ScriptedModel
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    import pytest

    from scenario.telegram_day import Process
    from wellread.apps.assistant_runtime import AssistantRuntime
    from wellread.apps.build import Web
    from wellread.config import Settings


@dataclass
class Stage:
    """What all tests share: a port for the fakes, the web, and a store with its tables to begin with."""

    line: Exchange
    web: Web
    template: Path


class Stand(Protocol):
    """A place that letters go to."""

    name: str
    chat: str
    """Where the user's conversations with it are entered."""
    account: str
    """The user's account."""

    def home(self) -> AbstractAsyncContextManager[AssistantRuntime]:
        """Let the assistant live while the block lasts."""

    def shown(self) -> list[str]:
        """Return what the user sees, a letter or message each."""


class Service(Stand, Protocol):
    """A channel: people write there, too, and a service stands between."""

    secrets: tuple[str, ...]
    """What must be in no log, error or repr."""
    logged: str
    """What a log of requests shows instead."""
    hook: Address
    no_token: str
    """What cannot be a token."""

    def settings(self, **given: Any) -> Settings:  # Any: fields of the section, each of its type
        """Return settings under which the channel is open."""

    def living(self, script: Sequence[Any] = (), **given: Any) -> AbstractAsyncContextManager[Process]:
        """Let the assistant live in the channel: steps of a model, fields of the section."""

    def say(self, text: str, *, stranger: bool = False) -> None:
        """Write something."""

    def break_down(self) -> None:
        """Fail at the next message, and be well afterwards."""

    async def trouble(self, process: Process) -> None:
        """Fail in every way there is, and at the end know us no more."""

    async def until(self, what: Callable[[], object]) -> None:
        """Wait for something to be so at the service."""


class Telegram:
    """Telegram, over a strict Bot API."""

    name = "telegram"
    chat = account = f"telegram:{OWNER}"
    secrets: tuple[str, ...] = (TOKEN.partition(":")[2],)
    logged = "hidden-token/sendMessage"
    hook = Address(HOOK)
    no_token = "not a token"

    def __init__(self, stage: Stage, folder: Path) -> None:
        stage.line.api = BotApi(stage.line.port)
        self._day = Day(stage.line.api, stage.web, folder)
        self._api = stage.line.api

    def settings(self, **given: Any) -> Settings:  # Any: fields of the section, each of its type
        return self._day.settings(**given)

    def living(self, script: Sequence[Any] = (), **given: Any) -> AbstractAsyncContextManager[Process]:
        return self._day.living(script, **given)

    @asynccontextmanager
    async def home(self) -> AsyncGenerator[AssistantRuntime, None]:
        async with self.living() as process:
            yield process.home

    def shown(self) -> list[str]:
        return self._api.texts()

    def say(self, text: str, *, stranger: bool = False) -> None:
        self._api.say(text, user=OWNER + stranger)

    def break_down(self) -> None:
        self._api.failing["sendMessage"] = [(502, "Bad Gateway")]

    async def until(self, what: Callable[[], object]) -> None:
        await self._api.until(what)

    async def trouble(self, process: Process) -> None:
        self._api.failing["sendMessage"] = [(400, "Bad Request: chat not found"), (429, "slow"), (500, "oh")]
        self._api.failing["getFile"] = [(400, "Bad Request: no file")]
        for number in range(3):
            self._api.say(f"Hello {number}")
        self._api.document("guide.txt", b"Low water is at nine.")
        self._api.document("guide2.txt", b"Low water is at ten.")
        await self._day.pass_time(process, lambda: len(self._api.texts()) >= 3)
        self._api.known = False


class Terminal:
    """The terminal, which no service stands between: it shows what waits for it."""

    name = TERMINAL
    chat = "chat"
    account = "owner"

    def __init__(self, stage: Stage, folder: Path, screen: pytest.CaptureFixture[str]) -> None:
        self._stage = stage
        self._folder = folder
        self._screen = screen
        self._seen = ""

    @asynccontextmanager
    async def home(self) -> AsyncGenerator[AssistantRuntime, None]:
        models = {"chat": ScriptedModel([]).model()}
        settings = settings_in(self._folder / "store", learn=False)
        show = partial(_show_message, json=False)
        async with assistant(settings, self._stage.web, models=models, show=show) as home, home.on_duty():
            yield home

    def shown(self) -> list[str]:
        self._seen += self._screen.readouterr().err
        return [it.strip() for it in self._seen.split("\u2709")[1:]]


SERVICES: dict[str, Callable[[Stage, Path], Service]] = {"telegram": Telegram}
"""Channel -> it, over a fake of its service."""


async def once(what: Callable[[], Any]) -> None:
    """Wait until something asynchronous is so."""
    with anyio.fail_after(60):
        while not await what():
            pass
