"""Scores choices of leaves by the metrics of the three sets, as closely as leaves alone allow."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.extraction.learned_selector import MODE_SETTINGS, best_subset
from wellread.extraction.repeat_rules import without_repetitions
from wellread.extraction.selection import PAGE_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from examples import Example
    from numpy.typing import NDArray

    from wellread.types import Mode, PageType

_GRAM = 4
REPORTED: Final[tuple[Mode, ...]] = ("balanced", "precision")


class Told(NamedTuple):
    """What a network said of one page, by mode."""

    page: Example
    odds: Mapping[Mode, NDArray[np.float32]]
    kind: PageType


def choice(told: Told, mode: Mode) -> NDArray[np.bool_]:
    """Return the leaves that the reader keeps in this mode."""
    taste = MODE_SETTINGS[mode]
    likely = 1 / (1 + np.exp(-taste.trust * told.odds[mode]))
    sizes = np.array(told.page.sizes, np.float32)
    kept = best_subset(likely, sizes, taste.recall)
    return without_repetitions(kept, told.page.features, np.zeros(len(kept), np.bool_))


def f1(page: Example, kept: NDArray[np.bool_]) -> float:
    """Return the F1 over the multiset of words."""
    found = page.tokens[np.repeat(kept, page.sizes)]
    if not len(found) + len(page.truth):
        return 1.0
    values, spots = np.unique(np.concatenate([found, page.truth]), return_inverse=True)
    ours, theirs = (np.bincount(part, minlength=len(values)) for part in np.split(spots, [len(found)]))
    return float(2 * np.minimum(ours, theirs).sum() / (len(found) + len(page.truth)))


def shingles(page: Example, kept: NDArray[np.bool_]) -> tuple[float, float]:
    """Return precision and recall over the multiset of four words in a row."""
    ours, theirs = (_grams(words.tolist()) for words in (page.tokens[np.repeat(kept, page.sizes)], page.truth))
    both = sum((ours & theirs).values())
    return both / max(1, sum(ours.values())), both / max(1, sum(theirs.values()))


def _grams(words: list[int]) -> Counter[tuple[int, ...]]:
    size = min(_GRAM, len(words))
    return Counter(tuple(words[at : at + size]) for at in range(len(words) - size + 1)) if size else Counter()


def report(results: Sequence[Told]) -> None:
    """Print the table: WCXB by kind of page; AEB, trafilatura's set and news in both modes."""
    scores: dict[str, list[float]] = defaultdict(list)
    right: dict[str, list[bool]] = defaultdict(list)
    for told in results:
        if told.page.source == "wcxb":
            scores[told.page.kind].append(f1(told.page, choice(told, "balanced")))
            right[told.page.kind].append(told.kind == told.page.kind)
    every = [score for kind in PAGE_TYPES for score in scores[kind]]
    macro = np.mean([np.mean(scores[kind]) for kind in PAGE_TYPES])
    print(f"wcxb, {len(every)} pages: F1 {np.mean(every):.4f}, macro {macro:.4f}")
    for kind in PAGE_TYPES:
        print(f"  {kind:15}{len(scores[kind]):5}  F1 {np.mean(scores[kind]):.4f}  kind told {np.mean(right[kind]):.2f}")
    for mode in REPORTED:
        _report_others(results, mode)


def _report_others(results: Sequence[Told], mode: Mode) -> None:
    pairs = [shingles(told.page, choice(told, mode)) for told in results if told.page.source == "aeb"]
    precision, recall = np.mean(pairs, axis=0)
    print(f"aeb, {mode}: P {precision:.3f} R {recall:.3f} F1 {2 * precision * recall / (precision + recall):.4f}")
    news = [f1(told.page, choice(told, mode)) for told in results if told.page.source == "news"]
    if news:
        print(f"news, {len(news)} pages, {mode}: F1 {np.mean(news):.4f}")
    hits = misses = leaks = 0
    for told in results:
        if told.page.marks is not None:
            kept, marks = choice(told, mode), np.array(told.page.marks)
            hits += int((kept & (marks == 1)).sum())
            misses += int((~kept & (marks == 1)).sum())
            leaks += int((kept & (marks == 0)).sum())
    print(f"trafeval, {mode}: F1 over marked leaves {2 * hits / (2 * hits + misses + leaks):.4f}")
