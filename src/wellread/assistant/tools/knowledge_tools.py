"""Tools of the knowledge base: storing a text, and searching passages, each with its proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.tool_types import Effect, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, integer_argument, integer_schema, string_schema
from wellread.citations.evidence_prompt import wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.knowledge.knowledge_base import KnowledgeBase

MAX_PASSAGES = 20


def knowledge_tools(knowledge: KnowledgeBase) -> tuple[Tool, ...]:
    """Return the tools `remember` and `knowledge_search`."""
    usual = knowledge.sizes.passages

    async def remember(arguments: Mapping[str, object]) -> ToolResult:
        ingested = await knowledge.add_text(str(arguments["text"]), title=str(arguments.get("title", "")))
        if ingested.outcome == "unchanged":
            return ToolResult(f"That was in the knowledge base already, as {ingested.source}.")
        return ToolResult(
            f"Remembered as {ingested.source}.", receipts=(f"remembered: {ingested.title} ({ingested.source})",)
        )

    async def search(arguments: Mapping[str, object]) -> ToolResult:
        answers = await knowledge.search(str(arguments["query"]), count=integer_argument(arguments, "count", usual))
        # Whoever gave a document, it may hold words of others.
        return ToolResult(wrapped(answers), tainted=bool(answers.passages))

    return (
        Tool(
            name="remember",
            description="Keep a text in the knowledge base, word for word, so that knowledge_search finds it later.",
            parameters=arguments_schema(
                ("text",),
                text=string_schema("What to keep.", min_length=1),
                title=string_schema("A name for it, if its first line is none."),
            ),
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
            parameters=arguments_schema(
                ("query",),
                query=string_schema("A question or key words, in any language.", min_length=1),
                count=integer_schema(f"Most passages wanted; {usual} if not said.", minimum=1, maximum=MAX_PASSAGES),
            ),
            run=search,
        ),
    )
