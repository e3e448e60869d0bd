"""Build the integrations whose keys are set, each with its client, its token vault and its grant."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from anyio import to_thread

from wellread import plugins
from wellread.errors import ConfigError, InvalidInput, PluginError, WellreadError
from wellread.net.endpoint_client import EndpointTimeouts, endpoint_client

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from wellread.assistant.database import UserStore
    from wellread.assistant.integrations.integration import Integration, IntegrationDependencies
    from wellread.assistant.integrations.oauth.grant import Grant
    from wellread.assistant.tool_types import Tool
    from wellread.config import Settings
    from wellread.ports import Clock
    from wellread.types import Page

ATTEMPTS = 2
IDLE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrationContext:
    """The context that the integrations of one user work in."""

    settings: Settings
    store: UserStore
    clock: Clock
    extract: Callable[..., Page]
    """Reads HTML that is at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenIntegration:
    """An integration that is ready for use."""

    integration: Integration
    grant: Grant | None
    tools: Sequence[Tool]


class IntegrationState(NamedTuple):
    """The state of an integration."""

    name: str
    ok: bool | None
    """False: partly set up. None: not set up at all."""
    detail: str


async def list_integration_states(context: IntegrationContext) -> list[IntegrationState]:
    """Return the state of every installed integration; nothing is sent."""
    return [await _state(name, context) for name in plugins.names("integrations")]


async def _state(name: str, context: IntegrationContext) -> IntegrationState:
    if not _has_keys(name, context.settings):
        return IntegrationState(
            name, ok=None, detail=f"not set up: integrations.keys has no key of {name}{_steps(name)}"
        )
    try:
        async with open_integrations(context, name) as (ready,):
            if ready.grant is None:
                return IntegrationState(name, ok=True, detail="its key is set")
            if await ready.grant.granted() is None:
                return IntegrationState(name, ok=False, detail=f"not connected; run `wellread connect {name}`")
            return IntegrationState(name, ok=True, detail="connected")
    except WellreadError as error:
        return IntegrationState(name, ok=False, detail=f"{error.message}; {error.hint}")


def _steps(name: str) -> str:
    """Return where the set-up is described, or why the integration cannot be loaded."""
    try:
        return f"; {_load(name).steps}"
    except WellreadError as error:
        return f"; {error.message}; {error.hint}"


def _has_keys(name: str, settings: Settings) -> bool:
    """Return whether some key of an integration is set."""
    keys = [key for key, value in settings.integrations.keys.items() if value]
    return any(_is_of(name, key) for key in keys)


def _is_of(name: str, key: str) -> bool:
    """Return whether a key, or an address, belongs to the integration (`integrations.ports`)."""
    return key == name or key.startswith(f"{name}_")


def _load(name: str) -> Integration:
    try:
        integration: Integration = plugins.load("integrations", name)()
    except PluginError as error:
        if isinstance(error.__cause__, ModuleNotFoundError):
            raise ConfigError(
                f"{error.__cause__.name} is not installed", hint="pip install 'wellread[integrations]'"
            ) from error
        raise
    return integration


@asynccontextmanager
async def open_integrations(
    context: IntegrationContext, only: str | None = None
) -> AsyncGenerator[Sequence[OpenIntegration], None]:
    """Yield the integrations whose keys are all there, or the one named; nothing is sent yet.

    One that works by a key of the settings alone is for their owner; one that a user grants access to is for each user.
    A group has none: everybody in it would read the mail of whoever connects.

    Raises:
        ConfigError, PluginError: a setting is wrong, or one cannot be loaded.
        InvalidInput: there is no integration of the name.
    """
    settings = context.settings
    if only is not None and only not in plugins.names("integrations"):
        raise InvalidInput(
            f"unknown integration {only!r}", hint=f"installed: {', '.join(plugins.names('integrations'))}"
        )
    configured = [name for name in plugins.names("integrations") if only in {None, name} and _has_keys(name, settings)]
    complete = [integration for integration in map(_load, configured) if not _lacks(integration, settings)]
    if only is not None and not complete:
        incomplete = _load(only)
        needs = " and ".join(incomplete.needs)
        raise ConfigError(f"{only} lacks keys", hint=f"set {needs} in integrations.keys; {incomplete.steps}")
    async with AsyncExitStack() as stack:
        opened = [_join(integration, context, stack) for integration in complete]
        user = context.store.user
        yield [
            integration
            for integration in opened
            if not user.is_group and (integration.grant is not None or user.may_use("integrations"))
        ]


def _lacks(integration: Integration, settings: Settings) -> bool:
    return not all(settings.integrations.keys.get(key) for key in integration.needs)


def _join(integration: Integration, context: IntegrationContext, stack: AsyncExitStack) -> OpenIntegration:
    from wellread.assistant.integrations import vault
    from wellread.assistant.integrations.oauth.grant import Grant

    settings = context.settings
    reach = _reach(integration, context)
    stack.push_async_callback(reach.client.aclose)
    authority = integration.authority(reach)
    grant = None
    if authority is not None:
        find_key = partial(vault.vault_key, settings.integrations.token_key, settings.cache.dir)
        token_vault = vault.TokenVault(context.store, find_key, context.clock)
        grant = Grant(integration.name, authority, token_vault, reach.client, context.clock)
        grant.port = settings.integrations.callback_port
        stack.push_async_callback(grant.aclose)
    return OpenIntegration(integration=integration, grant=grant, tools=integration.tools(reach, grant))


def _reach(integration: Integration, context: IntegrationContext) -> IntegrationDependencies:
    from wellread.assistant.integrations.integration import IntegrationDependencies
    from wellread.assistant.integrations.service_client import ServiceClient
    from wellread.assistant.schedule import zones

    async def read_html(html: str) -> str:
        # In a thread, with the parser in a worker process: a hostile mail blocks no other work.
        return (await to_thread.run_sync(partial(context.extract, html, mode="recall"))).text

    integration_settings, default_urls = context.settings.integrations, integration.urls
    is_mine = partial(_is_of, integration.name)
    configured_urls = {
        name: integration_settings.urls[name].reveal()
        for name in default_urls
        if is_mine(name) and integration_settings.urls.get(name)
    }
    public = [url for name, url in default_urls.items() if name not in configured_urls]
    patience = EndpointTimeouts(
        clock=context.clock, attempts=ATTEMPTS, backoff_s=0.5, idle_s=IDLE_S, timeout_s=2 * IDLE_S
    )
    open_client = partial(endpoint_client, context.settings.net, public=public, named=configured_urls.values())
    return IntegrationDependencies(
        keys={key: value for key, value in integration_settings.keys.items() if value and is_mine(key)},
        urls={name: url.rstrip("/") for name, url in {**default_urls, **configured_urls}.items()},
        # What changes something is sent once: a mail whose answer was lost is not sent again.
        client=ServiceClient(open_client(patience), open_client(replace(patience, attempts=1)), context.clock),
        clock=context.clock,
        zone=zones.home_zone(context.settings.schedule.timezone),
        read_html=read_html,
    )
