"""The commands `cache`, `config` and `doctor`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from wellread.apps.commands.options import Json, guarded, run, settings_of
from wellread.apps.terminal import console, say_findings, say_json


def cache(
    context: typer.Context,
    action: Annotated[Literal["show", "clear"], typer.Argument(help="What to do.")] = "show",
    *,
    json: Json = False,
) -> None:
    """Show how much is kept, or clear it."""
    from wellread.apps.doctor import cache_facts, clear_cache

    settings = guarded(lambda: settings_of(context)[0], json=json)
    facts = guarded(lambda: (clear_cache if action == "clear" else cache_facts)(settings), json=json)
    if json:
        say_json(facts)
    else:
        for name, value in facts.items():
            console.print(f"{name:<12} {value}", markup=False)


def config(context: typer.Context, *, json: Json = False) -> None:
    """Show every setting, its value, and where the value came from."""
    origins = guarded(lambda: settings_of(context)[1], json=json)
    if json:
        say_json(origins)
        return
    for origin in origins:
        shown_value = ", ".join(map(str, origin.value)) if isinstance(origin.value, tuple) else origin.value
        console.print(f"{origin.name:<24} {shown_value!s:<44} {origin.source}", markup=False)


def doctor(
    context: typer.Context,
    *,
    url: Annotated[
        str, typer.Option(help="Page to fetch as a check of the network and the clock.")
    ] = "https://example.com/",
    offline: Annotated[
        bool, typer.Option("--offline", help="Send nothing: leave the network and the clock out.")
    ] = False,
    json: Json = False,
) -> None:
    """Check every part that wellread needs, and say how to mend a fault. Exit code 1 on a fault.

    One page is asked for, and nothing else is sent: no key is tried.
    """
    from wellread.apps.doctor import checkup
    from wellread.apps.doctor_network import check_network

    settings = guarded(lambda: settings_of(context)[0], json=json)
    findings = checkup(settings)
    if not offline:
        findings += run(context, lambda web: check_network(web, url), json=json)
    say_findings(findings, json=json)
    if any(finding.ok is False for finding in findings):
        raise typer.Exit(1)
