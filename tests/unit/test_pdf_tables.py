"""Tables in PDF files: words in columns become rows and cells; prose in columns, lists and contents never do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from effort import takes_at_most
from unit.test_pdf import at, pdf, read
from wellread.output import print_document
from wellread.types import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture(autouse=True)
def _needs_pdfium() -> None:
    pytest.importorskip("pypdfium2")


def drawn(rows: Sequence[Sequence[str]], places: Sequence[int], *, top: int = 700, size: int = 12) -> str:
    """Draw words row by row, as programs do that make tables."""
    return "".join(
        at(top - number * (size + 3), text, x=x, size=size)
        for number, row in enumerate(rows)
        for x, text in zip(places, row, strict=True)
        if text
    )


def rule(x: float, y: float, width: float, height: float) -> str:
    """Draw a thin box, as office programs draw the borders of cells."""
    return f"{x} {y} {width} {height} re f\n"


def frame(x: float, y: float, width: float, height: float) -> str:
    """Draw the border of one cell as a stroked box."""
    return f"{x} {y} {width} {height} re S\n"


def told(*contents: str) -> str:
    return print_document(read(pdf("".join(contents))).document, "markdown").text


FERRIES = [
    ("Port", "Ferry", "Leaves", "Seats"),
    ("Hamnvik", "Queen of the Sound", "08:15", "412"),
    ("Oster", "Little Auk", "", "36"),
    ("Langness Pier", "Tern", "17:05", "8"),
]


def test_table_of_words_in_columns() -> None:
    before, after = at(730, "They leave on every day but Sunday."), at(600, "Tickets are sold on board.")
    assert told(before, drawn(FERRIES, (50, 180, 330, 400)), after) == (
        "They leave on every day but Sunday.\n\n"
        "| Port | Ferry | Leaves | Seats |\n| --- | --- | --- | --- |\n"
        "| Hamnvik | Queen of the Sound | 08:15 | 412 |\n"
        "| Oster | Little Auk |  | 36 |\n"
        "| Langness Pier | Tern | 17:05 | 8 |\n\n"
        "Tickets are sold on board."
    )


def test_table_with_a_blank_corner_and_a_nearly_full_row() -> None:
    rows = [
        ("", "Found", "Let go"),
        ("2022", "51", "49"),
        ("2023", "36", "34"),
        ("2024", "33", "32"),
        ("All of them", "120", "115"),
    ]
    text = told(drawn(rows, (50, 119, 200)))
    assert text.startswith("|  | Found | Let go |\n")
    assert text.endswith("| All of them | 120 | 115 |")


def test_a_table_of_one_long_column_keeps_it() -> None:
    rows = [(f"key.{n}", "Says how often the lamp turns in a minute.") for n in range(4)]
    assert told(drawn(rows, (50, 150))).count("\n| key.") == 3


LEFT = [
    "The limpet goes back to the place from", "which it came, and grinds its shell until",
    "it fits the rock there, so that no water", "is lost while the tide is out again.",
]  # fmt: skip
RIGHT = [
    "Whelks do nothing of the kind, for they", "hunt under water and need no place where",
    "they could wait; but they hide from the", "sun in cracks, many at a time in there.",
]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        pytest.param(list(zip(LEFT, RIGHT, strict=True)), (50, 320), id="two-columns"),
        pytest.param(
            [(left[:20], right[:19], left[:20]) for left, right in zip(LEFT, RIGHT, strict=True)],
            (50, 220, 380),
            id="three",
        ),
        pytest.param([("Note", *row) for row in zip(LEFT, strict=True)], (50, 130), id="beside-a-word-each"),
        pytest.param([(f"{n}.", f"Point {n} of the list") for n in range(1, 6)], (50, 80), id="numbers"),
        pytest.param([("-", f"Thing {n}") for n in range(5)], (50, 80), id="dashes"),
        pytest.param(
            [(f"{n}.1", f"Chapter {n} . . . . . . . . . . {n * 9}") for n in range(1, 6)], (50, 90), id="contents"
        ),
        pytest.param(FERRIES[:2], (50, 180, 330, 400), id="two-rows"),
    ],
)
def test_what_only_looks_like_a_table_is_none(rows: list[tuple[str, ...]], places: tuple[int, ...]) -> None:
    assert Kind.TABLE not in {block.kind for block in read(pdf(drawn(rows, places))).document}


def test_a_page_full_of_columns_is_read_in_time_that_grows_with_it() -> None:
    page = "".join(
        f"BT /F1 1 Tf {50 + 9 * column} {790 - 2 * row} Td (a) Tj ET " for row in range(390) for column in range(39)
    )

    def work() -> None:
        assert read(pdf(page)).document

    assert takes_at_most(10, work)


SMALL = [("Port", "Leaves", "Note"), ("Oster", "", "stops on request, tell"), ("", "", "the crew")]


@pytest.mark.parametrize("borders", ["rules", "frames"])
def test_a_ruled_table_of_two_rows_with_empty_cells_and_wrapped_lines(borders: str) -> None:
    lefts, bottoms, heights = (45, 120, 200), (695, 660), (20, 35)
    sides = zip(lefts, (75, 80, 150), strict=True)
    if borders == "frames":
        lines = [frame(x, y, width, h) for x, width in sides for y, h in zip(bottoms, heights, strict=True)]
    else:
        lines = [rule(x, 660, 0.5, 55) for x in (*lefts, 350)] + [rule(45, y, 305, 0.5) for y in (660, 695, 715)]
    assert told(at(740, "Before."), "".join(lines), drawn(SMALL, (50, 125, 205), size=11), at(600, "After.")) == (
        "Before.\n\n"
        "| Port | Leaves | Note |\n| --- | --- | --- |\n| Oster |  | stops on request, tell the crew |\n\n"
        "After."
    )


def test_rules_around_paragraphs_make_no_table() -> None:
    lines = [rule(x, 400, 0.5, 315) for x in (45, 300, 555)] + [rule(45, y, 510, 0.5) for y in (400, 560, 715)]
    prose = "The crew kept the boat in order all winter"
    rows = [(f"{prose} {row}", f"{prose} {row + 50}") for row in range(18)]
    text = told("".join(lines), drawn(rows, (50, 305), size=11))
    assert "|" not in text
    assert text.count(prose) == 36
