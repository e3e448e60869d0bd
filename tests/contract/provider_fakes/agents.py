"""Fakes of services made for agents, and of small indexes: Tavily, Exa, Mojeek, Kagi, Marginalia, Jina, Keenable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.provider_fakes.checks import COUNTRY, DAY, WORDS, is_get, is_post, upto, wrong
from contract.provider_fakes.exchange import KEY, Found, Reply, Service, told
from wellread.search import regions
from wellread.search.providers.exa import Exa
from wellread.search.providers.jina import Jina
from wellread.search.providers.kagi import Kagi
from wellread.search.providers.keenable import Keenable
from wellread.search.providers.marginalia import Marginalia
from wellread.search.providers.mojeek import Mojeek
from wellread.search.providers.tavily import Tavily

if TYPE_CHECKING:
    from contract.provider_fakes.exchange import Asked

# ----------------------------------------------------------------------------------------------- Tavily


def _tavily_error(status: int, message: str, **headers: str) -> Reply:
    return told({"detail": {"error": message}}, status, **headers)


def _keyless_limit(seconds: object) -> Reply:
    error = {
        "code": "limit", "message": "out for today", "window": "day", "retry_after_seconds": seconds, "next_actions": []
    }  # fmt: skip
    return told({"error": error}, 429)


TAVILY_BAD_KEY = _tavily_error(401, f"Unauthorized: missing or invalid API key {KEY}.")


def _tavily_check(asked: Asked) -> Reply | None:
    keyless = asked.headers.get("x-tavily-access-mode") == "keyless" and "x-client-source" in asked.headers
    if asked.headers.get("authorization") != f"Bearer {KEY}" and (not keyless or "authorization" in asked.headers):
        return TAVILY_BAD_KEY
    rules = {
        "query": WORDS, "search_depth": "basic|advanced|fast|ultra-fast", "topic": "general|news|finance",
        "max_results": upto(20, 0), "time_range": "day|week|month|year|d|w|m|y",
        "country": "|".join(regions.NAMES.values()),
    }  # fmt: skip
    bad = not is_post(asked, "/search") or wrong(asked.json, rules, needed="query")
    return _tavily_error(400, f"Invalid {bad}") if bad else None


def _tavily_answer(found: list[Found]) -> Reply:
    results = [
        {
            "url": each.url, "title": each.title, "content": each.snippet, "score": 0.93, "raw_content": None,
            "published_date": "Tue, 03 Nov 2026 10:00:00 GMT",
        }
        for each in found
    ]  # fmt: skip
    return told({"query": "q", "follow_up_questions": None, "answer": None, "images": [], "results": results})


TAVILY = Service(
    provider=Tavily,
    check=_tavily_check,
    answer=_tavily_answer,
    list_at=("results",),
    keyed=False,
    window=lambda asked: (0, int(str(asked.json.get("max_results", 5)))),
    refusals={
        "bad_key": TAVILY_BAD_KEY,
        "quota": _tavily_error(432, "This request exceeds your plan's set usage limit."),
        "rate_limited": _tavily_error(429, "Your request has been blocked due to excessive requests."),
        "rate_limited_for_30_s": _keyless_limit(30),
        "bad_request": _tavily_error(400, "Invalid topic"),
    },
    own_faults={
        "the_limit_on_paying_as_you_go": (_tavily_error(433, "limit"), "quota"),
        "a_limit_of_no_known_length": (_keyless_limit("soon"), "rate_limited"),
        "forbidden": (_tavily_error(403, "URL is not supported"), "auth"),
    },
)

# -------------------------------------------------------------------------------------------------- Exa


def _exa_error(status: int, tag: str, message: str = "No", **headers: str) -> Reply:
    return told({"requestId": "r1", "error": message, "tag": tag}, status, **headers)


def _exa_check(asked: Asked) -> Reply | None:
    if asked.headers.get("x-api-key") != KEY:
        return _exa_error(401, "INVALID_API_KEY", f"Invalid API key {KEY}")
    rules = {
        "query": WORDS, "type": "fast|auto|instant|deep|deep-lite|deep-reasoning", "numResults": upto(100),
        "userLocation": COUNTRY, "startPublishedDate": DAY + r"T\d\d:\d\d:\d\d\.\d{3}Z",
        "contents": r"\{'highlights': \{'maxCharacters': \d+\}\}",
    }  # fmt: skip
    bad = not is_post(asked, "/search") or wrong(asked.json, rules, needed="query")
    return _exa_error(400, "INVALID_REQUEST_BODY") if bad else None


def _exa_answer(found: list[Found]) -> Reply:
    results = [
        {
            "id": each.url, "url": each.url, "title": each.title, "publishedDate": f"{each.date}.000Z", "author": None,
            "image": None, "highlights": [each.snippet], "highlightScores": [0.5],
        }
        for each in found
    ]  # fmt: skip
    return told(
        {"requestId": "r1", "resolvedSearchType": "neural", "results": results, "costDollars": {"total": 0.005}}
    )


EXA = Service(
    provider=Exa,
    check=_exa_check,
    answer=_exa_answer,
    list_at=("results",),
    window=lambda asked: (0, int(str(asked.json.get("numResults", 10)))),
    refusals={
        "bad_key": _exa_error(401, "INVALID_API_KEY", f"Invalid API key {KEY}"),
        "quota": _exa_error(402, "NO_MORE_CREDITS", "You have exceeded your credits limit"),
        "rate_limited": _exa_error(429, "RATE_LIMIT"),
        "rate_limited_for_30_s": _exa_error(429, "RATE_LIMIT", Retry_After="30"),
        "bad_request": _exa_error(400, "INVALID_REQUEST_BODY"),
    },
)

# ----------------------------------------------------------------------------------------------- Mojeek


def _mojeek_status(status: str) -> Reply:
    return told({"response": {"status": status, "head": {}}})


def _mojeek_check(asked: Asked) -> Reply | None:
    if asked.parameters.get("api_key") != KEY:
        return _mojeek_status(f"Invalid API key: {KEY}")
    rules = {
        "q": WORDS, "api_key": KEY, "fmt": "json", "t": upto(10), "s": r"[1-9]\d+", "since": r"\d{8}", "arc": COUNTRY
    }  # fmt: skip
    bad = not is_get(asked, "/search") or wrong(asked.parameters, rules, needed="q")
    return _mojeek_status(f"Bad parameter {bad}") if bad else None


def _mojeek_answer(found: list[Found]) -> Reply:
    results = [{"url": each.url, "title": each.title, "desc": each.snippet, "date": each.date} for each in found]
    return told({"response": {"status": "OK", "head": {"query": "q", "results": len(results)}, "results": results}})


MOJEEK = Service(
    provider=Mojeek,
    check=_mojeek_check,
    answer=_mojeek_answer,
    list_at=("response", "results"),
    window=lambda asked: (int(asked.parameters.get("s", 1)) - 1, int(asked.parameters.get("t", 10))),
    refusals={
        "bad_key": _mojeek_status(f"Invalid API key: {KEY}"),
        "quota": _mojeek_status("Quota exceeded"),
        "rate_limited": told({}, 429),
        "rate_limited_for_30_s": told({}, 429, Retry_After="30"),
        "bad_request": _mojeek_status("Bad parameter t"),
    },
    own_faults={"forbidden": (Reply(403, b"Forbidden", (("Content-Type", "text/plain"),)), "auth")},
)

# ------------------------------------------------------------------------------------------------- Kagi


def _kagi_error(status: int, message: str, **headers: str) -> Reply:
    return told({"meta": {"id": "m"}, "data": None, "error": [{"code": 1, "msg": message}]}, status, **headers)


def _kagi_check(asked: Asked) -> Reply | None:
    if asked.headers.get("authorization") != f"Bearer {KEY}":
        return _kagi_error(401, f"Unauthorized: {KEY}")
    rules = {
        "query": WORDS, "page": upto(10), "workflow": "search|news|images|videos",
        "filters": rf"\{{('after': '{DAY}')?(, )?('region': '([a-z]{{2}}|no_region)')?\}}",
    }  # fmt: skip
    bad = not is_post(asked, "/api/v1/search") or wrong(asked.json, rules, needed="query")
    return _kagi_error(400, "Invalid parameter") if bad else None


def _kagi_answer(found: list[Found]) -> Reply:
    results = [
        {"url": each.url, "title": each.title, "snippet": each.snippet, "time": each.date, "image": {"url": "x"}}
        for each in found
    ]
    data = {"related_search": [{"title": "more tea"}]}
    return told({"meta": {"id": "m"}, "data": {"search": results, **data} if results else data})


KAGI = Service(
    provider=Kagi,
    check=_kagi_check,
    answer=_kagi_answer,
    list_at=("data", "search"),
    window=lambda asked: ((int(str(asked.json.get("page", 1))) - 1) * 20, 20),
    refusals={
        "bad_key": _kagi_error(401, f"Unauthorized: {KEY}"),
        "quota": _kagi_error(403, "Insufficient credit to perform this request"),
        "rate_limited": _kagi_error(429, "Slow down"),
        "rate_limited_for_30_s": _kagi_error(429, "Slow down", Retry_After="30"),
        "bad_request": _kagi_error(400, "Invalid parameter"),
    },
)

# ------------------------------------------------------------------------------------------- Marginalia


def _marginalia_check(asked: Asked) -> Reply | None:
    if asked.headers.get("api-key") not in {KEY, "public"}:
        return Reply(401, b"Unauthorized", (("Content-Type", "text/plain"),))
    rules = {"query": WORDS, "page": upto(1000), "count": upto(100), "nsfw": "0|1"}
    bad = not is_get(asked, "/search") or wrong(asked.parameters, rules, needed="query")
    return Reply(400, b"Bad Request", (("Content-Type", "text/plain"),)) if bad else None


def _marginalia_answer(found: list[Found]) -> Reply:
    results = [
        {
            "url": each.url, "title": each.title, "description": each.snippet, "quality": 3.1, "format": "HTML5",
            "details": [],
        }
        for each in found
    ]  # fmt: skip
    return told({"license": "CC-BY-NC-SA 4.0", "query": "green tea", "results": results})


def _marginalia_window(asked: Asked) -> tuple[int, int]:
    size = int(asked.parameters.get("count", 20))
    return (int(asked.parameters.get("page", 1)) - 1) * size, size


MARGINALIA = Service(
    provider=Marginalia,
    check=_marginalia_check,
    answer=_marginalia_answer,
    list_at=("results",),
    keyed=False,
    window=_marginalia_window,
    refusals={
        "bad_key": Reply(401, KEY.encode(), (("Content-Type", "text/plain"),)),
        "quota": Reply(402, b"", ()),
        "rate_limited": Reply(429, b"Too Many Requests", (("Content-Type", "text/plain"),)),
        "rate_limited_for_30_s": Reply(429, b"", (("Retry-After", "30"),)),
        "bad_request": Reply(400, b"Bad Request", (("Content-Type", "text/plain"),)),
    },
)

# ------------------------------------------------------------------------------------------------- Jina


def _jina_error(code: int, status: int, name: str, message: str, **more: object) -> Reply:
    return told({"data": None, "code": code, "status": status, "name": name, "message": message, **more}, code)


JINA_EMPTY = _jina_error(422, 42206, "AssertionFailureError", "No search results available for query green tea")


def _jina_check(asked: Asked) -> Reply | None:
    if asked.headers.get("authorization") != f"Bearer {KEY}":
        return _jina_error(401, 40103, "AuthenticationFailedError", f"Invalid API key {KEY}")
    rules = {"q": WORDS, "page": upto(1000), "respondWith": "no-content", "engine": "reader|google|bing"}
    bad = not is_get(asked, "/") or wrong(asked.parameters, rules, needed="q")
    return _jina_error(400, 40000, "ParamValidationError", "Bad parameter") if bad else None


def _jina_answer(found: list[Found]) -> Reply:
    if not found:
        return JINA_EMPTY
    data = [
        {"title": each.title, "url": each.url, "description": each.snippet, "date": each.date, "usage": {"tokens": 0}}
        for each in found
    ]
    return told({"code": 200, "status": 20000, "data": data, "meta": {"usage": {"tokens": 10000}}})


JINA = Service(
    provider=Jina,
    check=_jina_check,
    answer=_jina_answer,
    list_at=("data",),
    window=lambda asked: ((int(asked.parameters.get("page", 1)) - 1) * 10, 10),
    refusals={
        "bad_key": _jina_error(401, 40103, "AuthenticationFailedError", f"Invalid API key {KEY}"),
        "quota": _jina_error(402, 40203, "InsufficientBalanceError", "Account balance not enough"),
        "rate_limited": _jina_error(429, 42903, "RateLimitTriggeredError", "Per key rate limit exceeded"),
        "rate_limited_for_30_s": _jina_error(429, 42903, "RateLimitTriggeredError", "Too many", retryAfter=30),
        "bad_request": _jina_error(400, 40000, "ParamValidationError", "Bad parameter"),
    },
    own_faults={
        "another_failed_assertion": (_jina_error(422, 42206, "AssertionFailureError", "No such page"), "bad_request"),
        "an_empty_list": (told({"code": 200, "status": 20000, "data": [], "meta": {}}), "no_results"),
    },
)

# --------------------------------------------------------------------------------------------- Keenable


def _keenable_check(asked: Asked) -> Reply | None:
    keyed = asked.headers.get("x-api-key")
    if keyed not in {KEY, None} or (keyed is None and not asked.headers.get("x-keenable-title")):
        return told({"error": "unauthorized"}, 401)
    path = "/v1/search" if keyed else "/v1/search/public"
    bad = not is_post(asked, path) or wrong(asked.json, {"query": WORDS, "mode": "pro"}, needed="query")
    return told({"error": "invalid"}, 400) if bad else None


def _keenable_answer(found: list[Found]) -> Reply:
    results = [
        {
            "url": each.url, "title": each.title, "description": "about", "snippet": each.snippet,
            "published_at": each.date,
        }
        for each in found
    ]  # fmt: skip
    return told({"results": results})


KEENABLE = Service(
    provider=Keenable,
    check=_keenable_check,
    answer=_keenable_answer,
    list_at=("results",),
    keyed=False,
    refusals={
        "bad_key": told({"error": f"unauthorized {KEY}"}, 401),
        "quota": told({"error": "out of credits"}, 402),
        "rate_limited": told({"error": "slow down"}, 429),
        "rate_limited_for_30_s": told({"error": "slow down"}, 429, Retry_After="30"),
        "bad_request": told({"error": "invalid"}, 400),
    },
)
