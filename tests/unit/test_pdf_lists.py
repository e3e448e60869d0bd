"""Lists and code in PDF files: items and lines stay apart, as a person sees them."""

from __future__ import annotations

import pytest

from unit.pdf_files import line_by_tm, line_flipped, pdf_file
from wellread import extract

PROSE = (
    "The mill stands at the foot of the hill, where the brook",
    "leaves the wood, and its wheel has turned for two hundred",
    "years without a break but for the winters of hard frost.",
)


@pytest.fixture(autouse=True)
def _needs_pdfium() -> None:
    pytest.importorskip("pypdfium2")


def prose(top: float) -> str:
    return "".join(line_by_tm(60, top - 14 * at, line) for at, line in enumerate(PROSE))


def text_of(*contents: str) -> str:
    return extract(pdf_file(contents), url="https://files.example/mill.pdf").text


def labelled(x: float, y: float, label: str, text: str, *, tab: float = 20) -> str:
    """Draw a label, and the text of its item behind a tabulator."""
    return line_by_tm(x, y, label) + line_by_tm(x + tab, y, text)


def test_pdf_numbered_items_with_wrapped_lines() -> None:
    drawn = (
        prose(780)
        + labelled(80, 720, "1.", "Bring the sacks of corn to the door on the first floor of")
        + line_by_tm(100, 706, "Sandle Mill, where the hoist is")
        + labelled(80, 692, "2.", "Pull the bell twice.")
        + labelled(80, 678, "3.", "Wait")
        + prose(650)
    )
    assert (
        "1. Bring the sacks of corn to the door on the first floor of Sandle Mill, where the hoist is\n"
        "2. Pull the bell twice.\n3. Wait\n\nThe mill stands"
    ) in text_of(drawn)


def test_pdf_numbered_items_behind_a_space() -> None:
    steps = "".join(line_by_tm(60, 720 - 14 * at, f"{at + 1}\\) Turn stone {at + 1} by hand") for at in range(12))
    text = text_of(prose(780) + steps)
    assert "1. Turn stone 1 by hand\n2. Turn stone 2" in text
    assert "\n12. Turn stone 12 by hand" in text


def test_pdf_list_that_goes_on_on_the_next_page() -> None:
    first = prose(780) + line_by_tm(60, 720, "4. Close the sluice.") + line_by_tm(60, 706, "5. Stop the wheel.")
    text = text_of(first, line_by_tm(60, 780, "6. Bar the door.") + prose(750))
    assert "4. Close the sluice.\n5. Stop the wheel." in text
    assert "\n\n6. Bar the door.\n\n" in text


@pytest.mark.parametrize(
    "line",
    ["2. After that the miller left.", "1984. It was a dry year.", "2.5 metres below.", "(see the map) by the brook."],
)
def test_pdf_sentence_that_wraps_before_a_number(line: str) -> None:
    lines = [text.replace("(", "\\(").replace(")", "\\)") for text in (*PROSE[:2], line, "It was so.")]
    drawn = "".join(line_by_tm(60, 780 - 14 * at, text) for at, text in enumerate(lines))
    assert f"hundred {line}" in text_of(drawn)


def test_pdf_lists_in_lists() -> None:
    drawn = (
        prose(780)
        + labelled(60, 720, "\\225", "Flour")
        + labelled(80, 706, "\\226", "of rye")
        + labelled(80, 692, "\\226", "of wheat")
        + labelled(100, 678, "o", "white")
        + labelled(60, 664, "\\225", "Bran")
        + labelled(80, 650, "a.", "coarse")
        + labelled(80, 636, "b.", "fine")
    )
    drawn = drawn.replace("\\225", "\\225").replace("\\226", "\\226")
    assert ("- Flour\n  - of rye\n  - of wheat\n    - white\n- Bran\n  - a. coarse\n  - b. fine") in text_of(drawn)


def test_pdf_lists_deep_in_lists() -> None:
    drawn = "".join(labelled(20 + at, 830 - 2 * at, "-", f"Item {at}", tab=1) for at in range(300))
    text = text_of(drawn.replace("/F1 11", "/F1 1.2"))
    assert "Item 299" in text


def test_pdf_bullets_drawn_as_shapes() -> None:
    marks = "82 733 4 4 re f 82 719 4 4 re f\n"
    filled = line_flipped(94, 732, "Flour") + line_flipped(94, 718, "Salt")
    ring = "102 707 m 106 707 l 106 711 l 102 711 l h S\n" + line_flipped(114, 706, "of the sea")
    text = text_of(prose(780) + marks + filled + ring + prose(680))
    assert "- Flour\n- Salt\n  - of the sea\n\nThe mill" in text


def test_pdf_shapes_that_are_no_bullets() -> None:
    frames = "55 727 12 12 re S 300 600 4 4 re f 94 700 4 4 re f\n"
    text = text_of(frames + prose(780) + line_by_tm(72, 730, "Tick here") + line_by_tm(90, 690, "Below a dot"))
    assert "Tick here" in text
    assert "- " not in text


def test_pdf_clauses_and_references_stay_apart() -> None:
    full = "both sides keep to what they have signed in the spring of the year."
    clauses = "".join(line_by_tm(60, 720 - 14 * at, f"4.{at + 1} In this matter {full}") for at in range(3))
    sources = "".join(line_by_tm(60, 660 - 14 * at, f"[{at + 1}] Miller, On Wheels, {full}") for at in range(3))
    text = text_of(prose(780) + clauses + sources)
    assert f"\n\n4.2 In this matter {full}\n\n4.3 In" in text
    assert f"\n\n[2] Miller, On Wheels, {full}\n\n[3] Miller" in text


def test_pdf_paragraphs_behind_dashes() -> None:
    entries = "".join(line_by_tm(60, 720 - 14 * at, f"\\227 Answer {at}, and {PROSE[0]}") for at in range(3))
    assert f"\n\n\u2014 Answer 1, and {PROSE[0]}\n\n" in text_of(prose(780) + entries)


CODE = ("def grind(corn):", "    for grain in corn:", "        yield crush(grain)   # fine", "", "    return None")


def code(top: float, *, x: float = 60, draw_line: float = 11) -> str:
    """Draw code as browsers do: each line from its first letter on."""
    rows = []
    for at, row in enumerate(CODE):
        text = row.lstrip().replace("(", "\\(").replace(")", "\\)")
        start = x + 5.4 * (len(row) - len(row.lstrip()))
        rows.append(line_by_tm(start, top - draw_line * at, text, size=9, font="F3"))
    return "".join(rows)


def test_pdf_code_between_paragraphs() -> None:
    text = text_of(prose(780) + code(730) + prose(660))
    assert "hard frost.\n\n```\n" + "\n".join(CODE) + "\n```\n\nThe mill" in text


def test_pdf_code_drawn_word_by_word() -> None:
    words = line_by_tm(60, 720, "x", size=9, font="F3") + line_by_tm(60 + 5.4 * 6, 720, "= 1", size=9, font="F3")
    words += line_by_tm(60, 709, "result = 20", size=9, font="F3")
    assert "```\nx     = 1\nresult = 20\n```" in text_of(prose(780) + words + prose(680))


def test_pdf_code_words_within_a_paragraph() -> None:
    drawn = line_by_tm(60, 780, "To end the service of the mill for the night one calls")
    drawn += line_by_tm(60, 766, "mill stop --now", font="F3")
    drawn += line_by_tm(60, 752, "in a second terminal, and waits for an answer.") + prose(700)
    assert "for the night one calls mill stop --now in a second terminal" in text_of(drawn)


def test_pdf_typewritten_file_is_prose() -> None:
    drawn = "".join(line_by_tm(60, 780 - 14 * at, line, font="F3") for at, line in enumerate(PROSE * 3))
    text = text_of(drawn + line_by_tm(60, 500, "A footer in another font"))
    assert "```" not in text
    assert "two hundred years without" in text
