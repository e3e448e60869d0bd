"""The tree of commands: it loads the module of a command when the command is used, and writes the help."""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from wellread.apps.commands.catalog import CATALOG
from wellread.apps.commands.examples import EXAMPLES
from wellread.apps.commands.parameters import as_command
from wellread.apps.commands.usage_errors import unknown_command, usage_error
from wellread.errors import InvalidUsage
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

_JSON_OPTIONS = frozenset({"--json", "--jsonl"})
_HEADER = lazy_pattern(r"^--header(?=$|=)")


class Command(click.Command):
    """A command with its arguments, and with examples at the end of its help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; `--header`, which is curl's name, stands for `--headers`."""
        if any("--headers" in parameter.opts for parameter in self.params):
            args = [_HEADER.sub("--headers", argument) for argument in args]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # the hint names the help of this command
            raise

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
            code = _complain(usage_error(error), words)
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
            raise unknown_command(args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


def _complain(error: InvalidUsage, words: Sequence[str]) -> int:
    # Loaded here so that `wellread --help` does not wait for the printers.
    from wellread.apps.terminal import complain

    return complain(error, as_json_too=_wants_json(words))


def _wants_json(words: Sequence[str]) -> bool:
    pairs = pairwise(words)
    return bool(_JSON_OPTIONS.intersection(words)) or ("--format", "json") in pairs or "--format=json" in words
