"""The registry: every operation with its name, description, arguments, result and handler, for all interfaces.

A new operation is one entry here; the MCP server, the HTTP API and the agents' tool sets offer it from then on.
"""

from __future__ import annotations

from wellread.apps.operations import arguments, handlers, render_text, research_handler
from wellread.apps.operations.operation import Operation
from wellread.apps.operations.page_registry import PAGES
from wellread.apps.operations.results import CrawledUrls, Indexed, IndexedUrls, PageResults, Saved, Watched
from wellread.types import Answer, Facts, Found, Gathered, Matches, Page, Research, SiteMap

_HOME = "https://example.com/"

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="web_search",
        title="Search the web",
        words="Search the web. Returns titles, URLs and snippets, and the outcome of each search "
        "service, which shows whether a service found nothing or was blocked. Read a result with "
        "web_read; for an answer with citations use web_gather instead.",
        path="/v1/search",
        takes=arguments.SearchArguments,
        gives=Found,
        do=handlers.search,
        tell=render_text.found,
        example={"query": "tide pools opening hours", "count": 5},
    ),
    Operation(
        name="web_read",
        title="Read a page",
        words="Read a web page, PDF or feed as clean text. Long pages come in pieces: while `cursor` "
        "is not null, call again with it for the next piece. `complete` says whether the pieces "
        "together have all text; `notices` say which text is missing.",
        path="/v1/read",
        takes=arguments.ReadArguments,
        gives=Page,
        do=handlers.read,
        tell=render_text.page_text,
        example={"url": _HOME, "max_length": 4000},
    ),
    Operation(
        name="web_read_many",
        title="Read several pages",
        words="Read up to 50 web pages at once. The results come in the order of the URLs, each with a "
        "page as from web_read, or an error. To continue a page, call web_read with its cursor.",
        path="/v1/read/many",
        takes=arguments.ReadManyArguments,
        gives=PageResults,
        do=handlers.read_many,
        tell=render_text.page_results,
        example={"urls": [_HOME]},
        streams=True,
    ),
    Operation(
        name="web_gather",
        title="Gather evidence",
        words="Find passages on the web that answer a question: searches, reads the best pages, ranks "
        "their passages. Each passage has a citation (URL, snapshot id, offsets) that can be "
        "verified. `missed` lists pages that could not be read. Takes seconds; reports progress.",
        path="/v1/gather",
        takes=arguments.GatherArguments,
        gives=Gathered,
        do=handlers.gather,
        tell=render_text.gathered_text,
        example={"question": "Why was the lamp of the lighthouse changed?"},
        streams=True,
    ),
    Operation(
        name="web_answer",
        title="Answer a question",
        words="Answer a question from the web in a few sentences, each with citations that were verified. Sentences "
        "that their passages do not support are left out. For the evidence itself, use web_gather. Takes seconds.",
        path="/v1/answer",
        takes=arguments.AnswerArguments,
        gives=Answer,
        do=handlers.answer,
        tell=render_text.answer_text,
        example={"question": "Why was the lamp of the lighthouse changed?"},
        streams=True,
    ),
    Operation(
        name="web_research",
        title="Research a question",
        words="Research a question of several parts: plans up to five searches, reads pages within a budget, and "
        "returns a report in Markdown. Its citations were verified; it names contradictions between pages, what was "
        "not found, and what the budget left out. Takes up to minutes; for one fact use web_answer.",
        path="/v1/research",
        takes=arguments.ResearchArguments,
        gives=Research,
        do=research_handler.research,
        tell=render_text.research_text,
        example={"question": "When was the lamp of the lighthouse changed, and why?", "time_s": 60},
        streams=True,
    ),
    Operation(
        name="web_find",
        title="Find on a page",
        words="Find words or a regular expression on a page, with the text around each match. Cheaper "
        "than reading a long page.",
        path="/v1/find",
        takes=arguments.FindArguments,
        gives=Matches,
        do=handlers.find,
        tell=render_text.matches,
        example={"url": _HOME, "pattern": "example"},
    ),
    Operation(
        name="web_facts",
        title="Extract facts",
        words="Extract what a page declares for machines (product, recipe, event, job, article, breadcrumbs) and its "
        "tables as JSON. With `schema` or `selectors`, fills a record, each value with its source; `missing` lists "
        "fields that were not found. To read the text, use web_read.",
        path="/v1/facts",
        takes=arguments.FactsArguments,
        gives=Facts,
        do=handlers.facts,
        tell=render_text.facts_text,
        example={"url": _HOME},
    ),
    Operation(
        name="web_map",
        title="Map a site",
        words="List the URLs of a site with titles and dates: from its site maps, its feeds and its links. Use it to "
        "find the right page of a known site, with `search` words; read the page with web_read.",
        path="/v1/map",
        takes=arguments.MapArguments,
        gives=SiteMap,
        do=handlers.map_site,
        tell=render_text.site_map,
        example={"url": _HOME, "search": "opening hours"},
    ),
    Operation(
        name="web_crawl",
        title="Crawl a few pages",
        words="Crawl up to 50 pages of a site, politely, from a page: follows its links and site maps. Returns URLs "
        "with titles, and stores the pages: read them with web_read. For one page use web_read; to find a page "
        "first, web_map is cheaper. Takes up to two minutes.",
        path="/v1/crawl/pages",
        takes=arguments.SmallCrawlArguments,
        gives=CrawledUrls,
        do=handlers.crawl,
        tell=render_text.crawled_urls,
        example={"url": _HOME, "limit": 10},
    ),
    Operation(
        name="web_watch",
        title="Watch pages for changes",
        words="Watch pages for changes of their text. add checks a page once and stores its text; run checks again and "
        "returns a diff of what changed; dates, counters and advertising are no changes. You see only your own "
        "watches. To read a page once, use web_read.",
        path="/v1/watch",
        takes=arguments.WatchArguments,
        gives=Watched,
        do=handlers.watch,
        tell=render_text.watched,
        example={"action": "add", "url": _HOME, "every_s": 3600},
        read_only=False,
        idempotent=False,
        destructive=True,
    ),
    Operation(
        name="web_download",
        title="Download a file",
        words="Download a file into the server's workspace folder, under a safe name; existing files "
        "are not replaced. Returns its name and checksum.",
        path="/v1/download",
        takes=arguments.DownloadArguments,
        gives=Saved,
        do=handlers.download,
        tell=render_text.saved,
        example={"url": _HOME + "report.pdf"},
        read_only=False,
        idempotent=False,
    ),
    Operation(
        name="index_add",
        title="Add a page to the index",
        words="Read a page and add it to this server's local full-text index, which web_search and "
        "web_gather use. All callers of the server share the index.",
        path="/v1/index/add",
        takes=arguments.IndexArguments,
        gives=Indexed,
        do=handlers.index_add,
        tell=render_text.indexed,
        example={"url": _HOME},
        read_only=False,
    ),
    Operation(
        name="index_remove",
        title="Remove a page from the index",
        words="Remove a page from this server's local index, for all its callers.",
        path="/v1/index/remove",
        takes=arguments.IndexArguments,
        gives=Indexed,
        do=handlers.index_remove,
        tell=render_text.indexed,
        example={"url": _HOME},
        read_only=False,
        destructive=True,
        open_world=False,
    ),
    Operation(
        name="index_list",
        title="List the index",
        words="List the URLs in this server's local index.",
        path="/v1/index/list",
        takes=arguments.IndexListArguments,
        gives=IndexedUrls,
        do=handlers.index_list,
        tell=render_text.listing,
        example={"limit": 20},
        open_world=False,
    ),
    *PAGES,
)

BY_NAME = {operation.name: operation for operation in OPERATIONS}
