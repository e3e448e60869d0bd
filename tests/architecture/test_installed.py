"""What is tested is the package as it is built, and never one that the tree has outgrown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from installed import INSTALLED, TREE, objection, outgrown

if TYPE_CHECKING:
    from pathlib import Path

FILES = {"__init__.py": "", "citations/cursors.py": "MOST = 1\n", "apps/playground/index.html": "<p>tides</p>"}


def package(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_wheel_of_this_tree_is_tested(tmp_path: Path) -> None:
    tree, wheel = package(tmp_path / "tree", FILES), package(tmp_path / "wheel", FILES)
    package(wheel / "citations", {"__pycache__/cursors.cpython-311.pyc": "compiled"})
    assert objection(wheel=True, installed=wheel, tree=tree) is None


@pytest.mark.parametrize(
    ("name", "was"),
    [
        ("citations/cursors.py", {"citations/cursors.py": "MOST = 2\n"}),
        ("citations/gone.py", {"citations/gone.py": "LEFT = 1\n"}),
        ("apps/playground/index.html", {"apps/playground/index.html": "<p>pools</p>"}),
    ],
)
def test_a_wheel_that_the_tree_has_outgrown_is_refused(tmp_path: Path, name: str, was: dict[str, str]) -> None:
    tree, wheel = package(tmp_path / "tree", FILES), package(tmp_path / "wheel", FILES | was)
    assert outgrown(wheel, tree) == [name]
    for asked in (True, False):
        said = objection(wheel=asked, installed=wheel, tree=tree)
        assert said is not None
        assert name in said
        assert "make dev" in said


def test_what_a_wheel_lacks_is_seen(tmp_path: Path) -> None:
    tree, wheel = package(tmp_path / "tree", FILES), package(tmp_path / "wheel", {"__init__.py": ""})
    assert outgrown(wheel, tree) == ["apps/playground/index.html", "citations/cursors.py"]


def test_the_tree_itself_is_no_wheel() -> None:
    assert objection(wheel=False, installed=TREE) is None
    assert objection(wheel=True, installed=TREE) is not None


def test_these_tests_prove_something_of_the_tree() -> None:
    assert INSTALLED == TREE or outgrown(INSTALLED, TREE) == []
