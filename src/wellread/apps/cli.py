"""The command `wellread`: one tree of commands, documented exit codes, one line per failure."""

from __future__ import annotations

import gc
import io
import os
import sys
import threading
from pathlib import Path
from typing import Annotated, Final

import click

import wellread
from wellread.apps.commands.command_group import Commands
from wellread.apps.commands.parameters import Option, as_command

_THREAD_EXIT_S: Final = 0.2
"""The time that a thread without work gets to end."""


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
    epilog="Exit codes: 0 success, 1 some of the work failed, 2 wrong usage, 3 wrong setting or "
    "plugin, 4 refused, 5 unavailable (try again later), 6 unreadable.",
)
click.version_option(wellread.__version__, message="wellread %(version)s", help="Print the version and exit.")(app)


def main() -> None:
    """Run the command line; an interrupt or a closed pipe ends it without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows a question mark
    code = _run()
    if _has_busy_thread():
        # The thread cannot be stopped, only left behind. Functions that `atexit` has are not called; worker processes
        # end by themselves.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    gc.freeze()  # without it, the interpreter collects garbage at its end: 0.3 s after a read
    sys.exit(code)


def _has_busy_thread() -> bool:
    """Return whether a thread works on, for which the interpreter would wait at its end.

    It reads a page that is made to choke a parser, and that was given up at its deadline. Threads of finished work may
    still be ending: they get `_THREAD_EXIT_S`. For daemon threads the interpreter does not wait.
    """
    for thread in threading.enumerate():
        if thread.daemon or thread is threading.main_thread():
            continue
        thread.join(_THREAD_EXIT_S)
        if thread.is_alive():
            return True
    return False


def _run() -> int:
    try:
        app()
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


def _abandon_output() -> None:
    # Loaded here so that `wellread --help` does not wait for the settings.
    from wellread.apps.console import abandon

    abandon(sys.stdout)
