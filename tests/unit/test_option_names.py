"""One option has one name at every interface: the command line, Python, and the operations of MCP and HTTP."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import get_type_hints

import click
import pytest

from wellread import ResearchBudget, Web
from wellread.apps.cli import app
from wellread.apps.operations.registry import BY_NAME
from wellread.reading.gather import GatherOptions
from wellread.reading.read_options import ReadOptions
from wellread.reading.sign_in_options import SignInOptions

CONTEXT = click.Context(app)
FOR_MODELS = {"include", "all_notices"}
"""Options of operations alone: which long lists an answer carries. Python has them all."""


def flags(command: str) -> set[str]:
    """Return the options and arguments of a command, as Python would write them."""
    click_command = app.get_command(CONTEXT, command)
    assert click_command is not None
    names = {flag for parameter in click_command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
    return {name.lstrip("-").replace("-", "_") for name in names}


def parameters(method: str) -> set[str]:
    names = set(inspect.signature(getattr(Web, method)).parameters)
    if "sign_in" in names:
        names |= set(get_type_hints(SignInOptions))
    if method == "gather":
        names |= set(GatherOptions.__annotations__)
    elif method == "research":
        names |= {field.name for field in fields(ResearchBudget)}
    elif "options" in names:
        names |= set(get_type_hints(ReadOptions))
    return names


@pytest.mark.parametrize("name", ["read", "search", "gather", "research", "find", "facts", "download"])
def test_option_has_one_name_at_every_interface(name: str) -> None:
    taken = {field.name for field in fields(BY_NAME[f"web_{name}"].arguments)}
    assert taken - flags(name) <= {"url", "include"}  # commands take several URLs, and print no lists
    assert taken - parameters(name) <= FOR_MODELS


def test_earlier_names_of_options_stay() -> None:
    assert "no_cache" in flags("read")
    assert "pages" in flags("gather")
