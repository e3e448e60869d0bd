"""Arguments of each operation, as frozen values; a model reads the descriptions beside them before it calls.

Nothing here can widen what the server may do: `user_asked`, allowed hosts, paths and limits are the owner's to set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from wellread.apps.operations.operation_schemas import ArgumentInfo
from wellread.ports import Freshness
from wellread.types import LinkStyle, Mode, PassageOrder, ReadFormat, Render, Scroll

PageExtra = Literal["links", "all_links", "images", "headings", "posts", "structured_data"]
GatherExtra = Literal["pages"]
AnswerExtra = Literal["gathered"]
ResearchExtra = Literal["findings", "contradictions"]

Url = Annotated[
    str, ArgumentInfo(text="The full http or https URL of the page.", longest=8_000, example="https://example.com/page")
]


ScrollTo = Annotated[Scroll, ArgumentInfo(text="all: scroll to the end in a browser; slow.")]

Provider = Annotated[
    str | None,
    ArgumentInfo(
        text="Ask only this search service; local is the index. By default, each in turn until one has hits.",
        longest=60,
        pattern="^[A-Za-z0-9_-]+$",
        example="local",
    ),
]


Profile = Annotated[
    str | None,
    ArgumentInfo(
        text="Read signed in with this profile; only where the task names one that the owner granted.",
        longest=64,
    ),
]


Wait = Annotated[
    str | None,
    ArgumentInfo(text="Render and wait: load, networkidle, selector:CSS.", longest=1_000),
]


PageSelector = Annotated[
    str | None,
    ArgumentInfo(text="Read the elements of a CSS selector, not the main content.", longest=1_000),
]


AllNotices = Annotated[
    bool,
    ArgumentInfo(text="Also return notices of the level info, not only warnings."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchArguments:
    """Arguments of `web_search`."""

    query: Annotated[str, ArgumentInfo(text="Words to search for.", longest=1_000, example="tide pools opening hours")]
    count: Annotated[int, ArgumentInfo(text="Maximum number of results.", least=1, most=50)] = 10
    region: Annotated[
        str | None,
        ArgumentInfo(text="Country of the results, two letters (ISO 3166-1): US.", longest=2, pattern="^[A-Za-z]{2}$"),
    ] = None
    freshness: Annotated[
        Freshness | None, ArgumentInfo(text="Only results from the last day, week, month or year.")
    ] = None
    provider: Provider = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadArguments:
    """Arguments of `web_read`."""

    url: Url
    format: Annotated[
        ReadFormat,
        ArgumentInfo(text="text has no structure, html is clean, raw the source, links every link of the page."),
    ] = "markdown"
    max_length: Annotated[
        int | None,
        ArgumentInfo(text="Maximum characters of this piece; by default about 7,000 tokens.", least=1, most=200_000),
    ] = None
    max_tokens: Annotated[
        int | None, ArgumentInfo(text="Maximum tokens of this piece, by an upper estimate.", least=1, most=100_000)
    ] = None
    cursor: Annotated[
        str | None,
        ArgumentInfo(text="The cursor of the last answer, to continue it.", longest=2_000),
    ] = None
    mode: Annotated[Mode, ArgumentInfo(text="precision: only the article body; recall: also doubtful text.")] = (
        "balanced"
    )
    images: Annotated[bool, ArgumentInfo(text="Print the images of the content as links.")] = False
    links: Annotated[
        LinkStyle,
        ArgumentInfo(text="Links of markdown: inline, reference (numbered, addresses at the end), or none."),
    ] = "inline"
    fresh: Annotated[bool, ArgumentInfo(text="Fetch again, not from the cache.")] = False
    render: Annotated[
        Render, ArgumentInfo(text="Load it in a browser: always, never, or auto: if HTTP has little text.")
    ] = "auto"
    scroll: ScrollTo = "auto"
    wait: Wait = None
    selector: PageSelector = None
    member: Annotated[
        str | None,
        ArgumentInfo(
            text="The file to read in an archive (ZIP, tar), by its name in the list of the archive.",
            longest=1_000,
            example="docs/report.pdf",
        ),
    ] = None
    profile: Profile = None
    all_notices: AllNotices = False
    include: Annotated[
        tuple[PageExtra, ...],
        ArgumentInfo(
            text="Lists to add: links of the content, all_links of the page, images, headings, posts, "
            "structured_data that the page declares.",
            longest=6,
        ),
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadManyArguments:
    """Arguments of `web_read_many`."""

    urls: Annotated[
        tuple[str, ...],
        ArgumentInfo(text="The URLs of the pages, at most 50.", longest=50, example=["https://example.com/page"]),
    ]
    format: Annotated[ReadFormat, ArgumentInfo(text="The same as for web_read.")] = "markdown"
    max_length: Annotated[
        int | None,
        ArgumentInfo(
            text="Maximum characters of each page; by default all pages together fit one answer.", least=1, most=200_000
        ),
    ] = None
    max_tokens: Annotated[
        int | None, ArgumentInfo(text="Maximum tokens of each page, by an upper estimate.", least=1, most=100_000)
    ] = None
    mode: Annotated[Mode, ArgumentInfo(text="The same as for web_read.")] = "balanced"
    images: Annotated[bool, ArgumentInfo(text="The same as for web_read.")] = False
    links: Annotated[LinkStyle, ArgumentInfo(text="The same as for web_read.")] = "inline"
    fresh: Annotated[bool, ArgumentInfo(text="The same as for web_read.")] = False
    render: Annotated[Render, ArgumentInfo(text="The same as for web_read.")] = "auto"
    scroll: ScrollTo = "auto"
    wait: Wait = None
    selector: PageSelector = None
    profile: Profile = None
    all_notices: AllNotices = False
    include: Annotated[tuple[PageExtra, ...], ArgumentInfo(text="The same as for web_read.", longest=5)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceArguments:
    """Arguments of operations that gather evidence."""

    question: Annotated[
        str,
        ArgumentInfo(
            text="The question to find evidence for, in full.", longest=2_000, example="Why was the lamp changed?"
        ),
    ]
    num_results: Annotated[
        int | None,
        ArgumentInfo(text="Search results to choose pages from; the server's default is 10.", least=1, most=50),
    ] = None
    gather_top: Annotated[
        int | None, ArgumentInfo(text="Number of pages to read; the server's default is 5.", least=1, most=20)
    ] = None
    sites: Annotated[
        tuple[str, ...], ArgumentInfo(text="Take only pages on these hosts, subdomains included.", longest=20)
    ] = ()
    exclude_sites: Annotated[tuple[str, ...], ArgumentInfo(text="Take no pages on these hosts.", longest=20)] = ()
    urls: Annotated[
        tuple[str, ...], ArgumentInfo(text="Take passages of these pages instead of searching.", longest=20)
    ] = ()
    provider: Provider = None
    profile: Profile = None
    all_notices: AllNotices = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherArguments(EvidenceArguments):
    """Arguments of `web_gather`."""

    order: Annotated[
        PassageOrder, ArgumentInfo(text="score: best first; page: passages of a page together, in its order.")
    ] = "score"
    include: Annotated[
        tuple[GatherExtra, ...], ArgumentInfo(text="pages adds the text of the pages, which is long.", longest=1)
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerArguments(EvidenceArguments):
    """Arguments of `web_answer`."""

    include: Annotated[
        tuple[AnswerExtra, ...],
        ArgumentInfo(text="gathered adds all passages that were found, not only those that are cited.", longest=1),
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchArguments:
    """Arguments of `web_research`."""

    question: Annotated[
        str,
        ArgumentInfo(text="The question to research, in full.", longest=1_000, example="How has the lamp changed?"),
    ]
    time_s: Annotated[
        int | None,
        ArgumentInfo(text="Seconds that it may take; the default is 60. The server has a cap.", least=1, most=3_600),
    ] = None
    pages: Annotated[
        int | None,
        ArgumentInfo(text="Pages to request at most; the default is 10. The server has a cap.", least=1, most=200),
    ] = None
    tokens: Annotated[
        int | None,
        ArgumentInfo(
            text="Tokens of the server's language model to use at most; the default is the server's cap.",
            least=0,
            most=1_000_000,
        ),
    ] = None
    max_usd: Annotated[
        float | None,
        ArgumentInfo(
            text="Dollars to spend at most on the model and on searches; only if the server has their prices.",
            least=0,
            most=1_000,
        ),
    ] = None
    journal: Annotated[
        str | None,
        ArgumentInfo(
            text="A name of yours for this research. The same question with the same name continues it, and asks for "
            "nothing twice; the limits are for all calls together.",
            longest=64,
            example="lamp-2026",
        ),
    ] = None
    provider: Provider = None
    all_notices: AllNotices = False
    include: Annotated[
        tuple[ResearchExtra, ...],
        ArgumentInfo(
            text="findings adds sentences and sources of each search; contradictions, those of the report as data.",
            longest=2,
        ),
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FindArguments:
    """Arguments of `web_find`."""

    url: Url
    pattern: Annotated[
        str,
        ArgumentInfo(text="Words to find; upper and lower case are equal.", longest=1_000, example="opening hours"),
    ]
    regex: Annotated[bool, ArgumentInfo(text="Treat the pattern as a regular expression over the page's markdown.")] = (
        False
    )
    limit: Annotated[int, ArgumentInfo(text="Maximum matches to show; the answer has the total.", least=1, most=50)] = (
        10
    )
    scroll: ScrollTo = "auto"
    profile: Profile = None
    all_notices: AllNotices = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsArguments:
    """Arguments of `web_facts`."""

    url: Url
    schema: Annotated[
        dict[str, Any] | None,  # Any: JSON Schema
        ArgumentInfo(
            text="JSON Schema of an object to fill, with `properties`. Answers with this record instead of all facts.",
            example={"properties": {"name": {"type": "string"}, "price": {"type": "number"}}},
        ),
    ] = None
    selectors: Annotated[
        dict[str, Any] | None,  # Any: text, a list with one text, or `each` with `fields`
        ArgumentInfo(
            text="Field to CSS selector; a@href takes an attribute, a list all matches. Answers with this record.",
            example={"price": ".price", "links": ["a@href"]},
        ),
    ] = None
    fresh: Annotated[bool, ArgumentInfo(text="The same as for web_read.")] = False
    render: Annotated[Render, ArgumentInfo(text="The same as for web_read.")] = "auto"
    profile: Profile = None
    all_notices: AllNotices = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MapArguments:
    """Arguments of `web_map`."""

    url: Url
    search: Annotated[
        str | None,
        ArgumentInfo(
            text="Return only URLs that have some of these words, in the URL or the title, best first.",
            longest=1_000,
            example="opening hours",
        ),
    ] = None
    limit: Annotated[
        int, ArgumentInfo(text="Most URLs to return; the answer says how many there are.", least=1, most=1_000)
    ] = 100
    depth: Annotated[
        int, ArgumentInfo(text="How far links are followed from the page; 0 takes site maps alone.", least=0, most=3)
    ] = 1
    subdomains: Annotated[bool, ArgumentInfo(text="Also return URLs on subdomains of the host.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallCrawlArguments:
    """Arguments of `web_crawl`."""

    url: Url
    limit: Annotated[int, ArgumentInfo(text="Most pages to ask for.", least=1, most=50)] = 10
    depth: Annotated[int, ArgumentInfo(text="Links to follow from the page.", least=0, most=5)] = 2
    include: Annotated[
        tuple[str, ...],
        ArgumentInfo(text="Globs: only URLs that match; one that begins with / is of the path.", longest=20),
    ] = ()
    exclude: Annotated[tuple[str, ...], ArgumentInfo(text="Globs: no URLs that match.", longest=20)] = ()
    max_time_s: Annotated[int, ArgumentInfo(text="Seconds after which no page is asked for.", least=1, most=120)] = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchArguments:
    """Arguments of `web_watch`."""

    action: Annotated[
        Literal["add", "list", "diff", "run", "remove"],
        ArgumentInfo(
            text="add watches `url`; list shows your watches; diff shows the last changes of `id`; run checks `id`, or "
            "all that are due; remove ends the watch `id`."
        ),
    ] = "list"
    url: Annotated[
        str | None,
        ArgumentInfo(text="add: the page to watch.", longest=8_000, example="https://example.com/page"),
    ] = None
    id: Annotated[
        int | None, ArgumentInfo(text="diff, run, remove: the number of the watch.", least=1, most=1_000_000_000)
    ] = None
    every_s: Annotated[int, ArgumentInfo(text="add: seconds between two checks.", least=60, most=31_536_000)] = 3_600
    selector: Annotated[
        str | None, ArgumentInfo(text="add: compare only elements that match this CSS selector.", longest=1_000)
    ] = None
    find: Annotated[str | None, ArgumentInfo(text="add: compare only lines that have these words.", longest=1_000)] = (
        None
    )
    count: Annotated[int, ArgumentInfo(text="diff: changes to show, newest first.", least=1, most=50)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadArguments:
    """Arguments of `web_download`."""

    url: Annotated[
        str,
        ArgumentInfo(
            text="The full http or https URL of the file.", longest=8_000, example="https://example.com/a.pdf"
        ),
    ]
    sha256: Annotated[
        str | None,
        ArgumentInfo(
            text="Checksum of the file, 64 hexadecimal digits; another file is refused.",
            longest=64,
            pattern="^[0-9A-Fa-f]{64}$",
        ),
    ] = None
    profile: Profile = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexArguments:
    """Arguments of `index_add` and `index_remove`."""

    url: Url


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexListArguments:
    """Arguments of `index_list`."""

    limit: Annotated[int, ArgumentInfo(text="Maximum URLs in this piece.", least=1, most=500)] = 100
    cursor: Annotated[
        str | None,
        ArgumentInfo(text="The cursor of the last answer, to continue it.", longest=18, pattern="^[0-9]+$"),
    ] = None
