"""The rules of the house read files and run next to nothing of the package: coverage would learn nothing from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

HOUSE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run them without the tracer, under which reading a thousand trees takes three times as long."""
    for item in items:
        if item.path.is_relative_to(HOUSE):
            item.add_marker("untraced")
