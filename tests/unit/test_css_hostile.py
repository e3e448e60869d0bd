"""Whatever a page writes into its styles, the page is read or called empty; nothing breaks."""

from __future__ import annotations

from contextlib import suppress
from html import escape

from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.css.words import word_set
from wellread.errors import Empty
from wellread.types import Source
from wellread.web.extract.html import HtmlExtractor

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
