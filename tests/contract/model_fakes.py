"""Strict fakes of four wire formats for language models, built from their documentation: a request that the real
service would refuse is refused, and noted.

Sources: https://docs.anthropic.com/en/api/messages and /messages-streaming;
https://platform.openai.com/docs/api-reference/chat and /chat-streaming;
https://ai.google.dev/api/generate-content; https://github.com/ollama/ollama/blob/main/docs/api/openai-compatibility.mdx
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from anyio.abc import SocketStream

Json = dict[str, Any]  # Any: JSON
KEY = "sk-a-key-of-the-tests"
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def need(told: object, what: str) -> None:
    if not told:
        raise ValueError(what)


def sse(events: Iterable[tuple[str | None, object]]) -> list[bytes]:
    """One piece per event, as it goes over the wire."""
    pieces = []
    for name, data in events:
        text = data if isinstance(data, str) else json.dumps(data)
        pieces.append((f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode())
    return pieces


def said(*texts: str) -> list[Json]:
    return [{"text": text} for text in texts]


def called(name: str, arguments: str, call_id: str = "call_1") -> Json:
    return {"name": name, "arguments": arguments, "id": call_id}


class Dialect:
    """One wire format: what it refuses, and how it says things."""

    name: str
    path: re.Pattern[str]
    model: str

    def check(self, path: str, headers: dict[str, str], body: Json) -> None:
        raise NotImplementedError

    def events(self, parts: list[Json]) -> list[bytes]:
        raise NotImplementedError

    def failure(self, status: int) -> Json:
        raise NotImplementedError

    def results(self, body: Json) -> list[str]:
        """The texts of the tool results in a request."""
        raise NotImplementedError

    def url(self, port: int) -> str:
        raise NotImplementedError


class Anthropic(Dialect):
    name, model = "anthropic", "claude-haiku-5-5"
    path = re.compile(r"/v1/messages(\?beta=true)?")

    def url(self, port: int) -> str:
        return f"http://127.0.0.1:{port}"

    def check(self, path: str, headers: dict[str, str], body: Json) -> None:
        # The service takes both; SDKs before 2.0 sent the first.
        need(KEY in {headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer ")}, "no key")
        need(re.fullmatch(r"20\d\d-\d\d-\d\d", headers.get("anthropic-version", "")), "anthropic-version")
        need(isinstance(body.get("max_tokens"), int) and body["max_tokens"] > 0, "max_tokens is required")
        need(body.get("stream") is True, "stream")
        open_calls: set[str] = set()
        last = None
        for message in body["messages"]:
            need(message["role"] in {"user", "assistant"}, "role")
            need(message["role"] != last or last == "user", "roles alternate")
            last = message["role"]
            parts = message["content"]
            parts = [{"type": "text", "text": parts}] if isinstance(parts, str) else parts
            need(parts, "content is empty")
            answered = {part["tool_use_id"] for part in parts if part["type"] == "tool_result"}
            need(answered == open_calls, f"tool_use {open_calls} is answered by {answered}")
            open_calls = {part["id"] for part in parts if part["type"] == "tool_use"}
            for part in parts:
                need(part["type"] != "text" or part["text"].strip(), "text blocks must not be blank")
                need(part["type"] != "tool_use" or isinstance(part["input"], dict), "input is an object")
        need(not open_calls and last == "user", "the last message is the user's")
        for tool in body.get("tools", ()):
            need(_NAME.fullmatch(tool["name"]) and tool["input_schema"]["type"] == "object", "tool")

    def results(self, body: Json) -> list[str]:
        found = []
        for message in body["messages"]:
            for part in message["content"] if isinstance(message["content"], list) else ():
                if part["type"] == "tool_result":
                    content = part["content"]
                    found.append(content if isinstance(content, str) else "".join(it["text"] for it in content))
        return found

    def events(self, parts: list[Json]) -> list[bytes]:
        usage = {"input_tokens": 25, "output_tokens": 1}
        message: Json = {
            "id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": self.model,
            "stop_reason": None, "stop_sequence": None, "usage": usage,
        }  # fmt: skip
        events: list[tuple[str | None, object]] = [("message_start", {"type": "message_start", "message": message})]
        index = 0
        texts = [part["text"] for part in parts if "text" in part]
        if texts:
            block: Json = {"type": "text", "text": ""}
            events.append(("content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}))
            events.append(("ping", {"type": "ping"}))
            for text in texts:
                delta = {"type": "text_delta", "text": text}
                events.append(("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}))
            events.append(("content_block_stop", {"type": "content_block_stop", "index": 0}))
            index = 1
        calls = [part for part in parts if "name" in part]
        for call in calls:
            block = {"type": "tool_use", "id": call["id"], "name": call["name"], "input": {}}
            start = {"type": "content_block_start", "index": index, "content_block": block}
            events.append(("content_block_start", start))
            middle = len(call["arguments"]) // 2
            for piece in ("", call["arguments"][:middle], call["arguments"][middle:]):
                delta = {"type": "input_json_delta", "partial_json": piece}
                events.append(("content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}))
            events.append(("content_block_stop", {"type": "content_block_stop", "index": index}))
            index += 1
        stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
        delta_event = {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 15}}
        events += [("message_delta", delta_event), ("message_stop", {"type": "message_stop"})]
        return sse(events)

    def failure(self, status: int) -> Json:
        kind = "rate_limit_error" if status == 429 else "api_error"
        return {"type": "error", "error": {"type": kind, "message": "not now"}, "request_id": "req_1"}


class OpenAI(Dialect):
    name, model = "openai", "gpt-4o-mini"
    path = re.compile("/v1/chat/completions")

    def url(self, port: int) -> str:
        return f"http://127.0.0.1:{port}/v1"

    def check(self, path: str, headers: dict[str, str], body: Json) -> None:
        need(headers.get("authorization") == f"Bearer {KEY}", "authorization")
        need(body.get("stream") is True, "stream")
        need(body["model"] == self.model, "model")
        open_calls: set[str] = set()
        for message in body["messages"]:
            need(message["role"] in {"system", "developer", "user", "assistant", "tool"}, "role")
            if message["role"] == "tool":
                need(message["tool_call_id"] in open_calls, "a tool message answers a call")
                open_calls.remove(message["tool_call_id"])
                continue
            need(not open_calls, f"calls without an answer: {open_calls}")
            open_calls = {call["id"] for call in message.get("tool_calls") or ()}
            for call in message.get("tool_calls") or ():
                need(isinstance(call["function"]["arguments"], str), "arguments are text")
            need(message.get("content") or open_calls, "content is empty")
        need(not open_calls, f"calls without an answer: {open_calls}")
        for tool in body.get("tools", ()):
            need(tool["type"] == "function" and _NAME.fullmatch(tool["function"]["name"]), "tool")
            if tool["function"].get("strict"):
                schema = tool["function"]["parameters"]
                need(schema["additionalProperties"] is False, "strict wants additionalProperties: false")
                need(set(schema.get("required", ())) == set(schema["properties"]), "strict wants all required")

    def results(self, body: Json) -> list[str]:
        return [message["content"] for message in body["messages"] if message["role"] == "tool"]

    def events(self, parts: list[Json]) -> list[bytes]:
        def chunk(delta: Json, reason: str | None = None) -> Json:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
            return {
                "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_780_000_000, "model": self.model,
                "system_fingerprint": "fp_1", "choices": [choice], "usage": None,
            }  # fmt: skip

        events: list[tuple[str | None, object]] = [(None, chunk({"role": "assistant", "content": ""}))]
        events += [(None, chunk({"content": part["text"]})) for part in parts if "text" in part]
        calls = [part for part in parts if "name" in part]
        for index, call in enumerate(calls):
            function = {"name": call["name"], "arguments": ""}
            head = {"index": index, "id": call["id"], "type": "function", "function": function}
            events.append((None, chunk({"tool_calls": [head]})))
            middle = len(call["arguments"]) // 2
            for piece in (call["arguments"][:middle], call["arguments"][middle:]):
                more = {"index": index, "function": {"arguments": piece}}
                events.append((None, chunk({"tool_calls": [more]})))
        events.append((None, chunk({}, "tool_calls" if calls else "stop")))
        usage = {"prompt_tokens": 25, "completion_tokens": 15, "total_tokens": 40}
        events.append((None, {**chunk({}), "choices": [], "usage": usage}))
        return sse([*events, (None, "[DONE]")])

    def failure(self, status: int) -> Json:
        return {"error": {"message": "not now", "type": "requests", "param": None, "code": "rate_limit_exceeded"}}


class Ollama(OpenAI):
    name, model = "ollama", "qwen3"

    def check(self, path: str, headers: dict[str, str], body: Json) -> None:
        super().check(path, {**headers, "authorization": f"Bearer {KEY}"}, body)
        known = {
            "model", "messages", "stream", "stream_options", "tools", "tool_choice", "max_tokens", "temperature",
            "max_completion_tokens", "response_format",
        }  # fmt: skip
        need(not set(body) - known, f"unknown to Ollama: {set(body) - known}")


class Google(Dialect):
    name, model = "google", "gemini-2.5-flash"
    path = re.compile(r"/v1beta/models/gemini-2\.5-flash:streamGenerateContent\?alt=sse")

    def url(self, port: int) -> str:
        return f"http://127.0.0.1:{port}"

    def check(self, path: str, headers: dict[str, str], body: Json) -> None:
        need(headers.get("x-goog-api-key") == KEY, "x-goog-api-key")
        open_calls = 0
        for content in body["contents"]:
            need(content["role"] in {"user", "model"}, "role")
            need(content["parts"], "parts are empty")
            answered = sum("functionResponse" in part for part in content["parts"])
            need(answered == open_calls, f"{open_calls} functionCalls, {answered} functionResponses")
            open_calls = sum("functionCall" in part for part in content["parts"])
            for part in content["parts"]:
                need(set(part) & {"text", "functionCall", "functionResponse"}, f"a part of {set(part)}")
                reply = part.get("functionResponse", {"response": {}})["response"]
                need(isinstance(reply, dict), "response is an object")
                need(isinstance(part.get("functionCall", {"args": {}}).get("args", {}), dict), "args is an object")
        need(content["role"] == "user" and not open_calls, "the last turn is the user's")
        for tool in body.get("tools", ()):
            for function in tool.get("functionDeclarations", ()):
                need(_NAME.fullmatch(function["name"]), "name")

    def results(self, body: Json) -> list[str]:
        parts = [part for content in body["contents"] for part in content["parts"] if "functionResponse" in part]
        return [str(next(iter(part["functionResponse"]["response"].values()))) for part in parts]

    def events(self, parts: list[Json]) -> list[bytes]:
        def chunk(part: Json, reason: str | None = None) -> Json:
            candidate: Json = {"content": {"parts": [part], "role": "model"}, "index": 0}
            if reason:
                candidate["finishReason"] = reason
            usage = {"promptTokenCount": 25, "candidatesTokenCount": 15, "totalTokenCount": 40}
            return {
                "candidates": [candidate], "usageMetadata": usage, "modelVersion": self.model, "responseId": "r1"
            }  # fmt: skip

        events: list[tuple[str | None, object]] = []
        for part in parts:
            if "text" in part:
                events.append((None, chunk({"text": part["text"]})))
            else:
                try:
                    args = json.loads(part["arguments"])
                except ValueError:
                    args = {"wrong": part["arguments"]}  # this format cannot carry half a JSON text
                events.append((None, chunk({"functionCall": {"name": part["name"], "args": args}})))
        return sse([*events, (None, chunk({"text": ""}, "STOP"))])

    def failure(self, status: int) -> Json:
        return {"error": {"code": status, "message": "not now", "status": "RESOURCE_EXHAUSTED"}}


DIALECTS: tuple[Dialect, ...] = (Anthropic(), OpenAI(), Google(), Ollama())


class Service:
    """A service that speaks one dialect: answers from a script, and refuses what the real one would."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.script: list[Callable[[SocketStream], Any] | int | list[Json]] = []
        self.bodies: list[Json] = []
        self.wrong: list[str] = []
        self.asked = 0

    async def __call__(self, stream: SocketStream, request: bytes) -> None:
        self.asked += 1
        head, _, body = request.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        try:
            need(re.fullmatch(self.dialect.path, first.split()[1]), f"path {first}")
            given = json.loads(body)
            self.bodies.append(given)
            self.dialect.check(first.split()[1], headers, given)
        except (ValueError, KeyError, TypeError) as error:
            self.wrong.append(repr(error))
            await send(stream, 400, json.dumps({"error": {"message": repr(error)}}).encode())
            return
        step = self.script.pop(0)
        if isinstance(step, int):
            await send(stream, step, json.dumps(self.dialect.failure(step)).encode())
        elif isinstance(step, list):
            await streamed(stream, self.dialect.events(step))
        else:
            await step(stream)

    def breaks_after(self, parts: list[Json], count: int) -> Callable[[SocketStream], Any]:
        """Send `count` events of an answer and then no more."""

        async def step(stream: SocketStream) -> None:
            await streamed(stream, self.dialect.events(parts)[:count], whole=False)

        return step


async def send(stream: SocketStream, status: int, body: bytes) -> None:
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    await stream.send(f"{head}Connection: close\r\n\r\n".encode() + body)


async def streamed(stream: SocketStream, pieces: list[bytes], *, whole: bool = True) -> None:
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close"
    await stream.send(f"{head}\r\n\r\n".encode())
    for piece in pieces:
        await stream.send(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
    if whole:
        await stream.send(b"0\r\n\r\n")
