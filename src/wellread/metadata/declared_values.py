"""Cleans the values of structured data, and bounds how many of them a page may have."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final

from wellread.metadata import site_address
from wellread.text.characters import on_one_line

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAX_ITEMS: Final = 1_000
"""Items of a page that stand in no other."""
MAX_VALUES: Final = 20_000
MAX_DEPTH: Final = 20
"""Items in items."""
MAX_CHARS: Final = 1_000_000
"""Of all values together."""
MAX_VALUE_CHARS: Final = 50_000
MAX_SOURCE_CHARS: Final = 4_000_000
"""Characters of elements that are looked through for values; elements in elements count again."""
_SCHEMA: Final = ("https://schema.org/", "http://schema.org/", "https://www.schema.org/", "http://www.schema.org/")


def short_name(name: str) -> str:
    """Return a name of schema.org without its vocabulary, other names as they are."""
    for vocabulary in _SCHEMA:
        if name.startswith(vocabulary):
            return name.removeprefix(vocabulary)
    return name


def unwrapped(values: list[Any]) -> Any:  # Any: JSON
    """Return a single value without its list."""
    if len(values) == 1:
        return values[0]
    return values


def add_value(properties: dict[str, list[Any]], name: str, value: Any) -> None:  # Any: JSON
    """Add a value to a property, unless it is empty."""
    if name and value not in ("", None):
        properties.setdefault(name, []).append(value)


class DeclaredValues:
    """A counter of what a page declares, and the cleaner of its values."""

    def __init__(self, base: str | None) -> None:
        """Take the address that relative addresses are resolved with."""
        self.base: Final = base
        self.is_cut = False
        """Whether a bound was reached."""
        self._items = self._values = self._chars = self._source_chars = 0
        self._copied_values = self._copied_chars = 0

    def may_add_item(self) -> bool:
        """Count an item that stands in no other; return False where there are too many."""
        self._items += 1
        self.is_cut |= self._items > MAX_ITEMS
        return self._items <= MAX_ITEMS

    def may_add(self, depth: int) -> bool:
        """Count a value of an item at this depth; return False where a bound is reached."""
        self._values += 1
        is_within = self._values <= MAX_VALUES and depth <= MAX_DEPTH and self._chars <= MAX_CHARS
        self.is_cut |= not is_within
        return is_within

    def bounded_copy(self, part: Any) -> Any:  # Any: JSON
        """Return a copy of a value, None and no parts beyond the bounds: a part in several places counts in each.

        An element with several names, in another one with several, would otherwise double the result at each level.
        """
        if isinstance(part, list):
            return [copy for copy in map(self.bounded_copy, part) if copy is not None]
        if self._copied_values >= MAX_VALUES or self._copied_chars > MAX_CHARS:
            self.is_cut = True
            return None
        self._copied_values += 1
        if isinstance(part, str):
            self._copied_chars += len(part)
        if not isinstance(part, dict):
            return part
        self._copied_chars += sum(map(len, part))
        copies = ((name, self.bounded_copy(inner)) for name, inner in part.items())
        return {name: copy for name, copy in copies if copy is not None}

    def text(self, text: str, max_chars: int = MAX_VALUE_CHARS) -> str:
        """Return a text without invisible characters and runs of blanks; its lines stay."""
        if len(text) > max_chars:
            self.is_cut = True
            text = text[:max_chars]
        if "&" in text:
            text = html.unescape(text)
        text = text.encode("utf-8", "ignore").decode()  # JSON may hold halves of characters
        cleaned = "\n".join(line for line in map(on_one_line, text.splitlines()) if line)
        self._chars += len(cleaned)
        return cleaned

    def element_text(self, node: LexborNode) -> str:
        """Return the text in an element, on one line; empty where elements in elements ask for too much."""
        if self._source_chars > MAX_SOURCE_CHARS:
            self.is_cut = True
            return ""
        text = node.text(deep=True) or ""
        self._source_chars += len(text) + 1
        return self.text(" ".join(text[: MAX_VALUE_CHARS + 1].split()))

    def address(self, address: str | None) -> str:
        """Return an absolute address, or the text itself where it is none."""
        if not address:
            return ""
        return site_address.resolve(address, self.base) or self.text(address, site_address.MAX_URL)
