"""What becomes of tables, cards and links when a page is put together again."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from effort import work_grows_in_proportion
from pages import KETTLE, kettle_article
from unit.scored import scored_page, selection
from wellread.css.sheets import StyleSheets
from wellread.extraction.html import HtmlExtractor
from wellread.extraction.page_type_rules import keep_cards
from wellread.output import print_document
from wellread.reading.find import find
from wellread.segmentation.walk import walked
from wellread.types import Block, Extraction, Kind, Source, Span

if TYPE_CHECKING:
    from wellread.types import Format


def extracted(html: str, *, url: str | None = "https://tea.example/pots") -> Extraction:
    return HtmlExtractor().extract(Source(body=html.encode(), media_type="text/html", url=url))


def markdown(inner: str) -> str:
    return print_document(extracted(kettle_article(inner)).document, "markdown").text


# ------------------------------------------------------------------------------------------------- lists


@pytest.mark.parametrize(
    ("opened", "values", "told"),
    [
        ("<ol>", ("value=7", ""), "7. Pour it\n8. Drink it"),
        ("<ol start=3>", ("", "value=4"), "3. Pour it\n4. Drink it"),
        ("<ol start=3>", ("value=x", ""), "3. Pour it\n4. Drink it"),
        ("<ol>", ("", "value=5"), "- Pour it\n- Drink it"),
        ("<ol reversed>", ("", ""), "- Pour it\n- Drink it"),
    ],
)
def test_first_number_of_a_list(opened: str, values: tuple[str, str], told: str) -> None:
    listed = f"{opened}<li {values[0]}>Pour it<li {values[1]}>Drink it</ol>"
    assert f"\n\n{told}\n\n" in markdown(listed)


@pytest.mark.untraced
def test_cost_of_many_lists_is_linear() -> None:
    small, large = ("<ol><li>Pour it</ol><p>x</p>" * count for count in (500, 2_000))
    assert work_grows_in_proportion(lambda: markdown(small), lambda: markdown(large))


# ------------------------------------------------------------------------------------------------ tables


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("<img src=no.png alt=No>", "No"),
        ("<img src=a.png alt=Hot><br><img src=b.png alt=Cold>", "Hot Cold"),
        ("<img src=no.png alt=No> 5", "5"),
        (f"<img src=no.png alt='{KETTLE}'>", ""),
    ],
)
def test_table_cell_with_only_a_picture(cell: str, told: str) -> None:
    page = f"<table><tr><th>Sort<th>Sold<tr><td>Assam<td>{cell}<tr><td>Keemun<td>Yes</table>"
    assert f"| Assam | {told} |\n| Keemun | Yes |" in markdown(page)
    assert f"<td>{told}</td>" in print_document(extracted(page).document, "html").text
    pictured = print_document(extracted(page).document, "markdown", images=True).text
    assert ("![No](https://tea.example/no.png)" in pictured) == ("alt=No" in cell)


def test_table_of_short_cells_between_paragraphs() -> None:
    rows = "".join(f"<tr><td>{sort}<td>{price}" for sort, price in (("Assam", 4), ("Darjeeling", 7), ("Keemun", 6)))
    told = markdown(f"<table><tr><th>Sort<th>Price{rows}</table>")
    assert "| Sort | Price |\n| --- | --- |\n| Assam | 4 |\n| Darjeeling | 7 |\n| Keemun | 6 |" in told


def test_headings_alone_in_their_cells_make_a_table_and_no_layout() -> None:
    told = markdown("<table><tr><td><h4>Sort</h4><td><h4>Price</h4><tr><td>Assam<td>4<tr><td>Keemun<td>6</table>")
    assert "| Sort | Price |\n| --- | --- |\n| Assam | 4 |" in told


@pytest.mark.parametrize(
    ("rows", "is_header"),
    [
        ("<tr><td><b>Sort</b><td><b>Price</b><tr><td>Assam<td>4<tr><td>Keemun<td>6", True),
        ("<tr><td><td><strong>Price</strong><tr><td>Assam<td>4<tr><td><b>All</b><td><b>10</b>", True),
        ("<tr><td><b>Sort</b><td>Price<tr><td>Assam<td>4<tr><td>Keemun<td>6", False),
        ("<tr><td><b>Assam</b><td><b>4</b><tr><td><b>Keemun</b><td><b>6</b><tr><td>Oolong<td>7", False),
        ("<tr><td><b>Sort</b><td><b>Price</b><tr><th>Assam<td>4<tr><th>Keemun<td>6", False),
    ],
)
def test_bold_first_row_is_the_header(rows: str, *, is_header: bool) -> None:
    html = print_document(extracted(f"<table>{rows}</table>").document, "html").text
    assert html.startswith("<table>\n<tr><th>") == is_header


def test_columns_that_are_empty_in_every_row_are_left_out() -> None:
    told = markdown("<table><tr><th>Sort<th><th>Price<th><tr><td>Assam<td><td>4<td></table>")
    assert "| Sort | Price |\n| --- | --- |\n| Assam | 4 |" in told


def test_lines_in_a_cell_stay_apart_when_tags_are_stripped() -> None:
    assert "| easy run <br>3 miles |" in markdown("<table><tr><th>Day<th>Do<tr><td>1<td>easy run<br>3 miles</table>")


@pytest.mark.parametrize(
    ("format", "told"),
    [
        ("markdown", "\n\nPrices of *tea*\n\n| Sort | Price |"),
        ("text", "\n\nPrices of tea\n\nSort | Price"),
        ("html", "\n<p>Prices of <em>tea</em></p>\n<table>\n<tr>"),
    ],
)
def test_the_caption_of_a_table_stands_above_it(format: Format, told: str) -> None:
    table = "<table><caption>Prices of <i>tea</i></caption><tr><th>Sort<th>Price<tr><td>Assam<td>4</table>"
    page = extracted(f"<article><h1>Tea</h1><p>{KETTLE * 4}</p>{table}<p>{KETTLE * 4}</p></article>")
    whole = print_document(page.document, format)
    assert told in whole.text
    assert [mark.kind for mark in whole.marks].count(Kind.ROW) == 2
    assert "".join(whole.text[a:b] for a, b in pairwise((0, *whole.cuts, len(whole.text)))) == whole.text


def test_a_caption_keeps_what_stands_in_boxes_within_it() -> None:
    table = "<table><caption><div>Prices</div><p>of tea</p></caption><tr><th>Sort<th>Price<tr><td>Assam<td>4</table>"
    assert "\n\nPrices\n\nof tea\n\n| Sort | Price |" in markdown(f"<p>{KETTLE * 4}</p>{table}<p>{KETTLE * 4}</p>")


def test_rowspan_in_the_last_column() -> None:
    rows = "<tr><th>Sort<th>Price<tr><td>Assam<td rowspan=2>4<tr><td>Keemun<tr><td>Sencha<td>6"
    told = markdown(f"<p>{KETTLE * 4}</p><table>{rows}</table><p>{KETTLE * 4}</p>")
    assert "| Assam | 4 |\n| Keemun |  |\n| Sencha | 6 |" in told


def test_a_list_that_goes_on_counting_does_so_in_html_too() -> None:
    page = extracted(
        f"<article><p>{KETTLE * 4}</p><ol start=3><li>Pour it.<li>Drink it.</ol><p>{KETTLE * 4}</p></article>"
    )
    assert '<ol start="3">' in print_document(page.document, "html").text
    assert "\n3. Pour it.\n4. Drink it.\n" in print_document(page.document, "markdown").text


@pytest.mark.parametrize(("label", "told"), [("js", ""), ("JS", ""), ("app.js", "app.js\n\n"), ("css", "css\n\n")])
def test_language_name_above_code(label: str, told: str) -> None:
    code = "<pre class='brush: js'><code>boil(pot)</code></pre>"
    page = f"<p>{KETTLE * 3}</p><div><div><span>{label}</span></div>{code}</div><p>{KETTLE * 3}</p>"
    assert f"rising.\n\n{told}```js\nboil(pot)\n```" in markdown(page)
    assert f"### {label}\n\n```js" in markdown(f"<p>{KETTLE * 3}</p><h3>{label}</h3>{code}<p>{KETTLE * 3}</p>")


# ------------------------------------------------------------------------------------------ typed lists


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("<p>1. Fill it.</p><p><b>2. Boil</b> it.</p><p>3.<i> Pour</i></p>", "1. Fill it.\n2. **Boil** it.\n3. *Pour*"),
        ("<p>4) Fill it.<br>5) Boil it.</p>", "4. Fill it.\n5. Boil it."),
        ("<p>Take:<br>\u2022 tea<br>\u2022 milk<br>and stir.</p>", "Take:\n\n- tea\n- milk\n\nand stir."),
        ("<p>1986. It whistled.</p><p>1987. It was sold.</p>", "1986\\. It whistled.\n\n1987\\. It was sold."),
        ("<p>7. It whistled.</p><p>9. It was sold.</p>", "7\\. It whistled.\n\n9\\. It was sold."),
        ("<p>1. Fill it.</p><h2>How</h2><p>2. Boil it.</p>", "1\\. Fill it.\n\n## How\n\n2\\. Boil it."),
        ("<p>Of the year<br>7. it is said<br>and no more.</p>", "Of the year  \n7\\. it is said  \nand no more."),
    ],
)
def test_lines_whose_numbers_count_on_are_a_list_and_no_others(written: str, told: str) -> None:
    assert f"\n\n{told}\n\n{KETTLE[:20]}" in markdown(written)


# ---------------------------------------------------------------------------------------------- formulas


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (r"Let \(a_b * c\) be", "Let $a_b * c$ be"),
        (r"so \[\frac{a}{b}\\\\[2pt] c\] is", r"so $\frac{a}{b}\\\\[2pt] c$ is"),
        ("and $$E=mc^2$$ too", "and $E=mc^2$ too"),
        (r"at C:\(x86), \(the sea is calm today my friends\)", r"at C:\\(x86), \\(the sea is calm today my friends\\)"),
        (r"as <code>\(a_b\)</code> is", r"as `\(a_b\)` is"),
    ],
)
def test_tex_that_scripts_set_is_kept_as_tex(written: str, told: str) -> None:
    for script in ("<script src=//cdn.example/MathJax.js></script>", "<script>renderMathInElement(it)</script>"):
        assert told in markdown(f"{script}<article><p>{KETTLE} {written} so.</p><p>{KETTLE * 2}</p></article>")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("from $$ to $$$ or $$&ndash;$$", r"from \$\$ to \$\$\$ or \$\${}\$\$".format("\u2013")),
        (r"the pattern \(a|b\) of grep", r"the pattern \\(a|b\\) of grep"),
        ("as in $ = cheap, $$ = moderate, $$ = so", r"as in $ = cheap, \$\$ = moderate, \$\$ = so"),
        (r"Let \(a_b\) be", r"Let \\(a_b\\) be"),
    ],
)
def test_what_looks_like_tex_where_no_script_sets_it_is_text(written: str, told: str) -> None:
    assert told in markdown(f"<script>go()</script><article><p>{KETTLE} {written} so.</p><p>{KETTLE * 2}</p></article>")


def test_formulas_beside_one_another_keep_the_space_between_them() -> None:
    page = f"<script src=/katex.js></script><p>{KETTLE} \\(a_1\\) \\(a_2\\) and so.</p><p>{KETTLE * 2}</p>"
    assert "$a_1$ $a_2$ and so" in markdown(page)


def test_cost_of_text_that_is_almost_a_formula_is_linear() -> None:
    small, large = (
        f"<script src=/katex.js></script><p>{KETTLE} \\(={'a' * length}\\)</p><p>{KETTLE * 2}</p>"
        for length in (25_000, 100_000)
    )
    assert work_grows_in_proportion(lambda: markdown(small), lambda: markdown(large))


def test_a_formula_alone_is_a_block() -> None:
    script = "<script src=/katex.js></script>"
    page = f"{script}<p>{KETTLE * 2}</p><p>\\[\\int_0^1 x\\]</p><p>{KETTLE * 2}</p>"
    assert "\n\n$$\\int_0^1 x$$\n\n" in markdown(page)


SUM = "<munderover><mo>\u2211</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
CELLS = "".join(f"<mtr><mtd><mn>{one}</mn></mtd><mtd><mn>{two}</mn></mtd></mtr>" for one, two in ("12", "34"))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("<msup><mn>10</mn><mrow><mo>\u2212</mo><mn>6</mn></mrow></msup>", "$10^{-6}$"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mn>5</mn>", "$x_{1}^{2}5$"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "${ab}^{2}$"),
        ("<mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>", r"$2\frac{1}{2}$"),
        ("<msqrt><mi>x</mi></msqrt><mo>+</mo><mroot><mi>y</mi><mn>3</mn></mroot>", r"$\sqrt{x}+\sqrt[3]{y}$"),
        (f"{SUM}<mi>sin</mi><mo>&#8289;</mo><mi>i</mi>", "$\u2211_{i=1}^{n}\\sin i$"),
        ("<mover><mi>x</mi><mo>\u00af</mo></mover><mtext> at 5%</mtext>", r"$\overline{x}\text{ at 5\%}$"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"$\overset{\text{def}}{=}$"),
        ("<mfenced><mi>a</mi><msub><mi>b</mi><mi>max</mi></msub></mfenced>", r"$(a,b_{\max})$"),
        (f"<mtable>{CELLS}</mtable>", r"$\begin{matrix}1 & 2 \\ 3 & 4\end{matrix}$"),
        ("<semantics><msup><mi>x</mi><mn>2</mn></msup><annotation>sq</annotation></semantics>", "$x^{2}$"),
    ],
)
def test_a_formula_without_tex_is_told_in_tex_made_of_what_it_shows(written: str, told: str) -> None:
    assert f"so {told} is" in markdown(f"<p>{KETTLE} so <math>{written}</math> is.</p>")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("<mi>x</mi><mo>=</mo><mn>3</mn>", "x = 3"),
        ('<msup><mn>10</mn><mn style="display:none">9</mn></msup>', "10"),
        ("<msup><mn>10</mn><mn class=gone>9</mn></msup>", "10"),
        ("<msup><mn>10</mn><mo class=gone>-</mo></msup>", "10"),
        ("<mmultiscripts><mi>C</mi><mn>1</mn><none></none></mmultiscripts>", "C 1"),
        ("<msup><mn>10</mn></msup>", "10"),
        ("<msup><mn>10</mn><mtext>a <b>b</b></mtext></msup>", "10 a b"),
        ("<mfenced open=SECRET><mi>a</mi><mi>b</mi></mfenced>", "a b"),
        ("<msqrt>" * 40 + "<mi>a</mi>" + "</msqrt>" * 40, "a"),
        ("<msqrt>" + "<mi>a</mi>" * 700 + "</msqrt>", " ".join("a" * 700)),
    ],
)
def test_formulas_that_are_printed_as_words(written: str, told: str) -> None:
    page = f"<style>.gone{{display:none}}</style><p>{KETTLE} so <math>{written}</math> is.</p>"
    assert f"so {told} is" in markdown(page)


def test_alternative_text_of_a_formula_is_no_tex() -> None:
    power = "<msup><mn>10</mn><mn>6</mn></msup>"
    assert "so $10^6$ is" in markdown(f'<p>{KETTLE} so <math alttext="10^6">{power}</math> is.</p>')
    assert "so $10^{6}$ is" in markdown(f'<p>{KETTLE} so <math alttext="ten to the six">{power}</math> is.</p>')


# ------------------------------------------------------------------------------------------------- cards


def test_a_list_of_cards_with_headings_becomes_sections() -> None:
    cards = "".join(f"<li><h3>{sort}</h3><p>{sort} is told of here. {KETTLE}</p>" for sort in ("Assam", "Keemun"))
    told = extracted(f"<article><h1>Tea</h1><p>{KETTLE * 4}</p><ul>{cards}</ul><p>{KETTLE * 4}</p></article>").document
    assert Kind.LIST not in {block.kind for block in told}
    assert [block.level for block in told if block.kind is Kind.HEADING] == [1, 3, 3]


def test_link_over_a_card_is_printed_once() -> None:
    told = markdown(f"<a href=/assam><p>{KETTLE}</p><h3>Assam</h3><p>{KETTLE * 2}</p></a>")
    assert told.count("https://tea.example/assam") == 1
    assert "### [Assam](https://tea.example/assam)" in told


def shelf(
    titles_kept: int, title_likely: float, *, count: int = 24, prices_kept: int = 0, sold: str = "$"
) -> tuple[list[str], int]:
    """Return what is kept of a shelf whose introduction is kept with likelihood .8, and how many cards are missing."""
    cards = "".join(
        f"<div class=card><h3>Teapot {at}</h3><p>Holds {at} cups.</p><div class=price>{sold} {at}.90</div></div>"
        for at in range(count)
    )
    tree = LexborHTMLParser(f"<main><p>{KETTLE}</p><div class=grid>{cards}</div></main>")
    seen = walked(tree, StyleSheets(tree, scripted=False, plain=True))
    titles = [at for at, leaf in enumerate(seen.leaves) if leaf.heading]
    kept = np.zeros(len(seen.leaves), np.bool_)
    prices = [at for at, leaf in enumerate(seen.leaves) if "$" in leaf.words]
    kept[[0, *titles[:titles_kept], *prices[:prices_kept]]] = True
    likely = np.full(len(kept), 0.1, np.float32)
    likely[titles] = title_likely
    likely[0] = 0.8
    changed = keep_cards(scored_page(seen, likely=likely), selection(kept, "collection"))
    lost = sum(notice.count or 0 for notice in changed.notices)
    return [leaf.spans[0].text for leaf, keep in zip(seen.leaves, changed.is_kept, strict=True) if keep][1:], lost


EVERY_CARD = [line for at in range(24) for line in (f"Teapot {at}", f"$ {at}.90")]


def test_a_shelf_that_is_mostly_kept_is_kept_whole_with_every_price() -> None:
    assert shelf(13, 0.1) == (EVERY_CARD, 0)


def test_a_shelf_whose_prices_are_mostly_kept_has_its_names() -> None:
    assert shelf(0, 0.1, prices_kept=13) == (EVERY_CARD, 0)


def test_largest_shelf_with_titles_of_high_likelihood() -> None:
    assert shelf(0, 0.5) == (EVERY_CARD, 0)


def test_how_many_cards_of_the_largest_shelf_are_left_out_is_told() -> None:
    assert shelf(0, 0.2) == ([], 24)


def test_a_few_cards_are_a_shelf_if_each_has_its_price() -> None:
    assert shelf(2, 0.1, count=3) == (EVERY_CARD[:6], 0)
    assert shelf(2, 0.1, count=3, sold="sold") == (["Teapot 0", "Teapot 1"], 0)


# ------------------------------------------------------------------------------------------------- links


@pytest.mark.parametrize(
    "head",
    [
        '<link rel=canonical href="https://tea.example/pots/all">',
        '<meta property="og:url" content="https://tea.example/pots/all">',
        '<base href="https://tea.example/pots/">',
    ],
)
def test_a_saved_page_resolves_its_links_by_the_address_that_it_names(head: str) -> None:
    page = f"<head>{head}</head><article><h1>Tea</h1><p>{KETTLE * 4} See <a href=brown>brown pots</a>.</p></article>"
    assert extracted(page, url=None).links == ("https://tea.example/pots/brown",)


@pytest.mark.parametrize("address", ["/pots", "file:///etc/pots", "http://localhost/pots", "javascript:pots()"])
def test_an_address_that_is_no_place_on_the_web_is_not_believed(address: str) -> None:
    page = f'<link rel=canonical href="{address}"><article><p>{KETTLE * 4} <a href=brown>Brown</a>.</p></article>'
    assert extracted(page, url=None).links == ()


def test_parentheses_in_pairs_stay_as_they_are_in_a_url() -> None:
    document = tuple(
        Block(Kind.PARAGRAPH, (Span("see "), Span("the word", 0, f"https://a.example/{end}"), Span(" here")))
        for end in ("Tea_(drink)", "a)b", "(a(b))")
    )
    told = print_document(document, "markdown")
    assert told.text.split("\n\n") == [
        "see [the word](https://a.example/Tea_(drink)) here",
        "see [the word](https://a.example/a%29b) here",
        "see [the word](https://a.example/%28a%28b%29%29) here",
    ]
    assert find(told, "see the word here").total == 3


# ---------------------------------------------------------------------------------------- streamed pieces


def streamed(body: str) -> list[str]:
    page = f"<body><article><h1>Tea</h1>{body}<script>$RC('B:0','S:0');$RC('B:1','S:1')</script></body>"
    found = extracted(page).document
    return [text for block in found if (text := "".join(span.text for span in block.spans).partition(".")[0]) != "Tea"]


def test_streamed_pieces_are_read_where_their_placeholders_stand() -> None:
    told = streamed(
        f'<p>First. {KETTLE}</p><template id="B:0"></template><p>Last. {KETTLE}</p></article>'
        f'<div hidden id="S:0"><p>Second. {KETTLE}</p><template id="B:1"></template><p>Fourth. {KETTLE}</p></div>'
        f'<div hidden id="S:1"><p>Third. {KETTLE}</p></div>'
    )
    assert told == ["First", "Second", "Third", "Fourth", "Last"]


def test_pieces_that_hold_one_another_or_themselves_end() -> None:
    rings = "".join(
        f'<div hidden id="S:{at}"><template id="B:{at}"></template><template id="B:{(at + 1) % 50}"></template>'
        f'<div hidden id="S:{at}"><template id="B:{at}"></template></div></div>'
        for at in range(50)
    )
    told = streamed(f'<p>First. {KETTLE}</p><template id="B:0"></template><p>Last. {KETTLE}</p></article>{rings}')
    assert told == ["First", "Last"]


# ------------------------------------------------------------------------------------------------- lists


def test_an_item_that_holds_only_another_list_lends_it_its_place() -> None:
    inner = "<ul><li>fill the kettle before dawn<li>light the fire below it</ul>"
    assert "\n\n- fill the kettle before dawn\n- light the fire below it\n\n" in markdown(f"<ul><li>{inner}</ul>")
    told = markdown(f"<ul><li>{inner}<li>then wait until it boils</ul>")
    assert "\n\n- fill the kettle before dawn\n- light the fire below it\n- then wait until it boils\n\n" in told


def test_label_above_a_heading_of_the_same_words() -> None:
    accordion = (
        f"<dl><dt><button>Green Tea</button></dt><dd><img src=/pot.svg><h2>Green tea</h2><p>{KETTLE * 2}</p></dd></dl>"
    )
    card = (
        "<div class=item><div class=media><a href=/green>Green tea</a><img src=/green.jpg></div>"
        f"<h3><a href=/green>Green tea</a></h3><p>{KETTLE}</p></div>"
    )
    for sample in (accordion, card):
        text = extracted(f"<article><h1>Kinds of tea</h1><p>{KETTLE * 3}</p>{sample}<p>{KETTLE * 2}</p></article>")
        assert print_document(text.document, "text").text.lower().count("green tea") == 1


def test_line_above_a_heading_that_links_elsewhere() -> None:
    sample = f"<p><a href=/shop>Green tea</a></p><h2>Green tea</h2><p>{KETTLE}</p>"
    page = extracted(f"<article><h1>Kinds of tea</h1><p>{KETTLE * 3}</p>{sample}<p>{KETTLE * 2}</p></article>")
    assert "https://tea.example/shop" in page.links
