"""The operations as tools for agent frameworks: definitions for the model, and a function that runs its calls.

    async with tools.openai() as kit:
        reply = await client.responses.create(model=..., input=..., tools=list(kit))
        told = await kit.call(item.name, item.arguments)

Names, arguments and errors are those of every other interface. What a call gives back is text for the model, in which
everything that comes from the web is marked as a quotation.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from wellread.apps.operations import definitions, render_text
from wellread.apps.operations.browser_handlers import Picture
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.apps.operations.handlers import OWNER_HINTS
from wellread.apps.operations.registry import OPERATIONS
from wellread.errors import InvalidInput, PluginError, WellreadError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from langchain_core.tools import StructuredTool
    from pydantic_ai import Tool

    from wellread.apps.build import Web
    from wellread.apps.operations.dispatcher import OperationDispatcher
    from wellread.apps.operations.operation import Operation

__all__ = ["ToolSet", "anthropic", "langchain", "openai", "pydantic_ai"]

T = TypeVar("T")
ModelContent = Any  # Any: text, or a list of parts in the form of the framework


class ToolSet(Sequence[T], Generic[T]):
    """A list of tools for one framework, and `call`, which runs them.

    Give it a `Web` that is yours to close, or use it as an async context manager: it then opens one, and closes it.
    """

    def __init__(
        self,
        make: Callable[[Operation, ToolSet[T]], T],
        show: Callable[[str, bytes], ModelContent],
        *,
        web: Web | None,
        only: Collection[str] | None,
    ) -> None:
        """Make a tool of each operation, or of each in `only`; `show` joins a PNG with its text.

        Raises:
            InvalidInput: a name in `only` is not an operation.
        """
        operations = {operation.name: operation for operation in OPERATIONS}
        for name in only or ():
            if name not in operations:
                raise InvalidInput(f"unknown operation {name!r}", hint="one of " + ", ".join(operations))
        self._show = show
        self._web = web
        self._mine = web is None
        self._dispatcher: OperationDispatcher | None = None
        self._tools = [make(operation, self) for operation in OPERATIONS if only is None or operation.name in only]

    async def __aenter__(self) -> Self:
        """Return the same tools; the web is opened by the first call."""
        return self

    async def __aexit__(self, *_exc: object) -> None:
        """Close the browser sessions of its calls, and the web, if it was opened here."""
        if self._dispatcher is not None:
            await self._dispatcher.aclose()
        if self._mine and self._web is not None:
            await self._web.aclose()
            self._web = self._dispatcher = None

    def __getitem__(self, index: Any) -> Any:  # Any: Sequence's own overloads, for an index and for a slice
        """Return a tool, or a slice of tools."""
        return self._tools[index]

    def __len__(self) -> int:
        """Return the number of tools."""
        return len(self._tools)

    def __iter__(self) -> Iterator[T]:
        """Iterate over the tools."""
        return iter(self._tools)

    async def call(self, name: str, arguments: str | Mapping[str, object] | None = None) -> ModelContent:
        """Run one call of a model; `arguments` as an object, or as JSON text, which some models send.

        Returns text; for a picture a list of parts, which the framework takes wherever it takes the text. A failure is
        told, not raised: its code and hint are for the model to act on.
        """
        try:
            answer = await self._opened().do(name, _object(arguments), interface="tools")
        except WellreadError as error:
            return render_text.failure_text(error)
        return self._show(answer.text(), answer.value.png) if isinstance(answer.value, Picture) else answer.text()

    def _opened(self) -> OperationDispatcher:
        if self._dispatcher is None:
            from wellread.apps.build import Web
            from wellread.apps.system_clock import SystemClock

            self._web = self._web or Web()
            self._dispatcher = open_dispatcher(self._web.parts.settings, self._web, SystemClock())
            self._dispatcher.hints = OWNER_HINTS
        return self._dispatcher


def openai(web: Web | None = None, *, only: Collection[str] | None = None) -> ToolSet[definitions.Json]:
    """Return tools for OpenAI's Responses API and the Agents SDK's function tools."""

    def show(text: str, png: bytes) -> ModelContent:
        url = f"data:image/png;base64,{_base64(png)}"
        return [{"type": "input_text", "text": text}, {"type": "input_image", "image_url": url}]

    return ToolSet(lambda operation, _: definitions.openai(operation), show, web=web, only=only)


def anthropic(web: Web | None = None, *, only: Collection[str] | None = None) -> ToolSet[definitions.Json]:
    """Return tools for Anthropic's Messages API."""

    def show(text: str, png: bytes) -> ModelContent:
        source = {"type": "base64", "media_type": "image/png", "data": _base64(png)}
        return [{"type": "text", "text": text}, {"type": "image", "source": source}]

    return ToolSet(lambda operation, _: definitions.anthropic(operation), show, web=web, only=only)


def pydantic_ai(web: Web | None = None, *, only: Collection[str] | None = None) -> ToolSet[Tool[None]]:
    """Return tools for `pydantic_ai.Agent(tools=...)`; needs `wellread[agents]`.

    Raises:
        PluginError: Pydantic AI is not installed.
    """
    try:
        from pydantic_ai import BinaryContent, Tool
    except ImportError as error:
        raise _missing("pydantic-ai-slim") from error

    def make(operation: Operation, tools: ToolSet[Tool[None]]) -> Tool[None]:
        return Tool.from_schema(
            _caller(operation, tools), operation.name, operation.description, operation.arguments_schema
        )

    def show(text: str, png: bytes) -> ModelContent:
        return [text, BinaryContent(png, media_type="image/png")]

    return ToolSet(make, show, web=web, only=only)


def langchain(web: Web | None = None, *, only: Collection[str] | None = None) -> ToolSet[StructuredTool]:
    """Return tools for LangChain and LangGraph agents; needs `wellread[agents]`.

    Raises:
        PluginError: LangChain is not installed.
    """
    try:
        from langchain_core.tools import StructuredTool
    except ImportError as error:
        raise _missing("langchain-core") from error

    def make(operation: Operation, tools: ToolSet[StructuredTool]) -> StructuredTool:
        return StructuredTool(
            name=operation.name,
            description=operation.description,
            args_schema=operation.arguments_schema,
            coroutine=_caller(operation, tools),
        )

    def show(text: str, png: bytes) -> ModelContent:
        return [{"type": "text", "text": text}, {"type": "image", "base64": _base64(png), "mime_type": "image/png"}]

    return ToolSet(make, show, web=web, only=only)


def _caller(operation: Operation, tools: ToolSet[T]) -> Callable[..., Any]:  # Any: a coroutine of text
    async def call(**arguments: object) -> ModelContent:
        return await tools.call(operation.name, arguments)

    return call


def _base64(png: bytes) -> str:
    return base64.b64encode(png).decode("ascii")


def _object(arguments: str | Mapping[str, object] | None) -> object:
    if not isinstance(arguments, str):
        return arguments or {}
    try:
        return json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the arguments are not JSON", hint="send one JSON object") from error


def _missing(package: str) -> PluginError:
    return PluginError(f"{package} is not installed", hint="pip install 'wellread[agents]'")
