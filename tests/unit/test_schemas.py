"""The schemas that every interface shows are the very rules by which arguments are read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wellread.apps.operations import arguments as takes
from wellread.apps.operations import page_arguments
from wellread.apps.operations.operation import LEFT_OUT
from wellread.apps.operations.operation_schemas import field_descriptions, parsed_arguments, result_schema
from wellread.apps.operations.registry import BY_NAME, OPERATIONS
from wellread.errors import InvalidInput
from wellread.types import Page

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 300_000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1.0, 10.0, "markdown", "week", "", "US", "x" * 3, "x" * 9_000]),
    st.text(st.characters(exclude_categories=["Cs", "Nd"]), max_size=5),  # digits are also taken as an integer
    st.lists(st.sampled_from(["links", "images", "headings", "pages", 3]), max_size=4),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=1),
)


@pytest.mark.parametrize("name", BY_NAME)
@given(data=st.data())
def test_arguments_are_taken_exactly_when_the_schema_allows_them(name: str, data: st.DataObject) -> None:
    operation = BY_NAME[name]
    schema = operation.arguments_schema
    names = st.sampled_from([*schema["properties"], "user_asked"])
    told: Any = data.draw(st.one_of(st.dictionaries(names, VALUES), VALUES))  # Any: JSON
    if isinstance(told, dict) and data.draw(st.booleans()):
        told = {**operation.example, **told}
    allowed = Draft202012Validator(schema).is_valid(told)
    if allowed:
        assert isinstance(parsed_arguments(operation.arguments, told, operation=name), operation.arguments)
    else:
        with pytest.raises(InvalidInput) as caught:
            parsed_arguments(operation.arguments, told, operation=name)
        assert caught.value.hint


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_schema_is_sound_and_the_example_fits_it(operation: Any) -> None:  # Any: mypy knows no better in lambdas
    Draft202012Validator.check_schema(operation.arguments_schema)
    Draft202012Validator.check_schema(operation.result_schema(words=True))
    Draft202012Validator(operation.arguments_schema).validate(dict(operation.example))
    assert operation.arguments_schema["additionalProperties"] is False
    assert all(len(field["description"].split()) > 3 for field in operation.arguments_schema["properties"].values())


@pytest.mark.parametrize("forbidden", ["user_asked", "allow_hosts", "to", "path", "timeout_s", "keys", "providers"])
def test_no_operation_takes_what_only_the_owner_may_decide(forbidden: str) -> None:
    for operation in OPERATIONS:
        assert forbidden not in operation.arguments_schema["properties"]
        with pytest.raises(InvalidInput, match=forbidden):
            parsed_arguments(operation.arguments, {**operation.example, forbidden: True}, operation=operation.name)


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InvalidInput):
        parsed_arguments(takes.ReadArguments, {"url": "http://a.example/\ud800"}, operation="web_read")


def test_digits_as_a_string_are_an_integer() -> None:
    click = parsed_arguments(page_arguments.ClickArguments, {"session": "a", "index": "9"}, operation="page_click")
    assert click == page_arguments.ClickArguments(session="a", index=9)
    for wrong in ("nine", "9.5", "", "\u0663", "-1", True):
        with pytest.raises(InvalidInput, match="index cannot be"):
            parsed_arguments(page_arguments.ClickArguments, {"session": "a", "index": wrong}, operation="page_click")
    with pytest.raises(InvalidInput, match="fresh cannot be"):
        parsed_arguments(takes.ReadArguments, {"url": "http://a.example/", "fresh": "1"}, operation="web_read")


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert parsed_arguments(
        takes.IndexListArguments, {"limit": 7.0}, operation="index_list"
    ) == takes.IndexListArguments(limit=7)


def test_what_was_refused_is_told_in_brief() -> None:
    with pytest.raises(InvalidInput) as caught:
        parsed_arguments(takes.SearchArguments, {"query": "x" * 100_000}, operation="web_search")
    assert len(caught.value.message) < 200


def test_long_lists_are_no_promise_of_a_result() -> None:
    schema = result_schema(Page, LEFT_OUT)
    assert {"links", "images", "headings"} & set(schema["required"]) == set()
    assert {"links", "images", "headings"} < set(schema["properties"])


def test_the_words_under_a_field_become_its_description() -> None:
    assert field_descriptions(Page)["word_count"] == "Words in `text`."
    assert result_schema(Page, {}, words=True)["properties"]["word_count"]["description"] == "Words in `text`."
