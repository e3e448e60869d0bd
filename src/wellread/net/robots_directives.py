"""Reads what a page asks of automated readers: X-Robots-Tag fields, and `<meta name=robots>`. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from wellread.types import Headers

AGENT: Final = "wellread"
"""The product token in robots.txt, `<meta name>` and X-Robots-Tag (RFC 9309, section 2.2.1)."""
META_NAMES: Final = ("robots", AGENT)
_MAX_CHARS: Final = 1_000
_KNOWN: Final = (
    *("noindex", "nofollow", "none", "noarchive", "nosnippet", "noimageindex", "notranslate", "noai", "noimageai"),
    *("unavailable_after", "indexifembedded"),
)
"""The directives that notices name, so that no other words of a page stand in them."""


def directives(text: str) -> set[str]:
    """Return the directives of one value, in lower case."""
    return {word.strip().lower() for word in text[:_MAX_CHARS].split(",")}


def header_directives(headers: Headers) -> frozenset[str]:
    """Return the directives of X-Robots-Tag for all agents, and for this one."""
    names: set[str] = set()
    for name, text in headers:
        if name.lower() != "x-robots-tag":
            continue
        agent, colon, addressed = text[:_MAX_CHARS].partition(":")
        agent = agent.strip().lower()
        if colon and agent == AGENT:
            names |= directives(addressed)
        elif not colon or "," in agent or agent == "unavailable_after":  # else it is addressed to another agent
            names |= directives(text)
    return frozenset(names)


def forbids(names: Collection[str], name: str) -> bool:
    """Return whether directives have `name`, or `none`, which stands for noindex and nofollow."""
    return name in names or "none" in names


def known(words: Iterable[str]) -> str:
    """Return the directives that restrict something, for a notice; empty where there is none."""
    names = {word.partition(":")[0].strip() for word in words}
    return ", ".join(name for name in _KNOWN if name in names)


def notice_detail(party: str, names: str, place: str) -> str:
    """Return the detail of a notice: `party` is the page or the server, `names` are the `known` directives."""
    return f"the {party} asks automated readers for: {names} ({place})"


def noticed_directives(detail: str) -> set[str]:
    """Return the directives that a `notice_detail` names."""
    return directives(detail.partition(": ")[2].partition(" (")[0])
