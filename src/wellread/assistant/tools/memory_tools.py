"""Tools of the memory: searching the facts and turns of the user, and forgetting a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.memory.recall import fit_budget
from wellread.assistant.tool_types import Effect, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, string_schema
from wellread.citations.evidence_prompt import quoted
from wellread.text.counts import count_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.memory.user_memory import UserMemory

MAX_SEARCH_TOKENS = 2_000
MAX_TOPICS = 5
NOTHING = "The memory holds nothing about that."


def _listed(head: str, rows: Sequence[tuple[str, str]]) -> str:
    return "\n".join([head, *(f"- {name}: {quoted(words)}" for name, words in rows)]) if rows else ""


def memory_tools(memory: UserMemory) -> tuple[Tool, ...]:
    """Return the tools `memory_search` and `memory_forget`."""

    async def search(arguments: Mapping[str, object]) -> ToolResult:
        query = str(arguments["query"])
        facts, windows = await memory.search(query)
        recalled = fit_budget(MAX_SEARCH_TOKENS, query, facts, windows)
        topics = await memory.topics(query, count=MAX_TOPICS)
        fact_ids = _listed(
            "Ids of these facts, for memory_forget:", [(topic.id, topic.text) for topic in recalled.facts]
        )
        about = _listed("Conversations about it:", [(topic.conversation, topic.text) for topic in topics])
        words = "\n".join(filter(None, (recalled.text, fact_ids, about)))
        return ToolResult(words or NOTHING, tainted=recalled.tainted or any(topic.tainted for topic in topics))

    async def forget(arguments: Mapping[str, object]) -> ToolResult:
        forgotten = await memory.forget(str(arguments["id"]))
        turns = count_of(len(forgotten.turns), "turn")
        message = f"Forgotten, with {turns} of conversation that said it: {quoted(forgotten.fact.text)}"
        return ToolResult(message, tainted=forgotten.fact.tainted, receipts=(f"forgotten: {forgotten.fact.text}",))

    return (
        Tool(
            name="memory_search",
            description="Look up what is known of the user and what was said in earlier conversations.",
            parameters=arguments_schema(
                ("query",), query=string_schema("What to look for, in a few words.", min_length=1)
            ),
            run=search,
        ),
        Tool(
            name="memory_forget",
            description=(
                "Forget one fact about the user for good, with the turns of conversation that said it. Only when the "
                "user asks for it. memory_search gives the ids."
            ),
            parameters=arguments_schema(("id",), id=string_schema("The id of the fact.", min_length=1)),
            run=forget,
            effect=Effect.OWN,
            simple=True,
        ),
    )
