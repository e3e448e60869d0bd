"""The command `wellread`: one tree of commands, documented exit codes, one line per failure."""

from __future__ import annotations

import io
import os
import sys
import threading
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_command_name

import wellread
from wellread.apps.commands import (
    assistant,
    bot,
    browser,
    crawling,
    demo,
    extract,
    facts,
    files,
    gather,
    integrations,
    login,
    maintenance,
    memory,
    researching,
    schedule,
    servers,
    session,
    tasks,
    watching,
    web,
)
from wellread.apps.commands.usage_errors import Command, Commands

if TYPE_CHECKING:
    from typer.models import CommandInfo

app = typer.Typer(
    name="wellread",
    cls=Commands,
    help="Give AI agents the web: read pages as clean markdown, search, and gather evidence with citations.",
    epilog="Exit codes: 0 success, 1 some of the work failed, 2 wrong usage, 3 wrong setting or "
    "plugin, 4 refused, 5 unavailable (try again later), 6 unreadable.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS = (
    *(web.read, gather.gather, gather.answer, researching.research, web.search),
    *(files.find, files.download),
    *(facts.facts,),
    *(crawling.map, crawling.crawl, crawling.crawl_worker, watching.watch),
    *(browser.browse, session.session, browser.screenshot, login.login, login.profile),
    *(files.index, web.verify, extract.extract),
    *(memory.remember, memory.memory, memory.knowledge),
    *(servers.mcp, servers.serve, servers.tools),
    *(assistant.chat, bot.bot, assistant.assistant, schedule.schedule, tasks.tasks),
    *(integrations.connect, integrations.disconnect),
    *(maintenance.cache, maintenance.config, maintenance.doctor, demo.demo),
)
for command in COMMANDS:
    app.command(cls=Command)(command)


def _version(*, is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"wellread {wellread.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    config: Annotated[
        Path | None, typer.Option(help="Read settings from this TOML file instead of wellread.toml.", metavar="FILE")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Set one setting; it overrides files and the environment. You can repeat the option.",
            metavar="SECTION.KEY=VALUE",
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Accept the options in front of the command; `settings_of` reads them."""


def main() -> None:
    """Run the command line; an interrupt or a closed pipe ends it without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows a question mark
    code = _run()
    if threading.active_count() > 1:
        # A page made to choke a parser was given up at its deadline; its thread cannot be stopped, only left behind.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _run() -> int:
    try:
        _app_of(sys.argv[1:])()
    except SystemExit as exit_error:
        return exit_error.code if isinstance(exit_error.code, int) else int(exit_error.code is not None)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _abandon_output()
    except OSError as error:
        _abandon_output()
        name = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"output: {name}{error.strerror or error}\n")
        return 1
    return 0


def _app_of(words: list[str]) -> typer.Typer:
    """Return the app with no other command where `words` begin with one: to build all takes some 90 ms."""
    commands = [command for command in app.registered_commands if words[:1] == [_name(command)]]
    if not commands:
        return app
    single = copy(app)
    single.registered_commands = commands
    return single


def _name(command: CommandInfo) -> str:
    return command.name or get_command_name(getattr(command.callback, "__name__", ""))


def _abandon_output() -> None:
    """Redirect stdout to nowhere: nothing is flushed into a closed pipe or a full disk (Python docs, SIGPIPE)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
