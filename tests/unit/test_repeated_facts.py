"""What a page says of several things is said of each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import wellread

if TYPE_CHECKING:
    from collections.abc import Callable

_TALKS = (
    ("Clean Sails", "Sailing school in Lisbon, Portugal, Europe"),
    ("Harbour Days", "Sailing school in Bergen, Norway, Europe"),
    ("Ropes for Two", "Sailing school in Lisbon, Portugal, Europe"),
    ("The Long Tack", "Sailing school in Galway, Ireland, Europe"),
    ("Night Watch", "Sailing school in Bergen, Norway, Europe"),
    ("Knots and Bends", "Sailing school in Lisbon, Portugal, Europe"),
    ("Storm Weekend", "Sailing school in Galway, Ireland, Europe"),
    ("First Crossing", "Sailing school in Bergen, Norway, Europe"),
)


def _in_headings(name: str, place: str) -> str:
    return f"<div class=row><div class=event><h2><a href='/c/{name[:3]}'>{name}</a></h2><h3>{place}</h3></div></div>"


def _in_paragraphs(name: str, place: str) -> str:
    return (
        f"<li class=entry><article><h3><a href='/e/{name[:3]}'>{name}</a></h3><p class=where>{place}</p></article></li>"
    )


@pytest.mark.parametrize(("card", "box"), [(_in_headings, "div"), (_in_paragraphs, "ul")])
def test_fact_that_several_entries_share(card: Callable[[str, str], str], box: str) -> None:
    cards = "".join(card(name, place) for name, place in _TALKS)
    page = (
        f"<title>Sailing schools in Europe</title><main><h1>Sailing schools in Europe</h1><{box}>{cards}</{box}></main>"
    )
    text = wellread.extract(page, url="https://sails.example/schools").text
    places = [line for line in text.split("\n") if "Sailing school in" in line]
    assert len(places) == len(_TALKS)


def _listed(fields: dict[str, str]) -> str:
    return "<ul>" + "".join(f"<li><strong>{name}:</strong> {text}</li>" for name, text in fields.items()) + "</ul>"


def _in_rows(fields: dict[str, str]) -> str:
    rows = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in fields.items())
    return f"<dl>{rows}</dl>"


@pytest.mark.parametrize("written", [_listed, _in_rows])
def test_item_that_two_lists_share(written: Callable[[dict[str, str]], str]) -> None:
    shared = "A dry cellar with a floor of stone and one window to the north"
    first, second = (
        {"Place": shared, "Wood": f"{wood} that was cut in the winter before", "Days": f"{days} days of steady work"}
        for wood, days in (("Oak", 12), ("Larch", 30))
    )
    prose = "<p>A boat is built where it is dry and cool, and where nobody asks every day when it will be done. " * 3
    page = (
        f"<title>Building a boat</title><main><h1>Building a boat</h1>{prose}<p>For a small boat:</p>{written(first)}"
        f"<p>For a large boat:</p>{written(second)}{prose}</main>"
    )
    assert wellread.extract(page, url="https://boats.example/docs/build").text.count(shared) == 2


def test_facts_of_list_that_stands_twice_are_said_once() -> None:
    cards = "".join(_in_paragraphs(f"{name}, a weekend for all who sail", place) for name, place in _TALKS)
    again = f"<ul class=wide>{cards}</ul><ul class=narrow>{cards}</ul>"
    page = f"<title>Sailing schools</title><main><h1>Sailing schools</h1>{again}</main>"
    text = wellread.extract(page, url="https://sails.example/schools").text
    assert text.count("Sailing school in") == len(_TALKS)
