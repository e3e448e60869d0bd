"""Whatever a page writes into its styles, the page is read or called empty; nothing breaks."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.css.words import word_set
from wellread.errors import Empty
from wellread.extraction.html import HtmlExtractor
from wellread.types import Source

FUNCTIONS = st.sampled_from(
    [
        "clamp",
        "min",
        "max",
        "abs",
        "calc",
        "rgb",
        "hsl",
        "hwb",
        "var",
        "url",
        "polygon",
        "inset",
        "rect",
        "circle",
        "scale",
        "scale3d",
        "translate",
        "matrix",
        "opacity",
    ]
)
NAMES = st.sampled_from(
    [
        "opacity",
        "font-size",
        "font",
        "color",
        "background",
        "display",
        "clip-path",
        "clip",
        "transform",
        "filter",
        "mask",
        "--x",
        "inset",
        "margin",
        "left",
        "height",
        "line-height",
        "text-indent",
        "position",
        "visibility",
        "all",
        "zoom",
        "scale",
        "translate",
        "background-color",
        "width",
        "overflow",
    ]
)
VALUES = st.sampled_from(
    [
        "0",
        "1px",
        "-9999px",
        "1e400",
        "-1e-400",
        "50%",
        ".5em",
        "1/0",
        "#fff",
        "#ffff",
        "#12",
        "none",
        "hidden",
        "absolute",
        "inherit",
        "auto",
        "'",
        '"',
        "\\",
        "+",
        "-",
        "*",
        "/",
        "\\70",
        "%",
    ]
)
SCRAPS = st.sampled_from(
    [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ":",
        ";",
        ",",
        "/*",
        "*/",
        "<!--",
        "-->",
        "@media",
        "@layer",
        "@supports",
        "@import",
        "not",
        "and",
        "screen",
        "(min-width:1px)",
        ".x",
        "#x",
        "p",
        "*",
        ">",
        "~",
        "+",
        ":not(",
        "::before",
        "&",
        "!",
        "!important",
    ]
)


def _called(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(FUNCTIONS, st.lists(inner, max_size=4), st.sampled_from(", ")).map(
        lambda made: f"{made[0]}({made[2].join(made[1])})"
    )


value = st.recursive(VALUES, _called, max_leaves=6)
declared = st.lists(st.tuples(NAMES, st.lists(value, max_size=3).map(" ".join)), max_size=6).map(
    lambda pairs: ";".join(":".join(pair) for pair in pairs)
)
garbage = st.lists(SCRAPS | NAMES | value, max_size=30).map("".join)


@settings(max_examples=150, deadline=None)
@given(sheet=garbage | declared.map(lambda rules: f".x{{{rules}}}"), style=declared | garbage)
def test_no_style_breaks_the_reading_of_a_page(sheet: str, style: str) -> None:
    told = f'class="x" id="x" style="{escape(style)}"'
    page = f"<style>{sheet}</style><main><p {told}>The pools lie dry at noon.</p></main>"
    with suppress(Empty):
        HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html"))


NUMBERS = sorted(word_set("0 -1 1 2 3.9 4 -20 -499 -501 900 1600 3001 9999 -1e4 .01"))
UNITS = ["", *sorted(word_set("px em rem % vw vh pt cm ch"))]
SIZED = sorted(
    word_set(
        "left right top bottom inset margin margin-left margin-top text-indent letter-spacing font-size width height "
        "max-width max-height line-height zoom opacity scale translate padding"
    )
)
sizes = st.tuples(st.sampled_from(NUMBERS), st.sampled_from(UNITS)).map("".join)
hiding = st.one_of(
    st.tuples(st.sampled_from(SIZED), sizes),
    st.tuples(st.sampled_from(["transform"]), sizes.map(lambda size: f"translateX({size})")),
    st.tuples(st.sampled_from(["transform"]), sizes.map(lambda size: f"scale({size})")),
    st.sampled_from(
        [
            ("display", "none"),
            ("display", "table-column"),
            ("visibility", "hidden"),
            ("visibility", "collapse"),
            ("content-visibility", "hidden"),
            ("clip", "rect(0,0,0,0)"),
            ("clip-path", "inset(50%)"),
            ("clip-path", "circle(0)"),
            ("filter", "opacity(0)"),
            ("mask", "linear-gradient(transparent,transparent)"),
            ("color", "transparent"),
            ("color", "white"),
            ("font", "0/0 a"),
            ("position", "absolute"),
            ("position", "fixed"),
            ("position", "relative"),
            ("overflow", "hidden"),
            ("overflow", "clip"),
            ("-webkit-text-security", "disc"),
        ]
    ),
)
SECRET = "The tide turns before noon."


def reads(page: str) -> bool:
    source = Source(body=f"<main><h1>Low water</h1>{page}</main>".encode(), media_type="text/html")
    told = HtmlExtractor().extract(source).document
    return SECRET in "".join(span.text for block in told for span in block.spans)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(pairs=st.lists(hiding, min_size=1, max_size=4))
def test_what_is_passed_over_at_a_glance_hides_nothing(pairs: list[tuple[str, str]]) -> None:
    """Below an element of its own colour nothing is taken at a glance: every style there is computed in full."""
    style = ";".join(f"{name}:{value}" for name, value in pairs)
    page, rule = f'<p style="{style}">{SECRET}</p>', f"<style>.x{{{style}}}</style>"
    ruled = f"{rule}<p class=x>{SECRET}</p>"
    slow = '<style>.y{{display:none}}</style><div style="color:#123456">{}</div>'
    assert reads(page) == reads(slow.format(page))
    assert reads(ruled) == reads(slow.format(ruled))
    assert reads(page) == reads(ruled)


LONG = [20, 200, 1_999]
LINKS = ["var(--a{})", "var(--no,var(--a{}))"]


def chain(link: str, links: int, end: str) -> str:
    """Return custom properties of which each asks for the next."""
    return "".join(f"--a{at}:{link.format(at + 1)};" for at in range(links)) + f"--a{links}:{end}"


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("links", LONG)
def test_long_chain_of_custom_properties(links: int, link: str) -> None:
    sheet = "<style>:root{{{}}}p{{{}:var(--a0)}}</style>"
    assert reads(f"{sheet.format(chain(link, links, 'red'), 'color')}<p>{SECRET}</p>")
    assert not reads(f"{sheet.format(chain(link, links, 'none'), 'display')}<p>{SECRET}</p>")
    assert not reads(f"{sheet.format(chain(link, links, 'transparent'), 'color')}<p>{SECRET}</p>")


@pytest.mark.parametrize("links", LONG)
def test_a_long_ring_of_custom_properties_hides_nothing(links: int) -> None:
    assert reads(f"<style>p{{{chain(LINKS[0], links, 'var(--a0)')};display:var(--a0)}}</style><p>{SECRET}</p>")


@pytest.mark.parametrize("deep", [300, 1_400, 20_000])
def test_deeply_nested_fallbacks_show_nothing(deep: int) -> None:
    value = "var(--z," * deep + "none" + ")" * deep
    assert not reads(f"<style>p{{display:{value}}}</style><p>{SECRET}</p>")
    assert not reads(f"<p style='display:{value}'>{SECRET}</p>")


@pytest.mark.parametrize("deep", [300, 1_400, 20_000])
@pytest.mark.parametrize("opening", ["(", "[", "a(", "calc(", "rgb(from ", "color-mix(in srgb,", "([", "(]"])
@pytest.mark.parametrize(
    "style", ["font-size:{}", "transform:{}", "color:{}", "background:\\70 {}", "--x:{};filter:var(--x)"]
)
def test_brackets_nested_deeper_than_anybody_reads_break_nothing(style: str, opening: str, deep: int) -> None:
    told = style.format(opening * deep)
    assert not reads(f"<style>p{{{told}}}</style><p>{SECRET}</p>")
    assert not reads(f"<p style='{told}'>{SECRET}</p>")


def test_deep_brackets_by_custom_properties() -> None:
    nested = ";".join(f"--a{at}:{'a(' * 40}var(--a{at + 1}){')' * 40}" for at in range(20))
    assert not reads(f"<style>p{{{nested};--a20:red;transform:var(--a0)}}</style><p>{SECRET}</p>")


def test_many_brackets_beside_one_another_are_read() -> None:
    shadows = ",".join(["0 0 1px rgb(0 0 0)"] * 200)
    assert reads(f"<style>p{{text-shadow:{shadows};color:rgb(0 0 0)}}</style><p>{SECRET}</p>")


def test_nested_imports_within_a_common_bound() -> None:
    sheet = "p{display:none}"
    for _ in range(30):
        sheet = f"@import url(data:text/css,{quote(sheet)})"
    assert not reads(f"<style>{sheet}</style><p>{SECRET}</p>")
    long = "a" * 400_000
    assert reads(f"<link rel=stylesheet href='data:text/css,{long}'><p>{SECRET}</p>")
    assert reads(f"<style>{'@import url(data:text/css,b);' * 9_000}</style><p>{SECRET}</p>")


def test_imports_among_what_cannot_be_read_let_nothing_through() -> None:
    sheet = f"@import 'data:text/css,p{{display:none}}' supports({'(' * 2_000}a)"
    with pytest.raises(Empty):
        reads(f"<style>{sheet}</style><p>{SECRET}</p>")


def test_import_amid_a_long_sheet() -> None:
    start = "/* ; { */ @charset 'x;{'; @layer a; @import url(https://a.invalid/?a=1;2);"
    rules = ".y{color:red}" * 15_000
    assert not reads(f"<style>{start}@import 'data:text/css,p{{display:none}}';{rules}</style><p>{SECRET}</p>")
    assert reads(f"<style>{start}{rules}@import 'data:text/css,p{{display:none}}';</style><p>{SECRET}</p>")
