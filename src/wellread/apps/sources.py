"""What can be put into the local index: pages, site maps, recordings, files and folders, each as jobs, one per page."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import anyio
from ada_url import URL
from anyio import to_thread

from wellread.apps.build import recording
from wellread.errors import Gone, InvalidInput, Timeout, TooLarge, WellreadError
from wellread.net import sitemaps
from wellread.types import Request, Response
from wellread.web import reading
from wellread.web.shelter import Asked

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from wellread.apps.build import Web

MAX_MAPS = 500
"""Site maps read for one site."""
READABLE = frozenset(
    {
        *(".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text", ".rst", ".pdf", ".docx", ".xlsx"),
        *(".csv", ".tsv", ".json", ".xml", ".rss", ".atom"),
    }
)
"""What a folder is searched for; a file that is named itself is always tried."""
_TEXT = frozenset({".txt", ".text", ".rst"})
_RECORDINGS = (".warc", ".warc.gz")


class Job(NamedTuple):
    """One page to keep; `keep` says False when it is there already, unchanged."""

    url: str
    keep: Callable[[], Awaitable[bool]]


@dataclass(slots=True, kw_only=True)
class Order:
    """What is wanted of sources, and what was passed over in them."""

    limit: int = 10_000
    """Pages taken from one source."""
    sitemap: bool = False
    """A URL stands for its site: the pages that its site maps name."""
    other_hosts: bool = False
    user_asked: bool = False
    notes: list[str] = field(default_factory=list)


async def jobs(web: Web, source: str, order: Order) -> AsyncIterator[Job]:
    """Yield the jobs that a source makes, at most `order.limit`.

    Raises:
        WellreadError: the source itself cannot be read.
    """
    found = await to_thread.run_sync(_kind, source)
    if found == "url" and (order.sitemap or _is_map(source)):
        each = _site(web, source, order)
    elif found == "url":
        each = _page(web, source, order)
    elif found == "recording":
        each = _recorded(web, Path(source))
    else:
        path = Path(source)
        each = _files(web, await to_thread.run_sync(_listed, path, order) if found == "folder" else [path])
    count = 0
    async for job in each:
        if count >= order.limit:
            order.notes.append(f"{source}: only the first {order.limit:,} pages were taken (--limit)")
            return
        count += 1
        yield job


def _kind(source: str) -> str:
    path = Path(source)
    try:
        if "://" in source or not path.exists():
            return "url"  # which says what is wrong with it, should it be none
        if path.is_dir():
            return "folder"
        with path.open("rb") as file:
            begins = file.read(5)
    except OSError as error:
        raise InvalidInput(f"cannot read {source}: {error.strerror or error}") from error
    return "recording" if begins == b"WARC/" or source.lower().endswith(_RECORDINGS) else "file"


# ------------------------------------------------------------------------------------------- the network


async def _page(web: Web, url: str, order: Order) -> AsyncIterator[Job]:
    yield Job(url, lambda: web.index(url, user_asked=order.user_asked))


async def _site(web: Web, start: str, order: Order) -> AsyncIterator[Job]:
    """Follow site maps, from a map or from the robots.txt of a site; pages of other hosts are passed over."""
    waiting = [start] if _is_map(start) else await _maps_of(web, start, order)
    host, seen, elsewhere = _host(start), set(waiting), 0
    pages: set[str] = set()
    for read in range(MAX_MAPS):
        if not waiting:
            break
        url = waiting.pop(0)
        try:
            found = await _map(web, url, order)
        except WellreadError as error:
            if read == 0 and not waiting:
                raise
            order.notes.append(f"{error.code}: {error.message}")
            continue
        inside = [each for each in found.maps if order.other_hosts or _host(each) == host]
        waiting += [each for each in inside if each not in seen]
        seen.update(inside)
        for page in found.pages:
            if not order.other_hosts and _host(page) != host:
                elsewhere += 1
            elif page not in pages:
                pages.add(page)
                async for job in _page(web, page, order):
                    yield job
    if elsewhere:
        order.notes.append(f"{elsewhere:,} pages on other hosts were passed over (--other-hosts takes them)")


async def _maps_of(web: Web, start: str, order: Order) -> list[str]:
    """Return the site maps that a site's robots.txt names, else the customary one."""
    root = URL(start) if URL.can_parse(start) else None
    origin = root.origin if root is not None else start
    try:
        answer = await web.parts.fetcher.fetch(Request(url=f"{origin}/robots.txt", user_asked=order.user_asked))
        found = sitemaps.named(answer.body, answer.url) if answer.status == 200 else ()
    except Gone:
        found = ()
    return list(found) or [f"{origin}/sitemap.xml"]


async def _map(web: Web, url: str, order: Order) -> sitemaps.SiteMap:
    answer = await web.parts.fetcher.fetch(Request(url=url, user_asked=order.user_asked))
    reading.refuse_failures(answer, now=web.parts.clock.now())
    return await to_thread.run_sync(sitemaps.parse, answer.body, answer.url)


def _is_map(url: str) -> bool:
    path = unquote(url.partition("?")[0]).lower()
    return path.rpartition("/")[2].startswith("sitemap") and path.endswith((".xml", ".xml.gz", ".txt", ".gz"))


def _host(url: str) -> str:
    return URL(url).hostname.removeprefix("www.") if URL.can_parse(url) else ""


# ------------------------------------------------------------------------------------------ what is at hand


async def _recorded(web: Web, path: Path) -> AsyncIterator[Job]:
    """Every answer of a recording that was a page, the last of each URL; nothing is asked of the network."""
    client, urls = await to_thread.run_sync(recording, web.parts.settings, path)

    def job(url: str) -> Job:
        return Job(url, lambda: _keep(web, url, lambda: client.fetch(Request(url=url, user_asked=True))))

    for url in urls:
        yield job(url)


async def _files(web: Web, files: list[Path]) -> AsyncIterator[Job]:
    limit = web.parts.settings.fetch.max_bytes

    def job(file: Path, name: str) -> Job:
        return Job(name, lambda: _keep(web, name, lambda: to_thread.run_sync(read_file, file, limit)))

    for file in files:
        yield job(file, name_of(file))


def name_of(path: Path) -> str:
    """Return what a local file is called in the index and in citations: its file URL (RFC 8089)."""
    return path.resolve().as_uri()


def _listed(folder: Path, order: Order) -> list[Path]:
    """Return the readable files of a folder, links and hidden folders passed over."""
    files, others = [], 0
    for file in _below(folder):
        if file.suffix.lower() in READABLE:
            files.append(file)
        else:
            others += 1
        if len(files) > order.limit:
            break
    if others:
        order.notes.append(f"{others:,} files of other kinds in {folder} were passed over")
    return files


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(place, name)
            if not name.startswith(".") and not path.is_symlink() and path.is_file():
                yield path


def read_file(path: Path, limit: int) -> Response:
    """Return a file as a server would have sent it.

    Raises:
        InvalidInput, TooLarge: it cannot be read, or has more than `limit` bytes.
    """
    try:
        with path.open("rb") as file:
            body = file.read(limit + 1)
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror or error}") from error
    if len(body) > limit:
        raise TooLarge(f"{path} has more than {limit:,} bytes")
    kind = (("content-type", "text/plain"),) if path.suffix.lower() in _TEXT else ()
    return Response(url=name_of(path), status=200, headers=kind, body=body)


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
