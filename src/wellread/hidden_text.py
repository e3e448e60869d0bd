"""What hides text: the thresholds, the reasons that notices give, and the decisions on single values.

Three kinds of evidence are judged, and each has thresholds of its own, because each knows something else:

- style sheets without a layout (`wellread.css`): sizes and colours as they are declared; nothing tells where a box ends
  up, so that the thresholds are strict
- the layout of a browser (`wellread.browser`): sizes and colours as they are painted, so that less is doubtful
- the properties that documents store (`wellread.documents`): points and colours on white paper

| evidence | opacity below | font below | colour that is not told from its ground |
|---|---|---|---|
| style sheets | .05 | 4 px | contrast below 1.15 (`css/colours.py`) |
| layout | .1 | 3 px | contrast below 1.12 |
| controls in a layout | .05 | | |
| documents | | 1 pt or less | channels of 250 or more, in PDF of 235 or more |
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from wellread.css import concealment
from wellread.css.colours import over
from wellread.lazy_pattern import lazy_pattern
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selectolax.lexbor import LexborNode

    from wellread.css.colours import Colour
    from wellread.step_counter import StepCounter

_STEPS_PER_NODE: Final = 2
"""Of `unhidden_text`, for an element or a text: it takes about two microseconds."""
MIN_STYLE_OPACITY: Final = concealment.LEAST_OPACITY
"""Of an element by its style sheets, and of a control in a layout: people click what is hardly visible."""
MIN_LAYOUT_OPACITY: Final = 0.1
MIN_LAYOUT_FONT_PX: Final = 3.0
MIN_LAYOUT_CONTRAST: Final = 1.12
"""Ratio of WCAG 2.2, 1 to 21: white on #f2f2f2 has 1.12."""
MIN_LAYOUT_PX: Final = 5.0
"""Width and height of the part of a box that must show."""
OPAQUE_ALPHA: Final = 0.97
MAX_HIDDEN_FONT_POINTS: Final = 1.0
"""Text of documents in this size or a smaller one is hidden."""
MIN_WHITE_LEVEL: Final = 250
"""Of red, green and blue, 0 to 255: a colour that cannot be told from white paper."""
MIN_PDF_WHITE_LEVEL: Final = 235
"""On white paper: a contrast of 1.2 to 1, a fifteenth of black on white."""

_UNRENDERED: Final = lazy_pattern(r"display\s*:\s*none", re.IGNORECASE)
_INVISIBLE: Final = lazy_pattern(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MAX_STYLE_CHARS: Final = 2_000
_TEXTLESS: Final = frozenset({"script", "style", "template", "noscript"})
"""Elements whose text is not shown."""
_RGB: Final = lazy_pattern(r"[0-9A-Fa-f]{6}")


class HiddenReason(StrEnum):
    """Why text is hidden, as notices word it. `css/` words the reasons of style sheets in the same way."""

    UNDRAWN = "display:none"
    INVISIBLE = "visibility:hidden"
    FADED = "opacity:0"
    CLIPPED = "clip"
    ZERO_SIZE = "zero size"
    OFF_SCREEN = "off-screen"
    ZERO_FONT = "font-size:0"
    COVERED = "covered"
    TRANSPARENT = "transparent text"
    GROUND_COLOUR = "text in the background's colour"

    TINY_FONT = "tiny font"
    WHITE_TEXT = "white text"
    HIDDEN_FONT = "hidden font"
    HIDDEN_TEXT = "hidden text"
    DELETED = "tracked deletion"
    FIELD_CODE = "text in a field code"
    HIDDEN_ROW = "hidden row"
    HIDDEN_COLUMN = "hidden column"
    HIDDEN_SHEET = "hidden sheet"
    HIDDEN_SLIDE = "hidden slide"
    HIDDEN_SHAPE = "hidden shape"
    OFF_SLIDE = "off the slide"
    MERGED_CELL = "covered by a merged cell"
    EMPTY_FORMAT = "format that shows nothing"


# ------------------------------------------------------------------------------------------------- elements


def is_unrendered(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether the attributes of an element say that it has no box; style sheets play no part."""
    style = attributes.get("style")
    return "hidden" in attributes or bool(style and _UNRENDERED.search(style[:_MAX_STYLE_CHARS]))


def is_hidden_by_attributes(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether the attributes of an element hide it, with a box or without; style sheets play no part."""
    style = attributes.get("style")
    return "hidden" in attributes or bool(style and _INVISIBLE.search(style[:_MAX_STYLE_CHARS]))


def unhidden_text(node: LexborNode, max_chars: int, counter: StepCounter) -> str:
    """Return the first text of an element, without scripts, styles and parts that their own attributes hide.

    Raises:
        UnreadableError: `counter` has no steps left.
    """
    pieces: list[str] = []
    char_count = 0
    pending = [node]
    while pending and char_count < max_chars:
        part = pending.pop()
        counter.spend(_STEPS_PER_NODE)
        if part.tag == "-text":
            text = part.text(deep=False) or ""
            pieces.append(text)
            char_count += len(text)
        elif part.tag not in _TEXTLESS and not is_hidden_by_attributes(part.attributes):
            pending.extend(reversed(list(part.iter(include_text=True))))
    return "".join(pieces)[:max_chars]


def contrast(front: Colour, behind: Colour) -> float:
    """Return the contrast ratio (WCAG 2.2) of `front`, blended onto `behind`, which is opaque.

    Two colours of one brightness that differ in hue can be told apart all the same.
    """
    blended = over(front, behind)
    darker, lighter = sorted((_luminance(blended), _luminance(behind)))
    difference = max(abs(f - b) for f, b in zip(blended[:3], behind[:3], strict=True))
    return max((lighter + 0.05) / (darker + 0.05), 1 + difference)


def _luminance(colour: Colour) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# ------------------------------------------------------------------------------------------------ documents


def is_white(levels: Iterable[int]) -> bool:
    """Tell whether red, green and blue, 0 to 255, cannot be told from white paper."""
    return min(levels) >= MIN_WHITE_LEVEL


def is_white_code(colour: str) -> bool:
    """Tell whether RRGGBB, as office files write colours, cannot be told from white paper."""
    return _RGB.fullmatch(colour) is not None and is_white(bytes.fromhex(colour))


def is_tiny(points: float) -> bool:
    """Tell whether text of a document in this size is hidden."""
    return points <= MAX_HIDDEN_FONT_POINTS


def font_reason(*, tiny: bool, white: bool, painted: bool) -> HiddenReason | None:
    """Return why the font of a document hides its text; white text shows where the paper is `painted`."""
    if tiny:
        return HiddenReason.TINY_FONT
    if white and not painted:
        return HiddenReason.WHITE_TEXT
    return None


def hidden_notices(
    counts: Mapping[str, int], omitted: str = "text that readers cannot see was left out"
) -> Iterator[Notice]:
    """Yield the notice of hidden text of a document, by the number of places for each reason; none where it is 0."""
    total = sum(counts.values())
    if total:
        reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(counts.items()) if count)
        yield Notice("hidden_text", f"{omitted}: {reasons}", total)
