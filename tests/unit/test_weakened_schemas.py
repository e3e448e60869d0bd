"""Schemas of strangers: what fits one fits what is made of it, and checking against that fetches nothing, and ends."""

from __future__ import annotations

import json
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import effort
from wellread.errors import PluginError
from wellread.schemas import (
    DEEPEST,
    MAX_LEVELS,
    MAX_LIST_ITEMS,
    MAX_SUBSCHEMAS,
    MAX_WEAKENED_PARTS,
    MOST_CHARS,
    check,
    fault,
    weakened,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "ab"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=5,
)
LEAVES = st.sampled_from(
    [
        True,
        False,
        {},
        {"type": "string"},
        {"type": ["integer", "null"], "minimum": 0},
        {"enum": ["a", 1]},
        {"const": {"a": 1}},
        {"pattern": "^a$"},
        {"$ref": "#"},
        {"$ref": "#/$defs/one"},
        {"minLength": 1, "maxItems": 1, "uniqueItems": True},
        {"multipleOf": 2},
    ]
)


def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:  # Any: a schema
    named = st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    listed = st.lists(inner, min_size=1, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "properties": named,
            "patternProperties": named,
            "additionalProperties": inner,
            "unevaluatedProperties": inner,
            "items": inner,
            "prefixItems": listed,
            "oneOf": listed,
            "anyOf": listed,
            "allOf": listed,
            "not": inner,
            "if": inner,
            "then": inner,
            "required": st.just(["a"]),
            "$ref": st.just("#/$defs/one"),
        },
    )


SCHEMAS = st.recursive(LEAVES, grown, max_leaves=6)


@given(SCHEMAS, SCHEMAS, VALUES)
def test_whatever_fits_a_schema_fits_what_is_left_of_it(first: object, one: object, value: object) -> None:
    schema = {"properties": {"a": first}, "additionalProperties": first, "$defs": {"one": one}}
    left = weakened(schema)
    check(left, "a tool")
    assert "$ref" not in json.dumps(left)
    try:
        fits = Draft202012Validator(schema).is_valid(value)
    except RecursionError:  # a reference to itself, which only the weakened schema survives
        fits = False
    assert not fits or not fault(value, left)


def test_what_is_wrong_is_still_found_behind_references() -> None:
    lamp = {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]}
    schema = {
        "properties": {"lamps": {"type": "array", "items": {"$ref": "#/$defs/a~1lamp"}}},
        "$defs": {"a/lamp": lamp},
    }
    left = weakened(schema)
    assert fault({"lamps": [{"on": True}]}, left) == ""
    assert "'on' is a required property" in fault({"lamps": [{}]}, left)


def test_property_named_pattern_and_a_pattern() -> None:
    told = weakened({"properties": {"pattern": {"type": "string", "description": "A day", "pattern": r"^\d+$"}}})
    assert told == {"properties": {"pattern": {"type": "string", "description": r"A day (pattern: ^\d+$)"}}}


@pytest.mark.parametrize("schema", [{"type": "lamp"}, {"required": "on"}, {"enum": {"on"}}, {"properties": {"a": 3}}])
def test_no_schema_is_refused_each_time_by_its_owner(schema: dict[str, object]) -> None:
    for owner in ("tool 'one'", "tool 'two'"):
        with pytest.raises(PluginError, match=f"^the arguments of {owner} are not a JSON schema: .+"):
            check(schema, owner)


def test_a_schema_that_changed_is_checked_again() -> None:
    schema = {"type": "object"}
    check(schema, "a tool")
    schema["type"] = "lamp"
    with pytest.raises(PluginError, match="'lamp'"):
        check(schema, "a tool")


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/secret", seen
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
def test_nothing_is_fetched_for_a_schema(asked: tuple[str, list[str]], keyword: str) -> None:
    address, seen = asked
    with pytest.raises(PluginError, match="which is not in it") as refused:
        weakened({"properties": {"a": {keyword: address}}})
    assert "schemas are not fetched" in refused.value.hint
    assert "not in it" in fault({"a": 1}, {"properties": {"a": {keyword: address}}})
    assert seen == []


@pytest.mark.parametrize("reference", ["file:///etc/hostname", "#anchor", "#/$defs/two", "#/anyOf/7", "#/anyOf/x", ""])
def test_what_a_schema_does_not_hold_is_refused(reference: str) -> None:
    with pytest.raises(PluginError, match="which is not in it"):
        weakened({"properties": {"a": {"$ref": reference}}, "anyOf": [{}]})


def test_another_draft_is_not_looked_up() -> None:
    left = weakened(
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "items": [{"pattern": "("}]}
    )
    assert left == {"type": "object"}


def test_references_that_double_again_and_again_come_to_an_end() -> None:
    doubling = {f"d{at}": {"allOf": [{"$ref": f"#/$defs/d{at + 1}"}] * 2} for at in range(60)}
    left = weakened({"$ref": "#/$defs/d0", "$defs": {**doubling, "d60": {"description": "deep " * 50}}})
    assert len(json.dumps(left)) < 40 * MOST_CHARS
    assert fault({}, left) == ""


def test_depth_and_size_are_bounded() -> None:
    deep: dict[str, object] = {"type": "string"}
    for _ in range(DEEPEST + 1):
        deep = {"properties": {"a": deep}}
    assert "string" not in json.dumps(weakened(deep))
    with pytest.raises(PluginError, match="60,000 characters"):
        weakened({"description": "x" * MOST_CHARS})
    for _ in range(100_000):
        deep = {"not": deep}
    with pytest.raises(PluginError, match="60,000 characters"):
        weakened(deep)


def nested(levels: int) -> dict[str, object]:
    schema: dict[str, object] = {}
    for _ in range(levels):
        schema = {"items": schema}
    return schema


EXCESSIVE: dict[str, dict[str, object]] = {
    "characters": {"description": "x" * MOST_CHARS},
    "levels": nested(MAX_LEVELS),
    "subschemas": {"properties": {f"p{number}": {} for number in range(MAX_SUBSCHEMAS)}},
    "types": {"properties": {"a": {"type": ["x", *range(MAX_LIST_ITEMS)]}}},
    "required": {"required": ["x", *range(MAX_LIST_ITEMS)]},
    "choices": {"enum": list(range(MAX_LIST_ITEMS + 1))},
}


@pytest.mark.parametrize("name", EXCESSIVE)
def test_schema_beyond_a_limit(name: str) -> None:
    with pytest.raises(PluginError, match=r"more than|is the limit") as refused:
        check(EXCESSIVE[name], "a tool")
    assert refused.value.hint


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": ["x", *range(8_000)]}}},
        {"properties": {"a": {"type": ["x", *range(MAX_LIST_ITEMS - 1)]}}},
        {"properties": {f"p{number}": {"type": "integer"} for number in range(10_000)}},
        {"properties": {f"p{number}": {"type": "lamp"} for number in range(MAX_SUBSCHEMAS - 10)}},
    ],
    ids=["list", "list within the limit", "properties", "faults"],
)
def test_cost_of_a_large_schema(schema: dict[str, object]) -> None:
    def refused() -> None:
        with suppress(PluginError):
            check(schema, "a tool")

    assert effort.takes_at_most(1.0, refused)


def test_schema_of_a_large_form() -> None:
    fields = {
        f"field{number}": {"anyOf": [{"type": "string", "maxLength": 80}, {"type": "null"}], "default": None}
        for number in range(200)
    }
    places = {"place": {"enum": [f"place {number}" for number in range(600)]}}
    check({"type": "object", "properties": {**fields, **places}}, "a tool")


def test_references_that_add_many_parts() -> None:
    named = {"$defs": {"d": {"items": [{}] * 10, "anyOf": [{"type": "string"}] * 10}}}
    left = weakened({**named, "properties": {f"p{number}": {"$ref": "#/$defs/d"} for number in range(400)}})
    check(left, "a tool")
    assert json.dumps(left).count("string") < MAX_WEAKENED_PARTS
