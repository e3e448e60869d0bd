"""What the assistant is made of: settings in, its parts out; `build.assistant` joins them. Needs the extra."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

import anyio

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
from wellread.assistant.tools.browsing import Browsing
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

    from pydantic_ai.models import Model

    from wellread.assistant.context import Source
    from wellread.assistant.conversations import Turn
    from wellread.assistant.database import Database
    from wellread.assistant.ports import TextModel, Tool
    from wellread.assistant.tools.browsing import Open
    from wellread.config import Settings
    from wellread.net.endpoints import EndpointClient
    from wellread.ports import Clock
    from wellread.web.pipeline import Pipeline

    Ended = Callable[[Turn], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Everything but the tools."""

    settings: Settings
    clock: Clock
    database: Database
    ledger: Ledger
    speakers: Mapping[str, Speaker]
    browsing: Browsing | None = None

    @property
    def asker(self) -> TextModel:
        """A model for questions of other rooms; each is counted as a turn of its own."""
        return Asker(self.speakers.get("intent", self.speakers["chat"]), new_id)

    def parts(
        self, tools: Sequence[Tool], known: Sequence[tuple[str, Source]], ended: Sequence[Ended], zone: str
    ) -> Parts:
        """Return the parts with these tools, sources of what is known, and what is called after each turn."""
        said = self.settings.assistant
        minutes = {"approval_min": said.approval_min, "scheduled_min": said.scheduled_approval_min}
        book = Book(self.database, self.clock, history=said.history, **minutes)
        return Parts(
            chat=self.speakers["chat"],
            action=self.speakers["action"],
            router=Router(self.speakers.get("intent")),
            briefing=Briefing(said.name, zone, known),
            dispatch=Dispatch(tools, book),
            book=book,
            ledger=self.ledger,
            clock=self.clock,
            steps=said.steps,
            asker=self.asker,
            ended=[*([self.browsing.put_away] if self.browsing else []), *ended],
        )


@asynccontextmanager
async def opened(
    web: Pipeline,
    open_tab: Open,
    clock: Clock,
    models: Mapping[str, Model] | None,
    open_store: Callable[[], Database],
) -> AsyncGenerator[tuple[Opened, Sequence[Tool]], None]:
    """Open what must be closed again; yield the parts, and the tools that need no other room.

    Raises:
        ConfigError: a setting is wrong, or there is no chat model.
    """
    settings = web.parts.settings
    async with AsyncExitStack() as stack:
        http = _client(settings, clock)
        stack.push_async_callback(http.aclose)
        database = await anyio.to_thread.run_sync(open_store)
        stack.callback(database.close)
        ledger = Ledger(database, settings.models, clock)
        tab = browsing(settings, open_tab)
        if tab:
            await stack.enter_async_context(beside(tab.hold))
        own = await own_tools(settings, web, tab)
        if settings.assistant.mcp:
            servers = server_tools(settings.assistant.mcp, settings.assistant.mcp_reads, http)
            own += await stack.enter_async_context(servers)
        speakers = {
            role: Speaker(role, asked, ledger, timeout_s=settings.models.timeout_s)
            for role, asked in _models(settings, http, models).items()
        }
        parts = Opened(
            settings=settings, clock=clock, database=database, ledger=ledger, speakers=speakers, browsing=tab
        )
        yield parts, own


async def own_tools(settings: Settings, web: Pipeline, tab: Browsing | None) -> list[Tool]:
    """Return the tools whose parts exist: the web and requests, a browser, a workspace, skills with a folder."""
    said = settings.assistant
    tools = [*web_tools(web), http_tool(web.parts.fetcher), *(tab.tools if tab else ())]
    if said.workspace is not None:
        tools += Workspace(said.workspace).tools
    if said.workspace is not None and said.shell:
        walled = await cell(said.workspace, Limits(seconds=said.shell_timeout_s, memory=said.shell_memory))
        tools += [shell_tool(walled)] if walled else []
    if said.skills is not None and (known := await anyio.to_thread.run_sync(skills, said.skills)):
        tools.append(skill_tool(known))
    return tools


def browsing(settings: Settings, open_tab: Open) -> Browsing | None:
    """Return the tools of the browser, where there is one."""
    try:
        if settings.browser.connect is None:
            executable(settings.browser.executable, headed=settings.browser.headed, own=None)
    except WellreadError:
        return None  # `wellread doctor` says so
    return Browsing(open_tab)


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
