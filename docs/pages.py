"""Builds these pages into a site, a folder for each version: `python docs/pages.py FOLDER`, or `make docs`.

FOLDER keeps the versions that were built into it before, and its own page leads to the newest. The pages lie as they do
in the repository, so that a link between them holds in both places; one that leads nowhere stops the build. The site
loads nothing from elsewhere, and can be read from any server of files.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
WITH = ("CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md", "docs", "examples/agents", "examples/container")
SETTINGS = """
[project]
site_name = "wellread {version}"
docs_dir = "pages"
[project.theme]
font = false
features = ["content.code.copy", "navigation.top"]
[project.extra]
generator = false
version = {{ provider = "mike" }}
"""
"""The form of `versions.json`, by which pages offer the other versions, is that of mike."""
AWAY = """<!doctype html><html lang="en"><head><title>wellread</title><meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={newest}/"></head>
<body><a href="{newest}/">wellread {newest}</a></body></html>
"""
_VERSION = re.compile(r"\d+\.\d+")


def version() -> str:
    """Return the minor version, for which one set of pages holds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = _VERSION.match(project["version"])
    assert found
    return found[0]


def build(into: Path) -> None:
    """Build the pages of this version, in place of those that were built of it before."""
    with tempfile.TemporaryDirectory() as name:
        stage = Path(name)
        (stage / "zensical.toml").write_text(SETTINGS.format(version=version()), encoding="utf-8")
        pages = stage / "pages"
        pages.mkdir()
        shutil.copy(ROOT / "README.md", pages / "index.md")
        for each in WITH:
            copy = shutil.copytree if (ROOT / each).is_dir() else shutil.copy
            (pages / each).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / each, pages / each)
        subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=stage, check=True)
        shutil.rmtree(into / version(), ignore_errors=True)
        shutil.copytree(stage / "site", into / version())


def lead(into: Path) -> None:
    """List the versions that are there, and lead to the newest."""
    names = [path.name for path in into.iterdir() if path.is_dir() and _VERSION.fullmatch(path.name)]
    newest_first = sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    told = [{"version": name, "title": name, "aliases": ["latest"][index:]} for index, name in enumerate(newest_first)]
    (into / "versions.json").write_text(json.dumps(told), encoding="utf-8")
    (into / "index.html").write_text(AWAY.format(newest=newest_first[0]), encoding="utf-8")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    build(folder)
    lead(folder)
