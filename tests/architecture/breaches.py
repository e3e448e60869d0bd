"""Breaches to plant in a copy of the package, and the two linters, import-linter and ruff, that must report each."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from architecture.sources import ROOT

BIN = Path(sys.executable).parent


class Crossing(NamedTuple):
    """Imports that import-linter must refuse: where they are planted, under which contract, as which edge."""

    file: str
    source: str
    contract: str
    seen_as: str


LAYERS = "layers of the package"
READ_PATH = "layers of the read path"
EXTRACTORS = "document extractors are independent"
PROVIDERS = "search providers are independent"
EMBEDDERS = "embedding services are independent"
INTEGRATIONS = "integrations are independent"
CHANNELS = "channels are independent"
NETWORK = "sockets and HTTP libraries only in net"
JOINTS = "apps.build joins the parts; other imports of net and store are listed"
CYCLES = "no import cycles between siblings"

CROSSINGS = {
    "up": Crossing(
        "net/planted.py", "import wellread.reading.pipeline", LAYERS, "net.planted -> wellread.reading.pipeline"
    ),
    "up, hidden in a function": Crossing(
        "store/planted.py", "def f():\n    import wellread.sync", LAYERS, "store.planted -> wellread.sync"
    ),
    "up, for types only": Crossing(
        "errors.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import wellread.types",
        LAYERS,
        "errors -> wellread.types",
    ),
    "across, from net to store": Crossing(
        "net/aside.py", "import wellread.store.db", LAYERS, "net.aside -> wellread.store.db"
    ),
    "a new package without a layer": Crossing("planted.py", "", LAYERS, "- wellread.planted"),
    "up inside reading": Crossing(
        "reading/find.py",
        "import wellread.reading.snapshot_building",
        READ_PATH,
        "reading.find -> wellread.reading.snapshot_building",
    ),
    "up, from extraction to documents": Crossing(
        "extraction/up.py", "import wellread.documents", LAYERS, "extraction.up -> wellread.documents"
    ),
    "a new module of reading without a layer": Crossing(
        "reading/planted.py", "", READ_PATH, "- wellread.reading.planted"
    ),
    "one search provider to another": Crossing(
        "search/providers/planted.py",
        "import wellread.search.providers.brave",
        PROVIDERS,
        "search.providers.planted -> wellread.search.providers.brave",
    ),
    "one embedding service to another": Crossing(
        "rank/embedders/planted.py",
        "import wellread.rank.embedders.ollama",
        EMBEDDERS,
        "rank.embedders.planted -> wellread.rank.embedders.ollama",
    ),
    "one integration to another": Crossing(
        "assistant/integrations/linear/planted.py",
        "import wellread.assistant.integrations.google.google",
        INTEGRATIONS,
        "assistant.integrations.linear.planted -> wellread.assistant.integrations.google.google",
    ),
    "one channel to another": Crossing(
        "assistant/channels/planted.py",
        "import wellread.assistant.channels.telegram.channel",
        CHANNELS,
        "assistant.channels.planted -> wellread.assistant.channels.telegram.channel",
    ),
    "one document extractor to another": Crossing(
        "documents/planted.py",
        "import wellread.documents.plain",
        EXTRACTORS,
        "documents.planted -> wellread.documents.plain",
    ),
    "a socket in rank": Crossing("rank/planted.py", "import socket", NETWORK, "rank.planted -> socket"),
    "an HTTP library in apps": Crossing("apps/planted.py", "import httpcore2", NETWORK, "apps.planted -> httpcore2"),
    "an HTTP library, hidden in a function": Crossing(
        "store/hidden.py", "def f():\n    import httpx", NETWORK, "store.hidden -> httpx"
    ),
    "a command that opens the store itself": Crossing(
        "apps/commands/planted.py", "import wellread.store.db", JOINTS, "apps.commands.planted -> wellread.store.db"
    ),
    "two modules in a cycle": Crossing(
        "net/circle.py", "import wellread.net.ring", CYCLES, "No cycles are allowed in wellread.net."
    ),
}
EXTRA = {"net/ring.py": "import wellread.net.circle"}
"""The other half of the cycle."""

SLIPS = {
    "the environment in apps": ("apps/slip_environ.py", "import os\nX = os.environ['HOME']", "TID251"),
    "getenv in reading": ("reading/slip_getenv.py", "from os import getenv", "TID251"),
    "now without a clock": (
        "reading/slip_now.py",
        "import datetime\nX = datetime.datetime.now(datetime.UTC)",
        "TID251",
    ),
    "urllib.request": ("net/slip_urllib.py", "import urllib.request", "TID251"),
    "a blocking sleep": ("net/slip_sleep.py", "import time\ntime.sleep(1)", "TID251"),
    "print": ("reading/slip_print.py", "print('hello')", "T201"),
    "a relative import": ("reading/slip_relative.py", "from . import pipeline", "TID252"),
    "a bare except": ("store/slip_bare.py", "try:\n    X = 1\nexcept:\n    X = 2", "E722"),
    "a swallowed error": ("store/slip_swallow.py", "try:\n    X = 1\nexcept Exception:\n    pass", "S110"),
    "an unused import": ("store/slip_unused.py", "import json", "F401"),
    "nine parameters": ("reading/slip_params.py", "def f(a, b, c, d, e, f, *, g, h, i):\n    return a", "PLR0913"),
    "a tangle": (
        "reading/slip_tangle.py",
        "def f(a):\n" + "".join(f"    if a == {n}:\n        a += {n}\n" for n in range(11)) + "    return a",
        "C901",
    ),
    "a missing annotation": ("reading/slip_bare_def.py", "def f(a):\n    return a", "ANN001"),
}


def copy(to: Path) -> Path:
    """Copy what the gates look at, and return the package's folder."""
    shutil.copytree(ROOT / "src", to / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", to)
    return to / "src" / "wellread"


def plant(package: Path, file: str, source: str) -> None:
    """Append `source` to a file, which may be new."""
    with (package / file).open("a", encoding="utf-8") as out:
        out.write(f"\n{source}\n")


def lint_imports(root: Path) -> tuple[int, str]:
    """Run import-linter over the package in `root`; return its exit code, and its report on one line per edge."""
    told = subprocess.run(
        [BIN / "lint-imports", "--no-cache", "--no-logo"],
        cwd=root,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(root / "src"), "COLUMNS": "1000"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return told.returncode, told.stdout + told.stderr


def ruff(root: Path) -> set[tuple[str, str]]:
    """Run ruff over the package in `root`; return file and code of each finding."""
    told = subprocess.run(
        [BIN / "ruff", "check", "--no-cache", "--output-format", "json", "src"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    package = root.resolve() / "src" / "wellread"
    return {
        (Path(found["filename"]).relative_to(package).as_posix(), found["code"]) for found in json.loads(told.stdout)
    }
