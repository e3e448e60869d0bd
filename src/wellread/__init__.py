"""wellread gives AI agents the web: search, clean cited reading, evidence.

The public names load on first use, so that importing wellread costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellread.apps.build import Web
    from wellread.apps.local_reading import extract
    from wellread.citations.evidence_prompt import wrapped
    from wellread.config import Settings
    from wellread.errors import (
        ConfigError,
        PluginError,
        RefusedError,
        UnavailableError,
        UnreadableError,
        WellreadError,
    )
    from wellread.types import (
        Answer,
        Facts,
        Found,
        Gathered,
        Hit,
        Page,
        PageSnapshot,
        Passage,
        Research,
        ResearchBudget,
        SiteMap,
        Snapshot,
    )

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "ConfigError",
    "Facts",
    "Found",
    "Gathered",
    "Hit",
    "Page",
    "PageSnapshot",
    "Passage",
    "PluginError",
    "RefusedError",
    "Research",
    "ResearchBudget",
    "Settings",
    "SiteMap",
    "Snapshot",
    "UnavailableError",
    "UnreadableError",
    "Web",
    "WellreadError",
    "extract",
    "wrapped",
]

_HOMES = {
    "wellread.apps.build": ("Web",),
    "wellread.apps.local_reading": ("extract",),
    "wellread.config": ("Settings",),
    "wellread.errors": tuple(name for name in __all__ if name.endswith("Error")),
    "wellread.types": (
        "Answer",
        "Facts",
        "Found",
        "Gathered",
        "Hit",
        "Page",
        "PageSnapshot",
        "Passage",
        "Research",
        "ResearchBudget",
        "SiteMap",
        "Snapshot",
    ),
    "wellread.citations.evidence_prompt": ("wrapped",),
}


def __getattr__(name: str) -> Any:  # Any: each name has its own type, which the imports above tell type checkers
    """Load a public name from its module (PEP 562)."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'wellread' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, "__version__"]
