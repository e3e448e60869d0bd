"""Whatever a page writes into its styles, the page is read or called empty; nothing breaks."""

from __future__ import annotations

from contextlib import suppress
from html import escape

from hypothesis import given, settings
from hypothesis import strategies as st

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


@settings(max_examples=500, deadline=None)
@given(sheet=garbage | declared.map(lambda rules: f".x{{{rules}}}"), style=declared | garbage)
def test_no_style_breaks_the_reading_of_a_page(sheet: str, style: str) -> None:
    told = f'class="x" id="x" style="{escape(style)}"'
    page = f"<style>{sheet}</style><main><p {told}>The pools lie dry at noon.</p></main>"
    with suppress(Empty):
        HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html"))
