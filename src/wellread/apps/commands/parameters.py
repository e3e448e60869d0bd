"""Commands of click from annotated functions: each parameter of a function is an option or an argument.

    def find(url: Annotated[str, Argument(help="URL.")], *, limit: Annotated[int, Option(help="Most matches.")] = 10)

The annotation has the type, the default of the parameter is the default of the option. Lists are options that can be
repeated, or the arguments that remain. A flag without names is a pair, `--limit` and `--no-limit`.
"""

from __future__ import annotations

import inspect
import types
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

import click

from wellread.errors import InvalidUsage
from wellread.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

C = TypeVar("C", bound=click.Command)
_VALUE_CHARS = 60
"""Of a wrong value that a message has."""
_TYPES: Final[dict[type, click.ParamType[Any] | type[Path]]] = {  # Any: each type has values of its own
    str: click.STRING,
    int: click.INT,
    float: click.FLOAT,
    Path: Path,
}
"""Types of click for types of Python."""


class Option:
    """The names, the help and the bounds of an option; `min` and `max` are accepted, too."""

    def __init__(
        self,
        *names: str,
        help: str,  # noqa: A002  # as click calls it
        metavar: str | None = None,
        min: int | None = None,  # noqa: A002  # the same
        max: int | None = None,  # noqa: A002  # the same
    ) -> None:
        """Take the names with their dashes; without one, the option is called as the parameter is."""
        self.names, self.help, self.metavar, self.min, self.max = names, help, metavar, min, max


@frozen
class Argument:
    """The help of an argument, and the name that the help shows."""

    help: str
    metavar: str | None = None


class _ExplainedParameter(click.Parameter):
    """A parameter whose error names the wrong value and the values that would be accepted."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:  # Any: as click has it
        """Return `value` in the type of the parameter.

        Raises:
            InvalidUsage: the type does not accept it.
        """
        for text in value if isinstance(value, list | tuple) else [value]:
            try:
                converted = self.type(text, self, ctx)
                if converted != converted:  # noqa: PLR0124  # NaN, which is in no range
                    self.type.fail("not a number", self, ctx)
            except click.BadParameter as error:
                message = f"{self.opts[0]} cannot be {str(text)[:_VALUE_CHARS]}"
                raise InvalidUsage(message, hint=_accepted(self.type, text)) from error
        return super().type_cast_value(ctx, value)


class CommandOption(_ExplainedParameter, click.Option):
    """An option of a command."""


class CommandArgument(_ExplainedParameter, click.Argument):
    """An argument of a command, which has a help text."""

    def __init__(self, *names: str, help: str, **attributes: Any) -> None:  # noqa: A002  # Any: of click.Argument
        """Take the name of the parameter; click before 8.5 takes no help of an argument."""
        super().__init__(names, **attributes)
        self.help = help

    def make_metavar(self, ctx: click.Context) -> str:
        """Return the argument as the usage line shows it: by its name, without the values that it can have."""
        del ctx
        name = self.human_readable_name
        if not self.required:
            name = f"[{name}]"
        if self.nargs == -1:
            name += "..."
        return name

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the name with the values that it can have, and the help."""
        name = self.human_readable_name
        if isinstance(self.type, click.Choice):
            name = f"{name} [{'|'.join(self.type.choices)}]"
        default = self.get_default(ctx)
        if self.required:
            return name, f"{self.help}  [required]"
        if isinstance(default, str):
            return name, f"{self.help}  [default: {default}]"
        return name, self.help or ""


def as_command(function: Callable[..., None], name: str, command_class: Callable[..., C], **attributes: object) -> C:
    """Return a command that calls `function` with the values of its parameters, or with the context first.

    Raises:
        TypeError: a parameter has a type that no option has; the message names it.
    """
    parameters = list(inspect.signature(function, eval_str=True).parameters.values())
    callback = function
    if parameters and parameters[0].annotation is click.Context:
        del parameters[0]
        callback = click.pass_context(function)
    attributes = {"help": function.__doc__, **attributes}
    return command_class(name=name, callback=callback, params=list(map(_parameter, parameters)), **attributes)


def _parameter(parameter: inspect.Parameter) -> click.Parameter:
    if get_origin(parameter.annotation) is not Annotated:
        raise TypeError(f"parameter {parameter.name}: {parameter.annotation} has no Option or Argument")
    annotated_type, marker = get_args(parameter.annotation)[:2]
    hint = _without_none(annotated_type)
    is_list = get_origin(hint) is list
    if is_list:
        hint = get_args(hint)[0]
    required = parameter.default is parameter.empty
    attributes: dict[str, Any] = {"help": marker.help, "metavar": marker.metavar, "required": required}  # Any: click's
    if not required:
        attributes["default"] = parameter.default
    if is_list:
        attributes["callback"] = partial(_as_list, attributes.get("default"))
    if isinstance(marker, Argument):
        argument_type = _type(hint, parameter.name)
        return CommandArgument(parameter.name, type=argument_type, nargs=-1 if is_list else 1, **attributes)
    option = "--" + parameter.name.strip("_").replace("_", "-")
    attributes |= {"show_default": True, "multiple": is_list}
    if hint is bool:
        names = marker.names or (f"{option}/--no-{option.removeprefix('--')}",)
        return CommandOption([parameter.name, *names], is_flag=True, **attributes)
    option_type = _type(hint, parameter.name, minimum=marker.min, maximum=marker.max)
    return CommandOption([parameter.name, *(marker.names or [option])], type=option_type, **attributes)


def _without_none(hint: Any) -> Any:  # Any: a type
    """Return `hint`, or the X of `X | None`."""
    if get_origin(hint) not in {Union, types.UnionType}:
        return hint
    members = [member for member in get_args(hint) if member is not types.NoneType]
    if len(members) > 1:
        return hint
    return members[0]


def _type(
    hint: Any,  # Any: a type
    name: str,
    *,
    minimum: int | None = None,
    maximum: int | None = None,
) -> click.ParamType[Any] | type[Path]:  # Any: each type has values of its own
    """Return the type of click for `hint`.

    Raises:
        TypeError: there is none.
    """
    if get_origin(hint) is Literal:
        return click.Choice(get_args(hint))
    is_bounded = minimum is not None or maximum is not None
    if hint is int and is_bounded:
        return click.IntRange(minimum, maximum)
    if hint is float and is_bounded:
        return click.FloatRange(minimum, maximum)
    if hint in _TYPES:
        return _TYPES[hint]
    raise TypeError(f"parameter {name}: no option has the type {hint}")


def _as_list(default: list[object] | None, *values: Any) -> list[object] | None:  # Any: click's context and parameter
    """Return the values of a parameter, which are the last of click's arguments to a callback, or `default`."""
    return list(values[-1]) or default


def _accepted(parameter_type: Any, text: str) -> str:  # Any: click's types have parameters only since 8.5
    """Return in words the values that `parameter_type` would have accepted instead of `text`."""
    if isinstance(parameter_type, click.Choice):
        return "one of " + ", ".join(parameter_type.choices)
    is_whole = isinstance(parameter_type, type(click.INT))
    if is_whole and not _is_number(text, int):
        return "a whole number"
    if isinstance(parameter_type, click.IntRange | click.FloatRange) and _is_number(text, float):
        minimum, maximum = parameter_type.min, parameter_type.max
        if minimum is not None and not float(text) >= minimum:
            return f"a number, at least {minimum:,}"
        if maximum is not None:
            return f"a number, at most {maximum:,}"
    return "a number"


def _is_number(text: str, number_type: type[float]) -> bool:
    try:
        number_type(text)
    except ValueError:
        return False
    return True
