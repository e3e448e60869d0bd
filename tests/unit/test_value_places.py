"""Values and quotations stand in a text as whole words and whole numbers, or not at all."""

from __future__ import annotations

from functools import partial

import pytest

from effort import work_grows_in_proportion
from wellread.citations.value_places import QuotableText

TEXT = (
    "It was built in 1989. Our price: 1 199,00 EUR, before 1.299,50 \u20ac. Room 1 2 or more lamps. A dose is -5 mg, "
    "a debt of -$200. Not suitable for children. Open at 10:30 from 12 May 2019; COVID-77 was there. It weighs 900g, "
    "\u4ef7\u683c64\u5143. Oak\n\n  planks. The 45th of 3\u20137."
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1989, "1989"),
        (1199, "1 199,00"),
        (1299.5, "1.299,50"),
        (-5, "5"),
        (-200, "200"),
        (900, "900"),
        (64, "64"),
        (7, "7"),
        ("1989", "1989"),
        ("Oak planks", "Oak\n\n  planks"),
        ("Not suitable", "Not suitable"),
    ],
)
def test_place_of_a_value(value: str | float, text: str) -> None:
    place = QuotableText(TEXT).value(value)
    assert place is not None
    assert TEXT[slice(*place)] == text


@pytest.mark.parametrize(
    "value",
    [
        *(19, 89, "89", 12, 99, "99", 199, "199", 1299, 5, "5", 200, 30, 77, 45, float("inf")),
        *("Oakplanks", "lamp", "suitable for children", "199,00 EUR", "an"),
    ],
)
def test_part_of_a_number_or_word_or_a_denied_text_is_no_place(value: str | float) -> None:
    assert QuotableText(TEXT).value(value) is None


@pytest.mark.parametrize("quote", ["19", "99,00 EUR", "5 mg", "199,00 EUR", "built in 198", "Oakplanks"])
def test_quotation_stands_between_borders(quote: str) -> None:
    assert QuotableText(TEXT).quotation(quote) is None
    assert QuotableText(TEXT).quotation("Oak planks. The") is not None


def _located(count: int) -> None:
    text = QuotableText("The kettle   was filled 1989 times before 12 May 2019, not late. " * count)
    for at in range(20):
        text.value(f"missing {at} words")
        text.value("kettle was emptied")
        text.value(19 + at)
        text.value("late")


def test_search_of_values_grows_with_the_text() -> None:
    small, large = (partial(_located, count) for count in (100, 400))
    assert work_grows_in_proportion(small, large)
