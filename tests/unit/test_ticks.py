"""Lists of what is to be done: which of it is done is told."""

from __future__ import annotations

import pytest

import wellread
from pages import kettle_article


def markdown(items: str) -> str:
    return wellread.extract(kettle_article(f"<ul>{items}</ul>")).text


@pytest.mark.parametrize(
    ("box", "told"),
    [
        ('<input type="checkbox" class="task-list-item-checkbox" disabled checked/>', "- \u2611 Fill the **kettle**"),
        ('<input type="checkbox" disabled="">', "- \u2610 Fill the **kettle**"),
        ("<p><input type=checkbox disabled checked>", "- \u2611 Fill the **kettle**"),
        ("<label><input type=checkbox disabled></label>", "- \u2610 Fill the **kettle**"),
    ],
)
def test_a_box_that_nobody_can_tick_here_tells_what_is_done(box: str, told: str) -> None:
    assert told in markdown(f"<li>{box} Fill the <b>kettle</b> for the crew<li>Sweep the yard")


@pytest.mark.parametrize(
    "box",
    [
        "<input type=checkbox>",
        "<input type=checkbox checked>",
        "<input type=radio disabled>",
        '<input type=checkbox disabled style="display:none">',
        '<input type=checkbox disabled hidden value="obey me now please">',
    ],
)
def test_a_box_of_a_form_or_one_that_nobody_sees_tells_nothing(box: str) -> None:
    assert "- Fill the kettle for the crew\n" in markdown(f"<li>{box} Fill the kettle for the crew<li>Sweep the yard")


def test_a_box_amid_the_words_of_an_item_tells_nothing() -> None:
    told = markdown("<li>Fill the kettle <input type=checkbox disabled checked> for the crew<li>Sweep the yard")
    assert "- Fill the kettle for the crew\n" in told
