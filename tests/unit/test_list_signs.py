"""Lists say once what their items begin with, whoever wrote the bullets and numbers."""

from __future__ import annotations

import pytest

import wellread
from pages import pump_article


def markdown(items: str) -> str:
    return wellread.extract(pump_article("<p>This is to be done:", items)).text


def latex(tag: str, *signs: str) -> str:
    items = zip(signs, ("Measure the oak.", "Cut all of it."), strict=True)
    told = (
        f'<li style="list-style-type:none"><span class=ltx_tag>{sign}</span><div><p>{text}</p></div></li>'
        for sign, text in items
    )
    return f"<{tag}>{''.join(told)}</{tag}>"


def test_a_bullet_on_a_line_of_its_own_is_not_told() -> None:
    assert "\n- Measure the oak.\n- Cut all of it.\n" in markdown(latex("ul", "\u2022", "\u2022"))


def test_a_number_on_a_line_of_its_own_is_told_once() -> None:
    assert "\n1. Measure the oak.\n2. Cut all of it.\n" in markdown(latex("ol", "1.", "2."))


def test_a_number_that_is_not_counted_otherwise_stays() -> None:
    told = markdown(latex("ul", "3.", "4."))
    assert "3\\." in told
    assert "4\\." in told


def test_an_item_that_is_but_a_sign_stays() -> None:
    assert "\u2022" in markdown("<ul><li>\u2022</li><li>Measure the oak, all of it.</li></ul>")


@pytest.mark.parametrize(
    "items",
    [
        '<ul><li style="list-style-type: decimal">Measure the oak.<li>Cut all of it.</ul>',
        '<ul style="list-style: inside decimal"><li>Measure the oak.<li>Cut all of it.</ul>',
        "<ol><li>Measure the oak.<li>Cut all of it.</ol>",
    ],
)
def test_a_list_is_numbered_whose_style_says_so(items: str) -> None:
    assert "\n1. Measure the oak.\n2. Cut all of it.\n" in markdown(items)


def test_other_styles_make_no_numbers() -> None:
    told = markdown('<ul style="list-style: square; color: decimal"><li>Measure the oak.<li>Cut all of it.</ul>')
    assert "\n- Measure the oak.\n- Cut all of it.\n" in told


def test_lines_that_begin_with_middle_dots_are_a_list() -> None:
    sign = "<p class=MsoListParagraph><span style='mso-list:Ignore'>\u00b7<span>&nbsp;&nbsp; </span></span>"
    told = markdown(f"{sign}Measure the oak.</p>{sign}Cut all of it.</p>")
    assert "\n- Measure the oak.\n- Cut all of it.\n" in told


@pytest.mark.parametrize(
    "items",
    [
        "<ol><li><b>1.</b> <a href=/oak>Measure the oak.</a><li><b>2.</b> <a href=/all>Cut all of it.</a></ol>",
        "<ol><li><p>1) Measure the oak.</p><li><p>2) Cut all of it.</p></ol>",
    ],
)
def test_numbers_in_the_items_of_a_numbered_list(items: str) -> None:
    told = markdown(items)
    assert "1\\." not in told
    assert "1)" not in told
    assert "1. " in told
    assert "2. " in told


def test_numbers_that_differ_from_those_of_the_list() -> None:
    told = markdown("<ol><li>3. Measure the oak.<li>4. Cut all of it.</ol>")
    assert "3" in told
    assert "4" in told
