"""Takes out of the page what stands in the light tree of a shadow host and has no place in its shadow (DOM, 4.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser

from wellread.css.look import USUAL
from wellread.css.sheets import StyleSheets
from wellread.css.visibility import Judge
from wellread.css.words import word_set

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_HOSTS: Final = word_set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span")
_MOST_HOSTS: Final = 500
_DEEPEST: Final = 100
_ROOTS: Final = 'template[shadowrootmode="open" i], template[shadowrootmode="closed" i]'


def unslotted(tree: LexborHTMLParser) -> int:
    """Remove what no slot of a declared shadow tree shows; return how many pieces of text went."""
    removed = 0
    known: dict[str, frozenset[str]] = {}
    for root in tree.css(_ROOTS)[:_MOST_HOSTS]:
        host = root.parent
        if host is None or (host.tag not in _HOSTS and "-" not in (host.tag or "")):
            continue
        inside = root.html or ""
        if inside not in known:
            known[inside] = _slots(inside)
        removed += _emptied(host, known[inside])
    return removed


def _emptied(host: LexborNode, slots: frozenset[str]) -> int:
    removed = 0
    child = host.first_child
    while child is not None:
        following = child.next
        slot = "" if child.tag == "-text" else child.attributes.get("slot") or ""
        if slot not in slots and child.tag not in {"template", "-comment", "style", "script"}:
            removed += bool((child.text(deep=True) or "").strip())
            child.decompose()
        child = following
    return removed


def _slots(inside: str) -> frozenset[str]:
    """Return the names of the slots that can be seen; the one without a name takes what asks for none."""
    shadow = LexborHTMLParser(inside.partition(">")[2].rpartition("</template>")[0])
    judge = Judge(StyleSheets(shadow))
    return frozenset(
        slot.attributes.get("name") or "" for slot in shadow.css("slot")[:_MOST_HOSTS] if _is_seen(slot, judge)
    )


def _is_seen(slot: LexborNode, judge: Judge) -> bool:
    way: list[LexborNode] = []
    at: LexborNode | None = slot
    while at is not None and len(way) < _DEEPEST:
        way.append(at)
        at = at.parent
    look = USUAL
    for node in reversed(way):
        look = judge.see(node, node.tag or "", node.attributes, look)
        if look.gone is not None:
            return False
    return look.veil is None
