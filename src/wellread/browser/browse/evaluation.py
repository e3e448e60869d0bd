"""Runs a caller's JavaScript expression in a page, and returns its value as JSON text of bounded length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

MAX_VALUE_CHARS = 20_000
_MAX_MESSAGE_CHARS = 300
_AS_JSON = """function (most) {
  const text = JSON.stringify(this);
  return text === undefined ? 'null' : text.length > most ? text.length : text;
}"""
"""Returns the JSON text of a value, or its length where that is above `most`."""


async def evaluated(devtools: CDPSession, expression: str) -> str:
    """Return the value of `expression` in the page's own world as JSON text; `null` for what JSON has no form of.

    Raises:
        InvalidInput: the expression fails, or its value is too long.
    """
    answer = await devtools.send(
        "Runtime.evaluate", {"expression": f"(async () => [await ({expression}\n)])()", "awaitPromise": True}
    )
    _check(answer)
    answer = await devtools.send(
        "Runtime.callFunctionOn",
        {
            "objectId": answer["result"]["objectId"],
            "functionDeclaration": _AS_JSON,
            "arguments": [{"value": MAX_VALUE_CHARS}],
            "returnByValue": True,
        },
    )
    _check(answer)
    text = answer["result"]["value"]
    if not isinstance(text, str):
        raise InvalidInput(
            f"the value has {text:,} characters; the limit is {MAX_VALUE_CHARS:,}", hint="return a part of it"
        )
    return text.removeprefix("[").removesuffix("]") or "null"


def _check(answer: dict[str, Any]) -> None:  # Any: the protocol's own shape
    details = answer.get("exceptionDetails")
    if details is not None:
        message = details.get("exception", {}).get("description") or details["text"]
        line = str(message).partition("\n")[0][:_MAX_MESSAGE_CHARS]
        raise InvalidInput(f"the expression failed: {line}", hint="use one expression, such as document.title")
