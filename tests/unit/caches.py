"""What the tests of the cache keep in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wellread.store.cache import SnapshotCache
from wellread.types import Block, Extraction, Kind, Metadata, Snapshot, Span

HOUR_S = 3600.0
Opener = Callable[..., SnapshotCache]


def snapshot(name: str, text: str = "text", **changes: object) -> Snapshot:
    digest = name.encode().hex()[:64].rjust(64, "0")
    base = Snapshot(
        id=f"sha256:{digest}",
        url=f"https://{name}.example/",
        final_url=f"https://{name}.example/",
        status=200,
        content_type="text/html",
        fetched_at=1.0,
        fetch_time_ms=2,
        extraction_time_ms=3,
        extraction=Extraction(
            document=(Block(Kind.PARAGRAPH, (Span(text),)),), metadata=Metadata(title=name), method="density"
        ),
        confidence=0.5,
    )
    return replace(base, **changes)  # type: ignore[arg-type] # each test names fields that exist


def noise(seed: int, size: int) -> str:
    """Return text that does not compress well, always the same for a seed."""
    state, found = seed + 1, []
    for _ in range(size):
        state = state * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        found.append(chr(0x4E00 + (state >> 40) % 20_000))
    return "".join(found)
