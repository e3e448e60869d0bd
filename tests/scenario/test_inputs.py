"""Whatever one command reads from this machine, the other reads too: `extract` and `index` over every kind of input."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from unit.office import docx, paragraph, run
from unit.test_pdf import pdf
from wellread import extract
from wellread.apps.cli import app
from wellread.apps.commands.demo import HOME, SITE
from wellread.errors import InvalidInput, InvalidUrl

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

SAID = "The limpet keeps to the lower shore, where the weed is thick. "
HTML = f"<title>Shore</title><main><h1>Shore</h1><p>{SAID * 5}</p></main>".encode()
RECORDED = gzip.decompress(SITE.read_bytes())


def folder(place: Path) -> None:
    (place / "deep").mkdir(parents=True)
    (place / "deep" / "page.html.gz").write_bytes(gzip.compress(HTML))
    (place / "deep" / "site.warc").write_bytes(RECORDED)
    (place / ".hidden.html").write_bytes(HTML.replace(b"limpet", b"kraken"))
    (place / "link.html").symlink_to("/etc/hostname")


def file(body: bytes) -> Callable[[Path], object]:
    return lambda place: place.write_bytes(body)


INPUTS: dict[str, Callable[[Path], object]] = {
    "page.html": file(HTML),
    "page.html.gz": file(gzip.compress(HTML)),
    "notes.md": file(f"# Shore\n\n{SAID * 3}".encode()),
    "notes.txt": file(f"<not markup> {SAID * 3}".encode()),
    "notes.txt.gz": file(gzip.compress(f"<not markup> {SAID * 3}".encode())),
    "count.pdf": file(pdf(f"BT /F1 12 Tf 72 700 Td ({SAID}) Tj ET")),
    "count.docx": file(docx(paragraph(run(SAID * 3)))),
    "site.warc.gz": file(SITE.read_bytes()),
    "recording-without-a-suffix": file(RECORDED),
    "folder": folder,
}


def told(place: Path, *words: str, given: bytes = b"") -> Result:
    return CliRunner().invoke(app, ["--set", f"cache.dir={place / 'store'}", *words], input=given)


def texts(place: Path, source: str, given: bytes = b"") -> dict[str, str]:
    done = told(place, "extract", source, "--json", given=given)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {row["source"]: row["text"] for row in rows if "text" in row}


def names(place: Path, source: str, *options: str, given: bytes = b"") -> set[str]:
    done = told(place, "index", source, "--json", *options, given=given)
    return {row["url"] for row in json.loads(done.stdout)["pages"] if row["outcome"] == "kept"}


@pytest.mark.parametrize("kind", INPUTS)
def test_inputs_of_extract_and_index_give_the_same_pages(tmp_path: Path, kind: str) -> None:
    source = tmp_path / kind
    INPUTS[kind](source)
    read = texts(tmp_path, str(source))
    called = {name if "://" in name else Path(name).resolve().as_uri() for name in read}
    assert called == names(tmp_path, str(source))
    word = "petrels" if HOME in read and kind != "folder" else "limpet"
    assert any(word in text for text in read.values())
    found = json.loads(told(tmp_path, "search", word, "--provider", "local", "--json").stdout)
    assert {hit["url"] for hit in found["hits"]} <= called
    assert found["hits"]


@pytest.mark.parametrize("given", [HTML, gzip.compress(HTML, mtime=0)], ids=["plain", "packed"])
def test_standard_input_is_read_by_both_packed_or_not(tmp_path: Path, given: bytes) -> None:
    (text,) = texts(tmp_path, "-", given=given).values()
    assert "limpet" in text
    assert names(tmp_path, "-", given=given) == {"file:///dev/stdin"}
    assert names(tmp_path, "-", "--url", "https://shore.example/", given=given) == {"https://shore.example/"}
    assert told(tmp_path, "index", "--remove", "-").exit_code == 0
    assert "https://shore.example/" in told(tmp_path, "index", "--list").stdout


@pytest.mark.parametrize("name", ["not-there.html", "torn.html.gz", "other.warc"])
def test_what_cannot_be_read_is_told_by_both_in_the_same_words(tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    if name == "torn.html.gz":
        source.write_bytes(gzip.compress(HTML)[:9] + b"\xff" * 30)
    if name == "other.warc":
        source.write_bytes(b"no recording")
    extracted = told(tmp_path, "extract", str(source), "--json")
    indexed = told(tmp_path, "index", f"{source}", "--json")
    assert extracted.exit_code == indexed.exit_code == 1
    if name != "not-there.html":  # which the index cannot tell from a URL that is none
        (row,) = json.loads(indexed.stdout)["pages"]
        error = json.loads(extracted.stdout)["error"]
        assert (row["code"], row["reason"]) == (error["code"], error["message"])


def test_url_in_place_of_a_file_names_the_command(tmp_path: Path) -> None:
    done = told(tmp_path, "extract", "https://shore.example/")
    assert done.exit_code == 1
    assert done.stderr.count("https://shore.example") == 2
    assert "(run `wellread read https://shore.example`)" in done.stderr


@pytest.mark.parametrize(("name", "body", "text"), [
    ("notes.md", b"# Shore\n\nThe *limpet* stays.\n", "# Shore\n\nThe *limpet* stays."),
    ("count.csv", b"name,count\nlimpet,9\n", "| name | count |\n| --- | --- |\n| limpet | 9 |"),
])  # fmt: skip
def test_what_a_file_is_called_tells_how_it_is_read(tmp_path: Path, name: str, body: bytes, text: str) -> None:
    (tmp_path / name).write_bytes(body)
    assert texts(tmp_path, str(tmp_path / name)) == {str(tmp_path / name): text}


@pytest.mark.parametrize("command", [("read",), ("find",), ("download",)])
def test_file_in_place_of_a_url_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    (tmp_path / "low shore.html").write_bytes(HTML)
    monkeypatch.chdir(tmp_path)
    more = ["limpet"] if command == ("find",) else []
    for name in ("low shore.html", "./low shore.html", str(tmp_path / "low shore.html")):
        done = told(tmp_path, *command, name, *more)
        assert done.exit_code == 4
        assert f"(to read a file, run `wellread extract '{name}'`)" in done.stderr
    by_url = told(tmp_path, *command, (tmp_path / "low shore.html").as_uri(), *more)
    assert f"wellread extract '{tmp_path}/low shore.html'" in by_url.stderr


def test_what_is_neither_a_file_nor_a_url_gets_no_nonsense_for_a_hint(tmp_path: Path) -> None:
    for name in ("./nowhere.html", "/nowhere.html", "../nowhere.pdf"):
        hint = told(tmp_path, "read", name).stderr
        assert "https://." not in hint
        assert "https:///" not in hint
        assert f"`wellread extract {name}`" in hint


@pytest.mark.parametrize("junk", [bytes(range(256)) * 40, b"\xff\xfe" + bytes(range(1, 256)) * 40, bytes(5_000)])
def test_junk_that_is_called_a_page_is_told_as_unsupported(tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "junk.html").write_bytes(junk)
    done = told(tmp_path, "extract", str(tmp_path / "junk.html"), "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["code"] == "unsupported"


def test_one_address_is_not_given_to_several_pages(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_bytes(HTML)
    pages = [str(tmp_path / name) for name in ("a.html", "b.html")]
    done = told(tmp_path, "extract", *pages, "--url", "https://shore.example/", "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["code"] == "usage"
    assert told(tmp_path, "extract", pages[0], "--url", "https://shore.example/").exit_code == 0


@pytest.mark.parametrize("option", [("--url", "https://shore.example/"), ("--member", "a.html")])
@pytest.mark.parametrize("name", ["folder", "site.warc.gz", "recording-without-a-suffix", "s3://shelf/folder/"])
def test_option_of_one_file_with_folder_or_recording(tmp_path: Path, name: str, option: tuple[str, str]) -> None:
    source = name
    if name in INPUTS:
        INPUTS[name](tmp_path / name)
        source = str(tmp_path / name)
    done = told(tmp_path, "extract", source, *option, "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["message"].startswith(f"{option[0]} applies to one ")


@pytest.mark.parametrize("url", ["nope", "ftp://x/y", "about:blank"])
def test_what_is_no_address_of_a_page_is_refused_as_by_read(tmp_path: Path, url: str) -> None:
    (tmp_path / "page.html").write_bytes(HTML)
    done = told(tmp_path, "extract", str(tmp_path / "page.html"), "--url", url, "--json")
    assert (done.exit_code, json.loads(done.stdout)["error"]["code"]) == (4, "invalid_url")
    with pytest.raises(InvalidUrl):
        extract(HTML, url=url)


def test_path_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(HTML)
    with pytest.raises(InvalidInput, match="is a file") as caught:
        extract(str(tmp_path / "page.html"))
    assert "read_bytes" in str(caught.value.hint)
    assert extract("The limpet keeps to the lower shore.").text == "The limpet keeps to the lower shore."


def test_what_is_no_page_is_named_by_its_type() -> None:
    with pytest.raises(TypeError, match="not NoneType"):
        extract(None)  # type: ignore[arg-type]  # the point of the test


def test_links_without_an_address_to_start_from_are_told() -> None:
    links = (
        "<a href=/weed>weed</a> and <a href='../rock'>rock</a>, <a href=https://a.example/>a</a>, <a href=#top>up</a>"
    )
    html = f"<main><h1>Shore</h1><p>{SAID * 5}</p><p>See {links}.</p></main>"
    told = {warning.code: warning.count for warning in extract(html).notices}
    assert told["relative_links"] == 2
    own = html.replace("<main>", "<link rel=canonical href=https://shore.example/>")
    for page in (extract(html, url="https://shore.example/"), extract(own)):
        assert "https://shore.example/weed" in page.links
        assert "relative_links" not in [warning.code for warning in page.notices]


def test_images_are_printed_where_they_are_asked_for(tmp_path: Path) -> None:
    place = "https://shore.example/limpet.png"
    picture = f"<p>{SAID}<img src={place} alt='A limpet'> {SAID}</p></main>".encode()
    (tmp_path / "page.html").write_bytes(HTML.replace(b"</main>", picture))
    bare, whole = (told(tmp_path, "extract", str(tmp_path / "page.html"), *more).stdout for more in ((), ("--images",)))
    assert place not in bare
    assert f"![A limpet]({place})" in whole


@pytest.mark.parametrize(
    ("name", "content", "fence"),
    [
        ("Makefile", "all:\n\ttrue\n", "makefile"),
        ("tides.yaml", "a: 1\nb:\n  - x\n", "yaml"),
        ("main.rs", "fn main() {}\n", "rust"),
        ("what is it? #1.toml", "a = 1\n", "toml"),
    ],
)
def test_name_of_a_local_file_tells_its_kind(tmp_path: Path, name: str, content: str, fence: str) -> None:
    (tmp_path / name).write_text(content)
    assert told(tmp_path, "extract", str(tmp_path / name)).stdout.startswith(f"```{fence}\n{content}```\n")
