"""Lifts out of a shadow tree the rules for its host and for what stands in its slots (CSS Scoping 1, 3.2 and 3.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import tinycss2
from selectolax.lexbor import SelectolaxError
from tinycss2.serializer import serialize_string_value

from wellread.css.brackets import is_deep
from wellread.css.carried import sheets
from wellread.css.declarations import neutral
from wellread.css.nesting import MEMBER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selectolax.lexbor import LexborHTMLParser

_LONGEST: Final = 50_000
"""Characters: the page's own styles are read as well."""
_LONGEST_SELECTOR: Final = 2_000
_WRAPPED: Final = re.compile(r":(?:is|where)\(\s*:host\s*\)", re.IGNORECASE)
_OUTSIDE: Final = re.compile(
    r"\s*(?::host(?:\(((?:[^()]|\([^()]*\))*)\)|(?![\w-])))?[\s>]*(?:(.*?)::slotted\((.*)\))?\s*",
    re.IGNORECASE | re.DOTALL,
)
"""`:host(1) 2::slotted(3)`, or one of both."""


def lifted(shadow: LexborHTMLParser, host: str) -> str:
    """Return these rules as the page around would write them, where the selector `host` finds the host.

    They stand in a layer: the page's own rules win over them but for what is important, and so browsers have it.
    """
    told = ""
    for sheet in sheets(shadow, _LONGEST):
        deep = is_deep(neutral(sheet.text))  # what cannot be read hides, rather than letting anything through
        told += f"{host}{{display:none}}" if deep else "".join(_rules(sheet.text, shadow, host))
    return f"@layer{{{told}}}" if told else ""


def _rules(css: str | Sequence[tinycss2.ast.Node], shadow: LexborHTMLParser, host: str) -> Iterator[str]:
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        told = tinycss2.serialize(getattr(rule, "prelude", ()))
        if rule.type == "qualified-rule":
            found = [made for one in MEMBER.findall(told) if (made := _outside(one, shadow, host))]
            yield f"{','.join(found)}{{{tinycss2.serialize(rule.content)}}}" if found else ""
        elif rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword != "keyframes":
            yield f"@{rule.lower_at_keyword}{told}{{{''.join(_rules(rule.content, shadow, host))}}}"


def _outside(told: str, shadow: LexborHTMLParser, host: str) -> str | None:
    """Return a selector as it finds the host, or those in slots, from outside; None for all that stays inside."""
    found = _OUTSIDE.fullmatch(_WRAPPED.sub(":host", told)) if len(told) < _LONGEST_SELECTOR and told.strip() else None
    if found is None:
        return None
    around = f"{host}:is({found[1]})" if found[1] else host
    if found[3] is None:
        return around
    try:
        slots = shadow.css(f"{found[2]} slot" if found[2][-1:] in " >+~" else found[2])
    except SelectolaxError:
        slots = shadow.css("slot")  # which of them is not understood: whatever these may hide
    names = {slot.attributes.get("name") or "" for slot in slots}
    asked = (f'[slot="{serialize_string_value(name)}"]' if name else ':not([slot]),[slot=""]' for name in sorted(names))
    return f"{around}>:is({found[3]}):is({','.join(asked)})"
