"""The faults that any service may show, what each does to a sound answer, and how it is to be called."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from contract.provider_fakes import damage
from contract.provider_fakes.agents import EXA, JINA, KAGI, KEENABLE, MARGINALIA, MOJEEK, TAVILY
from contract.provider_fakes.damage import FOUND
from contract.provider_fakes.engines import BING, BRAVE, GOOGLE, SERPER, WEB_IQ
from contract.provider_fakes.exchange import Found, Reply, Service, shown
from contract.provider_fakes.pages import DUCKDUCKGO, SEARXNG

if TYPE_CHECKING:
    from collections.abc import Callable

    from contract.provider_fakes.exchange import Asked

SERVICES = {
    service.provider.name: service
    for service in (
        BRAVE, SEARXNG, TAVILY, DUCKDUCKGO, GOOGLE, BING, WEB_IQ, EXA, SERPER, MOJEEK, KAGI, MARGINALIA, JINA, KEENABLE
    )
}  # fmt: skip

HOSTILE = [
    Found("javascript:alert(1)", "bad", "bad"),
    Found("data:text/html,<b>x</b>", "bad", "bad"),
    Found("https://user:pass@c.example/", "bad", "bad"),
    Found("//", "bad", "bad"),
    Found("file:///etc/passwd", "bad", "bad"),
]
TRICKED = Found(
    "https://a.example/t", "\u202egnp.exe\u2066 \U000e0041\U000e0042tea", "a\u0000b\u001b[31m c\u200bd\ud800"
)
WALL = "<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script></body></html>"
LOGIN = "<!doctype html><html><head><title>Sign in</title></head><body><form><input name=user></form></body></html>"

FAULTS: dict[str, Callable[[Service], Reply]] = {
    "500": lambda _: Reply(500, b"Internal Server Error", (("Content-Type", "text/plain"),)),
    "503_in_html": lambda _: shown("<h1>503 Service Unavailable</h1>", 503),
    "a_status_of_no_standard": lambda _: Reply(999, b"", ()),
    "404": lambda _: shown("<h1>Not Found</h1>", 404),
    "a_bot_check_as_200": lambda _: shown(WALL),
    "a_bot_check_as_403": lambda _: shown(WALL, 403),
    "a_bot_check_as_503": lambda _: shown(WALL, 503),
    "a_bot_check_by_header": lambda _: shown("<p>hm</p>", 403, cf_mitigated="challenge"),
    "a_page_for_people": lambda _: shown(LOGIN),
    "a_body_cut_short": lambda service: damage.cut(service.answer(FOUND)),
    "an_empty_answer_cut_short": damage.cut_late,
    "an_empty_body": lambda _: Reply(200, b""),
    "204": lambda _: Reply(204, b"", ()),
    "a_list": lambda _: Reply(body=b"[]"),
    "null": lambda _: Reply(body=b"null"),
    "an_empty_object": lambda _: Reply(body=b"{}"),
    "nesting_without_end": lambda _: Reply(body=b'{"results":' + b"[" * 200_000),
    "not_utf_8": lambda service: replace(service.answer(FOUND), body=b'{"results": ["\xff\xfe"]}'),
    "results_as_text": lambda service: damage.with_list(service, "none"),
    "results_as_null": lambda service: damage.with_list(service, None),
    "results_of_numbers": lambda service: damage.with_list(service, [1, 2]),
    "results_without_fields": lambda service: damage.with_list(service, [{}, {"x": 1}]),
    "addresses_of_wrong_types": damage.with_numbers,
    "hostile_addresses_only": lambda service: service.answer(HOSTILE),
    "hostile_addresses_and_texts": lambda service: service.answer([*HOSTILE, TRICKED]),
    "huge_numbers": damage.with_huge_numbers,
    "drips": lambda service: replace(service.answer(FOUND), how="drips"),
    "is_silent": lambda _: Reply(how="is silent"),
    "resets": lambda _: Reply(how="resets"),
}

EXPECTED = {
    "sound": "ok", "empty": "no_results",
    "bad_key": "auth", "quota": "quota", "rate_limited": "rate_limited", "rate_limited_for_30_s": "rate_limited",
    "bad_request": "bad_request",
    "500": "upstream", "503_in_html": "upstream", "a_status_of_no_standard": "upstream", "404": "changed_markup",
    "a_bot_check_as_200": "challenge", "a_bot_check_as_403": "challenge", "a_bot_check_as_503": "challenge",
    "a_bot_check_by_header": "challenge", "a_page_for_people": "changed_markup",
    "a_body_cut_short": "upstream", "an_empty_answer_cut_short": "upstream", "an_empty_body": "upstream",
    "204": "upstream", "a_list": "changed_markup", "null": "changed_markup", "an_empty_object": "changed_markup",
    "nesting_without_end": "changed_markup", "not_utf_8": "changed_markup", "results_as_text": "changed_markup",
    "results_as_null": "changed_markup", "results_of_numbers": "changed_markup",
    "results_without_fields": "changed_markup", "addresses_of_wrong_types": "changed_markup",
    "hostile_addresses_only": "changed_markup", "hostile_addresses_and_texts": "ok", "huge_numbers": "ok",
    "drips": "timeout", "is_silent": "timeout", "resets": "upstream",
}  # fmt: skip
ELSEWHERE = {
    # What arrived of a page can be read; of JSON it cannot.
    ("duckduckgo", "a_body_cut_short"): "partial",
}
OF_JSON = {name for name in FAULTS if name.startswith(("results_", "addresses_", "huge_"))}


def cases() -> dict[tuple[str, str], str]:
    """Return the matrix: service and fault -> the outcome that is right."""
    matrix = {
        (name, fault): ELSEWHERE.get((name, fault), expected)
        for name, service in SERVICES.items()
        for fault, expected in EXPECTED.items()
        if service.list_at or fault not in OF_JSON
    }
    own = {(name, fault): code for name, service in SERVICES.items() for fault, (_, code) in service.own_faults.items()}
    return matrix | own


def decide(name: str, fault: str, asked: Asked) -> Reply:
    """Answer as the service does when it has this fault; `sound` and `empty` are the strict service itself."""
    service = SERVICES.get(name)
    if service is None or fault == "elsewhere":
        return shown(LOGIN)
    if fault in service.refusals:
        return service.refusals[fault]
    if fault in service.own_faults:
        return service.own_faults[fault][0]
    refusal = service.check(asked)
    if refusal is not None:
        return refusal
    if fault.startswith("has_"):
        return _page_of_many(service, asked, int(fault.removeprefix("has_")))
    return FAULTS[fault](service) if fault in FAULTS else service.answer([] if fault == "empty" else FOUND)


def _page_of_many(service: Service, asked: Asked, total: int) -> Reply:
    """Answer with the asked page of `total` results."""
    found = [Found(f"https://a.example/{number}", f"Result {number}", "Green tea.") for number in range(1, total + 1)]
    start, size = service.window(asked)
    return service.with_more(service.answer(found[start : start + size]), start + size < total)
