"""Checks of `wellread doctor`, and the figures of `wellread cache`."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread import plugins
from wellread.apps import search_services
from wellread.apps.build import snapshots
from wellread.apps.extras import extras, missing
from wellread.apps.local_reading import ocr_options
from wellread.apps.shared_stores import open_index
from wellread.apps.system_clock import SystemClock
from wellread.browser.browser_executable import find_executable
from wellread.browser.launch import check_sandbox
from wellread.documents.ocr import hint_without_recognizer
from wellread.errors import PluginError, WellreadError, reason_line
from wellread.net.tls import trusted_certificates
from wellread.ports import Query, Visit
from wellread.text.counts import count_of
from wellread.worker.tesseract import find_tesseract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.config import Settings
    from wellread.ports import EmbeddingService, SearchProvider


class Finding(NamedTuple):
    """The result of one check."""

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
    yield from _plugins("extractor", lambda extractor: (True, ", ".join(extractor.media_types)))
    yield from _plugins("provider", partial(_provider, settings))
    yield from _plugins("embedder", partial(_embedder, settings))
    in_use = "replicas share it where shared.url or shared.snapshots names it"
    yield from _plugins("store", lambda _: (None, in_use), label="shared store")
    for kind in ("channel", "integration"):
        for name in plugins.names(f"{kind}s"):
            yield Finding(f"{kind} {name}", None, "run `wellread assistant doctor` to check it")
    yield _browser(settings)
    yield _text_recognition(settings)
    for extra in extras():
        lacks = missing(extra)
        if lacks:
            # A missing extra is no failure: it may not be needed.
            detail = f"pip install 'wellread[{extra}]' (lacks {', '.join(lacks)})"
            yield Finding(f"extra {extra}", ok=None, detail=detail)
        else:
            yield Finding(f"extra {extra}", ok=True, detail="installed")


def _browser(settings: Settings) -> Finding:
    """Return which browser would render pages; none is no failure, because reading works without."""
    browser_settings = settings.browser
    if browser_settings.connect is not None:
        return Finding(
            "browser", ok=True, detail="connected at browser.connect; its network does not use the guarded proxy"
        )
    try:
        path = find_executable(browser_settings.executable, headed=browser_settings.headed, own=None)
        check_sandbox(browser_settings)
    except WellreadError as error:
        is_configured = browser_settings.executable is not None
        return Finding("browser", ok=False if is_configured else None, detail=f"{error.message}; {error.hint}")
    if not settings.render.enabled:
        return Finding("browser", ok=True, detail=f"{path}, but render.enabled is false")
    return Finding("browser", ok=True, detail=str(path))


def _text_recognition(settings: Settings) -> Finding:
    """Return whether text in scans and pictures can be read; reading works without for everything else."""
    options = ocr_options(settings.extract)
    tesseract = find_tesseract(options)
    if tesseract is None:
        return Finding("text recognition", ok=None, detail=hint_without_recognizer(options))
    return Finding("text recognition", ok=True, detail=f"{tesseract.command}, {'+'.join(options.languages)}")


def _full_text_search() -> Finding:
    try:
        import tantivy  # noqa: F401 - whether its binary loads
    except ImportError as error:
        return Finding("full-text search", ok=False, detail=f"{error}; reinstall wellread")
    return Finding("full-text search", ok=True, detail=f"tantivy {version('tantivy')}, SQLite {sqlite3.sqlite_version}")


def _folder(settings: Settings) -> Finding:
    try:
        facts = cache_facts(settings)
        free = shutil.disk_usage(settings.cache.dir).free
    except (WellreadError, OSError) as error:
        return Finding(
            "store", ok=False, detail=f"{settings.cache.dir}: {reason_line(error)}; set cache.dir to a writable folder"
        )
    return Finding(
        "store", ok=True, detail=f"{facts['folder']}, {facts['snapshots']} snapshots, {free >> 20:,} MiB free"
    )


def _certificates(settings: Settings) -> Finding:
    count = trusted_certificates(settings.net)
    if not count:
        detail = f"{count} trusted authorities; install ca-certificates, or set net.ca_file"
        return Finding("certificates", ok=False, detail=detail)
    return Finding("certificates", ok=True, detail=count_of(count, "trusted authority"))


def _plugins(
    kind: str,
    describe: Callable[[Any], tuple[bool | None, str]],  # Any: see the port
    *,
    label: str | None = None,
) -> Iterator[Finding]:
    """Check that each plugin of a kind loads, and describe it; `label` is printed instead of `kind`."""
    for name in plugins.names(f"{kind}s"):
        try:
            ok, detail = describe(plugins.load(f"{kind}s", name)())
        except PluginError as error:
            ok, detail = False, f"{error.message}; {error.hint}"
        yield Finding(f"{label or kind} {name}", ok, detail)


def _provider(settings: Settings, provider: SearchProvider) -> tuple[bool | None, str]:
    """Return whether a search service can be asked; a missing key is a failure only for a service that is named."""
    is_named = provider.name in settings.search.providers
    try:
        request = provider.request(
            Query(text="wellread"), search_services.provider_access(settings.search, provider.name)
        )
    except WellreadError as error:
        return False if is_named else None, f"{error.message}; {error.hint}"
    if isinstance(request, Visit):
        return True if settings.render.enabled else None, "asked in a browser"
    configured = {*settings.search.keys, *settings.search.urls}
    if provider.name in configured:
        return True, "set"
    return True, "needs no key"


def _embedder(settings: Settings, service: EmbeddingService) -> tuple[bool | None, str]:
    is_chosen = settings.embed.service == service.name
    if is_chosen:
        return True, "ranks passages by meaning"
    return None, f"set embed.service={service.name} to use it"


def cache_facts(settings: Settings) -> dict[str, object]:
    """Return where the store is and how much it holds."""
    clock = SystemClock()
    store, index = snapshots(settings, clock, settings.cache.dir), open_index(settings, clock)
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
    store = snapshots(settings, SystemClock(), settings.cache.dir)
    try:
        return {"folder": str(settings.cache.dir), "cleared": store.clear()}
    finally:
        store.close()
