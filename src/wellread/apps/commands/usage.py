"""What the help of commands says, and what is said to one that was typed wrongly.

The latter is one line and a hint in our own words, or JSON, as for any error.
"""

from __future__ import annotations

import difflib
import re
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from wellread.apps.commands.examples import EXAMPLES
from wellread.apps.terminal import complain
from wellread.errors import InvalidUsage

if TYPE_CHECKING:
    from collections.abc import Sequence

_SENTENCE = 500
"""More characters than the first sentence of any help."""
_JSON = frozenset({"--json", "--jsonl"})
_CHOICE = re.compile(r"'([^']*)'")
_BEYOND = re.compile(r"unexpected extra argument\S* \((.*)\)", re.DOTALL)
_BOUNDS = {"greater_than_equal": "at least", "less_than_equal": "at most"}
_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false"}


class Command(TyperCommand):
    """A command whose help ends with examples of it."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # Any: a vendored class, which has no public name
        """Return the parts of the line of usage; what must be given stands there by its name alone."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # Any: the same
        """Write the examples, and where there is more."""
        with formatter.section("Examples"):
            for line in EXAMPLES.get(self.name or "", ()):
                formatter.write(f"{'':>{formatter.current_indent}}wellread {line}\n")
        super().format_epilog(ctx, formatter)


class Commands(TyperGroup):
    """The tree of commands; what is typed wrongly ends like every other failure, with exit code 2."""

    def main(self, args: Sequence[str] | None = None, *given: Any, **named: Any) -> Any:  # Any: as of the class above
        """Run the command that `args` name, and exit."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            code = super().main(args, *given, **{**named, "standalone_mode": False})
        except InvalidUsage as error:
            code = complain(error, as_json_too=_wants_json(words))
        except typer.TyperException as error:
            code = complain(_told(error), as_json_too=_wants_json(words))
        except typer.Abort:
            code = 130
        sys.exit(code)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # Any: a vendored class, which has no public name
        """Write what each command is for, in a whole sentence."""
        named = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(_SENTENCE)) for name, each in named if each])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # Any: the same
        """Read the words; without any, the help is shown, and nothing is done."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), err=True)
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # Any: the same
        """Return the command that `args` begin with.

        Raises:
            InvalidUsage: there is none of that name.
        """
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise InvalidUsage(
                f"there is no command {args[0][:60]!r}",
                hint=_nearest(args[0], self.list_commands(ctx), "wellread --help"),
            )
        return super().resolve_command(ctx, args)


def _wants_json(words: Sequence[str]) -> bool:
    pairs = pairwise(words)
    return bool(_JSON.intersection(words)) or ("--format", "json") in pairs or "--format=json" in words


def _told(error: typer.TyperException) -> InvalidUsage:
    """Say what the parser found wrong. Its classes are private; what they carry is looked for by name."""
    found: Any = error  # Any: the same
    context = getattr(found, "ctx", None)
    page = f"{context.command_path if context else 'wellread'} --help"
    option, parameter = getattr(found, "option_name", None), getattr(found, "param", None)
    if isinstance(error, typer.BadParameter):
        return _bad_value(error, parameter, page)
    if context and option in _options(context.parent):
        return InvalidUsage(
            f"{option} stands before the command", hint=f"wellread {option} ... {context.info_name} ..."
        )
    if option and hasattr(found, "possibilities"):
        return InvalidUsage(f"there is no option {option}", hint=_nearest(option, found.possibilities or (), page))
    if option:
        return InvalidUsage(f"{option} needs a value", hint=f"`{page}` says which")
    beyond = _BEYOND.search(error.format_message())
    said = f"{beyond[1][:60]} is too many" if beyond else _as_ours(error.format_message())
    return InvalidUsage(said, hint=f"`{page}` shows how it is used")


def _options(context: Any) -> set[str]:  # Any: a vendored class
    """Return the options of the whole tree, which its commands do not know."""
    return {name for each in context.command.params for name in each.opts} if context is not None else set()


def _bad_value(error: typer.BadParameter, parameter: Any, page: str) -> InvalidUsage:  # Any: a vendored class
    if parameter is None:
        return InvalidUsage(_as_ours(error.message), hint=f"`{page}` shows how it is used")
    name, words = parameter.opts[0], parameter.help or ""
    cause: Any = error.__cause__  # Any: the parser's own validator
    if not hasattr(cause, "errors"):
        said = f"{name} is missing" if not error.message else f"{name}: {_as_ours(error.message)}"
        return InvalidUsage(said, hint=words or f"`{page}` shows how it is used")
    first = cause.errors()[0]
    wanted = _wanted(first["type"], first["msg"], dict(first.get("ctx", {})), page)
    return InvalidUsage(f"{name} cannot be {str(first['input'])[:60]}", hint=wanted)


def _wanted(kind: str, said: str, bounds: dict[str, Any], page: str) -> str:  # Any: numbers
    """Return what would do."""
    if kind == "value_error":
        return "one of " + ", ".join(_CHOICE.findall(said)[1:])
    if kind in _BOUNDS:
        return f"a number, {_BOUNDS[kind]} {next(iter(bounds.values())):,}"
    return _KINDS.get(kind.partition("_")[0], f"`{page}` shows how it is used")


def _nearest(typed: str, known: Sequence[str], page: str) -> str:
    near = difflib.get_close_matches(typed, list(known), n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"`{page}` lists them"


def _as_ours(said: str) -> str:
    """Return a message of the parser as one of ours: no capital, no full stop."""
    return said[:1].lower() + said[1:].rstrip(".")
