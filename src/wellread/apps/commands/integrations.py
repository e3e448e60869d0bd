"""Commands of integrations: connect and disconnect services that the assistant works with for the user."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import click

from wellread.apps.commands.options import Json, extra, guarded, settings_of
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import console, escape, stderr_console
from wellread.apps.terminal import say_json
from wellread.errors import InvalidInput, Timeout

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from wellread.apps.integration_setup import IntegrationContext, IntegrationState, OpenIntegration
    from wellread.assistant.integrations.oauth.grant import Grant

T = TypeVar("T")

WAIT_S = 600.0
Name = Annotated[str, Argument(help="Integration to disconnect, such as google.", metavar="NAME")]


def connect(
    context: click.Context,
    name: Annotated[
        str | None,
        Argument(
            help="Integration to connect, such as google. Without it, the state of all integrations is shown.",
            metavar="NAME",
        ),
    ] = None,
    *,
    paste: Annotated[
        bool, Option("--paste", help="Read the final address of the browser from standard input.")
    ] = False,
    json: Json = False,
) -> None:
    """Connect a service to the assistant, for example Google.

    The command prints a link. Open it in a browser and allow access.
    """
    if name is None:
        _show(guarded(partial(_run, context, _states), json=json), json=json)
        return
    scopes = guarded(partial(_run, context, partial(_connect, name, paste=paste, json=json)), json=json)
    if json:
        say_json({"name": name, "connected": True, "not_granted": scopes})
        return
    console.print(f"{escape(name)} is connected.")
    for scope in scopes:
        stderr_console.print(f"[yellow]! not granted:[/] {escape(scope)}")


def disconnect(context: click.Context, name: Name, *, json: Json = False) -> None:
    """Revoke the access to a service and delete its tokens."""
    revoked = guarded(partial(_run, context, partial(_disconnect, name)), json=json)
    if json:
        say_json({"name": name, "revoked": revoked})
        return
    console.print(f"{escape(name)} is disconnected.")
    if not revoked:
        stderr_console.print(
            "[yellow]! the service did not confirm it:[/] check the list of programs with access in its settings"
        )


def _show(list_integration_states: list[IntegrationState], *, json: bool) -> None:
    if json:
        say_json([state._asdict() for state in list_integration_states])
        return
    for state in list_integration_states:
        console.print(f"[bold]{escape(state.name):<10}[/] {escape(state.detail)}")


def _run(context: click.Context, work: Callable[[IntegrationContext], Awaitable[T]]) -> T:
    import anyio

    from wellread.apps.assistant_database import owner_store
    from wellread.apps.build import integration_context
    from wellread.apps.system_clock import SystemClock

    settings = settings_of(context)[0]
    with extra("integrations"):
        import wellread.assistant.integrations.vault  # noqa: F401 - needs all of the extra that a command can need
    with owner_store(settings) as store:
        return anyio.run(work, integration_context(settings, store, SystemClock()))


async def _states(surroundings: IntegrationContext) -> list[IntegrationState]:
    from wellread.apps.integration_setup import list_integration_states

    return await list_integration_states(surroundings)


async def _connect(name: str, surroundings: IntegrationContext, *, paste: bool, json: bool) -> list[str]:
    import anyio

    async with _granting(name, surroundings) as grant:
        link = await grant.link()
        if json:
            say_json({"name": name, "link": link}, indent=None)
        else:
            stderr_console.print("Open this address in a browser, and allow access:", markup=False)
            console.print(link, markup=False)
        if paste:
            stderr_console.print(
                "Then paste the final address of the browser, even if the browser shows no page:", markup=False
            )
            return list(await grant.finish(await anyio.to_thread.run_sync(sys.stdin.readline)))
        with anyio.move_on_after(WAIT_S):
            await grant.settled.wait()
        if grant.refused is not None:
            raise grant.refused
        if not grant.settled.is_set():
            raise Timeout(
                f"access to {name} was not granted in time",
                hint="run the command again; if the browser is on another machine, use --paste",
            )
        granted = await grant.granted()
        return [scope for scope in grant.authority.scopes if granted is None or scope not in granted.scopes]


async def _disconnect(name: str, surroundings: IntegrationContext) -> bool:
    async with _granting(name, surroundings) as grant:
        return await grant.revoke()


@asynccontextmanager
async def _granting(name: str, surroundings: IntegrationContext) -> AsyncGenerator[Grant, None]:
    from wellread.apps.integration_setup import open_integrations

    async with open_integrations(surroundings, name) as integrations:
        yield _grant(integrations[0])


def _grant(integration: OpenIntegration) -> Grant:
    if integration.grant is None:
        name, steps = integration.integration.name, integration.integration.steps
        raise InvalidInput(
            f"{name} is connected with a key, not with a link", hint=f"set integrations.keys.{name}: {steps}"
        )
    return integration.grant
