"""The same agent with Anthropic's Messages API.

export ANTHROPIC_API_KEY=...; pip install anthropic 'wellread'
python examples/agents/anthropic_loop.py "Why was the lamp of the lighthouse changed?"
"""

from __future__ import annotations

import sys
from typing import Any

import anyio

from wellread import tools

MODEL = "claude-sonnet-4-5"
STEPS = 10


async def answer(client: Any, question: str, kit: tools.ToolSet[dict[str, Any]]) -> str:
    """Let the model work until it calls no more tools; `client` is an `anthropic.AsyncAnthropic`."""
    said: list[Any] = [{"role": "user", "content": question}]
    for _ in range(STEPS):
        reply = await client.messages.create(model=MODEL, max_tokens=2_000, messages=said, tools=list(kit))
        said.append({"role": "assistant", "content": reply.content})
        calls = [part for part in reply.content if part.type == "tool_use"]
        if not calls:
            return "".join(part.text for part in reply.content if part.type == "text")
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": await kit.call(call.name, call.input)}
            for call in calls
        ]
        said.append({"role": "user", "content": results})
    return "no answer within the steps allowed"


async def main() -> None:
    from anthropic import AsyncAnthropic

    async with tools.anthropic(only=["web_gather", "web_read"]) as kit:
        print(await answer(AsyncAnthropic(), sys.argv[1], kit))


if __name__ == "__main__":
    anyio.run(main)
