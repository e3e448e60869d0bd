"""Lifts out of a shadow tree the rules for its host and for what stands in its slots (CSS Scoping 1, 3.2 and 3.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import tinycss2
from tinycss2.serializer import serialize_string_value

from wellread.css import selectors
from wellread.css.brackets import is_deep
from wellread.css.carried import sheets
from wellread.css.declarations import neutral
from wellread.css.matching import Matcher
from wellread.css.nesting import UNTOLD, members
from wellread.css.selectors import CLASS_WEIGHT, ID_WEIGHT
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.css.pseudo import Link
    from wellread.css.selectors import Selector

_LONGEST: Final = 50_000
"""Characters: the page's own styles are read as well."""
_LONGEST_SELECTOR: Final = 2_000
MAX_SLOTS: Final = 500
"""Slots of one shadow tree whose styles are worked out; those of more are taken to be matched by every rule."""
MAX_TESTS: Final = 20_000
"""Pairs of a slot and a selector that are matched for one shadow tree, each within the bounds of the matcher: what is
beyond is taken to match perhaps. 500 slots under 40 such rules; design systems have a handful of both."""
_WRAPPED: Final = lazy_pattern(r":(?:is|where)\(\s*:host\s*\)", re.IGNORECASE)
_HOST: Final = lazy_pattern(r":host(?:\(((?:[^()]|\([^()]*\))*)\)|(?![\w-]))", re.IGNORECASE)
_SLOTTED: Final = "::slotted("
_OUTER: Final = frozenset({"html", "body"})
"""Elements that the parser puts around the markup of a shadow tree."""


def lifted(shadow: LexborHTMLParser, host: str, *, quirky: bool) -> str:
    """Return these rules as the page around would write them, where the selector `host` finds the host.

    `quirky` tells whether that page is in quirks mode, where classes and ids have no case (Selectors 4, 6.6). The rules
    stand in a layer: the page's own rules win over them but for what is important, and so browsers have it.
    """
    slots = _Slots(shadow, quirky=quirky)
    told = ""
    for sheet in sheets(shadow, _LONGEST):
        deep = is_deep(neutral(sheet.text))  # what cannot be read hides, rather than letting anything through
        told += f"{host}{{display:none}}" if deep else "".join(_rules(sheet.text, slots, host))
    return f"@layer{{{told}}}" if told else ""


def _rules(css: str | Sequence[tinycss2.ast.Node], slots: _Slots, host: str) -> Iterator[str]:
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        prelude = tinycss2.serialize(getattr(rule, "prelude", ()))
        if rule.type == "qualified-rule":
            found = [outer for inner in members(prelude) for outer in _outside(inner, slots, host)]
            yield f"{','.join(found)}{{{tinycss2.serialize(rule.content)}}}" if found else ""
        elif rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword != "keyframes":
            yield f"@{rule.lower_at_keyword}{prelude}{{{''.join(_rules(rule.content, slots, host))}}}"


def _outside(inner: str, slots: _Slots, host: str) -> Iterator[str]:
    """Yield a selector as it finds the host, or those in slots, from outside; nothing for what stays inside."""
    if len(inner) >= _LONGEST_SELECTOR:
        return
    rest = _WRAPPED.sub(":host", inner).strip()
    found = _HOST.match(rest)
    if found is not None:
        rest = rest[found.end() :].lstrip(" \t\n\r\f>")
    around = f"{host}:is({found[1]})" if found is not None and found[1] else host
    if not rest and found is not None:
        yield around
    start = rest.lower().find(_SLOTTED)
    if start < 0 or not rest.endswith(")"):
        return
    slot, asked = rest[:start], rest[start + len(_SLOTTED) : -1]
    for names, doubt in slots.matched(slot):
        places = (f'[slot="{serialize_string_value(name)}"]' if name else ':not([slot]),[slot=""]' for name in names)
        yield f"{around}>:is({asked}):is({','.join(places)}){_weighing(slot)}{doubt}"


def _weighing(slot: str) -> str:
    """Return a selector that every element matches and that weighs what the selector of a slot does.

    Of two rules for what stands in a slot, that one wins whose slot is asked for by more (Selectors 4, 17).
    """
    weights = [one.specificity for one in _listed(slot)]
    if not weights or not max(weights):
        return ""
    classes, tags = divmod(max(weights), CLASS_WEIGHT)
    ids, classes = divmod(classes, ID_WEIGHT // CLASS_WEIGHT)
    return f":not({'x ' * tags}*{'#x' * ids}{'.x' * classes}:not(*))"


def _listed(slot: str) -> Sequence[Selector]:
    """Take apart the selector of a slot, which may end in a combinator or be empty."""
    return selectors.listed(f"{slot}*" if not slot or slot[-1] in " \t\n\r\f>+~" else slot)


class _Slots:
    """The slots of one shadow tree, and which of them selectors of its styles match."""

    def __init__(self, shadow: LexborHTMLParser, *, quirky: bool) -> None:
        self._slots: Sequence[LexborNode] = shadow.css("slot")
        self._quirky = quirky
        self._matcher = Matcher(quirky=quirky)
        self._known: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._tests_left = MAX_TESTS

    def matched(self, slot: str) -> Iterator[tuple[Iterable[str], str]]:
        """Yield the names of the slots that a selector matches, and of those that it may, with what says so."""
        if slot not in self._known:
            listed = _listed(selectors.folded(slot) if self._quirky else slot)
            self._known[slot] = self._asked([one for one in listed if not any(map(_is_outer, one.chain))])
        surely, perhaps = self._known[slot]
        if surely:
            yield sorted(surely), ""
        if perhaps:
            yield sorted(perhaps), UNTOLD

    def _asked(self, listed: Sequence[Selector]) -> tuple[frozenset[str], frozenset[str]]:
        verdicts: dict[bool, set[str]] = {True: set(), False: set()}
        for at, slot in enumerate(self._slots if listed else ()):
            held = self._holds(slot, listed) if at < MAX_SLOTS else None
            if held is not False:
                verdicts[held is True].add(slot.attributes.get("name") or "")
        return frozenset(verdicts[True]), frozenset(verdicts[False] - verdicts[True])

    def _holds(self, slot: LexborNode, listed: Sequence[Selector]) -> bool | None:
        doubt = False
        for one in listed:
            self._tests_left -= 1
            held = self._matcher.matches(slot, one.chain) if self._tests_left > 0 else None
            if held and not one.doubtful:
                return True
            doubt = doubt or held is not False
        return None if doubt else False


def _is_outer(link: Link) -> bool:
    """Tell whether a compound asks for an element that stands around a shadow tree and in none."""
    return not _OUTER.isdisjoint(link.names)
