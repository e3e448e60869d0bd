"""Rules of the project as functions over source: each returns its findings, one sentence per breach."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from architecture.sources import Module

Function = ast.FunctionDef | ast.AsyncFunctionDef

SYSTEM_ERRORS = frozenset(
    {"OSError", "FileNotFoundError", "FileExistsError", "PermissionError", "IsADirectoryError", "NotADirectoryError"}
)

# ----------------------------------------------------------------------------------------- explanations


def silent_modules(module: Module) -> list[str]:
    """A module has a docstring that states its purpose."""
    said = ast.get_docstring(module.tree)
    return [] if said and len(said.split()) > 3 else [f"{module.path} has no docstring that states its purpose"]


def silent_names(module: Module) -> list[str]:
    """A public class or function has a docstring."""
    return [
        f"{_at(module, node)} {node.name} has no docstring"
        for node in _public(module.tree)
        if not ast.get_docstring(node)
    ]


def _public(tree: ast.Module | ast.ClassDef) -> Iterator[Function | ast.ClassDef]:
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from _public(node)


_SILENCER = re.compile(r"#\s*(?:noqa\b(?::\s*[A-Z0-9, ]+)?|type:\s*ignore(?:\[[^\]]*\])?)")


def silencers_without_reason(module: Module) -> list[str]:
    """A comment that disables a check gives the reason on the same line."""
    return [
        f"{module.path}:{line} disables a check without a reason: {comment}"
        for line, comment in module.comments
        if _SILENCER.search(comment) and not re.search(r"[A-Za-z]{2,}", _SILENCER.sub("", comment))
    ]


def any_without_reason(module: Module) -> list[str]:
    """`Any` has a reason on the same line."""
    spoken = {line for line, _ in module.comments}
    return [
        f"{_at(module, node)} Any without a reason on its line"
        for node in module.nodes
        if isinstance(node, ast.Name) and node.id == "Any" and node.lineno not in spoken
    ]


_LEFTOVER = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
# The folders of the machines that this was written on, and flags that would point pip at one registry.
_MACHINE = re.compile(r"(?<![\w./-])/(?:wo" + r"rk|tm" + r"p/w)/|(?<!-emit)-index-u" + r"rl\b")


def leftovers(module: Module) -> list[str]:
    """Unfinished work is an issue, not a comment."""
    return _matches(module, _LEFTOVER, "left unfinished")


def machine_paths(module: Module) -> list[str]:
    """No file names a path or an index of the machine it was written on."""
    return _matches(module, _MACHINE, "names one machine's path")


def _matches(module: Module, pattern: re.Pattern[str], what: str) -> list[str]:
    return [
        f"{module.path}:{number} {what}: {line.strip()[:80]}"
        for number, line in enumerate(module.lines, 1)
        if pattern.search(line)
    ]


MAX_SITUATION_CHARS = 60
_VAGUE = {"utils", "util", "helpers", "helper", "manager", "service", "common", "base", "misc", "stuff"}
_DATED = re.compile(r"(?:^|_)(?:v\d+|new|old)(?:_|$)")


def vague_names(module: Module) -> list[str]:
    """A module name is a noun for its content, without a version."""
    parts = module.path.removesuffix(".py").split("/")
    return [f"{module.path}: the name {part!r} is vague" for part in parts if part in _VAGUE or _DATED.search(part)]


# ---------------------------------------------------------------------------------------------- tests


def long_test_names(module: Module) -> list[str]:
    """The name of a test states the situation in at most 60 characters after `test_`."""
    return [
        f"{_at(module, node)} {node.name} has more than {MAX_SITUATION_CHARS} characters"
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and len(node.name) - len("test_") > MAX_SITUATION_CHARS
    ]


def sleeps(module: Module) -> list[str]:
    """A test waits for an event, not for time to pass; a sleep that is under test has a comment on its line.

    `sleep(0)` only yields to other tasks.
    """
    spoken = {line for line, _ in module.comments}
    return [
        f"{_at(module, node)} sleeps without a reason on its line"
        for node in module.nodes
        if isinstance(node, ast.Call)
        and _called(node) == "sleep"
        and node.lineno not in spoken
        and not (node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0)
    ]


def system_errors(module: Module) -> list[str]:
    """A message has the sentence of an OSError (`reason_line`), not `[Errno 2]` and a path that it names itself."""
    handlers = (node for node in module.nodes if isinstance(node, ast.ExceptHandler) and node.name and node.type)
    return [
        f"{_at(module, part)} prints an error of the system: use reason_line"
        for handler in handlers
        if handler.type is not None and _names(handler.type) & SYSTEM_ERRORS
        for statement in handler.body
        for part in ast.walk(statement)
        if (isinstance(part, ast.FormattedValue) and _is_name(part.value, handler.name))
        or (
            isinstance(part, ast.Call) and _called(part) == "str" and part.args and _is_name(part.args[0], handler.name)
        )
    ]


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _is_name(node: ast.expr, name: str | None) -> bool:
    return isinstance(node, ast.Name) and node.id == name


# ------------------------------------------------------------------------------------------ documents


def notices(module: Module) -> tuple[set[str], list[str]]:
    """Return the codes of the notices that `module` makes, and a finding for each whose code cannot be read here."""
    codes: set[str] = set()
    findings = []
    for node in module.nodes:
        if isinstance(node, ast.Call) and _called(node) == "Notice":
            given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "code")]
            said = _texts(given[0]) if given else set()
            codes |= said
            findings += [] if said else [f"{_at(module, node)} makes a Notice whose code is not written out"]
    return codes, findings


def _texts(node: ast.expr) -> set[str]:
    """Return what a literal, or a choice between literals, may be."""
    if isinstance(node, ast.IfExp):
        return _texts(node.body) | _texts(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def _called(node: ast.Call) -> str:
    function = node.func
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _at(module: Module, node: ast.stmt | ast.expr) -> str:
    return f"{module.path}:{node.lineno}"
