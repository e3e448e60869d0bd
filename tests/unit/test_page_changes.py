"""What a person would call a change of a page is told as a diff; what changes by itself is not."""

from __future__ import annotations

import time

import pytest

import effort
from wellread.crawl.page_changes import MAX_COMPARED_LINES, text_change

TOP, BOTTOM = "# Tide pools", "The path down is steep."

NOISE = [
    ("Updated 3 minutes ago", "Updated 5 hours ago"),
    ("Last updated: 12 March 2026 10:45", "Last updated: 13 March 2026 08:10"),
    ("Published 2026-03-12T10:45:00Z", "Published 2026-03-14T09:00:00Z"),
    ("Thursday, 26 November 2026", "Friday, 27 November 2026"),
    ("Page loaded at 10:22:01 UTC", "Page loaded at 10:25:01 UTC"),
    ("Posted by ann just now", "Posted by ann 2 days ago"),
    ("vor 3 Minuten", "vor 2 Stunden"),
    ("1,204 views · 12 comments", "1,377 views · 15 comments"),
    ("Comments: 12", "Comments: 14"),
    ("2.1k likes", "2.2k likes"),
    ("12 people are viewing this", "15 people are viewing this"),
    ("Downloads: 10,234", "Downloads: 10,301"),
    ("312 points by ann", "330 points by ann"),
    ("© 2025 Harbour trust", "© 2026 Harbour trust"),
    ("Copyright 2020-2025 Harbour", "Copyright 2020-2026 Harbour"),
    ("Sponsored: buy lamps", "Sponsored: buy ropes"),
    ("Advertisement\n\n[Lamps](http://a.example/x)", "Advertisement\n\n[Ropes](http://b.example/y)"),
    ("Advertisement", ""),
    ("[More](http://a.example/b?sid=1f3)", "[More](http://a.example/b?sid=2c9)"),
    ("Request ID: 8fa3-22", "Request ID: 9be1-77"),
]

CHANGES = [
    ("Price: 10 EUR", "Price: 12 EUR"),
    ("Open 9:00 to 17:00", "Open 10:00 to 17:00"),
    ("Applications close on 12 March 2026.", "Applications close on 19 March 2026."),
    ("In stock", "Sold out"),
    ("Version 1.2.3", "Version 1.2.4"),
    ("The lamp is red.", "The lamp is blue."),
    ("", "A new paragraph about crabs."),
    ("An old paragraph about crabs.", ""),
    ("- one\n- two", "- one\n- two\n- three"),
    ("- one\n- two", "- two\n- one"),
    ("| tide | 3 m |", "| tide | 4 m |"),
    ("Call 555-0101.", "Call 555-0102."),
    ("[Form](http://a.example/form-1.pdf)", "[Form](http://a.example/form-2.pdf)"),
    ("12 seats", "9 seats"),
    ("Ferry at 10:45", "Ferry at 11:15"),
    ("Event: Friday, 27 November 2026, quay 3", "Event: Saturday, 28 November 2026, quay 3"),
    ("Rated 4 of 5", "Rated 3 of 5"),
    ("Advertisement\n\nThe pier is open.", "Advertisement\n\nThe pier is closed."),
    ("灯台は開いています。入場は無料です。", "灯台は閉まっています。入場は無料です。"),
    ("Updated 3 minutes ago: the pier is open", "Updated 5 minutes ago: the pier is closed"),
]


def page(part: str) -> str:
    return f"{TOP}\n\n{part}\n\n{BOTTOM}"


@pytest.mark.parametrize(("earlier", "later"), NOISE)
def test_noise_is_no_change(earlier: str, later: str) -> None:
    assert text_change(page(earlier), page(later)) is None


@pytest.mark.parametrize(("earlier", "later"), CHANGES)
def test_a_change_is_shown_as_a_diff(earlier: str, later: str) -> None:
    change = text_change(page(earlier), page(later))
    assert change is not None
    rows = change.diff.splitlines()
    assert {row[2:] for row in rows if row.startswith("+ ")} <= set(later.splitlines())
    assert {row[2:] for row in rows if row.startswith("- ")} <= set(earlier.splitlines())
    assert change.added + change.removed >= 1


def test_only_the_changed_sentence_of_a_paragraph_shows() -> None:
    paragraph = "The sea is calm. " * 30
    change = text_change(page(f"{paragraph}The lamp is red."), page(f"{paragraph}The lamp is blue."))
    assert change is not None
    assert change.diff.splitlines()[-3:-1] == ["- The lamp is red.", "+ The lamp is blue."]


def test_many_changed_lines_are_compared_as_sets() -> None:
    earlier = [f"line {number}" for number in range(MAX_COMPARED_LINES * 2)]
    change = text_change("\n".join(earlier), "\n".join([*earlier[::-1], "new"]))
    assert change is not None
    assert change.diff == "+ new"


def test_repeated_line_that_is_removed_once_from_many_lines() -> None:
    rows = ["Add to cart"] * (MAX_COMPARED_LINES + 10)
    change = text_change("\n".join(["first", *rows, "last"]), "\n".join(["new", *rows[1:], "end"]))
    assert change is not None
    assert change.diff.splitlines() == ["- first", "- Add to cart", "- last", "+ new", "+ end"]


def test_repeated_lines_between_changed_ones() -> None:
    def version(word: str) -> str:
        return "\n".join(line for number in range(1_000) for line in ("same line", f"{word} {number} rope"))

    change = text_change(version("old"), version("new"))
    assert change is not None
    assert (change.added, change.removed) == (1_000, 1_000)
    assert "same line" not in change.diff.replace("  same line", "")
    assert effort.takes_at_most(2.5, lambda: text_change(version("old"), version("new")))


def test_changes_of_a_long_list_are_shown_in_their_order() -> None:
    rows = [
        row for number in range(400) for row in (f"Boat {number} is here", "In stock", "Add to cart", "---", "12 EUR")
    ]
    later = list(rows)
    later[0:0] = ["Boat new is here"]
    later[1_000:1_002] = ["Boat gone is here"]
    change = text_change("\n".join(rows), "\n".join(later))
    assert change is not None
    assert change.diff.splitlines() == [
        "+ Boat new is here",
        "  Boat 0 is here",
        "…",
        "  ---",
        "- 12 EUR",
        "- Boat 200 is here",
        "+ Boat gone is here",
        "  In stock",
    ]


@pytest.mark.parametrize("text", ["[", "(", "[a](", "1 ", "- ", "a", "1", "![[", "*"])
def test_a_hostile_line_costs_little(text: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        text_change(text * size, text * size + "x")
        return time.process_time() - started

    assert seconds(20_000) < 2.0
