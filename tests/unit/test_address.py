"""The address of a page counts for its kind, with what stands on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread import extract
from wellread.extraction.learned_selector import UrlEvidence, url_clues

if TYPE_CHECKING:
    from wellread.types import PageType

NAMES = ("Copper", "Enamel", "Steel", "Glass", "Travel", "Whistling", "Cast-iron", "Electric", "Camping")


def shop() -> str:
    cards = "".join(
        f"<li class=card><a href='/k/{name}'><h3>{name} kettle</h3></a>"
        f"<p>Boils a litre before the whistle is heard.</p>"
        f"<span class=price>${20 + at}.00</span></li>"
        for at, name in enumerate(NAMES)
    )
    return f"<html><head><title>Kettles</title></head><body><main><h1>Kettles</h1><ul>{cards}</ul></main></body></html>"


@pytest.mark.parametrize(
    ("url", "kinds"),
    [
        (None, {"listing"}),
        ("https://hearth.example/collections/kettles", {"collection"}),
        ("https://docs.hearth.example/en/docs/guide/kettles.html", {"documentation"}),
        ("https://hearth.example/blog/2024/05/kettles", {"listing", "collection"}),
    ],
)
def test_address_decides_only_between_possible_page_types(url: str | None, kinds: set[PageType]) -> None:
    assert extract(shop(), url=url).page_type in kinds


def test_address_does_not_change_a_certain_page_type() -> None:
    weights = np.array([[9.0, -9.0], [9.0, -9.0]], np.float16)
    told = UrlEvidence(["in forum", "deep 2"], weights).evidence("https://hearth.example/forum/5")
    assert told.tolist() == pytest.approx([0, -3])


@pytest.mark.parametrize("url", [None, "http://[::1", "javascript:alert(1)", f"https://e.example/{'a' * 5_000}"])
def test_what_is_no_address_says_nothing(url: str | None) -> None:
    assert not list(url_clues(url))


@given(st.text(max_size=300))
def test_no_address_gives_more_clues_than_are_looked_at(path: str) -> None:
    assert len(list(url_clues(f"https://a.b.c.d.e.f.g.h.i.j.k.example/{path}"))) <= 40


def test_the_name_of_a_site_is_no_clue() -> None:
    told = set(url_clues("https://forum.hearth.example/t/5?page=2"))
    assert told == {"deep 2", "host forum", "query", "in t", "hyphens 0", "unnumbered"}
