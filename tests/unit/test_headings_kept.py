"""Headings and names that stay with what they belong to."""

from __future__ import annotations

import pytest

import wellread
from pages import KETTLE


def test_heading_in_a_header_of_a_small_page() -> None:
    cards = "".join(f"<li><h3>Lamp {at}</h3><p>{KETTLE}</p></li>" for at in range(6))
    page = f"<title>Lights \u2013 Shop</title><body><header><h1>Lights</h1></header><main><ul>{cards}</ul></main>"
    assert wellread.extract(page).text.startswith("# Lights\n")


def test_header_without_the_name_of_the_page() -> None:
    page = f"<title>Lights \u2013 Shop</title><body><header><h1>Shop</h1></header><main><p>{KETTLE * 3}</p></main>"
    assert "Shop" not in wellread.extract(page).text


def test_name_of_the_link_over_a_card() -> None:
    cards = "".join(
        f"<div class=card><div><a href=/p/{at}>+</a></div><div><a href=/p/{at}>Carry-on case {at}</a></div>"
        f"<p>{KETTLE}</p></div>"
        for at in range(4)
    )
    text = wellread.extract(f"<main><h1>Cases</h1>{cards}</main>", url="https://shop.example/cases").text
    assert "[Carry-on case 1](https://shop.example/p/1)" in text
    assert "[+]" not in text
    assert "[\\+]" not in text


@pytest.mark.parametrize("heading", ["Archives", "Related", "Comments", "Search", "Subscribe", "Archiv"])
def test_section_called_as_boxes_beside_texts_are(heading: str) -> None:
    text = "The keeper wrote down each {} in a book, and the books of forty years lie dry in the cellar of the tower."
    sections = "".join(
        f"<h2>{name}</h2><p>{text.format(thing)}</p><p>{text.format(thing + 's')} Visitors may see them.</p>"
        for name, thing in (("History", "storm"), (heading, "letter"), ("Visits", "guest"))
    )
    article = f"<article><h1>The tower</h1><p>{text.format('tide')}</p>{sections}</article>"
    page = wellread.extract(f"<title>The tower</title><main>{article}</main>")
    headings = [line for line in page.text.splitlines() if line.startswith("## ")]
    assert headings == ["## History", f"## {heading}", "## Visits"]


def _service(tail: str) -> str:
    about = "We mend kettles of every make in our workshop by the harbour, and bring them back within a week. "
    steps = "".join(f"<h2>{name}</h2><p>{about * 2}</p>" for name in ("How it works", "What it costs", "Where we are"))
    return f"<title>Kettle repairs</title><main><h1>Kettle repairs</h1><p>{about * 2}</p>{steps}{tail}</main>"


@pytest.mark.parametrize(
    "tail",
    [
        "<section class=cta><h2>Get your free quote today!</h2><form><input><button>Send</button></form></section>",
        "<div><h3>Read more on our blog</h3><ul><li><a href=/b/1>Tea</a><li><a href=/b/2>Tin</a></ul></div>",
    ],
)
def test_heading_at_the_end_that_heads_nothing_kept(tail: str) -> None:
    text = wellread.extract(_service(tail), url="https://kettles.example/services/repairs").text
    assert "## Where we are" in text
    assert not text.rstrip().split("\n")[-1].startswith("#")


def test_heading_at_the_end_above_a_film_stays() -> None:
    film = (
        '<h2>See us at work</h2><iframe src="https://www.youtube.com/embed/abcdefghijk" width=640 height=360></iframe>'
    )
    text = wellread.extract(_service(film), url="https://kettles.example/services/repairs").text
    if "[Video" in text:
        assert "See us at work" in text


@pytest.mark.parametrize(
    "sign",
    [
        "<div class=blurb-picture><span class='wrap'><span class='theme-icon'>Z</span></span></div>",
        "<div class='user-avatar'><a href=/u/zoe>Z</a></div>",
    ],
)
def test_letter_that_is_an_icon_is_no_text(sign: str) -> None:
    about = "We mend kettles of every make in our workshop by the harbour, and bring them back within a week. "
    parts = "".join(
        f"<section>{sign}<h2>{name}</h2><p>{about * 3}</p></section>" for name in ("Tea", "Tin", "Vitamin C")
    )
    page = f"<title>Kettles</title><main><h1>Kettles</h1><p>{about * 3}</p>{parts}</main>"
    lines = wellread.extract(page, url="https://kettles.example/services").text.split("\n")
    assert "Z" not in lines
    assert "## Vitamin C" in lines


@pytest.mark.parametrize(
    "row",
    [
        "<div class=row><div class=sub>{}:</div><div class=sum><a href=/x/{}>{}</a></div></div>",
        "<div><p><b>{}:</b></p><p class='note'><a href='/x/{}'>{}</a></p></div>",
    ],
)
def test_label_that_is_kept_has_its_value(row: str) -> None:
    about = "The game sends you to an island where everything wants you gone: the wolves, the cold and the others. "
    facts = {"Developer": "Quayside Works", "Publisher": "Quayside Works", "Engine": "Tide 4"}
    rows = "".join(row.format(name, name, text) for name, text in facts.items())
    page = f"<title>Island</title><main><h1>Island</h1><p>{about * 4}</p>{rows}<p>{about * 4}</p></main>"
    lines = wellread.extract(page, url="https://games.example/app/island").text.split("\n")
    labels = [name for name in facts if any(name in line for line in lines)]
    assert all(any(facts[name] in line for line in lines) for name in labels)
