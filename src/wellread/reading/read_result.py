"""The result of a read: a snapshot and the prints of its document."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from wellread.output import DocumentPrints
    from wellread.types import Notice, Snapshot

READING_VERSION: Final = 40
"""Raised whenever the same bytes are read differently: older cache entries then miss."""
MIN_CONFIDENCE: Final = 0.5
"""Below this, a page that its scripts build needs a browser."""


class ReadResult(NamedTuple):
    """A snapshot, with the prints of its document."""

    snapshot: Snapshot
    prints: DocumentPrints
    cached: bool = False
    """Whether the snapshot was stored before."""
    word_count: int | None = None
    """The words of the canonical text; None where they were not counted."""

    @property
    def canonical_text(self) -> str:
        """The text that offsets count in: the whole document as markdown."""
        return self.prints.canonical.text

    def with_notice(self, notice: Notice) -> ReadResult:
        """Return the result with one notice more, which is not stored."""
        extraction = self.snapshot.extraction
        extraction = replace(extraction, notices=(*extraction.notices, notice))
        return self._replace(snapshot=replace(self.snapshot, extraction=extraction))
