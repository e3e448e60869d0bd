"""Find plugins by their entry points and load them on demand; built-in plugins use the same entry points."""

from __future__ import annotations

import sys
from functools import lru_cache, reduce
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = ("channels", "embedders", "extractors", "integrations", "providers", "stores")
"""Each has a group `wellread.<kind>`, a contract suite, a section in CONTRIBUTING.md, and a port: in `wellread.ports`,
those of channels and integrations in `wellread.assistant`."""


def names(kind: str) -> tuple[str, ...]:
    """Return the names of all installed plugins of `kind`, sorted, each once."""
    return tuple(sorted({point.name for point in _points(kind)}))


def is_built_in(kind: str, name: str) -> bool:
    """Return whether the only plugin of this name is of this package."""
    values = [point.value for point in _points(kind) if point.name == name]
    return len(values) == 1 and values[0].startswith("wellread.")


def load(kind: str, name: str) -> Any:  # Any: the entry point decides the type; the kind's contract suite checks it
    """Return the object behind plugin `name` of `kind`.

    Raises:
        PluginError: no such plugin, two of that name, or importing it failed.
    """
    points = [point for point in _points(kind) if point.name == name]
    if not points:
        installed = ", ".join(names(kind)) or "none"
        raise PluginError(
            f"no plugin named {name!r} among wellread.{kind}; installed: {installed}",
            hint="install the package that has it; after a change of entry points, install again",
        )
    if len(points) > 1:
        values = " and ".join(sorted(point.value for point in points))
        raise PluginError(f"two plugins of wellread.{kind} are named {name!r}: {values}", hint="uninstall one of them")
    try:
        return points[0].load()
    except Exception as error:
        raise PluginError(f"plugin {name!r} of wellread.{kind} failed to load: {error!r}") from error


class _EntryPoint(NamedTuple):
    group: str
    name: str
    value: str
    """`package.module:attribute`, and extras in brackets."""

    def load(self) -> Any:  # Any: see `load`
        module, _, attributes = self.value.partition("[")[0].strip().partition(":")
        return reduce(getattr, filter(None, attributes.strip().split(".")), import_module(module.strip()))


def _points(kind: str) -> tuple[_EntryPoint, ...]:
    if kind not in KINDS:
        raise PluginError(f"no plugin kind {kind!r}; known: {', '.join(KINDS)}")
    return _installed(tuple(map(_state, sys.path)))[kind]


@lru_cache(maxsize=1)
def _installed(_: tuple[tuple[str, int], ...]) -> dict[str, tuple[_EntryPoint, ...]]:
    """Read the entry points of all distributions, a file each; cached until something is installed or removed."""
    find_points = _points_anywhere
    if _is_path_of_folders():
        find_points = _points_in_folders
    points = tuple(find_points())
    return {kind: tuple(point for point in points if point.group == f"wellread.{kind}") for kind in KINDS}


def _is_path_of_folders() -> bool:
    """Tell whether distributions can be only in the folders of the path: not in archives, nor with another finder."""
    has_finders = any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path)
    return not has_finders and not any(Path(folder).is_file() or folder.endswith(".egg") for folder in sys.path)


def _points_anywhere() -> Iterator[_EntryPoint]:
    from importlib.metadata import entry_points  # here, because to load it takes 20 ms, the fortieth of a command

    all_points = entry_points()
    for kind in KINDS:
        for point in all_points.select(group=f"wellread.{kind}"):
            yield _EntryPoint(point.group, point.name, point.value)


def _points_in_folders() -> Iterator[_EntryPoint]:
    """Yield what `importlib.metadata.entry_points` returns; of two distributions of one name, the first counts."""
    distributions: set[str] = set()
    for folder in sys.path:
        for path in _paths_in(Path(folder or ".")):
            if path.suffix not in {".dist-info", ".egg-info"}:
                continue
            distribution = path.stem.partition("-")[0].lower().replace(".", "_")
            if distribution not in distributions:
                distributions.add(distribution)
                yield from _points_in_file(path / "entry_points.txt")


def _paths_in(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # nothing is there
        return []


def _points_in_file(path: Path) -> Iterator[_EntryPoint]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:  # the distribution has no entry points
        return
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1]
        elif line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield _EntryPoint(group, name.strip(), value.strip())


def _state(folder: str) -> tuple[str, int]:
    """Return a value that changes when a distribution is installed into this folder or removed."""
    try:
        return folder, Path(folder or ".").stat().st_mtime_ns
    except OSError:  # nothing is there
        return folder, 0
