"""`wellread extract` over many pages: in order, continued after a kill, one bad page at the cost of one line."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

import warm
from processes import started
from wellread.apps.batch_output import JsonLinesOutput
from wellread.net import warc
from wellread.store.folder_lock import OutputLock
from wellread.types import COMPUTED_FIELDS, Page

if TYPE_CHECKING:
    from pathlib import Path

BOMB = "<h1>Low water</h1><p>The pools lie dry.</p>" + "<div></span>" * 90_000


def run(folder: Path, *arguments: str, given: str = "") -> warm.Ended:
    return warm.run(*arguments, home=folder, folder=folder, typed=given)


def rows(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def page(number: int) -> str:
    return f"<h1>Pool {number}</h1><p>The pool with the number {number} lies dry at half past nine.</p>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of pages: twelve, one that is compressed in a folder of its own, and one that is hidden."""
    (tmp_path / "site" / "inner").mkdir(parents=True)
    for number in range(12):
        (tmp_path / "site" / f"{number:02}.html").write_text(page(number), encoding="utf-8")
    (tmp_path / "site" / "inner" / "12.html.gz").write_bytes(gzip.compress(page(12).encode()))
    (tmp_path / "site" / ".hidden.html").write_text(page(99), encoding="utf-8")
    return tmp_path


def sources(site: Path) -> list[str]:
    return [*(f"site/{number:02}.html" for number in range(12)), "site/inner/12.html.gz"]


def test_a_folder_is_read_in_order_one_line_each(site: Path) -> None:
    done = run(site, "extract", "site", "--jobs", "2", "--out", "pages.jsonl")
    assert (done.code, done.out) == (0, "")
    rate, total = done.err.splitlines()
    assert re.fullmatch(r"— [0-9.]+ pages/s, [0-9.]+ for each of 2 processes", rate)
    assert total == "— 13 pages added to pages.jsonl, with 0 errors"
    found = rows(site / "pages.jsonl")
    assert [row["source"] for row in found] == sources(site)
    assert all(f"number {number} lies" in row["text"] for number, row in enumerate(found))
    assert set(found[0]) == {"source", "warnings", *Page.__dataclass_fields__, *COMPUTED_FIELDS[Page]}


def test_a_page_that_hangs_or_cannot_be_read_costs_its_own_line(site: Path) -> None:
    (site / "site" / "03.html").write_text(BOMB, encoding="utf-8")
    (site / "site" / "05.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\0")
    options = ("--set", "extract.timeout_s=3")
    done = run(site, *options, "extract", "site", "absent.html", "--jobs", "2", "--out", "pages.jsonl")
    assert done.code == 1
    found = rows(site / "pages.jsonl")
    assert [row["source"] for row in found] == [*sources(site), "absent.html"]
    codes = {row["source"]: row["error"]["code"] for row in found if "error" in row}
    assert codes == {"site/03.html": "timeout", "site/05.html": "unsupported", "absent.html": "invalid_input"}
    shown = {line.partition(": ")[0]: line for line in done.err.splitlines()}
    assert all(shown[code].count(source) == 1 for source, code in codes.items())
    assert "raise extract.timeout_s)" in shown["timeout"]
    assert "with 3 errors (timeout 1, unsupported 1, invalid_input 1)" in done.err


def test_hint_of_a_batch_without_worker_processes(site: Path) -> None:
    code = f"sys.executable = ''; {warm.MAIN}"
    done = warm.run("extract", "site", "--jobs", "1", home=site, folder=site, code=code)
    assert done.code == 1
    assert "no worker process can be started" in done.err
    assert done.err.count("lower --jobs") == 1


def test_a_hint_is_shown_with_the_first_failure_that_has_it(site: Path) -> None:
    for name in ("03.html", "05.html"):
        (site / "site" / name).write_bytes(b"7z\xbc\xaf\x27\x1c\0\4")
    done = run(site, "extract", "site/03.html", "site/05.html")
    assert done.err.count("unsupported: site/0") == 2
    assert done.err.count("(download it and unpack it ") == 1


@pytest.mark.parametrize("given", ["set", "config"])
def test_the_deadline_that_was_given_holds_for_one_page_as_well(site: Path, given: str) -> None:
    (site / "bomb.html").write_text(BOMB, encoding="utf-8")
    (site / "mine.toml").write_text("[extract]\ntimeout_s = 1\n", encoding="utf-8")
    options = {"set": ("--set", "extract.timeout_s=1"), "config": ("--config", "mine.toml")}[given]
    done = run(site, *options, "extract", "bomb.html")
    assert (done.code, "not read within 1 s" in done.err) == (1, True)


def test_a_run_that_was_cut_off_goes_on_where_it_ended(site: Path) -> None:
    run(site, "extract", "site", "--out", "whole.jsonl")
    whole = (site / "whole.jsonl").read_bytes().splitlines(keepends=True)
    (site / "pages.jsonl").write_bytes(b"".join(whole[:5]) + whole[5][:40])
    run(site, "extract", "site", "--out", "pages.jsonl")
    found = (site / "pages.jsonl").read_bytes().splitlines(keepends=True)
    assert found[:5] == whole[:5]
    assert [json.loads(line)["source"] for line in found] == sources(site)
    done = run(site, "extract", "site", "--out", "pages.jsonl", "--mode", "recall")
    assert (done.code, done.out) == (0, "")
    assert (
        f"0 pages added to pages.jsonl, with 0 errors; skipped {len(found)} pages that an earlier run wrote" in done.err
    )


def test_page_is_written_to_a_file_as_a_read_does(site: Path) -> None:
    done = run(site, "extract", "site/03.html", "-o", "page.md")
    assert (done.code, done.out) == (0, "")
    assert (site / "page.md").read_text().startswith("# Pool 3\n")
    for options in (("--format", "json"), ("--json",)):
        assert json.loads(run(site, "extract", "site/03.html", *options).out)["title"] == "Pool 3"
    refused = run(site, "extract", "site", "-o", "page.md")
    assert (refused.code, "several results cannot be written to one file" in refused.err) == (4, True)


def test_folder_takes_a_file_for_each_page(site: Path) -> None:
    assert run(site, "extract", "site", "--format", "text", "-o", "pages/").code == 0
    files = sorted((site / "pages").iterdir())
    assert len(files) == len(sources(site))
    assert {file.suffix for file in files} == {".txt"}
    files[0].write_text("mine")
    again = run(site, "extract", "site", "--format", "text", "-o", "pages/")
    assert "skipped 13 pages that an earlier run wrote" in again.err
    assert files[0].read_text() == "mine"


@pytest.mark.parametrize("out", ["pages.jsonl", "pages.parquet", "pages/"])
def test_output_that_another_process_writes(site: Path, out: str) -> None:
    (site / "pages").mkdir()
    lock = OutputLock(site / out)
    refused = run(site, "extract", "site", "--out", out)
    lock.release()
    assert (refused.code, refused.err.partition(" (")[0]) == (
        4,
        f"invalid_input: another process writes to {out.removesuffix('/')}",
    )
    assert run(site, "extract", "site", "--out", out).code == 0
    assert not list(site.rglob(".*lock"))


def test_output_that_is_a_device(site: Path) -> None:
    (site / "pages.jsonl").symlink_to("/dev/null")
    done = run(site, "extract", "site", "--out", "pages.jsonl")
    assert done.code == 4
    assert "pages.jsonl is not a regular file" in done.err


def test_what_failed_is_tried_again_and_stands_once(site: Path) -> None:
    given = ("extract", "site", "late.html", "--out", "pages.jsonl")
    assert run(site, *given).code == 1
    again = run(site, *given)
    assert again.code == 1
    assert "1 page added to pages.jsonl, with 1 error (invalid_input 1); skipped 13" in again.err
    (site / "late.html").write_text(page(70), encoding="utf-8")
    other = run(site, "extract", "site/03.html", "--out", "pages.jsonl")
    assert (other.code, "left of an earlier run: 1 error of sources that were not given now" in other.err) == (1, True)
    mended = run(site, *given)
    assert (mended.code, "with 0 errors" in mended.err, "retried" in mended.err) == (0, True, True)
    found = rows(site / "pages.jsonl")
    assert [row["source"] for row in found] == [*sources(site), "late.html"]
    assert not [row for row in found if "error" in row]
    assert run(site, *given).code == 0
    assert sorted(path.name for path in site.iterdir() if "pages" in path.name) == ["pages.jsonl"]


def test_last_line_without_its_end_is_kept(site: Path) -> None:
    run(site, "extract", "site", "--out", "pages.jsonl")
    complete = (site / "pages.jsonl").read_bytes()
    (site / "pages.jsonl").write_bytes(complete[:-1])  # a full disk or a kill can leave out this byte alone
    assert run(site, "extract", "site", "--out", "pages.jsonl").code == 0
    assert (site / "pages.jsonl").read_bytes() == complete


def test_full_disk_leaves_complete_lines(site: Path) -> None:
    full = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)); {warm.MAIN}"
    done = warm.run("extract", "site", "--jobs", "1", "--out", "pages.jsonl", home=site, folder=site, code=full)
    written = rows(site / "pages.jsonl")
    assert (done.code, 0 < len(written) < 13) == (1, True)
    pages = f"{len(written)} page{'s' * (len(written) != 1)}"
    assert f"interrupted: {pages} added to pages.jsonl; run the same command again to continue" in done.err
    assert "output: pages.jsonl: File too large" in done.err
    assert run(site, "extract", "site", "--out", "pages.jsonl").code == 0
    assert [row["source"] for row in rows(site / "pages.jsonl")] == sources(site)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse names that are no UTF-8")
def test_file_name_that_is_no_utf8_is_read_once(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"pool\xff.html")).write_text(page(7), encoding="utf-8")
    for count in (1, 0):
        done = run(tmp_path, "extract", os.fsdecode(b"pool\xff.html"), "--jobs", "1", "--out", "pages.jsonl")
        assert (done.code, f"{count} page{'s' * (not count)} added" in done.err) == (0, True)
    assert [(row["source"], row["title"]) for row in rows(tmp_path / "pages.jsonl")] == [("pool?.html", "Pool 7")]


def test_old_error_is_kept_until_the_next_run_has_ended(site: Path) -> None:
    line = '{"source": "site/03.html", "error": {"code": "timeout"}}\n'
    (site / "pages.jsonl").write_text(line, encoding="utf-8")
    with JsonLinesOutput(site / "pages.jsonl") as output:
        assert not output.skip_if_done("site/03.html")
        output.add('{"source": "site/03.html", "text": "The pool lies dry."}')
        assert (site / "pages.jsonl").read_text(encoding="utf-8").startswith(line)
    assert [list(row) for row in rows(site / "pages.jsonl")] == [["source", "text"]]


def test_killed_in_the_middle_every_finished_line_stands(site: Path) -> None:
    many = ["site"] * 15
    command = [sys.executable, "-m", "wellread", "extract", *many, "--jobs", "2", "--out", "pages.jsonl"]
    with started(command, cwd=site, env={**os.environ, "HOME": str(site)}) as running:
        out = site / "pages.jsonl"
        while running.poll() is None and not (out.exists() and out.stat().st_size > 30_000):
            with suppress(subprocess.TimeoutExpired):
                running.wait(0.02)
        running.send_signal(signal.SIGKILL)
    kept = out.read_bytes()
    assert run(site, "extract", *many, "--jobs", "2", "--out", "pages.jsonl").code == 0
    assert out.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
    assert [row["source"] for row in rows(out)] == sources(site) * 15


@pytest.mark.usefixtures("interruptible_children")
def test_a_run_that_is_broken_off_by_hand_says_what_is_kept(site: Path) -> None:
    command = [sys.executable, "-m", "wellread", "extract", *["site"] * 900, "--jobs", "1", "--out", "pages.jsonl"]
    with (
        (site / "told.txt").open("w") as told,
        started(command, cwd=site, env={**os.environ, "HOME": str(site)}, stderr=told) as running,
    ):
        out = site / "pages.jsonl"
        while running.poll() is None and not (out.exists() and out.stat().st_size > 5_000):
            with suppress(subprocess.TimeoutExpired):
                running.wait(0.02)
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 130
    said = (site / "told.txt").read_text(encoding="utf-8")
    assert f"interrupted: {len(rows(out))} pages added to pages.jsonl; run the same command again to continue" in said


def test_a_pipe_is_read_once_and_whole(site: Path) -> None:
    os.mkfifo(site / "pipe")
    with started(["cp", "site/07.html", "pipe"], cwd=site):
        done = run(site, "extract", "pipe")
    assert (done.code, done.out.splitlines()[0]) == (0, "# Pool 7")


def test_a_file_that_holds_something_else_is_not_continued(site: Path) -> None:
    (site / "notes.jsonl").write_text('{"mine": 1}\n', encoding="utf-8")
    done = run(site, "extract", "site", "--out", "notes.jsonl")
    assert done.code == 4
    assert "something else" in done.err
    assert (site / "notes.jsonl").read_text(encoding="utf-8") == '{"mine": 1}\n'


def test_a_name_that_says_no_format_is_refused(site: Path) -> None:
    done = run(site, "extract", "site", "--out", "pages.csv")
    assert (done.code, "pages.jsonl takes a line for each" in done.err) == (4, True)


def test_a_warc_file_is_read_page_by_page(tmp_path: Path) -> None:
    run(tmp_path, "demo", "--save", "site.warc.gz")
    fields = (("WARC-Type", "response"), ("WARC-Target-URI", "http://www.tidewater.example/lamp.png"))
    head = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"
    picture = warc.record_bytes(fields, "application/http;msgtype=response", head, b"\x89PNG", compress=True)
    with (tmp_path / "site.warc.gz").open("ab") as file:
        file.write(picture)
    done = run(tmp_path, "extract", "site.warc.gz", "--jobs", "2", "--out", "pages.jsonl")
    assert done.code == 1
    passed = done.err.splitlines()[-1]
    assert passed.startswith("— skipped in WARC files: ")
    assert passed.endswith("robots.txt (1), redirects (1), errors (1), images, styles and scripts (1)")
    found = {row["source"]: row for row in rows(tmp_path / "pages.jsonl")}
    assert "storm petrels" in found["http://www.tidewater.example/reports/petrel-count-2024.pdf"]["text"]
    assert found["http://www.tidewater.example/lamp"]["final_url"] == "http://www.tidewater.example/lamp"
    assert found["http://www.tidewater.example/app/live-tides"]["error"]["code"] == "empty"
    assert not [source for source in found if source.endswith((".png", ".css", ".js", "/gone", "/robots.txt"))]


def test_where_there_is_no_page_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty" / "inner").mkdir(parents=True)
    (tmp_path / "empty" / ".hidden.html").write_text(page(1), encoding="utf-8")
    done = run(tmp_path, "extract", "empty", "--out", "pages.jsonl")
    assert (done.code, done.err.splitlines()[0]) == (
        1, "invalid_input: no pages in empty (hidden files and links are skipped)",
    )  # fmt: skip


def test_a_damaged_warc_file_costs_its_own_line(site: Path) -> None:
    (site / "site" / "00.warc").write_bytes(b"nothing of the kind")
    run(site, "extract", "site", "--out", "pages.jsonl")
    errors = [(row["source"], row["error"]["code"]) for row in rows(site / "pages.jsonl") if "error" in row]
    assert errors == [("site/00.warc", "invalid_input")]


@pytest.mark.parametrize("kept", [0.9, 0.05])
@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
def test_a_packed_page_that_was_cut_off_says_so(tmp_path: Path, jobs: tuple[str, ...], kept: float) -> None:
    scripts = "".join(f"<script>pool({number * 7919 % 1_009})</script>" for number in range(400))
    told = "".join(map(page, range(7, 400)))
    packed = gzip.compress(f"<html><head>{scripts}</head><body>{told}".encode(), mtime=0)
    (tmp_path / "page.html.gz").write_bytes(packed[: int(len(packed) * kept)])
    done = run(tmp_path, "extract", "page.html.gz", "--json", *jobs)
    found = json.loads(done.out)
    if kept > 0.5:
        assert (done.code, "number 7 lies dry" in found["text"]) == (0, True)
        assert "partial_body" in [warning["code"] for warning in found["notices"]]
    else:
        assert (done.code, found["error"]["code"]) == (1, "empty")
        assert "the file was cut off" in found["error"]["message"]
        assert "script" not in found["error"]["hint"]


def test_a_page_that_was_packed_in_parts_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(page(7).encode()) + gzip.compress(page(8).encode()))
    assert "number 8" in run(tmp_path, "extract", "page.html.gz").out


@pytest.mark.parametrize("name", ["site.warc.gz", "site.warc"])
def test_of_a_warc_file_that_was_cut_off_the_pages_before_stand(tmp_path: Path, name: str) -> None:
    run(tmp_path, "demo", "--save", name)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    done = run(tmp_path, "extract", name, "--jobs", "1", "--out", "pages.jsonl")
    *pages, last = rows(tmp_path / "pages.jsonl")
    assert done.code == 1
    assert sum("text" in row for row in pages) > 2
    assert (last["source"], last["error"]["code"]) == (name, "invalid_input")
    assert "ends in the middle of a record" in last["error"]["message"]
    indexed = run(tmp_path, "index", name)
    assert (indexed.code, "in the middle of a record" in indexed.out) == (1, True)


@pytest.mark.parametrize("surplus", [40, -20])
def test_wrong_length_of_a_warc_record_is_told(tmp_path: Path, surplus: int) -> None:
    with (tmp_path / "pools.warc.gz").open("wb") as file:
        for number in range(3):
            fields = (("WARC-Type", "response"), ("WARC-Target-URI", f"http://pools.example/{number}"))
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
            media_type = "application/http;msgtype=response"
            record = warc.record_bytes(fields, media_type, head, page(number).encode(), compress=False)
            length = re.search(rb"Content-Length: ([0-9]+)", record)
            if number == 1 and length is not None:
                record = record.replace(length[0], b"Content-Length: %d" % (int(length[1]) + surplus))
            file.write(gzip.compress(record, mtime=0))
    done = run(tmp_path, "extract", "pools.warc.gz", "--jobs", "1", "--out", "pages.jsonl")
    found = rows(tmp_path / "pages.jsonl")
    if surplus > 0:  # the record ends with its compressed member
        assert [[notice["code"] for notice in row["notices"]] for row in found] == [[], ["partial_body"], []]
        assert "number 1 lies dry" in found[1]["text"]
    else:
        assert (found[-1]["source"], done.code) == ("pools.warc.gz", 1)
        assert "is longer than its Content-Length" in found[-1]["error"]["message"]
        assert "the records after this place were not read" in found[-1]["error"]["hint"]


def test_what_only_begins_like_a_warc_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "junk.warc").write_text("WARC/1.0 rubbish\n", encoding="utf-8")
    done = run(tmp_path, "extract", "junk.warc")
    assert (done.code, done.out, "junk.warc" in done.err) == (1, "", True)


@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")])
def test_standard_input_is_one_page(tmp_path: Path, jobs: tuple[str, ...]) -> None:
    done = run(tmp_path, "extract", "-", "--json", *jobs, given=page(7))
    assert [(row["source"], row["title"]) for row in map(json.loads, done.out.splitlines())] == [("-", "Pool 7")]


def test_one_file_is_shown_as_a_person_reads_it(site: Path) -> None:
    done = run(site, "extract", "site/04.html")
    assert done.out.startswith("# Pool 4\n\nThe pool with the number 4 lies dry")
    assert "Pool 4" in done.err
    assert "==>" not in done.out


@pytest.mark.parametrize("given", [("site",), ("site/03.html", "site/04.html")])
def test_of_several_pages_each_stands_below_its_source(site: Path, given: tuple[str, ...]) -> None:
    shown = run(site, "extract", *given).out
    assert "\n==> site/04.html <==\n\n# Pool 4\n" in shown
    assert shown.startswith("==> site/0")
    pages = sum(
        not line.get("error") for line in map(json.loads, run(site, "extract", *given, "--json").out.splitlines())
    )
    assert shown.count("==> site/") == pages


def test_pages_become_parquet_and_more_pages_are_added(site: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (site / "site" / "05.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\0")
    run(site, "extract", "site/03.html", "site/05.html", "--out", "pages.parquet")
    run(site, "extract", "site/03.html", "site/05.html", "site/07.html", "--out", "pages.parquet")
    table = parquet.read_table(site / "pages.parquet").to_pylist()
    assert [row["source"] for row in table] == ["site/03.html", "site/05.html", "site/07.html"]
    assert [row["error"] and row["error"]["code"] for row in table] == [None, "unsupported", None]
    assert table[2]["headings"] == [{"level": 1, "text": "Pool 7", "start": 0}]
    assert [path.name for path in site.iterdir() if "parquet" in path.name] == ["pages.parquet"]


def test_many_small_pages_are_one_row_group(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with JsonLinesOutput(tmp_path / "pages.parquet") as output:
        for number in range(450):
            output.add_row(f"{number}.html", b'{"text": "The pool lies dry."}')
    with parquet.ParquetFile(tmp_path / "pages.parquet") as file:
        assert (file.metadata.num_rows, file.num_row_groups) == (450, 1)
        assert file.read(["source"]).column(0).to_pylist()[449] == "449.html"


def test_without_the_library_for_parquet_the_way_to_it_is_named(site: Path) -> None:
    bare = f"sys.modules['pyarrow'] = None; {warm.MAIN}"
    done = warm.run("extract", "site", "--out", "pages.parquet", home=site, folder=site, code=bare)
    assert done.code == 4
    assert "pip install 'wellread[parquet]'" in done.err
