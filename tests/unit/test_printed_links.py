"""What CommonMark finds of links, pictures and tags in printed markdown is what the spans ask for, and no more."""

from __future__ import annotations

import html
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wellread.output import print_document
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])

SIGNS = r"[ ] ( ) ! < > ` `` \ * ** _ ~ ~~ | # : & $ ^ a b 1. &lt; \[ \] \` <!-- </sup> <? <script> <img/src=x> ~~~ ```"
EVIL = ["](http://evil.test/)", "![p](http://evil.test/)", "<http://evil.test/>", "[x]: http://evil.test/"]
PIECES = st.sampled_from([*SIGNS.split(), *EVIL, " ", "\n", "\n\n", "- ", "\u00a0", "\u2028"])
TEXTS = st.lists(PIECES, max_size=5).map("".join)
LOOKS = [Style.STRONG, Style.EM, Style.STRIKE, Style.CODE, Style.SUP, Style.SUB, Style.MATH, Style.NOTE]
STYLES = st.lists(st.sampled_from([Style.CODE, *LOOKS]), max_size=3).map(
    lambda worn: sum({int(style) for style in worn})
)
TAILS = st.lists(PIECES, max_size=3).map("".join)
HREFS = (
    st.none()
    | TAILS.map(lambda tail: f"http://good.test/{tail}")
    | st.sampled_from(
        ["mailto:a@good.test", "mailto:a@good.test?body=x", "http://good.test/x_(y)", "http://[::1]:80/a[0]"]
    )
)
SPANS = st.lists(
    st.builds(Span, TEXTS, STYLES, HREFS)
    | st.builds(Span, TEXTS, st.just(int(Style.IMAGE)), HREFS.map(lambda href: href or "http://good.test/p.png")),
    max_size=6,
)


def seen(markdown: str) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return the links, pictures and tags that CommonMark reads."""

    def walk(tokens: Sequence[Token]) -> Iterator[Token]:
        for token in tokens:
            yield token
            yield from walk(token.children or [])

    links, pictures, tags = Counter[str](), Counter[str](), Counter[str]()
    for token in walk(COMMONMARK.parse(markdown)):
        assert token.type not in {"html_block", "fence", "code_block"}
        if token.type == "link_open":
            links[plain(str(token.attrs["href"]))] += 1
        if token.type == "image":
            pictures[plain(str(token.attrs["src"]))] += 1
        if token.type == "html_inline" and token.content != "<br>":
            tags[token.content] += 1
    return links, pictures, tags


def plain(href: str) -> str:
    return unquote(href)


def wanted(spans: Sequence[Span], *, images: bool) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return those that `spans` of a paragraph ask for."""
    links, pictures, tags = Counter[str](), Counter[str](), Counter[str]()
    shown = [it for it in spans if (images if it.style & Style.IMAGE else it.text)]
    if not images and all(it.style & Style.IMAGE or it.text.isspace() for it in spans):
        return links, pictures, tags  # a paragraph of pictures and blanks alone, be they a formula, is not printed
    for (href, picture), group in groupby(shown, key=lambda span: (span.href, span.style & Style.IMAGE)):
        run = list(group)
        if picture:
            pictures[plain(href or "")] += len(run)
            continue
        # A note and a formula have signs of their own; of the others, only what is not blank can be touched.
        own = [
            it for it in run if it.text.strip() or (it.style & (Style.MATH | Style.NOTE) and not it.style & Style.CODE)
        ]
        if href and (href.startswith("http") or href == "mailto:a@good.test") and own:
            links[plain(href)] += 1
        for it in raised(run):
            tag = "sup" if it.style & Style.SUP else "sub"
            tags.update((f"<{tag}>", f"</{tag}>"))
    return links, pictures, tags


def raised(run: Sequence[Span]) -> list[Span]:
    """Return the raised and lowered runs: neighbours that look the same are one."""
    joined = [(style, list(group)) for style, group in groupby(run, key=lambda span: span.style)]
    others = Style.CODE | Style.MATH | Style.NOTE
    return [
        group[0]
        for style, group in joined
        if style & (Style.SUP | Style.SUB) and not style & others and "".join(it.text for it in group).strip()
    ]


@settings(max_examples=400, deadline=None)
@given(SPANS, st.booleans())
def test_a_paragraph_holds_the_links_pictures_and_tags_of_its_spans(spans: list[Span], images: bool) -> None:
    told = print_document((Block(Kind.PARAGRAPH, tuple(spans)),), "markdown", images=images).text
    assert seen(told) == wanted(spans, images=images)


@settings(max_examples=150, deadline=None)
@given(SPANS)
def test_a_cell_holds_the_links_pictures_and_tags_of_its_spans(spans: list[Span]) -> None:
    cells = (Block(Kind.CELL, tuple(spans)), Block(Kind.CELL, (Span("b"),)))
    told = print_document(
        (Block(Kind.TABLE, children=(Block(Kind.ROW, children=cells),)),), "markdown", images=True
    ).text
    assert seen(told) == wanted(spans, images=True)


def code(text: str, *styles: Style) -> Span:
    return Span(text, int(Style.CODE) | sum(map(int, styles)))


@pytest.mark.parametrize(
    "spans",
    [
        (code("a"), code("`", Style.SUB), code("[pay](http://evil.test/)")),
        (code("a"), code("`", Style.SUP), code("<img src=x onerror=alert(1)>")),
        (code("a"), code("`", Style.STRONG), code("![p](http://evil.test/?leak)")),
        (
            Span("word"),
            code("a", Style.EM),
            code("`"),
            Span("[pay](http://evil.test/)", int(Style.CODE), "tel:+4912345"),
        ),
        (Span("\n<img src=x>", int(Style.SUP)),),
    ],
)
def test_what_stands_in_code_or_is_raised_stays_in_it(spans: tuple[Span, ...]) -> None:
    told = print_document((Block(Kind.PARAGRAPH, spans),), "markdown").text
    links, pictures, tags = seen(told)
    assert not links
    assert not pictures
    assert set(tags) <= {"<sup>", "</sup>"}
    read = html.unescape(
        "".join(it.content for it in COMMONMARK.parse(told)[1].children or [] if it.type != "html_inline")
    )
    assert read.replace("\n", "").strip() == "".join(span.text for span in spans).strip()


@pytest.mark.parametrize("label", ["a \\] b", "pay \\[to bank.test", "a\\", "\\\\]", "a\\ "])
def test_a_label_and_the_words_of_a_picture_end_where_they_end(label: str) -> None:
    spans = (Span(label, 0, "http://good.test/[0]"), Span(" "), Span(label, int(Style.IMAGE), "http://good.test/p.png"))
    told = print_document((Block(Kind.PARAGRAPH, spans),), "markdown", images=True).text
    links, pictures, _ = seen(told)
    assert links == {"http://good.test/[0]": 1}
    assert pictures == {"http://good.test/p.png": 1}
    assert "(http://good.test/%5B0%5D)" in told


def test_the_brackets_of_a_host_stay() -> None:
    spans = (Span("a", 0, "http://[::1]:80/b[0]"),)
    assert print_document((Block(Kind.PARAGRAPH, spans),), "markdown").text == "[a](http://[::1]:80/b%5B0%5D)"
