"""The command `wellread`: one tree of commands, documented exit codes, one line per failure."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NoReturn

import click

import wellread
from wellread.apps.commands.command_group import Commands
from wellread.apps.commands.parameters import Option, as_command

_COLLECT_AFTER = 200_000
"""New objects after which garbage is collected. A start makes modules, which stay: with Python's default of 700, they
were searched in vain a hundred times, for 7 % of the CPU time of `extract FILE` (CPython 3.11, 2026-11-28). Pages leave
no garbage to the collector, and 24 of them took the same memory. Servers set a number of their own."""


def _root(
    *,
    config: Annotated[
        Path | None, Option(help="Read settings from this TOML file instead of wellread.toml.", metavar="FILE")
    ] = None,
    set_: Annotated[
        list[str] | None,
        Option(
            "--set",
            help="Set one setting; it overrides files and the environment. You can repeat the option.",
            metavar="SECTION.KEY=VALUE",
        ),
    ] = None,
) -> None:
    """Give AI agents the web: read pages as clean markdown, search, and gather evidence with citations."""
    # `settings_of` reads these options, which stand in front of the command.
    del config, set_


app = as_command(
    _root,
    "wellread",
    Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 success, 1 some of the work failed, 2 wrong usage, 3 wrong setting or "
    "plugin, 4 refused, 5 unavailable (try again later), 6 unreadable.",
)
click.version_option(wellread.__version__, message="wellread %(version)s", help="Print the version and exit.")(app)


def main() -> None:
    """Run the command line; an interrupt or a closed pipe ends it without a traceback."""
    gc.set_threshold(_COLLECT_AFTER, *gc.get_threshold()[1:])
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows a question mark
    _end(_run())


def _run() -> int:
    try:
        code = _command_code()
        _flush(sys.stdout)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _abandon_output()
        return 0
    except OSError as error:
        _abandon_output()
        name = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"output: {name}{error.strerror or error}\n")
        return 1
    return code


def _command_code() -> int:
    try:
        app()
    except SystemExit as exit_error:
        return exit_error.code if isinstance(exit_error.code, int) else int(exit_error.code is not None)
    return 0


def _end(code: int) -> NoReturn:
    """End the process after the functions of `atexit`, as it is: to free all objects takes a tenth of `extract FILE`.

    No thread is waited for. One that still works reads a page that is made to choke a parser, and was given up at its
    deadline; worker processes end by themselves.
    """
    atexit._run_exitfuncs()  # noqa: SLF001  # what the interpreter calls at its end
    with suppress(OSError):
        _flush(sys.stdout)
        _flush(sys.stderr)
    os._exit(code)


def _flush(stream: object) -> None:
    if isinstance(stream, io.TextIOWrapper):  # None where the stream was closed before the start
        stream.flush()


def _abandon_output() -> None:
    # Loaded here so that `wellread --help` does not wait for the settings.
    from wellread.apps.console import abandon

    abandon(sys.stdout)
