"""The lines of a document that changed, as a step returns them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from wellread.browser.browse.changes import ShownPage, changed_content
from wellread.types import PageSnapshot

LINES = st.lists(st.sampled_from(["", "# Shop", "a", "b", '[1] button "Buy"', '[2] link "Terms"']), max_size=12)
FORM = ("# Shop", 'Name [1] textbox "Name"', '[2] button "Send"', "0 items", '[3] link "Terms"')
LONG = (*FORM, *(f"Row {number} costs {number} euros" for number in range(40)))


@dataclass
class Tab:
    """The document in front."""

    lines: tuple[str, ...]
    document: str = "first"


def changed_lines(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    return changed_content(before, after).split("\n")[1:]


def snapshot(*lines: str, title: str = "Shop", page: int = 1) -> PageSnapshot:
    return PageSnapshot(url="https://shop.example/", title=title, content="\n".join(lines), page=page, pages=2)


def replaced(old: str, *new: str, lines: tuple[str, ...] = FORM) -> tuple[str, ...]:
    place = lines.index(old)
    return (*lines[:place], *new, *lines[place + 1 :])


def test_changed_lines_stand_below_the_line_above_them() -> None:
    filled = replaced(FORM[1], 'Name [1] textbox "Name" = "Ann"')
    after = replaced("0 items", "1 item", '[4] link "Check out"', lines=filled)
    assert changed_lines(FORM, after) == [
        "  # Shop", '~ Name [1] textbox "Name" = "Ann"',
        '  [2] button "Send"', "- 0 items", "+ 1 item", '+ [4] link "Check out"',
    ]  # fmt: skip


def test_step_without_effect_says_so() -> None:
    assert changed_content(FORM, FORM) == "=== nothing changed; 5 lines as before ==="


def test_element_that_is_gone_is_said_to_be_gone() -> None:
    assert changed_lines(FORM, replaced(FORM[2])) == ['  Name [1] textbox "Name"', '- [2] button "Send"']


def test_words_of_a_line_that_was_split_are_said_to_be_gone() -> None:
    before = ('[1] link "A" sold out [2] link "B"',)
    assert changed_lines(before, ('[1] link "A"', '[2] link "B"'))[0] == f"- {before[0]}"


def test_focus_is_a_change_only_where_nothing_else_is() -> None:
    focused = replaced(FORM[2], '[2] button "Send" (focused)')
    assert changed_lines(FORM, focused) == ['  Name [1] textbox "Name"', '~ [2] button "Send" (focused)']
    assert changed_lines(FORM, replaced("0 items", "1 item", lines=focused)) == [
        '  [2] button "Send" (focused)', "- 0 items", "+ 1 item",
    ]  # fmt: skip


def test_another_order_of_the_same_lines_is_a_change() -> None:
    assert changed_lines(("a", "b", "c"), ("c", "a", "b")) == ["+ c", "  b", "- c"]


@given(LINES, LINES)
def test_changes_lead_from_the_one_document_to_the_other(before: list[str], after: list[str]) -> None:
    header, *lines = changed_content(before, after).split("\n")
    same_count = int(header.split("; ")[1].split(" ")[0])
    added = [line[2:] for line in lines if line[:2] in {"+ ", "~ "}]
    assert same_count + len(added) == len(after)
    remaining_lines = iter(after)
    assert all(line in remaining_lines for line in added)


def test_change_below_the_shown_page_is_told() -> None:
    shown = ShownPage()
    shown.show(snapshot(*LONG[:20]), Tab(LONG))
    after = (*LONG[:-1], "Order refused")
    changed = shown.after_step(snapshot(*LONG[:20]), Tab(after))
    assert changed is not None
    assert changed.content.split("\n")[-1] == "+ Order refused"


def test_lines_that_slide_to_another_page_are_not_gone() -> None:
    shown = ShownPage()
    shown.show(snapshot(*LONG[:20]), Tab(LONG))
    after = ("Your order: Row 1", *LONG)
    changed = shown.after_step(snapshot(*after[:20], title="Sent"), Tab(after))
    assert changed is not None
    assert (changed.content.split("\n")[1:], changed.changes) == (["+ Your order: Row 1"], ('the title is now "Sent"',))


def test_window_that_moves_to_lines_never_shown_is_a_snapshot() -> None:
    shown = ShownPage()
    shown.show(snapshot(*LONG[:20]), Tab(LONG))
    assert shown.after_step(snapshot(*LONG[20:40]), Tab(LONG)) is None
    assert shown.after_step(snapshot(*LONG[:20]), Tab(LONG)) is not None


def test_another_document_is_a_snapshot() -> None:
    shown = ShownPage()
    shown.show(snapshot(*LONG), Tab(LONG))
    assert shown.after_step(snapshot(*LONG), Tab(LONG, "second")) is None
