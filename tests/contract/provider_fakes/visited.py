"""Fakes of search pages that are asked in a browser: DuckDuckGo's by its address, Google's by typing into its form.

They are as strict as the real ones are thought to be. Google's form is sent by scripts, only for trusted keys, and only
once its banner is gone; whoever accepts cookies is led astray.
"""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

from contract.provider_fakes import pages
from contract.provider_fakes.checks import WORDS, wrong
from contract.provider_fakes.damage import FOUND
from contract.provider_fakes.exchange import Found, Reply, shown
from contract.provider_fakes.faults import HOSTILE, LOGIN, TRICKED, WALL

if TYPE_CHECKING:
    from collections.abc import Callable

    from sites import Answer, Asked, Site

QUERY = "green tea"

# ------------------------------------------------------------------------------------------------ Google

BANNER = """<div role="dialog" id="banner" style="position:fixed;inset:0;background:#fff;z-index:9">
<p>Before you continue: we use cookies.</p><button onclick="document.cookie='all=1'; this.closest('div').remove()">
Accept all</button><button id="W0wltc" onclick="this.closest('div').remove()">Reject all</button></div>"""
HOME = """<!DOCTYPE html><html><head><title>Google</title></head><body>{before}
<form action="search" method="get" role="search" onsubmit="event.preventDefault()"><textarea name="q" title="Search"
onkeydown="typed += event.isTrusted; if (event.key === 'Enter' &amp;&amp; event.isTrusted &amp;&amp;
!document.getElementById('banner') &amp;&amp; typed >= this.value.length)
{{ event.preventDefault(); const asked = 'search?sei=x1&amp;q=' + encodeURIComponent(this.value);
setTimeout(() => location.href = asked, 30) }}"></textarea></form><script>let typed = 0;</script><a href="https://about.google/">About</a></body></html>"""
SORRY = """<!DOCTYPE html><title>Sorry</title><form id="captcha-form" action="index" method="post">
<div id="recaptcha"></div></form><p>Our systems have detected unusual traffic from your computer network.</p>"""
CONSENT = """<!DOCTYPE html><title>Before you continue</title><h1>Before you continue</h1><p>We use cookies.</p>
<form action="accepted"><button>Accept all</button></form>
<form action="{leads}"><button>Reject all</button></form>"""
AD = '<div id="tads"><div data-text-ad="1"><a href="https://shop.example/"><h3>Buy tea</h3></a>Cheap tea.</div></div>'
NONE = '<div id="topstuff"><p>Your search - <b>green tea</b> - did not match any documents.</p></div>'


def _result(each: Found, *, direct: bool) -> str:
    href = each.url if direct else f"/url?q={quote(each.url, safe='')}&sa=U&ved=2ah"
    return f"""<div class="MjjYud"><div class="g" data-hveid="CAE"><div><a href="{escape(href)}">
<h3>{escape(each.title)}</h3><div><span>A</span><cite>https://a.example &gt; t</cite></div></a></div>
<div><span>{escape(each.snippet)}</span></div></div></div>"""


def results(*inner: str, beside: str = "") -> Reply:
    return shown(
        f"""<!DOCTYPE html><html><head><title>green tea - Google Search</title></head><body>
<a href="https://www.google.com/preferences">Settings</a><div id="main">{AD}{beside}<div id="search"><div id="rso">
{"".join(inner)}</div></div><div id="botstuff"></div></div></body></html>"""
    )


def google(found: list[Found]) -> Reply:
    listed = [_result(each, direct=bool(position % 2)) for position, each in enumerate(found)]
    return results(*listed) if listed else results(beside=NONE)


GOOGLES: dict[str, tuple[Reply, str]] = {
    "a_bot_check_on_the_page": (shown(SORRY), "challenge"),
    "a_bot_check_as_429": (shown(SORRY, 429), "challenge"),
    "a_wall_of_another_maker": (shown(WALL, 403), "challenge"),
    "advertisements_only": (results(beside=AD), "changed_markup"),
    "advertisements_and_a_word_that_there_is_nothing": (results(beside=NONE), "no_results"),
    "renamed_headings": (results('<div><a href="https://a.example/"><h4>A</h4></a></div>'), "changed_markup"),
    "own_pages_only": (results('<a href="https://maps.google.com/"><h3>Maps</h3></a>'), "changed_markup"),
    "no_list_at_all": (shown("<title>Google</title><p>Something went wrong.</p>"), "changed_markup"),
    "a_page_for_people": (shown(LOGIN), "changed_markup"),
    "an_empty_body": (shown(""), "changed_markup"),
    "500": (shown("<p>Server error</p>", 500), "upstream"),
    "404": (shown("<p>Not found</p>", 404), "changed_markup"),
    "rate_limited_for_30_s": (shown("<p>Too many</p>", 429, Retry_After="30"), "rate_limited"),
    "hostile_addresses_only": (google(HOSTILE), "changed_markup"),
    "hostile_addresses_and_texts": (google([*HOSTILE, TRICKED]), "ok"),
    "the_same_page_twice": (google([*FOUND, *FOUND]), "ok"),
}
"""Fault -> the page of results, and how it is to be called."""
HOMES = {
    "sound": HOME.format(before=""),
    "a_banner": HOME.format(before=BANNER),
    "a_bot_check_at_first": SORRY,
    "no_form": "<!DOCTYPE html><title>Google</title><p>We have moved things about.",
}
"""Fault -> the page that is opened first."""

# -------------------------------------------------------------------------------------------- DuckDuckGo

DUCKS: dict[str, tuple[Reply, str]] = {
    **{
        name: told
        for name, told in pages.DUCKDUCKGO.own_faults.items()
        if told[0].status != 303 and name not in {"a_bare_202", "emphasis_in_texts"}
    },
    "500": (shown("<p>Server error</p>", 500), "upstream"),
    "rate_limited_for_30_s": (shown("<p>Too many</p>", 429, Retry_After="30"), "rate_limited"),
    "a_wall_of_another_maker": (shown(WALL, 403), "challenge"),
    "hostile_addresses_and_texts": (pages.DUCKDUCKGO.answer([*HOSTILE, TRICKED]), "ok"),
}


def _duck(asked: Asked) -> Reply:
    """Answer as the strict service: only the address that its own form makes."""
    rules = {"q": WORDS, "kl": "wt-wt|[a-z]{2}-[a-z]{2,3}", "df": "[dwmy]"}
    bad = asked.method != "GET" or wrong(given(asked), rules, needed="q kl")
    return pages.DUCKDUCKGO.refusals["bad_request"] if bad else pages.DUCKDUCKGO.answer(FOUND)


# --------------------------------------------------------------------------------------------- the site


def given(asked: Asked) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(asked.path).query).items()}


def _searched(reply: Reply) -> Callable[[Asked], Reply]:
    def answer(asked: Asked) -> Reply:
        told = given(asked)
        astray = told.get("q") != QUERY or "all=1" in asked.headers.get("Cookie", "") or set(told) - {"q", "sei"}
        return shown("<p>That is not how people ask.</p>", 400) if astray else reply

    return answer


def _always(reply: Reply, _: Asked) -> Reply:
    return reply


def _as_site(answer: Callable[[Asked], Reply]) -> Callable[[Asked], Answer]:
    def told(asked: Asked) -> Answer:
        reply = answer(asked)
        return reply.status, dict(reply.headers), reply.body

    return told


def stock(site: Site) -> None:
    """Put the fakes under /NAME/FAULT/ of a site."""
    found, names = google(FOUND), set(GOOGLES) | set(HOMES) | {"empty", "consent", "consent_for_ever"}
    for fault in names:
        place = f"/google_browser/{fault}"
        home, reply = HOMES.get(fault, HOMES["sound"]), GOOGLES[fault][0] if fault in GOOGLES else found
        site.pages[f"{place}/"] = home
        site.pages[f"{place}/search"] = _as_site(_searched(google([]) if fault == "empty" else reply))
    home = site.url("/google_browser/consent/home", host="app.example")
    for fault, leads in (("consent", home), ("consent_for_ever", "ask")):
        place = f"/google_browser/{fault}"
        moved = f"http://consent.google.example:{site.port}{place}/ask"
        site.pages[f"{place}/"] = (302, {"Location": moved}, b"")
        site.pages[f"{place}/ask"] = CONSENT.format(leads=leads)
        site.pages[f"{place}/home"] = HOMES["sound"]
    for fault in (*DUCKS, "sound", "empty"):
        reply = DUCKS[fault][0] if fault in DUCKS else pages.DUCKDUCKGO.answer([])
        place = f"/duckduckgo_browser/{fault}/html/"
        site.pages[place] = _as_site(_duck if fault == "sound" else partial(_always, reply))


MATRIX = {
    **{("google_browser", fault): code for fault, (_, code) in GOOGLES.items()},
    ("google_browser", "sound"): "ok",
    ("google_browser", "empty"): "no_results",
    ("google_browser", "a_banner"): "ok",
    ("google_browser", "consent"): "ok",
    ("google_browser", "consent_for_ever"): "challenge",
    ("google_browser", "a_bot_check_at_first"): "challenge",
    ("google_browser", "no_form"): "changed_markup",
    **{("duckduckgo_browser", fault): code for fault, (_, code) in DUCKS.items()},
    ("duckduckgo_browser", "sound"): "ok",
    ("duckduckgo_browser", "empty"): "no_results",
}
"""Service and fault -> the outcome that is right."""
