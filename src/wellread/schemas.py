"""Checks values against JSON schemas; nothing is ever fetched for one, and those of strangers are weakened first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry
from referencing.exceptions import Unresolvable

from wellread.errors import PluginError

_Part = dict[str, object] | bool
MOST_CHARS = 60_000
"""Of a schema as it came, and of what its references may add to it."""
DEEPEST = 24
"""Parts further down are not checked."""
_WORDS = frozenset({"title", "description", "default"})
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength")
_COUNTS = ("minItems", "maxItems", "minProperties", "maxProperties")
_SAID = frozenset({*_WORDS, *_BOUNDS, *_COUNTS, "type", "enum", "const", "format", "required"})
# `oneOf` is read as `anyOf`: alternatives that lost what parts them must not both be refused.
_LISTS = (("oneOf", "anyOf"), ("anyOf", "anyOf"), ("allOf", "allOf"), ("prefixItems", "prefixItems"))
_NOWHERE: Registry[Any] = Registry()  # Any: a schema; the one that jsonschema takes by itself fetches what `$ref` names


def check(schema: Mapping[str, object], owner: str) -> None:
    """Refuse what is no JSON schema of draft 2020-12.

    Raises:
        PluginError: it is none.
    """
    try:
        problem = _problem(json.dumps(dict(schema)))
    except (TypeError, ValueError, RecursionError) as error:
        problem = str(error)
    if problem:
        raise PluginError(
            f"the arguments of {owner} are no JSON schema: {problem[:300]}",
            hint="correct the schema of these arguments",
        )


@lru_cache(maxsize=256)
def _problem(schema: str) -> str:
    """Return why a text of JSON is no schema, or nothing.

    Answers are kept, because every assistant has the same tools: each schema takes 4 ms of CPU, all of them 0.1 s.
    """
    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError as error:
        return error.message or "it is not valid"
    return ""


def fault(value: object, schema: Mapping[str, object]) -> str:
    """Return the first thing that is wrong with `value`, or nothing."""
    try:
        wrong = next(iter(Draft202012Validator(dict(schema), registry=_NOWHERE).iter_errors(value)), None)
    except Unresolvable as error:
        return f"nothing fits a schema that refers to what is not in it ({error})"
    return "" if wrong is None else str(wrong.message)


def weakened(schema: Mapping[str, object]) -> dict[str, object]:
    """Return a schema in draft 2020-12, without references and patterns, that all that fits `schema` fits too.

    A reference gives way to what it names within the schema, where that is not endless. A pattern is told in the
    description: `re` may take hours over one. What asks for the contrary (`not`, `if`) would not be weaker, and goes.
    Who wrote the schema checks the rest.

    Raises:
        PluginError: it is too large, or refers to what is not in it; nothing is ever fetched.
    """
    try:
        size = len(json.dumps(schema))
    except RecursionError:
        size = MOST_CHARS + 1
    if size > MOST_CHARS:
        raise PluginError(f"the schema has more than {MOST_CHARS:,} characters", hint="say less in it, or nest less")
    told = _Weakening(schema).part(schema, (), 0)
    return told if isinstance(told, dict) else {}


class _Weakening:
    def __init__(self, root: Mapping[str, object]) -> None:
        self._root = root
        self._left = MOST_CHARS

    def part(self, schema: object, above: tuple[str, ...], depth: int) -> _Part:
        """Return one part; `above` are the references that it was reached by."""
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, Mapping) or depth > DEEPEST or self._left <= 0:
            return {}
        told = {key: value for key, value in schema.items() if key in _SAID and _is_plain(key, value)}
        if isinstance(pattern := schema.get("pattern"), str):
            told["description"] = f"{told.get('description', '')} (pattern: {pattern})".strip()
        self._left -= len(repr(told))
        told |= self._below(schema, above, depth + 1)
        for key in ("$ref", "$dynamicRef"):
            if key in schema:
                told = _joined(self._named(str(schema[key]), above, depth + 1), told)
        return told

    def _below(self, schema: Mapping[str, object], above: tuple[str, ...], depth: int) -> dict[str, object]:
        told: dict[str, object] = {}
        if isinstance(named := schema.get("properties"), Mapping):
            self._left -= sum(map(len, named))
            told["properties"] = {name: self.part(it, above, depth) for name, it in named.items()}
        if "additionalProperties" in schema and "patternProperties" not in schema:
            told["additionalProperties"] = self.part(schema["additionalProperties"], above, depth)
        if isinstance(items := schema.get("items"), Mapping | bool):  # a list of them is of an older draft
            told["items"] = self.part(items, above, depth)
        for key, read_as in _LISTS:
            if isinstance(listed := schema.get(key), list):
                told[read_as] = [self.part(it, above, depth) for it in listed]
        return told

    def _named(self, reference: str, above: tuple[str, ...], depth: int) -> _Part:
        found: Any = self._root  # Any: JSON of a stranger
        try:
            if reference != "#" and not reference.startswith("#/"):
                raise KeyError(reference)
            for step in reference.split("/")[1:]:
                name = unquote(step).replace("~1", "/").replace("~0", "~")
                found = found[int(name) if isinstance(found, list) else name]
        except (LookupError, TypeError, ValueError) as error:
            raise PluginError(
                f"the schema refers to {reference[:200]!r}, which is not in it",
                hint="put what is referred to below $defs: nothing is fetched for a schema",
            ) from error
        return {} if reference in above else self.part(found, (*above, reference), depth)


def _is_plain(key: str, value: object) -> bool:
    """Tell whether a keyword's value is one that draft 2020-12 knows, and no deeper than a list."""
    if isinstance(value, bool):  # older drafts have such bounds
        return key in {"default", "const"}
    return not any(isinstance(it, list | dict) for it in (value if isinstance(value, list) else [value]))


def _joined(named: _Part, beside: dict[str, object]) -> dict[str, object]:
    """Return what a reference names together with what stands beside it."""
    if isinstance(named, dict) and beside.keys() <= _WORDS:
        return named | beside
    both = beside.get("allOf", [])
    return {**beside, "allOf": [named, *(both if isinstance(both, list) else [])]}
