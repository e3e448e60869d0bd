"""Picks the main content by the names of boxes, the landmarks of the page, and where unlinked text is dense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.web.extract.asides import LANDMARKS, SECTION, Shares, is_aside, is_caption, is_forum
from wellread.web.extract.names import word_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.types import Mode
    from wellread.web.extract.boxes import Box, Leaf, Walked


class _Taste(NamedTuple):
    """How much to leave out. Shares are of the page's text; measured on WCXB."""

    shares: Shares = Shares()
    dense_prose: float = 0.7
    """A box that holds this much of the unlinked text holds the content, on pages of prose..."""
    dense_other: float = 0.9
    """...and on others, where content is spread out."""
    cuts: bool = True
    """Leave out sections and link lists that follow an article."""
    captions: bool = True


_TASTES: Final[dict[Mode, _Taste]] = {
    "balanced": _Taste(),
    "precision": _Taste(shares=Shares(0.3, 0.1), dense_prose=0.6, dense_other=0.8, captions=False),
    "recall": _Taste(shares=Shares(0.05, 0.02, 0.05), dense_prose=0.95, dense_other=0.98, cuts=False),
}
_MAIN_SHARE: Final = 0.3
_ARTICLE_SHARE: Final = 0.6
_PROSE_SHARE: Final = 0.6
_SOME_PROSE: Final = 0.3
_LITTLE_PROSE: Final = 400
_LONG: Final = 120
_SECTION_SHARE: Final = 0.4
_MOST_SECTIONS: Final = 200
_PARTS: Final = word_set("p table ul ol dl tbody tr li td h1 h2 h3 h4 h5 h6 pre blockquote")
"""Boxes too small to be the place of a page's content."""


class _Linked(NamedTuple):
    """What makes a box one of links: its tag, the share of linked text, the mean length and the number of leaves."""

    tags: frozenset[str]
    share: float
    length: int
    items: int


_LEAST_SHARE: Final = 0.1
"""Keeping less than this of all prose on the page means that the content was mistaken for something else."""
_LINK_LISTS: Final = _Linked(word_set("ul ol div section table"), share=0.7, length=80, items=2)
_MENUS: Final = _Linked(word_set("ul ol"), share=0.95, length=30, items=6)
"""All that is left out where links may be the content."""


class DensitySelector:
    """The heuristic selector: no training, no rule for any one site."""

    name = "density"

    def select(self, walked: Walked, mode: Mode) -> Sequence[bool]:
        """Return for each leaf whether it is kept."""
        return _Choice(walked, _TASTES[mode]).made()


class _Choice:
    def __init__(self, walked: Walked, taste: _Taste) -> None:
        self.walked = walked
        self.taste = taste
        self.outside = self._outside()
        self.place = walked.boxes[0]
        self.kept: list[bool] = []

    def made(self) -> list[bool]:
        """Decide in steps, from the coarse to the fine."""
        self._find_place()
        inside = self._inside(self.place)
        leaves = self.walked.leaves
        self.kept = [inside[leaf.box.index] and not self.outside[leaf.box.index] for leaf in leaves]
        self._weigh_noscript()
        if self.taste.cuts and self._prose() >= _SOME_PROSE:
            self._cut_sections(inside)
            self._cut_linked(inside, _LINK_LISTS)
        elif self.taste.cuts and self._kept_prose() >= _LITTLE_PROSE:
            self._cut_linked(inside, _MENUS)
        self._keep_headings()
        if not self.taste.captions:
            self.kept = [keep and not is_caption(leaf.box) for keep, leaf in zip(self.kept, leaves, strict=True)]
        if self._kept_chars(0, len(leaves) - 1) < _LEAST_SHARE * self._readable():
            self.kept = [not _in_landmark(leaf) for leaf in leaves]
        return self.kept

    def _readable(self) -> int:
        """Return the length of all prose outside landmarks, at least 1."""
        return max(1, sum(leaf.chars for leaf in self.walked.leaves if _is_prose(leaf) and not _in_landmark(leaf)))

    def _outside(self) -> list[bool]:
        """Tell for each box whether it stands beside the content."""
        boxes = self.walked.boxes
        total = max(1, boxes[0].chars)
        shares = self.taste.shares
        if is_forum(boxes):
            shares = shares._replace(comments=shares.asides)
        outside = [False] * len(boxes)
        for box in boxes:
            if box.parent is not None and box.items:
                outside[box.index] = outside[box.parent.index] or is_aside(box, box.chars / total, shares)
        return outside

    def _inside(self, place: Box) -> list[bool]:
        inside = [False] * len(self.walked.boxes)
        for box in self.walked.boxes[place.index :]:
            inside[box.index] = box is place or (box.parent is not None and inside[box.parent.index])
        return inside

    def _find_place(self) -> None:
        """Find the smallest box that holds nearly all of the content."""
        boxes = self.walked.boxes
        weight = [0] * len(boxes)
        children: dict[int, list[Box]] = {}
        for leaf in self.walked.leaves:
            if not self.outside[leaf.box.index]:
                weight[leaf.box.index] += leaf.chars if leaf.heading else leaf.chars - leaf.link_chars
        for box in reversed(boxes):
            if box.parent is not None and weight[box.index]:
                weight[box.parent.index] += weight[box.index]
                children.setdefault(box.parent.index, []).append(box)

        def heaviest(among: list[Box], share: float) -> Box | None:
            best = max(among, key=lambda box: weight[box.index], default=None)
            return best if best is not None and weight[best.index] >= share * max(1, weight[self.place.index]) else None

        self.place = heaviest([box for box in boxes if _is_main(box)], _MAIN_SHARE) or self.place
        self.place = heaviest([box for box in boxes if box.tag == "article"], _ARTICLE_SHARE) or self.place
        dense = self.taste.dense_prose if self._prose() >= _PROSE_SHARE else self.taste.dense_other
        while (child := heaviest(children.get(self.place.index, []), dense)) and child.tag not in _PARTS:
            self.place = child

    def _prose(self) -> float:
        """Return the share of long, mostly unlinked leaves in the text at the place."""
        total = prose = 0
        for leaf in self.walked.leaves[max(0, self.place.first) : self.place.last + 1]:
            if not self.outside[leaf.box.index]:
                total += leaf.chars
                prose += leaf.chars if _is_prose(leaf) else 0
        return prose / max(1, total)

    def _kept_prose(self) -> int:
        leaves = zip(self.walked.leaves, self.kept, strict=True)
        return sum(leaf.chars for leaf, keep in leaves if keep and _is_prose(leaf))

    # ------------------------------------------------------------------------------------- finer steps

    def _drop(self, first: int, last: int) -> None:
        self.kept[first : last + 1] = [False] * (last + 1 - first)

    def _weigh_noscript(self) -> None:
        """Keep what is for readers without scripts only where it says more than the rest: some forums do so."""
        without = [box for box in self.walked.boxes if box.tag == "noscript" and box.items]
        if not without:
            return
        everything = self._kept_chars(0, len(self.kept) - 1)
        noscript = sum(self._kept_chars(box.first, box.last) for box in without)
        if noscript * 2 <= everything:
            for box in without:
                self._drop(box.first, box.last)

    def _kept_chars(self, first: int, last: int) -> int:
        return sum(
            leaf.chars
            for leaf, keep in zip(self.walked.leaves[first : last + 1], self.kept[first : last + 1], strict=True)
            if keep
        )

    def _cut_sections(self, inside: Sequence[bool]) -> None:
        """Leave out `Related posts` with all that follows below it, unless that is much of the page."""
        everything = self._kept_chars(0, len(self.kept) - 1)
        left = _MOST_SECTIONS
        for index, leaf in enumerate(self.walked.leaves):
            if not left:
                return
            if self.kept[index] and 0 < leaf.chars <= 60 and SECTION.match("".join(span.text for span in leaf.spans)):
                left -= 1
                last = self._section_end(index, leaf, inside) if leaf.heading else index
                if self._kept_chars(index, last) < _SECTION_SHARE * everything:
                    self._drop(index, last)

    def _section_end(self, index: int, leaf: Leaf, inside: Sequence[bool]) -> int:
        """Return the last leaf of the section that a heading opens."""
        box = leaf.box
        while (
            box.parent is not None
            and box.parent is not self.place
            and inside[box.parent.index]
            and not any(self.kept[box.parent.first : index])
        ):
            box = box.parent
        if box is not leaf.box:
            return box.last
        limit = box.parent.last if box.parent else len(self.kept) - 1
        last = index
        while last < limit and not 0 < self.walked.leaves[last + 1].heading <= leaf.heading:
            last += 1
        return last

    def _cut_linked(self, inside: Sequence[bool], kind: _Linked) -> None:
        """Leave out boxes that are mostly short links: on a page of prose they lead elsewhere."""
        for box in self.walked.boxes:
            if box.items >= kind.items and box.tag in kind.tags and inside[box.index]:
                linked = box.link_chars > kind.share * box.chars and box.chars < kind.length * box.items
                if linked and any(self.kept[box.first : box.last + 1]):
                    self._drop(box.first, box.last)

    def _keep_headings(self) -> None:
        """Take back headings from the <header> of an article: that is where its title stands."""
        for index, leaf in enumerate(self.walked.leaves):
            if leaf.heading and not self.kept[index]:
                above = [leaf.box, *leaf.box.above()]
                header = next((at for at, box in enumerate(above) if box.tag == "header"), None)
                if header is not None and any(box.tag in {"article", "main"} for box in above[header:]):
                    self.kept[index] = not any(box.tag == "aside" for box in above)


def _in_landmark(leaf: Leaf) -> bool:
    return any(box.tag in LANDMARKS for box in (leaf.box, *leaf.box.above()))


def _is_prose(leaf: Leaf) -> bool:
    return leaf.chars >= _LONG and leaf.link_chars < 0.3 * leaf.chars


def _is_main(box: Box) -> bool:
    return box.tag == "main" or box.attributes.get("role") == "main" or {"main", "content"} <= box.words
