"""Tools over the memory: looking up what is known of the user, and forgetting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.memory.recall import within
from wellread.assistant.ports import Effect, Tool, ToolResult
from wellread.assistant.tools.schemas import takes, text
from wellread.web.evidence import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.memory.memory import Memory

SEARCH_TOKENS = 2_000
TOPICS = 5
NOTHING = "The memory holds nothing about that."


def _listed(head: str, rows: Sequence[tuple[str, str]]) -> str:
    return "\n".join([head, *(f"- {name}: {quoted(words)}" for name, words in rows)]) if rows else ""


def memory_tools(memory: Memory) -> tuple[Tool, ...]:
    """The tools `memory_search` and `memory_forget`."""

    async def search(arguments: Mapping[str, object]) -> ToolResult:
        query = str(arguments["query"])
        facts, windows = await memory.search(query)
        told = within(SEARCH_TOKENS, query, facts, windows)
        topics = await memory.topics(query, count=TOPICS)
        facts_found = _listed("Ids of these facts, for memory_forget:", [(it.id, it.text) for it in told.facts])
        about = _listed("Conversations about it:", [(it.conversation, it.text) for it in topics])
        words = "\n".join(filter(None, (told.text, facts_found, about)))
        return ToolResult(words or NOTHING, tainted=told.tainted or any(it.tainted for it in topics))

    async def forget(arguments: Mapping[str, object]) -> ToolResult:
        gone = await memory.forget(str(arguments["id"]))
        said = f"Forgotten, with {len(gone.turns)} turns of conversation that said it: {quoted(gone.fact.text)}"
        return ToolResult(said, tainted=gone.fact.tainted, receipts=(f"forgotten: {gone.fact.text}",))

    return (
        Tool(
            name="memory_search",
            description="Look up what is known of the user and what was said in earlier conversations.",
            parameters=takes(("query",), query=text("What to look for, in a few words.", least=1)),
            run=search,
        ),
        Tool(
            name="memory_forget",
            description=(
                "Forget one fact about the user for good, with the turns of conversation that said it. Only when the "
                "user asks for it. memory_search gives the ids."
            ),
            parameters=takes(("id",), id=text("The id of the fact.", least=1)),
            run=forget,
            effect=Effect.OWN,
            simple=True,
        ),
    )
