"""The pure halves of browsing: markers that cannot be forged, changes, values of fields, steps as they are typed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.apps.browse_script import BrowseStep, parse_step, parse_steps
from wellread.browser.browse import field_values
from wellread.browser.browse.changes import MAX_CHANGES, ComparedState, changes
from wellread.browser.browse.element_index import ElementRef
from wellread.browser.browse.outline import escape
from wellread.browser.browse.page_tree import NodeKey
from wellread.errors import InvalidInput
from wellread.types import Element

REAL_MARKER = re.compile(r"(?<!\\)[\[\uff3b]\s*\d+\s*[\]\uff3d]")


@given(st.text(alphabet="[]\uff3b\uff3d\\0123456789 =ab\u200b\u202e\n"))
def test_no_text_of_a_page_comes_out_with_a_marker(text: str) -> None:
    assert not REAL_MARKER.search(escape(text))


@given(st.text(alphabet="[]\\09 =a\u200b", max_size=30))
def test_no_text_of_a_page_comes_out_as_a_heading_of_ours(text: str) -> None:
    assert not escape(text).lstrip().startswith("===")


def test_text_without_lookalikes_is_left_as_it_is() -> None:
    assert escape("a [b] = c, see (3) or [x1] == y") == "a [b] = c, see (3) or [x1] == y"


def state(*elements: Element, lines: tuple[str, ...] = (), document: str = "d", url: str = "u") -> ComparedState:
    return ComparedState(url, document, {each.index: each for each in elements}, lines)


def test_many_changes_are_counted_not_listed() -> None:
    after = state(*(Element(index=n, role="button", name=f"b{n}") for n in range(40)))
    told = changes(state(), after)
    assert len(told) == MAX_CHANGES + 1
    assert told[-1] == "and 28 more"


def test_a_page_that_was_loaded_anew_is_not_compared_with_the_last() -> None:
    before = state(Element(index=1, role="button", name="a"), document="d1")
    assert changes(before, state(document="d2")) == ("the page was loaded again",)
    assert changes(before, state(document="d2", url="v")) == ("the address is now v",)


def test_names_in_changes_cannot_forge_markers() -> None:
    told = changes(state(), state(Element(index=1, role="button", name="[2] x")))
    assert told == ('new: [1] button "\\[2] x"',)


@pytest.mark.parametrize(
    ("kind", "text"), [("date", "15.3.2026"), ("time", "9"), ("week", "2026-12"), ("datetime-local", "2026-03-15")]
)
def test_a_date_in_another_shape_is_refused_with_the_right_one(kind: str, text: str) -> None:
    with pytest.raises(InvalidInput) as told:
        list(field_values.key_sequences(kind, text))
    assert told.value.hint == field_values.HINTS[kind]


@pytest.mark.parametrize(("hour", "keyed"), [("00", "1200AM"), ("09", "0900AM"), ("12", "1200PM"), ("23", "1100PM")])
def test_hours_are_keyed_in_by_the_twelve_hour_clock_first(hour: str, keyed: str) -> None:
    assert list(field_values.key_sequences("time", f"{hour}:00")) == [keyed, f"{hour}00"]


SPOT = ElementRef(1, NodeKey("p", 1), "f", (), Element(index=1, role="select", name="Fruit"))
OPTIONS = {
    "options": [
        {"label": "Apple pie", "value": "1", "disabled": False},
        {"label": "Apple", "value": "2", "disabled": False},
        {"label": "Fig", "value": "apple pie", "disabled": True},
    ]
}


@pytest.mark.parametrize(("wanted", "place"), [("apple", 1), ("2", 1), ("Apple  PIE", 0), ("pie", 0)])
def test_an_option_is_found_by_label_then_value_then_part(wanted: str, place: int) -> None:
    assert field_values.option_index(SPOT, OPTIONS, wanted) == place


def test_an_option_that_is_disabled_or_missing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="disabled"):
        field_values.option_index(SPOT, OPTIONS, "Fig")
    with pytest.raises(InvalidInput, match='no option "Plum"') as told:
        field_values.option_index(SPOT, OPTIONS, "Plum")
    assert "Apple pie, Apple, Fig" in told.value.hint


def test_steps_are_read_from_one_line() -> None:
    told = parse_steps('click 3; type 5 "a; b" ; 7 ;press Control+A;')
    assert told == [
        BrowseStep("click", "3"),
        BrowseStep("type", '5 "a; b"'),
        BrowseStep("click", "7"),
        BrowseStep("press", "Control+A"),
    ]


def test_what_is_no_step_is_refused_with_what_there_is() -> None:
    with pytest.raises(InvalidInput, match="unknown step 'fly'") as told:
        parse_step("fly 3")
    assert "click" in told.value.hint
