"""The recorded site that ships with the package is the one whose sources lie under examples/."""

from __future__ import annotations

import gzip
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest

import warm
from wellread.apps.build import Web
from wellread.config import CacheSettings, Settings
from wellread.errors import Empty, Robots, Unrecorded
from wellread.net.client import Client
from wellread.net.recording import ReplayTransport
from wellread.sections import BrowserSettings
from wellread.testing import FakeClock
from wellread.types import Request

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "src/wellread/apps/demo_site.warc.gz"
SITE = "http://www.tidewater.example"


def script(name: str) -> ModuleType:
    path = ROOT / "examples/demo_site" / name
    spec = importlib.util.spec_from_file_location(f"demo_site_{path.stem}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


record = script("record.py")
PAGES = {page["path"]: page for page in record.pages()}


def replaying(path: Path = SHIPPED) -> Client:
    return Client(Settings(), ReplayTransport(path), clock=FakeClock())


@pytest.mark.parametrize("path", [path for path, page in PAGES.items() if "location" not in page])
async def test_every_page_of_the_shipped_recording_is_its_source(path: str) -> None:
    page = PAGES[path]
    response = await replaying().fetch(Request(url=SITE + path, user_asked=page.get("asked", False)))
    _, body = record.answer(page)
    assert response.body == (gzip.decompress(body) if "coding" in page else body)
    assert (response.status, response.replayed) == (page.get("status", 200), True)


async def test_the_site_has_pages_of_every_kind_and_stays_small() -> None:
    kinds = {page["type"].partition(";")[0] for page in PAGES.values()}
    assert {"text/html", "text/plain", "application/pdf"} <= kinds
    assert len(PAGES) >= 12
    assert len(await anyio.Path(SHIPPED).read_bytes()) < 200_000


async def test_the_old_address_leads_to_the_new_one() -> None:
    response = await replaying().fetch(Request(url=f"{SITE}/old-lamp"))
    assert (response.url, response.redirects) == (f"{SITE}/lamp", (f"{SITE}/old-lamp",))


async def test_the_wardens_page_is_for_those_who_ask_by_name() -> None:
    with pytest.raises(Robots):
        await replaying().fetch(Request(url=f"{SITE}/members/rota"))


async def test_a_page_outside_the_recording_is_named() -> None:
    with pytest.raises(Unrecorded, match=r"/lampe is not in demo_site\.warc\.gz"):  # not the folder: callers see it
        await replaying().fetch(Request(url=f"{SITE}/lampe"))
    with pytest.raises(Unrecorded) as other:
        await replaying().fetch(Request(url="https://example.com/"))
    assert f"only recorded pages are read here, such as {SITE}" in other.value.hint


async def test_recording_the_site_again_gives_the_same_answers(tmp_path: Path) -> None:
    again = tmp_path / "again.warc.gz"
    await record.record(again)
    for path in PAGES:
        asked = Request(url=SITE + path, user_asked=True)
        old, new = await replaying().fetch(asked), await replaying(again).fetch(asked)
        assert (old.status, old.headers, old.body) == (new.status, new.headers, new.body)


async def test_the_report_is_set_from_its_text() -> None:
    pages = anyio.Path(ROOT / "examples/demo_site/pages")
    text = await (pages / "petrel-count.txt").read_text(encoding="utf-8")
    assert script("pdf.py").typeset(text) == await (pages / "petrel-count-2024.pdf").read_bytes()


async def test_without_playwright_a_page_of_scripts_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("playwright", "playwright.async_api"):
        monkeypatch.setitem(sys.modules, name, None)
    settings = Settings(cache=CacheSettings(dir=tmp_path), browser=BrowserSettings(sandbox=False))
    async with Web(settings, replay=SHIPPED) as web:
        with pytest.raises(Empty) as caught:
            await web.read(SITE + "/app/live-tides")
    assert "wellread[browser]" in caught.value.hint


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--save", "site.warc.gz", "--serve", "--port", "0"), "--save and --serve exclude each other"),
        (("--port", "0"), "--port needs --serve"),
    ],
)
def test_demo_refuses_options_without_effect(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    ended = warm.run("demo", *options, home=tmp_path, folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert not (tmp_path / "site.warc.gz").exists()


async def test_demo_serves_pages_that_answer() -> None:
    command = [sys.executable, "-m", "wellread", "--set", "server.logs=none", "demo", "--serve", "--port", "0"]
    async with await anyio.open_process(command) as process:
        assert process.stderr is not None
        root = (await process.stderr.receive()).decode().removeprefix("listening on ").strip()
        async with httpx2.AsyncClient(base_url=root, timeout=60) as client:
            answer = await client.post("/v1/answer", json={"question": "Why was the lamp of the lighthouse changed?"})
        process.terminate()
    assert "drew young storm petrels" in answer.json()["text"]
