"""Runs these tests without coverage: they read files and run next to nothing of the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them `untraced`: the tracer triples the time that parsing a thousand files takes."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker("untraced")
