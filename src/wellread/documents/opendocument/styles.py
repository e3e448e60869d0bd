"""Resolve the styles of an OpenDocument file (ODF 1.3 part 3, section 16): the look of text, the labels of lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents.ooxml import local_name
from wellread.hidden_text import HiddenReason, font_reason, is_tiny, is_white_code
from wellread.types import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.etree.ElementTree import Element

MAX_PARENTS: Final = 12
MAX_LIST_LEVEL: Final = 10
MAX_DIGITS: Final = 9
_POINTS_PER_UNIT: Final = {"pt": 1.0, "in": 72.0, "cm": 28.35, "mm": 2.835, "px": 0.75}
_CODE_STYLES: Final = frozenset(
    {"preformatted text", "source code", "html preformatted", "verbatim", "code block", "preformatted"}
)
_QUOTE_STYLES: Final = frozenset({"quotations", "quote", "intense quote", "block text", "block quotation"})
_TITLE_STYLES: Final = frozenset({"title"})
_CODE_TEXT_STYLES: Final = frozenset({"source text", "html code", "verbatim char", "teletype"})


class Attributes:
    """The attributes of an element by their names without namespaces."""

    def __init__(self, element: Element) -> None:
        self._values = {local_name(name): text for name, text in element.items()}

    def has(self, name: str) -> bool:
        """Tell whether there is an attribute, even an empty one."""
        return name in self._values

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute."""
        return self._values.get(name, default)

    def whole(self, name: str, default: int) -> int:
        """Return an attribute that is a whole number; `default` where it is missing or none."""
        text = self._values.get(name, "")
        if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS:
            return int(text)
        return default


@dataclass(frozen=True, slots=True, kw_only=True)
class TextProperties:
    """The properties of text that are used; None where a style leaves one to the text around."""

    is_display_none: bool | None = None
    is_white: bool | None = None
    is_tiny: bool | None = None
    is_painted: bool | None = None
    """The background is not white, so that white text is visible on it."""
    flags: int = 0
    """`Style` flags that are added."""
    removed_flags: int = 0
    """`Style` flags that are removed, for example bold in a heading."""

    def over(self, base: TextProperties) -> TextProperties:
        """Return this look, with the properties that it leaves out from `base`."""
        if self is NO_PROPERTIES:
            return base
        if base is NO_PROPERTIES:
            return self
        return TextProperties(
            is_display_none=_first(self.is_display_none, base.is_display_none),
            is_white=_first(self.is_white, base.is_white),
            is_tiny=_first(self.is_tiny, base.is_tiny),
            is_painted=_first(self.is_painted, base.is_painted),
            flags=(base.flags & ~self.removed_flags) | self.flags,
            removed_flags=(base.removed_flags & ~self.flags) | self.removed_flags,
        )

    @property
    def hidden_reason(self) -> HiddenReason | None:
        """Why text of this look is hidden; None where it is visible."""
        if self.is_display_none:
            return HiddenReason.HIDDEN_TEXT
        return font_reason(tiny=bool(self.is_tiny), white=bool(self.is_white), painted=bool(self.is_painted))


NO_PROPERTIES: Final = TextProperties()
"""The properties of text without any style."""


class TextState(NamedTuple):
    """The state that the text inside an element inherits."""

    look: TextProperties = NO_PROPERTIES
    href: str | None = None


def _first(setting: bool | None, inherited: bool | None) -> bool | None:  # noqa: FBT001 - values, not switches
    return inherited if setting is None else setting


class ListLevel(NamedTuple):
    """The labels of the items at one level of a list."""

    num_format: str = ""
    """`1`, `a`, `A`, `i`, `I`; empty for bullets and for no label."""
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    display_levels: int = 1
    is_blank: bool = False
    """The items have no label."""


@dataclass(slots=True, kw_only=True)
class _StyleDefinition:
    names: tuple[str, ...] = ()
    """Its name and its name for people, in lower case."""
    parent: str = ""
    look: TextProperties = NO_PROPERTIES
    is_table_hidden: bool = False
    list_style: str | None = None
    outline_level: int = 0
    is_collapsed: bool = False
    page_visibility: str = ""
    has_fill: bool = False


class OdfStyles:
    """All styles of a file."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self._definitions: dict[tuple[str, str], _StyleDefinition] = {}
        self._list_levels: dict[tuple[str, int], ListLevel] = {}
        self._looks: dict[tuple[str, str], TextProperties] = {}
        self.is_page_painted = False
        """The paper of a page has a colour."""
        self._roles: dict[str, str] = {}
        for element in _style_elements(roots):
            self._add(element)

    def _add(self, element: Element) -> None:
        kind, attributes = local_name(element.tag), Attributes(element)
        name = attributes.get("name")
        if kind == "page-layout":
            self.is_page_painted |= any(_is_painted(Attributes(child)) for child in element)
        elif kind in {"list-style", "outline-style"}:
            self._add_list_levels("" if kind == "outline-style" else name, element)
        elif kind in {"style", "default-style"}:
            key = (attributes.get("family"), name if kind == "style" else "")
            self._definitions[key] = _definition(element, attributes)
            own_list = next((child for child in element if local_name(child.tag) == "list-style"), None)
            if own_list is not None:
                self._add_list_levels(name, own_list)

    def _add_list_levels(self, name: str, element: Element) -> None:
        for child in element:
            attributes = Attributes(child)
            level = attributes.whole("level", 0)
            if not 1 <= level <= MAX_LIST_LEVEL:
                continue
            self._list_levels[name, level] = ListLevel(
                attributes.get("num-format"),
                attributes.get("num-prefix"),
                attributes.get("num-suffix"),
                attributes.whole("start-value", 1),
                attributes.whole("display-levels", 1),
                not local_name(child.tag).endswith("-image") and not _shows_label(attributes),
            )

    def _chain(self, family: str, name: str) -> Iterator[_StyleDefinition]:
        """Yield a style and the styles that it is based on."""
        for _ in range(MAX_PARENTS):
            definition = self._definitions.get((family, name))
            if definition is None:
                return
            yield definition
            if not definition.parent:
                return
            name = definition.parent

    def look(self, family: str, name: str) -> TextProperties:
        """Return the look of a style, with the styles that it is based on."""
        key = (family, name)
        if key not in self._looks:
            look = NO_PROPERTIES
            for definition in self._chain(family, name):
                look = look.over(definition.look)
            default = self._definitions.get((family, ""))
            self._looks[key] = look.over(default.look) if default is not None else look
        return self._looks[key]

    def list_level(self, list_style: str, level: int) -> ListLevel:
        """Return the labels of a level of a list; the list style without a name is that of headings."""
        for defined_level in range(min(level, MAX_LIST_LEVEL), 0, -1):
            definition = self._list_levels.get((list_style, defined_level))
            if definition is not None:
                return definition
        return ListLevel()

    def has_list_style(self, name: str) -> bool:
        """Tell whether a list style is defined."""
        return (name, 1) in self._list_levels

    def list_style_of(self, paragraph_style: str) -> str | None:
        """Return the list style that a paragraph style names, or None."""
        chain = self._chain("paragraph", paragraph_style)
        return next((definition.list_style for definition in chain if definition.list_style is not None), None)

    def role(self, paragraph_style: str) -> str:
        """Return the role of paragraphs of a style: `code`, `quote`, `title`, `heading 2`, or empty for plain ones."""
        if paragraph_style not in self._roles:
            self._roles[paragraph_style] = self._role(paragraph_style)
        return self._roles[paragraph_style]

    def _role(self, paragraph_style: str) -> str:
        names = [_plain_name(paragraph_style)]
        for definition in self._chain("paragraph", paragraph_style):
            names.extend((*definition.names, _plain_name(definition.parent)))
        for role, known_names in (("code", _CODE_STYLES), ("quote", _QUOTE_STYLES), ("title", _TITLE_STYLES)):
            if not known_names.isdisjoint(names):
                return role
        headings = (name for name in names if name.startswith("heading ") and name[8:].isdecimal())
        return next(headings, "")

    def is_hidden_table(self, name: str) -> bool:
        """Tell whether a sheet is hidden."""
        return any(definition.is_table_hidden for definition in self._chain("table", name))

    def is_collapsed(self, family: str, name: str) -> bool:
        """Tell whether a row or column has no height or width."""
        return any(definition.is_collapsed for definition in self._chain(family, name))

    def is_hidden_page(self, name: str) -> bool:
        """Tell whether a slide is excluded from the show."""
        return any(definition.page_visibility == "hidden" for definition in self._chain("drawing-page", name))

    def has_fill(self, family: str, name: str) -> bool:
        """Tell whether a page or a shape is filled with anything but white."""
        return any(definition.has_fill for definition in self._chain(family, name))


def _shows_label(attributes: Attributes) -> bool:
    """Tell whether a level has a number, a bullet, or other signs before its items."""
    signs = ("num-format", "bullet-char", "num-prefix", "num-suffix")
    return any(attributes.get(name).strip() for name in signs)


def _style_elements(roots: Iterable[Element]) -> Iterator[Element]:
    """Yield definitions of styles; they stand two or three levels below the root."""
    for root in roots:
        for group in root:
            if local_name(group.tag) in {"styles", "automatic-styles", "master-styles"}:
                yield from group


def _definition(element: Element, attributes: Attributes) -> _StyleDefinition:
    name = attributes.get("name")
    definition = _StyleDefinition(
        names=(_plain_name(name), _plain_name(attributes.get("display-name"))),
        parent=attributes.get("parent-style-name"),
        outline_level=attributes.whole("default-outline-level", 0),
    )
    if attributes.has("list-style-name"):
        definition.list_style = attributes.get("list-style-name")
    for child in element:
        kind, properties = local_name(child.tag), Attributes(child)
        if kind == "text-properties":
            definition.look = _text_look(properties, definition.names).over(definition.look)
        elif kind in {"paragraph-properties", "table-cell-properties", "section-properties", "table-properties"}:
            definition.is_table_hidden |= properties.get("display") == "false"
            if _is_painted(properties):
                definition.look = definition.look.over(TextProperties(is_painted=True))
        elif kind in {"table-row-properties", "table-column-properties"}:
            definition.is_collapsed |= _is_zero(properties.get("row-height") or properties.get("column-width") or "1cm")
        elif kind in {"graphic-properties", "drawing-page-properties"}:
            definition.page_visibility = properties.get("visibility") or definition.page_visibility
            definition.has_fill |= _is_filled(properties)
            if definition.has_fill or _is_painted(properties):
                definition.look = definition.look.over(TextProperties(is_painted=True))
    return definition


def _text_look(properties: Attributes, names: tuple[str, ...]) -> TextProperties:
    weight, slant = properties.get("font-weight"), properties.get("font-style")
    line_through = properties.get("text-line-through-style") or properties.get("text-line-through-type")
    is_bold = weight == "bold" or (weight.isdecimal() and int(weight[:4]) >= 600)
    switches = (
        (Style.STRONG, weight, is_bold),
        (Style.EM, slant, slant in {"italic", "oblique"}),
        (Style.STRIKE, line_through, line_through != "none"),
    )
    flags = sum(int(flag) for flag, text, is_set in switches if text and is_set)
    removed = sum(int(flag) for flag, text, is_set in switches if text and not is_set)
    position = properties.get("text-position").split(" ")[0]
    if position.startswith("super") or (position.endswith("%") and position[:1].isdecimal() and position != "0%"):
        flags |= int(Style.SUP)
    elif position.startswith(("sub", "-")):
        flags |= int(Style.SUB)
    if not _CODE_TEXT_STYLES.isdisjoint(names):
        flags |= int(Style.CODE)
    display, colour = properties.get("display"), properties.get("color")
    is_white_text = None
    if properties.get("use-window-font-color") == "true":
        is_white_text = False
    elif colour:
        is_white_text = is_white_code(colour.lstrip("#"))
    return TextProperties(
        is_display_none={"none": True, "true": False}.get(display),
        is_white=is_white_text,
        is_tiny=_is_tiny(properties.get("font-size")),
        is_painted=_paint(properties.get("background-color")),
        flags=flags,
        removed_flags=removed,
    )


def _is_painted(properties: Attributes) -> bool:
    return _is_paint(properties.get("background-color"))


def _paint(background: str) -> bool | None:
    """Tell whether a background has a colour; None where it is transparent."""
    if background in {"", "transparent"}:
        return None
    return _is_paint(background)


def _is_paint(colour: str) -> bool:
    return bool(colour) and colour != "transparent" and not is_white_code(colour.lstrip("#"))


def _is_filled(properties: Attributes) -> bool:
    fill = properties.get("fill")
    if fill == "solid":
        return _is_paint(properties.get("fill-color") or "#729fcf")
    return fill not in {"", "none"}


def _points(length: str) -> float | None:
    """Return a length in points; None for percentages and invalid lengths."""
    number, unit = length[:-2], length[-2:]
    try:
        return float(number) * _POINTS_PER_UNIT[unit]
    except (ValueError, KeyError):
        return None


def _is_tiny(size: str) -> bool | None:
    points = _points(size)
    return None if points is None else is_tiny(points)


def _is_zero(size: str) -> bool:
    return _points(size) == 0


def _plain_name(name: str) -> str:
    return name.replace("_20_", " ").lower().strip()
