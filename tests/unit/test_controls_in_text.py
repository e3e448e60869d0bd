"""Buttons of a text and headings of what stands beside it are no part of it."""

from __future__ import annotations

import pytest

import wellread

PROSE = (
    "<p>The old pump house stands at the end of a lane that nobody has paved since the war, and people meet there.</p>"
    "<p>In the first year they replaced the roof, in the second the windows, and only then opened the valve "
    "chamber.</p>"
)
HERE = "https://fenn.example/potatoes"


def recipe(buttons: str) -> str:
    page = (
        f"<html><head><title>Dill potatoes - Fenn</title></head><body><main><article><h1>Dill potatoes</h1>{PROSE}<div "
        f"class=recipe><h2>Dill potatoes</h2><div>4.8 from 21 votes</div>{buttons}<div>Servings "
        "4</div><h3>Ingredients</h3><ul>"
        "<li>800 g new potatoes</li><li>\u00bd cup dill</li></ul><h3>Instructions</h3><ol><li>Boil the potatoes in "
        "salted water "
        f"for twenty minutes.</li><li>Toss with butter and dill.</li></ol></div>{PROSE}</article></main></body></html>"
    )
    return wellread.extract(page, url=HERE).text


PIN = f"https://www.pinterest.com/pin/create/bookmarklet/?url={HERE}&media=a.jpg"
SHARER = "https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Ffenn.example%2Fpotatoes"
ELSEWHERE = "https://share.example/post?link=https%3A%2F%2Ffenn.example%2Fpotatoes"
BUTTONS = {
    "<a class=x-print>Print Recipe</a><a>Pin Recipe</a>": "Print Recipe|Pin Recipe",
    f"<a href=/wprm_print/77 rel=nofollow>Print Recipe</a> <a href='{PIN}'>Pin Recipe</a>": "Print Recipe|Pin Recipe",
    "<div><a href='javascript:window.print()'>Rezept drucken</a></div>": "Rezept drucken",
    "<div><a href='#' onclick='save()'>Merken</a></div>": "Merken",
    f"<div class=tools><a href='#'>Imprimer</a> <a href='{SHARER}'>Partager</a></div>": "Imprimer|Partager",
    "<div role=button tabindex=0>Stampa la ricetta</div><span role=button>Salva</span>": "Stampa la ricetta|Salva",
    "<div><span>1x</span> <span>2x</span> <span>3x</span></div>": "1x|2x|3x",
    f"<a href='mailto:?subject=Dill&body={HERE}'>Email to a friend</a>": "Email to",
    f"<a href='{ELSEWHERE}'>\u5171\u6709</a>": "\u5171\u6709",
}


@pytest.mark.parametrize(("buttons", "words"), BUTTONS.items())
def test_buttons_of_recipe(buttons: str, words: str) -> None:
    text = recipe(buttons)
    for word in words.split("|"):
        assert word not in text
    assert "4.8 from 21 votes" in text
    assert "Servings 4" in text
    assert "- 800 g new potatoes" in text
    assert "2. Toss with butter and dill." in text


@pytest.mark.parametrize(
    "line",
    [
        "<h3><a name=printing>Print the label</a></h3>",
        "<p>Print the label.</p>",
        "<p><a>Print</a> was his first word for it.</p>",
        "<p><a href='/print-shops'>Print shops of the valley</a></p>",
        "<p>The stage gives a gain of <b>3x</b>.</p>",
    ],
)
def test_text_that_looks_like_buttons(line: str) -> None:
    words = {"name=printing": "Print the label", "label.": "Print the label.", "first": "was his first word"}
    text = recipe(f"<h3>Labels</h3>{PROSE}{line}{PROSE}")
    wanted = next((said for mark, said in words.items() if mark in line), "3x" if "3x" in line else "Print shops")
    assert wanted in text


SIDE = (
    "<h2>{}</h2><p>A shop for rope and tar.</p><ul><li><a href=/a>Opening hours</a></li><li><a href=/b>How to find "
    "us</a></li></ul>"
)
ARTICLE = f"<h1>The ten best moorings</h1>{PROSE}<h2>The north shore</h2>{PROSE}"


@pytest.mark.parametrize("level", ["h1", "h2", "h3"])
@pytest.mark.parametrize(
    "beside", ["<div class=side>{}</div>", "<div class=left-col><div class=box>{}</div></div>", "<aside>{}</aside>"]
)
def test_heading_of_side_bar_before_text(level: str, beside: str) -> None:
    side = beside.format(SIDE.format("Harbour chandlery").replace("h2", level))
    found = wellread.extract(f"<title>The ten best moorings</title>{side}<div class=content>{ARTICLE}</div>")
    assert found.title == "The ten best moorings"
    assert found.text.startswith("# The ten best moorings")
    assert "chandlery" not in found.text


def test_heading_of_side_bar_where_the_title_is_no_heading() -> None:
    side = f"<div class=side>{SIDE.format('Harbour chandlery').replace('h2', 'h1')}</div>"
    body = f"<div class=content><p class=headline>The ten best moorings</p>{PROSE}{PROSE}</div>"
    found = wellread.extract(
        f"<html><head><title>The ten best moorings | Harbour chandlery</title></head><body>{side}{body}</body></html>"
    )
    assert "# Harbour chandlery" not in found.text


def test_heading_above_text_that_is_read() -> None:
    page = (
        "<html><head><title>Quay</title></head><body><div class=hero><h1>Rope, tar and good advice</h1><p>We have "
        "sold rope on "
        "the quay since 1902, to fishers and to people who only want to hang up a swing.</p></div><div class=content>"
        f"{PROSE}</div></body></html>"
    )
    assert wellread.extract(page).text.startswith("# Rope, tar and good advice")


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        ("<table class='d-none d-md-table'>{rows}</table>", "<div class=d-md-none>{cards}</div>"),
        ("<table class='hidden md:table'>{rows}</table>", "<div class='md:hidden'>{cards}</div>"),
        ("<table class=desktop-only>{rows}</table>", "<ul class=mobile-only>{items}</ul>"),
        ("<table class=hidden-xs>{rows}</table>", "<div class=visible-xs>{cards}</div>"),
    ],
)
def test_twins_for_narrow_and_wide_windows(wide: str, narrow: str) -> None:
    fares = (("Single ride", "2.40"), ("Day pass", "6.10"), ("Week", "21.00"))
    parts = {
        "rows": "<tr><th>Ticket</th><th>Price</th></tr>"
        + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in fares),
        "cards": "".join(f"<div class=fare><b>{a}</b> <span>{b}</span></div>" for a, b in fares),
        "items": "".join(f"<li>{a}: {b}</li>" for a, b in fares),
    }
    for first, second in ((wide, narrow), (narrow, wide)):
        page = (
            "<title>Fares</title><main><h1>Fares of the hill "
            f"tram</h1>{PROSE}{first.format(**parts)}{second.format(**parts)}"
            f"{PROSE.replace('old', 'new')}</main>"
        )
        text = wellread.extract(page).text
        assert text.count("Day pass") == 1
        assert "| Day pass | 6.10 |" in text


def test_twins_of_headings_and_lines() -> None:
    line = "The tram takes two hours to the island when the tide is out, and three when it is in"
    page = (
        "<title>Fares of the tram</title><main><h1 class='hidden lg:block'>Fares of the tram</h1><h1 "
        "class='lg:hidden'>Fares of the tram</h1>"
        f"{PROSE}<p class=show-for-large>{line}, as every child knows.</p><p class=hide-for-large>{line}.</p>"
        f"{PROSE.replace('old', 'new')}</main>"
    )
    text = wellread.extract(page).text
    assert text.count("Fares of the tram") == 1
    assert text.count(f"{line}, as every child knows.") == 1


def test_what_is_said_twice_on_purpose() -> None:
    verse = "<p class=chorus>Row, row, row the boat<br>gently down the stream</p>"
    page = f"<title>Song</title><main><h1>Song</h1>{PROSE}{verse}{verse}<p>Merrily we go home on the river.</p></main>"
    assert wellread.extract(page).text.count("gently down the stream") == 2
