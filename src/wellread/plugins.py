"""Find plugins by their entry points and load them on demand; built-in plugins use the same entry points."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellread.errors import PluginError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

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


def _points(kind: str) -> tuple[EntryPoint, ...]:
    if kind not in KINDS:
        raise PluginError(f"no plugin kind {kind!r}; known: {', '.join(KINDS)}")
    return _installed(tuple(map(_state, sys.path)))[kind]


@lru_cache(maxsize=1)
def _installed(_: tuple[tuple[str, int], ...]) -> dict[str, tuple[EntryPoint, ...]]:
    """Read the entry points of all distributions, a file each; cached until something is installed or removed."""
    all_points = entry_points()
    return {kind: tuple(all_points.select(group=f"wellread.{kind}")) for kind in KINDS}


def _state(folder: str) -> tuple[str, int]:
    """Return a value that changes when a distribution is installed into this folder or removed."""
    try:
        return folder, Path(folder or ".").stat().st_mtime_ns
    except OSError:  # nothing is there
        return folder, 0
