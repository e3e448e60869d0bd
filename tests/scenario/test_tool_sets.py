"""The tool sets and the examples that use them, with models that say what a script tells them to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from scenario.interfaces import FAQ, QUESTION, settings
from wellread import Web, tools
from wellread.apps.commands.demo import SITE
from wellread.apps.operations.registry import OPERATIONS
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from langchain_core.messages import BaseMessage
    from pydantic_ai.messages import ModelMessage

EXAMPLES = Path(__file__).parents[2] / "examples" / "agents"
CALL = {"question": QUESTION}
ANSWER = "Because it drew storm petrels out of the dark."


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Web]:
    async with Web(settings(tmp_path), replay=SITE) as web:
        await web.index(FAQ)
        yield web


@pytest.fixture(autouse=True)
def _examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


def example(name: str) -> Any:  # Any: a module
    sys.modules.pop(name, None)
    return __import__(name)


def heard(told: str) -> bool:
    return "storm petrels" in told and '<web-text id="' in told


async def test_an_openai_model_asks_and_answers(web: Web) -> None:
    class Responses:
        async def create(self, *, model: str, input: list[Any], tools: list[dict[str, Any]]) -> SimpleNamespace:
            assert {tool["type"] for tool in tools} == {"function"}
            if len(input) == 1:
                call = SimpleNamespace(
                    type="function_call", name="web_gather", arguments=json.dumps(CALL), call_id="c1"
                )
                return SimpleNamespace(output=[call], output_text="")
            assert heard(input[-1]["output"])
            assert input[-1]["call_id"] == "c1"
            return SimpleNamespace(output=[], output_text=ANSWER)

    client = SimpleNamespace(responses=Responses())
    assert await example("openai_loop").answer(client, QUESTION, tools.openai(web)) == ANSWER


async def test_an_anthropic_model_asks_and_answers(web: Web) -> None:
    class Messages:
        async def create(self, *, messages: list[Any], tools: list[dict[str, Any]], **_rest: object) -> SimpleNamespace:
            assert all(tool["input_schema"]["type"] == "object" for tool in tools)
            if len(messages) == 1:
                return SimpleNamespace(
                    content=[SimpleNamespace(type="tool_use", id="t1", name="web_gather", input=CALL)]
                )
            result = messages[-1]["content"][0]
            assert heard(result["content"])
            assert result["tool_use_id"] == "t1"
            return SimpleNamespace(content=[SimpleNamespace(type="text", text=ANSWER)])

    client = SimpleNamespace(messages=Messages())
    assert await example("anthropic_loop").answer(client, QUESTION, tools.anthropic(web)) == ANSWER


async def test_a_pydantic_ai_agent_asks_and_answers(web: Web) -> None:
    def script(said: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {tool.name for tool in info.function_tools} == {operation.name for operation in OPERATIONS}
        last = said[-1]
        assert isinstance(last, ModelRequest)
        returned = [part for part in last.parts if isinstance(part, ToolReturnPart)]
        if not returned:
            return ModelResponse(parts=[ToolCallPart("web_gather", CALL)])
        assert heard(str(returned[0].content))
        return ModelResponse(parts=[TextPart(ANSWER)])

    kit = tools.pydantic_ai(web)
    assert await example("pydantic_ai_agent").answer(FunctionModel(script), QUESTION, kit) == ANSWER


class Scripted(GenericFakeChatModel):
    """A model that takes tools and says its lines."""

    def bind_tools(self, tools: Any, **_options: Any) -> Any:  # Any: as in the class it extends
        assert [tool.name for tool in tools] == [operation.name for operation in OPERATIONS]
        return self

    def _generate(self, messages: list[BaseMessage], *rest: Any, **options: Any) -> Any:  # Any: the same
        if isinstance(messages[-1], ToolMessage):
            assert heard(str(messages[-1].content))
        return super()._generate(messages, *rest, **options)


async def test_a_langchain_model_asks_and_answers(web: Web) -> None:
    call = {"name": "web_gather", "args": CALL, "id": "c1", "type": "tool_call"}
    lines = iter([AIMessage(content="", tool_calls=[call]), AIMessage(content=ANSWER)])
    model = Scripted(messages=lines)
    assert await example("langchain_loop").answer(model, QUESTION, tools.langchain(web)) == ANSWER


async def test_a_failed_call_is_told_to_the_model_with_its_hint(web: Web) -> None:
    kit = tools.openai(web)
    refused = await kit.call("web_read", '{"url": "http://127.0.0.1/"}')
    assert refused.startswith("blocked_address: ")
    assert "the user sets net.allow_hosts=HOST:PORT" in refused
    assert "did you mean url?" in await kit.call("web_read", {"ulr": FAQ})
    assert "not JSON" in await kit.call("web_read", "{")
    assert "web_read" in await kit.call("web_fetch", {})
    assert "user_asked" in await kit.call("web_read", {"url": FAQ, "user_asked": True})


async def test_a_set_without_a_web_opens_its_own_and_closes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WELLREAD_CACHE_DIR", str(tmp_path))
    async with tools.openai(only=["index_list"]) as kit:
        assert [tool["name"] for tool in kit] == ["index_list"]
        assert (len(kit), kit[0]["name"]) == (1, "index_list")
        assert await kit.call("index_list") == "0 pages in the index."
    assert list(tmp_path.glob("*")) != []  # noqa: ASYNC240 - a look at a folder of the test's own


def test_a_tool_that_does_not_exist_is_no_choice() -> None:
    with pytest.raises(InvalidInput, match="web_fetch"):
        tools.anthropic(only=["web_fetch"])


async def test_every_set_has_the_same_names_words_and_arguments(web: Web) -> None:
    told = {
        "openai": [(tool["name"], tool["description"], tool["parameters"]) for tool in tools.openai(web)],
        "anthropic": [(tool["name"], tool["description"], tool["input_schema"]) for tool in tools.anthropic(web)],
        "pydantic_ai": [
            (tool.name, tool.description, tool.function_schema.json_schema) for tool in tools.pydantic_ai(web)
        ],
        "langchain": [(tool.name, tool.description, tool.args_schema) for tool in tools.langchain(web)],
    }
    wanted = [(operation.name, operation.description, operation.arguments_schema) for operation in OPERATIONS]
    assert all(each == wanted for each in told.values())
