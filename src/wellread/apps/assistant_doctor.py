"""Checks of `wellread assistant doctor`; nothing is sent anywhere, and no model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from wellread.apps.assistant_requirements import roles, users
from wellread.apps.doctor import Finding
from wellread.apps.extras import missing
from wellread.errors import WellreadError, reason_line

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wellread.config import Settings


def checkup(settings: Settings) -> list[Finding]:
    """Check the parts of the assistant."""
    if lacks := missing("assistant"):
        detail = f"{', '.join(lacks)} missing; pip install 'wellread[assistant]'"
        return [Finding("extra assistant", ok=False, detail=detail)]

    async def look() -> list[Finding]:
        return [finding async for finding in _findings(settings)]

    return anyio.run(look)


async def _findings(settings: Settings) -> AsyncGenerator[Finding, None]:
    try:
        for role, names in roles(settings).items():
            yield _models(settings, role, names)
        if not settings.models.intent:
            yield Finding("model intent", ok=None, detail="not set: models.action is used")
    except WellreadError as error:
        yield _failed("models", error)
    yield _store(settings)
    for finding in await _integrations(settings):
        yield finding
    yield await _sandbox(settings)
    yield _skills(settings)
    for name, address in settings.assistant.mcp.items():
        yield Finding(f"mcp {name}", ok=True, detail=f"{address}; its tools are listed at the start")
    yield _channels(settings)
    yield _users(settings)
    model_settings = settings.models
    yield Finding(
        "caps",
        ok=True,
        detail=f"{model_settings.turn_tokens:,} tokens and ${model_settings.turn_usd:g} a turn, "
        f"{model_settings.day_tokens:,} tokens and ${model_settings.day_usd:g} a day",
    )


def _models(settings: Settings, role: str, names: list[str]) -> Finding:
    from wellread.assistant.models.model_endpoints import parse_endpoint

    try:
        endpoint_texts = [str(parse_endpoint(name, settings.models)) for name in names]
    except WellreadError as error:
        return _failed(f"model {role}", error)
    return Finding(f"model {role}", ok=True, detail=", then ".join(endpoint_texts))


def _store(settings: Settings) -> Finding:
    from wellread.apps.assistant_database import assistant_store

    try:
        assistant_store(settings).close()
    except WellreadError as error:
        return _failed("store", error)
    location = "store.url" if settings.store.url else str(settings.cache.dir / "assistant.db")
    return Finding("store", ok=True, detail=location)


async def _integrations(settings: Settings) -> list[Finding]:
    """Return for each integration whether it is set up and connected."""
    from wellread.apps.assistant_database import owner_store
    from wellread.apps.build import integration_context
    from wellread.apps.integration_setup import list_integration_states
    from wellread.apps.system_clock import SystemClock

    try:
        with owner_store(settings) as store:
            integration_states = await list_integration_states(integration_context(settings, store, SystemClock()))
    except WellreadError:
        return []  # `store` and `users` have said why
    return [Finding(f"integration {state.name}", ok=state.ok, detail=state.detail) for state in integration_states]


async def _sandbox(settings: Settings) -> Finding:
    from wellread.assistant.sandbox.sandbox import SandboxLimits, find_sandbox

    assistant_settings = settings.assistant
    if assistant_settings.workspace is None:
        return Finding("workspace", ok=None, detail="not set: no file tools and no commands; set assistant.workspace")
    try:
        assistant_settings.workspace.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return Finding("workspace", ok=False, detail=f"{assistant_settings.workspace}: {reason_line(error)}")
    if not assistant_settings.shell:
        return Finding(
            "workspace",
            ok=True,
            detail=f"{assistant_settings.workspace}, without commands; set assistant.shell to allow them",
        )
    sandbox = await find_sandbox(assistant_settings.workspace, SandboxLimits())
    if sandbox is None:
        return Finding("sandbox", ok=False, detail="not available, so no commands run; install bubblewrap")
    return Finding("sandbox", ok=True, detail=f"{sandbox.name} over {assistant_settings.workspace}")


def _channels(settings: Settings) -> Finding:
    """Return the channels that `wellread bot` would open, and how many people may use each; tokens are not tried."""
    if not settings.channels.tokens:
        return Finding("channels", ok=None, detail="none; set channels.tokens (docs/telegram.md)")
    if lacks := (*missing("server"), *missing("telegram")):
        detail = f"{', '.join(lacks)} missing; pip install 'wellread[server,telegram]'"
        return Finding("channels", ok=False, detail=detail)
    from wellread.apps.bot_runtime import configured_channels

    try:
        channel_texts = [
            f"{name}, {'called by it' if settings.channels.hooks.get(name) else 'by asking'}, "
            f"for {len(users(settings, name))} people"
            for name in configured_channels(settings)
        ]
    except WellreadError as error:
        return _failed("channels", error)
    return Finding("channels", ok=True, detail="; ".join(channel_texts))


def _users(settings: Settings) -> Finding:
    """Return the accounts that share a memory with the terminal, and the parts that all users share."""
    from wellread.assistant.users import OWNER, Users

    try:
        all_users = Users(settings.assistant, settings.channels)
    except WellreadError as error:
        return _failed("users", error)
    accounts = [account for account in all_users.owner.accounts if account != OWNER]
    memory = "no other account (assistant.owner)"
    if accounts:
        memory = f"one memory with {', '.join(accounts)}"
    shared = ", ".join(sorted(all_users.shared)) or "nothing (assistant.shared)"
    return Finding("users", ok=True, detail=f"the terminal has {memory}; all users share {shared}")


def _skills(settings: Settings) -> Finding:
    from wellread.assistant.tools.skill_tool import read_skills

    if settings.assistant.skills is None:
        return Finding("skills", ok=None, detail="none; set assistant.skills")
    try:
        names = read_skills(settings.assistant.skills)
    except WellreadError as error:
        return _failed("skills", error)
    return Finding("skills", ok=True, detail=", ".join(names) or "the folder is empty")


def _failed(name: str, error: WellreadError) -> Finding:
    return Finding(name, ok=False, detail=f"{error.message}; {error.hint}")
