"""Prescan HTML for markup that chokes the parser, and reduce it to the limits before it is parsed.

lexbor is quadratic in the depth of the tree, in attributes per tag and in <option> elements, and repeats formatting
elements that stay open in every block (measured: 40,000 nested lists 8 s, 40,000 attributes 2.4 s, 20,000 options
1.3 s, 2,000 <font> and as many paragraphs 0.7 GB). The scan is linear and has false positives: a suspect page is read
in a process that can be killed, and reduction leaves nearly all of it readable. A false negative costs that process
alone.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from wellread.lazy_pattern import lazy_pattern

MAX_DEPTH: Final = 512
"""As in browsers: Chromium makes siblings of elements that are nested deeper."""
MAX_ATTRIBUTES: Final = 500
_FEW_ATTRIBUTES: Final = 20
MAX_OPTIONS: Final = 1_000
MAX_OPEN_FORMATTING: Final = 8
"""Formatting elements open at once: the parser repeats all of them in every paragraph they run into."""
_MAX_BYTES: Final = 1_000_000
"""From this size every page is suspect: one page in a hundred is larger."""
_MAX_TAGS: Final = 60_000
"""Three times the most of 2,000 pages below the large size: to judge as many blocks takes seconds."""
_SMALL_BYTES: Final = 10_000
_MANY_TAGS: Final = 8_000
"""Below this the deepest page costs half a second, and one page in a hundred has more."""
_MAX_REPEATED: Final = 100_000
"""Formatting elements left open, times tags: about the nodes that the parser makes of them."""
_LONG_CLASS_BYTES: Final = 1_000
_MAX_CLASS_BYTES: Final = 64_000
"""Bytes of all long class attributes: twice the most of 1,497 pages. Each element in a box reads them again."""
_MAX_CLOSE_DISTANCE: Final = 64
"""How many open elements a closing tag passes at most to find its own."""

_VOID = (
    "path use circle rect line polygon polyline ellipse stop "
    "area base br col embed hr img input link meta param source track wbr"
)
_OPTIONAL = (
    "p li dt dd option optgroup tr td th tbody thead tfoot colgroup rp rt rb rtc body html head caption a nobr button"
)
"""Closed by the next elements, so never nested by themselves."""
_ITEMS = {"li": "li", "dd": "dd", "dt": "dd", "rt": "rt", "rp": "rt", "rb": "rt", "rtc": "rt"}
"""Elements of lists and ruby, each with its group: an open tag closes an element of its group, and nests in others.

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
"""Closing tags of elements that are not special have no effect through these (13.2.6.4.7)."""
_TAG = lazy_pattern(rb"<(/?[a-zA-Z][a-zA-Z0-9]*)")
_TOKEN = lazy_pattern(r"<!--.*?(?:-->|\Z)|<(?P<close>/?)(?P<name>[a-z][^\s/>]*)", re.IGNORECASE | re.DOTALL)
_RAW = {
    name: lazy_pattern(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}
"""Elements whose content is text, even where it looks like markup."""


def _attribute_pattern(border: str = "") -> str:
    """Return the pattern of an attribute as the tokenizer reads it: quotes count only after the equals sign.

    A name may begin with an equals sign (HTML standard, 13.2.5.32 on). At `border`, names and bare values end as well.
    """
    quoted = r"""\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|"""
    return rf"[\s/]*+[^\s/>][^\s/>={border}]*+(?:{quoted}[^\s>{border}]*+))?+"


_ATTRIBUTE = lazy_pattern(_attribute_pattern())
ATTRIBUTES: Final = rf"(?:{_attribute_pattern()})*+[\s/]*+"
"""All of a tag between its name and its end."""
_MANY_ATTRIBUTES = lazy_pattern(
    r"<[a-zA-Z][^\s/><]*+(?=((?:{attribute}){{{few},{most}}}+)({attribute})?)".format(
        attribute=_attribute_pattern("<"), few=_FEW_ATTRIBUTES, most=MAX_ATTRIBUTES - 1
    ).encode()
)
"""Tags of more than a few attributes, and the first attribute beyond the limit; a lookahead, as for classes below.

A tag that begins within another counts as attributes of that one as well, which may give false positives.
"""
_LONG_CLASS = lazy_pattern(
    rb"""class\s*+=\s*+(?=("[^"]{%(least)d,}+|'[^']{%(least)d,}+|[^\s>"'][^ \t\n\f\r>]{%(least)d,%(most)d}+))"""
    % {b"least": _LONG_CLASS_BYTES, b"most": _MAX_CLASS_BYTES},
    re.IGNORECASE,
)
"""Long classes, up to their end. A lookahead finds them, so that none hides in text that only looks like another."""


def is_suspect(body: bytes) -> bool:
    """Tell whether a page may cost more to read than usual pages; linear, and a few percent of reading it."""
    if len(body) > _MAX_BYTES or body.count(b"<") > _MAX_TAGS:
        return True
    return _has_long_classes(body) or exceeds_markup_limits(body)


def _has_long_classes(body: bytes) -> bool:
    """Tell whether the long classes exceed those of any page; each match counts, so that the search ends soon."""
    lengths = (len(match[1]) for match in _LONG_CLASS.finditer(body))
    return any(total > _MAX_CLASS_BYTES for total in accumulate(lengths))


def exceeds_markup_limits(body: bytes) -> bool:
    """Tell whether the markup is beyond the limits of usual pages, so that it must be reduced before it is parsed."""
    if b"\0" in body or body[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return True  # the patterns do not see the tags of UTF-16
    if len(body) > _SMALL_BYTES and _has_too_many_attributes(body):
        return True
    tags = _TAG.findall(body)
    counts_as_written = Counter(tags)
    formatting_count = sum(count for tag, count in counts_as_written.items() if tag.lower() in _FORMATTING_TAGS)
    if formatting_count * len(tags) > _MAX_REPEATED and _unclosed_formatting(tags) * len(tags) > _MAX_REPEATED:
        return True
    if len(tags) <= _MANY_TAGS:
        return False
    counts: Counter[bytes] = Counter()
    for tag, count in counts_as_written.items():
        counts[tag.lower()] += count
    return counts[b"option"] > MAX_OPTIONS or counts[b"body"] + counts[b"html"] > 20 or _is_deep(tags)


def _has_too_many_attributes(body: bytes) -> bool:
    """Tell whether a tag has too many attributes, or tags lie within one another so that bytes are matched twice."""
    attribute_bytes = 0
    for match in _MANY_ATTRIBUTES.finditer(body):
        attribute_bytes += len(match[1])
        if match[2] or attribute_bytes > 2 * len(body):
            return True
    return False


def _unclosed_formatting(tags: list[bytes]) -> int:
    """Count formatting elements that no tag of their own closes within the scope that they are opened in."""
    unclosed = 0
    open_here: list[bytes] = []
    names = {tag: name for tag in set(tags) if (name := tag.lower().lstrip(b"/")) in _FORMATTING_TAGS | _BORDERS}
    for tag in filter(names.__contains__, tags):
        name = names[tag]
        if name in _BORDERS:
            unclosed += len(open_here)
            open_here.clear()
        elif tag[:1] != b"/":
            open_here.append(name)
        elif open_here and open_here[-1] == name:
            open_here.pop()
    return unclosed + len(open_here)


class _OpenListElements:
    """The open elements of lists and ruby, and whether another one is within the depth limit."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._open_rubies = 0

    def open(self, name: str) -> bool:
        """Follow an opening tag; return whether the element is within the limit."""
        group = _ITEMS.get(name)
        if group is None:
            if name in _ITEM_CONTAINERS:
                self._open.append(name)
                self._open_rubies += name == "ruby"
            return True
        if group == "rt" and self._open_rubies:
            return True
        if group != "rt" and self._open and self._open[-1] == group:
            return True
        if len(self._open) >= MAX_DEPTH:
            return False
        self._open.append(group)
        return True

    def close(self, name: str) -> None:
        """Follow a closing tag: a container closes the elements that are open in it."""
        if name in _ITEM_CONTAINERS:
            for distance in range(1, min(_MAX_CLOSE_DISTANCE, len(self._open)) + 1):
                if self._open[-distance] == name:
                    self._open_rubies -= self._open[-distance:].count("ruby")
                    del self._open[-distance:]
                    return
        elif self._open and self._open[-1] == _ITEMS.get(name):
            self._open.pop()


_ITEM_TAGS = {name.encode(): name for name in (*_ITEMS, *_ITEM_CONTAINERS)}


def _is_deep(tags: list[bytes]) -> bool:
    """Follow the open elements like the parser, until there are too many."""
    opened: list[bytes] = []
    items = _OpenListElements()
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
                if len(opened) > MAX_DEPTH:
                    return True
        elif name[1:] not in _IGNORED_TAGS:
            _close(opened, name[1:])
    return False


def _close(opened: list[bytes], name: bytes) -> None:
    for distance in range(1, min(_MAX_CLOSE_DISTANCE, len(opened)) + 1):
        passed = opened[-distance]
        if passed == name:
            del opened[-distance:]
            return
        if (passed in _BORDERS and name not in _BORDERS) or (passed in _SPECIAL and name not in _SPECIAL):
            return


def without_excess_markup(html: str) -> str:
    """Return a suspect page token by token, without the tags and attributes beyond the limits."""
    pieces: list[str] = []
    budget = _TagBudget()
    offset = 0
    while token := _TOKEN.search(html, offset):
        pieces.append(html[offset : token.start()])
        offset = token.end()
        name = (token["name"] or "").lower()
        if not name:
            pieces.append(token.group())
        elif token["close"]:
            offset = html.find(">", offset) + 1 or len(html)
            if budget.close(name):
                pieces.append(f"</{name}>")
        else:
            attributes, offset = _attributes(html, offset)
            if budget.open(name):
                pieces.append(f"<{name}{attributes}>")
            if name in _RAW:
                closing = _RAW[name].search(html, offset)
                end = closing.start() if closing else len(html)
                pieces.append(html[offset:end])
                offset = end
    pieces.append(html[offset:])
    return "".join(pieces)


def _attributes(html: str, name_end: int) -> tuple[str, int]:
    """Return the attributes of the tag whose name ends at `name_end`, up to the limit, and the end of the tag."""
    offset = cut = name_end
    count = 0
    while match := _ATTRIBUTE.match(html, offset):
        offset = match.end()
        count += 1
        if count <= MAX_ATTRIBUTES:
            cut = offset
    tag_end = html.find(">", offset) + 1 or len(html)
    return html[name_end:cut], tag_end


_MAX_OF_TAG = {"option": MAX_OPTIONS, "optgroup": MAX_OPTIONS, "body": 1, "html": 1}


class _TagBudget:
    """Counts of open elements, which decide the tags that are within the limits."""

    def __init__(self) -> None:
        self.open_boxes = self.left_out = self.formatting = self.formatting_left_out = 0
        self.tag_counts = dict.fromkeys(_MAX_OF_TAG, 0)
        self.items = _OpenListElements()

    def open(self, name: str) -> bool:
        """Follow an opening tag; return whether it is within the limits."""
        if not self.items.open(name):
            return False
        if name in self.tag_counts:
            self.tag_counts[name] += 1
            return self.tag_counts[name] <= _MAX_OF_TAG[name]
        if name in _IGNORED:
            return True
        if name in _FORMATTING:
            self.formatting += 1
            if self.formatting > MAX_OPEN_FORMATTING:
                self.formatting_left_out += 1
                self.formatting -= 1
                return False
        elif self.open_boxes >= MAX_DEPTH:
            self.left_out += 1
            return False
        else:
            self.open_boxes += 1
        return True

    def close(self, name: str) -> bool:
        """Follow a closing tag; return whether its element was within the limits."""
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


# ----------------------------------------------------------------------------------------------------------- <noscript>
# Rewrite each <noscript> so that a parser without scripts ends it where a browser with scripts ends it.
#
# To a browser with scripts the content is text (HTML standard, 13.2.6.4.4 and 13.2.6.4.7, scripting flag). To a parser
# it is markup, which could close the element that hides the text around it, or swallow the markup after it.

_PLAIN: Final = r"""(?>(?:=\s*"[^<>"]*"|=\s*'[^<>']*'|[^<>"'])*)>"""
"""A tag after its name, where its quotes leave no doubt about its end.

Atomic, not possessive: before Python 3.11.5 a possessive group keeps half of a failed repetition (gh-106052).
"""
_NOSCRIPT: Final = lazy_pattern(r"<noscript", re.IGNORECASE)
_HARMLESS: Final = lazy_pattern(
    rf"<noscript{_PLAIN}(?>(?:[^<]|<(?:img|br|link|meta|source|/?picture){_PLAIN}|<iframe{_PLAIN}</iframe>|<style>[^<]*</style>)*)"
    r"</noscript\s*>",
    re.IGNORECASE,
)
_NEXT: Final = lazy_pattern(
    r"(?:(?>[^<]++|<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*+>?"
    rf"|<(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>]){ATTRIBUTES}>.*?(?:</(?P=raw)|\Z)"
    rf"|(?!<noscript[\s/>])<(?:[a-z][^\s/>]*+{ATTRIBUTES})?))*"
    rf"<noscript(?=[\s/>]){ATTRIBUTES}>(?P<inner>.*?)(?=</noscript[\s/>]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""The next <noscript>, after tags, comments and texts that it could seem to be part of."""
_REMOVED_TAGS: Final = ["plaintext", "script"]


def with_closed_noscripts(html: str) -> str:
    """Return the page with each <noscript> element ending at its first closing tag."""
    if all(_HARMLESS.match(html, opening.start()) for opening in _NOSCRIPT.finditer(html)):
        return html
    parts: list[str] = []
    offset = 0
    while match := _NEXT.match(html, offset):
        parts += html[offset : match.start("inner")], _closed(match["inner"])
        offset = match.end()
    return "".join([*parts, html[offset:]])


def _closed(inner: str) -> str:
    """Return markup whose elements end in it, inside an element that none of its tags closes (13.2.4.2, scope)."""
    tree = LexborHTMLParser(inner)
    tree.strip_tags(_REMOVED_TAGS)
    parts = (part.inner_html for part in (tree.head, tree.body) if part is not None)
    markup = "".join(filter(None, parts))
    if tree.body is None or tree.body.first_child is None:
        return markup
    return f"<marquee>{markup}</marquee>"
