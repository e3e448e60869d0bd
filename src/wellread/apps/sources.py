"""What can be put into the local index: pages, site maps, recordings, files and folders, each as jobs, one per page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import anyio
from ada_url import URL
from anyio import to_thread

from wellread.apps import inputs
from wellread.apps.build import recording
from wellread.errors import Gone, InvalidInput, Timeout, WellreadError
from wellread.net import https_first, sitemaps
from wellread.types import Request
from wellread.web import reading
from wellread.web.shelter import Asked

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from wellread.apps.build import Web
    from wellread.types import Response

MAX_MAPS = 500
"""Site maps read for one site."""


class Job(NamedTuple):
    """One page to keep; `keep` says False when it is there already, unchanged."""

    url: str
    keep: Callable[[], Awaitable[bool]]


@dataclass(slots=True, kw_only=True)
class Selection:
    """What is wanted of sources, and what was passed over in them."""

    limit: int = 10_000
    """Pages taken from one source."""
    sitemap: bool = False
    """A URL stands for its site: the pages that its site maps name."""
    other_hosts: bool = False
    user_asked: bool = False
    url: str | None = None
    """What standard input is called."""
    notes: list[str] = field(default_factory=list)


async def jobs(web: Web, source: str, selection: Selection) -> AsyncIterator[Job]:
    """Yield the jobs that a source makes, at most `selection.limit`.

    Raises:
        WellreadError: the source itself cannot be read.
    """
    if not await to_thread.run_sync(_is_url, source):
        each = _at_hand(web, Path(source), selection)
    elif selection.sitemap or _is_map(source):
        each = _site(web, source, selection)
    else:
        each = _page(web, source, selection)
    count = 0
    async for job in each:
        if count >= selection.limit:
            selection.notes.append(f"{source}: only the first {selection.limit:,} pages were taken (--limit)")
            return
        count += 1
        yield job


def _is_url(source: str) -> bool:
    """Tell a URL from what is at hand; what is neither says as a URL what is wrong with it."""
    try:
        away = source != inputs.STDIN and ("://" in source or not Path(source).exists())
    except OSError as error:
        raise InvalidInput(f"cannot read {source}: {error.strerror or error}") from error
    if away and "://" not in source and not https_first.has_no_scheme(source):
        raise InvalidInput(f"{source} is no file or folder here, and no full URL", hint="addresses begin with https://")
    return away


# ------------------------------------------------------------------------------------------- the network


async def _page(web: Web, url: str, selection: Selection) -> AsyncIterator[Job]:
    yield Job(url, lambda: web.index(url, user_asked=selection.user_asked))


async def _site(web: Web, start: str, selection: Selection) -> AsyncIterator[Job]:
    """Follow site maps, from a map or from the robots.txt of a site; pages of other hosts are passed over."""
    start = await _full_url(web, start, selection)
    waiting = [start] if _is_map(start) else await _maps_of(web, start, selection)
    host, seen, elsewhere = _host(start), set(waiting), 0
    pages: set[str] = set()
    for read in range(MAX_MAPS):
        if not waiting:
            break
        url = waiting.pop(0)
        try:
            found = await _map(web, url, selection)
        except WellreadError as error:
            if read == 0 and not waiting:
                raise
            selection.notes.append(f"{error.code}: {error.message}")
            continue
        inside = [each for each in found.maps if selection.other_hosts or _host(each) == host]
        waiting += [each for each in inside if each not in seen]
        seen.update(inside)
        for page in found.pages:
            if not selection.other_hosts and _host(page) != host:
                elsewhere += 1
            elif page not in pages:
                pages.add(page)
                async for job in _page(web, page, selection):
                    yield job
    if elsewhere:
        selection.notes.append(f"{elsewhere:,} pages on other hosts were passed over (--other-hosts takes them)")


async def _full_url(web: Web, start: str, selection: Selection) -> str:
    """Return `start` with the scheme by which its host answers, where that was left out."""

    async def attempt(url: str, _: float | None) -> str:
        await web.parts.fetcher.fetch(Request(url=url, user_asked=selection.user_asked))
        return url

    return await https_first.answered(start, attempt) if https_first.has_no_scheme(start) else start


async def _maps_of(web: Web, start: str, selection: Selection) -> list[str]:
    """Return the site maps that a site's robots.txt names, else the customary one."""
    root = URL(start) if URL.can_parse(start) else None
    origin = root.origin if root is not None else start
    try:
        answer = await web.parts.fetcher.fetch(Request(url=f"{origin}/robots.txt", user_asked=selection.user_asked))
        found = sitemaps.named(answer.body, answer.url) if answer.status == 200 else ()
    except Gone:
        found = ()
    return list(found) or [f"{origin}/sitemap.xml"]


async def _map(web: Web, url: str, selection: Selection) -> sitemaps.SiteMap:
    answer = await web.parts.fetcher.fetch(Request(url=url, user_asked=selection.user_asked))
    reading.refuse_failures(answer, now=web.parts.clock.now())
    return await to_thread.run_sync(sitemaps.parse, answer.body, answer.url)


def _is_map(url: str) -> bool:
    path = unquote(url.partition("?")[0]).lower()
    return path.rpartition("/")[2].startswith("sitemap") and path.endswith((".xml", ".xml.gz", ".txt", ".gz"))


def _host(url: str) -> str:
    return URL(url).hostname.removeprefix("www.") if URL.can_parse(url) else ""


# ------------------------------------------------------------------------------------------ what is at hand


async def _at_hand(web: Web, path: Path, selection: Selection) -> AsyncIterator[Job]:
    """Yield what a file, a recording or standard input holds, or everything below a folder that can be read."""
    found = await to_thread.run_sync(inputs.kind, path)
    if found == "recording":
        async for job in _recorded(web, path):
            yield job
    elif found != "folder":
        name = selection.url if found == "stdin" and selection.url else inputs.name_of(path)
        yield _file(web, path, name)
    else:
        for each in await to_thread.run_sync(_listed, path, selection):
            if isinstance(each, Path):
                async for job in _at_hand(web, each, selection):
                    yield job
            else:
                yield Job(inputs.name_of(Path(each[0])), partial(_fail, each[1]))


async def _fail(error: WellreadError) -> bool:
    raise error


async def _recorded(web: Web, path: Path) -> AsyncIterator[Job]:
    """Every answer of a recording that was a page, the last of each URL; nothing is asked of the network."""
    client, recorded = await to_thread.run_sync(recording, web.parts.settings, path)

    def job(url: str) -> Job:
        return Job(url, lambda: _keep(web, url, lambda: client.fetch(Request(url=url, user_asked=True))))

    for url in recorded.pages():
        yield job(url)
    if recorded.damage is not None:
        yield Job(inputs.name_of(path), partial(_fail, recorded.damage))


def _file(web: Web, path: Path, name: str) -> Job:
    limit = web.parts.settings.fetch.max_bytes
    return Job(name, lambda: _keep(web, name, lambda: to_thread.run_sync(_named, path, name, limit)))


def _named(path: Path, name: str, limit: int) -> Response:
    return replace(inputs.read(path, limit), url=name)


def _listed(folder: Path, selection: Selection) -> list[Path | tuple[str, InvalidInput]]:
    """Return the readable files of a folder; others are counted."""
    files: list[Path | tuple[str, InvalidInput]] = []
    others = 0
    for each in inputs.below(folder):
        if isinstance(each, Path) and not inputs.is_readable(each):
            others += 1
        else:
            files.append(each)
        if len(files) > selection.limit:
            break
    if others:
        selection.notes.append(f"{others:,} files of other kinds in {folder} were passed over")
    return files


async def _keep(web: Web, url: str, load: Callable[[], Awaitable[Response]]) -> bool:
    """Read what is at hand into the index, unless it is there from these very bytes."""
    parts = web.parts
    answer = await load()

    def keep() -> bool:
        mark = f"{reading.VERSION}:{hashlib.sha256(answer.body).hexdigest()}"
        if parts.index.holds(url, mark):
            return False
        snapshot = parts.reader.snapshot(answer, Asked(url=url))
        return parts.index.add(snapshot, reading.canonical_text(snapshot), mark=mark)

    limit_s = parts.settings.fetch.timeout_s
    try:
        with anyio.fail_after(limit_s):
            return await to_thread.run_sync(keep, abandon_on_cancel=True)
    except TimeoutError as error:
        raise Timeout(f"{url} was not read within {limit_s:g} s", url=url) from error
