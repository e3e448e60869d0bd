"""A walked page as the rules of the selection see it, the selection that they change, and the decision at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats, Integers
    from wellread.extraction.features import Features
    from wellread.segmentation.boxes import Box, Walked
    from wellread.types import Mode, Notice, PageType

PAGE_TYPES: Final[tuple[PageType, ...]] = (
    "article", "documentation", "service", "forum", "listing", "collection", "product",
)  # fmt: skip
"""In the order of the networks' second head."""
_MAX_SMALL_PAGE_LEAVES: Final = 60


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


class ScoredPage(NamedTuple):
    """A walked page of N leaves with its measures and what the networks say of it. No rule changes it."""

    walked: Walked
    features: Features
    mode: Mode
    likely: Floats
    """(N,): the probability that each leaf is content; 0 for leaves that nobody reads."""
    type_odds: Floats
    """The probability of each page type, in the order of the networks' second head."""
    is_heading: NDArray[np.bool_]
    """(N,)."""
    worded: Sequence[int]
    """The leaves with words."""
    tables: Sequence[Box]
    """The tables of data on the page."""

    @property
    def is_small(self) -> bool:
        """Whether the page has few leaves: such a page is made by hand, or all of it is content."""
        return len(self.walked.leaves) <= _MAX_SMALL_PAGE_LEAVES

    @property
    def sizes(self) -> Floats:
        """(N,): the words of each leaf, about."""
        return self.features.sizes


class Selection(NamedTuple):
    """The state of the selection between two rules. A rule returns another; it changes no array in place."""

    is_kept: NDArray[np.bool_]
    """(N,): the leaves that are content."""
    is_unread: NDArray[np.bool_]
    """(N,): the leaves that nobody reads, whatever else a rule would keep."""
    page_type: PageType
    notices: tuple[Notice, ...] = ()
    posts: tuple[Post, ...] = ()
    title: int | None = None

    def keep(self, leaves: Sequence[int] | Integers) -> Selection:
        """Return the selection with these leaves kept, too."""
        return self._marked(leaves, is_kept=True)

    def leave_out(self, leaves: Sequence[int] | Integers) -> Selection:
        """Return the selection without these leaves."""
        return self._marked(leaves, is_kept=False)

    def _marked(self, leaves: Sequence[int] | Integers, *, is_kept: bool) -> Selection:
        if not len(leaves):
            return self
        marks = self.is_kept.copy()
        marks[leaves] = is_kept
        return self._replace(is_kept=marks)


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
