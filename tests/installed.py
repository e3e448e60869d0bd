"""Tells which wellread is under test: the tree itself, or a wheel that was made of it."""

from __future__ import annotations

from pathlib import Path

import wellread

TREE = Path(__file__).parents[1] / "src" / "wellread"
INSTALLED = Path(wellread.__file__).parent


def outgrown(installed: Path, tree: Path) -> list[str]:
    """Return the files in which a package as it is installed differs from the tree."""
    there, here = _contents(installed), _contents(tree)
    return sorted(name for name in there | here if there.get(name) != here.get(name))


def objection(*, wheel: bool, installed: Path = INSTALLED, tree: Path = TREE) -> str | None:
    """Return why these tests would prove nothing of the tree, or None where they do; `wheel` asks for a wheel."""
    if installed == tree:
        return "`make test` tests a wheel, and src/ itself is installed: make dev, then make test" if wheel else None
    if tree.is_dir() and (changed := outgrown(installed, tree)):
        return f"the wheel in {installed.parent} is not of this src/ ({changed[0]}, ...): make dev, or make test"
    return None


def _contents(package: Path) -> dict[str, bytes]:
    found = (path for path in package.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return {path.relative_to(package).as_posix(): path.read_bytes() for path in found}
