"""Compares what a reader found on a page with the truth, fact by fact."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Fact = tuple[str, str, str, str]
"""Syntax, type of the outermost item, path of the property, value."""


class FactScore(NamedTuple):
    """How many facts are right, found though they are not there, and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def plus(self, other: FactScore) -> FactScore:
        """Return the sum of two scores."""
        return FactScore(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)


def facts(items: Iterable[tuple[str, str, dict[str, Any]]]) -> Counter[Fact]:
    """Return the facts of items; lists have no order."""
    return Counter(
        (syntax, kind, path, text)
        for syntax, kind, properties in items
        for path, text in [("@type", kind), *_leaves("", properties)]
        if not (path == "@type" and text != kind)
    )


def _leaves(path: str, part: Any) -> Iterator[tuple[str, str]]:
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from _leaves(f"{path}.{name}".strip("."), inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _leaves(path, inner)
    elif path != "@type":
        yield path, " ".join(str(part).split())


def score(truth: Counter[Fact], found: Counter[Fact]) -> FactScore:
    """Return the score of what was found."""
    return FactScore((truth & found).total(), (found - truth).total(), (truth - found).total())
