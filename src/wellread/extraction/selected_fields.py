"""Fills a record from a page by CSS selectors: `{"price": ".price", "links": ["a@href"]}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wellread.css.matching import Matcher
from wellread.errors import InvalidInput
from wellread.extraction.selected_elements import check_selector, chosen_elements, without_nested
from wellread.hidden_text import unhidden_text
from wellread.lazy_pattern import lazy_pattern
from wellread.metadata import site_address
from wellread.step_counter import StepCounter
from wellread.text.characters import on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_FIELDS: Final = 100
MAX_SELECTOR_CHARS: Final = 500
MAX_LEVELS: Final = 3
"""Records in records."""
MAX_ELEMENTS: Final = 1_000
"""Of one list."""
MAX_VALUE_CHARS: Final = 20_000
_ATTRIBUTE: Final = lazy_pattern(r"(.*?)\s*(?:::attr\(\s*([\w:.-]{1,100})\s*\)|@([\w:.-]{1,100})|::text)", re.DOTALL)
"""`a::attr(href)` and `a::text` as in Scrapy and parsel, and `a@href`."""
_ADDRESSES: Final = frozenset({"href", "src", "action", "data", "poster"})


class FieldSelector(NamedTuple):
    """The selector of one field."""

    name: str
    selector: str
    """Empty for the element of the record itself."""
    attribute: str = ""
    """The attribute that has the value; empty for the text."""
    is_list: bool = False
    fields: tuple[FieldSelector, ...] = ()
    """Of each of several records, one for each element that the selector chooses."""


def field_selectors(selectors: Mapping[str, object], *, level: int = 0) -> tuple[FieldSelector, ...]:
    """Return the checked selectors of a map: field to selector, to a list with one, or to `each` with `fields`.

    Raises:
        InvalidInput: not of this form, or not a CSS selector.
    """
    if not selectors or len(selectors) > MAX_FIELDS:
        raise InvalidInput(f"{len(selectors)} selectors are given", hint=f"give 1 to {MAX_FIELDS}")
    return tuple(_field_selector(name, selector, level) for name, selector in selectors.items())


def _field_selector(name: str, selector: object, level: int) -> FieldSelector:
    if isinstance(selector, list) and len(selector) == 1 and isinstance(selector[0], str):
        return _field_selector(name, selector[0], level)._replace(is_list=True)
    if isinstance(selector, Mapping) and selector.keys() == {"each", "fields"} and level < MAX_LEVELS:
        fields = selector["fields"]
        if isinstance(fields, Mapping) and isinstance(selector["each"], str):
            row_selector = _field_selector(name, selector["each"], level)
            return row_selector._replace(is_list=True, attribute="", fields=field_selectors(fields, level=level + 1))
    if not isinstance(selector, str) or len(selector) > MAX_SELECTOR_CHARS:
        hint = 'write "name": "h1", "links": ["a@href"], or "rows": {"each": ".row", "fields": {...}}'
        raise InvalidInput(f"the selector of {name[:80]!r} is not valid", hint=hint)
    css, attribute = selector.strip(), ""
    if match := _ATTRIBUTE.fullmatch(css):
        css, attribute = match[1], (match[2] or match[3] or "").lower()
    if css:
        check_selector(css)
    return FieldSelector(name, css, attribute)


def selected_record(tree: LexborHTMLParser, url: str, fields: Sequence[FieldSelector]) -> dict[str, Any]:  # Any: JSON
    """Return the values of the fields that the page has.

    Raises:
        Unsupported: a selector takes too many steps on the page.
        UnreadableError: collecting the values takes too many steps.
    """
    root = tree.root
    assert root is not None  # a parsed page has `html`, whatever it holds
    return _RecordReader(url, Matcher(), StepCounter()).record(root, fields)


class _RecordReader:
    """A reader of records from one page; the steps of all fields and records are counted together."""

    def __init__(self, url: str, matcher: Matcher, counter: StepCounter) -> None:
        self._url = url
        self._matcher = matcher
        self._counter = counter

    def record(self, element: LexborNode, fields: Sequence[FieldSelector]) -> dict[str, Any]:  # Any: JSON
        nodes = list(element.traverse(include_text=False))
        self._counter.spend(len(nodes))
        filled = {field.name: self._field(element, nodes, field) for field in fields}
        return {name: part for name, part in filled.items() if part not in (None, "", [])}

    def _field(self, element: LexborNode, nodes: Sequence[LexborNode], field: FieldSelector) -> Any:  # Any: JSON
        chosen = [element]
        if field.selector:
            chosen = chosen_elements(nodes, field.selector, self._matcher, self._url)
        if field.fields:
            self._counter.spend(len(nodes))
            return [self.record(node, field.fields) for node in without_nested(chosen)[:MAX_ELEMENTS]]
        texts = (self._text(node, field.attribute) for node in chosen[:MAX_ELEMENTS])
        if field.is_list:
            return [text for text in texts if text]
        return next((text for text in texts if text), None)

    def _text(self, node: LexborNode, attribute: str) -> str:
        if not attribute:
            return on_one_line(unhidden_text(node, MAX_VALUE_CHARS, self._counter))
        text = node.attributes.get(attribute) or ""
        if attribute in _ADDRESSES:
            return site_address.resolve(text, self._url) or text[:MAX_VALUE_CHARS]
        return on_one_line(text[:MAX_VALUE_CHARS])
