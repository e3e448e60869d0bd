"""Walked pages with a selection, for tests of the rules that change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wellread.extraction.features import page_features
from wellread.extraction.html_tables import data_tables
from wellread.extraction.selection import PAGE_TYPES, ScoredPage, Selection
from wellread.extraction.selection_rules import apply_rules
from wellread.extraction.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.segmentation.boxes import Walked
    from wellread.types import Mode, PageType


def scored_page(walked: Walked, mode: Mode = "balanced", likely: np.ndarray | None = None) -> ScoredPage:
    """Return a page of which the networks say nothing, or how likely each leaf is content."""
    features = page_features(walked, Vocabulary([], []))
    return ScoredPage(
        walked,
        features,
        mode,
        np.full(len(walked.leaves), 0.5, np.float32) if likely is None else likely,
        type_odds=np.zeros(len(PAGE_TYPES), np.float32),
        is_heading=np.array([leaf.heading > 0 for leaf in walked.leaves]),
        worded=np.flatnonzero(features.sizes).tolist(),
        tables=[*data_tables(walked)],
    )


def selection(picked: Sequence[bool] | np.ndarray, page_type: PageType) -> Selection:
    """Return a selection before the first rule."""
    is_kept = np.array(picked, np.bool_)
    return Selection(is_kept, np.zeros(len(is_kept), np.bool_), page_type)


def kept_by_rules(
    walked: Walked, picked: Sequence[bool] | np.ndarray, page_type: PageType, mode: Mode = "balanced"
) -> list[bool]:
    """Return which leaves all rules keep, of a page of which some are picked."""
    kept: list[bool] = apply_rules(scored_page(walked, mode), selection(picked, page_type)).is_kept.tolist()
    return kept
