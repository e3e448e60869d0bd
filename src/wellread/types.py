"""The data types of the public API and between packages: frozen values without behaviour.

Offsets are indices into Python strings (code points), half open. Durations carry their unit in the name.
"""

from __future__ import annotations

import hashlib
from dataclasses import field
from enum import IntFlag, StrEnum
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

from wellread import notice_levels
from wellread.frozen import frozen
from wellread.notice_levels import NoticeLevel  # noqa: TC001 - the schemas of results are made from it

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterable

    from wellread.credentials import Credentials
    from wellread.errors import WellreadError

Format = Literal["markdown", "text", "html"]
ReadFormat = Literal["markdown", "text", "html", "raw", "links"]
"""The formats of a read: those of a document, the text of the source as it came, and the list of all links."""
Mode = Literal["balanced", "precision", "recall"]
Render = Literal["auto", "always", "never"]
Scroll = Literal["auto", "all"]
LinkStyle = Literal["inline", "reference", "none"]
PassageOrder = Literal["score", "page"]
PageType = Literal["article", "documentation", "forum", "product", "collection", "listing", "service", "unknown"]
Headers = tuple[tuple[str, str], ...]


def header(headers: Headers, name: str) -> str | None:
    """Return the first value of header `name` (case-insensitive), or None."""
    lower_name = name.lower()
    return next((value for key, value in headers if key.lower() == lower_name), None)


# ---------------------------------------------------------------------------------------- the wire


@frozen
class Request:
    """One request to the HTTP client. `url` is text as it was given: only `net` parses it."""

    url: str
    method: str = "GET"
    headers: Headers = field(default=(), repr=False)
    body: bytes = field(default=b"", repr=False)
    credentials: Credentials | None = None
    """What signs the request in; each part goes only to the hosts that it is for, also after redirects."""
    user_asked: bool = False
    """A person asked for this very page, so robots.txt does not bind (RFC 9309 binds crawlers)."""
    timeout_s: float | None = None  # one deadline over everything this request causes; None takes `fetch.timeout_s`
    follow: bool = True  # else a redirect is the answer, unless what was sent must be sent elsewhere (307, 308)
    scroll: Scroll = "auto"  # how far a rendered page is scrolled: `render.scrolls` screens, or to its end
    wait: str = ""  # what a rendering waits for, in the words of `render.wait`; empty takes the setting
    resend_body: bool = True  # else 307 and 308 are the answer, too: a body of the owner stays where it was sent
    attempts: int | None = None  # how often it is sent at most, where that may help; None takes `fetch.attempts`


@frozen
class Response:
    """One answer, after redirects; `body` is decoded and never longer than `fetch.max_bytes`."""

    url: str
    """Where the body came from, normalised, without fragment."""
    status: int
    headers: Headers
    body: bytes
    redirects: tuple[str, ...] = ()
    """The URLs that redirected, first to last."""
    partial: str | None = None
    """Why the body is not whole (connection broke, short body, damaged encoding); None when it is."""
    elapsed_ms: int = 0
    replayed: bool = False


# ------------------------------------------------------------------------- the document: a tree of blocks


class Kind(StrEnum):
    """The kind of a block. Containers hold `children`; leaves hold `spans`."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    ITEM = "item"
    BYLINE = "byline"  # who wrote the post that follows, and when; `label` is the date in ISO 8601, or as it is worded
    QUOTE = "quote"
    CODE = "code"
    TABLE = "table"
    ROW = "row"
    CELL = "cell"
    RULE = "rule"
    FOOTNOTE = "footnote"
    CAPTION = "caption"  # of a picture; printed only where pictures are, because the reader did not keep it as text


class Style(IntFlag):
    """The style of a span; flags combine."""

    NONE = 0
    STRONG = 1
    EM = 2
    CODE = 4
    STRIKE = 8
    SUP = 16
    SUB = 32
    MATH = 64
    IMAGE = 128
    """`text` is the alternative text and `href` the image's absolute URL."""
    NOTE = 256
    """A footnote reference; `text` is its label, `href` is None."""


class Span(NamedTuple):  # a page holds thousands, and dataclasses take four times as long to build (CPython 3.11)
    """A run of inline text. A line break inside a paragraph is a span whose text is a newline."""

    text: str
    style: int = 0
    href: str | None = None


TERM: Final = "term"
"""The label of a paragraph that is a term of a definition list."""


class Block(NamedTuple):
    """A node of the document tree. LIST > ITEM > blocks; TABLE > ROW > CELL; QUOTE and FOOTNOTE > blocks."""

    kind: Kind
    spans: tuple[Span, ...] = ()
    children: tuple[Block, ...] = ()
    level: int = 0
    """HEADING: 1 to 6. LIST: 0 for bullets, else the first number. CELL: 1 in a header cell."""
    label: str = ""
    """CODE: the language, or empty. FOOTNOTE: its label. CELL: `above` or `left` where the cell there covers it.
    PARAGRAPH: `term` if it is a term of a definition list."""


Document = tuple[Block, ...]


class Heading(NamedTuple):
    """A heading as printed, and where it starts in the printed text."""

    level: int
    text: str
    start: int


LinkPlace = Literal["main", "nav", "header", "footer", "aside"]


class PageLink(NamedTuple):
    """A link of a page, wherever it stands on it."""

    url: str
    """Absolute http or https URL, without fragment."""
    text: str = ""
    """The words of the link, on one line."""
    rel: tuple[str, ...] = ()
    """The words of its `rel`, lower case: nofollow, next, ..."""
    place: LinkPlace = "main"
    """The nearest sectioning element around it; main where there is none of the others."""


Syntax = Literal["json-ld", "microdata", "rdfa", "open_graph", "twitter"]


class DeclaredItem(NamedTuple):
    """A thing that a page declares for machines: a product, a recipe, an event. Nested ones are in its properties."""

    syntax: Syntax
    type: str
    """Such as Product for the types of schema.org, else as the page writes it; empty without one."""
    properties: dict[str, Any]  # Any: JSON
    """Values by name, as the page declares them; a nested item is an object with `@type`."""


class Notice(NamedTuple):
    """A fact that the reader of a page should know: text was removed, hidden, cut short, or skipped."""

    code: str
    """hidden_text, invisible_characters, partial_body, ...; docs/warnings.md explains each."""
    detail: str
    count: int = 1  # type: ignore[assignment]  # tuple.count gives way: nobody counts inside a notice

    @property
    def level(self) -> NoticeLevel:
        """info: normal; warning: something is missing or doubtful."""
        return notice_levels.level(self.code)


def only_warnings(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Return the notices of the level `warning`."""
    return tuple(notice for notice in notices if notice.level == "warning")


@frozen
class Metadata:
    """The metadata of a page. URLs are absolute; dates are ISO 8601; None means that the page does not say."""

    title: str | None = None
    byline: str | None = None
    """The authors' line as the page words it."""
    author: str | None = None
    """The names alone, joined with ', '."""
    description: str | None = None
    published_date: str | None = None
    published_source: str | None = None
    """Where the date was found: og, json-ld, meta, time, text, http."""
    modified_date: str | None = None
    canonical_url: str | None = None
    language: str | None = None
    """BCP 47."""
    direction: str | None = None
    site_name: str | None = None
    primary_image: str | None = None
    images: tuple[str, ...] = ()


@frozen
class OcrOptions:
    """Options of optical character recognition in pictures: the settings `extract.ocr*`."""

    enabled: bool = True
    languages: tuple[str, ...] = ("eng",)
    """Names of Tesseract's language data."""
    max_pages: int = 20


class RecognizedWord(NamedTuple):
    """A word that was recognised in a picture."""

    text: str
    confidence: float
    """From 0 to 100."""
    block: int
    paragraph: int
    """Within the block."""
    line: int
    """Within the paragraph."""


class Recognition(NamedTuple):
    """The words of a picture in reading order, or why there are none."""

    words: tuple[RecognizedWord, ...]
    problem: str = ""


class TextRecognizer(Protocol):
    """A recogniser of text in pictures."""

    def recognize(
        self, picture: bytes, *, page: int = 0, dpi: int = 0, stop: threading.Event | None = None
    ) -> Recognition:
        """Return the words of a picture file; blocks until it is done, or `stop` is set."""


@frozen
class SourceView:
    """What a read takes of a source: its main content, or something else."""

    form: Literal["content", "raw", "links"] = "content"
    all_links: bool = False
    """Whether the links outside the content come with it."""
    selector: str = ""
    """The CSS selector of the elements that are taken."""
    field_selectors: str = ""
    """The CSS selectors of the fields of a record, as JSON. A page without text is then read, too, for its facts."""
    wait: str = ""
    """What a rendering waits for, in the words of `render.wait`; empty takes the setting."""

    @property
    def key(self) -> str:
        """Return the beginning of the cache key of a reading; empty for the main content alone."""
        parts: dict[str, object] = {self.form: self.form != "content", "all_links": self.all_links}
        parts |= {f"selector:{self.selector}": self.selector, f"wait:{self.wait}": self.wait}
        digest = hashlib.sha256(self.field_selectors.encode("utf-8", "surrogatepass")).hexdigest()
        parts |= {f"fields:{digest}": self.field_selectors}
        return "".join(f"{name}:" for name, is_set in parts.items() if is_set)


MAIN_CONTENT = SourceView()


@frozen
class Source:
    """Bytes to extract from, with all facts known about them."""

    body: bytes
    media_type: str
    """Sniffed essence, lower case, no parameters: text/html."""
    url: str | None = None
    charset: str | None = None
    """From the Content-Type header, if it named one."""
    mode: Mode = "balanced"
    max_rows: int = 20_000
    """Rows of one table that are read; `extract.max_rows`."""
    suspect: bool | None = None
    """Whether it may be made to choke its parser; None: nobody has looked yet."""
    read_on: str | None = None
    """The day of the reading (ISO 8601, UTC); None: unknown. No page was published after it."""
    timeout_s: float | None = None
    """Seconds until the process that extracts is killed; an extractor of long files stops before, and says so."""
    member: str = ""
    """The file or folder that is wanted of an archive; empty for the list of its members."""
    ocr: OcrOptions = OcrOptions()
    """How text in pictures is recognised."""
    recognizer: TextRecognizer | None = None
    """What recognises it; None where nothing does."""
    all_links: bool = False
    """Whether the links outside the content are wanted, too."""
    selector: str = ""
    """The CSS selector of the elements that are wanted in place of the main content; empty for that."""
    field_selectors: str = ""
    """As `SourceView.field_selectors`."""


@frozen
class Extraction:
    """The result of an extractor: the main content as a tree of blocks, and the metadata."""

    document: Document
    metadata: Metadata
    method: str
    """The extractor's own name for how it read: reader, pdf, plain, ..."""
    page_type: PageType = "unknown"
    links: tuple[str, ...] = ()
    """Absolute http(s) links in the main content, in order, without repeats."""
    all_links: tuple[PageLink, ...] = ()
    """Every link of an HTML page, where `Source.all_links` asks for them."""
    structured_data: tuple[DeclaredItem, ...] = ()
    """What an HTML page declares for machines."""
    notices: tuple[Notice, ...] = ()
    source_chars: int = 0
    """Length of the decoded source, for the text/HTML ratio."""
    scripted: bool = False
    """The source shows little, and its scripts would probably show more in a browser."""
    selected: dict[str, Any] | None = None  # Any: JSON
    """The values that `Source.field_selectors` took from an HTML page; None without them."""
    has_scripts: bool = False
    """Whether an HTML page runs scripts; known only where `Source.field_selectors` is set."""


def snapshot_id(canonical: str) -> str:
    """Return the name of a snapshot: `sha256:` and 64 hex digits over its canonical text in UTF-8."""
    return f"sha256:{hashlib.sha256(canonical.encode('utf-8', 'surrogatepass')).hexdigest()}"


@frozen
class Snapshot:
    """One stored reading of a page. It never changes, and its id is the hash of its content."""

    id: str
    """`sha256:` and 64 hex digits over the canonical text (the whole document printed as markdown)."""
    url: str
    """The requested URL, normalised."""
    final_url: str
    status: int
    content_type: str | None
    fetched_at: float
    """Seconds since the epoch."""
    fetch_time_ms: int
    extraction_time_ms: int
    extraction: Extraction
    confidence: float
    rendered: bool = False
    is_unkeepable: bool = False
    """Whether the site does not allow a stored copy without a new request (RFC 9111 section 5.2.2)."""


@frozen
class Hit:
    """One search result. `rank` counts from 1; scores are comparable only within one result list."""

    title: str
    url: str
    snippet: str = ""
    published_date: str | None = None
    source: str = ""
    """The provider that returned it."""
    rank: int = 0
    score: float | None = None
    marks: tuple[tuple[int, int], ...] = ()
    """Offsets of the query words in `snippet`; only from the local index."""


PROVIDER_ALIASES = {"google": "google_cse"}
"""Other names of search services, which settings and callers may use."""


def canonical_provider(name: str) -> str:
    """Return the name of a search service, for a name or an alias."""
    return PROVIDER_ALIASES.get(name, name)


OutcomeCode = Literal[
    "ok", "no_results", "partial", "challenge", "auth", "quota", "rate_limited", "bad_request", "timeout", "upstream",
    "changed_markup", "unrecorded",
]  # fmt: skip


@frozen
class ProviderOutcome:
    """The outcome of one provider for a search."""

    provider: str
    code: OutcomeCode
    count: int = 0
    detail: str = ""
    elapsed_ms: int = 0


@frozen
class Found:
    """The result of a search: hits, and the outcome of every provider that was asked."""

    query: str
    hits: tuple[Hit, ...]
    outcomes: tuple[ProviderOutcome, ...]
    ignored_filters: tuple[str, ...] = ()


# ---------------------------------------------------------------------------------------------- reading


@frozen
class Page:
    """A page in the requested format, complete or one piece of it."""

    class Post(NamedTuple):
        """Author, date (ISO 8601, or as written on the page) and offsets of a post, including its byline."""

        author: str
        published_date: str | None
        start: int
        end: int

    text: str
    format: ReadFormat
    word_count: int
    """Words in `text`."""
    truncated: bool
    """Whether the document continues after `text`; then `cursor` is set."""
    cursor: str | None
    url: str
    final_url: str
    title: str | None
    byline: str | None
    author: str | None
    description: str | None
    published_date: str | None
    modified_date: str | None
    canonical_url: str | None
    language: str | None
    site_name: str | None
    primary_image: str | None
    images: tuple[str, ...]
    links: tuple[str, ...]
    all_links: tuple[PageLink, ...] = ()
    """Every link of the page with its text, rel and place, menus and footer included; only if they are requested."""
    structured_data: tuple[DeclaredItem, ...] = ()
    """What the page declares for machines, in JSON-LD, microdata, RDFa Lite, Open Graph and Twitter cards."""
    headings: tuple[Heading, ...]
    posts: tuple[Page.Post, ...] = ()
    """The posts of a thread, in order. Offsets count in the whole document in this format."""
    confidence: float
    extraction_method: str
    page_type: PageType
    snapshot_id: str
    start: int
    """Offset of `text` in the whole document in this format; for markdown, with links inline."""
    end: int
    """Offset of the end of `text`, counted like `start`."""
    total_chars: int
    """Length of the whole document, counted like `start`."""
    rendered: bool
    cached: bool
    notices: tuple[Notice, ...]
    """Reports about hidden, skipped or missing text, each with its level."""
    fetch_time_ms: int
    extraction_time_ms: int
    total_time_ms: int
    status: int
    content_type: str | None

    @property
    def warnings(self) -> tuple[Notice, ...]:
        """The earlier name of `notices`."""
        return self.notices

    @property
    def complete(self) -> bool:
        """Whether the page has all of its text: False if a notice reports missing text."""
        return not any(notice_levels.is_missing(notice.code) for notice in self.notices)


@frozen
class SiteMapEntry:
    """A URL of a site."""

    url: str
    title: str | None = None
    """From the page itself, from a feed, or the words of a link to it."""
    modified_date: str | None = None
    """ISO 8601, from a site map or a feed."""
    source: Literal["start", "sitemap", "feed", "link"] = "link"
    """What named it first."""
    depth: int = 1
    """Links from the start page; 1 for what a site map or a feed names."""
    score: float | None = None
    """By the words that were searched for; comparable within one answer only."""


@frozen
class SiteMap:
    """The URLs of a site, as far as its site maps, its feeds and its links name them."""

    url: str
    """The start page, after redirects."""
    entries: tuple[SiteMapEntry, ...]
    total: int
    """URLs that were found; `entries` may have fewer. Those of site maps that are too long are counted, not read."""
    other_hosts: int
    """URLs on other hosts, which are left out."""
    unread_maps: int
    """Site maps, feeds and pages that were not read because of a limit."""
    missed: tuple[Missed, ...] = ()
    """Site maps, feeds and pages that could not be read."""


CrawlState = Literal["new", "unchanged", "changed", "gone", "duplicate", "skipped", "failed"]


@frozen
class CrawlRecord:
    """The outcome of one URL of a crawl."""

    url: str
    state: CrawlState
    depth: int
    """Links from a start URL; 1 for what a site map names."""
    parent: str | None
    """The page or site map that named it first."""
    page: Page | None = None
    """None for duplicates, failures, and what was skipped; also where the server says that nothing has changed."""
    error: WellreadError | None = None
    duplicate_of: str | None = None
    reason: str = ""
    """Why it is a duplicate, or was skipped."""

    def own_fields(self) -> dict[str, object]:
        """Return the fields of the record in the order of its JSON, without the page and the error."""
        return {
            "url": self.url,
            "state": self.state,
            "depth": self.depth,
            "parent": self.parent,
            "duplicate_of": self.duplicate_of,
            "reason": self.reason,
        }


@frozen
class Match:
    """One place where the pattern stands: `printed.text[start:end] == text`."""

    start: int
    end: int
    text: str
    before: str
    """The text before it, up to the context asked for; never starting inside a character and its marks."""
    after: str
    headings: tuple[str, ...]
    """The headings above it, outermost first; a heading is not above itself."""


@frozen
class Matches:
    """The first places in reading order, and how many there are in all."""

    pattern: str
    matches: tuple[Match, ...]
    total: int
    rendered: bool = False
    """A browser showed the page that was searched."""
    notices: tuple[Notice, ...] = ()
    """The notices of that page: text that was left out is not found."""

    @property
    def spots(self) -> tuple[Match, ...]:
        """Return `matches` by its earlier name; deprecated, and gone in the next minor version."""
        return self.matches


@frozen
class Passage:
    """A piece of evidence: `text` is exactly `canonical_text[start:end]` of the snapshot named by `snapshot_id`."""

    text: str
    url: str
    title: str | None
    snapshot_id: str
    start: int
    end: int
    headings: tuple[str, ...] = ()
    """The headings above the passage, outermost first."""
    score: float = 0.0
    cut: Literal["", "start", "end", "start and end"] = ""
    """The ends at which the passage cuts a table, list, quotation, code block or paragraph."""
    fragment_url: str = ""
    """The URL with a text fragment (https://wicg.github.io/scroll-to-text-fragment/)."""


class Missed(NamedTuple):
    """A page that the result does not use, with the reason."""

    url: str
    code: str
    reason: str


@frozen
class Gathered:
    """Evidence for a question: passages with citations, and the pages, hits and outcomes behind them."""

    query: str
    hits: tuple[Hit, ...]
    pages: tuple[Page, ...]
    passages: tuple[Passage, ...]
    missed: tuple[Missed, ...]
    outcomes: tuple[ProviderOutcome, ...]
    notices: tuple[Notice, ...] = ()
    """Reports about the whole result, such as missing embeddings."""
    search_time_ms: int
    gather_time_ms: int


class FactTable(NamedTuple):
    """A table of a page as rows."""

    columns: tuple[str, ...]
    """The names in its header; empty for a table without one."""
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    """Its caption, or the heading above it; empty without both."""


FactOrigin = Literal["selector", "declared", "table", "text", "model"]


@frozen
class FieldSource:
    """Where the value of a field is from."""

    field: str
    """Path in the record: `offers.price`."""
    origin: FactOrigin
    detail: str
    """The selector, the declared property (`json-ld Product: offers.price`), the number of the table, or the label on
    the page (`Entry fee (adults)`)."""
    passage: Passage | None = None
    """The citation: the value in the text of the page. None where the text does not have it, and no person sees it."""


@frozen
class Facts:
    """What a page declares and shows in tables, and the record that was asked for."""

    url: str
    """Final URL, after redirects."""
    title: str | None
    snapshot_id: str
    items: tuple[DeclaredItem, ...]
    tables: tuple[FactTable, ...]
    record: dict[str, Any] | None = None  # Any: JSON
    """The fields that selectors or a schema name, as far as they were found; None where neither was given."""
    sources: tuple[FieldSource, ...] = ()
    """Where each field of `record` is from."""
    missing: tuple[str, ...] = ()
    """The fields that were not found."""
    notices: tuple[Notice, ...] = ()


@frozen
class Claim:
    """A sentence of an answer with the passages that it cites."""

    text: str
    passages: tuple[Passage, ...]
    unsupported: tuple[str, ...] = ()
    """Why a dropped sentence does not stand: what its passages lack of it, or what is wrong."""


@frozen
class Answer:
    """A short answer to a question; every sentence cites passages that were proved against their snapshots."""

    question: str
    text: str
    """The sentences, each with the numbers of its citations: `[1]` is the first of `citations`."""
    claims: tuple[Claim, ...]
    citations: tuple[Passage, ...]
    """The passages that `text` cites, in the order of their numbers."""
    dropped: tuple[Claim, ...] = ()
    """Sentences of the language model that their passages do not support."""
    is_by_model: bool = False
    """Whether a language model wrote it; else it is sentences, list items and table rows of the pages: an introduction
    ends with a colon, items have no signs, and rows have the names of columns."""
    gathered: Gathered
    notices: tuple[Notice, ...] = ()

    @property
    def author(self) -> str:
        """Return what wrote the sentences, in words."""
        if self.is_by_model:
            return "a language model"
        return "the best sentences, list items and table rows of the pages"


ContradictionKind = Literal["numbers", "dates", "negation"]


@frozen
class Contradiction:
    """Two sentences of different pages that contradict each other about one subject."""

    kind: ContradictionKind
    claims: tuple[Claim, ...]
    """The two sentences, each with its citation."""


@frozen
class ResearchBudget:
    """The limits of a research. Work that does not fit is left out, and the report names it."""

    time_s: float = 300.0
    """Of all runs together."""
    pages: int = 20
    """Pages that are requested, failed ones included."""
    tokens: int = 100_000
    """Of the language model, by an upper estimate."""
    max_usd: float | None = None
    """Dollars of the language model and of searches; only where the settings have their prices."""


class ResearchPlan(NamedTuple):
    """The questions of a research, each with a search of its own."""

    queries: tuple[str, ...]
    """The question, then its parts."""
    is_by_model: bool = False
    tokens: int = 0
    elapsed_s: float = 0.0
    cost_usd: float = 0.0


@frozen
class ResearchFinding:
    """The result of one query of a research."""

    query: str
    claims: tuple[Claim, ...] = ()
    """The sentences that answer it."""
    quotations: tuple[Claim, ...] = ()
    """The best sentences of the pages, word for word: they are compared with those of other pages."""
    sources: tuple[tuple[str, str], ...] = ()
    """URL and snapshot id of each page that was read."""
    pages: int = 0
    """Pages that were requested."""
    tokens: int = 0
    elapsed_s: float = 0.0
    cost_usd: float = 0.0
    notices: tuple[Notice, ...] = ()


@frozen
class Research:
    """A report on a question; every citation in it was proved against its snapshot."""

    question: str
    text: str
    """The report in Markdown. `[1]` is the first of `citations`."""
    plan: ResearchPlan
    findings: tuple[ResearchFinding, ...]
    citations: tuple[Passage, ...]
    contradictions: tuple[Contradiction, ...]
    not_found: tuple[str, ...]
    """Queries without a sentence that answers them."""
    left_out: tuple[str, ...]
    """Work that was not done, with the reason: the budget, or a search that failed."""
    cost_usd: float | None = None
    """Dollars of all runs, estimated by the prices of the settings; None where they have none."""
    notices: tuple[Notice, ...] = ()


ResearchStep = ResearchPlan | ResearchFinding | Research
"""A step of a research: its plan, the result of each query, and at last the report."""


COMPUTED_FIELDS: dict[type, tuple[str, ...]] = {Notice: ("level",), Page: ("complete",)}
"""Properties that stand among the fields in the JSON of these types, which every interface shows."""


Step = Found | Page | Missed | Gathered
"""What a gather tells while it works: the hits, each page read or missed, and at last the whole answer."""

AnswerStep = Step | Answer
"""A step of an answer: those of its gather, and at last the answer."""


class Verdict(NamedTuple):
    """Whether a passage still matches the snapshot that it cites."""

    passage: Passage
    ok: bool
    reason: str


@frozen
class Element:
    """A control on a rendered page, addressed by `index`."""

    index: int
    role: str
    name: str
    value: str = ""
    state: tuple[str, ...] = ()


@frozen
class PageSnapshot:
    """The current page of a browser session, in pages of at most 5,000 characters and 50 elements."""

    url: str
    title: str
    content: str
    """Text with a marker such as `[3]` before each element; the same characters in the page are written `\\[3]`."""
    elements: tuple[Element, ...] = field(default=())
    dialogs: tuple[str, ...] = ()
    """Dialogs of the page since the last snapshot, and how each was answered."""
    tabs: tuple[str, ...] = ()
    """Title and address of every open tab; the current one begins with `*`. Empty with only one tab."""
    changes: tuple[str, ...] = ()
    """Changes since the last snapshot; where `content` has the changed lines alone, those that it does not show."""
    downloads: tuple[str, ...] = ()
    """Files that were downloaded since the last snapshot."""
    page: int = 1
    pages: int = 1
    more: int = 0
    """The number of elements on the following pages."""
    notices: tuple[Notice, ...] = ()
