"""Opens the assistant's memory and knowledge base for commands: settings in, parts joined."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from wellread.apps.build import SystemClock, page, shelter
from wellread.apps.sources import name_of, read_file
from wellread.assistant.database import Database
from wellread.assistant.knowledge.knowledge import Knowledge, Meaning
from wellread.assistant.memory.memory import Memory
from wellread.errors import ConfigError, InvalidInput
from wellread.types import Response

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from wellread.apps.build import Web
    from wellread.assistant.knowledge.knowledge import Ingested
    from wellread.config import Settings
    from wellread.types import Page

FILE_NAME = "assistant.db"


class Now:
    """The assistant's clock, over the machine's."""

    def now_ms(self) -> int:
        """Milliseconds since 1970-01-01 UTC."""
        return int(SystemClock().now().timestamp() * 1000)


def database(settings: Settings) -> Database:
    """Open the assistant's database beside the snapshots.

    Raises:
        ConfigError: the folder cannot be written.
    """
    folder = settings.cache.dir
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / FILE_NAME).touch(mode=0o600)
    except OSError as error:
        raise ConfigError(
            f"cannot open the assistant's database in {folder}: {error}",
            hint="cache.dir must be a folder you can write",
        ) from error
    return Database.open(f"sqlite:///{folder / FILE_NAME}")


@contextmanager
def memory(settings: Settings) -> Generator[Memory]:
    """Open the memory, and close its database afterwards."""
    opened = database(settings)
    try:
        yield Memory(opened, Now())
    finally:
        opened.close()


@asynccontextmanager
async def knowledge(web: Web) -> AsyncGenerator[Knowledge]:
    """Open the knowledge base, which reads through `web`, and close its database afterwards."""
    settings = web.parts.settings
    opened = await to_thread.run_sync(database, settings)
    embedder = web.parts.embedder
    meaning = Meaning(embedder, f"{settings.embed.service}/{settings.embed.model or ''}") if embedder else None
    try:
        yield Knowledge(opened, Now(), read=web.read, extract=_extract, meaning=meaning)
    finally:
        opened.close()


async def take_in(web: Web, base: Knowledge, source: str) -> Ingested:
    """Take in what a source names: a URL, or a file.

    Raises:
        InvalidInput: a folder, or no such file.
        WellreadError: it cannot be read.
    """
    if "://" in source:
        return await base.add_url(source)
    path = Path(source)
    if await to_thread.run_sync(path.is_dir):
        raise InvalidInput(f"{source} is a folder", hint="name its files: `wellread knowledge add FOLDER/*`")
    answer = await to_thread.run_sync(read_file, path, web.parts.settings.fetch.max_bytes)
    return await base.add_bytes(answer.body, name_of(path))


def _extract(body: bytes, name: str) -> Page:
    text = name.lower().endswith((".txt", ".text", ".rst"))
    headers = (("content-type", "text/plain"),) if text else ()
    return page(
        Response(url=name, status=200, headers=headers, body=body), shelter(), format="markdown", mode="balanced"
    )
