"""The learned reader: picks the blocks with the best expected F1, and tells the kind of page."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.css.words import word_set
from wellread.extraction import lexicon, threads
from wellread.extraction.block_rules import keep_main, leave_side_bar, tidy
from wellread.extraction.comment_rules import comment_notices, keep_comments
from wellread.extraction.features import page_features
from wellread.extraction.html_tables import data_tables
from wellread.extraction.listing_rules import keep_cards, leave_prices
from wellread.extraction.network import ReaderNetwork
from wellread.extraction.noise_rules import unread
from wellread.extraction.product_rules import keep_offer
from wellread.extraction.repeated_actions import repeated_actions
from wellread.extraction.repeated_facts import repeated_facts
from wellread.extraction.selection import BlockSelection
from wellread.extraction.table_repeats import leave_table_twins
from wellread.extraction.url_clues import UrlEvidence
from wellread.extraction.vocabulary import Vocabulary
from wellread.segmentation.boxes import is_linked
from wellread.text.characters import folded_words
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats, Integers
    from wellread.extraction.features import Features
    from wellread.segmentation.boxes import Box, Leaf, Walked
    from wellread.types import Mode, PageType

_WEIGHTS: Final = "reader.npz"
_CALLOUT: Final = lexicon.CALLOUT | word_set("quote pullquote highlight box")
_FEW: Final = 60
"""Blocks: a page made by hand, or all of it."""
_SHORTEST_REPEAT: Final = 6
"""Words: `Add to cart` may well be said twice."""
PAGE_KINDS: Final[tuple[PageType, ...]] = (
    "article", "documentation", "service", "forum", "listing", "collection", "product",
)  # fmt: skip
"""In the order of the network's second head."""
_PRIORS: Final = np.array([0.5, *[1.0] * (len(PAGE_KINDS) - 1)], np.float32)
"""The networks take too much for articles."""
_HEARD: Final = 0.5
"""The weight of the address beside the networks' output, which has it as input: the kind is right on .842; 1: .834."""
_FORUM: Final = PAGE_KINDS.index("forum")
_ARTICLE: Final = PAGE_KINDS.index("article")
_PRODUCT: Final = PAGE_KINDS.index("product")
_MAYBE: Final = 0.005
"""How likely a forum must be for the page's posts to decide..."""
_PERHAPS: Final = 0.05
"""...and for those that are not kept to decide: so are comments on most articles."""
_DOUBTED: Final = 0.08
"""How likely text must be to be posts of a forum that keeps none: comments that the truths leave out are less so."""
_HEADED: Final = ("article", "forum")
_DOUBTFUL: Final = ("article", "service")
"""The kinds that product pages are taken for."""
_LISTS: Final = ("listing", "collection")
_OF_ENTRIES: Final = ("forum", *_LISTS)
"""Pages of posts, goods or teasers, each with the same buttons."""
_PARTED: Final = ("article", "documentation", "service")
"""Kinds that repeat text below another heading, about something else."""
_CUT: Final = Notice("cards_left_out", "some entries of the page's list are not in the text; mode `recall` keeps more")

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
    body: bool = False
    """The body of an article alone is asked for, not all that belongs to the page."""
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
    "precision": ModeSettings((0.0, 0.5, 0.0, 0.5), body=True, trust=0.6),
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
        """Return which leaves are kept, and the kind of page."""
        if not walked.leaves:
            return BlockSelection((), "unknown")
        taste = MODE_SETTINGS[mode]
        page = page_features(walked, self._vocabulary, number_count=self._network.number_count)
        address = self._addresses.evidence(walked.url)
        judgement = self._network.judge(page, taste.conventions, address)
        heads = np.array([leaf.heading > 0 for leaf in walked.leaves])
        kind = likeliest_kind(judgement.kinds, address)
        if walked.sells and kind in _DOUBTFUL:
            kind = "product"
        trust, doubt = _OTHERWISE.get(kind, _USUAL) if mode == "balanced" else _USUAL
        likely = 1 / (1 + np.exp(doubt - trust * taste.trust * judgement.odds))
        unseen = unread(page, walked, kind)
        likely[unseen] = 0
        picked = _picked(judgement.odds, likely, page.sizes, taste, float(judgement.kinds[_ARTICLE]))
        if picked.is_article and kind in _LISTS:
            kind = "article"
        is_kept = _without_repetitions(picked.is_kept, walked, page, heads, kind)
        if kind in _OF_ENTRIES and taste.recall <= 1:
            unseen[repeated_actions(walked.leaves, walked.url)] = True
        if not taste.body:
            any_kind = taste.recall > 1 or len(is_kept) <= _FEW
            leads = kind not in _HEADED
            above = any_kind or kind != "article"
            _keep_title(is_kept, walked, unseen, above=above, alone=any_kind or leads, leads=leads)
        notices = () if taste.body else _complete_lists(is_kept, likely, walked, page, kind)
        tables = [*data_tables(walked)]
        _keep_tables(is_kept, tables, page.sizes)
        is_kept = _apply_tidy_rules(is_kept, walked, page.sizes, tables, kind, mode)
        is_kept = _with_neighbours(is_kept, page.sizes) & ~unseen
        is_kept[_repeated_headings(is_kept, page, heads)] = False
        choice = BlockSelection(is_kept.tolist(), kind, (*picked.notices, *notices), tables=tables)
        if taste.body:
            return choice
        choice = _with_posts(choice, unseen, walked, taste, judgement.kinds, likely)
        return _with_comments(choice, walked, page, unseen, keep_answered=taste.recall > 1)


def _apply_tidy_rules(
    is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats, tables: Sequence[Box], kind: PageType, mode: Mode
) -> NDArray[np.bool_]:
    """Apply the rules that leave out text beside the content, and keep text that belongs to kept text."""
    taste = MODE_SETTINGS[mode]
    if len(is_kept) <= _FEW:
        is_kept = _without_landmarks(is_kept, walked, body=taste.body)
    tidy(is_kept, walked, sizes, kind, mode)
    if len(is_kept) <= _FEW and mode == "balanced":
        keep_main(is_kept, walked, sizes)
    leave_table_twins(is_kept, walked, tables)
    if mode == "balanced" and kind in {*_LISTS, "product"}:
        leave_prices(is_kept, walked)
    if kind != "forum" and taste.recall <= 1:
        leave_side_bar(is_kept, walked, sizes)
    return is_kept


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
    return PAGE_KINDS[int((kinds * np.exp(_HEARD * address) * _PRIORS).argmax())]


def _complete_lists(
    is_kept: NDArray[np.bool_], likely: Floats, walked: Walked, page: Features, kind: PageType
) -> tuple[Notice, ...]:
    """Complete the cards of a list or the offer of a product; return the notices of cards left out."""
    if kind in _LISTS:
        lost = keep_cards(is_kept, likely, walked, page)
        if not lost:
            return ()
        return (_CUT._replace(count=lost),)
    if kind == "product":
        keep_offer(is_kept, likely, walked)
    return ()


def _with_posts(
    choice: BlockSelection,
    unseen: NDArray[np.bool_],
    walked: Walked,
    taste: ModeSettings,
    kinds: Floats,
    likely: Floats,
) -> BlockSelection:
    """Find the posts of a thread, with their quotations and its title, and without the text around it."""
    if choice.page_type == "product" and kinds[_PRODUCT] > 1 / 2:  # what people write below it are reviews
        return choice
    forum = float(kinds[_FORUM])
    if forum < _MAYBE and (len(choice.is_kept) > threads.SHORT or not threads.calls_posts(walked)):
        return choice
    is_kept = np.array(choice.is_kept)
    sure = choice.page_type == "forum"
    rows = threads.author_rows(walked, loose=sure)
    filled = not sure and forum >= _PERHAPS and threads.is_thread(walked, [True] * len(is_kept), rows)
    short = threads.is_short_thread(walked, choice.is_kept, rows, article=kinds[_ARTICLE] > 1 / 2)
    if (
        not sure
        and not filled
        and not short
        and (forum < _MAYBE or not threads.is_thread(walked, choice.is_kept, rows))
    ):
        return choice
    hoped = likely >= _DOUBTED if sure else np.full(len(is_kept), filled)
    threads.keep_posts(is_kept, walked, rows, hoped, short=short)
    threads.keep_quotes(is_kept, walked, all_quotes=taste.recall > 1)
    is_kept &= ~unseen
    posts = threads.posts(walked, is_kept.tolist(), rows)
    title = threads.keep_title(is_kept, walked, posts) if posts else None
    if title is not None and unseen[title]:
        is_kept[title], title = False, None
    return choice._replace(is_kept=is_kept.tolist(), page_type="forum", posts=posts, title=title)


def _with_comments(
    choice: BlockSelection, walked: Walked, page: Features, unseen: NDArray[np.bool_], *, keep_answered: bool
) -> BlockSelection:
    """Keep comments and reviews below the page, or add a notice of them."""
    is_kept = np.array(choice.is_kept)
    if keep_answered:
        keep_comments(is_kept, walked, page, choice.page_type)
        is_kept &= ~unseen
    heads = {at for post in choice.posts for at in post.byline_leaves}
    lost = comment_notices(is_kept, heads, walked, page, choice.page_type)
    return choice._replace(is_kept=is_kept.tolist(), notices=(*choice.notices, *lost))


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


def without_repetitions(
    is_kept: NDArray[np.bool_], page: Features, heads: NDArray[np.bool_], *, parted: bool = False
) -> NDArray[np.bool_]:
    """Leave out blocks that repeat an earlier kept block: pages are written twice, for wide screens and narrow.

    Of a heading and a mere link to it, as tables of contents have them, the heading stays. On a page that is `parted`
    only what stands below the same heading, or one that is called the same, is said again.
    """
    before = page.origin < np.arange(len(is_kept))
    box = page.around.levels[:, 1]
    elsewhere = box != box[page.origin]
    is_repeated: NDArray[np.bool_] = (
        before & elsewhere & is_kept[page.origin] & (page.sizes >= _SHORTEST_REPEAT) & ~page.code
    )
    if parted:
        is_repeated &= page.origin[page.heading] == page.origin[page.heading[page.origin]]
    linked = is_repeated & is_kept & heads & ~heads[page.origin]
    is_kept_once: NDArray[np.bool_] = is_kept & ~is_repeated
    is_kept_once[page.origin[linked]] = False
    is_kept_once[linked] = True
    return is_kept_once


def _without_repetitions(
    hoped: NDArray[np.bool_], walked: Walked, page: Features, heads: NDArray[np.bool_], kind: PageType
) -> NDArray[np.bool_]:
    """Leave out repeated text, but keep repeated facts of several things: facts of cards, items of lists."""
    is_kept = without_repetitions(hoped, page, heads, parted=kind in _PARTED)
    if kind != "forum":
        is_kept[repeated_facts(is_kept, hoped & ~is_kept, walked, page, kind)] = True
    return is_kept


def _repeated_headings(is_kept: NDArray[np.bool_], page: Features, heads: NDArray[np.bool_]) -> Integers:
    """Return which of the kept leaves repeat the heading right before them."""
    worded = np.flatnonzero(is_kept & (page.sizes > 0))
    above, below = worded[:-1], worded[1:]
    again: Integers = below[heads[above] & heads[below] & (page.origin[above] == page.origin[below])]
    return again


def _without_landmarks(is_kept: NDArray[np.bool_], walked: Walked, *, body: bool) -> NDArray[np.bool_]:
    """Leave out <header> and <aside> beside the text: on a page of a few lines there is little else to go by.

    Unless the `body` alone is asked for, headings of sections stay, and so does the page's own, wherever it stands.
    """
    beside = np.array([_is_beside(leaf.box) for leaf in walked.leaves])
    heads = [at for at, leaf in enumerate(walked.leaves) if leaf.heading == 1]
    if not body and len(heads) == 1 and walked.title.startswith(walked.leaves[heads[0]].words):
        beside[heads[0]] = False
    remaining: NDArray[np.bool_] = is_kept & ~beside
    remaining = remaining if remaining.any() else is_kept
    return remaining if body else remaining | np.array([_is_section(leaf) for leaf in walked.leaves])


def _is_beside(box: Box) -> bool:
    boxes = tuple(box.around())
    if any(at.tag == "aside" and _CALLOUT.isdisjoint(at.name_words) for at in boxes):
        return True
    return any(at.tag == "header" for at in boxes) and all(at.tag not in {"article", "main"} for at in boxes)


def _is_section(leaf: Leaf) -> bool:
    """Return whether a leaf heads a section of an article, and not a part after the article."""
    if not leaf.heading or lexicon.line_purpose(leaf.words):
        return False
    tags = {box.tag for box in leaf.box.around()}
    return not {"article", "main"}.isdisjoint(tags) and "aside" not in tags


def _keep_title(
    is_kept: NDArray[np.bool_], walked: Walked, unseen: NDArray[np.bool_], *, above: bool, alone: bool, leads: bool
) -> None:
    """Keep the first-level heading of an <article> or <main> where it may stand `above` its text.

    If none is kept, the one that <title> has, too, is kept where it may stand `alone`; so is the only one of the page
    if it stands on the text of a small page, or, where it `leads`, above all that is kept. The truths have the
    headlines of 18 % of articles and 9 % of threads, and those of 59 % of other pages: what is left out is the title of
    the page all the same.
    """
    heads = [at for at, leaf in enumerate(walked.leaves) if leaf.heading == 1 and leaf.chars and not unseen[at]]
    start = int(is_kept.argmax())
    before = [at for at in heads if above and at <= start]
    if before and any(box.tag in {"article", "main"} for box in walked.leaves[before[-1]].box.around()):
        is_kept[before[-1]] = True
    elif alone and not is_kept[heads].any():
        named = [at for at in heads if _contains_words(walked.title, walked.leaves[at].words)]
        page_headings = named or [at for at in heads if not is_linked(walked.leaves[at])]
        stands = (
            len(page_headings) == 1
            and len(is_kept) <= _FEW
            and is_kept[page_headings[0] + 1 : page_headings[0] + 2].any()
        )
        leads = leads and len(page_headings) == 1 and page_headings[0] < start
        if stands or leads or len({folded_words(walked.leaves[at].words) for at in named}) == 1:
            is_kept[page_headings[0]] = True


def _contains_words(text: str, part: str) -> bool:
    """Tell whether a text has the words of another in a row, whatever signs stand between them."""
    return f" {folded_words(part)} " in f" {folded_words(text)} "


def _keep_tables(is_kept: NDArray[np.bool_], tables: Sequence[Box], sizes: Floats) -> None:
    """Keep a table of data between two blocks that are kept: its short cells say little for themselves."""
    kept_words, worded = sizes @ is_kept, sizes.nonzero()[0]
    for table in tables:
        inside = slice(table.first, table.end)
        first, end = np.searchsorted(worded, (table.first, table.end))
        lost = sizes[inside] @ ~is_kept[inside]
        if (
            lost < kept_words
            and is_kept[worded[max(first - 3, 0) : first]].any()
            and is_kept[worded[end : end + 3]].any()
        ):
            is_kept[inside] = True


def _with_neighbours(is_kept: NDArray[np.bool_], sizes: Floats) -> NDArray[np.bool_]:
    """Keep a rule or a picture where the text on both sides of it is kept: without words it speaks for nothing."""
    spots = np.arange(len(is_kept))
    has_words = sizes > 0
    before = np.maximum.accumulate(np.where(has_words, spots, -1))
    after = np.minimum.accumulate(np.where(has_words, spots, len(is_kept))[::-1])[::-1]
    inside = np.concatenate([is_kept, [False]])
    return np.where(has_words, is_kept, inside[before] & inside[after])


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
