"""Jobs for the local index, one per page: from URLs, site maps, recordings, files and folders."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import anyio
from anyio import to_thread

from wellread.apps import local_inputs
from wellread.apps.network_parts import recording
from wellread.crawl.scope import origin_of, site_host
from wellread.crawl.site_files import MAX_MAPS, SitemapWalk
from wellread.errors import Gone, InvalidInput, Timeout, reason_line
from wellread.net import https_first, schemeless_urls, sitemaps
from wellread.reading.read_result import READING_VERSION
from wellread.text.counts import count_of
from wellread.types import Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from wellread.apps.build import Web
    from wellread.errors import WellreadError
    from wellread.types import Response


class IndexJob(NamedTuple):
    """One page to keep; `keep` returns False when the index has it already, unchanged."""

    url: str
    keep: Callable[[], Awaitable[bool]]


@dataclass(slots=True, kw_only=True)
class SourceSelection:
    """The choice of pages from sources, and notes on the pages that were skipped."""

    limit: int = 10_000
    """Pages taken from one source."""
    sitemap: bool = False
    """A URL stands for its site: the pages that its site maps name."""
    other_hosts: bool = False
    user_asked: bool = False
    url: str | None = None
    """What standard input is called."""
    notes: list[str] = field(default_factory=list)


async def jobs(web: Web, source: str, selection: SourceSelection) -> AsyncIterator[IndexJob]:
    """Yield the jobs of a source, at most `selection.limit`.

    Raises:
        WellreadError: the source itself cannot be read.
    """
    if not await to_thread.run_sync(_is_url, source):
        source_jobs = _at_hand(web, Path(source), selection)
    elif selection.sitemap or _is_map(source):
        source_jobs = _site(web, source, selection)
    else:
        source_jobs = _page(web, source, selection)
    count = 0
    async for job in source_jobs:
        if count >= selection.limit:
            selection.notes.append(
                f"{source}: the limit is {count_of(selection.limit, 'page')}; raise --limit for more"
            )
            return
        count += 1
        yield job


def _is_url(source: str) -> bool:
    """Return whether `source` is a URL rather than a local file, folder or standard input."""
    try:
        is_remote = source != local_inputs.STDIN and ("://" in source or not Path(source).exists())
    except OSError as error:
        raise InvalidInput(f"cannot read {source}: {reason_line(error)}") from error
    if is_remote and "://" not in source and not schemeless_urls.has_no_scheme(source):
        raise InvalidInput(
            f"{source} is not an existing file or folder, and not a full URL", hint="begin URLs with https://"
        )
    return is_remote


# ------------------------------------------------------------------------------------------- the network


async def _page(web: Web, url: str, selection: SourceSelection) -> AsyncIterator[IndexJob]:
    yield IndexJob(url, lambda: web.index(url, user_asked=selection.user_asked))


async def _site(web: Web, start: str, selection: SourceSelection) -> AsyncIterator[IndexJob]:
    """Follow site maps, from a map or from the robots.txt of a site; pages of other hosts are passed over."""
    start = await _full_url(web, start, selection)
    maps: tuple[str, ...] = (start,)
    if not _is_map(start):
        maps = await _maps_of(web, start, selection)
    host = site_host(start)
    walk = SitemapWalk(web.parts.fetcher, web.parts.clock, maps, user_asked=selection.user_asked)
    if not selection.other_hosts:
        walk.host = host
    pages_elsewhere = 0
    page_urls: set[str] = set()
    async for pages in walk.batches():
        for page in pages:
            if not selection.other_hosts and site_host(page.url) != host:
                pages_elsewhere += 1
            elif page.url not in page_urls:
                page_urls.add(page.url)
                async for job in _page(web, page.url, selection):
                    yield job
    _add_walk_notes(walk, selection)
    if pages_elsewhere:
        selection.notes.append(f"skipped {count_of(pages_elsewhere, 'page')} on other hosts; --other-hosts reads them")


def _add_walk_notes(walk: SitemapWalk, selection: SourceSelection) -> None:
    """Note the site maps that could not be read, or not wholly.

    Raises:
        WellreadError: the only one could not be read.
    """
    for map_url, error in walk.failures:
        if walk.maps == (map_url,):
            raise error
        selection.notes.append(f"{error.code}: {error.message}")
    if walk.unread:
        selection.notes.append(f"did not read {count_of(walk.unread, 'site map')} beyond the first {MAX_MAPS}")
    if walk.left_out:
        selection.notes.append(f"left out {count_of(walk.left_out, 'page')} of site maps that are too long")


async def _full_url(web: Web, start: str, selection: SourceSelection) -> str:
    """Return `start`, with the scheme that its host answers by where it was left out."""
    if not schemeless_urls.has_no_scheme(start):
        return start
    for attempt in https_first.attempts(start):
        with attempt:
            await web.parts.fetcher.fetch(Request(url=attempt.url, user_asked=selection.user_asked))
            return attempt.url
    raise AssertionError("the last attempt returns or raises")


async def _maps_of(web: Web, start: str, selection: SourceSelection) -> tuple[str, ...]:
    """Return the site maps that robots.txt names, or else the customary one."""
    origin = origin_of(start)
    maps: tuple[str, ...] = ()
    try:
        response = await web.parts.fetcher.fetch(Request(url=f"{origin}/robots.txt", user_asked=selection.user_asked))
        if response.status == 200:
            maps = sitemaps.sitemaps_in_robots(response.body, response.url)
    except Gone:
        pass
    return maps or (f"{origin}/sitemap.xml",)


def _is_map(url: str) -> bool:
    path = unquote(url.partition("?")[0]).lower()
    return path.rpartition("/")[2].startswith("sitemap") and path.endswith((".xml", ".xml.gz", ".txt", ".gz"))


# ------------------------------------------------------------------------------------------ what is at hand


async def _at_hand(web: Web, path: Path, selection: SourceSelection) -> AsyncIterator[IndexJob]:
    """Yield the pages of a file, a recording, standard input, or of all readable files below a folder."""
    kind = await to_thread.run_sync(local_inputs.kind, path)
    if kind == "recording":
        async for job in _recorded(web, path):
            yield job
    elif kind != "folder":
        name = selection.url if kind == "stdin" and selection.url else local_inputs.file_url(path)
        yield _file(web, path, name)
    else:
        for entry in await to_thread.run_sync(_listed, path, selection):
            if isinstance(entry, Path):
                async for job in _at_hand(web, entry, selection):
                    yield job
            else:
                yield IndexJob(local_inputs.file_url(Path(entry[0])), partial(_fail, entry[1]))


async def _fail(error: WellreadError) -> bool:
    raise error


async def _recorded(web: Web, path: Path) -> AsyncIterator[IndexJob]:
    """Yield the last page of each URL in a recording; nothing is requested from the network."""
    client, recorded = await to_thread.run_sync(recording, web.parts.settings, path)

    def job(url: str) -> IndexJob:
        return IndexJob(url, lambda: _keep(web, url, lambda: client.fetch(Request(url=url, user_asked=True))))

    for url in recorded.pages():
        yield job(url)
    if recorded.damage is not None:
        yield IndexJob(local_inputs.file_url(path), partial(_fail, recorded.damage))


def _file(web: Web, path: Path, name: str) -> IndexJob:
    limit = web.parts.settings.fetch.max_bytes
    return IndexJob(name, lambda: _keep(web, name, lambda: to_thread.run_sync(_named, path, name, limit)))


def _named(path: Path, name: str, limit: int) -> Response:
    return replace(local_inputs.read(path, limit), url=name)


def _listed(folder: Path, selection: SourceSelection) -> list[Path | tuple[str, InvalidInput]]:
    """Return the readable files of a folder; count the others in the notes."""
    files: list[Path | tuple[str, InvalidInput]] = []
    skipped_count = 0
    for entry in local_inputs.walk(folder):
        if isinstance(entry, Path) and not local_inputs.is_readable(entry):
            skipped_count += 1
        else:
            files.append(entry)
        if len(files) > selection.limit:
            break
    if skipped_count:
        selection.notes.append(f"skipped {count_of(skipped_count, 'file')} of other kinds in {folder}")
    return files


async def _keep(web: Web, url: str, load: Callable[[], Awaitable[Response]]) -> bool:
    """Read local content into the index, unless the index has it from the same bytes."""
    parts = web.parts
    response = await load()

    def keep() -> bool:
        mark = f"{READING_VERSION}:{hashlib.sha256(response.body).hexdigest()}"
        if parts.index.holds(url, mark):
            return False
        result = parts.sandbox.read_blocking(response, url=url)
        return parts.index.add(result.snapshot, result.canonical_text, mark=mark)

    limit_s = parts.settings.fetch.timeout_s
    try:
        with anyio.fail_after(limit_s):
            return await to_thread.run_sync(keep, abandon_on_cancel=True)
    except TimeoutError as error:
        raise Timeout(f"{url} was not read within {limit_s:g} s", url=url) from error
