"""Knows what is hidden only at first: panels that readers open, and pieces that scripts show as the page loads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.web.extract import names
from wellread.web.extract.names import word_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selectolax.lexbor import LexborNode

OPENED_BY_READERS: Final = word_set(
    "tab tabs tabpanel pane accordion collapse collapsible expandable expander faq toggle disclosure answer spoiler"
)
"""Names of panels that are closed at first and opened by the reader: part of the page."""

_STREAMED = re.compile(r"""<template id=["'][BP]:([\w-]{1,40})["']""")


def shown_by_script(html: str) -> frozenset[str]:
    """Return the ids of hidden pieces that React's streaming runtime moves to their placeholders as the page loads."""
    streams = "<template id=" in html and "$RC" in html  # the runtime's own name for the function that moves them
    return frozenset(f"S:{name}" for name in _STREAMED.findall(html)) if streams else frozenset()


def is_panel(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether an element is a tab or accordion panel, which a reader opens with a click."""
    if attributes.get("role") == "tabpanel" or attributes.get("hidden") == "until-found":
        return True
    return not OPENED_BY_READERS.isdisjoint(names.of(attributes))


def has_opener(node: LexborNode) -> bool:
    """Tell whether the element before it says that it opens something."""
    before = node.prev
    while before is not None and before.tag == "-text":
        before = before.prev
    return before is not None and before.css_first("[aria-expanded]") is not None
