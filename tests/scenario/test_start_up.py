"""What a command loads: what a run does not use must not make its start longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sites import Site, serving
from warm import MAIN, cold

if TYPE_CHECKING:
    from pathlib import Path

LISTED = f"sys.addaudithook(lambda name, of: name == 'import' and sys.stderr.write(of[0] + chr(10))); {MAIN}"
HTML = "<article><h1>Harbour</h1><p>The tide pools open at seven in the morning.</p></article>"


def _modules(log: str) -> set[str]:
    """Return the imported modules and their packages."""
    return {name for line in log.split() for name in (line, line.partition(".")[0])}


def test_read_loads_no_parser_in_its_own_process(tmp_path: Path) -> None:
    site = Site()
    site.pages["/harbour"] = HTML
    server = serving(site)
    options = ["--set", f"net.allow_hosts=127.0.0.1:{site.port}", "--set", "render.enabled=false"]
    ended = cold(*options, "read", site.url("/harbour"), home=tmp_path, code=LISTED)
    server.shutdown()
    server.server_close()
    assert "The tide pools open" in ended.out
    loaded = set(ended.err.split())
    assert "wellread.reading.pipeline" in loaded
    for module in ("numpy", "wellread.extraction.document_builder", "wellread.crawl.crawl"):
        assert module not in loaded
    assert "wellread.browser.browse.browse_session" not in loaded


def test_help_and_version_load_no_command(tmp_path: Path) -> None:
    for option in ("--help", "--version"):
        loaded = _modules(cold(option, home=tmp_path, code=LISTED).err)
        assert "click" in loaded
        assert not loaded & {"pydantic", "rich", "typer", "wellread.apps.commands.options", "wellread.config"}


def test_cached_read_loads_no_pydantic(tmp_path: Path) -> None:
    site = Site()
    site.pages["/harbour"] = HTML
    server = serving(site)
    options = ["--set", f"net.allow_hosts=127.0.0.1:{site.port}", "--set", "render.enabled=false"]
    cold(*options, "read", site.url("/harbour"), home=tmp_path)
    server.shutdown()
    server.server_close()
    ended = cold(*options, "read", site.url("/harbour"), home=tmp_path, code=LISTED)
    assert "The tide pools open" in ended.out
    loaded = _modules(ended.err)
    assert "wellread.apps.commands.options" in loaded
    assert not loaded & {"pydantic", "rich", "typer"}


def test_extract_loads_no_network_and_no_other_format(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(HTML, encoding="utf-8")
    ended = cold("extract", str(tmp_path / "page.html"), home=tmp_path, code=LISTED)
    assert "The tide pools open" in ended.out
    loaded = set(ended.err.split())
    assert "wellread.extraction.document_builder" in loaded
    for module in (
        "pydantic",
        "typer",
        "httpx2",
        "wellread.net.client",
        "wellread.browser.tab",
        "wellread.documents.pdf.page_text",
    ):
        assert module not in loaded


def test_mcp_loads_nothing_that_only_calls_need(tmp_path: Path) -> None:
    ended = cold("mcp", home=tmp_path, code=LISTED)
    assert (ended.code, ended.out) == (0, "")
    loaded = set(ended.err.split())
    assert "wellread.apps.mcp" in loaded
    for module in ("fastapi", "numpy", "regex", "rich.progress", "selectolax", "tinycss2"):
        assert module not in loaded
    for package in ("documents", "extraction", "net", "rank", "segmentation"):
        assert f"wellread.{package}" not in loaded


def test_memory_list_loads_no_reader_and_no_model(tmp_path: Path) -> None:
    ended = cold("memory", "list", home=tmp_path, code=LISTED)
    loaded = set(ended.err.split())
    assert "wellread.assistant.memory.memory_store" in loaded
    for module in (
        "pydantic_ai",
        "wellread.apps.build",
        "wellread.browser.tab",
        "wellread.extraction.document_builder",
    ):
        assert module not in loaded


def test_help_loads_no_command(tmp_path: Path) -> None:
    ended = cold("--help", home=tmp_path, code=LISTED)
    assert "Read pages and documents as clean markdown" in ended.out
    loaded = set(ended.err.split())
    assert "wellread.apps.commands.catalog" in loaded
    for module in ("pydantic", "rich", "wellread.config", "wellread.types", "wellread.apps.commands.web"):
        assert module not in loaded


def test_stored_page_is_read_without_network_browser_or_index(tmp_path: Path) -> None:
    site = Site()
    site.pages["/harbour"] = HTML
    server = serving(site)
    options = ["--set", f"net.allow_hosts=127.0.0.1:{site.port}", "--set", "render.enabled=false"]
    first = cold(*options, "read", site.url("/harbour"), home=tmp_path)
    ended = cold(*options, "read", site.url("/harbour"), home=tmp_path, code=LISTED)
    server.shutdown()
    server.server_close()
    assert "from the cache" in ended.err
    assert ended.out == first.out
    loaded = set(ended.err.split())
    assert "wellread.apps.build" in loaded
    for module in ("h11", "httpcore2", "numpy", "playwright", "selectolax", "tantivy", "warcio"):
        assert module not in loaded
    for module in ("browser.browser_pool", "extraction.completeness", "index.local_index", "net.client"):
        assert f"wellread.{module}" not in loaded
