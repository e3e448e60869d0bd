"""The printer: three formats from one tree, offsets that hold, and text that cannot pass for markup."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wellread.output import print_document
from wellread.types import Block, Document, Format, Kind, Span, Style

FORMATS: tuple[Format, ...] = ("markdown", "text", "html")
COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])

NASTY = st.text(alphabet=st.sampled_from("#>-+*_`~|[]()!<&\\:;=.1a b\n\té語"), max_size=30)
WORDS = st.text(alphabet=st.sampled_from("abc XYZ09.,äß語"), min_size=1, max_size=30)
STYLES = st.sampled_from([0, 0, 0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 256])
HREFS = st.sampled_from([None, None, None, "https://example.org/a_(b)", "https://example.org/?q=1 2|3"])
SPANS = st.lists(st.builds(Span, NASTY | WORDS, STYLES, HREFS), max_size=5).map(tuple)
LEAVES = st.one_of(
    st.builds(lambda spans: Block(Kind.PARAGRAPH, spans), SPANS),
    st.builds(lambda spans, level: Block(Kind.HEADING, spans, level=level), SPANS, st.integers(0, 9)),
    st.builds(lambda text, label: Block(Kind.CODE, (Span(text),), label=label), NASTY, st.sampled_from(["", "py"])),
    st.just(Block(Kind.RULE)),
)


def table(rows: list[list[tuple[tuple[Span, ...], int]]]) -> Block:
    return Block(
        Kind.TABLE,
        children=tuple(
            Block(Kind.ROW, children=tuple(Block(Kind.CELL, spans, level=level) for spans, level in row))
            for row in rows
        ),
    )


TABLES = st.lists(st.lists(st.tuples(SPANS, st.integers(0, 1)), max_size=4), max_size=4).map(table)


def containers(blocks: st.SearchStrategy[Block]) -> st.SearchStrategy[Block]:
    inside = st.lists(blocks, max_size=3).map(tuple)
    items = st.lists(inside.map(lambda children: Block(Kind.ITEM, children=children)), max_size=3).map(tuple)
    return st.one_of(
        st.builds(lambda children, level: Block(Kind.LIST, children=children, level=level), items, st.integers(0, 12)),
        inside.map(lambda children: Block(Kind.QUOTE, children=children)),
        inside.map(lambda children: Block(Kind.FOOTNOTE, children=children, label="1")),
    )


DOCUMENTS = st.lists(st.recursive(LEAVES | TABLES, containers, max_leaves=12), max_size=5).map(tuple)


def paragraph(*spans: Span | str) -> Block:
    return Block(Kind.PARAGRAPH, tuple(Span(span) if isinstance(span, str) else span for span in spans))


def items(*children: tuple[Block, ...], level: int = 0) -> Block:
    return Block(Kind.LIST, children=tuple(Block(Kind.ITEM, children=inside) for inside in children), level=level)


def markdown(*blocks: Block, images: bool = False) -> str:
    return print_document(blocks, "markdown", images=images).text


# ------------------------------------------------------------------------------------------- what holds


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, st.sampled_from(FORMATS), st.booleans())
def test_slices_between_cuts_join_to_the_whole_text(document: Document, format: Format, images: bool) -> None:
    told = print_document(document, format, images=images)
    assert list(told.cuts) == sorted(set(told.cuts))
    assert all(0 < cut < len(told.text) for cut in told.cuts)
    assert all(told.text[cut - 1] == "\n" for cut in told.cuts)
    edges = [0, *told.cuts, len(told.text)]
    assert "".join(told.text[a:b] for a, b in pairwise(edges)) == told.text


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, st.sampled_from(FORMATS), st.booleans())
def test_marks_are_ordered_disjoint_inside_the_text_and_never_empty(
    document: Document, format: Format, images: bool
) -> None:
    told = print_document(document, format, images=images)
    end = 0
    for mark in told.marks:
        assert end <= mark.start < mark.end <= len(told.text)
        assert told.text[mark.start : mark.end].strip()
        assert not any(mark.start < cut < mark.end for cut in told.cuts)
        end = mark.end
    assert [mark.start for mark in told.marks if mark.kind is Kind.HEADING] == [head.start for head in told.headings]


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS)
def test_html_holds_few_attributes_and_closes_what_it_opens(document: Document) -> None:
    told = print_document(document, "html", images=True).text
    opened: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert {name for name, _ in attrs} <= ({"start"} if tag == "ol" else {"href", "src", "alt"})
            if tag not in {"br", "hr", "img"}:
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Reader().feed(told)
    assert opened == []


@settings(max_examples=300, deadline=None)
@given(st.lists(NASTY, min_size=1, max_size=3))
def test_page_text_cannot_forge_markdown_structure(texts: list[str]) -> None:
    shown = [text for text in texts if text.strip()]
    tokens = COMMONMARK.parse(markdown(*(paragraph(text) for text in texts)))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"] * len(shown)
    for text, token in zip(shown, tokens[1::3], strict=True):
        children = token.children or []
        assert {child.type for child in children} <= {"text", "softbreak", "hardbreak", "text_special"}
        read = "".join(child.content if child.type.startswith("text") else " " for child in children)
        assert read.split() == text.split()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.builds(Span, NASTY, st.sampled_from([0, 1, 2, 3, 8]), st.none()), min_size=1, max_size=5))
def test_no_link_image_or_html_arises_where_styled_spans_meet(spans: list[Span]) -> None:
    tokens = COMMONMARK.parse(markdown(paragraph(*spans)))
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    found = {child.type for token in tokens for child in token.children or []}
    assert not found & {"link_open", "image", "html_inline", "code_inline"}


MARKS = st.text(alphabet="a *_", max_size=6)


@settings(max_examples=500, deadline=None)
@given(MARKS, MARKS, st.sampled_from([1, 2, 3]), MARKS)
@example("", "* a", 1, " b")
@example("a ", " *", 2, "a")
@example("", "_", 3, "a")
def test_what_is_emphasised_reads_as_it_was_written(before: str, inside: str, style: int, after: str) -> None:
    told = markdown(paragraph(f"x {before}", Span(inside, style), f"{after} x"))
    read = "".join(child.content for token in COMMONMARK.parse(told) for child in token.children or [])
    assert "".join(read.split()) == "".join(f"x{before}{inside}{after}x".split())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(NASTY, min_size=2, max_size=3), min_size=1, max_size=4))
def test_cell_text_cannot_break_out_of_a_table(texts: list[list[str]]) -> None:
    block = table([[((Span(text),), 0) for text in row] for row in texts])
    told = markdown(block)
    rows = sum(any(text.strip() for text in row) for row in texts)
    tokens = COMMONMARK.parse(told)
    assert sum(token.type == "tr_open" for token in tokens) == rows
    assert not tokens or {tokens[0].type, tokens[-1].type} == {"table_open", "table_close"}


@pytest.mark.parametrize("format", FORMATS)
def test_a_tree_of_any_depth_is_printed(format: Format) -> None:
    block = paragraph("bottom")
    for _ in range(20_000):
        block = Block(Kind.QUOTE, children=(block,))
    assert "bottom" in print_document((block,), format).text


# ---------------------------------------------------------------------------------------- what it looks like


def test_headings_lists_and_code_print_as_markdown() -> None:
    told = markdown(
        Block(Kind.HEADING, (Span("Making tea"),), level=1),
        paragraph("Boil ", Span("fresh", Style.STRONG), " water in a ", Span("kettle", 0, "https://k.example/"), "."),
        items((paragraph("green"),), (paragraph("black"), items((paragraph("Assam"),), level=1))),
        Block(Kind.CODE, (Span("boil()\n\n  # wait\n"),), label="python"),
    )
    assert told == (
        "# Making tea\n\nBoil **fresh** water in a [kettle](https://k.example/).\n\n"
        "- green\n- black\n  1. Assam\n\n```python\nboil()\n\n  # wait\n```"
    )


def test_items_of_several_paragraphs_stand_apart() -> None:
    told = markdown(items((paragraph("one"), paragraph("more")), (paragraph("two"),), level=9))
    assert told == "9. one\n\n   more\n\n10. two"


@pytest.mark.parametrize("start", [0, 1, 2, 7])
def test_a_list_below_a_line_is_one_whatever_number_it_begins_with(start: int) -> None:
    inner = items((paragraph("b"),), (paragraph("c"),), level=start)
    told = print_document((items((paragraph("a"), inner), (paragraph("d"),)),), "markdown")
    opened = [it for it in COMMONMARK.parse(told.text) if it.type.endswith("_list_open")]
    assert [it.type for it in opened] == ["bullet_list_open", "ordered_list_open" if start else "bullet_list_open"]
    assert opened[1].attrs == ({"start": start} if start > 1 else {})
    assert [told.text[cut:].split()[1] for cut in told.cuts] == ["b", "c", "d"]
    assert [told.text[mark.start : mark.end].split()[-1] for mark in told.marks] == ["a", "b", "c", "d"]


def test_two_lists_in_a_row_stay_two() -> None:
    assert markdown(items((paragraph("a"),)), items((paragraph("b"),))) == "- a\n\n* b"


def test_quotes_carry_their_sign_on_every_line() -> None:
    told = markdown(Block(Kind.QUOTE, children=(paragraph("a\nb"), items((paragraph("c"),)))))
    assert told == "> a  \n> b\n>\n> - c"


def test_a_fence_is_longer_than_any_run_of_backticks_inside() -> None:
    assert markdown(Block(Kind.CODE, (Span("```\nx\n```"),))) == "````\n```\nx\n```\n````"
    assert markdown(paragraph(Span("a`b", Style.CODE))) == "``a`b``"


def test_a_table_has_header_rule_padding_and_escaped_pipes() -> None:
    block = table([[((Span("Name"),), 1), ((Span("Use"),), 1)], [((Span("a|b", Style.CODE),), 0)]])
    assert markdown(block) == "| Name | Use |\n| --- | --- |\n| `a\\|b` |  |"


def test_a_table_without_header_cells_takes_its_first_row_for_one() -> None:
    told = print_document((table([[((Span("a"),), 0), ((Span("b"),), 0)]]),), "markdown")
    assert told.text == "| a | b |\n| --- | --- |"
    assert [told.text[mark.start : mark.end] for mark in told.marks] == ["| a | b |"]


def test_footnotes_keep_reference_and_note() -> None:
    note = Block(Kind.FOOTNOTE, children=(paragraph("See there."),), label="1")
    assert markdown(paragraph("Claim", Span("1", Style.NOTE)), note) == "Claim[^1]\n\n[^1]: See there."


def test_images_print_only_on_request() -> None:
    block = paragraph("Look: ", Span("a cat", Style.IMAGE, "https://c.example/cat.png"))
    assert markdown(block) == "Look:"
    assert markdown(block, images=True) == "Look: ![a cat](https://c.example/cat.png)"
    assert print_document((block,), "html", images=True).text == (
        '<p>Look: <img src="https://c.example/cat.png" alt="a cat"></p>'
    )


def test_raised_lowered_and_mathematical_text_keep_their_meaning() -> None:
    block = paragraph("10", Span("-3", Style.SUP), " H", Span("2", Style.SUB), "O ", Span(r"\frac{a}{b}", Style.MATH))
    assert markdown(block) == r"10<sup>-3</sup> H<sub>2</sub>O $\frac{a}{b}$"
    assert print_document((block,), "text").text == r"10^-3 H2O \frac{a}{b}"
    assert markdown(paragraph(Span("x^2", Style.MATH))) == "$$x^2$$"


def test_a_formula_makes_no_reference_to_a_note() -> None:
    assert markdown(paragraph("See ", Span("x[^1]", Style.MATH))) == "See $x[ ^1]$"


def test_escaped_dollar_signs() -> None:
    assert markdown(paragraph("from $5 to US$ 6, or 7$")) == "from $5 to US$ 6, or 7$"
    assert markdown(paragraph("a $$ b $$$ c")) == r"a \$\$ b \$\$\$ c"
    assert markdown(paragraph("$5 ", Span("a$ [x](http://e/)", Style.CODE))) == r"\$5 `a$ [x](http://e/)`"
    assert markdown(paragraph("$5 ", Span("ls", Style.CODE))) == "$5 `ls`"
    assert markdown(paragraph("\\$5(", Span("x", Style.MATH))) == r"\\\$5($x$"


def test_ordinary_prose_is_not_littered_with_backslashes() -> None:
    prose = "Use snake_case, 5 * 3 = 15, [1] costs ~5 $; AT&T said: a < b! (see #3), C:\\dir 2024-01-01, x_1"
    assert markdown(paragraph(prose)) == prose


def test_space_at_the_end_of_bold_words() -> None:
    both = int(Style.STRONG | Style.EM)
    spans = (Span("Pour", both), Span(" Note:", int(Style.STRONG)), Span("it is hot"))
    assert markdown(Block(Kind.PARAGRAPH, spans)) == "***Pour* Note**:it is hot"


def test_tilde_after_struck_out_words() -> None:
    struck = paragraph(Span("30 \u20ac", Style.STRIKE), "~20 \u20ac")
    assert print_document((struck,), "markdown").text == "~~30 \u20ac~~\\~20 \u20ac"


def test_dashes_in_bold_and_a_typed_rule() -> None:
    assert print_document((paragraph(Span("---", Style.STRONG)),), "markdown").text == "**---**"
    for typed in ("---", "- - -", "***", "* * *", "_ _ _", "| --- |", ":-:"):
        told = COMMONMARK.parse(print_document((paragraph("A"), paragraph(typed)), "markdown").text)
        assert [token.type for token in told if token.nesting == 1] == ["paragraph_open"] * 2, typed


def test_links_that_do_not_lead_to_the_web_print_as_text() -> None:
    block = paragraph(Span("click", 0, "javascript:alert(1)"))
    assert [print_document((block,), told).text for told in FORMATS] == ["click", "click", "<p>click</p>"]


def test_html_is_escaped_and_nested() -> None:
    told = print_document(
        (items((paragraph("<script>"), items((paragraph("b & c"),), level=1))), table([[((Span("x"),), 1)]])), "html"
    ).text
    assert told == (
        "<ul>\n<li>\n<p>&lt;script&gt;</p>\n<ol>\n<li>\n<p>b &amp; c</p>\n</li>\n</ol>\n</li>\n</ul>\n"
        "<table>\n<tr><th>x</th></tr>\n</table>"
    )


def test_marks_know_what_they_are_and_which_headings_stand_above() -> None:
    told = print_document(
        (
            Block(Kind.HEADING, (Span("A"),), level=1),
            Block(Kind.HEADING, (Span("B"),), level=2),
            items((paragraph("one"), paragraph("more"))),
            Block(Kind.HEADING, (Span("C"),), level=2),
            Block(Kind.QUOTE, children=(paragraph("said"),)),
        ),
        "markdown",
    )
    assert [(mark.kind, mark.path) for mark in told.marks] == [
        (Kind.HEADING, ()),
        (Kind.HEADING, ("A",)),
        (Kind.ITEM, ("A", "B")),
        (Kind.PARAGRAPH, ("A", "B")),
        (Kind.HEADING, ("A",)),
        (Kind.QUOTE, ("A", "C")),
    ]


def test_an_empty_document_prints_nothing() -> None:
    for told in FORMATS:
        assert print_document((), told) == print_document((paragraph(" "), items((paragraph(""),))), told)
        assert print_document((), told).text == ""
