"""The learned reader: how it chooses, and what it makes of pages seen as a whole."""

from __future__ import annotations

import json
from importlib import resources
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.scored import kept_by_rules, scored_page, selection
from wellread.extraction.features import page_features
from wellread.extraction.html import HtmlExtractor, PageVisibility, parse_page
from wellread.extraction.learned_selector import MODE_SETTINGS, LearnedSelector, ReaderNetwork, best_subset
from wellread.extraction.selection import PAGE_TYPES, BlockSelection
from wellread.extraction.selection_rules import RULES, leaving_rules
from wellread.extraction.vocabulary import Vocabulary
from wellread.output import print_document
from wellread.segmentation.boxes import Walked
from wellread.types import Source

if TYPE_CHECKING:
    from wellread.types import Mode, PageType

NO_ADDRESS = np.zeros(len(PAGE_TYPES), np.float32)
PROSE = "Paragraph {} tells at some length what the tide does in this bay, and who has seen it do so."


def text(html: str, mode: Mode = "balanced") -> str:
    found = HtmlExtractor().extract(Source(body=html.encode(), media_type="text/html", mode=mode))
    return print_document(found.document, "text").text


def expected(likely: np.ndarray, sizes: np.ndarray, kept: np.ndarray, beta: float) -> float:
    gain, weight = (likely * sizes)[kept].sum(), beta * beta
    return float((1 + weight) * gain / (sizes[kept].sum() + weight * (likely * sizes).sum()))


@given(
    st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), min_size=1, max_size=7),
    st.sampled_from([0.5, 1.0, 3.0]),
)
def test_no_other_set_of_blocks_promises_a_better_score(blocks: list[tuple[float, int]], beta: float) -> None:
    likely, sizes = (np.array(values, np.float32) for values in zip(*blocks, strict=True))
    best = expected(likely, sizes, best_subset(likely, sizes, beta), beta)
    for bits in product([False, True], repeat=len(blocks)):
        if any(bits):
            assert expected(likely, sizes, np.array(bits), beta) <= best + 1e-4


def test_a_page_written_twice_for_two_screens_is_read_once() -> None:
    body = "".join(f"<p>{PROSE.format(number)}</p>" for number in range(12))
    told = text(f"<main><div class='desktop'>{body}</div><div class='mobile'>{body}</div></main>")
    assert told.count("Paragraph 7 tells") == 1


def test_repeated_text_below_another_heading_is_kept() -> None:
    again = f"<p>{PROSE.format('Again')}</p>"
    parts = [f"<section><h2>Bay {at}</h2><p>{PROSE.format(at) * 2}</p>{again}</section>" for at in range(4)]
    assert text(f"<main><h1>Bays</h1>{''.join(parts)}</main>").count("Paragraph Again") == 4


def test_a_heading_that_stands_twice_in_a_row_is_read_once() -> None:
    parts = [f"<h2><a href=/{at}>Bay {at}</a></h2><h2>Bay {at}</h2><p>{PROSE.format(at) * 2}</p>" for at in range(4)]
    assert text(f"<article>{''.join(parts)}</article>").count("Bay 2") == 1


def test_a_button_in_a_heading_is_read_where_it_is_the_heading() -> None:
    prose = f"<p>{PROSE.format(1) * 3}</p>"
    told = text(f"<article><h2>The bay<button>Copy it</button></h2>{prose}<h2><button>The sea</button></h2>{prose}")
    assert "Copy" not in told
    assert "The sea" in told


def shelf(cards: list[tuple[str, str]]) -> str:
    items = "".join(
        f"<li class=product-card><a href=/p/{at}><div class=name>{name}</div></a><div class=price>{price}</div></li>"
        for at, (name, price) in enumerate(cards)
    )
    return f"<main><h1>Kettles</h1><ul class='products grid'>{items}</ul></main>"


def test_variants_of_a_product_keep_their_name_beside_each_price() -> None:
    names = ("Harbour kettle with a felt ring, 1 litre", "Bay kettle with a copper whistle, 2 litres")
    cards = [(name, f"${20 + at}.90") for at, name in enumerate(names * 6)]
    told = text(shelf(cards))
    assert [told.count(name) for name in names] == [6, 6]
    assert all(price in told for _, price in cards)


@pytest.mark.parametrize("line", ["{0}", "{0}<br>", "<li>{0}</li>"])
def test_lines_of_an_article_that_are_links_are_read(line: str) -> None:
    sung = " ".join(
        f"<a href=/{at}>And the water rose over the harbour wall in the night of {at}</a>" for at in range(8)
    )
    page = f"<article><h1>Floods</h1><p>{PROSE.format(0) * 3}</p><div>{line.format(sung)}</div></article>"
    found = HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html", url="https://e.example/a-b-c"))
    assert "in the night of 7" in print_document(found.document, "text").text


def test_the_kind_of_page_is_told() -> None:
    body = "".join(f"<p>{PROSE.format(number) * 4}</p>" for number in range(12))
    page = f"<article><h1>The bay</h1>{body}</article>"
    found = HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html"))
    assert found.page_type == "article"


def test_a_page_without_text_has_no_kind() -> None:
    assert LearnedSelector().select(Walked((), (), (), ""), "balanced") == BlockSelection((), "unknown")


@pytest.mark.parametrize("count", [1, 2, 3, 63, 64, 65, 1_000])
def test_pages_of_any_length(count: int) -> None:
    told = text(f"<main>{''.join(f'<p>{PROSE.format(number)}</p>' for number in range(count))}</main>")
    assert [f"Paragraph {number} tells" in told for number in (0, count - 1)] == [True, True]


def test_the_weights_are_a_small_file() -> None:
    weights = resources.files("wellread.extraction") / "reader.npz"
    assert len(weights.read_bytes()) < 2_000_000


def test_only_heading_in_the_title_with_mode_recall() -> None:
    menu = "<ul class=menu>" + "".join(f"<li><a href=/{at}>Page {at}</a></li>" for at in range(40)) + "</ul>"
    body = "".join(f"<p>{PROSE.format(at)}</p>" for at in range(60))
    page = (
        "<html><head><title>{} - The Bay</title></head><body>"
        f"<header class=banner>{menu}<h1>Spring tides</h1>{menu}</header><div class=content>{body}</div></body></html>"
    )
    assert "Spring tides\n" in text(page.format("Spring tides"), "recall")
    assert "Spring tides\n" not in text(page.format("Neap tides"), "recall")


@pytest.mark.parametrize("box", ["form class=cart", "div class='share-sidebar'", "div class='minicart account'"])
def test_price_in_a_box_of_any_name(box: str) -> None:
    page = (Path(__file__).parents[2] / "examples" / "demo_site" / "pages" / "lantern.html").read_text("utf-8")
    shown = '<p class="price">€89.00 <span class="tax">VAT included, plus delivery</span></p>'
    assert shown in page
    page = page.replace(shown, f"<{box}><div class=price>€89.00</div></{box.partition(' ')[0]}>")
    told = text(page)
    assert "€89.00" in told
    assert "€14.00" not in told  # the price of another product


def test_links_around_and_within_an_article() -> None:
    def links(word: str) -> str:
        return "<ul>" + "".join(f"<li><a href=/{word}/{at}>{word} number {at}</a></li>" for at in range(6)) + "</ul>"

    body = [f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(12)]
    page = (
        f"<main><article><h1>The bay</h1>{links('Harbour')}{''.join(body[:6])}<p>What else was seen:</p>"
        f"{links('Sighting')}{''.join(body[6:])}<h2>Temas relacionados</h2>{links('Bulletin')}</article></main>"
    )
    for mode in ("balanced", "precision"):
        told = text(page, mode)
        assert "Paragraph 11 tells" in told
        assert not [word for word in ("Harbour", "Bulletin", "Temas") if word in told]
    assert "Sighting number 3" in text(page)
    assert "Bulletin number 3" in text(page, "recall")


@pytest.mark.parametrize("label", ["Read also", "Czytaj te\u017c", "Lea tambi\u00e9n"])
def test_a_line_that_names_another_text_is_left_out_of_an_article(label: str) -> None:
    body = [f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(12)]
    away = f"<p>{label}: <a href=/pilots>The pilots who have never seen the tide turn</a></p>"
    file = "<p>The figures: <a href=/tides.zip>tides.zip</a></p>"
    page = f"<main><article><h1>The bay</h1>{''.join(body[:6])}{away}{file}{''.join(body[6:])}</article></main>"
    assert "Paragraph 11 tells" in text(page)
    assert "tides.zip" in text(page)
    assert ["never seen the tide turn" in text(page, mode) for mode in ("balanced", "recall")] == [False, True]


def test_a_list_of_links_that_is_announced_ends_an_article() -> None:
    tools = "".join(f"<li><a href=https://e.example/{at}>Gauge number {at}, for the tide</a></li>" for at in range(6))
    body = "".join(f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(6))
    page = f"<article><h1>Gauges</h1>{body}<p>Here are the gauges that I use every day:</p><ul>{tools}</ul></article>"
    assert "Gauge number 5" in text(page)


def test_the_lead_that_a_page_gives_as_its_summary_is_read() -> None:
    lead = "Nobody has measured the tide of this bay for a hundred years, and now the school does it every morning."
    body = "".join(f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(12))
    page = (
        f'<meta name=description content="{lead}"><header><h1>The bay</h1>'
        f'<div class="share teaser">{lead}</div></header>'
        f"<article>{body}</article>"
    )
    assert lead in text(page)


@pytest.mark.parametrize(
    "data",
    [
        '{"offers":[{"price":"EUR 15.49","listing":"YUNSb","whole":"15","fraction":"49","symbol":"left","space":true}]}'
        * 2,
        "".join(f"{letter}{at}f260c30-bf1f-466a-b856-6f031758a086" for at, letter in enumerate("Sponsored")),
    ],
    ids=["data", "scrambled"],
)
def test_what_is_for_machines_is_not_read(data: str) -> None:
    body = "".join(f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(12))
    told = text(f"<main><h1>The bay</h1>{body}<div class=product-price>{data}</div>{body}</main>", "recall")
    assert "Paragraph 11" in told
    assert data[:30] not in told


def test_data_for_machines_is_read_where_the_page_shows_nothing_else() -> None:
    assert "kettle" in text(f"<div>{json.dumps([{'name': 'kettle', 'number': at} for at in range(20)])}</div>")


CONVENTIONS = MODE_SETTINGS["balanced"].conventions


@pytest.mark.parametrize("count", [150, 10_001])
def test_networks_that_agree_say_together_what_each_says(count: int) -> None:
    page = "<main>" + "".join(f"<p>{PROSE.format(at)}</p>" for at in range(count)) + "</main>"
    with resources.as_file(resources.files("wellread.extraction") / "reader.npz") as path, np.load(path) as file:
        names, words = (str(file[name]).split(" ") for name in ("vocabulary.names", "vocabulary.words"))
        alone = {name: file[name][:1] for name in file.files if not name.startswith(("vocabulary.", "address."))}
    network = ReaderNetwork(alone)
    walked = PageVisibility(parse_page(page), page).walked()
    seen = page_features(walked, Vocabulary(names, words), number_count=network.number_count)
    one = network.judge(seen, CONVENTIONS, NO_ADDRESS)
    three = ReaderNetwork({name: np.repeat(value, 3, axis=0) for name, value in alone.items()}).judge(
        seen, CONVENTIONS, NO_ADDRESS
    )
    assert np.allclose(one.odds, three.odds, atol=1e-4)
    assert np.allclose(one.kinds, three.kinds, atol=1e-4)
    assert one.kinds.sum() == pytest.approx(1, abs=1e-4)


def test_a_page_of_links_alone_is_read_in_every_mode() -> None:
    page = (
        "<main>" + "".join(f"<p><a href=/{at}>A tale of the tide, number {at}</a></p>" for at in range(9)) + "</main>"
    )
    assert ["number 4" in text(page, mode) for mode in ("balanced", "precision", "recall")] == [True] * 3


def test_a_long_headline_alone_is_read() -> None:
    headline = (
        "Nobody who has seen the tide turn in this bay at noon will ever ask again why the old pilots kept their boats"
    )
    page = f"<main><article><h1>{headline}</h1></article><p><a href=/a>tides.example</a></p></main>"
    assert [headline in text(page, mode) for mode in ("balanced", "precision", "recall")] == [True] * 3


def test_tag_cloud_around_and_within_an_article() -> None:
    cloud = "<p>" + " ".join(f"<a href=/tag/{at}>tidal bay {at}</a>" for at in range(30)) + "</p>"
    prose = "".join(f"<p>{PROSE.format(at) * 2}</p>" for at in range(3))
    page = f"<div>{cloud}{prose}{cloud.replace('bay', 'inlet')}{prose.replace('Para', 'Pho')}{cloud}</div>"
    seen = PageVisibility(parse_page(page), page).walked()
    kept = kept_by_rules(seen, [True] * len(seen.leaves), "article")
    assert kept == [False, *[True] * 7, False]


@pytest.mark.parametrize(
    ("card", "below", "left"),
    [
        ("<h3><a href=/{at}>Tales of the tide, {at}</a></h3><p>How bay {at} was sailed</p>", "", True),
        ("<h3>Bay {at}</h3><p>How it was sailed</p><a href=/{at}>All about the tide</a>", "", False),
        ("<h3><a href=/{at}>Tales of the tide, {at}</a></h3><p>How bay {at} was sailed</p>", PROSE * 3, False),
        ("<h3><a href=#{at}>Tales of the tide, {at}</a></h3><p>How bay {at} was sailed</p>", "", False),
    ],
    ids=["other texts", "headed sections", "amid the text", "parts of the text"],
)
def test_how_other_texts_begin_is_left_out_below_an_article(card: str, below: str, left: bool) -> None:
    cards = "".join(f"<div class=c>{card.format(at=at)}</div>" for at in range(4))
    page = "".join(f"<p>{PROSE.format(at) * 2}</p>" for at in range(3)) + f"<section>{cards}</section><p>{below}</p>"
    seen = PageVisibility(parse_page(page), page).walked()
    modes: tuple[Mode, ...] = ("balanced", "precision")
    for mode in modes:
        tidied = kept_by_rules(seen, [not leaf.links for leaf in seen.leaves], "article", mode)
        assert [keep for leaf, keep in zip(seen.leaves, tidied, strict=True) if "was sailed" in leaf.words] == [
            not left
        ] * 4


def test_a_text_that_cards_interrupt_goes_on_behind_them() -> None:
    card = "<aside class=c><h3><a href=/call>Call the harbour now</a></h3><p>Ask for a berth</p></aside>"
    page = "".join(f"<p>{PROSE.format(at) * 2}</p>" for at in range(8)) + f"{card}<p>{PROSE * 2}</p>" * 3
    seen = PageVisibility(parse_page(f"<article>{page}</article>"), page).walked()
    kept = kept_by_rules(seen, [leaf.words != "Call the harbour now" for leaf in seen.leaves], "article")
    assert all(keep for leaf, keep in zip(seen.leaves, kept, strict=True) if "Paragraph" in leaf.words)


@pytest.mark.parametrize(
    ("kind", "below", "kept"),
    [
        ("article", PROSE * 2, True),
        ("listing", PROSE * 2, True),
        ("forum", PROSE * 2, False),
        ("article", "The tide.", False),
        ("article", f"{PROSE}</p><i><u>{PROSE}</u></i><p>{PROSE}", False),
    ],
    ids=["article", "listing", "thread", "a word or two", "half of it left out"],
)
def test_what_heads_text_that_is_kept_is_kept(kind: PageType, below: str, kept: bool) -> None:
    page = f"<div>{PROSE}</div><h2>Beside</h2><h3>The bay</h3><p>{below}</p><h2>The sea</h2><div>{PROSE}</div>"
    seen = PageVisibility(parse_page(page), page).walked()
    picked = [not leaf.heading and leaf.box.tag in {"p", "div"} for leaf in seen.leaves]
    chosen_first = kept_by_rules(seen, picked, kind)
    told = {leaf.words: keep for leaf, keep in zip(seen.leaves, chosen_first, strict=True) if leaf.heading}
    assert bool(told["The bay"]) is kept


def test_a_dialog_that_covers_a_long_page_is_no_part_of_it() -> None:
    banner = f"<form role=dialog><h4>Before you go on</h4><p>{PROSE.format('Cookie') * 3}</p></form>"
    told = text(f"{banner}<main>{''.join(f'<p>{PROSE.format(at)}</p>' for at in range(70))}</main>")
    assert "Paragraph 69" in told
    assert "Cookie" not in told


def test_what_a_page_has_twice_is_read_where_it_is_not_called_hidden() -> None:
    body = "".join(f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(8))
    told = text(f"<main><div class=hidden>{body}</div><article><h1>The bay</h1>{body}</article></main>")
    assert told.startswith("The bay")
    assert told.count("Paragraph 3") == 2
    assert "Paragraph 3" in text(f"<main><div class=hidden>{body}</div></main>")


def test_the_rule_that_left_a_line_out_is_known_by_its_name() -> None:
    cloud = "<p>" + " ".join(f"<a href=/tag/{at}>tidal bay {at}</a>" for at in range(30)) + "</p>"
    page = f"<div>{cloud}{''.join(f'<p>{PROSE.format(at) * 2}</p>' for at in range(3))}</div>"
    walked = PageVisibility(parse_page(page), page).walked()
    picked = selection([True] * len(walked.leaves), "article")
    assert leaving_rules(scored_page(walked), picked) == {0: "leave_link_rows"}
    assert leaving_rules(scored_page(walked, "recall"), picked) == {}


def test_no_rule_changes_the_selection_that_it_is_passed() -> None:
    page = f"<h1>Tides</h1><p>{PROSE * 3}</p><p><a href=/a>Away</a></p><h2>Bays</h2><ul><li>North<li>South</ul>"
    walked = PageVisibility(parse_page(page), page).walked()
    picked = selection([at % 2 == 0 for at in range(len(walked.leaves))], "article")
    picked.is_kept.flags.writeable = picked.is_unread.flags.writeable = False
    for rule in RULES:
        rule.change(scored_page(walked), picked)
