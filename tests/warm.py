"""Commands in processes of their own that begin warm: forked where libraries and the layers below `apps` are loaded.

A short command spends most of its time on starting an interpreter and loading modules. What a test of a command can
see is the same: arguments, environment, folder, input, output and exit code are the command's own. `cold` starts an
interpreter, where just that is the point. A program other than `wellread` loads the package itself, so that it may
first take away what the package needs.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LIBRARIES = (
    *("ada_url", "alembic.command", "anyio._backends._asyncio", "brotli", "charset_normalizer", "cronsim", "h2"),
    *("httpcore2", "httpx2", "jsonschema", "markdown_it", "mcp", "numpy", "protego"),
    *("pydantic_ai", "pypdfium2", "regex", "rich.console", "selectolax.lexbor", "semantic_text_splitter"),
    *("sqlalchemy.orm", "stamina", "tinycss2", "warcio", "webencodings", "zstandard"),
)
PACKAGES = ("wellread.apps.commands", "wellread.documents", "wellread.browser.browse")
MODULES = (
    *(
        "wellread.apps.network_parts",
        "wellread.browser.browser_pool",
        "wellread.browser.search_visits",
        "wellread.net.recording",
        "wellread.net.client",
    ),
    *("wellread.net.dial", "wellread.net.downloads", "wellread.store.cache", "wellread.index.local_index"),
    *("wellread.extraction.html", "wellread.reading.gather", "wellread.reading.pipeline", "wellread.search.engine"),
    *("wellread.search.local_search", "wellread.reading.sandbox", "wellread.assistant.user_assistant"),
    *("wellread.assistant.knowledge.knowledge_base", "wellread.crawl.crawl", "wellread.crawl.watcher"),
)
"""What most commands load; it takes longer than all else that a short one does."""
MAIN = "from wellread.apps.cli import main; main()"
PATIENCE_S = 60
_TREE = {"PYTHONPATH": str(Path(tree).absolute())} if (tree := os.environ.get("PYTHONPATH")) else {}
"""A tree that is not the installed one is tried by naming it so: commands must come from there, too."""


class Ended(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


def run(
    *words: str,
    home: Path,
    code: str = MAIN,
    typed: str = "",
    folder: Path | None = None,
    columns: int = 300,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Ended:
    """Run `wellread` with these words; `code` is the program, in which `sys` is at hand.

    `variables` are added to the environment.
    """
    with tempfile.TemporaryDirectory() as place:
        ends = [str(Path(place) / name) for name in ("in", "out", "err")]
        Path(ends[0]).write_text(typed, encoding="utf-8")
        order = {
            "words": words,
            "code": code,
            "env": {**environment(home, columns), **variables},
            "folder": str(folder or Path.cwd()),
            "ends": ends,
        }
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(order) + "\n")
        server.stdin.flush()
        ended = int(server.stdout.readline())
        return Ended(ended, *(Path(end).read_text(encoding="utf-8") for end in ends[1:]))


def cold(*words: str, home: Path, code: str = MAIN) -> Ended:
    """Run it in an interpreter that has loaded nothing before."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv[0] = 'wellread'; {code}", *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        env=environment(home),
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr)


def environment(home: Path, columns: int = 300) -> dict[str, str]:
    return {"HOME": str(home), "PATH": f"{sys.prefix}/bin:/usr/bin:/bin", "COLUMNS": str(columns), **_TREE}


@cache
def _server() -> subprocess.Popen[str]:
    """Start the process from which commands are forked, once for all tests of this one."""
    command = [sys.executable, "-P", __file__]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_TREE)

    def close() -> None:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.close()
        server.stdout.close()
        server.wait()

    atexit.register(close)
    return server


def _serve() -> None:
    is_loaded = False
    for line in sys.stdin:
        order = json.loads(line)
        if not is_loaded and "extract" not in order["words"]:  # which loads little, and need not wait
            for name in (*LIBRARIES, *MODULES, *_members(PACKAGES)):
                importlib.import_module(name)
            gc.freeze()  # what is never looked at by the collector stays shared between the forks
            is_loaded = True
        child = os.fork()
        if not child:
            _leave(_become(order))
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _members(packages: Iterable[str]) -> Iterator[str]:
    for package in packages:
        for member in pkgutil.iter_modules(importlib.import_module(package).__path__):
            yield f"{package}.{member.name}"


def _unload_wellread() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "wellread"]:
        del sys.modules[name]


def _become(order: dict[str, Any]) -> int:  # Any: JSON
    """Be the command, and return its exit code."""
    signal.alarm(PATIENCE_S)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["env"])
    for number, (end, how) in enumerate(
        zip(order["ends"], (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2), strict=True)
    ):
        os.dup2(os.open(end, how), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - what was read ahead is not for it
    sys.argv = ["wellread", *order["words"]]
    if order["code"] != MAIN:
        _unload_wellread()
    try:
        exec(order["code"], {"__name__": "__main__", "sys": sys})  # what an interpreter does with -c
    except SystemExit as ended:
        return int(ended.code or 0)
    except BaseException:  # noqa: BLE001 - an interpreter shows whatever ends its program
        traceback.print_exc()
        return 1
    return 0


def _leave(code: int) -> NoReturn:
    """End as an interpreter does, but for taking all the libraries down again."""
    threading._shutdown()  # type: ignore[attr-defined]  # what waits for threads at the end of every interpreter
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _serve()
