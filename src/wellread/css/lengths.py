"""Works out CSS lengths in pixels, on a window of 1280 by 800; sums of them too (CSS Values 4)."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import tinycss2

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PIXELS: Final = {
    "px": 1.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "rex": 8.0,
    "rch": 8.0,
    "lh": 20.0,
    "rlh": 20.0,
    "cap": 11.0,
    "ic": 16.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "q": 0.945,
}
_WINDOW: Final = {"vw": 12.8, "vi": 12.8, "vh": 8.0, "vb": 8.0, "vmin": 8.0, "vmax": 12.8}
for _name, _size in _WINDOW.items():
    _PIXELS.update({_name: _size, f"s{_name}": _size, f"l{_name}": _size, f"d{_name}": _size})
_PIXELS.update(cqw=12.8, cqi=12.8, cqh=8.0, cqb=8.0, cqmin=8.0, cqmax=12.8)
_PLAIN: Final = re.compile(r"([+-]?(?:\d{1,40}(?:\.\d{1,40})?|\.\d{1,40})(?:e[+-]?\d{1,3})?)([a-z%]{0,5})")
_LONGEST: Final = 2_000
_DEEPEST: Final = 12
_PICKED: Final[dict[str, Callable[[Sequence[float]], float]]] = {
    "min": min,
    "max": max,
    "clamp": lambda values: max(values[0], min(values[1], values[2])),
    "abs": lambda values: abs(values[0]),
}
_TAKES: Final = {"clamp": 3, "abs": 1}
"""How many values a function must have; the others take any number."""


Base = tuple[float, float]
"""Pixels for one em, and for one percent."""
_USUAL: Final[Base] = (16.0, 10.0)


@lru_cache(maxsize=8_192)
def length(value: str, base: Base = _USUAL) -> float | None:
    """Return a length, percentage or number; None when it is none of them."""
    found = _PLAIN.fullmatch(value)
    if found is None:
        return _calculated(value, base) if "(" in value and len(value) < _LONGEST else None
    return _sized(float(found.group(1)), found.group(2), base)


def _sized(number: float, unit: str, base: Base) -> float | None:
    if not unit:
        return number
    if unit in {"em", "%"}:
        return number * base[unit == "%"]
    return number * _PIXELS[unit] if unit in _PIXELS else None


def _calculated(value: str, base: Base) -> float | None:
    tokens = tinycss2.parse_component_value_list(value, skip_comments=True)
    if len(tokens) != 1 or tokens[0].type != "function":
        return None
    return _term(tokens[0], base, 0)


def _term(token: tinycss2.ast.Node, base: Base, depth: int) -> float | None:
    if token.type == "number":
        return float(token.value)
    if token.type == "dimension":
        return _sized(token.value, token.lower_unit, base)
    if token.type == "percentage":
        return _sized(token.value, "%", base)
    if depth > _DEEPEST or token.type not in {"function", "() block"}:
        return None
    if token.type == "() block":
        return _sum(token.content, base, depth + 1)
    return _function(token, base, depth)


def _function(token: tinycss2.ast.FunctionBlock, base: Base, depth: int) -> float | None:
    if token.lower_name in {"calc", "-webkit-calc", "-moz-calc"}:
        return _sum(token.arguments, base, depth + 1)
    if token.lower_name not in _PICKED:
        return None
    values: list[float] = []
    argument: list[tinycss2.ast.Node] = []
    for part in (*token.arguments, None):
        if part is None or (part.type == "literal" and part.value == ","):
            one = _sum(argument, base, depth + 1)
            if one is None:
                return None
            values.append(one)
            argument = []
        else:
            argument.append(part)
    if len(values) != _TAKES.get(token.lower_name, len(values)):
        return None
    return _PICKED[token.lower_name](values)


def _sum(tokens: Sequence[tinycss2.ast.Node], base: Base, depth: int) -> float | None:
    """Work out sums and products, products first."""
    products: list[float] = []
    sought = "+"
    for token in tokens:
        if token.type == "whitespace":
            continue
        if token.type == "literal" and token.value in "+-*/":
            sought = token.value
            continue
        one = _term(token, base, depth)
        if one is None:
            return None
        if sought in "*/" and products:
            products[-1] *= one if sought == "*" else (1 / one if one else math.inf)
        else:
            products.append(-one if sought == "-" else one)
        sought = "+"  # and so is `1px -2px`, a sign that sticks to its number
    return sum(products) if products else None
