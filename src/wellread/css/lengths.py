"""Works out CSS lengths in pixels, on a window of 1280 by 800; sums of them too (CSS Values 4)."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

import tinycss2

from wellread.bounded_cache import cached_calls
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PIXELS: Final = {
    "px": 1.0,
    **dict.fromkeys(("rem", "ic", "pc"), 16.0),
    **dict.fromkeys(("ex", "ch", "rex", "rch"), 8.0),
    **dict.fromkeys(("lh", "rlh"), 20.0),
    "in": 96.0,
}
_WINDOW: Final = {"vw": 12.8, "vi": 12.8, "vh": 8.0, "vb": 8.0, "vmin": 8.0, "vmax": 12.8}
for _name, _size in _WINDOW.items():
    _PIXELS.update({_name: _size, f"s{_name}": _size, f"l{_name}": _size, f"d{_name}": _size})
_PIXELS.update(cap=11.0, pt=4 / 3, cm=37.8, mm=3.78, q=0.945)
_PIXELS.update(cqw=12.8, cqi=12.8, cqh=8.0, cqb=8.0, cqmin=8.0, cqmax=12.8)
_PLAIN: Final = lazy_pattern(r"([+-]?(?:\d{1,40}(?:\.\d{1,40})?|\.\d{1,40})(?:e[+-]?\d{1,3})?)([a-z%]{0,5})")
_LONGEST: Final = 2_000
_DEEPEST: Final = 12
_PICKED: Final[dict[str, Callable[[Sequence[float]], float]]] = {
    "min": min,
    "max": max,
    "hypot": lambda values: math.hypot(*values),
    "clamp": lambda values: max(values[0], min(values[1], values[2])),
    "abs": lambda values: abs(values[0]),
    "sign": lambda values: math.copysign(1.0, values[0]) if values[0] else 0.0,
    "mod": lambda values: values[0] - values[1] * math.floor(values[0] / values[1]),
    "rem": lambda values: math.fmod(values[0], values[1]),
    "pow": lambda values: float(values[0] ** values[1]),
    "sqrt": lambda values: math.sqrt(values[0]),
    "exp": lambda values: math.exp(values[0]),
    "sin": lambda values: math.sin(values[0]),
    "cos": lambda values: math.cos(values[0]),
    "tan": lambda values: math.tan(values[0]),
    "asin": lambda values: math.degrees(math.asin(values[0])),
    "acos": lambda values: math.degrees(math.acos(values[0])),
    "atan": lambda values: math.degrees(math.atan(values[0])),
    "atan2": lambda values: math.degrees(math.atan2(values[0], values[1])),
    **dict.fromkeys(("calc", "-webkit-calc", "-moz-calc"), lambda values: values[0]),
    "calc-size": lambda values: values[-1],
}
_TAKES: Final = {
    "clamp": 3,
    **dict.fromkeys(("mod", "rem", "pow", "atan2"), 2),
    **dict.fromkeys(("abs", "sign", "sqrt", "exp", "sin", "cos", "tan", "asin", "acos", "atan"), 1),
    **dict.fromkeys(("calc", "-webkit-calc", "-moz-calc"), 1),
}
"""How many values a function must have; the others take any number."""
_ROUNDED: Final[dict[str, Callable[[float], float]]] = {"up": math.ceil, "down": math.floor, "to-zero": math.trunc}
_ROUNDED["nearest"] = lambda number: math.floor(number + 0.5)
_CONSTANTS: Final = {"pi": math.pi, "e": math.e, "infinity": math.inf, "-infinity": -math.inf}
_CONSTANTS.update(nan=0.0, none=math.inf, size=100.0)
_TURNS: Final = {"deg": math.pi / 180, "grad": math.pi / 200, "rad": 1.0, "turn": 2 * math.pi}
_ELSEWHERE: Final = lazy_pattern(
    r"(?:attr|if|random|random-item|sibling-index|sibling-count|progress)\(", re.IGNORECASE
)


def is_elsewhere(value: str) -> bool:
    """Tell whether a value hangs on what is not known here, though browsers may know it."""
    return "(" in value and _ELSEWHERE.search(value) is not None


Base = tuple[float, float]
"""Pixels for one em, and for one percent."""
_USUAL: Final[Base] = (16.0, 10.0)


@cached_calls(8_192)
def length(value: str, base: Base = _USUAL) -> float | None:
    """Return a length, percentage or number; None when it is none of them."""
    found = _PLAIN.fullmatch(value)
    if found is None:
        return _calculated(value, base) if "(" in value and len(value) < _LONGEST else None
    return _sized(float(found.group(1)), found.group(2), base)


def _sized(number: float, unit: str, base: Base) -> float | None:
    if not unit:
        return number
    if unit in _TURNS:
        return number * _TURNS[unit]
    if unit in {"em", "%"}:
        return number * base[unit == "%"]
    return number * _PIXELS[unit] if unit in _PIXELS else None


def _calculated(value: str, base: Base) -> float | None:
    tokens = tinycss2.parse_component_value_list(value, skip_comments=True)
    if len(tokens) != 1 or tokens[0].type != "function":
        return None
    try:
        found = _term(tokens[0], base, 0)
    except (ArithmeticError, ValueError):
        return None
    return 0.0 if found is not None and math.isnan(found) else found  # CSS Values 4, 10.9.1


def _term(token: tinycss2.ast.Node, base: Base, depth: int) -> float | None:
    if token.type in {"number", "dimension", "percentage"}:
        unit = {"number": "", "percentage": "%"}.get(token.type)
        return _sized(float(token.value), token.lower_unit if unit is None else unit, base)
    if token.type == "ident":
        return _CONSTANTS.get(token.lower_value)
    if depth > _DEEPEST or token.type not in {"function", "() block"}:
        return None
    return _sum(token.content, base, depth + 1) if token.type == "() block" else _function(token, base, depth)


def _function(token: tinycss2.ast.FunctionBlock, base: Base, depth: int) -> float | None:
    name = token.lower_name
    if name not in _PICKED and name not in {"round", "env"}:
        return None
    arguments = _separated(token.arguments)
    how = "nearest"
    if name == "env":
        return _sum(arguments[1], base, depth + 1) if len(arguments) > 1 else 0.0
    if name in {"round", "calc-size"} and (first := _word(arguments[0])) is not None:
        how = first
        arguments = arguments[1:]
    values = [one for argument in arguments if (one := _sum(argument, base, depth + 1)) is not None]
    if not values or len(values) != len(arguments):
        return None
    if name == "round":
        return _rounded(how, values)
    return _PICKED[name](values) if len(values) == _TAKES.get(name, len(values)) else None


def _rounded(how: str, values: list[float]) -> float | None:
    step = values[1] if len(values) > 1 else 1.0
    return _ROUNDED[how](values[0] / step) * step if how in _ROUNDED else None


def _word(argument: Sequence[tinycss2.ast.Node]) -> str | None:
    told = [part for part in argument if part.type != "whitespace"]
    return told[0].lower_value if len(told) == 1 and told[0].type == "ident" else None


def _separated(tokens: Sequence[tinycss2.ast.Node]) -> list[list[tinycss2.ast.Node]]:
    arguments: list[list[tinycss2.ast.Node]] = [[]]
    for part in tokens:
        if part.type == "literal" and part.value == ",":
            arguments.append([])
        else:
            arguments[-1].append(part)
    return arguments


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
