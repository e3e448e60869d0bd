"""The rules that change what the networks pick, in the order in which they run.

The networks give each block of a page a probability; `learned_selector.py` picks the set with the best expected F1 of
them. Then each rule of RULES returns the selection as it changes it. A rule is a function of the page and the selection
so far; its docstring has its reason and what it gains. Rules run in this order because later ones go by what earlier
ones kept: a list that is announced, for one, is kept after the items that belong to it by their siblings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.extraction.article_rules import leave_further_articles
from wellread.extraction.block_rules import (
    keep_announced,
    keep_code,
    keep_controls,
    keep_headed_lists,
    keep_headings,
    keep_headings_of_facts,
    keep_lead,
    keep_like_headings,
    keep_main,
    keep_notes,
    keep_parameters,
    keep_rules_and_pictures,
    keep_short_lists,
    keep_siblings,
    keep_tables,
    keep_terms,
    keep_title,
    keep_values,
)
from wellread.extraction.noise_rules import (
    leave_bare_headings,
    leave_captions_and_pleas,
    leave_contents,
    leave_icon_letters,
    leave_labels_of_nothing,
    leave_landmarks,
    leave_link_rows,
    leave_lone_numbers,
    leave_other_texts,
    leave_side_bar,
    leave_teasers,
    leave_unread,
)
from wellread.extraction.page_type_rules import (
    count_comments,
    keep_cards,
    keep_comments,
    keep_offer,
    leave_comments,
    leave_prices,
)
from wellread.extraction.repeat_rules import (
    leave_repeated_headings,
    leave_repeats,
    leave_table_twins,
    mark_repeated_actions,
)
from wellread.extraction.threads import keep_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.types import Mode, PageType

_BALANCED: Final[tuple[Mode, ...]] = ("balanced",)
_PRECISION: Final[tuple[Mode, ...]] = ("precision",)
_RECALL: Final[tuple[Mode, ...]] = ("recall",)
_NOT_PRECISION: Final = _BALANCED + _RECALL
_NOT_RECALL: Final = _BALANCED + _PRECISION
_ALL: Final = _BALANCED + _PRECISION + _RECALL

_ARTICLE: Final[tuple[PageType, ...]] = ("article",)
_FORUM: Final[tuple[PageType, ...]] = ("forum",)
_PRODUCT: Final[tuple[PageType, ...]] = ("product",)
_LISTS: Final[tuple[PageType, ...]] = ("listing", "collection")
_MANUALS: Final[tuple[PageType, ...]] = ("documentation", "service")
_NOT_FORUM: Final = _ARTICLE + _MANUALS + _LISTS + _PRODUCT
_ANY: Final = _NOT_FORUM + _FORUM


class SelectionRule(NamedTuple):
    """A rule, and the pages on which it runs: by mode, by the page type so far, and by size."""

    change: Callable[[ScoredPage, Selection], Selection]
    modes: tuple[Mode, ...] = _ALL
    page_types: tuple[PageType, ...] = _ANY
    small_pages_only: bool = False

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.change.__name__

    def applies(self, page: ScoredPage, selection: Selection) -> bool:
        """Tell whether the rule runs on a page."""
        return (
            page.mode in self.modes
            and selection.page_type in self.page_types
            and (page.is_small or not self.small_pages_only)
        )


RULES: Final = (
    # Text that stands on the page twice.
    SelectionRule(leave_repeats),
    SelectionRule(mark_repeated_actions, _NOT_RECALL, _LISTS + _FORUM),
    # Parts that every page of a type has.
    SelectionRule(keep_title, _NOT_PRECISION),
    SelectionRule(keep_cards, _NOT_PRECISION, _LISTS),
    SelectionRule(keep_offer, _NOT_PRECISION, _PRODUCT),
    SelectionRule(keep_tables),
    SelectionRule(leave_landmarks, small_pages_only=True),
    # Lines beside the text that are kept with it, or left out.
    SelectionRule(leave_icon_letters),
    SelectionRule(keep_code),
    SelectionRule(keep_parameters, _NOT_PRECISION),
    SelectionRule(leave_teasers, _BALANCED, _ARTICLE),
    SelectionRule(leave_teasers, _PRECISION),
    SelectionRule(leave_captions_and_pleas, _PRECISION),
    SelectionRule(leave_link_rows, _PRECISION),
    SelectionRule(leave_other_texts, _PRECISION, _ARTICLE),
    SelectionRule(leave_further_articles, _NOT_RECALL, _ARTICLE),
    SelectionRule(keep_lead, _BALANCED),
    SelectionRule(keep_headings, _BALANCED),
    SelectionRule(keep_like_headings, _BALANCED, _NOT_FORUM),
    SelectionRule(keep_values, _BALANCED, _NOT_FORUM),
    SelectionRule(keep_siblings, _BALANCED, _NOT_FORUM),
    SelectionRule(keep_short_lists, _BALANCED, _NOT_FORUM),
    SelectionRule(keep_headed_lists, _BALANCED, _NOT_FORUM),
    SelectionRule(keep_announced, _BALANCED),
    SelectionRule(keep_terms, _BALANCED),
    SelectionRule(keep_controls, _BALANCED),
    SelectionRule(leave_bare_headings, _BALANCED, _MANUALS + _LISTS + _PRODUCT),
    SelectionRule(leave_other_texts, _BALANCED, _ARTICLE),
    SelectionRule(leave_link_rows, _BALANCED, _ARTICLE),
    SelectionRule(leave_labels_of_nothing, _NOT_RECALL, _ARTICLE),
    SelectionRule(keep_notes, _NOT_PRECISION),
    SelectionRule(leave_contents, _NOT_RECALL),
    # Parts around the text, once all of it is known.
    SelectionRule(keep_main, _BALANCED, small_pages_only=True),
    SelectionRule(leave_table_twins),
    SelectionRule(leave_prices, _BALANCED, _LISTS + _PRODUCT),
    SelectionRule(leave_side_bar, _NOT_RECALL, _NOT_FORUM),
    SelectionRule(keep_rules_and_pictures),
    SelectionRule(leave_unread),
    SelectionRule(leave_repeated_headings),
    SelectionRule(keep_headings_of_facts, _BALANCED),
    SelectionRule(leave_comments, _NOT_RECALL, _ARTICLE),
    # What people write: the last, because they go by all that is kept of the rest.
    SelectionRule(keep_thread, _NOT_PRECISION),
    SelectionRule(keep_comments, _RECALL),
    SelectionRule(count_comments, _NOT_PRECISION),
    SelectionRule(leave_lone_numbers, _NOT_RECALL, _ARTICLE + _FORUM),
)
"""All rules. A rule that stands here twice runs in two modes on different page types."""


def apply_rules(page: ScoredPage, selection: Selection) -> Selection:
    """Return the selection after all rules."""
    for _, changed in _steps(page, selection):
        selection = changed
    return selection


def leaving_rules(page: ScoredPage, selection: Selection) -> dict[int, str]:
    """Return for each leaf that a rule left out, and none kept after that, the name of that rule."""
    rules: dict[int, str] = {}
    before = selection.is_kept
    for rule, changed in _steps(page, selection):
        for at in np.flatnonzero(before & ~changed.is_kept).tolist():
            rules[at] = rule.name
        for at in np.flatnonzero(~before & changed.is_kept).tolist():
            rules.pop(at, None)
        before = changed.is_kept
    return rules


def _steps(page: ScoredPage, selection: Selection) -> Iterator[tuple[SelectionRule, Selection]]:
    """Yield each rule that applies, with the selection as it leaves it."""
    for rule in RULES:
        if rule.applies(page, selection):
            selection = rule.change(page, selection)
            yield rule, selection
