"""The decision of a selector on a walked page: the leaves that are content, and the posts that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.segmentation.boxes import Box, Walked
    from wellread.types import Mode, Notice, PageType


class Post(NamedTuple):
    """A post of a thread, with its author and date."""

    box: Box
    author: str
    date: str
    """As the page words it; empty where it says none."""
    stamp: str
    """In ISO 8601, as far as that can be told."""
    byline_leaves: frozenset[int]
    """The leaves that say who and when: the byline takes their place."""
    opens: int
    """The first leaf of its text that is kept."""
    marks: tuple[str, ...] = ()
    """Other marks of the page: that it is the accepted answer, its votes."""


class BlockSelection(NamedTuple):
    """The decision of a selector."""

    is_kept: Sequence[bool]
    """For each leaf, whether it is main content."""
    page_type: PageType
    notices: Sequence[Notice] = ()
    """Notices for the reader of the page about the choice."""
    posts: Sequence[Post] = ()
    """Of a thread: each is printed with a byline of author and date."""
    title: int | None = None
    """The leaf that is the thread's title: it stands above all posts."""
    tables: Sequence[Box] | None = None
    """The tables of data on the page, kept or not; None where the selector did not look for them."""


class BlockSelector(Protocol):
    """Decides which leaves are main content, and the kind of page that they make."""

    name: str

    def select(self, walked: Walked, mode: Mode) -> BlockSelection:
        """Return the decision on a walked page, which may have no leaves."""
