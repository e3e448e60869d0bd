"""A day with the assistant in Telegram: a strict Bot API, one store, and a process that may end and begin again."""

from __future__ import annotations

import shutil
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from sqlalchemy import select

from botapi import OWNER, TOKEN, BotApi
from talking import Deeds, settings_in
from wellread.apps.assistant_database import assistant_store
from wellread.apps.bot_runtime import serve_channels
from wellread.apps.build import assistant
from wellread.assistant.outbox import OutboxRow, OutboxState
from wellread.config import NetSettings
from wellread.sections import ChannelSettings, RenderSettings, ScheduleSettings
from wellread.testing import FakeClock, ScriptedModel
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from wellread.apps.assistant_runtime import AssistantRuntime
    from wellread.apps.build import Web
    from wellread.assistant.channels.port import Channel
    from wellread.assistant.user_assistant import UserAssistant
    from wellread.config import Settings

AUTHORITY = Path(__file__).parents[1] / "security" / "authority.pem"
MONDAY = datetime(2026, 9, 21, 10, 0, tzinfo=UTC)
HOOK = "https://bot.example/hooks/telegram"
NOTHING = "\u2014 nothing was changed"


@dataclass
class Process:
    """The assistant for as long as one process lives."""

    home: AssistantRuntime
    channel: Channel
    model: ScriptedModel

    async def me(self) -> UserAssistant:
        """Return the assistant of the one who may write to the bot."""
        return await self.home.of(f"telegram:{OWNER}")


@dataclass
class Day:
    """One bot, one store, one clock."""

    api: BotApi
    web: Web
    folder: Path
    clock: FakeClock = field(default_factory=lambda: FakeClock(MONDAY))
    deeds: Deeds = field(default_factory=Deeds)

    def settings(self, **given: Any) -> Settings:  # Any: fields of the section, each of its type
        home = settings_in(self.folder / "store", learn=False)
        channels = ChannelSettings(
            tokens={"telegram": Secret(TOKEN)}, users=(f"telegram:{OWNER}",),
            urls={"telegram": Address(self.api.url)}, drain_s=20.0,
        )  # fmt: skip
        return replace(reached(home, self.api.port), channels=replace(channels, **given))

    @asynccontextmanager
    async def living(
        self, script: Sequence[Any] = (), **given: Any
    ) -> AsyncGenerator[Process, None]:  # Any: steps, or functions that make them; fields of the section
        """Let the assistant live while the block lasts; its end is graceful."""
        settings = self.settings(**given)
        model = ScriptedModel(script)
        models = {"chat": model.model()}
        async with (
            assistant(settings, self.web, models=models, tools=self.deeds.tools, clock=self.clock) as home,
            serve_channels(settings, home, self.clock) as channels,
        ):
            yield Process(home, channels[0], model)
            assert self.api.refusals == []

    @asynccontextmanager
    async def killed(self, script: Sequence[Any] = (), **given: Any) -> AsyncGenerator[Process, None]:
        """Let the assistant live, and stop it at once at the end of the block, whatever it is doing."""
        with anyio.CancelScope() as scope:
            async with self.living(script, **given) as process:
                yield process
                scope.cancel()
                await anyio.lowlevel.checkpoint()

    async def pass_time(self, process: Process, until: Callable[[], object]) -> None:
        """Let time go by until something is so; whoever moves the clock tells those who wait for it."""
        with anyio.fail_after(60):
            while not until():
                self.clock.advance(1)
                self.api.advance(1)
                process.home.runner.ring()
                process.home.courier.ring()
                await self.carried(process)

    async def carried(self, process: Process) -> None:
        """Wait until no letter is on its way."""
        on_its_way = select(OutboxRow.id).where(OutboxRow.state == OutboxState.SENDING)
        while await process.home.database.for_all_users().run(lambda session: session.scalars(on_its_way).first()):
            pass


def reached(settings: Settings, port: int) -> Settings:
    """Return settings under which the Bot API and the pages beside it are reached, and nothing else is tried."""
    return replace(
        settings,
        # A few certificates are read much faster than the system's, and none is needed.
        net=NetSettings(allow_hosts=(f"127.0.0.1:{port}",), ca_file=AUTHORITY),
        render=RenderSettings(enabled=False),
        schedule=ScheduleSettings(timezone="Europe/Berlin"),
    )


def prepared(folder: Path) -> None:
    """Make a store with its tables in `folder`, for days to begin with."""
    assistant_store(settings_in(folder)).close()


def begun(template: Path, folder: Path) -> None:
    """Begin a day with a copy of that store."""
    shutil.copytree(template, folder / "store")
