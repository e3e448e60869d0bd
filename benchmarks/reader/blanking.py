"""Blanks pages for training: what they say is hidden, and how their boxes are called; where text stands is left.

No language is known to the networks on such a page, nor any habit of naming: structure has to be enough. Tags stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wellread.extraction.features import word_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from examples import Example
    from numpy.typing import NDArray


def tags(names: Sequence[str]) -> NDArray[np.bool_]:
    """Return which of the ids of names are those of tags; 0 stands for names that are not known."""
    return np.array([False, *(name.startswith("<") for name in names)])


def blanked(page: Example, are_tags: NDArray[np.bool_]) -> Example:
    """Return the page as if nobody could read its words, and its boxes had no names."""
    features = page.features
    around = features.around
    numbers = features.numbers.copy()
    numbers[:, word_columns(numbers.shape[1])] = 0
    return page._replace(
        features=features._replace(
            numbers=numbers,
            around=around._replace(names=np.where(are_tags[around.names], around.names, 0)),
            inner=np.where(are_tags[features.inner], features.inner, 0),
            words=np.zeros_like(features.words),
        )
    )
