"""What pages declare for machines, on made pages with known facts."""

from __future__ import annotations

import json

import pytest

import fact_pages
import wellread
from scored_facts import FactScore, facts, score
from wellread.store.codec import pack_extraction, unpack_extraction
from wellread.types import DeclaredItem, Document, Extraction, Metadata

NOTICE = "structured_data_cut"
PAGES = [page for page in fact_pages.all_pages() if not page.tables]


@pytest.mark.parametrize("page", [page for page in PAGES if not page.is_cut], ids=lambda page: page.name)
def test_declared_facts_are_those_of_the_truth(page: fact_pages.FactPage) -> None:
    result = wellread.extract(page.html, url=fact_pages.URL)
    truth = facts(page.items)
    assert score(truth, facts(result.structured_data)) == FactScore(right=truth.total())
    assert NOTICE not in {notice.code for notice in result.notices}


@pytest.mark.parametrize("page", [page for page in PAGES if page.is_cut], ids=lambda page: page.name)
def test_hostile_page_is_cut_and_told(page: fact_pages.FactPage) -> None:
    result = wellread.extract(page.html, url=fact_pages.URL)
    assert score(facts(page.items), facts(result.structured_data)).missed == 0
    assert NOTICE in {notice.code for notice in result.notices}


@pytest.mark.parametrize(
    "page",
    [
        '<body vocab="http://schema.org/"><p>Hello</p><div typeof=T>' + '<div property="a b c d e f" typeof=T>' * 12,
        "<p>Hello</p><div itemscope>" + '<div itemprop="a b c" itemscope>' * 18 + "<b itemprop=x>text</b>",
        f'<p>Hello</p><div itemscope><b itemprop="{" ".join(map(str, range(600)))}">{"long " * 9_000}</b></div>',
    ],
    ids=["rdfa", "microdata", "long"],
)
def test_items_under_several_names_are_bounded(page: str) -> None:
    result = wellread.extract(page, url=fact_pages.URL)
    assert NOTICE in {notice.code for notice in result.notices}
    assert len(json.dumps([item.properties for item in result.structured_data])) < 2_000_000


@pytest.mark.parametrize("graph", ["null", "7", '[null, {"@type": "Article", "name": "Lamp"}, [1]]', '"text"'])
def test_graph_of_no_objects_leaves_the_page_readable(graph: str) -> None:
    script = f'<script type="application/ld+json">{{"@graph": {graph}}}</script>'
    result = wellread.extract(f"<body>{script}<p>Hello, this is the text of the page.</p>", url=fact_pages.URL)
    assert "Hello" in result.text


def test_structured_data_survives_the_store() -> None:
    declared = DeclaredItem("json-ld", "Product", {"name": "Lamp", "offers": [{"@type": "Offer", "price": 12.5}]})
    document: Document = ()
    extraction = Extraction(document=document, metadata=Metadata(), method="reader", structured_data=(declared,))
    assert unpack_extraction(pack_extraction(extraction)) == extraction
