"""The optional extras, their distributions, and which are missing, from the package's own metadata."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution, requires

_NEED = re.compile(r"\s*([A-Za-z0-9._-]+).*?;.*?\bextra\s*==\s*['\"]([\w-]+)['\"]")
_ALL = "all"
"""The extra of all extras."""


def extras() -> dict[str, tuple[str, ...]]:
    """Return every extra with its distributions, without the distributions that the core needs too."""
    distributions: dict[str, list[str]] = {}
    for requirement in requires("wellread") or []:
        match = _NEED.match(requirement)
        if match and match[2] != _ALL:
            distributions.setdefault(match[2], []).append(match[1])
    return {extra: tuple(dict.fromkeys(needs)) for extra, needs in sorted(distributions.items())}


def missing(extra: str) -> tuple[str, ...]:
    """Return the distributions of an extra that are not installed."""
    return tuple(name for name in extras()[extra] if not _is_here(name))


def _is_here(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
