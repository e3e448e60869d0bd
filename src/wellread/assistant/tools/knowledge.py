"""Tools over the knowledge base: taking in words for later, and passages that answer, each with its proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.ports import Effect, Tool, ToolResult
from wellread.types import Gathered
from wellread.web.evidence import wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.knowledge.knowledge import Knowledge

MOST_PASSAGES = 20
_WORDS = {"type": "string", "minLength": 1}


def knowledge_tools(knowledge: Knowledge) -> tuple[Tool, ...]:
    """The tools `remember` and `knowledge_search`."""

    async def remember(arguments: Mapping[str, object]) -> ToolResult:
        kept = await knowledge.add_text(str(arguments["text"]), title=str(arguments.get("title", "")))
        known = kept.outcome == "unchanged"
        said = (
            f"That was in the knowledge base already, as {kept.source}." if known else f"Remembered as {kept.source}."
        )
        return ToolResult(said, receipts=() if known else (f"remembered: {kept.title} ({kept.source})",))

    async def search(arguments: Mapping[str, object]) -> ToolResult:
        query, count = str(arguments["query"]), int(str(arguments.get("count", 8)))
        found = await knowledge.search(query, count=count)
        told = Gathered(
            query=query,
            hits=(),
            pages=(),
            passages=found.passages,
            missed=(),
            outcomes=(),
            notices=found.notices,
            search_time_ms=0,
            gather_time_ms=0,
        )
        notes = [f"{notice.code}: {notice.detail}" for notice in found.notices]
        # Whoever wrote a document, it may hold words of others.
        return ToolResult("\n\n".join([*notes, wrapped(told)]), tainted=bool(found.passages))

    return (
        Tool(
            name="remember",
            description="Keep a text in the knowledge base, word for word, so that knowledge_search finds it later.",
            parameters={
                "type": "object",
                "properties": {
                    "text": _WORDS | {"description": "What to keep."},
                    "title": {"type": "string", "description": "A name for it, if its first line is none."},
                },
                "required": ["text"],
                "additionalProperties": False,
            },
            run=remember,
            effect=Effect.OWN,
            simple=True,
        ),
        Tool(
            name="knowledge_search",
            description=(
                "Search the documents and notes that the user gave. Answers are passages, each with its document, "
                "snapshot and offsets to cite."
            ),
            parameters={
                "type": "object",
                "properties": {
                    "query": _WORDS | {"description": "A question or key words, in any language."},
                    "count": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": MOST_PASSAGES,
                        "description": "Most passages wanted; 8 if not said.",
                    },
                },
                "required": ["query"],
                "additionalProperties": False,
            },
            run=search,
        ),
    )
