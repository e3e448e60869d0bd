"""Interfaces on the recorded site: the synchronous library, finding, proving again, and wrong questions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import wellread
from wellread import Settings, Web, sync
from wellread.apps.commands.demo import HOME, SITE
from wellread.config import CacheSettings, SearchSettings
from wellread.errors import BlockedAddress, ConfigError, Empty, InvalidCursor, InvalidInput, Unrecorded

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.ports import Freshness


def offline(folder: Path) -> Settings:
    return Settings(cache=CacheSettings(dir=folder), search=SearchSettings(providers=("local",)))


def test_the_synchronous_web_does_what_the_other_does(tmp_path: Path) -> None:
    with sync.Web(offline(tmp_path), replay=SITE) as web:
        page = web.read(HOME + "faq", format="text")
        assert "The lighthouse" in page.text
        assert web.index(HOME + "faq")
        assert not web.index(HOME + "faq")
        assert [hit.url for hit in web.search("lamp").hits] == [HOME + "faq"]
        told = web.gather("Why was the lamp of the lighthouse changed?")
        assert all(verdict.ok for verdict in web.verify(told.passages))
        result = web.find(HOME + "faq", "STORM  petrels")
        assert result.matches[0].text.split() == ["storm", "petrels"]
        assert web.indexed() == (HOME + "faq",)
        assert web.forget(HOME + "faq")
        assert not web.forget(HOME + "faq")
        saved = web.download(HOME + "reports/petrel-count-2024.pdf", to=tmp_path)
        assert saved.path.read_bytes().startswith(b"%PDF")
        saved = web.download(HOME + "reports/petrel-count-2024.pdf", to=f"{tmp_path}/reports/2024/")
        assert saved.path == tmp_path / "reports" / "2024" / "petrel-count-2024.pdf"


async def test_citations_of_another_run_are_proven_by_reading_again(tmp_path: Path) -> None:
    async with Web(offline(tmp_path), replay=SITE) as web:
        await web.index(HOME + "faq")
        told = await web.gather("Why was the lamp of the lighthouse changed?")
    async with Web(offline(tmp_path), replay=SITE) as web:
        assert all(verdict.ok for verdict in await web.verify(told.passages)), "the local index keeps what it cited"
        assert await web.forget(HOME + "faq")
        assert {verdict.reason for verdict in await web.verify(told.passages)} == {"snapshot evicted"}
        assert all(verdict.ok for verdict in await web.verify(told.passages, read_again=True))


async def test_a_cursor_holds_only_for_the_page_it_came_from(tmp_path: Path) -> None:
    async with Web(offline(tmp_path), replay=SITE) as web:
        page = await web.read(HOME + "reference", max_length=500)
        with pytest.raises(InvalidCursor):
            await web.read(HOME + "faq", cursor=page.cursor)
        with pytest.raises(BlockedAddress):
            await web.read("http://127.0.0.1/", cursor=page.cursor)


@pytest.mark.parametrize(
    "options", [{"format": "md"}, {"mode": "nonsense"}, {"max_length": "5"}, {"max_length": 0}, {"maxlength": 3}]
)
async def test_an_option_that_does_not_exist_is_refused_with_those_that_do(
    tmp_path: Path,
    options: dict[str, Any],  # Any: wrong on purpose
) -> None:
    async with Web(offline(tmp_path), replay=SITE) as web:
        with pytest.raises(InvalidInput) as caught:
            await web.read(HOME, **options)
    assert caught.value.hint


@pytest.mark.parametrize("plea", ["You need to enable JavaScript to run this app.", "This site requires JavaScript."])
def test_a_page_that_only_asks_for_scripts_is_empty(plea: str) -> None:
    with pytest.raises(Empty):
        wellread.extract(f"<div id=root></div><script src=a.js></script><noscript>{plea}</noscript>")


def test_a_prose_page_about_scripts_is_read() -> None:
    text = "<p>Older sites needed you to enable JavaScript before they showed a word. " + "We went on without it. " * 20
    assert "went on" in wellread.extract(f"<main>{text}</p></main>").text


async def test_a_replay_never_goes_to_the_network(tmp_path: Path) -> None:
    async with Web(offline(tmp_path), replay=SITE) as web:
        with pytest.raises(Unrecorded, match="faqs") as caught:
            await web.read(HOME + "faqs")
    assert HOME + "faq" in caught.value.hint


@pytest.mark.parametrize(
    ("query", "count", "region", "freshness"),
    [(" ", 10, None, None), ("x", 0, None, None), ("x", 10, "USA", None), ("x", 10, None, "hour")],
)
async def test_a_wrong_question_is_refused_with_a_hint(
    tmp_path: Path, query: str, count: int, region: str | None, freshness: Freshness | None
) -> None:
    async with Web(offline(tmp_path), replay=SITE) as web:
        with pytest.raises(InvalidInput) as caught:
            await web.search(query, count=count, region=region, freshness=freshness)
    assert caught.value.hint


def test_an_unknown_search_service_is_named_beside_those_that_exist(tmp_path: Path) -> None:
    settings = Settings(cache=CacheSettings(dir=tmp_path), search=SearchSettings(providers=("goggle",)))
    with pytest.raises(ConfigError, match="goggle") as caught:
        Web(settings, replay=SITE)
    assert "duckduckgo" in caught.value.hint


def test_recording_and_replaying_at_once_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        Web(offline(tmp_path), replay=SITE, record=tmp_path / "run.warc.gz")


def test_html_at_hand_is_read_without_a_web() -> None:
    page = wellread.extract("<main><h1>Low water</h1><p>The pools lie <a href='/dry'>dry</a> at nine.</p></main>")
    assert page.text.startswith("# Low water")
    assert page.links == ()
    assert wellread.extract(b"<p>x <a href='/dry'>dry</a></p>", url="http://a.example/").links == (
        "http://a.example/dry",
    )


def test_every_public_name_can_be_reached() -> None:
    assert {name for name in dir(wellread) if not name.startswith("_")} == set(wellread.__all__)
    assert all(getattr(wellread, name) for name in wellread.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = wellread.nothing


async def test_one_bad_url_among_citations_fails_alone(tmp_path: Path) -> None:
    async with Web(offline(tmp_path), replay=SITE) as web:
        await web.index(HOME + "faq")
        told = await web.gather("Why was the lamp of the lighthouse changed?")
        bad = [replace(told.passages[0], url=url) for url in ("nonsense", "file:///etc/passwd", "http://127.0.0.1/")]
        verdicts = await web.verify([*bad, *told.passages], read_again=True)
    assert [verdict.reason.partition(":")[0] for verdict in verdicts[:3]] == [
        "invalid_url",
        "invalid_url",
        "blocked_address",
    ]
    assert all(verdict.ok for verdict in verdicts[3:])
