"""Shops write prices and badges of every state, and show those of one; what belongs to no product goes."""

from __future__ import annotations

import pytest

import wellread
from pages import KETTLE


def shop(state: str) -> str:
    price = (
        "<div class='price__container'><div class='price__regular'><span>Regular price</span> <span>$30.00</span></div>"
        "<div class='price__sale'><span>Sale price</span> <span>$20.00</span></div></div>"
        "<span class='badge price__badge-sold-out'>Sold out</span>"
    )
    page = (
        f"<title>Whistling kettle</title><main><h1>Whistling kettle</h1><div class='{state}'>{price}</div>"
        f"<div class=description><p>{KETTLE * 4}</p></div></main>"
    )
    return wellread.extract(page, url="https://tea.example/products/kettle", mode="recall").text


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("price", {"$30.00": True, "$20.00": False, "Sold out": False}),
        ("price price--large price--on-sale", {"$30.00": False, "$20.00": True, "Sold out": False}),
        ("price price--sold-out", {"$30.00": True, "$20.00": False, "Sold out": True}),
    ],
)
def test_only_the_current_state_of_a_product(state: str, told: dict[str, bool]) -> None:
    text = shop(state)
    assert {words: words in text for words in told} == told


def test_where_no_class_tells_the_state_nothing_is_left_out_for_it() -> None:
    text = shop("cost")
    assert "$30.00" in text
    assert "Sold out" in text


def test_the_term_of_a_description_that_is_kept_is_kept() -> None:
    pairs = "".join(f"<dt>Part {at}:</dt><dd>{KETTLE}</dd>" for at in range(4))
    text = wellread.extract(f"<main><h1>Kettles</h1><p>{KETTLE * 3}</p><dl>{pairs}</dl></main>").text
    assert all(f"Part {at}:" in text for at in range(4))
