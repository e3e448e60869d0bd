"""Searching in a replay: what is recorded answers, nothing else is asked, and what was not recorded is said plainly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scenario.interfaces import http
from scenario.interfaces import settings as interface_settings
from wellread import Settings, Web
from wellread.apps.commands.demo import HOME, SITE
from wellread.config import CacheSettings, SearchSettings
from wellread.errors import InvalidInput
from wellread.values import Address

if TYPE_CHECKING:
    from pathlib import Path


def settings(folder: Path, *providers: str, urls: dict[str, str] | None = None) -> Settings:
    places = {name: Address(url) for name, url in (urls or {}).items()}
    return Settings(
        cache=CacheSettings(dir=folder), search=SearchSettings(providers=providers or ("auto",), urls=places)
    )


async def test_only_the_local_index_is_asked_where_no_service_was_recorded(tmp_path: Path) -> None:
    async with Web(settings(tmp_path), replay=SITE) as web:
        told = await web.gather("Why was the lamp changed?")
        (outcome,) = told.outcomes
        assert (outcome.provider, outcome.code) == ("local", "no_results")
        assert f"{SITE} has no recorded search" in outcome.detail
        assert "wellread index" in outcome.detail
        await web.index(HOME + "faq")
        found = await web.search("lamp")
    assert [(each.provider, each.code, each.detail) for each in found.outcomes] == [("local", "ok", "")]


async def test_a_service_that_is_named_says_that_it_was_not_recorded(tmp_path: Path) -> None:
    async with Web(settings(tmp_path, "tavily"), replay=SITE) as web:
        found = await web.search("lamp")
        again = await web.search("lamp")
    for each in (found, again):
        assert (each.outcomes[0].provider, each.outcomes[0].code) == ("tavily", "unrecorded")
        assert "is not in" in each.outcomes[0].detail


async def test_replayed_service_names_an_unrecorded_query(tmp_path: Path) -> None:
    async with Web(settings(tmp_path, urls={"searxng": HOME}), replay=SITE) as web:
        found = await web.search("lamp")
    assert [(each.provider, each.code) for each in found.outcomes] == [
        ("searxng", "unrecorded"),
        ("local", "no_results"),
    ]


async def test_one_service_alone_is_asked_of_those_that_the_settings_allow(tmp_path: Path) -> None:
    async with Web(settings(tmp_path, "tavily", "local"), replay=SITE) as web:
        await web.index(HOME + "faq")
        assert [each.provider for each in (await web.search("lamp")).outcomes] == ["tavily", "local"]
        assert [each.provider for each in (await web.search("lamp", provider="local")).outcomes] == ["local"]
        assert [each.provider for each in (await web.search("lamp", provider="tavily")).outcomes] == ["tavily"]
        told = await web.gather("Why was the lamp changed?", provider="local")
        assert told.passages
        assert {each.provider for each in told.outcomes} == {"local"}
        with pytest.raises(InvalidInput, match="'brave' is not a configured") as caught:
            await web.search("lamp", provider="brave")
        assert caught.value.hint == "one of tavily, local"


async def test_no_caller_of_a_server_can_have_another_service_asked(tmp_path: Path) -> None:
    async with http(interface_settings(tmp_path)) as client:
        refused = await client.post("/v1/search", json={"query": "lamp", "provider": "brave"})
        asked = await client.post("/v1/gather", json={"question": "lamp", "provider": "local"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")
    assert [each["provider"] for each in asked.json()["outcomes"]] == ["local"]
