"""What the assistant is made of: settings in, its parts out; `build.assistant` joins them. Needs the extra."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

import anyio

from wellread.apps import profile_grants
from wellread.apps.requirements import roles
from wellread.assistant.context import Briefing
from wellread.assistant.conversations import Book
from wellread.assistant.database import new_id
from wellread.assistant.dispatch import Dispatch
from wellread.assistant.loop import Parts
from wellread.assistant.models.endpoints import endpoint, made, places
from wellread.assistant.models.speaker import Asker, Speaker
from wellread.assistant.models.usage import Ledger
from wellread.assistant.router import Router
from wellread.assistant.sandbox.cell import Limits, cell
from wellread.assistant.tools.browsing import Browsing, HeldTabs
from wellread.assistant.tools.files import Workspace
from wellread.assistant.tools.http import http_tool
from wellread.assistant.tools.servers import server_tools
from wellread.assistant.tools.shell import shell_tool
from wellread.assistant.tools.skills import skill_tool, skills
from wellread.assistant.tools.web import web_tools
from wellread.browser.locate import executable
from wellread.errors import WellreadError
from wellread.net.background import beside
from wellread.net.endpoints import Patience, client

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from pydantic_ai.models import Model

    from wellread.assistant.context import Source
    from wellread.assistant.conversations import Turn
    from wellread.assistant.database import Database, UserStore
    from wellread.assistant.ports import Tool
    from wellread.assistant.tools.browsing import Open
    from wellread.assistant.users import User
    from wellread.config import Settings
    from wellread.net.endpoints import EndpointClient
    from wellread.ports import Clock
    from wellread.web.pipeline import Pipeline

    Ended = Callable[[Turn], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What all users' assistants are made of."""

    settings: Settings
    web: Pipeline
    clock: Clock
    database: Database
    models: Mapping[str, list[tuple[str, Callable[[], Model]]]]
    tabs: HeldTabs | None
    server_tools: Sequence[Tool]
    """Those of `assistant.mcp`, which belong to the owner of the settings."""

    async def own_tools(self, user: User) -> tuple[list[Tool], list[Ended]]:
        """Return the tools that need no other room, and what puts away what they have opened."""
        tools = await own_tools(self.settings, self.web, user)
        if user.may_use("mcp"):
            tools += self.server_tools
        if self.tabs is None:
            return tools, []
        browsing = Browsing(self.tabs, self._profiles(user))
        return [*tools, *browsing.tools], [browsing.put_away]

    def _profiles(self, user: User) -> tuple[str, ...]:
        """Return the profiles that a user's assistant may name. Only the owner's may: it acts as the owner there."""
        grants = profile_grants.parsed(self.settings.browse.profiles)
        return grants.names(profile_grants.Caller("assistant")) if user.is_owner else ()

    def parts(
        self,
        store: UserStore,
        tools: Sequence[Tool],
        known: Sequence[tuple[str, Source]],
        ended: Sequence[Ended],
        zone: str,
    ) -> Parts:
        """Return a user's parts with these tools, sources of what is known, and what is called after each turn."""
        said, timeout_s = self.settings.assistant, self.settings.models.timeout_s
        minutes = {"approval_min": said.approval_min, "scheduled_min": said.scheduled_approval_min}
        book = Book(store, self.clock, history=said.history, **minutes)
        ledger = Ledger(self.database, store.user, self.settings.models, self.clock)
        speakers = {role: Speaker(role, asked, ledger, timeout_s=timeout_s) for role, asked in self.models.items()}
        return Parts(
            chat=speakers["chat"],
            action=speakers["action"],
            router=Router(speakers.get("intent")),
            briefing=Briefing(said.name, zone, known),
            dispatch=Dispatch(tools, book),
            book=book,
            ledger=ledger,
            clock=self.clock,
            steps=said.steps,
            # Each of its questions is counted as a turn of its own.
            asker=Asker(speakers.get("intent", speakers["chat"]), new_id),
            ended=ended,
        )


@asynccontextmanager
async def opened(
    settings: Settings,
    web: Pipeline,
    open_tab: Open,
    clock: Clock,
    models: Mapping[str, Model] | None,
    open_store: Callable[[], Database],
) -> AsyncGenerator[Opened, None]:
    """Open what must be closed again, for all users.

    Raises:
        ConfigError: a setting is wrong, or there is no chat model.
    """
    async with AsyncExitStack() as stack:
        http = _client(settings, clock)
        stack.push_async_callback(http.aclose)
        database = await anyio.to_thread.run_sync(open_store)
        stack.callback(database.close)
        tabs = None
        if has_browser(settings):
            tabs = HeldTabs(open_tab)
            await stack.enter_async_context(beside(tabs.hold))
        tools: Sequence[Tool] = ()
        if settings.assistant.mcp:
            servers = server_tools(settings.assistant.mcp, settings.assistant.mcp_reads, http)
            tools = await stack.enter_async_context(servers)
        asked = _models(settings, http, models)
        yield Opened(
            settings=settings, web=web, clock=clock, database=database, models=asked, tabs=tabs, server_tools=tools
        )


async def own_tools(settings: Settings, web: Pipeline, user: User) -> list[Tool]:
    """Return the tools whose parts exist: the web and requests, a workspace, skills with a folder."""
    said, folder = settings.assistant, workspace(settings, user)
    tools = [*web_tools(web), http_tool(web.parts.fetcher)]
    if folder is not None:
        tools += Workspace(folder).tools
    if folder is not None and said.shell:
        walled = await cell(folder, Limits(seconds=said.shell_timeout_s, memory=said.shell_memory))
        tools += [shell_tool(walled)] if walled else []
    if user.may_use("skills") and said.skills is not None:
        known = await anyio.to_thread.run_sync(skills, said.skills)
        tools += [skill_tool(known)] if known else []
    return tools


def workspace(settings: Settings, user: User) -> Path | None:
    """Return the folder that a user's file tools and commands see; `assistant.workspace` is the owner's."""
    folder = settings.assistant.workspace
    if folder is None or user.may_use("workspace"):
        return folder
    return settings.cache.dir / "workspaces" / quote(user.account, safe="")


def has_browser(settings: Settings) -> bool:
    """Tell whether there is a browser; `wellread doctor` says why not."""
    try:
        if settings.browser.connect is None:
            executable(settings.browser.executable, headed=settings.browser.headed, own=None)
    except WellreadError:
        return False
    return True


def _client(settings: Settings, clock: Clock) -> EndpointClient:
    said = settings.models
    names = {name for names in roles(settings).values() for name in names} if said.chat else set()
    public, named = places([endpoint(name, said) for name in sorted(names)], said)
    servers = [place for place in settings.assistant.mcp.values() if place.startswith(("http://", "https://"))]
    patience = Patience(
        clock=clock, attempts=said.attempts, backoff_s=said.backoff_s, idle_s=said.idle_s, timeout_s=said.timeout_s
    )
    return client(settings.net, patience, public=public, named=[*named, *servers])


def _models(
    settings: Settings, http: EndpointClient, given: Mapping[str, Model] | None
) -> dict[str, list[tuple[str, Callable[[], Model]]]]:
    if given is not None:
        wanted = {"chat": given["chat"], "action": given.get("action", given["chat"]), "intent": given.get("intent")}
        return {
            role: [(model.model_name, partial(_same, model))] for role, model in wanted.items() if model is not None
        }
    known = {name: endpoint(name, settings.models) for names in roles(settings).values() for name in names}
    ready = {name: cache(partial(made, at, http)) for name, at in known.items()}
    return {role: [(name, ready[name]) for name in names] for role, names in roles(settings).items()}


def _same(model: Model) -> Model:
    return model
