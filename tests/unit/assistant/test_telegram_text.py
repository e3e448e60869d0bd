"""Texts for Telegram: counted in its units, cut without breaking anything, and shown sign by sign."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botapi_rules import marked_up, units
from wellread.assistant.channels.message_text import escape_markdown
from wellread.assistant.channels.telegram import formatting

if TYPE_CHECKING:
    from wellread.assistant.channels.telegram.formatting import MessagePart

LETTERS = st.text(st.sampled_from("ab \n\U0001f30a\u00e9\u8336"), max_size=120)
MARKS = st.text(st.sampled_from("a*_`~|[]()<>#-$! \n\\\U0001f30a1.\u00e9"), max_size=80)


@st.composite
def marked(draw: st.DrawFn) -> MessagePart:
    """A text with entities that are apart from one another, or within one another."""
    words = draw(LETTERS)
    at = list(accumulate(map(units, words), initial=0))
    found: list[formatting.Entity] = []
    for _ in range(draw(st.integers(0, 6))):
        first, last = sorted(at[draw(st.integers(0, len(words)))] for _ in range(2))
        one = formatting.Entity("bold", first, last - first)
        if one.length and all(_nested(one, other) for other in found):
            found.append(one)
    return formatting.MessagePart(words, tuple(sorted(found, key=lambda it: (it.offset, -it.length))))


def _nested(one: formatting.Entity, other: formatting.Entity) -> bool:
    apart = one.end <= other.offset or other.end <= one.offset
    within = (other.offset <= one.offset and one.end <= other.end) or (
        one.offset <= other.offset and other.end <= one.end
    )
    return apart or within


def as_given(piece: MessagePart) -> dict[str, object]:
    entities = [{"type": it.type, "offset": it.offset, "length": it.length} for it in piece.entities]
    return {"text": piece.text, "entities": entities}


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(marked(), st.integers(2, 40))
def test_pieces_fit_lose_no_word_and_hold_sound_entities(whole: MessagePart, limit: int) -> None:
    cut = formatting.split_message(whole, limit)
    assert all(formatting.utf16_length(it.text) == units(it.text) <= limit for it in cut)
    assert "".join("".join(it.text.split()) for it in cut) == "".join(whole.text.split())
    for piece in cut:
        marked_up(as_given(piece))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(marked(), st.integers(2, 40))
def test_an_entity_that_fits_into_a_message_is_never_cut(whole: MessagePart, limit: int) -> None:
    wide = whole.text.encode("utf-16-le")
    wanted = [wide[2 * it.offset : 2 * it.end].decode("utf-16-le") for it in whole.entities if it.length <= limit]
    found = []
    for piece in formatting.split_message(whole, limit):
        narrow = piece.text.encode("utf-16-le")
        found += [narrow[2 * it.offset : 2 * it.end].decode("utf-16-le") for it in piece.entities]
    for words in wanted:
        if words.strip():
            assert words in found
            found.remove(words)


@given(MARKS)
def test_whatever_a_model_writes_telegram_takes_it(markdown: str) -> None:
    for piece in formatting.split_message(formatting.markdown_to_entities(markdown)):
        marked_up(as_given(piece) | {"entities": [_raw(it) for it in piece.entities]})


def _raw(it: formatting.Entity) -> dict[str, object]:
    return {"type": it.type, "offset": it.offset, "length": it.length} | ({"url": it.url} if it.url else {})


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs", "Co"]), min_size=1, max_size=60))
def test_escaped_words_are_shown_as_they_are(words: str) -> None:
    shown = formatting.markdown_to_entities(escape_markdown(words))
    assert (shown.text.strip(), shown.entities) == (words.strip(), ())


@pytest.mark.parametrize(
    "words",
    [
        "`\\$HOME`",
        "use <div> and <br/>",
        "from $5 to $6, or $5/$6",
        "if a || b || c",
        "2 < 3 > 1",
        "snake_case_name",
        "AT&amp;T",
    ],
)
def test_signs_that_are_no_markdown_stay(words: str) -> None:
    assert formatting.markdown_to_entities(words).text == words.replace("&amp;", "&").strip("`")


@pytest.mark.parametrize(
    ("markdown", "kinds"),
    [
        ("**run `x` now**", ["bold", "code", "bold"]),
        ("[`x`](https://x.example/)", ["text_link"]),
        ("> one\n>> two", ["blockquote"]),
        ("# Tides", ["bold"]),
        ("```py\nx = 1\n```", ["pre"]),
    ],
)
def test_what_telegram_does_not_take_together_is_taken_apart(markdown: str, kinds: list[str]) -> None:
    assert [it.type for it in formatting.markdown_to_entities(markdown).entities if it.type != "underline"] == kinds


def test_a_message_has_at_most_a_hundred_entities() -> None:
    pieces = formatting.split_message(formatting.markdown_to_entities(" ".join(f"**w{n}**" for n in range(250))))
    assert [len(it.entities) for it in pieces] == [100, 100, 50]


@given(st.text(st.sampled_from("ab\U0001f30a"), max_size=60))
def test_a_growing_text_is_shown_by_its_end(words: str) -> None:
    shown = formatting.message_tail(words, 20)
    assert units(shown) <= 20
    assert words.endswith(shown.removeprefix("\u2026 "))
