"""Access elements of WordprocessingML by local name: strict and transitional files differ in the namespace.

The parts are parsed with `local_names`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_OFF = frozenset({"0", "false", "off"})


def child(element: Element | None, name: str) -> Element | None:
    """Return the first child with a name."""
    if element is None:
        return None
    return element.find(name)


def attribute(element: Element | None, name: str) -> str:
    """Return an attribute; an empty text where there is none."""
    if element is None:
        return ""
    return element.get(name, "")


def value_of(properties: Element | None, name: str) -> str:
    """Return the `val` of a property."""
    if properties is None:
        return ""
    element = properties.find(name)
    if element is None:
        return ""
    return element.get("val", "")


def is_on(element: Element | None) -> bool:
    """Tell whether a property is set and not switched off (ECMA-376 part 1, 22.9.2.7)."""
    return element is not None and attribute(element, "val") not in _OFF


def whole_number(text: str, default: int | None = None) -> int | None:
    """Return an integer of at most nine digits; `default` for anything else."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= 9:
        return int(text)
    return default
