"""What a robots.txt means to us (RFC 9309)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import takes_at_most
from wellread.errors import BlockedAddress, RedirectLoop, Robots, Unreachable, Unrecorded, WellreadError
from wellread.net import guard
from wellread.net.robots import MAX_DELAY_S, RobotsRules, RobotsTxt, parse, rules_of_response
from wellread.testing import FakeClock
from wellread.types import Response

pytestmark = pytest.mark.anyio


def at(path: str, host: str = "example.com") -> guard.Target:
    return guard.check_url(f"https://{host}{path}", guard.Policy())


def answer(text: str = "", status: int = 200, *, replayed: bool = False) -> Response:
    url = "https://example.com/robots.txt"
    return Response(url=url, status=status, headers=(), body=text.encode(), replayed=replayed)


class Site:
    """Counts how often its robots.txt is asked for."""

    def __init__(self, said: Response | WellreadError) -> None:
        self.said = said
        self.asked: list[str] = []

    async def fetch(self, url: str) -> Response:
        self.asked.append(url)
        if isinstance(self.said, WellreadError):
            raise self.said
        return self.said


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow: /private", "/a", True),
        ("User-agent: *\nDisallow: /private", "/private/x", False),
        ("User-agent: *\nDisallow: /private\nAllow: /private/open", "/private/open/x", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdf?y", True),
        ("User-agent: *\nDisallow: /a?b=", "/a?b=1", False),
        ("User-agent: *\nDisallow: /caf%C3%A9", "/caf\u00e9", False),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("User-agent: *\nDisallow: /", "//double", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: wellread\nDisallow:", "/a", True),
        ("User-agent: WellRead/2.0\nDisallow: /", "/a", False),
        ("User-agent: other\nUser-agent: wellread # us\nDisallow: /", "/a", False),
        ("User-agent: well\nDisallow: /", "/a", True),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("\ufeffUser-agent: *\r\nDisallow: /\r\n", "/a", False),
        ("<!doctype html><html><body>Not found: sorry</body>", "/a", True),
        ("\0\1\2 User-agent: *\nDisallow /", "/a", True),
    ],
)
def test_rules_are_read_as_rfc_9309_says(text: str, path: str, allowed: bool) -> None:
    assert parse(text).allow(at(path)) is allowed


def test_a_delay_is_honoured_up_to_a_limit_and_not_when_replayed() -> None:
    assert parse("User-agent: *\nCrawl-delay: 2.5").delay_s == 2.5
    assert parse("User-agent: *\nCrawl-delay: 3600").delay_s == MAX_DELAY_S
    assert parse("User-agent: other\nCrawl-delay: 5").delay_s == 0
    assert rules_of_response(answer("User-agent: *\nCrawl-delay: 2", replayed=True)).delay_s == 0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 429, 304])
def test_a_missing_robots_txt_allows_everything(status: int) -> None:
    assert rules_of_response(answer("User-agent: *\nDisallow: /", status)) == RobotsRules()


@pytest.mark.parametrize("status", [500, 503])
def test_a_failing_server_forbids_everything_and_says_why(status: int) -> None:
    assert f"answered {status}" in (rules_of_response(answer("", status)).refusal or "")


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"User-agent: a{i}*" for i in range(15_000))
        + "\n"
        + "\n".join("Disallow: /x" for _ in range(15_000)),
        "User-agent: *\n" + "\n".join(f"Disallow: *{i}*x*y*$" for i in range(20_000)),
        "User-agent: *\nDisallow: /" + "*a" * 200_000,
        "User-agent:" + " " * 500_000,
    ],
)
def test_a_hostile_robots_txt_costs_little(text: str) -> None:
    # Quadratic, it would take minutes.
    assert takes_at_most(8, lambda: parse(text).allow(at("/" + "a" * 10_000)))


LINE = st.sampled_from(
    ["User-agent: *", "user agent wellread", "Disallow: ", "Allow:", "Crawl-delay: nan", "$", "*", "%", "\n"]
)


@given(st.lists(LINE | st.text(max_size=12), max_size=20).map("".join))
def test_any_text_is_a_robots_txt(text: str) -> None:
    assert parse(text).allow(at("/a?b=%zz")) in {True, False}


async def test_each_origin_is_asked_once_until_its_rules_grow_old() -> None:
    site, clock = Site(answer("User-agent: *\nDisallow: /no")), FakeClock()
    robots = RobotsTxt(site.fetch, clock)
    assert await robots.check(at("/a")) == 0
    with pytest.raises(Robots, match=r"https://example\.com/robots\.txt disallows https://example\.com/no") as caught:
        await robots.check(at("/no"))
    assert "--user-asked" in caught.value.hint
    assert site.asked == ["https://example.com/robots.txt"]
    await robots.check(at("/a", "example.org"))
    assert site.asked[1:] == ["https://example.org/robots.txt"]
    clock.advance(24 * 3_600)
    await robots.check(at("/a"))
    assert len(site.asked) == 3


async def test_a_failure_is_remembered_for_a_minute_only() -> None:
    site, clock = Site(answer("", 503)), FakeClock()
    robots = RobotsTxt(site.fetch, clock)
    for _ in range(2):
        with pytest.raises(Robots, match="answered 503"):
            await robots.check(at("/a"))
    assert len(site.asked) == 1
    site.said = answer()
    clock.advance(61)
    assert await robots.check(at("/a")) == 0


@pytest.mark.parametrize("error", [Unreachable("no route"), BlockedAddress("private")])
async def test_an_unreachable_site_is_told_as_such_and_asked_again(error: WellreadError) -> None:
    site = Site(error)
    robots = RobotsTxt(site.fetch, FakeClock())
    for _ in range(2):
        with pytest.raises(type(error)) as caught:
            await robots.check(at("/a"))
        assert isinstance(error, BlockedAddress) or caught.value.url == at("/a").url
    assert len(site.asked) == 2


@pytest.mark.parametrize("error", [Unrecorded("not in the recording"), RedirectLoop("six redirects")])
async def test_unrecorded_or_looping_robots_txt_allows_all(error: WellreadError) -> None:
    assert await RobotsTxt(Site(error).fetch, FakeClock()).check(at("/a")) == 0


async def test_what_is_kept_in_memory_is_bounded() -> None:
    site = Site(answer("User-agent: *\n" + "#\n" + "Disallow: /x" + "x" * 500_000))
    robots = RobotsTxt(site.fetch, FakeClock())
    for number in range(40):
        await robots.check(at("/a", f"h{number}.example.com"))
    assert sum(rules.size for rules, _ in robots._kept.values()) <= 4_000_000
    assert len(robots._kept) > 5
