"""The web as tools: search, read, gather. What comes back is words of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.ports import Tool, ToolResult
from wellread.assistant.tools.schemas import said, takes, text
from wellread.types import only_warnings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.types import Found, Gathered, Page
    from wellread.web.pipeline import Pipeline

PIECE_CHARS = 12_000


def web_tools(web: Pipeline) -> Sequence[Tool]:
    """Return the tools that read through `web`."""

    async def search(given: Mapping[str, object]) -> ToolResult:
        return ToolResult(_found(await web.search(said(given, "query"), count=8)), tainted=True)

    async def read(given: Mapping[str, object]) -> ToolResult:
        page = await web.read(said(given, "url"), max_length=PIECE_CHARS, cursor=said(given, "cursor") or None)
        return ToolResult(_page(page), tainted=True)

    async def gather(given: Mapping[str, object]) -> ToolResult:
        return ToolResult(_gathered(await web.gather(said(given, "question"))), tainted=True)

    return (
        Tool(
            "web_search",
            "Search the web: titles, URLs, snippets.",
            takes(("query",), query=text(longest=1_000)),
            search,
        ),
        Tool(
            "web_read",
            "Read a page, PDF or feed as markdown; go on with `cursor`.",
            takes(("url",), url=text(longest=8_000), cursor=text(longest=2_000)),
            read,
        ),
        Tool(
            "web_gather",
            "Answer a question with cited passages from several pages.",
            takes(("question",), question=text(longest=2_000)),
            gather,
        ),
    )


def _found(told: Found) -> str:
    lines = [f"{hit.rank}. {hit.title}\n{hit.url}\n{hit.snippet[:300]}" for hit in told.hits]
    lines += [f"{it.provider}: {it.code} {it.detail}".rstrip() for it in told.outcomes if it.code != "ok"]
    return "\n".join(lines) or "No results."


def _page(told: Page) -> str:
    lines = [f"{told.title or ''}\n{told.final_url}", told.text]
    lines += [f"Warning: {notice.code}: {notice.detail}" for notice in only_warnings(told.notices)]
    if told.cursor:
        lines.append(f"More follows: cursor {told.cursor}")
    return "\n\n".join(lines)


def _gathered(told: Gathered) -> str:
    lines = [
        f"[{number}] {it.title} - {it.fragment_url}{it.cut and f' (cut at its {it.cut})'}\n{it.text.strip()}"
        for number, it in enumerate(told.passages, 1)
    ]
    lines += [f"Not read: {it.url}: {it.code}" for it in told.missed]
    lines += [f"Warning: {notice.code}: {notice.detail}" for notice in told.notices]
    return "\n\n".join(lines)
