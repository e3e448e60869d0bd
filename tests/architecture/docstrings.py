"""Rules over the docstrings of functions: after a renaming they neither open with a class name nor name what is gone.

A name between backquotes that has the form of a Python identifier must exist: in the function or the functions around
it, as a name that the module binds, imports or reads from an object, in a string of the module, or as a module of the
package. FOREIGN lists the names that exist elsewhere.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import TYPE_CHECKING

from architecture.sources import modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from architecture.sources import Module

Function = ast.FunctionDef | ast.AsyncFunctionDef

_OPENING = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b")
"""A class name of several words: `Answer` may be a verb, `InboxAnswer` is none."""
_PLAIN_NAME = re.compile(r"`([a-z_][a-z0-9_]*)`")
_CLASS_OF_MODULE = re.compile(r"`([a-z_][a-z0-9_]*)\.[A-Z]\w*`")
_WORD = re.compile(r"[A-Za-z_]\w*")
MAX_STRING_CHARS = 4_000
"""Longer strings are tables, whose words say nothing about names."""

FOREIGN = {
    # Names of other modules of the package: fields and methods of what a function returns or raises.
    "aclose", "auto", "ignored_filters", "info", "local", "missed", "on_duty", "outcomes", "retryable", "settings_of",
    # Python, commands and protocols.
    "head", "if", "initialize", "re", "tail", "x", "_meta",
    # HTML, CSS, CSSOM, mail (RFC 2183, RFC 3676) and WARC.
    "attachment", "block", "clip", "delsp", "div", "format", "frames", "inline", "response",
    # Examples of words.
    "aligharib", "anna", "attribute_pa_size", "nuotr", "s", "sr",
}  # fmt: skip


def class_names_as_openings(module: Module) -> list[str]:
    """A docstring of a function opens with a verb, not with the name of a class of the package."""
    return [
        f"{module.path}:{node.lineno} {node.name} opens its docstring with the class name {match.group()}"
        for node in module.nodes
        if isinstance(node, Function)
        and (match := _OPENING.match(ast.get_docstring(node) or ""))
        and match.group() in _package_classes()
    ]


def names_that_are_gone(module: Module) -> list[str]:
    """A docstring of a function names only what exists."""
    return [
        f"{module.path}:{node.lineno} {node.name} names `{name}` in its docstring, which is gone"
        for node, names_in_reach in _functions(module.tree, _module_names(module.tree))
        for name in _docstring_names(node)
        if name not in names_in_reach | FOREIGN | _package_modules()
    ]


def _docstring_names(node: Function) -> list[str]:
    docstring = ast.get_docstring(node) or ""
    return _PLAIN_NAME.findall(docstring) + _CLASS_OF_MODULE.findall(docstring)


def _functions(parent: ast.AST, outer_names: frozenset[str]) -> Iterator[tuple[Function, frozenset[str]]]:
    """Yield each function with the names that its docstring may use."""
    for node in ast.iter_child_nodes(parent):
        names = outer_names
        if isinstance(node, Function):
            names = outer_names | set(_all_names(node))
            yield node, names
        yield from _functions(node, names)


def _all_names(function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def _module_names(tree: ast.Module) -> frozenset[str]:
    """Return the names that a module binds outside of functions, reads from objects, or has in its strings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    names = set(_bound_outside_functions(tree.body))
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg:
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.update((node.asname or node.name).split("."))
        elif isinstance(node, ast.ImportFrom):
            names.update((node.module or "").split("."))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            names.update(_WORD.findall(node.value) if len(node.value) < MAX_STRING_CHARS else ())
    return frozenset(names)


def _bound_outside_functions(body: Iterable[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            yield from (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
        elif isinstance(statement, ast.ClassDef | ast.If | ast.Try | ast.With):
            yield from _bound_outside_functions(statement.body)


@cache
def _package_classes() -> frozenset[str]:
    return frozenset(node.name for module in modules("src") for node in module.nodes if isinstance(node, ast.ClassDef))


@cache
def _package_modules() -> frozenset[str]:
    return frozenset(
        part for module in modules("src") for part in module.path.removesuffix(".py").split("/") if part != "__init__"
    )
