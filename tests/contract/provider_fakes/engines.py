"""Fakes of services with an index of their own, or with Google's and Bing's: Brave, Google, Bing, Web IQ, Serper."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contract.provider_fakes.checks import COUNTRY, DAY, WORDS, is_get, is_post, upto, wrong
from contract.provider_fakes.exchange import EXTRA, KEY, Found, Reply, Service, told
from wellread.search.providers.bing import Bing
from wellread.search.providers.brave import COUNTRIES, Brave
from wellread.search.providers.google_cse import GoogleCSE
from wellread.search.providers.serper import Serper
from wellread.search.providers.web_iq import WebIQ

if TYPE_CHECKING:
    from contract.provider_fakes.exchange import Asked

# ------------------------------------------------------------------------------------------------ Brave


def _brave_error(status: int, code: str, detail: str, meta: dict[str, object] | None = None, **headers: str) -> Reply:
    error = {"id": "5f2c", "status": status, "code": code, "detail": detail, "meta": meta or {}}
    return told({"type": "ErrorResponse", "error": error, "time": 1754364294}, status, **headers)


def _brave_limited(used: int, **headers: str) -> Reply:
    meta: dict[str, object] = {
        "plan": "Free", "rate_limit": 1, "rate_current": 1, "quota_limit": 2000, "quota_current": used,
        "org_rate_limit": None, "org_rate_current": 0, "component": "rate_limiter",
    }  # fmt: skip
    return _brave_error(429, "RATE_LIMITED", "Request rate limit exceeded for plan", meta, **headers)


BRAVE_BAD_KEY = _brave_error(
    422,
    "SUBSCRIPTION_TOKEN_INVALID",
    f"The provided subscription token {KEY} is invalid.",
    {"component": "authentication"},
)
BRAVE_NO_KEY = _brave_error(
    422, "VALIDATION", "Unable to validate request parameter(s)",
    {"errors": [{"type": "missing", "loc": ["header", "x-subscription-token"], "msg": "Field required"}]},
)  # fmt: skip
BRAVE_INVALID = _brave_error(422, "VALIDATION", "Unable to validate request parameter(s)", {"errors": []})


def _brave_check(asked: Asked) -> Reply | None:
    if "x-subscription-token" not in asked.headers:
        return BRAVE_NO_KEY
    if asked.headers["x-subscription-token"] != KEY:
        return BRAVE_BAD_KEY
    rules = {
        "q": WORDS, "count": upto(20), "offset": upto(9, 0), "country": "|".join([*COUNTRIES, "ALL"]),
        "freshness": f"pd|pw|pm|py|{DAY}to{DAY}", "text_decorations": "true|false", "result_filter": "[a-z,]+",
    }  # fmt: skip
    given = asked.parameters
    too_long = len(given.get("q", "")) > 400 or len(given.get("q", "").split()) > 50
    bad = not is_get(asked, "/res/v1/web/search") or too_long or wrong(given, rules, needed="q")
    return BRAVE_INVALID if bad else None


def _brave_answer(found: list[Found]) -> Reply:
    results = [
        {
            "type": "search_result", "subtype": "generic", "title": each.title, "url": each.url,
            "description": each.snippet, "language": "en", "family_friendly": True, "age": "2 days ago",
            "page_age": each.date, "meta_url": {"scheme": "https", "hostname": "a.example", "path": "> t"},
            "profile": {"name": "A", "url": each.url}, "extra_snippets": ["first extra"],
        }
        for each in found
    ]  # fmt: skip
    web = {"type": "search", "family_friendly": True, "results": results}
    query = {"original": "green tea", "country": "us", "more_results_available": True}
    rates = {"X_RateLimit_Limit": "1, 15000", "X_RateLimit_Remaining": "0, 14000", "X_RateLimit_Reset": "1, 1419704"}
    return told({"type": "search", "query": query, "mixed": {"type": "mixed", "main": []}, "web": web}, 200, **rates)


def _brave_window(asked: Asked) -> tuple[int, int]:
    size = int(asked.parameters.get("count", 20))
    return int(asked.parameters.get("offset", 0)) * size, size  # the offset counts pages


def _brave_with_more(reply: Reply, more: bool) -> Reply:
    answer = json.loads(reply.body)
    answer["query"]["more_results_available"] = more
    return told(answer)


BRAVE = Service(
    provider=Brave,
    check=_brave_check,
    answer=_brave_answer,
    list_at=("web", "results"),
    window=_brave_window,
    with_more=_brave_with_more,
    refusals={
        "bad_key": BRAVE_BAD_KEY,
        "quota": _brave_error(402, "QUOTA_LIMITED", "Monthly quota exceeded"),
        "rate_limited": _brave_limited(15),
        "rate_limited_for_30_s": _brave_limited(15, X_RateLimit_Reset="30, 1419704"),
        "bad_request": BRAVE_INVALID,
    },
    own_faults={
        "the_key_header_missing": (BRAVE_NO_KEY, "auth"),
        "the_month_spent_as_429": (_brave_limited(2000, X_RateLimit_Reset="1, 1419704"), "quota"),
        "no_web_section": (told({"type": "search", "query": {"original": "q"}, "news": {"results": []}}), "no_results"),
        "an_unknown_code": (_brave_error(403, "RESOURCE_NOT_ALLOWED", "Not in your plan"), "auth"),
    },
)

# ----------------------------------------------------------------------------------------------- Google


def _google_error(status: int, reason: str, message: str, **headers: str) -> Reply:
    errors = [{"message": message, "domain": "usageLimits", "reason": reason}]
    return told({"error": {"code": status, "message": message, "errors": errors, "status": "SOME"}}, status, **headers)


GOOGLE_BAD_KEY = _google_error(400, "badRequest", f"API key not valid. Please pass a valid API key, not {KEY}.")
GOOGLE_INVALID = _google_error(400, "badRequest", "Request contains an invalid argument.")


def _google_check(asked: Asked) -> Reply | None:
    if asked.headers.get("x-goog-api-key") != KEY:
        return GOOGLE_BAD_KEY
    rules = {
        "cx": EXTRA, "q": WORDS, "num": upto(10), "start": upto(100), "gl": "[a-z]{2}", "dateRestrict": r"[dwmy]\d+"
    }  # fmt: skip
    given = asked.parameters
    bad = not is_get(asked, "/customsearch/v1") or wrong(given, rules, needed="cx q")
    return GOOGLE_INVALID if bad or int(given["start"]) + int(given["num"]) - 1 > 100 else None


def _google_answer(found: list[Found]) -> Reply:
    items = [
        {
            "kind": "customsearch#result", "title": each.title, "htmlTitle": f"<b>{each.title}</b>", "link": each.url,
            "displayLink": "a.example", "snippet": each.snippet, "htmlSnippet": f"{each.snippet}&nbsp;...",
            "pagemap": {"metatags": [{"article:published_time": each.date, "og:title": "x"}]},
        }
        for each in found
    ]  # fmt: skip
    answer: dict[str, object] = {
        "kind": "customsearch#search", "url": {"type": "application/json", "template": "..."},
        "queries": {"request": [{"totalResults": "1200", "searchTerms": "green tea", "count": 10, "startIndex": 1}]},
        "searchInformation": {"searchTime": 0.4, "totalResults": str(len(items))},
    }  # fmt: skip
    return told(answer | ({"items": items} if items else {}))


def _google_window(asked: Asked) -> tuple[int, int]:
    return int(asked.parameters.get("start", 1)) - 1, int(asked.parameters.get("num", 10))


def _google_with_more(reply: Reply, more: bool) -> Reply:
    answer = json.loads(reply.body)
    if more:
        answer["queries"]["nextPage"] = [{"startIndex": 11, "count": 10}]
    return told(answer)


GOOGLE = Service(
    provider=GoogleCSE,
    check=_google_check,
    answer=_google_answer,
    list_at=("items",),
    window=_google_window,
    with_more=_google_with_more,
    refusals={
        "bad_key": GOOGLE_BAD_KEY,
        "quota": _google_error(403, "dailyLimitExceeded", "Daily Limit Exceeded"),
        "rate_limited": _google_error(429, "rateLimitExceeded", "Quota exceeded for 'Queries per minute'"),
        "rate_limited_for_30_s": _google_error(429, "rateLimitExceeded", "Too fast", Retry_After="30"),
        "bad_request": GOOGLE_INVALID,
    },
    own_faults={
        "key_invalid": (_google_error(400, "keyInvalid", "Bad Request"), "auth"),
        "access_not_configured": (_google_error(403, "accessNotConfigured", "Not enabled in project"), "auth"),
        "the_day_spent_as_429": (
            _google_error(
                429, "rateLimitExceeded", "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'"
            ),
            "quota",
        ),
    },
)

# ------------------------------------------------------------------------------------------------- Bing


def _bing_error(status: int, code: str, message: str, **headers: str) -> Reply:
    error = {"code": code, "subCode": "Some", "message": message, "parameter": "q"}
    return told({"_type": "ErrorResponse", "errors": [error]}, status, **headers)


def _gateway(status: int, message: str, **headers: str) -> Reply:
    return told({"error": {"code": str(status), "message": message}}, status, **headers)


BING_BAD_KEY = _gateway(401, f"Access denied due to invalid subscription key {KEY}.")
BING_INVALID = _bing_error(400, "InvalidRequest", "Parameter has invalid value.")


def _bing_check(asked: Asked) -> Reply | None:
    if asked.headers.get("ocp-apim-subscription-key") != KEY:
        return BING_BAD_KEY
    rules = {
        "q": WORDS, "count": upto(50), "offset": r"\d+", "cc": COUNTRY, "freshness": rf"Day|Week|Month|{DAY}\.\.{DAY}",
        "textDecorations": "true|false", "textFormat": "Raw|HTML", "responseFilter": "Webpages",
    }  # fmt: skip
    bad = not is_get(asked, "/v7.0/search") or wrong(asked.parameters, rules, needed="q")
    return BING_INVALID if bad else None


def _bing_answer(found: list[Found]) -> Reply:
    pages = [
        {
            "id": "https://api.bing.microsoft.com/api/v7/#WebPages.0", "name": each.title, "url": each.url,
            "displayUrl": "a.example/t", "snippet": each.snippet, "datePublished": f"{each.date}.0000000",
            "datePublishedFreshnessText": "1 day ago", "dateLastCrawled": "2026-11-04T07:15:00.0000000Z",
        }
        for each in found
    ]  # fmt: skip
    answer: dict[str, object] = {"_type": "SearchResponse", "queryContext": {"originalQuery": "green tea"}}
    return told(answer | ({"webPages": {"totalEstimatedMatches": 687, "value": pages}} if pages else {}))


BING = Service(
    provider=Bing,
    check=_bing_check,
    answer=_bing_answer,
    list_at=("webPages", "value"),
    window=lambda asked: (int(asked.parameters.get("offset", 0)), int(asked.parameters.get("count", 10))),
    refusals={
        "bad_key": BING_BAD_KEY,
        "quota": _bing_error(403, "RateLimitExceeded", "Out of quota"),
        "rate_limited": _bing_error(429, "RateLimitExceeded", "Too many queries per second"),
        "rate_limited_for_30_s": _gateway(429, "Rate limit is exceeded. Try again in 30 seconds.", Retry_After="30"),
        "bad_request": BING_INVALID,
    },
    own_faults={
        "invalid_authorization": (_bing_error(401, "InvalidAuthorization", "No"), "auth"),
        "the_gateway_out_of_quota": (_gateway(403, "Out of call volume quota. Replenished in 2.12:31:15"), "quota"),
        "a_server_error": (_bing_error(500, "ServerError", "Unexpected"), "upstream"),
    },
)

# ----------------------------------------------------------------------------------------------- Web IQ


def _web_iq_check(asked: Asked) -> Reply | None:
    if asked.headers.get("x-apikey") != KEY:
        return told({"message": f"no such key: {KEY}"}, 401)
    rules = {
        "query": WORDS, "maxResults": upto(10), "contentFormat": "passage", "maxLength": upto(3000), "region": COUNTRY
    }  # fmt: skip
    bad = not is_post(asked, "/v3/search/web") or wrong(asked.json, rules, needed="query")
    return told({"message": "invalid"}, 400) if bad else None


def _web_iq_answer(found: list[Found]) -> Reply:
    results = [
        {
            "url": each.url, "title": each.title, "content": each.snippet, "lastUpdatedAt": each.date,
            "crawledAt": "2026-11-04T07:15:00Z", "language": "en",
        }
        for each in found
    ]  # fmt: skip
    return told({"webResults": results, "riskLevel": "low", "querySignals": {"freshness": None}, "traceId": "t1"})


WEB_IQ = Service(
    provider=WebIQ,
    check=_web_iq_check,
    answer=_web_iq_answer,
    list_at=("webResults",),
    window=lambda asked: (0, int(str(asked.json.get("maxResults", 10)))),
    refusals={
        "bad_key": told({"message": f"no such key: {KEY}"}, 401),
        "quota": told({"message": "payment required"}, 402),
        "rate_limited": told({}, 429),
        "rate_limited_for_30_s": told({}, 429, Retry_After="30"),
        "bad_request": told({"message": "invalid"}, 400),
    },
    own_faults={"forbidden": (Reply(403, b"Forbidden", (("Content-Type", "text/plain"),)), "auth")},
)

# ----------------------------------------------------------------------------------------------- Serper


def _serper_check(asked: Asked) -> Reply | None:
    if asked.headers.get("x-api-key") != KEY:
        return told({"message": f"Unauthorized: {KEY}.", "statusCode": 403}, 403)
    rules = {"q": WORDS, "num": upto(100), "page": upto(1000), "gl": "[a-z]{2}", "tbs": "qdr:[dwmy]"}
    bad = not is_post(asked, "/search") or wrong(asked.json, rules, needed="q")
    return told({"message": "Bad request", "statusCode": 400}, 400) if bad else None


def _serper_answer(found: list[Found]) -> Reply:
    organic = [
        {"title": each.title, "link": each.url, "snippet": each.snippet, "date": "Nov 3, 2026", "position": position}
        for position, each in enumerate(found, 1)
    ]
    about = {"q": "green tea", "gl": "us", "hl": "en", "num": 10, "type": "search"}
    return told({"searchParameters": about, "organic": organic, "relatedSearches": [{"query": "x"}], "credits": 1})


def _serper_window(asked: Asked) -> tuple[int, int]:
    size = int(str(asked.json.get("num", 10)))
    return (int(str(asked.json.get("page", 1))) - 1) * size, size


SERPER = Service(
    provider=Serper,
    check=_serper_check,
    answer=_serper_answer,
    list_at=("organic",),
    window=_serper_window,
    refusals={
        "bad_key": told({"message": f"Unauthorized: {KEY}.", "statusCode": 403}, 403),
        "quota": told({"message": "Not enough credits", "statusCode": 400}, 400),
        "rate_limited": told({"message": "Rate limit exceeded", "statusCode": 429}, 429),
        "rate_limited_for_30_s": told({"message": "Rate limit exceeded", "statusCode": 429}, 429, Retry_After="30"),
        "bad_request": told({"message": "Missing query parameter", "statusCode": 400}, 400),
    },
    own_faults={"no_organic_list": (told({"searchParameters": {"q": "x"}, "peopleAlsoAsk": []}), "no_results")},
)
