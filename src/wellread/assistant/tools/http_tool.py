"""http_request: any request to a public address, through the same guard as everything else; needs approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, enum_schema, string_argument, string_schema
from wellread.types import Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.ports import Fetcher

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
MAX_BODY_CHARS = 20_000
"""No more than a person is shown when asked: what they cannot see they do not agree to."""
MAX_SHOWN_CHARS = 12_000


def http_tool(fetcher: Fetcher) -> Tool:
    """Return the tool that sends through `fetcher`."""

    async def run(arguments: Mapping[str, object]) -> ToolResult:
        headers = arguments.get("headers", {})
        assert isinstance(headers, dict)
        method = string_argument(arguments, "method")
        answer = await fetcher.fetch(
            Request(
                url=string_argument(arguments, "url"),
                method=method,
                headers=tuple((str(name), str(value)) for name, value in headers.items()),
                body=string_argument(arguments, "body").encode(),
                user_asked=True,  # the user was shown the very request
            )
        )
        body = answer.body.decode("utf-8", "replace")[:MAX_SHOWN_CHARS]
        receipt = f"{method} {answer.url}: {answer.status}"
        return ToolResult(f"{answer.status}\n\n{body}", tainted=True, receipts=(receipt,))

    return Tool(
        "http_request",
        "Send an HTTP request to a public API. To read pages use web_read.",
        arguments_schema(
            ("method", "url"),
            method=enum_schema(METHODS),
            url=string_schema(max_length=8_000),
            headers={"type": "object", "additionalProperties": {"type": "string"}},
            body=string_schema(max_length=MAX_BODY_CHARS),
        ),
        run,
        effect=Effect.WORLD,
        preview=preview,
    )


def preview(arguments: Mapping[str, object]) -> Preview:
    """Return the preview of the whole request."""
    headers = arguments.get("headers", {})
    assert isinstance(headers, dict)
    listed = "\n".join(f"{name}: {value}" for name, value in headers.items())
    parts = [("headers", listed), ("body", string_argument(arguments, "body"))]
    return Preview(
        f"{string_argument(arguments, 'method')} {string_argument(arguments, 'url')}",
        [part for part in parts if part[1]],
    )
