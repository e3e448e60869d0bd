"""Check values against JSON schemas; nothing is fetched for a schema, and foreign schemas are weakened first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from wellread.errors import PluginError

_Part = dict[str, object] | bool
MOST_CHARS = 60_000
"""Of a schema as it came, and of what its references may add to it."""
DEEPEST = 24
"""Parts further down are not checked."""
MAX_LEVELS: Final = 128
"""Of lists and objects in each other, in a schema that is checked."""
MAX_SUBSCHEMAS: Final = 1_500
"""Objects and booleans of a schema that is checked: each may be a subschema, whose check takes 0.6 ms of CPU."""
MAX_LIST_ITEMS: Final = 1_000
"""Of a list in a schema that is checked: jsonschema compares each pair of a `type` or `required` of mixed items."""
MAX_WEAKENED_PARTS: Final = 1_000
"""Parts of a schema that is weakened, those that its references add among them; the others are left empty."""
_WORDS = frozenset({"title", "description", "default"})
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength")
_COUNTS = ("minItems", "maxItems", "minProperties", "maxProperties")
_SAID = frozenset({*_WORDS, *_BOUNDS, *_COUNTS, "type", "enum", "const", "format", "required"})
# `oneOf` is read as `anyOf`: alternatives that lost what parts them must not both be refused.
_LISTS = (("oneOf", "anyOf"), ("anyOf", "anyOf"), ("allOf", "allOf"), ("prefixItems", "prefixItems"))
_METASCHEMA: Final = Draft202012Validator(Draft202012Validator.META_SCHEMA)
_NOWHERE: Registry[Any] = Registry()  # Any: a schema; the one that jsonschema takes by itself fetches what `$ref` names


def check(schema: Mapping[str, object], owner: str) -> None:
    """Refuse a schema that is not valid in draft 2020-12, or too large to be checked.

    The size is judged first, in a time that grows with it.

    Raises:
        PluginError: the schema is not valid, or too large.
    """
    try:
        _refuse_excess(schema)
        problem = _problem(json.dumps(dict(schema)))
    except (TypeError, ValueError) as error:
        problem = str(error)
    if problem:
        raise PluginError(
            f"the arguments of {owner} are not a JSON schema: {problem[:300]}",
            hint="correct the schema of these arguments",
        )


@lru_cache(maxsize=256)
def _problem(schema: str) -> str:
    """Return why a text of JSON is no schema, or an empty string.

    Answers are kept, because every assistant has the same tools: each schema takes 4 ms of CPU, all of them 0.1 s.
    """
    # The first error alone: `check_schema` finds and words all of them, and each quotes its part of the schema.
    error = best_match(islice(_METASCHEMA.iter_errors(json.loads(schema)), 1))
    if error is None:
        return ""
    return error.message or "it is not valid"


def _refuse_excess(schema: Mapping[str, object]) -> None:
    """Refuse a schema with too many characters, levels, subschemas or items of a list.

    Raises:
        PluginError: it has too many; the message has the limit.
    """
    _refuse_excess_chars(schema)
    subschema_count = 0
    level: list[object] = [schema]
    for _ in range(MAX_LEVELS):
        subschema_count += sum(isinstance(part, dict | bool) for part in level)
        if subschema_count > MAX_SUBSCHEMAS:
            raise PluginError(f"the schema has more than {MAX_SUBSCHEMAS:,} subschemas", hint="shorten the schema")
        lists = [part for part in level if isinstance(part, list | tuple)]
        if (longest := max(map(len, lists), default=0)) > MAX_LIST_ITEMS:
            raise PluginError(
                f"a list in the schema has {longest:,} items, and {MAX_LIST_ITEMS:,} is the limit",
                hint="shorten the list",
            )
        level = [value for part in level if isinstance(part, Mapping) for value in part.values()]
        level += chain.from_iterable(lists)
        if not level:
            return
    raise PluginError(f"the schema has more than {MAX_LEVELS} levels", hint="nest less in the schema")


def _refuse_excess_chars(schema: Mapping[str, object]) -> None:
    try:
        size = len(json.dumps(dict(schema)))
    except RecursionError:
        size = MOST_CHARS + 1
    if size > MOST_CHARS:
        raise PluginError(f"the schema has more than {MOST_CHARS:,} characters", hint="shorten the schema")


def fault(value: object, schema: Mapping[str, object]) -> str:
    """Return the first fault of `value`, or an empty string."""
    try:
        error = _first_error(value, schema)
    except Unresolvable as unresolvable:
        return f"nothing fits a schema that refers to what is not in it ({unresolvable})"
    return "" if error is None else str(error.message)


def fault_place(value: object, schema: Mapping[str, object]) -> str:
    """Return the keyword of the schema that `value` does not fit, and the place in it, without text of `value`."""
    try:
        error = _first_error(value, schema)
    except Unresolvable:
        return "$ref"
    return "" if error is None else f"{error.validator} at {error.json_path}"


def _first_error(value: object, schema: Mapping[str, object]) -> ValidationError | None:
    return next(iter(Draft202012Validator(dict(schema), registry=_NOWHERE).iter_errors(value)), None)


def weakened(schema: Mapping[str, object]) -> dict[str, object]:
    """Return a weaker schema in draft 2020-12, without references and patterns: it accepts all that `schema` accepts.

    A reference is replaced by its target within the schema, unless that is endless. A pattern is moved to the
    description: `re` may take hours over one. Negations (`not`, `if`) are dropped, because weakening their content
    would make the schema stricter. The author of the schema checks the rest.

    Raises:
        PluginError: it is too large, or refers to what is not in it; nothing is ever fetched.
    """
    _refuse_excess_chars(schema)
    weak_schema = _Weakening(schema).part(schema, (), 0)
    return weak_schema if isinstance(weak_schema, dict) else {}


class _Weakening:
    def __init__(self, root: Mapping[str, object]) -> None:
        self._root = root
        self._left = MOST_CHARS
        self._parts_left = MAX_WEAKENED_PARTS

    def part(self, schema: object, above: tuple[str, ...], depth: int) -> _Part:
        """Return one part, weakened; `above` are the references that lead to it."""
        if isinstance(schema, bool):
            return schema
        self._parts_left -= 1
        if not isinstance(schema, Mapping) or depth > DEEPEST or min(self._left, self._parts_left) < 0:
            return {}
        weak_part = {key: value for key, value in schema.items() if key in _SAID and _is_plain(key, value)}
        if isinstance(pattern := schema.get("pattern"), str):
            weak_part["description"] = f"{weak_part.get('description', '')} (pattern: {pattern})".strip()
        self._left -= len(repr(weak_part))
        weak_part |= self._below(schema, above, depth + 1)
        for key in ("$ref", "$dynamicRef"):
            if key in schema:
                weak_part = _joined(self._named(str(schema[key]), above, depth + 1), weak_part)
        return weak_part

    def _below(self, schema: Mapping[str, object], above: tuple[str, ...], depth: int) -> dict[str, object]:
        weak_part: dict[str, object] = {}
        if isinstance(properties := schema.get("properties"), Mapping):
            self._left -= sum(map(len, properties))
            weak_part["properties"] = {name: self.part(part, above, depth) for name, part in properties.items()}
        if "additionalProperties" in schema and "patternProperties" not in schema:
            weak_part["additionalProperties"] = self.part(schema["additionalProperties"], above, depth)
        if isinstance(items := schema.get("items"), Mapping | bool):  # a list of them is of an older draft
            weak_part["items"] = self.part(items, above, depth)
        for key, read_as in _LISTS:
            if isinstance(subschemas := schema.get(key), list):
                weak_part[read_as] = [self.part(subschema, above, depth) for subschema in subschemas]
        return weak_part

    def _named(self, reference: str, above: tuple[str, ...], depth: int) -> _Part:
        target: Any = self._root  # Any: JSON of a stranger
        try:
            if reference != "#" and not reference.startswith("#/"):
                raise KeyError(reference)
            for step in reference.split("/")[1:]:
                name = unquote(step).replace("~1", "/").replace("~0", "~")
                target = target[int(name) if isinstance(target, list) else name]
        except (LookupError, TypeError, ValueError) as error:
            raise PluginError(
                f"the schema refers to {reference[:200]!r}, which is not in it",
                hint="define it under $defs; schemas are not fetched",
            ) from error
        return {} if reference in above else self.part(target, (*above, reference), depth)


def _is_plain(key: str, value: object) -> bool:
    """Return whether a keyword's value is valid in draft 2020-12, and no deeper than a list."""
    if isinstance(value, bool):  # older drafts have such bounds
        return key in {"default", "const"}
    elements = value if isinstance(value, list) else [value]
    return not any(isinstance(element, list | dict) for element in elements)


def _joined(referenced: _Part, beside: dict[str, object]) -> dict[str, object]:
    """Return the target of a reference joined with the keywords beside it."""
    if isinstance(referenced, dict) and beside.keys() <= _WORDS:
        return referenced | beside
    all_of = beside.get("allOf", [])
    return {**beside, "allOf": [referenced, *(all_of if isinstance(all_of, list) else [])]}
