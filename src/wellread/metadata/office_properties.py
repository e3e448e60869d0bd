"""Reads the metadata in the core properties of an office document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.metadata.cleaning import line
from wellread.text.dates import iso
from wellread.types import Metadata

if TYPE_CHECKING:
    from collections.abc import Mapping


def read(properties: Mapping[str, str]) -> Metadata:
    """Return the core properties (ECMA-376 part 2 clause 11) as metadata."""
    created = iso(properties.get("created"))
    author = line(properties.get("creator"))
    return Metadata(
        title=line(properties.get("title")),
        byline=author,
        author=author,
        description=line(properties.get("description") or properties.get("subject"), 1_000),
        published_date=created,
        published_source="meta" if created else None,
        modified_date=iso(properties.get("modified")),
        language=line(properties.get("language"), 20),
    )
