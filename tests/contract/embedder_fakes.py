"""Strict fakes of embedding services, from their documented wire formats, and the faults that each may show."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contract.provider_fakes.exchange import KEY, Asked, Reply, told

if TYPE_CHECKING:
    from collections.abc import Callable

Vectors = list[list[float]]


def meaning(text: str) -> list[float]:
    """Return a vector that texts about the same thing share, whatever their words."""
    topics = (("whelk", "snail", "mollusc"), ("tide", "sea", "ebb"), ("lamp", "light", "bulb"))
    return [1.0 + 9.0 * any(word in text.lower() for word in words) for words in topics]


@dataclass(frozen=True)
class Service:
    """One embedding service: how it checks what it is asked, and words its vectors and its refusals."""

    path: str
    """What the user's base URL ends in."""
    check: Callable[[Asked], Reply | None]
    answer: Callable[[Vectors], Any]
    refusals: dict[str, tuple[Reply, str]]
    """Refusals in the service's own words, and how each is to be called."""


# ----------------------------------------------------------------------------------------------- OpenAI


def _openai_error(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return told({"error": error}, status, **headers)


OPENAI_BAD_KEY = _openai_error(401, f"Incorrect API key provided: {KEY}.", "invalid_api_key")


def _is_texts(given: object) -> bool:
    return isinstance(given, list) and 0 < len(given) <= 2048 and all(isinstance(it, str) and it for it in given)


def _is_post(asked: Asked, path: str) -> bool:
    plain = asked.headers.get("content-type") == asked.headers.get("accept") == "application/json"
    return asked.method == "POST" and asked.path == path and not asked.query and plain


def _openai_check(asked: Asked) -> Reply | None:
    if asked.headers.get("authorization") != f"Bearer {KEY}":
        return OPENAI_BAD_KEY
    if not _is_post(asked, "/v1/embeddings") or set(asked.json) != {"model", "input", "encoding_format"}:
        return _openai_error(400, "unknown parameter")
    sound = _is_texts(asked.json["input"]) and asked.json["encoding_format"] == "float" and asked.json["model"]
    return None if sound else _openai_error(400, "'$.input' is invalid.")


def _openai_answer(vectors: Vectors) -> Any:
    # Servers that work in parallel give rows in any order; `index` says which is whose.
    rows = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
    usage = {"prompt_tokens": 8, "total_tokens": 8}
    return {"object": "list", "data": rows[::-1], "model": "text-embedding-3-small", "usage": usage}


OPENAI = Service(
    path="/v1",
    check=_openai_check,
    answer=_openai_answer,
    refusals={
        "bad_key": (OPENAI_BAD_KEY, "auth"),
        "forbidden": (_openai_error(403, "Country not supported"), "auth"),
        "quota": (_openai_error(429, "You exceeded your current quota.", "insufficient_quota"), "quota"),
        "rate_limited": (_openai_error(429, "Rate limit reached", retry_after="30"), "rate_limited"),
        "no_such_model": (_openai_error(404, "The model `x` does not exist", "model_not_found"), "upstream"),
        "key_in_the_refusal": (_openai_error(400, f"bad request by {KEY}"), "upstream"),
    },
)


# ----------------------------------------------------------------------------------------------- Ollama


def _ollama_check(asked: Asked) -> Reply | None:
    if not _is_post(asked, "/api/embed") or set(asked.json) - {"model", "input", "truncate"}:
        return told({"error": "invalid request"}, 400)
    sound = _is_texts(asked.json["input"]) and isinstance(asked.json["truncate"], bool) and asked.json["model"]
    return None if sound else told({"error": "invalid input type"}, 400)


def _ollama_answer(vectors: Vectors) -> Any:
    times = {"total_duration": 14143917, "load_duration": 1019500, "prompt_eval_count": 8}
    return {"model": "nomic-embed-text", "embeddings": vectors, **times}


OLLAMA = Service(
    path="",
    check=_ollama_check,
    answer=_ollama_answer,
    refusals={
        "no_such_model": (told({"error": 'model "x" not found, try pulling it first'}, 404), "upstream"),
        "no_embedding_model": (told({"error": "this model does not support embeddings"}, 501), "upstream"),
    },
)

SERVICES = {"ollama": OLLAMA, "openai": OPENAI}


# ----------------------------------------------------------------------------------------------- faults


def _text(body: bytes, status: int = 200) -> Reply:
    return Reply(status, body, (("Content-Type", "text/html"),))


def _with(vectors: object) -> Callable[[Service], Reply]:
    """Put `vectors` where the vectors stand, without care."""

    def reply(service: Service) -> Reply:
        rows: Any = vectors  # Any: what a broken service may send
        return told(service.answer(rows))

    return reply


FAULTS: dict[str, tuple[Callable[[Service], Reply], str]] = {
    "500": (lambda _: _text(b"Internal Server Error", 500), "upstream"),
    "a_page_for_people": (lambda _: _text(b"<html><h1>Sign in</h1></html>"), "upstream"),
    "an_empty_body": (lambda _: Reply(200, b""), "upstream"),
    "null": (lambda _: Reply(body=b"null"), "upstream"),
    "a_list": (lambda _: Reply(body=b"[]"), "upstream"),
    "an_empty_object": (lambda _: Reply(body=b"{}"), "upstream"),
    "nesting_without_end": (lambda _: Reply(body=b'{"data":' + b"[" * 200_000), "upstream"),
    "cut_short": (lambda it: Reply(body=json.dumps(it.answer([[1.0]] * 3)).encode(), cut=20), "upstream"),
    "a_vector_too_few": (_with([[1.0, 2.0]] * 2), "upstream"),
    "a_vector_too_many": (_with([[1.0, 2.0]] * 4), "upstream"),
    "vectors_of_different_lengths": (_with([[1.0, 2.0], [1.0], [1.0, 2.0]]), "upstream"),
    "vectors_without_numbers": (_with([[], [], []]), "upstream"),
    "vectors_of_text": (_with([["1.0"]] * 3), "upstream"),
    "vectors_of_truths": (_with([[True]] * 3), "upstream"),
    "vectors_of_nothing": (_with([[None]] * 3), "upstream"),
    "not_a_number": (_with([[float("nan")]] * 3), "upstream"),
    "without_end": (_with([[float("inf")]] * 3), "upstream"),
    "numbers_beyond_floats": (_with([[10**400]] * 3), "upstream"),
    "vectors_longer_than_any_float": (_with([[1e308] * 4] * 3), "upstream"),
    "silence": (lambda _: Reply(how="is silent"), "timeout"),
    "a_reset": (lambda _: Reply(how="resets"), "unreachable"),
}


def decide(service: str, fault: str, asked: Asked) -> Reply:
    """Answer as `service` would, with `fault`."""
    fake = SERVICES[service]
    if (refusal := fake.check(asked)) is not None:
        return refusal
    if fault in fake.refusals:
        return fake.refusals[fault][0]
    if fault in FAULTS:
        return FAULTS[fault][0](fake)
    return told(fake.answer([meaning(text) for text in asked.json["input"]]))


def cases() -> dict[tuple[str, str], str]:
    """Return every fault of every service, and how it is to be called."""
    common = {(name, fault): code for name in SERVICES for fault, (_, code) in FAULTS.items()}
    return common | {(name, fault): code for name, it in SERVICES.items() for fault, (_, code) in it.refusals.items()}
