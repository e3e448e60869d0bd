"""Elements with equal names are told apart by what is around each, and words of a row choose one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from effort import work_grows_in_proportion
from hands import work
from wellread.apps.browse_script import parse_step, perform
from wellread.browser.browse.element_contexts import has_whole_words
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from sites import Reading
    from wellread.browser.browse.browse_session import BrowseSession


def button(told: str, name: str = "Delete") -> str:
    return f"<button onclick=\"tell('{told}')\">{name}</button>"


ROWS = [
    f"<tr><td>Order {number}</td><td>Ann</td><td>{button('edit', 'Edit')} {button(f't{number}')}</td></tr>"
    for number in range(1000, 1060)
]
CARDS = "".join(
    f"<div class=card><div><b>Boat {name}</b></div><div class=foot><span>{button(name, 'Rent')}</span></div></div>"
    for name in ("Alma", "Alma 2", "Vega")
)
# Boats without a button of their own, beside the only one with one.
SOLD = f"<div class=row>Sloop Ida</div><div class=row>Sloop Una {button('una', 'Buy')}</div>"
SECTIONS = "".join(f"<section><h3>{title}</h3>{button(title, 'Open')}</section>" for title in ("Tides", "Winds"))
FLAT = f"<h4>Low water</h4>{button('low', 'Mark')}<h4>High water</h4>{button('high', 'Mark')}"
BARE = f"<p>{button('a', 'Go')}{button('b', 'Go')}{button('c', 'Go')}</p>"
NESTED = (
    f"<ul><li>Post of Ann {button('ann', 'Reply')}<ul><li>Post of Bo {button('bo', 'Reply')}</li>"
    "<li>Post of Cy</li></ul></li></ul>"
)
REST = f"{CARDS}{SOLD}{SECTIONS}{FLAT}{BARE}{NESTED}"


def test_error_tells_equal_elements_apart(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> dict[str, tuple[str, str]]:
        errors = {}
        for words in ("Delete", "Rent", "Open", "Mark", "Go", "Reply"):
            with pytest.raises(InvalidInput) as caught:
                await tab.click(words=words)
            errors[words] = (caught.value.message, caught.value.hint)
        assert (await tab.look()).title == "Boats", "nothing was clicked"
        return errors

    errors = work(reading, f"<table>{''.join(ROWS)}</table>{REST}", steps)
    message, hint = errors["Delete"]
    assert message == "60 elements say 'Delete'"
    assert hint.startswith("use a number, or add words of its row (Delete in row 'Order 7'): ")
    assert '[2] button "Delete" in "Order 1000 Ann Edit", [4] button "Delete" in "Order 1001 Ann Edit"' in hint
    assert hint.endswith(", and 54 more")
    assert hint.count("button") == 6
    assert 'button "Rent" in "Boat Alma", ' in errors["Rent"][1]
    assert 'button "Rent" in "Boat Alma 2", ' in errors["Rent"][1]
    assert 'button "Open" in "Tides"' in errors["Open"][1]
    assert 'button "Mark" below "High water"' in errors["Mark"][1]
    assert 'button "Go" 2 of 3' in errors["Go"][1]
    assert 'button "Reply" in "Post of Ann"' in errors["Reply"][1]


def test_words_of_a_row_choose_exactly_one_element(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> list[str]:
        for words in (
            "Delete in row 'Order 1042'",
            "Rent in card Boat Vega",
            "Open in section 'Winds'",
            "Mark below 'Low water'",
            "Reply in 'Post of Bo'",
        ):
            await tab.click(words=words)
        for wrong, message in (
            (
                "Delete in row 'Order 104'",
                "no element has the words 'Delete' in a row or below a heading with 'Order 104'",
            ),
            ("Delete in row 'Ann'", "4 elements with 'Ann' say 'Delete'"),
            ("Rent in 'Boat Alma'", "2 elements with 'Boat Alma' say 'Rent'"),
            ("Buy in row 'Sloop Ida'", "no element has the words 'Buy' in a row"),
            ("Reply in item 'Post of Cy'", "no element has the words 'Reply' in a row"),
        ):
            with pytest.raises(InvalidInput, match=message):
                await tab.click(words=wrong)
        with pytest.raises(InvalidInput) as caught:
            await tab.click(words='delete in the row with "order 104"')
        assert 'use a number: [2] button "Delete" in "Order 1040' in caught.value.hint
        for step in (
            '"Rent" in card "Boat Alma 2"',
            '"Rent" in card Boat Vega',
            '"Mark" below High water',
            "Open below Tides",
        ):
            await perform(tab, parse_step(f"click {step}"))
        return (await tab.look()).title.split()[1:]

    page = f"<table>{''.join(ROWS[40:44])}</table>{REST}"
    assert work(reading, page, steps) == ["t1042", "Vega", "Winds", "low", "bo", "Alma", "2", "Vega", "high", "Tides"]


FLEET = "".join(
    f"<tr><td>Boat {name}<td><input aria-label=Crew onchange=\"tell('{name} crew ' + value)\">"
    f"<td><button onmouseenter=\"tell('{name} hovered')\" ondblclick=\"tell('{name} double')\">Menu</button>"
    for name in ("Alma", "Vega")
)


def test_words_of_a_row_end_before_the_manner_and_the_text(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> str:
        for step in (
            'hover "Menu" in row "Boat Vega"',
            'submit "Crew" in row "Boat Vega" in tow',
            'click "Menu" in row Boat Alma double',
            "click \"Menu\" in row 'Boat Vega' double with Shift",
        ):
            await perform(tab, parse_step(step))
        for surplus in ('hover "Menu" in row "Boat Vega" double', "hover 2 again"):
            with pytest.raises(InvalidInput, match="hover takes an element alone, not"):
                await perform(tab, parse_step(surplus))
        return (await tab.look()).title

    title = work(reading, f"<table>{FLEET}</table>", steps)
    assert title.startswith("Boats Vega hovered Vega crew in tow ")
    assert "Alma double" in title
    assert title.endswith("Vega double")


def test_row_that_mentions_another_is_not_the_only_match(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> list[tuple[str, str]]:
        errors = []
        for words in ("Delete in row 'Order 2'", "Remove in row 'Order 2'"):
            with pytest.raises(InvalidInput) as caught:
                await tab.click(words=words)
            errors.append((caught.value.message, caught.value.hint))
        await tab.click(words="Delete in row 'Order 3'")
        assert (await tab.look()).title.split()[1:] == ["t3"]
        return errors

    def rows(name: str, *texts: str) -> str:
        return "".join(f"<li><span>{text}</span>{button(text.split()[1], name)}</li>" for text in texts)

    long_rows = rows("Delete", "Order 1 replaces Order 2", "Order 2 " + "x " * 220)
    unknown_rows = rows("Remove", "Order 1 replaces Order 2", "Order 2 " + "x " * 2_200)
    page = f"<ul>{long_rows}<li>Order 3 {'<b>x</b> ' * 150}{button('t3')}</li></ul><ul>{unknown_rows}</ul>"
    long_error, unknown_error = work(reading, page, steps)
    assert long_error[0] == "2 elements with 'Order 2' say 'Delete'"
    assert unknown_error[0].endswith("the row of another one is too long to search")
    assert unknown_error[1].startswith('use a number: [4] button "Remove" in "Order 1 replaces Order 2", [5] button')


def crew(title: str, *names: str) -> str:
    rows = "".join(
        f"<tr><td>{name}<td><input aria-label=Note onchange=\"tell('{title} {name} ' + value)\">"
        f"<td>{button(f'{title}-{name}', 'Call')}"
        for name in names
    )
    return f"<section><h2>{title} crew</h2><table>{rows}</table></section>"


def test_words_of_a_row_and_of_a_heading_choose_together(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> list[str]:
        for step in (
            "click Call in row 'Ann' below 'Evening crew'",
            'click "Call" in row \'Bo\' in section "Morning crew" double',
            "click Call below Evening crew in row Bo",
            "click Call in row Ann below Morning crew",
            'submit "Note" in row "Ann" below "Evening crew" late',
        ):
            await perform(tab, parse_step(step))
        for wrong, message in (
            ("Call in row 'Ann'", "2 elements with 'Ann' say 'Call'"),
            ("Call in row 'Cy' below 'Evening crew'", "no element has the words 'Call' in a row or below a heading"),
            ("Call in row 'Ann' below 'Night crew'", "with 'Ann' and 'Night crew'"),
        ):
            with pytest.raises(InvalidInput, match=message):
                await tab.click(words=wrong)
        return (await tab.look()).title.split()[1:]

    page = f"{crew('Morning', 'Ann', 'Bo', 'Cy')}{crew('Evening', 'Ann', 'Bo')}"
    pressed = ["Evening-Ann", "Morning-Bo", "Morning-Bo", "Evening-Bo", "Morning-Ann", "Evening", "Ann", "late"]
    assert work(reading, page, steps) == pressed


def test_row_that_mentions_a_heading_is_not_the_only_match(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> str:
        with pytest.raises(InvalidInput, match="3 elements with 'Alma' say 'Note'"):
            await perform(tab, parse_step('submit "Note" in "Alma" today'))
        await perform(tab, parse_step('submit "Note" in row "Alma" today'))
        return (await tab.look()).title

    page = f"{crew('Alma', 'Ann', 'Bo')}{crew('Vega', 'Cy (was Alma)')}"
    assert work(reading, page, steps) == "Boats Vega Cy (was Alma) today"


def test_words_of_a_row_after_with_need_no_quotes(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> str:
        await perform(tab, parse_step('click "Delete" in row with 1041'))
        await perform(tab, parse_step("click Delete in row with Order 1042"))
        await perform(tab, parse_step('click "Delete" in row with Order 1043 with Shift'))
        return (await tab.look()).title

    assert work(reading, f"<table>{''.join(ROWS[40:44])}</table>", steps) == "Boats t1041 t1042 t1043"


@pytest.mark.parametrize(
    ("text", "words", "has"),
    [
        ("Order 1042 Ann", "order 1042", True),
        ("Order 1042", "Order 104", False),
        ("Price 1,042.50", "042", False),
        ("Port-au-Prince (HT)", "Prince", True),
        ("reorder", "order", False),
        ("\u8a02\u55ae1042\u7684", "\u8a02\u55ae1042", True),
        ("Order", "", False),
    ],
)
def test_words_of_a_row_are_whole_words(text: str, words: str, has: bool) -> None:
    assert has_whole_words(text, words) is has


def test_search_of_whole_words_is_linear() -> None:
    def search(text: str) -> None:
        assert not has_whole_words(text, "Order 1042")

    small, large = ("Order 1042x" * count for count in (500, 2_000))
    assert work_grows_in_proportion(partial(search, small), partial(search, large))


def test_long_heading_is_searched_in_its_first_words(reading: Reading) -> None:
    async def steps(tab: BrowseSession) -> str:
        with pytest.raises(InvalidInput, match="no element has the words 'Go' in a row or below"):
            await tab.click(words="Go below 'Order 1042'")
        return (await tab.click(words="Go below 'First order'")).title

    page = (
        f"<h2>First order {'Order 1042x' * 500} Order 1042</h2><p>Yours</p>{button('go', 'Go')}{button('x', 'Leave')}"
    )
    assert work(reading, page, steps) == "Boats go"
