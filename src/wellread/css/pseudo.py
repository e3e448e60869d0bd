"""Knows the pseudo-classes of selectors: which never hold on a page at rest, and what the others ask (Selectors 4)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wellread.css.words import word_set


class Test(NamedTuple):
    """Something that is asked of an element besides its names."""

    kind: str
    """attribute, is, not, has, nth, only, empty, root, link, lang, dir, tagged, anchor or unknown."""
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
_NTH: Final = {
    "nth-child": ("", ""),
    "nth-last-child": ("last", ""),
    "nth-of-type": ("", "type"),
    "nth-last-of-type": ("last", "type"),
}
_ONES: Final = {
    "first-child": "nth-child",
    "last-child": "nth-last-child",
    "first-of-type": "nth-of-type",
    "last-of-type": "nth-last-of-type",
}
_STEP: Final = re.compile(r"\s*([+-]?\d{0,9})n\s*(?:([+-])\s*(\d{1,9}))?\s*|\s*([+-]?\d{1,9})\s*")
_CONTROLS: Final = "input select textarea button option optgroup fieldset"
_PLAIN: Final = {
    **{name: Test("attribute", name) for name in ("checked", "disabled", "required")},
    **dict.fromkeys(("root", "scope"), Test("root")),
    **dict.fromkeys(("link", "any-link", "-webkit-any-link"), Test("link")),
    **dict.fromkeys(("optional", "valid", "in-range"), Test("tagged", value="input select textarea form")),
    "only-child": Test("only"),
    "only-of-type": Test("only", by="type"),
    "defined": ALWAYS,
    "empty": Test("empty"),
    "enabled": Test("tagged", value=_CONTROLS),
    "read-write": Test("tagged", value="input textarea"),
    "read-only": Test("tagged", by="not", value="input textarea"),
}


def simple(name: str, inside: str | None) -> Test:
    """Return what a pseudo-class asks that takes no selectors; `inside` is what stands in its brackets."""
    if name in _DYNAMIC:
        return NEVER
    if inside is not None:
        if name in _NTH:
            return _counted(name, inside)
        return Test(name, value=inside.strip().strip("\"'").lower()) if name in {"lang", "dir"} else UNKNOWN
    return _counted(_ONES[name], "1") if name in _ONES else _PLAIN.get(name, UNKNOWN)


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
