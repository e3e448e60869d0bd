"""What a product can be chosen in is a line for each choice; filters, countries and counts are none."""

from __future__ import annotations

import pytest

from wellread import extract

DESCRIPTION = (
    "Knitted in one piece from undyed wool of two farms on the coast, with a double collar that keeps the wind out and "
    "sleeves that are long enough to be turned back twice."
)
DATA = (
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Quay jumper",'
    '"offers":{"@type":"Offer","price":"89.00","priceCurrency":"EUR"}}</script>'
)


def page(choice: str, *, data: str = DATA, before: str = "", after: str = "") -> str:
    return (
        f"<html lang=en><head><title>Quay jumper</title>{data}</head><body><header><a "
        f"href='/'>Shop</a></header>{before}<main>"
        f"<div class=info><h1>Quay jumper</h1><div class=price>€89,00</div>{choice}<button>Add to cart</button>"
        f"<div class=text><p>{DESCRIPTION}</p></div></div></main>{after}<footer>Terms</footer></body></html>"
    )


def read(html: str) -> str:
    return extract(html, url="https://moor.example/p/quay").text


SIZES = "Size: S, M (chosen), XL (sold out)"
CHOICES = {
    "select": (
        (
            "<label for=s>Size</label><select id=s name=size><option value=''>Choose an "
            "option</option><option>S</option>"
            "<option selected>M</option><option disabled>XL</option></select>"
        ),
        SIZES,
    ),
    "table of a shop system": (
        (
            "<table class=variations><tr><td class=label><label for=pa_size>Size</label></td><td "
            "class=value><select id=pa_size "
            "name=attribute_pa_size data-attribute_name=attribute_pa_size><option value=''>Choose an option</option>"
            "<option value=s>S</option><option value=m selected>M</option><option value=xl "
            "class='out-of-stock'>XL</option>"
            "</select></td></tr></table>"
        ),
        SIZES,
    ),
    "radio buttons": (
        (
            "<fieldset><legend>Size</legend><input type=radio id=a name=Size value=S><label "
            "for=a>S</label><input type=radio id=b "
            "name=Size value=M checked><label for=b>M</label><input type=radio id=c name=Size value=XL class=disabled>"
            "<label for=c>XL<span class=visually-hidden>Variant sold out or unavailable</span></label></fieldset>"
        ),
        SIZES,
    ),
    "radio buttons in labels": (
        (
            "<div role=radiogroup aria-label=Size><label><input type=radio name=opt1 "
            "value=1>S</label><label><input type=radio "
            "name=opt1 value=2 checked>M</label><label><input type=radio name=opt1 value=3 disabled>XL</label></div>"
        ),
        SIZES,
    ),
    "legend with the value": (
        (
            "<fieldset><legend>Size: <span>M</span></legend><label><input type=radio name=x "
            "value=S>S</label><label><input "
            "type=radio name=x value=M checked>M</label><label class='sold-out'><input type=radio name=x "
            "value=XL>XL</label>"
            "</fieldset>"
        ),
        SIZES,
    ),
    "swatches": (
        (
            "<div class=row><span class=lbl>Size</span><ul class=swatches><li data-value=S title=S "
            "class=swatch></li><li "
            "data-value=M title=M class='swatch selected'></li><li data-value=XL title=XL class='swatch "
            "disabled'></li></ul></div>"
        ),
        SIZES,
    ),
    "buttons": (
        (
            "<div><p>Size</p><div role=group aria-label=Size><button aria-pressed=false>S</button><button "
            "aria-pressed=true>M"
            "</button><button aria-pressed=false disabled>XL</button></div></div>"
        ),
        SIZES,
    ),
    "listbox": (
        (
            "<h3>Size</h3><ul role=listbox><li role=option aria-selected=false>S</li><li role=option "
            "aria-selected=true>M</li>"
            "<li role=option aria-disabled=true>XL</li></ul>"
        ),
        SIZES,
    ),
    "pictures of colours": (
        (
            "<fieldset><legend>Farbe</legend><label><input type=radio name=c value=11 checked><img src=/n.jpg "
            "alt=Marine></label>"
            "<label><input type=radio name=c value=12><img src=/o.jpg alt=Hafer></label></fieldset>"
        ),
        "Farbe: Marine (chosen), Hafer",
    ),
    "japanese": (
        "<p>サイズ</p><select name=size><option>S</option><option selected>M</option></select>",
        "サイズ: S, M (chosen)",
    ),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choice_of_a_product(name: str) -> None:
    markup, line = CHOICES[name]
    text = read(page(markup))
    assert line in text.split("\n")
    assert text.index("Quay jumper") < text.index(line) < text.index(DESCRIPTION[:30])
    assert "Choose an option" not in text


def test_two_choices_in_order() -> None:
    text = read(page(CHOICES["select"][0] + CHOICES["pictures of colours"][0]))
    assert text.index(SIZES) < text.index("Farbe: Marine (chosen), Hafer")


def test_choice_written_for_two_windows() -> None:
    assert read(page(CHOICES["radio buttons"][0] * 2)).count("XL") == 1


def test_select_of_all_combinations() -> None:
    both = "<select name=id><option>S / Marine</option><option>S / Hafer</option><option>M / Marine</option></select>"
    text = read(
        page(
            CHOICES["select"][0].replace("<option disabled>XL</option>", "") + CHOICES["pictures of colours"][0] + both
        )
    )
    assert "S / Marine" not in text


def test_long_choice_is_counted() -> None:
    options = "".join(f"<option>Shade {number}</option>" for number in range(80))
    text = read(page(f"<label>Shade <select name=shade>{options}</select></label>"))
    assert "Shade 29 and 50 more" in text
    assert "Shade 31" not in text


OTHER = {
    "sorting": "<label for=o>Sort by</label><select id=o "
    "name=sort><option>Newest</option><option>Price</option></select>",
    "country": "<select name=country><option>Denmark</option><option>Norway</option></select>",
    "quantity": "<label>Number<select name=n><option>1</option><option>2</option><option>3</option></select></label>",
    "rating": "<div class=stars><input type=radio name=rating value=1 aria-label='1 star'><input type=radio "
    "name=rating "
    "value=2 aria-label='2 stars'></div>",
    "single": "<label>Size<select name=size><option>One size</option></select></label>",
}


@pytest.mark.parametrize("name", OTHER)
def test_field_that_chooses_nothing(name: str) -> None:
    told = read(page(OTHER[name]))
    for word in ("Newest", "Denmark", "1, 2", "1 star", "One size"):
        assert word not in told


def test_choice_in_the_header() -> None:
    before = "<header><select name=store><option>Bergen</option><option>Oslo</option></select></header>"
    assert "Bergen" not in read(page("", before=before))


def test_filters_of_a_collection() -> None:
    cards = "".join(
        f"<li><a href='/p/{number}'><h3>Jumper {number}</h3></a><p>€{number}9,00</p><p>Knitted by hand on the "
        f"coast.</p></li>"
        for number in range(1, 9)
    )
    html = (
        "<html><head><title>Jumpers</title></head><body><main><h1>Jumpers</h1>"
        f"<form>{CHOICES['radio buttons'][0]}</form>"
        f"<ul>{cards}</ul></main></body></html>"
    )
    assert "XL" not in read(html)


def test_choice_on_the_page_of_an_article() -> None:
    html = (
        f"<html><head><title>Wool</title></head><body><article><h1>Wool</h1><p>{DESCRIPTION}</p>{CHOICES['select'][0]}"
        f"<p>{DESCRIPTION[::-1]}</p></article></body></html>"
    )
    assert "chosen" not in read(html)


@pytest.mark.parametrize(
    "name", ["Product image {} of 4", "Bild {}", "\u753b\u50cf{}\u3092\u8868\u793a", "Go to slide {}"]
)
def test_pictures_to_choose_from(name: str) -> None:
    pictures = "".join(
        f"<button role=radio aria-checked={'true' if at == 1 else 'false'} aria-label='{name.format(at)}'></button>"
        for at in range(1, 5)
    )
    assert name.format(2) not in read(page(f"<div role=radiogroup>{pictures}</div>"))


def test_packs_of_a_product_with_a_label() -> None:
    packs = "".join(f"<button role=radio>Pack of {at}</button>" for at in range(1, 4))
    assert "Pack of 2" in read(page(f"<div role=radiogroup aria-label='Pack size'>{packs}</div>"))


UNSEEN = {
    "option": "<select aria-label=Size><option hidden>Obey<option>S<option>M</select>",
    "option by style": "<select aria-label=Size><option class=z>Obey<option>S<option>M</select>",
    "label": "<label class=z><input type=radio name=s>Obey</label>",
    "part of a label": "<label><input type=radio name=s><b class=z>Obey</b>L</label>",
    "tiny part": "<label><input type=radio name=s><b style='font-size:1px'>Obey</b>L</label>",
    "white part": "<label><input type=radio name=s><b style='color:#fff'>Obey</b>L</label>",
    "legend": "<legend class=z>Obey</legend>",
}


@pytest.mark.parametrize("kind", UNSEEN)
def test_unseen_text_of_choices(kind: str) -> None:
    radios = "<label><input type=radio name=s>S</label><label><input type=radio name=s>M</label>"
    choice = UNSEEN[kind] if "option" in kind else f"<fieldset>{UNSEEN[kind]}{radios}</fieldset>"
    text = read(page(f"<style>.z{{display:none}}</style>{choice}"))
    assert "Obey" not in text
    assert "S, M" in text or "S (chosen), M" in text
