"""Builds the document from the leaves that were kept: lists, quotes, tables and notes come back from their boxes."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.segmentation import notes
from wellread.segmentation.boxes import below, chars
from wellread.types import Block, Kind, Span, Style
from wellread.web.extract import tables
from wellread.web.extract.bylines import LONGEST_LINE
from wellread.web.extract.card_links import CardLinks, card_links
from wellread.web.extract.languages import language
from wellread.web.extract.media_lines import is_emoji
from wellread.web.extract.numbered import listed, unmarked, unnumbered
from wellread.web.extract.raised_prices import lowered
from wellread.web.extract.threads import is_quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wellread.segmentation.boxes import Box, Leaf, Walked
    from wellread.types import Document
    from wellread.web.extract.links import Links
    from wellread.web.extract.media_lines import Insertion, Placed
    from wellread.web.extract.selection import Post, Selection

_DEEPEST: Final = 12
"""Lists and quotes nested deeper are read as part of the one above."""
_KINDS: Final = {"ul": Kind.LIST, "ol": Kind.LIST, "menu": Kind.LIST, "dir": Kind.LIST, "blockquote": Kind.QUOTE}
_MAX_LEAVES_TO_HEADING: Final = 3
"""Leaves from a label to the heading that says the same: a picture or two may stand between."""
_LONGEST_STYLE: Final = 1_000
_DECIMAL: Final = re.compile(r"list-style(?:-type)?\s*:[^;]*\bdecimal", re.IGNORECASE)
"""The style of a list, or of its first item, that makes numbers of its bullets."""
_NOTE, _IMAGE, _CODE, _STRONG = int(Style.NOTE), int(Style.IMAGE), int(Style.CODE), int(Style.STRONG)
_OWN: Final = _NOTE | _IMAGE
"""What has an address of its own, whatever link it stands in."""

_Step = tuple[Kind, "Box"]
_Path = tuple[_Step, ...]


class _Open(NamedTuple):
    step: _Step
    children: list[Block]


class Assembled(NamedTuple):
    """The document, and the links in it: absolute, in order, without repeats."""

    document: Document
    links: tuple[str, ...]


def assembled(walked: Walked, choice: Selection, links: Links, labels: Mapping[int, str], media: Placed) -> Assembled:
    """Return the document that the kept leaves make; each of its posts is headed by who wrote it, and when.

    `labels` are of panels, by the index of their box, and are told above what is kept of each. `media` says which
    pictures, captions and embedded content stand among the kept leaves.
    """
    builder = _Builder(walked, choice, links, media)
    builder.label(labels)
    builder.run()
    return Assembled(listed(_without_loose_rules(builder.top)), tuple(dict.fromkeys(builder.seen)))


def _without_loose_rules(blocks: list[Block]) -> Document:
    """Drop rules that part nothing: at either end, and one after another."""
    rule = Block(Kind.RULE)
    kept = [block for before, block in pairwise([rule, *blocks]) if not before.kind is block.kind is Kind.RULE]
    return tuple(kept[:-1] if kept and kept[-1].kind is Kind.RULE else kept)


class _Builder:
    def __init__(self, walked: Walked, choice: Selection, links: Links, media: Placed) -> None:
        self.walked = walked
        self.media = media
        posts, kept = choice.posts, media.kept
        told = {choice.title, *(at for post in posts for at in post.told)}
        self.kept = kept = [keep and at not in told for at, keep in enumerate(kept)] if posts else kept
        self.title = walked.leaves[choice.title] if choice.title is not None else None
        self.posts = {post.opens: post for post in posts}
        self.dated = all(post.date for post in posts)
        self.threaded = {box.index for post in posts for box in post.box.around()}
        """Boxes of and around posts: a thread in a list is no list to read."""
        self.links = links
        self.cards = card_links(walked, self.kept) if not posts else CardLinks({}, frozenset())
        if self.cards.buttons:
            self.kept = kept = [keep and at not in self.cards.buttons for at, keep in enumerate(kept)]
        self.titles = {walked.leaves[at]: href for at, href in self.cards.titles.items()}
        self.top: list[Block] = []
        self.open: list[_Open] = []
        self.labels: dict[int, tuple[Box, str]] = {}
        """By the first leaf that is kept of it, each panel that has one."""
        self.seen: list[str] = []
        self.notes, self.noted = notes.told(walked, kept)
        self.silent = _silent(leaf for leaf, keep in zip(walked.leaves, choice.kept, strict=True) if keep)
        posted = told if posts else set()  # old forums lay out each post as a table with its author in the first cell
        self.data = {
            at: leaves
            for at, leaves in tables.kept_tables(walked, choice).items()
            if at not in self.threaded and posted.isdisjoint(range(walked.boxes[at].first, walked.boxes[at].end))
        }
        """Index of each data table's box -> the leaves in it."""
        self.paths: list[_Path] = []
        self.tables: list[Box | None] = []
        plain = not posts and not self.noted
        for box in walked.boxes:
            path = self.paths[box.parent.index] if box.parent else ()
            outer = self.tables[box.parent.index] if box.parent else None
            if not plain or box.tag == "li" or box.tag in _KINDS:  # which few are
                path = self._place(box, path, outer)
            self.paths.append(path)
            self.tables.append(outer or (box if box.index in self.data else None))

    def label(self, labels: Mapping[int, str]) -> None:
        """Take what panels are called, unless what is kept of one says so itself; their row of tabs goes."""
        leaves, kept = self.walked.leaves, self.kept
        for index, label in labels.items():
            box = self.walked.boxes[index]
            said = ((at, leaves[at]) for at in range(box.first, box.end) if kept[at] and leaves[at].words)
            first, leaf = next(said, (-1, None))
            if leaf is not None and (leaf.preformatted or not leaf.words.lower().startswith(label.lower())):
                self.labels[first] = (box, label)
        named = {label for _, label in self.labels.values()}
        rows = [box for box in self.walked.boxes if box.attributes.get("role") == "tablist"] if named else []
        told = {at for row in rows for at in range(row.first, row.end) if leaves[at].words in named}
        self.kept = [keep and at not in told for at, keep in enumerate(kept)] if told else kept

    def _place(self, box: Box, path: _Path, outer: Box | None) -> _Path:
        """Work out in which lists, quotes and notes a box stands, where the one around it stands in `path`."""
        kind = None if box.index in self.threaded else _KINDS.get(box.tag)
        if self.posts and box.index not in self.threaded and kind in {None, Kind.QUOTE}:
            within = bool(path) and path[-1][0] is Kind.QUOTE
            quoted = is_quote(box) and (box.tag == "blockquote" or not (within or self._is_frame(box)))
            kind = Kind.QUOTE if quoted else None
        if box.index in self.noted:
            kind = Kind.FOOTNOTE
            path = () if path and path[-1][0] is Kind.LIST else path
        elif box.tag == "li" and path and path[-1][0] is Kind.LIST:
            kind = Kind.ITEM
        if kind is not None and outer is None and len(path) < _DEEPEST + (kind is Kind.ITEM):
            path = (*path, (kind, box))
        return path

    def _is_frame(self, box: Box) -> bool:
        """Tell whether all that a box of a quotation adds to the <blockquote> in it is who is quoted."""
        quoted = next((inner for inner in below(box, self.walked) if inner.tag == "blockquote"), None)
        if quoted is None:
            return False
        whole, inner = (chars(self.walked.leaves[at.first : at.end]) for at in (box, quoted))
        return whole - inner <= LONGEST_LINE

    def run(self) -> None:
        done: set[int] = set()
        if self.title is not None:
            self._add(Block(Kind.HEADING, self.spans(self.title), level=self.title.heading or 1))
        for at, (leaf, wanted) in enumerate(zip(self.walked.leaves, self.kept, strict=True)):
            self._insert(self.media.before.get(at, ()))
            if at in self.posts:
                self._reach(())
                self._add(_byline(self.posts[at]))
            if at in self.labels:
                panel, label = self.labels[at]
                self._reach(self.paths[panel.index])
                self._add(Block(Kind.PARAGRAPH, (Span(label, int(Style.STRONG)),)))
            table = self.tables[leaf.box.index]
            if table is not None:
                if table.index not in done:
                    done.add(table.index)
                    self._reach(self.paths[table.index])
                    self._add(tables.table(table, self.walked, self.data[table.index], self.spans))
            elif wanted and not self._is_label(at, leaf):
                self._reach(self.paths[leaf.box.index])
                self._add(self._block(leaf))
            elif at in self.media.captions and (spans := self._undecorated(leaf)):
                self._reach(self.paths[leaf.box.index])
                self._add(Block(Kind.CAPTION, spans))
        self._insert(self.media.before.get(len(self.walked.leaves), ()))
        self._reach(())

    def _insert(self, lines: Iterable[Insertion]) -> None:
        """Add the lines that stand before a leaf; a picture, or a link, that leads nowhere on the web is left out."""
        for line in lines:
            spans = tuple(span for span in map(self._resolved, line.spans) if span is not None)
            leads = all(span.href for span in spans) or not any(span.href for span in line.spans)
            if spans and leads and self.tables[line.box.index] is None:
                self._reach(self.paths[line.box.index])
                self._add(Block(Kind.PARAGRAPH, spans))

    def _is_label(self, at: int, leaf: Leaf) -> bool:
        """Tell whether a line says no more than what comes next: the language of code, or the same words as a heading.

        A tab, or the link of a picture, repeats the heading of its panel or card: `Reports` above `## Reports`.
        """
        if leaf.heading or leaf.preformatted or not leaf.words:
            return False
        below = range(at + 1, min(at + 1 + _MAX_LEAVES_TO_HEADING, len(self.kept)))
        place = next((place for place in below if self.walked.leaves[place].words), None)
        if place is None or not self.kept[place]:
            return False
        after = self.walked.leaves[place]
        if after.preformatted:
            return place == at + 1 and leaf.words.lower() == language(after)
        if not after.heading or leaf.words.strip().casefold() != after.words.strip().casefold():
            return False
        links = {span.href for span in leaf.spans} - {span.href for span in after.spans} - {None}
        return not links and not any(span.style & _IMAGE for span in leaf.spans)

    def _add(self, block: Block | None) -> None:
        if block is None:
            return
        blocks = self.open[-1].children if self.open else self.top
        if block.kind is Kind.TABLE and blocks and blocks[-1].kind is Kind.TABLE:
            joined = tables.joined(blocks[-1], block)
            if joined is not None:
                blocks[-1] = joined
                return
        blocks.append(block)

    def _reach(self, path: _Path) -> None:
        """Close and open containers until just those of `path` are open."""
        same = 0
        while same < len(self.open) and same < len(path) and self.open[same].step[1] is path[same][1]:
            same += 1
        while len(self.open) > same:
            step, children = self.open.pop()
            for block in self._container(step, children):
                self._add(block)
        self.open.extend(_Open(step, []) for step in path[same:])

    def _container(self, step: _Step, children: list[Block]) -> Iterable[Block]:
        kind, box = step
        if kind is Kind.LIST and children:
            items = _nested(children)
            if 2 * sum(map(_is_headed, items)) > len(items):
                return [block for item in items for block in item.children]  # cards: each is a section of its own
            first = self.walked.boxes[box.index : box.index + 2]
            styles = [(at.attributes.get("style") or "")[:_LONGEST_STYLE] for at in first]
            counted = box.tag == "ol" or any(map(_DECIMAL.search, styles))
            number = _first_number(box, self.walked) if counted else 0
            return [Block(Kind.LIST, children=tuple(unnumbered(items, number)), level=number)]
        if kind is Kind.ITEM and len(children) == 1 and children[0].kind is Kind.LIST and self._is_bare(box):
            return children
        if kind is Kind.ITEM and children:
            children = [*unmarked(children, counted=box.parent is not None and box.parent.tag == "ol")]
        if kind is Kind.FOOTNOTE and children:
            label = self.noted[box.index]
            return [Block(kind, children=tuple(notes.unlabelled(children, label)), label=label)]
        return [Block(kind, children=tuple(children))] if children else []

    def _is_bare(self, item: Box) -> bool:
        """Tell whether an item has no text of its own, kept or not: it only sets in the list that it holds."""
        inner = next((box for box in below(item, self.walked) if _KINDS.get(box.tag) is Kind.LIST), item)
        text = [at for at in range(item.first, item.end) if self.walked.leaves[at].words]
        return all(inner.first <= at < inner.end for at in text)

    def _block(self, leaf: Leaf) -> Block | None:
        if leaf.box.tag == "hr" and not leaf.spans:
            return Block(Kind.RULE)
        if leaf.preformatted:
            return Block(Kind.CODE, leaf.spans, label=language(leaf))
        spans = self._undecorated(leaf)
        if not spans:
            return None
        if leaf.heading:
            return Block(Kind.HEADING, spans, level=leaf.heading)
        return Block(Kind.PARAGRAPH, _unlike_bylines(spans, dated=self.dated) if self.posts else spans)

    def _undecorated(self, leaf: Leaf) -> tuple[Span, ...]:
        """Return the spans of a leaf that is no cell, without the pictures that say nothing; emoji are characters."""
        spans = []
        for span in leaf.spans:
            if not span.style & _IMAGE or (span.href and span.href not in self.media.decoration):
                spans.append(span)
            elif is_emoji(span.text):
                spans.append(Span(span.text))
        return self.spans(leaf, tuple(spans))

    def spans(self, leaf: Leaf, told: tuple[Span, ...] | None = None) -> tuple[Span, ...]:
        """Return a leaf's spans with links made absolute, or gone; a signature is one run of code.

        `told` are those of its spans that are wanted; by default all.
        """
        if leaf.chars and leaf.box.is_signature:
            return (Span("".join(span.text for span in leaf.spans if not span.style & _IMAGE), _CODE),)
        told = tuple(lowered(leaf.spans if told is None else told))
        if not any(span.href for span in told):
            over = self.titles.get(leaf) or self.links.over(leaf.words)
            if over is None:
                return told
            told = tuple(span if span.style & _OWN else span._replace(href=over) for span in told)
        if leaf in self.silent:
            told = tuple(span if span.style & _OWN else span._replace(href=None) for span in told)
        return tuple(span for span in map(self._resolved, told) if span is not None)

    def _resolved(self, span: Span) -> Span | None:
        if span.href is None:
            return span
        if span.style & _NOTE:
            label = self.notes.get(span.href[1:])
            return Span(span.text, Style.SUP) if label is None else Span(label, Style.NOTE)
        href = self.links.resolve(span.href)
        if span.style & _IMAGE:
            return Span(span.text, span.style, href) if href or span.text else None
        if href:
            self.seen.append(href)
        elif (mail := self.links.mail(span.href)) and mail.partition(":")[2] not in span.text:
            href = mail
        else:
            self.links.adrift += self.links.is_adrift(span.href)
        return Span(span.text, span.style, href)


def _byline(post: Post) -> Block:
    facts = [post.date, *post.marks] if post.date else post.marks
    spans = [Span(post.author, int(Style.STRONG))]
    if facts:
        spans.append(Span("".join(f" \u00b7 {fact}" for fact in facts)))
    return Block(Kind.BYLINE, tuple(spans), label=post.stamp or post.date)


def _unlike_bylines(spans: Sequence[Span], *, dated: bool) -> tuple[Span, ...]:
    """Take the bold from what stands before a dot, as names of authors do, or alone, if some are not `dated`.

    That shape is ours: else whoever writes a post could begin another one, in the name of anybody.
    """
    lone = not dated and all(span.style & (_STRONG | _IMAGE) or not span.text.strip() for span in spans)
    told = []
    for span in reversed(spans):
        if span.text.strip() and not span.style & (_STRONG | _IMAGE):
            lone = span.text.lstrip().startswith("\u00b7")
        told.append(span._replace(style=span.style & ~_STRONG) if lone else span)
    return tuple(reversed(told))


def _silent(kept: Iterable[Leaf]) -> set[Leaf]:
    """Return the leaves whose link another one tells: of a whole card in one link, its heading, or its first name."""
    found: set[Leaf] = set()
    for href, group in groupby(kept, key=_whole_link):
        row = list(group)
        if href:
            found.update(row)
            found.discard(next((leaf for leaf in row if leaf.heading), None) or max(row, key=_telling))
    return found


def _telling(leaf: Leaf) -> bool:
    """Tell a line that names something from a sign or a badge: `+`, `New`."""
    return leaf.words.count(" ") > 0 and leaf.words[0].isalnum()


def _whole_link(leaf: Leaf) -> str | None:
    """Return the link that all the words of a leaf belong to."""
    if not leaf.links:
        return None
    hrefs = {span.href for span in leaf.spans if not span.style & _OWN and not span.text.isspace()}
    return hrefs.pop() if len(hrefs) == 1 else None


def _nested(children: Iterable[Block]) -> list[Block]:
    """Return the items of a list; a list that stands directly in it is part of the item before, if there is one."""
    items: list[Block] = []
    for child in children:
        if child.kind is Kind.LIST and items:
            items[-1] = items[-1]._replace(children=(*items[-1].children, child))
        else:
            items.extend(_items(child))
    return items


def _items(child: Block) -> Sequence[Block]:
    """Return what a child of a list adds to it: where only the list within an item was kept, the items of that one."""
    within = child.children if child.kind is Kind.ITEM else (child,)
    if len(within) == 1 and within[0].kind is Kind.LIST:
        return within[0].children
    return (child,) if child.kind is Kind.ITEM else (Block(Kind.ITEM, children=within),)


def _is_headed(item: Block) -> bool:
    return any(block.kind is Kind.HEADING for block in item.children)


def _first_number(box: Box, walked: Walked) -> int:
    """Return the number of a list's first item; 0 where they do not count up from it: better none than wrong ones."""
    items = [it for it in below(box, walked) if it.tag == "li" and it.parent is box]
    step = -1 if "reversed" in box.attributes else 1
    first = at = _number(box, "start") or (len(items) if step < 0 else 1)
    for nth, item in enumerate(items):
        at = _number(item, "value") or at
        first = first if nth else at
        if at != first + nth:
            return 0
        at += step
    return first


def _number(box: Box, name: str) -> int:
    told = box.attributes.get(name) or ""
    return int(told) if told.isascii() and told.isdigit() and len(told) < 9 else 0
