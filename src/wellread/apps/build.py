"""The composition root, the only place where parts are joined: settings in, a working `Web` out."""

from __future__ import annotations

from collections import defaultdict
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self
from weakref import WeakSet

from anyio import to_thread

from wellread.apps.deferred import Deferred
from wellread.apps.deferred_network import DeferredNetwork
from wellread.apps.network_access import NetworkAccess
from wellread.apps.serialize import as_plain
from wellread.apps.shared_stores import open_index, open_shared_snapshots, open_shared_state
from wellread.apps.system_clock import SystemClock
from wellread.apps.tracing import TracedRenderer, TracedSearcher, Tracer
from wellread.config import load
from wellread.documents import archive_urls
from wellread.errors import ConfigError, InvalidInput
from wellread.net import guard
from wellread.net.certificate_file import has_certificates
from wellread.reading.last_step import last_step
from wellread.reading.page_printing import printed_page
from wellread.reading.pipeline import Pipeline, PipelineParts
from wellread.reading.read_result import READING_VERSION
from wellread.reading.sign_in_options import SignInReader
from wellread.store.cache import SnapshotCache, cache_key
from wellread.store.identity_key import identity_key
from wellread.types import Request, Research, ResearchBudget, Response

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        AsyncIterator,
        Awaitable,
        Callable,
        Generator,
        Iterable,
        Mapping,
        Sequence,
    )
    from contextlib import AbstractAsyncContextManager
    from typing import Unpack

    from pydantic_ai.models import Model

    from wellread.apps.assistant_runtime import AssistantRuntime, UserServices, WorkSignals
    from wellread.apps.integration_setup import IntegrationContext, OpenIntegration
    from wellread.apps.text_model import ChatTextModel
    from wellread.assistant.context import Source
    from wellread.assistant.database import UserStore
    from wellread.assistant.knowledge.knowledge_base import KnowledgeBase
    from wellread.assistant.outbox import Send
    from wellread.assistant.tool_types import Tool
    from wellread.assistant.user_assistant import UserAssistant
    from wellread.assistant.users import User
    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.browser.emulation import Emulation
    from wellread.config import Settings
    from wellread.crawl.crawl import Crawl
    from wellread.crawl.crawl_options import CrawlArguments
    from wellread.crawl.watcher import Watcher
    from wellread.index.local_index import LocalIndex
    from wellread.index.shared_index import SharedIndex
    from wellread.ports import (
        Clock,
        Dialler,
        Embedder,
        Fetcher,
        Renderer,
        Resolver,
        Searcher,
        SharedSnapshots,
        TextModel,
    )
    from wellread.reading.sandbox import SandboxedReader
    from wellread.reading.sign_in_options import ProfileSecrets
    from wellread.sections import BrowseSettings
    from wellread.types import Mode, Notice, Page, ResearchStep, SiteMap
    from wellread.values import Address
    from wellread.worker.worker_pool import WorkerPool


class Web(Pipeline):
    """The web for agents: `async with Web() as web: page = await web.read(url)`.

    Without `settings`, the settings file and the environment are read. `resolver` and `dialler` replace the resolution
    of names and the connections, for tests and special networks. `record` writes all requests and responses into a WARC
    file. `replay` takes all responses from a WARC file and never uses the network. Both ignore the cache. `model`
    stands in for the language model of `models.chat`.
    """

    _is_eager: ClassVar = True
    """Whether all parts are made at once, so that a wrong setting is reported at the start."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        resolver: Resolver | None = None,
        dialler: Dialler | None = None,
        replay: Path | str | None = None,
        record: Path | str | None = None,
        model: TextModel | None = None,
    ) -> None:
        """Create the object; connections are opened on first use.

        Raises:
            ConfigError: a setting is wrong.
            InvalidInput: the recording cannot be read, or `replay` and `record` are both given.
        """
        settings = load() if settings is None else settings
        clock = SystemClock()
        is_recorded_run = replay is not None or record is not None
        self.tracer = trace = Tracer(clock)
        self.shared_state = open_shared_state(None if replay is not None else settings.shared.url)
        access = NetworkAccess(
            settings=settings, clock=clock, resolver=resolver, dialler=dialler, replay=replay, record=record
        )
        self._network = DeferredNetwork(access, self.shared_state, trace)
        self._store = _open_snapshots(settings, clock, is_recorded_run=is_recorded_run)
        self._index = Deferred(partial(_open_index, settings, clock, is_replay=replay is not None))
        self._workers: WorkerPool | None = None
        sandbox = Deferred(partial(self._sandboxed_reader, settings, clock, trace))
        self._search = Deferred(partial(self._searcher, settings, clock))
        if self._is_eager or is_recorded_run or _has_unchecked_settings(settings):
            self._network.open()
            for part in (self._index, sandbox, self._search):
                part.resolve()
        client = self._network.client.proxy()
        self._model = None
        if model is None and settings.models.chat:
            self._model = model = _chat_model(settings, clock)

        super().__init__(
            PipelineParts(
                settings=settings,
                clock=clock,
                fetcher=client,
                sandbox=sandbox.proxy(),
                store=self._store,
                index=self._index.proxy(),
                searcher=TracedSearcher(self._search.proxy(), trace),
                embedder=_embedder(settings, clock, client),
                download=self._network.download,
                cache_key=partial(_cache_key, guard.read_policy(settings.net)),
                renderer=self._renderer(settings, trace),
                sign_in=SignInReader(
                    identity_key(None if is_recorded_run else settings.cache.dir), partial(_profile_secrets, settings)
                ),
                model=model,
                leases=self.shared_state,
                trace=trace,
            )
        )

    def _sandboxed_reader(self, settings: Settings, clock: Clock, trace: Tracer) -> SandboxedReader:
        from wellread.apps.local_reading import document_reader, worker_pool
        from wellread.reading.sandbox import SandboxedReader

        documents = document_reader(settings.extract)
        self._workers = worker_pool(settings.extract)
        if self._workers is not None:
            _OPEN_WEBS[self._workers].add(self)
        return SandboxedReader(documents, clock, self._workers, trace=trace)

    def _renderer(self, settings: Settings, trace: Tracer) -> Renderer | None:
        if not settings.render.enabled:
            return None
        return TracedRenderer(self._network.renderer.proxy(), trace)

    def _searcher(self, settings: Settings, clock: Clock) -> Searcher:
        from wellread.apps import search_services
        from wellread.search.engine import ProviderTransports
        from wellread.search.local_search import LocalSearch

        recorded = None
        replayed = self._network.replayed
        if replayed is not None:
            recorded = search_services.Recorded(replayed.holds, str(self._network.access.replay))
        return search_services.searcher(
            settings.search,
            transports=ProviderTransports(self._network.client.resolve(), self._network.search_visitor()),
            clock=clock,
            local=LocalSearch(self._index.resolve(), clock=clock),
            pace=self.shared_state,
            recorded=recorded,
        )

    async def map(
        self,
        url: str,
        *,
        search: str | None = None,
        limit: int = 5_000,
        depth: int = 1,
        subdomains: bool = False,
        user_asked: bool = False,
    ) -> SiteMap:
        """Return the URLs of the site of `url`: from its site maps, its feeds, and links up to `depth` from `url`.

        With `search`, only URLs that have some of these words, in the URL or the title, are returned, best first.

        Raises:
            InvalidInput: `limit` or `depth` is out of range, or `search` has no word.
            RefusedError, UnavailableError, UnreadableError: the start page cannot be read, and nothing names a URL.
        """
        from wellread.crawl.site_mapper import SiteMapper  # most programs never need it, and it loads a parser

        crawl_settings = self.parts.settings.crawl
        mapper = SiteMapper(self._network.client.resolve(), self.parts.clock, crawl_settings, user_asked)
        return await mapper.map(url, search=search, limit=limit, depth=depth, subdomains=subdomains)

    def crawl(self, urls: str | Iterable[str], *, out: Path | str, **options: Unpack[CrawlArguments]) -> Crawl:
        """Crawl sites into the folder `out`: `async for record in web.crawl(url, out="site", limit=100): ...`.

        Each record is yielded when its line is in `pages.jsonl`. The same call goes on where an earlier one ended, for
        whatever reason; `recrawl="changed"` asks for all pages of a crawl again that has come to its end. Requests and
        responses are recorded in `crawl-*.warc.gz`, except in a replay. Leaving the loop ends the work; `aclose` waits
        for that. With `frontier`, a PostgreSQL database, workers on other machines can help: see `crawl_worker`. It is
        `crawl.frontier` where it is not given; None is a crawl by this process alone.

        Raises:
            InvalidInput: an option does not exist or is out of range, or there is no URL.
        """
        from wellread.crawl.crawl import Crawl
        from wellread.crawl.crawl_options import crawl_options

        starts = (urls,) if isinstance(urls, str) else tuple(urls)
        if not starts:
            raise InvalidInput("there is no URL to start from", hint="give at least one")
        options.setdefault("frontier", self.parts.settings.crawl.frontier)
        return Crawl(self.parts, self._network.crawl_client, starts, Path(out), crawl_options(options), as_plain)

    def crawl_worker(
        self,
        *,
        out: Path | str,
        frontier: Address | None = None,
        concurrency: int = 8,
        index: bool = False,
        max_time_s: float | None = None,
    ) -> Crawl:
        """Work for the crawl that `crawl` has begun with the same `frontier`, on this or another machine.

        Its lines and recordings are written into the folder `out` of this worker alone. What to crawl is what `crawl`
        was called with; `frontier` is `crawl.frontier` where it is not given.

        Raises:
            InvalidInput: an option is out of range.
            ConfigError: no frontier is given.
        """
        from wellread.crawl.crawl import Crawl
        from wellread.crawl.crawl_options import crawl_options

        frontier = frontier or self.parts.settings.crawl.frontier
        if frontier is None:
            raise ConfigError("a worker needs the frontier of its crawl", hint="set crawl.frontier, or give --frontier")
        options = crawl_options(
            {"frontier": frontier, "concurrency": concurrency, "index": index, "max_time_s": max_time_s}
        )
        return Crawl(self.parts, self._network.crawl_client, (), Path(out), options, as_plain)

    async def research(
        self,
        question: str,
        *,
        budget: ResearchBudget | None = None,
        journal: Path | str | None = None,
        provider: str | None = None,
    ) -> Research:
        """Research a question, and return a report in Markdown whose every sentence cites verified passages.

        The plan is the question and up to four queries, by the language model or by the terms of the question; no text
        of a page changes it. Each query is searched, read and answered as by `Web.answer`, within the budget: seconds,
        requested pages, and tokens of the language model. Contradictions between pages, queries without an answer, and
        what the budget left out are named. `journal` is a folder in which each finished query is stored: the same call
        continues there, and asks for nothing twice. `provider` is the only search service to ask.

        Raises:
            InvalidInput: a limit is out of range, the journal cannot be written or is about another question, or the
                provider is not configured.
            UnavailableError: no search was possible.
        """
        async with self.researching(question, budget=budget, journal=journal, provider=provider) as steps:
            return await last_step(steps, Research)

    def researching(
        self,
        question: str,
        *,
        budget: ResearchBudget | None = None,
        journal: Path | str | None = None,
        provider: str | None = None,
    ) -> AbstractAsyncContextManager[AsyncIterator[ResearchStep]]:
        """Research like `research`, and yield each step when it ends: the plan, the finding of each query, the report.

        `async with web.researching(question) as steps: async for step in steps: ...`. Leaving the block ends the work.
        """
        from wellread.reading.research import ResearchRun

        self._search.resolve()  # reports a wrong setting before the plan, which may cost a call of a model
        folder = Path(journal) if journal is not None else None
        run = ResearchRun(self.parts, question, budget or ResearchBudget(), journal=folder, provider=provider)
        return aclosing(run.steps())

    @contextmanager
    def watcher(self, caller: str = "") -> Generator[Watcher, None, None]:
        """Open the watched pages, which are stored in `cache.dir`: `with web.watcher() as w: await w.check_due()`.

        Each `caller` has its own pages; the owner, without a name, checks those of all callers when they are due.

        Raises:
            ConfigError: `cache.dir` cannot be written.
        """
        from wellread.crawl.watch_store import WatchStore
        from wellread.crawl.watcher import Watcher

        store = WatchStore(self.parts.settings.cache.dir, caller=caller)
        try:
            client, secret = self._network.client.resolve(), self.parts.settings.net.webhook_secret
            yield Watcher(self.parts, client, store, secret=secret)
        finally:
            store.close()

    @asynccontextmanager
    async def browse(
        self,
        url: str,
        *,
        profile: str | None = None,
        user_asked: bool = False,
        settings: BrowseSettings | None = None,
        default_context: bool = True,
        evidence: Path | str | None = None,
        proxy: str | None = None,
        **emulation: Unpack[Emulation],
    ) -> AsyncGenerator[BrowseSession, None]:
        """Open `url` in a browser tab: `async with web.browse(url) as tab: await tab.click(3)`.

        `profile` stores cookies, local storage and IndexedDB under a name, for later sessions. `settings` replace the
        section `browse`. If `browser.connect` is set, a session without a profile uses the default context of that
        browser, with its logins, unless `default_context` is false. `mobile=True`, `timezone="Europe/Oslo"`,
        `color_scheme="dark"` and `locale="nb-NO"` emulate a device and its user. `evidence` is a new folder, in which a
        picture of each step, the requests (HAR) and the console are recorded, with secrets masked. The tab is closed
        when the block ends.

        Raises:
            InvalidInput: `evidence` is not empty, or cannot be written.
            RefusedError, UnavailableError, ConfigError: as for a read that is rendered.
        """
        from wellread.apps.browsers import session
        from wellread.browser.browse.browse_session import SessionDependencies  # reads need no sessions
        from wellread.browser.browse.evidence import begin_evidence

        access = SessionDependencies(
            self._network.client.resolve().permit, partial(_read_browser_html, self.parts.sandbox), self.read
        )
        used_settings = self.parts.settings
        if settings is not None:
            used_settings = replace(used_settings, browse=settings)
        recorder = None
        if evidence is not None:
            recorder = await begin_evidence(Path(evidence), self.parts.clock)
        async with session(
            self._network.browsers.resolve(),
            used_settings,
            access,
            profile=profile,
            default_context=default_context,
            evidence=recorder,
            proxy=proxy,
            emulation=emulation,
        ) as tab:
            await tab.go(url, user_asked=user_asked)
            yield tab

    async def sign_in(self, url: str, *, profile: str, done: Callable[[], Awaitable[object]]) -> bool:
        """Open `url` in a window, so that a person can sign in, until `done` returns or the window is closed.

        The profile is saved at the end. Return False if the browser was closed before the storage of the sites could be
        saved; the cookies are saved.

        Raises:
            RefusedError, UnavailableError, ConfigError: as for a read that is rendered.
        """
        from wellread.apps.profile_files import sign_in_by_hand, signing_in

        await self._network.client.resolve().permit(Request(url=url, user_asked=True))
        with signing_in(self.parts.settings, profile):
            return await sign_in_by_hand(self._network.browsers.resolve(), url, profile, done)

    @property
    def recorded(self) -> tuple[str, ...]:
        """The URLs that the replayed recording has; empty without a replay."""
        replayed = self._network.replayed
        if replayed is None:
            return ()
        return replayed.pages()

    @property
    def browsers(self) -> tuple[int, int]:
        """The number of running browsers, and the number of their tabs in use."""
        browsers = self._network.browsers.value_or_none
        if browsers is None:
            return (0, 0)
        return browsers.load

    @property
    def problem(self) -> str | None:
        """The reason why pages cannot be stored, or why the index may lack some; None: there is none."""
        index = self._index.value_or_none
        if self._store.last_problem or index is None:
            return self._store.last_problem
        return index.last_problem

    async def __aenter__(self) -> Self:
        """Return the same object, ready to use."""
        return self

    async def __aexit__(self, *_exc: object) -> None:
        """Close the browser, connections, recordings and databases."""
        await self.aclose()

    async def aclose(self) -> None:
        """Close the browser, connections, recordings and databases; the object cannot be used afterwards.

        The worker processes are shared by all `Web` objects of the program, and end with the last one.
        """
        await self._network.aclose()
        await self.shared_state.aclose()
        if self._model is not None:
            await self._model.aclose()
        if self._workers is not None:
            _OPEN_WEBS[self._workers].discard(self)
            if not _OPEN_WEBS[self._workers]:
                await to_thread.run_sync(self._workers.close_idle)
        self._store.close()
        if self._index.value_or_none is not None:
            self._index.value_or_none.close()


class OnDemandWeb(Web):
    """A `Web` for one operation: parts are made at their first use, unless a setting must be parsed for them."""

    _is_eager: ClassVar = False


@asynccontextmanager
async def assistant(
    settings: Settings,
    web: Web,
    *,
    models: Mapping[str, Model] | None = None,
    tools: Sequence[Tool] = (),
    clock: Clock | None = None,
    show: Send | None = None,
) -> AsyncGenerator[AssistantRuntime, None]:
    """Open the assistant over `web`, with the tools whose parts exist, and `tools` besides, for every user.

    `models` stands in for those of the settings, by role: chat, intent, action. `show` prints messages in a terminal.
    Schedules run and messages are sent while it is `on_duty`.

    Raises:
        ConfigError: a setting is wrong, or there is no chat model.
        InvalidInput: `schedule.timezone` is not a time zone.
        PluginError: the extra is not installed.
    """
    # The extra is loaded here alone, so that reading the web works without it.
    from wellread.apps import assistant_parts, assistant_runtime
    from wellread.apps.assistant_database import assistant_store
    from wellread.apps.integration_setup import open_integrations
    from wellread.assistant.schedule import zones
    from wellread.assistant.user_assistant import UserAssistant as Made
    from wellread.assistant.user_assistant import UserStores
    from wellread.assistant.users import Users

    used_clock, zone = clock or SystemClock(), zones.home_zone(settings.schedule.timezone)
    users = Users(settings.assistant, settings.channels)
    store = partial(assistant_store, settings)
    open_tab = partial(web.browse, default_context=settings.browse.default_context)
    async with AsyncExitStack() as stack:
        shared = await stack.enter_async_context(
            assistant_parts.open_shared_parts(settings, web, open_tab, used_clock, models, store)
        )

        async def make(user: User, work: WorkSignals) -> UserAssistant:
            own_tools, cleanups = await shared.own_tools(user)
            user_store = shared.database.for_user(user)
            integrated = await stack.enter_async_context(
                open_integrations(integration_context(settings, user_store, used_clock))
            )
            user_services = assistant_runtime.UserServices(
                user_store, used_clock, knowledge_base(user_store, web), zone, work
            )
            sources: list[tuple[str, Source]] = [
                ("Tasks", user_services.open_tasks),
                ("Memory", user_services.turn_memory.recall),
            ]
            own_tools += _watch_tools(web, user)
            all_tools = [*_all_tools(own_tools, user_services, integrated), *tools]
            parts = shared.parts(user_store, all_tools, sources, [*cleanups, user_services.turn_memory.keep], zone)
            memory = user_services.turn_memory.memory
            return Made(
                parts, UserStores(user=user, store=user_store, memory=memory, knowledge=user_services.knowledge)
            )

        runtime = assistant_runtime.AssistantRuntime(
            shared.database, used_clock, users, make, show=show, learn=settings.assistant.learn
        )
        await runtime.owner()  # reports wrong settings now, not at the first message
        async with runtime.learning():
            yield runtime


def integration_context(settings: Settings, store: UserStore, clock: Clock) -> IntegrationContext:
    """Return the context that a user's integrations work in."""
    from wellread.apps.integration_setup import IntegrationContext
    from wellread.apps.local_reading import extract_in_worker

    return IntegrationContext(settings=settings, store=store, clock=clock, extract=extract_in_worker)


def knowledge_base(store: UserStore, web: Web) -> KnowledgeBase:
    """Return the knowledge base of a user, which reads through `web`."""
    from wellread.assistant.knowledge.knowledge_base import EmbeddingSpace, KnowledgeBase

    settings, embedder = web.parts.settings, web.parts.embedder
    meaning = None
    if embedder is not None:
        meaning = EmbeddingSpace(embedder, f"{settings.embed.service}/{settings.embed.model or ''}")
    sizes = settings.assistant
    return KnowledgeBase(store, SystemClock(), read=web.read, extract=_read_file, meaning=meaning, sizes=sizes)


def _read_file(body: bytes, name: str) -> Page:
    from wellread.apps.local_inputs import headers_of
    from wellread.apps.local_reading import local_reader, print_page

    response = Response(url=name, status=200, headers=headers_of(name), body=body)
    return print_page(response, local_reader(suspects_only=False))


async def assistant_tools(settings: Settings) -> list[Tool]:
    """Return the tools that the owner's assistant has under these settings; MCP servers are not asked for theirs.

    Raises:
        ConfigError, InvalidInput: a setting is wrong.
    """
    from wellread.apps import assistant_parts, assistant_runtime
    from wellread.apps.integration_setup import open_integrations
    from wellread.assistant.database import Database
    from wellread.assistant.schedule import zones
    from wellread.assistant.tools.browsing_tools import Browsing, HeldTabs
    from wellread.assistant.users import Users

    zone, clock = zones.home_zone(settings.schedule.timezone), SystemClock()
    user = Users(settings.assistant, settings.channels).owner
    database = await to_thread.run_sync(Database.open, "sqlite://")
    store = database.for_user(user)
    try:
        async with Web(settings) as web, open_integrations(integration_context(settings, store, clock)) as integrated:
            user_services = assistant_runtime.UserServices(
                store, clock, knowledge_base(store, web), zone, assistant_runtime.WorkSignals()
            )
            own_tools = await assistant_parts.own_tools(settings, web, user)
            if assistant_parts.has_browser(settings):
                own_tools += Browsing(HeldTabs(web.browse)).tools
            own_tools += _watch_tools(web, user)
            return _all_tools(own_tools, user_services, integrated)
    finally:
        database.close()


def _watch_tools(web: Web, user: User) -> tuple[Tool, ...]:
    """Return the tools for the watches of a user; the owner has the same ones at every interface."""
    from wellread.assistant.tools.watch_tools import watch_tools

    caller = "" if user.is_owner else f"assistant:{user.account}"
    return watch_tools(partial(web.watcher, caller))


def _all_tools(
    own_tools: Sequence[Tool], user_services: UserServices, integrated: Sequence[OpenIntegration]
) -> list[Tool]:
    integration_tools = (
        replace(tool, service=integration.integration.name) for integration in integrated for tool in integration.tools
    )
    return [*own_tools, *user_services.tools, *integration_tools]


def snapshots(settings: Settings, clock: Clock, folder: Path | None) -> SnapshotCache:
    """Return the cache in `folder`, or in memory without one."""
    limits = settings.cache
    return SnapshotCache(folder, clock=clock, ttl_s=limits.ttl_min * 60, max_bytes=limits.max_bytes)


def _open_snapshots(settings: Settings, clock: Clock, *, is_recorded_run: bool) -> SnapshotCache | SharedSnapshots:
    """Return the snapshots that replicas share, or the cache; a recorded or replayed run has one in memory."""
    if is_recorded_run:
        return snapshots(settings, clock, None)
    return open_shared_snapshots(settings, clock) or snapshots(settings, clock, settings.cache.dir)


_OPEN_WEBS: defaultdict[WorkerPool, WeakSet[Web]] = defaultdict(WeakSet)
"""Which webs use a pool."""


def _read_browser_html(reader: SandboxedReader, html: str, url: str, notices: tuple[Notice, ...]) -> Page:
    headers = (("content-type", "text/html; charset=utf-8"),)
    response = Response(url=url, status=200, headers=headers, body=html.encode("utf-8", "replace"))
    result = reader.read_blocking(response, url=url, notices=notices)
    return printed_page(result._replace(snapshot=replace(result.snapshot, rendered=True)))


def _has_unchecked_settings(settings: Settings) -> bool:
    """Return whether a setting is given that can be wrong, and that only a part of the network or the reader can tell.

    A read that falls back to another part would take a wrong one for a page that cannot be read.
    """
    net, browser, render, extract = settings.net, settings.browser, settings.render, settings.extract
    if any((net.proxy, net.proxies, browser.upstream, browser.http_credentials)):
        return True
    if net.ca_file is not None and not has_certificates(net.ca_file):
        return True
    return render.wait != type(render)().wait or extract.ocr_languages != type(extract)().ocr_languages


def _open_index(settings: Settings, clock: Clock, *, is_replay: bool) -> LocalIndex | SharedIndex:
    # Loaded here because a read of a stored page needs no index.
    from wellread.index.local_index import LocalIndex

    if is_replay:
        return LocalIndex(settings.cache.dir)
    return open_index(settings, clock)


def _embedder(settings: Settings, clock: Clock, client: Fetcher) -> Embedder | None:
    if not settings.embed.service:
        return None
    from wellread.apps import search_services

    return search_services.embedder(settings.embed, fetcher=client, clock=clock)


def _chat_model(settings: Settings, clock: Clock) -> ChatTextModel:
    from wellread.apps.assistant_database import assistant_store
    from wellread.apps.text_model import ChatTextModel

    return ChatTextModel(settings, clock, partial(assistant_store, settings))


def _profile_secrets(settings: Settings, name: str) -> ProfileSecrets:
    from wellread.apps.network_parts import profile_secrets

    return profile_secrets(settings, name)


def _cache_key(policy: guard.Policy, url: str, mode: Mode) -> str:
    """Spellings of one URL share a key; one that may not be fetched has none, so nothing refused is ever served.

    The name of a member is no part of the URL that is normalised: dots in it would lead to the key of another page.
    """
    archive_url, member = archive_urls.split(url)
    target = guard.check_url(archive_url, policy).url
    if member:
        return cache_key(target, mode, guard.POLICY_VERSION, READING_VERSION, member)
    return cache_key(target, mode, guard.POLICY_VERSION, READING_VERSION)
