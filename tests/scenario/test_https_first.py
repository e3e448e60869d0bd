"""URLs without a scheme, at every interface: https is asked first, then http."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scenario.interfaces import http, settings
from scenario.test_pipeline import answer, article
from sites import settings_for
from wellread import Web, sync, tools
from wellread.apps.cli import app
from wellread.apps.commands.demo import HOME, SITE
from wellread.errors import Gone, InvalidUrl, Timeout, Unreachable
from wellread.net import schemeless_urls

if TYPE_CHECKING:
    from pathlib import Path

    from scenario.story import Tell
    from sites import Site

HOST = HOME.removeprefix("http://").rstrip("/")
CRABS = article("crabs")


@pytest.mark.parametrize(
    "host",
    [
        "a.example",
        "a.example/x?y=1",
        "a.example:8080/",
        "localhost:8080",
        "192.0.2.1",
        "[2001:db8::1]:80/x",
        "a.example#y",
        "a.example/report.pdf",
        "readme.md",
    ],
)
def test_a_host_without_a_scheme_stands_for_two_urls(host: str) -> None:
    assert schemeless_urls.candidate_urls(host) == (f"https://{host}", f"http://{host}")


@pytest.mark.parametrize(
    "text",
    [
        *("https://a.example", "HTTP://a.example", "nope", "./notes.md", "../a.b", "/etc/x.y", "tel:112", "doi:10.1/x"),
        *(
            "mailto:me@a.example",
            "me:pw@a.example",
            "a b.example",
            "javascript:alert(1.5)",
            "//a.example",
            "about:blank",
        ),
        *("report.pdf", "Mein Bericht.DOCX", "pages.html", "a.b.json"),
        *("a.example:port", "ftp.x:123456", "", "a.b\\c"),
    ],
)
def test_what_is_no_host_alone_is_left_as_it_is(text: str) -> None:
    assert schemeless_urls.candidate_urls(text) == (text,)


async def test_https_is_asked_first_and_suffices(tell: Tell) -> None:
    story = tell({"https://a.example/crab": CRABS, "http://a.example/crab": "<p>old"})
    page = await story.pipeline.read(" a.example/crab ")
    assert page.final_url == "https://a.example/crab"
    assert story.asked() == ["https://a.example/crab"]


@pytest.mark.parametrize("failure", [Unreachable("no TLS"), Timeout("silence")], ids=lambda error: error.code)
async def test_http_is_read_where_https_does_not_answer(tell: Tell, failure: Unreachable) -> None:
    story = tell({"https://a.example/crab": failure, "http://a.example/crab": CRABS})
    page = await story.pipeline.read("a.example/crab", max_length=200)
    assert (page.url, page.truncated) == ("http://a.example/crab", True)
    rest = await story.pipeline.read("a.example/crab", cursor=page.cursor)
    assert rest.start == len(page.text)


async def test_an_answer_by_https_is_final(tell: Tell) -> None:
    story = tell({"https://a.example/crab": answer(404), "http://a.example/crab": CRABS})
    with pytest.raises(Gone):
        await story.pipeline.read("a.example/crab")


async def test_neither_scheme_answers(tell: Tell) -> None:
    with pytest.raises(Unreachable, match=r"neither by https .* nor by http") as caught:
        await tell({}).pipeline.read("a.example")
    assert caught.value.url == "a.example"


async def test_a_url_with_a_scheme_is_asked_as_it_is(tell: Tell) -> None:
    story = tell({"http://a.example/": CRABS})
    with pytest.raises(Unreachable, match="not in this DictWeb"):
        await story.pipeline.read("https://a.example/")


def test_the_library_takes_hosts_for_every_operation(tmp_path: Path) -> None:
    with sync.Web(settings(tmp_path), replay=SITE) as web:
        assert web.find(f"{HOST}/faq", "storm petrels").total
        assert web.index(f"{HOST}/faq")
        assert web.indexed() == (HOME + "faq",)
        assert web.forget(f"{HOST}/faq")
        saved = web.download(f"{HOST}/reports/petrel-count-2024.pdf", to=tmp_path)
        assert saved.url == HOME + "reports/petrel-count-2024.pdf"


async def test_agents_give_hosts(tmp_path: Path) -> None:
    async with http(settings(tmp_path)) as client:
        for path, arguments in (("read", {}), ("find", {"pattern": "lamp"}), ("download", {}), ("index/add", {})):
            told = await client.post(f"/v1/{path}", json={"url": f"{HOST}/faq", **arguments})
            assert told.status_code == 200, told.text
    async with Web(settings(tmp_path), replay=SITE) as web, tools.openai(web) as kit:
        assert HOME + "faq" in await kit.call("web_read", {"url": f"{HOST}/faq"})


@pytest.mark.untraced
async def test_a_host_is_opened_in_a_browser(harbour: Site, tmp_path: Path) -> None:
    harbour.pages["/plain"] = "<title>Plain</title><p>Hello"
    async with Web(settings_for(harbour, tmp_path)) as web, web.browse(f"127.0.0.1:{harbour.port}/plain") as tab:
        assert tab.snapshot.url == harbour.url("/plain")


def command(folder: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["--set", f"cache.dir={folder}", *words, "--replay", str(SITE)])
    return done.exit_code, done.stdout


def test_commands_take_hosts(tmp_path: Path) -> None:
    code, out = command(tmp_path, "read", f"{HOST}/faq", "--json")
    assert (code, json.loads(out)["url"]) == (0, HOME + "faq")
    assert command(tmp_path, "index", f"{HOST}/faq")[0] == 0
    assert command(tmp_path, "index", f"{HOST}/faq", "--remove")[0] == 0


def test_a_file_here_is_no_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.md").write_text("# Notes")
    code, out = command(tmp_path, "read", "notes.md", "--json")
    error = json.loads(out)["error"]
    assert (code, error["code"]) == (4, InvalidUrl.code)
    assert "wellread extract notes.md" in error["hint"]
