"""Count the paragraphs of lists like Word: levels, starts, restarts and overrides (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents.docx.number_formats import formatted
from wellread.documents.docx.word_styles import indent_of
from wellread.documents.docx.word_xml import attribute, child, is_on, value_of, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

    from wellread.documents.docx.word_styles import StyleNumbering

MAX_LEVEL: Final = 8
BULLET: Final = "\u2022"
_MAX_LABEL: Final = 200
_PLACE: Final = re.compile(r"%([1-9])")
_MAX_HOPS: Final = 8


class Level(NamedTuple):
    """One level of a list."""

    start: int = 1
    number_format: str = "decimal"
    text: str = ""
    restart: int | None = None
    """The level, counted from 1, that starts this one again; 0 for none, None for any above."""
    legal: bool = False
    style_id: str = ""
    indent: int | None = None


class _Num(NamedTuple):
    abstract_id: str
    starts: dict[int, int]
    levels: dict[int, Level]


class Numbering:
    """The lists of a document, and the current number of each."""

    def __init__(self, part: Element | None, list_style: Callable[[str], StyleNumbering | None]) -> None:
        self._abstract: dict[str, dict[int, Level]] = {}
        self._style_links: dict[str, str] = {}
        self._nums: dict[str, _Num] = {}
        self._list_style = list_style
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._started: set[tuple[str, int]] = set()
        for element in part if part is not None else ():
            name = element.tag
            if name == "abstractNum":
                abstract_id = attribute(element, "abstractNumId")
                self._abstract[abstract_id] = dict(_levels(element))
                link = value_of(element, "numStyleLink")
                if link:
                    self._style_links[abstract_id] = link
            elif name == "num":
                self._nums[attribute(element, "numId")] = _num(element)

    def _resolved(self, num_id: str) -> str:
        """Return the id of the abstract list of a list, following list styles."""
        abstract_id = ""
        for _ in range(_MAX_HOPS):
            num = self._nums.get(num_id)
            if num is None:
                break
            abstract_id = num.abstract_id
            link = self._style_links.get(abstract_id)
            numbered = self._list_style(link) if link else None
            if numbered is None or numbered.num_id is None:
                break
            num_id = numbered.num_id
        return abstract_id

    def level(self, num_id: str, depth: int) -> Level | None:
        """Return a level of a list; None where there is none."""
        num = self._nums.get(num_id)
        if num is None:
            return None
        return num.levels.get(depth) or self._abstract.get(self._resolved(num_id), {}).get(depth)

    def depth_of_style(self, num_id: str, style_id: str) -> int | None:
        """Return the level that is linked with a style of paragraphs."""
        levels = self._abstract.get(self._resolved(num_id), {})
        return next((depth for depth, level in levels.items() if level.style_id == style_id), None)

    def label(self, num_id: str, depth: int) -> str:
        """Count a paragraph, and return the label that Word shows; empty where it shows none."""
        level = self.level(num_id, depth)
        if level is None:
            return ""
        self._count(num_id, depth, level)
        if level.number_format == "bullet":
            return BULLET if level.text.strip() else ""
        return _PLACE.sub(lambda match: self._shown(num_id, int(match[1]) - 1, level), level.text)[:_MAX_LABEL].strip()

    def _count(self, num_id: str, depth: int, level: Level) -> None:
        counts = self._counts[self._resolved(num_id)]
        start = self._nums[num_id].starts.get(depth)
        if start is not None and (num_id, depth) not in self._started:
            counts[depth] = start
        elif depth in counts:
            counts[depth] += 1
        else:
            counts[depth] = start if start is not None else level.start
        self._started.add((num_id, depth))
        for deeper in [number for number in counts if number > depth]:
            below = self.level(num_id, deeper)
            if below is None or below.restart is None or depth < below.restart:
                del counts[deeper]

    def _shown(self, num_id: str, depth: int, labelled_level: Level) -> str:
        level = self.level(num_id, depth)
        if level is None:
            return ""
        number = self._counts[self._resolved(num_id)].get(depth, level.start)
        number_format = level.number_format
        if labelled_level.legal and number_format not in {"bullet", "none"}:
            number_format = "decimal"
        return formatted(number, number_format)


def _levels(element: Element) -> list[tuple[int, Level]]:
    levels = []
    for part in element:
        depth = whole_number(attribute(part, "ilvl"))
        if part.tag == "lvl" and depth is not None and 0 <= depth <= MAX_LEVEL:
            levels.append((depth, _level(part)))
    return levels


def _level(element: Element) -> Level:
    number_format = child(element, "numFmt")
    alternate = child(child(element, "AlternateContent"), "Fallback")  # formats of later versions of Word
    if number_format is None and alternate is not None:
        number_format = child(alternate, "numFmt")
    text = value_of(element, "lvlText")
    if child(element, "lvlText") is None and attribute(number_format, "val") == "bullet":
        text = BULLET
    return Level(
        start=whole_number(value_of(element, "start"), 1) or 0,
        number_format=attribute(number_format, "val") or "decimal",
        text=text[:_MAX_LABEL],
        restart=whole_number(value_of(element, "lvlRestart")),
        legal=is_on(child(element, "isLgl")),
        style_id=value_of(element, "pStyle"),
        indent=indent_of(child(element, "pPr")),
    )


def _num(element: Element) -> _Num:
    starts: dict[int, int] = {}
    levels: dict[int, Level] = {}
    for override in element:
        depth = whole_number(attribute(override, "ilvl"))
        if override.tag != "lvlOverride" or depth is None:
            continue
        levels |= _levels(override)
        start = whole_number(value_of(override, "startOverride"))
        if start is not None:
            starts[depth] = start
        elif depth in levels:
            starts[depth] = levels[depth].start
    return _Num(value_of(element, "abstractNumId"), starts, levels)
