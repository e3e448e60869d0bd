"""What `wellread doctor` and `wellread cache` look at."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread import plugins
from wellread.apps import services
from wellread.apps.build import SystemClock, ocr_options, snapshots
from wellread.apps.extras import extras, missing
from wellread.browser.launch import check_sandbox
from wellread.browser.locate import executable
from wellread.errors import PluginError, WellreadError
from wellread.net.dial import trusted_certificates
from wellread.ports import Query, Visit
from wellread.store.index import LocalIndex
from wellread.web.ocr import hint_without_recognizer
from wellread.worker.tesseract import find_tesseract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.config import Settings
    from wellread.ports import EmbeddingService, SearchProvider
    from wellread.store.cache import SnapshotCache


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
    yield from _plugins("extractor", lambda each: (True, ", ".join(each.media_types)))
    yield from _plugins("provider", partial(_provider, settings))
    yield from _plugins("embedder", partial(_embedder, settings))
    for kind in ("channel", "integration"):
        for name in plugins.names(f"{kind}s"):
            yield Finding(f"{kind} {name}", None, "wellread assistant doctor says more")
    yield _browser(settings)
    yield _text_recognition(settings)
    for extra in extras():
        lacks = missing(extra)
        # An extra that was not asked for is no failure.
        detail = f"pip install 'wellread[{extra}]' (lacks {', '.join(lacks)})" if lacks else "installed"
        yield Finding(f"extra {extra}", ok=None if lacks else True, detail=detail)


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


def _text_recognition(settings: Settings) -> Finding:
    """Tell whether scans and pictures are read; without it, reading goes on for everything else."""
    options = ocr_options(settings.extract)
    tesseract = find_tesseract(options)
    if tesseract is None:
        return Finding("text recognition", ok=None, detail=hint_without_recognizer(options))
    return Finding("text recognition", ok=True, detail=f"{tesseract.command}, {'+'.join(options.languages)}")


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


def _plugins(kind: str, tell: Callable[[Any], tuple[bool | None, str]]) -> Iterator[Finding]:  # Any: see the port
    """Say of each plugin of a kind whether it loads, and what is to be known of it."""
    for name in plugins.names(f"{kind}s"):
        try:
            ok, detail = tell(plugins.load(f"{kind}s", name)())
        except PluginError as error:
            ok, detail = False, f"{error.message}; {error.hint}"
        yield Finding(f"{kind} {name}", ok, detail)


def _provider(settings: Settings, provider: SearchProvider) -> tuple[bool | None, str]:
    """Say whether a search service could be asked; one that nobody gave a key to is no failure, unless it is named."""
    named = provider.name in settings.search.providers
    try:
        asked = provider.request(Query(text="wellread"), services.access(settings.search, provider.name))
    except WellreadError as error:
        return False if named else None, f"{error.message}; {error.hint}"
    if isinstance(asked, Visit):
        return True if settings.render.enabled else None, "asked in a browser"
    given = {*settings.search.keys, *settings.search.urls}
    return True, "set" if provider.name in given else "needs no key"


def _embedder(settings: Settings, service: EmbeddingService) -> tuple[bool | None, str]:
    chosen = settings.embed.service == service.name
    return (True, "ranks passages by meaning") if chosen else (None, f"set embed.service={service.name} to use it")


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
    """Clear all snapshots; the local index stays."""
    store, index = _open(settings)
    index.close()
    try:
        return {"folder": str(settings.cache.dir), "cleared": store.clear()}
    finally:
        store.close()


def _open(settings: Settings) -> tuple[SnapshotCache, LocalIndex]:
    return snapshots(settings, SystemClock(), settings.cache.dir), LocalIndex(settings.cache.dir)
