"""Help texts of the commands, and messages for wrong usage.

The latter is one line and a hint in our own words, or JSON, as for any error.
"""

from __future__ import annotations

import difflib
import re
import sys
import textwrap
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from wellread.apps.commands.catalog import CATALOG
from wellread.apps.commands.examples import EXAMPLES
from wellread.apps.commands.parameters import as_command
from wellread.apps.commands.peer_options import COMMANDS, argument_hint, option_hint
from wellread.errors import InvalidUsage

if TYPE_CHECKING:
    from collections.abc import Sequence

_ARGUMENT_CHARS = 300
"""Of unexpected arguments that a message has."""
_JSON_OPTIONS = frozenset({"--json", "--jsonl"})
_HEADER = re.compile(r"^--header(?=$|=)")
_EXTRA_ARGUMENT = re.compile(r"unexpected extra argument\S* \((.*)\)", re.DOTALL)


class Command(click.Command):
    """A command with its arguments, and with examples at the end of its help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; `--header`, which is curl's name, stands for `--headers`."""
        if any("--headers" in parameter.opts for parameter in self.params):
            args = [_HEADER.sub("--headers", argument) for argument in args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage, the text, the arguments, the options and the examples.

        The order is written here because click writes arguments only since 8.5.
        """
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        arguments: list[tuple[str, str]] = []
        options: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            rows = arguments if isinstance(parameter, click.Argument) else options
            if record := parameter.get_help_record(ctx):
                rows.append(record)
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(arguments)
        with formatter.section("Options"):
            formatter.write_dl(options)
        with formatter.section("Examples"):
            for line in EXAMPLES.get(self.name or "", ()):
                formatter.write(f"{'':>{formatter.current_indent}}wellread {line}\n")


class Commands(click.Group):
    """The tree of commands; wrong usage ends like every other failure, with exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands of the catalog."""
        del ctx
        return list(CATALOG)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, made from the function of the same name; its module is loaded when it is looked up."""
        del ctx
        if cmd_name in CATALOG and cmd_name not in self.commands:
            module = import_module(f"{__package__}.{CATALOG[cmd_name].module}")
            self.add_command(as_command(getattr(module, cmd_name.replace("-", "_")), cmd_name, Command))
        return self.commands.get(cmd_name)

    def main(self, args: Sequence[str] | None = None, *positional: Any, **options: Any) -> Any:  # Any: of click
        """Run the command that `args` name, and exit."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            code = super().main(args, *positional, **{**options, "standalone_mode": False})
        except InvalidUsage as error:
            code = _complain(error, words)
        except click.UsageError as error:
            code = _complain(_usage_error(error), words)
        except click.Abort:
            code = 130
        sys.exit(code)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the purpose of each command, in a whole sentence, without loading their modules."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in CATALOG.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; without any, show the help and do nothing."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            raise click.exceptions.Exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that `args` begin with.

        Raises:
            InvalidUsage: the command is unknown.
        """
        if args and args[0] not in CATALOG and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise InvalidUsage(
                f"unknown command {args[0][:60]!r}",
                hint=_command_hint(args[0], self.list_commands(ctx)),
            )
        return super().resolve_command(ctx, args)


def _complain(error: InvalidUsage, words: Sequence[str]) -> int:
    # Loaded here so that `wellread --help` does not wait for the printers.
    from wellread.apps.terminal import complain

    return complain(error, as_json_too=_wants_json(words))


def _wants_json(words: Sequence[str]) -> bool:
    pairs = pairwise(words)
    return bool(_JSON_OPTIONS.intersection(words)) or ("--format", "json") in pairs or "--format=json" in words


def _usage_error(error: click.UsageError) -> InvalidUsage:
    """Return the parser's error as one of ours."""
    context = error.ctx
    page = f"{context.command_path if context else 'wellread'} --help"
    if isinstance(error, click.BadParameter):
        return _bad_value(error, page)
    if isinstance(error, click.BadOptionUsage):
        rule = "takes no value" if "does not take a value" in error.message else "needs a value"
        return InvalidUsage(f"{error.option_name} {rule}", hint=f"see `{page}`")
    if isinstance(error, click.NoSuchOption):
        return _unknown_option(error, page)
    message, hint = _as_ours(error.format_message()), None
    if match := _EXTRA_ARGUMENT.search(error.format_message()):
        argument = textwrap.shorten(match[1], _ARGUMENT_CHARS, placeholder=" ...")
        message = f"{argument} is an unexpected argument"
        hint = context and argument_hint(context.info_name or "", argument)
    return InvalidUsage(message, hint=hint or f"see `{page}`")


def _unknown_option(error: click.NoSuchOption, page: str) -> InvalidUsage:
    option, context = error.option_name, error.ctx
    if context and option in _options_of(context.parent):
        return InvalidUsage(
            f"{option} must be before the command", hint=f"wellread {option} ... {context.info_name} ..."
        )
    hint = context and option_hint(context.info_name or "", option, _options_of(context))
    return InvalidUsage(f"unknown option {option}", hint=hint or _nearest(option, error.possibilities or (), page))


def _options_of(context: click.Context | None) -> set[str]:
    """Return the options and arguments of a command, or of the whole tree; none without a context."""
    if context is None:
        return set()
    return {name for parameter in context.command.params for name in parameter.opts}


def _command_hint(typed: str, names: Sequence[str]) -> str:
    if typed in COMMANDS:
        return f"did you mean {COMMANDS[typed]}?"
    return _nearest(typed, names, "wellread --help")


def _bad_value(error: click.BadParameter, page: str) -> InvalidUsage:
    if error.param is None:
        return InvalidUsage(_as_ours(error.message), hint=f"see `{page}`")
    name = error.param.opts[0]
    message = f"{name}: {_as_ours(error.message)}"
    if isinstance(error, click.MissingParameter):
        message = f"{name} is missing"
    return InvalidUsage(message, hint=getattr(error.param, "help", None) or f"see `{page}`")


def _nearest(typed: str, names: Sequence[str], page: str) -> str:
    matches = difflib.get_close_matches(typed, list(names), n=1, cutoff=0.5)
    if matches:
        return f"did you mean {matches[0]}?"
    return f"see `{page}`"


def _as_ours(message: str) -> str:
    """Return a message of the parser as one of ours: no capital, no full stop."""
    return message[:1].lower() + message[1:].rstrip(".")
