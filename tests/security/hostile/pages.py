"""The registry of the hostile pages: all attacks on the cost of reading a page, written from the specifications alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from security.hostile import cascade, markup, metadata, output, recognition, selectors, shadow, tables_and_lists, text

if TYPE_CHECKING:
    from security.hostile.shapes import HostilePage

_MODULES = (selectors, cascade, markup, text, metadata, tables_and_lists, shadow, output, recognition)


def _registered(pages: list[HostilePage]) -> dict[str, HostilePage]:
    """Return `pages` by their names.

    Raises:
        ValueError: two pages have one name.
    """
    registry: dict[str, HostilePage] = {}
    for page in pages:
        if page.name in registry:
            raise ValueError(f"two hostile pages are named {page.name}")
        registry[page.name] = page
    return registry


GROWING = _registered([page for module in _MODULES for page in module.PAGES])
"""Pages of any size, by name."""

FIXED = _registered([page for module in _MODULES for page in module.FIXED])
"""Pages below 5 KB that may take exponential time, by name."""

ALL = GROWING | FIXED
