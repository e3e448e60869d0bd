"""What `wellread assistant doctor` looks at; nothing is sent anywhere, and no model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from wellread.apps.checkup import Finding
from wellread.apps.extras import missing
from wellread.apps.requirements import roles, users
from wellread.errors import WellreadError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wellread.config import Settings


def checkup(settings: Settings) -> list[Finding]:
    """Check the assistant's parts."""
    if lacks := missing("assistant"):
        told = f"{', '.join(lacks)} missing; pip install 'wellread[assistant]'"
        return [Finding("extra assistant", ok=False, detail=told)]

    async def look() -> list[Finding]:
        return [finding async for finding in _findings(settings)]

    return anyio.run(look)


async def _findings(settings: Settings) -> AsyncGenerator[Finding, None]:
    try:
        for role, names in roles(settings).items():
            yield _models(settings, role, names)
        if not settings.models.intent:
            yield Finding("model intent", ok=None, detail="none: the action model does both")
    except WellreadError as error:
        yield _failed("models", error)
    yield _store(settings)
    for finding in await _integrations(settings):
        yield finding
    yield await _sandbox(settings)
    yield _skills(settings)
    for name, place in settings.assistant.mcp.items():
        yield Finding(f"mcp {name}", ok=True, detail=f"{place}; its tools are asked for at start")
    yield _channels(settings)
    yield _users(settings)
    said = settings.models
    yield Finding(
        "caps",
        ok=True,
        detail=f"{said.turn_tokens:,} tokens and ${said.turn_usd:g} a turn, "
        f"{said.day_tokens:,} tokens and ${said.day_usd:g} a day",
    )


def _models(settings: Settings, role: str, names: list[str]) -> Finding:
    from wellread.assistant.models.endpoints import endpoint

    try:
        told = [f"{it.name} at {it.url}" for it in (endpoint(name, settings.models) for name in names)]
    except WellreadError as error:
        return _failed(f"model {role}", error)
    return Finding(f"model {role}", ok=True, detail=", then ".join(told))


def _store(settings: Settings) -> Finding:
    from wellread.apps.build import assistant_store

    try:
        assistant_store(settings).close()
    except WellreadError as error:
        return _failed("store", error)
    where = "store.url" if settings.store.url else str(settings.cache.dir / "assistant.db")
    return Finding("store", ok=True, detail=where)


async def _integrations(settings: Settings) -> list[Finding]:
    """Say of each integration whether it is set up and connected."""
    from wellread.apps.build import SystemClock, around, owner_store
    from wellread.apps.integrations import states

    try:
        with owner_store(settings) as store:
            told = await states(around(settings, store, SystemClock()))
    except WellreadError:
        return []  # `store` and `users` have said why
    return [Finding(f"integration {it.name}", ok=it.ok, detail=it.detail) for it in told]


async def _sandbox(settings: Settings) -> Finding:
    from wellread.assistant.sandbox.cell import Limits, cell

    said = settings.assistant
    if said.workspace is None:
        return Finding("workspace", ok=None, detail="none: no file tools, no commands; see assistant.workspace")
    try:
        said.workspace.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return Finding("workspace", ok=False, detail=f"{said.workspace}: {error.strerror}")
    if not said.shell:
        return Finding("workspace", ok=True, detail=f"{said.workspace}, without commands; see assistant.shell")
    walled = await cell(said.workspace, Limits())
    if walled is None:
        return Finding("sandbox", ok=False, detail="none holds here: no commands; install bubblewrap")
    return Finding("sandbox", ok=True, detail=f"{walled.name} over {said.workspace}")


def _channels(settings: Settings) -> Finding:
    """Say in which channels people may talk, once `wellread bot` runs; a token is not tried."""
    if not settings.channels.tokens:
        return Finding("channels", ok=None, detail="none; see channels.tokens and docs/telegram.md")
    if lacks := (*missing("server"), *missing("telegram")):
        told = f"{', '.join(lacks)} missing; pip install 'wellread[server,telegram]'"
        return Finding("channels", ok=False, detail=told)
    from wellread.apps.bot import configured

    try:
        people = [
            f"{name}, {'called by it' if settings.channels.hooks.get(name) else 'by asking'}, "
            f"for {len(users(settings, name))} people"
            for name in configured(settings)
        ]
    except WellreadError as error:
        return _failed("channels", error)
    return Finding("channels", ok=True, detail="; ".join(people))


def _users(settings: Settings) -> Finding:
    """Say who has one memory with the terminal, and what all users share."""
    from wellread.assistant.users import OWNER, Users

    try:
        known = Users(settings.assistant, settings.channels)
    except WellreadError as error:
        return _failed("users", error)
    accounts = [it for it in known.owner.accounts if it != OWNER]
    also = f"one memory with {', '.join(accounts)}" if accounts else "no other account (assistant.owner)"
    shared = ", ".join(sorted(known.shared)) or "nothing (assistant.shared)"
    return Finding("users", ok=True, detail=f"the terminal has {also}; all users share {shared}")


def _skills(settings: Settings) -> Finding:
    from wellread.assistant.tools.skills import skills

    if settings.assistant.skills is None:
        return Finding("skills", ok=None, detail="none; see assistant.skills")
    try:
        known = skills(settings.assistant.skills)
    except WellreadError as error:
        return _failed("skills", error)
    return Finding("skills", ok=True, detail=", ".join(known) or "the folder has none")


def _failed(name: str, error: WellreadError) -> Finding:
    return Finding(name, ok=False, detail=f"{error.message}; {error.hint}")
