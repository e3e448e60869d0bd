"""The commands `cache`, `config` and `doctor`."""

from __future__ import annotations

from typing import Annotated, Literal

import click

from wellread.apps.commands.options import Json, guarded, run, settings_of
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import console
from wellread.apps.terminal import say_findings, say_json


def cache(
    context: click.Context,
    action: Annotated[Literal["show", "clear"], Argument(help="Action to run.")] = "show",
    *,
    json: Json = False,
) -> None:
    """Show the size of the cache, or clear it."""
    from wellread.apps.doctor import cache_facts, clear_cache

    settings = guarded(lambda: settings_of(context)[0], json=json)
    facts = guarded(lambda: (clear_cache if action == "clear" else cache_facts)(settings), json=json)
    if json:
        say_json(facts)
    else:
        for name, value in facts.items():
            console.print(f"{name:<12} {value}", markup=False)


def config(context: click.Context, *, json: Json = False) -> None:
    """Show every setting, its value and its source."""
    origins = guarded(lambda: settings_of(context)[1], json=json)
    if json:
        say_json(origins)
        return
    for origin in origins:
        shown_value = ", ".join(map(str, origin.value)) if isinstance(origin.value, tuple) else origin.value
        console.print(f"{origin.name:<24} {shown_value!s:<44} {origin.source}", markup=False)


def doctor(
    context: click.Context,
    *,
    url: Annotated[str, Option(help="Page to fetch, to check the network and the clock.")] = "https://example.com/",
    offline: Annotated[
        bool, Option("--offline", help="Do not use the network; skip the checks of the network and the clock.")
    ] = False,
    json: Json = False,
) -> None:
    """Check the installation, and print how to fix each problem.

    Requests go to one page, and to the server of shared.url if it is set; API keys are not tried. The exit code is 1 if
    a check fails.
    """
    from wellread.apps.doctor import checkup
    from wellread.apps.doctor_network import check_network

    settings = guarded(lambda: settings_of(context)[0], json=json)
    findings = checkup(settings)
    if not offline:
        findings += run(context, lambda web: check_network(web, url), json=json)
    say_findings(findings, json=json)
    if any(finding.ok is False for finding in findings):
        raise click.exceptions.Exit(1)
