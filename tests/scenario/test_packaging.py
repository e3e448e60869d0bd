"""The wheel as people get it: built, installed alone into a fresh environment, and worked with there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

from processes import started
from wellread.apps import playground
from wellread.apps.commands.demo import HOME, SITE
from wellread.apps.operations.registry import OPERATIONS

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).parents[2]
LISTED = """
import sys, anyio
from mcp import Client


async def main():
    async with Client(sys.argv[1]) as client:
        print(*(tool.name for tool in (await client.list_tools()).tools))


anyio.run(main)
"""
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "WELLREAD_", "PYTHON"))}


def run(*words: str | Path, home: Path | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in words], cwd=home or ROOT, capture_output=True, text=True, check=False, timeout=300,
        env=PLAIN | ({"HOME": str(home)} if home else {}),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(folder: Path, *packages: str | Path) -> Path:
    """Make an environment with these packages, and return where its programs are."""
    run(sys.executable, "-m", "venv", folder)
    programs = folder / "bin"
    run(programs / "python", "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", *packages)
    return programs


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    (wheel,) = built.glob("*.whl")
    return environment(tmp_path_factory.mktemp("fresh"), wheel)


def test_the_demo_runs_from_the_wheel_without_extras(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "wellread", "demo", home=tmp_path)


def test_a_page_is_read_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    text = run(installed / "wellread", "read", HOME + "lamp", "--replay", SITE, home=tmp_path)
    assert text.startswith("# How Sandle Point lost its blue")


def test_the_core_brings_no_browser_and_no_server(installed: Path) -> None:
    names = run(installed / "python", "-m", "pip", "list", "--format", "freeze").lower()
    for absent in ("playwright", "fastapi", "uvicorn", "mcp", "structlog", "opentelemetry", "pypdfium2", "pyarrow"):
        assert f"\n{absent}" not in names, absent


def test_the_interfaces_of_the_wheel_work(built: Path, tmp_path: Path) -> None:
    """The API, the playground and MCP, out of the wheel and its extras."""
    (wheel,) = built.glob("*.whl")
    programs = environment(tmp_path / "served", f"wellread[server] @ {wheel.as_uri()}")
    command = [str(programs / "wellread"), "serve", "--port", "0", "--replay", str(SITE)]
    with started(
        command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=PLAIN | {"HOME": str(tmp_path)}
    ) as server:
        assert server.stderr is not None
        root = server.stderr.readline().removeprefix("listening on ").strip()
        body = json.dumps({"url": HOME + "lamp"}).encode()
        asked = urllib.request.Request(f"{root}/v1/read", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked) as answer:
            assert json.load(answer)["title"] == "How Sandle Point lost its blue"
        for path in (file.path for file in playground.pages()):
            with urllib.request.urlopen(root + path) as answer:
                assert answer.status == 200, path
        tools = run(programs / "python", "-c", LISTED, f"{root}/mcp", home=tmp_path)
        assert tools.split() == [operation.name for operation in OPERATIONS]
        server.terminate()
        assert server.wait(60) == 0


def test_the_wheel_holds_the_package_alone_and_all_of_it(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    ours = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src/wellread").rglob("*") if path.is_file()}
    ours = {name for name in ours if "__pycache__" not in name}
    about = {name for name in names if ".dist-info/" in name}
    assert names - about == ours
    assert {"LICENSE", "NOTICE"} <= {name.rpartition("/")[2] for name in about}


def test_source_archive_can_be_tested_and_has_no_stray_files(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = [name.partition("/")[2] for name in opened.getnames()]
    tops = {name.partition("/")[0] for name in names}
    assert {"src", "tests", "docs", "examples", "Makefile", "constraints.txt", "pyproject.toml", "LICENSE"} <= tops
    assert {top for top in tops if top.startswith(".")} <= {".gitignore", ".ci"}
