"""Tells arguments that are paths of files."""

from __future__ import annotations

from pathlib import Path


def is_file(text: str) -> bool:
    """Return whether a text is the path of a file; a text that can be no path is none."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long, or with a NUL
        return False
