"""A day with the assistant in Telegram: a strict Bot API, one store, and a process that may end and begin again."""

from __future__ import annotations

import shutil
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import anyio

from botapi import OWNER, TOKEN, BotApi
from talking import Deeds, settings_in
from wellread.apps.bot import at_work
from wellread.apps.build import Web, assistant, assistant_store
from wellread.config import NetSettings
from wellread.sections import ChannelSettings, RenderSettings, ScheduleSettings
from wellread.testing import FakeClock, ScriptedModel
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from wellread.apps.household import Household
    from wellread.assistant.channels.port import Channel
    from wellread.config import Settings

MONDAY = datetime(2026, 9, 21, 10, 0, tzinfo=UTC)
HOOK = "https://bot.example/hooks/telegram"
NOTHING = "\u2014 nothing was changed"


@dataclass
class Process:
    """The assistant for as long as one process lives."""

    home: Household
    channel: Channel
    model: ScriptedModel


@dataclass
class Day:
    """One bot, one store, one clock."""

    api: BotApi
    folder: Path
    clock: FakeClock = field(default_factory=lambda: FakeClock(MONDAY))
    deeds: Deeds = field(default_factory=Deeds)

    def settings(self, **given: Any) -> Settings:  # Any: fields of the section, each of its type
        home = settings_in(self.folder / "store", learn=False, approval_min=60)
        channels = ChannelSettings(
            tokens={"telegram": Secret(TOKEN)}, users=(f"telegram:{OWNER}",),
            urls={"telegram": Address(self.api.url)}, drain_s=5.0,
        )  # fmt: skip
        return replace(
            home,
            net=NetSettings(allow_hosts=(f"127.0.0.1:{self.api.port}",)),
            render=RenderSettings(enabled=False),
            schedule=ScheduleSettings(timezone="Europe/Berlin"),
            channels=replace(channels, **given),
        )

    @asynccontextmanager
    async def living(
        self, script: Sequence[Any] = (), **given: Any
    ) -> AsyncGenerator[Process, None]:  # Any: steps, or functions that make them; fields of the section
        """Let the assistant live while the block lasts; its end is graceful."""
        settings = self.settings(**given)
        model = ScriptedModel(script)
        async with (
            Web(settings) as web,
            assistant(settings, web, models={"chat": model.model()}, tools=self.deeds.tools, clock=self.clock) as home,
            at_work(settings, home, self.clock) as channels,
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

    async def later(self, process: Process, seconds: float) -> None:
        """Let time go by; whoever moves the clock tells the runner, as time itself would."""
        self.clock.advance(seconds)
        process.home.runner.ring()
        process.home.courier.ring()


def prepared(folder: Path) -> None:
    """Make a store with its tables in `folder`, for days to begin with."""
    assistant_store(settings_in(folder)).close()


def begun(template: Path, folder: Path) -> None:
    """Begin a day with a copy of that store."""
    shutil.copytree(template, folder / "store")
