"""Tables come out as tables, whole and once, in whatever elements they are written."""

# ruff: noqa: E501 - markup as generators write it

from __future__ import annotations

import pytest

import wellread
from wellread.extraction.html import HtmlExtractor
from wellread.reading.fact_collection import fact_tables
from wellread.types import Source

PROSE = (
    "<p>Most bakers on the hill light their ovens at two in the morning, long before the first tram of the day runs."
)
MORE = "<p>The old mill below the weir still grinds for three of them, though its owner says it is the last winter now."


def read(body: str) -> str:
    return wellread.extract(f"<main><h1>Fares</h1>{PROSE}</p>{body}{MORE}</p>{PROSE}</p></main>").text


def cells(*texts: str, tag: str = "td") -> str:
    return f"<tr>{''.join(f'<{tag}>{text}</{tag}>' for text in texts)}</tr>"


ROWS = cells("Single ride", "2.40") + cells("Day pass", "6.10")


def table(text: str) -> list[list[str]]:
    """Return the cells of the tables in a text, without the rows that part heads from bodies."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return [row for row in rows if any(cell.strip(":-") for cell in row)]


EXPECTED = [["Ticket", "Price"], ["Single ride", "2.40"], ["Day pass", "6.10"]]


def test_header_cells_that_are_buttons() -> None:
    head = cells(
        "<button>Ticket</button>", "<div><button aria-label='Sort by price'>Price <svg></svg></button></div>", tag="th"
    )
    assert table(read(f"<table><thead>{head}</thead>{ROWS}</table>")) == EXPECTED


def test_header_cells_that_are_links_for_scripts() -> None:
    head = cells("<a role=button>Ticket</a>", "<span role=button tabindex=0>Price</span>", tag="th")
    assert table(read(f"<table><thead>{head}</thead>{ROWS}</table>")) == EXPECTED


def test_header_in_a_table_of_its_own() -> None:
    head = cells("Ticket", "Price", tag="th")
    body = f"<div class=wrap><div class=h><table><thead>{head}</thead></table></div><div class=b><table>{ROWS}</table></div></div>"
    assert table(read(body)) == EXPECTED


@pytest.mark.parametrize("tag", ["td", "th"])
def test_title_row_above_the_header(tag: str) -> None:
    title = f"<tr><{tag} colspan=2>Fares of 2026</{tag}></tr>"
    html = f"<main><h1>Fares</h1>{PROSE}</p><table>{title}{cells('Ticket', 'Price', tag='th')}{ROWS}</table>{PROSE}</p></main>"
    text = wellread.extract(html).text
    assert table(text) == EXPECTED
    assert "\n\nFares of 2026\n\n| Ticket | Price |\n| --- |" in text
    source = Source(body=html.encode(), media_type="text/html", url=None)
    ((fares,), _) = fact_tables(HtmlExtractor().extract(source).document)
    assert (fares.columns, fares.rows[0]) == (("Ticket", "Price"), ("Single ride", "2.40"))


def test_header_repeated_in_the_scrolled_table() -> None:
    head = cells("Ticket", "Price", tag="th")
    body = (
        f"<div class=dataTables_scroll><div><table><thead>{head}</thead></table></div><div><table><thead>{head}</thead>"
        f"<tbody>{ROWS}</tbody></table></div></div>"
    )
    assert table(read(body)) == EXPECTED


def test_two_tables_with_other_columns_stay_apart() -> None:
    one = f"<table>{cells('Ticket', 'Price', tag='th')}{ROWS}</table>"
    two = f"<table>{cells('Line', 'Colour', 'Stops', tag='th')}{cells('Hill', 'red', '9')}{cells('Weir', 'blue', '7')}</table>"
    assert len(table(read(one + two))) == 6


def test_aria_table_of_divs() -> None:
    head = "<div role=row><div role=columnheader>Ticket</div><div role=columnheader>Price</div></div>"
    rows = "".join(
        f"<div role=row><div role=cell>{name}</div><div role=cell>{price}</div></div>" for name, price in EXPECTED[1:]
    )
    assert (
        table(read(f"<div role=table><div role=rowgroup>{head}</div><div role=rowgroup>{rows}</div></div>")) == EXPECTED
    )


def test_aria_grid_of_spans_and_buttons() -> None:
    head = (
        "<div role=row><span role=columnheader><button>Ticket</button></span><span role=columnheader>Price</span></div>"
    )
    rows = "".join(
        f"<div role=row><span role=gridcell>{name}</span><span role=gridcell>{price}</span></div>"
        for name, price in EXPECTED[1:]
    )
    assert table(read(f"<div role=grid><div>{head}</div><div>{rows}</div></div>")) == EXPECTED


def test_table_and_cards_for_phones() -> None:
    cards = "".join(f"<div><b>{name}</b> <span>{price}</span></div>" for name, price in EXPECTED[1:])
    text = read(f"<table>{cells('Ticket', 'Price', tag='th')}{ROWS}</table><div class=phone>{cards}</div>")
    assert table(text) == EXPECTED
    assert text.count("Day pass") == 1


def test_labelled_cards_before_their_table() -> None:
    cards = "".join(
        f"<dl><dt>Ticket</dt><dd>{name}</dd><dt>Price</dt><dd>{price}</dd></dl>" for name, price in EXPECTED[1:]
    )
    text = read(f"<div class=small>{cards}</div><table>{cells('Ticket', 'Price', tag='th')}{ROWS}</table>")
    assert table(text) == EXPECTED
    assert text.count("Day pass") == 1


def test_table_and_its_transposed_twin() -> None:
    turned = cells("Ticket", "Single ride", "Day pass") + cells("Price", "2.40", "6.10")
    text = read(
        f"<table class=wide>{cells('Ticket', 'Price', tag='th')}{ROWS}</table><table class=narrow>{turned}</table>"
    )
    assert text.count("Day pass") == 1


def test_list_of_what_a_table_prices_stays() -> None:
    text = read(
        f"<table>{cells('Ticket', 'Price', tag='th')}{ROWS}</table><ul><li>Day pass</li><li>Dogs ride free</li></ul>"
    )
    assert text.count("Day pass") == 2
