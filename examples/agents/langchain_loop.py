"""A LangChain chat model that reads the web, without an agent framework around it.

export ANTHROPIC_API_KEY=...; pip install 'wellread[agents]' langchain-anthropic
python examples/agents/langchain_loop.py "Why was the lamp of the lighthouse changed?"
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import anyio
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from wellread import tools

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import StructuredTool

STEPS = 10


async def answer(model: BaseChatModel, question: str, kit: tools.ToolSet[StructuredTool]) -> str:
    """Let the model work until it calls no more tools."""
    by_name = {tool.name: tool for tool in kit}
    ready = model.bind_tools(list(kit))
    said: list[BaseMessage] = [HumanMessage(question)]
    for _ in range(STEPS):
        reply = await ready.ainvoke(said)
        assert isinstance(reply, AIMessage)
        said.append(reply)
        if not reply.tool_calls:
            return reply.text
        said += [await by_name[call["name"]].ainvoke(call) for call in reply.tool_calls]
    return "no answer within the steps allowed"


async def main() -> None:
    from langchain_anthropic import ChatAnthropic

    async with tools.langchain(only=["web_gather", "web_read"]) as kit:
        print(await answer(ChatAnthropic(model="claude-sonnet-4-5"), sys.argv[1], kit))


if __name__ == "__main__":
    anyio.run(main)
