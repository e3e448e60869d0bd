"""Fetches the document of a read; an archive is fetched once for all of its members."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from anyio import to_thread

from wellread.documents import archive_urls
from wellread.errors import WellreadError
from wellread.reading.single_flight import SingleFlight
from wellread.reading.snapshot_lookup import places

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.ports import CachedBody, CacheEntry, Fetcher, SnapshotStore
    from wellread.types import Mode, Request, Response


class FetchedDocument(NamedTuple):
    """The response that holds a document."""

    response: Response
    is_stored: bool = False
    """Whether it came from the store, without a request or after 304."""


class DocumentFetcher:
    """Fetches documents, and stores the bytes of archives."""

    def __init__(self, fetcher: Fetcher, store: SnapshotStore, cache_key: Callable[[str, Mode], str]) -> None:
        """Take the HTTP client, and the store of archives with its keys."""
        self._fetcher = fetcher
        self._store = store
        self._cache_key = cache_key
        self._flights: SingleFlight[FetchedDocument] = SingleFlight(WellreadError)

    async def fetch(
        self, request: Request, stored: CacheEntry | None, *, is_member: bool, fresh: bool
    ) -> FetchedDocument:
        """Return the response to a request, conditional on the snapshot in the store; an archive from the store.

        Raises:
            RefusedError, UnavailableError, UnreadableError: as `Fetcher.fetch`.
        """
        if is_member or archive_urls.named_like_archive(request.url):
            return await self._archive(request, stored, fresh=fresh)
        response = await self._fetcher.fetch(conditional(request, stored))
        await self._store_archive(request, response)
        return FetchedDocument(response)

    async def _archive(self, request: Request, stored: CacheEntry | None, *, fresh: bool) -> FetchedDocument:
        """Return an archive, from the store where it is there: its members are read one by one, by one fetch.

        `stored` is the snapshot of the member: where the archive itself was evicted, the server may say 304.
        """
        keys = self._archive_keys(request)
        bodies = [await to_thread.run_sync(self._store.body, key) for key in keys]
        for body in bodies:
            if body is not None and body.fresh and not fresh:
                return FetchedDocument(body.response, is_stored=True)
        key, body = keys[0], bodies[0]
        # Who has a copy may be answered 304, which is of no use to others.
        etag = stored.etag if body is None and stored is not None else None
        flight = f"{request.timeout_s}:{etag}:{key}"
        return await self._flights.run(flight, lambda: self._fetch_archive(request, key, body, stored))

    async def _fetch_archive(
        self, request: Request, key: str, body: CachedBody | None, stored: CacheEntry | None
    ) -> FetchedDocument:
        response = await self._fetcher.fetch(conditional(request, body or stored))
        if response.status == 304 and body is not None:
            await to_thread.run_sync(self._store.renew, key)
            return FetchedDocument(body.response, is_stored=True)
        await self._store_archive(request, response)
        return FetchedDocument(response)

    async def _store_archive(self, request: Request, response: Response) -> None:
        """Store the bytes of a whole archive, so that its members are read without another fetch."""
        # Loaded here because a stored page needs no reader.
        from wellread.reading.snapshot_building import is_archive

        if response.status == 200 and response.partial is None and is_archive(response):
            await to_thread.run_sync(self._store.put_body, self._archive_keys(request)[0], response)

    def _archive_keys(self, request: Request) -> tuple[str, ...]:
        cache_key = self._cache_key(request.url, "balanced")
        identity = ""
        if request.credentials is not None:
            identity = request.credentials.identity
        return tuple(f"archive:{key}" for key in places(cache_key, user_asked=request.user_asked, identity=identity))


def conditional(request: Request, stored: CacheEntry | CachedBody | None) -> Request:
    """Return `request` with the question whether a stale copy still holds (RFC 9110 section 13.1)."""
    if stored is None:
        return request
    validators = (("If-None-Match", stored.etag), ("If-Modified-Since", stored.last_modified))
    headers = tuple((name, value) for name, value in validators if value)
    return replace(request, headers=request.headers + headers)
