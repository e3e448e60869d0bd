"""Extraction from HTML: what is kept, what is left out, and what the document looks like."""

from __future__ import annotations

import contextlib
import gc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import takes_at_most
from pages import KETTLE, article_beside_menu, document
from wellread import extract
from wellread.errors import Empty, InvalidInput
from wellread.extraction.html import HtmlExtractor
from wellread.output import print_document
from wellread.types import Block, Extraction, Kind, Mode, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

URL = "https://example.org/tea/making?x=1"


def extracted(html: str | bytes, *, url: str | None = URL, mode: Mode = "balanced") -> Extraction:
    body = html.encode() if isinstance(html, str) else html
    return HtmlExtractor().extract(Source(body=body, media_type="text/html", url=url, mode=mode))


def markdown(html: str, *, images: bool = False, mode: Mode = "balanced", url: str | None = URL) -> str:
    return print_document(extracted(html, mode=mode, url=url).document, "markdown", images=images).text


def kinds(blocks: tuple[Block, ...]) -> list[Kind]:
    return [block.kind for block in blocks]


@pytest.mark.parametrize(("name", "value"), [("mode", "fast"), ("format", "md")])
def test_unknown_mode_and_format_name_the_known_ones(name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=f"'{value}' is not a valid {name}") as refused:
        extract(article_beside_menu(""), **{name: value})  # type: ignore[arg-type]  # what no type checker saw
    assert "one of" in (refused.value.hint or "")


# ---------------------------------------------------------------------------------------- what is left out

WORD = st.text(alphabet="bcdfghjklmnpqrstvwxz", min_size=4, max_size=9)
BOILERPLATE = ["script", "style", "nav", "footer", "header", "aside"]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(BOILERPLATE), st.lists(WORD, min_size=1, max_size=30)), min_size=1, max_size=6),
    st.integers(0, 6),
    st.sampled_from(["<p>{}</p>", "<div>{}</div>", "<h1>{}</h1>", "<ul><li>{}</li></ul>", "<a href='/x'>{}</a>", "{}"]),
)
def test_boilerplate_is_left_out(boilerplate: list[tuple[str, list[str]]], place: int, shape: str) -> None:
    """Property 5 of seed 001: the text has nothing of boilerplate elements."""
    parts = [
        f"<{tag}>{shape.format('zz'.join(words)) if tag not in {'script', 'style'} else 'zz'.join(words)}zzz</{tag}>"
        for tag, words in boilerplate
    ]
    parts.insert(place, f"<p>{KETTLE}</p>")
    text = print_document(extracted(f"<body>{''.join(parts)}</body>").document, "text").text
    assert "zz" not in text
    assert text == KETTLE.strip()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["h2", "h3", "p", "p"]), st.lists(WORD, min_size=5, max_size=30)),
        min_size=1,
        unique_by=lambda part: tuple(part[1]),  # what is said a second time is mostly a template's, and may go
    )
)
def test_structure_of_paragraphs_and_headings(parts: list[tuple[str, list[str]]]) -> None:
    """Property 6 of seed 001: paragraph breaks and headings are kept."""
    inner = "".join(f"<{tag}>{' '.join(words)}</{tag}>" for tag, words in parts)
    told = print_document(extracted(f"<main><h1>Title of it all</h1>{inner}</main>").document, "text").text
    assert told == "\n\n".join(["Title of it all", *(" ".join(words) for _, words in parts)])


def test_sidebars_shares_and_related_posts_are_left_out() -> None:
    told = markdown(
        f"<body><div class=sidebar><p>Buy our stuff</p></div><div class=content><h1>Tea</h1><p>{KETTLE * 5}</p>"
        f"<div class=share-buttons><a href=/s>Share me</a></div><p>{KETTLE * 5}</p>"
        "<h2>Related posts</h2><ul><li><a href=/1>One more story</a></li></ul></div></body>"
    )
    assert told.startswith("# Tea")
    for unwanted in ("Buy", "Share", "Related", "story"):
        assert unwanted not in told


def test_comments_are_left_out_below_an_article_and_kept_in_a_forum() -> None:
    page = (
        f"<body><div class='{{}}'><h1>Tea</h1><div class=post><p>{KETTLE * 3}</p></div>"
        "<div class=comments><p>I prefer coffee, as does everybody else in the office.</p></div></div></body>"
    )
    assert "coffee" not in markdown(page.format("page"))
    assert "coffee" in markdown(page.format("forum-thread").replace("office.", "office. " + KETTLE * 3))


def test_menus_are_left_out_of_a_page_with_little_prose() -> None:
    menu = "".join(f"<li><a href='/{n}'>Entry {n}</a></li>" for n in range(160))
    told = markdown(f"<body><div><ul>{menu}</ul></div><div><h1>Tea</h1><p>{KETTLE * 4}</p></div></body>")
    assert told.removeprefix("# Tea\n\n") == (KETTLE * 4).strip()


def test_the_heading_in_an_articles_own_header_is_kept() -> None:
    header = "<header><h1>Tea at dawn</h1><div>By A. Nobody</div></header>"
    text = markdown(document(f"<nav>Home Shop</nav><article>{header}<p>{KETTLE * 3}</p></article>"))
    assert text.startswith("# Tea at dawn\n\nThe kettle")


def test_a_note_inside_an_article_is_kept_and_other_asides_are_not() -> None:
    told = markdown(
        article_beside_menu(
            "<aside class='note'><p>Mind the steam.</p></aside><aside><p>Ten kettles on sale</p></aside>"
        )
    )
    assert "Mind the steam." in told
    assert "sale" not in told


def test_a_listing_of_links_is_content_where_there_is_no_prose() -> None:
    rows = "".join(f"<li><a href='/p/{n}'>Kettle model {n}</a> <b>$ {n}.99</b></li>" for n in range(30))
    told = extracted(f"<body><nav>Home</nav><main><h1>Kettles</h1><ul>{rows}</ul></main></body>")
    text = print_document(told.document, "markdown").text
    assert "- [Kettle model 7](https://example.org/p/7) **$ 7.99**" in text
    assert len(told.links) == 30


def test_noscript_is_read_only_where_the_rest_says_less() -> None:
    thread = "".join(f"<p>{KETTLE}</p>" for _ in range(5))
    assert "kettle" in markdown(f"<body><div id=app>Loading</div><noscript>{thread}</noscript></body>")
    assert "Enable" not in markdown(article_beside_menu("<noscript>Enable JavaScript, please.</noscript>"))


def test_precision_keeps_less_than_balanced_and_recall_more() -> None:
    page = article_beside_menu(
        f"<h1>A kettle at dawn</h1><p>{KETTLE * 2}</p>"
        "<figure><img src=a.jpg><figcaption>A kettle, seen from the side.</figcaption></figure>"
        "<div class=author>By A. Nobody</div>"
    ).replace("</article>", "<h2>Read more</h2><p>Another tale of steam.</p></article>")
    told = {mode: markdown(page, mode=mode) for mode in ("precision", "balanced", "recall")}
    assert "A kettle at dawn" in told["balanced"]
    assert not any(line in told["precision"] for line in ("A kettle at dawn", "seen from the side"))
    assert "Another tale" in told["recall"]
    assert "Another tale" not in told["balanced"]


@pytest.mark.parametrize("html", ["", "<p> </p>", "<script>x()</script>", "<nav>Home</nav>", "<!-- x -->"])
def test_a_page_that_shows_nothing_is_an_error(html: str) -> None:
    with pytest.raises(Empty) as caught:
        extracted(html)
    assert caught.value.url == URL


def test_an_empty_page_built_by_scripts_says_so() -> None:
    with pytest.raises(Empty) as caught:
        extracted("<body><div id=root></div><script src=app.js></script></body>")
    assert "browser" in caught.value.hint


# ------------------------------------------------------------------------------------- what it looks like


def test_lists_keep_their_nesting_and_first_number() -> None:
    told = markdown(
        article_beside_menu("<ol start=3><li>wash<ul><li>cold</li></ul></li><li><p>dry</p><p>well</p></li></ol>")
    )
    assert "3. wash\n\n   - cold\n\n4. dry\n\n   well\n\n" in told


def test_tables_keep_header_spans_and_inline_markup() -> None:
    told = markdown(
        article_beside_menu(
            "<table><thead><tr><th>Tea<th>Min<th>C</thead><tr><td rowspan=2>Green<td><b>2</b><td>70 | 80"
            "<tr><td colspan=2>see <a href=/b>box</a></table>"
        )
    )
    assert (
        "| Tea | Min | C |\n| --- | --- | --- |\n| Green | **2** | 70 \\| 80 |\n"
        "|  | see [box](https://example.org/b) |  |" in told
    )


def test_a_table_used_for_layout_is_read_as_paragraphs() -> None:
    told = markdown(
        f"<body><table><tr><td><h1>Tea</h1><p>{KETTLE * 3}</p></td><td>{KETTLE * 2}</td></tr></table></body>"
    )
    assert told.startswith("# Tea\n\nThe kettle")
    assert "|" not in told


def test_code_keeps_its_lines_and_names_its_language() -> None:
    told = markdown(
        article_beside_menu('<pre><code class="hljs language-python">def f():\n    return 1\n\n\nf()</code></pre>')
    )
    assert "```python\ndef f():\n    return 1\n\n\nf()\n```" in told
    numbered = "<table><tr><td class=gutter><pre>1\n2</pre></td><td class=code><pre>a\nb</pre></td></tr></table>"
    assert "```bash\na\nb\n```" in markdown(
        article_beside_menu(f"<div class='highlight bash' data-lang=bash>{numbered}</div>")
    )


def test_lines_that_a_book_of_code_folds_away_are_no_part_of_it() -> None:
    folded = "<span class=boring>fn main() {\n</span>let tide = 3;<span class=boring>\n}</span>"
    told = markdown(
        article_beside_menu(f"<pre><code class=language-rust>{folded}</code></pre><p class=boring>{KETTLE}</p>")
    )
    assert "```rust\nlet tide = 3;\n```" in told
    assert told.count("kettle") == 4


@pytest.mark.parametrize(("pre", "code"), [("x", "hljs hide-boring"), ("brush: js; gutter: true", "x")])
def test_class_for_a_part_of_code_does_not_hide_all(pre: str, code: str) -> None:
    told = markdown(
        article_beside_menu(f"<pre class='{pre}'><code class='{code}'>let tide = 3;\nlet sea;</code></pre>")
    )
    assert "let tide = 3;\nlet sea;" in told


def test_numbered_sections_are_sections_and_numbered_lines_a_list() -> None:
    sections = "".join(f"<li><h3>Step {name}</h3><p>{KETTLE}</p></li>" for name in ("one", "two"))
    assert "\n\n### Step two\n\nThe kettle" in markdown(article_beside_menu(f"<ol>{sections}</ol>"))
    assert "1. Fill it.\n2. Boil it." in markdown(article_beside_menu("<ol><li>Fill it.</li><li>Boil it.</li></ol>"))


def test_inline_markup_survives_without_glueing_words() -> None:
    told = markdown(
        article_beside_menu(
            "<p>Use <code>a `b`</code>, <em>not</em>\n<strong>that</strong>;<br>"
            "H<sub>2</sub>O <q>so</q> <del>x</del></p>"
        )
    )
    assert "Use `` a `b` ``, *not* **that**;  \nH<sub>2</sub>O “so” ~~x~~" in told


def test_a_comment_between_two_pieces_of_text_parts_nothing() -> None:
    assert "Price: 5 $ now" in markdown(article_beside_menu("<p>Price<!-- -->: <!-- -->5<!-- --> $ now</p>"))


def test_quotes_rules_and_definitions_are_told_apart() -> None:
    told = markdown(
        article_beside_menu("<blockquote><p>So it goes.</p></blockquote><hr><dl><dt>Oolong</dt><dd>Half dark</dd></dl>")
    )
    assert "> So it goes.\n\n---\n\n**Oolong**\n\nHalf dark" in told


def test_who_said_what_is_quoted_is_read_though_a_footer_tells_it() -> None:
    quoted = (
        "<blockquote><p>So it goes.</p><footer>\u2014 Old Tom</footer></blockquote><footer>Filed under tea</footer>"
    )
    told = markdown(article_beside_menu(quoted))
    assert "> So it goes.\n>\n> \u2014 Old Tom" in told
    assert "Filed under" not in told


def test_footnotes_find_their_references() -> None:
    note = "<section class=footnotes><ol><li id=fn1><p>See Smith. <a href='#fnref1'>\u21a9</a></p></li></ol></section>"
    page = article_beside_menu("<p>Tea is old<sup id=fnref1><a href='#fn1'>[1]</a></sup> and good.</p>")
    told = markdown(page.replace("</article>", f"{note}</article>"))
    assert "Tea is old[^1] and good." in told
    assert told.endswith("[^1]: See Smith.")
    assert "old<sup>1</sup> and" in markdown(page)


def test_mathematics_stays_tex() -> None:
    told = markdown(
        article_beside_menu(
            "<p>So <span class=katex><span class=katex-mathml><math><semantics>"
            "<mfrac><mi>a</mi><mi>b</mi></mfrac><annotation "
            r'encoding="application/x-tex">\frac{a}{b}</annotation></semantics></math></span>'
            "<span class=katex-html aria-hidden=true>a/b</span></span> holds.</p>"
        )
    )
    assert r"So $\frac{a}{b}$ holds." in told


def test_heading_anchors_and_edit_links_are_machinery() -> None:
    told = markdown(
        article_beside_menu(
            "<h2>Water <a class=headerlink href='#water'>\u00b6</a></h2><h2><a href='#x'>#</a> Leaves</h2>"
        )
    )
    assert "## Water\n\n## Leaves\n" in told


def test_line_breaks_in_a_row_make_paragraphs() -> None:
    assert "one  \ntwo\n\nthree" in markdown(article_beside_menu("<div>one<br>two<br><br>three</div>"))


def test_images_are_there_when_asked_for() -> None:
    page = article_beside_menu("<p>Look <img src='/cat.png' alt='a cat'> here</p>")
    assert "![a cat](https://example.org/cat.png)" in markdown(page, images=True)
    assert "cat" not in markdown(page)


# -------------------------------------------------------------------------------------------- bad input


def test_the_declared_charset_and_the_pages_own_are_honoured() -> None:
    body = f"<meta charset=windows-1252><p>caf\u00e9 {KETTLE}</p>".encode("cp1252")
    assert print_document(extracted(body).document, "text").text.startswith("caf\u00e9 The")


def test_source_chars_counts_the_decoded_page() -> None:
    page = article_beside_menu("<p>\u00e9</p>")
    assert extracted(page).source_chars == len(page)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + KETTLE,
        "<div>" * 100_000 + KETTLE + "</div>" * 100_000,
        "<ul><li>" * 50_000 + KETTLE,
        "<blockquote>" * 50_000 + KETTLE,
        "<table><tr><td>" * 30_000 + KETTLE,
        "<b><center></b>" * 50_000 + KETTLE,
        "<span>" * 100_000 + KETTLE,
        "<p>" + "".join(f"<i a={n}>" for n in range(400)) + "</p>" + "<p>x</p>" * 20_000,
        "<p " + " ".join(f"a{n}" for n in range(50_000)) + f">{KETTLE}",
        "<p x='<>' " + " ".join(f"a{n}='>'" for n in range(50_000)) + f">{KETTLE}",
        "<select>" + "<option value=1>x</option>" * 40_000 + f"</select><p>{KETTLE}",
        "".join(f"<body a{n}=1>" for n in range(50_000)) + KETTLE,
        KETTLE + "<" * 2_000_000,
        KETTLE + "<!--" * 300_000,
        KETTLE + "<a href='" * 100_000,
        f"<p>{KETTLE}</p><style>" + ".a{" * 200_000,
        f"<p>{KETTLE}</p>" + "<br>" * 200_000,
        f"<p>{KETTLE}</p>" + "<h2>Related</h2>" * 3_000,
        f"<p>{KETTLE}" + "&#x200b;" * 200_000,
        f"<p>{KETTLE}" + "<b>x</b> y" * 40_000,
        f"<p>{KETTLE}" + "<span>x</span>" * 80_000,
        f"<p>{KETTLE}" + "<a href=/a>x</a><a href=/b>y</a>" * 15_000,
        f"<p>{KETTLE}</p>" + "<h2>Related</h2><p>x</p>" * 20_000,
        f"<style>{'.a.b{display:none}' * 2_000}</style><p>{KETTLE}</p>" + "<i class=a>x</i>" * 40_000,
        f"<p>{KETTLE}" + "[" * 100_000 + "]" * 100_000 + "`" * 50_000 + "*_" * 50_000,
    ],
    ids=range(25),
)
@pytest.mark.untraced
def test_markup_made_to_choke_a_parser_is_read_in_bounded_time(html: str) -> None:
    def work() -> None:
        text = print_document(extracted(html).document, "markdown").text
        assert "kettle" in text or "x" in text

    assert takes_at_most(5, work)


def test_a_header_that_holds_the_text_of_its_page_is_read() -> None:
    prose = "".join(f"<p>Paragraph {n} tells at some length what the tide does in this bay.</p>" for n in range(12))
    told = markdown(f"<main><header class='section'><h1>The bay</h1>{prose}</header><p>Short coda.</p></main>")
    assert "Paragraph 11 tells" in told


def test_content_taken_for_boilerplate_beside_a_footer() -> None:
    line = "It tells at some length, and with more patience than was asked for, what the tide does in this bay. "
    prose = "".join(f"<p>Paragraph {n}. {line * 2}</p>" for n in range(30))
    told = markdown(f"<table><td><fieldset class='sidebar menu'>{prose}</fieldset></td></table><p>Made by hand.</p>")
    assert "Paragraph 29." in told


@pytest.fixture
def collects() -> Iterator[None]:
    """Leave the collector as it was."""
    before = gc.isenabled()
    yield
    (gc.enable if before else gc.disable)()


@pytest.mark.usefixtures("collects")
@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("shown", [True, False])
def test_the_collector_is_left_as_it_was_found(*, on: bool, shown: bool) -> None:
    (gc.enable if on else gc.disable)()
    with contextlib.nullcontext() if shown else pytest.raises(Empty):
        extracted(f"<p>{KETTLE}</p>" if shown else "<script>x()</script>")
    assert gc.isenabled() is on


@pytest.mark.usefixtures("collects")
def test_a_page_that_was_read_leaves_nothing_for_the_collector() -> None:
    page = (
        "<style>.a .b{--c:none} .b:not(.z){display:var(--c)} @media print{.a{color:red}}</style><title>T</title>"
        f"<article class=a><h1>T</h1><p class=b>{KETTLE}</p><p>{KETTLE * 3}</p><ul><li>{KETTLE}<ul><li>x</ul></ul>"
        f"<table><tr><th>a<td>b</table><pre><code>1</code></pre><p><math><mi>x</mi></math> <q>{KETTLE}</q></article>"
    )
    extracted(page)
    gc.collect()
    gc.disable()
    extracted(page)
    assert gc.collect() == 0
