"""`wellread extract` over WARC files of a web server, whole or by an index of their records."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

import warm
from processes import started
from sites import Answer, Asked, Site, serving
from wellread.net import warc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RESPONSE = "application/http;msgtype=response"


def record(name: str) -> bytes:
    fields = (("WARC-Type", "response"), ("WARC-Target-URI", f"http://pools.example/{name}"))
    body = f"<h1>Pool {name}</h1><p>The pool {name} lies dry at half past nine.</p>".encode()
    return warc.record_bytes(fields, RESPONSE, b"HTTP/1.1 200 OK\r\n\r\n", body, compress=True)


RECORDS = [record(name) for name in "abcdef"]
OFFSETS = [sum(map(len, RECORDS[:number])) for number in range(len(RECORDS))]


def ranged(asked: Asked) -> Answer:
    """Return the range of the WARC file that is asked for (RFC 9110 section 14)."""
    content = b"".join(RECORDS)
    match = re.fullmatch(r"bytes=(\d+)-(\d*)", asked.headers.get("Range", ""))
    if match is None:
        return 200, {"Content-Type": "application/warc"}, content
    start, end = int(match[1]), min(int(match[2] or len(content)), len(content) - 1)
    return 206, {"Content-Range": f"bytes {start}-{end}/{len(content)}"}, content[start : end + 1]


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site(pages={"/crawl/pools.warc.gz": ranged, "/whole/pools.warc.gz": (200, {}, b"".join(RECORDS))})
    server = serving(site)
    yield site
    server.shutdown()
    server.server_close()


def extract(folder: Path, site: Site, *arguments: str) -> tuple[warm.Ended, dict[str, Any]]:
    allow = f'net.allow_hosts=["127.0.0.1:{site.port}"]'
    done = warm.run(
        "--set", allow, "extract", *arguments, "--jobs", "1", "--out", "pages.jsonl", home=folder, folder=folder
    )
    lines = (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    outcomes = {row["source"].replace(site.url(""), ""): row.get("error", row) for row in rows}
    assert len(outcomes) == len(rows)
    return done, outcomes


def page(name: str) -> str:
    return f"http://pools.example/{name}"


def test_warc_files_of_a_web_server(tmp_path: Path, site: Site) -> None:
    site.pages["/damaged.warc"] = 200, {}, b"WARC/1.0\r\nno record"
    urls = [site.url(path) for path in ("/crawl/pools.warc.gz", "/absent.warc.gz", "/damaged.warc")]
    private = "http://10.0.0.1/pools.warc.gz"
    done, outcomes = extract(tmp_path, site, *urls, private)
    assert list(outcomes) == [*(page(name) for name in "abcdef"), "/absent.warc.gz", "/damaged.warc", private]
    assert outcomes[private]["code"] == "blocked_address"
    assert all(f"The pool {name} lies dry" in outcomes[page(name)]["text"] for name in "abcdef")
    assert [outcomes[path]["code"] for path in ("/absent.warc.gz", "/damaged.warc")] == ["gone", "invalid_input"]
    assert site.url("/damaged.warc cannot be used") in outcomes["/damaged.warc"]["message"]
    assert (done.code, "with 3 errors (gone 1, invalid_input 1, blocked_address 1)" in done.err) == (1, True)


def index_line(number: int, **fields: object) -> str:
    name = "abcdef"[number]
    place = {"filename": "pools.warc.gz", "offset": str(OFFSETS[number]), "length": len(RECORDS[number])}
    return json.dumps({"url": page(name), "status": "200", **place, **fields})


def test_records_of_an_index_continued(tmp_path: Path, site: Site) -> None:
    b, c = (f"{OFFSETS[number]} pools.warc.gz" for number in (1, 2))
    lines = [
        index_line(0),
        " CDX N b a m s k r M S V g",
        f"example,pools)/b 20240101000000 {page('b')} text/html 200 AAAA - - {len(RECORDS[1])} {b}",
        f"example,pools)/c 20240101000000 {page('c')} warc/revisit - AAAA - - {len(RECORDS[2])} {c}",
        f"example,pools)/d 20240101000000 {index_line(3)}",
        index_line(4, offset=3),
        index_line(5, filename="absent.warc.gz"),
        '{"message": "No Captures found"}',
    ]
    site.pages["/index"] = 200, {}, gzip.compress("\n".join(lines).encode())
    options = ("--cdx", site.url("/index"), "--warc-prefix", site.url("/crawl"))
    done, outcomes = extract(tmp_path, site, *options)
    assert [name for name, row in outcomes.items() if "text" in row] == [page(name) for name in "abd"]
    codes = {name: row["code"] for name, row in outcomes.items() if "code" in row}
    assert codes == {page("e"): "invalid_input", page("f"): "gone", "/index": "invalid_input"}
    assert "line 8 of" in outcomes["/index"]["message"]
    assert "skipped in WARC files: repeated answers (1)" in done.err

    lines[5:] = [index_line(4)]
    site.pages["/index"] = 200, {}, "\n".join(lines).encode()
    site.asked.clear()
    done, outcomes = extract(tmp_path, site, *options)
    assert [name for name, row in outcomes.items() if "text" in row] == [page(name) for name in "abde"]
    assert site.paths() == ["/index", "/crawl/pools.warc.gz"]
    assert "skipped 3 pages that an earlier run wrote" in done.err


@pytest.mark.usefixtures("interruptible_children")
def test_interrupt_ends_a_download_that_hangs(tmp_path: Path, site: Site) -> None:
    begun, ended = threading.Event(), threading.Event()

    def silent(_asked: Asked) -> None:
        begun.set()
        ended.wait()

    site.pages["/silent.warc"] = silent
    settings = (f'net.allow_hosts=["127.0.0.1:{site.port}"]', "fetch.timeout_s=900", "fetch.idle_s=900")
    options = [part for text in settings for part in ("--set", text)]
    command = [sys.executable, "-m", "wellread", *options, "extract", site.url("/silent.warc")]
    with started(command, cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)}) as running:
        assert begun.wait(120)
        running.send_signal(signal.SIGINT)
        assert running.wait(120) == 130
    ended.set()


def test_index_leads_to_no_other_files(tmp_path: Path, site: Site) -> None:
    lines = [index_line(1), index_line(2, filename="../crawl/pools.warc.gz")]  # /whole answers no range requests
    (tmp_path / "index.cdxj").write_text("\n".join(lines), encoding="utf-8")
    _, outcomes = extract(tmp_path, site, "--cdx", "index.cdxj", "--warc-prefix", site.url("/whole"))
    assert {name: row["code"] for name, row in outcomes.items()} == {page("b"): "upstream", page("c"): "invalid_input"}
    assert site.paths() == ["/whole/pools.warc.gz"]


def test_index_with_half_a_surrogate_pair(tmp_path: Path, site: Site) -> None:
    lines = [index_line(1, filename="\ud800.warc.gz"), index_line(2, offset=3)]
    (tmp_path / "index.cdxj").write_text("\n".join(lines), encoding="utf-8")
    _, outcomes = extract(tmp_path, site, "--cdx", "index.cdxj", "--warc-prefix", site.url("/crawl"))
    assert {row["code"] for row in outcomes.values()} == {"invalid_input"}
    assert len(outcomes) == 2
