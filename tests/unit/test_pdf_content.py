"""What ordinary PDF files carry besides plain running text: nothing of it is lost, or a notice tells so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.pdf_files import (
    WHOLE_PAGE_PICTURE,
    PdfPage,
    line_by_tm,
    line_by_words,
    line_flipped,
    line_of_codes,
    line_turned,
    pdf_file,
    unicode_font,
    unicode_map,
)
from wellread.documents.pdf import PdfExtractor
from wellread.output import print_document
from wellread.types import Extraction, Kind, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wellread.types import Mode


@pytest.fixture(autouse=True)
def _needs_pdfium() -> None:
    pytest.importorskip("pypdfium2")


def read(body: bytes, *, mode: Mode = "balanced", timeout_s: float | None = None) -> Extraction:
    source = Source(body=body, media_type="application/pdf", mode=mode, timeout_s=timeout_s)
    return PdfExtractor().extract(source)


def markdown(extraction: Extraction) -> str:
    return print_document(extraction.document, "markdown").text


def counts(extraction: Extraction) -> dict[str, int]:
    return {notice.code: notice.count for notice in extraction.notices}


def in_order(text: str, *parts: str) -> bool:
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


# ------------------------------------------------------------------------------------ running heads and feet


def tide_page(number: int) -> str:
    rows = [
        f"Am {day:02}.{number:02}. um {day % 12:02}:40 steht das Wasser {day % 7},{day:02} m hoch"
        for day in range(1, 29)
    ]
    lines = [line_by_words(60, 790 - 26 * at, row) for at, row in enumerate(rows)]
    return "".join(lines) + line_by_words(60, 20, f"Seite {number} von 4", size=8)


def test_pdf_rows_that_differ_in_numbers() -> None:
    extraction = read(pdf_file([tide_page(number) for number in range(1, 5)]))
    text = markdown(extraction)
    assert text.count("steht das Wasser") == 4 * 28
    assert "Seite 2 von 4" not in text
    assert counts(extraction)["running_heads_left_out"] == 4


def chronicle_page(number: int) -> str:
    body = [f"En {2010 + number} la junta del puerto trató {at} asuntos y cerró el libro." for at in range(40)]
    return (
        line_flipped(60, 805, f"{2010 + number}", size=18, font="F2")
        + "".join(line_flipped(60, 780 - 18 * at, row) for at, row in enumerate(body))
        + line_flipped(290, 24, f"- {number} -", size=9)
    )


def test_pdf_year_headings_that_count_up() -> None:
    extraction = read(pdf_file([chronicle_page(number) for number in range(1, 7)]))
    headings = [block.spans[0].text for block in extraction.document if block.kind is Kind.HEADING]
    assert headings == [str(2010 + number) for number in range(1, 7)]
    assert "- 3 -" not in markdown(extraction)
    assert counts(extraction)["running_heads_left_out"] == 6


def report_page(number: int) -> str:
    name = "The harbour of Sandholm" if number % 2 else "Chapter 4: The weir"
    head = line_by_tm(60, 815, f"{name} {number + 40}", size=9)
    return head + "".join(
        line_by_tm(60, 780 - 15 * at, f"Sentence {number}.{at} says what nobody else says.") for at in range(40)
    )


def test_pdf_heads_of_left_and_right_pages() -> None:
    body = pdf_file([report_page(number) for number in range(1, 9)])
    text = markdown(read(body))
    assert "The harbour of Sandholm" not in text
    assert "Chapter 4" not in text
    assert text.count("says what nobody else says.") == 8 * 40
    assert counts(read(body))["running_heads_left_out"] == 8
    whole = read(body, mode="recall")
    assert markdown(whole).count("The harbour of Sandholm") == 4
    assert "running_heads_left_out" not in counts(whole)


@pytest.mark.parametrize("label", ["Question {}", "Tag {}", "Kapitel {}.", "Artikel {}:", "\u00a7 {}"])
def test_pdf_headings_that_count_up_with_the_pages(label: str) -> None:
    pages = [
        line_by_tm(60, 800, label.format(number))
        + "".join(line_by_tm(60, 750 - 15 * at, f"Line {number}.{at} of the text") for at in range(8))
        + line_by_tm(290, 20, f"Seite {number}")
        for number in range(1, 7)
    ]
    extraction = read(pdf_file(pages))
    text = " ".join(markdown(extraction).replace("\\", "").split())
    assert all(label.format(number) in text for number in range(1, 7))
    assert counts(extraction)["running_heads_left_out"] == 6


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("Voucher: one crossing|Valid until the end of May|Not for resale|Harbour office", id="vouchers"),
        pytest.param("Lamp {0} turns {1} times|The lamp was cleaned", id="two-lines"),
        pytest.param(
            "{3}|The board met again in {3}, for reason {1}|and wrote it down, as it does each year", id="years"
        ),
    ],
)
def test_pdf_pages_alike_that_are_no_heads(page: str) -> None:
    lines = [page.format(number, 7 * number % 5, "", 1990 + number).split("|") for number in range(1, 9)]
    drawn = ["".join(line_by_tm(60, 700 - 40 * at, text) for at, text in enumerate(texts)) for texts in lines]
    extraction = read(pdf_file(drawn))
    assert all(text in markdown(extraction) for texts in lines for text in texts)
    assert "running_heads_left_out" not in counts(extraction)


def test_pdf_repeated_table_head_is_kept() -> None:
    def page(number: int) -> str:
        rows = [("Item", "Weight", "Price"), *((f"A-{number}{at}", f"{at} kg", f"{at},50") for at in range(10))]
        cells = (
            (x, 700 - 15 * at, text) for at, row in enumerate(rows) for x, text in zip((60, 200, 300), row, strict=True)
        )
        return "".join(line_by_tm(x, y, text) for x, y, text in cells)

    text = markdown(read(pdf_file([page(number) for number in range(1, 6)])))
    assert text.count("| Item | Weight | Price |") == 5


# ------------------------------------------------------------------------------------------- form values


def widget(kind: str, where: str, more: str) -> str:
    return f"<< /Type /Annot /Subtype /Widget /F 4 /FT /{kind} /Rect [{where}] {more} >>"


def test_pdf_form_texts_and_choices() -> None:
    fields = [
        "<< /FT /Tx /T (owner) /V (Ines Corrow) /Kids [6 0 R] >>",
        "<< /Type /Annot /Subtype /Widget /F 4 /Parent 5 0 R /Rect [200 695 400 712] >>",
        widget("Ch", "200 665 400 682", "/T (pier) /Ff 131072 /Opt [[(n) (North pier)] [(s) (South pier)]] /V (n)"),
        widget("Tx", "200 635 400 652", "/T (key) /Ff 8192 /V (kept secret)"),
        widget("Tx", "200 605 400 622", "/T (unseen) /F 2 /V (not shown)").replace("/F 4", ""),
    ]
    content = line_by_tm(60, 700, "Owner:") + line_by_tm(60, 670, "Pier:") + line_by_tm(60, 640, "Password:")
    page = PdfPage(content, ("6 0 R", "7 0 R", "8 0 R", "9 0 R"))
    catalog = "/AcroForm << /Fields [5 0 R 7 0 R 8 0 R 9 0 R] /DA (/Helv 10 Tf) >>"
    text = markdown(read(pdf_file([page], catalog=catalog, objects=fields)))
    assert "Owner: Ines Corrow" in text
    assert "Pier: North pier" in text
    assert "kept secret" not in text
    assert "not shown" not in text


def test_pdf_form_check_boxes_and_radio_buttons() -> None:
    box = "<< /Type /XObject /Subtype /Form /BBox [0 0 12 12] /Length 0 >>\nstream\n\nendstream"
    states = "/AP << /N << /{0} 5 0 R /Off 5 0 R >> >>"
    fields = [
        box,
        widget("Btn", "200 700 212 712", f"/T (a) /V /Ja /AS /Ja {states.format('Ja')}"),
        widget("Btn", "200 670 212 682", f"/T (b) /V /Off /AS /Off {states.format('Ja')}"),
        "<< /FT /Btn /Ff 49152 /T (r) /V /2 /Kids [9 0 R 10 0 R] >>",
        f"<< /Type /Annot /Subtype /Widget /F 4 /Parent 8 0 R /Rect [60 640 72 652] /AS /Off {states.format('1')} >>",
        f"<< /Type /Annot /Subtype /Widget /F 4 /Parent 8 0 R /Rect [60 610 72 622] /AS /2 {states.format('2')} >>",
    ]
    labels = [(60, 702, "Versichert"), (60, 672, "Gewerblich"), (80, 642, "im Monat"), (80, 612, "im Jahr")]
    content = "".join(line_by_words(x, y, text) for x, y, text in labels)
    page = PdfPage(content, tuple(f"{number} 0 R" for number in (6, 7, 9, 10)))
    catalog = "/AcroForm << /Fields [6 0 R 7 0 R 8 0 R] >>"
    text = read(pdf_file([page], catalog=catalog, objects=fields)).document
    lines = "\n".join("".join(span.text for span in block.spans) for block in text)
    assert "Versichert [x]" in lines
    assert "Gewerblich [ ]" in lines
    assert "[ ] im Monat" in lines
    assert "[x] im Jahr" in lines


# ------------------------------------------------------------------------------------- annotations and links


def test_pdf_typed_over_text() -> None:
    words = "".join(f"{ord(character):04X}" for character in "Genehmigt für 2025\nA. Żak")
    note = f"<< /Type /Annot /Subtype /FreeText /F 4 /Rect [300 690 500 730] /Contents <FEFF{words}> >>"
    text = markdown(read(pdf_file([PdfPage(line_by_words(60, 760, "Vertrag über einen Liegeplatz"), (note,))])))
    assert in_order(text, "Vertrag über einen", "Genehmigt für 2025", "A. Żak")


def test_pdf_closed_notes_are_counted() -> None:
    note = "<< /Type /Annot /Subtype /Text /Rect [300 690 320 710] /Contents (ask the harbour master first) >>"
    mark = "<< /Type /Annot /Subtype /Highlight /Rect [60 690 120 710] /Contents (is this still so?) >>"
    body = pdf_file([PdfPage(line_by_tm(60, 700, "The contract ends in March."), (note, mark))])
    extraction = read(body)
    assert "harbour master" not in markdown(extraction)
    assert counts(extraction)["notes_left_out"] == 2
    whole = markdown(read(body, mode="recall"))
    assert in_order(whole, "ends in March", "ask the harbour master first", "is this still so?")


def link(where: str, address: str) -> str:
    return f"<< /Type /Annot /Subtype /Link /Rect [{where}] /Border [0 0 0] /A << /S /URI /URI ({address}) >> >>"


def test_pdf_links_in_their_order() -> None:
    links = (
        link("60 640 200 652", "https://weir.example/b?x=1"),
        link("60 700 200 712", "http://harbour.example/timetable"),
        link("60 685 90 697", "http://harbour.example/timetable"),
        link("60 600 90 612", "mailto:harbour@harbour.example"),
        link("60 580 90 592", "javascript:app.alert"),
    )
    content = line_by_tm(60, 702, "See the timetable, which") + line_by_tm(60, 642, "goes on here")
    extraction = read(pdf_file([PdfPage(content, links)]))
    assert extraction.links == ("http://harbour.example/timetable", "https://weir.example/b?x=1")


def test_pdf_link_on_a_turned_page_of_indirect_objects() -> None:
    objects = [
        "<< /Type /Annot /Subtype /Link /Rect [60 640 200 652] /A 6 0 R >>",
        "<< /S /URI /URI (https://hafen.example/f%C3%A4hren) >>",
    ]
    page = PdfPage(line_turned(200, 60, "Fahrplan der Linie 4"), ("5 0 R",), "/Rotate 90")
    assert read(pdf_file([page], objects=objects)).links == ("https://hafen.example/f%C3%A4hren",)


# ----------------------------------------------------------------------------------- pages that are pictures


def test_pdf_scanned_pages_among_typed_ones() -> None:
    typed = line_by_words(60, 700, "Dieses Blatt wurde getippt und kann gelesen werden.")
    extraction = read(pdf_file([typed, WHOLE_PAGE_PICTURE, WHOLE_PAGE_PICTURE, typed, WHOLE_PAGE_PICTURE]))
    (notice,) = [notice for notice in extraction.notices if notice.code == "pages_without_text"]
    assert notice.count == 3
    assert "2-3, 5" in notice.detail


def test_pdf_scanned_pages_with_a_stamp() -> None:
    stamp = line_flipped(400, 20, "Received 4 May", size=8)
    typed = "".join(line_flipped(60, 700 - 16 * at, f"Line {at} of the letter, typed by hand.") for at in range(9))
    extraction = read(pdf_file([typed, f"{WHOLE_PAGE_PICTURE} {stamp}", "0 0 m 9 9 l S", typed]))
    (notice,) = [notice for notice in extraction.notices if notice.code == "pages_without_text"]
    assert notice.count == 1
    assert "page 2" in notice.detail
    assert "Received 4 May" in markdown(extraction)


# ------------------------------------------------------------------------------------------- reading order


LEFT = [
    "The left column begins here with the",
    "history of the ferry and goes on for",
    "several lines without any break, so",
    "that a reader who mixes the columns",
    "is found out at once by the words",
    "which then no longer follow. LEFTEND",
]
RIGHT = [
    "The right column tells of the yard",
    "where the second vessel is built and",
    "which has its own order of words to",
    "follow, line after line, down to the",
    "foot of the page where it stops with",
    "its own last word. RIGHTEND",
]
MIDDLE = [
    "In the middle one reads about the",
    "weather of that winter, which was",
    "hard, and about the ice that lay on",
    "the sound for nine weeks and more,",
    "so that nobody rowed over to the",
    "island before Easter. MIDDLEEND",
]


def columns(
    texts: Sequence[Sequence[str]], draw: Callable[..., str], places: Sequence[int], *, size: float = 10
) -> list[list[str]]:
    """Return each column's drawn lines."""
    return [
        [draw(x, 700 - 13 * at, line, size=size) for at, line in enumerate(lines)]
        for x, lines in zip(places, texts, strict=True)
    ]


def by_rows(drawn: Sequence[Sequence[str]]) -> str:
    return "".join("".join(row) for row in zip(*drawn, strict=True))


def test_pdf_columns_drawn_row_by_row() -> None:
    text = markdown(read(pdf_file([by_rows(columns([LEFT, RIGHT], line_by_words, (60, 310)))])))
    assert in_order(text, "The left column", "history of the ferry", "LEFTEND", "The right column", "RIGHTEND")


def test_pdf_right_column_drawn_first() -> None:
    left, right = columns([LEFT, RIGHT], line_flipped, (60, 310))
    title = line_flipped(60, 760, "Ferry Report 2024", size=20)
    wide = line_flipped(60, 730, "This line introduces both columns and runs over the whole width of the page at once.")
    text = markdown(read(pdf_file(["".join([*right, *left, wide, title])])))
    assert in_order(text, "# Ferry Report 2024", "This line introduces", "The left", "LEFTEND", "The right", "RIGHTEND")


def test_pdf_three_columns_drawn_row_by_row() -> None:
    drawn = by_rows(columns([LEFT, MIDDLE, RIGHT], line_by_tm, (40, 215, 390), size=9))
    text = markdown(read(pdf_file([drawn])))
    assert in_order(text, "The left", "LEFTEND", "In the middle", "MIDDLEEND", "The right", "RIGHTEND")


def test_pdf_narrow_columns_justified_with_wide_spaces() -> None:
    def spaced(x: float, y: float, text: str, *, size: float) -> str:
        words = text.split()
        return "".join(line_by_tm(x + 155 * at / len(words), y, word, size=size) for at, word in enumerate(words))

    drawn = columns([LEFT, MIDDLE, RIGHT], spaced, (30, 215, 400), size=6)
    text = markdown(read(pdf_file([by_rows(drawn)])))
    assert in_order(text, "The left", "LEFTEND", "In the middle", "MIDDLEEND", "The right", "RIGHTEND")


def test_pdf_title_drawn_last() -> None:
    body = "".join(line_by_tm(60, 700 - 14 * at, line) for at, line in enumerate(LEFT))
    extraction = read(pdf_file([body + line_by_tm(60, 780, "On the ferry", size=22, font="F2")]))
    assert extraction.document[0].kind is Kind.HEADING
    assert extraction.document[0].spans[0].text == "On the ferry"


def test_pdf_turned_text_in_columns() -> None:
    drawn = "".join(
        line_turned(100 + 13 * at, y, line, size=10)
        for at, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True))
        for y, line in ((60, left), (320, right))
    )
    text = markdown(read(pdf_file([drawn])))
    assert in_order(text, "The left column", "history of the ferry", "LEFTEND", "The right column", "RIGHTEND")


# ------------------------------------------------------------------------------------------------ hyphens


def test_pdf_words_broken_at_their_own_hyphen() -> None:
    lines = [
        "The harbour lives by a well-",
        "known rule on the traffic, and by the pro-",
        "file of its mother-in-",
        "law, whose state-of-the-",
        "art boat is a twenty-",
        "two foot cutter from Nieder-",
        "Olm, short-",
        "ly before the high-",
        "est tide, and of a self-",
        "made sail.",
    ]
    text = markdown(read(pdf_file(["".join(line_by_tm(60, 700 - 14 * at, line) for at, line in enumerate(lines))])))
    for word in ("well-known", "profile", "mother-in-law", "state-of-the-art", "twenty-two", "Nieder-Olm"):
        assert word in text
    for word in ("shortly", "highest", "self-made"):
        assert word in text


def test_pdf_hyphens_by_the_words_of_the_file() -> None:
    lines = [
        "Die Ostsee-Fähre und der Fähr-",
        "verkehr kennen Vor-",
        "und Nachteile; peut-être kommt peut-",
        "être wieder, das Mess-",
        "boot fährt, ein Messboot eben, und die kilo-",
        "metertiefe See der Jahre 1998-",
        "2004 ist kalt.",
    ]
    body = pdf_file(["".join(line_flipped(60, 700 - 14 * at, line) for at, line in enumerate(lines))])
    text = markdown(read(body))
    for words in ("Fährverkehr", "Vor- und Nachteile", "kommt peut-être wieder", "Messboot fährt", "kilometertiefe"):
        assert words in text
    assert "1998-2004" in text


# ------------------------------------------------------------------------------------------------ long files


def test_pdf_pages_beyond_the_limit_are_counted() -> None:
    extraction = read(pdf_file([line_by_tm(60, 700, f"This is leaf {number}.") for number in range(1_007)]))
    assert counts(extraction)["pages_cut"] == 7


def test_pdf_pages_read_when_time_ends() -> None:
    pages = ["".join(line_by_words(60, 800 - 12 * at, LEFT[0]) for at in range(60))] * 600
    extraction = read(pdf_file(pages), timeout_s=1.0)
    cut = counts(extraction)["pages_cut"]
    assert 0 < cut < 600
    assert markdown(extraction).count("*Page ") == 600 - cut


def test_pdf_page_of_more_words_than_one_batch() -> None:
    lines = [[f"w{row}x{column}" for column in range(25)] for row in range(130)]
    hidden = "1 1 1 rg " + line_by_words(20, 20, "nobody sees this", size=4) + " 0 g "
    drawn = [line_by_words(20, 830 - 6 * row, " ".join(words), size=4) for row, words in enumerate(lines)]
    extraction = read(pdf_file([hidden + "".join(drawn)]))
    words = markdown(extraction).split()
    assert words == [word for row in lines for word in row]
    assert counts(extraction) == {"hidden_text": len("nobodyseesthis")}


def test_pdf_objects_beyond_the_survey_are_read() -> None:
    points = "0 0 1 1 re f " * 20_000
    text = line_by_words(60, 700, "Words of many objects") + "1 1 1 rg " + line_by_tm(60, 650, "unseen")
    extraction = read(pdf_file([points + text]))
    assert markdown(extraction).strip() == "Words of many objects"
    assert counts(extraction) == {"hidden_text": len("unseen")}


def test_pdf_address_broken_at_its_hyphen() -> None:
    rows = ["The plans are at https://harbour.example/plans/long-", "term/index.html and no-", "where else."]
    text = markdown(read(pdf_file(["".join(line_by_tm(60, 700 - 15 * at, row) for at, row in enumerate(rows))])))
    assert "https://harbour.example/plans/long-term/index.html and nowhere else." in text


# --------------------------------------------------------------------------------------------------- scripts


def page_of_codes(*rows: tuple[float, float, str]) -> bytes:
    text = "".join(row for _, _, row in rows)
    drawn = "".join(line_of_codes(x, y, row, font="Codes") for x, y, row in rows)
    return pdf_file([drawn], objects=[unicode_map(text)], fonts=unicode_font("Codes"))


def test_pdf_lines_without_spaces_between_words() -> None:
    body = page_of_codes((60, 700, "\u65e5\u672c\u306e\u6e2f\u306f\u65e9"), (60, 685, "\u671d\u306b\u958b\u304f\u3002"))
    assert "\u65e5\u672c\u306e\u6e2f\u306f\u65e9\u671d\u306b\u958b\u304f\u3002" in markdown(read(body))


def test_pdf_vertical_columns_from_right_to_left() -> None:
    columns = ["HARBOUR", "MORNING", "LANTERN"]  # in letters that PDFium has a font for
    drawn = "".join(line_of_codes(500 - 22 * at, 760, column, font="Arial") for at, column in enumerate(columns))
    font = unicode_font("Arial").replace("Identity-H", "Identity-V")
    text = markdown(read(pdf_file([drawn], objects=[unicode_map("".join(columns))], fonts=font)))
    assert in_order(text, *columns)


def test_pdf_latin_words_within_a_hebrew_line() -> None:
    before, behind = (
        "\u05de\u05d7\u05d9\u05e8 \u05dc\u05d0\u05d3\u05dd \u05d1\u05d9\u05d5\u05dd",
        "\u05d5\u05e2\u05d5\u05d3",
    )
    shown = f"{behind[::-1]} ,North Pier Ferry {before[::-1]}"
    text = markdown(read(page_of_codes((60, 700, shown))))
    assert f"{before} North Pier Ferry, {behind}" in text


def test_pdf_hebrew_words_within_a_latin_line() -> None:
    phrase = "\u05de\u05d7\u05d9\u05e8 \u05dc\u05d0\u05d3\u05dd"
    text = markdown(read(page_of_codes((60, 700, f"The sign says {phrase[::-1]} in large letters"))))
    assert f"The sign says {phrase} in large letters" in text


def test_pdf_letters_that_the_file_does_not_name() -> None:
    drawn = "".join(line_of_codes(60, 700 - 15 * at, "Nobody knows these letters", font="Codes") for at in range(3))
    extraction = read(pdf_file([drawn], fonts=unicode_font("Codes", has_map=False)))
    assert counts(extraction) == {"garbled_text": 1}


# ------------------------------------------------------------------------------- what is no text of the pages


def test_pdf_attached_files_are_named() -> None:
    file = "<< /Type /Filespec /F (invoice.xml) /UF (invoice.xml) /EF << /F 6 0 R >> >>"
    stream = "<< /Type /EmbeddedFile /Length 6 >>\nstream\n<inv/>\nendstream"
    pin = "<< /Type /Annot /Subtype /FileAttachment /Rect [20 700 40 720] /FS 5 0 R /F 4 >>"
    body = pdf_file(
        [PdfPage(line_by_tm(60, 700, "Invoice 17"), [pin])],
        catalog="/Names << /EmbeddedFiles << /Names [(invoice.xml) 5 0 R] >> >>",
        objects=[file, stream],
    )
    (notice,) = read(body).notices
    assert (notice.code, notice.count) == ("attachments_left_out", 2)
    assert "invoice.xml" in notice.detail


def test_pdf_rich_text_typed_over_a_page() -> None:
    rich = "(<?xml version='1.0'?><body><p>Only rich &amp; nothing else</p></body>)"
    note = f"<< /Type /Annot /Subtype /FreeText /Rect [300 600 500 640] /RC {rich} /F 4 >>"
    assert "Only rich & nothing else" in markdown(read(pdf_file([PdfPage(line_by_tm(60, 700, "A page"), [note])])))


@pytest.mark.parametrize(("drawn", "told"), [("(APPROVED) Tj", {}), ("<0012> Tj", {"objects_left_out": 1})])
def test_pdf_stamps(drawn: str, told: dict[str, int]) -> None:
    look = f"BT /F1 14 Tf 4 8 Td {drawn} ET"
    form = f"<< /Type /XObject /Subtype /Form /BBox [0 0 200 30] /Length {len(look)} >>\nstream\n{look}\nendstream"
    stamp = "<< /Type /Annot /Subtype /Stamp /Rect [300 700 500 730] /AP << /N 5 0 R >> /F 4 >>"
    extraction = read(pdf_file([PdfPage(line_by_tm(60, 700, "A report"), [stamp])], objects=[form]))
    assert ("APPROVED" in markdown(extraction)) == (not told)
    assert counts(extraction) == told


def test_pdf_dynamic_form_is_told() -> None:
    xml = "<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'></xdp:xdp>"
    body = pdf_file(
        [line_by_tm(60, 700, "Please wait...")],
        catalog="/AcroForm << /Fields [] /XFA 5 0 R >> /NeedsRendering true",
        objects=[f"<< /Length {len(xml)} >>\nstream\n{xml}\nendstream"],
    )
    assert counts(read(body)) == {"objects_left_out": 1}
