"""Content of Word documents that a converter can lose: fields, formulas, numbers, form controls, notes of reviewers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from effort import work_grows_in_proportion
from unit.at_hand import extract
from unit.office import R, W, docx, paragraph, part, related, run
from wellread.documents.docx import DocxExtractor
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.types import Extraction, Page

M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
V = "urn:schemas-microsoft-com:vml"
O = "urn:schemas-microsoft-com:office:office"  # noqa: E741 - the prefix that Word writes
_NAMESPACES = {"w": W, "r": R, "m": M, "w14": W14, "mc": MC, "wps": WPS, "wp": WP, "a": A, "v": V, "o": O}


def word(
    body: str,
    *,
    parts: dict[str, str | bytes] | None = None,
    links: tuple[tuple[str, str, str], ...] = (),
    styles: str = "",
) -> bytes:
    """Return a document whose body may use every prefix; `links` are relationships of the main part."""
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in _NAMESPACES.items())
    standard = [(name, name, f"{name}.xml") for name in ("styles", "numbering", "footnotes", "endnotes", "comments")]
    return docx(
        "",
        styles=styles,
        more={
            "word/document.xml": f"<w:document {declared}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": related(*standard, *links),
            **(parts or {}),
        },
    )


def read(body: str, **options: object) -> Page:
    return extract(word(body, **options))  # type: ignore[arg-type]  # each test gives its own


def recalled(body: bytes) -> Extraction:
    return DocxExtractor().extract(Source(body=body, media_type=DocxExtractor.media_types[0], mode="recall"))


def words(extraction: Extraction) -> list[str]:
    return ["".join(span.text for span in block.spans) for block in extraction.document]


def warning(page: Page, code: str) -> tuple[int, str]:
    """Return count and detail of the one warning with this code."""
    (notice,) = [notice for notice in page.notices if notice.code == code]
    return notice.count, notice.detail


# ------------------------------------------------------------------------------------------------------- fields


def field(instruction: str, result: str = "", data: str = "") -> str:
    """Return a complex field; without a result it has no separator either."""
    separate = f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{result}' if result else ""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin">{data}</w:fldChar></w:r>'
        f"<w:r><w:instrText> {instruction} </w:instrText></w:r>{separate}"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph(run("See "), f'<w:fldSimple w:instr=" REF a ">{run("clause 4")}</w:fldSimple>'), "See clause 4"),
        (
            paragraph(run("Abb. "), f'<w:fldSimple w:instr=" SEQ Abb ">{run("12")}</w:fldSimple>', run(": Mole")),
            "Abb. 12: Mole",
        ),
    ],
)
def test_simple_field_result(body: str, text: str) -> None:
    assert read(body).text == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph(run("On "), field("DATE", run("3 May"))), "On 3 May"),
        (paragraph(field(f"IF {field('MERGEFIELD Sex', run('f'))} = f", run("Madam"))), "Madam"),
        (
            paragraph(field('HYPERLINK "https://shore.example/a"', run("the count"))),
            "[the count](https://shore.example/a)",
        ),
    ],
)
def test_complex_field_result_without_instruction(body: str, text: str) -> None:
    assert read(body).text == text


def test_field_over_several_paragraphs() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>'
    separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("separate", "end"))
    body = paragraph(begin, separate, run("1 Birds")) + paragraph(run("2 Boats")) + paragraph(end) + paragraph(run("x"))
    assert read(body).text == "1 Birds\n\n2 Boats\n\nx"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph(run("Click "), field("MACROBUTTON NoMacro [the date here]")), "Click [the date here]"),
        (paragraph(run("Mark "), field('SYMBOL 97 \\f "Symbol"')), "Mark \u03b1"),
    ],
)
def test_field_whose_instruction_is_shown(body: str, text: str) -> None:
    assert read(body).text == text


@pytest.mark.parametrize("instruction", ["PAGE", "NUMPAGES"])
def test_field_without_a_result_is_counted(instruction: str) -> None:
    page = read(paragraph(run("Page "), field(instruction)))
    assert warning(page, "objects_left_out")[0] == 1


# ----------------------------------------------------------------------------------------------------- formulas


def math_run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def fraction(top: str, bottom: str) -> str:
    return f"<m:f><m:num>{top}</m:num><m:den>{bottom}</m:den></m:f>"


def argument(text: str) -> str:
    return f"<m:e>{math_run(text)}</m:e>"


@pytest.mark.parametrize(
    ("omml", "tex"),
    [
        (f"<m:sSup>{argument('x')}<m:sup>{math_run('2')}</m:sup></m:sSup>", "x^{2}"),
        (f"<m:sSub>{argument('a')}<m:sub>{math_run('ij')}</m:sub></m:sSub>", "a_{ij}"),
        (
            f"<m:sSubSup>{argument('x')}<m:sub>{math_run('1')}</m:sub><m:sup>{math_run('n')}</m:sup></m:sSubSup>",
            "x_{1}^{n}",
        ),
        (fraction(math_run("a+b"), math_run("2")), r"\frac{a+b}{2}"),
        (f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>{argument("x")}</m:rad>', r"\sqrt{x}"),
        (f"<m:rad><m:deg>{math_run('3')}</m:deg>{argument('x')}</m:rad>", r"\sqrt[3]{x}"),
        (
            (
                '<m:nary><m:naryPr><m:chr m:val="\u2211"/></m:naryPr>'
                f"<m:sub>{math_run('i=1')}</m:sub><m:sup>{math_run('n')}</m:sup>{argument('i')}</m:nary>"
            ),
            r"\sum_{i=1}^{n}{i}",
        ),
        (
            f"<m:nary><m:sub>{math_run('0')}</m:sub><m:sup>{math_run('1')}</m:sup>{argument('x')}</m:nary>",
            r"\int_{0}^{1}{x}",
        ),
        (
            '<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>' + argument("a") + argument("b") + "</m:d>",
            "[a|b]",
        ),
        (f"<m:d>{argument('x')}</m:d>", "(x)"),
        (
            f"<m:m><m:mr>{argument('1')}{argument('0')}</m:mr><m:mr>{argument('0')}{argument('1')}</m:mr></m:m>",
            r"\begin{matrix}1 & 0 \\ 0 & 1\end{matrix}",
        ),
        (f'<m:acc><m:accPr><m:chr m:val="\u20d7"/></m:accPr>{argument("v")}</m:acc>', r"\vec{v}"),
        (f"<m:acc>{argument('y')}</m:acc>", r"\hat{y}"),
        (f'<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>{argument("z")}</m:bar>', r"\overline{z}"),
        (f"<m:func><m:fName>{math_run('sin')}</m:fName>{argument('x')}</m:func>", r"\sin x"),
        (
            f"<m:limLow>{argument('lim')}<m:lim>{math_run('n→∞')}</m:lim></m:limLow>{math_run('a')}",
            r"\lim_{n→∞}a",
        ),
        (f"<m:groupChr>{argument('a+b')}</m:groupChr>", r"\underbrace{a+b}"),
        (
            f"<m:eqArr>{argument('x&amp;=1')}{argument('y&amp;=2')}</m:eqArr>",
            r"\begin{aligned}x&=1 \\ y&=2\end{aligned}",
        ),
    ],
)
def test_formula_as_tex(omml: str, tex: str) -> None:
    page = read(paragraph(run("So "), f"<m:oMath>{omml}</m:oMath>", run(" holds.")))
    assert page.text == f"So ${tex}$ holds."


@pytest.mark.parametrize(
    "body",
    [
        paragraph(f"<m:oMathPara><m:oMath>{fraction(math_run('a'), math_run('b'))}</m:oMath></m:oMathPara>"),
        f"<m:oMathPara><m:oMath>{fraction(math_run('a'), math_run('b'))}</m:oMath></m:oMathPara>",
    ],
)
def test_display_formula(body: str) -> None:
    page = read(paragraph(run("Before.")) + body + paragraph(run("After.")))
    assert page.text == "Before.\n\n$$\\frac{a}{b}$$\n\nAfter."


# -------------------------------------------------------------------- signs that a converter knows nothing about


@pytest.mark.parametrize("element", ['bdo w:val="rtl"', 'dir w:val="ltr"'])
def test_text_of_a_set_direction(element: str) -> None:
    page = read(paragraph(run("From "), f"<w:{element}>{run('SHALOM')}</w:{element.split(maxsplit=1)[0]}>", run(" on")))
    assert page.text == "From SHALOM on"


@pytest.mark.parametrize(("base", "reading"), [("漢字", "かんじ"), ("北京", "Běijīng")])
def test_ruby_as_base_and_reading(base: str, reading: str) -> None:
    ruby = f"<w:r><w:ruby><w:rubyPr/><w:rt>{run(reading)}</w:rt><w:rubyBase>{run(base)}</w:rubyBase></w:ruby></w:r>"
    assert read(paragraph(ruby, run("。"))).text == f"{base}({reading})。"


def test_ruby_of_an_equation_field() -> None:
    instruction = 'EQ \\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(とうきょう),東京)'
    assert read(paragraph(field(instruction), run("。"))).text == "東京(とうきょう)。"


@pytest.mark.parametrize(
    ("font", "code", "sign"),
    [
        ("Symbol", "F062", "\u03b2"),
        ("Wingdings", "F0FC", "\u2713"),
        ("Wingdings", "F0FE", "\u2611"),
        ("Symbol", "61", "\u03b1"),
    ],
)
def test_sign_of_a_symbol_font(font: str, code: str, sign: str) -> None:
    symbol = f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'
    assert read(paragraph(run("Mark "), symbol, run(" here"))).text == f"Mark {sign} here"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<w:t>a</w:t><w:tab/><w:t>b</w:t>", "a b"),
        ("<w:t>co</w:t><w:softHyphen/><w:t>op</w:t>", "coop"),
        ("<w:t>T</w:t><w:noBreakHyphen/><w:t>shirt</w:t>", "T\u2011shirt"),
        ("<w:t>a</w:t><w:ptab/><w:t>b</w:t>", "a b"),
    ],
)
def test_hyphens_and_tabs(inside: str, text: str) -> None:
    page = read(paragraph(run("Sign: "), f"<w:r>{inside}</w:r>", '<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>'))
    assert page.text == f"Sign: {text}\u03b1"


@pytest.mark.parametrize("element", ["smartTag", "customXml", "ins", "moveTo"])
def test_text_within_wrappers(element: str) -> None:
    assert read(paragraph(run("a "), f"<w:{element}>{run('b')}</w:{element}>")).text == "a b"


def test_unknown_element_with_text() -> None:
    assert read(paragraph(run("a "), f"<w:future>{run('b')}</w:future>")).text == "a b"


# ------------------------------------------------------------------------------------------------ form controls


@pytest.mark.parametrize(
    ("state", "sign"),
    [
        ('<w:default w:val="1"/>', "[x]"),
        ('<w:default w:val="0"/>', "[ ]"),
        ('<w:default w:val="1"/><w:checked w:val="0"/>', "[ ]"),
        ("<w:checked/>", "[x]"),
    ],
)
def test_legacy_check_box(state: str, sign: str) -> None:
    data = f"<w:ffData><w:checkBox><w:sizeAuto/>{state}</w:checkBox></w:ffData>"
    assert read(paragraph(field("FORMCHECKBOX", data=data), run(" by post"))).text == f"{sign} by post"


@pytest.mark.parametrize(("value", "sign"), [("1", "[x]"), ("0", "[ ]")])
def test_check_box_of_a_content_control(value: str, sign: str) -> None:
    control = (
        f'<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="{value}"/></w14:checkbox></w:sdtPr>'
        f"<w:sdtContent>{run('☒')}</w:sdtContent></w:sdt>"
    )
    assert read(paragraph(control, run(" by post"))).text == f"{sign} by post"


@pytest.mark.parametrize(
    ("kind", "data", "text"),
    [
        (
            "FORMDROPDOWN",
            '<w:ddList><w:result w:val="1"/><w:listEntry w:val="A"/><w:listEntry w:val="B"/></w:ddList>',
            "B",
        ),
        ("FORMTEXT", '<w:textInput><w:default w:val="your name"/></w:textInput>', "your name"),
    ],
)
def test_legacy_form_field(kind: str, data: str, text: str) -> None:
    body = paragraph(run("Choice: "), field(kind, data=f"<w:ffData>{data}</w:ffData>"))
    assert read(body).text == f"Choice: {text}"


@pytest.mark.parametrize(
    "control",
    [
        f"<w:sdt><w:sdtPr><w:dropDownList/></w:sdtPr><w:sdtContent>{run('Berth 7')}</w:sdtContent></w:sdt>",
        f"<w:sdt><w:sdtPr><w:date/></w:sdtPr><w:sdtContent>{run('Berth 7')}</w:sdtContent></w:sdt>",
    ],
)
def test_content_control(control: str) -> None:
    assert read(paragraph(run("Choice: "), control)).text == "Choice: Berth 7"


@pytest.mark.parametrize(("value", "sign"), [("1", "[x]"), ("0", "[ ]")])
def test_active_x_check_box_with_a_property_bag(value: str, sign: str) -> None:
    ocx = (
        '<ax:ocx xmlns:ax="http://schemas.microsoft.com/office/2006/activeX" '
        'ax:classid="{8BD21D40-EC42-11CE-9E0D-00AA006002F3}" ax:persistence="persistPropertyBag">'
        f'<ax:ocxPr ax:name="Value" ax:value="{value}"/><ax:ocxPr ax:name="Caption" ax:value="by post"/></ax:ocx>'
    )
    page = read(
        paragraph(run("Send "), '<w:r><w:object><w:control r:id="c1" w:name="Box"/></w:object></w:r>'),
        parts={"word/activeX/activeX1.xml": ocx},
        links=(("c1", "control", "activeX/activeX1.xml"),),
    )
    assert page.text == f"Send {sign} by post"


# ---------------------------------------------------------------------------------------------------- numbering


def level(number: int, form: str, text: str, *, start: int = 1, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(*levels: str, nums: str = "") -> dict[str, str | bytes]:
    abstract = f'<w:abstractNum w:abstractNumId="0">{"".join(levels)}</w:abstractNum>'
    default = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    return {"word/numbering.xml": part("numbering", abstract + default + nums)}


def item(text: str, depth: int = 0, num: int = 1, style: str = "") -> str:
    properties = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{num}"/></w:numPr>'
    return paragraph(run(text), properties=style + properties)


LEGAL = numbering(
    level(0, "decimal", "%1."),
    level(1, "decimal", "%1.%2"),
    level(2, "lowerLetter", "(%3)"),
    level(3, "lowerRoman", "%4)"),
)


def test_numbers_of_a_contract() -> None:
    body = item("Fees") + item("Due", 1) + item("by post", 2) + item("by hand", 2) + item("sealed", 3) + item("Late", 1)
    assert read(body + item("End") + item("Law", 1), parts=LEGAL).text == (
        "1. Fees\n   - 1.1 Due\n     - (a) by post\n     - (b) by hand\n       - i) sealed\n"
        "   - 1.2 Late\n2. End\n   - 2.1 Law"
    ).replace("    ", "   ", 0)


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        ("upperRoman", "I II III IV"),
        ("lowerLetter", "a b c d"),
        ("upperLetter", "A B C D"),
        ("decimalZero", "01 02 03 04"),
        ("ordinal", "1st 2nd 3rd 4th"),
        ("russianLower", "\u0430 \u0431 \u0432 \u0433"),
        ("hebrew1", "א ב ג ד"),
        ("japaneseCounting", "一 二 三 四"),
        ("decimalEnclosedCircle", "① ② ③ ④"),
        ("cardinalText", "One Two Three Four"),
    ],
)
def test_number_formats(form: str, numbers: str) -> None:
    body = "".join(item(f"Item{at}") for at in range(4))
    page = read(body, parts=numbering(level(0, form, "§%1")))
    assert [line.split()[1] for line in page.text.splitlines()] == [f"§{number}" for number in numbers.split()]


def test_legal_numbers_of_roman_levels() -> None:
    parts = numbering(level(0, "upperRoman", "%1."), level(1, "decimal", "%1.%2", more="<w:isLgl/>"))
    assert "2.1 Due" in read(item("Fees") + item("Rent") + item("Due", 1), parts=parts).text


def test_start_and_restart_override() -> None:
    second = (
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    )
    page = read(
        item("a") + item("b") + item("c", num=2) + item("d"),
        parts=numbering(level(0, "decimal", "Art. %1"), nums=second),
    )
    assert [line.split()[2] for line in page.text.splitlines()] == ["1", "2", "5", "6"]


def test_level_that_never_restarts() -> None:
    parts = numbering(level(0, "decimal", "%1."), level(1, "decimal", "R%2", more='<w:lvlRestart w:val="0"/>'))
    page = read(item("a") + item("b", 1) + item("c") + item("d", 1), parts=parts)
    assert "R1 b" in page.text
    assert "R2 d" in page.text


@pytest.mark.parametrize("linked", [True, False])
def test_heading_numbered_by_its_style(linked: bool) -> None:
    numbered = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    below = '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>'
    if linked:
        below = numbered
    styles = (
        f'<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr>{numbered}</w:pPr></w:style>'
        f'<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr>{below}</w:pPr></w:style>'
    )
    parts = numbering(
        level(0, "decimal", "Chapter %1", more='<w:pStyle w:val="H1"/>'),
        level(1, "decimal", "%1.%2", more='<w:pStyle w:val="H2"/>'),
    )
    heading = '<w:pStyle w:val="H{}"/>'
    body = "".join(
        paragraph(run(text), properties=heading.format(depth)) for text, depth in (("Sea", 1), ("Tide", 2), ("Wind", 2))
    )
    assert read(body, parts=parts, styles=styles).text == "# Chapter 1 Sea\n\n## 1.1 Tide\n\n## 1.2 Wind"


LIST_STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{name.replace(" ", "")}"><w:name w:val="{name}"/><w:pPr><w:numPr>'
    f'<w:numId w:val="{number}"/></w:numPr></w:pPr></w:style>'
    for number, name in enumerate(("List Bullet", "List Bullet 2", "List Number", "List Number 2"), 1)
)


def single_levels(*, indent: bool) -> dict[str, str | bytes]:
    """Return the numbering of the list styles that Word and python-docx write: each style a list of one level."""
    abstract, nums = "", ""
    for number, (form, text, left) in enumerate(
        (("bullet", "\uf0b7", 360), ("bullet", "o", 720), ("decimal", "%1.", 360), ("decimal", "%1.", 720)), 1
    ):
        properties = f'<w:pPr><w:ind w:left="{left}" w:hanging="360"/></w:pPr>'
        if not indent:
            properties = ""
        abstract += (
            f'<w:abstractNum w:abstractNumId="{number}"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
            f'<w:numFmt w:val="{form}"/>'
            f'<w:lvlText w:val="{text}"/>{properties}</w:lvl></w:abstractNum>'
        )
        nums += f'<w:num w:numId="{number}"><w:abstractNumId w:val="{number}"/></w:num>'
    return {"word/numbering.xml": part("numbering", abstract + nums)}


def styled(text: str, style: str) -> str:
    return paragraph(run(text), properties=f'<w:pStyle w:val="{style}"/>')


@pytest.mark.parametrize("indent", [True, False])
def test_list_styles_nest(indent: bool) -> None:
    body = styled("one", "ListBullet") + styled("below", "ListBullet2") + styled("two", "ListBullet")
    body += paragraph(run("Then:")) + styled("first", "ListNumber") + styled("half", "ListNumber2")
    assert read(body, parts=single_levels(indent=indent), styles=LIST_STYLES).text == (
        "- one\n  - below\n- two\n\nThen:\n\n1. first\n   1. half"
    )


# -------------------------------------------------------------------------- notes of reviewers, changes, margins


COMMENTS = part(
    "comments",
    f'<w:comment w:id="0" w:author="Ada Tern">{paragraph(run("Too dear."))}</w:comment>'
    f'<w:comment w:id="1" w:author="Bo Wren">{paragraph(run("Agreed."))}</w:comment>',
)
COMMENTED = paragraph(
    run("The fee is 7."), '<w:r><w:commentReference w:id="0"/></w:r>', '<w:r><w:commentReference w:id="1"/></w:r>'
)


def test_comments_are_counted() -> None:
    page = read(COMMENTED, parts={"word/comments.xml": COMMENTS})
    assert page.text == "The fee is 7."
    count, detail = warning(page, "comments_left_out")
    assert (count, "recall" in detail) == (2, True)


def test_comments_in_recall_mode() -> None:
    body = word(COMMENTED + paragraph(run("End.")), parts={"word/comments.xml": COMMENTS})
    assert words(recalled(body)) == [
        "The fee is 7.",
        "Comment (Ada Tern): Too dear.",
        "Comment (Bo Wren): Agreed.",
        "End.",
    ]


def test_tracked_changes() -> None:
    deleted = '<w:del w:id="1"><w:r><w:delText>500</w:delText></w:r></w:del>'
    page = read(paragraph(run("Fee "), deleted, f'<w:ins w:id="2">{run("700")}</w:ins>'))
    assert page.text == "Fee 700"
    assert warning(page, "hidden_text")[0] == 1


@pytest.mark.parametrize("mark", ["del", "moveFrom"])
def test_deleted_paragraph_mark_joins_paragraphs(mark: str) -> None:
    first = paragraph(run("The sea "), properties=f'<w:rPr><w:{mark} w:id="1"/></w:rPr>')
    assert (
        read(first + paragraph(f'<w:fldSimple w:instr="x">{run("is calm.")}</w:fldSimple>')).text == "The sea is calm."
    )


HEADER = part("hdr", paragraph(run("Confidential")))
FOOTER = part("ftr", paragraph(run("Page "), field("PAGE", run("3"))))
SECTION = (
    '<w:sectPr><w:headerReference w:type="default" r:id="h1"/>'
    '<w:footerReference w:type="default" r:id="f1"/></w:sectPr>'
)
MARGINS = {"word/header1.xml": HEADER, "word/footer1.xml": FOOTER}
MARGIN_LINKS = (("h1", "header", "header1.xml"), ("f1", "footer", "footer1.xml"))


def test_headers_and_footers_are_counted() -> None:
    page = read(paragraph(run("Body.")) + SECTION, parts=dict(MARGINS), links=MARGIN_LINKS)
    assert page.text == "Body."
    assert warning(page, "running_heads_left_out")[0] == 2


def test_headers_and_footers_in_recall_mode() -> None:
    body = word(paragraph(run("Body.")) + SECTION, parts=dict(MARGINS), links=MARGIN_LINKS)
    assert words(recalled(body)) == ["Confidential", "Body.", "Page 3"]


def test_empty_header_is_not_counted() -> None:
    parts: dict[str, str | bytes] = {"word/header1.xml": part("hdr", paragraph())}
    page = read(paragraph(run("Body.")) + SECTION, parts=parts, links=MARGIN_LINKS[:1])
    assert not [notice for notice in page.notices if notice.code == "running_heads_left_out"]


def test_endnotes_and_footnotes() -> None:
    parts: dict[str, str | bytes] = {
        "word/footnotes.xml": part("footnotes", f'<w:footnote w:id="2">{paragraph(run("Foot."))}</w:footnote>'),
        "word/endnotes.xml": part("endnotes", f'<w:endnote w:id="2">{paragraph(run("End."))}</w:endnote>'),
    }
    references = '<w:r><w:endnoteReference w:id="2"/></w:r>', run(" b"), '<w:r><w:footnoteReference w:id="2"/></w:r>'
    page = read(paragraph(run("a"), *references), parts=parts)
    assert page.text == "a[^1] b[^2]\n\n[^1]: End.\n\n[^2]: Foot."


# ------------------------------------------------------------------------------------- boxes, pictures, objects


def text_box(text: str) -> str:
    """Return a text box as Word writes it: a drawing, and the same as VML for older programs."""
    content = f"<w:txbxContent>{paragraph(run(text))}</w:txbxContent>"
    drawing = f"<w:drawing><wp:inline><wps:wsp><wps:txbx>{content}</wps:txbx></wps:wsp></wp:inline></w:drawing>"
    vml = f"<w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict>"
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{drawing}</mc:Choice><mc:Fallback>{vml}</mc:Fallback>'
        "</mc:AlternateContent></w:r>"
    )


@pytest.mark.parametrize(
    "shape",
    [
        text_box("In the box."),
        (
            f"<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{paragraph(run('In the box.'))}"
            "</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
        ),
    ],
)
def test_text_box_is_read_once(shape: str) -> None:
    assert read(paragraph(run("Before."), shape) + paragraph(run("After."))).text == "Before.\n\nIn the box.\n\nAfter."


@pytest.mark.parametrize(
    "shape",
    [
        (
            f"<w:drawing><wp:inline><wps:wsp><wps:txbx><w:txbxContent>{paragraph(run('In the box.'))}</w:txbxContent>"
            "</wps:txbx></wps:wsp></wp:inline></w:drawing>"
        ),
        '<w:pict><v:shape><v:textpath string="In the box."/></v:shape></w:pict>',
    ],
)
def test_shape_without_a_fallback(shape: str) -> None:
    assert read(paragraph(run("Before."), f"<w:r>{shape}</w:r>")).text == "Before.\n\nIn the box."


PICTURE = (
    '<w:drawing><wp:inline><a:graphic><a:graphicData><a:blip r:embed="p1"/></a:graphicData></a:graphic></wp:inline>'
    "</w:drawing>"
)


@pytest.mark.parametrize("picture", [PICTURE, '<w:pict><v:shape><v:imagedata r:id="p1"/></v:shape></w:pict>'])
def test_pictures_are_counted(picture: str) -> None:
    page = read(paragraph(run("Seen."), f"<w:r>{picture}</w:r>", f"<w:r>{picture}</w:r>"))
    assert warning(page, "pictures_left_out")[0] == 2


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        ('<w:object><o:OLEObject ProgID="Excel.Sheet.12" r:id="x"/></w:object>', "objects_left_out"),
        (
            (
                "<w:drawing><wp:inline><a:graphic><a:graphicData><c:chart "
                'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="x"/></a:graphicData>'
                "</a:graphic></wp:inline></w:drawing>"
            ),
            "charts_left_out",
        ),
    ],
)
def test_objects_are_counted(thing: str, name: str) -> None:
    page = read(paragraph(run("Seen."), f"<w:r>{thing}</w:r>"))
    left_out = [notice for notice in page.warnings if notice.code.endswith("_left_out")]
    assert [(notice.code, notice.count) for notice in left_out] == [(name, 1)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("chunk.html", "<html><body><h2>Tides</h2><p>High at <b>noon</b>.</p></body></html>"),
        (
            "chunk.mht",
            (
                "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n"
                "Content-Type: text/html; charset=utf-8\n"
                "Content-Transfer-Encoding: quoted-printable\n\n<h2>Tides</h2><p>High at <b>noon</b>=2E</p>\n--b--\n"
            ),
        ),
    ],
)
def test_inserted_document(name: str, content: str) -> None:
    page = read(
        paragraph(run("Before.")) + '<w:altChunk r:id="c1"/>' + paragraph(run("After.")),
        parts={f"word/{name}": content},
        links=(("c1", "aFChunk", name),),
    )
    assert page.text == "Before.\n\n## Tides\n\nHigh at **noon**.\n\nAfter."


def test_inserted_document_of_another_kind_is_counted() -> None:
    page = read(
        paragraph(run("Seen.")) + '<w:altChunk r:id="c1"/>',
        parts={"word/a.docx": b"PK"},
        links=(("c1", "aFChunk", "a.docx"),),
    )
    count, detail = warning(page, "objects_left_out")
    assert (count, "inserted document" in detail) == (1, True)


# --------------------------------------------------------------------------------------- files made to do harm


def nested(begin: str, end: str, depth: int) -> str:
    return begin * depth + paragraph(run("deep")) + end * depth


def ring_of_styles(count: int) -> str:
    return "".join(
        f'<w:style w:type="paragraph" w:styleId="S{at}"><w:basedOn w:val="S{(at + 1) % count}"/></w:style>'
        for at in range(count)
    )


SEEN = paragraph(run("Seen."))
TWO_CELLS = f"<w:tr><w:tc>{SEEN}</w:tc><w:tc>{SEEN}</w:tc></w:tr>"
HOSTILE: dict[str, Callable[[int], bytes]] = {
    "paragraphs": lambda count: word(paragraph(run("x")) * count),
    "open fields": lambda count: word(paragraph('<w:r><w:fldChar w:fldCharType="begin"/></w:r>' * count) + SEEN),
    "nested fields": lambda count: word(paragraph(field("A", run("x")) * count)),
    "deleted marks": lambda count: word(paragraph(run("ab "), properties="<w:rPr><w:del/></w:rPr>") * count),
    "wide cells": lambda count: word(
        f'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99"/></w:tcPr>{SEEN}</w:tc></w:tr>{TWO_CELLS * count}</w:tbl>'
    ),
    "deep tables": lambda count: word(nested("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 40) * (count // 100)),
    "deep fractions": lambda count: word(
        paragraph(f"<m:oMath>{'<m:f><m:num>' * 60}{math_run('x')}{'</m:num></m:f>' * 60}</m:oMath>") * (count // 100)
    ),
    "levels": lambda count: word("".join(item("x", at % 4) for at in range(count)), parts=LEGAL),
    "ring of styles": lambda count: word(
        "".join(styled("x", f"S{at}") for at in range(count)), styles=ring_of_styles(count)
    ),
    "ring of notes": lambda count: word(
        paragraph(run("x"), '<w:r><w:footnoteReference w:id="0"/></w:r>'),
        parts={"word/footnotes.xml": part("footnotes", "".join(map(note_to_next, range(count))))},
    ),
}


def note_to_next(number: int) -> str:
    reference = f'<w:r><w:footnoteReference w:id="{number + 1}"/></w:r>'
    return f'<w:footnote w:id="{number}">{paragraph(run("n"), reference)}</w:footnote>'


@pytest.mark.parametrize("kind", HOSTILE)
def test_cost_grows_with_size(kind: str) -> None:
    small, large = HOSTILE[kind](1_000), HOSTILE[kind](4_000)
    assert work_grows_in_proportion(lambda: recalled(small), lambda: recalled(large))


def test_field_without_an_end_hides_nothing() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    assert read(paragraph(begin, run("Still here.")) + SEEN).text == "Still here.\n\nSeen."


@pytest.mark.parametrize("omml", ["<m:r><w:rPr><w:vanish/></w:rPr><m:t>SECRET</m:t></m:r>"])
def test_hidden_text_of_a_formula(omml: str) -> None:
    page = read(paragraph(run("Seen."), f"<m:oMath>{omml}</m:oMath>"))
    assert page.text == "Seen."
    assert warning(page, "hidden_text")[0] == 1


def test_text_in_a_field_code_is_counted() -> None:
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "end"))
    page = read(paragraph(run("Seen."), begin, run("SECRET"), end))
    assert "SECRET" not in page.text
    assert warning(page, "hidden_text")[0] == 1
