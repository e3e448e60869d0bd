"""Tables that lead to the pages around a page of a manual are no part of its text."""

from __future__ import annotations

import pytest

import wellread

PROSE = (
    "An index lets the server find a row much faster than without one, and each index has its cost when rows change. "
)
DOCBOOK = (
    "<div class=navheader><table width='100%' summary='Navigation header'><tr><th colspan=3>Chapter 11. Indexes</th>"
    "</tr><tr><td><a accesskey=p href=types.html title=Types>Prev</a> </td><td>Part II. The Language</td>"
    "<td> <a accesskey=n href=intro.html>Next</a></td></tr></table><hr></div>"
)
DOCBOOK_FOOT = (
    "<div class=navfooter><hr><table><tr><td><a accesskey=p href=types.html>Prev</a> </td><td><a accesskey=u "
    "href=sql.html>Up</a></td><td><a accesskey=n href=intro.html>Next</a></td></tr><tr><td>10.6. Output Types</td>"
    "<td><a accesskey=h href=index.html>Home</a></td><td>11.1. Introduction to all</td></tr></table></div>"
)
MANUAL = (
    "<table border=0 class=chapters><tr><td><a rel=prev href=types.html>&lt; Output Types</a></td><td><a rel='up "
    "bookmark' href=sql.html>The Language</a></td><td><a rel=next href=intro.html>Introduction to all &gt;</a></td>"
    "</tr></table>"
)


def read(before: str, body: str, after: str = "") -> wellread.Extraction:
    page = f"<title>Indexes</title><div id=content>{before}<h2>Indexes</h2>{body}{after}</div>"
    return wellread.extract(f"<body>{page}</body>", url="https://db.example/docs/indexes.html")


@pytest.mark.parametrize(
    ("before", "after"), [(DOCBOOK, DOCBOOK_FOOT), (MANUAL, f"<hr>{MANUAL}")], ids=["access_keys", "relations"]
)
def test_links_to_pages_around_a_manual_page(before: str, after: str) -> None:
    page = read(before, f"<p>{PROSE * 3}</p><p>{PROSE * 2}</p>", after)
    assert page.links == ()
    for words in ("Prev", "Next", "The Language", "Introduction", "Output Types"):
        assert words not in page.text


def test_table_of_links_with_one_access_key() -> None:
    rows = "".join(f"<tr><td><a href=/{name}>{name}</a></td><td>{PROSE[:40]}</td></tr>" for name in ("btree", "hash"))
    rows += "<tr><td><a accesskey=g href=/gin>gin</a></td></tr>"
    table = f"<table><tr><th>Kind</th><th>Use of it</th></tr>{rows}</table>"
    assert "https://db.example/btree" in read("", f"<p>{PROSE * 3}</p>{table}<p>{PROSE * 2}</p>").links
