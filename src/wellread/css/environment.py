"""Finds the custom properties at each element of a page, in each window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css import media
from wellread.css.customs import Scope
from wellread.css.declarations import declarations
from wellread.css.sheets import layered

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from wellread.css.sheets import StyleSheets


class Where(NamedTuple):
    """What is believed of the rules of a page."""

    window: int
    wary: bool
    """Whether those that hold perhaps are believed where they hide."""


DESK: Final = Where(media.DESK, wary=False)


class Customs:
    """The custom properties of one page."""

    def __init__(self, sheets: StyleSheets) -> None:
        self._sheets = sheets
        self._apart = not all(told.inherits for told in sheets.registered.values())
        self._none = Scope({}, None, sheets.registered)
        self._known: dict[tuple[int, Where], Scope] = {}

    def at(self, node: LexborNode, where: Where) -> Scope:
        """Return those of an element; what declares none shares its parent's."""
        way: list[LexborNode] = []
        at: LexborNode | None = node
        while at is not None and at.tag != "-document" and (at.mem_id, where) not in self._known:
            way.append(at)
            at = at.parent
        scope = self._known.get((at.mem_id, where), self._none) if at is not None else self._none
        for one in reversed(way):
            own = self._own(one, where)
            scope = Scope(own, scope, self._sheets.registered) if own or self._apart else scope
            self._known[one.mem_id, where] = scope
        return scope

    def _own(self, node: LexborNode, where: Where) -> dict[str, str]:
        style = node.attributes.get("style") or ""
        ruled = self._sheets.customs(node)
        inline = declarations(style) or () if "--" in style else ()
        if not ruled and not inline:
            return {}
        usual, important, strongest = layered(ruled, where.window, wary=where.wary)
        all_ = [*usual, *(one for one in inline if not one.important), *important, *strongest]
        all_ += [one for one in inline if one.important]
        return {one.name: one.value for one in all_ if one.name.startswith("--")}
