"""UTF-8 that somebody took for Latin-1 or windows-1252 is mended, and nothing else is touched."""

from __future__ import annotations

import pytest

from effort import work_grows_in_proportion
from pages import KETTLE
from wellread import extract
from wellread.text.characters import on_one_line, repaired_encoding, without_invisible


def misread(text: str, encoding: str = "latin-1") -> str:
    return text.encode().decode(encoding)


@pytest.mark.parametrize("text", ["there\u2019s", "\u20ac9 at noon", "\u00e9t\u00e9", "Tea\u00ae", "\U0001fad6 tea"])
@pytest.mark.parametrize("beside", ["", " \u2013 \u4e2d"])
def test_what_was_misread_is_mended_beside_what_was_not(text: str, beside: str) -> None:
    assert repaired_encoding(misread(text) + beside) == text + beside


@pytest.mark.parametrize(
    "text", ["d\u00e9j\u00e0\u00a0vu", "\u0447\u0430\u0439", "\u00ab\u00c0 Paris\u00bb, dit-elle\u2026"]
)
def test_a_text_that_was_misread_as_a_whole_is_mended_as_a_whole(text: str) -> None:
    assert repaired_encoding(misread(text)) == text


def test_misread_windows_quotation_marks_within_words() -> None:
    assert (
        repaired_encoding("It\u00e2\u20ac\u2122s \u00e2\u20ac\u0153hot\u00e2\u20ac\x9d") == "It\u2019s \u201chot\u201d"
    )


@pytest.mark.parametrize(
    "text",
    [
        "MANH\u00c3\u00a0e",
        "\u00ab\u00c3\u00bb e \u00abN\u00c3O\u00bb", "S\u00c3O PAULO", "3 \u00d7\u00a04", "\u00c9\u00ae",
        "It writes \u00e2\u20ac\u2122 instead.", "\u00c2 and \u00c3", "caf\u00e9 \u2013 tea",
        "Writing \u00c3\u00a9 for \u00e9 is a fault.", "\u0106\u00c3\u00a9",
        "\u00ed\u00a0\u0080 \u2013", "\u00e0\u0080\u0080 \u2013",
    ],
)  # fmt: skip
def test_what_somebody_may_have_meant_stays(text: str) -> None:
    assert repaired_encoding(text) == text


def test_a_misread_page_reads_as_it_was_written() -> None:
    said = misread("Here\u2019s tea\u00a0\u2014 for \u20ac9, \u00e0 Paris\u2026")
    page = extract(f"<title>{said}</title><article><p>{said}</p><pre>{said}</pre><p>{KETTLE * 3}</p></article>")
    assert "Here\u2019s tea \u2014 for \u20ac9, \u00e0 Paris\u2026\n\n```\nHere\u2019s tea" in page.text
    assert page.title == "Here\u2019s tea \u2014 for \u20ac9, \u00e0 Paris\u2026"


def test_signs_in_code_are_kept_as_they_are_unless_they_are_none() -> None:
    page = extract(
        f"<article><p>Of <code>\u00c3\u00a9</code>:</p><pre>a = '\u00c3\u00a9'</pre><p>{KETTLE * 3}</p></article>"
    )
    assert "Of `\u00c3\u00a9`:\n\n```\na = '\u00c3\u00a9'\n```" in page.text


def test_repaired_text_is_cleaned_and_escaped() -> None:
    hidden = misread("te\u200b\u202e\U000e0041a \u2013")
    assert "tea \u2013" in extract(f"<article><p>{hidden}</p><p>{KETTLE * 3}</p></article>").text
    every = "".join(map(chr, range(0x80, 0x100)))
    pairs = "".join(f"{one}{two}" for one in every for two in every)
    assert not set(map(chr, range(128))) & set(repaired_encoding(pairs + "\u2013"))
    assert without_invisible(repaired_encoding(hidden))[0] == "tea \u2013"


@pytest.mark.parametrize("piece", ["\u00c3", "\u00f0\u009f", "\u00e2\u20ac", "\u00e2\u0080\u0099"])
def test_cost_of_mending_is_linear(piece: str) -> None:
    small, large = (piece * (size // len(piece)) + "\u2013" for size in (100_000, 400_000))
    assert work_grows_in_proportion(lambda: repaired_encoding(small), lambda: repaired_encoding(large))


def test_a_line_keeps_words_apart_at_breaks_and_invisible_characters() -> None:
    assert on_one_line(" low\x0btide \u200b at\n\nnoon\x85") == "low tide at noon"
