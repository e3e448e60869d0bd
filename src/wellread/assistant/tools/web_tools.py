"""The web as tools: search, read, gather. Their results are tainted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.tool_types import Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, string_argument, string_schema
from wellread.types import only_warnings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.reading.pipeline import Pipeline
    from wellread.types import Found, Gathered, Page

MAX_PAGE_CHARS = 12_000


def web_tools(web: Pipeline) -> Sequence[Tool]:
    """Return the tools that read through `web`."""

    async def search(arguments: Mapping[str, object]) -> ToolResult:
        return ToolResult(_search_text(await web.search(string_argument(arguments, "query"), count=8)), tainted=True)

    async def read(arguments: Mapping[str, object]) -> ToolResult:
        page = await web.read(
            string_argument(arguments, "url"),
            max_length=MAX_PAGE_CHARS,
            cursor=string_argument(arguments, "cursor") or None,
        )
        return ToolResult(_page_text(page), tainted=True)

    async def gather(arguments: Mapping[str, object]) -> ToolResult:
        return ToolResult(_gathered_text(await web.gather(string_argument(arguments, "question"))), tainted=True)

    return (
        Tool(
            "web_search",
            "Search the web: titles, URLs, snippets.",
            arguments_schema(("query",), query=string_schema(max_length=1_000)),
            search,
        ),
        Tool(
            "web_read",
            "Read a page, PDF or feed as markdown; go on with `cursor`.",
            arguments_schema(("url",), url=string_schema(max_length=8_000), cursor=string_schema(max_length=2_000)),
            read,
        ),
        Tool(
            "web_gather",
            "Answer a question with cited passages from several pages.",
            arguments_schema(("question",), question=string_schema(max_length=2_000)),
            gather,
        ),
    )


def _search_text(results: Found) -> str:
    lines = [f"{hit.rank}. {hit.title}\n{hit.url}\n{hit.snippet[:300]}" for hit in results.hits]
    lines += [
        f"{outcome.provider}: {outcome.code} {outcome.detail}".rstrip()
        for outcome in results.outcomes
        if outcome.code != "ok"
    ]
    return "\n".join(lines) or "No results."


def _page_text(page: Page) -> str:
    lines = [f"{page.title or ''}\n{page.final_url}", page.text]
    lines += [f"Warning: {notice.code}: {notice.detail}" for notice in only_warnings(page.notices)]
    if page.cursor:
        lines.append(f"More follows: cursor {page.cursor}")
    return "\n\n".join(lines)


def _gathered_text(gathered: Gathered) -> str:
    lines = [
        f"[{number}] {passage.title} - {passage.fragment_url}{passage.cut and f' (cut at its {passage.cut})'}"
        f"\n{passage.text.strip()}"
        for number, passage in enumerate(gathered.passages, 1)
    ]
    lines += [f"Not read: {failure.url}: {failure.code}" for failure in gathered.missed]
    lines += [f"Warning: {notice.code}: {notice.detail}" for notice in gathered.notices]
    return "\n\n".join(lines)
