"""File tools stay in the workspace, whatever paths and links say."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from wellread.assistant.policy import preview_text
from wellread.assistant.tools.file_tools import FileWorkspace
from wellread.errors import Gone, InvalidInput, TooLarge, WellreadError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> FileWorkspace:
    (tmp_path / "secret.txt").write_text("rosebud")
    made = FileWorkspace(tmp_path / "desk")
    (tmp_path / "desk" / "link.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "desk" / "up").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "desk" / "pipe")
    return made


def test_what_is_written_is_read_and_listed(desk: FileWorkspace) -> None:
    assert desk.write("notes/today.txt", "low water") == 9
    assert desk.read("notes/today.txt") == "low water"
    assert desk.listing("notes") == "today.txt  9"
    assert "notes/" in desk.listing(".")


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "/etc/passwd", "link.txt", "up/secret.txt", "pipe", "notes/../../secret.txt", "a\0b", "", "."],
)
def test_a_path_that_leads_out_is_refused(desk: FileWorkspace, path: str, tmp_path: Path) -> None:
    with pytest.raises(WellreadError):
        desk.read(path)
    with pytest.raises(WellreadError):
        desk.write(path, "overwritten")
    assert (tmp_path / "secret.txt").read_text() == "rosebud"


def test_what_is_not_there_is_gone(desk: FileWorkspace) -> None:
    with pytest.raises(Gone):
        desk.read("nothing.txt")
    with pytest.raises(InvalidInput):
        desk.listing("up")


def test_a_file_that_is_too_long_is_refused(desk: FileWorkspace, tmp_path: Path) -> None:
    with (tmp_path / "desk" / "long.txt").open("wb") as file:
        file.truncate(2_000_000)
    with pytest.raises(TooLarge):
        desk.read("long.txt")


def test_the_preview_says_what_would_be_replaced(desk: FileWorkspace) -> None:
    write = next(tool for tool in desk.tools if tool.name == "file_write")
    assert write.preview is not None
    assert preview_text(write.preview({"path": "a.txt", "text": "low"})) == "write a new file a.txt\ntext: low"
    desk.write("a.txt", "high")
    assert write.preview({"path": "a.txt", "text": "low"}).deed == "replace the file a.txt"
