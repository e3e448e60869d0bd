"""Where one word ends and the next begins, though style sheets alone part them."""

from __future__ import annotations

import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from pages import KETTLE
from wellread import extract


def read(inner: str) -> str:
    return extract(f"<article>{inner}<p>{KETTLE * 3}</p></article>").text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("<span>La Bouilloire</span><span>Whistler</span>", "La Bouilloire Whistler"),
        ("<b>The Whistler</b><!----><i>Copper</i>", "**The Whistler** *Copper*"),
        ("<span>It boils!</span><span>Nobody sleeps</span>", "It boils! Nobody sleeps"),
        ("<span><b>from</b></span><span>$98</span><span>$67</span>", "**from** $98 $67"),
        ("<span>Boiled</span><span>6</span><span>times</span>", "Boiled 6 times"),
        ("<span>$98.50</span><span>Was $140.00</span>", "$98.50 Was $140.00"),
        ("<span>7/9/05</span><span>7:57 PM</span>", "7/9/05 7:57 PM"),
        ("<span>Наш чайник</span><span>Свистун</span>", "Наш чайник Свистун"),
        ("<span>WHIST</span><span>Copper</span>", "WHIST Copper"),
        ("<span>Potter</span><span>J. B. Kettle</span>", "Potter J. B. Kettle"),
        ("<span>SKU: WHIST</span><span>MFR: 20</span>", "SKU: WHIST MFR: 20"),
        ("<span>Number:</span><span>481516</span>", "Number: 481516"),
        ("<span>Lids Spare</span><span>158</span>", "Lids Spare 158"),
        ("<b>The Kettle</b>Boils at dawn", "**The Kettle** Boils at dawn"),
        ("<span>4.9</span><i class=star></i><span>1,316 reviews</span>", "4.9 1,316 reviews"),
        ("<span>12 GB</span><span>16 GB</span>", "12 GB 16 GB"),
        ("<span>3.6x</span><span>faster</span>", "3.6x faster"),
        ("<span>\u221220%</span><span>$63.99</span>", "\u221220% $63.99"),
        ("<span>Kettle (1901)</span><span>J. Spout</span>", "Kettle (1901) J. Spout"),
        ("<span>Nobody slept.</span><span>The wind rose</span>", "Nobody slept. The wind rose"),
    ],
)
def test_words_separated_by_a_style_sheet(written: str, told: str) -> None:
    assert told in read(f"<p>{written} and so it goes.</p>")


@pytest.mark.parametrize(
    "written",
    [
        "<span>K</span><span>ettle</span>", "<span>i</span><span>Kettle</span>", "<span>1</span><span>st</span>",
        "<span>5</span><span>l</span>", "<span>3.</span><span>99</span>", "CO<span>2</span>", "<span>Mc</span>Kettle",
        "<span>Old Mc</span><wbr><span>Kettle</span>", "Mc<!-- --><wbr>Kettle", "<span>You</span><span>Boil</span>",
        "<span>flask.</span><span>Flask</span>", "<span>at::</span><span>Tensor</span>", "<span>3</span><span>D</span>",
        "<span>Brca</span><span>1</span>", "<span>J.</span><span>R.</span>", "<span>1</span><span>\u00e8re</span>",
        "<span>Lehrer</span><span>Innen</span>", "<u>C</u><u>O</u>VI<u>D</u><u>1</u><u>9</u>",
        "<span>Jo.</span><span>Doe@example.com</span>", "<span>3f2</span><span>abcde</span>",
        "<span>$5</span><span>M</span>", "<span>19</span><span>99</span>", "<b>1</b><b>000</b>", "<b>5 k</b><b>m</b>",
        "<span>1/2</span><span>:1</span>", "<b>Mc</b>Kettle boils",
        "<b>T</b>he kettle", "<a href=/k>Ket</a><a href=/k>tles</a>", "<b>DNS</b><b>SEC</b>",
        "<b>the kettle</b>”, said\nAnn", "<a href=/k>iron kettle</a><b>, said\nAnn</b>",
    ],
)  # fmt: skip
def test_a_word_in_several_elements_is_one_word(written: str) -> None:
    whole = LexborHTMLParser(written).body
    assert whole is not None
    told = read(f"<p>Of {written} more is said.</p>")
    assert f"Of {' '.join(whole.text().split())} more is said." in re.sub(r"\*\*|\[|\]\([^)]*\)", "", told)


def test_coloured_code_and_indices_are_written_as_they_stand() -> None:
    coloured = "<span>kettle</span><span>Boil</span><span>2</span>"
    assert "`kettleBoil2`" in read(f"<p>Call <code>{coloured}</code> at dawn.</p>")
    assert "**H**<sub>2</sub>**O** at" in read("<p><b>H</b><sub>2</sub><b>O</b> at noon</p>")
    assert "<sup>14</sup>*C* is" in read("<p><sup>14</sup><i>C</i> is old</p>")
    assert "x<sup>2</sup> litres" in read("<p><span>x</span><sup>2</sup> litres</p>")
    assert "\nkettleBoil2\n" in read(f"<pre>{coloured}</pre>")


@pytest.mark.parametrize("called", ["line", "token-line hl", "code-line"])
def test_lines_of_code_that_style_sheets_part_are_lines(called: str) -> None:
    lines = [f"<span class='{called}'>{inner}</span>" for inner in ("<i>fill</i> pot", "", "boil pot")]
    assert "```\nfill pot\n\nboil pot\n```" in read(f"<pre><code>{''.join(lines)}</code></pre>")


def test_lines_of_code_that_end_in_a_line_feed_get_no_second_one() -> None:
    lines = "<span class=line>fill pot\n</span><span class=line>boil </span><span>pot</span>"
    assert "```\nfill pot\nboil pot\n```" in read(f"<pre>{lines}</pre>")


@pytest.mark.parametrize("called", ["cm-line", "token-line", ""])
def test_a_line_of_code_that_ends_in_a_line_break_is_one_line(called: str) -> None:
    lines = [f"<div class='{called}'>{inner}<br></div>" for inner in ("<i>fill</i> pot", "", "boil pot")]
    assert "```\nfill pot\n\nboil pot\n```" in read(f"<pre><code>{''.join(lines)}</code></pre>")


def test_boxes_in_code_begin_and_end_lines_however_deep_they_are() -> None:
    assert "```\nfill\nboil\npour\nrest\n```" in read(
        "<pre><div><div>fill</div>boil<div><div>pour\n</div></div></div>rest</pre>"
    )


def test_an_empty_box_that_is_called_a_line_of_code_is_one() -> None:
    lines = "<div class=line>fill</div><div class=line></div><div class=line>boil</div>"
    assert "```\nfill\n\nboil\n```" in read(f"<pre>{lines}</pre>")


def test_marked_lines_among_lines_of_code() -> None:
    marked = [f"<span class=gatsby-highlight-code-line>{inner}</span>" for inner in ("<i>boil</i>()", "pour()")]
    assert "```\nfill()\nboil()\npour()\nrest()\n\nboil()\n\nrest()\n```" in read(
        f"<pre>fill()\n{''.join(marked)}rest()\n\n{marked[0]}\nrest()</pre>"
    )


@pytest.mark.parametrize("called", ["x-line", "highlight-line on", "grey code-line"])
def test_what_is_called_a_line_of_something_is_a_line_of_code(called: str) -> None:
    lines = f"<span class='{called}'>fill</span><span class='{called}'>boil</span>"
    assert "```\nfill\nboil\n```" in read(f"<pre>{lines}</pre>")


@pytest.mark.parametrize("called", ["token line", "syntax--line", "underline", "inline"])
def test_tokens_of_code_stay_in_their_line(called: str) -> None:
    assert "```\nfillboil\n```" in read(
        f"<pre><span class='{called}'>fill</span><span class='{called}'>boil</span></pre>"
    )


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("<code>C</code> <code>out</code>", "`C` `out`"),
        ("<kbd>Ctrl</kbd>\n<kbd>X</kbd>", "`Ctrl` `X`"),
        ("<code>x</code><code>y</code>", "`xy`"),
        ("<code><b>a</b> <i>b</i></code>", "`a b`"),
        ("<b><code>p</code> <code>q</code></b>", "**`p` `q`**"),
        ("<a href=https://d.example/><code>p</code> <code>q</code></a>", "[`p` `q`](https://d.example/)"),
        ("<b>see:</b><code>q</code>", "**see:**`q`"),
        ("<b><code>p</code><a href=https://d.example/>q</a>.</b>", "**`p`**[**q**](https://d.example/)**.**"),
    ],
)
def test_code_is_parted_where_a_space_stands_between_two(written: str, printed: str) -> None:
    assert f"Of {printed} more" in read(f"<p>Of {written} more is said.</p>")
