"""The command that runs the assistant where people write to it: bot."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import click

from wellread.apps.commands.options import Json, extra, guarded, settings_of
from wellread.apps.commands.parameters import Option
from wellread.apps.console import stderr_console

if TYPE_CHECKING:
    from wellread.config import Settings


def bot(
    context: click.Context,
    *,
    port: Annotated[int | None, Option(help="Port for health checks; 0 selects a free port.", min=0, max=65535)] = None,
    json: Json = False,
) -> None:
    """Run the assistant in Telegram and the other configured channels, with its schedules."""
    settings = guarded(lambda: settings_of(context, {"channels.port": port})[0], json=json)
    guarded(partial(_bot, settings), json=json)


def _bot(settings: Settings) -> None:
    # Loaded here so that `wellread --help` does not wait for servers and models.
    import anyio

    from wellread.apps.assistant_requirements import check_bot

    check_bot(settings)
    with extra("server"):
        from wellread.apps.http.logs import configure
    with extra("assistant"):
        from wellread.apps import bot_runtime
        from wellread.apps.build import Web, assistant
        from wellread.apps.system_clock import SystemClock

    configure(settings.server.logs)

    def announce(url: str) -> None:
        stderr_console.print(f"listening; health at {url}/healthz")

    async def main() -> None:
        async with Web(settings) as web, assistant(settings, web) as runtime:
            await bot_runtime.run(settings, runtime, SystemClock(), announce=announce)

    anyio.run(main)
