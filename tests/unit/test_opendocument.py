"""OpenDocument files: texts, sheets and slides as they are shown, what nobody sees, and files made to do harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from effort import work_grows_in_proportion
from unit.odf_files import NAMESPACES, flat, odf, span, text_style
from unit.served import read_served
from wellread.documents import opendocument as extractor
from wellread.documents.opendocument import OpenDocumentExtractor, text_reader
from wellread.errors import Empty, Unsupported
from wellread.output import print_document
from wellread.types import Source

if TYPE_CHECKING:
    from wellread.types import Page

ODF = "application/vnd.oasis.opendocument."
SEEN = "<text:p>Seen.</text:p>"
NUMBERS = (
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="{0}" '
    'style:num-suffix=")"/><text:list-level-style-number text:level="2" style:num-format="1" style:num-suffix="." '
    'text:display-levels="2"/></text:list-style>'
)


def read(file: bytes, content_type: str = f"{ODF}text") -> Page:
    return read_served(file, content_type)


def text_of(inside: str, *, styles: str = "", common_styles: str = "") -> str:
    return read(odf(inside, styles=styles, common_styles=common_styles)).text


def counts(page: Page) -> dict[str, int]:
    return {warning.code: warning.count for warning in page.notices if warning.code != "thin_content"}


def in_recall(file: bytes) -> str:
    """Return the text that mode `recall` gives."""
    source = Source(body=file, media_type=f"{ODF}text", mode="recall")
    return print_document(OpenDocumentExtractor().extract(source).document, "markdown").text


def items(*texts: str) -> str:
    return "".join(f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in texts)


def row(*texts: str, attributes: str = "") -> str:
    cells = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in texts)
    return f"<table:table-row {attributes}>{cells}</table:table-row>"


def sheet(rows: str, attributes: str = "") -> str:
    return f'<table:table table:name="Tides" {attributes}>{rows}</table:table>'


# ------------------------------------------------------------------------------------------------- texts


def test_headings_by_outline_level_and_title_style() -> None:
    styles = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    text = text_of(
        '<text:p text:style-name="P1">The shore</text:p><text:h text:outline-level="2">Nests</text:h>' + SEEN,
        styles=styles,
    )
    assert text == "# The shore\n\n## Nests\n\nSeen."


def test_headings_numbered_by_the_outline_style() -> None:
    outline = (
        '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="1"/>'
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>'
    )
    head = '<text:h text:outline-level="{}">{}</text:h>'
    inside = "".join(head.format(*pair) for pair in ((1, "One"), (2, "Deep"), (2, "Deeper"), (1, "Two"), (2, "Last")))
    assert text_of(inside, common_styles=outline).split("\n\n") == [
        "# 1 One", "## 1.1 Deep", "## 1.2 Deeper", "# 2 Two", "## 2.1 Last",
    ]  # fmt: skip


def test_white_space_is_counted_as_the_format_says() -> None:
    text = text_of('<text:p>  a\n  b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e </text:p>')
    assert text == "a b c d  \ne"


def test_code_keeps_its_spaces() -> None:
    style = '<style:style style:name="C" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>'
    line = '<text:p text:style-name="C">{}</text:p>'
    text = text_of(line.format("if x:") + line.format('<text:s text:c="4"/>y') + SEEN, styles=style)
    assert text == "```\nif x:\n    y\n```\n\nSeen."


def test_character_styles_of_runs() -> None:
    styles = (
        text_style("B", 'fo:font-weight="bold"')
        + text_style("N", 'fo:font-weight="normal" fo:font-style="italic"', parent="B")
        + text_style("D", 'style:text-position="sub 58%"')
    )
    assert text_of(f"<text:p>{span('b', 'B')} {span('i', 'N')} H{span('2', 'D')}O</text:p>", styles=styles) == (
        "**b** *i* H<sub>2</sub>O"
    )


@pytest.mark.parametrize(
    ("num_format", "shown"),
    [("1", "1. one\n2. two"), ("a", "- a) one\n- b) two"), ("I", "- I) one\n- II) two")],
)
def test_items_are_labelled_as_shown(num_format: str, shown: str) -> None:
    text = text_of(
        f'<text:list text:style-name="L1">{items("one", "two")}</text:list>', styles=NUMBERS.format(num_format)
    )
    assert text == shown


def test_nested_list_is_numbered_with_its_parents() -> None:
    inner = f"<text:list>{items('deep', 'deeper')}</text:list>"
    inside = f'<text:list text:style-name="L1">{items("one")[:-17]}{inner}</text:list-item>{items("two")}</text:list>'
    text = text_of(inside, styles=NUMBERS.format("1"))
    assert text == "1. one\n   - 1.1. deep\n   - 1.2. deeper\n2. two"


def test_list_goes_on_after_a_paragraph() -> None:
    first = f'<text:list xml:id="a" text:style-name="L1">{items("one")}</text:list>'
    second = f'<text:list text:continue-list="a" text:style-name="L1">{items("two")}</text:list>'
    assert text_of(first + SEEN + second, styles=NUMBERS.format("1")) == "1. one\n\nSeen.\n\n2. two"


def test_table_with_spans_and_header_rows() -> None:
    head = f"<table:table-header-rows>{row('bird', 'pairs')}</table:table-header-rows>"
    wide = (
        '<table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>all</text:p>'
        "<text:p>of them</text:p></table:table-cell><table:covered-table-cell/></table:table-row>"
    )
    text = text_of(sheet(head + row("petrel", "41") + wide))
    assert text == "| bird | pairs |\n| --- | --- |\n| petrel | 41 |\n| all <br>of them |  |"


def test_table_that_lays_out_a_page_is_its_contents() -> None:
    inner = sheet(row("a", "b") + row("c", "d"))
    cell = f"<table:table-cell>{SEEN}{inner}</table:table-cell>"
    outer = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"
    assert text_of(outer) == "Seen.\n\n| a | b |\n| --- | --- |\n| c | d |"


def test_notes_links_and_ruby() -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>By the clock.</text:p>"
        "</text:note-body></text:note>"
    )
    ruby = "<text:ruby><text:ruby-base>\u6f22</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>"
    page = read(
        odf(f'<text:p>Low{note}, <text:a xlink:href="https://x.example/a b">there</text:a>, {ruby}, {note}</text:p>')
    )
    assert page.text == (
        "Low[^1], [there](https://x.example/a%20b), \u6f22(kan), [^1-2]\n\n[^1]: By the clock.\n\n[^1-2]: By the clock."
    )
    assert page.links == ("https://x.example/a%20b",)


def test_formula_becomes_tex() -> None:
    math = "<math:math><math:mfrac><math:mi>a</math:mi><math:mn>2</math:mn></math:mfrac></math:math>"
    frame = "<draw:frame><draw:object {}/><draw:image/></draw:frame>".format('xlink:href="./Object 1"')
    part = math.replace("<math:math>", f"<math:math {NAMESPACES}>")
    packed = odf(f"<text:p>It is {frame}.</text:p>", files={"Object 1/content.xml": part})
    assert read(packed).text == "It is $\\frac{a}{2}$."
    inline = f"<draw:frame><draw:object>{math}</draw:object></draw:frame>"
    assert read(flat(f"<text:p>It is {inline}.</text:p>"), f"{ODF}text-flat-xml").text == "It is $\\frac{a}{2}$."


def test_text_boxes_follow_their_paragraph_and_pictures_are_counted() -> None:
    box = f"<draw:frame><draw:text-box>{SEEN}</draw:text-box></draw:frame>"
    picture = "<draw:frame><draw:image/><svg:title>A</svg:title><svg:desc>A heron</svg:desc></draw:frame>"
    page = read_served(odf(f"<text:p>Before{box}{picture} after.</text:p>"), f"{ODF}text")
    assert page.text == "Before after.\n\nSeen."
    assert counts(page) == {"pictures_left_out": 1}


def test_form_controls_show_their_values() -> None:
    forms = (
        '<office:forms><form:form><form:checkbox form:id="c" form:label="Tick" form:current-state="checked"/>'
        '<form:text form:id="t" form:value="old" form:current-value="typed"/></form:form></office:forms>'
    )
    inside = '<text:p><draw:control draw:control="c"/>, <draw:control draw:control="t"/></text:p>'
    assert text_of(f"<text:section>{forms}{inside}</text:section>") == "\u2611 Tick, typed"


def test_fields_show_what_they_show() -> None:
    inside = (
        '<text:p><text:date text:date-value="2020-05-01">1 May</text:date> <text:page-number>3</text:page-number> '
        '<text:conditional-text text:condition="x" text:string-value-if-true="yes">no</text:conditional-text></text:p>'
    )
    assert text_of(inside) == "1 May 3 no"


def test_metadata() -> None:
    meta = (
        "<dc:title>The Shore</dc:title><meta:initial-creator>Ann Heron</meta:initial-creator>"
        "<meta:creation-date>2020-05-01T10:00:00</meta:creation-date><dc:language>en-GB</dc:language>"
    )
    page = read(odf(SEEN, meta=meta))
    assert (page.title, page.author, page.published_date) == ("The Shore", "Ann Heron", "2020-05-01T10:00:00")
    assert page.language == "en-GB"


# ------------------------------------------------------------------------------------- what is left out


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ('text:display="none"', "hidden text"),
        ('fo:color="#ffffff"', "white text"),
        ('fo:font-size="1pt"', "tiny font"),
    ],
)
def test_text_that_nobody_sees_is_counted(properties: str, reason: str) -> None:
    page = read(odf(f"<text:p>Seen.{span('Obey me.', 'X')}</text:p>", styles=text_style("X", properties)))
    assert page.text == "Seen."
    (warning,) = [warning for warning in page.notices if warning.code == "hidden_text"]
    assert (warning.count, warning.detail) == (1, f"text that readers cannot see was left out: {reason} (1)")


def test_white_text_on_a_colour_is_read() -> None:
    styles = text_style("W", 'fo:color="#FFFFFF"') + text_style("D", 'fo:color="#ffffff" fo:background-color="#000000"')
    cell = (
        '<style:style style:name="Dark" style:family="table-cell"><style:table-cell-properties '
        'fo:background-color="#113355"/></style:style>'
    )
    dark_cell = f'<table:table-cell table:style-name="Dark"><text:p>{span("cell", "W")}</text:p></table:table-cell>'
    table = f"<table:table><table:table-row>{dark_cell}{dark_cell}</table:table-row>{row('x', 'y')}</table:table>"
    page = read(odf(f"<text:section><text:p>{span('run', 'D')}</text:p>{table}</text:section>", styles=styles + cell))
    assert page.text == "run\n\n| cell | cell |\n| --- | --- |\n| x | y |"
    assert counts(page) == {}


def test_hidden_sections_paragraphs_and_fields_are_counted() -> None:
    page = read(
        odf(
            f'<text:section text:display="none">{SEEN}</text:section>'
            f'<text:section text:display="condition" text:is-hidden="true">{SEEN}</text:section>'
            f'<text:section text:display="condition">{SEEN}</text:section>'
            '<text:p><text:hidden-paragraph text:is-hidden="true"/>Obey me.</text:p>'
            '<text:p>On.<text:hidden-text text:is-hidden="true">Obey me.</text:hidden-text></text:p>'
        )
    )
    assert page.text == "Seen.\n\nOn."
    assert counts(page) == {"hidden_text": 4}


def test_tracked_deletions_are_counted() -> None:
    tracked = (
        "<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>Ann</dc:creator>"
        "</office:change-info><text:p>Obey me.</text:p></text:deletion></text:changed-region>"
        "<text:changed-region><text:insertion/></text:changed-region></text:tracked-changes>"
    )
    page = read(odf(f"<text:section>{tracked}<text:p>Se<text:change/>en.</text:p></text:section>"))
    assert page.text == "Seen."
    assert counts(page) == {"hidden_text": 1}


def test_comments_are_counted_and_read_in_recall() -> None:
    comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>Really?</text:p></office:annotation>"
    file = odf(f"<text:p>Seen.{comment}</text:p>")
    assert read(file).text == "Seen."
    assert counts(read(file)) == {"notes_left_out": 1}
    assert in_recall(file) == "Seen.\n\nNote (Ann): Really?"


def test_running_heads_and_contents_are_counted_and_read_in_recall() -> None:
    master = (
        '<style:master-page style:name="S"><style:header><text:p>The head</text:p></style:header></style:master-page>'
    )
    contents = (
        "<text:table-of-content><text:table-of-content-source/><text:index-body><text:p>One 3</text:p>"
        "</text:index-body></text:table-of-content>"
    )
    file = odf(f"<text:section>{contents}{SEEN}</text:section>", masters=master)
    assert read(file).text == "Seen."
    assert counts(read(file)) == {"running_heads_left_out": 1, "contents_left_out": 1}
    assert in_recall(file) == "One 3\n\nSeen.\n\nThe head"


def test_characters_that_show_nothing_are_counted() -> None:
    page = read(odf("<text:p>Seen\U000e0041.</text:p>"))
    assert page.text == "Seen."
    assert counts(page) == {"invisible_characters": 1}


# ------------------------------------------------------------------------------------------------ sheets


def sheets(*tables: str, styles: str = "") -> Page:
    return read(odf("".join(tables), kind="spreadsheet", styles=styles), f"{ODF}spreadsheet")


def test_sheet_becomes_a_table_of_shown_values() -> None:
    value = '<table:table-cell office:value-type="percentage" office:value="0.854"><text:p>85.4%</text:p>'
    value += "</table:table-cell>"
    bare = '<table:table-cell office:value-type="float" office:value="41"/>'
    page = sheets(sheet(row("bird", "share", "pairs") + f"<table:table-row>{bare}{value}{bare}</table:table-row>"))
    assert page.text == "## Tides\n\n| bird | share | pairs |\n| --- | --- | --- |\n| 41 | 85.4% | 41 |"


def test_hidden_sheets_rows_and_columns_are_counted() -> None:
    hidden = (
        '<style:style style:name="H" style:family="table"><style:table-properties table:display="false"/></style:style>'
    )
    columns = '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>'
    rows = row("a", "b", "c") + row("1", "2", "3", attributes='table:visibility="filter"') + row("4", "5", "6")
    page = sheets(sheet(columns + rows), sheet(row("x", "y"), 'table:style-name="H"'), styles=hidden)
    assert page.text == "## Tides\n\n| a | c |\n| --- | --- |\n| 4 | 6 |"
    assert counts(page) == {"hidden_text": 4}


def test_repeated_rows_and_cells_are_bounded() -> None:
    rows = (
        row("a", "b", attributes='table:number-rows-repeated="2"')
        + '<table:table-row table:number-rows-repeated="1048574"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row>'
        + row("c", "d")
        + row("end", "x", attributes='table:number-rows-repeated="99999999"')
    )
    page = sheets(sheet(rows))
    assert page.text.startswith("## Tides\n\n| a | b |\n| --- | --- |\n| a | b |\n| c | d |\n| end | x |\n| end | x |")
    assert page.text.count("| end | x |") == 19_997
    assert counts(page) == {"rows_cut": 1_100_000 - 19_997}


def test_wide_cell_repeated_in_many_rows_stays_small() -> None:
    wide = '<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>'
    page = sheets(sheet(f'<table:table-row table:number-rows-repeated="1048576">{wide}</table:table-row>' * 50))
    assert len(page.text) < 2_000_000
    assert counts(page)["rows_cut"] > 1_000_000


# ------------------------------------------------------------------------------------------------ slides


def slides(*pages: str, styles: str = "") -> Page:
    return read(odf("".join(pages), kind="presentation", styles=styles), f"{ODF}presentation")


def frame(text: str, attributes: str = "") -> str:
    return f"<draw:frame {attributes}><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"


def test_slides_are_sections_with_their_titles() -> None:
    words = frame("Say it.", 'presentation:class="notes"')
    notes = f"<presentation:notes>{words}</presentation:notes>"
    title = frame("The shore", 'presentation:class="title"')
    page = slides(
        f"<draw:page>{frame('Petrels.')}{title}{notes}</draw:page>", f"<draw:page>{frame('Terns.')}</draw:page>"
    )
    assert page.text == "## The shore\n\nPetrels.\n\n## Slide 2\n\nTerns."
    assert counts(page) == {"notes_left_out": 1}


def test_hidden_slides_and_slides_of_pictures_are_counted() -> None:
    hidden = (
        '<style:style style:name="H" style:family="drawing-page"><style:drawing-page-properties '
        'presentation:visibility="hidden"/></style:style>'
    )
    picture = "<draw:page><draw:frame><draw:image/></draw:frame></draw:page>"
    shown = f"<draw:page>{frame('Seen.')}</draw:page>"
    page = slides(shown, f'<draw:page draw:style-name="H">{frame("Obey me.")}</draw:page>', picture, styles=hidden)
    assert page.text == "## Slide 1\n\nSeen."
    assert counts(page) == {"hidden_text": 1, "pictures_left_out": 1, "pages_without_text": 1}


def test_white_text_on_a_white_slide_is_counted() -> None:
    styles = text_style("W", 'fo:color="#ffffff"')
    dark = (
        '<style:style style:name="D" style:family="drawing-page"><style:drawing-page-properties '
        'draw:fill="solid" draw:fill-color="#000033"/></style:style>'
    )
    text = frame(span("Words.", "W"))
    page = slides(
        f'<draw:page draw:style-name="D">{text}</draw:page>', f"<draw:page>{text}</draw:page>", styles=styles + dark
    )
    assert page.text == "## Slide 1\n\nWords."
    assert counts(page) == {"hidden_text": 1}


# ----------------------------------------------------------------------------------------------- refused


def test_flat_file_is_known_by_its_root() -> None:
    for kind in ("text", "spreadsheet", "presentation", "graphics"):
        page = read(flat(SEEN, kind=kind), "application/xml")
        assert page.extraction_method == "opendocument"
        assert "Seen." in page.text


@pytest.mark.parametrize("part", ["content.xml", "encrypted-package"])
def test_locked_file_is_refused(part: str) -> None:
    manifest = (
        f'<manifest:manifest {NAMESPACES}><manifest:file-entry manifest:full-path="{part}">'
        "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
    )
    with pytest.raises(Unsupported, match="locked with a password"):
        read(odf(SEEN, files={"META-INF/manifest.xml": manifest, "content.xml": b"\x8f\x00\x01"}))


def test_file_that_declares_entities_is_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">]>'
    file = flat("<text:p>&b;</text:p>").replace(b"\n", bomb.encode(), 1)
    with pytest.raises(Unsupported, match="it declares entities"):
        read(file, f"{ODF}text-flat-xml")


@pytest.mark.parametrize("content", [b"", b"no xml", b"<a"])
def test_damaged_content_is_refused(content: bytes) -> None:
    with pytest.raises(Unsupported, match="is damaged"):
        read(odf(SEEN, files={"content.xml": content}))


def test_file_without_text_is_empty() -> None:
    with pytest.raises(Empty, match="has no text"):
        read(odf("<text:p> </text:p>"))


def test_deep_lists_end_with_a_notice() -> None:
    deep = "<text:list><text:list-item>" * 400 + SEEN + "</text:list-item></text:list>" * 400
    page = read(odf(f"<text:section>{SEEN}{deep}</text:section>"))
    assert page.text == "Seen."
    assert "pages_cut" in counts(page)


def test_million_elements_end_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extractor, "MAX_ELEMENTS", 500)
    page = read(odf(f"<text:section>{SEEN * 1_000}</text:section>"))
    assert 400 < page.text.count("Seen.") < 500
    assert "pages_cut" in counts(page)


def test_pieces_are_bounded_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_reader, "MAX_PIECES", 100)
    page = read(odf(f"<text:section>{SEEN * 1_000}</text:section>"))
    assert page.text.count("Seen.") == 50
    assert "pages_cut" in counts(page)


def test_styles_based_on_each_other_end() -> None:
    styles = text_style("A", "", parent="B") + text_style("B", "", parent="A")
    assert text_of(f"<text:p>{span('Seen.', 'A')}</text:p>", styles=styles) == "Seen."


def test_bomb_of_zeros_is_cut() -> None:
    content = flat(SEEN).decode().partition("?>")[2].strip().replace("office:document ", "office:document-content ")
    content = content.replace("</office:document>", " " * 60_000_000 + "</office:document-content>")
    page = read(odf(SEEN, files={"content.xml": content}))
    assert page.text == "Seen."
    assert "pages_cut" in counts(page)


def test_time_grows_with_the_text() -> None:
    def document(count: int) -> Source:
        body = odf(f"<text:section>{(SEEN + sheet(row('a', 'b') * 3)) * count}</text:section>")
        return Source(body=body, media_type=f"{ODF}text")

    small, large = document(200), document(800)
    extract_document = OpenDocumentExtractor().extract
    assert work_grows_in_proportion(lambda: extract_document(small), lambda: extract_document(large))
