"""Messages for wrong usage: the errors of the parser as errors of ours, each one line and a hint."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from wellread.apps.commands.peer_options import COMMANDS, argument_hint, option_hint
from wellread.errors import InvalidUsage
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

_ARGUMENT_CHARS = 300
"""Of unexpected arguments that a message has."""
_EXTRA_ARGUMENT = lazy_pattern(r"unexpected extra argument\S* \((.*)\)", re.DOTALL)


def usage_error(error: click.UsageError) -> InvalidUsage:
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
        import textwrap  # here, because few commands are wrong

        argument = textwrap.shorten(match[1], _ARGUMENT_CHARS, placeholder=" ...")
        message = f"{argument} is an unexpected argument"
        hint = context and argument_hint(context.info_name or "", argument)
    return InvalidUsage(message, hint=hint or f"see `{page}`")


def unknown_command(typed: str, names: Sequence[str]) -> InvalidUsage:
    """Return the error for a command that is none of `names`, with the nearest name as its hint."""
    hint = _nearest(typed, names, "wellread --help")
    if typed in COMMANDS:
        hint = f"did you mean {COMMANDS[typed]}?"
    return InvalidUsage(f"unknown command {typed[:60]!r}", hint=hint)


def _unknown_option(error: click.NoSuchOption, page: str) -> InvalidUsage:
    option, context = error.option_name, error.ctx
    if context and option in _options_of(context.parent):
        return InvalidUsage(
            f"{option} must be before the command", hint=f"wellread {option} ... {context.info_name} ..."
        )
    hint: str | None = None
    if context and context.parent is None and not error.possibilities:
        hint = f"options of a command must be after it: wellread COMMAND {option} ..."
    elif context:
        hint = option_hint(context.info_name or "", option, _options_of(context))
    return InvalidUsage(f"unknown option {option}", hint=hint or _nearest(option, error.possibilities or (), page))


def _options_of(context: click.Context | None) -> set[str]:
    """Return the options and arguments of a command, or of the whole tree; none without a context."""
    if context is None:
        return set()
    return {name for parameter in context.command.params for name in parameter.opts}


def _bad_value(error: click.BadParameter, page: str) -> InvalidUsage:
    if error.param is None:
        return InvalidUsage(_as_ours(error.message), hint=f"see `{page}`")
    name = error.param.opts[0]
    if isinstance(error.param, click.Argument):
        name = error.param.human_readable_name
    message = f"{name}: {_as_ours(error.message)}"
    if isinstance(error, click.MissingParameter):
        message = f"{name} is missing"
    return InvalidUsage(message, hint=getattr(error.param, "help", None) or f"see `{page}`")


def _nearest(typed: str, names: Sequence[str], page: str) -> str:
    import difflib  # here, because few commands are wrong

    # Dashes, which all options share, make no two of them alike.
    bare_names = {name.lstrip("-"): name for name in names}
    matches = difflib.get_close_matches(typed.lstrip("-"), bare_names, n=1, cutoff=0.6)
    if matches:
        return f"did you mean {bare_names[matches[0]]}?"
    return f"see `{page}`"


def _as_ours(message: str) -> str:
    """Return a message of the parser as one of ours: no capital, no full stop."""
    return message[:1].lower() + message[1:].rstrip(".")
