"""file_read, file_write and file_list: the workspace and nothing else, with no symbolic link followed on the way."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from anyio import to_thread

from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, string_argument, string_schema
from wellread.errors import Gone, InvalidInput, TooLarge, reason_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

MAX_READ_BYTES = 1_000_000
MAX_WRITE_CHARS = 200_000
MAX_LISTED = 500
MAX_SHOWN_CHARS = 20_000
"""Of a file in the question for consent; the rest is told by its length."""


class FileWorkspace:
    """One folder, entered from its top each time."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; it is made when missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder.resolve()

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that work in it."""
        path = string_schema("Path inside the workspace.", max_length=500)
        return (
            Tool("file_read", "Read a text file.", arguments_schema(("path",), path=path), self._read),
            Tool("file_list", "List files.", arguments_schema(path=path), self._list),
            Tool(
                "file_write",
                "Write a text file, in place of what it held.",
                arguments_schema(("path", "text"), path=path, text=string_schema(max_length=MAX_WRITE_CHARS)),
                self._write,
                effect=Effect.WORLD,
                preview=self._preview,
            ),
        )

    async def _read(self, arguments: Mapping[str, object]) -> ToolResult:
        return ToolResult(await to_thread.run_sync(self.read, string_argument(arguments, "path")), tainted=True)

    async def _list(self, arguments: Mapping[str, object]) -> ToolResult:
        return ToolResult(await to_thread.run_sync(self.listing, string_argument(arguments, "path", ".")), tainted=True)

    async def _write(self, arguments: Mapping[str, object]) -> ToolResult:
        path = string_argument(arguments, "path")
        size = await to_thread.run_sync(self.write, path, string_argument(arguments, "text"))
        return ToolResult(f"{path} was written.", receipts=(f"file written: {path}, {size:,} bytes",))

    def _preview(self, arguments: Mapping[str, object]) -> Preview:
        path, words = string_argument(arguments, "path"), string_argument(arguments, "text")
        try:
            with self._opened(path, os.O_RDONLY):
                action = "replace the file"
        except Gone:
            action = "write a new file"
        preview_rows = [("text", words[:MAX_SHOWN_CHARS])]
        if len(words) > MAX_SHOWN_CHARS:
            preview_rows.append(("cut; in all", f"{len(words):,} characters"))
        return Preview(f"{action} {path}", preview_rows)

    def read(self, path: str) -> str:
        """Return the text of a file.

        Raises:
            Gone, InvalidInput, TooLarge: it is not there, not a file of the workspace, or too long.
        """
        with self._opened(path, os.O_RDONLY) as file:
            if os.fstat(file).st_size > MAX_READ_BYTES:
                raise TooLarge(f"{path} has more than {MAX_READ_BYTES:,} bytes", hint="read it in parts with a command")
            with os.fdopen(os.dup(file), "rb") as opened:
                return opened.read(MAX_READ_BYTES).decode("utf-8", "replace")

    def write(self, path: str, words: str) -> int:
        """Write a file whole, making its folders; return its size in bytes.

        Raises:
            InvalidInput: it cannot be a file of the workspace.
        """
        content = words.encode("utf-8", "replace")
        with (
            self._opened(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as file,
            os.fdopen(os.dup(file), "wb") as opened,
        ):
            opened.write(content)
        return len(content)

    def listing(self, path: str) -> str:
        """Return names and sizes in a folder.

        Raises:
            Gone, InvalidInput: it is no folder of the workspace.
        """
        with self._opened(path, os.O_RDONLY | os.O_DIRECTORY) as folder, os.scandir(folder) as scanned:
            entries = sorted(scanned, key=lambda entry: entry.name)
            lines = [_listed(entry) for entry in entries[:MAX_LISTED]]
        if len(entries) > MAX_LISTED:
            lines.append(f"and {len(entries) - MAX_LISTED:,} more")
        return "\n".join(lines) or "The folder is empty."

    @contextmanager
    def _opened(self, path: str, flags: int) -> Iterator[int]:
        """Open step by step, each folder from the one before: a link or another process in between leads nowhere."""
        parts = PurePosixPath(path).parts
        if path.startswith("/") or ".." in parts or "\0" in path:
            raise InvalidInput(f"{path[:100]!r} is not a path in the workspace", hint="use a relative path without ..")
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for name in parts[:-1]:
                descriptor = _stepped(descriptor, name, os.O_RDONLY | os.O_DIRECTORY, make=bool(flags & os.O_CREAT))
            if parts:
                descriptor = _stepped(descriptor, parts[-1], flags, make=False)
            if not flags & os.O_DIRECTORY and not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise InvalidInput(f"{path[:100]!r} is not a file")
            yield descriptor
        finally:
            os.close(descriptor)


def _listed(entry: os.DirEntry[str]) -> str:
    if entry.is_dir(follow_symlinks=False):
        return f"{entry.name}/"
    return f"{entry.name}  {entry.stat(follow_symlinks=False).st_size:,}"


def _stepped(folder: int, name: str, flags: int, *, make: bool) -> int:
    """Open an entry of a folder, and close the folder; where that fails, the folder stays open."""
    try:
        if make:
            _make(folder, name)
        # Without O_NONBLOCK, opening a pipe that a command left there would wait for ever.
        opened = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600, dir_fd=folder)
    except FileNotFoundError as error:
        raise Gone(f"the workspace has no {name[:100]!r}", hint="use file_list to see its files") from error
    except OSError as error:
        raise InvalidInput(f"{name[:100]!r} cannot be opened: {reason_line(error)}") from error
    os.close(folder)
    return opened


def _make(folder: int, name: str) -> None:
    """Create a folder unless it exists."""
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=folder)
