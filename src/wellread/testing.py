"""Public fakes for tests of code that uses wellread: a dictionary of pages, a manual clock, a scripted model."""

from __future__ import annotations

import json
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from wellread.errors import Unreachable, WellreadError
from wellread.types import Headers, Request, Response

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence

    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model
    from pydantic_ai.models.function import AgentInfo, DeltaToolCalls

HTML: Headers = (("content-type", "text/html; charset=utf-8"),)


@dataclass
class DictWeb:
    """A `Fetcher` over a dictionary: URL -> HTML text, a `Response`, or the error to raise.

    `asked` lists the requests in order. An unknown URL is `Unreachable`, as a name that does not resolve would be.
    """

    pages: Mapping[str, str | Response | WellreadError]
    asked: list[Request] = field(default_factory=list)

    async def fetch(self, request: Request) -> Response:
        """Answer `request` from the dictionary."""
        self.asked.append(request)
        answer = self.pages.get(request.url)
        if isinstance(answer, str):
            return Response(url=request.url, status=200, headers=HTML, body=answer.encode())
        if isinstance(answer, Response):
            return answer
        raise answer or Unreachable(f"{request.url} is not in this DictWeb", url=request.url)


@dataclass
class FakeClock:
    """A `Clock` that moves only by `advance`."""

    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    elapsed_s: float = 0.0

    def now(self) -> datetime:
        """Return the current time."""
        return self.at

    def now_ms(self) -> int:
        """Return the current time in milliseconds since 1970-01-01 UTC."""
        return round(self.at.timestamp() * 1_000)

    def monotonic(self) -> float:
        """Return the seconds that the clock has moved."""
        return self.elapsed_s

    def advance(self, seconds: float) -> None:
        """Move the clock on by `seconds`."""
        self.at += timedelta(seconds=seconds)
        self.elapsed_s += seconds


@dataclass(frozen=True, slots=True)
class Call:
    """A scripted model's call of a tool; `arguments` as an object, or as text that may be malformed."""

    tool: str
    arguments: Mapping[str, object] | str = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """A request to a scripted model."""

    instructions: str
    messages: Sequence[ModelMessage]
    tools: tuple[str, ...]

    def results(self) -> list[str]:
        """Return the results of tools so far, the last one last."""
        parts = [part for message in self.messages for part in message.parts if part.part_kind == "tool-return"]
        return [str(part.content) for part in parts]


Asked = ModelRequest
"""The earlier name of `ModelRequest`; deprecated, and gone in the next minor version."""


@dataclass
class ScriptedModel:
    """A language model that answers by a script, step by step, streamed in words; needs `wellread[assistant]`.

    A step is a text, a `Call`, several of both, or a function of what was asked that returns one of these; with
    `repeat`, the last step is said for ever. `asked` lists what it was asked, in order. Past its script it fails, so
    that a request too many is seen.
    """

    script: Sequence[Step | Callable[[ModelRequest], Step]]
    repeat: bool = False
    asked: list[ModelRequest] = field(default_factory=list)

    def model(self) -> Model:
        """Return a model of Pydantic AI."""
        from pydantic_ai.models.function import FunctionModel
        from pydantic_ai.models.wrapper import WrapperModel

        class Whole(WrapperModel):
            """A model that ends its answers with a reason, as real services do."""

            @asynccontextmanager
            async def request_stream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[Any, None]:  # Any: passed on
                async with self.wrapped.request_stream(*args, **kwargs) as stream:
                    stream.finish_reason = "stop"
                    yield stream

        return Whole(FunctionModel(stream_function=self._stream, model_name="scripted"))

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        from pydantic_ai.models.function import DeltaToolCall

        number = len(self.asked)
        tools = tuple(tool.name for tool in (*info.function_tools, *info.output_tools))
        self.asked.append(ModelRequest(instructions=info.instructions or "", messages=messages, tools=tools))
        position = min(number, len(self.script) - 1) if self.repeat else number
        if position >= len(self.script):
            raise AssertionError(f"the script has {len(self.script)} steps, and this is request {number + 1}")
        step: Any = self.script[position]  # Any: a step, or what makes one
        answer = step
        if callable(step):
            answer = step(self.asked[-1])
        for index, part in enumerate(answer if isinstance(answer, list | tuple) else [answer]):
            if isinstance(part, Call):
                arguments = part.arguments if isinstance(part.arguments, str) else json.dumps(dict(part.arguments))
                name = f"call_{number}_{index}"
                yield {index: DeltaToolCall(name=part.tool, json_args=arguments, tool_call_id=name)}
            else:
                for word in re.findall(r"\S+\s*|\s+", part):
                    yield word


Step = str | Call | list[str | Call]
