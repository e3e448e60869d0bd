"""Ollama's own embeddings (https://docs.ollama.com/api/embed): models that run on the user's machine, without a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.rank import vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.ports import Access
    from wellread.types import Request

BASE_URL = "http://127.0.0.1:11434"
MODEL = "nomic-embed-text"


class Ollama:
    """Implements `ports.EmbeddingService`; a private address must stand in net.allow_hosts."""

    name = "ollama"

    def request(self, texts: Sequence[str], model: str | None, access: Access) -> Request:
        """Return the POST; a text longer than the model reads is cut by the server."""
        values = {"model": model or MODEL, "input": list(texts), "truncate": True}
        headers = (("Authorization", f"Bearer {access.key}"),) if access.key else ()
        return vectors.post(f"{access.base_url or BASE_URL}/api/embed", values, headers)

    def parse(self, body: bytes) -> list[list[float]] | None:
        """Return the vectors, which stand in the order of the texts."""
        return vectors.checked(vectors.field(body, "embeddings"))
