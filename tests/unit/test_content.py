"""What the bytes are, whatever the server says: media types and encodings."""

from __future__ import annotations

import codecs
import gzip
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import takes_at_most
from wellread.net.media_types import decode, sniff

HTML = b"<!DOCTYPE html><html><head><title>t</title></head><body><p>Hello</p></body></html>"
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
GARBAGE = bytes((i * i * 31 + i * 7) % 256 for i in range(20_000))


def zipped(*names: str, mimetype: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        if mimetype:
            archive.writestr("mimetype", mimetype)
        for name in names:
            archive.writestr(name, "plain words of some length, stored without compression " * 200)
    return out.getvalue()


# ------------------------------------------------------------------------------------------------ media types


@pytest.mark.parametrize(
    ("body", "declared", "truth"),
    [
        (HTML, "text/html; charset=utf-8", "text/html"),
        (HTML, "TEXT/HTML;charset=x", "text/html"),
        (b"just words", "text/html", "text/html"),
        (b"just words", "text/plain", "text/plain"),
        (b"# Title\n<div>", "text/markdown", "text/markdown"),
        (b"a,b\n1,2\n", "text/csv; header=present", "text/csv"),
        (PDF, "application/pdf", "application/pdf"),
        (b'{"a": 1}', "application/json", "application/json"),
        (b'{"a": 1}', "application/ld+json", "application/ld+json"),
        (b"<?xml version='1.0'?><a/>", "text/xml", "text/xml"),
        (b"<svg xmlns='x'></svg>", "image/svg+xml", "image/svg+xml"),
        (PNG, "image/png", "image/png"),
        (gzip.compress(b"x", mtime=0), "application/x-gtar", "application/x-gtar"),
        (zipped("META-INF/MANIFEST.MF"), "application/java-archive", "application/java-archive"),
        (b"\0\1\2\3" * 50, "application/x-strange", "application/x-strange"),
        (b"<p>fragment</p>", "text/plain", "text/plain"),
        (b"MZ is how some texts begin", "text/plain", "text/plain"),
        (b"GIF89a is a format", None, "text/plain"),
        (b"", "text/html", "text/html"),
        (b"", None, "text/plain"),
    ],
)
def test_an_honest_type_is_believed(body: bytes, declared: str | None, truth: str) -> None:
    assert sniff(body, declared) == truth


@pytest.mark.parametrize("declared", ["text/html; charset=utf-8", "text/plain", "application/octet-stream", "", None])
@pytest.mark.parametrize(
    ("body", "truth"),
    [
        (PDF, "application/pdf"),
        (b"%PDF-1.4\n1 0 obj\n<<", "application/pdf"),
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "image/jpeg"),
        (b"GIF89a\1\0\1\0\0", "image/gif"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
        (b"\0\0\0\x20ftypavif\0\0", "image/avif"),
        (b"\0\0\0\x20ftypisom\0\0", "video/mp4"),
        (b"ID3\4\0\0\0\0", "audio/mpeg"),
        (b"OggS\0\2\0\0", "audio/ogg"),
        (gzip.compress(b"text", mtime=0), "application/gzip"),
        (zipped("readme.txt"), "application/zip"),
        (zipped("word/document.xml"), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        (zipped("xl/workbook.xml"), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (zipped("c.xhtml", mimetype="application/epub+zip"), "application/epub+zip"),
        (b"MZ\x90\0\3\0\0\0", "application/vnd.microsoft.portable-executable"),
        (b"\x7fELF\2\1\1\0", "application/x-elf"),
        (GARBAGE, "application/octet-stream"),
        (HTML, "text/html"),
        (b"\xef\xbb\xbf \n<!-- <p> -->\n<!DOCTYPE  HTML>\n", "text/html"),
        ("\ufeff<html><body>\u043f".encode("utf-16"), "text/html"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC 'x'><html xmlns='x'>", "text/html"),
    ],
)
def test_a_lying_or_missing_type_is_seen_through(body: bytes, declared: str | None, truth: str) -> None:
    assert sniff(body, declared) == truth


BYTES = bytes(range(256)) * 40
NOISE = bytes((i * i * 2_654_435_761 >> 16) % 256 for i in range(20_000))


@pytest.mark.parametrize("declared", ["text/html", "text/plain", None])
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(BYTES, id="every-byte"),
        pytest.param(b"\xff\xfe" + NOISE, id="little-endian-mark"),
        pytest.param(b"\xfe\xff" + NOISE, id="big-endian-mark"),
        pytest.param(b"<p>Hello</p> " * 500 + NOISE, id="after-some-text"),
        pytest.param(HTML + NOISE, id="after-markup"),
    ],
)
def test_junk_that_is_called_a_page_is_no_text(body: bytes, declared: str | None) -> None:
    assert sniff(body, declared, "file:///junk.html") == "application/octet-stream"


@pytest.mark.parametrize("name", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "said",
    [
        "Hello, this is said in words. ",
        "\u6f6e\u6c50\u3068\u8c9d\u306e\u8a71\u3002",
        "\u041c\u043e\u0440\u0435. ",
        "\U0001f41a\U0001f30a ",
    ],
)
def test_a_page_in_utf_16_stays_a_page_wherever_it_breaks_off(said: str, name: str) -> None:
    page = f"<html><head><title>t</title></head><body><p>{said * 900}".encode(name)
    for length in (len(page), 4_097, 151):
        assert sniff(page[:length], None) == "text/html"


@pytest.mark.parametrize(
    ("body", "declared", "url", "truth"),
    [
        (HTML, "application/json", None, "text/html"),
        (HTML, "application/pdf", None, "text/html"),
        (HTML, "application/xhtml+xml", None, "application/xhtml+xml"),
        (b"<?xml version='1.0'?><rss version='2.0'>", "text/html", None, "application/rss+xml"),
        (b"<?xml version='1.0'?><!-- a --><feed xmlns='x'>", "application/xml", None, "application/atom+xml"),
        (b"<?xml version='1.0'?><urlset>", None, None, "application/xml"),
        (b' {"a": [1, 2]} ', "text/html", None, "application/json"),
        (b"[1] a footnote [2]", "text/html", None, "text/html"),
        (b"<div class='x'>fragment</div>", None, None, "text/html"),
        (b"# Title", None, "http://example.com/a/README.md?x=1", "text/markdown"),
        (b"a,b", "application/octet-stream", "http://example.com/data.csv", "text/csv"),
        (b"words", None, "http://[broken", "text/plain"),
        (zipped("a.txt"), "application/pdf", None, "application/zip"),
        (b"{" * 5_000, None, None, "text/plain"),
        (b"[" * 100_000, None, None, "text/plain"),
    ],
)
def test_text_is_told_apart_by_its_shape(body: bytes, declared: str | None, url: str | None, truth: str) -> None:
    assert sniff(body, declared, url) == truth


@given(st.binary(max_size=500), st.none() | st.text(max_size=40), st.none() | st.text(max_size=40))
def test_sniffing_never_fails_and_always_names_a_type(body: bytes, declared: str | None, url: str | None) -> None:
    kind = sniff(body, declared, url)
    assert kind.count("/") == 1
    assert kind == kind.lower()


@pytest.mark.parametrize("unit", [b"<!---->", b"<!--", b"<?", b"<!doctype a>", b" ", b"<?x?>", b"<", b"<meta charset"])
def test_hostile_starts_are_sniffed_and_decoded_in_no_time(unit: bytes) -> None:
    body = unit * 100_000
    assert takes_at_most(1, lambda: (sniff(body, None), decode(body + b"\xe9", None, html=True)))


# -------------------------------------------------------------------------------------------------- encodings

# ruff: noqa: RUF001 - letters of other alphabets are the point
RUSSIAN = "Маяк построили в 1880 году на северной оконечности острова, и его свет виден далеко в море. "
SAMPLES = {
    "windows-1251": RUSSIAN,
    "koi8-r": RUSSIAN,
    "windows-1252": "Le château fut bâti au XIIe siècle; à l'intérieur, une très belle chapelle est inachevée. ",
    "windows-1250": "Příliš žluťoučký kůň úpěl ďábelské ódy. Nejlepší výsledky byly zveřejněny v neděli večer. ",
    "windows-1253": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. ",
    "shift_jis": "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "euc-jp": "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "iso-2022-jp": "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "gb18030": "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。",
    "big5": "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心,並應以兄弟關係的精神相對待。",
    "euc-kr": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ",
    "windows-1256": "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق وقد وهبوا عقلاً وضميراً. ",
    "windows-1255": "המגדלור נבנה בשנת 1880 בקצה הצפוני של האי, ומאז נראה אורו למרחקים בים. שומר המגדלור ומשפחתו גרו "
    "בבית קטן לידו, וכל ערב עלו במדרגות הצרות כדי להדליק את המנורה. כל בני האדם נולדו בני חורין ושווים בערכם. ",
    "windows-874": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ",
    "utf-8": RUSSIAN,
    "utf-16le": RUSSIAN,
}
PYTHON_NAMES = {"windows-874": "cp874", "euc-kr": "cp949", "utf-16le": "utf-16-le"}


def page(encoding: str, head: str = "", repeat: int = 8) -> tuple[bytes, str]:
    text = f"<html><head>{head}</head><body><p>{SAMPLES[encoding] * repeat}</p></body></html>"
    return text.encode(PYTHON_NAMES.get(encoding, encoding)), text


@pytest.mark.parametrize("encoding", sorted(SAMPLES))
def test_an_encoding_nobody_names_is_found_out(encoding: str) -> None:
    body, text = page(encoding)
    assert decode(body, None, html=True)[0] == text


@pytest.mark.parametrize("encoding", sorted(SAMPLES))
def test_a_large_page_is_judged_by_its_start_and_quickly(encoding: str) -> None:
    body, text = page(encoding, repeat=5_000)
    assert decode(body, None, html=True)[0] == text
    assert takes_at_most(0.5, lambda: decode(body, None, html=True))


@pytest.mark.parametrize("encoding", sorted(set(SAMPLES) - {"utf-16le"}))
def test_header_and_meta_name_the_encoding(encoding: str) -> None:
    for head in (f"<meta charset='{encoding}'>", f'<META http-equiv=x content="text/html; charset={encoding}">'):
        body, text = page(encoding, head)
        assert decode(body, None, html=True)[0] == text
    body, text = page(encoding)
    assert decode(body, f' "{encoding.upper()}" ', html=False)[0] == text


def test_the_header_comes_before_meta_and_a_mark_before_both() -> None:
    body, text = page("koi8-r", "<meta charset=windows-1251>")
    assert decode(body, "koi8-r", html=True) == (text, "koi8-r")
    for mark, codec in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        assert decode(mark + text.encode(codec), "koi8-r", html=True)[0] == text


def test_a_comment_and_plain_text_cannot_name_an_encoding() -> None:
    body, text = page("utf-8", "<!-- <meta charset=koi8-r> -->")
    assert decode(body, None, html=True) == (text, "utf-8")
    body, text = page("utf-8", "<meta charset=koi8-r>")
    assert decode(body, None, html=False) == (text, "utf-8")


def test_xml_names_its_encoding() -> None:
    text = f"<?xml version='1.0' encoding='windows-1251'?><a>{RUSSIAN}</a>"
    assert decode(text.encode("cp1251"), None, html=False) == (text, "windows-1251")


def test_utf_8_called_latin_1_is_still_utf_8() -> None:
    text = "caf\u00e9 \u2013 na\u00efve"
    assert decode(text.encode(), "iso-8859-1", html=True) == (text, "utf-8")


def test_latin_1_called_utf_8_is_found_out() -> None:
    body, text = page("windows-1252")
    assert decode(body, "utf-8", html=True) == (text, "windows-1252")


def test_one_latin_1_letter_called_utf_8() -> None:
    text = "<p>The street is the Hauptstra\u00dfe, and nothing else here is beyond ASCII.</p>"
    assert decode(text.encode("cp1252"), "utf-8", html=False)[0] == text


def test_a_utf_8_page_with_one_bad_byte_or_a_torn_end_stays_utf_8() -> None:
    body = RUSSIAN.encode() * 20
    assert decode(body[:-2], None, html=True)[1] == "utf-8"
    text, name = decode(body + b"\xff" + body, "utf-8", html=True)
    assert (name, text.count("\ufffd")) == ("utf-8", 1)


@pytest.mark.parametrize("label", ["utf-7", "iso-2022-kr", "hz-gb-2312", "nonsense", "", "\u212a", "rot13", "zlib"])
def test_unknown_and_unsafe_labels_are_passed_over(label: str) -> None:
    assert decode("\u00e9t\u00e9".encode(), label, html=True) == ("\u00e9t\u00e9", "utf-8")


def test_meta_cannot_mean_utf_16_in_ascii() -> None:
    body, text = page("utf-8", "<meta charset=utf-16>")
    assert decode(body, None, html=True) == (text, "utf-8")


@given(st.binary(max_size=2_000), st.none() | st.text(max_size=20), st.booleans())
def test_decoding_never_fails(body: bytes, charset: str | None, html: bool) -> None:
    text, name = decode(body, charset, html=html)
    assert isinstance(text, str)
    assert name == name.lower()
