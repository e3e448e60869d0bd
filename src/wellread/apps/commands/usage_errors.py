"""Help texts of the commands, and messages for wrong usage.

The latter is one line and a hint in our own words, or JSON, as for any error.
"""

from __future__ import annotations

import difflib
import re
import sys
import textwrap
from collections import UserDict
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from wellread.apps.commands.catalog import CATALOG
from wellread.apps.commands.examples import EXAMPLES
from wellread.apps.commands.peer_options import COMMANDS, argument_hint, option_hint
from wellread.errors import InvalidUsage

if TYPE_CHECKING:
    from collections.abc import Sequence

_ARGUMENT_CHARS = 300
"""Of unexpected arguments that a message has."""
_JSON_OPTIONS = frozenset({"--json", "--jsonl"})
_HEADER = re.compile(r"^--header(?=$|=)")
_CHOICE = re.compile(r"'([^']*)'")
_EXTRA_ARGUMENT = re.compile(r"unexpected extra argument\S* \((.*)\)", re.DOTALL)
_BOUNDS = {"greater_than_equal": "at least", "less_than_equal": "at most"}
_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false"}


class Command(TyperCommand):
    """A command with examples at the end of its help."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # Any: a vendored class, which has no public name
        """Return the parts of the usage line; a required argument stands there by its name alone."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # Any: the same
        """Parse the arguments; `--header`, which is curl's name, stands for `--headers`."""
        if any("--headers" in parameter.opts for parameter in self.params):
            args = [_HEADER.sub("--headers", argument) for argument in args]
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # Any: the same
        """Write the examples, and the reference to more."""
        with formatter.section("Examples"):
            for line in EXAMPLES.get(self.name or "", ()):
                formatter.write(f"{'':>{formatter.current_indent}}wellread {line}\n")
        super().format_epilog(ctx, formatter)


class _CatalogCommands(UserDict[str, Any]):  # Any: a vendored class, which has no public name
    """The commands of the catalog by name; each is loaded when it is looked up."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(CATALOG))

    def __getitem__(self, name: str) -> Any:  # Any: the same
        """Return the command `name`, made from the function of the same name."""
        command = super().__getitem__(name)
        if command is None:
            module = import_module(f"{__package__}.{CATALOG[name].module}")
            single = typer.Typer(add_completion=False, rich_markup_mode=None)
            single.command(name, cls=Command)(getattr(module, name.replace("-", "_")))
            self[name] = command = typer.main.get_command(single)
        return command


class Commands(TyperGroup):
    """The tree of commands; wrong usage ends like every other failure, with exit code 2."""

    def __init__(self, **attributes: Any) -> None:  # Any: as above
        """Take the attributes of the group; the commands are those of the catalog."""
        super().__init__(**attributes)
        self.commands = _CatalogCommands()

    def main(self, args: Sequence[str] | None = None, *positional: Any, **options: Any) -> Any:  # Any: as above
        """Run the command that `args` name, and exit."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            code = super().main(args, *positional, **{**options, "standalone_mode": False})
        except InvalidUsage as error:
            code = _complain(error, words)
        except typer.TyperException as error:
            code = _complain(_usage_error(error), words)
        except typer.Abort:
            code = 130
        sys.exit(code)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # Any: the same
        """Write the purpose of each command, in a whole sentence, without loading their modules."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in CATALOG.items()])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # Any: the same
        """Parse the arguments; without any, show the help and do nothing."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), err=True)
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # Any: the same
        """Return the command that `args` begin with.

        Raises:
            InvalidUsage: the command is unknown.
        """
        if args and args[0] not in CATALOG and not args[0].startswith("-"):
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


def _usage_error(error: typer.TyperException) -> InvalidUsage:
    """Return the parser's error as one of ours. Its classes are private: their attributes are looked up by name."""
    parser_error: Any = error  # Any: the same
    context = getattr(parser_error, "ctx", None)
    page = f"{context.command_path if context else 'wellread'} --help"
    option, parameter = getattr(parser_error, "option_name", None), getattr(parser_error, "param", None)
    if isinstance(error, typer.BadParameter):
        return _bad_value(error, parameter, page)
    if context and option in _options_of(context.parent):
        return InvalidUsage(
            f"{option} must be before the command", hint=f"wellread {option} ... {context.info_name} ..."
        )
    if option and hasattr(parser_error, "possibilities"):
        hint = context and option_hint(context.info_name, option, _options_of(context))
        return InvalidUsage(
            f"unknown option {option}", hint=hint or _nearest(option, parser_error.possibilities or (), page)
        )
    if option:
        return InvalidUsage(f"{option} needs a value", hint=f"see `{page}`")
    message, hint = _as_ours(error.format_message()), None
    if match := _EXTRA_ARGUMENT.search(error.format_message()):
        argument = textwrap.shorten(match[1], _ARGUMENT_CHARS, placeholder=" ...")
        message = f"{argument} is an unexpected argument"
        hint = context and argument_hint(context.info_name, argument)
    return InvalidUsage(message, hint=hint or f"see `{page}`")


def _options_of(context: Any) -> set[str]:  # Any: a vendored class
    """Return the options and arguments of a command, or of the whole tree; none without a context."""
    if context is None:
        return set()
    return {name for parameter in context.command.params for name in parameter.opts}


def _command_hint(typed: str, names: Sequence[str]) -> str:
    if typed in COMMANDS:
        return f"did you mean {COMMANDS[typed]}?"
    return _nearest(typed, names, "wellread --help")


def _bad_value(error: typer.BadParameter, parameter: Any, page: str) -> InvalidUsage:  # Any: a vendored class
    if parameter is None:
        return InvalidUsage(_as_ours(error.message), hint=f"see `{page}`")
    name, help_text = parameter.opts[0], parameter.help or ""
    cause: Any = error.__cause__  # Any: the parser's own validator
    if not hasattr(cause, "errors"):
        message = f"{name} is missing"
        if error.message:
            message = f"{name}: {_as_ours(error.message)}"
        return InvalidUsage(message, hint=help_text or f"see `{page}`")
    first_error = cause.errors()[0]
    hint = _expected(first_error["type"], first_error["msg"], dict(first_error.get("ctx", {})), page)
    return InvalidUsage(f"{name} cannot be {str(first_error['input'])[:60]}", hint=hint)


def _expected(kind: str, message: str, bounds: dict[str, Any], page: str) -> str:  # Any: numbers
    """Return the values that would be accepted."""
    if kind == "value_error":
        return "one of " + ", ".join(_CHOICE.findall(message)[1:])
    if kind in _BOUNDS:
        return f"a number, {_BOUNDS[kind]} {next(iter(bounds.values())):,}"
    return _KINDS.get(kind.partition("_")[0], f"see `{page}`")


def _nearest(typed: str, names: Sequence[str], page: str) -> str:
    matches = difflib.get_close_matches(typed, list(names), n=1, cutoff=0.5)
    if matches:
        return f"did you mean {matches[0]}?"
    return f"see `{page}`"


def _as_ours(message: str) -> str:
    """Return a message of the parser as one of ours: no capital, no full stop."""
    return message[:1].lower() + message[1:].rstrip(".")
