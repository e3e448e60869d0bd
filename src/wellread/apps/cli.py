"""The command `wellread`: one tree of commands, documented exit codes, one line per failure."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import wellread
from wellread.apps.commands import demo, files, house, web

app = typer.Typer(
    name="wellread",
    help="Gives AI agents the web: reads any page as clean, cited markdown, and gathers evidence for a question.",
    epilog="Exit codes: 0 done, 1 partly failed, 2 usage, 3 settings or plugin, 4 refused, 5 try later, 6 unreadable.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS = (
    *(web.read, web.gather, web.search, files.find, files.download),
    *(web.index, web.verify, web.extract),
    *(house.cache, house.config, house.doctor, demo.demo),
)
for command in COMMANDS:
    app.command()(command)


def _version(*, asked: bool) -> None:
    if asked:
        typer.echo(f"wellread {wellread.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    config: Annotated[Path | None, typer.Option(help="Read settings from this file.", metavar="FILE")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="One setting, before all others.", metavar="SECTION.KEY=VALUE")
    ] = None,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
) -> None:
    """Hold what stands before the command; `settings_of` reads it."""


def main() -> None:
    """Run the command line; an interrupt ends it quietly."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
