"""An agent in thirty lines: a model asks for tools, wellread carries the calls out, until the model answers.

export OPENAI_API_KEY=...; pip install openai 'wellread'
python examples/agents/openai_loop.py "Why was the lamp of the lighthouse changed?"
"""

from __future__ import annotations

import sys
from typing import Any

import anyio

from wellread import tools

MODEL = "gpt-5.2"
STEPS = 10


async def answer(client: Any, question: str, kit: tools.ToolSet[dict[str, Any]]) -> str:
    """Let the model work until it calls no more tools; `client` is an `openai.AsyncOpenAI`."""
    said: list[Any] = [{"role": "user", "content": question}]
    for _ in range(STEPS):
        reply = await client.responses.create(model=MODEL, input=said, tools=list(kit))
        said += reply.output
        calls = [item for item in reply.output if item.type == "function_call"]
        if not calls:
            return str(reply.output_text)
        for call in calls:
            told = await kit.call(call.name, call.arguments)
            said.append({"type": "function_call_output", "call_id": call.call_id, "output": told})
    return "no answer within the steps allowed"


async def main() -> None:
    from openai import AsyncOpenAI

    async with tools.openai(only=["web_gather", "web_read"]) as kit:
        print(await answer(AsyncOpenAI(), sys.argv[1], kit))


if __name__ == "__main__":
    anyio.run(main)
