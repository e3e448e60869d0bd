"""OpenAI's embeddings, and every server that speaks its format (https://platform.openai.com/docs/api-reference)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.errors import Auth
from wellread.rank import vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.ports import Access
    from wellread.types import Request

BASE_URL = "https://api.openai.com/v1"
MODEL = "text-embedding-3-small"


class OpenAI:
    """Implements `ports.EmbeddingService`. The base URL ends in `/v1`, as in OpenAI's own tools."""

    name = "openai"

    def request(self, texts: Sequence[str], model: str | None, access: Access) -> Request:
        """Return the POST; a server of the user's own may need no key.

        Raises:
            Auth: OpenAI itself is asked without a key.
        """
        if not access.key and not access.base_url:
            raise Auth("openai needs a key", hint="set embed.key, or set embed.url to a server that needs no key")
        values = {"model": model or MODEL, "input": list(texts), "encoding_format": "float"}
        headers = (("Authorization", f"Bearer {access.key}"),) if access.key else ()
        return vectors.post(f"{access.base_url or BASE_URL}/embeddings", values, headers)

    def parse(self, body: bytes) -> list[list[float]] | None:
        """Return the vectors by their `index`, for servers need not keep the order."""
        rows = vectors.field(body, "data")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            return None
        placed = {row.get("index"): row.get("embedding") for row in rows if isinstance(row.get("index"), int)}
        if sorted(placed) != list(range(len(rows))):
            return None
        return vectors.checked([placed[at] for at in range(len(rows))])
