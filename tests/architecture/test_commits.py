"""Commit subjects are at most 72 characters."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from architecture import commits
from architecture.sources import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_subjects_of_the_history() -> None:
    found = commits.subjects(ROOT)
    if found is None:
        pytest.skip("no git history back to the commit that the rule starts at")
    assert commits.too_long(found) == []


def commit(root: Path, subject: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
    subprocess.run(["git", *identity, "commit", "--quiet", "--allow-empty", "-m", subject], cwd=root, check=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", "."], cwd=tmp_path, check=True)
    commit(tmp_path, "x" * 100)
    subprocess.run(["git", "tag", "start"], cwd=tmp_path, check=True)
    return tmp_path


def test_long_subject_is_refused(repository: Path) -> None:
    commit(repository, "y" * 73)
    commit(repository, "z" * 72)
    (finding,) = commits.too_long(commits.subjects(repository, "start") or [])
    assert "73 characters" in finding


def test_tree_without_history(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert commits.subjects(repository) is None
    assert commits.subjects(tmp_path_factory.mktemp("empty")) is None
