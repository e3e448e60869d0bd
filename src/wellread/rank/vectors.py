"""Vectors of texts: asked for in JSON, read without trust, and compared by their angle."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from wellread.types import Request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.types import Headers

Vector = list[float]


def post(url: str, values: Mapping[str, object], headers: Headers) -> Request:
    """Return a POST of JSON for JSON."""
    sent = (("Accept", "application/json"), ("Content-Type", "application/json"), *headers)
    return Request(url=url, method="POST", headers=sent, body=json.dumps(values).encode(), user_asked=True)


def field(body: bytes, name: str) -> object:
    """Return the value under `name` in the JSON object that `body` is; None where the object or the name is missing."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):  # ValueError covers bad UTF-8, bad JSON, and integers beyond reason
        return None
    if not isinstance(value, dict):
        return None
    return value.get(name)


def checked(rows: object) -> list[Vector] | None:
    """Return vectors of finite numbers, all of one length above 0, or None when `rows` is anything else."""
    if not isinstance(rows, list) or not all(isinstance(row, list) and row for row in rows):
        return None
    if len({len(row) for row in rows}) > 1:
        return None
    try:
        vectors = [[_number(value) for value in row] for row in rows]
    except (TypeError, OverflowError):
        return None
    if not all(math.isfinite(math.hypot(*row)) for row in vectors):
        return None
    return vectors


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)


def cosine(first_vector: Sequence[float], second_vector: Sequence[float]) -> float:
    """Return the cosine of the angle between two vectors of one length, from -1 to 1; 0 where one has no direction."""
    first, second = math.hypot(*first_vector), math.hypot(*second_vector)
    if not first or not second:
        return 0.0
    return max(
        -1.0, min(1.0, math.fsum(a / first * (b / second) for a, b in zip(first_vector, second_vector, strict=True)))
    )
