"""Lists the keywords of properties whose values are few (CSS Display 3, Overflow 3, Fonts 4, Sizing 3)."""

from __future__ import annotations

from typing import Final

from wellread.css.words import word_set

DISPLAYS: Final = word_set(
    "none block inline inline-block flex inline-flex grid inline-grid flow-root contents list-item table "
    "inline-table table-row table-cell table-caption table-column table-column-group table-row-group table-"
    "header-group table-footer-group ruby ruby-base ruby-text run-in math flow -webkit-box -webkit-inline-box "
    "-webkit-flex -ms-flexbox inline-list-item"
)
DISPLAY_PARTS: Final = word_set("block inline flow flow-root flex grid table ruby list-item math run-in")
KEYWORDS: Final = {
    "visibility": frozenset(["visible", "hidden", "collapse"]),
    "content-visibility": frozenset(["visible", "hidden", "auto"]),
    "position": frozenset(["static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"]),
    "box-sizing": frozenset(["content-box", "border-box"]),
    "unicode-bidi": word_set("normal embed isolate plaintext bidi-override isolate-override"),
    "direction": frozenset(["ltr", "rtl"]),
    "-webkit-text-security": frozenset(["none", "disc", "circle", "square"]),
}
OVERFLOWS: Final = word_set("visible hidden clip scroll auto overlay")
SIZES: Final = word_set(
    "xx-small x-small small medium large x-large xx-large xxx-large smaller larger math auto none min-content "
    "max-content fit-content stretch -webkit-fill-available normal content"
)
