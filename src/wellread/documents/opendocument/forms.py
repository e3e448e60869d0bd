"""The text of form controls (ODF 1.3 part 3, section 13): values, choices, ticks, labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.documents.ooxml import local_name
from wellread.documents.opendocument.styles import Attributes

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_VALUE_CHARS: Final = 5_000
_VALUES: Final = frozenset({"text", "textarea", "formatted-text", "number", "date", "time", "combobox", "file"})
_LABELS: Final = frozenset({"button", "fixed-text", "frame"})
_TICKS: Final = frozenset({"checkbox", "radio"})
_TICKED: Final = "\u2611"
_UNTICKED: Final = "\u2610"


def control_texts(content: Element) -> dict[str, str]:
    """Return the text of each form control, by its id."""
    texts: dict[str, str] = {}
    for forms in (part for part in content.iter() if local_name(part.tag) == "forms"):
        for control in forms.iter():
            text = _text(control, local_name(control.tag))[:MAX_VALUE_CHARS]
            if text:
                texts.setdefault(Attributes(control).get("id"), text)
    return texts


def _text(control: Element, kind: str) -> str:
    attributes = Attributes(control)
    label = attributes.get("label")
    if kind in _TICKS:
        state = attributes.get("current-state") or attributes.get("state") or attributes.get("current-selected")
        return f"{_TICKED if state in {'checked', 'true'} else _UNTICKED} {label}".strip()
    if kind in _VALUES:
        return attributes.get("current-value") or attributes.get("value")
    if kind == "listbox":
        options = (Attributes(option) for option in control if local_name(option.tag) in {"option", "item"})
        return ", ".join(option.get("label") for option in options if option.get("current-selected") == "true")
    return label if kind in _LABELS else ""
