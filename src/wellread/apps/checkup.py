"""What `wellread doctor` and `wellread cache` look at."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from wellread import plugins
from wellread.apps.build import SystemClock, snapshots
from wellread.browser.launch import check_sandbox
from wellread.browser.locate import executable
from wellread.errors import WellreadError
from wellread.net.dial import trusted_certificates
from wellread.store.index import LocalIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.config import Settings
    from wellread.store.cache import SnapshotCache

EXTRAS = {
    "agents": ("langchain_core", "pydantic_ai"),
    "assistant": ("alembic", "cronsim", "jsonschema", "mcp", "pydantic_ai", "semantic_text_splitter", "sqlalchemy"),
    "browser": ("playwright",),
    "documents": ("mammoth", "openpyxl", "pypdfium2"),
    "integrations": ("authlib", "cryptography", "gql", "keyring"),
    "parquet": ("pyarrow",),
    "server": ("fastapi", "mcp"),
}
"""Optional extras, each with the modules that it brings."""


class Finding(NamedTuple):
    """One thing that was checked."""

    name: str
    ok: bool | None
    """None: not here, and not needed by what is here."""
    detail: str


def checkup(settings: Settings) -> list[Finding]:
    """Check this installation; nothing is sent anywhere."""
    return list(_findings(settings))


def _findings(settings: Settings) -> Iterator[Finding]:
    yield Finding("python", sys.version_info >= (3, 11), sys.version.split()[0])
    yield _full_text_search()
    yield _folder(settings)
    yield _certificates(settings)
    for name in plugins.names("extractors"):
        yield _plugin(name)
    yield _browser(settings)
    for extra, names in EXTRAS.items():
        here = all(find_spec(name) for name in names)
        # An extra that was not asked for is no failure.
        detail = "installed" if here else f"pip install 'wellread[{extra}]'"
        yield Finding(f"extra {extra}", ok=True if here else None, detail=detail)


def _browser(settings: Settings) -> Finding:
    """Say which browser would render pages; to have none is no failure, for reading goes on without."""
    chosen = settings.browser
    if chosen.connect is not None:
        return Finding("browser", ok=True, detail="joined at browser.connect; no proxy guards its network")
    try:
        path = executable(chosen.executable, headed=chosen.headed, own=None)
        check_sandbox(chosen)
    except WellreadError as error:
        asked_for = chosen.executable is not None
        return Finding("browser", ok=False if asked_for else None, detail=f"{error.message}; {error.hint}")
    return Finding(
        "browser", ok=True, detail=str(path) if settings.render.enabled else f"{path}, render.enabled is off"
    )


def _full_text_search() -> Finding:
    with sqlite3.connect(":memory:") as memory:
        names = {row[0] for row in memory.execute("pragma compile_options")}
    memory.close()
    ok = "ENABLE_FTS5" in names
    mend = "" if ok else "; use a Python whose sqlite3 has FTS5"
    return Finding("sqlite", ok, f"{sqlite3.sqlite_version}, FTS5 {'present' if ok else 'missing'}{mend}")


def _folder(settings: Settings) -> Finding:
    try:
        facts = cache_facts(settings)
        free = shutil.disk_usage(settings.cache.dir).free
    except (WellreadError, OSError) as error:
        return Finding("store", ok=False, detail=f"{settings.cache.dir}: {error}; set cache.dir to a writable folder")
    return Finding(
        "store", ok=True, detail=f"{facts['folder']}, {facts['snapshots']} snapshots, {free >> 20:,} MiB free"
    )


def _certificates(settings: Settings) -> Finding:
    count = trusted_certificates(settings.net)
    mend = "" if count else "; install ca-certificates, or set net.ca_file"
    return Finding("certificates", count > 0, f"{count} trusted authorities{mend}")


def _plugin(name: str) -> Finding:
    try:
        kind = plugins.load("extractors", name)()
    except WellreadError as error:
        return Finding(f"extractor {name}", ok=False, detail=error.message)
    return Finding(f"extractor {name}", ok=True, detail=", ".join(kind.media_types))


def cache_facts(settings: Settings) -> dict[str, object]:
    """Return where the store is and how much it holds."""
    store, index = _open(settings)
    try:
        stats = store.stats()
        return {
            "folder": str(settings.cache.dir),
            "snapshots": stats.snapshots,
            "bytes": stats.bytes,
            "max_bytes": stats.max_bytes,
            "indexed": index.count(),
        }
    finally:
        store.close()
        index.close()


def clear_cache(settings: Settings) -> dict[str, object]:
    """Forget all snapshots; the local index stays."""
    store, index = _open(settings)
    index.close()
    try:
        return {"folder": str(settings.cache.dir), "cleared": store.clear()}
    finally:
        store.close()


def _open(settings: Settings) -> tuple[SnapshotCache, LocalIndex]:
    return snapshots(settings, SystemClock(), settings.cache.dir), LocalIndex(settings.cache.dir)
