"""Commands from annotated functions: the values that a function gets, and the errors of wrong ones."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003  # annotations are read at run time
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import pytest
from click.testing import CliRunner

from wellread.apps.commands.parameters import Argument, Option, as_command
from wellread.errors import InvalidUsage

Kind = Literal["plain", "rich"]


def probe(
    context: click.Context,
    kind: Annotated[Kind, Argument(help="Kind.")],
    words: Annotated[list[str] | None, Argument(help="Words.", metavar="WORD")] = None,
    *,
    text: Annotated[str, Option("--text", "-t", help="Text.")] = "none",
    note: Annotated[str | None, Option(help="Note.")] = None,
    count: Annotated[int, Option(help="Count.", min=1, max=2_000)] = 3,
    depth: Annotated[int | None, Option(help="Depth.")] = None,
    pace: Annotated[float | None, Option(help="Pace.", min=0)] = None,
    share: Annotated[float, Option(help="Share.")] = 0.5,
    file: Annotated[Path | None, Option(help="File.")] = None,
    style: Annotated[Kind | None, Option(help="Style.")] = None,
    flag: Annotated[bool, Option("--flag", help="Flag.")] = False,
    pair_on: Annotated[bool, Option(help="Pair.")] = True,
    names: Annotated[list[str] | None, Option(help="Names.")] = None,
    sizes: Annotated[list[int] | None, Option(help="Sizes.", min=1)] = None,
    set_: Annotated[list[str], Option(help="Set.")] = [],  # noqa: B006  # never changed
) -> None:
    """Probe the values."""
    context.obj.update({name: value for name, value in locals().items() if name != "context"})


DEFAULTS: dict[str, object] = {
    "kind": "plain", "words": None, "text": "none", "note": None, "count": 3, "depth": None, "pace": None, "share": 0.5,
    "file": None, "style": None, "flag": False, "pair_on": True, "names": None, "sizes": None, "set_": [],
}  # fmt: skip


def values(*words: str) -> dict[str, object]:
    """Return the values that a function gets, less the defaults."""
    obtained: dict[str, object] = {}
    command = as_command(probe, "probe", click.Command)
    command.main(list(words), standalone_mode=False, obj=obtained)
    assert obtained.keys() == DEFAULTS.keys()
    return {name: value for name, value in obtained.items() if value != DEFAULTS[name]}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("plain", {}),
        ("rich a b", {"kind": "rich", "words": ["a", "b"]}),
        ("plain --text x --note y", {"text": "x", "note": "y"}),
        ("plain -t x", {"text": "x"}),
        ("plain --count 2000 --depth -4", {"count": 2_000, "depth": -4}),
        ("plain --pace 0 --share 1", {"pace": 0.0, "share": 1.0}),
        ("plain --file a/b.txt", {"file": Path("a/b.txt")}),
        ("plain --style rich", {"style": "rich"}),
        ("plain --flag --no-pair-on", {"flag": True, "pair_on": False}),
        ("plain --names a --names b", {"names": ["a", "b"]}),
        ("plain --sizes 1 --sizes 2", {"sizes": [1, 2]}),
        ("plain --set a", {"set_": ["a"]}),
    ],
)
def test_values_have_types_of_signature(typed: str, expected: dict[str, object]) -> None:
    obtained = values(*typed.split())
    assert obtained == expected
    assert [type(value) for value in obtained.values()] == [type(expected[name]) for name in obtained]


def test_path_is_a_path_and_flag_is_a_bool() -> None:
    obtained = values("plain", "--file", "x", "--flag")
    assert isinstance(obtained["file"], Path)
    assert obtained["flag"] is True


@pytest.mark.parametrize(
    ("typed", "message", "hint"),
    [
        ("bold", "kind cannot be bold", "one of plain, rich"),
        ("plain --style bold", "--style cannot be bold", "one of plain, rich"),
        ("plain --count abc", "--count cannot be abc", "a whole number"),
        ("plain --count 1.5", "--count cannot be 1.5", "a whole number"),
        ("plain --count 0", "--count cannot be 0", "a number, at least 1"),
        ("plain --count 2001", "--count cannot be 2001", "a number, at most 2,000"),
        ("plain --depth x", "--depth cannot be x", "a whole number"),
        ("plain --pace x", "--pace cannot be x", "a number"),
        ("plain --pace -1", "--pace cannot be -1", "a number, at least 0"),
        ("plain --pace nan", "--pace cannot be nan", "a number, at least 0"),
        ("plain --share x", "--share cannot be x", "a number"),
        ("plain --share nan", "--share cannot be nan", "a number"),
        ("plain --sizes 1 --sizes 0", "--sizes cannot be 0", "a number, at least 1"),
        (f"plain --count {'9' * 100}", f"--count cannot be {'9' * 60}", "a number, at most 2,000"),
    ],
)
def test_wrong_value_is_named_with_accepted_values(typed: str, message: str, hint: str) -> None:
    with pytest.raises(InvalidUsage) as caught:
        values(*typed.split())
    assert (str(caught.value), caught.value.hint) == (message, hint)


def test_missing_argument() -> None:
    with pytest.raises(click.MissingParameter):
        values()


def test_help_has_defaults_ranges_and_choices() -> None:
    command = as_command(probe, "probe", click.Command)
    shown = " ".join(CliRunner().invoke(command, ["--help"]).stdout.split())
    assert "Usage: probe [OPTIONS] KIND [WORD]..." in shown
    assert "-t, --text TEXT Text. [default: none]" in shown
    assert "[default: 3; 1<=x<=2000]" in shown
    assert "--pair-on / --no-pair-on Pair. [default: pair-on]" in shown
    assert "--style [plain|rich]" in shown
    assert "--flag Flag." in shown
    assert "--flag Flag. [default" not in shown


def _of_bytes(*, raw: Annotated[bytes, Option(help="Bytes.")] = b"") -> None: ...
def _of_two_types(*, either: Annotated[int | str, Option(help="Either.")] = 1) -> None: ...
def _of_tuples(*, pairs: Annotated[list[tuple[int, int]] | None, Option(help="Pairs.")] = None) -> None: ...
def _bare(*, plain: int = 1) -> None: ...


@pytest.mark.parametrize(
    ("function", "name"), [(_of_bytes, "raw"), (_of_two_types, "either"), (_of_tuples, "pairs"), (_bare, "plain")]
)
def test_unknown_type_is_refused_by_name_of_parameter(function: Callable[..., Any], name: str) -> None:
    with pytest.raises(TypeError, match=f"parameter {name}: "):
        as_command(function, "probe", click.Command)
