"""Passages: slices of the printed page, at block borders, under their headings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import takes_at_most
from wellread.index.pieces import pieces
from wellread.output import print_document
from wellread.rank.passages import passages
from wellread.types import Block, Extraction, Kind, Metadata, Passage, Snapshot, Span, Style

hundred = settings(max_examples=100, deadline=None)


def snapshot(document: tuple[Block, ...] = (), title: str = "Title") -> Snapshot:
    return Snapshot(
        id="sha256:0",
        url="http://a.example/",
        final_url="http://b.example/",
        status=200,
        content_type=None,
        fetched_at=0.0,
        fetch_time_ms=0,
        extraction_time_ms=0,
        extraction=Extraction(document=document, metadata=Metadata(title=title), method="test"),
        confidence=1.0,
    )


def paragraph(text: str) -> Block:
    return Block(Kind.PARAGRAPH, (Span(text),))


def heading(text: str, level: int = 2) -> Block:
    return Block(Kind.HEADING, (Span(text),), level=level)


def cut(*document: Block, chars: int = 500) -> list[Passage]:
    return passages(print_document(document, "markdown"), snapshot(document), chars=chars)


def test_small_neighbours_are_joined_and_say_where_they_come_from() -> None:
    (told,) = cut(paragraph("One."), paragraph("Two."))
    assert told.text == "One.\n\nTwo."
    assert (told.url, told.title, told.snapshot_id, told.start, told.end) == (
        "http://a.example/",
        "Title",
        "sha256:0",
        0,
        10,
    )


def test_neighbours_that_do_not_fit_together_stay_apart() -> None:
    told = cut(paragraph("a" * 300), paragraph("b" * 300))
    assert [len(passage.text) for passage in told] == [300, 300]


def test_a_heading_goes_with_what_follows_and_is_on_its_path() -> None:
    told = cut(heading("Top", 1), paragraph("Intro."), heading("Sub"), paragraph("Body."))
    assert [(passage.text, passage.headings) for passage in told] == [
        ("# Top\n\nIntro.", ("Top",)),
        ("## Sub\n\nBody.", ("Top", "Sub")),
    ]


def test_a_heading_goes_along_even_when_what_follows_is_long() -> None:
    told = cut(heading("Top", 1), paragraph("A sentence of words. " * 40))
    assert told[0].text.startswith("# Top\n\nA sentence")


def test_headings_with_nothing_below_are_kept() -> None:
    told = cut(paragraph("Body."), heading("Top", 1), heading("Sub"))
    assert [passage.text for passage in told] == ["Body.", "# Top\n\n## Sub"]


@pytest.mark.parametrize(
    "lead",
    ["How many steps are there?", "These are the reasons:", "为什么换灯\uff1f", "لماذا تغير المصباح؟", "*How many?*"],
)
def test_what_asks_or_announces_goes_with_what_follows(lead: str) -> None:
    told = cut(paragraph("a " * 200), paragraph(lead), paragraph("b " * 60), paragraph("c " * 200))
    assert [lead.strip("*") in passage.text for passage in told] == [False, True, False]
    assert told[1].text.endswith("b")


def test_a_term_stays_with_its_definition() -> None:
    term = Block(Kind.PARAGRAPH, (Span("Hermit crab", Style.STRONG),))
    told = cut(paragraph("a " * 240), term, paragraph("It moves house."))
    assert [passage.text for passage in told[1:]] == ["**Hermit crab**\n\nIt moves house."]


def test_a_question_goes_along_even_when_its_answer_is_long() -> None:
    told = cut(paragraph("Why?"), paragraph("A sentence of words. " * 40))
    assert told[0].text.startswith("Why?\n\nA sentence")


def test_a_row_of_questions_is_cut_between_them() -> None:
    told = cut(*(paragraph(f"Is this question number {number} of the whole row?") for number in range(40)))
    assert len(told) > 3
    assert all(passage.text.startswith("Is this") and passage.text.endswith("row?") for passage in told)


def test_code_that_ends_in_a_colon_announces_nothing() -> None:
    told = cut(paragraph("a " * 200), Block(Kind.CODE, (Span("if x:"),)), paragraph("b " * 200))
    assert [passage.text[:1] for passage in told] == ["a", "b"]


def test_a_long_paragraph_is_cut_after_sentences() -> None:
    told = cut(paragraph("This sentence has six whole words. " * 60), chars=200)
    assert len(told) > 1
    assert all(passage.text.endswith("words.") for passage in told)
    assert all(100 < len(passage.text) <= 200 for passage in told)


def test_a_long_paragraph_without_spaces_is_cut_after_its_full_stops() -> None:
    told = cut(paragraph("黑豹队的防守只丢了三百分。" * 60), chars=200)
    assert len(told) > 1
    assert all(passage.text.endswith("。") for passage in told)


def test_abbreviations_and_what_goes_on_in_lower_case_end_no_sentence() -> None:
    text = "We met J. Smith of the U. S. office, i.e. the big one. " * 8
    told = pieces(text, 80)
    assert len(told) > 1
    assert all(text[piece.start : piece.end].strip().endswith("one.") for piece in told)


def test_endless_word_is_cut_between_characters() -> None:
    text = "e\u0301" * 300
    told = pieces(text, 99)
    assert len(told) > 1
    assert all(text[piece.start] == "e" for piece in told)


def test_lists_and_tables_are_cut_between_items_and_rows() -> None:
    items = tuple(Block(Kind.ITEM, children=(paragraph(f"Item number {number} of the list."),)) for number in range(40))
    told = cut(Block(Kind.LIST, children=items))
    assert len(told) > 1
    assert all(passage.text.startswith("- Item") and passage.text.endswith("list.") for passage in told)


def test_an_empty_page_has_no_passages() -> None:
    assert cut() == []


@pytest.mark.parametrize("chars", [0, 1])
def test_a_foolish_length_still_ends(chars: int) -> None:
    assert "".join(passage.text for passage in cut(paragraph("abc de"), chars=chars)) == "abcde"


leaves = st.builds(
    lambda kind, text, level: Block(kind, (Span(text),), level=level),
    st.sampled_from([Kind.PARAGRAPH, Kind.HEADING, Kind.CODE]),
    st.text(alphabet="ab .\n。é中*[]\u0301", max_size=90),
    st.integers(1, 6),
)
blocks = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda kind, children: Block(kind, children=tuple(children)),
        st.sampled_from([Kind.LIST, Kind.ITEM, Kind.QUOTE]),
        st.lists(inner, max_size=3),
    ),
    max_leaves=8,
)


@given(st.lists(blocks, max_size=8), st.integers(1, 120))
@hundred
def test_passages_are_ordered_slices_of_the_page(document: list[Block], chars: int) -> None:
    """Property 13 of seed 001: every passage is a slice of its page."""
    whole = print_document(tuple(document), "markdown")
    told = passages(whole, snapshot(), chars=chars)
    at = 0
    for passage in told:
        assert at <= passage.start < passage.end
        assert passage.text == whole.text[passage.start : passage.end] == passage.text.strip()
        assert len(passage.text) <= chars
        at = passage.end
    held = {at for passage in told for at in range(passage.start, passage.end)}
    for mark in whole.marks:
        assert all(at in held or whole.text[at].isspace() for at in range(mark.start, mark.end))


@given(st.text(alphabet="ab .!?\n。é中\u0301", max_size=300), st.integers(1, 50))
@hundred
def test_pieces_join_to_the_text_and_none_is_too_long(text: str, most: int) -> None:
    told = pieces(text, most)
    assert "".join(text[piece.start : piece.end] for piece in told) == text
    assert all(0 < piece.end - piece.start <= most for piece in told) or not text


def test_a_page_of_full_stops_is_cut_in_linear_time() -> None:
    assert takes_at_most(2, lambda: pieces("." * 200_000, 500))


def test_headings_without_text() -> None:
    told = cut(heading("Shelf"), heading("Pot", 3), heading("Cup", 3), heading("Opening hours"), paragraph("At nine."))
    assert [(passage.text, passage.headings) for passage in told] == [
        ("## Shelf\n\n### Pot", ("Shelf",)),
        ("### Cup", ("Shelf",)),
        ("## Opening hours\n\nAt nine.", ("Opening hours",)),
    ]


# --------------------------------------------------------------------------------------- what a passage lacks


def table(rows: int) -> Block:
    told = (
        ("Port", "Ferry", "Leaves"),
        *((f"Harbour {n}", f"The good ship {n}", f"0{n % 10}:15") for n in range(rows)),
    )
    return Block(
        Kind.TABLE,
        children=tuple(
            Block(Kind.ROW, children=tuple(Block(Kind.CELL, (Span(cell),), level=int(not at)) for cell in row))
            for at, row in enumerate(told)
        ),
    )


def code(lines: int) -> Block:
    text = "\n".join(f"value_{n} = compute({n})  # Adds. Then it goes on." for n in range(lines))
    return Block(Kind.CODE, (Span(text),), label="python")


def test_table_over_two_passages() -> None:
    told = cut(paragraph("The ferries."), table(30), paragraph("After it. " * 30))
    assert [passage.cut for passage in told] == ["end", "start and end", "start", ""]
    assert all(passage.text.endswith("|") for passage in told[:3])
    assert all(passage.text.startswith("| Harbour") for passage in told[1:3])
    assert "".join(passage.text for passage in told).count("| Harbour") == 30


def test_two_tables_in_a_row_are_not_taken_for_one() -> None:
    told = cut(table(8), table(8), chars=400)
    assert [passage.cut for passage in told] == ["", ""]
    assert all(passage.text.startswith("| Port") for passage in told)  # a header goes with its first row


def test_code_is_cut_between_its_lines_and_says_so() -> None:
    told = cut(code(40), paragraph("a " * 200))
    assert [passage.cut for passage in told] == ["end", *["start and end"] * (len(told) - 3), "start", ""]
    assert all(passage.text.endswith("goes on.") for passage in told[:-2])
    assert all(passage.text.startswith("value_") for passage in told[1:-1])
    assert told[-2].text.endswith("goes on.\n```")


def test_a_line_of_code_that_fits_nowhere_is_cut_all_the_same() -> None:
    told = cut(Block(Kind.CODE, (Span("x = " + "1 + " * 300),)))
    assert len(told) > 2
    assert all(len(passage.text) <= 500 for passage in told)


def test_a_list_that_is_cut_between_items_says_so() -> None:
    items = tuple(Block(Kind.ITEM, children=(paragraph(f"Item number {number} of the list."),)) for number in range(40))
    told = cut(paragraph("The items:"), Block(Kind.LIST, children=items), paragraph("a " * 240))
    assert [passage.cut for passage in told] == ["end", "start and end", "start", ""]


def test_a_paragraph_of_an_item_goes_with_the_item() -> None:
    item = Block(Kind.ITEM, children=(paragraph("a " * 200), paragraph("b " * 200)))
    assert [passage.cut for passage in cut(Block(Kind.LIST, children=(item,)))] == ["end", "start"]


def test_cut_of_a_long_and_a_short_paragraph() -> None:
    told = cut(paragraph("Short."), paragraph("This sentence has six whole words. " * 20), chars=300)
    assert [passage.cut for passage in told] == ["", "end", "start and end", "start"]
