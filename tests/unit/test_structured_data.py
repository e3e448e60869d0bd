"""What pages declare for machines, on made pages with known facts."""

from __future__ import annotations

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


def test_structured_data_survives_the_store() -> None:
    declared = DeclaredItem("json-ld", "Product", {"name": "Lamp", "offers": [{"@type": "Offer", "price": 12.5}]})
    document: Document = ()
    extraction = Extraction(document=document, metadata=Metadata(), method="reader", structured_data=(declared,))
    assert unpack_extraction(pack_extraction(extraction)) == extraction
