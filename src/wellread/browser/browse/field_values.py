"""The values of fields that are not plain text: dates, times, colours, scales, options; pure."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

from wellread.errors import InvalidInput
from wellread.text.characters import on_one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.browser.browse.element_index import ElementRef

Field = dict[str, Any]  # Any: JSON, as scripts.FIELD makes it

MAX_STEPS = 300
HINTS: Final = {
    "date": "use a value such as 2026-03-15",
    "time": "use a value such as 09:30",
    "month": "use a value such as 2026-03",
    "week": "use a value such as 2026-W12",
    "datetime-local": "use a value such as 2026-03-15T09:30",
    "range": "use a number within the limits and steps of the field",
    "color": "use a value such as #0c8040",
}
SPECIAL: Final = frozenset(HINTS)
_BY_CLICK: Final = frozenset({"checkbox", "radio", "button", "submit", "reset", "image"})
_TEXTUAL: Final = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})
_SHAPES: Final = {
    "date": re.compile(r"(\d{4})-(\d\d)-(\d\d)"),
    "time": re.compile(r"(\d\d):(\d\d)(?::\d\d)?"),
    "month": re.compile(r"(\d{4})-(\d\d)"),
    "week": re.compile(r"(\d{4})-[Ww](\d\d)"),
    "datetime-local": re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::\d\d)?"),
    "color": re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})"),
}
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


def check_writable(element_ref: ElementRef, field: Field) -> None:
    """Refuse an element that takes no text.

    Raises:
        InvalidInput: it is disabled, read-only, or used in another way; the hint says how.
    """
    if field["disabled"] or field["readonly"]:
        raise InvalidInput(f"{element_ref.description} is {'disabled' if field['disabled'] else 'read-only'}")
    if field["type"] in _BY_CLICK:
        raise InvalidInput(f"{element_ref.description} takes no text", hint="click the element")
    if field["tag"] == "select":
        raise InvalidInput(f"{element_ref.description} takes no text", hint="select one of its options")
    if field["type"] == "file":
        raise InvalidInput(f"{element_ref.description} takes no text", hint="upload a file")
    takes_keys = field["editable"] or field["role"] in _TEXTUAL or field["type"] in SPECIAL
    if field["tag"] not in {"input", "textarea"} and not takes_keys:
        raise InvalidInput(f"{element_ref.description} takes no text", hint="use the number of a text field")


def key_sequences(kind: str, text: str) -> Iterator[str]:
    """Yield the keys that put a date or a time into a field, in the orders that browsers ask for its parts.

    Raises:
        InvalidInput: the text is no such date or time.
    """
    match = _SHAPES[kind].fullmatch(text.strip())
    if match is None:
        raise InvalidInput(f'"{text[:80]}" is not valid in a field of type {kind}', hint=HINTS[kind])
    if kind == "time":
        yield from _clock(match[1], match[2])
    elif kind == "week":
        yield from (f"{match[2]}{match[1]}", f"{match[1]}\t{match[2]}")
    elif kind == "month":
        name = _MONTHS[3 * (int(match[2]) - 1) :][:3]
        yield from (f"{name}\t{match[1]}", f"{match[2]}{match[1]}")
    else:
        year, month, day = match[1], match[2], match[3]
        for date in (f"{month}{day}{year}", f"{day}{month}{year}", f"{year}\t{month}{day}"):
            times = [""] if kind == "date" else [f"\t{clock_keys}" for clock_keys in _clock(match[4], match[5])]
            yield from (date + time for time in times)


def _clock(hour: str, minute: str) -> Iterator[str]:
    half = "AM" if int(hour) < 12 else "PM"
    yield f"{(int(hour) - 1) % 12 + 1:02}{minute}{half}"
    yield f"{hour}{minute}"


def colour(text: str) -> tuple[int, int, int]:
    """Read #rrggbb.

    Raises:
        InvalidInput: it is no such colour.
    """
    match = _SHAPES["color"].fullmatch(text.strip())
    if match is None:
        raise InvalidInput(f'"{text[:80]}" is not a colour', hint=HINTS["color"])
    return int(match[1], 16), int(match[2], 16), int(match[3], 16)


def finite_number(text: str) -> float | None:
    """Return the number that `text` holds; None where it holds none, or an infinite one."""
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return number


def current_number(element_ref: ElementRef, field: Field) -> float:
    """Return the number that a scale holds; 0 where it holds nothing.

    Raises:
        InvalidInput: it holds words, or a number with a unit.
    """
    number = finite_number(field["value"] or "0")
    if number is None:
        message = f'{element_ref.description} holds "{field["value"][:80]}", which is not a number'
        raise InvalidInput(message, hint=HINTS["range"])
    return number


def share(field: Field, text: str) -> float:
    """Return where on a scale a value lies, from 0 to 1.

    Raises:
        InvalidInput: it is not a number, or not on the scale.
    """
    low, high = finite_number(field["min"]) or 0.0, finite_number(field["max"])
    if high is None:
        high = 100.0
    number = finite_number(text)
    if number is None:
        raise InvalidInput(f'"{text[:80]}" is not a number', hint=HINTS["range"])
    if not low <= number <= high:
        raise InvalidInput(f"{text} is not between {low:g} and {high:g}", hint=HINTS["range"])
    if high <= low:
        return 0.0
    return (number - low) / (high - low)


def same(field: Field, text: str) -> bool:
    """Return whether a field holds the value of `text`."""
    current, expected = str(field["value"]).strip().lower(), text.strip().lower().replace(" ", "t")
    if field["type"] == "range":
        current_value, expected_value = finite_number(current), finite_number(expected)
        if current_value is None or expected_value is None:
            return False
        return abs(current_value - expected_value) < 1e-9
    return current == expected or current == expected.removesuffix(":00")


def _fits(query: str) -> tuple[Callable[[Field], bool], ...]:
    """Return the tests for an option, the surest first: equal label, equal value, a part of the label."""
    folded_query = _folded(query)
    return (
        lambda candidate: _folded(candidate["label"]) == folded_query,
        lambda candidate: _folded(candidate["value"]) == folded_query,
        lambda candidate: bool(folded_query) and folded_query in _folded(candidate["label"]),
    )


def _folded(text: str) -> str:
    """Return words of a page as snapshots show them, in small letters."""
    return on_one_line(text).casefold()


def has_option(field: Field, query: str) -> bool:
    """Return whether a select has an option with this label or value that can be chosen."""
    return any(fits(candidate) and not candidate["disabled"] for fits in _fits(query) for candidate in field["options"])


def suggestion(field: Field, query: str) -> str | None:
    """Return the value of the suggestion (`<datalist>`) with this label or value; None where there is none."""
    for fits in _fits(query):
        for candidate in field["suggestions"]:
            if fits(candidate):
                return str(candidate["value"])
    return None


def option_index(element_ref: ElementRef, field: Field, query: str) -> int:
    """Return the place of the option with this label or value.

    Raises:
        InvalidInput: there is none, or it is disabled.
    """
    options = field["options"]
    for fits in _fits(query):
        for index, candidate in enumerate(options):
            if fits(candidate):
                if candidate["disabled"]:
                    raise InvalidInput(f'the option "{candidate["label"]}" of {element_ref.description} is disabled')
                return index
    labels = ", ".join(candidate["label"] for candidate in options[:20])
    raise InvalidInput(f'{element_ref.description} has no option "{query[:80]}"', hint=f"its options are {labels}")
