"""Open the owner's memory, conversations and knowledge base for commands."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from wellread.apps import local_inputs
from wellread.apps.assistant_database import owner_store
from wellread.apps.fact_erasure import erase_traces
from wellread.apps.system_clock import SystemClock
from wellread.assistant.conversation_list import list_conversations
from wellread.assistant.memory.user_memory import UserMemory
from wellread.errors import WellreadError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Iterable

    from wellread.apps.build import Web
    from wellread.assistant.conversation_list import ConversationSummary
    from wellread.assistant.knowledge.knowledge_base import IngestedDocument, KnowledgeBase
    from wellread.config import Settings


@contextmanager
def memory(settings: Settings) -> Generator[UserMemory]:
    """Open the owner's memory, and close its database afterwards."""
    with owner_store(settings) as store:
        yield UserMemory(store, SystemClock(), erase=erase_traces)


async def conversations(settings: Settings) -> list[ConversationSummary]:
    """Return the owner's conversations on all channels, the last first."""
    with owner_store(settings) as store:
        return await store.run(list_conversations)


@asynccontextmanager
async def knowledge(web: Web) -> AsyncGenerator[KnowledgeBase]:
    """Open the owner's knowledge base, which reads through `web`, and close its database afterwards."""
    from wellread.apps.build import knowledge_base  # the lists of memory and conversations do not wait for it

    with owner_store(web.parts.settings) as store:
        yield knowledge_base(store, web)


@dataclass(frozen=True, slots=True)
class IngestResult:
    """The outcome of adding sources to the knowledge base."""

    documents: list[IngestedDocument] = field(default_factory=list)
    failed: list[WellreadError] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    """Files of folders whose names are those of no kind that can be read."""


async def add_sources(web: Web, base: KnowledgeBase, sources: Iterable[str]) -> IngestResult:
    """Add sources (URLs, files, readable files below folders) to the knowledge base; a failure costs only itself."""
    taken = IngestResult()
    for source in sources:
        entries: Iterable[str | Path | WellreadError] = [source]
        if "://" not in source:
            entries = await to_thread.run_sync(_files, Path(source), taken.passed_over)
        for entry in entries:
            try:
                taken.documents.append(await _taken_in(web, base, entry))
            except WellreadError as error:
                taken.failed.append(error)
    return taken


def _files(path: Path, passed_over: list[str]) -> list[Path | WellreadError]:
    """Return a file, or the readable files below a folder, without hidden files and links."""
    if local_inputs.kind(path) != "folder":
        return [path]
    files: list[Path | WellreadError] = []
    for entry in local_inputs.walk(path):
        if not isinstance(entry, Path):
            files.append(entry[1])
        elif local_inputs.is_readable(entry) and local_inputs.kind(entry) == "file":
            files.append(entry)
        else:
            passed_over.append(str(entry))
    return files


async def _taken_in(web: Web, base: KnowledgeBase, source: str | Path | WellreadError) -> IngestedDocument:
    if isinstance(source, WellreadError):
        raise source
    if isinstance(source, str):
        return await base.add_url(source)
    response = await to_thread.run_sync(local_inputs.read, source, web.parts.settings.fetch.max_bytes)
    return await base.add_bytes(response.body, local_inputs.file_url(source))
