"""The settings of optional parts: embeddings, browser, servers, assistant; `wellread.config` has the others."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal

from wellread.frozen import frozen
from wellread.values import Address, AddressOrCommand, NamedFileOnly, Positive, Secret

LogStyle = Literal["console", "json", "none"]
McpAnswers = Literal["auto", "both", "text", "structured"]


@frozen
class EmbedSettings:
    """The embedding service that ranks passages by meaning, besides words."""

    service: NamedFileOnly[str | None] = None
    """None ranks by words alone."""
    model: NamedFileOnly[str | None] = None
    url: NamedFileOnly[Address | None] = None
    """Base URL instead of the service's own."""
    key: NamedFileOnly[Secret | None] = None
    timeout_s: Positive[float] = 10.0


@frozen
class BrowserSettings:
    """The browser that renders pages and holds sessions."""

    executable: NamedFileOnly[Path | None] = None
    """A Chromium to start; None looks in the usual places."""
    connect: NamedFileOnly[Secret | None] = None
    """The ws or http address of a running browser's debugging port, instead of starting one."""
    headed: bool = False
    sandbox: NamedFileOnly[bool] = True
    """Chromium's own sandbox. Root cannot have it: false is for containers."""
    pages: Positive[int] = 4
    """Jobs at a time, each in a context of its own."""
    max_memory_mb: Positive[int] = 640
    """A page that needs more, together with the browser's own processes, is closed, where the system tells (Linux).

    With the driver and a second session beside it, a hostile page then stays below one GiB."""
    restart_after: Positive[int] = 100
    """Jobs after which the browser is started anew."""
    idle_s: float = 60.0
    """A browser without a job for so long is closed."""
    timeout_s: Positive[float] = 15.0
    """One deadline for a navigation, and for what a page is asked afterwards."""
    max_bytes: Positive[int] = 100_000_000
    """Most bytes that one job may move, both ways together."""
    connections: Positive[int] = 500
    """Most connections that one job may open."""
    user_agent: str | None = None
    """None leaves the browser's own."""
    viewport: str = "1280x800"
    locale: str = "en-US"
    upstream: NamedFileOnly[Secret | None] = None
    """A proxy of one's own beyond ours: http://user:password@host:port."""
    http_credentials: NamedFileOnly[Mapping[str, Secret]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Origin -> `user:password` for HTTP authentication in browser sessions; sent to that origin alone."""
    service_workers: NamedFileOnly[bool] = False
    """Let pages register service workers; never while a run is recorded or replayed."""
    permissions: NamedFileOnly[tuple[str, ...]] = ("clipboard-write",)
    """What pages may do without asking: clipboard-write, clipboard-read, geolocation, notifications."""
    geolocation: NamedFileOnly[str | None] = None
    """Where pages are told that the browser is, with the permission: latitude,longitude."""
    evaluate: NamedFileOnly[bool] = False
    """Let callers of every interface run scripts of their own in the pages of their sessions."""


@frozen
class RenderSettings:
    """When and how pages are read through the browser."""

    enabled: bool = True
    """Render what cannot be read without scripts, if a browser is there."""
    wait: str = "adaptive"
    """adaptive, domcontentloaded, load, networkidle, networkidle:MILLISECONDS, or selector:CSS."""
    max_wait_s: Positive[float] = 4.0
    quiet_ms: int = 200
    """How long nothing that matters may happen before a page counts as ready."""
    scrolls: int = 6
    """Screens scrolled down for what is loaded lazily."""
    images: bool = False
    """Load images, fonts and media too."""


@frozen
class BrowseSettings:
    """Browser sessions."""

    dialogs: NamedFileOnly[Literal["accept", "dismiss"]] = "dismiss"
    """How questions of the page are answered. Mere alerts are always accepted."""
    settle_s: Positive[float] = 2.0
    """The longest wait for what a step does to the page."""
    snapshots: Literal["changes", "full"] = "changes"
    """What a model is shown after a step on a page that it has seen: the lines that changed, or all."""
    workspace: NamedFileOnly[Path | None] = None
    """The one folder that files are uploaded from and downloads are kept in; None for neither."""
    workspace_max_bytes: Positive[int] = 1_000_000_000
    """Size of that folder beyond which no download is kept."""
    profiles: NamedFileOnly[tuple[str, ...]] = ()
    """Profiles that callers of the interfaces may name, each `INTERFACE:NAME` or `INTERFACE.KEY:NAME`, with mcp, http,
    tools or assistant as interface; the owner at the command line and in Python may name any."""
    default_context: NamedFileOnly[bool] = False
    """With `browser.connect`: sessions of these callers work in that browser's own context, with its logins."""
    evidence: NamedFileOnly[Path | None] = None
    """The folder in which callers of the interfaces may have their sessions recorded; None refuses that."""
    evidence_max_bytes: Positive[int] = 1_000_000_000
    """Size of that folder beyond which no further session is recorded."""
    tabs: int = 20
    """Tabs of one session at a time."""
    downloads_s: float = 30.0
    """How long the end of a session waits for downloads that are under way."""
    idle_s: Positive[float] = 600.0
    """A session of `wellread session` without a step for so long is closed."""


@frozen
class SharedSettings:
    """What replicas of one service share."""

    url: NamedFileOnly[Address | None] = None
    """`redis://user:password@host:6379/0` or `postgresql://user:password@host/name`; None: nothing is shared."""
    snapshots: NamedFileOnly[Address | None] = None
    """The PostgreSQL database of snapshots and the index; None: that of `shared.url`, or else files in `cache.dir`."""
    replica: str | None = None
    """The name of this replica, which the handles of its browser sessions contain: letters, digits and hyphens."""


@frozen
class ObjectSettings:
    """Object storage, for `s3://`, `gs://` and `hf://` in the command `extract`."""

    keys: NamedFileOnly[Mapping[str, Secret]] = field(default_factory=lambda: types.MappingProxyType({}))
    """`s3_key_id`, `s3_secret`, `s3_session_token`, `gs_service_account` (its JSON), `hf`."""
    urls: NamedFileOnly[Mapping[str, Address]] = field(default_factory=lambda: types.MappingProxyType({}))
    """`s3`, `gs` or `hf` -> base URL of a server instead of the service's own."""
    region: NamedFileOnly[str] = "us-east-1"
    """Of S3."""


@frozen
class CrawlSettings:
    """Crawls that workers on several machines share, and maps of sites."""

    frontier: NamedFileOnly[Address | None] = None
    """`postgresql://user:password@host/name`, for the commands `crawl` and `crawl-worker`."""
    lease_s: Positive[float] = 60.0
    """A worker that is silent for so long loses its hosts to others."""
    map_timeout_s: Positive[float] = 60.0
    """One deadline over the site maps, feeds and pages of a map; what is found by then is the answer."""
    map_max_bytes: Positive[int] = 200_000_000
    """Most bytes of all site maps, feeds and pages of a map."""


@frozen
class StoreSettings:
    """The assistant's database: schedules, tasks, outgoing messages."""

    url: NamedFileOnly[Address | None] = None
    """`sqlite:////path/to/it.db` or `postgresql://user:password@host/name`; None: `assistant.db` in `cache.dir`."""


@frozen
class ScheduleSettings:
    """The time zone of schedules."""

    timezone: str | None = None
    """IANA name, such as Europe/Berlin; None takes the machine's own."""


@frozen
class ServerSettings:
    """Limits and access of `wellread serve` and `wellread mcp`."""

    host: NamedFileOnly[str] = "127.0.0.1"
    """Address to listen on; any other than loopback needs `keys` or an `issuer`."""
    port: int = 8765
    hosts: NamedFileOnly[tuple[str, ...]] = ()
    """Values of the Host header that are ours besides loopback's: `name` or `name:port`."""
    origins: NamedFileOnly[tuple[str, ...]] = ()
    """Origins of web pages that may call, each exactly `scheme://host[:port]`; loopback's own never may by default."""
    keys: NamedFileOnly[Mapping[str, str]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Name of a caller -> hash of its key, as `wellread serve --new-key NAME` prints it."""
    issuer: NamedFileOnly[Address | None] = None
    """An OAuth 2.0 issuer whose access tokens are taken besides `keys`: its https address, as its metadata has it."""
    resource: NamedFileOnly[Address | None] = None
    """The address by which callers reach this server, which tokens must name as their audience; needed by `issuer`."""
    scopes: NamedFileOnly[tuple[str, ...]] = ()
    """Scopes that every token must have."""
    webhook_hosts: NamedFileOnly[tuple[str, ...]] = ()
    """Entries of `net.allow_hosts` that callers may also name for the webhook of a crawl, each `host:port`."""
    processes: Positive[int] = 1
    """Processes of `wellread serve` at one address; more than one need `shared.url`."""
    key_per_min: Positive[int] = 120
    """Requests per minute and key."""
    key_concurrency: Positive[int] = 4
    """Operations at a time and key."""
    concurrency: Positive[int] = 8
    """Operations at a time in all."""
    queue: int = 16
    """Operations that may wait for their turn; the next is told to come back."""
    sessions: Positive[int] = 8
    """Browser sessions open at a time in all; they take none of `browser.pages`."""
    key_sessions: Positive[int] = 3
    """Browser sessions open at a time and key."""
    session_idle_s: Positive[float] = 300.0
    """A browser session without a step for so long is closed."""
    max_request_bytes: Positive[int] = 1_000_000
    max_memory_bytes: int = 2_000_000_000
    """Size of the process beyond which nothing new is begun; 0 lifts the limit. Known on Linux only."""
    drain_s: float = 20.0
    """How long work that has begun may go on after the server is told to stop."""
    workspace: NamedFileOnly[Path | None] = None
    """The only folder that downloads are written to; without it, `downloads` in `cache.dir`."""
    workspace_max_bytes: Positive[int] = 1_000_000_000
    """Size of that folder beyond which nothing more is downloaded."""
    download_max_bytes: Positive[int] = 100_000_000
    """Most bytes of one file."""
    logs: LogStyle = "console"
    """How `wellread serve` logs to standard error."""
    mcp_answers: McpAnswers = "auto"
    """The parts of an MCP tool result, each of them whole. both: text in `content`, JSON by schema in
    `structuredContent`. text: text alone. structured: JSON by schema, and the same JSON in `content`. auto: both, but
    text alone for clients that are known to show a model both parts."""
    mcp_tools: tuple[str, ...] = ()
    """The tools that MCP clients are offered, such as search and read; `slim` alone is web_search and web_read without
    output schemas. Empty: all."""
    mcp_stateless: bool = False
    """No sessions at `/mcp`: each request stands alone, so that any replica may answer it."""


@frozen
class ChannelSettings:
    """Channels besides the terminal in which people talk with the assistant, while `wellread bot` runs."""

    tokens: NamedFileOnly[Mapping[str, Secret]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Channel -> token of one's bot there; a channel without one is not opened."""
    users: NamedFileOnly[tuple[str, ...]] = ()
    """Who is heard, each as `channel:ID`; everybody else is ignored."""
    urls: NamedFileOnly[Mapping[str, Address]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Channel -> base URL instead of the service's own."""
    hooks: NamedFileOnly[Mapping[str, Address]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Channel -> public https address of `/hooks/CHANNEL` here, for the service to call; without it news are asked
    for."""
    max_bytes: Positive[int] = 20_000_000
    """Most bytes of one file that is taken in."""
    host: NamedFileOnly[str] = "127.0.0.1"
    """Address at which `wellread bot` tells its health and takes such calls."""
    port: int = 8766
    drain_s: float = 20.0
    """How long answers that were begun may go on after the bot is told to stop."""


@frozen
class ResearchSettings:
    """What a caller of MCP and HTTP may ask of one research."""

    max_time_s: Positive[float] = 120.0
    max_pages: Positive[int] = 20
    max_tokens: NamedFileOnly[int] = 50_000
    """Of the language model, by an upper estimate; 0 lets callers use no model."""
    max_usd: NamedFileOnly[float | None] = None
    """Dollars of each research; needs prices."""


@frozen
class ModelSettings:
    """Language models of the assistant, and limits on their cost. A model is written `provider:name`."""

    chat: NamedFileOnly[str | None] = None
    """Answers people; without it there is no assistant. Providers: anthropic, openai, google, ollama."""
    intent: NamedFileOnly[str | None] = None
    """A small model that tells talk from work and answers nobody; None: every message is taken for work."""
    action: NamedFileOnly[str | None] = None
    """Works with tools; None is the chat model."""
    fallback: NamedFileOnly[tuple[str, ...]] = ()
    """Asked in turn when the model of a role does not answer."""
    keys: NamedFileOnly[Mapping[str, Secret]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Provider -> key."""
    urls: NamedFileOnly[Mapping[str, Address]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Provider -> base URL instead of its own; the only other hosts that models are asked at."""
    attempts: Positive[int] = 3
    """Tries of one request that was answered by 429 or 5xx, or not at all."""
    backoff_s: float = 1.0
    """Pause before the second try; doubled before each further one, unless the server names its own."""
    idle_s: Positive[float] = 60.0
    """The longest silence before and between two pieces of an answer."""
    timeout_s: Positive[float] = 300.0
    """One deadline over all tries and the whole answer."""
    max_tokens: Positive[int] = 4_096
    """Most tokens of one answer."""
    turn_tokens: NamedFileOnly[Positive[int]] = 200_000
    """Most tokens, in and out, that one turn may use."""
    day_tokens: NamedFileOnly[Positive[int]] = 2_000_000
    """Most tokens that all turns of a day (UTC) may use."""
    turn_usd: NamedFileOnly[Positive[float]] = 1.0
    """Most dollars that one turn may cost, where the model's price is known."""
    day_usd: NamedFileOnly[Positive[float]] = 10.0
    """The same for all turns of a day (UTC)."""
    input_usd: NamedFileOnly[Mapping[str, float]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Model -> dollars of a million tokens that it reads, for the costs of a research; `*` stands for other models."""
    output_usd: NamedFileOnly[Mapping[str, float]] = field(default_factory=lambda: types.MappingProxyType({}))
    """The same for tokens that it writes."""


@frozen
class AssistantSettings:
    """The assistant: its name, its memory, and its tools."""

    name: NamedFileOnly[str] = "Wellread"
    history: int = 20
    """Messages of the conversation that the model sees again."""
    steps: Positive[int] = 10
    """Most rounds of tools in one turn."""
    approval_min: Positive[float] = 60.0
    """Minutes after which a question for consent can no longer be answered."""
    scheduled_approval_min: Positive[float] = 1440.0
    """The same for a question that a schedule asks: the user may be asleep when it does."""
    learn: bool = True
    """Look for lasting facts about the user in what was said, and name what the conversation is about, after each turn:
    one more question to the intent model, or else the chat model."""
    chunk_tokens: Positive[int] = 512
    """Most tokens of a piece of a document in the knowledge base; what is taken in again is cut anew."""
    chunk_overlap: int = 50
    """Tokens that two neighbouring pieces share at most."""
    passages: Positive[int] = 10
    """Passages that knowledge_search gives when the model does not say how many."""
    workspace: NamedFileOnly[Path | None] = None
    """The one folder that file tools and commands see; None: there are no such tools."""
    shell: NamedFileOnly[bool] = False
    """Offer shell_exec, where a sandbox and a workspace exist."""
    shell_timeout_s: Positive[float] = 30.0
    shell_memory: Positive[int] = 1_000_000_000
    """Bytes of address space of each process of a command."""
    skills: NamedFileOnly[Path | None] = None
    """A folder of folders with a SKILL.md each."""
    mcp: NamedFileOnly[Mapping[str, AddressOrCommand]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Name -> URL or command line of an MCP server whose tools are offered."""
    mcp_reads: NamedFileOnly[tuple[str, ...]] = ()
    """Tools of these servers, each `name_tool`, that only read: they are called without asking."""
    owner: NamedFileOnly[tuple[str, ...]] = ()
    """Accounts of the person at the terminal, each as `channel:ID` or `http:KEY_NAME`: one memory with the terminal.
    None: the only account of `channels.users`, where there is exactly one."""
    shared: NamedFileOnly[tuple[str, ...]] = ()
    """What all users share, of `knowledge`, `tasks`, `workspace`, `skills`, `mcp` and `integrations`; the rest belongs
    to each user alone."""
    serve: NamedFileOnly[bool] = False
    """Offer the assistant in `wellread serve`, at /v1/chat, to everybody who may call there."""


@frozen
class IntegrationSettings:
    """Services that the assistant uses for the user; one without its keys is not offered."""

    keys: NamedFileOnly[Mapping[str, Secret]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Integration -> key: `linear`, `google_client_id`, `google_client_secret`."""
    urls: NamedFileOnly[Mapping[str, Address]] = field(default_factory=lambda: types.MappingProxyType({}))
    """Name of a service's address -> base URL instead of its own."""
    token_key: NamedFileOnly[Secret | None] = None
    """What tokens are encrypted with; None: an existing key file, else a key in the keyring, else a new key file."""
    callback_port: NamedFileOnly[int] = 0
    """Port on 127.0.0.1 that a browser brings the user's consent back to; 0 takes any that is free."""
