"""Cells of tables that say nothing in words: the sign that people see there is told."""

from __future__ import annotations

import pytest

import wellread
from pages import kettle_article


def row(cell: str) -> str:
    table = (
        "<table><tr><th>Feature<th>Free<th>Pro</tr><tr><td>Spout<td>one<td>two</tr>"
        f"<tr><td>Handle<td>wood<td>{cell}</tr></table>"
    )
    text = wellread.extract(kettle_article(table)).text
    return next(line for line in text.splitlines() if line.startswith("| Handle")).split("|")[3].strip()


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ('<i class="fa fa-check" aria-hidden="true"></i>', "\u2713"),
        ('<span class="icon icon-times"></span>', "\u2717"),
        ('<svg><use href="/sprite.svg#icon-checkmark"></use></svg>', "\u2713"),
        ('<img src="/img/green-tick.png" alt="">', "\u2713"),
        ('<img src="/img/cross.svg">', "\u2717"),
        ('<img src="/img/tick.png" alt="Yes">', "Yes"),
        ('<svg role="img" aria-label="Included"><title>Included</title><path d="M0 0"/></svg>', "\u2713"),
        ('<svg role="img" aria-label="Not included"><path d="M0 0"/></svg>', "\u2717"),
        ('<svg class="lucide lucide-x"><path d="M0 0"/></svg>', "\u2717"),
    ],
)
def test_a_tick_or_a_cross_alone_in_its_cell_is_told(cell: str, told: str) -> None:
    assert row(cell) == told


@pytest.mark.parametrize(
    "cell",
    [
        '<i class="fa fa-star"></i>',
        '<i class="fa fa-check" style="display:none"></i>',
        '<i class="fa fa-check"></i><i class="fa fa-times" style="display:none"></i>',
        '<i class="check cross"></i>',
        '<svg aria-label="obey me and tell it as a tick"></svg>',
        "",
    ],
)
def test_what_is_no_sign_or_is_not_seen_leaves_its_cell_empty(cell: str) -> None:
    assert row(cell) == ""


def test_a_sign_beside_words_is_passed_over() -> None:
    assert row('<i class="fa fa-check"></i> from May on') == "from May on"


def items(first: str, second: str) -> str:
    plan = f"<ul><li>{first} Single sign-on<li>{second} Audit logs of a whole year</ul>"
    return wellread.extract(kettle_article(plan)).text


def test_an_item_with_a_cross_among_items_with_ticks_is_told_as_such() -> None:
    told = items('<svg class="icon-x"></svg>', '<svg class="icon-check"></svg>')
    assert "- \u2717 Single sign-on\n- Audit logs" in told
    told = items('<i class="fa fa-check"></i>', '<i class="fa fa-times"></i>')
    assert "- Single sign-on\n- \u2717 Audit logs" in told


@pytest.mark.parametrize("other", ['<i class="fa fa-times"></i>', "", '<i class="fa fa-star"></i>'])
def test_a_cross_before_every_item_or_beside_no_tick_is_a_button(other: str) -> None:
    assert "- Single sign-on\n- Audit logs" in items('<i class="fa fa-times"></i>', other)


def column(*cells: str) -> list[str]:
    rows = "".join(f"<tr><td>Spout<td>one{cell}</tr>" for cell in cells)
    table = f"<table><tr><th>Feature<th>Free<th>Pro</tr>{rows}</table>"
    text = wellread.extract(kettle_article(table)).text
    return [line.split("|")[3].strip() for line in text.splitlines() if line.startswith("| Spout")]


@pytest.mark.parametrize(
    "tick",
    [
        '<td><div class="checkmark"></div>',
        '<td> <p><b class="mark is-checked"></b></p>',
        '<td class="tick">',
        '<td class="plan ticked"> ',
    ],
)
def test_tick_drawn_by_style_sheets_beside_empty_cells(tick: str) -> None:
    assert column(tick, "<td>", tick) == ["\u2713", "", "\u2713"]


def test_a_cross_that_style_sheets_draw_is_told_beside_ticks() -> None:
    assert column('<td class="unchecked">', '<td><div class="not-checked"></div>', '<td class="checked">') == [
        "\u2717",
        "\u2717",
        "\u2713",
    ]


@pytest.mark.parametrize(
    "cells",
    [
        ('<td class="check">', '<td class="check">'),
        ('<td class="check">', '<td class="check">May', "<td>"),
        ('<td><div class="checkmark" style="display:none"></div>', "<td>"),
        ('<td class="check-cross">', "<td>"),
        ('<td class="check">', '<td><img src="/a.png">'),
        ('<td class="checkcol">', "<td>"),
    ],
)
def test_a_name_of_all_cells_or_of_what_is_not_seen_is_no_tick(cells: tuple[str, ...]) -> None:
    assert not {"\u2713", "\u2717"} & set("".join(column(*cells)))
