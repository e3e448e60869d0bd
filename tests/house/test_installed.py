"""What is tested is the package as it is built, and never one that the tree has outgrown."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from installed import TREE, objection, outgrown

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A copy of the package, as a wheel would put it elsewhere."""
    return shutil.copytree(TREE, tmp_path / "wellread", ignore=shutil.ignore_patterns("__pycache__"))


def test_a_wheel_of_this_tree_is_tested(wheel: Path) -> None:
    (wheel / "__pycache__").mkdir()
    (wheel / "__pycache__" / "types.cpython-311.pyc").write_bytes(b"compiled")
    assert objection(wheel=True, installed=wheel) is None


@pytest.mark.parametrize("harm", ["changed", "gone", "more"])
def test_a_wheel_that_the_tree_has_outgrown_is_refused(wheel: Path, harm: str) -> None:
    name = "web/left_over.py" if harm == "more" else "web/paging.py"
    (wheel / name).write_text("OLD = True\n", encoding="utf-8")
    if harm == "gone":
        (wheel / name).unlink()
    assert outgrown(wheel, TREE) == [name]
    said = objection(wheel=False, installed=wheel)
    assert said is not None
    assert name in said
    assert "make dev" in said


def test_the_tree_itself_is_no_wheel() -> None:
    assert objection(wheel=False, installed=TREE) is None
    assert objection(wheel=True, installed=TREE) is not None
