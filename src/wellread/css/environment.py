"""Finds the custom properties at each element of a page, in each window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import media
from wellread.css.customs import Scope
from wellread.css.declarations import declarations
from wellread.css.sheets import layered

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from wellread.css.declarations import Declaration
    from wellread.css.index import Rule
    from wellread.css.sheets import StyleSheets


class Where(NamedTuple):
    """What is believed of the rules of a page."""

    window: int
    wary: bool
    """Whether those that hold perhaps are believed where they hide."""


AT_DESK: Final = Where(media.DESK, wary=False)
"""In the window of a desk, of the rules those alone that surely hold."""


class Customs:
    """The custom properties of one page."""

    def __init__(self, sheets: StyleSheets) -> None:
        self._sheets = sheets
        self._apart = not all(told.inherits for told in sheets.registered.values())
        self._none = Scope({}, None, sheets.registered)
        self._known: dict[tuple[int, Where], Scope] = {}
        self._shared: dict[tuple[Scope, int, Where], Scope] = {}

    def at(self, node: LexborNode, where: Where) -> Scope:
        """Return those of an element; what declares none shares its parent's."""
        way: list[LexborNode] = []
        at: LexborNode | None = node
        while at is not None and at.tag != "-document" and (at.mem_id, where) not in self._known:
            way.append(at)
            at = at.parent
        scope = self._known.get((at.mem_id, where), self._none) if at is not None else self._none
        for one in reversed(way):
            scope = self._known[one.mem_id, where] = self._within(scope, one, where)
        return scope

    def _within(self, around: Scope, node: LexborNode, where: Where) -> Scope:
        """Return the scope of an element in that of its parent: those that the same rules match share theirs."""
        style = node.attributes.get("style") or ""
        told = "--" in style or "\\" in style
        inline = [one for one in declarations(style) or () if one.name.startswith("--")] if told else []
        ruled = self._sheets.customs(node)
        shared = None if inline else (around, id(ruled), where)
        known = self._shared.get(shared) if shared is not None else None
        if known is None:
            own = _own(ruled, where, inline) if ruled or inline else {}
            known = Scope(own, around, self._sheets.registered) if own or self._apart else around
            if shared is not None:
                self._shared[shared] = known
        return known


def _own(ruled: list[Rule], where: Where, inline: list[Declaration]) -> dict[str, str]:
    usual, important, strongest = layered(ruled, where.window, wary=where.wary)
    all_ = [*usual, *(one for one in inline if not one.important), *important, *strongest]
    all_ += [one for one in inline if one.important]
    return {one.name: one.value for one in all_ if one.name.startswith("--")}
