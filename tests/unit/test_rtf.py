"""Rich Text Format into the tree of blocks: written in the ways of several programs, and made to do harm."""

from __future__ import annotations

from contextlib import suppress

import pytest

from effort import work_grows_in_proportion
from unit.at_hand import extract
from wellread.documents.rtf import MAX_GROUPS, RtfExtractor
from wellread.errors import Empty, TooLarge, Unsupported
from wellread.output import print_document
from wellread.types import Extraction, Source

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman;}"
    r"{\f1\ftech\fcharset2 Symbol;}}"
)


def read(body: str | bytes, mode: str = "balanced") -> Extraction:
    if isinstance(body, str):
        body = body.encode("latin-1")
    source = Source(body=body, media_type="application/rtf", mode=mode)  # type: ignore[arg-type]  # a mode by name
    return RtfExtractor().extract(source)


def text(body: str | bytes, mode: str = "balanced") -> str:
    return print_document(read(body, mode).document, "markdown").text


def written(inside: str) -> str:
    return f"{HEAD}{inside}}}"


def counts(body: str) -> dict[str, int]:
    return {notice.code: notice.count for notice in read(body).notices}


WORD = HEAD + (
    r"{\colortbl;\red0\green0\blue0;\red255\green255\blue255;}"
    r"{\stylesheet{\ql \snext0 Normal;}{\s1\outlinelevel0\b\fs32 heading 1;}{\s2\outlinelevel1 heading 2;}}"
    r"{\*\listtable{\list{\listlevel\levelnfc0{\leveltext\'02\'00.;}}\listid1}}{\*\rsidtbl \rsid123}"
    r"{\info{\title Shore count}{\author Ada Tern}{\creatim\yr2024\mo5\dy1\hr9\min30}{\doccomm private words}}"
    r"{\header \pard\plain Confidential\par}\pard\plain \s1 The shore\par"
    r"\pard\plain Petrels {\b nest} here{\cs16\super \chftn {\footnote \pard\plain {\chftn} Counted.}}.\par"
    r"{\listtext\pard\plain 1.\tab}\pard \ls1\ilvl0\fi-360\li720 one\par"
    r"{\listtext\pard\plain a)\tab}\pard \ls1\ilvl1\fi-360\li1440 half\par"
    r"{\listtext\pard\plain 2.\tab}\pard \ls1\ilvl0\fi-360\li720 two\par"
    r'\pard\plain {\field{\*\fldinst { HYPERLINK "https://shore.example/count" }}{\fldrslt {\ul the count}}}\par'
    r"\trowd\cellx100\cellx200\pard\intbl bird\cell pairs\cell\row"
    r"\trowd\cellx100\cellx200\pard\intbl petrel\cell 41\cell\row\pard After.\par}"
)


def test_document_in_the_way_of_word() -> None:
    reading = read(WORD)
    assert print_document(reading.document, "markdown").text == (
        "# The shore\n\nPetrels **nest** here[^1].\n\n1. one\n   - a) half\n2. two\n\n"
        "[the count](https://shore.example/count)\n\n| bird | pairs |\n| --- | --- |\n| petrel | 41 |\n\nAfter.\n\n"
        "[^1]: Counted."
    )
    assert reading.links == ("https://shore.example/count",)
    assert (reading.metadata.title, reading.metadata.author) == ("Shore count", "Ada Tern")
    assert (reading.metadata.published_date or "").startswith("2024-05-01")
    assert {notice.code: notice.count for notice in reading.notices} == {"running_heads_left_out": 1}


def test_document_in_the_way_of_wordpad() -> None:
    body = r"""{\rtf1\ansi\ansicpg1252\deff0\nouicompat\deflang1033{\fonttbl{\f0\fnil\fcharset0 Calibri;}
{\f1\fnil\fcharset2 Symbol;}}{\*\generator Riched20 10.0.19041}\viewkind4\uc1
\pard\sa200\f0\fs22\lang9 Bring:\par
{\pntext\f1\'B7\tab}{\*\pn\pnlvlblt\pnf1\pnindent0{\pntxtb\'B7}}\fi-360\li720 rope\par
{\pntext\f1\'B7\tab}caf\'e9\par
\pard End.\par}
"""
    body = body.replace("\n", "\r\n") + "\x00"
    assert text(body) == "Bring:\n\n- rope\n- café\n\nEnd."


def test_document_in_the_way_of_textedit() -> None:
    body = r"""{\rtf1\ansi\ansicpg1252\cocoartf2639
\cocoatextscaling0{\fonttbl\f0\fswiss\fcharset0 Helvetica;}
{\colortbl;\red255\green255\blue255;}{\*\expandedcolortbl;;}
{\*\listtable{\list\listtemplateid1{\listlevel{\leveltext\leveltemplateid1\'01\uc0\u8226 ;}}\listid1}}
\pard\tx566\pardirnatural\f0\fs24 \cf0 First line\
Second \f0\b bold\b0  line\
\pard\ls1\ilvl0\cf0 {\listtext	\uc0\u8226 	}rope\
{\listtext	\uc0\u8226 	}\uc0\u26628 \
}"""
    assert text(body) == "First line\n\nSecond **bold** line\n\n- rope\n- 栄"


def test_typed_labels_in_hanging_indents() -> None:
    body = written(
        r"{\pard \li360 \fi-360 1.\tx360\tab one\par}{\pard \li720 \fi-360 \bullet \tx360\tab below\par}"
        r"{\pard \li360 \fi-360 2.\tx360\tab two\par}"
    )
    assert text(body) == "1. one\n   - below\n2. two"


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (r"\'e9t\'e9", "été"),
        (r"{\f2 \'cf\'f0\'e8}", "При"),
        (r"{\f3 \'93\'8c\'8b\'9e}", "東京"),
        (r"\u21271?\u26481?x", "北東x"),
        (r"\uc2\u233\'a8\'a6x", "éx"),
        (r"\uc0\u233 x", "éx"),
        (r"\u-10179?\u-8704?", "\U0001f600"),
        (r"{\upr{caf?}{\*\ud caf\u233?}}", "café"),
        (r"{\f1 a\'62}", "αβ"),
        (r"\u-4062?", "\u2200"),
        (r"a\~b\_c\-d\emdash e \lquote f\rquote", "ab\u2011cd\u2014e\u2018f\u2019"),
        (r"\{x\}\\", "{x}\\"),
        ("a\\\tb", "ab"),
        ("one\r\n two", "onetwo"),
    ],
)
def test_characters(inside: str, expected: str) -> None:
    fonts = r"{\fonttbl{\f2\fcharset204 Arial CYR;}{\f3\fcharset128 MS Mincho;}}"
    assert text(written(fonts + inside + r"\par")).replace(" ", "") == expected


@pytest.mark.parametrize(("declared", "expected"), [("ansicpg1251", "Яр"), ("ansicpg1253", "Ωπ"), ("mac", "ﬂ")])
def test_code_page_of_the_file(declared: str, expected: str) -> None:
    page = {"ansicpg1251": "cp1251", "ansicpg1253": "cp1253", "mac": "mac_roman"}[declared]
    raw = "".join(f"\\'{byte:02x}" for byte in expected.encode(page))
    assert text(f"{{\\rtf1\\ansi\\{declared} {raw}\\par}}") == expected


def test_raw_bytes_of_a_code_page() -> None:
    assert text(b"{\\rtf1\\ansi\\ansicpg932 " + "港の規則".encode("cp932") + b"\\par}") == "港の規則"


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        (r"{\v secret}", "hidden font"),
        (r"{\deleted secret}", "tracked deletion"),
        (r"{\fs2 secret}", "tiny font"),
        (r"{\colortbl;\red255\green255\blue255;}{\cf1 secret}", "white text"),
    ],
)
def test_text_nobody_sees(inside: str, reason: str) -> None:
    reading = read(written(rf"Seen. {inside}\par"))
    assert print_document(reading.document, "text").text == "Seen."
    (notice,) = reading.notices
    assert (notice.code, notice.count, reason in notice.detail) == ("hidden_text", 1, True)


@pytest.mark.parametrize("shown", [r"{\v0 seen}", r"{\colortbl;\red255\green255\blue255;}{\cf1\highlight2 seen}"])
def test_text_that_is_seen_after_all(shown: str) -> None:
    assert "seen" in text(written(rf"{shown}\par"))


def test_binary_data_is_passed_over() -> None:
    assert text(written(r"a{\*\blob\bin7 }}{{\\x}b{\bin3 }}}c\par")) == "abc"


def test_destinations_without_text() -> None:
    body = written(
        r"{\*\unknown gone}{\*\bkmkstart gone}{\xe gone}{\*\themedata 0a0b}{\shp{\*\shpinst{\sp{\sn gone}{\sv gone}}"
        r"{\shptxt \pard In the box.\par}}{\shprslt{\*\do gone}}}{\future stays}\par"
    )
    assert text(body) == "stays\n\nIn the box."


def test_pictures_and_objects_are_counted() -> None:
    body = written(
        r"Seen.{\*\shppict{\pict\pngblip 89504e}}{\nonshppict{\pict 0102}}"
        r"{\object{\*\objclass Excel}{\*\objdata 0102}{\result{\pict 01}}}\par"
    )
    assert text(body) == "Seen."
    assert counts(body) == {"pictures_left_out": 1, "objects_left_out": 1}


def test_comments_and_margins_in_recall_mode() -> None:
    body = written(
        r"Fee 7.{\*\atnid A}{\*\atnauthor Ada Tern}\chatn{\*\annotation \pard Too dear.}\par{\footer Page 3\par}"
    )
    assert counts(body) == {"comments_left_out": 1, "running_heads_left_out": 1}
    assert text(body, "recall") == "Fee 7.\n\nComment (Ada Tern): Too dear.\n\nPage 3"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (r"{\*\fldinst PAGE}{\fldrslt 3}", "So 3"),
        (r"{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres1}}}{\fldrslt}", "So [x]"),
        (r"{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres25\ffdefres0}}}{\fldrslt}", "So [ ]"),
        (r"{\*\fldinst FORMDROPDOWN {\*\formfield{\fftype2\ffres1{\*\ffl A}{\*\ffl B}}}}{\fldrslt}", "So B"),
        (r"{\*\fldinst EQ \\* jc2 \\o\\al(\\s\\up 10(\u12363?\u12394?),\u-26268?)}{\fldrslt}", "So \u9964(かな)"),
        (r"{\*\fldinst MACROBUTTON Go press here}", "So press here"),
        (r"{\*\fldinst IF {\field{\*\fldinst SEX}{\fldrslt f}} = f}{\fldrslt Madam}", "So Madam"),
    ],
)
def test_fields(code: str, expected: str) -> None:
    assert text(written(rf"So {{\field{code}}}\par")) == expected


def test_nested_tables_keep_their_text() -> None:
    body = written(
        r"\trowd\cellx100\cellx200\pard\intbl a\cell\pard\intbl\itap2 in\nestcell ner\nestcell"
        r"{\*\nesttableprops\trowd\cellx50\cellx90\nestrow}{\nonesttables\par}"
        r"\pard\intbl\itap1 b\cell\row\pard End.\par"
    )
    assert text(body).split() == ["a", "in", "ner", "b", "End."]


# --------------------------------------------------------------------------------------- files made to do harm


def test_groups_nested_without_end() -> None:
    with pytest.raises(TooLarge):
        read(written("{" * (MAX_GROUPS + 10) + "x"))


def test_groups_that_are_never_closed() -> None:
    assert text(written("a{b{c").removesuffix("}")) == "abc"


def test_endless_file_is_cut_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wellread.documents.rtf.MAX_TOKENS", 1_000)
    assert "pages_cut" in counts(written(r"x\par" * 2_000))


@pytest.mark.parametrize(
    "piece",
    [
        r"{\b x}",
        r"word\par ",
        r"\u233?",
        r"\'e9",
        r"{\*\x y}",
        r"{\footnote n\par}",
        r"\trowd\intbl x\cell\row ",
        "\\\n",
        "{}",
        r"{\field{\*\fldinst A}",
        r"{\listtext 1.}\li9\par ",
    ],
)
def test_cost_grows_with_size(piece: str) -> None:
    def work(count: int) -> None:
        with suppress(TooLarge):
            read(written("start " + piece * count))

    assert work_grows_in_proportion(lambda: work(2_000), lambda: work(8_000))


def test_what_is_no_rtf_is_refused() -> None:
    with pytest.raises(Unsupported):
        read(b"PK")
    with pytest.raises(Empty):
        read(r"{\rtf1\ansi\par}")


def test_rtf_served_as_a_word_document_is_read() -> None:
    assert extract(WORD.encode("latin-1")).extraction_method == "rtf"


COLOURS = r"{\colortbl;\red255\green255\blue255;\red0\green0\blue0;}"


@pytest.mark.parametrize("behind", [r"\highlight1", r"\cb1", r"\chcbpat1"])
def test_white_text_on_white(behind: str) -> None:
    body = written(COLOURS + rf"Seen text.\par {{\cf1{behind} SECRET}}\par")
    assert "SECRET" not in text(body)
    assert counts(body)["hidden_text"] == 1


def test_white_text_on_black() -> None:
    assert "SHOWN" in text(written(COLOURS + r"{\cf1\highlight2 SHOWN}\par"))


@pytest.mark.parametrize(
    "inside", [r"Before {\header\field x} after\par", r"Before{\footnote\footnote note\par} after\par"]
)
def test_text_after_a_group_of_two_meanings(inside: str) -> None:
    read_text = text(written(inside))
    assert "Before" in read_text
    assert "after" in read_text


def test_text_among_the_numbers_of_a_date() -> None:
    assert "Body" in text(r"{\rtf1{\info{\title A{\creatim B}}} Body\par}")
