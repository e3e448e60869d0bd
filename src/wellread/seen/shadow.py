"""Takes out of the page what stands in the light tree of a shadow host and has no place in its shadow (DOM, 4.2.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser

from wellread.css.lifted import lifted
from wellread.css.look import USUAL
from wellread.css.sheets import StyleSheets, is_quirky
from wellread.css.visibility import Judge
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from wellread.css.look import Look

_HOSTS: Final = word_set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span")
_MOST_HOSTS: Final = 500
_DEEPEST: Final = 8
_NEVER: Final = word_set("audio canvas datalist math meter noscript progress select svg video")
"""Elements that show nothing of their children."""
_MARK: Final = "data-wellread-host"
_HOST: Final = lazy_pattern(r":host(?![\w-])", re.IGNORECASE)
_ROOTS: Final = 'template[shadowrootmode="open" i], template[shadowrootmode="closed" i]'


def unslotted(tree: LexborHTMLParser, depth: int = 0, *, quirky: bool | None = None) -> int:
    """Remove what no slot of a declared shadow tree shows; return how many pieces of text went.

    What its styles say of the host, and of those in its slots, is put into a sheet before all of the page. `quirky`
    tells whether the page that the tree is of is in quirks mode; None asks the tree.
    """
    quirky = is_quirky(tree) if quirky is None else quirky
    removed = 0
    known: dict[object, tuple[str, frozenset[str]]] = {}
    sheet = tree.create_node("style")
    hosts: set[int] = set()
    for root in tree.css(_ROOTS)[:_MOST_HOSTS]:
        host = root.parent
        if host is None or (host.tag not in _HOSTS and "-" not in (host.tag or "")):
            continue
        if host.mem_id in hosts:  # a second template of a host stays a template (HTML, 13.2.6.4.4)
            continue
        hosts.add(host.mem_id)
        inside = root.html or ""
        key = inside, frozenset(host.attributes.items()) if "host" in inside else None
        if key not in known:
            shadow = LexborHTMLParser(f"<body>{inside.partition('>')[2].rpartition('</template>')[0]}")
            sheet.insert_child(lifted(shadow, f'[{_MARK}="{len(known)}"]', quirky=quirky))
            by_hand = (root.attributes.get("shadowrootslotassignment") or "").lower() == "manual"
            known[key] = str(len(known)), frozenset() if by_hand else _slots(shadow, host, depth, quirky=quirky)
        host.attrs[_MARK], slots = known[key]
        removed += _emptied(host, slots)
    if tree.head is not None and sheet.text():
        (tree.head.first_child or tree.head).insert_before(sheet)
    return removed


def _emptied(host: LexborNode, slots: frozenset[str]) -> int:
    removed = 0
    for child in [*host.iter(include_text=True)]:
        slot = "" if child.tag == "-text" else child.attributes.get("slot") or ""
        if slot not in slots and child.tag not in {"template", "style", "script"}:
            removed += bool((child.text(deep=True) or "").strip())
            child.decompose()
    return removed


def _slots(shadow: LexborHTMLParser, host: LexborNode, depth: int, *, quirky: bool) -> frozenset[str]:
    """Return the names of the slots that can be seen; the one without a name takes what asks for none."""
    if depth > _DEEPEST:
        return frozenset()
    for text in filter(None, (style.child for style in shadow.css("style"))):
        text.replace_with(_HOST.sub(f"[{_MARK}]", text.text()).replace(f"[{_MARK}](", f"[{_MARK}]:is("))
    if shadow.body is not None:  # stands for the host, about which the tree's own styles may ask
        for name, value in (*host.attributes.items(), (_MARK, "")):
            shadow.body.attrs[name] = value or ""
    unslotted(shadow, depth + 1, quirky=quirky)
    slots = {slot.attributes.get("name") or "": slot for slot in shadow.css("slot")[:_MOST_HOSTS][::-1]}
    sight = _SlotSight(shadow)
    return frozenset(name for name, first in slots.items() if sight.is_seen(first))


class _SlotSight:
    """Tells which slots of a shadow tree are seen."""

    def __init__(self, shadow: LexborHTMLParser) -> None:
        self._judge = Judge(StyleSheets(shadow))
        self._looks: dict[int, Look | None] = {}
        """How text looks in each element, by `mem_id`; None where it is never seen."""

    def is_seen(self, slot: LexborNode) -> bool:
        """Tell whether what stands in a slot is seen."""
        path: list[LexborNode] = []
        node: LexborNode | None = slot
        while node is not None and node.tag not in {"html", "body"} and node.mem_id not in self._looks:
            path.append(node)
            node = node.parent
        look = USUAL if node is None else self._looks.get(node.mem_id, USUAL)
        for element in reversed(path):
            look = self._look_in(element, look)
            self._looks[element.mem_id] = look
        return look is not None and look.veil is None

    def _look_in(self, element: LexborNode, around: Look | None) -> Look | None:
        """Return how text looks in an element, from how it looks around it."""
        if around is None or _is_withheld(element):
            return None
        look = self._judge.see(element, element.tag or "", element.attributes, around)
        return look if look.gone is None else None


def _is_withheld(element: LexborNode) -> bool:
    """Tell whether the parent of an element shows none of its children, or shows its summary alone."""
    parent = element.parent
    if parent is None:
        return False
    if parent.tag == "details":
        return element.tag != "summary" and "open" not in parent.attributes
    return parent.tag in _NEVER or (parent.tag == "dialog" and "open" not in parent.attributes)
