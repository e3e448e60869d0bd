"""The search engine over scripted providers: order, budget, pace, pauses, and an outcome for everyone asked."""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio
import pytest

from wellread.errors import Timeout, Unreachable
from wellread.net.local_state import LocalState
from wellread.ports import Access, Parsed, Query
from wellread.search.engine import ProviderSource, ProviderTransports, SearchBudget, SearchEngine
from wellread.testing import DictWeb, FakeClock
from wellread.types import Found, Hit, ProviderOutcome, Request, Response

OK = Response(url="http://p.example/", status=200, headers=(), body=b"")


@dataclass
class Scripted:
    name: str
    ends: list[Parsed]
    filters: frozenset[str] = frozenset()
    keyless: bool = True
    max_count: int = 10
    interval_s: float = 0.0
    place: int | None = 0
    counts: list[int] = field(default_factory=list)

    def request(self, query: Query, access: Access) -> Request:
        self.counts.append(query.count)
        filters = {name: str(getattr(query, name)) for name in self.filters}
        return Request(url=f"http://{self.name}.example/", headers=tuple(filters.items()))

    def parse(self, response: Response) -> Parsed:
        return self.ends.pop(0) if len(self.ends) > 1 else self.ends[0]


def hits(provider: str, *names: str) -> Parsed:
    found = tuple(
        Hit(title=name, url=f"http://{name}.example/", source=provider, rank=rank) for rank, name in enumerate(names, 1)
    )
    return Parsed(code="ok", hits=found)


NOTHING = Parsed(code="no_results")
BLOCKED = Parsed(code="challenge", detail="CAPTCHA")


class Last:
    async def search(self, query: Query) -> Found:
        local = ProviderOutcome(provider="local", code="no_results", detail="empty")
        return Found(query=query.text, hits=(), outcomes=(local,))


def engine(
    *providers: Scripted, fan_out: int = 1, web: DictWeb | None = None, clock: FakeClock | None = None
) -> SearchEngine:
    pages = {f"http://{provider.name}.example/": OK for provider in providers}
    clock = clock or FakeClock()
    return SearchEngine(
        [ProviderSource(provider, Access()) for provider in providers],
        transports=ProviderTransports(web or DictWeb(pages)),
        clock=clock,
        budget=SearchBudget(total_s=10, provider_s=5, fan_out=fan_out),
        last=Last(),
        pace=LocalState(clock.monotonic),
    )


def ends(found: Found) -> list[tuple[str, str]]:
    return [(outcome.provider, outcome.code) for outcome in found.outcomes]


async def test_the_first_provider_with_hits_answers_and_no_other_is_asked() -> None:
    found = await engine(Scripted("a", [hits("a", "x", "y")]), Scripted("b", [hits("b", "z")])).search(Query(text="q"))
    assert [hit.title for hit in found.hits] == ["x", "y"]
    assert ends(found) == [("a", "ok")]


@pytest.mark.parametrize("end", [NOTHING, BLOCKED, Parsed(code="auth"), Parsed(code="upstream")])
async def test_next_provider_after_no_results(end: Parsed) -> None:
    found = await engine(Scripted("a", [end]), Scripted("b", [hits("b", "z")])).search(Query(text="q"))
    assert [hit.title for hit in found.hits] == ["z"]
    assert ends(found) == [("a", end.code), ("b", "ok")]


async def test_when_nobody_has_anything_everyone_says_why() -> None:
    found = await engine(Scripted("a", [BLOCKED]), Scripted("b", [NOTHING])).search(Query(text="q"))
    assert found.hits == ()
    assert ends(found) == [("a", "challenge"), ("b", "no_results"), ("local", "no_results")]


async def test_a_failure_on_the_way_is_an_outcome_and_not_an_exception() -> None:
    web = DictWeb({"http://a.example/": Timeout("slow"), "http://b.example/": Unreachable("down")})
    found = await engine(Scripted("a", [NOTHING]), Scripted("b", [NOTHING]), web=web).search(Query(text="q"))
    assert ends(found) == [("a", "timeout"), ("b", "upstream"), ("local", "no_results")]


async def test_fan_out_asks_several_at_once_and_fuses_what_they_say() -> None:
    both = engine(Scripted("a", [hits("a", "x", "y")]), Scripted("b", [hits("b", "z", "y")]), fan_out=2)
    found = await both.search(Query(text="q"))
    assert found.hits[0].title == "y"
    assert found.hits[0].source == "a, b"
    assert ends(found) == [("a", "ok"), ("b", "ok")]


async def test_filters_that_a_provider_lacks_are_named() -> None:
    provider = Scripted("a", [hits("a", "x")], filters=frozenset({"region"}))
    found = await engine(provider).search(Query(text="q", region="US", freshness="day"))
    assert found.ignored_filters == ("freshness",)


async def test_a_key_in_a_url_never_reaches_the_outcome() -> None:
    provider = Scripted("a", [NOTHING])
    web = DictWeb({"http://a.example/": Timeout("http://a.example/?key=s%2Fecret took too long (s/ecret)")})
    asked = SearchEngine(
        [ProviderSource(provider, Access(key="s/ecret"))],
        transports=ProviderTransports(web),
        clock=FakeClock(),
        budget=SearchBudget(total_s=10, provider_s=5),
        last=None,
        pace=LocalState(),
    )
    found = await asked.search(Query(text="q"))
    assert "ecret" not in found.outcomes[0].detail


async def test_a_provider_is_asked_for_no_more_than_it_can_give() -> None:
    provider = Scripted("a", [hits("a", "x")], max_count=20)
    await engine(provider).search(Query(text="q", count=50))
    assert set(provider.counts) == {20}


def page_of_ten(first: int) -> Parsed:
    return hits("a", *(f"r{number}" for number in range(first, first + 10)))


async def test_failure_on_second_page_keeps_first() -> None:
    limited = Parsed(code="rate_limited", detail="HTTP 429: asked too often", retry_after_s=7)
    provider = Scripted("a", [page_of_ten(1), limited], filters=frozenset({"page"}))
    asked = engine(provider)
    found = await asked.search(Query(text="q", count=30))
    assert len(found.hits) == 10
    assert ends(found) == [("a", "partial")]
    why = "10 of 30 results: page 2 ended with rate_limited (HTTP 429: asked too often)"
    assert found.outcomes[0].detail == why
    assert ends(await asked.search(Query(text="q")))[0] == ("a", "rate_limited")


async def test_pages_take_slots_of_the_pace() -> None:
    provider = Scripted("a", [page_of_ten(1), page_of_ten(11)], filters=frozenset({"page"}), interval_s=20.0)
    found = await engine(provider).search(Query(text="q", count=20))
    assert ends(found) == [("a", "partial")]
    assert found.outcomes[0].detail == "10 of 20 results: the time left does not allow a further request"


async def test_pages_that_overlap_are_joined() -> None:
    pages = [page_of_ten(1), page_of_ten(6), page_of_ten(16), NOTHING]
    found = await engine(Scripted("a", pages, filters=frozenset({"page"}))).search(Query(text="q", count=40))
    assert [hit.title for hit in found.hits] == [f"r{number}" for number in range(1, 26)]
    assert ends(found) == [("a", "ok")]


async def test_alias_of_a_provider() -> None:
    found = await engine(Scripted("google_cse", [hits("google_cse", "x")])).search(Query(text="q", provider="google"))
    assert ends(found) == [("google_cse", "ok")]


async def test_a_blocked_provider_is_left_alone_for_a_while_and_says_so() -> None:
    clock = FakeClock()
    provider = Scripted("a", [BLOCKED, hits("a", "x")])
    asked = engine(provider, clock=clock)
    await asked.search(Query(text="q"))
    again = await asked.search(Query(text="q"))
    assert ends(again)[0] == ("a", "challenge")
    assert "paused for" in again.outcomes[0].detail
    assert len(provider.counts) == 1
    clock.advance(181)
    assert ends(await asked.search(Query(text="q"))) == [("a", "ok")]


async def test_a_rate_limited_provider_is_asked_again_when_it_said() -> None:
    clock = FakeClock()
    asked = engine(Scripted("a", [Parsed(code="rate_limited", retry_after_s=7), hits("a", "x")]), clock=clock)
    await asked.search(Query(text="q"))
    clock.advance(6.9)
    assert ends(await asked.search(Query(text="q")))[0] == ("a", "rate_limited")
    clock.advance(0.2)
    assert ends(await asked.search(Query(text="q"))) == [("a", "ok")]


async def test_two_failures_are_forgiven_and_the_third_pauses() -> None:
    clock = FakeClock()
    provider = Scripted("a", [Parsed(code="upstream")])
    asked = engine(provider, clock=clock)
    for _ in range(5):
        await asked.search(Query(text="q"))
    assert len(provider.counts) == 3


async def test_a_caller_for_whom_the_pace_leaves_no_time_is_told_so_at_once() -> None:
    provider = Scripted("a", [hits("a", "x")], interval_s=4.0)
    asked = engine(provider)
    outcomes: list[str] = []

    async def caller() -> None:
        found = await asked.search(Query(text="q"))
        outcomes.append(found.outcomes[0].code)
        if len(outcomes) == 3:
            tasks.cancel_scope.cancel()

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(caller)
    # The clock stands still: the first goes at once, the second is waiting for its slot, two have no chance.
    assert sorted(outcomes) == ["ok", "rate_limited", "rate_limited"]
