"""Every port on one screen: what the rooms need from one another and from the world, and no more."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from datetime import date, datetime

    from anyio.abc import ByteStream

    from wellread.types import Extraction, Found, Hit, Notice, OutcomeCode, Request, Response, Snapshot, Source


class Clock(Protocol):
    """Time, handed down so that tests can hold it still."""

    def now(self) -> datetime:
        """Return the wall clock, aware, in UTC."""

    def now_ms(self) -> int:
        """Return the same in milliseconds since 1970-01-01 UTC, as stores keep it."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""


Fact = str | int | float | bool
"""What a step may tell of itself: never an address beyond its host, a query, a key, or text of a page."""


class Tell(Protocol):
    """Adds facts to the step that is under way."""

    def __call__(self, **facts: Fact) -> None:
        """Add them."""


class Trace(Protocol):
    """Is told of each step of the story: `with trace("fetch", host=host) as tell: ...; tell(status=200)`."""

    def __call__(self, step: str, /, **facts: Fact) -> AbstractContextManager[Tell]:
        """Take the block for one step."""


def untraced(_step: str, /, **_facts: Fact) -> AbstractContextManager[Tell]:
    """Tell nobody: the `Trace` where none was handed down."""
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


class Fetcher(Protocol):
    """The one door to the network."""

    async def fetch(self, request: Request) -> Response:
        """Send `request` through the guard and return the final answer, whatever its status.

        Raises:
            RefusedError, UnavailableError, UnreadableError: see `wellread.errors`.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """A page as a person sees it in a browser."""

    response: Response
    """`body` is HTML that holds only what is seen; `url` is where the browser ended."""
    notices: tuple[Notice, ...] = ()


class Renderer(Protocol):
    """Lets a page run in a browser."""

    async def render(self, request: Request) -> Rendering:
        """Open `request.url`, wait until it is ready, and write down what is seen of it.

        Raises:
            RefusedError, UnavailableError, UnreadableError, ConfigError: see `wellread.errors`.
        """


class Extractor(Protocol):
    """Reads one family of media types (`wellread.extractors`). Pure: no network, no clock."""

    name: str
    media_types: tuple[str, ...]

    def extract(self, source: Source) -> Extraction:
        """Read `source` into a tree of blocks.

        Raises:
            Unsupported, Empty, TooLarge: what is in the bytes cannot be read.
        """


class Kept(NamedTuple):
    """A snapshot from the store, and what is needed to ask whether it still holds."""

    snapshot: Snapshot
    fresh: bool
    etag: str | None
    last_modified: str | None


class KeptBody(NamedTuple):
    """The answer of a server from the store, with its bytes."""

    response: Response
    fresh: bool
    etag: str | None
    last_modified: str | None


class SnapshotStore(Protocol):
    """Snapshots by cache key and by id; never errors or challenges, and a partial page by its id alone."""

    def get(self, key: str) -> Kept | None:
        """Return what is kept under `key`, fresh or stale, and count it as used."""

    def put(self, key: str, snapshot: Snapshot, *, etag: str | None = None, last_modified: str | None = None) -> None:
        """Keep `snapshot` under `key`, evicting the least recently used beyond the size limit."""

    def renew(self, key: str) -> None:
        """Start the time to live anew: the server said 304 Not Modified."""

    def by_id(self, snapshot_id: str) -> Snapshot | None:
        """Return the snapshot with this id, however old, or None when it has been evicted."""

    def body(self, key: str) -> KeptBody | None:
        """Return the answer kept under `key`, fresh or stale: an archive, of which members are read one by one."""

    def put_body(self, key: str, response: Response) -> None:
        """Keep the bytes of an answer under `key`."""


class Index(Protocol):
    """The embedded full-text index."""

    def add(self, snapshot: Snapshot, text: str, *, mark: str = "") -> bool:
        """Index `text` (canonical markdown) under the snapshot's URL; False when it is there already, unchanged."""

    def holds(self, url: str, mark: str) -> bool:
        """Say whether `url` is there as it was read from the bytes that `mark` names."""

    def kept(self, url: str, *, at_hand: bool = False) -> Snapshot | None:
        """Return the snapshot of a URL in the index, or None; `at_hand`: only one that was added with a mark."""

    def search(self, query: str, count: int) -> list[Hit]:
        """Return the best `count` hits by BM25, best first, snippets without markup; each has a word like the query."""

    def missing_words(self, query: str) -> tuple[str, ...]:
        """Return words of `query` that no page has as they are written, some of them where they are many."""

    def remove(self, url: str) -> bool:
        """Forget a URL; False when it was not there."""

    def count(self) -> int:
        """Return how many pages it holds."""

    def urls(self) -> tuple[str, ...]:
        """Return their URLs."""


class Searcher(Protocol):
    """Answers a query with hits and with how each provider ended."""

    async def search(self, query: Query) -> Found:
        """Return at most `query.count` hits; an empty answer carries its reason in `outcomes`."""


Freshness = Literal["day", "week", "month", "year"]


LOCAL = "local"
"""What the embedded index is called among the search services."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is searched for, in no provider's dialect."""

    text: str
    count: int = 10
    """Results wanted, from 1; where a provider gives fewer in one request, several are sent."""
    region: str | None = None
    """ISO 3166-1 alpha-2, upper case: US."""
    freshness: Freshness | None = None
    page: int = 1
    provider: str | None = None
    """The only service to be asked, of those that would be; `local` is the embedded index."""
    today: date | None = None
    """The day it is asked: providers that filter by date count `freshness` back from here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How a provider is reached: by the user's key, or at the user's own address."""

    key: str | None = field(default=None, repr=False)
    extra: str | None = field(default=None, repr=False)
    """A second credential where one is needed (Google's engine id)."""
    base_url: str | None = field(default=None, repr=False)
    """Instead of the provider's own; no trailing slash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a provider's answer says. An answer that cannot be understood is `changed_markup`, never `no_results`."""

    code: OutcomeCode
    hits: tuple[Hit, ...] = ()
    """Ranked from 1, `source` filled in, URLs absolute http(s), texts without markup."""
    detail: str = ""
    retry_after_s: float | None = None
    more: bool | None = None
    """Whether the service says that results go on on another page; None where it does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """How a person would ask in a browser: open a page, refuse what it wants to know of them, type, press Enter."""

    url: str
    field: str = ""
    """CSS of what is typed into; empty where the address asks already."""
    text: str = ""
    refuse: str = ""
    """CSS of the service's own buttons that refuse consent; banners in general are known to the browser's room."""
    timeout_s: float | None = None


class Visitor(Protocol):
    """Does visits in a browser."""

    async def visit(self, visit: Visit) -> Response:
        """Return the page that it ended with, scripts having run, under the status and the address that it had.

        Raises:
            RefusedError, UnavailableError, UnreadableError, ConfigError: see `wellread.errors`.
        """


class SearchProvider(Protocol):
    """One search service (`wellread.providers`): two pure functions; the shared client or the browser does the rest."""

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
        """Where it stands among those that `auto` asks, smaller numbers first; None: only ever asked by its name."""

    def request(self, query: Query, access: Access) -> Request | Visit:
        """Put `query` into the provider's dialect, or say how it is asked in a browser.

        Values beyond the provider's limits are brought within them.

        Raises:
            Auth: it needs a key (or address) and `access` has none; the hint names the setting.
        """

    def parse(self, response: Response) -> Parsed:
        """Tell how the request ended, whatever the status; must not raise on any bytes."""


class Embedder(Protocol):
    """Turns texts into vectors whose angle says how alike in meaning they are."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector for each text, in order, all of one length; one request for them all.

        Raises:
            RefusedError, UnavailableError, UnreadableError: no vectors were had.
        """


class EmbeddingService(Protocol):
    """One way of asking for vectors (`wellread.embedders`): two pure functions; the shared client does the sending."""

    name: str

    def request(self, texts: Sequence[str], model: str | None, access: Access) -> Request:
        """Put `texts` into the service's dialect; without `model`, the service's customary one.

        Raises:
            Auth: it needs a key and `access` has none.
        """

    def parse(self, body: bytes) -> list[list[float]] | None:
        """Return the vectors of an answer of success, in the order of the texts; None when they cannot be read."""
