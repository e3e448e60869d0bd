"""Shows the text of an article that its page hides although it declares it, whole and free, for machines.

A publisher hides the text behind a button or a wall, and says in its linked data (schema.org: `articleBody`,
`isAccessibleForFree`) that everybody may read it. Text is shown only if the page declares the same words, begins with
some of them in sight, and says that they are free. What a page calls paid stays hidden.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from wellread.metadata import jsonld
from wellread.metadata.cleaning import key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborHTMLParser

_BODY: Final = '"articleBody"'
_FREE: Final = '"isAccessibleForFree"'
_SCRIPTS: Final = 'script[type*="ld+json" i]'
_HIDDEN: Final = "[hidden]"
_MAX_SCRIPTS: Final = 20
_MAX_SCRIPT_CHARS: Final = 200_000
_MAX_NODES: Final = 50
_MIN_CHARS: Final = 500
"""Of a declared text, and of the hidden part of it."""
_OPENING_CHARS: Final = 60


def show_free_text(tree: LexborHTMLParser, text: str) -> bool:
    """Take the attribute `hidden` from elements of `tree` that hold declared free text; tell whether any had it."""
    if _BODY not in text or _FREE not in text:
        return False
    bodies = [key(body) for body in _free_bodies(tree)]
    if not bodies:
        return False
    shown = False
    for node in tree.css(_HIDDEN)[:_MAX_NODES]:
        paragraphs = [words for paragraph in node.css("p")[:_MAX_NODES] if (words := key(paragraph.text()))]
        if sum(map(len, paragraphs)) >= _MIN_CHARS and any(_holds(body, paragraphs) for body in bodies):
            del node.attrs["hidden"]
            node.attrs["style"] = "display: block"  # a style sheet may hide it, too
            shown = True
    return shown


def _holds(body: str, paragraphs: list[str]) -> bool:
    """Tell whether a declared text has most of these paragraphs, and begins with other words, which are in sight."""
    declared = sum(len(words) for words in paragraphs if words in body)
    is_teaser_in_sight = not any(words.startswith(body[:_OPENING_CHARS]) for words in paragraphs)
    return is_teaser_in_sight and 2 * declared > sum(map(len, paragraphs))


def _free_bodies(tree: LexborHTMLParser) -> Iterator[str]:
    """Yield the texts of articles that are declared free; none where the page calls anything paid."""
    scripts = (node.text()[:_MAX_SCRIPT_CHARS] for node in tree.css(_SCRIPTS)[:_MAX_SCRIPTS])
    nodes = [*islice(_nodes(scripts), _MAX_NODES)]
    states = {str(node["isAccessibleForFree"])[:40].lower() for node in nodes if "isAccessibleForFree" in node}
    if states != {"true"}:
        return
    for node in nodes:
        body = node.get("articleBody")
        if "isAccessibleForFree" in node and isinstance(body, str) and len(body) >= _MIN_CHARS:
            yield body


def _nodes(scripts: Iterator[str]) -> Iterator[dict[str, Any]]:  # Any: JSON from strangers
    """Yield the objects of the first level, and those of their graphs and parts."""
    for script in scripts:
        for value in jsonld.parse(script):
            for node in _objects(value):
                yield node
                yield from (*_objects(node.get("@graph")), *_objects(node.get("hasPart")))


def _objects(value: object) -> list[dict[str, Any]]:  # Any: JSON from strangers
    return [node for node in (value if isinstance(value, list) else [value]) if isinstance(node, dict)]
