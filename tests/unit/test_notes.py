"""Notes below a text are told with it, and which word they belong to."""

from __future__ import annotations

import pytest

import wellread
from pages import PUMP_PARAGRAPH

NOTE = "Moore, On water, 1901."


def markdown(reference: str, note: str, beside: str = "") -> str:
    text = f"<p>The oldest pumps were made of oak.{reference} {PUMP_PARAGRAPH[3:]}"
    return wellread.extract(
        f"<body>{beside}<article><h1>Pump</h1>{PUMP_PARAGRAPH}{text}{PUMP_PARAGRAPH}{note}</article>"
    ).text


SPHINX = (
    '<aside class="footnote brackets" id=id3 role=doc-footnote><span class=label><span class=fn-bracket>[</span>'
    f"<a role=doc-backlink href=#id1>1</a><span class=fn-bracket>]</span></span><p>{NOTE}</p></aside>"
)
WORD = f'<p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1" title=""><span><sup>[1]</sup></span></a> {NOTE}</p>'


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        ("<a class='footnote-reference brackets' href=#id3 id=id1 role=doc-noteref>[1]</a>", SPHINX),
        ("<a href=#id3 id=id1 role=doc-noteref>1</a>", SPHINX),
        ('<a href="#n1" epub:type="noteref">1</a>', f"<aside id=n1 epub:type=footnote><p>{NOTE}</p></aside>"),
        (
            '<sup><a href="#user-content-fn-1" data-footnote-ref>1</a></sup>',
            f"<ol><li id=user-content-fn-1>{NOTE}</ol>",
        ),
        ("<a class=footnote-ref href='#one'>1</a>", f"<div id=one><sup>1</sup> {NOTE}</div>"),
        ('<a href="#_ftn1" name="_ftnref1"><sup>[1]</sup></a>', WORD),
    ],
)
def test_a_note_is_kept_with_the_reference_that_leads_to_it(reference: str, note: str) -> None:
    told = markdown(reference, note)
    assert "made of oak.[^1] The" in told
    assert f"\n[^1]: {NOTE}" in told
    assert told.count("[^1]") == 2


def test_a_link_back_from_a_note_makes_no_note_of_the_text() -> None:
    told = markdown('<a href="#fn1" name="fnref1">1</a>', f'<p id=fn1><a href="#fnref1">1</a> {NOTE}</p>')
    assert told.count("[^1]:") == 1
    assert "\nThe oldest pumps" in told


def test_an_arrow_back_to_the_second_reference_says_nothing() -> None:
    back = '<a href="#fnref1">\u21a9</a> <a href="#fnref1-2">\u21a9<sup>2</sup></a>'
    assert markdown("<a href=#fn1>1</a>", f"<ol><li id=fn1>{NOTE} {back}</ol>").endswith(f"[^1]: {NOTE}")


def test_what_a_reference_leads_to_is_not_kept_if_it_is_long() -> None:
    note = f"<aside class=sidebar id=n1><h2>Subscribe</h2>{'<p>Get our letter every week, free.</p>' * 40}</aside>"
    assert "our letter" not in markdown('<a href="#n1" role=doc-noteref>1</a>', note)


@pytest.mark.parametrize("hidden", ["hidden", "style='display:none'", "style='font-size:0'", "aria-hidden=true"])
def test_a_note_that_nobody_sees_is_not_told(hidden: str) -> None:
    told = markdown(
        "<a href=#id3 role=doc-noteref>[1]</a>", f"<aside id=id3 {hidden}><p>Obey me now, please.</p></aside>"
    )
    assert "Obey" not in told
    assert "[^1]" not in told


def test_cited_works_and_their_heading() -> None:
    works = [f"Author {at}, On pumps, volume {at}, {1900 + at}." for at in range(1, 9)]
    said = [
        PUMP_PARAGRAPH[:-4] + f" So says <cite>(<a href=#w{at}>Author {at}, {1900 + at}</a>)</cite>.</p>"
        for at in range(1, 7)
    ]
    items = "".join(
        f"<li id=w{at} class=bibitem><span>[{at}]</span><span>{one}</span>" for at, one in enumerate(works, 1)
    )
    page = (
        f"<body><article><h1>Pump</h1>{''.join(said)}<section><h2>References</h2><ul>{items}</ul></section></article>"
    )
    told = wellread.extract(page).text
    assert "## References" in told
    assert [line for line in told.splitlines() if line.startswith("- ")] == [
        f"- [{at}] {one}" for at, one in enumerate(works, 1)
    ]
    assert "References" not in wellread.extract(page, mode="precision").text


def test_a_text_that_links_to_a_few_items_cites_no_works() -> None:
    items = "".join(f"<li id=w{at}><a href=/{at}>Other text number {at}</a>" for at in range(8))
    citing = "<p>See <a href=#w1>that</a>, or <a href=#w2>this</a>.</p>"
    page = f"<body><article><h1>Pump</h1>{PUMP_PARAGRAPH}{citing}{PUMP_PARAGRAPH * 3}"
    assert "Other text" not in wellread.extract(f"{page}</article><aside><ul>{items}</ul></aside>").text


def test_labels_of_separate_notes() -> None:
    signs = {"1": "First.", "1^": "Second.", "1-1": "Third.", "[1]": "Fourth."}
    references = " ".join(f"<a href='#fn{at}'>{sign}</a>" for at, sign in enumerate(signs))
    told = markdown(references, "".join(f"<p id=fn{at}>{note}</p>" for at, note in enumerate(signs.values())))
    labels = [line.partition("]: ") for line in told.splitlines() if line.startswith("[^")]
    assert [note for _, _, note in labels] == list(signs.values())
    assert len({label for label, _, _ in labels}) == len(signs)
    assert all(f"{label}]" in told.partition("\n[^")[0] for label, _, _ in labels)
