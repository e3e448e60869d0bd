"""Writes one line for each choice that a product offers: `Size: S, M (chosen), XL (sold out)`.

The walk reads no form fields, because most of them hold no text of the page: filters, countries, settings. On the page
of one product, near its name and its price, they hold the variants of the product.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.words import word_set
from wellread.extraction.media_lines import Insertion
from wellread.extraction.page_type_rules import PRICE
from wellread.hidden_text import is_unrendered
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.text.characters import on_one_line
from wellread.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.css.look import Look
    from wellread.extraction.selection import BlockSelection
    from wellread.segmentation.boxes import ChoiceControl, Walked
    from wellread.segmentation.panels import Sees
    from wellread.types import Mode

_MAX_CONTROLS: Final = 300
"""Controls near the product that are read: each asks for its label among all around it."""
_MAX_SIZE_DIGITS: Final = 3
_MAX_GROUPS: Final = 12
_MAX_OPTIONS: Final = 30
"""Options of one choice that are named; the others are counted."""
_MAX_NAME_CHARS: Final = 60
_MAX_LABEL_CHARS: Final = 40
_MAX_PIECES: Final = 60
"""Nodes of a label that are looked at."""
_MAX_READ_OPTIONS: Final = 500
_BEFORE: Final = 25
_AFTER: Final = 120
"""Leaves before and after the product's name among which its choices stand."""
_NO_LABEL: Final = "Options"
_NUMBERED: Final = lazy_pattern(r"(?P<before>[^\d]*[^\W\d_][^\d]*)(?P<number>[0-9]{1,3})(?P<after>\D.*|)")
"""A name with a number, and what follows."""
_NEAR_PRICE: Final = 40
"""Leaves between a choice and a price."""
_MAX_PRICE_CHARS: Final = 80
_MAX_CARD_LEAVES: Final = 12
_LEVELS: Final = 6
"""Elements around a control in which its label is looked for."""
_NAMED_LEVELS: Final = 4
"""Elements around a control whose names are looked at."""
_MAX_FORM_LEVELS: Final = 30
_UNREAD: Final = frozenset({"script", "style", "svg", "template", "noscript", "select", "button", "input", "textarea"})
_OTHER: Final = word_set(
    "sort sortby sorting orderby filter filters facet facets search currency currencies country countries language "
    "languages lang locale region state province quantity qty review reviews rating ratings stars newsletter zip "
    "postcode payment month year day sku-search pagination perpage vehicle garage question questions helpful wishlist "
    "login signup consent cookie address answer department category categories nav menu thumbs thumbnails "
    "gallery slides "
    "carousel pager tabs tab"
)
"""Names of fields that choose nothing of a product."""
_OTHER_BOXES: Final = _OTHER - word_set(
    "region state day month year address answer department category categories locale"
)
"""Names of the boxes around these fields; the other words also name parts of pages."""
_GONE: Final = word_set("disabled unavailable soldout oos outofstock inactive notavailable")
_CHOSEN: Final = word_set("selected checked active current chosen")
_BOXES_BESIDE: Final = frozenset({"nav", "header", "footer", "aside", "dialog"})
_SETS: Final = frozenset({"radiogroup", "listbox", "group"})
_SIGNS: Final = frozenset({"\u2713", "\u2717", "+", "-", "x"})
_NO_VALUES: Final = frozenset({"", "0", "-1"})
"""Values of an option that asks to choose."""
_PLAIN_NAME: Final = lazy_pattern(
    r"attribute|attributes|pa|options?|product|super|select|id|field|input|properties|radio"
)
_CODE: Final = lazy_pattern(r"#?[0-9a-f]{8,}|\d{5,}|gid:.*|.*[{}<>].*", re.IGNORECASE | re.DOTALL)
"""Values that name nothing for a reader."""


class _OfferedOption(NamedTuple):
    name: str
    chosen: bool
    sold_out: bool


class _OptionGroup(NamedTuple):
    label: str
    options: Sequence[_OfferedOption]
    first: ChoiceControl
    last: ChoiceControl


class Choices(NamedTuple):
    """The lines of a product's choices, and the leaves that they replace."""

    lines: Sequence[tuple[int, Insertion]]
    """Each with the leaf before which it stands."""
    replaced: frozenset[int]


def choices(
    walked: Walked, choice: BlockSelection, mode: Mode, looks: Callable[[LexborNode], Look], sees: Sees
) -> Choices:
    """Return the choices of the product that a page is about; none where it is about something else.

    `looks` returns how text looks in an element that the walk came to.
    """
    if mode == "precision" or not walked.controls or not (choice.page_type == "product" or walked.sells):
        return Choices((), frozenset())
    places = _places(walked, choice)
    near = [control for control in walked.controls if control.at in places and not _is_beside(control)]
    reader = _ChoiceReader(walked, looks, sees)
    groups = [group for row in _rows(near[:_MAX_CONTROLS]) if (group := reader.group(row)) is not None]
    shown = [group for group in groups if group.first.is_seen] or groups
    lines: list[tuple[int, Insertion]] = []
    replaced: set[int] = set()
    listed_keys: set[object] = set()
    for group in shown:
        keys = {frozenset(_names(group)), group.label.casefold()}
        if not keys.isdisjoint(listed_keys) or len(lines) >= _MAX_GROUPS or _combines(group, shown):
            continue  # a twin for narrow windows, or the choice of another product
        listed_keys |= keys
        lines.append((group.first.at, Insertion(walked.boxes[0], (Span(_line(group)),))))
        replaced.update(_repeating_leaves(group, walked))
    return Choices(lines, frozenset(replaced))


def _names(group: _OptionGroup) -> list[str]:
    return [option.name.casefold() for option in group.options]


def _combines(group: _OptionGroup, groups: Sequence[_OptionGroup]) -> bool:
    """Tell whether each option of a choice is one of every other choice: `S / Navy`.

    The first `_MAX_OPTIONS` are compared with the first `_MAX_GROUPS` choices: all would cost the square of the page.
    """
    smaller = (other for other in groups if other is not group and len(other.options) < len(group.options))
    others = [_names(other) for other in islice(smaller, _MAX_GROUPS)]
    option_names = _names(group)[:_MAX_OPTIONS]
    return len(others) > 1 and all(
        any(part in option_name for part in parts) for option_name in option_names for parts in others
    )


def _places(walked: Walked, choice: BlockSelection) -> range:
    """Return the places near the name and the price of the product."""
    leaves = walked.leaves
    first_kept = next((at for at, keep in enumerate(choice.is_kept) if keep), 0)
    heads = [at for at, leaf in enumerate(leaves) if leaf.heading == 1 and leaf.words]
    named = (at for at in heads if leaves[at].words in walked.title)
    name = next(named, heads[0] if heads else first_kept)
    first, end = max(name - _BEFORE, 0), min(name + _AFTER, len(leaves) + 1)
    prices = [
        at
        for at in range(first, min(end, len(leaves)))
        if _is_price(leaves[at].words) and (walked.sells or not _is_on_card(walked, at, name))
    ]
    if prices:
        first, end = max(first, prices[0] - _NEAR_PRICE), min(end, prices[-1] + _NEAR_PRICE)
    elif not walked.sells:
        return range(0)
    return range(first, end)


def _is_price(words: str) -> bool:
    return len(words) <= _MAX_PRICE_CHARS and PRICE.search(words) is not None


def _is_on_card(walked: Walked, price: int, name: int) -> bool:
    """Return whether a price stands on a card with a link to its product, apart from the name of the page."""
    card = walked.leaves[price].box
    for box in card.around():
        if box.items > _MAX_CARD_LEAVES or box.first <= name < box.end:
            break
        card = box
    return any(leaf.links for leaf in walked.leaves[card.first : card.end])


def _is_beside(control: ChoiceControl) -> bool:
    """Return whether a control stands beside the product, or is called like a filter or a setting."""
    if any(box.tag in _BOXES_BESIDE or box.attributes.get("role") == "dialog" for box in control.box.around()):
        return True
    if not _OTHER.isdisjoint(_name_words(control.node)):
        return True
    return any(
        not _OTHER_BOXES.isdisjoint(_name_words(node)) for node in islice(_ancestors(control.node), 1, _NAMED_LEVELS)
    )


def _name_words(node: LexborNode) -> frozenset[str]:
    attributes = node.attributes
    return names.of(attributes).union(
        names.split(attributes.get("name") or ""), names.split(attributes.get("role") or "")
    )


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """Yield a node and the elements around it, the nearest first."""
    at: LexborNode | None = node
    for _ in range(_LEVELS):
        if at is None or at.tag in {"body", "form", "main"}:
            return
        yield at
        at = at.parent


def _rows(controls: Sequence[ChoiceControl]) -> list[list[ChoiceControl]]:
    """Return the controls of each choice, in document order."""
    rows: dict[object, list[ChoiceControl]] = {}
    for control in controls:
        node = control.node
        key: object = node.mem_id
        if node.tag == "input":
            key = (node.attributes.get("name") or _container(node).mem_id, _form(node))
        elif node.tag != "select":
            key = _container(node).mem_id
        rows.setdefault(key, []).append(control)
    return list(rows.values())


def _form(node: LexborNode) -> int:
    """Return the form of a field: a name stands for one choice in each."""
    at = node.parent
    for _ in range(_MAX_FORM_LEVELS):
        if at is None:
            break
        if at.tag == "form":
            return at.mem_id
        at = at.parent
    return 0


def _container(node: LexborNode) -> LexborNode:
    """Return the list or set that an item of a choice stands in."""
    for around in list(_ancestors(node))[1:]:
        if around.tag in {"ul", "ol", "fieldset"} or around.attributes.get("role") in _SETS:
            return around
    if node.parent is not None:
        return node.parent
    return node


class _ChoiceReader:
    """Reads the options of a page's controls, as far as a person sees them."""

    def __init__(self, walked: Walked, looks: Callable[[LexborNode], Look], sees: Sees) -> None:
        self._walked: Final = walked
        self._looks: Final = looks
        self._sees: Final = sees

    def group(self, row: Sequence[ChoiceControl]) -> _OptionGroup | None:
        """Return the choice that controls make; nothing where there are not two things to choose, or only counts."""
        first = row[0].node
        if first.tag == "select":
            options = list(self._listed(first))
            label = self._label(first)
        else:
            options = [option for control in row if (option := self._option(control.node)) is not None]
            labelled = first
            if first.tag != "input":
                labelled = _container(first)
            label = self._label(labelled)
        if not _OTHER.isdisjoint(_label_words(first)):
            return None
        named = {option.name.casefold(): option for option in reversed(options)}
        options = [option for option in options if named.get(option.name.casefold()) is option]
        if len(options) < 2 or _counts(options) or not _OTHER.isdisjoint(names.split(label.lower())):
            return None
        if label == _NO_LABEL and _are_numbered(options):
            return None
        return _OptionGroup(label, options, row[0], row[-1])

    def _listed(self, select: LexborNode) -> Iterator[_OfferedOption]:
        """Yield the options of a <select>; one without a value asks to choose."""
        look = self._look(select) or (self._look(select.parent) if select.parent is not None else None)
        every = select.css("option")[:_MAX_READ_OPTIONS]
        options = [option for option in every if look is None or self._sees(option, look) is not None]
        explicit = any("selected" in option.attributes for option in options)
        for number, option in enumerate(options):
            attributes = option.attributes
            name = _cut(option.text(deep=True) or attributes.get("label") or "", _MAX_NAME_CHARS)
            if not name or attributes.get("value") in _NO_VALUES or name.strip("-\u2013\u2014. ") == "":
                continue
            chosen = "selected" in attributes or (not explicit and number == 0)
            yield _OfferedOption(name, chosen, _is_gone(attributes, _name_words(option)))

    def _option(self, node: LexborNode) -> _OfferedOption | None:
        """Return the option of a radio button, or of an element in its place."""
        attributes = node.attributes
        label = node
        if node.tag == "input" and (field_label := _label_of(node)) is not None:
            label = field_label
        called = _name_words(node) | _name_words(label)
        own_and_label = {**label.attributes, **attributes}
        texts = [
            self._visible_text(label),
            *(own_and_label.get(name) or "" for name in ("aria-label", "title", "data-value")),
        ]
        texts += [picture.attributes.get("alt") or "" for picture in label.css("img[alt]")[:1]]
        value = attributes.get("value") or ""
        if not (value.isdigit() and len(value) > _MAX_SIZE_DIGITS):  # a longer number is that of a variant
            texts.append(value)
        name = next(
            (text for text in map(on_one_line, texts) if text and text not in _SIGNS and not _CODE.fullmatch(text)), ""
        )
        if not name:
            return None
        states = [own_and_label.get(state) for state in ("aria-checked", "aria-pressed", "aria-selected")]
        chosen = "checked" in attributes or "true" in states
        chosen = chosen or (node.tag != "input" and not any(states) and not _CHOSEN.isdisjoint(called))
        return _OfferedOption(_cut(name, _MAX_NAME_CHARS), chosen, _is_gone(own_and_label, called))

    def _label(self, node: LexborNode) -> str:
        """Return the name of a choice: the label of a field, the legend of a set, or the short line before it."""
        texts = [node.attributes.get("aria-label") or ""]
        if node.tag == "select" and (field_label := _label_of(node)) is not None:
            texts.append(self._visible_text(field_label))
        for around in list(_ancestors(node))[node.tag == "input" :]:
            if around.tag in {"select", "fieldset", "ul", "ol"} or around.attributes.get("role") in _SETS:
                texts.append(around.attributes.get("aria-label") or "")
            texts += [around.attributes.get("data-attribute_name") or "", *self._legend(around)]
            if around.tag in {"fieldset", "tr"} or around.attributes.get("role") == "radiogroup":
                break
        for text in map(on_one_line, texts):
            name = on_one_line(re.split("[:\uff1a]", text, maxsplit=1)[0]).strip(" *")
            if name and len(name) <= _MAX_LABEL_CHARS and not _CODE.fullmatch(name) and not _is_price(name):
                return _as_words(name)
        return _as_words(node.attributes.get("name") or "") or _NO_LABEL

    def _legend(self, node: LexborNode) -> Iterator[str]:
        """Yield the legend in an element, and the short texts right before it."""
        legends = (child for child in node.iter() if child.tag == "legend" and node.tag == "fieldset")
        yield from map(self._visible_text, islice(legends, 1))
        before = node.prev
        for _ in range(_LEVELS):
            if before is None:
                return
            if before.tag not in _UNREAD and before.tag != "-text" and _may_be_label(before):
                yield self._visible_text(before)
            before = before.prev

    def _visible_text(self, node: LexborNode) -> str:
        """Return the text that a person sees in an element."""
        pieces: list[str] = []
        stack = [(node.first_child, self._look(node))]
        for _ in range(_MAX_PIECES):
            if not stack:
                break
            at, look = stack.pop()
            if at is None or look is None:
                continue
            stack.append((at.next, look))
            if at.tag == "-text":
                pieces.append("" if look.veil else at.text_content or "")
            elif at.tag not in _UNREAD and not _is_hidden(at):
                pieces.append(" ")
                stack.append((at.first_child, self._sees(at, look)))
        return "".join(pieces)

    def _look(self, node: LexborNode) -> Look | None:
        """Return how text looks in an element, which the walk may have left to others; None where nobody sees it."""
        way: list[LexborNode] = []
        at: LexborNode | None = node
        while at is not None and at.mem_id not in self._walked.veiled and len(way) < _MAX_FORM_LEVELS:
            way.append(at)
            at = at.parent
        if at is None:
            return None
        look: Look | None = self._looks(at)
        for inner in reversed(way):
            if look is None:
                return None
            look = self._sees(inner, look)
        return look


def _label_words(field: LexborNode) -> frozenset[str]:
    """Return the words of a select's label, also of one for screen readers alone."""
    if field.tag != "select" or (label := _label_of(field)) is None:
        return names.NONE
    return frozenset(names.split((label.text(deep=True) or "")[:_MAX_NAME_CHARS].lower()))


def _are_numbered(options: Sequence[_OfferedOption]) -> bool:
    """Tell whether options are one name with numbers from 1 on, as the pictures of a product are: `Image 2 of 4`."""
    parts = [_NUMBERED.fullmatch(option.name) for option in options]
    numbered = [(part["before"], part["after"], int(part["number"])) for part in parts if part is not None]
    names_alike = len({(before, after) for before, after, _ in numbered}) == 1
    return names_alike and [number for *_, number in numbered] == list(range(1, len(options) + 1))


def _counts(options: Sequence[_OfferedOption]) -> bool:
    """Tell whether the options are how many of a thing are bought."""
    numbers = [
        int(option.name)
        for option in options
        if option.name.isascii() and option.name.isdigit() and len(option.name) < 4
    ]
    if not numbers or len(numbers) < len(options) - 1:
        return False
    return numbers[0] <= 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _is_gone(attributes: dict[str, str | None], called: frozenset[str]) -> bool:
    if "disabled" in attributes or attributes.get("aria-disabled") == "true":
        return True
    return not _GONE.isdisjoint(called) or {"sold", "out"} <= called or {"out", "stock"} <= called


def _label_of(field: LexborNode) -> LexborNode | None:
    """Return the <label> of a field: around it, or for its id."""
    for around in list(_ancestors(field))[1:]:
        if around.tag == "label":
            return around
    name = field.attributes.get("id")
    if not name:
        return None
    for around in list(_ancestors(field))[1:]:
        for label in around.css("label[for]")[:_MAX_READ_OPTIONS]:
            if label.attributes.get("for") == name:
                return label
    return None


def _may_be_label(node: LexborNode) -> bool:
    """Tell whether an element holds few nodes, and neither is nor holds a field, a link or the page's heading."""
    if _is_no_label(node):
        return False
    stack = [node.first_child]
    for _ in range(_MAX_PIECES):
        while stack and stack[-1] is None:
            stack.pop()
        if not stack:
            return True
        at = stack.pop()
        if at is None or _is_no_label(at):
            return False
        stack += [at.next, at.first_child]
    return False


def _is_no_label(node: LexborNode) -> bool:
    return node.tag in {"input", "select", "h1"} or (node.tag == "a" and "href" in node.attributes)


def _as_words(name: str) -> str:
    """Return a name as words, where it is one for machines: `attribute_pa_size`."""
    if " " in name or not ({"_", "[", "-"} & set(name) or name.islower()):
        return name
    words = [word for word in names.split(name) if not _PLAIN_NAME.fullmatch(word) and not word.isdigit()]
    return " ".join(words).capitalize()[:_MAX_LABEL_CHARS]


def _is_hidden(node: LexborNode) -> bool:
    return is_unrendered(node.attributes) or bool(names.kind(node.attributes.get("class") or ""))


def _cut(text: str, most: int) -> str:
    text = on_one_line(text)
    if len(text) <= most:
        return text
    return f"{text[:most].rstrip()}\u2026"


def _line(group: _OptionGroup) -> str:
    option_texts = [_option_text(option) for option in group.options[:_MAX_OPTIONS]]
    more = len(group.options) - len(option_texts)
    line = f"{group.label}: {', '.join(option_texts)}"
    if more:
        line += f" and {more} more"
    return line


def _option_text(option: _OfferedOption) -> str:
    states = [state for state, holds in (("chosen", option.chosen), ("sold out", option.sold_out)) if holds]
    if not states:
        return option.name
    return f"{option.name} ({', '.join(states)})"


def _repeating_leaves(group: _OptionGroup, walked: Walked) -> Iterator[int]:
    """Yield the leaves beside a choice that say no more than its line."""
    line_words = {
        word for text in (group.label, *(option.name for option in group.options)) for word in text.casefold().split()
    }
    first, end = max(group.first.at - 1, 0), min(group.last.at + 2, len(walked.leaves))
    for at in range(first, end):
        words = walked.leaves[at].words.casefold().replace(":", " ").split()
        if (
            words
            and not walked.leaves[at].heading
            and not line_words.isdisjoint(words)
            and line_words.issuperset({*words} - _OTHER)
        ):
            yield at
