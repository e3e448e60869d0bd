"""A sound answer, and what can be broken in it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from contract.provider_fakes.exchange import Found, Reply

if TYPE_CHECKING:
    from contract.provider_fakes.exchange import Service

FOUND = [
    Found("https://a.example/t", "Green tea basics", "What green tea is."),
    Found("https://b.example/r?d=1&e=2", "R&D on 茶 for a < b", "It costs 5 € — “cheap”.", "2026-11-04T07:15:00"),
]


def cut(reply: Reply) -> Reply:
    """Send three quarters."""
    return replace(reply, cut=len(reply.body) * 3 // 4)


def cut_late(service: Service) -> Reply:
    """What arrives is sound and lists nothing, but it was to be longer."""
    reply = service.answer([])
    return replace(reply, body=reply.body + b" " * 100, cut=len(reply.body))


def with_list(service: Service, value: object) -> Reply:
    """Put `value` where the results stand."""
    answer = json.loads(service.answer(FOUND).body)
    holder: Any = answer  # Any: JSON of the service's own shape
    for step in service.list_at[:-1]:
        holder = holder[step]
    holder[service.list_at[-1]] = value
    return Reply(body=json.dumps(answer).encode())


def with_numbers(service: Service) -> Reply:
    """Make every field of every result a number."""
    answer = json.loads(service.answer(FOUND).body, parse_int=float)
    found: Any = answer  # Any: JSON of the service's own shape
    for step in service.list_at:
        found = found[step]
    for item in found:
        item.update(dict.fromkeys(item, 7))
    return Reply(body=json.dumps(answer).encode())


def with_huge_numbers(service: Service) -> Reply:
    """Put numbers beyond any float where numbers stand."""
    answer = json.loads(service.answer(FOUND).body)
    found: Any = answer  # Any: JSON of the service's own shape
    for step in service.list_at:
        found = found[step]
    for item in found:
        item.update({"score": "BIG", "rank": "BIG", "position": "BIG"})
    answer["number_of_results"] = "BIG"
    return Reply(body=json.dumps(answer).replace('"BIG"', "9" * 400, 3).replace('"BIG"', "1e999").encode())
