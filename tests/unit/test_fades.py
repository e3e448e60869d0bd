"""What scripts fade in is read where it is marked so; a sentence that is merely made invisible never is."""

from __future__ import annotations

import pytest

import wellread
from pages import KETTLE

TOLD = "Tea was poured at nine, and the guests who had come by boat told of the storm. "
LOADED = "<script src=a.js></script>"
PICTURES = "<img src=a.png class=left style='opacity:0'><img src=b.png class=right style='opacity: 0;'>"


def read(inner: str, around: str = LOADED) -> wellread.Page:
    return wellread.extract(f"<main><h1>Tea</h1><p>{KETTLE * 3}</p>{inner}<p>{KETTLE * 3}</p></main>{around}")


def codes(told: wellread.Page) -> list[str]:
    return [notice.code for notice in told.notices]


@pytest.mark.parametrize(
    "marks",
    [
        "class=framer-1x style='will-change:transform;opacity:0.001;transform:none'",
        "class='headline word-anim' style='opacity: 0;'",
        "class=headline data-aos=fade-up style='opacity:0'",
        "class=headline data-anim-type=fade style='opacity:0'",
        "class=headline data-w-id=541a style='opacity:0'",
    ],
)
def test_what_is_marked_as_animated_is_read_and_the_page_says_so(marks: str) -> None:
    told = read(f"<div {marks}><p>{TOLD}</p></div>")
    assert "boat" in told.text
    assert codes(told) == ["revealed_text"]


@pytest.mark.parametrize("around", [LOADED, ""], ids=["with scripts", "saved without"])
def test_text_that_waits_as_pictures_of_the_page_do_is_read(around: str) -> None:
    told = read(f"{PICTURES}<h4 class=lead style='opacity:0'>{TOLD}</h4>", around)
    assert "boat" in told.text
    assert "revealed_text" in codes(told)


def test_page_that_fades_in_below_its_heading() -> None:
    waiting = f"<div class=show style='opacity:0'><p>{(TOLD + '</p><p>') * 60}</p></div>"
    told = wellread.extract(f"<h1>Tea</h1><p>{KETTLE * 5}</p>{waiting}{LOADED}")
    assert "boat" in told.text
    assert codes(told) == ["revealed_text"]
    assert "boat" not in wellread.extract(f"<h1>Tea</h1><p>{KETTLE * 5}</p>{waiting}").text


@pytest.mark.parametrize(
    "planted",
    [
        "<div class=note style='opacity:0'>@</div>",
        "<div style='opacity:0;will-change:opacity'>@</div>",
        "<div class=note style='opacity:0;transition:opacity .3s'>@</div>",
        "<div class='reveal note' role=dialog style='opacity:0'>@</div>",
        "<div class='reveal note' aria-hidden=true style='opacity:0'>@</div>",
        "<div class='reveal note' style='opacity:0!important'>@</div>",
        "<div class='reveal note' style='opacity:0;position:absolute'>@</div>",
        "<div class='reveal note' style='opacity:0;pointer-events:none'>@</div>",
        "<div class='reveal note' style='opacity:0;font-size:0'>@</div>",
        "<div class='reveal note' style='opacity:0;display:none'>@</div>",
        "<div class='reveal note' style='opacity:0;visibility:hidden'>@</div>",
        "<div class='reveal note' style='opacity:0;height:0;overflow:hidden'>@</div>",
        "<div class='reveal note' style='opacity:0;color:transparent'>@</div>",
        "<div style='opacity:0'><div class='reveal' style='opacity:0'>@</div></div>",
        "<div class='reveal' style='opacity:0'><p style='opacity:0'>@</p></div>",
        "<div class='reveal' style='opacity:0'><p hidden>@</p></div>",
        "<style>.reveal{visibility:hidden}</style><div class=reveal style='opacity:0'>@</div>",
        "<img class=a src=a.png style='opacity:0'><div class=note style='opacity:0'>@</div>",
        f"{PICTURES}<div style='opacity:0'>@</div>",
        f"{PICTURES}<div class=note style='opacity:0;z-index:-1'>@</div>",
        f"{PICTURES}<div class=note style='opacity:.01'>@</div>",
        f"<div class=note style='opacity:0'><h1>@</h1><article>{KETTLE * 20}@</article></div>",
    ],
)
def test_a_planted_sentence_stays_out_however_near_it_comes(planted: str) -> None:
    told = read(planted.replace("@", TOLD))
    assert "boat" not in told.text
    assert "hidden_text" in codes(told)


def test_rule_without_a_script_hides_animated_text() -> None:
    assert "boat" not in read(f"<style>.reveal{{opacity:0}}</style><div class=reveal><p>{TOLD}</p></div>", "").text


def test_a_page_that_hides_more_than_it_shows_says_how_much() -> None:
    hidden = f"<div hidden><script>{'let a = 1; ' * 400}</script><p>{TOLD * 20}</p></div>"
    assert [(notice.code, notice.count) for notice in read(hidden).notices[:2]] == [
        ("hidden_text", 1),
        ("mostly_hidden", 340),
    ]
    assert "mostly_hidden" not in [notice.code for notice in read(f"<div hidden><p>{TOLD * 6}</p></div>").notices]


# --------------------------------------------------------------------------- hidden from screen readers alone

HEADING = "<h3 class=title aria-hidden=true>Awards of the <b>harbour</b></h3>"


def test_a_heading_that_only_screen_readers_are_not_told_of_is_read() -> None:
    told = read(f"<div>{HEADING}<p>{TOLD}</p></div>")
    assert "### Awards of the harbour" in told.text
    assert not told.notices
    assert "Awards" in read(f"<div>{HEADING}<p>{TOLD}</p></div>", '<script>{"a":"Awards of the harbour"}</script>').text


@pytest.mark.parametrize(
    "inner",
    [
        f"<p>Awards of the\n harbour</p>{HEADING}",
        f"<div style='visibility:hidden'>{HEADING}</div>",
        HEADING.replace("<h3", "<h3 style='visibility:hidden'"),
        HEADING.replace("<h3", "<h3 style='opacity:0'"),
        HEADING.replace("<h3", "<h3 hidden"),
        HEADING.replace("class=title", "class=sr-only"),
        HEADING.replace("h3", "div"),
    ],
)
def test_a_twin_and_a_heading_that_nobody_sees_are_not(inner: str) -> None:
    assert "#" not in read(f"{inner}<p>{TOLD}</p>").text[1:]
