"""Asks an embedding service through the client, and raises a typed error for every failure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellread.errors import Auth, Quota, RateLimited, Upstream
from wellread.net.http_dates import retry_after_s
from wellread.rank import vectors
from wellread.text.characters import on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.ports import Access, Clock, EmbeddingService, Fetcher
    from wellread.sections import EmbedSettings
    from wellread.types import Response

MOST_TEXTS = 97
"""A question and 96 passages. With vectors of 3,072 numbers, the longest in use, the answer stays below 10 MB."""
MOST_CHARS = 4_000
"""Of one text; the smallest models in use read about 2,000 characters and cut the rest."""
_COMPLAINT_CHARS = 200
_COVERED = re.compile(r"[\w+/=~.-]{24,}")


class Embedding:
    """Implements `ports.Embedder` over one `EmbeddingService`."""

    def __init__(
        self,
        service: EmbeddingService,
        access: Access,
        *,
        settings: EmbedSettings,
        fetcher: Fetcher,
        clock: Clock,
    ) -> None:
        """Take the user's way to the service; nothing is sent here."""
        self._service = service
        self._access = access
        self._settings = settings
        self._fetcher = fetcher
        self._clock = clock

    async def embed(self, texts: Sequence[str]) -> Sequence[vectors.Vector]:
        """Return one vector for each text, in order; one request for at most 97 texts.

        Raises:
            RefusedError, UnavailableError, UnreadableError: no vectors were had, or not one for each text.
        """
        cut = [text[:MOST_CHARS].encode("utf-8", "replace").decode() or " " for text in texts[:MOST_TEXTS]]
        request = self._service.request(cut, self._settings.model, self._access)
        response = await self._fetcher.fetch(replace(request, timeout_s=self._settings.timeout_s))
        self._refuse(response)
        name, status = self._service.name, response.status
        embeddings: Sequence[vectors.Vector] | None = None
        if response.partial is None:
            embeddings = self._service.parse(response.body)
        if embeddings is None:
            raise Upstream(f"{name} answered with no vectors", status=status)
        if len(embeddings) != len(texts):
            raise Upstream(f"{name} answered with {len(embeddings)} vectors for {len(texts)} texts", status=status)
        return embeddings

    def _refuse(self, response: Response) -> None:
        status, name = response.status, self._service.name
        if 200 <= status < 300:
            return
        message = f"{name} answered {status}"
        if status in {401, 403}:
            raise Auth(f"{message}: the key was not accepted", hint="set embed.key")
        if complaint := self._complaint(response.body):
            message = f"{message} ({complaint})"
        if status == 402 or (status == 429 and b"insufficient_quota" in response.body[:10_000]):
            raise Quota(message)
        if status == 429:
            raise RateLimited(message, retry_after_s=retry_after_s(response.headers, self._clock.now()))
        raise Upstream(message, status=status, hint="check embed.url and embed.model" if status == 404 else None)

    def _complaint(self, body: bytes) -> str:
        """Return the service's own error message; any part of it that could be a key is masked."""
        error = vectors.field(body[:10_000], "error")
        if isinstance(error, dict):
            error = error.get("message")
        if not isinstance(error, str):
            return ""
        if self._access.key:
            error = error.replace(self._access.key, "***")
        return _COVERED.sub("***", on_one_line(error))[:_COMPLAINT_CHARS]
