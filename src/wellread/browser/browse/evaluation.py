"""Runs a caller's JavaScript expression in a page, and returns its value, whose JSON text has a bounded length."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

MAX_VALUE_CHARS = 20_000
MAX_DEPTH = 100
"""Most levels of lists and objects in a value: the code that writes the result goes into them by recursion."""
_MAX_MESSAGE_CHARS = 300
_AS_JSON = """function (most) {
  const text = JSON.stringify(this);
  return text === undefined ? 'null' : text.length > most ? text.length : text;
}"""
"""Returns the JSON text of a value, or its length where that is above `most`."""


async def evaluated(devtools: CDPSession, expression: str) -> object:
    """Return the value of `expression` in the page's own world as JSON has it; None for what JSON has no form of.

    Raises:
        InvalidInput: the expression fails, its value is too long, or the page has a `JSON.stringify` of another kind.
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
    text = answer["result"].get("value")
    if isinstance(text, int | float):
        raise InvalidInput(
            f"the value has {text:,} characters; the limit is {MAX_VALUE_CHARS:,}", hint="return a part of it"
        )
    try:
        values = json.loads(text)
        json.dumps(values, allow_nan=False)
    except (ValueError, RecursionError, TypeError) as error:
        raise _no_json() from error
    if not isinstance(values, list) or len(values) != 1 or not _is_shallow(values):
        raise _no_json()
    value: object = values[0]
    return value


def _is_shallow(values: list[Any]) -> bool:  # Any: JSON
    level: list[Any] = values  # Any: JSON
    for _ in range(MAX_DEPTH):
        parents = [list(node.values()) if isinstance(node, dict) else node for node in level]
        level = [child for node in parents if isinstance(node, list) for child in node]
        if not level:
            return True
    return False


def _no_json() -> InvalidInput:
    hint = f"return a value of at most {MAX_DEPTH} levels; a page may also have replaced JSON.stringify"
    return InvalidInput("the page returned no JSON", hint=hint)


def _check(answer: dict[str, Any]) -> None:  # Any: the protocol's own shape
    details = answer.get("exceptionDetails")
    if details is not None:
        message = details.get("exception", {}).get("description") or details["text"]
        line = str(message).partition("\n")[0][:_MAX_MESSAGE_CHARS]
        raise InvalidInput(f"the expression failed: {line}", hint="use one expression, such as document.title")
