"""Prices of which a part stands raised are read as they are read aloud."""

from __future__ import annotations

import pytest

import wellread

PROSE = "<p>" + "The lamp was made in a small workshop by the sea, and it lights a table of six without any glare. " * 4
URL = "https://shop.example/lamps/sea"


def _read(price: str, format: wellread.Format = "text") -> str:
    page = f"<title>Sea lamp</title><main><article><h1>Sea lamp</h1>{PROSE}<p>{price}</p>{PROSE}</article></main>"
    return wellread.extract(page, url=URL, format=format).text


@pytest.mark.parametrize(
    ("price", "text"),
    [
        ("<span>$1,549</span><sup class=cents>00</sup>", "$1,549.00"),
        ("Now only <b>\u00a349<sup>95</sup></b>", "Now only \u00a349.95"),
        ("<sup>$</sup>1,946<sup>.95</sup>", "$1,946.95"),
        ("<span>24</span><sup>,90</sup> \u20ac", "24,90 \u20ac"),
        ("129<sup>99 \u20ac</sup>", "129,99 \u20ac"),
        ("129<sup>99</sup> \u20ac", "129,99 \u20ac"),
        ("\u20ac 1.299<sup>00</sup>", "\u20ac 1.299,00"),
    ],
)
def test_raised_part_of_price(price: str, text: str) -> None:
    assert f"\n{text}\n" in _read(price)


def test_raised_part_of_price_in_markdown() -> None:
    assert "<sup>" not in _read("$549<sup>00</sup>", "markdown")


@pytest.mark.parametrize(
    "line",
    [
        "There are 10<sup>12</sup> of them in a jug of the water.",
        "It is 40 m<sup>2</sup> large.",
        "It cost $20<sup>3</sup> then.",
        "It cost $20<sup><a href='/notes/12'>12</a></sup> then.",
        "By the ledger of the harbour the first of these was sold to the pilot for $20<sup>12</sup> in spring.",
    ],
)
def test_exponent_and_note_stay_raised(line: str) -> None:
    assert "<sup>" in _read(line, "markdown")
