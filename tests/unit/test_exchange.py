"""A stream that holds one answer goes as JSON, and every other stream goes as it came."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.apps.http.single_message import answer_as_json

ANSWER = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"told": "the tide\u2028comes in, \u6f6e"}}).encode()
STEP = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}).encode()
FAILURE = json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": -32800, "message": "given up"}}).encode()


def event(data: bytes) -> bytes:
    return b"event: message\r\ndata: " + data + b"\r\n\r\n"


PIECES = [event(ANSWER), event(STEP), event(FAILURE), b": ping\r\n\r\n", event(ANSWER)[:20], event(ANSWER) * 2]
KINDS = [b"text/event-stream; charset=utf-8", b"application/json"]


def sent(pieces: list[bytes], kind: bytes, method: str) -> tuple[dict[bytes, bytes], bytes, bool]:
    """Return headers, body, and whether it was whole, of what comes of pieces that are sent as a stream."""
    messages: list[Any] = []  # Any: ASGI

    async def stream(_scope: Any, _receive: Any, send: Any) -> None:
        headers = [(b"content-type", kind), (b"mcp-session-id", b"7")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def keep(message: Any) -> None:
        messages.append(message)

    async def nothing() -> Any:
        raise AssertionError("nothing is received here")

    anyio.run(answer_as_json(stream), {"type": "http", "method": method}, nothing, keep)
    start, *rest = messages
    body = b"".join(each["body"] for each in rest)
    return dict(start["headers"]), body, not rest[-1].get("more_body", False)


def test_single_answer_is_json_with_length_and_session() -> None:
    headers, body, whole = sent([event(ANSWER)], KINDS[0], "POST")
    assert body == ANSWER
    assert headers == {
        b"mcp-session-id": b"7", b"content-type": b"application/json", b"content-length": str(len(ANSWER)).encode()
    }  # fmt: skip
    assert whole


@given(st.lists(st.sampled_from(PIECES), max_size=4), st.sampled_from(KINDS), st.sampled_from(["POST", "GET"]))
def test_nothing_that_is_streamed_is_lost_or_comes_in_another_order(
    pieces: list[bytes], kind: bytes, method: str
) -> None:
    headers, body, whole = sent(pieces, kind, method)
    assert whole
    if (pieces, kind, method) == ([event(ANSWER)], KINDS[0], "POST"):
        assert body == ANSWER
    else:
        assert body == b"".join(pieces)
        assert headers[b"content-type"] == kind
        assert b"content-length" not in headers


@pytest.mark.parametrize("first", [event(STEP), b": ping\r\n\r\n"])
def test_what_comes_before_the_answer_is_not_held_back_for_it(first: bytes) -> None:
    seen: list[bytes] = []

    async def stream(_scope: Any, _receive: Any, send: Any) -> None:  # Any: ASGI
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", KINDS[0])]})
        assert not seen
        await send({"type": "http.response.body", "body": first, "more_body": True})
        assert seen == [first]

    async def keep(message: Any) -> None:  # Any: the same
        seen.extend(filter(None, [message.get("body")]))

    async def nothing() -> Any:  # Any: the same
        raise AssertionError("nothing is received here")

    anyio.run(answer_as_json(stream), {"type": "http", "method": "POST"}, nothing, keep)
    assert seen == [first]
