"""Tells markup made to choke the parser from what people read, and blunts it before it is parsed.

lexbor is quadratic in the depth of the tree, in attributes per tag and in <option> elements, and repeats formatting
elements that stay open in every block (measured: 40,000 nested lists 8 s, 40,000 attributes 2.4 s, 20,000 options
1.3 s, 2,000 <font> and as many paragraphs 0.7 GB). The scan is linear and may suspect the innocent: a suspect is read
in a process that can be killed, and blunting keeps nearly all readable; what gets past it costs that process alone.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate
from typing import Final

DEEPEST: Final = 512
"""As in browsers: Chromium puts what is nested deeper side by side."""
MOST_ATTRIBUTES: Final = 500
_FEW_ATTRIBUTES: Final = 20
MOST_OPTIONS: Final = 1_000
MOST_FORMATTING: Final = 8
"""Formatting elements open at once: the parser repeats all of them in every paragraph they run into."""
_LARGE: Final = 1_000_000
"""Bytes from which a page is suspect as such: one page in a hundred is larger."""
_MOST_TAGS: Final = 60_000
"""Three times the most that 2,000 pages have, each less than a large page: as many blocks take seconds to be judged."""
_SMALL: Final = 10_000
_MANY_TAGS: Final = 8_000
"""Below this the deepest page costs half a second, and one page in a hundred has more."""
_MOST_REPEATED: Final = 100_000
"""Formatting elements left open, times tags: about the nodes that the parser makes of them."""
_LONG_CLASS: Final = 1_000
_MOST_NAMES: Final = 64_000
"""Bytes of classes that are longer than that: twice the most of 1,497 pages. Who names a box so asks each in it to read
the names again."""
_IN_SIGHT: Final = 64
"""How far down the open elements a closing tag looks for its own."""

_VOID = (
    "path use circle rect line polygon polyline ellipse stop "
    "area base br col embed hr img input link meta param source track wbr"
)
_OPTIONAL = (
    "p li dt dd option optgroup tr td th tbody thead tfoot colgroup rp rt rb rtc body html head caption a nobr button"
)
"""Closed by what follows them, so never nested by themselves."""
_ITEMS = {"li": "li", "dd": "dd", "dt": "dd", "rt": "rt", "rp": "rt", "rb": "rt", "rtc": "rt"}
"""Elements of lists and ruby, each with one of its like: an open tag closes its like, and nests in the others.

Items without a list nest in terms, and terms in items; parts of ruby nest in each other where no <ruby> is open (HTML
standard, 13.2.6.4.7). The parser is quadratic in that depth: 200 KB of `<li>sea<dd>low<dt>tide` took it 2 s."""
_ITEM_CONTAINERS = {"ul", "ol", "menu", "dir", "dl", "ruby"}
_FORMATTING = {"b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"}
_IGNORED = frozenset((*_VOID.split(), *_OPTIONAL.split()))
_FORMATTING_TAGS = frozenset(name.encode() for name in _FORMATTING)
_IGNORED_TAGS = frozenset(name.encode() for name in _IGNORED)
_BORDERS = frozenset(b"td th caption table object marquee applet template svg math".split())
"""No closing tag of another kind reaches through these (HTML standard, 13.2.4.2, scope)."""
_SPECIAL = _BORDERS | frozenset(
    b"address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header "
    b"hgroup h1 h2 h3 h4 h5 h6 iframe listing main menu nav noscript ol pre search section select summary ul".split()
)
"""Closing tags of elements that are not special do not reach through these (13.2.6.4.7)."""
_TAG = re.compile(rb"<(/?[a-zA-Z][a-zA-Z0-9]*)")
_TOKEN = re.compile(r"<!--.*?(?:-->|\Z)|<(?P<close>/?)(?P<name>[a-z][^\s/>]*)", re.IGNORECASE | re.DOTALL)
_RAW = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}
"""Elements whose content is text, whatever it looks like."""


def _attribute(border: str = "") -> str:
    """Return the form of an attribute as the tokenizer reads it: quotes count only after the equals sign.

    A name may begin with one (HTML standard, 13.2.5.32 on). At `border`, names and bare values end as well.
    """
    quoted = r"""\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|"""
    return rf"[\s/]*+[^\s/>][^\s/>={border}]*+(?:{quoted}[^\s>{border}]*+))?+"


_ATTRIBUTE = re.compile(_attribute())
ATTRIBUTES: Final = rf"(?:{_attribute()})*+[\s/]*+"
"""All of a tag between its name and its end."""
_CROWDED = re.compile(
    r"<[a-zA-Z][^\s/><]*+(?=((?:{one}){{{few},{most}}}+)({one})?)".format(
        one=_attribute("<"), few=_FEW_ATTRIBUTES, most=MOST_ATTRIBUTES - 1
    ).encode()
)
"""Tags of more than a few attributes, and whether there is one too many; looked ahead at, as classes are below.

What begins within another is read as attributes of that as well, which may suspect the innocent.
"""
_NAMES = re.compile(
    rb"""class\s*+=\s*+(?=("[^"]{%(least)d,}+|'[^']{%(least)d,}+|[^\s>"'][^ \t\n\f\r>]{%(least)d,%(most)d}+))"""
    % {b"least": _LONG_CLASS, b"most": _MOST_NAMES},
    re.IGNORECASE,
)
"""Long classes, up to where they end. They are looked ahead at: none may hide in what only looks like another."""


def is_suspect(body: bytes) -> bool:
    """Tell whether a page may cost its reader more than pages do; linear, and a few percent of reading it."""
    return len(body) > _LARGE or body.count(b"<") > _MOST_TAGS or _is_wordy(body) or is_odd(body)


def _is_wordy(body: bytes) -> bool:
    """Tell whether classes hold more than any page's; each step of the search counts, so that it ends soon."""
    return any(total > _MOST_NAMES for total in accumulate(len(found[1]) for found in _NAMES.finditer(body)))


def is_odd(body: bytes) -> bool:
    """Tell whether a page is built as no page is, and is to be blunted."""
    if b"\0" in body or body[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return True  # in UTF-16 the tags cannot be seen from here
    if len(body) > _SMALL and _is_crowded(body):
        return True
    tags = _TAG.findall(body)
    counted = Counter(tags)
    opened = sum(count for tag, count in counted.items() if tag.lower() in _FORMATTING_TAGS)
    if opened * len(tags) > _MOST_REPEATED and _left_open(tags) * len(tags) > _MOST_REPEATED:
        return True
    if len(tags) <= _MANY_TAGS:
        return False
    counts: Counter[bytes] = Counter()
    for tag, count in counted.items():
        counts[tag.lower()] += count
    return counts[b"option"] > MOST_OPTIONS or counts[b"body"] + counts[b"html"] > 20 or _is_deep(tags)


def _is_crowded(body: bytes) -> bool:
    """Tell whether a tag has too many attributes, or tags lie in one another, which only looking twice tells apart."""
    seen = 0
    for found in _CROWDED.finditer(body):
        seen += len(found[1])
        if found[2] or seen > 2 * len(body):
            return True
    return False


def _left_open(tags: list[bytes]) -> int:
    """Count formatting elements that no tag of their own closes in the place where they stand."""
    left = 0
    open_here: list[bytes] = []
    told = {tag: name for tag in set(tags) if (name := tag.lower().lstrip(b"/")) in _FORMATTING_TAGS | _BORDERS}
    for tag in filter(told.__contains__, tags):
        name = told[tag]
        if name in _BORDERS:
            left += len(open_here)
            open_here.clear()
        elif tag[:1] != b"/":
            open_here.append(name)
        elif open_here and open_here[-1] == name:
            open_here.pop()
    return left + len(open_here)


class _Items:
    """The open elements of lists and ruby, and which of them still fit."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._rubies = 0

    def open(self, name: str) -> bool:
        """Follow an opening tag; return whether the element fits."""
        like = _ITEMS.get(name)
        if like is None:
            if name in _ITEM_CONTAINERS:
                self._open.append(name)
                self._rubies += name == "ruby"
            return True
        if like == "rt" and self._rubies:
            return True
        if like != "rt" and self._open and self._open[-1] == like:
            return True
        if len(self._open) >= DEEPEST:
            return False
        self._open.append(like)
        return True

    def close(self, name: str) -> None:
        """Follow a closing tag: a container closes what is open in it."""
        if name in _ITEM_CONTAINERS:
            for down in range(1, min(_IN_SIGHT, len(self._open)) + 1):
                if self._open[-down] == name:
                    self._rubies -= self._open[-down:].count("ruby")
                    del self._open[-down:]
                    return
        elif self._open and self._open[-1] == _ITEMS.get(name):
            self._open.pop()


_ITEM_TAGS = {name.encode(): name for name in (*_ITEMS, *_ITEM_CONTAINERS)}


def _is_deep(tags: list[bytes]) -> bool:
    """Follow the open elements as the parser would, until there are too many."""
    opened: list[bytes] = []
    items = _Items()
    for tag in tags:
        name = tag.lower()
        if item := _ITEM_TAGS.get(name):
            if not items.open(item):
                return True
        elif item := _ITEM_TAGS.get(name[1:]):
            items.close(item)
        if name[:1] != b"/":
            if name not in _IGNORED_TAGS:
                opened.append(name)
                if len(opened) > DEEPEST:
                    return True
        elif name[1:] not in _IGNORED_TAGS:
            _close(opened, name[1:])
    return False


def _close(opened: list[bytes], name: bytes) -> None:
    for down in range(1, min(_IN_SIGHT, len(opened)) + 1):
        if opened[-down] == name:
            del opened[-down:]
            return
        if (opened[-down] in _BORDERS and name not in _BORDERS) or (opened[-down] in _SPECIAL and name not in _SPECIAL):
            return


def blunted(html: str) -> str:
    """Return a suspect page token by token, without what goes beyond the limits."""
    kept: list[str] = []
    depth = _Depth()
    at = 0
    while found := _TOKEN.search(html, at):
        kept.append(html[at : found.start()])
        at = found.end()
        name = (found["name"] or "").lower()
        if not name:
            kept.append(found.group())
        elif found["close"]:
            end = html.find(">", at) + 1 or len(html)
            if depth.close(name):
                kept.append(f"</{name}>")
            at = end
        else:
            attributes, at = _attributes(html, at)
            if depth.open(name):
                kept.append(f"<{name}{attributes}>")
            if name in _RAW:
                closing = _RAW[name].search(html, at)
                kept.append(html[at : closing.start()] if closing else html[at:])
                at = closing.start() if closing else len(html)
    kept.append(html[at:])
    return "".join(kept)


def _attributes(html: str, at: int) -> tuple[str, int]:
    """Return the attributes of the tag whose name ends at `at`, and where the tag ends."""
    start = cut = at
    count = 0
    while found := _ATTRIBUTE.match(html, at):
        at = found.end()
        count += 1
        if count <= MOST_ATTRIBUTES:
            cut = at
    end = html.find(">", at)
    return html[start:cut], len(html) if end < 0 else end + 1


class _Depth:
    """Counts open elements, and says which tags still fit."""

    def __init__(self) -> None:
        self.open_boxes = self.left_out = self.formatting = self.formatting_left_out = 0
        self.seen = {"option": 0, "optgroup": 0, "body": 0, "html": 0}
        self.items = _Items()

    def open(self, name: str) -> bool:
        if not self.items.open(name):
            return False
        if name in self.seen:
            self.seen[name] += 1
            return self.seen[name] <= (MOST_OPTIONS if name.startswith("opt") else 1)
        if name in _IGNORED:
            return True
        if name in _FORMATTING:
            self.formatting += 1
            if self.formatting > MOST_FORMATTING:
                self.formatting_left_out += 1
                self.formatting -= 1
                return False
        elif self.open_boxes >= DEEPEST:
            self.left_out += 1
            return False
        else:
            self.open_boxes += 1
        return True

    def close(self, name: str) -> bool:
        self.items.close(name)
        if name in _IGNORED:
            return True
        if name in _FORMATTING:
            if self.formatting_left_out:
                self.formatting_left_out -= 1
                return False
            self.formatting = max(0, self.formatting - 1)
        elif self.left_out:
            self.left_out -= 1
            return False
        else:
            self.open_boxes = max(0, self.open_boxes - 1)
        return True
