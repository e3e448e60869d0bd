"""Opens the assistant's memory and knowledge base for commands: settings in, parts joined."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from wellread.apps import inputs
from wellread.apps.build import SystemClock, assistant_store, knowledge_in
from wellread.apps.household import erase_traces
from wellread.assistant.memory.memory import Memory
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from wellread.apps.build import Web
    from wellread.assistant.knowledge.knowledge import Ingested, Knowledge
    from wellread.config import Settings


@contextmanager
def memory(settings: Settings) -> Generator[Memory]:
    """Open the memory, and close its database afterwards."""
    opened = assistant_store(settings)
    try:
        yield Memory(opened, SystemClock(), erase=erase_traces)
    finally:
        opened.close()


@asynccontextmanager
async def knowledge(web: Web) -> AsyncGenerator[Knowledge]:
    """Open the knowledge base, which reads through `web`, and close its database afterwards."""
    opened = await to_thread.run_sync(assistant_store, web.parts.settings)
    try:
        yield knowledge_in(opened, web)
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
    answer = await to_thread.run_sync(inputs.read, path, web.parts.settings.fetch.max_bytes)
    return await base.add_bytes(answer.body, inputs.name_of(path))
