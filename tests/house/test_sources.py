"""The house is looked at whole: a rule that sees no files would keep nothing."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from house.sources import ROOT, files, modules, texts

if TYPE_CHECKING:
    from pathlib import Path


def test_every_module_of_the_package_is_seen() -> None:
    seen = {module.path for module in modules("src")}
    assert {"src/wellread/errors.py", "src/wellread/net/wire.py", "src/wellread/web/extract/__init__.py"} <= seen
    assert len(seen) == sum(1 for path in (ROOT / "src").rglob("*.py"))


def test_the_papers_of_the_house_are_seen() -> None:
    seen = {path.relative_to(ROOT).as_posix() for path in files()}
    assert {"README.md", "Makefile", ".ci/run", "pyproject.toml", "docs/settings.md", "tests/conftest.py"} <= seen


def test_what_others_leave_behind_is_not_ours(tmp_path: Path) -> None:
    for name in (".venv/x.py", "src/__pycache__/x.py", "build/x.py", "src/wellread.egg-info/x.py", "src/kept.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    assert [path.name for path in files(tmp_path)] == ["kept.py"]


def test_compressed_recordings_are_read_as_text(tmp_path: Path) -> None:
    (tmp_path / "site.warc.gz").write_bytes(gzip.compress(b"first\n") + gzip.compress(b"second\n"))
    assert [module.text for module in texts(tmp_path)] == ["first\nsecond\n"]
