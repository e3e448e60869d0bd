"""Entries of lists: each with its title, its price and the fields that most have; without buttons of each entry."""

from __future__ import annotations

import pytest

import wellread

_INTRO = (
    "<p>Our collection of goods is made by hand in small workshops, and each piece is checked before it is sent. "
    "Choose among the pieces below; all of them come with a warranty of two years and can be returned.</p>"
)
_NAMES = (
    "Oak desk lamp", "Walnut book stand", "Copper tea kettle", "Linen apron", "Beech cutting board", "Glass carafe",
    "Wool throw", "Brass candle holder", "Ceramic mug", "Cherry salad bowl",
)  # fmt: skip


def _listing(cards: list[str], *, box: str = "ul") -> str:
    body = f"<h1>Handmade goods</h1>{_INTRO}<{box} class='products'>{''.join(cards)}</{box}>"
    return f"<html lang=en><title>Handmade goods</title><body><main>{body}</main></body></html>"


def _read(page: str, url: str = "https://shop.example/goods") -> str:
    return wellread.extract(page.encode(), url=url).text


@pytest.mark.parametrize(
    "price",
    ["{}9,50 \u20ac", "USD {}9.50", "\u043b\u0432{}9,50", "{}950\u5186", "\u20b1{}9.50", "{}9,50 K\u010d", "Rs. {}95"],
)
def test_prices_of_list_in_many_currencies(price: str) -> None:
    cards = [
        f"<li class='product post-{at} {'sale' if at % 3 else 'instock'} cat-{at % 4}'><a href='/goods/{at}'>"
        f"<h3>{name}</h3></a><div class='amount'>{price.format(at + 1)}</div></li>"
        for at, name in enumerate(_NAMES)
    ]
    text = _read(_listing(cards))
    assert [name for name in _NAMES if name not in text] == []
    assert [at for at in range(len(_NAMES)) if price.format(at + 1) not in text] == []


@pytest.mark.parametrize("discount", ["(26% off)", "-26 %", "26% Rabatt"])
def test_price_beside_a_discount_in_linked_card(discount: str) -> None:
    cards = [
        f"<li><a href='/listing/{at}'><div class='card'><h2>{name}</h2><p>Workshop {at}</p>"
        f"<div class='amounts'><p>USD {at + 5}.25</p><p>{discount}</p></div></div></a></li>"
        for at, name in enumerate(_NAMES)
    ]
    text = _read(_listing(cards))
    assert [at for at in range(len(_NAMES)) if f"USD {at + 5}.25" not in text] == []


@pytest.mark.parametrize(("tag", "box"), [("article", "div"), ("li", "ol")])
def test_dates_of_entries_are_kept_alike(tag: str, box: str) -> None:
    days = [f"November {at + 3}, 2025" for at in range(len(_NAMES))]
    cards = [
        f"<{tag} class='entry'><h2><a href='/news/{at}'>{name} wins a prize for its makers</a></h2>"
        f"<div class='when'>{day}</div><p>The makers of the {name.lower()} were honoured in the town hall, where "
        f"many guests came to see what they had made in the past year.</p></{tag}>"
        for at, (name, day) in enumerate(zip(_NAMES, days, strict=True))
    ]
    text = _read(_listing(cards, box=box), "https://shop.example/news")
    assert sum(day in text for day in days) in {0, len(days)}


@pytest.mark.parametrize("label", ["Quick view", "Comparer", "Merken", "\u6bd4\u8f03"])
def test_button_of_each_entry_is_left_out(label: str) -> None:
    cards = [
        f"<li><h3><a href='/goods/{at}'>{name}</a></h3><p>Made of the best that the woods and fields of the region "
        f"give, by people who know their craft.</p><div><a href='/quick?id={at}'>{label}</a></div></li>"
        for at, name in enumerate(_NAMES)
    ]
    text = _read(_listing(cards))
    assert label not in text
    assert all(name in text for name in _NAMES)


@pytest.mark.parametrize("target", ["/files/{}.pdf", "https://maker-{}.example/"])
def test_repeated_label_of_files_and_sites_stays(target: str) -> None:
    cards = [
        f"<li><h3>{name}</h3><p>Made of the best that the woods and fields of the region give, by people who know "
        f"their craft.</p><div><a href='{target.format(at)}'>Details</a></div></li>"
        for at, name in enumerate(_NAMES)
    ]
    assert target.format(3).removeprefix("/") in _read(_listing(cards))


def test_badge_in_card_that_is_one_link() -> None:
    cards = [
        f"<li><a href='/jobs/{at}'><h3>Carpenter for {name.lower()}</h3><p>Workshop {at} in Leeds</p>"
        f"<div>Full-time</div></a></li>"
        for at, name in enumerate(_NAMES)
    ]
    text = _read(_listing(cards))
    assert all(f"Carpenter for {name.lower()}" in text for name in _NAMES)
