"""Pictures within the text are printed with their captions where they are asked for; decoration is not."""

from __future__ import annotations

from functools import partial

import pytest

from effort import work_grows_in_proportion
from pages import AFTER, BEFORE, LAST, WALK_URL, read_walk, walk_article
from wellread import extract

PLACEHOLDER = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
SHARED = "".join(
    f"<a href='https://{host}.example/share'><img src='/i/{host}.png' alt='{host}'></a>"
    for host in ("birdsite", "facepage")
)

FIGURES = {
    "plain": "<figure><img src='/img/a.jpg' alt='Flats'><figcaption>Birds at low water</figcaption></figure>",
    "wordpress": "<div class='wp-caption aligncenter'><a href='/img/a-large.jpg'><img src='/img/a.jpg' alt='Flats'></a>"
    "<p class='wp-caption-text'>Birds at low water</p></div>",
    "blogger": "<table class='tr-caption-container'><tbody><tr><td><a href='/img/a-large.jpg'><img src='/img/a.jpg' "
    "alt='Flats'></a></td></tr><tr><td class='tr-caption'>Birds at low water</td></tr></tbody></table>",
    "mediawiki": "<div class='thumb tright'><div class='thumbinner'><a href='/wiki/File:A.jpg' class='image'>"
    "<img src='/img/a.jpg' alt='Flats'></a><div class='thumbcaption'>Birds at low water</div></div></div>",
    "ghost": "<figure class='kg-card kg-image-card kg-card-hascaption'><img src='/img/a.jpg' class='kg-image' "
    "alt='Flats' "
    "srcset='/img/s/600/a.jpg 600w, /img/s/1000/a.jpg 1000w' sizes='(min-width: 720px) 720px'>"
    "<figcaption><span>Birds at low water</span></figcaption></figure>",
    "medium": "<figure><div role='button' tabindex='0'><picture><source srcset='/img/a.jpg 640w, /img/a-2.jpg 3000w' "
    "type='image/webp'><img alt='Flats' width='700' height='467'></picture></div>"
    "<figcaption>Birds at low water</figcaption></figure>",
    "german news": "<div class='bildbox'><img src='/img/a.jpg' alt='Flats'><span class='bildtext'>Birds at low "
    "water</span>"
    "</div>",
    "unnamed": "<div class='c-1'><div class='c-2'><img src='/img/a.jpg' alt='Flats'></div><div>Birds at low "
    "water</div></div>",
    "gallery": "<ul><li><figure><img src='/img/a.jpg' alt='Flats'><figcaption>Birds at low "
    "water</figcaption></figure></li>"
    "<li><figure><img src='/img/b.jpg' alt='Hut'><figcaption>The hut in March</figcaption></figure></li></ul>",
    "screen reader label": "<figure><picture><source srcset='/img/a.jpg 640w'><img src='/img/a.jpg' "
    "alt='Flats'></picture>"
    "<figcaption><span class='visually-hidden'>Image caption, </span>Birds at low water</figcaption></figure>",
}


@pytest.mark.parametrize("name", FIGURES)
def test_picture_with_its_caption(name: str) -> None:
    text = read_walk(walk_article(FIGURES[name]))
    assert text.count("![Flats](https://coast.example/img/a.jpg)") == 1
    assert text.count("Birds at low water") == 1
    assert text.index("![Flats]") < text.index("Birds at low water")
    assert text.index(BEFORE[:40]) < text.index("![Flats]") < text.index(AFTER[:40])


@pytest.mark.parametrize("name", FIGURES)
def test_picture_not_asked_for(name: str) -> None:
    with_picture, without = (
        read_walk(walk_article(FIGURES[name]), images=False),
        read_walk(walk_article(""), images=False),
    )
    assert "img/a.jpg" not in with_picture
    assert (
        with_picture.replace("Birds at low water\n\n", "").replace("- Birds at low water\n- The hut in March\n\n", "")
        == without
    )


ADDRESSED = {
    "srcset alone": ("<img srcset='/img/a-600.jpg 600w, /img/a-1200.jpg 1200w' alt='Flats'>", "/img/a-1200.jpg"),
    "srcset without spaces": (
        "<img srcset='/img/a-600.jpg 600w,/img/a-1200.jpg 1200w' alt='Flats'>",
        "/img/a-1200.jpg",
    ),
    "srcset with commas": (
        "<img srcset='/img/w_600,h_400/a.jpg 1x, /img/w_1200,h_800/a.jpg 2x' alt='Flats'>",
        "/img/w_1200,h_800/a.jpg",
    ),
    "huge srcset": ("<img srcset='/img/a-900.jpg 900w, /img/a-8000.jpg 8000w' alt='Flats'>", "/img/a-900.jpg"),
    "data-src": (f"<img src='{PLACEHOLDER}' data-src='/img/a.jpg' alt='Flats'>", "/img/a.jpg"),
    "data-lazy-src": ("<img src='/theme/blank.gif' data-lazy-src='/img/a.jpg' alt='Flats'>", "/img/a.jpg"),
    "data-srcset": (f"<img src='{PLACEHOLDER}' data-srcset='/img/a.jpg 800w' alt='Flats'>", "/img/a.jpg"),
    "data of any name": (f"<img src='{PLACEHOLDER}' data-hi-res='/img/a.jpg?v=2' alt='Flats'>", "/img/a.jpg?v=2"),
    "blurred preview": ("<img src='/img/a-20x15.jpg' data-src='/img/a.jpg' alt='Flats'>", "/img/a.jpg"),
    "discuz": ("<img src='static/image/common/none.gif' file='/img/a.jpg' alt='Flats'>", "/img/a.jpg"),
    "picture": ("<picture><source srcset='/img/a.webp' type='image/webp'><img alt='Flats'></picture>", "/img/a.webp"),
    "lazy picture": (
        f"<picture><source data-srcset='/img/a.webp 900w'><img src='{PLACEHOLDER}' alt='Flats'></picture>",
        "/img/a.webp",
    ),
    "amp": ("<amp-img src='/img/a.jpg' width='900' height='600' alt='Flats'></amp-img>", "/img/a.jpg"),
    "background": (
        "<div role='img' aria-label='Flats' style='background-image: url(\"/img/a.jpg\")'></div>",
        "/img/a.jpg",
    ),
    "empty box": ("<div class='delayed' data-src='/img/a.jpg' data-alt='Flats'></div>", "/img/a.jpg"),
    "noscript": (
        f"<img src='{PLACEHOLDER}' alt=''><noscript><img src='/img/a.jpg' alt='Flats'></noscript>",
        "/img/a.jpg",
    ),
}


@pytest.mark.parametrize("name", ADDRESSED)
@pytest.mark.parametrize("form", ["<figure>{}<figcaption>Birds at low water</figcaption></figure>", "<p>{}</p>"])
def test_address_that_stands_elsewhere(name: str, form: str) -> None:
    markup, address = ADDRESSED[name]
    text = read_walk(walk_article(form.format(markup)))
    assert text.count(f"![Flats](https://coast.example{address})") == 1
    assert text.count("](") == 1
    assert "data:" not in text


def test_lazy_picture_and_its_noscript_twin() -> None:
    lazy = f"<img class=lazyload src='{PLACEHOLDER}' data-src='/img/a-1200.jpg' alt='Flats'>"
    twin = "<noscript><img src='/img/a.jpg' alt='Flats'></noscript>"
    assert (
        read_walk(walk_article(f"<figure>{lazy}{twin}<figcaption>Low water</figcaption></figure>")).count("![Flats]")
        == 1
    )


@pytest.mark.parametrize(
    "address", ["data:image/png;base64,AAAA", "javascript:alert(1)", "blob:https://coast.example/1"]
)
def test_address_that_is_no_web_address(address: str) -> None:
    text = read_walk(
        walk_article(
            f"<figure><img src='{address}' data-src='{address}' alt='Flats'><figcaption>Low</figcaption></figure>"
        )
    )
    assert address[:8] not in text
    assert "](" not in text


def test_endless_address_of_a_picture() -> None:
    assert "](" not in read_walk(walk_article(f"<figure><img src='/img/{'a' * 9_000}.jpg' alt='Flats'></figure>"))


def test_picture_above_the_first_paragraph() -> None:
    head = f"<div class=meta>By Liv Moe</div><div class=hero>{FIGURES['plain']}</div>"
    text = read_walk(walk_article("", head=head))
    assert text.index("![Flats](https://coast.example/img/a.jpg)") < text.index(BEFORE[:40])
    assert "Birds at low water" in text


DECORATION = {
    "tracker": "<img src='https://count.example/p.gif?id=1' width='1' height='1' alt=''>",
    "icon": "<p><img src='/img/star.png' width='16' height='16' alt='star'></p>",
    "portrait": "<div><img class='avatar' src='/u/liv.jpg' width='80' height='80' alt='Liv Moe'></div>",
    "share bar": f"<div class='bar'>{SHARED}</div>",
    "rule": "<p><img src='/img/wave.png' alt=''></p>" * 3,
    "related card": "<aside class='related'><h4>Related</h4><a href='/other'><img src='/img/other.jpg' alt='Other'></a>"
    "<a href='/other'>The bridge that never opened</a></aside>",
}


@pytest.mark.parametrize("name", DECORATION)
def test_decoration_between_paragraphs(name: str) -> None:
    assert "![" not in read_walk(walk_article(DECORATION[name]))


def test_author_and_related_pictures_below() -> None:
    tail = (
        "<section class=author><img src='/u/liv.jpg' alt='Liv'><h3>Liv Moe</h3><p>Liv walks and writes.</p></section>"
        "<section><h2>More walks</h2><ul><li><figure><img src='/img/m1.jpg' alt='Mill'><figcaption><a "
        "href='/m1'>The mill "
        "in winter</a></figcaption></figure></li><li><figure><img src='/img/m2.jpg' alt='Quay'><figcaption><a "
        "href='/m2'>"
        "The quay at night</a></figcaption></figure></li></ul></section>"
    )
    assert "![" not in read_walk(walk_article("", tail=tail))


def test_emoji_drawn_as_picture() -> None:
    drawn = "<img class='emoji' src='https://s.example/1f600.svg' alt='\U0001f600' width='16' height='16'>"
    text = read_walk(walk_article(f"<p>{LAST[:90]} and laughed {drawn} all day.</p>"))
    assert "laughed \U0001f600 all day" in text
    assert "![" not in text


def test_option_images_of_the_library() -> None:
    html = walk_article("<p><img src='/img/a.jpg' alt='Flats'></p>")
    assert "![Flats](https://coast.example/img/a.jpg)" in extract(html, url=WALK_URL, images=True).text
    assert "![" not in extract(html, url=WALK_URL).text
    assert (
        '<img src="https://coast.example/img/a.jpg" alt="Flats">'
        in extract(html, url=WALK_URL, images=True, format="html").text
    )


def test_numbered_lines_with_pictures_between() -> None:
    steps = "".join(
        f"<p>{number}. Turn the valve until it stops.</p><p><img src='/s{number}.jpg'></p>" for number in (1, 2, 3)
    )
    text = read_walk(walk_article(steps), images=False)
    assert "1. Turn the valve until it stops.\n2. Turn the valve until it stops.\n3. Turn" in text


def test_cost_of_many_pictures() -> None:
    inner = f"<div><figure><img src='/a.jpg' data-x='/b.jpg'><figcaption>Low</figcaption></figure></div><p>{LAST}</p>"
    small, large = (partial(read_walk, walk_article(inner * times)) for times in (100, 400))
    assert work_grows_in_proportion(small, large)
