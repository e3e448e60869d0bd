"""Cards whose link stands on a button or a badge: their titles carry it."""

from __future__ import annotations

import pytest

from wellread import Page, extract

NAMES = ("Garden bench", "Hanging lamp", "Folding stool", "Copper kettle", "Bread board", "Rain barrel")


def shop(cards: str) -> Page:
    return extract(
        "<html><head><title>All goods - Hill store</title></head><body><header><nav><a "
        "href=/new>New</a></nav></header><main>"
        f"<h1>All goods</h1><div class=grid>{cards}</div></main></body></html>",
        url="https://store.example/all",
    )


def button_below(at: int, name: str) -> str:
    about = f"<h3>{name}</h3><p>Made by hand.</p><span>{at + 2}.00 EUR</span>"
    return f"<div class=card>{about}<a class=btn href=/g/{at}>Buy</a></div>"


def button_above(at: int, name: str) -> str:
    about = f"<h3>{name}</h3><div class=price>{at + 2},00 \u20ac</div>"
    return f"<div class=card><h4><a href=/g/{at}>Zum Artikel</a></h4>{about}</div>"


def badge(at: int, name: str) -> str:
    return (
        f"<li class=item><div class=media><a href=/g/{at}><span class=badge>-{10 + at} %</span></a></div><div "
        f"class=name>{name}"
        f"</div><div class=price>\u20ac{at + 20}.00</div></li>"
    )


def picture(at: int, name: str) -> str:
    return (
        f"<div class=tile><a href=/g/{at}><img src=/{at}.jpg alt=''></a><h3>{name}</h3><div "
        f"class=price>\u20ac{at + 20}.00</div>"
        f"<p>Sent within {at + 2} days from the hill.</p></div>"
    )


@pytest.mark.parametrize("card", [button_below, button_above, badge, picture])
def test_title_carries_link_of_card(card: object) -> None:
    assert callable(card)
    page = shop("".join(card(at, name) for at, name in enumerate(NAMES)))
    for at, name in enumerate(NAMES):
        assert f"[{name}](https://store.example/g/{at})" in page.text
    assert "Zum Artikel" not in page.text
    assert f"https://store.example/g/{len(NAMES) - 1}" in page.links


def test_cards_of_text_with_read_more() -> None:
    cards = "".join(
        f"<div class=teaser><h2>{name} in the yard</h2><p>It stood there for {at + 3} years before anyone asked "
        "whose it was, "
        f"and then three people came on one day.</p><a href=/s/{at}>Lire la suite</a></div>"
        for at, name in enumerate(NAMES)
    )
    page = extract(f"<title>Stories</title><main><h1>Stories</h1>{cards}</main>", url="https://store.example/stories")
    for at, name in enumerate(NAMES):
        assert f"[{name} in the yard](https://store.example/s/{at})" in page.text


def test_card_with_two_links_keeps_both() -> None:
    cards = "".join(
        f"<div class=card><h3>{name}</h3><p>Made by hand, sent within a week.</p><a href=/g/{at}>Details</a> "
        f"<a href=/cart/{at}>Manual</a></div>"
        for at, name in enumerate(NAMES)
    )
    page = shop(cards)
    assert "[Garden bench]" not in page.text


def test_card_with_title_that_has_a_link_keeps_it() -> None:
    cards = "".join(
        f"<div class=card><h3><a href=/n/{at}>{name}</a></h3><p>Made by hand.</p><b>{at + 2}.00 EUR</b><a "
        f"href=/g/{at}>Buy</a></div>"
        for at, name in enumerate(NAMES)
    )
    page = shop(cards)
    for at, name in enumerate(NAMES):
        assert f"[{name}](https://store.example/n/{at})" in page.text


def test_sections_of_prose_with_one_link_each_keep_their_headings() -> None:
    sections = "".join(
        f"<section><h2>{name}</h2><p>The old pump house stands at the end of a lane that nobody has paved, as "
        f"<a href=/source/{at}>the archive of {name} says</a>, and people meet there every second Saturday at "
        "noon.</p></section>"
        for at, name in enumerate(NAMES)
    )
    page = extract(
        f"<title>A tour</title><main><article><h1>A tour</h1>{sections}</article></main>", url="https://store.example/t"
    )
    assert "## Garden bench" in page.text
    assert f"[the archive of {NAMES[0]} says](https://store.example/source/0)" in page.text
