"""Thins pages for training: a page without a few of its boxes is another page with the same habits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import random

    from examples import Example
    from numpy.typing import NDArray

    from wellread.extraction.features import Features

_LARGEST_SHARE = 0.4
"""A box that holds more of the page stays."""
_FEWEST = 3


def thinned(one: Example, dice: random.Random) -> Example:
    """Return the page as if a few of its boxes had not been written."""
    around, count = one.features.around, len(one.sizes)
    keep = np.ones(count, bool)
    for _ in range(dice.choice((1, 2, 3, 5, 8))):
        row = dice.randrange(len(around.first))
        if around.last[row] - around.first[row] < _LARGEST_SHARE * count:
            keep[around.first[row] : around.last[row]] = False
    if keep.sum() < _FEWEST or keep.all():
        return one
    at = np.flatnonzero(keep)
    labels = one.labels
    if labels is not None:
        matched, kept = np.array(labels.matched), np.array(labels.kept)
        labels = labels._replace(
            sizes=[labels.sizes[spot] for spot in at],
            matched=matched[at].tolist(),
            kept=kept[at].tolist(),
            truth=max(0, labels.truth - int((matched * kept * ~keep).sum())),
        )
    return one._replace(
        features=_without(one.features, keep),
        labels=labels,
        marks=None if one.marks is None else [one.marks[spot] for spot in at],
        sizes=[one.sizes[spot] for spot in at],
    )


def _without(found: Features, keep: NDArray[np.bool_]) -> Features:
    """Return the features of the leaves that stay; what they counted of the page is left as it was."""
    around = found.around
    moved = np.concatenate([[0], np.cumsum(keep)])
    rows = np.flatnonzero(moved[around.last] > moved[around.first])
    place = np.zeros(len(around.first), np.intp)
    place[rows] = np.arange(len(rows))
    at = np.flatnonzero(keep)
    names, name_starts = _bags(around.names, around.name_starts, rows)
    words, word_starts = _bags(found.words, found.word_starts, at)
    inner, inner_starts = _bags(found.inner, found.inner_starts, at)
    heading = np.where(keep[found.heading[at]], moved[found.heading[at]], np.arange(len(at)))
    weight = found.weight[at]
    return found._replace(
        numbers=found.numbers[at],
        around=around._replace(
            own=place[around.own[at]],
            levels=place[around.levels[at]],
            numbers=around.numbers[rows],
            first=moved[around.first[rows]],
            last=moved[around.last[rows]],
            names=names,
            name_starts=name_starts,
            kinds=around.kinds[rows],
            categories=around.categories[rows],
        ),
        inner=inner,
        inner_starts=inner_starts,
        words=words,
        word_starts=word_starts,
        heading=heading,
        origin=np.arange(len(at)),
        code=found.code[at],
        weight=weight / max(1e-6, float(weight.sum())),
        sizes=found.sizes[at],
    )


def _bags(
    ids: NDArray[np.intp], starts: NDArray[np.intp], which: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the ids of some bags in a row, and where each starts."""
    sizes = np.diff(starts, append=len(ids))[which]
    begin = np.cumsum(sizes) - sizes
    return ids[np.repeat(starts[which] - begin, sizes) + np.arange(sizes.sum())], begin
