"""Lists keep their levels and their short items."""

from __future__ import annotations

import pytest

from wellread import extract

PROSE = (
    "<p>The old pump house stands at the end of a lane that nobody has paved since the war, and people meet there.</p>"
    "<p>In the first year they replaced the roof, in the second the windows, and only then opened the valve "
    "chamber.</p>"
)


def text(body: str) -> str:
    article = f"<article><h1>Before the race</h1>{PROSE}{body}{PROSE}</article>"
    return extract(f"<html><head><title>Before the race</title></head><body><main>{article}</main></body></html>").text


@pytest.mark.parametrize("outer", ["ul", "ol"])
@pytest.mark.parametrize("inner", ["ul", "ol"])
def test_list_directly_in_list(outer: str, inner: str) -> None:
    found = text(
        f"<{outer}><li>Ropes and lines</li><{inner}><li>badly nested halyard</li><li>badly nested sheet</li></{inner}>"
        f"<li>Sails</li></{outer}>"
    )
    first, second, indent = ("1.", "2.", "   ") if outer == "ol" else ("-", "-", "  ")
    marks = ("1.", "2.") if inner == "ol" else ("-", "-")
    lines = [line for line in found.splitlines() if line.lstrip().startswith(("-", "1.", "2."))]
    assert lines == [
        f"{first} Ropes and lines",
        f"{indent}{marks[0]} badly nested halyard",
        f"{indent}{marks[1]} badly nested sheet",
        f"{second} Sails",
    ]


def test_list_in_item_without_marker() -> None:
    """As editors of rich text set an item in: in an item of its own, without a marker."""
    found = text(
        "<ul><li>Ropes and lines</li><li style='list-style:none'><ul><li>set in with the tab "
        "key</li></ul></li><li>Sails"
        "</li></ul>"
    )
    assert "- Ropes and lines\n  - set in with the tab key\n- Sails" in found


def test_list_set_in_by_lists_around_it() -> None:
    """As mail programs set a list in: what is around it has no items of its own."""
    assert "- Check the rigging\n- Check the pump\n" in text(
        "<ul><ul><ul><li>Check the rigging</li><li>Check the pump</li></ul></ul></ul>"
    )


def test_three_lists_directly_in_each_other() -> None:
    assert "- one line\n  - two lines\n    - three lines\n- four lines" in text(
        "<ul><li>one line</li><ul><li>two lines</li><ul><li>three lines</li></ul></ul><li>four lines</li></ul>"
    )


def test_lists_directly_in_lists_beyond_the_deepest_level() -> None:
    found = text("<ul><li>one level rope</li>" * 40 + "</ul>" * 40)
    assert found.count("one level rope") == 40


@pytest.mark.parametrize(
    "items",
    [
        "<li>Main halyard<ul><li>shackle</li></ul></li><li>Jib sheet</li>",
        "<li>Main halyard<ol><li>pin</li><li>shackle</li></ol></li><li>Jib sheet</li>",
        "<li><p>Main halyard</p><ul><li><p>shackle</p></li></ul></li><li><p>Jib sheet</p></li>",
    ],
)
def test_nested_item_of_one_word(items: str) -> None:
    found = text(f"<ol start=4><li><p>Check the rigging.</p><p>Look for broken strands.</p><ul>{items}</ul></li></ol>")
    assert "shackle" in found
    assert "Jib sheet" in found


@pytest.mark.parametrize(
    "items",
    [
        ("Rope", "Tar", "A pair of oars that float", "Wax"),
        ("A bucket with a handle of rope", "Tar", "A pair of oars that float", "Nails"),
        ("drei Ruder aus Esche", "Teer", "ein Eimer", "Wachs", "Werg"),
        ("--help", "--now", "--at PLACE", "--version"),
        ("\u6cb9", "\u7e04", "\u5e06\u3068\u8235", "\u91d8"),
    ],
)
def test_short_items_of_list(items: tuple[str, ...]) -> None:
    found = text(f"<p>What to bring on board:</p><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>")
    for item in items:
        assert f"- {item}" in found


def test_short_last_item_at_end_of_page() -> None:
    above = f"<h1>Before the race</h1>{PROSE}<h2>What to bring</h2>"
    items = "<li>A bucket with a handle of rope</li>"
    found = extract(
        f"<main><article>{above}<ul>{items}<li>A pair of oars that float</li><li>Tar</li></ul></article></main>"
    ).text
    assert found.endswith("- Tar")


def test_headings_of_one_word_on_each_other() -> None:
    found = text(
        f"<h2>Pump</h2><h3>Valve</h3><p>{'The valve is opened with the large key that hangs behind the door. ' * 2}</p>"
        f"<h3>Seal</h3><p>{'The seal is of leather and wants to be kept wet between two runs. ' * 2}</p>"
    )
    for head in ("## Pump", "### Valve", "### Seal"):
        assert head in found


def test_signatures_of_one_word() -> None:
    def entry(sign: str, about: str) -> str:
        return f"<dl class='py method'><dt class='sig sig-object py'>{sign}</dt><dd><p>{about}</p></dd></dl>"

    found = text(
        "<section><h2>Methods</h2>"
        + entry("<span class='sig-name'>open</span>()", "Open the valve.")
        + entry("<span class='sig-name'>close</span>()", "Close it.")
        + entry("<span class='sig-name'>level</span>()", "Return the level of the water in centimetres above the sill.")
        + "</section>"
    )
    for sign in ("`open()`", "`close()`", "`level()`"):
        assert sign in found


def test_menu_stays_left_out() -> None:
    page = (
        f"<main><article><h1>Before the race</h1>{PROSE}{PROSE}</article></main><div class='sidebar'><ul><li><a "
        "href=/a>Home"
        "</a></li><li><a href=/b>Topics</a></li><li><a href=/c>Shop</a></li></ul></div>"
    )
    assert "Topics" not in extract(page).text
