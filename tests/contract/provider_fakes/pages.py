"""Fakes of SearXNG, as it was measured, and of DuckDuckGo's page for browsers without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from contract.provider_fakes.checks import WORDS, is_get, upto, wrong
from contract.provider_fakes.exchange import KEY, Found, Reply, Service, shown, told
from wellread.search.providers.duckduckgo import DuckDuckGo
from wellread.search.providers.searxng import SearXNG

if TYPE_CHECKING:
    from contract.provider_fakes.exchange import Asked

# ---------------------------------------------------------------------------------------------- SearXNG


def _result(each: Found, position: int = 1) -> dict[str, object]:
    return {
        "url": each.url, "title": each.title, "content": each.snippet, "engine": "brave", "template": "default.html",
        "parsed_url": ["https", "a.example", "/t", "", "", ""], "img_src": "", "thumbnail": "", "priority": "",
        "engines": ["brave", "mojeek"], "positions": [position], "score": 2.33, "category": "general",
        "publishedDate": each.date,
    }  # fmt: skip


def _searxng(results: list[dict[str, object]], *dead: tuple[str, str]) -> Reply:
    answer = {
        "query": "green tea", "results": results, "answers": [], "corrections": [], "infoboxes": [],
        "suggestions": ["green tea benefits"], "unresponsive_engines": [list(pair) for pair in dead],
    }  # fmt: skip
    return told(answer)


FORBIDDEN = "<!doctype html><title>403 Forbidden</title><h1>Forbidden</h1><p>You don't have the permission.</p>"
TABLE_OF_FACTS: dict[str, object] = {"url": None, "title": "facts", "template": "keyvalue.html", "kvmap": {"a": "b"}}


def _searxng_check(asked: Asked) -> Reply | None:
    given = asked.parameters
    if given.get("format") != "json":
        return shown("<!doctype html><title>SearXNG</title><p>results for people</p>")
    if not given.get("q"):
        return told({"error": "No query"}, 400)
    rules = {
        "q": WORDS, "format": "json", "pageno": upto(1000), "time_range": "day|week|month|year",
        "language": "all|auto|[a-z]{2,3}(-[A-Z]{2})?", "safesearch": "0|1|2",
    }  # fmt: skip
    bad = None if is_get(asked, "/search") else "path"
    bad = bad or wrong(given, rules)
    return told({"error": f"Invalid value {given.get(bad)} for parameter {bad}"}, 400) if bad else None


def _searxng_answer(found: list[Found]) -> Reply:
    return _searxng([_result(each, position) for position, each in enumerate(found, 1)])


ONE = _result(Found("https://a.example/t", "Green tea", "All about it."))
SEARXNG = Service(
    provider=SearXNG,
    check=_searxng_check,
    answer=_searxng_answer,
    list_at=("results",),
    keyed=False,
    window=lambda asked: ((int(asked.parameters.get("pageno", 1)) - 1) * 17, 17),  # several engines, merged
    refusals={
        "bad_key": shown(FORBIDDEN, 403),
        "quota": Reply(402, b"", ()),
        "rate_limited": shown("<p>Too Many Requests</p>", 429),
        "rate_limited_for_30_s": shown("<p>Too Many Requests</p>", 429, Retry_After="30"),
        "bad_request": told({"error": "Invalid value abc for parameter pageno"}, 400),
    },
    own_faults={
        "json_not_enabled": (shown(FORBIDDEN, 403), "auth"),
        "all_engines_captcha": (_searxng([], ("duckduckgo", "CAPTCHA"), ("google", "timeout")), "challenge"),
        "all_engines_denied": (_searxng([], ("google", "Suspended: access denied")), "challenge"),
        "all_engines_limited": (_searxng([], ("brave", "too many requests"), ("bing", "timeout")), "rate_limited"),
        "all_engines_late": (_searxng([], ("brave", "timeout"), ("bing", "Suspended: timeout")), "timeout"),
        "all_engines_broken": (_searxng([], ("brave", "HTTP error")), "upstream"),
        "some_engines_dead": (_searxng([ONE], ("duckduckgo", "CAPTCHA")), "partial"),
        "results_without_url_only": (_searxng([TABLE_OF_FACTS]), "no_results"),
        "results_without_url_among_others": (_searxng([TABLE_OF_FACTS, ONE]), "ok"),
        "html_for_people": (shown("<!doctype html><title>SearXNG</title><p>results</p>"), "changed_markup"),
        "an_internal_error": (told({"error": "search error"}, 500), "upstream"),
    },
)

# ------------------------------------------------------------------------------------------- DuckDuckGo

AD = """<div class="result results_links results_links_deep result--ad ">
<div class="links_main links_deep result__body">
<h2 class="result__title"><a rel="nofollow" class="result__a"
href="https://duckduckgo.com/y.js?ad_domain=shop.example&amp;u3=x">Buy tea</a></h2></div></div>"""
FOOT = """<div class="nav-link"><form action="/html/" method="post"><input type="submit" value="Next">
<input name="vqd" value="4-123"><a href="/feedback.html">Feedback</a></form></div>"""
EMPTY = '<div class="no-results">No results.</div>'
ANOMALY = """<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&cc=botnet" method="POST">
<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>
<div class="anomaly-modal__description">Please complete the following challenge.</div></form>"""


def _page(inner: str) -> str:
    return f"""<!DOCTYPE html><html><head><title>green tea at DuckDuckGo</title></head><body>
<form id="search_form" action="/html/" method="post"><input name="q" value="green tea"></form>{inner}</body></html>"""


def _links(*results: str) -> str:
    return _page(f'<div id="links" class="results">{"".join(results)}{FOOT}</div>')


def _web_result(each: Found, *, direct: bool) -> str:
    href = each.url if direct else f"//duckduckgo.com/l/?uddg={quote(each.url, safe='')}&rut=ab12"
    return f"""<div class="result results_links results_links_deep web-result ">
<div class="links_main links_deep result__body"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="{escape(href)}">{escape(each.title)}</a></h2>
<a class="result__url" href="{escape(href)}">a.example/t</a>
<a class="result__snippet" href="{escape(href)}">{escape(each.snippet)}</a></div></div>"""


def _duckduckgo_check(asked: Asked) -> Reply | None:
    sent = asked.headers.get("content-type") == "application/x-www-form-urlencoded"
    if asked.method != "POST" or asked.path != "/html/" or asked.query or not sent:
        return shown(_page(ANOMALY), 202)
    form = asked.form
    rules = {"q": WORDS, "b": "", "kl": "wt-wt|[a-z]{2}-[a-z]{2,3}", "df": "|[dwmy]", "kp": "1|-1|-2"}
    cookie = asked.headers.get("cookie", "")
    if wrong(form, rules, needed="q b kl") or len(form["q"]) > 499 or f"kl={form['kl']}" not in cookie:
        return shown(_page(ANOMALY), 202)
    return None


def _duckduckgo_answer(found: list[Found]) -> Reply:
    results = [_web_result(each, direct=bool(position % 2)) for position, each in enumerate(found)]
    return shown(_links(AD, *(results or [EMPTY])))


HARMLESS = shown(_links(_web_result(Found("https://a.example/t", "What is anomaly.js? A CAPTCHA", "x"), direct=True)))
BOLD = shown(
    _links(
        '<div class="result web-result"><a class="result__a" href="https://a.example/t">Green <b>tea</b></a>'
        '<a class="result__snippet">All about <b>green tea</b>, R&amp;D &amp;amp; more.</a></div>'
    )
)
DUCKDUCKGO = Service(
    provider=DuckDuckGo,
    check=_duckduckgo_check,
    answer=_duckduckgo_answer,
    keyed=False,
    refusals={
        "bad_key": shown(f"<p>401 {KEY}</p>", 401),
        "quota": Reply(402, b"", ()),
        "rate_limited": shown("<p>Too many</p>", 429),
        "rate_limited_for_30_s": shown("<p>Too many</p>", 429, Retry_After="30"),
        "bad_request": shown("<p>Bad request</p>", 400),
    },
    own_faults={
        "the_anomaly_page_as_202": (shown(_page(ANOMALY), 202), "challenge"),
        "the_anomaly_page_as_200": (shown(_page(ANOMALY)), "challenge"),
        "the_anomaly_page_as_403": (shown(_page(ANOMALY), 403), "challenge"),
        "a_bare_202": (Reply(202, b"", (("Content-Type", "text/html"),)), "challenge"),
        "a_bare_403": (shown("<h1>403</h1>", 403), "challenge"),
        "303_without_a_place": (Reply(303, b"", ()), "bad_request"),
        "303_to_another_page": (Reply(303, b"", (("Location", "/duckduckgo/elsewhere/"),)), "bad_request"),
        "renamed_classes": (shown(_page('<div id="serp"><article><a href="https://a.example/">A</a></article></div>')),
                            "changed_markup"),
        "renamed_results": (shown(_links('<article><a href="https://a.example/">A</a></article>')), "changed_markup"),
        "advertisements_only": (shown(_links(AD)), "no_results"),
        "an_empty_list": (shown(_links()), "no_results"),
        "only_the_search_form": (shown(_page("")), "changed_markup"),
        "results_about_captchas": (HARMLESS, "ok"),
        "emphasis_in_texts": (BOLD, "ok"),
    },
)  # fmt: skip
