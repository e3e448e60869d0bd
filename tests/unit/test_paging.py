"""Continuation: pieces join to the whole and end where a reader would end them; cursors hold or are refused."""

from __future__ import annotations

import string
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wellread.citations.cursors import Cursor, cut, decode, encode
from wellread.errors import InvalidCursor, InvalidInput
from wellread.output import PrintedDocument, print_document
from wellread.types import Block, Document, Format, Heading, Kind, Span, Style

FORMATS: tuple[Format, ...] = ("markdown", "text", "html")

WORD = st.text(alphabet="abcXYZ09é-.,'/_", min_size=1, max_size=40)
HAN = st.text(alphabet="文字语言\uff0c。「」あーっ", min_size=1, max_size=40)
ODD = st.text(
    alphabet=st.sampled_from(
        "\u0301\u200d\ufe0f\U0001f468\U0001f3fd\U0001f1e6\U0001f1e8\ud83d\ude00\u0e01\u0e33\u0e40\u1100\u1161"
        "\n <>&`[]()"
    ),
    max_size=15,
)
SPACE = st.sampled_from([" ", " ", " ", "  \n", "\n", ". ", "! ", "\u00a0", "\t"])
PROSE = st.lists(st.tuples(WORD | HAN | ODD, SPACE), max_size=25).map(
    lambda parts: "".join(map("".join, parts)).strip()
)
BLOCKS = st.lists(st.tuples(PROSE.filter(bool), st.sampled_from(["\n\n", "\n"]), st.booleans()), max_size=12)
LENGTHS = st.integers(1, 12) | st.integers(1, 400)

SPANS = st.lists(
    st.builds(Span, PROSE, st.sampled_from([0, 0, 1, 4, 16, 128]), st.sampled_from([None, "https://e.example/?q=1 2"])),
    max_size=4,
).map(tuple)
LEAVES = st.one_of(
    st.builds(lambda spans: Block(Kind.PARAGRAPH, spans), SPANS),
    st.builds(lambda spans, level: Block(Kind.HEADING, spans, level=level), SPANS, st.integers(1, 6)),
    st.builds(lambda text: Block(Kind.CODE, (Span(text),), label="py"), PROSE),
    st.just(Block(Kind.RULE)),
)


def listed(children: list[Block]) -> Block:
    return Block(Kind.LIST, children=tuple(Block(Kind.ITEM, children=(child,)) for child in children))


def table(rows: list[list[tuple[Span, ...]]]) -> Block:
    return Block(
        Kind.TABLE,
        children=tuple(Block(Kind.ROW, children=tuple(Block(Kind.CELL, spans) for spans in row)) for row in rows),
    )


DOCUMENTS = st.lists(
    st.one_of(
        LEAVES,
        LEAVES,
        st.lists(LEAVES, max_size=4).map(listed),
        st.lists(LEAVES, max_size=3).map(lambda children: Block(Kind.QUOTE, children=tuple(children))),
        st.lists(st.lists(SPANS, min_size=1, max_size=3), max_size=4).map(table),
    ),
    max_size=6,
).map(tuple)


def whole(blocks: list[tuple[str, str, bool]]) -> PrintedDocument:
    """Join blocks (text, separator, is a heading) as a printer would."""
    text = ""
    cuts: list[int] = []
    headings: list[Heading] = []
    for body, separator, heading in blocks:
        if text:
            cuts.append(len(text))
        if heading:
            headings.append(Heading(2, body, len(text)))
        text += body + separator
    return PrintedDocument(text, tuple(cuts), tuple(headings), ())


def plain(text: str) -> PrintedDocument:
    return PrintedDocument(text, (), (), ())


def ends(told: PrintedDocument, max_length: int) -> list[int]:
    """Return 0 and the end of every piece, checking on the way what must always hold."""
    found = [0]
    while found[-1] < len(told.text):
        end = cut(told, found[-1], max_length)
        assert found[-1] < end <= min(found[-1] + max_length, len(told.text))
        found.append(end)
    return found


def pieces(told: PrintedDocument, max_length: int) -> list[str]:
    return [told.text[start:end] for start, end in pairwise(ends(told, max_length))]


def token_around(text: str, at: int) -> str:
    start, end = at, at
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end]


def is_spaced_letter(char: str) -> bool:
    return char.isalnum() and (char < "\u0e00" or "\u1100" <= char < "\u1780")


# ---------------------------------------------------------------------------------------- what always holds


@settings(max_examples=100, deadline=None)
@given(BLOCKS, LENGTHS)
def test_joined_pieces_equal_the_document(blocks: list[tuple[str, str, bool]], max_length: int) -> None:
    told = whole(blocks)
    assert "".join(pieces(told, max_length)) == told.text


@settings(max_examples=100, deadline=None)
@given(DOCUMENTS, st.sampled_from(FORMATS), st.booleans(), LENGTHS)
def test_joined_pieces_of_any_printed_document_equal_it(
    document: Document, format: Format, images: bool, max_length: int
) -> None:
    told = print_document(document, format, images=images)
    assert "".join(pieces(told, max_length)) == told.text


@settings(max_examples=100, deadline=None)
@given(BLOCKS, LENGTHS)
@example([("ab cdefgh", "\n", False)], 4)
def test_piece_ends_at_a_word(blocks: list[tuple[str, str, bool]], max_length: int) -> None:
    told = whole(blocks)
    for end in ends(told, max_length)[1:-1]:
        if is_spaced_letter(told.text[end - 1]) and is_spaced_letter(told.text[end]):
            assert len(token_around(told.text, end)) > max_length


@settings(max_examples=100, deadline=None)
@given(BLOCKS, LENGTHS)
def test_a_block_is_cut_only_when_it_alone_is_too_long(blocks: list[tuple[str, str, bool]], max_length: int) -> None:
    told = whole(blocks)
    edges = [0, *told.cuts, len(told.text)]
    for end in ends(told, max_length):
        if end not in edges:
            assert any(a < end < b and b - a > max_length for a, b in pairwise(edges))


@settings(max_examples=100, deadline=None)
@given(BLOCKS, LENGTHS)
def test_a_piece_ends_with_a_heading_only_when_it_holds_nothing_else(
    blocks: list[tuple[str, str, bool]], max_length: int
) -> None:
    told = whole(blocks)
    starts = {heading.start for heading in told.headings}
    for start, end in pairwise(ends(told, max_length)[:-1]):
        units = [start, *(at for at in told.cuts if start < at < end)]
        if end in told.cuts and units[-1] in starts:
            assert starts.issuperset(units)


@settings(max_examples=100, deadline=None)
@given(st.lists(ODD, max_size=6).map("".join), st.integers(6, 60))
def test_what_is_seen_as_one_character_stays_in_one_piece(text: str, max_length: int) -> None:
    for end in ends(plain(text), max_length)[1:-1]:
        pair = text[end - 1 : end + 1]
        if not pair[0].isspace() and len(token_around(text, end)) <= max_length:
            assert pair != "\ud83d\ude00"
            assert pair[1] not in "\u0301\u200d\ufe0f\U0001f3fd"
            assert pair[0] != "\u200d" or pair[1].isspace()


# -------------------------------------------------------------------------------------------- where pieces end


def test_a_piece_holds_as_many_whole_blocks_as_fit() -> None:
    told = whole([("one", "\n\n", False), ("two", "\n\n", False), ("three", "\n\n", False)])
    assert pieces(told, 12) == ["one\n\ntwo\n\n", "three\n\n"]


def test_headings_go_with_what_they_stand_above() -> None:
    told = whole([("text", "\n\n", False), ("# A", "\n\n", True), ("## B", "\n\n", True), ("more", "\n\n", False)])
    assert pieces(told, 18) == ["text\n\n", "# A\n\n## B\n\nmore\n\n"]


def test_heading_above_an_overlong_block() -> None:
    told = whole([("# A", "\n\n", True), ("five words of plain text", "\n\n", False)])
    assert pieces(told, 16) == ["# A\n\nfive words ", "of plain text\n\n"]


def test_heading_above_a_block_that_fits_the_next_piece() -> None:
    told = whole([("# A", "\n\n", True), ("plain text", "\n\n", False)])
    assert pieces(told, 12) == ["# A\n\n", "plain text\n\n"]


@pytest.mark.parametrize(
    ("text", "max_length", "expected"),
    [
        ("a = 1. And\nb = 2. Or\nc = 3", 21, ["a = 1. And\nb = 2. Or\n", "c = 3"]),
        ("One is here. Two is not. Three", 28, ["One is here. Two is not. ", "Three"]),
        ('He said "no." Then he left us', 20, ['He said "no." ', "Then he left us"]),
        ("Exactly. Full", 8, ["Exactly.", " Full"]),
        ("some words without an end", 12, ["some words ", "without an ", "end"]),
        ("ends here and more", 9, ["ends here", " and more"]),
        ("3.14 is a number", 6, ["3.14 ", "is a ", "number"]),
        ("今天天气很好。我们出去玩吧。好的", 15, ["今天天气很好。我们出去玩吧。", "好的"]),
        ("今天天气很好\uff0c我们出去玩吧", 6, ["今天天气很", "好\uff0c我们出去", "玩吧"]),
        ("ภาษาไทยสวยงาม", 5, ["ภาษา", "ไทยสว", "ยงาม"]),
        ("supercalifragilistic", 8, ["supercal", "ifragili", "stic"]),
        ("https://example.org/aa/bbb/cccc", 24, ["https://example.org/aa/", "bbb/cccc"]),
        ("a\u0301" * 4, 3, ["a\u0301"] * 4),
        ("\U0001f1e6\U0001f1e8" * 2, 3, ["\U0001f1e6\U0001f1e8"] * 2),
        ("\U0001f468\u200d\U0001f469 \U0001f468\U0001f3fd", 4, ["\U0001f468\u200d\U0001f469 ", "\U0001f468\U0001f3fd"]),
        ("\u0301" * 5, 2, ["\u0301\u0301", "\u0301\u0301", "\u0301"]),
        ("     ", 2, ["  ", "  ", " "]),
    ],
)
def test_an_overlong_block_is_cut_at_the_best_place_there_is(text: str, max_length: int, expected: list[str]) -> None:
    assert pieces(plain(text), max_length) == expected


def test_half_a_tag_is_never_handed_out() -> None:
    text = '<p>see <a href="https://e.example/">that page</a> or <img src="x" alt="a b"> this</p>'
    for max_length in range(40, 60):
        for piece in pieces(plain(text), max_length):
            assert piece.count("<") == piece.count(">"), (max_length, piece)


def test_a_long_code_block_is_cut_between_its_lines() -> None:
    code = "\n".join(f"line_{number} = compute({number})  # note. And more" for number in range(50))
    told = print_document((Block(Kind.CODE, (Span(code),), label="python"),), "markdown")
    assert all(piece.endswith("\n") for piece in pieces(told, 200)[:-1])


def test_a_long_table_is_cut_between_its_rows() -> None:
    told = print_document((table([[(Span(f"name {number}"),), (Span("value"),)] for number in range(50)]),), "markdown")
    assert all(piece.startswith("| ") and piece.endswith("|\n") for piece in pieces(told, 200)[1:-1])


def test_a_paragraph_of_links_is_cut_outside_of_them() -> None:
    spans = tuple(Span(f"link {number}", Style.NONE, f"https://e.example/{number}") for number in range(40))
    told = print_document((Block(Kind.PARAGRAPH, spans),), "html")
    for piece in pieces(told, 150):
        assert piece.count("<") == piece.count(">")


def test_a_million_characters_without_a_space_are_cut_in_no_time() -> None:
    assert len(pieces(plain("x" * 1_000_000), 100_000)) == 10


def test_no_limit_takes_all_that_is_left() -> None:
    assert cut(plain("some text"), 3, None) == 9
    assert cut(plain(""), 0, None) == cut(plain(""), 0, 10) == 0


@pytest.mark.parametrize("max_length", [0, -1])
def test_a_length_below_one_is_refused(max_length: int) -> None:
    with pytest.raises(InvalidInput):
        cut(plain("text"), 0, max_length)


@pytest.mark.parametrize("start", [-1, 4, 5, 10**9])
def test_a_start_outside_the_text_is_refused(start: int) -> None:
    with pytest.raises(InvalidCursor):
        cut(plain("text"), start, 10)


# ------------------------------------------------------------------------------------------------- cursors

CURSORS = st.builds(
    Cursor,
    st.binary(min_size=32, max_size=32).map(lambda digest: f"sha256:{digest.hex()}"),
    st.sampled_from(FORMATS),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)


@settings(max_examples=100)
@given(CURSORS)
def test_a_cursor_comes_back_as_it_was(cursor: Cursor) -> None:
    text = encode(cursor)
    assert decode(text) == decode(f" {text}\n") == cursor
    assert len(text) == 56
    assert set(text) <= set(string.ascii_letters + string.digits + "-_")


@settings(max_examples=100)
@given(CURSORS, st.integers(0, 55), st.sampled_from(string.ascii_letters + string.digits + "-_ =é\x00"))
def test_a_cursor_with_any_character_changed_is_refused(cursor: Cursor, at: int, char: str) -> None:
    text = encode(cursor)
    changed = f"{text[:at]}{char}{text[at + 1 :]}"
    if changed.strip() != text:
        with pytest.raises(InvalidCursor):
            decode(changed)


@settings(max_examples=100)
@given(CURSORS, st.integers(0, 55), st.text(max_size=5))
def test_a_cursor_cut_short_or_grown_is_refused(cursor: Cursor, length: int, more: str) -> None:
    text = encode(cursor)
    for changed in (text[:length], text + "A" + more, text[:length] + more):
        if changed.strip() != text:
            with pytest.raises(InvalidCursor):
                decode(changed)


@given(st.text(max_size=200))
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidCursor):
        decode(text)
