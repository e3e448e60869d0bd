"""Every port in one file: the interfaces between packages, and to the outside world."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from wellread.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from datetime import date, datetime

    from anyio.abc import ByteStream

    from wellread.types import Extraction, Found, Hit, Notice, OutcomeCode, Request, Response, Snapshot, Source


class Clock(Protocol):
    """The time, injected so that tests can hold it still."""

    def now(self) -> datetime:
        """Return the wall clock, aware, in UTC."""

    def now_ms(self) -> int:
        """Return the same in milliseconds since 1970-01-01 UTC, as stores keep it."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""


Fact = str | int | float | bool
"""What a step may tell of itself: never an address beyond its host, a query, a key, or text of a page."""


class Tell(Protocol):
    """A function that adds facts to the current step."""

    def __call__(self, **facts: Fact) -> None:
        """Add `facts` to the step."""


class Trace(Protocol):
    """A tracer of steps: `with trace("fetch", host=host) as tell: ...; tell(status=200)`."""

    def __call__(self, step: str, /, **facts: Fact) -> AbstractContextManager[Tell]:
        """Trace the block as one step."""


def untraced(_step: str, /, **_facts: Fact) -> AbstractContextManager[Tell]:
    """Trace nothing: the default `Trace`."""
    return nullcontext(_to_nobody)


def _to_nobody(**_facts: Fact) -> None:
    """Drop the facts."""


class Resolver(Protocol):
    """Names to addresses. Injectable in code only, never by settings or a page."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return every address of `host` as text, best first.

        Raises:
            Unreachable: the name does not exist or no server answers.
        """


class Dialler(Protocol):
    """Opens a TCP connection to an address that the guard has checked. Injectable in code only."""

    async def dial(self, address: str, port: int) -> ByteStream:
        """Connect to the literal `address`; must not resolve anything.

        Raises:
            OSError: nothing listens, or the network refuses.
        """


class Reservation(NamedTuple):
    """The answer to the wish for a start: the seconds until then, and whether the start is reserved."""

    wait_s: float
    is_granted: bool


class Pace(Protocol):
    """Start times, kept apart for all who share them: requests to a host, or calls of one caller (a token bucket)."""

    answer_delay_s: float
    """How late an answer may arrive after the moment that its wait is counted from; 0 within one process."""

    async def reserve(self, name: str, interval_s: float, *, burst: int = 1, max_wait_s: float) -> Reservation:
        """Reserve the next start under `name`, so that the one after it is `interval_s` later.

        Up to `burst` starts may come at once, after a time without any. Nothing is reserved if the wait would be longer
        than `max_wait_s`. With an interval of 0 only a pause is waited for.

        Raises:
            SharedStateFailed: the server of `shared.url` does not answer.
        """

    async def pause(self, name: str, pause_s: float) -> None:
        """Allow no start under `name` for `pause_s`, besides those that are reserved already.

        Raises:
            SharedStateFailed: the server of `shared.url` does not answer.
        """


class Leases(Protocol):
    """Rights that one holder has at a time, and loses unless it renews them."""

    outlives_holder: bool
    """Whether a lease stays where its holder was killed; else it needs no renewal."""

    async def acquire(self, name: str, holder: str, duration_s: float) -> bool:
        """Give the lease `name` to `holder` for `duration_s`, or renew it; return False while another one has it.

        A call that is cancelled ends before it raises: it never takes the lease later.

        Raises:
            SharedStateFailed: the server of `shared.url` does not answer.
        """

    async def renew(self, name: str, holder: str, duration_s: float) -> bool:
        """Extend the lease by `duration_s` from now; return False if `holder` does not have it.

        Raises:
            SharedStateFailed: the server of `shared.url` does not answer.
        """

    async def release(self, name: str, holder: str) -> None:
        """End the lease, if `holder` has it.

        Raises:
            SharedStateFailed: the server of `shared.url` does not answer.
        """

    async def wait_for_release(self, name: str, wait_s: float) -> None:
        """Return when the lease `name` may be free, after `wait_s` at the latest; `acquire` tells whether it is.

        Raises:
            SharedStateFailed: the server of `shared.url` does not answer.
        """


class SharedState(Pace, Leases, Protocol):
    """The state that replicas share: in this process alone, or at the server of `shared.url`."""

    async def aclose(self) -> None:
        """Close the connections."""


class Fetcher(Protocol):
    """The HTTP client, the only way to the network."""

    async def fetch(self, request: Request) -> Response:
        """Send `request` through the guard and return the final answer, whatever its status.

        Raises:
            RefusedError, UnavailableError, UnreadableError: see `wellread.errors`.
        """


@frozen
class Rendering:
    """A page as a person sees it in a browser."""

    response: Response
    """`body` is HTML that holds only what is seen; `url` is where the browser ended."""
    notices: tuple[Notice, ...] = ()
    is_provisional: bool = False
    """A later rendering may show more, so this one is not stored as the page: it was still loading, or one of its
    requests failed in a way that may pass."""


class Renderer(Protocol):
    """A renderer of pages in a browser."""

    async def render(self, request: Request) -> Rendering:
        """Open `request.url`, wait until it is ready, and return its visible content.

        Raises:
            RefusedError, UnavailableError, UnreadableError, ConfigError: see `wellread.errors`.
        """


class Extractor(Protocol):
    """An extractor for one family of media types (`wellread.extractors`). Pure: no network, no clock."""

    name: str
    media_types: tuple[str, ...]

    def extract(self, source: Source) -> Extraction:
        """Read `source` into a tree of blocks.

        Raises:
            Unsupported, Empty, TooLarge: what is in the bytes cannot be read.
        """


class CacheEntry(NamedTuple):
    """A snapshot from the store, with the validators to ask whether it is still current."""

    snapshot: Snapshot
    fresh: bool
    etag: str | None
    last_modified: str | None


class CachedBody(NamedTuple):
    """A server's response from the store, with its bytes."""

    response: Response
    fresh: bool
    etag: str | None
    last_modified: str | None


class SnapshotStore(Protocol):
    """A store of snapshots by cache key and by id; never errors or challenges, and a partial page by its id alone."""

    def get(self, key: str) -> CacheEntry | None:
        """Return the entry of `key`, fresh or stale, and count it as used."""

    def put(
        self,
        key: str,
        snapshot: Snapshot,
        *,
        identity: str = "",
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> None:
        """Store `snapshot` under `key`, evicting the least recently used entries beyond the size limit.

        A snapshot with an `identity` was read with credentials.
        """

    def renew(self, key: str) -> None:
        """Start the time to live again: the server said 304 Not Modified."""

    def by_id(self, snapshot_id: str, *, identity: str = "") -> Snapshot | None:
        """Return the snapshot with this id, however old, or None when it has been evicted.

        One that was read with credentials is returned only for their `identity`.
        """

    def body(self, key: str) -> CachedBody | None:
        """Return the response stored under `key`, fresh or stale: an archive, whose members are read one by one."""

    def put_body(self, key: str, response: Response) -> None:
        """Store the bytes of a response under `key`."""


class SharedSnapshots(SnapshotStore, Protocol):
    """A store of snapshots at a server: it misses while the server does not answer."""

    last_problem: str | None
    """Why it misses; None: nothing has failed."""

    def close(self) -> None:
        """Close the connections."""


class Index(Protocol):
    """The embedded full-text index."""

    last_problem: str | None
    """Why it may lack changes of other replicas; None: it lacks none."""

    def add(self, snapshot: Snapshot, text: str, *, mark: str = "") -> bool:
        """Index `text` (canonical markdown) under the snapshot's URL; return False when it is there unchanged."""

    def holds(self, url: str, mark: str) -> bool:
        """Return whether `url` is indexed from the bytes that `mark` names."""

    def stored_snapshot(self, url: str, *, only_marked: bool = False) -> Snapshot | None:
        """Return the snapshot of an indexed URL, or None; `only_marked`: only one that was added with a mark."""

    def search(self, query: str, count: int) -> list[Hit]:
        """Return the best `count` hits by BM25, best first, snippets without markup; each has a word like the query."""

    def missing_words(self, query: str) -> tuple[str, ...]:
        """Return words of `query` that no page has in this spelling; where there are many, some of them."""

    def remove(self, url: str) -> bool:
        """Remove a URL; return False when it was not there."""

    def count(self) -> int:
        """Return the number of pages."""

    def urls(self) -> tuple[str, ...]:
        """Return the URLs of all pages."""


class IndexRow(NamedTuple):
    """A page of an index: the words that are searched, and its snapshot as bytes (`wellread.store.codec`)."""

    url: str
    snapshot_id: str
    title: str
    language: str | None
    published_date: str | None
    text: str
    mark: str
    about: bytes
    document: bytes


class IndexChange(NamedTuple):
    """A change of an index: a page that was added or changed, or None for one that was removed."""

    sequence: int
    url: str
    page: IndexRow | None


class IndexLog(Protocol):
    """The pages of an index that replicas share, in the order of their changes; of each URL, the newest change alone.

    Every method raises SharedStateFailed when the server does not answer.
    """

    def log_id(self) -> str:
        """Return the name of this log, which no other log has: sequence numbers count in it."""

    def put(self, page: IndexRow) -> bool:
        """Add or change a page; return False when it is there with this snapshot."""

    def remove(self, url: str) -> bool:
        """Remove a page; return False when it was not there."""

    def changes(self, after: int, limit: int) -> list[IndexChange]:
        """Return the first `limit` changes with numbers above `after`; a change with a smaller number never follows."""

    def close(self) -> None:
        """Close the connections."""


class SharedStore(Protocol):
    """A kind of server that replicas share; the name of the plugin is the scheme of its URLs.

    Plugins of `wellread.stores` serve `shared.url` and `shared.snapshots`, not `store.url`.

    Nothing is connected before the first use. `setting` is the setting that has the URL, for errors, which never repeat
    a URL. A method returns None where the server is not made for that.

    Every method raises ConfigError when the URL is not valid, and PluginError or ConfigError when a library is missing.
    """

    def open_state(self, url: str) -> SharedState:
        """Return the paces and leases at `url`, the value of `shared.url`."""

    def open_snapshots(
        self, url: str, setting: str, *, clock: Clock, ttl_s: float, max_bytes: int
    ) -> SharedSnapshots | None:
        """Return the snapshots at `url`, fresh for `ttl_s`, of up to `max_bytes`."""

    def open_index_log(self, url: str, setting: str) -> IndexLog | None:
        """Return the log of the index at `url`."""


class Searcher(Protocol):
    """A search engine: returns hits, and the outcome of each provider."""

    async def search(self, query: Query) -> Found:
        """Return at most `query.count` hits; an empty answer carries its reason in `outcomes`."""


Freshness = Literal["day", "week", "month", "year"]


LOCAL = "local"
"""What the embedded index is called among the search services."""


@frozen
class Query:
    """A search query, in no provider's dialect."""

    text: str
    count: int = 10
    """Results wanted, from 1; where a provider gives fewer in one request, several are sent."""
    region: str | None = None
    """ISO 3166-1 alpha-2, upper case: US."""
    freshness: Freshness | None = None
    page: int = 1
    provider: str | None = None
    """The only service to be asked, of those that would be; `local` is the embedded index."""
    sites: tuple[str, ...] = ()
    """Hosts; only hits on one of them, or on a subdomain of it, are wanted."""
    exclude_sites: tuple[str, ...] = ()
    """Hosts from which no hit is wanted."""
    today: date | None = None
    """The day it is asked: providers that filter by date count `freshness` back from here."""


@frozen
class Access:
    """Credentials and address of a provider."""

    key: str | None = field(default=None, repr=False)
    extra: str | None = field(default=None, repr=False)
    """A second credential where one is needed (Google's engine id)."""
    base_url: str | None = field(default=None, repr=False)
    """Instead of the provider's own; no trailing slash."""


@frozen
class Parsed:
    """The parsed answer of a provider. One that cannot be parsed is `changed_markup`, never `no_results`."""

    code: OutcomeCode
    hits: tuple[Hit, ...] = ()
    """Ranked from 1, `source` filled in, URLs absolute http(s), texts without markup."""
    detail: str = ""
    retry_after_s: float | None = None
    more: bool | None = None
    """Whether the service says that results go on on another page; None where it does not say."""


@frozen
class Visit:
    """The steps of a search in a browser: open a page, refuse consent, type, press Enter."""

    url: str
    field: str = ""
    """CSS of what is typed into; empty where the address asks already."""
    text: str = ""
    refuse: str = ""
    """CSS of the service's own buttons that refuse consent; the browser handles other banners itself."""
    timeout_s: float | None = None


class Visitor(Protocol):
    """A runner of visits in a browser."""

    async def visit(self, visit: Visit) -> Response:
        """Return the page at the end of the visit, after its scripts, with its own status and address.

        Raises:
            RefusedError, UnavailableError, UnreadableError, ConfigError: see `wellread.errors`.
        """


class SearchProvider(Protocol):
    """One search service (`wellread.providers`): two pure functions; the client or the browser sends the requests."""

    name: str
    keyless: bool
    """True when it answers without a key."""
    filters: frozenset[str]
    """Which of region, freshness and page it honours; the others are reported as ignored."""
    max_count: int
    """Results per request."""
    interval_s: float
    """The least time between two requests that its plans allow."""

    @property
    def place(self) -> int | None:
        """Its rank among the providers of `auto`, smaller numbers first; None: only used by name."""

    def request(self, query: Query, access: Access) -> Request | Visit:
        """Translate `query` into a request of the provider, or into a visit in a browser.

        Values beyond the provider's limits are brought within them.

        Raises:
            Auth: it needs a key (or address) and `access` has none; the hint names the setting.
        """

    def parse(self, response: Response) -> Parsed:
        """Parse a response of any status; must not raise on any bytes."""


class Embedder(Protocol):
    """A model that turns texts into vectors; the angle between two vectors is small where the meanings are alike."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector for each text, in order, all of one length; one request for them all.

        Raises:
            RefusedError, UnavailableError, UnreadableError: no vectors were had.
        """


class EmbeddingService(Protocol):
    """One embedding service (`wellread.embedders`): two pure functions; the shared client sends the requests."""

    name: str

    def request(self, texts: Sequence[str], model: str | None, access: Access) -> Request:
        """Translate `texts` into a request of the service; without `model`, of its usual model.

        Raises:
            Auth: it needs a key and `access` has none.
        """

    def parse(self, body: bytes) -> list[list[float]] | None:
        """Return the vectors of a successful response, in the order of the texts; None when they cannot be read."""


class TextModel(Protocol):
    """A model asked one question, for facts, intents and reports."""

    async def answer(self, instructions: str, text: str, *, max_tokens: int = 1_000) -> str:
        """Return the model's answer; raises UnavailableError when no model answers."""
