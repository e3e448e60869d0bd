"""The learned reader: picks the blocks with the best expected F1, and tells the kind of page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.extraction.context_features import LEVELS
from wellread.extraction.features import page_features
from wellread.extraction.html_tables import data_tables
from wellread.extraction.noise_rules import unread
from wellread.extraction.selection import PAGE_TYPES, BlockSelection, ScoredPage, Selection
from wellread.extraction.selection_rules import apply_rules
from wellread.extraction.vocabulary import Vocabulary
from wellread.lazy_pattern import lazy_pattern
from wellread.metadata import site_address
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats, Integers
    from wellread.extraction.features import Features
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
    return _load_model(Path(__file__).with_name(_WEIGHTS))


def _load_model(path: Path) -> tuple[Vocabulary, ReaderNetwork, UrlEvidence]:
    with np.load(path, allow_pickle=False) as file:
        called, words = (str(file[name]).split(" ") for name in ("vocabulary.names", "vocabulary.words"))
        addresses = UrlEvidence(str(file["address.clues"]).split("\n"), file["address.odds"])
        weights = {name: file[name] for name in file.files if not name.startswith(("vocabulary.", "address."))}
    return Vocabulary(called, words), ReaderNetwork(weights), addresses


# --------------------------------------------------------------------------------------------------------- the networks
# The reader's networks in numpy: how likely each leaf is main content, and the kind of page.
#
# Two rounds of message passing over the leaves of a page. In each round, a leaf sends a message and receives the mean
# message of its neighbours, of windows around it, of its boxes, of leaves of its kind, of its heading and of the page.
# Trained by benchmarks/reader; docs/model_card.md is their card.

WINDOWS: Final = (4, 16)
"""Leaves on either side."""
POOLED: Final = (0, 1, 2, 3, 5)
"""The levels of `LEVELS` whose content is read: the leaf's own box, three around it, the outermost."""


_ROWS: Final = 64
_TERMS: Final = 64
"""OpenBLAS shares a product of more than 64 x 64 x 64 terms among threads, and for these sizes they only wait for one
another: eight times the CPU time, measured. So products are made of pieces that small, and pages run in parallel."""
_MAX_LEAVES_FOR_ALL: Final = 10_000
"""Leaves that all networks judge. No page of the training sets has as many; beyond it one network judges alone, because
all of them would take a quarter of the time of the whole read and 6 KB of memory for each leaf."""
_Weights = dict[str, "Floats"]


class NetworkOutput(NamedTuple):
    """The network's output for a page."""

    odds: Floats
    """(N,): the logarithm of the odds that a leaf is main content; too sure, see `ModeSettings.trust`."""
    kinds: Floats
    """(7,): the probability of each kind of page."""


class ReaderNetwork:
    """Asks networks that differ in nothing but where their training began; their mean errs less than any of them.

    Holds their weights, of all along a first axis; pure, so safe in threads.
    """

    def __init__(self, weights: Mapping[str, NDArray[np.float16]]) -> None:
        """Take the weights, of all networks along the first axis of each."""
        self._all: _Weights = {name: np.ascontiguousarray(value, np.float32) for name, value in weights.items()}
        self._first = {name: value[:1] for name, value in self._all.items()}
        of_names, of_words = self._all["names"].shape[2], self._all["words"].shape[2]
        self.number_count = self._all["enter.weight"].shape[1] - (LEVELS + 1) * of_names - 2 * of_words
        """The numbers of each leaf that the networks take: see `features.page_features`."""

    def judge(self, page: Features, conventions: Sequence[float], address: Floats) -> NetworkOutput:
        """Return the verdict on a page under a mixture of the conventions of training, the first of `conventions`.

        `address` (7,) is what its address says of its kind: see `UrlEvidence`.
        """
        around = _Neighbourhoods(page)
        weights = self._first if len(page.numbers) > _MAX_LEAVES_FOR_ALL else self._all
        return _mean_output(weights, around, conventions, address)


def _mean_output(
    weights: _Weights, around: _Neighbourhoods, conventions: Sequence[float], address: Floats
) -> NetworkOutput:
    """Return the mean output of the networks with these weights."""
    page = around.page
    state = _product(_inputs(weights, page), weights["enter.weight"])
    taught = np.array(conventions[: weights["convention"].shape[1]], np.float32)
    page_bias = np.tensordot(taught / taught.sum(), weights["convention"], (0, 1))
    page_bias += np.tensordot(address, weights["address"], (0, 1)) + weights["enter.bias"]
    state += page_bias[:, None]
    np.maximum(state, 0, out=state)
    for number in range(sum(name.startswith("say.weight.") for name in weights)):
        state += _message_round(weights, state, around, number)
    odds = state @ weights["leave.weight"][:, :, None]
    kinds = _page_mean(state, page)[:, None] @ weights["kind.weight"] + weights["kind.bias"][:, None]
    return NetworkOutput(
        (odds[:, :, 0] + weights["leave.bias"]).mean(axis=0), np.mean([_softmax(logits[0]) for logits in kinds], axis=0)
    )


def _inputs(weights: _Weights, page: Features) -> Floats:
    """Return (networks, N, F): the inputs of each network for each leaf."""
    name_sums = np.add.reduceat(weights["names"].take(page.around.names, axis=1), page.around.name_starts, axis=1)
    word_means = np.add.reduceat(weights["words"].take(page.words, axis=1), page.word_starts, axis=1)
    word_means /= np.diff(page.word_starts, append=len(page.words))[:, None]
    inner = np.add.reduceat(weights["names"].take(page.inner, axis=1), page.inner_starts, axis=1)
    around = name_sums.take(page.around.levels, axis=1).reshape(*word_means.shape[:2], -1)
    numbers = np.broadcast_to(page.numbers, (len(word_means), *page.numbers.shape))
    return np.concatenate([numbers, around, inner, word_means, word_means.take(page.heading, axis=1)], axis=2)


def _message_round(weights: _Weights, state: Floats, around: _Neighbourhoods, number: int) -> Floats:
    message = _product(state, weights[f"say.weight.{number}"])
    message += weights[f"say.bias.{number}"][:, None]
    np.maximum(message, 0, out=message)
    hear_weights = weights[f"hear.weight.{number}"]
    width, message_width = state.shape[2], message.shape[2]
    hidden = _product(state, hear_weights[:, :width])
    at = width
    for piece in around.pieces(message):
        hidden += _product(piece, hear_weights[:, at : at + message_width])
        at += message_width
    page_message = _page_mean(message, around.page)[:, None] @ weights[f"page.weight.{number}"]
    hidden += page_message + weights[f"hear.bias.{number}"][:, None]
    return np.maximum(hidden, 0, out=hidden)


def _page_mean(values: Floats, page: Features) -> Floats:
    """Return the mean over a page's leaves, and that over its characters."""
    return np.concatenate([values.mean(axis=1), page.weight @ values], axis=1)


class _Neighbourhoods:
    """The neighbourhoods of each leaf; computed once per page."""

    def __init__(self, page: Features) -> None:
        self.page = page
        count = len(page.numbers)
        spots = np.arange(count)
        self.windows = [(np.maximum(spots - reach, 0), np.minimum(spots + reach + 1, count)) for reach in WINDOWS]
        kinds = page.around.kinds[page.around.own]
        self.kinds = np.argsort(kinds, kind="stable")
        self.kind_starts = np.flatnonzero(np.diff(kinds[self.kinds], prepend=-1))
        sizes = np.diff(self.kind_starts, append=count)
        self.kind_sizes = sizes.astype(np.float32)[:, None]
        self.kind_rows: Integers = np.empty(count, np.intp)
        self.kind_rows[self.kinds] = np.repeat(np.arange(len(sizes)), sizes)

    def pieces(self, message: Floats) -> Iterator[Floats]:
        """Yield the messages that each leaf receives, in the order of the weights."""
        page = self.page
        nothing = np.zeros((len(message), 1, message.shape[2]), np.float32)
        yield np.concatenate([nothing, message[:, :-1]], axis=1)
        yield np.concatenate([message[:, 1:], nothing], axis=1)
        sums = np.concatenate([nothing, message.cumsum(axis=1)], axis=1)
        for low, high in self.windows:
            yield _means(sums, low, high)
        boxes = _means(sums, page.around.first, page.around.last)
        for level in POOLED:
            yield boxes.take(page.around.levels[:, level], axis=1)
        kinds: Floats = np.add.reduceat(message.take(self.kinds, axis=1), self.kind_starts, axis=1)
        kinds /= self.kind_sizes
        yield kinds.take(self.kind_rows, axis=1)
        yield message.take(page.heading, axis=1)


def _means(sums: Floats, first: Integers, end: Integers) -> Floats:
    means: Floats = (sums.take(end, axis=1) - sums.take(first, axis=1)) / (end - first).astype(np.float32)[:, None]
    return means


def _product(rows: Floats, weights: Floats) -> Floats:
    """Return (networks, N, W): the product of each network's rows and weights, in small pieces."""
    networks, count, terms = rows.shape
    product = np.zeros((networks, count, weights.shape[2]), np.float32)
    whole_rows = count - count % _ROWS
    for start in range(0, terms, _TERMS):
        columns, piece = rows[:, :, start : start + _TERMS], weights[:, start : start + _TERMS]
        product[:, whole_rows:] += columns[:, whole_rows:] @ piece
        if whole_rows:
            stack = columns[:, :whole_rows].reshape(networks, -1, _ROWS, columns.shape[2])
            product[:, :whole_rows] += (stack @ piece[:, None]).reshape(networks, whole_rows, -1)
    return product


def _softmax(values: Floats) -> Floats:
    powers: Floats = np.exp(values - values.max())
    shares: Floats = powers / powers.sum()
    return shares


# -------------------------------------------------------------------------------------------------- evidence of the URL
# Reads evidence of a page's kind from its URL: `/docs/` and `forum.` are names, as class names are.

_ADDRESS_WEIGHT: Final = 0.7
"""Clues of one address say the same thing twice; by cross-validation as good as 1, and better than .5."""
_MAX_ADDRESS_EVIDENCE: Final = 3.0
"""The most that an address counts against a kind, as a logarithm: alone it never overturns a sure judgement."""
_MAX_ADDRESS_PARTS: Final = 8
_MAX_ADDRESS_DEPTH: Final = 4
_MAX_ADDRESS_HYPHENS: Final = 5
_NUMBER: Final = lazy_pattern(r"\d{5}")
_YEAR: Final = lazy_pattern(r"(?:^|/)(?:19|20)\d\d/")
_LETTERS: Final = lazy_pattern(r"[a-z]+")


class UrlEvidence:
    """How much likelier each clue in an address makes each kind of page."""

    def __init__(self, clue_names: Sequence[str], odds: NDArray[np.float16]) -> None:
        """Take the clues and (clues, kinds) the logarithms of how much likelier they are on pages of a kind."""
        self._rows: Final = {name: at for at, name in enumerate(clue_names)}
        self._odds: Final = odds.astype(np.float32)

    def evidence(self, url: str | None) -> Floats:
        """Return (kinds,): the logarithm of how likely an address makes each kind of page beside the likeliest's 0."""
        rows = sorted({self._rows[clue] for clue in url_clues(url) if clue in self._rows})
        log_odds = _ADDRESS_WEIGHT * self._odds[rows].sum(axis=0)
        evidence: Floats = np.maximum(log_odds - log_odds.max(), -_MAX_ADDRESS_EVIDENCE)
        return evidence


def url_clues(url: str | None) -> Iterator[str]:
    """Yield the clues in a page's URL: its parts, its depth, and the form of its last part."""
    address = site_address.resolve(url, None)
    if address is None:
        return
    host, _, path_and_query = address.lower().partition("://")[2].partition("/")
    path, _, query = path_and_query.partition("#")[0].partition("?")
    parts = [part for part in path.split("/") if part]
    yield f"deep {min(len(parts), _MAX_ADDRESS_DEPTH)}"
    yield from (f"host {label}" for label in host.split(".")[:-2][:_MAX_ADDRESS_PARTS])
    if query:
        yield "query"
    if not parts:
        return
    *above, last = parts
    yield from (f"in {part}" for part in above[:_MAX_ADDRESS_PARTS])
    yield from (f"at {word}" for word in _LETTERS.findall(last)[:_MAX_ADDRESS_PARTS])
    yield f"hyphens {min(last.count('-') + last.count('_'), _MAX_ADDRESS_HYPHENS)}"
    yield "numbered" if _NUMBER.search(path) else "unnumbered"
    if _YEAR.search(path):
        yield "dated"
    if "." in last:
        yield f".{last.rpartition('.')[2]}"
