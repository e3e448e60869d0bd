"""Numbers the passages that an answer or a report cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.types import Passage


def citation_numbers(citations: Sequence[Passage]) -> dict[Passage, int]:
    """Return the number of each citation, from 1; one that is listed twice has the first."""
    return {passage: number for number, passage in reversed(list(enumerate(citations, 1)))}
