"""What each HTML element means to the walk: skipped, inline with a style, or a box of its own (HTML standard, 15.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.types import Style

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

SKIPPED: Final = word_set(
    "annotation annotation-xml "
    "area applet audio base basefont bgsound canvas colgroup col datalist embed footer frame frameset head iframe "
    "input link meta meter nav noembed noframes object option optgroup param progress script select source style svg "
    "maligngroup malignmark mglyph mphantom mprescripts mspace none rp textarea title track video"
)
"""Never read: no text of theirs is prose of the page. Reading <nav> and <footer> would take a third of the walk."""

SKIPPED_ROLES: Final = word_set("navigation contentinfo menu menubar")

BOXES: Final = word_set(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol p plaintext pre "
    "search section summary table tbody td tfoot th thead tr ul xmp listing"
)
"""Elements that start on a line of their own."""

STYLES: Final[dict[str, int]] = {
    # Plain integers: an IntFlag takes twenty times as long to combine, and the walk does it for every element.
    **dict.fromkeys(("b", "strong"), int(Style.STRONG)),
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), int(Style.EM)),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), int(Style.CODE)),
    **dict.fromkeys(("s", "strike", "del"), int(Style.STRIKE)),
    "sup": int(Style.SUP),
    "sub": int(Style.SUB),
}

_HOLDERS: Final = word_set("a label span")
_FIRST: Final = 16
"""Nodes of an element among which its first box must be."""

ANCHORS: Final = word_set("# \u00b6 \u00a7 \U0001f517 ^ \u2191 \u21a9 \u21a9\ufe0e \u21b5 \u23ce") | {""}
"""What links to the very place they stand at are made of."""
HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_LINE_BOX: Final = "gatsby-highlight-code-line"
"""What style sheets make a box of among lines that end in line feeds."""
PREFORMATTED: Final = frozenset({"pre", "listing", "plaintext", "xmp"})
"""Elements whose text is read as it is written; `leaves.PREFORMATTED` is the mode in which the walk does so."""
ASIDE_NOTES: Final = word_set("sidenote marginnote")
"""Classes of notes that stand within the sentence they belong to, and are shown beside it."""
UNTOLD: Final = lazy_pattern(
    r"(?<!\S)(?:viewcode-link|material-(?:icons|symbols)(?:-(?:outline|round|sharp)\S*)?)(?!\S)"
)
"""Classes of what an icon font shows as pictures, and of links from documentation to its source."""
UNTOLD_WORDS: Final = word_set("viewcode material")
"""Words of which each of these classes has one."""
HEADER_ROLES: Final = word_set("columnheader rowheader")
CELL_ROLES: Final = HEADER_ROLES | word_set("cell gridcell")
_DEEPEST_LABEL: Final = 4
_MOST_NODES_OF_LINE: Final = 60
"""Nodes by which a line of code is told to be empty."""
_MOST_PIECES: Final = 40
"""Nodes of a header cell that are looked at."""
_LONGEST_TITLE: Final = 8
"""Words."""
SPACED_ROLES: Final = word_set("tab button option listitem cell")
SPACED: Final = word_set("button label output legend mi mn mo ms mtext")
"""Inline elements that stand apart from their neighbours even when no space is written between them."""


def is_citation(cite: LexborNode) -> bool:
    """Tell whether a <cite> holds a whole reference, in which the title has a style of its own, and no mere title."""
    first = cite.first_child
    return first is not None and (first.next is not None or (first.text(deep=False) or "").count(" ") >= _LONGEST_TITLE)


def is_line(node: LexborNode | None) -> bool:
    """Tell whether an element's class calls it a line of code, which style sheets part where no line feed is written.

    A token may be of the kind `line`, too, and comments are `syntax--line` where their kinds are written so.
    """
    called = ((node.attributes.get("class") or "") if node is not None else "").split()
    return "token" not in called and any(f"-{word}".endswith("-line") and word[-6:-4] != "--" for word in called)


def is_line_box(node: LexborNode) -> bool:
    """Tell whether a line of code stands on a line of its own whatever is beside it."""
    return _LINE_BOX in (node.attributes.get("class") or "").split()


def is_empty(node: LexborNode) -> bool:
    """Tell whether nothing in an element makes a line: no text, not even a space, and no <br>.

    An element whose first nodes do not tell is taken to hold something.
    """
    stack = [node.first_child]
    for _ in range(_MOST_NODES_OF_LINE):
        while stack and stack[-1] is None:
            stack.pop()
        inner = stack.pop() if stack else None
        if inner is None:
            return True
        if inner.tag == "br" or (inner.tag == "-text" and inner.text_content):
            return False
        stack.append(inner.next)
        stack.append(inner.first_child)
    return False


def holds_boxes(node: LexborNode, tag: str) -> bool:
    """Tell whether an inline element has boxes in it: a link around a card, a component of a page, is a box itself."""
    inside = node.first_child if tag in _HOLDERS or "-" in tag else None
    for _ in range(_FIRST):
        if inside is None or inside.tag in BOXES:
            return inside is not None
        inside = inside.next
    return False


def names_column(button: LexborNode) -> bool:
    """Tell whether a button is what a header cell says: readers sort by the column that it names."""
    cell = button.parent
    for _ in range(_DEEPEST_LABEL):
        if cell is None or cell.tag == "th" or cell.attributes.get("role") in HEADER_ROLES:
            break
        cell = cell.parent
    if cell is None or not (cell.tag == "th" or cell.attributes.get("role") in HEADER_ROLES):
        return False
    stack = [cell.first_child]
    for _ in range(_MOST_PIECES):
        while stack and stack[-1] is None:
            stack.pop()
        node = stack.pop() if stack else None
        if node is None:
            return True
        stack.append(node.next)
        if node.tag == "-text" and (node.text_content or "").strip():
            return False
        if node.tag in {"button", "a"} and (node.text(deep=True) or "").strip():
            return node.mem_id == button.mem_id
        stack.append(node.first_child if node.tag not in SKIPPED and node.tag != "-comment" else None)
    return False


def is_tick(node: LexborNode) -> bool:
    """Tell whether a box to tick begins the item of a list and tells what is done: nobody can tick it here."""
    attributes, around = node.attributes, node.parent
    while around is not None and around.tag in {"p", "label"}:
        around = around.parent
    shown = attributes.get("type") == "checkbox" and "disabled" in attributes
    return shown and around is not None and around.tag == "li"
