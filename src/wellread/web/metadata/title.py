"""The page's title: every wording the page has for itself, whole and without what hangs on it, and what marks each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.web.metadata.choice import Candidate
from wellread.web.metadata.clean import key
from wellread.web.metadata.place import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.web.metadata.place import Site

_MARK = re.compile(
    r"\s+(?:[|\u2013\u2014\u00b7\u00bb\u2022\u203a\u00ab~-]|::|//?)\s+|\s*[\uff5c\u4e28|]\s*|:\s+|\s+:\s*|\s-(?=\S)|(?<=\S)-\s"
)
_LESSER = frozenset({"ld", "name", "twitter", "meta"})
"""Where Open Graph speaks, these only bear witness: its priority over the other declarations is a promise."""
_ROLES = ("h1", "og", "element", "h1 more", "head of declared", "head of element")
MAX_MARKS = 6
SITE_WORDS = 5
"""A part that merely resembles the site's name is its name only when it is at most so long."""


def candidates(declared: Mapping[str, str | None], headings: Sequence[str], of: Site) -> list[Candidate]:
    """Return each different wording once, in the order of the sources, with its marks.

    `declared` holds the texts by their source; `headings` are what the page shows as its own.
    """
    texts = [(name, text) for name, text in declared.items() if text]
    texts += [("h1" if at == 0 else "h1 more", text.strip(" \u00b6#")) for at, text in enumerate(headings)]
    found: dict[str, tuple[str, set[str]]] = {}
    cut: set[tuple[str, str]] = set()
    for source, text in texts:
        if source in _LESSER and declared.get("og"):
            continue
        found.setdefault(_fold(text), (text, set()))[1].add(source)
        shown = bool(headings) and key(text) == key(headings[0])
        family = "h1" if shown else "element" if source == "element" else "declared"
        if source != "h1 more" and (text, family) not in cut:
            cut.add((text, family))
            for wording, told in _cuts(text, family, of):
                found.setdefault(_fold(wording), (wording, set()))[1].update(told)
    keys = {name: key(text) for name, text in reversed(texts)}
    page = _page(keys, headings, of)
    return [Candidate(text, frozenset(told | set(_marks(text, told, keys, of, page)))) for text, told in found.values()]


def _fold(text: str) -> str:
    return text.casefold().replace("\u2019", "'").replace("\u2018", "'").replace("\u201c", '"').replace("\u201d", '"')


def _cuts(text: str, family: str, of: Site) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a text cut at each mark, with how it was come by."""
    marks = list(_MARK.finditer(text))
    for mark in marks[-MAX_MARKS:]:
        before, after = text[: mark.start()].strip(), text[mark.end() :].strip()
        kind = "colon" if ":" in mark[0] else "bar" if "|" in mark[0] else "dash"
        if key(before):
            yield before, (f"head of {family}", f"head, {kind}", f"head less {_kind(after, before, of)}")
        if key(after):
            yield after, (f"tail of {family}", f"tail, {kind}", f"tail less {_kind(before, after, of)}")


def _kind(cut: str, kept: str, of: Site) -> str:
    """Say what was cut off."""
    if not key(cut) or squeeze(cut).removeprefix("the") in of.names:
        return "site"
    if _resembles(cut, of):
        return "like site"
    last = _MARK.split(cut)[-1]
    if last != cut and (squeeze(last).removeprefix("the") in of.names or _resembles(last, of)):
        return "to site"
    return "short" if len(key(cut).split()) <= 3 else "long" if len(cut) >= len(kept) else "part"


def _page(keys: Mapping[str, str], headings: Sequence[str], of: Site) -> tuple[str, ...]:
    """Say how the page names itself: what the marks of a source mean depends on it."""
    named = "site named" if of.named else "site unnamed"
    told = f"ld {_beside(keys.get('h1'), keys.get('ld'))} h1, {_beside(keys.get('og'), keys.get('ld'))} og"
    if not headings:
        return "no h1", named, told
    words = set(keys["h1"].split())
    others = [text for name, text in keys.items() if not name.startswith("h1")]
    shared = max((len(words & set(text.split())) for text in others), default=0) * 4 // (len(words) + 1)
    agrees = 5 if keys["h1"] in others else 4 if any(keys["h1"] in text for text in others) else shared
    return f"h1 {agrees} of {'one' if len(headings) == 1 else 'many'}", named, told


def _beside(other: str | None, own: str | None) -> str:
    """Say how a wording stands to another one."""
    if not own or not other:
        return "without"
    return "is" if own == other else "in" if own in other else "holds" if other in own else "not"


def _marks(text: str, sources: set[str], keys: Mapping[str, str], of: Site, page: Sequence[str]) -> Iterator[str]:
    own = key(text)
    words = own.split()
    role = next((name for name in _ROLES if name in sources), "part")
    for told in page:
        yield f"{told}: {role}"
    for name in ("og", "element", "h1", "ld"):
        yield f"{_beside(keys.get(name), own)} {name}"
    yield f"told by {min(3, len([other for other in keys.values() if other == own]))}"
    yield f"words {min(5, len(words)) if len(words) < 7 else '7' if len(words) < 16 else '16'}"
    if squeeze(text).removeprefix("the") in of.names:
        yield "front site" if of.front else "site"
    elif _resembles(text, of):
        yield "front like site" if of.front else "like site"
    if of.slug and not of.front:
        shared = len(of.slug.intersection(words))
        yield f"of slug {shared * 4 // len(of.slug)}"
        yield f"by slug {shared * 4 // (len(words) or 1)}"


def _resembles(part: str, of: Site) -> bool:
    """Say whether a part is a variant of the site's name: `Huel US`, `Arch Linux Forums`, `WFA`, `FAU Business`."""
    words = key(part).split()
    if not words or len(words) > SITE_WORDS or _MARK.search(part):
        return False
    squeezed = "".join(words)
    initials = "".join(word[0] for word in words)
    if len(of.label) >= 3 and of.label in {squeezed, words[0], words[-1], initials}:
        return True
    if len(of.label) >= 5 and (of.label in squeezed or (len(squeezed) >= 5 and squeezed in of.label)):
        return True
    return any(
        len(name) >= 4 and len(squeezed) >= 4 and (squeezed.startswith(name) or name.startswith(squeezed))
        for name in of.names
    )
