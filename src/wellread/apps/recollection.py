"""Opens the assistant's memory and knowledge base for commands: settings in, parts joined."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from wellread.apps.build import SystemClock, assistant_store, page, shelter
from wellread.apps.sources import name_of, read_file
from wellread.assistant.knowledge.knowledge import Knowledge, Meaning
from wellread.assistant.memory.memory import Memory
from wellread.errors import InvalidInput
from wellread.types import Response

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from wellread.apps.build import Web
    from wellread.assistant.knowledge.knowledge import Ingested
    from wellread.config import Settings
    from wellread.types import Page


@contextmanager
def memory(settings: Settings) -> Generator[Memory]:
    """Open the memory, and close its database afterwards."""
    opened = assistant_store(settings)
    try:
        yield Memory(opened, SystemClock())
    finally:
        opened.close()


@asynccontextmanager
async def knowledge(web: Web) -> AsyncGenerator[Knowledge]:
    """Open the knowledge base, which reads through `web`, and close its database afterwards."""
    settings = web.parts.settings
    opened = await to_thread.run_sync(assistant_store, settings)
    embedder = web.parts.embedder
    meaning = Meaning(embedder, f"{settings.embed.service}/{settings.embed.model or ''}") if embedder else None
    try:
        yield Knowledge(opened, SystemClock(), read=web.read, extract=_extract, meaning=meaning)
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
