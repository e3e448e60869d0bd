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
        description="Search the web. Returns titles, URLs and snippets, and the outcome of each search "
        "service, which shows whether a service found nothing or was blocked. Read a result with "
        "web_read; for an answer with citations use web_gather instead.",
        path="/v1/search",
        arguments=arguments.SearchArguments,
        result=Found,
        handler=handlers.search,
        render_text=render_text.found,
        example={"query": "tide pools opening hours", "count": 5},
    ),
    Operation(
        name="web_read",
        title="Read a page",
        description="Read a web page, PDF or feed as clean text. Long pages come in pieces: while `cursor` "
        "is not null, call again with it for the next piece. `complete` says whether the pieces "
        "together have all text; `notices` say which text is missing.",
        path="/v1/read",
        arguments=arguments.ReadArguments,
        result=Page,
        handler=handlers.read,
        render_text=render_text.page_text,
        example={"url": _HOME, "max_length": 4000},
    ),
    Operation(
        name="web_read_many",
        title="Read several pages",
        description="Read up to 50 web pages at once. The results come in the order of the URLs, each with a "
        "page as from web_read, or an error. To continue a page, call web_read with its cursor.",
        path="/v1/read/many",
        arguments=arguments.ReadManyArguments,
        result=PageResults,
        handler=handlers.read_many,
        render_text=render_text.page_results,
        example={"urls": [_HOME]},
        streams=True,
    ),
    Operation(
        name="web_gather",
        title="Gather evidence",
        description="Find passages on the web that answer a question: searches, reads the best pages, ranks "
        "their passages. Each passage has a citation (URL, snapshot id, offsets) that can be "
        "verified. `missed` lists pages that could not be read. Takes seconds; reports progress.",
        path="/v1/gather",
        arguments=arguments.GatherArguments,
        result=Gathered,
        handler=handlers.gather,
        render_text=render_text.gathered_text,
        example={"question": "Why was the lamp of the lighthouse changed?"},
        streams=True,
    ),
    Operation(
        name="web_answer",
        title="Answer a question",
        description="Answer a question from the web in a few sentences, each with citations that were verified. "
        "Sentences that their passages do not support are left out. For the evidence itself, use web_gather. Takes "
        "seconds.",
        path="/v1/answer",
        arguments=arguments.AnswerArguments,
        result=Answer,
        handler=handlers.answer,
        render_text=render_text.answer_text,
        example={"question": "Why was the lamp of the lighthouse changed?"},
        streams=True,
    ),
    Operation(
        name="web_research",
        title="Research a question",
        description="Research a question of several parts: plans up to five searches, reads pages within a budget, and "
        "returns a report in Markdown. Its citations were verified; it names contradictions between pages, what was "
        "not found, and what the budget left out. Takes up to minutes; for one fact use web_answer.",
        path="/v1/research",
        arguments=arguments.ResearchArguments,
        result=Research,
        handler=research_handler.research,
        render_text=render_text.research_text,
        example={"question": "When was the lamp of the lighthouse changed, and why?", "time_s": 60},
        streams=True,
    ),
    Operation(
        name="web_find",
        title="Find on a page",
        description="Find words or a regular expression on a page, with the text around each match. Cheaper "
        "than reading a long page.",
        path="/v1/find",
        arguments=arguments.FindArguments,
        result=Matches,
        handler=handlers.find,
        render_text=render_text.matches,
        example={"url": _HOME, "pattern": "example"},
    ),
    Operation(
        name="web_facts",
        title="Extract facts",
        description="Extract what a page declares for machines (product, recipe, event, job, article, breadcrumbs) and "
        "its tables as JSON. With `schema` or `selectors`, fills a record, each value with its source; `missing` lists "
        "fields that were not found. To read the text, use web_read.",
        path="/v1/facts",
        arguments=arguments.FactsArguments,
        result=Facts,
        handler=handlers.facts,
        render_text=render_text.facts_text,
        example={"url": _HOME},
    ),
    Operation(
        name="web_map",
        title="Map a site",
        description="List the URLs of a site with titles and dates: from its site maps, its feeds and its links. Use "
        "it to find the right page of a known site, with `search` words; read the page with web_read.",
        path="/v1/map",
        arguments=arguments.MapArguments,
        result=SiteMap,
        handler=handlers.map_site,
        render_text=render_text.site_map,
        example={"url": _HOME, "search": "opening hours"},
    ),
    Operation(
        name="web_crawl",
        title="Crawl a few pages",
        description="Crawl up to 50 pages of a site, politely, from a page: follows its links and site maps. Returns "
        "URLs with titles, and stores the pages: read them with web_read. For one page use web_read; to find a page "
        "first, web_map is cheaper. Takes up to two minutes.",
        path="/v1/crawl/pages",
        arguments=arguments.SmallCrawlArguments,
        result=CrawledUrls,
        handler=handlers.crawl,
        render_text=render_text.crawled_urls,
        example={"url": _HOME, "limit": 10},
    ),
    Operation(
        name="web_watch",
        title="Watch pages for changes",
        description="Watch pages for changes of their text. add checks a page once and stores its text; run checks "
        "again and returns a diff of what changed; dates, counters and advertising are no changes. You see only your "
        "own watches. To read a page once, use web_read.",
        path="/v1/watch",
        arguments=arguments.WatchArguments,
        result=Watched,
        handler=handlers.watch,
        render_text=render_text.watched,
        example={"action": "add", "url": _HOME, "every_s": 3600},
        read_only=False,
        idempotent=False,
        destructive=True,
    ),
    Operation(
        name="web_download",
        title="Download a file",
        description="Download a file into the server's workspace folder, under a safe name; existing files "
        "are not replaced. Returns its name and checksum.",
        path="/v1/download",
        arguments=arguments.DownloadArguments,
        result=Saved,
        handler=handlers.download,
        render_text=render_text.saved,
        example={"url": _HOME + "report.pdf"},
        read_only=False,
        idempotent=False,
    ),
    Operation(
        name="index_add",
        title="Add a page to the index",
        description="Read a page and add it to this server's local full-text index, which web_search and "
        "web_gather use. All callers of the server share the index.",
        path="/v1/index/add",
        arguments=arguments.IndexArguments,
        result=Indexed,
        handler=handlers.index_add,
        render_text=render_text.indexed,
        example={"url": _HOME},
        read_only=False,
    ),
    Operation(
        name="index_remove",
        title="Remove a page from the index",
        description="Remove a page from this server's local index, for all its callers.",
        path="/v1/index/remove",
        arguments=arguments.IndexArguments,
        result=Indexed,
        handler=handlers.index_remove,
        render_text=render_text.indexed,
        example={"url": _HOME},
        read_only=False,
        destructive=True,
        open_world=False,
    ),
    Operation(
        name="index_list",
        title="List the index",
        description="List the URLs in this server's local index.",
        path="/v1/index/list",
        arguments=arguments.IndexListArguments,
        result=IndexedUrls,
        handler=handlers.index_list,
        render_text=render_text.listing,
        example={"limit": 20},
        open_world=False,
    ),
    *PAGES,
)

BY_NAME = {operation.name: operation for operation in OPERATIONS}
