"""Knows the pseudo-classes of selectors: which never hold on a page at rest, and what the others ask (Selectors 4)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wellread.css.words import lowered, word_set
from wellread.lazy_pattern import lazy_pattern


class Test(NamedTuple):
    """Something that is asked of an element besides its names."""

    kind: str
    """attribute, is, not, has, nth, only, empty, root, link, lang, dir, said, perhaps, writable, defined, anchor,
    never or unknown."""
    name: str = ""
    by: str = ""
    value: str = ""
    chains: tuple[Chain, ...] = ()
    """Selectors inside of it, each from the element outwards."""
    step: tuple[int, int] = (0, 0)
    """Of `an+b`."""


class Link(NamedTuple):
    """One compound of a selector."""

    sign: str
    """How it stands to the compound after it: ` ` around, `>` right around, `+` right before, `~` before."""
    names: frozenset[str]
    """Classes, ids and tag that it asks for."""
    tests: tuple[Test, ...] = ()
    """What else it asks for."""


Chain = tuple[Link, ...]
"""From the element outwards."""

ANCHOR: Final = Test("anchor")
"""The element that `:has()` is asked of."""
NEVER: Final = Test("never")
UNKNOWN: Final = Test("unknown")
ELEMENTS: Final = word_set("before after first-line first-letter")
"""Pseudo-elements that may be written with one colon."""
SINGLE: Final = word_set(
    "selection backdrop marker placeholder file-selector-button details-content target-text spelling-error"
    " grammar-error search-text view-transition scroll-marker scroll-marker-group column checkmark picker-icon cue"
    " cue-region"
)
PARTS: Final = word_set(
    "part slotted highlight cue cue-region picker scroll-button view-transition-group view-transition-image-pair"
    " view-transition-old view-transition-new"
)
"""Pseudo-elements that have brackets."""
TAKING_LISTS: Final = {
    **dict.fromkeys(("is", "where", "matches", "-webkit-any", "-moz-any"), "is"),
    "not": "not",
    "has": "has",
}
_DYNAMIC: Final = word_set(
    "hover focus focus-visible focus-within active visited target target-within fullscreen -webkit-full-screen"
    " popover-open modal picture-in-picture autofill -webkit-autofill user-valid user-invalid current past future"
    " local-link -webkit-drag target-current"
)
"""What never holds on a page at rest."""
_DYNAMIC_LISTS: Final = word_set("host host-context state active-view-transition-type")
_TAKEN: Final = word_set(
    "horizontal vertical window-inactive corner-present start end increment decrement single-button double-button"
    " no-button active-view-transition active-view-transition-type target-before target-after xr-overlay blank"
    " interest-source interest-target -webkit-full-screen-ancestor -webkit-full-screen-document has-slotted untold"
    " -webkit-full-page-media heading"
)
"""Names of which this is known alone, that browsers take them."""
_NTH: Final = word_set("nth-child nth-last-child nth-of-type nth-last-of-type")
_ONES: Final = word_set("first-child last-child first-of-type last-of-type")
_STEP: Final = lazy_pattern(r"\s*+([+-]?\d{0,99})n\s*+(?:([+-])\s*+(\d{1,99})\s*+)?|\s*+([+-]?\d{1,99})\s*+")
_OF: Final = lazy_pattern(r"(?<![\w-])of(?![\w-])", re.IGNORECASE)
_LARGEST: Final = 2**31 - 1
_FIELDS: Final = "input select textarea"
_CONTROLS: Final = f"{_FIELDS} button option optgroup fieldset"
_CHECKED: Final = f"{_FIELDS} form button fieldset output object"
_PLAIN: Final = {
    "checked": Test("said", "checked", value="input option"),
    "disabled": Test("said", "disabled", value=_CONTROLS),
    "enabled": Test("said", "disabled", by="not", value=_CONTROLS),
    "required": Test("said", "required", value=_FIELDS),
    "optional": Test("said", "required", by="not", value=_FIELDS),
    "open": Test("said", "open", value="details dialog select input"),
    "read-write": Test("writable"),
    "read-only": Test("writable", by="not"),
    **dict.fromkeys(("valid", "invalid"), Test("perhaps", value=_CHECKED)),
    **dict.fromkeys(("in-range", "out-of-range"), Test("perhaps", value="input")),
    "placeholder-shown": Test("perhaps", "placeholder", value="input textarea"),
    "indeterminate": Test("perhaps", value="input progress"),
    "default": Test("perhaps", value="input button option"),
    **dict.fromkeys(
        ("playing", "paused", "seeking", "buffering", "stalled", "muted", "volume-locked"),
        Test("perhaps", value="video audio"),
    ),
    **dict.fromkeys(("root", "scope"), Test("root")),
    **dict.fromkeys(("link", "any-link", "-webkit-any-link"), Test("link")),
    "only-child": Test("only"),
    "only-of-type": Test("only", by="type"),
    "defined": Test("defined"),
    "empty": Test("empty"),
}


def simple(name: str, inside: str | None) -> Test | None:
    """Return what a pseudo-class asks that takes no selectors; `inside` is what stands in its brackets.

    None for what no browser takes.
    """
    if name in _DYNAMIC_LISTS:
        return NEVER if inside or name == "host" else None
    if name in _TAKEN:
        return UNKNOWN
    if inside is not None:
        if name in _NTH:
            return _counted(name, inside)
        told = inside.strip().lower()
        return Test(name, value=told) if name in {"lang", "dir"} and told else None
    if name in _DYNAMIC:
        return NEVER
    return (
        _counted(name.replace("last", "nth-last").replace("first", "nth"), "1") if name in _ONES else _PLAIN.get(name)
    )


def _counted(name: str, inside: str) -> Test | None:
    told, *of = _OF.split(inside.replace("/**/", " "), maxsplit=1)
    told = {"odd": "2n+1", "even": "2n"}.get(told.strip().lower(), told.lower())
    found = _STEP.fullmatch(told)
    if found is None or (of and ("type" in name or not of[0].strip())):
        return None
    value = of[0] if of else ""
    if found[4] is not None:
        return Test("nth", by=name, step=(0, _whole(found[4])), value=value)
    each = {"": 1, "+": 1, "-": -1}.get(found[1])
    first = _whole(f"{found[2]}{found[3]}") if found[3] else 0
    step = (_whole(found[1]) if each is None else each, first)
    return Test("nth", by=name, step=step, value=value)


def _whole(number: str) -> int:
    return max(-_LARGEST, min(int(number), _LARGEST))


_FOLDED: Final = word_set(
    "accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir "
    "direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref "
    "noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype "
    "vlink"
)
"""Attributes of whose values selectors heed no case (HTML standard, 4.16.2)."""


def attribute(token: re.Match[str]) -> Test:
    """Return what `[name op "value" i]` asks."""
    value, name = token["value"] or "", lowered(unescaped(token["attribute"]))
    if value[:1] in {'"', "'"}:
        value = _JOINED.sub("", value[1:-1])
    by = token["by"] or ""
    fold = (token["fold"] or ("i" if name in _FOLDED else "")).lower().strip("s")
    return Test("attribute", name, by + fold if by else "", unescaped(value))


_JOINED: Final = lazy_pattern(r"(?<!\\)\\(?:\r\n|[\n\r\f])")
ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}(?:\r\n|[ \t\n\r\f])?|[^\n\r\f0-9a-fA-F])"
_ESCAPE: Final = lazy_pattern(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\r\f])?|(.))", re.DOTALL)


def unescaped(name: str) -> str:
    """Return a name with its escapes read (CSS Syntax 3, 4.3.7)."""
    return _ESCAPE.sub(_read_escape, name) if "\\" in name else name


def _read_escape(found: re.Match[str]) -> str:
    if not found[1]:
        return found[2]
    code = int(found[1], 16)
    return "\ufffd" if not code or 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)
