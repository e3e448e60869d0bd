"""OpenAI Agents SDK: the `function_call_output` in the input of the model's second turn, by each of its settings."""

from __future__ import annotations

import asyncio
import json
import os
from importlib import import_module
from typing import Any

import report

agents = import_module("agents")
mcp_servers = import_module("agents.mcp")
responses = import_module("openai.types.responses")


class ScriptedModel(agents.Model):  # type: ignore[misc, name-defined]  # loaded in its own environment only
    """Calls the tool in the first turn, and keeps what it is given in the second."""

    def __init__(self) -> None:
        """Begin without a turn."""
        self.outputs: list[Any] = []

    async def get_response(self, *, input: Any, **_options: object) -> Any:
        """Answer one turn."""
        items = input if isinstance(input, list) else []
        self.outputs = [item["output"] for item in items if item.get("type") == "function_call_output"]
        name, arguments = report.call()
        output = responses.ResponseFunctionToolCall(
            type="function_call", name=name, arguments=json.dumps(arguments), call_id="1"
        )
        if self.outputs:
            text = responses.ResponseOutputText(type="output_text", text="Done.", annotations=[])
            output = responses.ResponseOutputMessage(
                id="m", type="message", role="assistant", status="completed", content=[text]
            )
        return agents.ModelResponse(output=[output], usage=agents.Usage(), response_id=None)

    def stream_response(self, *_rest: object, **_options: object) -> Any:
        """Refuse: nothing here streams."""
        raise NotImplementedError


async def main() -> None:
    """Run an agent to its end."""
    agents.set_tracing_disabled(disabled=True)
    target = report.target()
    structured = os.environ.get("VARIANT") == "structured"
    options: dict[str, Any] = {"use_structured_content": structured, "client_session_timeout_seconds": 60}
    if target.transport == "stdio":
        params = {"command": target.command[0], "args": target.command[1:]}
        server = mcp_servers.MCPServerStdio(params, **options)
    else:
        server = mcp_servers.MCPServerStreamableHttp({"url": target.url}, **options)
    model = ScriptedModel()
    async with server:
        agent = agents.Agent(name="reader", model=model, mcp_servers=[server])
        await agents.Runner.run(agent, "Read the log.")
    output = model.outputs[0]
    text = output if isinstance(output, str) else "\n".join(part["text"] for part in output)
    name = "openai-agents, use_structured_content" if structured else "openai-agents"
    report.report(name, "openai-agents", text)


asyncio.run(main())
