"""Builds the document from the leaves that were kept: lists, quotes, tables and notes come back from their boxes."""

from __future__ import annotations

import re
from itertools import combinations, groupby, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.extraction import html_tables
from wellread.extraction.code_languages import language
from wellread.extraction.media_lines import is_emoji
from wellread.extraction.page_type_rules import CardLinks, card_links
from wellread.extraction.post_bylines import LONGEST_LINE
from wellread.extraction.threads import is_quote
from wellread.lazy_pattern import lazy_pattern
from wellread.output.unit_writer import is_picture_block
from wellread.segmentation import notes
from wellread.segmentation.boxes import below, chars
from wellread.types import TERM, Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wellread.extraction.links import Links
    from wellread.extraction.media_lines import Insertion, PlacedMedia
    from wellread.extraction.selection import BlockSelection, Post
    from wellread.segmentation.boxes import Box, Leaf, Walked
    from wellread.types import Document


_DEEPEST: Final = 12
"""Lists and quotes nested deeper are read as part of the one above."""
_KINDS: Final = {"ul": Kind.LIST, "ol": Kind.LIST, "menu": Kind.LIST, "dir": Kind.LIST, "blockquote": Kind.QUOTE}
_MAX_LEAVES_TO_HEADING: Final = 3
"""Leaves from a label to the heading that says the same: a picture or two may stand between."""
_MAX_TABS: Final = 30
"""Tabs whose labels are looked for as one line."""
_LONGEST_STYLE: Final = 1_000
_DECIMAL: Final = lazy_pattern(r"list-style(?:-type)?\s*:[^;]*\bdecimal", re.IGNORECASE)
"""The style of a list, or of its first item, that makes numbers of its bullets."""
_NOTE, _IMAGE, _CODE, _STRONG = int(Style.NOTE), int(Style.IMAGE), int(Style.CODE), int(Style.STRONG)
_OWN: Final = _NOTE | _IMAGE
"""Spans with an address of their own, whatever link they stand in."""

_Step = tuple[Kind, "Box"]
_Path = tuple[_Step, ...]


class _OpenContainer(NamedTuple):
    step: _Step
    children: list[Block]


class Assembled(NamedTuple):
    """The document, and the links in it: absolute, in order, without repeats."""

    document: Document
    links: tuple[str, ...]


def assembled(
    walked: Walked, choice: BlockSelection, links: Links, labels: Mapping[int, str], media: PlacedMedia
) -> Assembled:
    """Return the document that the kept leaves make; each of its posts begins with a byline of author and date.

    `labels` are the labels of panels, by the index of their box; each is printed above the kept text of its panel.
    `media` holds the pictures, captions and embedded content among the kept leaves.
    """
    builder = _DocumentBuilder(walked, choice, links, media)
    builder.label(labels)
    builder.run()
    return Assembled(with_typed_lists(_without_loose_rules(builder.top)), tuple(dict.fromkeys(builder.seen)))


def _without_loose_rules(blocks: list[Block]) -> Document:
    """Drop rules that part nothing: at either end, and one after another."""
    rule = Block(Kind.RULE)
    parted = [block for before, block in pairwise([rule, *blocks]) if not before.kind is block.kind is Kind.RULE]
    if parted and parted[-1].kind is Kind.RULE:
        del parted[-1]
    return tuple(parted)


class _DocumentBuilder:
    def __init__(self, walked: Walked, choice: BlockSelection, links: Links, media: PlacedMedia) -> None:
        self.walked = walked
        self.media = media
        posts, is_kept = choice.posts, media.is_kept
        byline_leaves: set[int | None] = set()
        if posts:
            byline_leaves = {choice.title, *(at for post in posts for at in post.byline_leaves)}
            is_kept = [keep and at not in byline_leaves for at, keep in enumerate(is_kept)]
        self.title: Leaf | None = None
        if choice.title is not None:
            self.title = walked.leaves[choice.title]
        self.posts = {post.opens: post for post in posts}
        self.dated = all(post.date for post in posts)
        self.threaded = {box.index for post in posts for box in post.box.around()}
        """Boxes of and around posts: a thread in a list is no list to read."""
        self.links = links
        self.cards = CardLinks({}, frozenset())
        if not posts:
            self.cards = card_links(walked, is_kept)
        if self.cards.buttons:
            is_kept = [keep and at not in self.cards.buttons for at, keep in enumerate(is_kept)]
        self.is_kept = is_kept
        self.titles = {walked.leaves[at]: href for at, href in self.cards.titles.items()}
        self.top: list[Block] = []
        self.open: list[_OpenContainer] = []
        self.labels: dict[int, tuple[Box, str]] = {}
        """By the first leaf that is kept of it, each panel that has one."""
        self.seen: list[str] = []
        self.notes, self.noted = notes.told(walked, is_kept)
        self.silent = _leaves_with_told_link(
            leaf for leaf, keep in zip(walked.leaves, choice.is_kept, strict=True) if keep
        )
        # Old forums lay out each post as a table with its author in the first cell: no table of data.
        self.data = {
            at: leaves
            for at, leaves in html_tables.kept_tables(walked, choice).items()
            if at not in self.threaded and byline_leaves.isdisjoint(range(walked.boxes[at].first, walked.boxes[at].end))
        }
        """Index of each data table's box -> the leaves in it."""
        self.paths: list[_Path] = []
        """By the index of a box, the lists, quotes and notes around it."""
        self.tables: list[Box | None] = []
        """By the index of a box, the table of data around it."""
        self._locate_boxes()

    def _locate_boxes(self) -> None:
        """Fill `paths` and `tables`: a box comes after the box around it."""
        plain = not self.posts and not self.noted
        for box in self.walked.boxes:
            path: _Path = ()
            table: Box | None = None
            if box.parent:
                path, table = self.paths[box.parent.index], self.tables[box.parent.index]
            if not plain or box.tag == "li" or box.tag in _KINDS:  # which few are
                path = self._place(box, path, table)
            if table is None and box.index in self.data:
                table = box
            self.paths.append(path)
            self.tables.append(table)

    def label(self, labels: Mapping[int, str]) -> None:
        """Take the labels of panels whose kept text does not begin with the label; leave out their row of tabs."""
        leaves, is_kept = self.walked.leaves, self.is_kept
        for index, label in labels.items():
            box = self.walked.boxes[index]
            worded = ((at, leaves[at]) for at in range(box.first, box.end) if is_kept[at] and leaves[at].words)
            first, leaf = next(worded, (-1, None))
            if leaf is not None and (leaf.preformatted or not leaf.words.lower().startswith(label.lower())):
                self.labels[first] = (box, label)
        names = [label for _, label in self.labels.values()]
        if not names:
            return
        rows = [box for box in self.walked.boxes if box.attributes.get("role") == "tablist"]
        tab_leaves = {at for row in rows for at in range(row.first, row.end) if leaves[at].words in names}
        # The labels of radio buttons are one line: `npm Yarn`.
        ends = combinations(range(min(len(names), _MAX_TABS) + 1), 2)
        lines = {" ".join(names[start:end]) for start, end in ends if end - start > 1}
        tab_leaves |= {at for at, leaf in enumerate(leaves) if leaf.words in lines}
        if tab_leaves:
            self.is_kept = [keep and at not in tab_leaves for at, keep in enumerate(is_kept)]

    def _place(self, box: Box, path: _Path, outer: Box | None) -> _Path:
        """Work out in which lists, quotes and notes a box stands, where the one around it stands in `path`."""
        kind = None if box.index in self.threaded else _KINDS.get(box.tag)
        if self.posts and box.index not in self.threaded and kind in {None, Kind.QUOTE}:
            within = bool(path) and path[-1][0] is Kind.QUOTE
            quoted = is_quote(box) and (box.tag == "blockquote" or not (within or self._is_frame(box)))
            kind = Kind.QUOTE if quoted else None
        if box.index in self.noted:
            kind = Kind.FOOTNOTE
            if path and path[-1][0] is Kind.LIST:
                path = ()
        elif box.tag == "li" and path and path[-1][0] is Kind.LIST:
            kind = Kind.ITEM
        if kind is not None and outer is None and len(path) < _DEEPEST + (kind is Kind.ITEM):
            path = (*path, (kind, box))
        return path

    def _is_frame(self, box: Box) -> bool:
        """Return whether a box of a quotation adds no more than the quoted author to the <blockquote> in it."""
        quoted = next((inner for inner in below(box, self.walked) if inner.tag == "blockquote"), None)
        if quoted is None:
            return False
        outer_chars, inner = (chars(self.walked.leaves[at.first : at.end]) for at in (box, quoted))
        return outer_chars - inner <= LONGEST_LINE

    def run(self) -> None:
        done: set[int] = set()
        if self.title is not None:
            self._add(Block(Kind.HEADING, self.spans(self.title), level=self.title.heading or 1))
        for at, (leaf, is_kept) in enumerate(zip(self.walked.leaves, self.is_kept, strict=True)):
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
                    self._add(html_tables.table(table, self.walked, self.data[table.index], self.spans))
            elif is_kept and not self._is_label(at, leaf):
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
        """Return whether a line only repeats the next leaf: the language of code, or the words of a heading.

        A tab, or the link of a picture, repeats the heading of its panel or card: `Reports` above `## Reports`.
        """
        if leaf.heading or leaf.preformatted or not leaf.words:
            return False
        below = range(at + 1, min(at + 1 + _MAX_LEAVES_TO_HEADING, len(self.is_kept)))
        place = next((place for place in below if self.walked.leaves[place].words), None)
        if place is None or not self.is_kept[place]:
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
            joined = html_tables.merged_tables(blocks[-1], block)
            if joined is not None:
                blocks[-1] = joined
                return
        blocks.append(block)

    def _reach(self, path: _Path) -> None:
        """Close and open containers until only the containers of `path` are open."""
        same = 0
        while same < len(self.open) and same < len(path) and self.open[same].step[1] is path[same][1]:
            same += 1
        while len(self.open) > same:
            step, children = self.open.pop()
            for block in self._container(step, children):
                self._add(block)
        self.open.extend(_OpenContainer(step, []) for step in path[same:])

    def _container(self, step: _Step, children: list[Block]) -> Iterable[Block]:
        kind, box = step
        if kind is Kind.LIST and children:
            items = _nested(children)
            if 2 * sum(map(_is_headed, items)) > len(items):
                return [block for item in items for block in item.children]  # cards: each is a section of its own
            first = self.walked.boxes[box.index : box.index + 2]
            styles = [(at.attributes.get("style") or "")[:_LONGEST_STYLE] for at in first]
            counted = box.tag == "ol" or any(map(_DECIMAL.search, styles))
            number = 0
            if counted:
                number = _first_number(box, self.walked)
            return [Block(Kind.LIST, children=tuple(unnumbered(items, number)), level=number)]
        if kind is Kind.ITEM and len(children) == 1 and children[0].kind is Kind.LIST and self._is_bare(box):
            return children
        if kind is Kind.ITEM and children:
            children = [*unmarked(children, counted=box.parent is not None and box.parent.tag == "ol")]
        if kind is Kind.FOOTNOTE and children:
            label = self.noted[box.index]
            return [Block(kind, children=tuple(notes.unlabelled(children, label)), label=label)]
        if not children:
            return []
        return [Block(kind, children=tuple(children))]

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
        if self.posts:
            spans = _without_byline_bold(spans, dated=self.dated)
        above = leaf.box.parent
        if leaf.box.tag == "dt" or (above is not None and above.tag == "dt"):
            return Block(Kind.PARAGRAPH, spans, label=TERM)
        return Block(Kind.PARAGRAPH, spans)

    def _undecorated(self, leaf: Leaf) -> tuple[Span, ...]:
        """Return the spans of a leaf that is no cell, without the pictures that say nothing; emoji are characters."""
        spans = []
        for span in leaf.spans:
            if not span.style & _IMAGE or (span.href and span.href not in self.media.decoration):
                spans.append(span)
            elif is_emoji(span.text):
                spans.append(Span(span.text))
        return self.spans(leaf, tuple(spans))

    def spans(self, leaf: Leaf, spans: tuple[Span, ...] | None = None) -> tuple[Span, ...]:
        """Return a leaf's spans with links made absolute, or gone; a signature is one run of code.

        `spans` are the spans to return; by default all.
        """
        if leaf.chars and leaf.box.is_signature:
            return (Span("".join(span.text for span in leaf.spans if not span.style & _IMAGE), _CODE),)
        if spans is None:
            spans = leaf.spans
        spans = tuple(with_lowered_prices(spans))
        if not any(span.href for span in spans):
            over = self.titles.get(leaf) or self.links.over(leaf.words)
            if over is None:
                return spans
            spans = _relinked(spans, over)
        if leaf in self.silent:
            spans = _relinked(spans, None)
        return tuple(span for span in map(self._resolved, spans) if span is not None)

    def _resolved(self, span: Span) -> Span | None:
        if span.href is None:
            return span
        if span.style & _NOTE:
            label = self.notes.get(span.href[1:])
            if label is None:
                return Span(span.text, Style.SUP)
            return Span(label, Style.NOTE)
        href = self.links.resolve(span.href)
        if span.style & _IMAGE:
            if href or span.text:
                return Span(span.text, span.style, href)
            return None
        if href:
            self.seen.append(href)
        elif (mail := self.links.mail(span.href)) and mail.partition(":")[2] not in span.text:
            href = mail
        else:
            self.links.adrift += self.links.is_adrift(span.href)
        return Span(span.text, span.style, href)


def _relinked(spans: Iterable[Span], href: str | None) -> tuple[Span, ...]:
    """Return spans with another link, but for notes and pictures, which have links of their own."""
    return tuple(span if span.style & _OWN else span._replace(href=href) for span in spans)


def _byline(post: Post) -> Block:
    facts = [fact for fact in (post.date, *post.marks) if fact]
    spans = [Span(post.author, int(Style.STRONG))]
    if facts:
        spans.append(Span("".join(f" \u00b7 {fact}" for fact in facts)))
    return Block(Kind.BYLINE, tuple(spans), label=post.stamp or post.date)


def _without_byline_bold(spans: Sequence[Span], *, dated: bool) -> tuple[Span, ...]:
    """Remove the bold of text that would look like our bylines: before a dot, or alone if some posts are not `dated`.

    That shape is ours: else whoever writes a post could begin another one, in the name of anybody.
    """
    lone = not dated and all(span.style & (_STRONG | _IMAGE) or not span.text.strip() for span in spans)
    unbolded = []
    for span in reversed(spans):
        if span.text.strip() and not span.style & (_STRONG | _IMAGE):
            lone = span.text.lstrip().startswith("\u00b7")
        unbolded.append(span._replace(style=span.style & ~_STRONG) if lone else span)
    return tuple(reversed(unbolded))


def _leaves_with_told_link(leaves: Iterable[Leaf]) -> set[Leaf]:
    """Return the leaves whose link another one tells: of a whole card in one link, its heading, or its first name."""
    silent: set[Leaf] = set()
    for href, group in groupby(leaves, key=_only_link):
        row = list(group)
        if href:
            silent.update(row)
            silent.discard(next((leaf for leaf in row if leaf.heading), None) or max(row, key=_names_something))
    return silent


def _names_something(leaf: Leaf) -> bool:
    """Tell a line that names something from a sign or a badge: `+`, `New`."""
    return leaf.words.count(" ") > 0 and leaf.words[0].isalnum()


def _only_link(leaf: Leaf) -> str | None:
    """Return the link that all the words of a leaf belong to."""
    if not leaf.links:
        return None
    hrefs = {span.href for span in leaf.spans if not span.style & _OWN and not span.text.isspace()}
    if len(hrefs) != 1:
        return None
    return hrefs.pop()


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
    """Return the items that a child adds to its list: of an item with only a nested list, the items of that list."""
    if child.kind is not Kind.ITEM:
        child = Block(Kind.ITEM, children=(child,))
    if len(child.children) == 1 and child.children[0].kind is Kind.LIST:
        return child.children[0].children
    return (child,)


def _is_headed(item: Block) -> bool:
    return any(block.kind is Kind.HEADING for block in item.children)


def _first_number(box: Box, walked: Walked) -> int:
    """Return the number of a list's first item; 0 where they do not count up from it: better none than wrong ones."""
    items = [child for child in below(box, walked) if child.tag == "li" and child.parent is box]
    step = -1 if "reversed" in box.attributes else 1
    default = len(items) if step < 0 else 1
    first = at = _number(box, "start") or default
    for nth, item in enumerate(items):
        at = _number(item, "value") or at
        if nth == 0:
            first = at
        if at != first + nth:
            return 0
        at += step
    return first


def _number(box: Box, name: str) -> int:
    digits = box.attributes.get(name) or ""
    if digits.isascii() and digits.isdigit() and len(digits) < 9:
        return int(digits)
    return 0


# ---------------------------------------------------------------------------------------------------------- typed lists
# Makes lists of lines that were typed as lists: with numbers that count on, or with bullets.

_LIST_SIGN: Final = lazy_pattern(r"(?:([1-9]\d{0,2})[.)]|[\u00b7\u2022\u25cf\u25aa\u25e6\u2023\u2043\u2219])(?:\s+|$)")
"""Years have more digits."""
_NO_SIGN: Final = int(Style.IMAGE | Style.CODE | Style.MATH | Style.NOTE)
_BREAK: Final = Span("\n")
_FEWEST_ITEMS: Final = 2
"""Of a list whose numbers may be said to count on."""


class _TypedLine(NamedTuple):
    block: Block
    spans: tuple[Span, ...]
    number: int | None
    """0 for a bullet, None where there is no sign."""
    pictures: list[Block]
    """Pictures and captions that follow it: they part no list."""


def with_typed_lists(document: Sequence[Block]) -> Document:
    """Return `document` with a list wherever two or more typed list lines stand one after another."""
    if not any(_LIST_SIGN.match(span.text) for block in document for span in block.spans):
        return tuple(document)
    blocks: list[Block] = []
    first = next((at for at, block in enumerate(document) if not is_picture_block(block)), len(document))
    blocks.extend(document[:first])
    for run in _runs(_lines_with_pictures(document[first:])):
        if len(run) > 1 and run[0].number is not None:
            items = [_item(line) for line in run]
            blocks.append(Block(Kind.LIST, children=tuple(items), level=run[0].number))
            continue
        if not run[0].spans:
            blocks.append(run[0].block)
        else:
            spans = [span for line in run for span in (_BREAK, *line.spans)]
            blocks.append(run[0].block._replace(spans=tuple(spans[1:])))
        blocks.extend(block for line in run for block in line.pictures)
    return tuple(blocks)


def _item(line: _TypedLine) -> Block:
    return Block(Kind.ITEM, children=(Block(Kind.PARAGRAPH, _without_sign(line.spans)), *line.pictures))


def _lines_with_pictures(document: Sequence[Block]) -> list[_TypedLine]:
    """Return the lines of blocks, of which the first is no picture, each with the pictures that follow it."""
    lines: list[_TypedLine] = []
    for block in document:
        if is_picture_block(block):
            lines[-1].pictures.append(block)
        else:
            lines.extend(_lines(block))
    return lines


def unmarked(children: Sequence[Block], *, counted: bool) -> Sequence[Block]:
    """Return an item's blocks without a line above that holds only its bullet, or its number if it is `counted`."""
    if len(children) <= 1:
        return children
    sign = _LIST_SIGN.fullmatch("".join(span.text for span in children[0].spans))
    if sign and (counted or not sign[1]):
        return children[1:]
    return children


def unnumbered(items: Sequence[Block], first: int) -> Sequence[Block]:
    """Return the items of a list that counts from `first`, without the numbers that all of them have in their text."""
    if not first or len(items) < _FEWEST_ITEMS:
        return items
    plain = [_without_number(item, first + nth) for nth, item in enumerate(items)]
    if None not in plain:
        return [item for item in plain if item is not None]
    return items


def _without_number(item: Block, number: int) -> Block | None:
    """Return an item without the number that its text begins with; None if it begins otherwise, or says no more."""
    at = next((at for at, child in enumerate(item.children) if not is_picture_block(child)), None)
    if at is None or not item.children[at].spans:
        return None
    lead = item.children[at]
    sign = _LIST_SIGN.match(lead.spans[0].text)
    unsigned = _without_sign(lead.spans)
    if sign is None or sign[1] != str(number) or not any(span.text.strip() for span in unsigned):
        return None
    return item._replace(children=(*item.children[:at], lead._replace(spans=unsigned), *item.children[at + 1 :]))


def _lines(block: Block) -> Iterator[_TypedLine]:
    if block.kind is not Kind.PARAGRAPH:
        yield _TypedLine(block, (), None, [])
        return
    for broken, group in groupby(block.spans, key=lambda span: span.text == "\n"):
        if not broken:
            spans = tuple(group)
            sign = None if spans[0].style & _NO_SIGN else _LIST_SIGN.match(spans[0].text)
            number = None
            if sign and any(span.text.strip() for span in _without_sign(spans)):
                number = int(sign[1] or 0)
            yield _TypedLine(block, spans, number, [])


def _runs(lines: Sequence[_TypedLine]) -> Iterator[list[_TypedLine]]:
    """Yield the runs of lines that make a list, and the other lines of each block."""
    run: list[_TypedLine] = []
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        goes_on = bool(run) and _counts_on(run[-1], line)
        counts = goes_on or _counts_on(line, following)
        beside = not counts and bool(run) and run[-1].number is None and run[-1].block is line.block
        if run and not goes_on and not beside:
            yield run
            run = []
        run.append(line if counts else line._replace(number=None))
    if run:
        yield run


def _counts_on(line: _TypedLine, following: _TypedLine | None) -> bool:
    """Tell whether two lines are of one list."""
    if line.number is None or following is None:
        return False
    if line.number == 0:
        return following.number == 0
    return following.number == line.number + 1


def _without_sign(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    first = _LIST_SIGN.sub("", spans[0].text, count=1)
    following = spans[1:]
    if not first and following:
        return (following[0]._replace(text=following[0].text.lstrip()), *following[1:])
    return (spans[0]._replace(text=first), *following)


# -------------------------------------------------------------------------------------------------------- raised prices
# Writes prices in one line whose currency, or whose last two digits, stand raised: `$549` and a small `00`.

_SUP: Final = int(Style.SUP)
_SIGNS: Final = "$\u20ac\u00a3\u00a5\u20b9"
_CURRENCY: Final = lazy_pattern(rf"[{_SIGNS}]")
_WITH_POINT: Final = lazy_pattern(rf"[.,]\d\d(?: ?[{_SIGNS}])?")
_DIGITS: Final = lazy_pattern(rf"\d\d(?: ?[{_SIGNS}])?")
_PRICED: Final = lazy_pattern(rf"[{_SIGNS}] ?\d{{1,3}}(?:[ ,.]?\d{{3}}){{0,2}}$")
"""An amount with its currency before it, at the end of a text."""
_AMOUNT: Final = lazy_pattern(r"(?<![\d.,])\d{1,3}(?:[ ,.]?\d{3}){0,2}$")
_MAX_AMOUNT_CHARS: Final = 20
"""Characters."""
_MAX_PRICE_LINE_CHARS: Final = 60
"""Characters of a line in which two raised digits after a price are a part of it, and no reference to a note."""


def with_lowered_prices(spans: Sequence[Span]) -> Sequence[Span]:
    """Return the spans of a line with its prices as they are read aloud."""
    if not any(span.style & _SUP for span in spans):
        return spans
    short = sum(len(span.text) for span in spans) <= _MAX_PRICE_LINE_CHARS
    lines: list[Span] = []
    for at, span in enumerate(spans):
        text = None
        if span.style & _SUP and not span.style & _NOTE and span.href is None:  # what leads somewhere is a note
            before = "".join(line.text for line in lines[-2:])[-_MAX_AMOUNT_CHARS:]
            after = "".join(following.text for following in spans[at + 1 : at + 3])[:2]
            text = _lowered_text(span.text.strip(), before, after, short=short)
        if text is None:
            lines.append(span)
        else:
            lines.append(Span(text, span.style & ~_SUP, span.href))
    return lines


def _lowered_text(raised: str, before: str, after: str, *, short: bool) -> str | None:
    """Return a raised text as it is read in its line, or None where it is no part of a price."""
    is_currency = _CURRENCY.fullmatch(raised) and (after[:1].isdigit() or before[-1:].isdigit())
    if is_currency or (_WITH_POINT.fullmatch(raised) and _AMOUNT.search(before)):
        return raised
    if not short or not _DIGITS.fullmatch(raised):
        return None
    if priced := _PRICED.search(before):
        return f"{',' if '.' in priced[0] else '.'}{raised}"
    if (_CURRENCY.search(after) or _CURRENCY.search(raised)) and _AMOUNT.search(before):
        return f",{raised}"
    return None
