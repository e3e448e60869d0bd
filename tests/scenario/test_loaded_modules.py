"""A command loads what it needs: what it does not is most of the time that it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warm import MAIN, cold

if TYPE_CHECKING:
    from pathlib import Path

UNNEEDED = {
    "regex", "importlib.metadata", "importlib.resources", "email.message", "tomllib", "difflib", "csv", "gzip",
    "concurrent.futures", "asyncio", "anyio", "sqlite3", "rich",
}  # fmt: skip
REPORT = (
    "import atexit; "
    f"atexit.register(lambda: sys.stderr.write('loaded: ' + str(sorted({UNNEEDED} & sys.modules.keys())))); "
)
PAGE = "<title>The quay</title><h1>The quay</h1>" + "<p>The old pump house stands at the end of a lane.</p>" * 3


def test_extract_loads_no_modules_for_other_inputs(tmp_path: Path) -> None:
    page = tmp_path / "quay.html"
    page.write_text(PAGE)
    ended = cold("extract", str(page), home=tmp_path, code=REPORT + MAIN)
    assert ended.code == 0
    assert ended.err.endswith("loaded: []")
