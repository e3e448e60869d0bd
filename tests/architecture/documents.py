"""The documentation read as data: the drawn tree of errors and the tables in docs/, beside the values in the code."""

from __future__ import annotations

import ast
import re
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from architecture.sources import ROOT
from wellread import config
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from architecture.sources import Module
    from wellread.config import Settings

Row = dict[str, str]

# -------------------------------------------------------------------------------------- the drawn tree

_BRANCH = re.compile(r"^(?P<stem>[ │]*)(?:├─|└─) (?P<name>\w+)(?P<words>.*)$")


def drawn_tree(docstring: str) -> dict[str, str]:
    """Return child -> parent of the tree drawn in a docstring; its root has no dash before it.

    Raises:
        ValueError: a line hangs in the air, a name is drawn twice, or it has no words beside it.
    """
    lines = docstring.splitlines()
    first = next(number for number, line in enumerate(lines) if _BRANCH.match(line))
    path = [lines[first - 1].strip()]
    parents: dict[str, str] = {}
    for line in lines[first:]:
        if not line.strip():
            break
        branch = _BRANCH.match(line)
        if branch is None or not branch["words"].strip() or branch["name"] in parents:
            raise ValueError(f"not a branch with one name and some words: {line!r}")
        depth = (len(branch["stem"]) - (len(lines[first]) - len(lines[first].lstrip()))) // 3 + 1
        if depth > len(path):
            raise ValueError(f"hangs in the air: {line!r}")
        del path[depth:]
        parents[branch["name"]] = path[-1]
        path.append(branch["name"])
    return parents


def real_tree(tree: ast.Module) -> dict[str, str]:
    """Return class -> its first base, in the order of the source, for classes that have one inside the module."""
    parents: dict[str, str] = {}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    names = {node.name for node in classes}
    for node in classes:
        base = node.bases[0] if node.bases else None
        if isinstance(base, ast.Name) and base.id in names:
            parents[node.name] = base.id
    return parents


def strays(modules: Sequence[Module], family: set[str]) -> list[str]:
    """Return the exceptions outside the tree that could reach a caller.

    An exception between the files of one package is allowed: it has no parent in the tree, and no other package
    imports it.
    """
    found = []
    for module in modules:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef) and any(_is_exception(base, family) for base in node.bases):
                outside = [other.path for other in modules if _imports(other, module, node.name)]
                if outside or any(_name(base) in family for base in node.bases):
                    found.append(
                        f"{module.path}:{node.lineno} {node.name}, imported by {outside or 'no other package'}"
                    )
    return found


def _imports(other: Module, home: Module, name: str) -> bool:
    folder = home.path.rpartition("/")[0] + "/"
    if other is home or (folder != "src/wellread/" and other.path.startswith(folder)):
        return False
    dotted = home.path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return any(node.module == dotted and name in {alias.name for alias in node.names} for node in other.imported)


def _is_exception(base: ast.expr, family: set[str]) -> bool:
    return _name(base) in family or _name(base).endswith(("Error", "Exception"))


def _name(base: ast.expr) -> str:
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


# ------------------------------------------------------------------------------------------ the tables


def tables(text: str) -> Iterator[list[Row]]:
    """Yield each Markdown table as rows: heading -> cell, without the backquotes around a whole cell."""
    for block in re.findall(r"(?m)(?:^\|.*\n)+", text + "\n"):
        heading, rule, *rows = (_cells(line) for line in block.splitlines())
        if not all(set(cell) <= {"-", ":"} for cell in rule):
            raise ValueError(f"a table without a rule below its heading: {heading}")
        if wrong := [row for row in rows if len(row) != len(heading)]:
            raise ValueError(f"rows that do not fit their heading: {wrong}")
        yield [dict(zip(heading, row, strict=True)) for row in rows]


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [re.sub(r"^`([^`]*)`$", r"\1", cell.strip().replace("\\|", "|")) for cell in cells]


def rows(paper: str, column: str) -> list[Row]:
    """Return the rows of all tables of docs/`paper` whose first column is `column`."""
    text = (ROOT / "docs" / paper).read_text(encoding="utf-8")
    return [row for table in tables(text) for row in table if next(iter(row)) == column]


# ----------------------------------------------------------------------------------------- the settings

_WORDS: dict[object, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    Path: "path",
    Secret: "secret",
    Address: "text",
}


def kind(hint: object) -> str:
    """Return a type in the words of the docs."""
    if isinstance(hint, types.UnionType):
        return "optional " + kind(next(arg for arg in typing.get_args(hint) if arg is not types.NoneType))
    if typing.get_origin(hint) is Mapping:
        return f"table of {kind(typing.get_args(hint)[1])}s".replace("texts", "text")
    if typing.get_origin(hint) is tuple:
        return f"list of {kind(typing.get_args(hint)[0])}s".replace("texts", "text")
    if typing.get_origin(hint) is typing.Literal:
        return f"one of {', '.join(typing.get_args(hint))}"
    return _WORDS[hint]


def shown(value: object) -> str:
    """Return a default in the words of the docs."""
    if value is None or (isinstance(value, Mapping) and not value):
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, Path):
        return str(value).replace(str(Path.home()), "~", 1)
    if isinstance(value, int):
        return f"{value:_}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def settings_in_code(settings: Settings) -> dict[str, Row]:
    """Return every setting as docs/settings.md must have it, less its meaning."""
    told = {}
    for name in config.setting_names():
        section, _, key = name.partition(".")
        told[name] = {
            "setting": name,
            "type": kind(config.setting_type(name)),
            "default": shown(getattr(getattr(settings, section), key)),
            "variable": "WELLREAD_" + name.replace(".", "_").upper(),
        }
    return told


# ------------------------------------------------------------------------------------------ the commands


def commands(app: click.Group) -> dict[str, set[str]]:
    """Return each command and its options, less `--help`."""
    context = click.Context(app)
    options: dict[str, set[str]] = {}
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        options[name] = {option for each in command.params for option in each.opts if option.startswith("--")}
    return options


def differences(in_docs: Iterable[str], in_code: set[str]) -> set[str]:
    """Return the options that only the docs or only the code have; a line in the docs begins with the option."""
    return {line.strip("`").split()[0] for line in in_docs} ^ in_code
