"""The learned reader: picks the blocks with the best expected F1, and tells the kind of page."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.extraction.features import page_features
from wellread.extraction.html_tables import data_tables
from wellread.extraction.network import ReaderNetwork
from wellread.extraction.noise_rules import unread
from wellread.extraction.selection import PAGE_TYPES, BlockSelection, ScoredPage, Selection
from wellread.extraction.selection_rules import apply_rules
from wellread.extraction.url_clues import UrlEvidence
from wellread.extraction.vocabulary import Vocabulary
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats
    from wellread.segmentation.boxes import Walked
    from wellread.types import Mode, PageType

_WEIGHTS: Final = "reader.npz"
_PRIORS: Final = np.array([0.5, *[1.0] * (len(PAGE_TYPES) - 1)], np.float32)
"""The networks take too much for articles."""
_HEARD: Final = 0.5
"""The weight of the address beside the networks' output, which has it as input: the kind is right on .842; 1: .834."""
_ARTICLE: Final = PAGE_TYPES.index("article")
_DOUBTFUL: Final = ("article", "service")
"""The kinds that product pages are taken for."""
_LISTS: Final = ("listing", "collection")

_UNSURE: Final = Notice(
    "unsure_choice",
    "the page is unlike the pages of the training; check the text, or use the mode `recall`",
)
_CAUTIOUS: Final = 1.1
"""How many times more recall counts than precision where the choice is unsure."""
_MAY_BE_ARTICLE: Final = 0.2
_FIRM_TRUST: Final = 0.6
_CLEARER: Final = 0.1
"""Where the choice is unsure and the page may be an article: what the log-odds are multiplied by for a second choice,
and how much more F1 that has to promise. On the folds it was found on it gains .0008 on WCXB, and .016 on AEB."""


class ModeSettings(NamedTuple):
    """How a mode turns the network's output into a choice."""

    conventions: tuple[float, ...]
    """The weight of each ground truth of its training: WCXB's, AEB's, that of trafilatura's set, that of news."""
    recall: float = 1.0
    """How many times more recall counts than precision (van Rijsbergen's beta)."""
    trust: float = 0.3
    """The factor of the network's log-odds: trained long it reads best, but is too sure of itself."""
    unsure: float = 0.0
    """The expected F1 below which the choice is unsure."""


_MIXED: Final = (0.4, 0.32, 0.08, 0.2)
"""WCXB's truths have all that belongs to a page, but are noisy: half of the others makes up for it."""
MODE_SETTINGS: Final[Mapping[Mode, ModeSettings]] = {
    "balanced": ModeSettings(_MIXED, trust=0.25, unsure=0.6),
    "precision": ModeSettings((0.0, 0.5, 0.0, 0.5), trust=0.6),
    "recall": ModeSettings(_MIXED, recall=3.0),
}


_USUAL: Final = (1.0, 0.0)
_OTHERWISE: Final[Mapping[PageType, tuple[float, float]]] = {
    "article": (0.9, 0.45),
    "forum": (2.0, 0.3),
    "product": (1.2, 0.0),
}
"""The factor of the network's log-odds on pages of a kind, and the log-odds subtracted from each block.

Each pair is right on all five folds or nearly: F1 of forums rises by .003 to .012, of articles by .001 to .002. What
all others are trusted (.25, not .3) is chosen by any four folds of two trainings: F1 rises by .0005 and .0009.
"""


class LearnedSelector:
    """Reads with the weights in the package, or with others of the same shape."""

    name = "reader"

    def __init__(self, weights: Path | None = None) -> None:
        """Take the file of weights; by default the one in the package, loaded once per process."""
        self._vocabulary, self._network, self._addresses = (
            _packaged_model() if weights is None else _load_model(weights)
        )

    def select(self, walked: Walked, mode: Mode) -> BlockSelection:
        """Return which leaves are kept, and the type of page."""
        if not walked.leaves:
            return BlockSelection((), "unknown")
        page, selection = self.picked(walked, mode)
        selection = apply_rules(page, selection)
        return BlockSelection(
            selection.is_kept.tolist(),
            selection.page_type,
            selection.notices,
            selection.posts,
            selection.title,
            page.tables,
        )

    def picked(self, walked: Walked, mode: Mode) -> tuple[ScoredPage, Selection]:
        """Return a page with the judgement of the networks, and what they pick of it before any rule."""
        settings = MODE_SETTINGS[mode]
        features = page_features(walked, self._vocabulary, number_count=self._network.number_count)
        address = self._addresses.evidence(walked.url)
        judgement = self._network.judge(features, settings.conventions, address)
        page_type = likeliest_kind(judgement.kinds, address)
        if walked.sells and page_type in _DOUBTFUL:
            page_type = "product"
        if walked.is_news and page_type == "forum":
            page_type = "article"  # with many comments
        trust, doubt = _OTHERWISE.get(page_type, _USUAL) if mode == "balanced" else _USUAL
        likely = 1 / (1 + np.exp(doubt - trust * settings.trust * judgement.odds))
        is_unread = unread(features, walked, page_type)
        likely[is_unread] = 0
        pick = _picked(judgement.odds, likely, features.sizes, settings, float(judgement.kinds[_ARTICLE]))
        if pick.is_article and page_type in _LISTS:
            page_type = "article"
        page = ScoredPage(
            walked,
            features,
            mode,
            likely,
            type_odds=judgement.kinds,
            is_heading=np.array([leaf.heading > 0 for leaf in walked.leaves]),
            worded=np.flatnonzero(features.sizes).tolist(),
            tables=[*data_tables(walked)],
        )
        return page, Selection(pick.is_kept, is_unread, page_type, pick.notices)


class _Picked(NamedTuple):
    """The leaves that the networks pick, before any rule."""

    is_kept: NDArray[np.bool_]
    notices: tuple[Notice, ...] = ()
    is_article: bool = False
    """The page reads as an article with lists around it."""


def _picked(odds: Floats, likely: Floats, sizes: Floats, taste: ModeSettings, article: float) -> _Picked:
    """Return the leaves of the best expected F-measure; where that is low, a clearer choice or more.

    `article` is the probability that the page is one. A few sure paragraphs amid hundreds of entries that are each a
    little likely are an article with lists around it.
    """
    is_kept = best_subset(likely, sizes, taste.recall)
    expected = expected_f1(likely, sizes, is_kept)
    if expected >= taste.unsure:
        return _Picked(is_kept)
    if article >= _MAY_BE_ARTICLE:
        sharper = 1 / (1 + np.exp(-_FIRM_TRUST * odds))
        clearer = best_subset(sharper, sizes)
        if expected_f1(sharper, sizes, clearer) > expected + _CLEARER:
            return _Picked(clearer, (_UNSURE,), is_article=True)
    return _Picked(best_subset(likely, sizes, _CAUTIOUS), (_UNSURE,))


def likeliest_kind(kinds: Floats, address: Floats) -> PageType:
    """Return the kind of a page of which the networks give these probabilities, and its address this evidence."""
    return PAGE_TYPES[int((kinds * np.exp(_HEARD * address) * _PRIORS).argmax())]


def best_subset(likely: Floats, sizes: Floats, recall: float = 1.0) -> NDArray[np.bool_]:
    """Return the set of leaves with the highest expected F-measure.

    Among all sets that one is found among the prefixes of the leaves ordered by their probability (Lewis, 1995).
    """
    order = np.argsort(-likely, kind="stable")
    gain = np.cumsum((likely * sizes)[order])
    cost = np.cumsum(sizes[order])
    beta = recall * recall
    best = int(np.argmax((1 + beta) * gain / np.maximum(cost + beta * gain[-1], 1e-9)))
    is_kept = np.zeros(len(likely), np.bool_)
    is_kept[order[: best + 1]] = True
    return is_kept


def expected_f1(likely: Floats, sizes: Floats, is_kept: NDArray[np.bool_]) -> float:
    """Return the F1 that a set of leaves promises, by how likely each leaf of the page is."""
    expected = likely * sizes
    return float(2 * expected[is_kept].sum() / max(float(sizes[is_kept].sum() + expected.sum()), 1e-9))


@cache
def _packaged_model() -> tuple[Vocabulary, ReaderNetwork, UrlEvidence]:
    with resources.as_file(resources.files("wellread.extraction") / _WEIGHTS) as path:
        return _load_model(path)


def _load_model(path: Path) -> tuple[Vocabulary, ReaderNetwork, UrlEvidence]:
    with np.load(path, allow_pickle=False) as file:
        called, words = (str(file[name]).split(" ") for name in ("vocabulary.names", "vocabulary.words"))
        addresses = UrlEvidence(str(file["address.clues"]).split("\n"), file["address.odds"])
        weights = {name: file[name] for name in file.files if not name.startswith(("vocabulary.", "address."))}
    return Vocabulary(called, words), ReaderNetwork(weights), addresses
