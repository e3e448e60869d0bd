"""Joins integrations to the assistant: those whose keys are set, each with its door, its vault and its grant."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from anyio import to_thread

from wellread import plugins
from wellread.errors import ConfigError, InvalidInput, PluginError, WellreadError
from wellread.net.endpoints import Patience, client

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from wellread.assistant.database import UserStore
    from wellread.assistant.integrations.oauth.grant import Grant
    from wellread.assistant.integrations.ports import Integration, Reach
    from wellread.assistant.ports import Tool
    from wellread.config import Settings
    from wellread.ports import Clock
    from wellread.types import Page

ATTEMPTS = 2
IDLE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the integrations of one user are joined to."""

    settings: Settings
    store: UserStore
    clock: Clock
    extract: Callable[..., Page]
    """Reads HTML that is at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """An integration that is at work."""

    integration: Integration
    grant: Grant | None
    tools: Sequence[Tool]


class State(NamedTuple):
    """How far an integration is."""

    name: str
    ok: bool | None
    """False: some of it is there, and more is needed. None: it is not set up, and nobody has asked for it."""
    detail: str


async def states(around: Surroundings) -> list[State]:
    """Tell of every installed integration how far it is; nothing is sent."""
    return [await _state(name, around) for name in plugins.names("integrations")]


async def _state(name: str, around: Surroundings) -> State:
    if not _has_keys(name, around.settings):
        return State(name, ok=None, detail=f"not set up: integrations.keys has no key of {name}{_steps(name)}")
    try:
        async with joined(around, name) as (ready,):
            if ready.grant is None:
                return State(name, ok=True, detail="its key is set")
            if await ready.grant.granted() is None:
                return State(name, ok=False, detail=f"not connected; wellread connect {name}")
            return State(name, ok=True, detail="connected")
    except WellreadError as error:
        return State(name, ok=False, detail=f"{error.message}; {error.hint}")


def _steps(name: str) -> str:
    """Say where the steps are told; of one that cannot be loaded, why."""
    try:
        return f"; {_load(name).steps}"
    except WellreadError as error:
        return f"; {error.message}; {error.hint}"


def _has_keys(name: str, settings: Settings) -> bool:
    """Tell whether some key of an integration is set."""
    keys = [key for key, value in settings.integrations.keys.items() if value]
    return any(_is_of(name, key) for key in keys)


def _is_of(name: str, key: str) -> bool:
    """Tell whether a key, or an address, is an integration's own (`integrations.ports`)."""
    return key == name or key.startswith(f"{name}_")


def _load(name: str) -> Integration:
    try:
        made: Integration = plugins.load("integrations", name)()
    except PluginError as error:
        if isinstance(error.__cause__, ModuleNotFoundError):
            raise ConfigError(
                f"{error.__cause__.name} is not installed", hint="pip install 'wellread[integrations]'"
            ) from error
        raise
    return made


@asynccontextmanager
async def joined(around: Surroundings, only: str | None = None) -> AsyncGenerator[Sequence[Joined], None]:
    """Yield the integrations whose keys are all there, or the one named; nothing is sent yet.

    One that works by a key of the settings alone is for their owner; one that a user grants access to is for each user.
    A group has none: everybody in it would read the mail of whoever connects.

    Raises:
        ConfigError, PluginError: a setting is wrong, or one cannot be loaded.
        InvalidInput: there is no integration of the name.
    """
    settings = around.settings
    if only is not None and only not in plugins.names("integrations"):
        raise InvalidInput(
            f"there is no integration {only!r}", hint=f"there are {', '.join(plugins.names('integrations'))}"
        )
    begun = [name for name in plugins.names("integrations") if only in {None, name} and _has_keys(name, settings)]
    ready = [it for it in map(_load, begun) if not _lacks(it, settings)]
    if only is not None and not ready:
        lacking = _load(only)
        needs = " and ".join(lacking.needs)
        raise ConfigError(f"{only} lacks keys", hint=f"set {needs} in integrations.keys; {lacking.steps}")
    async with AsyncExitStack() as stack:
        made = [_join(it, around, stack) for it in ready]
        user = around.store.user
        yield [it for it in made if not user.is_group and (it.grant is not None or user.may_use("integrations"))]


def _lacks(integration: Integration, settings: Settings) -> bool:
    return not all(settings.integrations.keys.get(key) for key in integration.needs)


def _join(integration: Integration, around: Surroundings, stack: AsyncExitStack) -> Joined:
    from wellread.assistant.integrations import vault
    from wellread.assistant.integrations.oauth.grant import Grant

    settings = around.settings
    reach = _reach(integration, around)
    stack.push_async_callback(reach.wire.aclose)
    authority = integration.authority(reach)
    grant = None
    if authority is not None:
        find_key = partial(vault.key, settings.integrations.token_key, settings.cache.dir)
        kept = vault.Vault(around.store, find_key, around.clock)
        grant = Grant(integration.name, authority, kept, reach.wire, around.clock)
        grant.port = settings.integrations.callback_port
        stack.push_async_callback(grant.aclose)
    return Joined(integration=integration, grant=grant, tools=integration.tools(reach, grant))


def _reach(integration: Integration, around: Surroundings) -> Reach:
    from wellread.assistant.integrations.ports import Reach
    from wellread.assistant.integrations.wire import Wire
    from wellread.assistant.schedule import zones

    async def read_html(html: str) -> str:
        # In a thread, and a parser that chokes in a process of its own: a mail stops nobody else.
        return (await to_thread.run_sync(partial(around.extract, html, mode="recall"))).text

    said, own = around.settings.integrations, integration.urls
    mine = partial(_is_of, integration.name)
    named = {name: said.urls[name].reveal() for name in own if mine(name) and said.urls.get(name)}
    public = [url for name, url in own.items() if name not in named]
    patience = Patience(clock=around.clock, attempts=ATTEMPTS, backoff_s=0.5, idle_s=IDLE_S, timeout_s=2 * IDLE_S)
    door = partial(client, around.settings.net, public=public, named=named.values())
    return Reach(
        keys={key: value for key, value in said.keys.items() if value and mine(key)},
        urls={name: url.rstrip("/") for name, url in {**own, **named}.items()},
        # What changes something is sent once: a mail whose answer was lost is not sent again.
        wire=Wire(door(patience), door(replace(patience, attempts=1)), around.clock),
        clock=around.clock,
        zone=zones.home(around.settings.schedule.timezone),
        read_html=read_html,
    )
