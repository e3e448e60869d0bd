"""Finding words and patterns in a page: every place is exact, and no pattern can hold up the house."""

# ruff: noqa: RUF001 - letters that look alike are what is tested here

from __future__ import annotations

import tracemalloc
import unicodedata
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
from wellread.errors import InvalidInput
from wellread.output import PrintedDocument, print_document
from wellread.reading import find as page_search
from wellread.reading.find import find, fold, has_diacritics
from wellread.text import expression_search
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.types import Matches


def page(text: str) -> PrintedDocument:
    return PrintedDocument(text, (), (), ())


def texts(found: Matches) -> list[str]:
    return [match.text for match in found.matches]


# ------------------------------------------------------------------------------------------------------- what is alike


@pytest.mark.parametrize(
    ("text", "pattern", "found"),
    [
        ("Im Café.", "CAFÉ", "Café"),
        ("Im Cafe\u0301.", "CAFÉ", "Cafe\u0301"),
        ("Im Café.", "cafe\u0301", "Café"),
        ("Im Café.", "cafe", "Café"),
        ("Die Straße!", "STRASSE", "Straße"),
        ("DIE STRASSE!", "straße", "STRASSE"),
        ("ΟΔΟΣ", "οδος", "ΟΔΟΣ"),
        ("İstanbul", "istanbul", "İstanbul"),
        ("ısparta", "ISPARTA", "ısparta"),
        ("the ﬁle", "file", "ﬁle"),
        ("Ｆｕｌｌ width", "full", "Ｆｕｌｌ"),
        ("ｶﾞﾗｽ", "ガラス", "ｶﾞﾗｽ"),
        ("don’t — stop", "don't - stop", "don’t — stop"),
        ("“quoted”", '"quoted"', "“quoted”"),
        ("co\u00adop\u200beration", "cooperation", "co\u00adop\u200beration"),
        ("one\n  two\u00a0\u2003three", "one two  three", "one\n  two\u00a0\u2003three"),
        ("one two", "\n one\ttwo ", "one two"),
        ("한국어", "한국어", "한국어"),
        ("ё und Ёлка", "елка", "Ёлка"),
        ("שָׁלוֹם", "שלום", "שָׁלוֹם"),
        ("2 × 3 × 4", "× 3", "× 3"),
        ("10 \ud800 11", "\ud800", "\ud800"),
    ],
)
def test_words_are_found_however_they_are_spelled(text: str, pattern: str, found: str) -> None:
    assert texts(find(page(text), pattern)) == [found]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("cafe", "café"),
        ("Straße", "stras"),  # would end inside a letter
        ("각", "가"),
        ("\u1100\u1161\u11a8", "\u1100\u1161"),
        ("ม้า", "มา"),
        ("が", "か"),
        ("👩\u200d👧", "👩\ufe0f\u200d👦"),
        ("onetwo", "one two"),
        ("", "x"),
    ],
)
def test_what_reads_differently_is_not_found(text: str, pattern: str) -> None:
    assert find(page(text), pattern).total == 0


@pytest.mark.parametrize(
    ("text", "pattern", "found"),
    [
        ("a **bold** word", "bold word", "bold** word"),
        ("a *very **deep*** mark", "very deep mark", "very **deep*** mark"),
        ("see [the docs](https://a.example/x%28y) now", "the docs now", "the docs](https://a.example/x%28y) now"),
        ("call `open()` first", "call open() first", "call `open()` first"),
        ("five \\* six", "five * six", "five \\* six"),
        ("say ~~no~~ yes", "say no yes", "say ~~no~~ yes"),
        ("water is H<sub>2</sub>O here", "h2o", "H<sub>2</sub>O"),
        ("proven[^1] twice", "proven twice", "proven[^1] twice"),
        ("> first\n> second", "first second", "first\n> second"),
        ("> > one  \n> > two", "one two", "one  \n> > two"),
        ("| a<br>b | c |", "a b", "a<br>b"),
    ],
)
def test_markup_does_not_keep_words_apart(text: str, pattern: str, found: str) -> None:
    assert texts(find(page(text), pattern)) == [found]


@pytest.mark.parametrize("pattern", ["**kwargs", "a[0]", "https://a.example/x", "`", "[the docs](", "\\d+"])
def test_markup_that_is_looked_for_is_found(pattern: str) -> None:
    text = "def f(**kwargs): a[0] [the docs](https://a.example/x) `\\d+`"
    assert texts(find(page(text), pattern))[0] == pattern


def test_every_kind_of_inline_markup_is_looked_past() -> None:
    words = "alpha beta gamma delta epsilon zeta"
    styles = (Style.NONE, Style.STRONG, Style.EM, Style.CODE, Style.STRIKE, Style.STRONG | Style.EM)
    spans = tuple(
        Span(word, style, "https://a.example/(x)" if at % 2 else None)
        for at, (word, style) in enumerate(zip(words.split(), styles, strict=True))
    )
    spaced = tuple(part for span in spans for part in (span, Span(" ")))
    text = print_document((Block(Kind.PARAGRAPH, spaced),), "markdown")
    assert find(text, words).total == 1


# ------------------------------------------------------------------------------------------------------- what is told


def test_a_spot_tells_its_offsets_surroundings_and_headings() -> None:
    document = (
        Block(Kind.HEADING, (Span("Guide"),), level=1),
        Block(Kind.PARAGRAPH, (Span("Before it."),)),
        Block(Kind.HEADING, (Span("Setup"),), level=2),
        Block(Kind.PARAGRAPH, (Span("x" * 60 + " the needle " + "y" * 60),)),
    )
    text = print_document(document, "markdown")
    (match,) = find(text, "NEEDLE").matches
    assert text.text[match.start : match.end] == match.text == "needle"
    assert match.headings == ("Guide", "Setup")
    assert (match.before, match.after) == ("x" * 45 + " the ", " " + "y" * 49)
    assert find(text, "setup").matches[0].headings == ("Guide",)
    assert find(text, "guide").matches[0].headings == ()


def test_only_the_first_are_shown_but_all_are_counted() -> None:
    found = find(page("ab " * 25), "ab")
    assert (len(found.matches), found.total, found.pattern) == (10, 25, "ab")
    assert [match.start for match in found.matches] == list(range(0, 30, 3))
    assert len(find(page("ab " * 25), "ab", limit=3).matches) == 3


def test_places_never_overlap() -> None:
    assert [match.start for match in find(page("aaaaa **aa** a"), "aa").matches] == [0, 2, 8]


def test_surroundings_tear_no_character_from_its_marks() -> None:
    text = "e\u0301" * 40 + "needle" + "👩\u200d👧" * 30
    (match,) = find(page(text), "needle", context=5).matches
    assert match.before == "e\u0301" * 2
    assert match.after == "👩\u200d👧"


def test_a_match_at_the_edges_has_no_surroundings() -> None:
    (match,) = find(page("needle"), "needle").matches
    assert (match.start, match.end, match.before, match.after, match.headings) == (0, 6, "", "", ())


# ------------------------------------------------------------------------------------------------ regular expressions


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"\b\d{4}\b", ["2024", "2025"]),
        (r"straße", ["Straße", "STRASSE"]),
        (r"^über\w+", ["Überall"]),
        (r"(?<=im )\w+$", ["2025"]),
        (r"x*", []),
        (r"(?s)2024.*STRASSE", ["2024\nÜberall STRASSE"]),
    ],
)
def test_a_regular_expression_finds_its_matches(pattern: str, found: list[str]) -> None:
    text = "Straße 2024\nÜberall STRASSE\nund im 2025"
    assert texts(find(page(text), pattern, regex=True)) == found


@pytest.mark.parametrize(
    "pattern", ["(", "[z-a]", "a{2,1}", "\\", r"(?P<x", r"\p{Nope}", "(" * 400 + ")" * 400, "(?V0)(?V1)"]
)
def test_what_is_no_regular_expression_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidInput, match="regular expression"):
        find(page("text"), pattern, regex=True)


@pytest.mark.parametrize("pattern", [r"(a|aa)+b", r"(a.*?){20}z", r"a.*?b|a"])
def test_a_regular_expression_that_takes_too_long_is_refused(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expression_search, "REGEX_TIMEOUT_S", 0.05)
    with pytest.raises(InvalidInput, match="took longer than"):
        find(page("a" * 200_000), pattern, regex=True)


@pytest.mark.parametrize("regex", [False, True])
@pytest.mark.parametrize("pattern", ["", "x" * 1_001])
def test_a_pattern_that_says_nothing_or_too_much_is_refused(pattern: str, regex: bool) -> None:
    with pytest.raises(InvalidInput, match="pattern"):
        find(page("text"), pattern, regex=regex)


@pytest.mark.parametrize("pattern", [" \n", "\u200b", "\u00ad \ufeff"])
def test_a_pattern_of_nothing_visible_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        find(page("some text"), pattern)


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": -1}, {"context": -1}])
def test_limits_below_zero_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidInput):
        find(page("text"), "text", **wrong)  # type: ignore[arg-type]  # the names are those of the two numbers


# --------------------------------------------------------------------------------------------------------- properties

LETTERS = st.text(
    st.sampled_from(
        "aAeéE\u0301ßsSſﬁfiİıiΣςσ각가\u1100\u1161\u11a8かが\u3099ｶﾞ \n\u00a0\u00ad\u200b’'*[]()`\\_~<br>!^"
        "👩\u200d🏽\ud800"
    ),
    max_size=40,
)
# Not the spacing accents: their compatible spelling is a space and an accent.
WORDS = st.text(
    st.characters(blacklist_characters="*[]`\\~<>").filter(
        lambda letter: letter.isspace() or " " not in unicodedata.normalize("NFKD", letter)
    ),
    min_size=1,
    max_size=12,
)
SPELLINGS: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "folded": str.casefold,
    "composed": lambda words: unicodedata.normalize("NFC", words),
    "decomposed": lambda words: unicodedata.normalize("NFD", words),
    "compatible": lambda words: unicodedata.normalize("NFKC", words),
}


@settings(max_examples=500, deadline=None)
@given(text=LETTERS, pattern=LETTERS, context=st.integers(0, 8))
def test_what_is_found_folds_to_what_was_looked_for(text: str, pattern: str, context: int) -> None:
    marks = has_diacritics(pattern)
    wanted = fold(pattern.strip(" \n\u00a0\u00ad\u200b\u200d"), marks=marks)
    if not wanted:
        return
    end = 0
    for match in find(page(text), pattern, limit=1_000, context=context).matches:
        assert text[match.start : match.end] == match.text
        assert wanted in {fold(match.text, marks=marks), fold(match.text, marks=marks, blind=True)}
        assert match.start >= end
        end = match.end
        assert text[: match.start].endswith(match.before)
        assert text[match.end :].startswith(match.after)
        assert max(len(match.before), len(match.after)) <= context


@settings(max_examples=300, deadline=None)
@given(before=WORDS, words=WORDS, after=WORDS, spelling=st.sampled_from(sorted(SPELLINGS)))
def test_what_stands_in_the_page_is_found_in_any_spelling(before: str, words: str, after: str, spelling: str) -> None:
    pattern = SPELLINGS[spelling](words)
    try:
        found = find(page(f"{before} | {words} | {after}"), pattern, limit=1_000)
    except InvalidInput:
        assert not fold(words).strip()
        return
    at = len(before) + len(" | ")
    assert any(match.start < at + len(words) and match.end > at for match in found.matches)


@settings(max_examples=200, deadline=None)
@given(pattern=st.text(max_size=30), text=st.text(max_size=60))
def test_any_pattern_is_searched_for_or_refused(pattern: str, text: str) -> None:
    for regex in (False, True):
        try:
            found = find(page(text), pattern, regex=regex)
        except InvalidInput:
            continue
        assert all(text[match.start : match.end] == match.text for match in found.matches)


@pytest.mark.parametrize(
    "sentence", ["山中的蘑菇不能生吃《\\*\\_", "Грибы ядовиты; ", "Les pommes *mûres* ", "](x]((x](x)*`~[\n> > >"]
)
def test_cost_of_words_in_a_long_page(sentence: str) -> None:
    small = page(sentence * (50_000 // len(sentence)))
    large = page(small.text * 4)
    assert effort.work_grows_in_proportion(partial(find, small, "zebra gull"), partial(find, large, "zebra gull"))


def test_words_of_scripts_without_case_cost_little() -> None:
    text = page("山中的蘑菇不能生吃因为它含有强烈的毒素。" * 25_000)
    assert effort.takes_at_most(0.25, partial(find, text, "zebra gull"))


def memory_of(text: str, pattern: str, *, regex: bool) -> int:
    tracemalloc.start()
    find(page(text), pattern, regex=regex)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("regex", [False, True])
def test_memory_of_a_search_with_many_places(regex: bool) -> None:
    text = "ill *wells* é\n" * (2_500 if regex else 10_000)
    memory_of(text, "l", regex=regex)  # fills the caches
    assert memory_of(text * 4, "l", regex=regex) < 1.5 * memory_of(text, "l", regex=regex) + 500_000


@pytest.mark.parametrize("word", ["kettle", "ﬁve", "é", "*a* b", "ss"])
def test_words_at_every_place_of_a_long_page(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_search, "_WINDOW_CHARS", 16)
    for before in range(40):
        text = "x" * before + f"\n{word}\n" + "é*x* " * before + word
        matches = find(page(text), word).matches
        assert [(match.start, match.text) for match in matches if match.start == before + 1] == [(before + 1, word)]
        assert matches[-1].text == word


def test_page_beyond_the_limit_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_search, "MAX_TOKENS", 1_000)
    text = page("*gull* \n" * 1_000)
    found = find(text, "gull")
    assert 0 < found.total < 1_000
    (notice,) = found.notices
    assert notice.code == "search_cut"
    assert notice.detail == "the words were looked for in the first 2,000 of 8,000 characters"
    assert find(page("gull " * 10_000), "gull").notices == ()


def test_characters_that_are_folded_in_runs() -> None:
    for first, last in (("\u3041", "\u3096"), ("\u30a1", "\u30fa"), ("\u3400", "\u9fff"), ("\uac00", "\ud7a3")):
        run = "".join(map(chr, range(ord(first), ord(last) + 1)))
        assert fold(run) == fold(run, marks=False) == unicodedata.normalize("NFKC", run) == run
    full_width = "".join(map(chr, range(0xFF01, 0xFF5F)))
    assert fold(full_width) == unicodedata.normalize("NFKC", full_width).lower()
    alphabets = [chr(code) for code in range(0xA1, 0x2030) if chr(code).isalpha()]
    for marks in (True, False):
        assert fold("".join(alphabets), marks=marks) == "".join(fold(letter, marks=marks) for letter in alphabets)


def test_exclamation_mark_before_a_picture_is_markup() -> None:
    assert texts(find(page("Une pomme![](x.png)mûre!"), "pommemûre!")) == ["pomme![](x.png)mûre!"]
