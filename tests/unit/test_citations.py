"""Titles are set apart from the references they stand in; pictures made of words are no words."""

from __future__ import annotations

import pytest

import wellread
from pages import pump_article


def markdown(words: str) -> str:
    return wellread.extract(pump_article(f"<p>Of oak, {words} is said.")).text


@pytest.mark.parametrize(
    ("cited", "told"),
    [
        (
            "<cite class='citation book'>Moore (1901). <i>On Water</i>. London.</cite>",
            "Moore (1901). *On Water*. London.",
        ),
        (
            "<cite>Moore, who wrote on water, on wine and on milk</cite>",
            "Moore, who wrote on water, on wine and on milk",
        ),
        ("<cite>On Water</cite>", "*On Water*"),
        ("<cite><a href=https://d.example/w>On Water</a></cite>", "[*On Water*](https://d.example/w)"),
        ("<cite></cite>it", "it"),
    ],
)
def test_a_title_is_in_italics_and_a_whole_reference_is_not(cited: str, told: str) -> None:
    assert f"Of oak, {told} is said." in markdown(cited)


@pytest.mark.parametrize(
    "icon",
    [
        "<i class=material-icons>home</i>",
        '<i class="material-icons md-18">home</i>',
        "<span class=material-icons-outlined>home</span>",
        "<span class='icon material-symbols-rounded'>arrow_forward</span>",
        "<i class='fa fa-home'></i>",
    ],
)
def test_the_name_of_an_icon_is_not_told(icon: str) -> None:
    assert "Of oak, this is said." in markdown(f"{icon} this")


def test_what_is_said_of_icons_is_told() -> None:
    assert "Of oak, iron is said." in markdown("<span class='material-icons-guide immaterial-icons'>iron</span>")
