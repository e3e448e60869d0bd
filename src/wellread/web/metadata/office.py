"""What an office document says of itself in its core properties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.dates import iso
from wellread.types import Metadata
from wellread.web.metadata.clean import line

if TYPE_CHECKING:
    from collections.abc import Mapping


def read(told: Mapping[str, str]) -> Metadata:
    """Return the core properties (ECMA-376 part 2 clause 11) as metadata."""
    created = iso(told.get("created"))
    author = line(told.get("creator"))
    return Metadata(
        title=line(told.get("title")),
        byline=author,
        author=author,
        description=line(told.get("description") or told.get("subject"), 1_000),
        published_date=created,
        published_source="meta" if created else None,
        modified_date=iso(told.get("modified")),
        language=line(told.get("language"), 20),
    )
