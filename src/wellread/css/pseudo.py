"""Knows the pseudo-classes of selectors: which never hold on a page at rest, and what the others ask (Selectors 4)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wellread.css.words import word_set


class Test(NamedTuple):
    """Something that is asked of an element besides its names."""

    kind: str
    """attribute, is, not, has, nth, empty, root, link, lang, dir, tagged, anchor or unknown."""
    name: str = ""
    by: str = ""
    value: str = ""
    chains: tuple[tuple[tuple[str, frozenset[str], tuple[Test, ...]], ...], ...] = ()
    """Selectors inside of it, each from the element outwards."""
    step: tuple[int, int] = (0, 0)
    """Of `an+b`."""


ANCHOR: Final = Test("anchor")
"""The element that `:has()` is asked of."""
NEVER: Final = Test("never")
ALWAYS: Final = Test("always")
UNKNOWN: Final = Test("unknown")
ELEMENTS: Final = word_set("before after first-line first-letter")
"""Pseudo-elements that may be written with one colon."""
TAKING_LISTS: Final = {
    **dict.fromkeys(("is", "where", "matches", "-webkit-any", "-moz-any"), "is"),
    "not": "not",
    "has": "has",
}
_DYNAMIC: Final = word_set(
    "hover focus focus-visible focus-within active visited target target-within fullscreen -webkit-full-screen"
    " popover-open modal picture-in-picture playing paused seeking buffering stalled muted volume-locked autofill"
    " -webkit-autofill placeholder-shown indeterminate user-valid user-invalid current past future host host-context"
    " state open local-link invalid out-of-range default -webkit-drag blank target-current"
)
_BY_ATTRIBUTE: Final = {"checked": "checked", "disabled": "disabled", "required": "required"}
_NTH: Final = {
    "nth-child": ("", ""),
    "nth-last-child": ("last", ""),
    "nth-of-type": ("", "type"),
    "nth-last-of-type": ("last", "type"),
}
_ONES: Final = {
    "first-child": ("nth-child",),
    "last-child": ("nth-last-child",),
    "first-of-type": ("nth-of-type",),
    "last-of-type": ("nth-last-of-type",),
}
_STEP: Final = re.compile(r"\s*([+-]?\d{0,9})n\s*(?:([+-])\s*(\d{1,9}))?\s*|\s*([+-]?\d{1,9})\s*")
_CONTROLS: Final = "input select textarea button option optgroup fieldset"


def simple(name: str, inside: str | None) -> Test:
    """Return what a pseudo-class asks that takes no selectors; `inside` is what stands in its brackets."""
    if name in _DYNAMIC:
        return NEVER
    if name in _NTH and inside is not None:
        return _counted(name, inside)
    if name in _ONES:
        return _counted(_ONES[name][0], "1")
    if name in {"only-child", "only-of-type"}:
        return Test("only", by="type" if name == "only-of-type" else "")
    if name in {"root", "scope"}:
        return Test("root")
    if name in {"lang", "dir"} and inside is not None:
        return Test(name, value=inside.strip().strip("\"'").lower())
    return _of_forms(name)


def _of_forms(name: str) -> Test:
    if name in _BY_ATTRIBUTE:
        return Test("attribute", _BY_ATTRIBUTE[name])
    if name == "defined":
        return ALWAYS
    if name == "empty":
        return Test("empty")
    if name in {"link", "any-link", "-webkit-any-link"}:
        return Test("link")
    if name in {"enabled", "read-write"}:
        return Test("tagged", value=_CONTROLS if name == "enabled" else "input textarea")
    if name == "read-only":
        return Test("tagged", by="not", value="input textarea")
    if name in {"optional", "valid", "in-range"}:
        return Test("tagged", value="input select textarea form")
    return UNKNOWN


def _counted(name: str, inside: str) -> Test:
    told, _, of = inside.lower().partition(" of ") if " of " in inside.lower() else (inside.lower(), "", "")
    told = {"odd": "2n+1", "even": "2n"}.get(told.strip(), told)
    found = _STEP.fullmatch(told)
    if found is None:
        return UNKNOWN
    last, kind = _NTH[name]
    by = f"{last} {kind}"
    if found[4] is not None:
        return Test("nth", by=by, step=(0, int(found[4])), value=inside[-len(of) :] if of else "")
    each = {"": 1, "+": 1, "-": -1}.get(found[1])
    first = int(f"{found[2]}{found[3]}") if found[3] else 0
    step = (int(found[1]) if each is None else each, first)
    return Test("nth", by=by, step=step, value=inside[-len(of) :] if of else "")


def attribute(token: re.Match[str]) -> Test:
    """Return what `[name op "value" i]` asks."""
    value = token["value"] or ""
    if value[:1] in {'"', "'"}:
        value = value[1:-1]
    by = token["by"] or ""
    fold = "i" if (token["fold"] or "").lower() == "i" else ""
    return Test("attribute", unescaped(token["attribute"]).lower(), by + fold, unescaped(value))


_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)


def unescaped(name: str) -> str:
    """Return a name with its escapes read (CSS Syntax 3, 4.3.7)."""
    if "\\" not in name:
        return name
    return _ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2], name)
