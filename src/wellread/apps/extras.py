"""What each optional extra brings, and which of it is missing here, as the package's own metadata says."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution, requires

_NEED = re.compile(r"\s*([A-Za-z0-9._-]+).*?;.*?\bextra\s*==\s*['\"]([\w-]+)['\"]")
_ALL = "all"
"""The extra of all extras."""


def extras() -> dict[str, tuple[str, ...]]:
    """Return every extra with the distributions that it brings; those that the core needs too are left out."""
    found: dict[str, list[str]] = {}
    for need in requires("wellread") or []:
        matched = _NEED.match(need)
        if matched and matched[2] != _ALL:
            found.setdefault(matched[2], []).append(matched[1])
    return {extra: tuple(dict.fromkeys(needs)) for extra, needs in sorted(found.items())}


def missing(extra: str) -> tuple[str, ...]:
    """Return the distributions of an extra that are not installed."""
    return tuple(name for name in extras()[extra] if not _is_here(name))


def _is_here(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
