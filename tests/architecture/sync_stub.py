"""The command that writes `src/wellread/sync.pyi`, which declares the methods of `wellread.sync`.

    PYTHONPATH=src:tests python -m architecture.sync_stub     (or `make stub`)

Signatures are those of the classes at run time; the names in their annotations are imported as the modules import them
that define the methods.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from architecture.sources import ROOT
from wellread import sync

if TYPE_CHECKING:
    from collections.abc import Callable

STUB = ROOT / "src" / "wellread" / "sync.pyi"
HEADER = """\
# Declares `wellread.sync` for type checkers; `make stub` writes this file.
from contextlib import AbstractContextManager
from wellread.apps.local_reading import extract
from wellread.types import CrawlRecord
"""


def stub() -> str:
    """Return the text of the stub, as ruff formats it."""
    imports: set[str] = set()
    lines = [f"__all__ = {sync.__all__!r}"]
    for cls in (sync.Web, sync.Tab):
        lines.append(f"class {cls.__name__}:")
        for name, attribute in vars(cls).items():
            if name in {"__init__", "__enter__", "__exit__"} or not name.startswith("_"):
                method = attribute
                if isinstance(attribute, property):
                    lines.append("    @property")
                    method = attribute.fget
                lines.append(f"    def {name}{_signature(method)}: ...")
                imports |= import_lines(Path(inspect.getfile(inspect.unwrap(method))))
    return formatted(HEADER + "\n".join([*sorted(imports), *lines]))


class _Unquoted(str):
    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _signature(method: Callable[..., object]) -> str:
    signature = inspect.signature(method)
    parameters = [
        parameter if parameter.annotation is inspect.Parameter.empty
        else parameter.replace(annotation=_Unquoted(parameter.annotation))
        for parameter in signature.parameters.values()
    ]  # fmt: skip
    return str(signature.replace(parameters=parameters, return_annotation=_Unquoted(signature.return_annotation)))


def import_lines(path: Path) -> set[str]:
    """Return one line for each name that a module imports or defines, and that the stub does not define."""
    tree = ast.parse(path.read_text("utf-8"))
    module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
    names = [(module, node.name) for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module != "__future__":
            names += [(node.module, alias.name) for alias in node.names]
    return {f"from {source} import {name}" for source, name in names if name not in sync.__all__}


def formatted(source: str) -> str:
    """Return `source` with the imports that it needs, as ruff formats it."""
    for arguments in ("check --select=F401 --fix --quiet", "check --select=I --fix --quiet", "format"):
        command = [sys.executable, "-m", "ruff", *arguments.split(), "--stdin-filename", str(STUB), "-"]
        source = subprocess.run(command, input=source, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    return source


if __name__ == "__main__":
    STUB.write_text(stub(), "utf-8")
