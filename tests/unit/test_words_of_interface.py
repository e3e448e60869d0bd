"""What a page says of itself as a tool, and not of its matter: labels of lists that are gone, words on what opens."""

from __future__ import annotations

import pytest

import wellread
from pages import KETTLE

STORY = f"<h2>The storm</h2><p>{KETTLE * 2}</p><h2>The calm</h2><p>{KETTLE * 2}</p>"
MENU = "<nav><ul><li><a href=#a>The storm</a></li><li><a href=#b>The calm</a></li></ul></nav>"


def read(inner: str) -> str:
    return wellread.extract(f"<main><article><h1>Tea by the sea</h1><p>{KETTLE * 3}</p>{inner}</article></main>").text


@pytest.mark.parametrize(
    "label",
    [
        "<p>Table of contents</p>",
        "<h2>Table of Contents:</h2>",
        "<p>Inhaltsverzeichnis</p>",
        '<p class="ez-toc-title">Contents:</p>',
        '<h3 class="toc">Inhalt</h3>',
    ],
)
def test_what_heads_a_table_of_contents_that_is_not_read_is_left_out(label: str) -> None:
    text = read(f"{label}{MENU}{STORY}").lower()
    assert "kettle" in text
    assert "contents" not in text
    assert "inhalt" not in text


def test_contents_that_are_no_menu_keep_their_name() -> None:
    assert "Contents" in read(f"<h2>Contents</h2><p>The box holds a kettle and two cups. {KETTLE}</p>")
    assert "of contents" in read(f"<h2>Table of contents</h2><p>See <a href=/all>the list</a></p>{STORY}").lower()
    listed = f"<li>The storm, and {KETTLE}</li><li>The calm, and {KETTLE}</li>"
    assert "Table of contents" in read(f"<h2>Table of contents</h2><ol>{listed}</ol>{STORY}")


@pytest.mark.parametrize(
    "words",
    [
        "<details open><summary class=hideme>Expand description</summary><p>{0}</p></details>",
        "<details open><summary>Show details</summary><p>{0}</p></details>",
        "<blockquote><p>{0}</p><div class=bbCodeBlock-expandLink>Click to expand...</div></blockquote>",
        "<blockquote><p>{0}</p><div class=quoteExpand>Click to expand...</div></blockquote>",
        "<div id=siteSub>From an encyclopedia that shows details</div><p>{0}</p>",
    ],
)
def test_words_that_only_open_what_is_read_are_left_out(words: str) -> None:
    told = "The guests who had come by boat told of the storm at length, while tea was poured at nine."
    text = read(words.format(told) + STORY).lower()
    assert "boat" in text
    assert not any(word in text for word in ("expand", "details"))


def test_a_summary_that_says_what_it_opens_is_read() -> None:
    text = read(f"<details open><summary>Show of the season</summary><p>{KETTLE * 2}</p></details>{STORY}")
    assert "Show of the season" in text


def test_what_a_shop_writes_for_screen_readers_is_not_read() -> None:
    assert "boat" not in read(f"<p>{KETTLE} <span class=clipped>Opens a boat in a new window.</span></p>{STORY}")


@pytest.mark.parametrize("called", ["clipped card", "clipped-text"])
def test_what_is_only_cut_is_read(called: str) -> None:
    told = f"The guests who had come by boat told of the storm. {KETTLE}"
    assert "boat" in read(f"<p class='{called}'>{told}</p>{STORY}")


def test_byline_without_words_for_screen_readers() -> None:
    line = "<p class=byline><span class=visually-hidden>This story was </span>By Jo Doe</p>"
    page = f"<main style=opacity:0><h1>Tea</h1>{line}<p>{(KETTLE + '</p><p>') * 40}</p></main>"
    assert wellread.extract(page).byline == "By Jo Doe"
