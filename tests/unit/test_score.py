"""The confidence rules and the counting of words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.extraction.completeness import confidence_score as confidence
from wellread.text.word_count import count_words as words

COUNTS = st.integers(0, 200_000)
CHARS = st.integers(0, 10_000_000)


@settings(max_examples=300)
@given(COUNTS, CHARS, CHARS)
def test_confidence_by_word_count(count: int, text_chars: int, source_chars: int) -> None:
    """Property 7 of seed 001: the number of words bounds the confidence."""
    value = confidence(count, text_chars, source_chars)
    assert 0.0 <= value <= 1.0
    if count > 800:
        assert value >= 0.9
    elif count >= 300:
        assert 0.7 <= value <= 0.9
    elif count >= 120:
        assert 0.5 <= value <= 0.7
    else:
        assert value < 0.5


@settings(max_examples=300)
@given(COUNTS, st.integers(0, 500), CHARS, CHARS)
def test_more_words_never_lower_confidence(count: int, more: int, text_chars: int, source_chars: int) -> None:
    assert confidence(count + more, text_chars, source_chars) >= confidence(count, text_chars, source_chars)


@pytest.mark.parametrize(("text_chars", "change"), [(4_000, 0.1), (2_000, 0.0), (500, -0.1)])
def test_the_ratio_of_text_to_source_moves_confidence_by_a_tenth(text_chars: int, change: float) -> None:
    assert confidence(550, text_chars, 10_000) == pytest.approx(0.8 + change)


def test_an_unknown_source_length_changes_nothing() -> None:
    assert confidence(550, 4_000, 0) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("   \n", 0),
        ("one two, three-four", 4),
        ("naïve café", 2),
        ("Привет, мир", 2),
        ("한국어 문장", 2),
        ("中文网页内容", 3),
        ("中", 1),
        ("日本語のテキスト and English", 6),
        ("ภาษาไทยง่าย", 3),
        ("ភាសាខ្មែរ", 2),
        ("one " + " ".join(map(chr, range(0x2190, 0x2200))) + " two", 2),  # more signs than are replaced one by one
        ("\u201csnake_case\u201d\u2014it\u2019s", 3),
    ],
)
def test_words_are_counted_in_scripts_with_and_without_spaces(text: str, count: int) -> None:
    assert words(text) == count


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_a_text_has_at_most_as_many_words_as_characters(text: str) -> None:
    assert 0 <= words(text) <= len(text)
