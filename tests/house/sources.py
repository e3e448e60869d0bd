"""The house as text: its modules parsed, its folders listed. Knows no rule."""

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
NOT_OURS = {"__pycache__", "build", "dist", "node_modules", "shared"}
OURS_THOUGH_DOTTED = {".ci", ".gitignore"}


@dataclass(frozen=True)
class Module:
    """One Python file: where it stands below the root, and what it says."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of its tree, walked once: many rules look at it."""
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

    @cached_property
    def code_lines(self) -> set[int]:
        """The numbers of the lines that hold code: not blank, not only a comment, not a docstring."""
        silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
        said = {
            number
            for token in tokenize.generate_tokens(io.StringIO(self.text).readline)
            if token.type not in silent
            for number in range(token.start[0], token.end[0] + 1)
        }
        told = {
            number
            for node in self.nodes
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        return said - told

    @property
    def room(self) -> str:
        """The room or the single file it belongs to: src/wellread/net/guard.py -> net."""
        return self.path.removeprefix("src/wellread/").partition("/")[0]


def files(root: Path = ROOT) -> Iterator[Path]:
    """Yield every file that a fresh clone would hold."""
    for path in sorted(root.iterdir()):
        dotted = path.name.startswith(".") and path.name not in OURS_THOUGH_DOTTED
        if dotted or path.name in NOT_OURS or path.name.endswith(".egg-info"):
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
    """Return every file that is text, or text compressed."""
    return [Module(path.relative_to(root).as_posix(), _text(path)) for path in files(root)]


def _text(path: Path) -> str:
    data = path.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    return data.decode("latin-1") if b"\0" in data else data.decode("utf-8", "replace")
