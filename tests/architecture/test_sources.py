"""The rules are applied to every file of the project."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from architecture.sources import ROOT, files, modules, texts

if TYPE_CHECKING:
    from pathlib import Path


def test_modules_of_the_package() -> None:
    seen = {module.path for module in modules("src")}
    assert {"src/wellread/errors.py", "src/wellread/net/transport.py", "src/wellread/extraction/__init__.py"} <= seen
    assert len(seen) == sum(1 for path in (ROOT / "src").rglob("*.py"))


def test_files_of_the_project() -> None:
    seen = {path.relative_to(ROOT).as_posix() for path in files()}
    assert {"README.md", "Makefile", ".ci/run", "pyproject.toml", "docs/settings.md", "tests/conftest.py"} <= seen


def test_generated_files_are_ignored(tmp_path: Path) -> None:
    for name in (".venv/x.py", "src/__pycache__/x.py", "build/x.py", "src/wellread.egg-info/x.py", "src/module.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    assert [path.name for path in files(tmp_path)] == ["module.py"]


def test_compressed_recording(tmp_path: Path) -> None:
    (tmp_path / "site.warc.gz").write_bytes(gzip.compress(b"first\n") + gzip.compress(b"second\n"))
    assert [module.text for module in texts(tmp_path)] == ["first\nsecond\n"]
