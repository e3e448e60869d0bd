"""Labels leaves by the truth: which words of each leaf stand in it, and which leaves should be kept."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from collections.abc import Sequence

WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
"""Words; each character of Chinese, Japanese and Korean counts as one, as in `news.py`."""
_SHORT = 4
"""A leaf of fewer words may stand in the truth by chance..."""
_NEAR = 6
"""...unless a longer one of the truth is so near, or it is of so many words that stand in the truth in a row, as the
short lines of a list are: without that a perfect reader lost .006 on WCXB, .03 on collections."""
_MOST_CELLS = 2_000_000_000


class Labels(NamedTuple):
    """Per leaf of one page."""

    sizes: list[int]
    """Words in it."""
    matched: list[float]
    """Words of it that the truth has, too."""
    kept: list[bool]
    """What a perfect reader keeps."""
    truth: int
    """Words in the truth."""
    best: float
    """F1 of keeping just that."""


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def labelled(leaves: Sequence[Sequence[str]], truth: Sequence[str], *, clean: bool = True) -> Labels:
    """Align the words of the page with those of the truth, then mend the choice greedily by the metric itself."""
    sizes = [len(leaf) for leaf in leaves]
    hits, rows = _aligned(leaves, truth)
    kept = [size > 0 and hit * 2 >= size for size, hit in zip(sizes, hits, strict=True)]
    choice = _Choice(leaves, truth, kept)
    for _ in range(3):
        if not choice.mend():
            break
    if clean:
        _clean(choice.kept, [max(size, row) for size, row in zip(sizes, rows, strict=True)])
    _put_first(choice.kept, leaves)
    matched = [
        float(
            hit
            if hit * 2 >= len(leaf) and keep
            else 0
            if not keep
            else sum(min(choice.truth[word], n) for word, n in Counter(leaf).items())
        )
        for hit, leaf, keep in zip(hits, leaves, choice.kept, strict=True)
    ]
    return Labels(sizes, matched, choice.kept, len(truth), _Choice(leaves, truth, choice.kept).f1())


def _aligned(leaves: Sequence[Sequence[str]], truth: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return of each leaf how many words lie on a longest common subsequence of page and truth, and its longest row.

    A row is words that stand next to one another in both, whatever leaves they are of.
    """
    page = [word for leaf in leaves for word in leaf]
    owner = [at for at, leaf in enumerate(leaves) for _ in leaf]
    hits, rows = [0] * len(leaves), [0] * len(leaves)
    if len(page) * len(truth) > _MOST_CELLS:
        page = page[: _MOST_CELLS // max(1, len(truth))]
    for block in LCSseq.opcodes(page, truth):
        if block.tag == "equal":
            for at in range(block.src_start, block.src_end):
                hits[owner[at]] += 1
                rows[owner[at]] = max(rows[owner[at]], block.src_end - block.src_start)
    return hits, rows


def _clean(kept: list[bool], sizes: Sequence[int]) -> None:
    """Let go what may be kept by chance; a leaf is as long as the row it is of."""
    long = [at for at, keep in enumerate(kept) if keep and sizes[at] >= _SHORT]
    near = {spot for at in long for spot in range(at - _NEAR, at + _NEAR + 1)}
    for at, size in enumerate(sizes):
        if kept[at] and size < _SHORT and at not in near:
            kept[at] = False


def _put_first(kept: list[bool], leaves: Sequence[Sequence[str]]) -> None:
    """Of leaves that say the same, mark the first as kept: a page written twice, for two screens, is read once."""
    same: dict[tuple[str, ...], list[int]] = {}
    for at, leaf in enumerate(leaves):
        if len(leaf) >= _SHORT:
            same.setdefault(tuple(leaf), []).append(at)
    for spots in same.values():
        count = sum(kept[at] for at in spots)
        for number, at in enumerate(spots):
            kept[at] = number < count


class _Choice:
    """A set of leaves and its F1 over the multiset of words."""

    def __init__(self, leaves: Sequence[Sequence[str]], truth: Sequence[str], kept: Sequence[bool]) -> None:
        self.counts = [Counter(leaf) for leaf in leaves]
        self.sizes = [len(leaf) for leaf in leaves]
        self.truth = Counter(truth)
        self.kept = list(kept)
        self.found: Counter[str] = Counter()
        for leaf, keep in zip(leaves, kept, strict=True):
            if keep:
                self.found.update(leaf)
        self.total = sum(self.found.values())
        self.shared = sum((self.found & self.truth).values())
        self.wanted = len(truth)

    def f1(self) -> float:
        return 2 * self.shared / max(1, self.total + self.wanted)

    def mend(self) -> bool:
        """Flip each leaf that raises the F1; tell whether any did."""
        changed = False
        for at, count in enumerate(self.counts):
            if not count:
                continue
            sign = -1 if self.kept[at] else 1
            gain = sum(
                min(self.found[word] + sign * n, self.truth[word]) - min(self.found[word], self.truth[word])
                for word, n in count.items()
            )
            size = sign * self.sizes[at]
            better = 2 * (self.shared + gain) / max(1, self.total + size + self.wanted)
            if better > self.f1() + 1e-9 and (sign < 0 or gain * 2 >= size):
                self.kept[at] = not self.kept[at]
                for word, n in count.items():
                    self.found[word] += sign * n
                self.total += size
                self.shared += gain
                changed = True
        return changed
