"""Asks a model, or the next one where it does not answer, and streams its text.

Foreign errors become ours here. An answer that breaks off is kept as far as it came, and says so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from pydantic_ai import exceptions as theirs
from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from wellread.assistant.models.model_usage import USD, PlannedRequest, estimate_tokens
from wellread.errors import (
    Auth,
    ConfigError,
    Quota,
    RateLimited,
    Timeout,
    UnavailableError,
    Unreachable,
    Upstream,
    WellreadError,
)
from wellread.net.endpoint_client import EndpointError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from pydantic_ai.models import Model, StreamedResponse
    from pydantic_ai.settings import ModelSettings as Wishes

    from wellread.assistant.models.model_usage import UsageLedger

    Hear = Callable[[str], Awaitable[None]]
    Make = Callable[[], Model]

MAX_ERROR_CHARS = 200
ANSWER = "answer"
"""Name of the tool by which a model gives an answer of a given shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelQuestion:
    """A request to a model."""

    turn_id: str
    instructions: str
    messages: Sequence[ModelMessage]
    tools: Sequence[ToolDefinition] = ()
    shape: Mapping[str, Any] | None = None  # Any: JSON Schema
    """The answer must be an object like this, and nothing else."""
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """A model's answer."""

    message: ModelResponse
    text: str
    calls: tuple[ToolCallPart, ...] = ()
    cut: str | None = None
    """Why it is not whole, where it is not."""
    model: str = ""


class ModelClient:
    """The model client of one role: its model, and the models it falls back to."""

    def __init__(self, role: str, models: Sequence[tuple[str, Make]], ledger: UsageLedger, *, timeout_s: float) -> None:
        """Take the models by name, in the order in which they are asked; each is made when it is first asked."""
        self.role = role
        self._models = models
        self._ledger = ledger
        self._timeout_s = timeout_s

    @property
    def names(self) -> tuple[str, ...]:
        """The models, as the settings write them."""
        return tuple(name for name, _ in self._models)

    async def ask(self, question: ModelQuestion, hear: Hear) -> ModelAnswer:
        """Return the answer of the first model that gives one; `hear` gets its text in pieces.

        Raises:
            Budget: a cap is reached.
            UnavailableError: no model answers; the failure of the first is told.
            ConfigError: a model does not exist or cannot be asked so.
        """
        first: WellreadError | None = None
        for name, make in self._models:
            try:
                # In a thread: the SDK of a provider takes a second to load, and a stand-in's may never be needed.
                return await self._ask(name, await anyio.to_thread.run_sync(make), question, hear)
            except (UnavailableError, ConfigError) as error:
                first = first or error
        assert first is not None
        raise first

    async def _ask(self, name: str, model: Model, question: ModelQuestion, hear: Hear) -> ModelAnswer:
        input_tokens = question_tokens(question)
        row, max_tokens = await self._ledger.reserve(
            PlannedRequest(
                turn_id=question.turn_id, role=self.role, model=name, input_tokens=input_tokens, price=_price(model)
            )
        )
        # The endpoint client retries; retries of the SDK would multiply them.
        settings: Wishes = {"max_tokens": min(max_tokens, question.max_tokens or max_tokens), "max_retries": 0}
        try:
            response, cut = await self._stream(model, question, settings, hear)
        except WellreadError:
            # Nothing came, so nothing is charged. A reader who goes away midway leaves the row as it was entered.
            await self._ledger.settle(row, 0, 0, 0)
            raise
        usage = _usage(response, input_tokens)
        cost = _cost(replace(response, usage=usage))
        with anyio.CancelScope(shield=True):
            await self._ledger.settle(row, usage.input_tokens, usage.output_tokens, cost)
        return _answer(response, cut, name)

    async def _stream(
        self, model: Model, question: ModelQuestion, settings: Wishes, hear: Hear
    ) -> tuple[ModelResponse, str | None]:
        stream: StreamedResponse | None = None
        has_text = False
        try:
            with anyio.fail_after(self._timeout_s):
                opened = model_request_stream(
                    model, question.messages, model_settings=settings, model_request_parameters=_parameters(question)
                )
                async with opened as stream:
                    async for event in stream:
                        if piece := _text(event):
                            has_text = True
                            await hear(piece)
        except (
            theirs.AgentRunError,
            theirs.UserError,
            EndpointError,
            WellreadError,
            TimeoutError,
            ValueError,
        ) as error:
            failure = _translated(error, model.model_id)
            if stream is None or not has_text:
                raise failure from error
            return stream.get(), failure.message
        assert stream is not None
        return stream.get(), _ended_early(stream.get())


def _parameters(question: ModelQuestion) -> ModelRequestParameters:
    from pydantic_ai.messages import InstructionPart

    instructions = [InstructionPart(content=question.instructions)]
    if question.shape is None:
        return ModelRequestParameters(function_tools=list(question.tools), instruction_parts=instructions)
    shape = ToolDefinition(
        name=ANSWER,
        parameters_json_schema=dict(question.shape),
        description="Give the answer in this form.",
        kind="output",
    )
    return ModelRequestParameters(
        output_mode="tool", output_tools=[shape], allow_text_output=False, instruction_parts=instructions
    )


def question_tokens(question: ModelQuestion) -> int:
    """Return about how many tokens a question has, rather too many than too few."""
    tools = "".join(
        f"{tool.name}{tool.description}{json.dumps(tool.parameters_json_schema)}" for tool in question.tools
    )
    messages = ModelMessagesTypeAdapter.dump_json([*question.messages]).decode("utf-8", "replace")
    return estimate_tokens(question.instructions + tools) + estimate_tokens(messages)


def _text(event: object) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _ended_early(response: ModelResponse) -> str | None:
    if response.finish_reason is None or response.state != "complete":
        return "the answer broke off: its end never came"
    if response.finish_reason == "length":
        return "the answer reached its limit of tokens"
    if response.finish_reason == "content_filter":
        return "the provider's filter ended the answer"
    return None


def _answer(response: ModelResponse, cut: str | None, name: str) -> ModelAnswer:
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = tuple(part for part in response.parts if isinstance(part, ToolCallPart))
    if cut:
        # Half an instruction to a tool is none.
        response = ModelResponse(parts=[TextPart(text)], model_name=response.model_name, usage=response.usage)
        calls = ()
    return ModelAnswer(message=response, text=text, calls=calls, cut=cut, model=name)


# ------------------------------------------------------------------------------------------- what it costs


def _usage(response: ModelResponse, size: int) -> RequestUsage:
    """Return the tokens that the provider counted, or our estimate where it gave none."""
    if response.usage.input_tokens or response.usage.output_tokens:
        return response.usage
    output = "".join(str(getattr(part, "content", getattr(part, "args", ""))) for part in response.parts)
    return RequestUsage(input_tokens=size, output_tokens=estimate_tokens(output))


def _cost(response: ModelResponse) -> int | None:
    try:
        return round(response.cost().total_price * USD)
    except (LookupError, ValueError, AssertionError):
        return None


def _price(model: Model) -> tuple[int, int] | None:
    """Return the price of a million tokens, in and out, from the price list of Pydantic AI."""

    def cost_of(usage: RequestUsage) -> int | None:
        provider = model.provider
        response = ModelResponse(
            parts=[],
            usage=usage,
            model_name=model.model_name,
            provider_name=model.system,
            provider_url=provider.base_url if provider else None,
        )
        return _cost(response)

    # A thousand at a time: long contexts have prices of their own.
    input_cost, output_cost = cost_of(RequestUsage(input_tokens=1_000)), cost_of(RequestUsage(output_tokens=1_000))
    return None if input_cost is None or output_cost is None else (input_cost * 1_000, output_cost * 1_000)


# ------------------------------------------------------------------------------------------- what goes wrong


def _translated(error: BaseException, name: str) -> WellreadError:
    message = f"{name}: {error}"[:MAX_ERROR_CHARS]
    for cause in _causes(error):
        if isinstance(cause, WellreadError):
            return cause
        if isinstance(cause, theirs.ModelHTTPError):
            return _refused(cause, name)
        if isinstance(cause, TimeoutError):
            return Timeout(f"{name} took too long", hint="raise models.idle_s or models.timeout_s, or try again later")
    if isinstance(error, theirs.UserError):
        return ConfigError(message)
    if isinstance(error, theirs.ModelAPIError | EndpointError):
        return Unreachable(message, hint="check models.urls and the network connection")
    return Upstream(f"{name} sent an invalid answer: {error}"[:MAX_ERROR_CHARS])


def _refused(error: theirs.ModelHTTPError, name: str) -> WellreadError:
    status = error.status_code
    message = f"{name} answered {status}: {_message(error.body)}"[:MAX_ERROR_CHARS]
    if status in {401, 403}:
        return Auth(message, hint="check models.keys")
    if status == 402:
        return Quota(message)
    if status == 404:
        return ConfigError(message, hint="check the model's name, and models.urls")
    if status == 429:
        wait = (error.headers or {}).get("retry-after", "")
        retry_after_s = float(wait) if wait.isascii() and wait.isdigit() else None
        return RateLimited(message, retry_after_s=retry_after_s)
    return Upstream(message, status=status)


def _message(body: object) -> str:
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        error = error.get("message", error)
    return str(error)


def _causes(error: BaseException) -> list[BaseException]:
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return causes


class SingleQuestionModel:
    """A `TextModel` over a model client: one question, one text."""

    def __init__(self, speaker: ModelClient, turn_id: Callable[[], str]) -> None:
        """Take the model client, and the function that returns the turn to count a question under."""
        self._speaker = speaker
        self._turn_id = turn_id

    async def answer(self, instructions: str, text: str, *, max_tokens: int = 1_000) -> str:
        """Return the model's answer.

        Raises:
            UnavailableError: no model answers, or its answer broke off.
            Budget: a cap is reached.
        """
        answer = await self._speaker.ask(
            ModelQuestion(
                turn_id=self._turn_id(),
                instructions=instructions,
                messages=[ModelRequest.user_text_prompt(text)],
                max_tokens=max_tokens,
            ),
            _unheard,
        )
        if answer.cut and not answer.text:
            raise Upstream(answer.cut)
        return answer.text


async def structured_answer(speaker: ModelClient, question: ModelQuestion) -> object:
    """Return the answer to a question with a `shape`; None where the model did not keep to it.

    Raises:
        UnavailableError, Budget: as `ModelClient.ask`.
    """
    answer = await speaker.ask(question, _unheard)
    text = answer.calls[0].args_as_json_str() if answer.calls else answer.text
    try:
        return json.loads(text[text.index("{") : text.rindex("}") + 1])
    except ValueError:
        return None


async def _unheard(_piece: str) -> None:
    """Ignore the piece: the caller waits for the whole text."""
