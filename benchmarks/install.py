"""What an installation brings: distributions and bytes, for the core and for each extra.

    python benchmarks/install.py [EXTRA ...]

Builds the wheel, installs it with the pinned versions into fresh environments, and counts what came besides pip. Bytes
are those of the files as they were unpacked, before anything is compiled.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*words: str | Path) -> str:
    """Run a program, and return what it prints."""
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, cwd=ROOT).stdout


def programs(folder: Path) -> Path:
    """Make an environment, and return where its programs are."""
    run(sys.executable, "-m", "venv", folder)
    return folder / "bin"


def measured(folder: Path, wheel: Path, extras: str) -> str:
    """Install the wheel with these extras, and return a line of the table."""
    there = programs(folder)
    began = time.perf_counter()
    what = f"wellread[{extras}] @ {wheel.as_uri()}" if extras else str(wheel)
    options = ("--quiet", "--no-compile", "--constraint", ROOT / "constraints.txt")
    run(there / "python", "-m", "pip", "install", *options, what)
    seconds = time.perf_counter() - began
    names = [line for line in run(there / "python", "-m", "pip", "list", "--format", "freeze").split() if line]
    count = len([name for name in names if not name.startswith(("pip==", "wellread", "setuptools=="))])
    packages = next((folder / "lib").glob("python*/site-packages"))
    tooling = ("pip", "setuptools", "__pycache__")
    size = sum(
        path.stat().st_size
        for top in packages.iterdir()
        if not top.name.startswith(tooling)
        for path in (top.rglob("*") if top.is_dir() else [top])
        if path.is_file() and "__pycache__" not in path.parts
    )
    return f"| {extras or 'core'} | {count} | {size / 1e6:.1f} | {seconds:.0f} |"


def main(wanted: list[str]) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = programs(folder / "build")
        run(build / "python", "-m", "pip", "install", "--quiet", "hatchling")
        run(build / "python", "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist")
        (wheel,) = (folder / "dist").glob("*.whl")
        print(f"wheel: {wheel.stat().st_size / 1e6:.2f} MB\n")
        print("| extras | other distributions | MB installed | s |\n|---|---|---|---|")
        for number, extras in enumerate(["", *wanted]):
            print(measured(folder / str(number), wheel, extras), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
