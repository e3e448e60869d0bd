"""The files of the project: modules parsed, folders listed. Holds no rule."""

from __future__ import annotations

import ast
import gzip
import io
import tokenize
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
IGNORED = {"__pycache__", "build", "dist", "node_modules", "shared"}
DOTTED = {".ci", ".gitattributes", ".gitignore"}


@dataclass(frozen=True)
class Module:
    """One Python file: its path below the root, and its text."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree, collected once for all rules."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def imported(self) -> tuple[ast.ImportFrom, ...]:
        return tuple(node for node in self.nodes if isinstance(node, ast.ImportFrom))

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def comments(self) -> list[tuple[int, str]]:
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]

    @property
    def package(self) -> str:
        """The top-level package, or the file name of a top-level module: src/wellread/net/guard.py -> net."""
        return self.path.removeprefix("src/wellread/").partition("/")[0]


def files(root: Path = ROOT) -> Iterator[Path]:
    """Yield every file that a fresh clone contains."""
    for path in sorted(root.iterdir()):
        dotted = path.name.startswith(".") and path.name not in DOTTED
        if dotted or path.name in IGNORED or path.name.endswith(".egg-info"):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def modules(*folders: str) -> list[Module]:
    """Return the Python files below `folders`."""
    return [
        _module(path)
        for folder in folders
        if (ROOT / folder).is_dir()
        for path in files(ROOT / folder)
        if path.suffix == ".py"
    ]


@cache
def _module(path: Path) -> Module:
    return Module(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))


def texts(root: Path = ROOT) -> list[Module]:
    """Return every file as text, compressed ones decompressed."""
    return [Module(path.relative_to(root).as_posix(), _text(path)) for path in files(root)]


def _text(path: Path) -> str:
    data = path.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    return data.decode("latin-1") if b"\0" in data else data.decode("utf-8", "replace")
