"""The subjects of commits: an imperative of at most 72 characters."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_SUBJECT_CHARS = 72
START = "c997ff09e88618669b03cb22e852a8bd49e7b7e8"
"""The last commit before the rule: older subjects may be longer."""


def subjects(root: Path, start: str = START) -> list[str] | None:
    """Return hash and subject of each commit after `start`; None without git, or without `start` in the history."""
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{start}..HEAD"]
    try:
        finished = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.CalledProcessError):
        return None
    return finished.stdout.splitlines()


def too_long(commits: list[str]) -> list[str]:
    """Return a sentence for each subject that is too long."""
    return [
        f"commit {name} has a subject of {len(subject)} characters, at most {MAX_SUBJECT_CHARS}: {subject}"
        for name, _, subject in (commit.partition(" ") for commit in commits)
        if len(subject) > MAX_SUBJECT_CHARS
    ]
