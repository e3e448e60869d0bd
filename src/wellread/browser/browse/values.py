"""What fields take that are no plain text: dates, times, colours, scales, options; pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from wellread.characters import on_one_line
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.browser.browse.board import Spot

Field = dict[str, Any]  # Any: JSON, as scripts.FIELD makes it

MAX_STEPS = 300
HINTS: Final = {
    "date": "as 2026-03-15",
    "time": "as 09:30",
    "month": "as 2026-03",
    "week": "as 2026-W12",
    "datetime-local": "as 2026-03-15T09:30",
    "range": "a number within its limits, on one of its steps",
    "color": "as #0c8040",
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


def check_writable(spot: Spot, field: Field) -> None:
    """Refuse what takes no text.

    Raises:
        InvalidInput: it is disabled, read-only, or worked in another way; the hint says how.
    """
    if field["disabled"] or field["readonly"]:
        raise InvalidInput(f"{spot.told} is {'disabled' if field['disabled'] else 'read-only'}")
    if field["type"] in _BY_CLICK:
        raise InvalidInput(f"{spot.told} takes no text", hint="click it")
    if field["tag"] == "select":
        raise InvalidInput(f"{spot.told} takes no text", hint="select one of its options")
    if field["type"] == "file":
        raise InvalidInput(f"{spot.told} takes no text", hint="upload a file")
    if field["tag"] not in {"input", "textarea"} and not field["editable"] and field["role"] not in _TEXTUAL:
        raise InvalidInput(f"{spot.told} takes no text", hint="choose a textbox")


def keys(kind: str, text: str) -> Iterator[str]:
    """Yield the keys that put a date or a time into a field, in the orders that browsers ask for its parts.

    Raises:
        InvalidInput: the text is no such date or time.
    """
    found = _SHAPES[kind].fullmatch(text.strip())
    if found is None:
        raise InvalidInput(f'"{text[:80]}" cannot be put into a field of type {kind}', hint=HINTS[kind])
    if kind == "time":
        yield from _clock(found[1], found[2])
    elif kind == "week":
        yield from (f"{found[2]}{found[1]}", f"{found[1]}\t{found[2]}")
    elif kind == "month":
        name = _MONTHS[3 * (int(found[2]) - 1) :][:3]
        yield from (f"{name}\t{found[1]}", f"{found[2]}{found[1]}")
    else:
        year, month, day = found[1], found[2], found[3]
        for date in (f"{month}{day}{year}", f"{day}{month}{year}", f"{year}\t{month}{day}"):
            times = [""] if kind == "date" else [f"\t{each}" for each in _clock(found[4], found[5])]
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
    found = _SHAPES["color"].fullmatch(text.strip())
    if found is None:
        raise InvalidInput(f'"{text[:80]}" is no colour', hint=HINTS["color"])
    return int(found[1], 16), int(found[2], 16), int(found[3], 16)


def share(field: Field, text: str) -> float:
    """Return where on a scale a value lies, from 0 to 1.

    Raises:
        InvalidInput: it is no number, or not on the scale.
    """
    low, high = float(field["min"] or 0), float(field["max"] or 100)
    try:
        wanted = float(text)
    except ValueError as error:
        raise InvalidInput(f'"{text[:80]}" is no number', hint=HINTS["range"]) from error
    if not low <= wanted <= high:
        raise InvalidInput(f"{text} is not between {low:g} and {high:g}", hint=HINTS["range"])
    return (wanted - low) / (high - low) if high > low else 0.0


def same(field: Field, text: str) -> bool:
    """Say whether a field holds what was asked for."""
    held, wanted = str(field["value"]).strip().lower(), text.strip().lower().replace(" ", "t")
    if field["type"] == "range":
        try:
            return abs(float(held) - float(wanted)) < 1e-9
        except ValueError:
            return False
    return held == wanted or held == wanted.removesuffix(":00")


def _fits(wanted: str) -> tuple[Callable[[Field], bool], ...]:
    """Return how an option may be meant, the surest first: by its label, its value, a part of its label."""
    told = _folded(wanted)
    return (
        lambda each: _folded(each["label"]) == told,
        lambda each: _folded(each["value"]) == told,
        lambda each: bool(told) and told in _folded(each["label"]),
    )


def _folded(text: str) -> str:
    """Return words of a page as snapshots show them, in small letters."""
    return on_one_line(text).casefold()


def has_option(field: Field, wanted: str) -> bool:
    """Say whether a select has an option with this label or value that can be chosen."""
    return any(fits(each) and not each["disabled"] for fits in _fits(wanted) for each in field["options"])


def suggestion(field: Field, wanted: str) -> str | None:
    """Return the value of the suggestion (`<datalist>`) with this label or value; None where a field has none such."""
    for fits in _fits(wanted):
        for each in field["suggestions"]:
            if fits(each):
                return str(each["value"])
    return None


def option(spot: Spot, field: Field, wanted: str) -> int:
    """Return the place of the option with this label or value.

    Raises:
        InvalidInput: there is none, or it is disabled.
    """
    options = field["options"]
    for fits in _fits(wanted):
        for place, each in enumerate(options):
            if fits(each):
                if each["disabled"]:
                    raise InvalidInput(f'the option "{each["label"]}" of {spot.told} is disabled')
                return place
    known = ", ".join(each["label"] for each in options[:20])
    raise InvalidInput(f'{spot.told} has no option "{wanted[:80]}"', hint=f"it has {known}")
