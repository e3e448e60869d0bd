"""Reads the metadata elements of a page once: meta, link, base, title and JSON-LD scripts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_VALUE = 20_000
MAX_PER_NAME = 50

WANTED = (
    "meta, link[rel~=canonical i], link[rel~=image_src i], link[rel~=next i], link[rel~=prev i], base[href], title, "
    'script[type*="ld+json" i]'
)
"""The elements that `scan` understands."""


@dataclass(slots=True)
class HeadDeclarations:
    """The declarations of a page, in document order. Names are lower case, with `:` for the dot of `DC.title`."""

    meta: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, list[str]] = field(default_factory=dict)
    """`href` by each word of `rel`."""
    base: str | None = None
    titles: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    """JSON-LD as written."""
    root: dict[str, str | None] = field(default_factory=dict)
    """Attributes of `<html>`."""
    body: dict[str, str | None] = field(default_factory=dict)

    def first(self, *names: str) -> str | None:
        """Return the first value under the first of `names` that has one."""
        return next((values[0] for name in names if (values := self.meta.get(name))), None)

    def every(self, *names: str) -> list[str]:
        """Return all values under `names`, in the order of the names."""
        return [value for name in names for value in self.meta.get(name, ())]


def scan(tree: LexborHTMLParser, elements: Iterable[LexborNode]) -> HeadDeclarations:
    """Return the declarations of these elements of a page."""
    head = HeadDeclarations()
    root, body = tree.root, tree.body
    if root is not None:
        head.root = dict(root.attributes)
    if body is not None:
        head.body = dict(body.attributes)
    for node in elements:
        _READERS[node.tag or ""](head, node)
    return head


def _meta(head: HeadDeclarations, node: LexborNode) -> None:
    attributes = node.attributes
    content = (attributes.get("content") or "").strip()[:MAX_VALUE]
    if not content:
        return
    called = " ".join(
        names_value[:500] for at in ("property", "name", "http-equiv") if (names_value := attributes.get(at))
    )
    names = dict.fromkeys(called.lower().replace(".", ":").split())  # in order; each attribute may hold several names
    for name in names:
        values = head.meta.setdefault(name, [])
        if len(values) < MAX_PER_NAME:
            values.append(content)


def _link(head: HeadDeclarations, node: LexborNode) -> None:
    attributes = node.attributes
    href = (attributes.get("href") or "").strip()[:MAX_VALUE]
    for rel in (attributes.get("rel") or "")[:500].lower().split() if href else ():
        head.links.setdefault(rel, []).append(href)


def _base(head: HeadDeclarations, node: LexborNode) -> None:
    if head.base is None:
        head.base = (node.attributes.get("href") or "").strip()[:MAX_VALUE] or None


def _title(head: HeadDeclarations, node: LexborNode) -> None:
    parent = node.parent
    if parent is not None and parent.tag == "svg":  # an icon's own title
        return
    head.titles.append(node.text()[:MAX_VALUE])


def _script(head: HeadDeclarations, node: LexborNode) -> None:
    head.scripts.append(node.text())


_READERS = {"meta": _meta, "link": _link, "base": _base, "title": _title, "script": _script}
TAGS = frozenset(_READERS)
