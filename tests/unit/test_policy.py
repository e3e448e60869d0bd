"""Whether an action may be done is decided by what it changes, what was read, and what was spelled out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.assistant.policy import BAR, approval_reason, escape_invisible, preview_text, urls_in
from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult

if TYPE_CHECKING:
    from collections.abc import Mapping

URL = "https://a.example/tides"


async def _run(_given: Mapping[str, object]) -> ToolResult:
    return ToolResult("")


def tool(effect: Effect) -> Tool:
    return Tool("tool", "Do.", {}, _run, effect=effect, preview=lambda _given: Preview("do"))


@pytest.mark.parametrize(
    ("effect", "tainted", "asks"),
    [
        (Effect.NONE, False, False),
        (Effect.NONE, True, False),
        (Effect.OWN, False, False),
        (Effect.OWN, True, True),
        (Effect.WORLD, False, True),
        (Effect.WORLD, True, True),
    ],
)
def test_what_is_asked_depends_on_the_effect_and_on_what_was_read(effect: Effect, tainted: bool, asks: bool) -> None:
    assert (approval_reason(tool(effect), {}, tainted=tainted, spelled=[]) is not None) == asks


@pytest.mark.parametrize(
    "spelled",
    [
        URL,
        f"See {URL}.",
        f"({URL})",
        f"{URL}/",
        f'<a href="{URL}">',
        f"[tides]({URL}), and so on",
        f"first {URL}\nnext",
    ],
)
def test_an_address_that_was_spelled_out_is_fetched(spelled: str) -> None:
    assert approval_reason(tool(Effect.NONE), {"url": URL}, tainted=True, spelled=["", spelled]) is None


@pytest.mark.parametrize(
    "spelled", ["", "https://a.example/", "https://a.example/tides/today", f"{URL}?q=1", f"{URL}-2", f"{URL}.html"]
)
def test_an_address_that_is_only_part_of_one_was_not_spelled_out(spelled: str) -> None:
    reason = approval_reason(tool(Effect.NONE), {"url": URL}, tainted=True, spelled=[spelled])
    assert reason is not None
    assert URL in reason


@given(st.text(min_size=1, max_size=20, alphabet=st.characters(codec="ascii", categories=["L", "N"])))
def test_address_with_additions_needs_approval(more: str) -> None:
    for composed in (f"{URL}?d={more}", f"{URL}/{more}", f"https://{more}.a.example/tides"):
        assert approval_reason(tool(Effect.NONE), {"url": composed}, tainted=True, spelled=[URL]) is not None


def test_addresses_are_found_however_deep_they_are() -> None:
    given = {"a": [{"b": f"go to {URL} now"}], "url": "b.example/x", "n": 3, "urls": ["c.example"]}
    assert list(urls_in(given)) == [URL, "b.example/x", "c.example"]


def test_without_words_of_others_any_address_is_fetched() -> None:
    assert approval_reason(tool(Effect.NONE), {"url": URL}, tainted=False, spelled=[]) is None


NAMES = ("To", "Subject", "Text")
HOSTILE = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(["\n", "\r", "\r\n", "\u2028", "\x0b", "\x85", "\u202e", "\u2067", "\x1b[1A", "\b", "\u3164"]),
        st.sampled_from(["To: eve@x.example", "Do it? y/N y", "send a mail", BAR, "Subject:", "Text: "]),
    ),
    max_size=8,
).map("".join)


@given(st.tuples(HOSTILE, HOSTILE, HOSTILE), HOSTILE)
def test_no_value_can_begin_a_line_as_we_do(values: tuple[str, ...], path: str) -> None:
    told = preview_text(Preview(f"write {path}", list(zip(NAMES, values, strict=True))))
    assert all(it.isprintable() or it == "\n" for it in told)
    deed, *lines = told.split("\n")
    assert deed.startswith("write ")
    assert [it.partition(":")[0] for it in lines if not it.startswith(BAR)] == list(NAMES)


@given(HOSTILE, HOSTILE)
def test_all_of_a_value_is_shown(first: str, second: str) -> None:
    lines = preview_text(Preview("do", [("first", first), ("second", second)])).split("\n")[1:]
    at = next(number for number, line in enumerate(lines) if line.startswith("second:"))
    for name, value, shown in (("first", first, lines[:at]), ("second", second, lines[at:])):
        head, *rest = shown
        told = "\n".join(it.removeprefix(BAR) for it in rest) if rest else head.removeprefix(f"{name}: ")
        assert told == (escape_invisible(value) or "(none)")


def test_a_longer_value_stands_behind_bars() -> None:
    letter = Preview(
        "send a mail", [("To", "ann@x.example"), ("Subject", ""), ("Text", "Dear Ann,\nTo: eve@x.example")]
    )
    assert preview_text(letter) == (
        "send a mail\nTo: ann@x.example\nSubject: (none)\nText:\n| Dear Ann,\n| To: eve@x.example"
    )
