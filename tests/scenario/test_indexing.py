"""The local index filled from site maps, recordings, files and folders: what is kept is found, cited and proven."""

from __future__ import annotations

import gzip
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from scenario.loopback import Server, serving, whole
from unit.office import docx, paragraph, run, xlsx
from wellread import Settings, Web
from wellread.apps import indexing, terminal
from wellread.apps.index_sources import SourceSelection
from wellread.apps.local_inputs import file_url
from wellread.config import CacheSettings, FetchSettings, NetSettings, SearchSettings
from wellread.errors import InvalidUrl
from wellread.net import warc
from wellread.types import Found, Hit

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from wellread.types import Response

pytestmark = pytest.mark.anyio


def article(about: str) -> bytes:
    prose = f"The {about} keeps to the lower shore, where the weed is thick and the water never leaves. "
    return f"<html><head><title>{about}</title></head><body><main><h1>{about}</h1><p>{prose * 8}</p></main>".encode()


def urlset(*urls: str, kind: str = "url", root: str = "urlset") -> bytes:
    inside = "".join(f"<{kind}><loc>{url}</loc></{kind}>" for url in urls)
    return (
        f'<?xml version="1.0"?><{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inside}</{root}>'.encode()
    )


@asynccontextmanager
async def opened(folder: Path, *servers: Server, max_bytes: int = 10_000_000) -> AsyncIterator[Web]:
    settings = Settings(
        net=NetSettings(allow_hosts=tuple(f"127.0.0.1:{server.port}" for server in servers)),
        fetch=FetchSettings(timeout_s=60, max_bytes=max_bytes),
        cache=CacheSettings(dir=folder),
        search=SearchSettings(providers=("local",)),
    )
    async with Web(settings) as web:
        yield web


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as server:
        yield server


def site(server: Server, *names: str) -> list[str]:
    for name in names:
        server.paths[f"/{name}"] = whole(article(name), Content_Type="text/html")
    return [server.url(f"/{name}") for name in names]


async def kept(web: Web, *sources: str, selection: SourceSelection | None = None) -> indexing.IndexSummary:
    told: list[indexing.IndexedPage] = []
    done = await indexing.index(web, sources, selection or SourceSelection(), tell=told.append, expect=lambda _: None)
    assert tuple(told) == done.pages, "every page is told as it ends"
    return done


async def found(web: Web, query: str) -> list[str]:
    return [hit.url for hit in (await web.search(query)).hits]


# ------------------------------------------------------------------------------------------------ site maps


async def test_a_site_map_brings_all_its_pages_and_the_next_run_skips_them(tmp_path: Path, server: Server) -> None:
    urls = site(server, "whelk", "limpet", "dogwinkle")
    server.paths["/sitemap.xml"] = whole(urlset(*urls), Content_Type="application/xml")
    async with opened(tmp_path, server) as web:
        assert (await kept(web, server.url("/sitemap.xml"))).counts == {"kept": 3, "unchanged": 0, "failed": 0}
        assert await found(web, "limpet") == [urls[1]]
        assert (await kept(web, server.url("/sitemap.xml"))).counts == {"kept": 0, "unchanged": 3, "failed": 0}


async def test_packed_and_nested_site_maps_of_robots_txt(tmp_path: Path, server: Server) -> None:
    urls = site(server, "whelk", "limpet")
    server.paths["/robots.txt"] = whole(f"User-agent: *\nsitemap: {server.url('/maps/all.xml')}\n".encode())
    index = urlset(server.url("/maps/1.xml.gz"), server.url("/maps/2.txt"), kind="sitemap", root="sitemapindex")
    server.paths["/maps/all.xml"] = whole(index)
    server.paths["/maps/1.xml.gz"] = whole(gzip.compress(urlset(urls[0]), mtime=0), Content_Type="application/gzip")
    server.paths["/maps/2.txt"] = whole(urls[1].encode(), Content_Type="text/plain")
    async with opened(tmp_path, server) as web:
        told = await kept(web, server.url("/"), selection=SourceSelection(sitemap=True))
        assert {row.url: row.outcome for row in told.pages} == dict.fromkeys(urls, "kept")


async def test_circular_site_maps_and_the_default_site_map(tmp_path: Path, server: Server) -> None:
    urls = site(server, "whelk")
    server.paths["/robots.txt"] = whole(b"", "404 Not Found")
    server.paths["/sitemap.xml"] = whole(
        urlset(server.url("/sitemap.xml"), server.url("/sitemap-2.xml"), kind="sitemap", root="sitemapindex")
    )
    server.paths["/sitemap-2.xml"] = whole(urlset(*urls, *urls))
    async with opened(tmp_path, server) as web:
        assert (await kept(web, server.url("/"), selection=SourceSelection(sitemap=True))).counts["kept"] == 1
    assert server.asked().count("/sitemap.xml") == 1


async def test_pages_of_other_hosts_are_passed_over_and_counted(tmp_path: Path, server: Server) -> None:
    urls = site(server, "whelk")
    server.paths["/sitemap.xml"] = whole(urlset(*urls, "https://elsewhere.example/a", "http://10.0.0.1/b"))
    async with opened(tmp_path, server) as web:
        told = await kept(web, server.url("/sitemap.xml"))
    assert told.counts["kept"] == len(told.pages) == 1
    assert any("2 pages on other hosts" in note for note in told.notes)


async def test_a_private_page_in_a_site_map_is_refused_by_the_guard(tmp_path: Path, server: Server) -> None:
    server.paths["/sitemap.xml"] = whole(urlset("http://10.0.0.1/b", "file:///etc/passwd"))
    async with opened(tmp_path, server) as web:
        told = await kept(web, server.url("/sitemap.xml"), selection=SourceSelection(other_hosts=True))
    assert [(row.outcome, row.code) for row in told.pages] == [("failed", "blocked_address")]


async def test_at_most_so_many_pages_are_taken(tmp_path: Path, server: Server) -> None:
    urls = site(server, *(f"whelk{number}" for number in range(9)))
    server.paths["/sitemap.xml"] = whole(urlset(*urls))
    async with opened(tmp_path, server) as web:
        told = await kept(web, server.url("/sitemap.xml"), selection=SourceSelection(limit=4))
    assert told.counts["kept"] == 4
    assert any("the limit is 4 pages" in note for note in told.notes)


async def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path: Path, server: Server) -> None:
    names = [f"whelk{number}" for number in range(6)]
    server.paths["/sitemap.xml"] = whole(urlset(*site(server, *names)))

    class Stop(Exception):
        """Somebody pulls the plug."""

    def pull(row: indexing.IndexedPage) -> None:
        if len(told) == 2:
            raise Stop
        told.append(row)

    told: list[indexing.IndexedPage] = []
    async with opened(tmp_path, server) as web:
        with pytest.raises(Stop):
            await indexing.index(web, [server.url("/sitemap.xml")], SourceSelection(), tell=pull, expect=lambda _: None)
    async with opened(tmp_path, server) as web:
        counts = (await kept(web, server.url("/sitemap.xml"))).counts
    assert counts["kept"] + counts["unchanged"] == 6
    assert counts["unchanged"] >= 2


async def test_one_page_that_fails_never_ends_the_run(tmp_path: Path, server: Server) -> None:
    urls = site(server, "whelk", "limpet")
    server.paths["/lost"] = whole(b"", "404 Not Found")
    async with opened(tmp_path, server) as web:
        told = await kept(web, urls[0], server.url("/lost"), "nonsense", server.url("/sitemap.xml"), urls[1])
    assert told.counts == {"kept": 2, "unchanged": 0, "failed": 3}
    assert {row.code for row in told.pages if row.reason} == {"gone", "invalid_input"}
    assert "nonsense is not an existing file" in next(row.reason for row in told.pages if row.url == "nonsense")


async def test_a_fault_in_a_reader_is_told_and_costs_no_other_page(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = site(server, "whelk", "limpet")
    async with opened(tmp_path, server) as web:
        read = web.parts.sandbox.extract

        def faulty(response: Response, mode: object, call: object = None, **options: object) -> object:
            if response.url.endswith("whelk"):
                raise ZeroDivisionError("a fault")
            return read(response, mode, call, **options)  # type: ignore[arg-type]  # handed on as it came

        monkeypatch.setattr(web.parts.sandbox, "extract", faulty)
        told = await kept(web, *urls)
    assert {(row.outcome, row.code) for row in told.pages} == {("kept", ""), ("failed", "error")}


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>no map</body></html>",
        b"<rss/>",
        b"",
        b'<!DOCTYPE u [<!ENTITY a "x">]><urlset><url><loc>&a;</loc></url></urlset>',
        gzip.compress(b"<urlset>", mtime=0)[:-9],
    ],
)
async def test_what_is_no_site_map_says_so(tmp_path: Path, server: Server, body: bytes) -> None:
    server.paths["/sitemap.xml"] = whole(body)
    async with opened(tmp_path, server) as web:
        (row,) = (await kept(web, server.url("/sitemap.xml"))).pages
    assert (row.outcome, row.code) == ("failed", "unsupported")


async def test_a_map_that_would_unpack_without_end_is_cut(tmp_path: Path, server: Server) -> None:
    urls = site(server, "whelk")
    bomb = gzip.compress(urlset(*urls).replace(b"</urlset>", b" " * 60_000_000 + b"</urlset>"), mtime=0)
    server.paths["/sitemap.xml"] = whole(bomb)
    async with opened(tmp_path, server) as web:
        assert (await kept(web, server.url("/sitemap.xml"))).counts["kept"] == 1


# --------------------------------------------------------------------------------------------- recordings


def recorded(path: Path, *pages: tuple[str, str, bytes]) -> Path:
    records = []
    for number, (url, status, body) in enumerate(pages):
        fields = (
            ("WARC-Type", "response"),
            ("WARC-Record-ID", warc.record_id()),
            ("WARC-Target-URI", url),
            ("WARC-Date", f"2026-01-01T00:00:0{number}Z"),
        )
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        records.append(warc.record_bytes(fields, "application/http;msgtype=response", head, body, compress=True))
    path.write_bytes(b"".join(records))
    return path


async def test_last_good_response_of_each_recorded_url(tmp_path: Path) -> None:
    file = recorded(
        tmp_path / "shore.warc.gz",
        ("https://shore.example/1", "200 OK", article("gannet")),
        ("https://shore.example/2", "404 Not Found", article("lost")),
        ("https://shore.example/3", "200 OK", article("limpet")),
        ("https://shore.example/1", "200 OK", article("dogwinkle")),
        ("https://shore.example/1", "500 Internal Server Error", b"oops"),
        ("http://10.0.0.1/", "200 OK", article("private")),
        ("https://shore.example/robots.txt", "200 OK", b"User-agent: *\nDisallow: /"),
    )
    async with opened(tmp_path / "store") as web:
        told = await kept(web, str(file))
        assert {row.url: row.code or row.outcome for row in told.pages} == {
            "https://shore.example/1": "kept",
            "https://shore.example/3": "kept",
            "http://10.0.0.1/": "blocked_address",
        }
        assert await found(web, "dogwinkle") == ["https://shore.example/1"]
        assert await found(web, "gannet") == []
        assert (await kept(web, str(file))).counts["unchanged"] == 2


async def test_gather_and_verify_recorded_pages_without_network(tmp_path: Path) -> None:
    file = recorded(tmp_path / "shore.warc.gz", ("https://shore.example/1", "200 OK", article("limpet")))
    async with opened(tmp_path / "store") as web:
        await kept(web, str(file))
        told = await web.gather("Where does the limpet keep?")
        assert told.missed == ()
        assert told.passages[0].url == "https://shore.example/1"
    async with opened(tmp_path / "store") as web:
        assert all(verdict.ok for verdict in await web.verify(told.passages))


async def test_a_file_that_is_no_recording_is_one_failure(tmp_path: Path) -> None:
    bad = tmp_path / "bad.warc"
    bad.write_bytes(b"not a recording")
    async with opened(tmp_path / "store") as web:
        (row,) = (await kept(web, str(bad))).pages
    assert (row.outcome, row.code) == ("failed", "invalid_input")


# --------------------------------------------------------------------------------------- files and folders


def papers(folder: Path) -> Path:
    told = "The {} keeps to the lower shore, where the weed is thick."
    (folder / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "page.html").write_bytes(article("whelk"))
    (folder / "notes.md").write_text(f"# Notes\n\n{told.format('limpet')}\n", encoding="utf-8")
    (folder / "plain.txt").write_text(told.format("dogwinkle"), encoding="utf-8")
    (folder / "deep" / "a count.docx").write_bytes(docx(paragraph(run(told.format("petrel")))))
    cell = f'<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>{told.format("tern")}</t></is></c></row></sheetData>'
    (folder / "deep" / "count.xlsx").write_bytes(xlsx(cell))
    cells = [{"cell_type": "markdown", "metadata": {}, "source": told.format("fulmar")}]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "count.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (folder / "empty.md").write_text("", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    (folder / ".git" / "hidden.txt").write_text(told.format("secret"), encoding="utf-8")
    (folder / "link.txt").symlink_to("/etc/passwd")
    return folder


async def test_every_readable_file_of_a_folder_is_kept_and_found(tmp_path: Path) -> None:
    folder = papers(tmp_path / "papers")
    async with opened(tmp_path / "store") as web:
        told = await kept(web, str(folder))
        assert told.counts == {"kept": 6, "unchanged": 0, "failed": 1}
        assert [(row.url, row.code) for row in told.pages if row.code] == [(file_url(folder / "empty.md"), "empty")]
        assert any("1 file of other kinds" in note for note in told.notes)
        names = {
            "limpet": "notes.md",
            "petrel": "deep/a count.docx",
            "tern": "deep/count.xlsx",
            "fulmar": "count.ipynb",
        }
        for word, name in names.items():
            assert await found(web, word) == [file_url(folder / name)]
        assert await found(web, "secret root") == []
        assert (await kept(web, str(folder))).counts == {"kept": 0, "unchanged": 6, "failed": 1}
        (folder / "plain.txt").write_text("Nothing but gannets here.", encoding="utf-8")
        assert (await kept(web, str(folder))).counts == {"kept": 1, "unchanged": 5, "failed": 1}
        assert await found(web, "gannets") == [file_url(folder / "plain.txt")]


async def test_citation_of_a_deleted_file_by_its_url(tmp_path: Path) -> None:
    file = papers(tmp_path / "papers") / "notes.md"
    async with opened(tmp_path / "store") as web:
        await kept(web, str(file))
        told = await web.gather("Where does the limpet keep?")
        file.unlink()
        (passage,) = told.passages
        assert passage.url == file_url(file)
        assert passage.fragment_url.startswith(f"{file_url(file)}#:~:text=")
        assert [verdict.ok for verdict in await web.verify([passage])] == [True]
        assert await web.forget(file_url(file))
        assert [verdict.ok for verdict in await web.verify([passage])] == [False]


async def test_no_request_reaches_a_file_that_is_in_the_index(tmp_path: Path) -> None:
    file = papers(tmp_path / "papers") / "notes.md"
    async with opened(tmp_path / "store") as web:
        await kept(web, str(file))
        for url in (file_url(file), "file:///etc/passwd"):
            with pytest.raises(InvalidUrl):
                await web.read(url)
            with pytest.raises(InvalidUrl):
                await web.index(url)


async def test_a_file_that_is_too_large_or_of_no_known_kind_says_so(tmp_path: Path) -> None:
    folder = papers(tmp_path / "papers")
    (folder / "large.txt").write_text("x" * 20_000, encoding="utf-8")
    async with opened(tmp_path / "store", max_bytes=10_000) as web:
        told = await kept(web, str(folder / "large.txt"), str(folder / "picture.png"))
    assert {row.code for row in told.pages} == {"too_large", "unsupported"}


async def test_removing_a_folder_from_the_index(tmp_path: Path, server: Server) -> None:
    folder = papers(tmp_path / "papers")
    beside = tmp_path / "papers2.txt"
    beside.write_text("The gannet dives.", encoding="utf-8")
    urls = site(server, "whelk")
    async with opened(tmp_path / "store", server) as web:
        await kept(web, str(folder), str(beside), *urls)
        told: list[indexing.IndexedPage] = []
        assert (await indexing.remove(web, [str(folder)], tell=told.append)).counts == {"removed": 6}
        assert len(told) == 6
        assert await web.indexed() == (file_url(beside), *urls)
        gone = await indexing.remove(web, [*urls, "https://nowhere.example/"], tell=told.append)
        assert gone.counts == {"removed": 1, "not there": 1}


# ------------------------------------------------------------------------------------------------ highlights


@pytest.mark.parametrize(
    ("text", "query", "words"),
    [
        ("The lamp drew young storm petrels out of the dark.", "storm petrel", ["storm", "petrels"]),
        ("Der Leuchtturmwärter zündet die Lampe.", "LAMPE", ["Lampe"]),
        ("灯台は北京にあります。", "北京", ["北京"]),
        ("Café crème & more", "creme", ["crème"]),
    ],
)
async def test_a_hit_says_where_in_its_snippet_the_words_stand(
    tmp_path: Path, text: str, query: str, words: list[str]
) -> None:
    file = tmp_path / "told.txt"
    file.write_text(text, encoding="utf-8")
    async with opened(tmp_path / "store") as web:
        await kept(web, str(file))
        (hit,) = (await web.search(query)).hits
    assert [hit.snippet[start:end] for start, end in hit.marks] == words


def test_the_words_that_were_asked_for_are_set_in_bold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "console", Console(force_terminal=True, color_system="standard", highlight=False))
    hit = Hit(title="t", url="https://shore.example/", snippet="Of [b]storm[/b] petrels.", rank=1, marks=((6, 11),))
    terminal.show_hits(Found(query="storm", hits=(hit,), outcomes=()))
    assert "Of [b]\x1b[1;33mstorm\x1b[0m[/b] petrels." in capsys.readouterr().out
