"""Build the assistant's parts from the settings; `build.assistant` joins them. Needs the extra `assistant`."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

import anyio

from wellread.apps import profile_grants
from wellread.apps.assistant_requirements import roles
from wellread.assistant.context import ContextBuilder
from wellread.assistant.conversations import ConversationStore
from wellread.assistant.database import new_id
from wellread.assistant.dispatch import ToolDispatcher
from wellread.assistant.loop import AssistantParts
from wellread.assistant.models.model_client import ModelClient, SingleQuestionModel
from wellread.assistant.models.model_endpoints import build_model, endpoint_urls, parse_endpoint
from wellread.assistant.models.model_usage import UsageLedger
from wellread.assistant.router import Router
from wellread.assistant.sandbox.sandbox import SandboxLimits, find_sandbox
from wellread.assistant.tools.browsing_tools import Browsing, HeldTabs
from wellread.assistant.tools.file_tools import FileWorkspace
from wellread.assistant.tools.http_tool import http_tool
from wellread.assistant.tools.mcp_tools import connect_servers
from wellread.assistant.tools.shell_tool import shell_tool
from wellread.assistant.tools.skill_tool import read_skills, skill_tool
from wellread.assistant.tools.web_tools import web_tools
from wellread.assistant.users import Users
from wellread.browser.browser_executable import find_executable
from wellread.errors import WellreadError
from wellread.net.background_tasks import run_beside
from wellread.net.endpoint_client import EndpointTimeouts, endpoint_client

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from pydantic_ai.models import Model

    from wellread.assistant.context import Source
    from wellread.assistant.conversations import ConversationTurn
    from wellread.assistant.database import Database, UserStore
    from wellread.assistant.tool_types import Tool
    from wellread.assistant.tools.browsing_tools import OpenTab
    from wellread.assistant.users import User
    from wellread.config import Settings
    from wellread.net.endpoint_client import EndpointClient
    from wellread.ports import Clock, TextModel
    from wellread.reading.pipeline import Pipeline

    Ended = Callable[[ConversationTurn], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedParts:
    """The parts that all users' assistants share."""

    settings: Settings
    web: Pipeline
    clock: Clock
    database: Database
    models: Mapping[str, list[tuple[str, Callable[[], Model]]]]
    tabs: HeldTabs | None
    server_tools: Sequence[Tool]
    """Those of `assistant.mcp`, which belong to the owner of the settings."""

    async def own_tools(self, user: User) -> tuple[list[Tool], list[Ended]]:
        """Return the user's tools for web, files and browser, and the functions that clean up after a turn."""
        tools = await own_tools(self.settings, self.web, user)
        if user.may_use("mcp"):
            tools += self.server_tools
        if self.tabs is None:
            return tools, []
        browsing = Browsing(self.tabs, self._profiles(user))
        return [*tools, *browsing.tools], [browsing.put_away]

    def _profiles(self, user: User) -> tuple[str, ...]:
        """Return the profiles that a user's assistant may name; only the owner's may: there it acts as the owner."""
        grants = profile_grants.parsed(self.settings.browse.profiles)
        if not user.is_owner:
            return ()
        return grants.names(profile_grants.Caller("assistant"))

    def parts(
        self,
        store: UserStore,
        tools: Sequence[Tool],
        sources: Sequence[tuple[str, Source]],
        ended: Sequence[Ended],
        zone: str,
    ) -> AssistantParts:
        """Return a user's parts, with these tools, sources of context, and functions to call after each turn."""
        assistant_settings, timeout_s = self.settings.assistant, self.settings.models.timeout_s
        minutes = {
            "approval_min": assistant_settings.approval_min,
            "scheduled_min": assistant_settings.scheduled_approval_min,
        }
        conversations = ConversationStore(store, self.clock, history=assistant_settings.history, **minutes)
        ledger = UsageLedger(self.database, store.user, self.settings.models, self.clock)
        speakers = {
            role: ModelClient(role, endpoints, ledger, timeout_s=timeout_s) for role, endpoints in self.models.items()
        }
        return AssistantParts(
            chat=speakers["chat"],
            action=speakers["action"],
            router=Router(speakers.get("intent")),
            briefing=ContextBuilder(assistant_settings.name, zone, sources),
            dispatch=ToolDispatcher(tools, conversations),
            conversations=conversations,
            ledger=ledger,
            clock=self.clock,
            steps=assistant_settings.steps,
            # Each of its questions is counted as a turn of its own.
            asker=SingleQuestionModel(speakers.get("intent", speakers["chat"]), new_id),
            leases=self.web.parts.leases,
            ended=ended,
        )


@asynccontextmanager
async def open_shared_parts(
    settings: Settings,
    web: Pipeline,
    open_tab: OpenTab,
    clock: Clock,
    models: Mapping[str, Model] | None,
    open_store: Callable[[], Database],
) -> AsyncGenerator[SharedParts, None]:
    """Open the parts that all users share, and close them at the end.

    Raises:
        ConfigError: a setting is wrong, or there is no chat model.
    """
    async with AsyncExitStack() as stack:
        http, database = await _open_client_and_store(stack, settings, clock, open_store)
        tabs = None
        if has_browser(settings):
            tabs = HeldTabs(open_tab)
            await stack.enter_async_context(run_beside(tabs.hold))
        tools: Sequence[Tool] = ()
        if settings.assistant.mcp:
            servers = connect_servers(settings.assistant.mcp, settings.assistant.mcp_reads, http)
            tools = await stack.enter_async_context(servers)
        models_by_role = _models(settings, http, models)
        yield SharedParts(
            settings=settings,
            web=web,
            clock=clock,
            database=database,
            models=models_by_role,
            tabs=tabs,
            server_tools=tools,
        )


@asynccontextmanager
async def open_text_model(
    settings: Settings, clock: Clock, open_store: Callable[[], Database]
) -> AsyncGenerator[TextModel, None]:
    """Open the chat model for single questions; its tokens are counted as those of the owner.

    Raises:
        ConfigError: a setting is wrong, or there is no chat model.
    """
    async with AsyncExitStack() as stack:
        http, database = await _open_client_and_store(stack, settings, clock, open_store)
        user = Users(settings.assistant, settings.channels).owner
        ledger = UsageLedger(database, user, settings.models, clock)
        endpoints = _models(settings, http, None)["chat"]
        client = ModelClient("chat", endpoints, ledger, timeout_s=settings.models.timeout_s)
        yield SingleQuestionModel(client, new_id)


async def own_tools(settings: Settings, web: Pipeline, user: User) -> list[Tool]:
    """Return the tools that the settings allow: web, HTTP requests, files, a shell, skills."""
    assistant_settings, folder = settings.assistant, workspace(settings, user)
    tools = [*web_tools(web), http_tool(web.parts.fetcher)]
    if folder is not None:
        tools += FileWorkspace(folder).tools
    if folder is not None and assistant_settings.shell:
        sandbox = await find_sandbox(
            folder, SandboxLimits(seconds=assistant_settings.shell_timeout_s, memory=assistant_settings.shell_memory)
        )
        if sandbox:
            tools.append(shell_tool(sandbox))
    if user.may_use("skills") and assistant_settings.skills is not None:
        installed_skills = await anyio.to_thread.run_sync(read_skills, assistant_settings.skills)
        if installed_skills:
            tools.append(skill_tool(installed_skills))
    return tools


def workspace(settings: Settings, user: User) -> Path | None:
    """Return the folder that a user's file tools and commands see; `assistant.workspace` is the owner's."""
    folder = settings.assistant.workspace
    if folder is None or user.may_use("workspace"):
        return folder
    return settings.cache.dir / "workspaces" / quote(user.account, safe="")


def has_browser(settings: Settings) -> bool:
    """Return whether there is a browser; `wellread doctor` reports why not."""
    try:
        if settings.browser.connect is None:
            find_executable(settings.browser.executable, headed=settings.browser.headed, own=None)
    except WellreadError:
        return False
    return True


async def _open_client_and_store(
    stack: AsyncExitStack, settings: Settings, clock: Clock, open_store: Callable[[], Database]
) -> tuple[EndpointClient, Database]:
    """Open the client of the owner's endpoints and the store; `stack` closes both."""
    http = _client(settings, clock)
    stack.push_async_callback(http.aclose)
    database = await anyio.to_thread.run_sync(open_store)
    stack.callback(database.close)
    return http, database


def _client(settings: Settings, clock: Clock) -> EndpointClient:
    model_settings = settings.models
    names = {name for names in roles(settings).values() for name in names} if model_settings.chat else set()
    public_urls, named_urls = endpoint_urls(
        [parse_endpoint(name, model_settings) for name in sorted(names)], model_settings
    )
    servers = [address.reveal() for address in settings.assistant.mcp.values() if address.is_url]
    patience = EndpointTimeouts(
        clock=clock,
        attempts=model_settings.attempts,
        backoff_s=model_settings.backoff_s,
        idle_s=model_settings.idle_s,
        timeout_s=model_settings.timeout_s,
    )
    return endpoint_client(settings.net, patience, public=public_urls, named=[*named_urls, *servers])


def _models(
    settings: Settings, http: EndpointClient, models: Mapping[str, Model] | None
) -> dict[str, list[tuple[str, Callable[[], Model]]]]:
    if models is not None:
        models_by_role = {
            "chat": models["chat"],
            "action": models.get("action", models["chat"]),
            "intent": models.get("intent"),
        }
        return {
            role: [(model.model_name, partial(_same, model))]
            for role, model in models_by_role.items()
            if model is not None
        }
    endpoints = {name: parse_endpoint(name, settings.models) for names in roles(settings).values() for name in names}
    factories = {name: cache(partial(build_model, model_endpoint, http)) for name, model_endpoint in endpoints.items()}
    return {role: [(name, factories[name]) for name in names] for role, names in roles(settings).items()}


def _same(model: Model) -> Model:
    return model
