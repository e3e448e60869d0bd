"""The one folder for a remote caller's downloads: bounded, flat, with file names that hold no path."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import anyio
from anyio import to_thread

from wellread.apps.operations.results import Saved
from wellread.errors import Budget, Gone, InvalidInput, TooLarge, reason_line

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.config import Settings
    from wellread.reading.pipeline import Pipeline

URI = "wellread://downloads/"
TIMEOUT_S = 300.0


class DownloadWorkspace:
    """Downloaded files by name; `max_bytes` bounds all of them together."""

    def __init__(self, folder: Path, *, max_bytes: int, file_bytes: int) -> None:
        """Take the folder, which is created with the first file."""
        self.folder = folder
        self._max_bytes = max_bytes
        self._file_bytes = file_bytes
        self._turn = anyio.Lock()

    async def save(self, web: Pipeline, url: str, *, sha256: str | None, profile: str | None = None) -> Saved:
        """Download `url` into the folder, signed in with `profile`.

        Raises:
            Budget: the folder is full.
            InvalidInput: it cannot be written.
            WellreadError: as `Web.download`.
        """
        # One at a time: two downloads would both use the same remaining bytes.
        async with self._turn:
            remaining_bytes = self._max_bytes - await to_thread.run_sync(self._used)
            if remaining_bytes <= 0:
                raise Budget(
                    f"the workspace is full: {self._max_bytes:,} bytes already",
                    hint="remove files, or raise server.workspace_max_bytes",
                )
            limit_setting = "server.download_max_bytes"
            if remaining_bytes < self._file_bytes:
                limit_setting = "server.workspace_max_bytes"
            # Loaded here so that the list of tools does not wait for it.
            from wellread.net.downloads import DownloadRequest

            order = DownloadRequest(
                url=url,
                to=self.folder,
                sha256=sha256,
                max_bytes=min(remaining_bytes, self._file_bytes),
                timeout_s=TIMEOUT_S,
                limit_setting=limit_setting,
            )
            download = await web.save(order, profile=profile)
        return Saved(
            name=download.path.name,
            uri=URI + quote(download.path.name),
            url=download.url,
            bytes=download.bytes,
            sha256=download.sha256,
            content_type=download.content_type,
            resumed=download.resumed,
            notices=download.notices,
        )

    def files(self) -> list[tuple[str, int]]:
        """Return name and size of each file, by name."""
        if not self.folder.is_dir():
            return []
        return sorted(
            (path.name, path.stat().st_size)
            for path in self.folder.iterdir()
            if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
        )

    def content(self, name: str, *, max_bytes: int) -> bytes:
        """Return the file of that name.

        Raises:
            Gone: the file does not exist; a name with a path in it never does.
            TooLarge: more than `max_bytes`.
        """
        size = dict(self.files()).get(name)
        if size is None:
            raise Gone(f"the workspace has no file {name[:200]!r}")
        if size > max_bytes:
            raise TooLarge(
                f"{name} has {size:,} bytes, more than the {max_bytes:,} that one request can return", hint=""
            )
        return (self.folder / name).read_bytes()

    def _used(self) -> int:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            return sum(path.lstat().st_size for path in self.folder.iterdir())
        except OSError as error:
            raise InvalidInput(f"the workspace {self.folder} cannot be used: {reason_line(error)}") from error


def workspace(settings: Settings) -> DownloadWorkspace:
    """Return the workspace that the settings name."""
    server = settings.server
    return DownloadWorkspace(
        server.workspace or settings.cache.dir / "downloads",
        max_bytes=server.workspace_max_bytes,
        file_bytes=server.download_max_bytes,
    )
