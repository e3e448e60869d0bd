"""The lines of a snapshot that changed, as a step returns them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wellread.browser.browse.changes import changed_content

LINES = st.lists(st.sampled_from(["", "# Shop", "a", "b", '[1] button "Buy"', '[2] link "Terms"']), max_size=12)
FORM = '# Shop\nName [1] textbox "Name"\n[2] button "Send"\n0 items\n[3] link "Terms"'


def changed_lines(before: str, after: str) -> list[str]:
    return changed_content(before, after).split("\n")[1:]


def test_changed_lines_stand_below_the_line_above_them() -> None:
    after = FORM.replace('"Name"\n', '"Name" = "Ann"\n').replace("0 items", '1 item\n[4] link "Check out"')
    assert changed_lines(FORM, after) == [
        "  # Shop", '+ Name [1] textbox "Name" = "Ann"',
        '  [2] button "Send"', "- 0 items", "+ 1 item", '+ [4] link "Check out"',
    ]  # fmt: skip


def test_header_counts_the_lines_that_are_as_before() -> None:
    assert changed_content(FORM, FORM.replace("0 items", "1 item")).startswith("=== changed: + new, - gone; 4 lines as")


def test_element_that_is_gone_is_said_to_be_gone() -> None:
    assert changed_lines(FORM, FORM.replace('\n[2] button "Send"', "")) == [
        '  Name [1] textbox "Name"', '- [2] button "Send"',
    ]  # fmt: skip


def test_another_order_of_the_same_lines_is_a_change() -> None:
    assert changed_lines("a\nb\nc", "c\na\nb") == ["+ c", "  b", "- c"]


@given(LINES, LINES)
def test_changes_lead_from_the_one_snapshot_to_the_other(before: list[str], after: list[str]) -> None:
    content = changed_content("\n".join(before), "\n".join(after))
    header, *lines = content.split("\n")
    new_lines = ("\n".join(after)).split("\n")
    same_count = int(header.split("; ")[1].split(" ")[0])
    added = [line[2:] for line in lines if line.startswith("+ ")]
    assert same_count + len(added) == len(new_lines)
    rest = iter(new_lines)
    assert all(line in rest for line in added)
